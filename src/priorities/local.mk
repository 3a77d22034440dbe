libpredicated_a_SOURCES += \
	%D%/arith.h \
	%D%/balanced_resource_allocation.c \
	%D%/dynamic_resources.c \
	%D%/equal_priority.c \
	%D%/even_pods_spread_priority.c \
	%D%/image_locality_priority.c \
	%D%/inter_pod_affinity_priority.c \
	%D%/missing_state.c \
	%D%/node_affinity_priority.c \
	%D%/node_label.c \
	%D%/node_prefer_avoid_pods_priority.c \
	%D%/node_resources.c \
	%D%/pod_topology_spread.c \
	%D%/registry.c %D%/registry.h \
	%D%/resource_limits_priority.c \
	%D%/resource_share.h \
	%D%/scored_resources.c %D%/scored_resources.h \
	%D%/shape.c %D%/shape.h \
	%D%/spreading.c \
	%D%/sticky_job_priority.c \
	%D%/taint_toleration_priority.c \
	%D%/volume_binding.c
