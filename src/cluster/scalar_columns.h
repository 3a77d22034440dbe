/*
 * Scalar resources in columns: for names that pods ask for, the amounts of all
 * nodes side by side.
 *
 * Pods choose the names, so columns exist only for those that a node has or a
 * pod on a node holds, and only for a few at once.
 */
#ifndef CLUSTER_SCALAR_COLUMNS_H
#define CLUSTER_SCALAR_COLUMNS_H

#include "base/sym.h"
#include "cluster/journal.h"

struct cluster;
struct resources;

/* With more names at once, columns would evict each other. */
#define SCALARS_AT_ONCE_MAX 16

/* By node index, to the end of the last block of columns.h. */
struct scalar_column {
	sym name;
	struct cursor cursor; /* up to where they are right */
	uint32_t nnodes;
	size_t cap;
	int64_t *has;  /* allocatable, 0 where the node does not name it */
	int64_t *used; /* held by the node's pods */
};

/* Whether any node has it in its allocatable or a pod on a node holds it. */
bool cluster_knows_scalar(const struct cluster *cluster, sym name);

/* Valid until the cluster changes or columns of other names are asked for. */
const struct scalar_column *cluster_scalar_column(struct cluster *cluster,
    sym name);

/* For cluster.c: these are added to (sign 1) or removed from (sign -1) a node. */
void scalars_count(struct cluster *cluster, const struct resources *r,
    int sign);
void scalar_columns_forget(struct cluster *cluster);
void scalar_columns_free(struct cluster *cluster);

#endif
