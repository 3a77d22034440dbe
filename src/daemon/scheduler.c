#include "config.h"

#include "daemon/scheduler.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/clock.h"
#include "api/json_text.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "cluster/volume_binding.h"
#include "daemon/binder.h"
#include "daemon/decisions.h"
#include "daemon/measure.h"
#include "daemon/metrics.h"
#include "daemon/preemptor.h"
#include "daemon/report.h"
#include "daemon/volumes.h"
#include "model/pod.h"
#include "predicates/registry.h"
#include "sched/decide.h"
#include "sched/explanation.h"
#include "sched/memo.h"
#include "sched/preempt.h"
#include "sched/profile.h"

/* After so long a turn the loop has a look at the network. */
#define TURN_SECONDS 0.002
#define SWEEP_MS 30000
#define MESSAGE_MAX 16384 /* of what is said of a pod that fits nowhere */

struct scheduler {
	struct scheduler_options options;
	char *name;

	struct queue *queue;
	struct report *report;
	struct preemptor *preemptor;
	struct binder *binder;
	struct volumes *volumes;
	struct decisions *decisions;
	struct measure *measure;

	struct profile *profile; /* NULL until there is one */
	struct memo *memo;
	struct arena arena; /* of one decision */
	uint64_t seed, ndecisions;
	uint64_t confines; /* cluster->confines that the queue's pods are by */

	bool stopping;
	struct event *turn;
	bool turn_is_next; /* the timer waits for nothing */
	struct event *stop_timer;
	int64_t sweep_ms;
};

static bool
may_write(const struct scheduler *s)
{
	return s->options.may_write(s->options.arg);
}

static double
seconds_since(int64_t ms)
{
	return (double)(clock_ms() - ms) / 1000;
}

/* ---- what becomes of bindings ---- */

static void
on_bound(void *arg, const struct placement *at)
{
	struct scheduler *s = arg;

	log_v(2, "pod %s is bound successfully on node %s, %u nodes evaluated, "
	    "%u nodes were found feasible", pod_full_name(at->pod),
	    sym_text(at->node), at->nexamined, at->nfeasible);
	report_bound(s->report, at->pod, at->node);
	measure_bound(s->measure, at, clock_ms());
}

/* The room it had taken is free again, which others may be waiting for. */
static void
take_back(struct scheduler *s, const struct pod *pod)
{
	int64_t now = clock_ms();
	const struct pod *held =
	    queue_find(s->queue, pod->object.uid, NULL);

	if (held != NULL) {
		/* Assuming it has dropped its nomination. */
		cluster_put(s->options.cluster, (struct object *)&held->object);
		preemptor_seen(s->preemptor, held);
		queue_retry(s->queue, held, now);
	}
	queue_move_all(s->queue, QUEUE_ASSIGNED_POD_DELETE, now);
	scheduler_kick(s);
}

static void
on_bind_failed(void *arg, const struct placement *at, const char *why)
{
	struct scheduler *s = arg;

	if (why != NULL) {
		AUTOFREE char *text = xasprintf("Binding rejected: %s", why);

		log_error("binding pod %s to node %s: %s",
		    pod_full_name(at->pod), sym_text(at->node), why);
		measure_attempt(s->measure, MEASURE_ERROR,
		    seconds_since(at->popped_ms));
		measure_step(s->measure, MEASURE_BIND, MEASURE_ERROR,
		    seconds_since(at->sent_ms));
		report_failed(s->report, at->pod, text);
		report_status(s->report, at->pod, "SchedulerError", why,
		    SYM_NONE, NULL, NULL);
	}
	take_back(s, at->pod);
}

static void
on_room(void *arg)
{
	struct scheduler *s = arg;

	if (s->stopping && binder_in_flight(s->binder) == 0)
		event_active(s->stop_timer, EV_TIMEOUT, 0);
	scheduler_kick(s);
}

static const struct binder_ops binder_ops = {
	.bound = on_bound,
	.failed = on_bind_failed,
	.room = on_room,
};

/* ---- what becomes of volumes ---- */

static void
on_volumes_failed(void *arg, const struct pod *pod, int64_t begun_ms,
    const char *why)
{
	struct scheduler *s = arg;
	double seconds = seconds_since(begun_ms);

	binder_forget(s->binder, pod->object.uid);
	if (why != NULL) {
		log_error("binding the volumes of pod %s: %s",
		    pod_full_name(pod), why);
		measure_attempt(s->measure, MEASURE_ERROR, seconds);
		measure_step(s->measure, MEASURE_PRE_BIND, MEASURE_ERROR,
		    seconds);
		report_failed(s->report, pod, why);
		report_status(s->report, pod, "VolumeBindingFailed", why,
		    SYM_NONE, NULL, NULL);
	}
	take_back(s, pod);
}

