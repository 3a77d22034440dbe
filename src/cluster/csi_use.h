/*
 * The volumes of CSI drivers that pods have, on nodes of clusters of 1.17 and later
 * (doc/semantics/11-kube-1.36.md, Volumes).
 *
 * A volume is identified by its driver and its name there; one that does not
 * exist yet by its claim.
 */
#ifndef CLUSTER_CSI_USE_H
#define CLUSTER_CSI_USE_H

#include "base/sym.h"
#include "cluster/volume_set.h"
#include "objects/pod.h"

struct cluster;
struct csi_node;
struct node_info;

/* Of the volumes of a pod, the first whose claim does not exist (it may have no
 * name), and the first whose claim belongs to another; NULL: none. */
struct csi_problems {
	const struct volume *missing, *foreign;
};

/* The volumes that count as those of a CSI driver. */
struct csi_rules {
	int release;
	/* The kinds of in-tree volumes that are their driver's, 1 << kind each. */
	uint32_t migrated;
};

#define EVERY_KIND UINT32_MAX

/* On this node, in clusters of SINCE_CSI_LIMITS and later. */
struct csi_rules csi_rules_on(const struct cluster *cluster, int release,
    sym node);

/* Adds the volumes of pods of a class, except those with a problem; they count
 * against their driver. */
struct csi_problems csi_volumes_add(const struct cluster *cluster,
    struct arena *arena, const struct csi_rules *rules,
    const struct pod_class *class, struct volume_set *set);

/* The volumes on a node, each once: those of its pods, and those that are attached
 * without being a pod's. */
struct csi_use {
	struct volume_set pods, attached;
	/* A pod there whose ephemeral volume's claim belongs to another, and the
	 * volume; NULL: none. */
	const struct pod *broken;
	const struct volume *foreign;
};

/* Replaces the sets by the node's, which may be a copy. */
void csi_use_of(const struct cluster *cluster, struct arena *arena, int release,
    const struct node_info *node, struct csi_use *use);
int64_t csi_use_count(const struct csi_use *use, sym driver);

/* True only if no pod on any node has this volume of a pod of the class; it may be
 * false even so. */
bool csi_volume_is_new(const struct cluster *cluster,
    const struct pod_class *class, const struct volume *volume, int release);

/* Whether the rules of that release count the same volumes as the cluster's own. */
bool csi_use_is_same(const struct cluster *cluster, int release);

#define CSI_ROOM_ANY INT32_MAX     /* no driver has a limit */
#define CSI_ROOM_UNKNOWN INT32_MIN /* a claim has no name, or is another's */

/*
 * For columns: how many more volumes the driver can have of which the node can
 * have the fewest, negative if there are too many.  *driver: the only one with a
 * limit, SYM_NONE if there are several.
 */
int32_t csi_room(const struct cluster *cluster, const struct node_info *node,
    sym *driver);

#endif
