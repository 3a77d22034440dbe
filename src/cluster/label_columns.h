/*
 * Labels in columns: for keys that pods ask for, the values of all nodes side by
 * side, so that a selector is judged without looking at any node.
 */
#ifndef CLUSTER_LABEL_COLUMNS_H
#define CLUSTER_LABEL_COLUMNS_H

#include "base/map.h"
#include "base/sym.h"
#include "cluster/cluster.h"

struct label_columns;

/* With more concurrent users, columns would evict each other. */
#define LABEL_REQUIREMENTS_MAX 16

/* By node index the values of the label, SYM_NONE if absent; for key SYM_NONE
 * the nodes' names.  Extends to the end of the last block of columns.h.  Valid
 * until the next call. */
const sym *cluster_label_column(struct cluster *cluster, sym key);

/* The distinct values of a label, from 1 on; 0 is none.  Of key SYM_NONE the
 * nodes' names. */
struct label_codes {
	uint32_t nvalues;
	const sym *values;  /* by code; SYM_NONE at 0 */
	const uint32_t *of; /* by node index */
	struct map codes;   /* value -> code */
};

/* NULL when no node has the label.  Valid until a call with a key for which
 * cluster_has_label_codes() is false. */
const struct label_codes *cluster_label_codes(struct cluster *cluster, sym key);
bool cluster_has_label_codes(struct cluster *cluster, sym key);

/* The value's code, 0 when no node has it. */
static inline uint32_t
label_code(const struct label_codes *codes, sym value)
{
	return (uint32_t)(uintptr_t)map_get(&codes->codes, value);
}

void label_columns_free(struct label_columns *columns); /* for cluster.c */

#endif
