/*
 * The cost of preemption on each node, kept for all pods of one signature
 * (ecache.h) and one priority: the cost if the pod had no rules but its READS_NODE
 * predicates.  A node that changes is simulated again; after a preemption, one
 * node.
 *
 * Nodes to which pods are nominated are excluded and not kept: their results
 * depend on the pod that asks.
 */
#ifndef ECACHE_EVICTION_H
#define ECACHE_EVICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/journal.h"
#include "ecache/eviction_cost.h"

#define EVICTION_BLOCK 64

struct cycle;
struct ecache_class;
struct ecache_results;
struct node_info;
struct eviction_tables;

struct eviction_node {
	uint64_t generation; /* the node's, when this was so */
	bool helps;          /* evicting pods would; at this cost */
	bool excluded;
	struct eviction_cost cost;
};

/* The least cost among EVICTION_BLOCK nodes with successive indexes. */
struct eviction_block {
	bool helps;
	struct eviction_cost least;
};

struct eviction_costs {
	const struct ecache_results *results;
	int32_t priority;
	uint64_t used; /* when it was last; the oldest is dropped first */

	/* Up to where the results below are right. */
	struct cursor cursor;
	uint64_t budgets;
	uint32_t nnodes, cap;

	struct eviction_node *nodes; /* by node index */
	struct eviction_block *blocks;
	size_t nexcluded, excluded_cap;
	uint32_t *excluded; /* node indexes */
};

struct eviction_tables *eviction_tables_new(void);
void eviction_tables_free(struct eviction_tables *evictions); /* NULL is fine */
/* Those of these results, which are freed. */
void eviction_tables_forget(struct eviction_tables *evictions,
    const struct ecache_results *results);
size_t eviction_tables_bytes(const struct eviction_tables *evictions);

/* How preemption is simulated for the cycle's pod, by READS_NODE predicates. */
struct simulation {
	struct cycle *cycle;
	/* True: evicting pods from the node helps, and this is the cost. */
	bool (*helps)(void *arg, const struct node_info *node,
	    struct eviction_cost *cost);
	void *arg;
};

/*
 * That of the pod of the simulation, brought up to date.  cache: the results
 * of its class.  max_bytes: about how much all of them may grow to.
 * They are always asked about the same cluster and profile.  Valid until
 * the next call.
 */
const struct eviction_costs *
eviction_costs_of(struct eviction_tables *evictions,
    const struct simulation *simulation, const struct ecache_class *ecache,
    size_t max_bytes);

#endif
