/*
 * A cheap copy of the cached partition, cut further for one decision by predicates
 * whose answers cannot be kept (struct predicate's tell_apart): those about the
 * claims of a pod, which are its own.
 */
#ifndef ECACHE_CUT_H
#define ECACHE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "ecache/memo_groups.h"
#include "framework/verdict.h"

struct cycle;
struct kinds;

/* Nodes of one group that these predicates do not distinguish. */
struct cut_cell {
	uint32_t group; /* its number */
	uint32_t n;     /* nodes in it */
	uint32_t first; /* one of them */
};

struct cut {
	const struct memo_groups *groups;
	uint32_t n;
	struct cut_cell *at;
	uint32_t *of; /* by node index: its cell; of nodes in a group alone */
};

/* Of all nodes that are in a group; in the cycle's arena.  distinguish() has the
 * pod's predicates tell nodes of a kind apart.  It returns false when each node
 * has to be asked; then the result is NULL. */
struct cut *cut_new(struct cycle *cycle, const struct memo_groups *groups,
    bool (*distinguish)(void *arg, struct kinds *kinds), void *arg);

/* The nodes with the highest total among the cells of the group that fit, of which
 * there is one at least; verdicts by cell.  In the arena. */
const struct memo_bucket *cut_best(const struct cut *cut, struct arena *arena,
    uint32_t group, const struct node_verdict *verdicts);

#endif
