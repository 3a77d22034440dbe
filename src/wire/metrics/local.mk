libpredicated_a_SOURCES += \
	%D%/measure.c %D%/measure.h \
	%D%/metrics.c %D%/metrics.h \
	%D%/metrics_process.c \
	%D%/metrics_table.h
