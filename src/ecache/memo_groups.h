/*
 * The groups of nodes of memo.h, for one pod class.
 *
 * What makes a group is its key: one number for each slot, of which all nodes of
 * the group have the same.  Groups are filled in one of two ways:
 *
 *	all nodes anew   make()
 *	node by node     place() and leave(), ever after
 */
#ifndef ECACHE_MEMO_GROUPS_H
#define ECACHE_MEMO_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct cluster;

struct memo_bucket {
	int32_t total;
	uint32_t n;
	size_t cap;      /* 0: nodes are a part of groups->nodes */
	uint32_t *nodes; /* by their names' hashes */
};

struct memo_group {
	uint32_t n; /* nodes in all buckets, at least 1 */
	uint64_t hash;
	uint32_t nbuckets;
	size_t cap;
	struct memo_bucket *buckets; /* highest total first, none empty */
	int64_t key[];               /* by slot */
};

#define MEMO_GROUP_NONE UINT32_MAX

struct memo_groups {
	size_t nslots;
	/* By number; NULL for those that are free. */
	uint32_t n, nfree;
	size_t cap, free_cap;
	struct memo_group **at;
	uint32_t *free;
	struct map by_key; /* hash of the key -> number + 1 */
	/* By node index: its group, MEMO_GROUP_NONE for none, and the total of
	 * the bucket that it is in. */
	uint32_t *of;
	int32_t *total;
	uint32_t *nodes; /* in all buckets as they were made */
};

/* What is in a slot of all nodes' keys, by node index: one of the two. */
struct memo_column {
	const int64_t *wide;
	const uint32_t *narrow;
};

/* Puts all nodes where they belong; groups need not have been anything before.
 * columns by slot, totals by node index; order: all nodes by their names' hashes. */
void memo_groups_make(struct memo_groups *groups, size_t nslots,
    uint32_t nnodes, const struct memo_column *columns, const int32_t *totals,
    const uint32_t *order);
void memo_groups_fini(struct memo_groups *groups);

/* How many groups there are. */
static inline uint32_t
memo_groups_count(const struct memo_groups *groups)
{
	return groups->n - groups->nfree;
}

/* Puts the node where it belongs by this key and total, wherever it was. */
void memo_groups_place(struct memo_groups *groups,
    const struct cluster *cluster, uint32_t at, const int64_t *key,
    int32_t total);

/* Takes the node out of its group, if it is in one. */
void memo_groups_leave(struct memo_groups *groups,
    const struct cluster *cluster, uint32_t at);

/* Nodes in order of their names' hashes. */
struct memo_span {
	const uint32_t *nodes;
	uint32_t n;
	uint32_t before; /* for memo_pick() */
};

/* The i-th (from 0) of all nodes in these n spans, none of which is empty, in order
 * of their names' hashes.  The spans are not the same afterwards. */
uint32_t memo_pick(const struct cluster *cluster, struct memo_span *spans,
    size_t n, uint32_t i);

#endif
