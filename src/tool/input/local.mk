libpredicated_a_SOURCES += \
	%D%/live.c %D%/live.h \
	%D%/load.c %D%/load.h \
	%D%/load_rules.c \
	%D%/openshift.c %D%/openshift.h \
	%D%/pod_defaults.c %D%/pod_defaults.h \
	%D%/pod_file.c
