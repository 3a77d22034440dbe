/*
 * Names of predicates and priorities: those that kube-scheduler 1.15 registers, with
 * the mandatory predicates and the sets of its two algorithm providers
 * (pkg/scheduler/algorithmprovider/defaults), with the EvenPodsSpread gate as in
 * 1.16; the once known; the mistyped.
 */
#include "config.h"

#include <strings.h>

#include "base/text.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* Longer names are not treated as typing errors. */
#define NAME_MAX_LEN 64

#define IN_BOTH .in_default = true, .in_autoscaler = true

#define PREDICATE(text, unit, ...)                                             \
	{                                                                      \
		.name = text, .predicate = &predicate_##unit, __VA_ARGS__      \
	}
#define PRIORITY(text, unit, weight_, ...)                                     \
	{                                                                      \
		.name = text, .priority = &priority_##unit, .weight = weight_, \
		__VA_ARGS__                                                    \
	}

static const struct builtin builtin_predicates[] = {
	PREDICATE("CheckNodeCondition", check_node_condition,
	    .registered = NO_TAINTS, .mandatory = NO_TAINTS, IN_BOTH),
	PREDICATE("CheckNodeDiskPressure", check_node_disk_pressure,
	    .registered = NO_TAINTS, IN_BOTH),
	PREDICATE("CheckNodeMemoryPressure", check_node_memory_pressure,
	    .registered = NO_TAINTS, IN_BOTH),
	PREDICATE("CheckNodePIDPressure", check_node_pid_pressure,
	    .registered = NO_TAINTS, IN_BOTH),
	PREDICATE("CheckNodeUnschedulable", check_node_unschedulable,
	    .registered = TAINTS, .mandatory = TAINTS, IN_BOTH),
	PREDICATE("CheckVolumeBinding", check_volume_binding, IN_BOTH),
	PREDICATE("EvenPodsSpread", even_pods_spread,
	    .registered = EVEN_PODS_SPREAD, IN_BOTH),
	PREDICATE("GeneralPredicates", general_predicates, IN_BOTH),
	PREDICATE("HostName", host_name),
	PREDICATE("MatchInterPodAffinity", match_inter_pod_affinity, IN_BOTH),
	PREDICATE("MatchNodeSelector", match_node_selector),
	PREDICATE("MaxAzureDiskVolumeCount", max_azure_disk_volume_count,
	    IN_BOTH),
	PREDICATE("MaxCSIVolumeCountPred", max_csi_volume_count, IN_BOTH),
	PREDICATE("MaxCinderVolumeCount", max_cinder_volume_count),
	PREDICATE("MaxEBSVolumeCount", max_ebs_volume_count, IN_BOTH),
	PREDICATE("MaxGCEPDVolumeCount", max_gce_pd_volume_count, IN_BOTH),
	PREDICATE("NoDiskConflict", no_disk_conflict, IN_BOTH),
	PREDICATE("NoVolumeZoneConflict", no_volume_zone_conflict, IN_BOTH),
	PREDICATE("PodFitsHostPorts", pod_fits_host_ports),
	/* its name in Kubernetes 1.0 */
	PREDICATE("PodFitsPorts", pod_fits_host_ports),
	PREDICATE("PodFitsResources", pod_fits_resources),
	PREDICATE("PodToleratesNodeTaints", pod_tolerates_node_taints,
	    .mandatory = TAINTS, IN_BOTH),
};

static const struct builtin builtin_priorities[] = {
	PRIORITY("BalancedResourceAllocation", balanced_resource_allocation, 1,
	    IN_BOTH),
	PRIORITY("EqualPriority", equal_priority, 1),
	PRIORITY("EvenPodsSpreadPriority", even_pods_spread_priority, 1,
	    .registered = EVEN_PODS_SPREAD, IN_BOTH),
	PRIORITY("ImageLocalityPriority", image_locality_priority, 1, IN_BOTH),
	PRIORITY("InterPodAffinityPriority", inter_pod_affinity_priority, 1,
	    IN_BOTH),
	PRIORITY("LeastRequestedPriority", least_requested_priority, 1,
	    .in_default = true),
	PRIORITY("MostRequestedPriority", most_requested_priority, 1,
	    .in_autoscaler = true),
	PRIORITY("NodeAffinityPriority", node_affinity_priority, 1, IN_BOTH),
	/* more than all other priorities together */
	PRIORITY("NodePreferAvoidPodsPriority", node_prefer_avoid_pods_priority,
	    10000, IN_BOTH),
	PRIORITY("RequestedToCapacityRatioPriority",
	    requested_to_capacity_ratio_priority, 1),
	PRIORITY("ResourceLimitsPriority", resource_limits_priority, 1,
	    .registered = RESOURCE_LIMITS, IN_BOTH),
	PRIORITY("SelectorSpreadPriority", selector_spread_priority, 1,
	    IN_BOTH),
	PRIORITY("ServiceSpreadingPriority", service_spreading_priority, 1),
	PRIORITY("TaintTolerationPriority", taint_toleration_priority, 1,
	    IN_BOTH),
};

