#include "config.h"

#include "daemon/scheduler/scheduler.h"

#include <event2/event.h>
#include <inttypes.h>

#include "base/clock.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/decisions.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "daemon/scheduler/sticky_jobs.h"
#include "daemon/scheduler/time_limit.h"
#include "base/log.h"
#include "base/sym.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "daemon/scheduler/dry_run.h"
#include "daemon/scheduler/plugins.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders.h"
#include "wire/metrics/measure.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "options/options.h"
#include "daemon/record/recorder.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/miss.h"

/* After so long a turn the loop has a look at the network. */
#define TURN_SECONDS 0.002
#define SWEEP_MS 30000
/* Fewer unused symbols than these, some 10 MiB, are not worth making caches again. */
#define UNUSED_SYMBOLS_MIN 100000

static double
seconds_since(int64_t ms)
{
	return (double)(clock_ms() - ms) / 1000;
}

/* ---- results of bindings ---- */

static void
on_bound(void *arg, const struct placement *at)
{
	struct scheduler *s = arg;
	const struct serving *serving = serving_of(s, at->pod);
	double begun;

	log_v(2,
	    "pod %s is bound successfully on node %s, %u nodes evaluated, "
	    "%u nodes were found feasible",
	    pod_full_name(at->pod), sym_text(at->node), at->nexamined,
	    at->nfeasible);
	begun = clock_seconds();
	report_bound(&s->flights, at->pod, at->node);
	if (serving != NULL && serving->sticks)
		sticky_jobs_bound(&s->flights, at->pod, at->node);
	measure_step(account_of(s, at->pod)->measure, MEASURE_POST_BIND,
	    MEASURE_SCHEDULED, clock_seconds() - begun);
	measure_bound(account_of(s, at->pod)->measure,
	    &(struct measured_binding){ .added_ms = at->added_ms,
		.first_ms = at->first_ms,
		.popped_ms = at->popped_ms,
		.sent_ms = at->sent_ms,
		.attempt = at->attempt,
		.flushed = at->flushed },
	    clock_ms());
}

/* The room it had taken is free again, which others may be waiting for. */
static void
take_back(struct scheduler *s, const struct pod *pod)
{
	int64_t now = clock_ms();
	const struct pod *held = queue_find(s->queue, pod->object.uid, NULL);

	if (held != NULL) {
		/* Assuming it has dropped its nomination. */
		cluster_put(s->options.cluster, (struct object *)&held->object);
		nomination_seen(flight_get(&s->flights, held), held);
		queue_retry(s->queue, held, now);
	}
	queue_move_all(s->queue, QUEUE_ASSIGNED_POD_DELETE, now);
	scheduler_kick(s);
}

static void
on_bind_failed(void *arg, const struct placement *at,
    const struct bind_failure *failure)
{
	struct scheduler *s = arg;
	struct measure *measure = account_of(s, at->pod)->measure;
	const char *why = failure->why;

	if (why == NULL) {
		take_back(s, at->pod);
		return;
	}
	if (failure->of_volumes) {
		double seconds = seconds_since(failure->begun_ms);

		log_error("binding the volumes of pod %s: %s",
		    pod_full_name(at->pod), why);
		measure_attempt(measure, MEASURE_ERROR, seconds);
		measure_step(measure, MEASURE_PRE_BIND, MEASURE_ERROR, seconds);
		report_error(&s->flights, at->pod, failure->reason, why, why);
	} else {
		AUTOFREE char *text = xasprintf("Binding rejected: %s", why);

		log_error("binding pod %s to node %s: %s",
		    pod_full_name(at->pod), sym_text(at->node), why);
		measure_attempt(measure, MEASURE_ERROR,
		    seconds_since(at->popped_ms));
		measure_step(measure, MEASURE_BIND, MEASURE_ERROR,
		    seconds_since(at->sent_ms));
		report_error(&s->flights, at->pod, failure->reason, text, why);
	}
	take_back(s, at->pod);
}

static void
on_room(void *arg)
{
	struct scheduler *s = arg;

	if (s->stopping && !flights_write(&s->flights))
		event_active(s->stop_timer, EV_TIMEOUT, 0);
	scheduler_kick(s);
}

