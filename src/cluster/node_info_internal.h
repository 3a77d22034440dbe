/* For cluster.c, which keeps the real nodes, and node_info.c. */
#ifndef CLUSTER_NODE_INFO_INTERNAL_H
#define CLUSTER_NODE_INFO_INTERNAL_H

#include "cluster/node_info.h"

/* Adds to (sign 1) or takes from (sign -1) the totals of a node of the cluster. */
void node_info_tally(struct node_info *node, int minor,
    const struct pod_class *class, int sign);

#endif
