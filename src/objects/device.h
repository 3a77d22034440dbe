/*
 * Devices of resource.k8s.io: the ResourceSlices that drivers publish, the classes
 * and rules that administrators write, and requests for devices, which classes and
 * claims have.
 */
#ifndef MODEL_DEVICE_H
#define MODEL_DEVICE_H

#include "objects/object.h"
#include "base/quantity.h"
#include "objects/selector.h"

enum attribute_kind {
	ATTRIBUTE_NONE, /* of a type that we do not know */
	ATTRIBUTE_INT,
	ATTRIBUTE_BOOL,
	ATTRIBUTE_STRING,
	ATTRIBUTE_VERSION,
};

struct device_attribute {
	sym name; /* "model", "example.com/bus" */
	enum attribute_kind kind;
	sym text;       /* of a string or version */
	int64_t number; /* of an int or bool */
};

/* An amount, and as it is written. */
struct device_amount {
	struct quantity value;
	sym text;
};

struct named_amount {
	sym name;
	struct device_amount amount;
};

/* requestPolicy of a capacity: the amounts that may be consumed. */
struct capacity_policy {
	bool has_default, has_range, has_min, has_max, has_step;
	struct device_amount standard, min, max, step; /* standard: default */
	bool has_values;
	uint32_t nvalues;
	const struct device_amount *values;
};

struct device_capacity {
	sym name;
	struct device_amount amount;
	const struct capacity_policy *policy; /* NULL: none */
};

/* Of a slice what there is, of a device what it consumes. */
struct counter_set {
	sym name;
	uint32_t n;
	const struct named_amount *at;
};

struct device_taint {
	sym key, value, effect;
};

/* Where the devices of a slice, or one of them, can be used. */
struct device_reach {
	sym node; /* SYM_EMPTY: not one of that name */
	bool all_nodes, has_nodes;
	struct node_selector nodes;
	const char *problem; /* of nodes; NULL: it can be used */
};

struct device {
	sym name;
	uint32_t nattributes, ncapacities, nconsumed, ntaints;
	const struct device_attribute *attributes;
	const struct device_capacity *capacities;
	const struct counter_set *consumed;
	const struct device_taint *taints;
	const struct device_reach *reach; /* if the slice says per_device */
	bool shareable;                   /* allowMultipleAllocations */
	bool binds_to_node;
	bool has_conditions; /* bindingConditions is there, maybe empty */
	uint32_t nconditions, nfailures;
	const sym *conditions, *failures;
};

struct resource_slice {
	struct object object;
	sym driver, pool;
	int64_t generation, slice_count;
	struct device_reach reach;
	bool has_per_device, per_device; /* perDeviceNodeSelection */
	uint32_t ncounters, ndevices;
	const struct counter_set *counters; /* sharedCounters */
	const struct device *devices;
};

/* A selector without expression is of a type that we do not know. */
struct device_selector {
	sym expression; /* SYM_NONE: none */
};

/* Parameters that the driver of a device gets with it. */
struct device_config {
	const char *text;   /* its member opaque, JSON */
	uint32_t nrequests; /* of a claim; 0: for all of them */
	const sym *requests;
};

struct device_class {
	struct object object;
	sym name;
	sym resource; /* spec.extendedResourceName; SYM_EMPTY: none */
	uint32_t nselectors;
	const struct device_selector *selectors;
	uint32_t nconfigs;
	const struct device_config *configs;
};

struct device_taint_rule {
	struct object object;
	sym driver, pool, device; /* SYM_NONE: any */
	struct device_taint taint;
};

struct device_toleration {
	sym key, operator, value, effect;
};

enum device_mode {
	DEVICES_EXACT_COUNT,
	DEVICES_ALL,
	DEVICES_OTHER, /* mode_text */
};

/* exactly of a request, or one of its firstAvailable. */
struct device_demand {
	sym name;  /* of the request or of the alternative */
	sym class; /* SYM_EMPTY: none is named */
	enum device_mode mode;
	sym mode_text;
	int64_t count;
	bool has_admin, admin; /* adminAccess */
	bool has_capacity;
	uint32_t nselectors, ntolerations, ncapacities;
	const struct device_selector *selectors;
	const struct device_toleration *tolerations;
	const char *tolerations_text; /* JSON; NULL: none */
	const struct named_amount *capacities;
};

struct device_request {
	sym name;
	bool exact; /* then n is 1; else n alternatives, 0: of no known type */
	uint32_t n;
	const struct device_demand *at;
};

struct device_constraint {
	bool matches, distinct; /* neither: of a type that we do not know */
	sym attribute;
	uint32_t nrequests; /* 0: all of them */
	const sym *requests;
};

/* Feature gates of devices. */
struct device_features {
	bool admin, prioritized, partitionable, taints, taint_rules, conditions,
	    consumable;
};

void resource_slice_read(struct decoder *d, struct object *read);
void device_class_read(struct decoder *d, struct object *read);

/* spec.devices of a claim. */
struct device_wishes {
	/* Equal for equal wishes: the text of what counts of them. */
	sym text;
	uint32_t nrequests, nconstraints;
	const struct device_request *requests;
	const struct device_constraint *constraints;
	/* Not in the text. */
	uint32_t nconfigs;
	const struct device_config *configs;
};

void device_wishes_read(struct decoder *d, const struct doc_node *devices,
    struct device_wishes *out);

/* The amounts by name in a member. */
const struct named_amount *named_amounts_read(struct decoder *d,
    const struct doc_node *node, const char *key, uint32_t *n);

/* All that is wrong with a nodeSelector, "[a, b]" if it is more than one thing, as
 * kube-scheduler 1.36 says it; NULL: nothing is. */
const char *node_selector_problem(struct arena *arena,
    const struct doc_node *selector);

#endif