static void
on_volumes_bound(void *arg, const struct placement *at, int64_t begun_ms)
{
	struct scheduler *s = arg;

	measure_step(account_of(s, at->pod)->measure, MEASURE_PRE_BIND,
	    MEASURE_SCHEDULED, seconds_since(begun_ms));
	if (scheduler_may_write(s))
		attempt_send(s, at->pod);
	else
		binding_fail(flight_find(&s->flights, at->pod->object.uid)
				 ->binding,
		    &(struct bind_failure){ .why = NULL });
}

/* ---- evictions ---- */

static bool
may_write(void *arg)
{
	return scheduler_may_write(arg);
}

static void
on_freed(void *arg, const struct pod *pod)
{
	struct scheduler *s = arg;

	if (pod != NULL)
		queue_object_changed(s->queue, &pod->object, NULL, clock_ms());
	else
		queue_move_all(s->queue, QUEUE_ASSIGNED_POD_DELETE, clock_ms());
	scheduler_kick(s);
}

static void
on_gate_changed(void *arg, const struct pod *pod)
{
	struct scheduler *s = arg;

	queue_pod_gate_changed(s->queue, pod, QUEUE_ASSIGNED_POD_DELETE,
	    clock_ms());
	scheduler_kick(s);
}

/* A queue_gate. */
static bool
holds(void *arg, const struct pod *pod)
{
	const struct scheduler *s = arg;

	return flight_evicts(&s->flights, pod) || serving_holds(arg, pod);
}

static void
on_sent(void *arg, const struct pod *pod, int change)
{
	struct scheduler *s = arg;

	queue_count_bindings(s->queue, pod->class->namespace, change);
}

static const struct flight_ops flight_ops = {
	.may_write = may_write,
	.sent = on_sent,
	.volumes_bound = on_volumes_bound,
	.bound = on_bound,
	.failed = on_bind_failed,
	.room = on_room,
	.freed = on_freed,
	.gate_changed = on_gate_changed,
};

/* ---- placement constraints ---- */

/*
 * An object that constrains the placement of pods has changed: the pods that it
 * concerns are tried again.  Each attempt uses the constraints of that moment
 * (attempt_pod()), so when many change and many pods wait, most of the time is
 * left for attempts.
 */
static void
retry_constrained_pods(struct scheduler *s)
{
	int64_t now = clock_ms();
	size_t n, nchanged = 0;
	struct pod **pods;

	if (s->confines == s->options.cluster->confines || now < s->confine_ms)
		return;
	s->confines = s->options.cluster->confines;
	pods = queue_pods(s->queue, &n);
	for (size_t i = 0; i < n; i++) {
		struct pod *pod =
		    cluster_confined(s->options.cluster, pod_ref(pods[i]));

		if (pod->class != pods[i]->class) {
			queue_add(s->queue, pod, now);
			nchanged++;
		}
		pod_unref(pod);
		pod_unref(pods[i]);
	}
	free(pods);
	s->confine_ms = clock_ms() + 10 * (clock_ms() - now);
	if (nchanged > 0)
		log_v(2,
		    "placement constraints changed for %zu of %zu "
		    "pending pods",
		    nchanged, n);
}

/* ---- stalls ---- */

static bool
is_stall(const struct scheduler *s, double seconds)
{
	return s->options.daemon->decision_timeout_ms > 0 &&
	    seconds * 1000 > (double)s->options.daemon->decision_timeout_ms;
}

static void
report_stall(struct scheduler *s, double seconds, const char *by,
    const char *when)
{
	log_warning("the event loop was blocked for %.3f s by %s (%s)", seconds,
	    by, when);
	metrics_inc(s->options.metrics, METRIC_STALLS);
	s->options.stalled(s->options.arg);
}

