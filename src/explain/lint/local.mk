libpredicated_a_SOURCES += \
	%D%/lint.c %D%/lint.h %D%/lint_internal.h \
	%D%/lint_kosmos.c \
	%D%/lint_labels.c \
	%D%/lint_matters.c \
	%D%/lint_priorities.c \
	%D%/lint_rules.c
