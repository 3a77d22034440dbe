check_PROGRAMS += \
	%D%/check_node_condition.t \
	%D%/check_node_label_presence.t \
	%D%/check_node_unschedulable.t \
	%D%/check_service_affinity.t \
	%D%/even_pods_spread.t \
	%D%/general_predicates.t \
	%D%/host_name.t \
	%D%/leaf_node_distribution.t \
	%D%/leaf_node_taint_toleration.t \
	%D%/leaf_node_volume_binding.t \
	%D%/match_inter_pod_affinity.t \
	%D%/match_node_selector.t \
	%D%/no_disk_conflict.t \
	%D%/node_declared_features.t \
	%D%/missing_state.t \
	%D%/node_names.t \
	%D%/node_pressure.t \
	%D%/passing_reasons.t \
	%D%/pod_fits_host_ports.t \
	%D%/pod_fits_resources.t \
	%D%/pod_tolerates_node_taints.t \
	%D%/project_node_selector.t \
	%D%/csi_limits.t \
	%D%/read_write_once_pod.t \
	%D%/dynamic_resources.t \
	%D%/scheduling_gates.t \
	%D%/check_volume_binding.t \
	%D%/max_csi_volume_count.t \
	%D%/max_volume_count.t \
	%D%/no_volume_zone_conflict.t \
	%D%/sticky_job.t \
	%D%/unsupported_fields.t \
	%D%/volume_count.t
EXTRA_DIST += %D%/volumes.h
