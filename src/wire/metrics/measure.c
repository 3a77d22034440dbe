#include "config.h"

#include "wire/metrics/measure.h"

#include "wire/metrics/metrics.h"

static const char *const result_names[MEASURE_RESULTS] = {
	[MEASURE_SCHEDULED] = "scheduled",
	[MEASURE_UNSCHEDULABLE] = "unschedulable",
	[MEASURE_ERROR] = "error",
};

static const char *const status_names[MEASURE_RESULTS] = {
	[MEASURE_SCHEDULED] = "Success",
	[MEASURE_UNSCHEDULABLE] = "Unschedulable",
	[MEASURE_ERROR] = "Error",
	[MEASURE_UNRESOLVABLE] = "UnschedulableAndUnresolvable",
	[MEASURE_SKIPPED] = "Skip",
};

static const char *const step_names[MEASURE_STEPS] = {
	[MEASURE_PRE_ENQUEUE] = "PreEnqueue",
	[MEASURE_SIGN] = "Sign",
	[MEASURE_PRE_FILTER] = "PreFilter",
	[MEASURE_FILTER] = "Filter",
	[MEASURE_POST_FILTER] = "PostFilter",
	[MEASURE_PRE_SCORE] = "PreScore",
	[MEASURE_SCORE] = "Score",
	[MEASURE_RESERVE] = "Reserve",
	[MEASURE_PERMIT] = "Permit",
	[MEASURE_PRE_BIND_PRE_FLIGHT] = "PreBindPreFlight",
	[MEASURE_PRE_BIND] = "PreBind",
	[MEASURE_BIND] = "Bind",
	[MEASURE_POST_BIND] = "PostBind",
};

struct measure {
	struct metrics *metrics;
	char *profile;
	/* NULL until the first */
	struct series *steps[MEASURE_STEPS][MEASURE_RESULTS];
};

struct measure *
measure_new(struct metrics *metrics, const char *profile)
{
	struct measure *m = xcalloc(1, sizeof(*m));

	m->metrics = metrics;
	m->profile = xstrdup(profile);
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
	const char *name = result_names[result];

	metrics_inc(m->metrics, METRIC_SCHEDULE_ATTEMPTS, name, m->profile);
	metrics_observe(m->metrics, METRIC_E2E_SECONDS, seconds, name,
	    m->profile);
	metrics_observe(m->metrics, METRIC_ATTEMPT_SECONDS, seconds, name,
	    m->profile);
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

void
measure_decision(struct measure *m, enum measure_result result,
    double filter_seconds, double score_seconds)
{
	static const char *const names[MEASURE_RESULTS] = {
		[MEASURE_SCHEDULED] = "node",
		[MEASURE_UNSCHEDULABLE] = "nowhere",
		[MEASURE_ERROR] = "error",
	};

	metrics_inc(m->metrics, METRIC_DECISIONS, names[result]);
	if (result != MEASURE_SCHEDULED)
		return;
	metrics_observe(m->metrics, METRIC_PREDICATES_SECONDS, filter_seconds);
	metrics_observe(m->metrics, METRIC_PRIORITIES_SECONDS, score_seconds);
	metrics_observe(m->metrics, METRIC_ALGORITHM_SECONDS,
	    filter_seconds + score_seconds);
}

void
measure_post_filter(struct measure *m, enum measure_result result, bool tried,
    size_t nvictims, double seconds)
{
	if (tried) {
		metrics_inc(m->metrics, METRIC_PREEMPTION_ATTEMPTS);
		metrics_observe(m->metrics, METRIC_PREEMPTION_SECONDS, seconds);
	}
	if (tried && result == MEASURE_SCHEDULED)
		metrics_observe(m->metrics, METRIC_PREEMPTION_VICTIMS,
		    (double)nvictims);
	measure_step(m, MEASURE_POST_FILTER, result, seconds);
}

void
measure_bound(struct measure *m, const struct measured_binding *at,
    int64_t now_ms)
{
	double binding = (double)(now_ms - at->sent_ms) / 1000;

	measure_attempt(m, MEASURE_SCHEDULED,
	    (double)(now_ms - at->popped_ms) / 1000);
	measure_step(m, MEASURE_BIND, MEASURE_SCHEDULED, binding);
	metrics_observe(m->metrics, METRIC_BINDING_SECONDS, binding);
	metrics_observe(m->metrics, METRIC_POD_SECONDS,
	    (double)(now_ms - at->added_ms) / 1000,
	    metrics_attempts_label(at->attempt));
	metrics_observe(m->metrics, METRIC_POD_SLI_SECONDS,
	    (double)(now_ms - at->first_ms) / 1000,
	    metrics_attempts_label(at->attempt));
	metrics_observe(m->metrics, METRIC_POD_ATTEMPTS, at->attempt);
	if (at->flushed)
		metrics_inc(m->metrics, METRIC_AFTER_FLUSH);
}
