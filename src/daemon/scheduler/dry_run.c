#include "config.h"

#include "daemon/scheduler/dry_run.h"

#include "daemon/scheduler/time_limit.h"
#include "base/clock.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "explain/whatif/diff.h"
#include "explain/whatif/whatif.h"

/* To find the rule that tips a decision, every node is scored twice: not more often
 * than takes this part of the time. */
#define TIP_SHARE 0.05

struct dry_run {
	struct cluster *cluster;
	struct metrics *metrics;
	struct profiles *profiles; /* NULL: none */
	struct whatif whatif;      /* of them */
	double tip_due;            /* of clock_seconds() */
};

struct dry_run *
dry_run_new(struct cluster *cluster, struct metrics *metrics)
{
	struct dry_run *run = xcalloc(1, sizeof(*run));

	run->cluster = cluster;
	run->metrics = metrics;
	return run;
}

void
dry_run_free(struct dry_run *run)
{
	if (run == NULL)
		return;
	dry_run_set_profiles(run, NULL);
	free(run);
}

void
dry_run_drop_results(struct dry_run *run)
{
	if (run->profiles != NULL)
		whatif_fini(&run->whatif);
}

void
dry_run_keep_results(struct dry_run *run)
{
	if (run->profiles == NULL)
		return;
	run->whatif = (struct whatif){
		.cluster = run->cluster,
		.profiles = run->profiles,
		.serving = whatif_by_name,
	};
	whatif_init(&run->whatif);
}

void
dry_run_set_profiles(struct dry_run *run, struct profiles *profiles)
{
	dry_run_drop_results(run);
	profiles_free(run->profiles);
	run->profiles = profiles;
	dry_run_keep_results(run);
}

/* NULL: no profile serves the pod. */
static struct decision *
decide_dry(struct dry_run *run, const struct cycle *cycle,
    const struct decision *active, struct cancellation *cancellation)
{
	struct whatif *w = &run->whatif;
	int64_t own;

	if (!whatif_begin(w, cycle->pod, 0))
		return NULL;
	own = w->cycle.profile->percentage_of_nodes;
	w->cycle.seed = cycle->seed;
	w->cycle.percentage_of_nodes =
	    own >= 0 ? own : cycle->percentage_of_nodes;
	w->cycle.extension = cycle->extension;
	w->cycle.cancellation = cancellation;
	return whatif_decide_begun(w,
	    active->chosen != NULL ? active->chosen->name : SYM_NONE);
}

static const char *
result_of(const struct decision *active, const struct decision *dry)
{
	if (dry == NULL)
		return "unserved";
	if (active->error != NULL || dry->error != NULL)
		return active->error != NULL && dry->error != NULL ? "same" :
								     "error";
	if (active->chosen == dry->chosen)
		return "same";
	if (dry->chosen == NULL)
		return "unschedulable";
	return active->chosen == NULL ? "schedulable" : "other_node";
}

/* Why, of decisions that differ. */
static struct tip
explain(struct dry_run *run, const struct cycle *cycle)
{
	struct whatif active = {
		.cluster = run->cluster,
		.cycle = *cycle,
	};
	double begun = clock_seconds();
	struct tip tip = { NULL, NULL };

	if (begun < run->tip_due)
		return tip;
	active.cycle.cancellation = run->whatif.cycle.cancellation;
	active.cycle.stopwatch = NULL;
	active.cycle.filtered = NULL;
	tip = tip_find(&active, &run->whatif, cycle->arena);
	run->tip_due = begun + (clock_seconds() - begun) / TIP_SHARE;
	return tip;
}

static const char *
node_of(const struct decision *d)
{
	return d->chosen != NULL ? sym_text(d->chosen->name) : "";
}

void
dry_run_compare(struct dry_run *run, const struct cycle *cycle,
    const struct decision *decision, struct time_limit *limit, int64_t limit_ms)
{
	double begun = clock_seconds();
	struct decision *dry;
	const char *result;
	struct tip tip;

	if (run->profiles == NULL || decision->abandoned)
		return;
	time_limit_end(limit);
	dry =
	    decide_dry(run, cycle, decision, time_limit_begin(limit, limit_ms));
	result = result_of(decision, dry);
	metrics_inc(run->metrics, METRIC_DRY_RUN_DECISIONS, result);
	if (dry != NULL && decision->chosen != dry->chosen) {
		/* explain() decides again */
		const char *node = node_of(decision), *other = node_of(dry);

		tip = explain(run, cycle);
		log_info("dry run: pod=%s result=%s node=%s dry_run_node=%s "
			 "rule=%s%s%s",
		    pod_full_name(cycle->pod), result, node, other,
		    tip.rule != NULL ? tip.rule : "",
		    tip.why != NULL ? ": " : "",
		    tip.why != NULL ? tip.why : "");
	}
	time_limit_end(limit);
	metrics_add(run->metrics, METRIC_DRY_RUN_SECONDS,
	    clock_seconds() - begun);
}
