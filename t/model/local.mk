check_PROGRAMS += \
	%D%/distribution_policy.t \
	%D%/in_tree.t \
	%D%/fields.t \
	%D%/budget.t \
	%D%/limits.t \
	%D%/namespace_weights.t \
	%D%/node.t \
	%D%/object.t \
	%D%/pod.t \
	%D%/pod_requests.t \
	%D%/quantity.t \
	%D%/release.t \
	%D%/selector.t \
	%D%/changes.t \
	%D%/steering.t \
	%D%/storage.t \
	%D%/validation.t \
	%D%/workload.t
EXTRA_DIST += %D%/messages.h
