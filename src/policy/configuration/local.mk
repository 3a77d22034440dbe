libpredicated_a_SOURCES += \
	%D%/args.c %D%/args.h %D%/args_check.c \
	%D%/configuration.c %D%/configuration.h %D%/configuration_internal.h \
	%D%/decode.c \
	%D%/merge.c \
	%D%/openshift_profile.c \
	%D%/profile_of_plugins.c \
	%D%/validate.c
