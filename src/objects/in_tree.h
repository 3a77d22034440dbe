/*
 * Volumes of the plugins that Kubernetes once had built in, as the CSI drivers
 * to which these were migrated know them (k8s.io/csi-translation-lib):
 *
 *	awsElasticBlockStore   ebs.csi.aws.com
 *	gcePersistentDisk      pd.csi.storage.gke.io
 *	azureDisk              disk.csi.azure.com
 *	cinder                 cinder.csi.openstack.org
 *	portworxVolume         pxd.portworx.com
 *
 * A driver may know zones by a label of nodes that is its own.
 */
#ifndef MODEL_IN_TREE_H
#define MODEL_IN_TREE_H

#include "base/sym.h"
#include "objects/pod.h"

struct decoder;

/* Where the data of a volume of a pod is, or of a PersistentVolume: the member that
 * says so, and its member that names the volume. */
struct volume_source {
	const char *key; /* NULL ends the table */
	enum volume_kind kind;
	const char *id;
};
extern const struct volume_source volume_sources[];

/* The name of the driver; NULL: volumes of this kind have none. */
const char *in_tree_driver(enum volume_kind kind);

/* The label of nodes by which the driver knows zones; SYM_NONE: it has none, or
 * volumes of this kind have no driver. */
sym in_tree_zone_label(enum volume_kind kind);

/*
 * The annotation of a CSINode that lists the plugins that the node leaves to their
 * drivers ("kubernetes.io/aws-ebs,kubernetes.io/gce-pd"): the kinds of their
 * volumes, 1 << kind each.  Other plugins are passed over.
 */
#define MIGRATED_PLUGINS_ANNOTATION                                            \
	"storage.alpha.kubernetes.io/migrated-plugins"
uint32_t in_tree_migrated(const char *annotation);

/* Likewise the kinds whose volumes are their drivers' on every node, whatever its
 * CSINode lists, in clusters of this release. */
uint32_t in_tree_migrated_in(int release);

/* The kind of the volumes that a StorageClass with this provisioner gets;
 * VOLUME_OTHER: it is no such plugin. */
enum volume_kind in_tree_kind(const char *provisioner);

struct in_tree {
	enum volume_kind kind;
	const char *id;    /* pdName, volumeID, diskURI */
	const char *form;  /* of an Azure disk: its kind, NULL when absent */
	const char *zones; /* of a GCE disk: the label, "a" or "a__b"; or "" */
};

/* Of a volume with this id, from its source; without zones. */
struct in_tree in_tree_read(struct decoder *d, const struct doc_node *source,
    enum volume_kind kind, sym id);

/* The driver's name for the volume; SYM_EMPTY: it cannot have it. */
sym in_tree_handle(struct arena *arena, const struct in_tree *volume);

/* Why it cannot have it, in kube-scheduler's words; NULL: it can, or it is
 * unknown.  The text lives as long as the arena. */
const char *in_tree_obstacle(struct arena *arena, const struct in_tree *volume);

#endif
