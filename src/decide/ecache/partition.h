/*
 * A partition of all nodes into cells, with score buckets.
 *
 *	cell {key}  ── rules check one node of each
 *	   └─ bucket {sum of the scores that need no reduce()}, the highest first
 *	        └─ nodes, in order of their names' hashes
 *
 * Invariants:
 *	- A node is in one cell at most: that with the node's key, which has one
 *	  number (key part) for each way to distinguish nodes.
 *	- No cell and no bucket is empty.
 *	- The best nodes are the first buckets of the cells with the highest total:
 *	  to filter, to score and to choose among equals takes no loop over all
 *	  nodes.
 *
 * A new partition has no nodes; partition_move() puts them into their cells.
 */
#ifndef ECACHE_PARTITION_H
#define ECACHE_PARTITION_H

#include "base/map.h"

struct cluster;

struct score_bucket {
	int32_t total;
	uint32_t n;
	size_t cap;
	uint32_t *nodes; /* by their names' hashes */
};

struct partition_cell {
	uint32_t n; /* nodes in all buckets, at least 1 */
	uint64_t hash;
	uint32_t nbuckets;
	size_t cap;
	struct score_bucket *buckets; /* highest total first, none empty */
	int64_t key[];                /* by key part */
};

#define CELL_NONE UINT32_MAX

struct partition {
	size_t nkey_parts;
	/* By number; NULL for those that are free. */
	uint32_t n, nfree;
	size_t cap, free_cap;
	struct partition_cell **at;
	uint32_t *free;
	struct map by_key; /* hash of the key -> number + 1 */
	/* By node index: its cell, CELL_NONE for none, and the total of
	 * the bucket that it is in. */
	uint32_t *of;
	int32_t *total;
};

/* For so many nodes; the partition need not have been initialized. */
void partition_init(struct partition *partition, size_t nkey_parts,
    uint32_t nnodes);
void partition_fini(struct partition *partition);

/* How many cells there are. */
static inline uint32_t
partition_count(const struct partition *partition)
{
	return partition->n - partition->nfree;
}

/* Moves the node to the cell with this key, into the bucket with this total. */
void partition_move(struct partition *partition, const struct cluster *cluster,
    uint32_t at, const int64_t *key, int32_t total);

/* Takes the node out of its cell, if it is in one. */
void partition_remove(struct partition *partition,
    const struct cluster *cluster, uint32_t at);

/* Nodes in order of their names' hashes. */
struct node_span {
	const uint32_t *nodes;
	uint32_t n;
	uint32_t before; /* for partition_pick() */
};

/* The i-th (from 0) of all nodes in these n spans, none of which is empty, in order
 * of their names' hashes.  Changes the spans. */
uint32_t partition_pick(const struct cluster *cluster, struct node_span *spans,
    size_t n, uint32_t i);

#endif
