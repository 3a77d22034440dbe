/*
 * Every priority, in the order of their names.  PRIORITY(x) stands for priority_x,
 * in src/priorities/x.c unless it shares a file with its like.
 */
/* clang-format off */
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
/* clang-format on */
