/* The arguments of plugins as written in a KubeSchedulerConfiguration; every
 * struct begins with a struct args_head. */
#ifndef CONFIGURATION_ARGS_H
#define CONFIGURATION_ARGS_H

#include "policy/configuration/configuration_internal.h"

#define ARGS_REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define ARGS_PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

struct args_head {
	struct item item;
	const char *api_version, *kind;
};

struct default_preemption_written {
	struct args_head head;
	int64_t percentage, absolute;
};

struct inter_pod_affinity_written {
	struct args_head head;
	int64_t hard_pod_affinity_weight;
	bool ignore_preferred_terms;
};

struct requirement_written {
	struct item item;
	const char *key, *op;
	struct list values; /* struct string_value */
};

struct node_term_written {
	struct item item;
	struct list expressions, fields; /* struct requirement_written */
};

struct node_selector_written {
	struct item item;
	struct list terms; /* struct node_term_written */
};

struct preferred_written {
	struct item item;
	int64_t weight;
	struct node_term_written *preference;
};

struct added_affinity_written {
	struct item item;
	struct node_selector_written *required;
	struct list preferred; /* struct preferred_written */
};

struct node_affinity_written {
	struct args_head head;
	struct added_affinity_written *added;
};

struct resource_written {
	struct item item;
	const char *name;
	int64_t weight;
};

struct shape_written {
	struct item item;
	struct list shape; /* struct shape_entry */
};

struct strategy_written {
	struct item item;
	const char *type;
	struct list resources; /* struct resource_written */
	struct shape_written *ratio;
};

/* NodeResourcesFit; NodeResourcesLeastAllocated, NodeResourcesMostAllocated and
 * RequestedToCapacityRatio have the members of strategy by themselves. */
struct fit_written {
	struct args_head head;
	struct list ignored, ignored_groups; /* struct string_value */
	struct strategy_written *strategy;
};

struct allocation_written {
	struct args_head head;
	struct list resources; /* struct resource_written */
	struct list shape;     /* struct shape_entry */
};

struct constraint_written {
	struct item item;
	int64_t max_skew, min_domains;
	const char *topology_key, *when_unsatisfiable;
	const char *node_affinity_policy, *node_taints_policy;
	const struct doc_node *label_selector;
	struct list match_label_keys; /* struct string_value */
};

struct spread_written {
	struct args_head head;
	struct list constraints; /* struct constraint_written */
	const char *defaulting_type;
};

struct volume_binding_written {
	struct args_head head;
	int64_t bind_timeout;
	struct list shape; /* struct shape_entry */
};

struct dynamic_resources_written {
	struct args_head head;
	int64_t filter_timeout, binding_timeout;
};

struct node_label_written {
	struct args_head head;
	struct list present, absent; /* struct string_value */
	struct list preferred_present, preferred_absent;
};

struct service_affinity_written {
	struct args_head head;
	struct list labels, anti_affinity_labels; /* struct string_value */
};

struct args_kind {
	const char *plugin;
	int first, last; /* releases */
	const struct schema *schema;
	/* Puts defaults that the schema does not have where nothing is given. */
	void (*fill)(struct configuration_reading *reading, void *args);
	/* NULL: nothing can be wrong */
	void (
	    *validate)(struct configuration_reading *reading, const void *args);
	/* Makes what the schema's table cannot; NULL: nothing. */
	void (*make)(struct arena *arena, const char *plugin, const void *args,
	    void *made);
	/* Whatever the release, the text has the fields of 1.20. */
	bool as_20;
};

/* configuration_args_check.c */

void args_check_default_preemption(struct configuration_reading *reading,
    const void *args);
void args_check_inter_pod_affinity(struct configuration_reading *reading,
    const void *args);
void args_check_node_affinity(struct configuration_reading *reading,
    const void *args);
void args_check_fit(struct configuration_reading *reading, const void *args);
void args_check_balanced(struct configuration_reading *reading,
    const void *args);
void args_check_allocation(struct configuration_reading *reading,
    const void *args);
void args_check_ratio(struct configuration_reading *reading, const void *args);
void args_check_spread(struct configuration_reading *reading, const void *args);
void args_check_volume_binding(struct configuration_reading *reading,
    const void *args);
void args_check_dynamic_resources(struct configuration_reading *reading,
    const void *args);
void args_check_node_label(struct configuration_reading *reading,
    const void *args);

#endif
