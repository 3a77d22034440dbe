/* A dry run counts what another policy would decide, and changes nothing. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "daemon/scheduler/dry_run.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profiles.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "decide/sched/decide.h"
#include "t/lib/cluster_gen.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 60
#define PODS 400

#define ACTIVE                                                                 \
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsResources\"},{\"name\":" \
		 "\"MatchInterPodAffinity\"}],\"priorities\":[{\"name\":"      \
		 "\"LeastRequestedPriority\",\"weight\":1},{\"name\":"         \
		 "\"SelectorSpreadPriority\",\"weight\":2}]")
/* By a tenth of a node already: one that is as good is the same. */
#define PACKING                                                                \
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsResources\"}],"          \
		 "\"priorities\":[{\"name\":\"Packing\",\"weight\":1,"         \
		 "\"argument\":{\"requestedToCapacityRatioArguments\":"        \
		 "{\"shape\":[{\"utilization\":0,\"score\":0},"                \
		 "{\"utilization\":10,\"score\":10}]}}}]")

/* Each pod's node; you own it. */
static sym *
place_all(struct metrics *metrics, struct profile *dry)
{
	struct cluster_gen gen = { .namespace = "default",
		.prefix = "pod",
		.nodes = NODES,
		.apps = 7,
		.affinity = true,
		.stored = true };
	struct text yaml = { 0 };
	sym *nodes = xcalloc(PODS, sizeof(sym));
	struct profile *active = t_profile(ACTIVE, NULL);
	struct world *w;
	struct dry_run *run;
	struct ecache *ecache;
	uint64_t epoch;

	for (unsigned i = 0; i < NODES; i++)
		cluster_gen_node(&gen, i, &yaml);
	for (unsigned i = 0; i < gen.apps; i++)
		cluster_gen_service(&gen, i, &yaml);
	w = world_new(yaml.bytes);
	text_fini(&yaml);
	run = dry_run_new(w->cluster, metrics);
	dry_run_set_profiles(run, dry != NULL ? profiles_of_one(dry) : NULL);
	ecache = ecache_new(w->cluster, active, ECACHE_BYTES_DEFAULT);
	epoch = w->cluster->journal.epoch;
	for (unsigned i = 0; i < PODS; i++) {
		struct text pod = { 0 };
		struct decision *d;

		cluster_gen_pod(&gen, i, &pod);
		world_pod(w, pod.bytes);
		text_fini(&pod);
		w->cycle.profile = active;
		w->cycle.ecache = ecache;
		w->cycle.seed = hash_mix(i);
		d = decide(&w->cycle);
		nodes[i] = d->chosen != NULL ? d->chosen->name : SYM_NONE;
		dry_run_compare(run, &w->cycle, d, NULL, 0);
		if (nodes[i] != SYM_NONE)
			cluster_assume(w->cluster, w->pod, nodes[i], NULL);
	}
	t_true("no kept result becomes invalid",
	    w->cluster->journal.epoch == epoch);
	ecache_free(ecache);
	dry_run_free(run);
	profile_free(active);
	world_free(w);
	return nodes;
}

static double
counted(struct metrics *metrics, const char *result)
{
	AUTOFREE char *line =
	    xasprintf("predicated_dry_run_decisions_total{result=\"%s\"} ",
		result);
	struct text text = { 0 };
	const char *at;
	double value;

	metrics_write(metrics, false, &text);
	at = strstr(text.bytes, line);
	value = at != NULL ? strtod(at + strlen(line), NULL) : 0;
	text_fini(&text);
	return value;
}

static void
decisions_are_the_same_with_and_without(void)
{
	static const struct {
		const char *name;
		const char *policy, *configured;
		bool differs;
	} rows[] = {
		{ "the same policy", ACTIVE, NULL, false },
		{ "another policy", PACKING, NULL, true },
		/* which counts requests otherwise */
		{ "a profile of plugins", NULL, "", true },
	};
	AUTOFREE sym *want = place_all(NULL, NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct metrics *metrics = metrics_new();
		struct profile *dry = rows[i].policy != NULL ?
		    t_profile(rows[i].policy, NULL) :
		    t_configured_profile("v1", rows[i].configured);
		AUTOFREE sym *got = place_all(metrics, dry);
		double same = counted(metrics, "same");
		double other = counted(metrics, "other_node");
		unsigned wrong = 0;

		for (size_t j = 0; j < PODS; j++)
			wrong += got[j] != want[j];
		t_int(rows[i].name, wrong, 0);
		t_int("all are counted", (int)(same + other), PODS);
		t_int("those that differ", other > 0, rows[i].differs);
		metrics_free(metrics);
	}
}

static void
results_are_those_of_both_decisions(void)
{
	static const struct {
		const char *name, *active, *dry, *pod, *result;
	} rows[] = {
		{ "only the active policy", T_POLICY(",\"predicates\":[]"),
		    T_POLICY(""), W_POD("p", "", "", W_REQUESTS("cpu: 100")),
		    "unschedulable" },
		{ "only that of the dry run", T_POLICY(""),
		    T_POLICY(",\"predicates\":[]"),
		    W_POD("p", "", "", W_REQUESTS("cpu: 100")), "schedulable" },
		{ "neither", T_POLICY(""), T_POLICY(""),
		    W_POD("p", "", "", W_REQUESTS("cpu: 100")), "same" },
		{ "an error of one", T_POLICY(",\"predicates\":[]"), NULL,
		    W_POD("p", "", "",
			"volumes: [{name: v, persistentVolumeClaim: "
			"{claimName: none}}]"),
		    "error" },
		{ "no profile for it", T_POLICY(""), NULL,
		    W_POD("p", "", "", "schedulerName: ours"), "unserved" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct metrics *metrics = metrics_new();
		struct world *w = world_new(W_NODE("n1", "", ""));
		struct dry_run *run = dry_run_new(w->cluster, metrics);
		struct profile *active = t_profile(rows[i].active, NULL);

		dry_run_set_profiles(run,
		    profiles_of_one(rows[i].dry != NULL ?
			    t_profile(rows[i].dry, NULL) :
			    t_configured_profile("v1", "")));
		world_pod(w, rows[i].pod);
		w->cycle.profile = active;
		dry_run_compare(run, &w->cycle, decide(&w->cycle), NULL, 0);
		t_int(rows[i].name, (int)counted(metrics, rows[i].result), 1);
		dry_run_free(run);
		profile_free(active);
		world_free(w);
		metrics_free(metrics);
	}
}

T_MAIN(T(decisions_are_the_same_with_and_without),
    T(results_are_those_of_both_decisions))
