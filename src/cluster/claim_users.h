/*
 * Who uses claims and volumes: which nodes have pods that use a claim, and which
 * claims name a volume.  So a change of a claim or volume is known to matter to
 * these nodes alone, and a volume to be no other pod's.
 */
#ifndef CLUSTER_CLAIM_USERS_H
#define CLUSTER_CLAIM_USERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

struct cluster;
struct node_info;
struct persistent_volume;
struct persistent_volume_claim;
struct pod_class;

struct claim_user {
	struct node_info *node;
	/* Of its pods, each as often as it names the claim; ephemeral volumes
	 * apart. */
	uint32_t nclaims, nephemeral;
};

struct claim_users {
	size_t n, cap;
	struct claim_user *at; /* in no order */
};

/* NULL for none. */
const struct claim_users *cluster_claim_nodes(const struct cluster *cluster,
    sym namespace, sym claim);
/* How many volumes of pods on nodes are the claim; ephemeral ones do not count, nor
 * do pods whose node is gone. */
uint32_t cluster_claim_users(const struct cluster *cluster, sym namespace,
    sym claim);
/* How many claims name this volume. */
size_t cluster_claims_naming(const struct cluster *cluster, sym volume);
/* How many volumes CSI drivers know by this name. */
size_t cluster_volumes_called(const struct cluster *cluster, sym handle);

/* For cluster.c: a pod of the class is added to (sign 1) or removed from (-1) the
 * node. */
void claim_users_count(struct cluster *cluster, struct node_info *node,
    const struct pod_class *class, int sign);
/* Likewise: before (NULL for none) has become now (NULL for none); touches the
 * nodes to whose volumes it matters. */
void claim_users_claim_changed(struct cluster *cluster,
    const struct persistent_volume_claim *before,
    const struct persistent_volume_claim *now,
    void (*touch)(struct cluster *cluster, sym node));
void claim_users_volume_changed(struct cluster *cluster,
    const struct persistent_volume *before, const struct persistent_volume *now,
    void (*touch)(struct cluster *cluster, sym node));
void claim_users_fini(struct cluster *cluster);

#endif
