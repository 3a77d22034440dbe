/*
 * PersistentVolumes, PersistentVolumeClaims, StorageClasses, and of storage.k8s.io
 * CSINodes, CSIDrivers, CSIStorageCapacities and VolumeAttachments.
 */
#ifndef MODEL_STORAGE_H
#define MODEL_STORAGE_H

#include "objects/labels.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "objects/selector.h"

/*
 * Capacities and requests are in bytes, rounded up, absent is 0; beyond 64 bits
 * they saturate, so that a bigger amount never compares as smaller.  (The
 * reference compares exact quantities; it makes a difference only within one
 * byte and beyond 8 Ei.)
 */
struct persistent_volume {
	struct object object;
	struct labels labels;
	enum volume_kind kind; /* VOLUME_GCE_PD … VOLUME_PORTWORX or
				* VOLUME_OTHER */
	sym id;                /* as struct volume; otherwise SYM_EMPTY */
	bool is_csi;
	sym csi_driver;
	/* spec.csi.volumeHandle; of another kind that of the driver to which
	 * its plugin was migrated (objects/in_tree.h), SYM_EMPTY for none. */
	sym csi_handle;
	sym attributes_class; /* absent is SYM_EMPTY */
	/* The class: the annotation volume.beta.kubernetes.io/storage-class when
	 * it is there, else spec.storageClassName.  spec_class is the field. */
	sym class;
	sym spec_class;
	sym volume_mode; /* absent is "Filesystem" */
	uint32_t naccess_modes;
	const sym *access_modes;
	int64_t capacity; /* spec.capacity.storage, see above */
	bool available;   /* status.phase == Available */
	bool has_claim;   /* spec.claimRef is there */
	sym claim_namespace;
	sym claim_name;
	const char *claim_uid;  /* "" when absent */
	bool has_node_affinity; /* spec.nodeAffinity.required is there */
	struct node_selector node_affinity;
	/* Whether the driver of its plugin knows its zones by a label of its own
	 * (objects/in_tree.h), and its node affinity in terms of that. */
	bool translates;
	struct node_selector csi_affinity;
	/* Why the driver cannot have the volume: translates is then set.  NULL: it
	 * can. */
	const char *obstacle;
	/* Kosmos: the annotation kosmos-io/cluster-owners, the member cluster that
	 * it is in; SYM_NONE when absent. */
	sym cluster_owner;
};

struct persistent_volume_claim {
	struct object object;
	sym volume_name;     /* SYM_EMPTY while unbound */
	bool bind_completed; /* annotation pv.kubernetes.io/bind-completed */
	bool
	    has_selected_node; /* annotation volume.kubernetes.io/selected-node */
	sym selected_node;
	sym cluster_owner; /* as above */
	/* The class as above; has_class is false if neither is set.  spec_class
	 * is spec.storageClassName alone, SYM_EMPTY when null. */
	bool has_class;
	sym class;
	bool has_spec_class;
	sym spec_class;
	sym volume_mode; /* absent is "Filesystem" */
	uint32_t naccess_modes;
	const sym *access_modes;
	bool has_request;
	int64_t request;      /* spec.resources.requests.storage, see above */
	bool for_one_pod;     /* an access mode is ReadWriteOncePod */
	bool lost;            /* status.phase is Lost */
	sym attributes_class; /* absent is SYM_EMPTY */
	sym controller; /* uid of the owner that controls it; SYM_NONE: none */
	bool has_selector;
	struct selector selector;
};

struct storage_class {
	struct object object;
	sym provisioner;
	bool has_binding_mode;
	bool waits_for_consumer; /* volumeBindingMode: WaitForFirstConsumer */
	uint32_t ntopologies;    /* 0: everywhere */
	/* One of them must hold; one without expressions matches nothing, nor does
	 * one with an expression that Kubernetes refuses, which has none here. */
	const struct selector *topologies;
};

struct csi_driver_limit {
	sym driver;
	bool has_count; /* allocatable.count */
	int64_t count;
};

struct csi_node {
	struct object object;
	uint32_t ndrivers;
	const struct csi_driver_limit *drivers;
	uint32_t migrated; /* in_tree_migrated() of its annotation */
};

/* False: the driver has no limit. */
bool csi_limit(const struct csi_node *node, sym driver, int64_t *limit);

struct csi_driver {
	struct object object;
	bool storage_capacity;  /* spec.storageCapacity */
	bool must_be_installed; /* spec.preventPodSchedulingIfMissing */
};

/* The room for volumes of a class on some nodes. */
struct csi_storage_capacity {
	struct object object;
	sym class;
	struct selector nodes; /* nodeTopology; absent matches nothing */
	bool has_limit;
	int64_t limit;    /* bytes: maximumVolumeSize, else capacity */
	int64_t capacity; /* bytes, 0 if it is absent */
};

struct volume_attachment {
	struct object object;
	sym attacher;
	sym node;
	sym volume; /* name of the PersistentVolume; SYM_EMPTY: none */
};

/* Label selectors that break Kubernetes' own rules are kept with their error (see
 * objects/selector.h). */
void persistent_volume_read(struct decoder *d, struct object *object);
void persistent_volume_claim_read(struct decoder *d, struct object *object);
void storage_class_read(struct decoder *d, struct object *object);
void csi_node_read(struct decoder *d, struct object *object);
void csi_storage_capacity_read(struct decoder *d, struct object *object);

/* The same volume with a claimRef for this claim, as the scheduler writes it
 * when it gives the volume to the claim; you own it. */
struct persistent_volume *
persistent_volume_claimed_by(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim);
/* The same claim with this node in its selected-node annotation, which selects
 * the node for the provisioner; you own it. */
struct persistent_volume_claim *
persistent_volume_claim_selected(const struct persistent_volume_claim *claim,
    sym node);

#endif
