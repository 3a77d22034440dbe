# The daemon; everything but main() is in the library, for the tests.
libpredicated_a_SOURCES += \
	%D%/auth.c %D%/auth.h \
	%D%/auth_internal.h \
	%D%/auth_lookup.c \
	%D%/auth_trust.c \
	%D%/auth_user.c \
	%D%/binder.c %D%/binder.h \
	%D%/caches.c %D%/caches.h \
	%D%/config_map.c %D%/config_map.h \
	%D%/daemon.c %D%/daemon.h \
	%D%/decisions.c %D%/decisions.h \
	%D%/documents.c %D%/documents.h \
	%D%/election.c %D%/election.h \
	%D%/endpoints.c %D%/endpoints.h \
	%D%/extender_eviction.c \
	%D%/extender_json.c \
	%D%/extender_round.c \
	%D%/extenders.c %D%/extenders.h \
	%D%/extenders_internal.h \
	%D%/file_watch.c %D%/file_watch.h \
	%D%/gauges.c %D%/gauges.h \
	%D%/leader.c %D%/leader.h \
	%D%/left_out.c %D%/left_out.h \
	%D%/notify.c %D%/notify.h \
	%D%/openshift.c %D%/openshift.h \
	%D%/policy_openshift.c \
	%D%/plain.c %D%/plain.h \
	%D%/policy_source.c %D%/policy_source.h \
	%D%/policy_source_internal.h \
	%D%/preemptor.c %D%/preemptor.h \
	%D%/report.c %D%/report.h \
	%D%/scheduler.c %D%/scheduler.h \
	%D%/scheduler_attempt.c \
	%D%/scheduler_internal.h \
	%D%/self_signed.c %D%/self_signed.h \
	%D%/server.c %D%/server.h \
	%D%/server_connections.c \
	%D%/server_health.c \
	%D%/server_internal.h \
	%D%/server_query.c \
	%D%/server_tls.c \
	%D%/time_limit.c %D%/time_limit.h \
	%D%/volumes.c %D%/volumes.h

bin_PROGRAMS += predicated
predicated_SOURCES = %D%/main.c
predicated_LDADD = libpredicated.a
