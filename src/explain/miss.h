/*
 * The nearest misses: nodes that only one rule rejects, and the change that
 * would let the pod fit.
 */
#ifndef EXPLAIN_MISS_H
#define EXPLAIN_MISS_H

#include <stddef.h>

#include "framework/cycle.h"

struct miss {
	const struct node_info *node;
	const char *text; /* "200m cpu short" */
};

/* Of a pod that fits nowhere; by text, then by node name.  In cycle->arena. */
struct miss *misses_find(struct cycle *cycle, size_t *n);

struct explanation;

/* The same by node index, NULL for other nodes; NULL where none was looked at (the
 * attempt failed, or a plugin rejected the pod). */
const char **misses_by_node(const struct explanation *e);

/*
 * The same as one line for people, "300m cpu short: n1, n2; 1 cpu short: n3", at
 * most max bytes: "; 17 more nodes" stands for the rest.  NULL: there is none.  In
 * cycle->arena.
 */
const char *misses_text(struct cycle *cycle, size_t max);

#endif
