/*
 * The plugins of kube-scheduler 1.20 and 1.36
 * (doc/semantics/12-kube-1.20.md, Defaults; doc/semantics/11-kube-1.36.md,
 * Defaults).
 */
#include "config.h"

#include "configuration/plugins.h"

#include "predicates/registry.h"
#include "priorities/registry.h"

#define QUEUE POINT_BIT(POINT_QUEUE_SORT)
#define ENQUEUE POINT_BIT(POINT_PRE_ENQUEUE)
#define PRE_FILTER POINT_BIT(POINT_PRE_FILTER)
#define FILTER POINT_BIT(POINT_FILTER)
#define POST_FILTER POINT_BIT(POINT_POST_FILTER)
#define PRE_SCORE POINT_BIT(POINT_PRE_SCORE)
#define SCORE POINT_BIT(POINT_SCORE)
#define RESERVE POINT_BIT(POINT_RESERVE)
#define PRE_BIND POINT_BIT(POINT_PRE_BIND)
#define BIND POINT_BIT(POINT_BIND)
#define PERMIT POINT_BIT(POINT_PERMIT)
#define GENERATE POINT_BIT(POINT_PLACEMENT_GENERATE)
#define PLACE POINT_BIT(POINT_PLACEMENT_SCORE)
#define POST_BIND POINT_BIT(POINT_POST_BIND)

/* clang-format off */
/* Of both tables: no plugins of kube-scheduler. */
#define OWN_PLUGINS                                                            \
	/* of Kosmos (doc/kosmos.md) */                                        \
	{ "LeafNodeDistribution", FILTER,                                      \
	    { &predicate_leaf_node_distribution }, NULL, NULL, 0, false },     \
	{ "LeafNodeTaintToleration", FILTER,                                   \
	    { &predicate_leaf_node_taint_toleration }, NULL, NULL, 0, false }, \
	{ "LeafNodeVolumeBinding", PRE_FILTER | FILTER | RESERVE | PRE_BIND,   \
	    { &predicate_leaf_node_volume_binding }, NULL, NULL, 0, false },   \
	/* the example of doc/plugins.md */                                    \
	{ "StickyJob", FILTER | SCORE | POST_BIND, { &predicate_sticky_job },  \
	    &priority_sticky_job_priority, NULL, 10000, false }

