check_LIBRARIES += %D%/lib/libt.a
%C%_lib_libt_a_SOURCES = \
	%D%/lib/decode.c %D%/lib/decode.h \
	%D%/lib/profile.c %D%/lib/profile.h \
	%D%/lib/profiles_json.c %D%/lib/profiles_json.h \
	%D%/lib/t.c %D%/lib/t.h \
	%D%/lib/verdicts.h \
	%D%/lib/world.c %D%/lib/world.h
LDADD = t/lib/libt.a libpredicated.a $(CUNIT_LIBS)

# Programs and scripts have one suffix; git is told which a build in the tree made.
all-local: %D%/.gitignore
%D%/.gitignore: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && printf '/%s\n' .gitignore \
	    $(patsubst %D%/%,%,$(check_PROGRAMS) $(noinst_PROGRAMS)) >$@
CLEANFILES += %D%/.gitignore
EXTRA_DIST += %D%/answers %D%/answers_worlds.awk
EXTRA_DIST += %D%/real
EXTRA_DIST += %D%/lib/container.sh %D%/lib/limited.sh %D%/lib/machine.sh %D%/lib/page.sh %D%/lib/tap.sh \
	%D%/lib/kosmos.sh %D%/data

include %D%/base/local.mk
include %D%/model/local.mk
include %D%/cluster/local.mk
include %D%/cel/local.mk
include %D%/devices/local.mk
include %D%/framework/local.mk
include %D%/ecache/local.mk
include %D%/sched/local.mk
include %D%/explain/local.mk
include %D%/queue/local.mk
include %D%/library/local.mk
include %D%/predicates/local.mk
include %D%/priorities/local.mk
include %D%/policy/local.mk
include %D%/configuration/local.mk
include %D%/convert/local.mk
include %D%/api/local.mk
include %D%/options/local.mk
include %D%/metrics/local.mk
include %D%/http/local.mk
include %D%/policy_source/local.mk
include %D%/extender/local.mk
include %D%/leader/local.mk
include %D%/scheduler/local.mk
include %D%/daemon/local.mk
include %D%/record/local.mk
include %D%/whatif/local.mk
include %D%/page/local.mk
include %D%/ctl/local.mk
include %D%/etc/local.mk
include %D%/fuzz/local.mk
include %D%/doc/local.mk
include %D%/lint/local.mk
include %D%/simulation/local.mk
include %D%/script/local.mk
include %D%/package/local.mk

# The runner that compares with results of the real kube-scheduler, and the one
# that measures; neither is a test by itself.
noinst_PROGRAMS += %D%/conformance %D%/conformance_profiles \
	%D%/conformance_wakes %D%/explanations %D%/remedies %D%/bench \
	%D%/bench_hostile
%C%_bench_hostile_LDADD = libpredicated.a
%C%_conformance_SOURCES = %D%/conformance.c %D%/lib/cases.c %D%/lib/cases.h
%C%_conformance_LDADD = libpredicated.a
%C%_conformance_profiles_SOURCES = %D%/conformance_profiles.c \
	%D%/lib/cases.c %D%/lib/cases.h \
	%D%/lib/profiles_json.c %D%/lib/profiles_json.h
%C%_conformance_profiles_LDADD = libpredicated.a
%C%_conformance_wakes_SOURCES = %D%/conformance_wakes.c \
	%D%/lib/cases.c %D%/lib/cases.h
%C%_conformance_wakes_LDADD = libpredicated.a
%C%_explanations_SOURCES = %D%/explanations.c %D%/lib/cases.c %D%/lib/cases.h
%C%_explanations_LDADD = libpredicated.a
%C%_remedies_SOURCES = %D%/remedies.c %D%/lib/profile.c %D%/lib/profile.h
%C%_remedies_LDADD = libpredicated.a
%C%_bench_SOURCES = %D%/bench.c \
	%D%/lib/cluster_gen.c %D%/lib/cluster_gen.h \
	%D%/speed/cell.c %D%/speed/cell.h \
	%D%/speed/files.c \
	%D%/speed/report.c %D%/speed/report.h \
	%D%/speed/scenarios.c
%C%_bench_LDADD = libpredicated.a
dist_check_SCRIPTS += %D%/conformance.t %D%/explanations.t %D%/remedies.t %D%/bench.t %D%/bench_hostile.t

