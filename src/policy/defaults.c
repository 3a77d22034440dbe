/*
 * kube-scheduler 1.15's built-in configuration: the names it registers, the
 * mandatory predicates, and the sets of its two algorithm providers
 * (pkg/scheduler/algorithmprovider/defaults).  With the EvenPodsSpread gate, as
 * 1.16.  Profiles of OpenShift are made from the first.
 */
#include "config.h"

#include "base/xmalloc.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* Node conditions are taints that the node controller sets. */
static bool
taints(const struct gates *gates)
{
	return gates->taint_nodes_by_condition;
}

static bool
no_taints(const struct gates *gates)
{
	return !gates->taint_nodes_by_condition;
}

static bool
even_pods_spread(const struct gates *gates)
{
	return gates->even_pods_spread;
}

static bool
resource_limits(const struct gates *gates)
{
	return gates->resource_limits_priority_function;
}

/* clang-format off */
const struct builtin_predicate builtin_predicates[] = {
	/* name, unit, registered, mandatory, in_defaults */
	{ "CheckNodeCondition", &predicate_check_node_condition,
	    no_taints, no_taints, true },
	{ "CheckNodeDiskPressure", &predicate_check_node_disk_pressure,
	    no_taints, NULL, true },
	{ "CheckNodeMemoryPressure", &predicate_check_node_memory_pressure,
	    no_taints, NULL, true },
	{ "CheckNodePIDPressure", &predicate_check_node_pid_pressure,
	    no_taints, NULL, true },
	{ "CheckNodeUnschedulable", &predicate_check_node_unschedulable,
	    taints, taints, true },
	{ "CheckVolumeBinding", &predicate_check_volume_binding,
	    NULL, NULL, true },
	{ "EvenPodsSpread", &predicate_even_pods_spread,
	    even_pods_spread, NULL, true },
	{ "GeneralPredicates", &predicate_general_predicates,
	    NULL, NULL, true },
	{ "HostName", &predicate_host_name, NULL, NULL, false },
	{ "MatchInterPodAffinity", &predicate_match_inter_pod_affinity,
	    NULL, NULL, true },
	{ "MatchNodeSelector", &predicate_match_node_selector,
	    NULL, NULL, false },
	{ "MaxAzureDiskVolumeCount", &predicate_max_azure_disk_volume_count,
	    NULL, NULL, true },
	{ "MaxCSIVolumeCountPred", &predicate_max_csi_volume_count,
	    NULL, NULL, true },
	{ "MaxCinderVolumeCount", &predicate_max_cinder_volume_count,
	    NULL, NULL, false },
	{ "MaxEBSVolumeCount", &predicate_max_ebs_volume_count,
	    NULL, NULL, true },
	{ "MaxGCEPDVolumeCount", &predicate_max_gce_pd_volume_count,
	    NULL, NULL, true },
	{ "NoDiskConflict", &predicate_no_disk_conflict, NULL, NULL, true },
	{ "NoVolumeZoneConflict", &predicate_no_volume_zone_conflict,
	    NULL, NULL, true },
	{ "PodFitsHostPorts", &predicate_pod_fits_host_ports,
	    NULL, NULL, false },
	/* its name in Kubernetes 1.0 */
	{ "PodFitsPorts", &predicate_pod_fits_host_ports, NULL, NULL, false },
	{ "PodFitsResources", &predicate_pod_fits_resources,
	    NULL, NULL, false },
	{ "PodToleratesNodeTaints", &predicate_pod_tolerates_node_taints,
	    NULL, taints, true },
};

const struct builtin_priority builtin_priorities[] = {
	/* name, unit, weight, registered, in_default, in_autoscaler */
	{ "BalancedResourceAllocation",
	    &priority_balanced_resource_allocation, 1, NULL, true, true },
	{ "EqualPriority", &priority_equal_priority, 1, NULL, false, false },
	{ "EvenPodsSpreadPriority", &priority_even_pods_spread_priority, 1,
	    even_pods_spread, true, true },
	{ "ImageLocalityPriority", &priority_image_locality_priority, 1,
	    NULL, true, true },
	{ "InterPodAffinityPriority", &priority_inter_pod_affinity_priority, 1,
	    NULL, true, true },
	{ "LeastRequestedPriority", &priority_least_requested_priority, 1,
	    NULL, true, false },
	{ "MostRequestedPriority", &priority_most_requested_priority, 1,
	    NULL, false, true },
	{ "NodeAffinityPriority", &priority_node_affinity_priority, 1,
	    NULL, true, true },
	/* more than all other priorities together */
	{ "NodePreferAvoidPodsPriority",
	    &priority_node_prefer_avoid_pods_priority, 10000,
	    NULL, true, true },
	{ "RequestedToCapacityRatioPriority",
	    &priority_requested_to_capacity_ratio_priority, 1,
	    NULL, false, false },
	{ "ResourceLimitsPriority", &priority_resource_limits_priority, 1,
	    resource_limits, true, true },
	{ "SelectorSpreadPriority", &priority_selector_spread_priority, 1,
	    NULL, true, true },
	{ "ServiceSpreadingPriority", &priority_service_spreading_priority, 1,
	    NULL, false, false },
	{ "TaintTolerationPriority", &priority_taint_toleration_priority, 1,
	    NULL, true, true },
};
/* clang-format on */

const struct predicate *const later_predicates[] = {
	&predicate_unsupported_fields, &predicate_even_pods_spread, /* 1.18 */
	&predicate_read_write_once_pod,                             /* 1.22 */
	&predicate_resource_claims,                                 /* 1.26 */
	&predicate_node_declared_features,                          /* 1.35 */
};

const size_t nlater_predicates = LENGTH(later_predicates);
const size_t nbuiltin_predicates = LENGTH(builtin_predicates);
const size_t nbuiltin_priorities = LENGTH(builtin_priorities);
