/*
 * What device pools hold and who has it, of one cluster: made of its ResourceSlices,
 * ResourceClaims and DeviceTaintRules at the first use, and kept up to date from
 * then on.
 *
 * A view is what a node can use of all pools.  Nodes that can use the same devices
 * share one, and its generation changes with every device in it that is given or
 * returned, so results are kept per view.
 */
#ifndef DEVICES_INVENTORY_H
#define DEVICES_INVENTORY_H

#include "base/arena.h"
#include "base/map.h"
#include "cluster/cluster.h"
#include "cluster/devices/amount.h"
#include "objects/device.h"
#include "objects/resource_claim.h"

struct demand;
struct pod_devices;

struct used_capacity {
	sym name;
	amount amount;
};

/* A device that claims have. */
struct device_use {
	sym device;
	uint32_t dedicated; /* claims that have it for themselves */
	uint32_t shares;    /* of claims that have a part */
	uint32_t ncapacities;
	struct used_capacity *capacities; /* consumed by shares */
};

/* A pool that slices or claims name. */
struct device_pool {
	sym driver, name;
	size_t nslices, slices_cap;
	const struct resource_slice **slices; /* by name; not owned */
	struct map uses;                      /* device -> struct device_use */
	size_t nviews, views_cap;
	struct device_view **views; /* those that show it */
};

struct pool_counter {
	sym set, name;
	amount total, available;
};

/* What a view shows of a pool: slices with devices, by name. */
struct view_pool {
	struct device_pool *pool;
	bool incomplete, invalid, has_conditions;
	uint32_t nslices;
	const struct resource_slice **slices;
	/* Of a slice with per_device, by device: whether the node can use it; else
	 * NULL. */
	const bool **reached;
	/* All slices whose devices count against the counters. */
	uint32_t ncounted;
	const struct resource_slice **counted;
	uint32_t ncounters;
	struct pool_counter *counters;
	/* The view's generation when available was computed. */
	uint64_t counted_at;
};

struct device_view {
	struct arena arena;
	uint64_t hash;
	size_t nkey;
	const uint64_t *key; /* what it was made of */
	uint32_t number;     /* no other view has it now */
	/* No view has ever had the same. */
	uint64_t generation;
	uint32_t node, nnodes; /* the first that has it, and how many */
	const char *error;     /* a nodeSelector that cannot be used */
	uint32_t npools;
	struct view_pool *pools; /* in the order of allocation */
	bool any_invalid;
};

struct devices {
	struct device_listener listener; /* first */
	struct cluster *cluster;
	struct map pools; /* by driver and name */
	/* Slices of one node, by its name: struct slice_list; and all others. */
	struct map local;
	struct slice_list {
		size_t n, cap;
		const struct resource_slice **at;
	} wide;
	uint64_t generation;
	/* Changes with the views of nodes; and since then the nodes whose view has
	 * other devices, in order. */
	uint64_t epoch;
	/* Whether any node's allocatable had the resource, as of the cluster's
	 * `objects`; pod_devices.c. */
	sym resource;
	uint64_t resource_at;
	bool resource_on_nodes;
	size_t nchanged, changed_cap;
	uint32_t *changed;
	bool scored;                /* devices_are_scored() */
	struct pod_devices *cached; /* pod_devices.c: of the present decision */

	/* By partitionable devices counted or not: views by content, and by node
	 * index, which are stale if the cluster's labels changed. */
	struct content_map views[2];
	size_t nviews;
	struct device_view **view_of[2];
	uint32_t nnodes;
	uint64_t labels;
	/* Numbers of views: those below that are free. */
	uint32_t next_number;
	size_t nfree, free_cap;
	uint32_t *free_numbers;

	struct map made; /* claims for extended resources, by their pod's uid */
	size_t nrules, rules_cap;
	const struct device_taint_rule **rules;

	/* selectors.c: by expression; their bytes; of one evaluation */
	struct map programs;
	size_t program_bytes;
	struct arena scratch;
	/* demand.c: bytes of their matches */
	size_t match_bytes;
	size_t ndemands;
	struct demand **demands;
};

/* The cluster's, made at the first call. */
struct devices *devices_of(struct cluster *cluster);

/* What the node can use; partitionable: slices with shared counters and devices for
 * single nodes count. */
const struct device_view *devices_view(struct devices *devices,
    const struct node_info *node, bool partitionable);

/* NULL: no claim has it. */
const struct device_use *device_pool_use(const struct device_pool *pool,
    sym device);

/* Brings the pool's available counters up to date. */
void view_pool_count(const struct device_view *view, struct view_pool *pool);

/* Of demand.c: the slice is gone; all are. */
void demands_forget_slice(struct devices *devices,
    const struct resource_slice *slice);
void demands_forget(struct devices *devices);

#endif
