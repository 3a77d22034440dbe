/*
 * Nodes in columns: the facts that rules read of every node, by node index, one
 * array per fact.  A rule that checks all nodes reads memory from front to
 * back, and compilers vectorize its loops.
 *
 * Nodes come in blocks of COLUMN_ROWS, so that loops have a constant length.
 * Rows beyond the last node are readable, and their values are meaningless.
 *
 * Amounts are doubles, which hold those up to COLUMN_AMOUNT_MAX, their sums and a
 * hundred times as much exactly.  Nodes with other amounts, of which Kubernetes'
 * arithmetic may wrap around, are odd: they have to be looked at one by one.
 */
#ifndef CLUSTER_COLUMNS_H
#define CLUSTER_COLUMNS_H

#include "base/arena.h"
#include "base/map.h"
#include "cluster/journal.h"
#include "cluster/cluster.h"

#define COLUMN_ROWS 256
#define COLUMN_AMOUNT_MAX (INT64_C(1) << 45)

enum {
	COLUMN_ODD = 1 << 0,           /* its amounts are not in the columns */
	COLUMN_FULL = 1 << 1,          /* has no room for one more pod */
	COLUMN_UNSCHEDULABLE = 1 << 2, /* spec.unschedulable */
	COLUMN_SCALARS = 1 << 3,       /* has or holds scalar resources */
	COLUMN_PORTS = 1 << 4,         /* host ports are in use */
	COLUMN_AVOIDS = 1 << 5,        /* avoids the pods of some controllers */
	/* not all conditions are those of a healthy node: "Ready" is "True", all
	 * others are "False" */
	COLUMN_UNHEALTHY = 1 << 6,
};

/* Greater numbers of volumes count as this one: sums of two do not wrap around. */
#define COLUMN_VOLUMES_MAX INT32_MAX

/* The kinds of volumes with a count of their own; the first are all volumes,
 * and claims. */
#define COLUMN_VOLUME_KINDS 5

static inline unsigned
column_volumes(enum volume_kind kind)
{
	switch (kind) {
	case VOLUME_AWS_EBS:
		return 1;
	case VOLUME_GCE_PD:
		return 2;
	case VOLUME_AZURE_DISK:
		return 3;
	case VOLUME_CINDER:
		return 4;
	case VOLUME_CLAIM:
	case VOLUME_ISCSI:
	case VOLUME_RBD:
	case VOLUME_PORTWORX:
	case VOLUME_EPHEMERAL:
	case VOLUME_OTHER:
		break;
	}
	return 0;
}

/* The taints of some node, in its order. */
struct column_taints {
	uint32_t n;
	const struct taint *at;
};

struct columns;

struct column_block {
	const struct columns *columns;
	uint32_t first;  /* the index of the node in row 0 */
	uint32_t n;      /* rows with a node */
	uint8_t any;     /* flags that no node has are not in it */
	bool any_taints; /* false: no node has any */

	/* Allocatable; never 0. */
	double cpu_milli[COLUMN_ROWS], memory[COLUMN_ROWS];
	/* Allocatable less the requests of the node's pods. */
	double free_cpu_milli[COLUMN_ROWS], free_memory[COLUMN_ROWS];
	double free_ephemeral_storage[COLUMN_ROWS];
	/* The sums of requests for scores (node_info.h). */
	struct column_scored {
		double cpu_milli[COLUMN_ROWS], memory[COLUMN_ROWS];
	} scored[NSCORED_BY];
	uint8_t flags[COLUMN_ROWS];
	/* 0, or for columns_taints(): nodes with equal taints have equal
	 * numbers. */
	uint32_t taints[COLUMN_ROWS];
	/* By column_volumes(): at most so many volumes of the kind have to be
	 * attached, COLUMN_VOLUMES_MAX if claims have no name.  The volumes of
	 * bound claims may not be known yet.  And the node's
	 * lowest_volume_limit, from 0 to COLUMN_VOLUMES_MAX. */
	uint32_t attachable[COLUMN_VOLUME_KINDS][COLUMN_ROWS];
	uint32_t volume_limit[COLUMN_ROWS];
	/* See csi_use.h. */
	int32_t csi_room[COLUMN_ROWS];
	sym csi_driver[COLUMN_ROWS];
};

struct columns {
	uint32_t nblocks;
	size_t cap;
	struct column_block **blocks;
	/* Up to where they are right. */
	uint32_t nnodes;
	struct cursor cursor;
	uint64_t volume_generation;

	/* Distinct taints; number 1 is at 0. */
	uint32_t ntaints;
	size_t taints_cap;
	struct column_taints *taints;
	struct map by_taints; /* hash -> number */
	struct arena arena;   /* of the taints */
	sym ready, yes, no;
};

/* Updates the columns, at a cost proportional to the changes since the last
 * call; valid until the cluster changes. */
const struct columns *cluster_columns(struct cluster *cluster);

static inline const struct column_taints *
columns_taints(const struct columns *columns, uint32_t number)
{
	return &columns->taints[number - 1];
}

/* So many nodes, and the rest of their last block. */
static inline size_t
column_rows(uint32_t nnodes)
{
	return ((size_t)nnodes + COLUMN_ROWS - 1) / COLUMN_ROWS * COLUMN_ROWS;
}

/* Whether columns can be computed with this amount, too. */
static inline bool
column_amount(int64_t amount)
{
	return amount >= 0 && amount <= COLUMN_AMOUNT_MAX;
}

/* The code for nodes with any of the flags, 0 for other nodes. */
static inline void
column_codes(const struct column_block *b, uint8_t flags, uint8_t code,
    uint8_t *restrict codes)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] = (b->flags[i] & flags) != 0 ? code : 0;
}

/* Whether any row has a code. */
static inline bool
column_has_codes(const uint8_t *codes)
{
	uint64_t any = 0, some;

	for (uint32_t i = 0; i < COLUMN_ROWS; i += sizeof(some)) {
		memcpy(&some, codes + i, sizeof(some));
		any |= some;
	}
	return any != 0;
}

void columns_free(struct columns *columns); /* for cluster.c */

#endif
