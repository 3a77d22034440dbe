/*
 * Refining a partition of all nodes by one column of numbers after the other,
 * without comparing any two nodes: nodes of one part have been equal in all columns
 * so far.
 */
#ifndef FRAMEWORK_REFINEMENT_H
#define FRAMEWORK_REFINEMENT_H

#include <stddef.h>
#include <stdint.h>

struct refinement {
	uint32_t nnodes;
	uint32_t n;
	uint32_t *of;    /* by node index: the number of its part; not ours */
	uint32_t *first; /* by part: its first node */
	size_t cap;
};

/* All nodes, of which there is one at least, are in one part; of has room for
 * them and outlives the refinement. */
void refinement_init(struct refinement *refinement, uint32_t nnodes,
    uint32_t *of);
void refinement_fini(struct refinement *refinement);

/* Splits the parts by one column more. */
void refine(struct refinement *refinement, const uint32_t *column);
void refine_wide(struct refinement *refinement, const int64_t *column);

#endif
