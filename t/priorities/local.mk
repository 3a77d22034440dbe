check_PROGRAMS += \
	%D%/balanced_resource_allocation.t \
	%D%/dynamic_resources.t \
	%D%/equal_priority.t \
	%D%/even_pods_spread_priority.t \
	%D%/image_locality_priority.t \
	%D%/inter_pod_affinity_priority.t \
	%D%/least_requested_priority.t \
	%D%/missing_state.t \
	%D%/most_requested_priority.t \
	%D%/node_affinity_priority.t \
	%D%/node_label.t \
	%D%/node_prefer_avoid_pods_priority.t \
	%D%/node_resources.t \
	%D%/pod_topology_spread.t \
	%D%/requested_to_capacity_ratio_priority.t \
	%D%/resource_limits_priority.t \
	%D%/selector_spread_priority.t \
	%D%/service_affinity.t \
	%D%/service_anti_affinity.t \
	%D%/service_spreading_priority.t \
	%D%/sticky_job_priority.t \
	%D%/taint_toleration_priority.t \
	%D%/volume_binding.t
EXTRA_DIST += %D%/rows.h
