/*
 * Who uses disks, claims and volumes: nodes whose pods use a disk or a claim, claims
 * that name a volume, VolumeAttachments of a node or a volume.  So a change of one of
 * these is known to matter to certain nodes alone, and a volume to be no other pod's.
 */
#ifndef CLUSTER_VOLUME_USERS_H
#define CLUSTER_VOLUME_USERS_H

#include "cluster/users.h"
#include "objects/pod.h"

struct cluster;
struct node_info;
struct persistent_volume;
struct persistent_volume_claim;
struct volume_attachment;

/* The nodes (struct node_info) with pods that use the disk (volume_is_disk()): for
 * NoDiskConflict, which then looks at these alone. */
const struct users *cluster_disk_users(const struct cluster *cluster,
    enum volume_kind kind, sym id);
/* The node's struct volume_attachment. */
const struct users *cluster_attachments(const struct cluster *cluster,
    sym node);
/* Whether a pod on a node uses the claim; the next: how many of their volumes are the
 * claim, but for ephemeral ones and pods whose node is gone. */
bool cluster_claim_is_used(const struct cluster *cluster, sym namespace,
    sym claim);
uint32_t cluster_claim_users(const struct cluster *cluster, sym namespace,
    sym claim);
/* How many claims name this volume. */
size_t cluster_claims_naming(const struct cluster *cluster, sym volume);
/* How many volumes CSI drivers know by this name. */
size_t cluster_volumes_called(const struct cluster *cluster, sym handle);

/* For cluster.c: a pod of the class is added to (sign 1) or removed from (-1) the
 * node. */
void volume_users_count(struct cluster *cluster, const struct node_info *node,
    const struct pod_class *class, int sign);
/* Likewise: before (NULL for none) has become now (NULL for none); touches the
 * nodes to whose volumes it matters. */
void volume_users_claim_changed(struct cluster *cluster,
    const struct persistent_volume_claim *before,
    const struct persistent_volume_claim *now);
void volume_users_volume_changed(struct cluster *cluster,
    const struct persistent_volume *before,
    const struct persistent_volume *now);
void volume_users_attachment_changed(struct cluster *cluster,
    const struct volume_attachment *before,
    const struct volume_attachment *now);
void volume_users_fini(struct cluster *cluster);

#endif
