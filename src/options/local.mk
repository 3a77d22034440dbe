libpredicated_a_SOURCES += \
	%D%/engine.c %D%/engine.h %D%/engine_print.c \
	%D%/options.c %D%/options.h \
	%D%/options_file.c \
	%D%/options_internal.h \
	%D%/options_kube_config.c \
	%D%/options_plain.c \
	%D%/options_print.c \
	%D%/options_table.h \
	%D%/options_validate.c
