libpredicated_a_SOURCES += \
	%D%/cel.c %D%/cel.h %D%/cel_internal.h \
	%D%/check.c \
	%D%/cost.c \
	%D%/evaluate.c \
	%D%/formats.c \
	%D%/functions.c \
	%D%/kubernetes.c \
	%D%/parse.c \
	%D%/regex.c \
	%D%/strings.c \
	%D%/time.c \
	%D%/type.c \
	%D%/value.c
