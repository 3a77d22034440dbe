/* CSIStorageCapacities by class, in the order of pinned.h. */
#ifndef CLUSTER_CAPACITIES_H
#define CLUSTER_CAPACITIES_H

#include "objects/labels.h"

struct cluster;
struct csi_storage_capacity;
struct storage_class;

/* Whether volumes of the class are only provisioned where one of its capacities has
 * room: a setting of its driver. */
bool cluster_checks_capacity(const struct cluster *cluster,
    const struct storage_class *class);

/* A capacity of the class that has room for so many bytes, on nodes with these
 * labels; NULL: there is none. */
const struct csi_storage_capacity *
cluster_find_capacity(const struct cluster *cluster,
    const struct storage_class *class, int64_t bytes,
    const struct labels *node);

/* For cluster.c: before (NULL for none) has become now (NULL for none). */
void capacities_changed(struct cluster *cluster,
    const struct csi_storage_capacity *before,
    const struct csi_storage_capacity *now);

#endif