void
scheduler_stalled(struct scheduler *s, const struct object *object,
    double seconds)
{
	AUTOFREE char *name = NULL;
	enum queue_place place;

	if (!is_stall(s, seconds))
		return;
	name = object_full_name(object);
	report_stall(s, seconds, name, "watch event");
	if (object->kind == OBJECT_POD &&
	    queue_find(s->queue, object->uid, &place) != NULL &&
	    place != QUEUE_IN_FLIGHT)
		attempt_quarantine(s, (const struct pod *)object,
		    "decoding the pod blocked the scheduler");
}

/* ---- turns ---- */

/* Attempts the next pod; false if none waits. */
static bool
take_pod(struct scheduler *s)
{
	struct attempt a = { .popped_ms = clock_ms() };
	double seconds;

	a.pod = queue_pop(s->queue, a.popped_ms, &a.queued);
	if (a.pod == NULL)
		return false;
	s->tried_ms = a.popped_ms;
	plugins_forget(&flight_get(&s->flights, a.pod)->refusal);
	if (a.pod->object.deleting) {
		AUTOFREE char *text =
		    xasprintf("skip schedule deleting pod: %s",
			pod_full_name(a.pod));

		log_v(3, "Skip schedule deleting pod: %s",
		    pod_full_name(a.pod));
		report_failed(&s->flights, a.pod, text);
		queue_delete(s->queue, a.pod);
	} else if (a.queued.suspect &&
	    s->options.daemon->decision_timeout_ms > 0) {
		attempt_quarantine(s, a.pod,
		    "scheduling a pod with the same specification took too "
		    "long");
	} else {
		attempt_begin(s, &a);
		/* abandoned or not, and with the work after the decision */
		seconds = clock_seconds() - a.begun;
		if (is_stall(s, seconds)) {
			AUTOFREE char *name =
			    xasprintf("pod %s", pod_full_name(a.pod));

			report_stall(s, seconds, name,
			    "attempt to schedule it");
		}
	}
	pod_unref(a.pod);
	return true;
}

static bool
is_ready(const struct scheduler *s)
{
	return s->profiles != NULL && !s->stopping &&
	    s->extender_wait == NULL &&
	    (int64_t)s->flights.nsent <
	    s->options.daemon->max_binds_in_flight &&
	    scheduler_may_write(s) && s->options.is_current(s->options.arg);
}

/*
 * Frees symbols that no object uses any more, once there are many: results kept
 * from earlier decisions may be keyed by them and are dropped.  Not while
 * extenders are being asked: their answers name nodes by symbol.
 */
static void
collect_symbols(struct scheduler *s)
{
	size_t unused = sym_unused(), n;

	if (s->extender_wait != NULL || s->profiles == NULL ||
	    unused < UNUSED_SYMBOLS_MIN || unused < sym_count() / 2)
		return;
	servings_drop_results(s);
	dry_run_drop_results(s->dry_run);
	cluster_forget_caches(s->options.cluster);
	n = sym_collect();
	servings_keep_results(s);
	dry_run_keep_results(s->dry_run);
	log_info("freed %zu unused symbols of %zu", n, sym_count() + n);
}

/* unschedulableQTimeInterval; from 1.24 on DefaultPodMaxInUnschedulablePodsDuration */
static int64_t
unschedulable_age_ms(const struct scheduler *s)
{
	if (s->options.daemon->pod_max_unschedulable_ms > 0)
		return s->options.daemon->pod_max_unschedulable_ms;
	return s->options.cluster->kubernetes_minor < 24 ? 60000 : 300000;
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct scheduler *s = arg;
	double end = clock_seconds() + TURN_SECONDS;
	bool more = true;
	int64_t deadline, wait = 0;

	s->turn_is_next = false;
	queue_set_limits(s->queue, unschedulable_age_ms(s),
	    s->options.daemon->max_binds_in_flight);
	queue_tick(s->queue, clock_ms());
	collect_symbols(s);
	if (is_ready(s)) {
		retry_constrained_pods(s);
		if (s->options.recorder != NULL)
			recorder_begin(s->options.recorder);
	}
	while (more && clock_seconds() < end)
		more = is_ready(s) && take_pod(s);
	/* The next turn: at once, or when a pod will be due. */
	if (!more) {
		deadline = queue_next_deadline(s->queue);
		if (deadline == QUEUE_NO_DEADLINE)
			return;
		deadline -= clock_ms();
		wait = deadline > 0 ? deadline : 0;
	}
	s->turn_is_next = more;
	timer_start(s->turn, wait);
}

