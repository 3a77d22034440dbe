check_PROGRAMS += \
	%D%/history.t \
	%D%/node_info.t \
	%D%/volume_binding.t