const struct predicate *const later_predicates[] = {
	&predicate_unsupported_fields, &predicate_even_pods_spread, /* 1.18 */
	&predicate_read_write_once_pod,                             /* 1.22 */
	&predicate_dynamic_resources,                               /* 1.26 */
	&predicate_node_declared_features,                          /* 1.35 */
};

const size_t nlater_predicates = LENGTH(later_predicates);

const struct kosmos_rule kosmos_rules[] = {
	{ PREDICATE("LeafNodeDistribution", leaf_node_distribution), NULL },
	{ PREDICATE("LeafNodeTaintToleration", leaf_node_taint_toleration),
	    "PodToleratesNodeTaints" },
	{ PREDICATE("LeafNodeVolumeBinding", leaf_node_volume_binding),
	    "CheckVolumeBinding" },
};
const size_t nkosmos_rules = LENGTH(kosmos_rules);

/* Node conditions are taints that the node controller sets. */
static bool
is_met(enum condition condition, const struct gates *gates)
{
	switch (condition) {
	case NO_CONDITION:
		return true;
	case TAINTS:
		return gates->taint_nodes_by_condition;
	case NO_TAINTS:
		return !gates->taint_nodes_by_condition;
	case EVEN_PODS_SPREAD:
		return gates->even_pods_spread;
	case RESOURCE_LIMITS:
		return gates->resource_limits_priority_function;
	}
	return false;
}

const struct builtin *
builtins_of(enum rule_kind kind, size_t *n)
{
	*n = kind == RULE_FILTERS ? LENGTH(builtin_predicates) :
				    LENGTH(builtin_priorities);
	return kind == RULE_FILTERS ? builtin_predicates : builtin_priorities;
}

const struct builtin *
find_builtin(enum rule_kind kind, const char *name, const struct gates *gates)
{
	size_t n;
	const struct builtin *all = builtins_of(kind, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].name, name) == 0 &&
		    is_met(all[i].registered, gates))
			return &all[i];
	return NULL;
}

bool
is_mandatory(const struct builtin *builtin, const struct gates *gates)
{
	return builtin->mandatory != NO_CONDITION &&
	    is_met(builtin->mandatory, gates);
}

/*
 * Names that the OpenShift manual lists and kube-scheduler 1.15 refuses.  The
 * conditions have a rule of their own here: it costs nothing to check them also
 * where the node controller turns them into taints.
 */
#define NEEDS_ARGUMENT                                                         \
	"has no effect without an argument; write {\"name\": \"…\", "        \
	"\"argument\": "
#define IS_A_TAINT                                                             \
	"is checked, but kube-scheduler refuses it unless the feature gate "   \
	"TaintNodesByCondition is off; PodToleratesNodeTaints covers it"

static const struct legacy_predicate legacy_predicates[] = {
	{ "CheckNodeCondition", &predicate_check_node_condition, IS_A_TAINT },
	{ "CheckNodeDiskPressure", &predicate_check_node_disk_pressure,
	    IS_A_TAINT },
	{ "CheckNodeLabelPresence", NULL,
	    NEEDS_ARGUMENT "{\"labelsPresence\": {\"labels\": [\"…\"], "
			   "\"presence\": true}}}" },
	{ "CheckNodeMemoryPressure", &predicate_check_node_memory_pressure,
	    IS_A_TAINT },
	{ "CheckNodePIDPressure", &predicate_check_node_pid_pressure,
	    IS_A_TAINT },
	{ "CheckServiceAffinity", NULL,
	    NEEDS_ARGUMENT "{\"serviceAffinity\": {\"labels\": [\"…\"]}}}" },
	{ "PodToleratesNodeNoExecuteTaints",
	    &predicate_pod_tolerates_node_no_execute_taints,
	    "is checked, but kube-scheduler refuses it; "
	    "PodToleratesNodeTaints covers it" },
	{ "checkServiceAffinity", NULL,
	    NEEDS_ARGUMENT "{\"serviceAffinity\": {\"labels\": [\"…\"]}}}" },
};

