libpredicated_a_SOURCES += \
	%D%/cel.c %D%/cel.h %D%/cel_internal.h \
	%D%/check.c \
	%D%/cost.c \
	%D%/evaluate.c \
	%D%/formats.c \
	%D%/functions.c \
	%D%/go_text.c %D%/go_text.h \
	%D%/kubernetes.c %D%/kubernetes.h \
	%D%/parse.c \
	%D%/regex.c %D%/regex.h \
	%D%/strings.c %D%/strings.h \
	%D%/time.c %D%/time.h \
	%D%/type.c \
	%D%/value.c
