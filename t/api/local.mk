check_PROGRAMS += \
	%D%/credentials.t \
	%D%/event_correlator.t \
	%D%/faults.t \
	%D%/kubeconfig.t \
	%D%/lock.t \
	%D%/trust.t \
	%D%/watch_lines.t \
	%D%/writes.t
%C%_trust_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)
%C%_faults_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)

# Against a real kube-apiserver: `make check-api`, not `make check`.
noinst_PROGRAMS += %D%/live
%C%_live_SOURCES = %D%/live.c t/lib/fault_proxy.c t/lib/fault_proxy.h
API_TESTS += %D%/apiserver.t %D%/live.t %D%/live_json.t
EXTRA_DIST += %D%/apiserver.t %D%/live.t %D%/live_json.t t/lib/apiserver.sh

# The same answers in JSON and protobuf: samples, and a real server's.
check_PROGRAMS += %D%/protobuf.t
%C%_protobuf_t_SOURCES = %D%/protobuf.c \
	t/lib/encodings.c t/lib/encodings.h
noinst_PROGRAMS += %D%/compare_encodings
%C%_compare_encodings_SOURCES = %D%/compare_encodings.c \
	t/lib/encodings.c t/lib/encodings.h
%C%_compare_encodings_LDADD = libpredicated.a
API_TESTS += %D%/encodings.t
EXTRA_DIST += %D%/encodings.t
