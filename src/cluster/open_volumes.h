/*
 * PersistentVolumes that waiting claims may get, found without a search of all
 * volumes: most are bound, as their claimRef shows.  The lists are in the order of
 * open_volume_compare() behind that of pinned.h, their objects of struct
 * persistent_volume.
 */
#ifndef CLUSTER_OPEN_VOLUMES_H
#define CLUSTER_OPEN_VOLUMES_H

#include "cluster/pinned.h"

struct cluster;
struct persistent_volume;

/* Orders volumes: the smallest first, equal ones by name. */
int open_volume_compare(const void *a, const void *b);

/* Those whose claimRef is this claim; NULL for none. */
const struct pinned_list *
cluster_reserved_volumes(const struct cluster *cluster, sym namespace,
    sym claim);
/* Those in phase Available with this class in their spec and without claimRef;
 * NULL for none. */
const struct pinned_list *cluster_free_volumes(const struct cluster *cluster,
    sym spec_class);

/* For cluster.c: before (NULL for none) has become now (NULL for none). */
void open_volumes_changed(struct cluster *cluster,
    const struct persistent_volume *before,
    const struct persistent_volume *now);

#endif
