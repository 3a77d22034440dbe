/*
 * Every plugin: PLUGIN(NUMBER, x) stands for plugin_x, in the file of its rule.
 *
 * In the order of kube-scheduler's default multiPoint list; the early ones, which later
 * vocabularies lack, where that of 1.20 had them; then Kosmos' and our own.
 */
/* clang-format off */
PLUGIN(OTHER, other) /* 0: who refuses pods and is no plugin */
PLUGIN(SCHEDULING_GATES, scheduling_gates)
PLUGIN(PRIORITY_SORT, priority_sort)
PLUGIN(NODE_UNSCHEDULABLE, node_unschedulable)
PLUGIN(NODE_NAME, node_name)
PLUGIN(TAINT_TOLERATION, taint_toleration)
PLUGIN(NODE_AFFINITY, node_affinity)
PLUGIN(NODE_PORTS, node_ports)
PLUGIN(NODE_RESOURCES_FIT, node_resources_fit)
PLUGIN(VOLUME_RESTRICTIONS, volume_restrictions)
PLUGIN(EBS_LIMITS, ebs_limits)
PLUGIN(GCE_PD_LIMITS, gce_pd_limits)
PLUGIN(NODE_VOLUME_LIMITS, node_volume_limits)
PLUGIN(AZURE_DISK_LIMITS, azure_disk_limits)
PLUGIN(CINDER_LIMITS, cinder_limits)
PLUGIN(VOLUME_BINDING, volume_binding)
PLUGIN(VOLUME_ZONE, volume_zone)
PLUGIN(POD_TOPOLOGY_SPREAD, pod_topology_spread)
PLUGIN(INTER_POD_AFFINITY, inter_pod_affinity) /* refuses by the pod's own terms */
PLUGIN(EXISTING_ANTI_AFFINITY, existing_anti_affinity) /* by those of pods on nodes */
PLUGIN(DYNAMIC_RESOURCES, dynamic_resources)
PLUGIN(DEFAULT_PREEMPTION, default_preemption)
PLUGIN(BALANCED_ALLOCATION, balanced_allocation)
PLUGIN(IMAGE_LOCALITY, image_locality)
PLUGIN(LEAST_ALLOCATED, least_allocated)
PLUGIN(MOST_ALLOCATED, most_allocated)
PLUGIN(REQUESTED_TO_CAPACITY_RATIO, requested_to_capacity_ratio)
PLUGIN(NODE_PREFER_AVOID_PODS, node_prefer_avoid_pods)
PLUGIN(SELECTOR_SPREAD, selector_spread)
PLUGIN(NODE_LABEL, node_label)
PLUGIN(SERVICE_AFFINITY, service_affinity)
PLUGIN(DEFAULT_BINDER, default_binder)
PLUGIN(NODE_DECLARED_FEATURES, node_declared_features)
PLUGIN(GANG_SCHEDULING, gang_scheduling)
PLUGIN(TOPOLOGY_PLACEMENT_GENERATOR, topology_placement_generator)
PLUGIN(POD_GROUP_PODS_COUNT, pod_group_pods_count)
PLUGIN(LEAF_NODE_DISTRIBUTION, leaf_node_distribution)
PLUGIN(LEAF_NODE_TAINT_TOLERATION, leaf_node_taint_toleration)
PLUGIN(LEAF_NODE_VOLUME_BINDING, leaf_node_volume_binding)
PLUGIN(STICKY_JOB, sticky_job)
PLUGIN(UNSUPPORTED_FIELDS, unsupported_fields) /* in no configuration */

/* Lists of 1.20 that are in another order; it has no others of these at the points. */
#ifdef EARLY_LIST
EARLY_LIST(PRE_FILTER, PLUGIN_NODE_RESOURCES_FIT, PLUGIN_NODE_PORTS,
    PLUGIN_POD_TOPOLOGY_SPREAD, PLUGIN_INTER_POD_AFFINITY, PLUGIN_VOLUME_BINDING,
    PLUGIN_NODE_AFFINITY)
EARLY_LIST(PRE_SCORE, PLUGIN_INTER_POD_AFFINITY, PLUGIN_POD_TOPOLOGY_SPREAD,
    PLUGIN_TAINT_TOLERATION, PLUGIN_NODE_AFFINITY)
EARLY_LIST(SCORE, PLUGIN_BALANCED_ALLOCATION, PLUGIN_IMAGE_LOCALITY,
    PLUGIN_INTER_POD_AFFINITY, PLUGIN_LEAST_ALLOCATED, PLUGIN_NODE_AFFINITY,
    PLUGIN_NODE_PREFER_AVOID_PODS, PLUGIN_POD_TOPOLOGY_SPREAD,
    PLUGIN_TAINT_TOLERATION)
#endif
/* clang-format on */