void
scheduler_kick(struct scheduler *s)
{
	if (s->turn_is_next)
		return;
	s->turn_is_next = true;
	event_add(s->turn, &(struct timeval){ 0 });
}

/* ---- from the caches ---- */

void
scheduler_pod_waits(struct scheduler *s, const struct pod *pod,
    const struct doc_node *root)
{
	enum queue_place place;

	queue_find(s->queue, pod->object.uid, &place);
	if (s->options.cluster->kubernetes_minor >= 35 &&
	    place != QUEUE_IN_FLIGHT)
		measure_step(account_of(s, pod)->measure, MEASURE_SIGN,
		    MEASURE_SCHEDULED, 0);
	flight_seen(&s->flights, pod, root);
	documents_put(s->documents, &pod->object, root);
}

void
scheduler_pod_is_over(struct scheduler *s, const struct pod *pod, bool gone)
{
	struct flight *flight = flight_find(&s->flights, pod->object.uid);

	if (!gone && pod->class->over_limit != NULL)
		left_out_partly(&s->left_out, &pod->object,
		    pod->class->over_limit);
	attempt_forget(s, pod);
	documents_remove(s->documents, &pod->object);
	if (flight != NULL)
		plugins_forget(&flight->refusal);
	if (flight_ended(&s->flights, pod, gone))
		queue_move_all(s->queue, QUEUE_ASSIGNED_POD_DELETE, clock_ms());
}

/* ---- life ---- */

static void
on_stop_timer(evutil_socket_t fd, short what, void *arg)
{
	struct scheduler *s = arg;

	if (s->flights.nsent > 0)
		log_warning("%zu binding requests were not answered in time",
		    s->flights.nsent);
	event_del(s->stop_timer);
	s->options.stopped(s->options.arg);
}

struct scheduler *
scheduler_new(const struct scheduler_options *options)
{
	const struct daemon_options *o = options->daemon;
	struct queue_options queue = queue_options_default;
	struct scheduler *s = xcalloc(1, sizeof(*s));
	struct err err = { "" };

	s->options = *options;
	s->seed = o->seed;
	if (s->seed == 0)
		arc4random_buf(&s->seed, sizeof(s->seed));
	log_info("seed %" PRIu64, s->seed);
	if (o->pod_initial_backoff_ms > 0)
		queue.backoff_initial_ms = o->pod_initial_backoff_ms;
	if (o->pod_max_backoff_ms > 0)
		queue.backoff_max_ms = o->pod_max_backoff_ms;
	queue.namespace_weights = o->namespace_weights;
	s->queue = queue_new(&queue, clock_ms());
	queue_set_gate(s->queue, holds, s);
	s->decisions = decisions_new();
	s->dry_run = dry_run_new(options->cluster, options->metrics);
	s->documents = documents_new(options->client);
	s->flights = (struct flights){ .client = options->client,
		.metrics = options->metrics,
		.events = options->events,
		.cluster = options->cluster,
		.component = options->daemon->scheduler_name,
		.ops = &flight_ops,
		.arg = s };
	s->turn = evtimer_new(options->base, on_turn, s);
	s->stop_timer = evtimer_new(options->base, on_stop_timer, s);
	s->limit = time_limit_new(&err);
	if (s->limit == NULL)
		log_warning("cannot limit the time of decisions: %s", err.text);
	s->sweep_ms = clock_ms() + SWEEP_MS;
	return s;
}

void
scheduler_free(struct scheduler *s)
{
	if (s == NULL)
		return;
	event_free(s->stop_timer);
	event_free(s->turn);
	attempt_end(s);
	flights_fini(&s->flights);
	left_out_fini(&s->left_out);
	documents_free(s->documents);
	dry_run_free(s->dry_run);
	decisions_free(s->decisions);
	queue_free(s->queue);
	servings_free(s);
	arena_fini(&s->arena);
	time_limit_free(s->limit);
	free(s);
}

