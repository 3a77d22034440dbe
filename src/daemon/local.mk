# The daemon; everything but main() is in the library, for the tests.
libpredicated_a_SOURCES += \
	%D%/debug_pages.c %D%/debug_pages.h \
	%D%/caches.c %D%/caches.h \
	%D%/daemon.c %D%/daemon.h \
	%D%/dump.c %D%/dump.h \
	%D%/endpoints.c %D%/endpoints.h \
	%D%/gauges.c %D%/gauges.h \
	%D%/notify.c %D%/notify.h \
	%D%/page/answer.c %D%/page/answer.h %D%/page/answer_internal.h \
	%D%/page/answer_cluster.c \
	%D%/page/answer_pod.c \
	%D%/page/answer_pods.c

bin_PROGRAMS += predicated
predicated_SOURCES = %D%/main.c
predicated_LDADD = libpredicated.a
