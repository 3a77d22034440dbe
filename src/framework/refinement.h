/*
 * Refining a partition of all nodes by one column of numbers after the other,
 * without comparing any two nodes: nodes of one part have been equal in all columns
 * so far.
 *
 * The parts by nodes' domains in some topologies (cluster/index.h) are the same until
 * labels change.  They are kept (struct joints), so a refinement that begins with
 * topologies costs nothing before its first column of another kind.
 */
#ifndef FRAMEWORK_REFINEMENT_H
#define FRAMEWORK_REFINEMENT_H

#include <stddef.h>
#include <stdint.h>

struct cluster;
struct topology;

/* Nodes that are in no part, in the rest of the last block (column_rows()) of joints. */
#define PART_NONE UINT32_MAX

struct refinement {
	uint32_t nnodes;
	uint32_t n;
	uint32_t *of;    /* by node index: the number of its part; not ours */
	uint32_t *first; /* by part: its first node */
	/* By part: how many nodes it has, of a joint; else NULL. */
	const uint32_t *count;
	size_t cap;
	/* Of one that has been refined by topologies alone so far: the joint whose
	 * arrays these are, and room for its own.  Else NULL. */
	const struct joint *joint;
	struct joints *joints;
	uint32_t *room;
};

/* All nodes, of which there is one at least, are in one part; of has room for
 * them and outlives the refinement. */
void refinement_init(struct refinement *refinement, uint32_t nnodes,
    uint32_t *of);
void refinement_fini(struct refinement *refinement);

/* Splits the parts by one column more. */
void refine(struct refinement *refinement, const uint32_t *column);
void refine_wide(struct refinement *refinement, const int64_t *column);

/* The same by the nodes' domains. */
void refine_by_topology(struct refinement *refinement,
    const struct topology *topology);

#define JOINTS_MAX 16

/* The parts by some topologies of one cluster; all zero at first. */
struct joints {
	uint64_t labels; /* the cluster's when they were made */
	uint32_t nnodes;
	uint32_t n;
	struct joint *at[JOINTS_MAX]; /* the first: all nodes are in one part */
};

void joints_fini(struct joints *joints);

/* As refinement_init(), of all nodes of the cluster; room is for column_rows() of
 * them, and used if necessary.  A refinement by topologies alone uses arrays of joints
 * until the next refinement begins. */
void refinement_begin(struct refinement *refinement, struct joints *joints,
    const struct cluster *cluster, uint32_t *room);

#endif
