libpredicated_a_SOURCES += \
	%D%/alike.c %D%/allocation.c %D%/allocation.h \
	%D%/amount.h \
	%D%/demand.c %D%/demand.h %D%/demand_internal.h \
	%D%/fit.c \
	%D%/inventory.c %D%/inventory.h \
	%D%/pod_devices.c %D%/pod_devices.h \
	%D%/results.c \
	%D%/search.c \
	%D%/selectors.c %D%/selectors.h