void
scheduler_set_profiles(struct scheduler *s, struct profiles *profiles)
{
	AUTOFREE sym *names = NULL;

	attempt_give_up(s);
	servings_replace(s, profiles);
	names = xcalloc(s->nserving, sizeof(*names));
	for (size_t i = 0; i < s->nserving; i++)
		names[i] = s->serving[i].name;
	cluster_set_scheduler_names(s->options.cluster, s->nserving, names);
	if (s->options.recorder != NULL)
		recorder_schedulers(s->options.recorder);
	queue_gate_changed(s->queue, clock_ms());
	queue_move_all(s->queue, QUEUE_POLICY_CHANGE, clock_ms());
	scheduler_kick(s);
}

void
scheduler_stand_by(struct scheduler *s)
{
	size_t n;
	struct pod **pods;

	attempt_give_up(s);
	flights_abandon(&s->flights);
	pods = queue_pods(s->queue, &n);
	for (size_t i = 0; i < n; i++) {
		nomination_abandon(&s->flights, pods[i]);
		pod_unref(pods[i]);
	}
	free(pods);
}

void
scheduler_stop(struct scheduler *s, int64_t wait_ms)
{
	s->stopping = true;
	attempt_give_up(s);
	timer_start(s->stop_timer, flights_write(&s->flights) ? wait_ms : 0);
}

static bool
is_held(const struct pod *pod, void *arg)
{
	const struct scheduler *s = arg;

	return flight_is_bound(&s->flights, pod) || attempt_holds(s, pod);
}

void
scheduler_tick(struct scheduler *s)
{
	int64_t now = clock_ms();
	size_t n;

	flights_tick(&s->flights);
	if (scheduler_may_write(s))
		left_out_report(&s->left_out, &s->flights);
	servings_tick(s);
	if (now >= s->sweep_ms) {
		s->sweep_ms = now + SWEEP_MS;
		n = queue_sweep(s->queue, is_held, s);
		if (n > 0)
			log_error("%zu pods were missing from the scheduling "
				  "queue",
			    n);
		metrics_add(s->options.metrics, METRIC_QUEUE_REPAIRS, n);
	}
	scheduler_kick(s);
}

/* ---- explaining ---- */

#define EXPLANATION_BYTES ((size_t)10 << 20)
#define EXPLANATION_MS 10000

struct search {
	const char *name, *last; /* last: its part behind the "/" */
	const struct pod *found;
};

static bool
look_at(const struct queue_waiting *waiting, void *arg)
{
	struct search *search = arg;

	/* The name alone first: there may be very many pods. */
	if (strcmp(waiting->pod->object.name, search->last) == 0 &&
	    strcmp(pod_full_name(waiting->pod), search->name) == 0)
		search->found = waiting->pod;
	return search->found == NULL;
}

bool
scheduler_explain(struct scheduler *s, const char *name, FILE *out)
{
	const char *slash = strchr(name, '/');
	struct search search = { .name = name,
		.last = slash != NULL ? slash + 1 : name };
	struct explanation e = { .max_bytes = EXPLANATION_BYTES,
		.own = s->options.cluster };
	struct arena arena = ARENA_INIT;
	const struct serving *serving;
	struct time_limit *limit;
	struct pod *pod;
	struct err err;

	queue_walk(s->queue, 0, SIZE_MAX, look_at, &search);
	serving = search.found != NULL ? serving_of(s, search.found) : NULL;
	if (serving == NULL)
		return false;
	pod = attempt_pod(s, search.found);
	limit =
	    time_limit_new(&err); /* without one it takes as long as it takes */
	explanation_find(&e,
	    &(struct cycle){ .cluster = s->options.cluster,
		.profile = serving->profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.seed = s->seed,
		.now = time(NULL),
		.keep_scores = true,
		.cancellation = time_limit_begin(limit, EXPLANATION_MS) });
	e.diagnosis = diagnosis_find(&e);
	if (e.decision->chosen == NULL)
		e.misses = misses_by_node(&e);
	time_limit_free(limit);
	explanation_json(&e, out);
	arena_fini(&arena);
	pod_unref(pod);
	return true;
}
