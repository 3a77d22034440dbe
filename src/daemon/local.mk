# The daemon; everything but main() is in the library, for the tests.
libpredicated_a_SOURCES += \
	%D%/binder.c %D%/binder.h \
	%D%/caches.c %D%/caches.h \
	%D%/daemon.c %D%/daemon.h \
	%D%/decisions.c %D%/decisions.h \
	%D%/endpoints.c %D%/endpoints.h \
	%D%/gauges.c %D%/gauges.h \
	%D%/left_out.c %D%/left_out.h \
	%D%/notify.c %D%/notify.h \
	%D%/preemptor.c %D%/preemptor.h \
	%D%/report.c %D%/report.h \
	%D%/scheduler.c %D%/scheduler.h \
	%D%/scheduler_attempt.c \
	%D%/scheduler_internal.h \
	%D%/time_limit.c %D%/time_limit.h \
	%D%/volumes.c %D%/volumes.h

bin_PROGRAMS += predicated
predicated_SOURCES = %D%/main.c
predicated_LDADD = libpredicated.a
