libpredicated_a_SOURCES += \
	%D%/arguments.c \
	%D%/build.c \
	%D%/configuration.c %D%/configuration.h \
	%D%/decode.c \
	%D%/defaults.c \
	%D%/extenders.c \
	%D%/names.c \
	%D%/openshift.c %D%/openshift.h \
	%D%/plugins.c %D%/plugins.h \
	%D%/policy.c %D%/policy.h %D%/policy_internal.h \
	%D%/problems.c \
	%D%/profile_of_plugins.c \
	%D%/profiles_of_configuration.c \
	%D%/profiles_of_configuration.h