static void
on_volumes_ready(void *arg, const struct pod *pod, int64_t begun_ms)
{
	struct scheduler *s = arg;

	measure_step(s->measure, MEASURE_PRE_BIND, MEASURE_SCHEDULED,
	    seconds_since(begun_ms));
	if (may_write(s))
		binder_send(s->binder, pod->object.uid);
	else
		on_volumes_failed(s, pod, begun_ms, NULL);
}

static const struct volumes_ops volumes_ops = {
	.ready = on_volumes_ready,
	.failed = on_volumes_failed,
};

/* ---- one pod ---- */

/* One attempt to place one pod. */
struct attempt {
	struct pod *pod; /* as the queue has it */
	struct queue_attempt queued;
	int64_t popped_ms;
	struct cycle cycle;
	struct decision *decision;
	double begun, filtered, ended; /* of measure_clock() */
};

static double
ms_of(const struct attempt *a)
{
	return (a->ended - a->begun) * 1e3;
}

static void
log_decision(struct scheduler *s, const struct attempt *a, const char *message)
{
	const struct decision *d = a->decision;
	const char *node = d->chosen != NULL ? sym_text(d->chosen->name) : NULL;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	decisions_add(s->decisions,
	    &(struct decision_record){ .seconds = now.tv_sec,
		.microseconds = (int32_t)(now.tv_nsec / 1000),
		.pod = pod_full_name(a->pod),
		.node = node,
		.message = message,
		.nnodes = d->nnodes,
		.nfeasible = d->nfeasible,
		.nbest = d->nbest,
		.score = d->best_total,
		.seed = a->cycle.seed,
		.ms = ms_of(a) });
	if (node != NULL)
		log_v(2, "decision: pod=%s node=%s feasible=%u/%u "
		    "score=%" PRId64 " best=%u seed=%" PRIu64 " ms=%.3f",
		    pod_full_name(a->pod), node, d->nfeasible, d->nnodes,
		    d->best_total, d->nbest, a->cycle.seed,
		    ms_of(a));
	else
		log_v(2, "decision: pod=%s node= feasible=%u/%u seed=%" PRIu64
		    " ms=%.3f: %s", pod_full_name(a->pod), d->nfeasible,
		    d->nnodes, a->cycle.seed, ms_of(a), message);
}

static struct preemption *
make_room(struct scheduler *s, struct attempt *a)
{
	double begun = measure_clock();
	struct preemption *p;

	if (!s->options.tuning.preempts)
		return NULL;
	p = preempt(&a->cycle, a->decision);
	measure_preemption(s->measure, p != NULL && p->node != NULL,
	    p != NULL ? p->nvictims : 0, measure_clock() - begun);
	return p;
}

/* Nothing fits, or it cannot be told: the pod goes back to the queue. */
static void
leave(struct scheduler *s, struct attempt *a, const char *message)
{
	const struct decision *d = a->decision;
	const struct preemption *preemption = NULL;

	measure_attempt(s->measure,
	    d->error != NULL ? MEASURE_ERROR : MEASURE_UNSCHEDULABLE,
	    a->ended - a->begun);
	log_v(4, "Unable to schedule %s: no fit: %s; waiting",
	    pod_full_name(a->pod), message);
	queue_failed(s->queue, a->pod, clock_ms());
	report_failed(s->report, a->pod, message);
	if (d->error == NULL && d->chosen == NULL)
		preemption = make_room(s, a);
	preemptor_apply(s->preemptor, a->pod, preemption, message);
}

/* Where reasons name their node the whole message is far more than anybody reads
 * and the API server wants in a pod's status. */
static const char *
shortened(struct scheduler *s, const char *message)
{
	size_t len = strlen(message);

	if (len <= MESSAGE_MAX)
		return message;
	return arena_printf(&s->arena, "%.*s ...", MESSAGE_MAX, message);
}

