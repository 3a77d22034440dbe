check_PROGRAMS += \
	%D%/columns.t \
	%D%/distribution.t \
	%D%/history.t \
	%D%/host_ports.t \
	%D%/journal.t \
	%D%/label_terms.t \
	%D%/node_info.t \
	%D%/open_volumes.t \
	%D%/select.t \
	%D%/selector_set.t \
	%D%/volume_binding.t
