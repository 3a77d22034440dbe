/*
 * Telling nodes apart by one column of numbers after the other, without comparing
 * any two nodes: nodes of one kind have been equal in all columns so far.
 */
#ifndef FRAMEWORK_KINDS_H
#define FRAMEWORK_KINDS_H

#include <stddef.h>
#include <stdint.h>

struct kinds {
	uint32_t nnodes;
	uint32_t n;
	uint32_t *of;    /* by node index: the number of its kind; not ours */
	uint32_t *first; /* by kind: the first node that is of it */
	size_t cap;
};

/* All nodes, of which there is one at least, are of one kind; of has room for
 * them and outlives the kinds. */
void kinds_init(struct kinds *kinds, uint32_t nnodes, uint32_t *of);
void kinds_fini(struct kinds *kinds);

/* Tells nodes apart by one column more, too. */
void kinds_split(struct kinds *kinds, const uint32_t *column);
void kinds_split_wide(struct kinds *kinds, const int64_t *column);

#endif