const struct legacy_predicate *
find_legacy_predicate(const char *name)
{
	return FIND_ROW(legacy_predicates, LENGTH(legacy_predicates), name,
	    name);
}

/* Names of kube-scheduler's functions, which descriptions of it give to the rules, and
 * one that the OpenShift manual has. */
static const struct alias {
	const char *alias, *name;
} aliases[] = {
	{ "BalancedResourceAllocationMap", "BalancedResourceAllocation" },
	{ "EqualPriorityMap", "EqualPriority" },
	{ "ImageLocalityPriorityMap", "ImageLocalityPriority" },
	{ "LeastRequestedPriorityMap", "LeastRequestedPriority" },
	{ "MaxCSIVolumeCount", "MaxCSIVolumeCountPred" },
	{ "PodAffinityPredicate", "MatchInterPodAffinity" },
	{ "PodFitsHost", "HostName" },
	{ "PodMatchNodeSelector", "MatchNodeSelector" },
	{ "VolumeBindingPredicate", "CheckVolumeBinding" },
	{ "VolumeZonePredicate", "NoVolumeZoneConflict" },
};

const char *
find_alias(const char *name)
{
	const struct alias *row =
	    FIND_ROW(aliases, LENGTH(aliases), alias, name);

	return row != NULL ? row->name : NULL;
}

const struct builtin *
find_kosmos_predicate(const char *name)
{
	const struct kosmos_rule *rule =
	    FIND_ROW(kosmos_rules, LENGTH(kosmos_rules), builtin.name, name);

	return rule != NULL ? &rule->builtin : NULL;
}

bool
is_algorithm_name(const char *name)
{
	size_t len = strlen(name);

	/* The regular expression requires at least two characters. */
	if (len < 2 || name[0] == '-' || name[len - 1] == '-')
		return false;
	for (; *name != '\0'; name++)
		if (*name != '-' && !(*name >= '0' && *name <= '9') &&
		    !(*name >= 'a' && *name <= 'z') &&
		    !(*name >= 'A' && *name <= 'Z'))
			return false;
	return true;
}

/* The shortest name that starts with this one, in any case; "priority" counts as
 * the start of "priorities". */
static const char *
longer_name(const char *name, const char *const *names, size_t n)
{
	size_t len = strlen(name);
	const char *best = NULL;

	if (len < 5)
		return NULL;
	len -= name[len - 1] == 'y';
	for (size_t i = 0; i < n; i++)
		if (strncasecmp(names[i], name, len) == 0 &&
		    (best == NULL || strlen(names[i]) < strlen(best)))
			best = names[i];
	return best;
}

const char *
closest_name(const char *name, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t len = strlen(name);
	unsigned least_so_far = (unsigned)len / 3 + 1;

	if (len == 0 || len > NAME_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned distance = text_distance(name, names[i]);

		if (distance < least_so_far) {
			least_so_far = distance;
			best = names[i];
		}
	}
	return best != NULL ? best : longer_name(name, names, n);
}

const char *
name_hint(struct reading *reading, enum rule_kind kind, const char *name,
    const char **meant)
{
	static const char *const needs[] = {
		[TAINTS] = "TaintNodesByCondition=true",
		[NO_TAINTS] = "TaintNodesByCondition=false",
		[EVEN_PODS_SPREAD] = "EvenPodsSpread=true",
		[RESOURCE_LIMITS] = "ResourceLimitsPriorityFunction=true",
	};
	size_t nall, n = 0;
	const struct builtin *all = builtins_of(kind, &nall);
	const char **names = arena_array(&reading->arena, const char *,
	    nall + LENGTH(kosmos_rules));

	*meant = NULL;
	for (size_t i = 0; i < LENGTH(kosmos_rules); i++)
		if (kind == RULE_FILTERS && !reading->options->strict)
			names[n++] = kosmos_rules[i].builtin.name;
	for (size_t i = 0; i < nall; i++)
		if (is_met(all[i].registered, &reading->options->gates))
			names[n++] = all[i].name;
		else if (strcmp(all[i].name, name) == 0)
			return arena_printf(&reading->arena,
			    "; it needs the feature gate %s",
			    needs[all[i].registered]);
	*meant = closest_name(name, names, n);
	if (*meant == NULL)
		return "";
	return arena_printf(&reading->arena, "; did you mean \"%s\"?", *meant);
}
