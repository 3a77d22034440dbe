check_PROGRAMS += \
	%D%/node.t \
	%D%/object.t \
	%D%/pod.t \
	%D%/quantity.t \
	%D%/selector.t \
	%D%/storage.t \
	%D%/validation.t \
	%D%/workload.t