/* What could not have been decided that way: reason SchedulerError. */
static void
fail(struct scheduler *s, struct attempt *a, const char *message)
{
	log_error("pod %s: %s", pod_full_name(a->pod), message);
	measure_attempt(s->measure, MEASURE_ERROR, a->ended - a->begun);
	report_failed(s->report, a->pod, message);
	report_status(s->report, a->pod, "SchedulerError", message, SYM_NONE,
	    NULL, NULL);
	queue_retry(s->queue, a->pod, clock_ms());
}

/* What volumes have to be given to claims of the pod first; NULL for none. */
static const struct volume_plan *
volumes_for(struct scheduler *s, struct attempt *a)
{
	struct volume_needs *needs;
	const struct volume_plan *plan;

	if (a->pod->class->nvolumes == 0)
		return NULL;
	needs = volume_needs_of(&s->arena, s->options.cluster, a->pod->class);
	if (needs == NULL)
		return NULL;
	plan = volume_plan(needs, a->decision->chosen->node);
	return plan->nmatches + plan->nprovisions > 0 ? plan : NULL;
}

static void
place(struct scheduler *s, struct attempt *a)
{
	struct placement at = {
		.pod = a->pod,
		.node = a->decision->chosen->name,
		.attempt = a->queued.number,
		.added_ms = a->queued.added_ms,
		.popped_ms = a->popped_ms,
		.nexamined = a->decision->nexamined,
		.nfeasible = a->decision->nfeasible,
	};
	const struct volume_plan *plan = volumes_for(s, a);
	struct err err;

	if (binder_assume(s->binder, &at, &err) != 0) {
		AUTOFREE char *text =
		    xasprintf("AssumePod failed: %s", err.text);

		fail(s, a, text);
		return;
	}
	preemptor_forget(s->preemptor, a->pod);
	report_overtake(s->report, a->pod);
	if (plan != NULL)
		volumes_bind(s->volumes, a->pod, at.node, plan);
	else
		binder_send(s->binder, a->pod->object.uid);
}

static uint64_t
next_seed(struct scheduler *s)
{
	return hash_mix(s->seed +
	    s->ndecisions++ * UINT64_C(0x9e3779b97f4a7c15));
}

static void
on_filtered(void *arg)
{
	struct attempt *a = arg;

	a->filtered = measure_clock();
}

static void
try_pod(struct scheduler *s, struct attempt *a)
{
	struct pod *current = preemptor_current(s->preemptor, a->pod);

	log_v(3, "Attempting to schedule pod: %s", pod_full_name(a->pod));
	a->cycle = (struct cycle){
		.cluster = s->options.cluster,
		.profile = s->profile,
		.pod = current,
		.class = current->class,
		.arena = &s->arena,
		.seed = next_seed(s),
		.memo = s->memo,
		.percentage_of_nodes = s->options.tuning.percentage_of_nodes,
		.filtered = on_filtered,
		.filtered_arg = a,
	};
	a->begun = a->filtered = measure_clock();
	a->decision = decide(&a->cycle);
	a->ended = measure_clock();
	measure_decision(s->measure, a->decision, a->filtered - a->begun,
	    a->ended - a->filtered);
	if (a->decision->chosen != NULL) {
		log_decision(s, a, "");
		place(s, a);
	} else {
		const char *message = shortened(s,
		    decision_message(&a->cycle, a->decision));

		log_decision(s, a, message);
		leave(s, a, message);
	}
	arena_reset(&s->arena);
	pod_unref(current);
}

/* The next pod; false when there is none. */
static bool
take_pod(struct scheduler *s)
{
	struct attempt a = { .popped_ms = clock_ms() };

	a.pod = queue_pop(s->queue, a.popped_ms, &a.queued);
	if (a.pod == NULL)
		return false;
	if (a.pod->object.deleting) {
		log_v(3, "Skip schedule deleting pod: %s",
		    pod_full_name(a.pod));
		report_skipped(s->report, a.pod);
		queue_delete(s->queue, a.pod);
	} else {
		try_pod(s, &a);
	}
	pod_unref(a.pod);
	return true;
}

/* ---- confines ---- */

struct waiting {
	size_t n, cap;
	struct pod **pods;
};

static void
add_waiting(const struct pod *pod, enum queue_place place, void *arg)
{
	struct waiting *waiting = arg;

	vec_room(waiting->pods, waiting->n, &waiting->cap);
	waiting->pods[waiting->n++] = pod_ref(pod);
}

/* Something that may confine pods has changed: those that it concerns are tried
 * again. */