static const struct plugin_row plugins_20[] = {
	/* name, points, filters, score, prefilter, weight, enabled */
	{ "PrioritySort", QUEUE, { NULL }, NULL, NULL, 0, true },
	{ "NodeUnschedulable", FILTER,
	    { &predicate_check_node_unschedulable }, NULL, NULL, 0, true },
	{ "NodeName", FILTER, { &predicate_host_name }, NULL, NULL, 0, true },
	{ "TaintToleration", FILTER | PRE_SCORE | SCORE,
	    { &predicate_pod_tolerates_node_taints },
	    &priority_taint_toleration_priority, NULL, 1, true },
	{ "NodeAffinity", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_match_node_selector },
	    &priority_node_affinity_priority, NULL, 1, true },
	{ "NodePorts", PRE_FILTER | FILTER,
	    { &predicate_pod_fits_host_ports }, NULL, NULL, 0, true },
	{ "NodeResourcesFit", PRE_FILTER | FILTER,
	    { &predicate_pod_fits_resources }, NULL, NULL, 0, true },
	{ "VolumeRestrictions", FILTER,
	    { &predicate_no_disk_conflict }, NULL, NULL, 0, true },
	{ "EBSLimits", FILTER,
	    { &predicate_max_ebs_volume_count }, NULL, NULL, 0, true },
	{ "GCEPDLimits", FILTER,
	    { &predicate_max_gce_pd_volume_count }, NULL, NULL, 0, true },
	{ "NodeVolumeLimits", FILTER,
	    { &predicate_max_csi_volume_count }, NULL, NULL, 0, true },
	{ "AzureDiskLimits", FILTER,
	    { &predicate_max_azure_disk_volume_count }, NULL, NULL, 0, true },
	{ "CinderLimits", FILTER,
	    { &predicate_max_cinder_volume_count }, NULL, NULL, 0, false },
	{ "VolumeBinding", PRE_FILTER | FILTER | RESERVE | PRE_BIND,
	    { &predicate_check_volume_binding }, NULL,
	    &prefilter_check_volume_binding, 0, true },
	{ "VolumeZone", FILTER,
	    { &predicate_no_volume_zone_conflict }, NULL, NULL, 0, true },
	{ "PodTopologySpread", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_even_pods_spread },
	    &priority_pod_topology_spread, &prefilter_even_pods_spread, 2,
	    true },
	{ "InterPodAffinity", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_match_inter_pod_affinity },
	    &priority_inter_pod_affinity_priority,
	    &prefilter_match_inter_pod_affinity, 1, true },
	{ "DefaultPreemption", POST_FILTER, { NULL }, NULL, NULL, 0, true },
	{ "NodeResourcesBalancedAllocation", SCORE, { NULL },
	    &priority_balanced_resource_allocation, NULL, 1, true },
	{ "ImageLocality", SCORE, { NULL },
	    &priority_image_locality_priority, NULL, 1, true },
	{ "NodeResourcesLeastAllocated", SCORE, { NULL },
	    &priority_node_resources, NULL, 1, true },
	{ "NodeResourcesMostAllocated", SCORE, { NULL },
	    &priority_node_resources, NULL, 1, false },
	{ "RequestedToCapacityRatio", SCORE, { NULL },
	    &priority_node_resources, NULL, 1, false },
	{ "NodePreferAvoidPods", SCORE, { NULL },
	    &priority_node_prefer_avoid_pods_priority, NULL, 10000, true },
	{ "SelectorSpread", PRE_SCORE | SCORE, { NULL },
	    &priority_selector_spread_priority, NULL, 1, false },
	{ "NodeLabel", FILTER | SCORE,
	    { &predicate_check_node_label_presence,
		&predicate_check_node_label_presence },
	    &priority_node_label, NULL, 1, false },
	{ "ServiceAffinity", PRE_FILTER | FILTER | SCORE,
	    { &predicate_check_service_affinity },
	    &priority_service_affinity, NULL, 1, false },
	{ "DefaultBinder", BIND, { NULL }, NULL, NULL, 0, true },
	OWN_PLUGINS
};

