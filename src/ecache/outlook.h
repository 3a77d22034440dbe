/*
 * What preemption would find on each node, kept for all kin (memo.h) of one
 * priority: the harm it would do there if the pod asked nothing but its
 * READS_NODE predicates.  A node that changes is simulated again; after a
 * preemption, one node.
 *
 * Nodes to which pods are nominated are set apart and not kept: what they say
 * depends on who asks.
 */
#ifndef ECACHE_OUTLOOK_H
#define ECACHE_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/journal.h"
#include "ecache/harm.h"

#define OUTLOOK_BLOCK 64

struct cycle;
struct memo_class;
struct memo_kin;
struct node_info;
struct outlooks;

struct outlook_node {
	uint64_t generation; /* the node's, when this was so */
	bool helps;          /* evicting pods would; harm says at what price */
	bool apart;
	struct harm harm;
};

/* The least harm among OUTLOOK_BLOCK nodes with successive indexes. */
struct outlook_block {
	bool helps;
	struct harm least;
};

struct outlook {
	const struct memo_kin *kin;
	int32_t priority;
	uint64_t used; /* when it was last, for the choice of what to drop */

	/* Up to where the results below are right. */
	struct cursor cursor;
	uint64_t budgets;
	uint32_t nnodes, cap;

	struct outlook_node *nodes; /* by node index */
	struct outlook_block *blocks;
	size_t napart, apart_cap;
	uint32_t *apart; /* node indexes */
};

struct outlooks *outlooks_new(void);
void outlooks_free(struct outlooks *outlooks); /* NULL is fine */
/* Those of these kin, who are no more. */
void outlooks_forget(struct outlooks *outlooks, const struct memo_kin *kin);
size_t outlooks_bytes(const struct outlooks *outlooks);

/* How preemption is simulated for the cycle's pod, by READS_NODE predicates. */
struct simulation {
	struct cycle *cycle;
	/* True: evicting pods from the node helps, and this is the harm. */
	bool (
	    *helps)(void *arg, const struct node_info *node, struct harm *harm);
	void *arg;
};

/*
 * That of the pod of the simulation, brought up to date.  memo: what is known
 * of its class.  max_bytes: about how much all of them may grow to.
 * The outlooks are always asked about the same cluster and profile.  Valid until
 * the next call.
 */
const struct outlook *outlook_of(struct outlooks *outlooks,
    const struct simulation *simulation, const struct memo_class *memo,
    size_t max_bytes);

#endif
