# The daemon; everything but main() is in the library, for the tests.
libpredicated_a_SOURCES += \
	%D%/caches.c %D%/caches.h \
	%D%/daemon.c %D%/daemon.h \
	%D%/debug_pages.c %D%/debug_pages.h \
	%D%/dry_run.c %D%/dry_run.h \
	%D%/endpoints.c %D%/endpoints.h \
	%D%/gauges.c %D%/gauges.h \
	%D%/event_times.c %D%/event_times.h \
	%D%/notify.c %D%/notify.h \
	%D%/plugins.c %D%/plugins.h \
	%D%/pod_resources.c %D%/pod_resources.h \
	%D%/scheduler.c %D%/scheduler.h \
	%D%/scheduler_attempt.c \
	%D%/scheduler_internal.h \
	%D%/serving.c %D%/serving.h \
	%D%/zpages.c %D%/zpages.h

bin_PROGRAMS += predicated
predicated_SOURCES = %D%/main.c
predicated_LDADD = libpredicated.a