# Against a real etcd and kube-apiserver, which script/apiserver provides.  Most
# of them wait most of the time, so API_JOBS run at a time on two processors, those
# of API_TESTS_LONG first, the longest before all; API_TESTS_ALONE, which need the
# machine for themselves, run one after another.  None may take longer than
# API_TEST_SECONDS.  A test that is killed or ended by ^C takes along what it has
# started, down to the servers.
API_TEST_SECONDS = 1200
API_JOBS = 3
API_TESTS_LONG = \
	%D%/daemon/faults.t \
	%D%/leader/leader.t \
	%D%/page/live_page.t \
	%D%/daemon/manifests.t \
	%D%/daemon/beside.t \
	%D%/daemon/convert.t \
	%D%/daemon/rotation.t \
	%D%/daemon/watch_cuts.t \
	%D%/daemon/watch_cuts_json.t \
	%D%/policy_source/openshift_object.t \
	%D%/daemon/kosmos.t \
	%D%/daemon/outage.t \
	%D%/daemon/takeover.t \
	%D%/daemon/placements.t
API_RUN = $(MAKE) $(AM_MAKEFLAGS) check T_LOG_COMPILER='setpriv \
	--pdeathsig TERM timeout -v -k 30 $(API_TEST_SECONDS)'
check-api: all
	setpriv --pdeathsig TERM $(SHELL) $(top_srcdir)/t/lib/limited.sh 2h \
	    $(SHELL) -c ' \
	    $(MAKE) check-api-together; together=$$?; \
	    $(MAKE) check-api-alone && exit $$together'
check-api-together:
	test -z "$(API_TESTS)" || $(API_RUN) -j$(API_JOBS) \
	    TESTS="$(filter $(API_TESTS),$(API_TESTS_LONG)) \
	    $(filter-out $(API_TESTS_LONG),$(API_TESTS))"
check-api-alone:
	test -z "$(API_TESTS_ALONE)" || \
	    $(API_RUN) -j1 TESTS="$(API_TESTS_ALONE)"
.PHONY: check-api check-api-together check-api-alone

# schedulers beside what the API server itself can take
noinst_PROGRAMS += %D%/bench_api
%C%_bench_api_LDADD = libpredicated.a
EXTRA_DIST += script/bench-live %D%/daemon/workloads.jq
bench-live: all
	BUILDDIR=$(abs_top_builddir) $(top_srcdir)/script/bench-live \
	    $(WORKLOAD:%=--workload %) $(ROUNDS:%=--rounds %) \
	    $(PART:%=--part %) --output bench-live.jsonl
CLEANFILES += bench-live.jsonl
.PHONY: bench-live

# what one namespace can keep doing to others, at full size; all of it at once for
# half an hour: KINDS=all PROBES=36000
bench-attacks: all
	NODES=1000 COUNT= PROBES=$${PROBES:-600} REFUSED=180 \
	    SRCDIR=$(top_srcdir) BUILDDIR=. $(srcdir)/t/daemon/attacks.t
.PHONY: bench-attacks

# an hour of pods that come and go, and much that happens at once, at full size
bench-churn: all
	NODES=5000 PODS=150000 RATE=$${RATE:-200} TURN=60 TURNS=$${TURNS:-60} \
	    SRCDIR=$(top_srcdir) BUILDDIR=. $(srcdir)/t/daemon/churn.t
bench-storms: all
	NODES=$${NODES:-3000} SIZE=$${SIZE:-10000} PAUSE=$${PAUSE:-30} \
	    SRCDIR=$(top_srcdir) BUILDDIR=. $(srcdir)/t/daemon/storms.t
.PHONY: bench-churn bench-storms

# decisions per second, CPU per decision, memory; beside kube-scheduler's figures
# on the files of its own benchmark where these stand beside the checkout
bench: all
	t/bench --policy $(top_srcdir)/etc/examples/openshift-default.cfg \
	    --output bench.jsonl \
	    $$(for f in \
		$(top_srcdir)/../shared/vectors/bench/n5000*-cluster.json.gz; \
	    do \
		test ! -f $$f || \
		echo --cluster $$f --pods $${f%cluster.json.gz}pods.json.gz; \
	    done)
	t/bench --nodes 5000 --output bench-profile.jsonl \
	    --config $(top_srcdir)/etc/examples/kubescheduler-v1.yaml
	@echo "The default profile of v1 beside the policy, decisions a second:"
	$(top_srcdir)/script/bench-compare --least 0.5 bench.jsonl \
	    bench-profile.jsonl
EXTRA_DIST += script/bench-compare
CLEANFILES += bench.jsonl bench-profile.jsonl
.PHONY: bench

# the pods that a user may create to do harm, beside plain ones
bench-hostile: all
	t/bench_hostile
.PHONY: bench-hostile
