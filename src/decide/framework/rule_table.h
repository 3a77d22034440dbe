/*
 * Every predicate, priority and plugin, in their orders.  Who includes this defines some
 * of PREDICATE(x), PRIORITY(x), PLUGIN(NUMBER, x) and EARLY_LIST(POINT, plugin numbers);
 * they are undefined at the end.
 */
#ifndef PREDICATE
#define PREDICATE(x)
#endif
#ifndef PRIORITY
#define PRIORITY(x)
#endif
#ifndef PLUGIN
#define PLUGIN(number, x)
#endif
#ifndef EARLY_LIST
#define EARLY_LIST(point, ...)
#endif
/* clang-format off */

/*
 * predicate_x, in src/predicates/x.c unless it shares a file with its like, in the order
 * in which they are tried on a node.  The first refusal is the reason users see, so the
 * order is kube-scheduler's; the rules of Kosmos are placed where they save further checks.
 */
PREDICATE(unsupported_fields)
PREDICATE(node_names)
PREDICATE(missing_state)
PREDICATE(check_node_condition)
PREDICATE(check_node_unschedulable)
PREDICATE(leaf_node_distribution)
PREDICATE(sticky_job)
PREDICATE(general_predicates)
PREDICATE(host_name)
PREDICATE(pod_fits_host_ports)
PREDICATE(match_node_selector)
PREDICATE(project_node_selector)
PREDICATE(pod_fits_resources)
PREDICATE(no_disk_conflict)
PREDICATE(read_write_once_pod)
PREDICATE(pod_tolerates_node_taints)
PREDICATE(leaf_node_taint_toleration)
PREDICATE(pod_tolerates_node_no_execute_taints)
PREDICATE(check_node_label_presence)
PREDICATE(check_service_affinity)
PREDICATE(max_ebs_volume_count)
PREDICATE(max_gce_pd_volume_count)
PREDICATE(max_csi_volume_count)
PREDICATE(max_azure_disk_volume_count)
PREDICATE(max_cinder_volume_count)
PREDICATE(check_volume_binding)
PREDICATE(leaf_node_volume_binding)
PREDICATE(no_volume_zone_conflict)
PREDICATE(check_node_memory_pressure)
PREDICATE(check_node_pid_pressure)
PREDICATE(check_node_disk_pressure)
PREDICATE(even_pods_spread)
PREDICATE(match_inter_pod_affinity)
PREDICATE(dynamic_resources)
PREDICATE(node_declared_features)

/* priority_x, in src/priorities/x.c likewise, in the order of their names. */
PRIORITY(balanced_resource_allocation)
PRIORITY(dynamic_resources)
PRIORITY(equal_priority)
PRIORITY(even_pods_spread_priority)
PRIORITY(image_locality_priority)
PRIORITY(inter_pod_affinity_priority)
PRIORITY(least_requested_priority)
PRIORITY(missing_state)
PRIORITY(most_requested_priority)
PRIORITY(node_affinity_priority)
PRIORITY(node_label)
PRIORITY(node_prefer_avoid_pods_priority)
PRIORITY(node_resources)
PRIORITY(pod_topology_spread)
PRIORITY(requested_to_capacity_ratio_priority)
PRIORITY(resource_limits_priority)
PRIORITY(selector_spread_priority)
PRIORITY(service_affinity)
PRIORITY(service_anti_affinity)
PRIORITY(service_spreading_priority)
PRIORITY(sticky_job_priority)
PRIORITY(taint_toleration_priority)
PRIORITY(volume_binding)

/*
 * plugin_x, in the file of its rule, in the order of kube-scheduler's default multiPoint
 * list; the early ones, which later vocabularies lack, where that of 1.20 had them; then
 * Kosmos' and our own.
 */
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
EARLY_LIST(PRE_FILTER, PLUGIN_NODE_RESOURCES_FIT, PLUGIN_NODE_PORTS,
    PLUGIN_POD_TOPOLOGY_SPREAD, PLUGIN_INTER_POD_AFFINITY, PLUGIN_VOLUME_BINDING,
    PLUGIN_NODE_AFFINITY)
EARLY_LIST(PRE_SCORE, PLUGIN_INTER_POD_AFFINITY, PLUGIN_POD_TOPOLOGY_SPREAD,
    PLUGIN_TAINT_TOLERATION, PLUGIN_NODE_AFFINITY)
EARLY_LIST(SCORE, PLUGIN_BALANCED_ALLOCATION, PLUGIN_IMAGE_LOCALITY,
    PLUGIN_INTER_POD_AFFINITY, PLUGIN_LEAST_ALLOCATED, PLUGIN_NODE_AFFINITY,
    PLUGIN_NODE_PREFER_AVOID_PODS, PLUGIN_POD_TOPOLOGY_SPREAD,
    PLUGIN_TAINT_TOLERATION)
/* clang-format on */
#undef PREDICATE
#undef PRIORITY
#undef PLUGIN
#undef EARLY_LIST