static void
confine_anew(struct scheduler *s)
{
	struct waiting waiting = { 0 };
	int64_t now = clock_ms();
	size_t nchanged = 0;

	if (s->confines == s->options.cluster->confines)
		return;
	s->confines = s->options.cluster->confines;
	queue_each(s->queue, add_waiting, &waiting);
	for (size_t i = 0; i < waiting.n; i++) {
		const struct pod *before = waiting.pods[i];
		struct pod *pod =
		    cluster_confined(s->options.cluster, pod_ref(before));

		if (pod->class != before->class) {
			queue_update(s->queue, NULL, pod, now);
			nchanged++;
		}
		pod_unref(pod);
		pod_unref(waiting.pods[i]);
	}
	free(waiting.pods);
	if (nchanged > 0)
		log_v(2, "%zu of %zu pods that wait are confined otherwise now",
		    nchanged, waiting.n);
}

/* ---- turns ---- */

static bool
is_ready(const struct scheduler *s)
{
	return s->profile != NULL && !s->stopping &&
	    binder_has_room(s->binder) && may_write(s);
}

/* Comes again when there is more to do now, or something will be. */
static void
rearm(struct scheduler *s, bool more)
{
	int64_t deadline = queue_next_deadline(s->queue);
	struct timeval wait = { 0 };

	if (!more) {
		if (deadline == QUEUE_NO_DEADLINE)
			return;
		deadline -= clock_ms();
		wait = clock_timeval(deadline > 0 ? deadline : 0);
	}
	s->turn_is_next = more;
	event_add(s->turn, &wait);
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct scheduler *s = arg;
	double end = measure_clock() + TURN_SECONDS;
	bool more = true;

	s->turn_is_next = false;
	queue_tick(s->queue, clock_ms());
	if (is_ready(s))
		confine_anew(s);
	while (more && measure_clock() < end)
		more = is_ready(s) && take_pod(s);
	rearm(s, more);
}

void
scheduler_kick(struct scheduler *s)
{
	if (s->turn_is_next)
		return;
	s->turn_is_next = true;
	event_add(s->turn, &(struct timeval){ 0 });
}

/* ---- what the caches say ---- */

static void
on_pod_waits(void *arg, const struct pod *pod, const struct doc_node *root)
{
	struct scheduler *s = arg;

	report_seen(s->report, pod, root);
	preemptor_seen(s->preemptor, pod);
}

static void
on_pod_placed(void *arg, const struct pod *pod)
{
	struct scheduler *s = arg;

	volumes_forget(s->volumes, pod);
	binder_confirm(s->binder, pod);
	report_forget(s->report, pod);
	preemptor_forget(s->preemptor, pod);
}

static void
on_pod_removed(void *arg, const struct pod *pod)
{
	struct scheduler *s = arg;

	volumes_forget(s->volumes, pod);
	/* What it had taken of its node is free again. */
	if (binder_remove(s->binder, pod->object.uid))
		queue_move_all(s->queue, QUEUE_ASSIGNED_POD_DELETE,
		    clock_ms());
	report_forget(s->report, pod);
	preemptor_forget(s->preemptor, pod);
}

static void
on_policy_put(void *arg, const struct distribution_policy *policy)
{
	const struct scheduler *s = arg;

	report_policy(s->report, policy);
}

static void
on_changed(void *arg)
{
	scheduler_kick(arg);
}

const struct caches_ops scheduler_caches_ops = {
	.pod_waits = on_pod_waits,
	.pod_placed = on_pod_placed,
	.pod_removed = on_pod_removed,
	.policy_put = on_policy_put,
	.changed = on_changed,
};

/* ---- life ---- */

static void
on_stop_timer(evutil_socket_t fd, short what, void *arg)
{
	struct scheduler *s = arg;

	if (binder_in_flight(s->binder) > 0)
		log_warning("%zu bindings were not answered in time",
		    binder_in_flight(s->binder));
	event_del(s->stop_timer);
	s->options.stopped(s->options.arg);
}

