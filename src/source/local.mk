libpredicated_a_SOURCES += \
	%D%/config_map.c %D%/config_map.h \
	%D%/file_watch.c %D%/file_watch.h \
	%D%/openshift.c %D%/openshift.h \
	%D%/policy_openshift.c \
	%D%/policy_source.c %D%/policy_source.h \
	%D%/policy_source_internal.h
