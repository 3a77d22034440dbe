libpredicated_a_SOURCES += \
	%D%/file_watch.c %D%/file_watch.h \
	%D%/policy_config_map.c \
	%D%/policy_openshift.c \
	%D%/policy_source.c %D%/policy_source.h \
	%D%/policy_source_internal.h
