/*
 * Labels in columns: for keys that pods ask for, the values of all nodes side by
 * side, so that a selector is judged without looking at any node.
 */
#ifndef CLUSTER_LABEL_COLUMNS_H
#define CLUSTER_LABEL_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sym.h"
#include "cluster/cluster.h"

struct column_block;
struct label_columns;
struct node_selector;
struct selector;

/* With more concurrent users, columns would evict each other. */
#define LABEL_REQUIREMENTS_MAX 16

/* By node index the values of the label, SYM_NONE if absent; for key SYM_NONE
 * the nodes' names.  Extends to the end of the last block of columns.h.  Valid
 * until the next call. */
const sym *cluster_label_column(struct cluster *cluster, sym key);

/*
 * As the functions of model/selector.h, of all nodes in a block: 1 for those that
 * match, else 0.  There are COLUMN_ROWS of them; rows without a node mean nothing.
 * False: there are too many requirements to do it in columns.
 */
bool selector_matches_block(struct cluster *cluster,
    const struct column_block *block, const struct selector *s,
    uint8_t *matches);
bool node_selector_matches_block(struct cluster *cluster,
    const struct column_block *block, const struct node_selector *s,
    uint8_t *matches);

void label_columns_free(struct label_columns *columns); /* for cluster.c */

#endif
