libpredicated_a_SOURCES += \
	%D%/convert.c %D%/convert.h %D%/convert_internal.h \
	%D%/convert_policy.c %D%/convert_profile.c \
	%D%/rules.c %D%/rules.h
