#include "config.h"

#include "metrics/measure.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "metrics/metrics.h"

static const char *const result_names[MEASURE_RESULTS] = {
	[MEASURE_SCHEDULED] = "scheduled",
	[MEASURE_UNSCHEDULABLE] = "unschedulable",
	[MEASURE_ERROR] = "error",
};

static const char *const status_names[MEASURE_RESULTS] = {
	[MEASURE_SCHEDULED] = "Success",
	[MEASURE_UNSCHEDULABLE] = "Unschedulable",
	[MEASURE_ERROR] = "Error",
};

static const char *const step_names[MEASURE_STEPS] = {
	[MEASURE_PRE_ENQUEUE] = "PreEnqueue",
	[MEASURE_PRE_FILTER] = "PreFilter",
	[MEASURE_FILTER] = "Filter",
	[MEASURE_POST_FILTER] = "PostFilter",
	[MEASURE_PRE_SCORE] = "PreScore",
	[MEASURE_SCORE] = "Score",
	[MEASURE_RESERVE] = "Reserve",
	[MEASURE_PERMIT] = "Permit",
	[MEASURE_PRE_BIND] = "PreBind",
	[MEASURE_BIND] = "Bind",
	[MEASURE_POST_BIND] = "PostBind",
};

/* The series for attempts or decisions of one result. */
struct attempts {
	struct series *count, *e2e, *seconds;
};

struct measure {
	struct metrics *metrics;
	char *profile;
	/* NULL until it is first used: every existing series is written. */
	struct attempts attempts[MEASURE_RESULTS];
	struct series *decisions[MEASURE_RESULTS];
	struct series *steps[MEASURE_STEPS][MEASURE_RESULTS];
	struct series *algorithm, *predicates, *priorities;
	struct series *binding, *pod_attempts;
	struct series *preemption, *preemptions, *victims;
};

struct measure *
measure_new(struct metrics *metrics, const char *profile)
{
	struct measure *m = xcalloc(1, sizeof(*m));

	m->metrics = metrics;
	m->profile = xstrdup(profile);
	m->algorithm = metrics_series(metrics, METRIC_ALGORITHM_SECONDS);
	m->predicates = metrics_series(metrics, METRIC_PREDICATES_SECONDS);
	m->priorities = metrics_series(metrics, METRIC_PRIORITIES_SECONDS);
	m->binding = metrics_series(metrics, METRIC_BINDING_SECONDS);
	m->pod_attempts = metrics_series(metrics, METRIC_POD_ATTEMPTS);
	m->preemption = metrics_series(metrics, METRIC_PREEMPTION_SECONDS);
	m->preemptions = metrics_series(metrics, METRIC_PREEMPTION_ATTEMPTS);
	m->victims = metrics_series(metrics, METRIC_PREEMPTION_VICTIMS);
	return m;
}

void
measure_free(struct measure *m)
{
	if (m == NULL)
		return;
	free(m->profile);
	free(m);
}

void
measure_attempt(struct measure *m, enum measure_result result, double seconds)
{
	struct attempts *a = &m->attempts[result];
	const char *name = result_names[result];

	if (a->count == NULL) {
		a->count = metrics_series(m->metrics, METRIC_SCHEDULE_ATTEMPTS,
		    name, m->profile);
		a->e2e = metrics_series(m->metrics, METRIC_E2E_SECONDS, name,
		    m->profile);
		a->seconds = metrics_series(m->metrics, METRIC_ATTEMPT_SECONDS,
		    name, m->profile);
	}
	series_add(a->count, 1);
	series_observe(a->e2e, seconds);
	series_observe(a->seconds, seconds);
}

void
measure_step(struct measure *m, enum measure_step step,
    enum measure_result result, double seconds)
{
	struct series **series = &m->steps[step][result];

	if (*series == NULL)
		*series =
		    metrics_series(m->metrics, METRIC_EXTENSION_POINT_SECONDS,
			step_names[step], status_names[result], m->profile);
	series_observe(*series, seconds);
}

static void
count_decision(struct measure *m, enum measure_result result, const char *name)
{
	if (m->decisions[result] == NULL)
		m->decisions[result] =
		    metrics_series(m->metrics, METRIC_DECISIONS, name);
	series_add(m->decisions[result], 1);
}

void
measure_decision(struct measure *m, enum measure_result result, bool scored,
    double filter_seconds, double score_seconds)
{
	measure_step(m, MEASURE_FILTER,
	    result == MEASURE_ERROR ? MEASURE_ERROR : MEASURE_SCHEDULED,
	    filter_seconds);
	if (result == MEASURE_ERROR) {
		count_decision(m, MEASURE_ERROR, "error");
	} else if (result == MEASURE_UNSCHEDULABLE) {
		count_decision(m, MEASURE_UNSCHEDULABLE, "nowhere");
	} else {
		count_decision(m, MEASURE_SCHEDULED, "node");
		/* a node without a rival is not scored */
		if (scored)
			measure_step(m, MEASURE_SCORE, MEASURE_SCHEDULED,
			    score_seconds);
		series_observe(m->predicates, filter_seconds);
		series_observe(m->priorities, score_seconds);
		series_observe(m->algorithm, filter_seconds + score_seconds);
	}
}

void
measure_preemption(struct measure *m, bool found, size_t nvictims,
    double seconds)
{
	series_add(m->preemptions, 1);
	series_observe(m->preemption, seconds);
	if (found)
		series_observe(m->victims, (double)nvictims);
	measure_step(m, MEASURE_POST_FILTER,
	    found ? MEASURE_SCHEDULED : MEASURE_UNSCHEDULABLE, seconds);
}

void
measure_bound(struct measure *m, const struct measured_binding *at,
    int64_t now_ms)
{
	double binding = (double)(now_ms - at->sent_ms) / 1000;

	measure_attempt(m, MEASURE_SCHEDULED,
	    (double)(now_ms - at->popped_ms) / 1000);
	measure_step(m, MEASURE_BIND, MEASURE_SCHEDULED, binding);
	series_observe(m->binding, binding);
	metrics_observe(m->metrics, METRIC_POD_SECONDS,
	    (double)(now_ms - at->added_ms) / 1000,
	    metrics_attempts_label(at->attempt));
	metrics_observe(m->metrics, METRIC_POD_SLI_SECONDS,
	    (double)(now_ms - at->first_ms) / 1000,
	    metrics_attempts_label(at->attempt));
	series_observe(m->pod_attempts, at->attempt);
}
