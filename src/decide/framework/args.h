/* Arguments of policy entries and of plugins, decoded by policy/, read by units. */
#ifndef FRAMEWORK_ARGS_H
#define FRAMEWORK_ARGS_H

#include "base/sym.h"
#include "objects/pod.h"

/* serviceAffinity: CheckServiceAffinity */
struct service_affinity_args {
	size_t n;
	const sym *labels;
};

/* labelsPresence: CheckNodeLabelPresence */
struct labels_presence_args {
	size_t n;
	const sym *labels;
	bool presence;
};

/* serviceAntiAffinity */
struct service_anti_affinity_args {
	sym label;
};

/* labelPreference */
struct label_preference_args {
	sym label;
	bool presence;
};

struct shape_point {
	int64_t utilization; /* 0 to 100, strictly ascending */
	int64_t score;       /* 0 to 10 */
};

/* requestedToCapacityRatioArguments; at least one point */
struct requested_to_capacity_ratio_args {
	size_t npoints;
	const struct shape_point *shape;
};

/* Arguments of plugins (doc/semantics/08-kubeschedulerconfiguration.md, Arguments of
 * plugins), with their defaults in them. */

struct default_preemption_args {
	int64_t min_candidate_nodes_percentage, min_candidate_nodes_absolute;
};

struct inter_pod_affinity_args {
	int64_t hard_pod_affinity_weight; /* 0 to 100 */
	bool ignore_preferred_terms_of_existing_pods;
};

struct node_affinity_args {
	/* Whether addedAffinity has required terms, and these: none of them
	 * matches no node. */
	bool has_required;
	struct node_selector required;
	uint32_t npreferred;
	const struct preferred_node_term *preferred;
};

/* A resource that counts for a score.  Unlike in a policy the same name may come
 * twice. */
struct scored_resource {
	sym name;
	int64_t weight; /* at least 1 */
};

enum scoring_strategy {
	STRATEGY_LEAST_ALLOCATED,
	STRATEGY_MOST_ALLOCATED,
	STRATEGY_REQUESTED_TO_CAPACITY_RATIO,
};

/*
 * NodeResourcesFit.  Up to v1beta1 the plugins NodeResourcesLeastAllocated,
 * NodeResourcesMostAllocated and RequestedToCapacityRatio have the strategy as
 * arguments of their own; they get this struct, too.
 */
struct node_resources_fit_args {
	size_t nignored; /* extended resources */
	const sym *ignored;
	size_t nignored_groups; /* the part before the '/' */
	const sym *ignored_groups;
	enum scoring_strategy strategy;
	bool of_fit; /* NodeResourcesFit's own */
	size_t nresources;
	const struct scored_resource *resources;
	size_t npoints; /* of STRATEGY_REQUESTED_TO_CAPACITY_RATIO */
	const struct shape_point *shape;
};

/* NodeResourcesBalancedAllocation */
struct balanced_allocation_args {
	size_t nresources;
	const struct scored_resource *resources;
};

struct pod_topology_spread_args {
	bool system_defaults; /* defaultingType */
	/* Of defaultConstraints: they have no selector. */
	uint32_t nconstraints;
	const struct spread_constraint *constraints;
};

/* Whose PreFilter names the only nodes that are looked at. */
struct node_names_args {
	bool affinity, volumes;
};

struct volume_binding_args {
	int64_t bind_timeout_seconds;
	size_t npoints; /* 0: the default shape */
	const struct shape_point *shape;
};

/* Durations in nanoseconds. */
struct dynamic_resources_args {
	int64_t filter_timeout, binding_timeout;
};

/* Of a plugin that needs the state of its PreScore, or PreFilter, which is not
 * enabled: why it fails. */
struct missing_state_args {
	const char *error;
	/* Not for pods with topologySpreadConstraints. */
	bool unless_constrained;
};

/* NodeLabel of 1.20 */
struct node_label_args {
	size_t npresent, nabsent, npreferred_present, npreferred_absent;
	const sym *present, *absent, *preferred_present, *preferred_absent;
};

/* ServiceAffinity of 1.20 */
struct service_affinity_plugin_args {
	size_t nlabels, nanti_affinity_labels;
	const sym *labels, *anti_affinity_labels;
};

#endif
