/*
 * Which nodes have pods that use a disk (volume_is_disk(), model/pod.h), by the
 * disk's kind and name: for NoDiskConflict, which then looks at these alone.
 */
#ifndef CLUSTER_DISK_USERS_H
#define CLUSTER_DISK_USERS_H

#include <stddef.h>

#include "model/pod.h"

struct cluster;
struct node_info;

struct disk_user {
	struct node_info *node;
	unsigned nvolumes; /* of its pods, that are the disk */
};

/* The nodes, in no order, *n of them; valid until the cluster changes. */
const struct disk_user *cluster_disk_users(const struct cluster *cluster,
    enum volume_kind kind, sym id, size_t *n);

/* For cluster.c: a pod of the class is added to (sign 1) or removed from (-1) the
 * node. */
void disk_users_count(struct cluster *cluster, struct node_info *node,
    const struct pod_class *class, int sign);
void disk_users_free(struct cluster *cluster);

#endif
