/*
 * Every predicate, in the order in which they are tried on a node.  The first
 * refusal is the reason users see, so the order is kube-scheduler's; the rules
 * of Kosmos are placed where they save further checks.  PREDICATE(x) stands for
 * predicate_x, in src/predicates/x.c unless it shares a file with its like.
 */
/* clang-format off */
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
/* clang-format on */
