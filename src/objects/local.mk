libpredicated_a_SOURCES += \
	%D%/budget.c %D%/budget.h \
	%D%/changes.c %D%/changes.h \
	%D%/confines.h \
	%D%/decode.c %D%/decode.h \
	%D%/device.c %D%/device.h \
	%D%/distribution_policy.c %D%/distribution_policy.h \
	%D%/fields.c %D%/fields.h \
	%D%/in_tree.c %D%/in_tree.h \
	%D%/kinds.c %D%/kinds.h \
	%D%/labels.c %D%/labels.h \
	%D%/limits.c %D%/limits.h %D%/limits_table.h \
	%D%/namespace_weights.c %D%/namespace_weights.h \
	%D%/node.c %D%/node.h \
	%D%/node_affinity.h \
	%D%/object.c %D%/object.h \
	%D%/pod.c %D%/pod.h \
	%D%/parts.c %D%/parts.h \
	%D%/pod_class.c %D%/pod_class.h \
	%D%/pod_class_decode.c \
	%D%/pod_requests.c %D%/pod_requests.h \
	%D%/resource_claim.c %D%/resource_claim.h \
	%D%/release.c %D%/release.h \
	%D%/resources.c %D%/resources.h \
	%D%/selector.c %D%/selector.h \
	%D%/selector_problems.c \
	%D%/selector_text.c %D%/selector_text.h \
	%D%/steering.c %D%/steering.h %D%/steering_table.h \
	%D%/sticky_job.h \
	%D%/storage.c %D%/storage.h \
	%D%/validation.c %D%/validation.h \
	%D%/workload.c %D%/workload.h
