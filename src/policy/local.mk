libpredicated_a_SOURCES += \
	%D%/arguments.c \
	%D%/build.c \
	%D%/decode.c \
	%D%/extenders.c \
	%D%/names.c \
	%D%/openshift.c %D%/openshift.h \
	%D%/policy.c %D%/policy.h %D%/policy_internal.h \
	%D%/problems.c \
	%D%/schema.c %D%/schema.h %D%/schema_write.c
