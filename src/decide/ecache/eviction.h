/*
 * The cost of preemption on each node, kept for all pods of one signature
 * (ecache.h) and one priority: the cost by READS_NODE predicates alone.  Only nodes
 * that have changed are simulated again; after a preemption, one node.
 *
 * The node that a pod is nominated to itself is simulated again for the next pod.
 */
#ifndef ECACHE_EVICTION_H
#define ECACHE_EVICTION_H

#include "cluster/journal.h"
#include "decide/ecache/eviction_cost.h"

#define EVICTION_BLOCK 64

struct cycle;
struct ecache_class;
struct ecache_results;
struct node_info;
struct eviction_tables;

struct eviction_node {
	uint64_t generation; /* the node's, at the simulation */
	bool helps;          /* evicting pods would; at this cost */
	struct eviction_cost cost;
};

/* EVICTION_BLOCK nodes with successive indexes: the least cost, and a bit for each
 * node with it (the first is the lowest bit); 0 if evicting pods helps on none. */
struct eviction_block {
	uint64_t cheapest;
	struct eviction_cost least;
};

struct eviction_costs {
	const struct ecache_results *results;
	int32_t priority;
	uint64_t
	    used; /* the time of the last use; the oldest is dropped first */

	/* The members below are up to date with this. */
	struct cursor cursor;
	uint64_t budgets;
	uint32_t nnodes, cap;
	uint32_t own; /* as ecache_seen's */

	struct eviction_node *nodes; /* by node index */
	struct eviction_block *blocks;
};

struct eviction_tables *eviction_tables_new(void);
void eviction_tables_free(struct eviction_tables *evictions); /* NULL is fine */
/* Drops the costs of these results, which are about to be freed. */
void eviction_tables_forget(struct eviction_tables *evictions,
    const struct ecache_results *results);
size_t eviction_tables_bytes(const struct eviction_tables *evictions);

/* Simulates preemption for the cycle's pod, with READS_NODE predicates alone. */
struct simulation {
	struct cycle *cycle;
	/* True: evicting pods from the node helps, and this is the cost. */
	bool (*helps)(void *arg, const struct node_info *node,
	    struct eviction_cost *cost);
	void *arg;
};

/*
 * The up-to-date costs for the simulation's pod, valid until the next call.  cache:
 * the results of its class.  max_bytes: the approximate size that all of them may
 * grow to.  Every call must be about the same cluster and profile.
 */
const struct eviction_costs *
eviction_costs_of(struct eviction_tables *evictions,
    const struct simulation *simulation, const struct ecache_class *ecache,
    size_t max_bytes);

#endif
