libpredicated_a_SOURCES += \
	%D%/capacities.c %D%/capacities.h \
	%D%/cluster.c %D%/cluster.h \
	%D%/columns.c %D%/columns.h \
	%D%/confines.c %D%/confines.h \
	%D%/csi_use.c %D%/csi_use.h \
	%D%/distribution.c %D%/distribution.h \
	%D%/host_ports.c %D%/host_ports.h \
	%D%/index.c %D%/index.h %D%/index_internal.h \
	%D%/journal.c %D%/journal.h \
	%D%/label_columns.c %D%/label_columns.h \
	%D%/label_terms.c %D%/label_terms.h \
	%D%/node_info.c %D%/node_info.h %D%/node_info_internal.h \
	%D%/open_volumes.c %D%/open_volumes.h \
	%D%/pinned.c %D%/pinned.h \
	%D%/pod_priority.c %D%/pod_priority.h \
	%D%/scalar_columns.c %D%/scalar_columns.h \
	%D%/select.c %D%/select.h \
	%D%/selector_index.c %D%/selector_index.h \
	%D%/selector_set.c %D%/selector_set.h \
	%D%/term_index.c %D%/term_index.h \
	%D%/term_scope.c %D%/term_scope.h \
	%D%/users.c %D%/users.h \
	%D%/volume_set.c %D%/volume_set.h \
	%D%/volume_binding.c %D%/volume_binding.h \
	%D%/volume_binding_internal.h %D%/volume_labels.c \
	%D%/volume_users.c %D%/volume_users.h
