/*
 * PersistentVolumes that waiting claims may get, found without a search of all
 * volumes: most are bound, as their claimRef shows.
 *
 * Many volumes reach only nodes with one certain value of a label; those of local
 * disks reach one node each.  In order of this pin, a node's volumes are found
 * without looking at those of all other nodes.
 */
#ifndef CLUSTER_OPEN_VOLUMES_H
#define CLUSTER_OPEN_VOLUMES_H

#include <stddef.h>

#include "model/labels.h"

struct cluster;
struct persistent_volume;

struct open_volume {
	struct label pin; /* key SYM_NONE: no such label */
	const struct persistent_volume *volume;
};

/* In order of pin, then capacity, then name. */
struct open_volumes {
	size_t n, cap;
	struct open_volume *at;
};

/* Orders pins, as the lists do. */
static inline int
open_volume_compare_pins(const struct label *a, const struct label *b)
{
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

/* Orders volumes: the smallest first, equal ones by name. */
int open_volume_compare(const struct persistent_volume *a,
    const struct persistent_volume *b);

/* Those whose claimRef is this claim; NULL for none. */
const struct open_volumes *
cluster_reserved_volumes(const struct cluster *cluster, sym namespace,
    sym claim);
/* Those in phase Available with this class in their spec and without claimRef;
 * NULL for none. */
const struct open_volumes *cluster_free_volumes(const struct cluster *cluster,
    sym spec_class);

/* For cluster.c: a volume is added, removed (NULL is fine). */
void open_volumes_add(struct cluster *cluster,
    const struct persistent_volume *volume);
void open_volumes_remove(struct cluster *cluster,
    const struct persistent_volume *volume);
void open_volumes_fini(struct cluster *cluster);

#endif
