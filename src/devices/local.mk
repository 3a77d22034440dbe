libpredicated_a_SOURCES += \
	%D%/allocation.c %D%/allocation.h \
	%D%/amount.h \
	%D%/demand.c %D%/demand.h \
	%D%/inventory.c %D%/inventory.h \
	%D%/pod_devices.c %D%/pod_devices.h \
	%D%/selectors.c %D%/selectors.h
