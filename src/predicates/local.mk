libpredicated_a_SOURCES += \
	%D%/check_node_condition.c \
	%D%/check_node_disk_pressure.c \
	%D%/check_node_label_presence.c \
	%D%/check_node_memory_pressure.c \
	%D%/check_node_pid_pressure.c \
	%D%/check_node_unschedulable.c \
	%D%/check_service_affinity.c \
	%D%/even_pods_spread.c \
	%D%/general_predicates.c \
	%D%/host_name.c \
	%D%/match_inter_pod_affinity.c \
	%D%/match_node_selector.c \
	%D%/no_disk_conflict.c \
	%D%/pod_fits_host_ports.c \
	%D%/pod_fits_resources.c \
	%D%/pod_tolerates_node_no_execute_taints.c \
	%D%/pod_tolerates_node_taints.c \
	%D%/registry.c %D%/registry.h %D%/table.h \
	%D%/untolerated.h \
	%D%/check_volume_binding.c \
	%D%/max_azure_disk_volume_count.c \
	%D%/max_cinder_volume_count.c \
	%D%/max_csi_volume_count.c \
	%D%/max_ebs_volume_count.c \
	%D%/max_gce_pd_volume_count.c \
	%D%/no_volume_zone_conflict.c \
	%D%/volume_count.c %D%/volume_count.h
