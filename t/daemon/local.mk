# Against a real kube-apiserver.
API_TESTS += %D%/faults.t

check_PROGRAMS += \
	%D%/event_times.t \
	%D%/files.t \
	%D%/notify.t \
	%D%/pod_resources.t

API_TESTS += %D%/canary.t
EXTRA_DIST += %D%/canary.t

API_TESTS += %D%/smoke.t %D%/smoke_json.t %D%/poison.t %D%/poison_json.t \
	%D%/budget.t
EXTRA_DIST += %D%/smoke.t %D%/smoke_json.t %D%/poison.t %D%/poison_json.t \
	%D%/budget.t

# What is installed, where it is to run.
noinst_PROGRAMS += %D%/hear_notify
API_TESTS += \
	%D%/manifests.t \
	%D%/notify_socket.t \
	%D%/rbac_minimal.t \
	%D%/static_pod.t \
	%D%/systemd.t
EXTRA_DIST += \
	%D%/manifests.t \
	%D%/notify_socket.t \
	%D%/rbac_minimal.t \
	%D%/static_pod.t \
	%D%/systemd.t

dist_check_SCRIPTS += %D%/audit_history.t %D%/check.t %D%/signals.t

# A scheduler under load, faults and restarts, with what makes and checks that.
noinst_PROGRAMS += \
	%D%/attack \
	%D%/audit_history \
	%D%/check_placements \
	%D%/fault_proxy \
	%D%/hostile \
	%D%/kubelet \
	%D%/latency \
	%D%/make_cluster \
	%D%/observe
%C%_make_cluster_SOURCES = \
	%D%/make_cluster.c \
	t/lib/cluster_gen.c t/lib/cluster_gen.h
%C%_attack_LDADD = libpredicated.a
%C%_audit_history_LDADD = libpredicated.a
%C%_check_placements_LDADD = libpredicated.a
%C%_fault_proxy_LDADD = libpredicated.a
%C%_hostile_LDADD =
%C%_kubelet_LDADD = libpredicated.a
%C%_latency_LDADD = libpredicated.a
%C%_make_cluster_LDADD = libpredicated.a
%C%_observe_LDADD = libpredicated.a
API_TESTS += \
	%D%/attacks.t \
	%D%/beside.t \
	%D%/boot.t \
	%D%/metrics_beside.t \
	%D%/churn.t \
	%D%/convert.t \
	%D%/crash.t \
	%D%/debug_page.t \
	%D%/devices.t \
	%D%/dry_run_live.t \
	%D%/endpoints.t \
	%D%/evictions.t \
	%D%/fields.t \
	%D%/fault_proxy.t \
	%D%/idle.t \
	%D%/kosmos.t \
	%D%/non_root.t \
	%D%/outage.t \
	%D%/placements.t \
	%D%/preemption.t \
	%D%/profiles.t \
	%D%/problems.t \
	%D%/quarantine.t \
	%D%/record.t \
	%D%/rotation.t \
	%D%/sticky_job.t \
	%D%/storms.t \
	%D%/takeover.t \
	%D%/trust.t \
	%D%/version.t \
	%D%/volumes.t \
	%D%/watch_cuts.t \
	%D%/watch_cuts_json.t
# measure latency and memory
API_TESTS_ALONE += %D%/hostile.t %D%/scale.t
EXTRA_DIST += \
	%D%/attacks.t \
	%D%/beside.sh \
	%D%/e2e.sh \
	t/data/storage.yaml \
	%D%/beside.t \
	%D%/boot.t \
	%D%/metrics_beside.t \
	%D%/convert.t \
	%D%/debug_page.t \
	%D%/crash.t \
	%D%/devices.t \
	%D%/dry_run_live.t \
	%D%/endpoints.t \
	%D%/evictions.t \
	%D%/fields.t \
	%D%/fault_proxy.t \
	%D%/idle.t \
	%D%/faults.t \
	%D%/hostile.t \
	%D%/kosmos.t \
	%D%/non_root.t \
	%D%/outage.t \
	%D%/placements.t \
	%D%/preemption.t \
	%D%/profiles.t \
	%D%/problems.t \
	%D%/quarantine.t \
	%D%/record.t \
	%D%/rotation.t \
	%D%/sticky_job.t \
	%D%/storms.t \
	%D%/scale.t \
	%D%/takeover.t \
	%D%/trust.t \
	%D%/version.t \
	%D%/volumes.t \
	%D%/watch_cuts.t \
	%D%/watch_cuts_json.t

# An hour of faults, or MINUTES, from SEED on.
EXTRA_DIST += %D%/chaos %D%/external.go
chaos: all $(noinst_PROGRAMS)
	SRCDIR='$(abs_top_srcdir)' BUILDDIR='$(abs_top_builddir)' \
	    $(srcdir)/%D%/chaos $(MINUTES) $(SEED)

EXTRA_DIST += %D%/takeovers
takeovers: all $(noinst_PROGRAMS)
	SRCDIR='$(abs_top_srcdir)' BUILDDIR='$(abs_top_builddir)' \
	    $(srcdir)/%D%/takeovers $(ROUNDS)
.PHONY: chaos takeovers
