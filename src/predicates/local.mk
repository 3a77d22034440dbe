libpredicated_a_SOURCES += \
	%D%/check_node_condition.c \
	%D%/check_node_label_presence.c \
	%D%/check_node_unschedulable.c \
	%D%/check_service_affinity.c \
	%D%/csi_limits.c %D%/csi_limits.h \
	%D%/even_pods_spread.c \
	%D%/general_predicates.c \
	%D%/host_name.c \
	%D%/leaf_node.h \
	%D%/leaf_node_distribution.c \
	%D%/match_inter_pod_affinity.c \
	%D%/match_node_selector.c \
	%D%/no_disk_conflict.c \
	%D%/missing_state.c \
	%D%/node_declared_features.c \
	%D%/node_names.c \
	%D%/node_selector.h \
	%D%/pod_fits_host_ports.c \
	%D%/pod_fits_resources.c \
	%D%/pod_tolerates_node_taints.c \
	%D%/pressure.c \
	%D%/project_node_selector.c \
	%D%/read_write_once_pod.c \
	%D%/registry.c %D%/registry.h \
	%D%/dynamic_resources.c \
	%D%/check_volume_binding.c \
	%D%/max_csi_volume_count.c \
	%D%/no_volume_zone_conflict.c \
	%D%/scheduling_gates.c \
	%D%/sticky_job.c \
	%D%/unsupported_fields.c \
	%D%/volume_count.c %D%/volume_count.h
