libpredicated_a_SOURCES += \
	%D%/arguments.c \
	%D%/build.c \
	%D%/configuration.c %D%/configuration.h %D%/configuration_internal.h \
	%D%/configuration_args.c %D%/configuration_args.h \
	%D%/configuration_args_check.c \
	%D%/configuration_decode.c \
	%D%/configuration_merge.c \
	%D%/configuration_validate.c \
	%D%/convert.c %D%/convert.h %D%/convert_internal.h \
	%D%/convert_policy.c %D%/convert_profile.c \
	%D%/decode.c \
	%D%/extenders.c \
	%D%/names.c \
	%D%/openshift.c %D%/openshift.h \
	%D%/openshift_profile.c \
	%D%/plugins.c %D%/plugins.h \
	%D%/policy.c %D%/policy.h %D%/policy_internal.h \
	%D%/problems.c \
	%D%/profile_of_plugins.c \
	%D%/rules.c %D%/rules.h \
	%D%/schema.c %D%/schema.h %D%/schema_write.c