static const struct plugin_row plugins_36[] = {
	{ "SchedulingGates", ENQUEUE, { NULL }, NULL,
	    &prefilter_scheduling_gates, 0, true },
	{ "PrioritySort", QUEUE, { NULL }, NULL, NULL, 0, true },
	{ "NodeUnschedulable", FILTER,
	    { &predicate_check_node_unschedulable }, NULL, NULL, 0, true },
	{ "NodeName", FILTER, { &predicate_host_name }, NULL, NULL, 0, true },
	{ "TaintToleration", FILTER | PRE_SCORE | SCORE,
	    { &predicate_pod_tolerates_node_taints },
	    &priority_taint_toleration_priority, NULL, 3, true },
	{ "NodeAffinity", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_match_node_selector },
	    &priority_node_affinity_priority,
	    &prefilter_match_node_selector, 2, true },
	{ "NodePorts", PRE_FILTER | FILTER,
	    { &predicate_pod_fits_host_ports }, NULL, NULL, 0, true },
	{ "NodeResourcesFit", PRE_FILTER | FILTER | PRE_SCORE | SCORE | PLACE,
	    { &predicate_pod_fits_resources },
	    &priority_node_resources, NULL, 1, true },
	{ "VolumeRestrictions", PRE_FILTER | FILTER,
	    { &predicate_no_disk_conflict, &predicate_read_write_once_pod },
	    NULL, &prefilter_read_write_once_pod, 0, true },
	{ "EBSLimits", FILTER, { &predicate_max_ebs_volume_count }, NULL, NULL,
	    0, true },
	{ "GCEPDLimits", FILTER, { &predicate_max_gce_pd_volume_count }, NULL,
	    NULL, 0, true },
	{ "NodeVolumeLimits", PRE_FILTER | FILTER,
	    { &predicate_max_csi_volume_count }, NULL, NULL, 0, true },
	{ "AzureDiskLimits", FILTER, { &predicate_max_azure_disk_volume_count },
	    NULL, NULL, 0, true },
	{ "CinderLimits", FILTER, { &predicate_max_cinder_volume_count }, NULL,
	    NULL, 0, false },
	{ "VolumeBinding",
	    PRE_FILTER | FILTER | PRE_SCORE | SCORE | RESERVE | PRE_BIND,
	    { &predicate_check_volume_binding }, &priority_volume_binding,
	    &prefilter_check_volume_binding, 1, true },
	{ "VolumeZone", PRE_FILTER | FILTER,
	    { &predicate_no_volume_zone_conflict }, NULL,
	    &prefilter_no_volume_zone_conflict, 0, true },
	{ "PodTopologySpread", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_even_pods_spread },
	    &priority_pod_topology_spread, &prefilter_even_pods_spread, 2,
	    true },
	{ "InterPodAffinity", PRE_FILTER | FILTER | PRE_SCORE | SCORE,
	    { &predicate_match_inter_pod_affinity },
	    &priority_inter_pod_affinity_priority,
	    &prefilter_match_inter_pod_affinity, 2, true },
	{ "DynamicResources",
	    ENQUEUE | PRE_FILTER | FILTER | POST_FILTER | SCORE | RESERVE |
		PRE_BIND,
	    { &predicate_dynamic_resources }, &priority_dynamic_resources,
	    &prefilter_dynamic_resources, 2,
	    true },
	{ "DefaultPreemption", ENQUEUE | POST_FILTER, { NULL }, NULL, NULL, 0,
	    true },
	{ "NodeResourcesBalancedAllocation", PRE_SCORE | SCORE, { NULL },
	    &priority_balanced_resource_allocation, NULL, 1, true },
	{ "ImageLocality", SCORE, { NULL },
	    &priority_image_locality_priority, NULL, 1, true },
	{ "DefaultBinder", BIND, { NULL }, NULL, NULL, 0, true },
	{ "NodeDeclaredFeatures", PRE_FILTER | FILTER,
	    { &predicate_node_declared_features }, NULL, NULL, 0, true },
	/* Of pod groups, which we do not have. */
	{ "GangScheduling", ENQUEUE | PERMIT, { NULL }, NULL, NULL, 0, false },
	{ "TopologyPlacementGenerator", GENERATE, { NULL }, NULL, NULL, 0,
	    false },
	{ "PodGroupPodsCount", PLACE, { NULL }, NULL, NULL, 1, false },
	OWN_PLUGINS
};

static const char *const *const defaults_20[NPOINTS] = {
	[POINT_QUEUE_SORT] = (const char *const[]){ "PrioritySort", NULL },
	[POINT_PRE_FILTER] = (const char *const[]){ "NodeResourcesFit",
	    "NodePorts", "PodTopologySpread", "InterPodAffinity",
	    "VolumeBinding", "NodeAffinity", NULL },
	[POINT_FILTER] = (const char *const[]){ "NodeUnschedulable", "NodeName",
	    "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
	    "VolumeRestrictions", "EBSLimits", "GCEPDLimits",
	    "NodeVolumeLimits", "AzureDiskLimits", "VolumeBinding",
	    "VolumeZone", "PodTopologySpread", "InterPodAffinity", NULL },
	[POINT_POST_FILTER] = (const char *const[]){ "DefaultPreemption",
	    NULL },
	[POINT_PRE_SCORE] = (const char *const[]){ "InterPodAffinity",
	    "PodTopologySpread", "TaintToleration", "NodeAffinity", NULL },
	[POINT_SCORE] = (const char *const[]){
	    "NodeResourcesBalancedAllocation", "ImageLocality",
	    "InterPodAffinity", "NodeResourcesLeastAllocated", "NodeAffinity",
	    "NodePreferAvoidPods", "PodTopologySpread", "TaintToleration",
	    NULL },
	[POINT_RESERVE] = (const char *const[]){ "VolumeBinding", NULL },
	[POINT_PRE_BIND] = (const char *const[]){ "VolumeBinding", NULL },
	[POINT_BIND] = (const char *const[]){ "DefaultBinder", NULL },
};
/* clang-format on */

