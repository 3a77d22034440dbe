/*
 * The devices of one pod: its claims, and the claim that stands for its extended
 * resources where devices are these (doc/semantics/11-kube-1.36.md, Dynamic
 * resources).
 */
#ifndef DEVICES_POD_DEVICES_H
#define DEVICES_POD_DEVICES_H

#include "cluster/devices/demand.h"
#include "objects/pod.h"

/* Which nodes devices stand for which of the pod's extended resources on. */
struct resources_demand {
	uint64_t set;                 /* by bit: places in extended */
	struct resource_claim *claim; /* for them; NULL: there is none */
};

struct pod_devices {
	struct cluster *cluster;
	uint64_t generation; /* the cluster's */
	struct devices *devices;
	const struct pod *pod;
	bool extended;
	struct device_features features;
	struct arena *arena;
	struct device_search search;
	/* Those that the pod names, in their order; and of them the ones that are
	 * not allocated. */
	uint32_t nclaims, nwanted;
	const struct resource_claim **claims, **wanted;
	/* Extended resources that it requests. */
	bool has_classes; /* a DeviceClass stands for one of them */
	uint32_t nresources;
	const struct wanted_resource {
		sym name;
		const struct device_class *class; /* NULL: none */
	} * resources;
	/* The claim for them that was made before; NULL: none. */
	const struct resource_claim *made;
	size_t nsets, sets_cap;
	struct resources_demand **sets;
	bool has_alternatives; /* a claim has, so nodes may have scores */
	int32_t score;         /* of claims that are allocated */
	uint64_t last_set;     /* of `last` */
	struct demand *last;
};

/*
 * In the arena, which must be reset or freed before the cluster is; valid as long as
 * the cluster stays the same.  NULL: the pod has nothing to do with devices.  Claims
 * that do not exist are left out.  extended: devices may stand for extended
 * resources.
 */
struct pod_devices *pod_devices_of(struct arena *arena, struct cluster *cluster,
    const struct pod *pod, const struct device_features *features,
    bool extended);

enum pod_devices_need {
	NEEDS_NOTHING,  /* no device of the node */
	NEEDS_DEVICES,  /* a demand */
	NEEDS_RESOURCE, /* it has neither the resource nor devices for it */
	NEEDS_NO_CLAIM, /* the claim that was made before must go first */
};

/* What the pod needs on the node; of NEEDS_DEVICES the demand goes to *demand, and
 * the number of its claims to *n. */
enum pod_devices_need pod_devices_need(struct pod_devices *pod,
    const struct node_info *node, struct demand **demand);

/* The demand on every node if it is the same on all of them; else NULL. */
struct demand *pod_devices_everywhere(struct pod_devices *pod);

/* The claim of a place in the demand for the node. */
const struct resource_claim *pod_devices_claim(struct pod_devices *pod,
    const struct node_info *node, uint32_t i);

/* How many they are, and whether the last stands for extended resources. */
uint32_t pod_devices_nclaims(struct pod_devices *pod,
    const struct node_info *node, bool *for_resources);

/*
 * The pod's claims with the devices that they get when it is placed on the node, the
 * one for its extended resources last; into out, which has room for one more than the
 * pod names.  You own them.  False: there are no such devices.
 */
bool pod_devices_allocate(struct cluster *cluster, const struct pod *pod,
    const struct node_info *node, const struct device_features *features,
    bool extended, struct resource_claim **out, size_t *n);

/* The claim that was made for the pod's extended resources; NULL: none was. */
const struct resource_claim *pod_devices_made(struct cluster *cluster,
    const struct pod *pod);

/* They go into the cluster, at once and without asking whether the pod fits. */
void pod_devices_assume(struct cluster *cluster, const struct pod *pod,
    const struct node_info *node, const struct device_features *features,
    bool extended);

#endif