struct scheduler *
scheduler_new(const struct scheduler_options *options)
{
	struct scheduler *s = xcalloc(1, sizeof(*s));

	s->options = *options;
	s->name = xstrdup(options->name);
	s->seed = options->seed;
	if (s->seed == 0)
		arc4random_buf(&s->seed, sizeof(s->seed));
	log_info("seed %" PRIu64, s->seed);
	s->queue = queue_new(&queue_options_default, clock_ms());
	s->decisions = decisions_new();
	s->measure = measure_new(options->metrics, s->name);
	s->report = report_new(options->client, options->events, s->name);
	s->preemptor = preemptor_new(options->client, options->cluster,
	    s->report, options->may_write, options->arg);
	s->binder = binder_new(options->client, options->cluster,
	    options->tuning.max_binds, &binder_ops, s);
	s->volumes = volumes_new(options->client, options->cluster,
	    &volumes_ops, s);
	s->turn = evtimer_new(options->base, on_turn, s);
	s->stop_timer = evtimer_new(options->base, on_stop_timer, s);
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
	volumes_free(s->volumes);
	binder_free(s->binder);
	report_free(s->report); /* its writes point into the preemptor */
	preemptor_free(s->preemptor);
	measure_free(s->measure);
	decisions_free(s->decisions);
	queue_free(s->queue);
	memo_free(s->memo);
	profile_free(s->profile);
	arena_fini(&s->arena);
	free(s->name);
	free(s);
}

struct queue *
scheduler_queue(const struct scheduler *s)
{
	return s->queue;
}

const struct profile *
scheduler_profile(const struct scheduler *s)
{
	return s->profile;
}

void
scheduler_set_profile(struct scheduler *s, struct profile *profile)
{
	memo_free(s->memo);
	profile_free(s->profile);
	s->profile = profile;
	s->options.cluster->leaf_volumes = profile_checks(profile,
	    &predicate_leaf_node_volume_binding);
	s->memo = memo_new(s->options.cluster, profile, MEMO_BYTES_DEFAULT);
	queue_move_all(s->queue, QUEUE_POLICY_CHANGE, clock_ms());
	scheduler_kick(s);
}

void
scheduler_tune(struct scheduler *s, const struct scheduler_tuning *tuning)
{
	s->options.tuning = *tuning;
	binder_set_limit(s->binder, tuning->max_binds);
	scheduler_kick(s);
}

void
scheduler_stand_by(struct scheduler *s)
{
	volumes_abandon(s->volumes);
	binder_abandon(s->binder);
}

void
scheduler_stop(struct scheduler *s, int64_t wait_ms)
{
	struct timeval wait = clock_timeval(wait_ms);

	s->stopping = true;
	if (binder_in_flight(s->binder) == 0)
		wait = (struct timeval){ 0 };
	event_add(s->stop_timer, &wait);
}

static bool
is_held(const struct pod *pod, void *arg)
{
	const struct scheduler *s = arg;

	return binder_holds(s->binder, pod->object.uid);
}

void
scheduler_tick(struct scheduler *s)
{
	int64_t now = clock_ms();
	size_t n;

	binder_tick(s->binder);
	volumes_tick(s->volumes);
	if (now >= s->sweep_ms) {
		s->sweep_ms = now + SWEEP_MS;
		n = queue_sweep(s->queue, is_held, s);
		if (n > 0)
			log_error("%zu pods were in no queue", n);
		metrics_add(s->options.metrics, METRIC_QUEUE_REPAIRS, n);
	}
	scheduler_kick(s);
}

void
scheduler_count(const struct scheduler *s, struct scheduler_counts *counts)
{
	counts->in_flight = binder_in_flight(s->binder);
	counts->assumed = binder_assumed(s->binder);
	counts->expired = binder_expired(s->binder);
	counts->memo_bytes = s->memo != NULL ? memo_bytes(s->memo) : 0;
}

void
scheduler_decisions(const struct scheduler *s, FILE *out)
{
	decisions_json(s->decisions, out);
}

/* ---- explaining ---- */

struct search {
	const char *name;
	const struct pod *found;
};

static void
look_at(const struct pod *pod, enum queue_place place, void *arg)
{
	struct search *search = arg;

	if (strcmp(pod_full_name(pod), search->name) == 0)
		search->found = pod;
}

bool
scheduler_explain(struct scheduler *s, const char *name, FILE *out)
{
	struct search search = { .name = name };
	struct explanation e = { 0 };
	struct arena arena = ARENA_INIT;
	struct pod *pod;

	confine_anew(s);
	queue_each(s->queue, look_at, &search);
	if (search.found == NULL || s->profile == NULL)
		return false;
	pod = preemptor_current(s->preemptor, search.found);
	explanation_find(&e,
	    &(struct cycle){ .cluster = s->options.cluster,
		.profile = s->profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.seed = s->seed,
		.keep_scores = true });
	explanation_json(&e, out);
	arena_fini(&arena);
	pod_unref(pod);
	return true;
}
