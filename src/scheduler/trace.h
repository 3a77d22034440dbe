/*
 * Spans of attempts in OpenTelemetry's JSON, sent to a collector over HTTP (OTLP: POST to
 * ENDPOINT/v1/traces).  kube-scheduler has none yet; the names are those that KEP-5927
 * proposes for it:
 *
 *	scheduleOne                 from the queue to the binding, or to the failure
 *	  schedulingCycle
 *	    RunFilterPlugins
 *	    RunScorePlugins
 *	    RunPostFilterPlugins    preemption
 *	    Filter/NodeName         and so on: each plugin at each extension point
 *	  bindingCycle
 *	    RunPreBindPlugins       volumes and devices
 *	    RunBindPlugins
 *
 * A plugin is asked about nodes in turn with the others, and may prepare or score before
 * all are filtered: its span has the sum of its times, and they stand one behind the
 * other, from the cycle's beginning.
 *
 * A part of the attempts is chosen by a hash of the pod's uid and the attempt's number.
 * So are the ids, and nothing is kept between the cycles of an attempt.  Spans wait for
 * the next flush, or until they are many, up to a limit; those beyond, and those that the
 * collector does not take, are lost and counted.
 */
#ifndef SCHEDULER_TRACE_H
#define SCHEDULER_TRACE_H

struct attempt;
struct event_base;
struct metrics;
struct placement;
struct pod;
struct stopwatch;
struct tracer;

/* endpoint: "http://HOST:PORT[/PATH]" or https; "": NULL is returned, which the functions
 * below accept.  base and metrics outlive it. */
struct tracer *tracer_new(struct event_base *base, struct metrics *metrics,
    const char *endpoint, int64_t per_million);
void tracer_free(struct tracer *tracer);

/* The id of this attempt's trace, until the next call; NULL: it is not wanted. */
const char *tracer_id(struct tracer *tracer, const struct pod *pod,
    uint32_t attempt);

/* The decision was carried out until now.  watch: times of plugins, NULL: not
 * measured; message: why there is no node. */
void tracer_decided(struct tracer *tracer, const struct attempt *attempt,
    const struct stopwatch *watch, const char *message);
/* error: NULL, the pod is bound. */
void tracer_bound(struct tracer *tracer, const struct placement *placement,
    const char *error);

/* Sends what waits, unless a request is under way; about once a second. */
void tracer_flush(struct tracer *tracer);

#endif
