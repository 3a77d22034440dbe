/*
 * A memo's groups divided for one decision alone, by predicates whose answers
 * cannot be kept (struct predicate's tell_apart): those about the claims of a pod,
 * which are its own.  Within a part, nodes are the same to all rules.
 */
#ifndef ECACHE_PARTS_H
#define ECACHE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "framework/verdict.h"

struct cycle;
struct kinds;
struct memo_bucket;
struct memo_groups;

struct part {
	uint32_t group;       /* its number */
	uint32_t n;           /* nodes in it */
	uint32_t first;       /* one of them */
	enum verdict verdict; /* for whoever has asked it */
};

struct parts {
	struct cycle *cycle;
	const struct memo_groups *groups;
	uint32_t n;
	struct part *at;
	uint32_t *of; /* by node index: the part; of nodes in a group alone */
};

/* Of all nodes that are in a group; in the cycle's arena.  tell_apart() has the
 * pod's predicates tell nodes of a kind apart.  It returns false when each node
 * has to be asked; then the result is NULL. */
struct parts *parts_new(struct cycle *cycle, const struct memo_groups *groups,
    bool (*tell_apart)(void *arg, struct kinds *kinds), void *arg);

/* Once the verdicts are known: by group, its nodes that fit, as one part. */
const struct part *parts_that_fit(const struct parts *parts);

/* The best of these, of which there is one at least. */
const struct memo_bucket *parts_best(const struct parts *parts,
    const struct part *fit);

#endif
