/*
 * A partition for one decision, in the cycle's arena and never changed.  It is
 * either the cached one cut further, cell by cell, or made without it: the first
 * decision about a class may be the last, and this costs less than buckets do.
 *
 * It is cut by the predicates whose results cannot be kept (struct predicate's
 * distinguish): those about the claims of a pod, which are its own.
 */
#ifndef ECACHE_CUT_H
#define ECACHE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "ecache/partition.h"
#include "framework/verdict.h"

struct cycle;
struct joints;
struct refinement;
struct topology;

/* In cut->of: the node is in no cell. */
#define CUT_NONE UINT32_MAX

struct cut_cell {
	uint32_t cell;  /* the cell that it is a part of, or CELL_NONE */
	uint32_t n;     /* nodes in it */
	uint32_t first; /* one of them */
};

struct cut {
	const struct partition *partition; /* NULL: made without them */
	uint32_t n, nnodes;
	struct cut_cell *at;
	/* By node index; CUT_NONE in the rest of the last block (column_rows()). */
	const uint32_t *of;
};

/* Splits cells further.  function() returns false if every node must be a cell of
 * its own; NULL: cells are not split. */
struct cut_by {
	bool (*function)(void *arg, struct refinement *refinement);
	void *arg;
};

/* Cuts the partition's cells.  NULL: every node must be a cell of its own. */
struct cut *cut_partition(struct cycle *cycle,
    const struct partition *partition, struct cut_by by);

/* A cut without a partition is made by these. */
struct cut_key {
	size_t ntopologies, ncolumns;
	const struct topology **topologies;
	const struct key_column *columns; /* as for partition_make() */
};

/* Cuts all nodes except those where excluded (NULL: none) is not 0.  The result may
 * use arrays of joints, until the next call.  NULL: as above. */
struct cut *cut_nodes(struct cycle *cycle, struct joints *joints,
    const struct cut_key *key, const uint32_t *excluded, struct cut_by by);

/* In a cut of a partition, of this cell of the partition: the nodes with the highest
 * total among those that fit, at least one; verdicts by cell of the cut. */
const struct score_bucket *cut_best(const struct cut *cut, struct arena *arena,
    uint32_t cell, const struct node_verdict *verdicts);

/* Of a cut made without a partition: the highest total in a cell, how many nodes have
 * it, and whether they are among the best of all. */
struct cut_top {
	int32_t total;
	uint32_t n;
	bool best;
};

/* By cell; totals by node index. */
struct cut_top *cut_tops(const struct cut *cut, struct arena *arena,
    const int32_t *totals);

/* The i-th (from 0) of the best nodes in this order of all nodes. */
uint32_t cut_pick(const struct cut *cut, struct arena *arena,
    const struct cut_top *tops, const int32_t *totals, const uint32_t *order,
    uint32_t i);

#endif