const char *const *
default_plugins(enum extension_point point)
{
	static const char *const none[] = { NULL };

	return defaults_20[point] != NULL ? defaults_20[point] : none;
}

const struct plugin_row *
plugins_of(int vocabulary, size_t *n)
{
	*n = vocabulary < 36 ? LENGTH(plugins_20) : LENGTH(plugins_36);
	return vocabulary < 36 ? plugins_20 : plugins_36;
}

const struct plugin_row *
plugin_find(int vocabulary, const char *name)
{
	size_t n;
	const struct plugin_row *plugins = plugins_of(vocabulary, &n);

	return FIND_ROW(plugins, n, name, name);
}

/* Of plugins since v1beta2 that not all releases have: the first one, the first that
 * enables it by default, and the last; 0: no limit. */
static const struct lifetime {
	const char *plugin;
	int first, enabled_from, last;
} lifetimes[] = {
	{ "SchedulingGates", 26, 27, 0 },
	{ "DynamicResources", 26, 34, 0 },
	{ "NodeDeclaredFeatures", 35, 36, 0 },
	{ "GangScheduling", 35, 0, 0 },
	{ "TopologyPlacementGenerator", 36, 0, 0 },
	{ "PodGroupPodsCount", 36, 0, 0 },
	{ "EBSLimits", 0, 0, 30 },
	{ "GCEPDLimits", 0, 0, 30 },
	{ "AzureDiskLimits", 0, 0, 30 },
	{ "CinderLimits", 0, 0, 31 },
};

static const struct lifetime *
lifetime_of(const struct plugin_row *plugin)
{
	static const struct lifetime always;
	const struct lifetime *l =
	    FIND_ROW(lifetimes, LENGTH(lifetimes), plugin, plugin->name);

	return l != NULL ? l : &always;
}

bool
plugin_is_of(const struct plugin_row *plugin, int release)
{
	const struct lifetime *l = lifetime_of(plugin);

	return release >= l->first && (l->last == 0 || release <= l->last);
}

bool
plugin_is_default(const struct plugin_row *plugin, int release)
{
	return plugin->enabled && plugin_is_of(plugin, release) &&
	    release >= lifetime_of(plugin)->enabled_from;
}

/* Points that a plugin has not had from the first release of its table on. */
static const struct {
	const char *plugin;
	unsigned points;
	int first;
} later_points[] = {
	{ "NodeAffinity", PRE_FILTER | PRE_SCORE, 21 },
	{ "NodeResourcesFit", PRE_SCORE, 27 },
	{ "NodeResourcesFit", PLACE, 36 },
	{ "NodeVolumeLimits", PRE_FILTER, 28 },
	{ "VolumeBinding", PRE_SCORE, 30 },
	{ "VolumeZone", PRE_FILTER, 27 },
	{ "DynamicResources", ENQUEUE, 28 },
	{ "DynamicResources", PRE_BIND, 30 },
	{ "DynamicResources", SCORE, 35 },
	{ "DefaultPreemption", ENQUEUE, 32 },
	{ "NodeResourcesBalancedAllocation", PRE_SCORE, 27 },
};

bool
plugin_extends(const struct plugin_row *plugin, int release,
    enum extension_point point)
{
	for (size_t i = 0; i < LENGTH(later_points); i++)
		if (release < later_points[i].first &&
		    (later_points[i].points & POINT_BIT(point)) != 0 &&
		    strcmp(plugin->name, later_points[i].plugin) == 0)
			return false;
	return (plugin->points & POINT_BIT(point)) != 0;
}
