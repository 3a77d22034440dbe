/*
 * The metrics of attempts to schedule pods, counted when kube-scheduler counts
 * them (1.20, scheduler.go; 1.15, generic_scheduler.go).
 */
#ifndef METRICS_MEASURE_H
#define METRICS_MEASURE_H

struct measure;
struct metrics;

enum measure_result {
	MEASURE_SCHEDULED,
	MEASURE_UNSCHEDULABLE, /* it fits nowhere */
	MEASURE_UNRESOLVABLE,  /* nor if others were evicted; of steps alone */
	MEASURE_ERROR,
	MEASURE_SKIPPED, /* of steps alone */
	MEASURE_RESULTS,
};

/* Label extension_point. */
enum measure_step {
	MEASURE_PRE_ENQUEUE,
	MEASURE_SIGN,
	MEASURE_PRE_FILTER,
	MEASURE_FILTER,
	MEASURE_POST_FILTER,
	MEASURE_PRE_SCORE,
	MEASURE_SCORE,
	MEASURE_RESERVE,
	MEASURE_PERMIT,
	MEASURE_PRE_BIND_PRE_FLIGHT,
	MEASURE_PRE_BIND,
	MEASURE_BIND,
	MEASURE_POST_BIND,
	MEASURE_STEPS,
};

/* profile: the scheduler's name.  The metrics outlive it. */
struct measure *measure_new(struct metrics *metrics, const char *profile);
void measure_free(struct measure *measure); /* accepts NULL */

/* An attempt is over. */
void measure_attempt(struct measure *measure, enum measure_result result,
    double seconds);
/* A step is; result: label status Success, Unschedulable, Error,
 * UnschedulableAndUnresolvable or Skip. */
void measure_step(struct measure *measure, enum measure_step step,
    enum measure_result result, double seconds);
/* A decision was made, and how long its stages took. */
void measure_decision(struct measure *measure, enum measure_result result,
    double filter_seconds, double score_seconds);
/* PostFilter is over; tried: with an attempt at preemption, which has a candidate if
 * the result is MEASURE_SCHEDULED. */
void measure_post_filter(struct measure *measure, enum measure_result result,
    bool tried, size_t nvictims, double seconds);
/* Of a pod that is bound.  Times are of clock_ms(). */
struct measured_binding {
	int64_t added_ms;  /* when the pod came to the queue */
	int64_t first_ms;  /* when it had no scheduling gates any more */
	int64_t popped_ms; /* when this attempt began */
	int64_t sent_ms;   /* when its binding was sent */
	uint32_t attempt;  /* from 1 */
	bool flushed;      /* no event led to it, only time */
};
void measure_bound(struct measure *measure,
    const struct measured_binding *binding, int64_t now_ms);

#endif
