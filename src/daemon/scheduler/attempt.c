/*
 * One attempt to place one pod: decide, perhaps with extenders, and then carry
 * out the decision.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <time.h>

#include "base/clock.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/decisions.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "daemon/scheduler/scheduler.h"
#include "daemon/scheduler/time_limit.h"
#include "daemon/scheduler/volumes.h"
#include "base/hash.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "cluster/volume_binding.h"
#include "daemon/scheduler/dry_run.h"
#include "daemon/scheduler/plugins.h"
#include "daemon/extender/extenders.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/extension.h"
#include "decide/framework/profile.h"
#include "wire/metrics/measure.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "options/options.h"
#include "daemon/record/recorder.h"
#include "decide/sched/decide.h"
#include "explain/miss.h"
#include "decide/sched/post_filter.h"
#include "decide/sched/preempt.h"
#include "explain/whatif/diff.h"
#include "explain/whatif/whatif.h"

#define MESSAGE_MAX 16384 /* of the message about a pod that fits nowhere */
#define MISSES_MAX 1024   /* bytes of its nearest misses */

bool
scheduler_may_write(const struct scheduler *s)
{
	return s->options.may_write(s->options.arg);
}

/* ---- the decision ---- */

static void
on_filtered(void *arg)
{
	struct attempt *a = arg;

	a->filtered = clock_seconds();
}

struct pod *
attempt_pod(const struct scheduler *s, const struct pod *pod)
{
	struct pod *current = nomination_current(&s->flights, pod);

	if (s->confines != s->options.cluster->confines)
		current = cluster_confined(s->options.cluster, current);
	return current;
}

static int64_t
percentage_of_nodes(const struct scheduler *s, const struct attempt *a)
{
	int64_t own = a->serving->profile->percentage_of_nodes;

	return own >= 0 ? own : s->options.daemon->percentage_of_nodes_to_score;
}

static struct measure *
measure_of(const struct attempt *a)
{
	return a->serving->account->measure;
}

static bool
preempts(const struct scheduler *s, const struct attempt *a)
{
	return !s->options.daemon->disable_preemption &&
	    profile_preempts(a->serving->profile);
}

/* attempt_over() ends it. */
static void
begin_cycle(struct scheduler *s, struct attempt *a,
    const struct extension *said)
{
	struct pod *current = attempt_pod(s, a->pod);
	/* kube-scheduler samples one cycle in ten, too */
	bool sampled = a->seed % 10 == 0;

	if (sampled)
		s->stopwatch.n = 0;
	a->cpu_us = clock_cpu_us();
	a->cycle = (struct cycle){
		.cluster = s->options.cluster,
		.profile = a->serving->profile,
		.pod = current,
		.class = current->class,
		.arena = &s->arena,
		.seed = a->seed,
		.now = time(NULL),
		.ecache = a->serving->ecache,
		.percentage_of_nodes = percentage_of_nodes(s, a),
		.extension = said,
		.filtered = on_filtered,
		.filtered_arg = a,
		.stopwatch = sampled ? &s->stopwatch : NULL,
		.cancellation = time_limit_begin(s->limit,
		    s->options.daemon->decision_timeout_ms),
	};
}

void
attempt_charge(struct scheduler *s, sym namespace, int64_t us, bool again)
{
	int64_t each_us =
	    queue_charge(s->queue, namespace, us, again, clock_ms());

	if (each_us == 0)
		return;
	metrics_inc(s->options.metrics, METRIC_COSTLY);
	report_costly(&s->flights, namespace, (double)each_us / 1e6);
}

static void
attempt_over(struct scheduler *s, struct attempt *a)
{
	attempt_charge(s, a->pod->object.namespace, clock_cpu_us() - a->cpu_us,
	    a->queued.number > 1);
	time_limit_end(s->limit);
	pod_unref((struct pod *)a->cycle.pod);
	a->cycle.pod = NULL;
	arena_reset(&s->arena);
}

static double
ms_of(const struct attempt *a)
{
	return (a->ended - a->begun) * 1e3;
}

static void
record(struct scheduler *s, const struct attempt *a, const char *message,
    const struct timespec *now)
{
	const struct decision *d = a->decision;
	const struct pod *pod = a->cycle.pod;

	if (s->options.recorder == NULL)
		return;
	recorder_decision(s->options.recorder,
	    &(struct record_decision){ .seconds = now->tv_sec,
		.microseconds = (int32_t)(now->tv_nsec / 1000),
		.pod = pod_full_name(pod),
		.uid = pod->object.uid,
		.resource_version = pod->object.resource_version,
		.nominated = sym_text(pod->nominated),
		.seed = a->cycle.seed,
		.percentage_of_nodes = a->cycle.percentage_of_nodes,
		.node = d->chosen != NULL ? sym_text(d->chosen->name) : NULL,
		.message = message,
		.nnodes = d->nnodes,
		.nfeasible = d->nfeasible,
		.nbest = d->nbest,
		.score = d->best_total,
		.incomplete = d->abandoned || a->extender_failed,
		.extension = a->cycle.extension });
}

static void
log_decision(struct scheduler *s, const struct attempt *a, const char *message)
{
	const struct decision *d = a->decision;
	const char *node = d->chosen != NULL ? sym_text(d->chosen->name) : NULL;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	record(s, a, message, &now);
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
		log_v(2,
		    "decision: pod=%s node=%s feasible=%u/%u "
		    "score=%" PRId64 " best=%u seed=%" PRIu64 " ms=%.3f",
		    pod_full_name(a->pod), node, d->nfeasible, d->nnodes,
		    d->best_total, d->nbest, a->cycle.seed, ms_of(a));
	else
		log_v(2,
		    "decision: pod=%s node= feasible=%u/%u seed=%" PRIu64
		    " ms=%.3f: %s",
		    pod_full_name(a->pod), d->nfeasible, d->nnodes,
		    a->cycle.seed, ms_of(a), message);
}

/* The results of steps are named after verdicts, in their order. */
static_assert((int)MEASURE_UNRESOLVABLE == (int)UNFIT_FOREVER &&
	(int)MEASURE_ERROR == (int)BROKEN,
    "enum verdict");

/* NULL: there is to be no preemption. */
static struct post_filter *
run_post_filter(struct scheduler *s, struct attempt *a)
{
	double begun = clock_seconds();
	const struct preemption *p;
	struct post_filter *post;

	if (s->options.daemon->disable_preemption)
		return NULL;
	post = post_filter(&a->cycle, a->decision);
	p = post->preemption;
	if (post->ran || post->preempts)
		measure_post_filter(measure_of(a),
		    (enum measure_result)post->verdict, post->preempts,
		    p != NULL ? p->nvictims : 0, clock_seconds() - begun);
	return post;
}

/* ---- extenders have a say in preemption ---- */

/* Extenders are asked about a pod in flight, or which pods to evict for it. */
struct extender_wait {
	struct scheduler *scheduler;
	struct attempt attempt;
	struct extender_round *round;
	struct extender_eviction *eviction;
	/* Of the eviction; of clock_seconds(). */
	double begun;
	char *message;     /* why it fits nowhere */
	uint64_t refusers; /* likewise; of queue_refused() */
};

static struct extender_wait *
extender_wait_new(struct scheduler *s, const struct attempt *a)
{
	struct extender_wait *wait = xcalloc(1, sizeof(*wait));

	wait->scheduler = s;
	wait->attempt = *a;
	wait->attempt.cycle = (struct cycle){ 0 };
	wait->attempt.decision = NULL;
	pod_ref(a->pod);
	s->extender_wait = wait;
	return wait;
}

static void
extender_wait_free(struct extender_wait *wait)
{
	extender_round_free(wait->round);
	extender_eviction_free(wait->eviction);
	pod_unref(wait->attempt.pod);
	free(wait->message);
	free(wait);
}

void
attempt_end(struct scheduler *s)
{
	struct extender_wait *wait = s->extender_wait;

	if (wait == NULL)
		return;
	s->extender_wait = NULL;
	extender_wait_free(wait);
}

static void
on_evictions(void *arg, const struct preemption_candidate *left, size_t n,
    const char *error)
{
	struct extender_wait *wait = arg;
	struct scheduler *s = wait->scheduler;
	const struct pod *pod = wait->attempt.pod;
	const struct preemption *p = NULL;

	begin_cycle(s, &wait->attempt, NULL);
	queue_refused(s->queue, pod, error != NULL ? 0 : wait->refusers,
	    clock_ms());
	if (error == NULL)
		p = preempt_among(&wait->attempt.cycle, left, n);
	else
		log_error("Error preempting victims to make room for %s: %s",
		    pod_full_name(pod), error);
	measure_post_filter(measure_of(&wait->attempt),
	    p != NULL && p->node != NULL ? MEASURE_SCHEDULED :
					   MEASURE_UNSCHEDULABLE,
	    true, p != NULL ? p->nvictims : 0, clock_seconds() - wait->begun);
	if (scheduler_may_write(s))
		preemptor_apply(&s->flights, pod, p, wait->message);
	attempt_over(s, &wait->attempt);
	attempt_end(s);
	scheduler_kick(s);
}

/* false: none handles preemption for this pod, or there is no candidate. */
static bool
ask_extenders_to_preempt(struct scheduler *s, struct attempt *a,
    const char *message, uint64_t refusers)
{
	struct preemption_candidate *candidates;
	struct extender_wait *wait;
	size_t n;

	if (!preempts(s, a) ||
	    !extenders_preempt(a->serving->extenders, a->pod->class))
		return false;
	candidates = preempt_candidates(&a->cycle, a->decision, &n);
	if (n == 0)
		return false;
	wait = extender_wait_new(s, a);
	wait->begun = clock_seconds();
	wait->message = xstrdup(message);
	wait->refusers = refusers;
	wait->eviction = extender_eviction_new(a->serving->extenders, a->pod,
	    candidates, n, on_evictions, wait);
	return true;
}

/* Where reasons name their node, the whole message is too long for people and
 * for a pod's status. */
static const char *
shortened(struct scheduler *s, const char *message)
{
	size_t len = strlen(message);

	if (len <= MESSAGE_MAX)
		return message;
	return arena_printf(&s->arena, "%.*s ...", MESSAGE_MAX, message);
}

/* ---- quarantine ---- */

void
attempt_quarantine(struct scheduler *s, const struct pod *pod, const char *why)
{
	int64_t wait_ms = queue_quarantine(s->queue, pod, clock_ms());
	AUTOFREE char *message = NULL;

	if (wait_ms == 0)
		return;
	message = xasprintf("%s; the next attempt follows in %" PRId64 " s",
	    why, wait_ms / 1000);
	log_warning("pod %s: %s", pod_full_name(pod), message);
	report_error(&s->flights, pod, "SchedulerError", message, message);
}

/* The attempt has been counted. */
static void
set_aside(struct scheduler *s, struct attempt *a)
{
	char why[128];

	snprintf(why, sizeof(why),
	    "scheduling the pod took longer than %g s and was abandoned",
	    (double)s->options.daemon->decision_timeout_ms / 1000);
	metrics_inc(s->options.metrics, METRIC_DECISIONS_ABANDONED);
	attempt_quarantine(s, a->pod, why);
}

/* ---- nearest misses ---- */

/* Every rule is asked about every node for them: not more often than takes this
 * part of the time. */
#define MISSES_SHARE 0.02

struct misses {
	struct scheduler *scheduler;
	struct attempt *attempt;
};

static const char *
find_misses(void *arg)
{
	const struct misses *misses = arg;
	struct scheduler *s = misses->scheduler;
	struct attempt *a = misses->attempt;
	double begun = clock_seconds(), seconds;
	const char *text;

	if (begun < s->misses_due || a->decision->rejected_by != NULL ||
	    cycle_is_cancelled(&a->cycle))
		return NULL;
	text = misses_text(&a->cycle, MISSES_MAX);
	seconds = clock_seconds() - begun;
	s->misses_due = begun + seconds / MISSES_SHARE;
	if (text != NULL)
		waits_put_misses(&s->flights.waits,
		    &flight_get(&s->flights, a->pod)->wait, text);
	return text;
}

static void
report_no_node(struct scheduler *s, struct attempt *a, const char *message)
{
	struct misses misses = { s, a };

	waits_put(&s->flights.waits, &flight_get(&s->flights, a->pod)->wait,
	    message, time(NULL));
	if (a->decision->error != NULL)
		report_failed(&s->flights, a->pod, message);
	else
		report_unschedulable(&s->flights, a->pod, message, find_misses,
		    &misses);
}

/* ---- the dry run ---- */

/* After preemption was considered, and before anything is done about the decision. */
static void
compare(struct scheduler *s, struct attempt *a)
{
	dry_run_compare(s->dry_run, &a->cycle, a->decision, s->limit,
	    s->options.daemon->decision_timeout_ms);
}

/* ---- beside another scheduler ---- */

/* To find the rule that tips a decision, every node is scored: not more often than
 * takes this part of the time. */
#define BESIDE_SHARE 0.05

/* The priority that speaks most for our node over this one; "": it is not looked for
 * now, or there is none. */
static const char *
rule_that_tips(struct scheduler *s, const struct attempt *a, sym node)
{
	struct whatif w = { .cluster = s->options.cluster, .cycle = a->cycle };
	double begun = clock_seconds();
	const char *rule = NULL;
	const struct decision *d;

	if (begun < s->beside_due)
		return "";
	d = whatif_decide_again(&w);
	if (d->chosen != NULL)
		rule = tip_between(&w, d, node, d->chosen->name);
	s->beside_due = begun + (clock_seconds() - begun) / BESIDE_SHARE;
	return rule != NULL ? rule : "";
}

/* Of a decision with each_node, about the node that the other scheduler took. */
static const char *
beside_result(struct scheduler *s, const struct attempt *a,
    const struct node_info *node, const char **rule)
{
	struct decision *d = a->decision;
	const struct node_verdict *verdict;

	if (d->error != NULL || node->index >= d->nnodes)
		return "error";
	if (d->chosen == node)
		return "same";
	verdict = decision_verdict(d, node->index);
	if (verdict->verdict != FITS) {
		if (verdict->step > 0 &&
		    verdict->step <= a->serving->profile->npredicates)
			*rule =
			    a->serving->profile->predicates[verdict->step - 1]
				.name;
		return "refused";
	}
	decision_stay(d, s->options.cluster, node->name);
	if (d->chosen == node)
		return "tie";
	*rule = rule_that_tips(s, a, node->name);
	return "other_node";
}

void
attempt_shadow(struct scheduler *s, const struct pod *pod, sym node)
{
	const struct node_info *info = cluster_node(s->options.cluster, node);
	struct attempt a = { .pod = (struct pod *)pod };
	const char *rule = "", *result, *ours;

	if (s->nserving == 0 || s->extender_wait != NULL || info == NULL ||
	    !scheduler_may_write(s))
		return;
	a.serving = &s->serving[0];
	a.seed = hash_mix(s->seed);
	begin_cycle(s, &a, NULL);
	a.cycle.stopwatch = NULL;
	a.decision = decide(&a.cycle);
	if (a.decision->error == NULL)
		decision_spell_out(&a.cycle, a.decision);
	ours = a.decision->chosen != NULL ? sym_text(a.decision->chosen->name) :
					    "";
	result = beside_result(s, &a, info, &rule);
	metrics_inc(s->options.metrics, METRIC_BESIDE_DECISIONS, result, rule);
	log_v(strcmp(result, "same") == 0 ? 4 : 2,
	    "beside %s: pod=%s result=%s node=%s our_node=%s rule=%s",
	    sym_text(pod->class->scheduler_name), pod_full_name(pod), result,
	    sym_text(node), ours, rule);
	attempt_over(s, &a);
}

/* ---- no node ---- */

/* No node fits, or the decision failed: the pod goes back to the queue. */
static void
return_to_queue(struct scheduler *s, struct attempt *a, const char *message)
{
	const struct decision *d = a->decision;
	const struct post_filter *post = NULL;
	uint64_t refusers;

	measure_attempt(measure_of(a),
	    d->error != NULL ? MEASURE_ERROR : MEASURE_UNSCHEDULABLE,
	    a->ended - a->begun);
	log_v(4, "Unable to schedule %s: no fit: %s; waiting",
	    pod_full_name(a->pod), message);
	refusers = plugins_refused(a->serving->account->plugins,
	    &flight_get(&s->flights, a->pod)->refusal, s->options.cluster,
	    a->pod, d);
	if (d->error == NULL &&
	    ask_extenders_to_preempt(s, a, message, refusers)) {
		report_no_node(s, a, message);
		compare(s, a);
		return;
	}
	/* no event tells that an extender is well again (kube-scheduler 1.36:
	 * what no plugin rejected is tried again after its backoff) */
	queue_refused(s->queue, a->pod, a->extender_failed ? 0 : refusers,
	    clock_ms());
	if (d->error == NULL)
		post = run_post_filter(s, a);
	if (post != NULL && !d->abandoned)
		message =
		    shortened(s, post_filter_message(&a->cycle, message, post));
	report_no_node(s, a, message);
	if (d->abandoned) {
		set_aside(s, a);
		return;
	}
	compare(s, a);
	/* what PostFilter found to be done about the pod's claims */
	if (post != NULL && post->deallocated != NULL)
		claims_deallocate(&s->flights, post->deallocated);
	if (post != NULL && post->deleted != NULL)
		claims_delete(&s->flights, post->deleted);
	preemptor_apply(&s->flights, a->pod,
	    post != NULL ? post->preemption : NULL, message);
}

/* For a failure of the attempt itself: reason SchedulerError. */
static void
fail(struct scheduler *s, struct attempt *a, const char *message)
{
	log_error("pod %s: %s", pod_full_name(a->pod), message);
	measure_attempt(measure_of(a), MEASURE_ERROR, a->ended - a->begun);
	report_error(&s->flights, a->pod, "SchedulerError", message, message);
	queue_retry(s->queue, a->pod, clock_ms());
}

/* The volumes that claims of the pod need first; NULL for none. */
static const struct volume_plan *
volumes_for(struct scheduler *s, struct attempt *a)
{
	struct volume_rules rules;
	struct volume_needs *needs;
	const struct volume_plan *plan;

	if (a->pod->class->nvolumes == 0)
		return NULL;
	rules = cycle_volume_rules(&a->cycle);
	needs = volume_needs_of(&s->arena, s->options.cluster, a->pod->class,
	    &rules);
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
		.flushed = a->queued.flushed,
		.added_ms = a->queued.added_ms,
		.first_ms = a->queued.first_ms,
		.popped_ms = a->popped_ms,
		.nexamined = a->decision->nexamined,
		.nfeasible = a->decision->nfeasible,
	};
	const struct volume_plan *plan = volumes_for(s, a);
	const struct profile *profile = a->serving->profile;
	struct resource_claim **claims = arena_array(&s->arena,
	    struct resource_claim *, a->pod->class->nresource_claims + 1);
	size_t nclaims;
	struct err err;
	bool binds;

	if (!devices_allocate(s->options.cluster, profile, a->cycle.pod,
		at.node, claims, &nclaims)) {
		fail(s, a, "claim allocation not found for node");
		return;
	}
	if (binding_assume(&s->flights, &at, &err) != 0) {
		AUTOFREE char *text =
		    xasprintf("AssumePod failed: %s", err.text);

		for (size_t i = 0; i < nclaims; i++)
			object_unref(&claims[i]->object);
		fail(s, a, text);
		return;
	}
	measure_step(measure_of(a), MEASURE_RESERVE, MEASURE_SCHEDULED,
	    clock_seconds() - a->ended);
	measure_step(measure_of(a), MEASURE_PERMIT, MEASURE_SCHEDULED, 0);
	binds = plan != NULL || nclaims > 0 ||
	    volumes_reserve(&s->flights, a->pod, profile);
	if (s->options.cluster->kubernetes_minor >= 35)
		measure_step(measure_of(a), MEASURE_PRE_BIND_PRE_FLIGHT,
		    binds ? MEASURE_SCHEDULED : MEASURE_SKIPPED, 0);
	if (binds) {
		volumes_bind(&s->flights, a->pod, plan, nclaims, claims,
		    profile, s->options.daemon->volume_bind_timeout_ms);
	} else {
		measure_step(measure_of(a), MEASURE_PRE_BIND, MEASURE_SCHEDULED,
		    0);
		attempt_send(s, a->pod);
	}
}

/* ---- an attempt ---- */

static enum measure_result
result_of(const struct decision *d)
{
	if (d->error != NULL)
		return MEASURE_ERROR;
	return d->chosen != NULL ? MEASURE_SCHEDULED : MEASURE_UNSCHEDULABLE;
}

static enum measure_result
pre_filtered(const struct decision *d)
{
	if (d->rejected_by == NULL)
		return MEASURE_SCHEDULED;
	return d->error != NULL ? MEASURE_ERROR :
				  (enum measure_result)d->verdicts[0].verdict;
}

/* The stages of the decision.  Preemption and binding are not part of it. */
static void
count_times(struct attempt *a)
{
	struct account *account = a->serving->account;
	struct measure *m = account->measure;
	const struct decision *d = a->decision;

	if (a->cycle.stopwatch != NULL)
		plugins_timed(account->plugins, a->cycle.stopwatch,
		    d->error != NULL, &account->pre_filter,
		    &account->pre_score);
	a->cycle.stopwatch = NULL;
	if (d->filter == NULL) /* there are no nodes */
		return;
	measure_step(m, MEASURE_PRE_FILTER, pre_filtered(d),
	    account->pre_filter);
	if (d->rejected_by != NULL)
		return;
	measure_step(m, MEASURE_FILTER,
	    d->error != NULL ? MEASURE_ERROR : MEASURE_SCHEDULED,
	    a->filtered - a->begun);
	if (d->nfeasible < 2 || d->nominated) /* nothing is scored */
		return;
	measure_step(m, MEASURE_PRE_SCORE, MEASURE_SCHEDULED,
	    account->pre_score);
	measure_step(m, MEASURE_SCORE, MEASURE_SCHEDULED,
	    a->ended - a->filtered);
}

static void
conclude(struct scheduler *s, struct attempt *a)
{
	const char *message = "";

	a->ended = clock_seconds();
	if (a->decision->error != NULL && a->cycle.unfinished) {
		log_v(4,
		    "Going on with %s later: it needs more time for devices",
		    pod_full_name(a->pod));
		queue_go_on(s->queue, a->pod, clock_ms());
		return;
	}
	measure_decision(measure_of(a), result_of(a->decision),
	    a->filtered - a->begun, a->ended - a->filtered);
	count_times(a);
	if (a->decision->chosen == NULL)
		message =
		    shortened(s, decision_message(&a->cycle, a->decision));
	log_decision(s, a, message);
	plugins_decided(a->serving->account->plugins, a->decision);
	if (a->decision->chosen != NULL) {
		compare(s, a);
		a->ended = clock_seconds();
		place(s, a);
	} else if (!a->decision->abandoned) {
		return_to_queue(s, a, message);
	} else {
		measure_attempt(measure_of(a), MEASURE_ERROR,
		    a->ended - a->begun);
		set_aside(s, a);
	}
}

void
attempt_send(struct scheduler *s, const struct pod *pod)
{
	const struct serving *serving = serving_of(s, pod);
	bool extended =
	    serving != NULL && extenders_bind(serving->extenders, pod->class);

	binding_send(&s->flights, pod, extended ? serving->extenders : NULL);
}

/* ---- extenders are asked ---- */

/* The nodes that fit by now. */
static size_t
on_fitting(void *arg, const struct extension *said, sym **nodes)
{
	struct extender_wait *wait = arg;
	struct scheduler *s = wait->scheduler;
	struct attempt *a = &wait->attempt;
	const struct decision *d;
	size_t n;

	begin_cycle(s, a, said);
	a->decision = decide(&a->cycle);
	decision_spell_out(&a->cycle, a->decision);
	d = a->decision;
	n = d->error == NULL ? d->nfeasible : 0;
	*nodes = xcalloc(n + 1, sizeof(**nodes));
	for (size_t i = 0; i < n; i++)
		(*nodes)[i] = s->options.cluster->nodes[d->feasible[i]]->name;
	attempt_over(s, a);
	return n;
}

static void
on_decided(void *arg, const struct extension *said, const char *error)
{
	struct extender_wait *wait = arg;
	struct scheduler *s = wait->scheduler;
	struct attempt a = wait->attempt;

	pod_ref(a.pod);
	if (!scheduler_may_write(s)) {
		attempt_give_up(s);
		pod_unref(a.pod);
		return;
	}
	begin_cycle(s, &a, said);
	a.extender_failed = error != NULL;
	if (error != NULL) {
		a.decision = arena_array(&s->arena, struct decision, 1);
		a.decision->nnodes = s->options.cluster->nnodes;
		a.decision->error =
		    arena_strndup(&s->arena, error, strlen(error));
	} else {
		a.decision = decide(&a.cycle);
	}
	s->extender_wait = NULL; /* it may be asked which pods to evict */
	conclude(s, &a);
	attempt_over(s, &a);
	pod_unref(a.pod);
	extender_wait_free(wait);
	scheduler_kick(s);
}

static const struct extender_round_ops round_ops = {
	.fitting = on_fitting,
	.decided = on_decided,
};

void
attempt_begin(struct scheduler *s, struct attempt *a)
{
	struct extender_wait *wait;

	log_v(3, "Attempting to schedule pod: %s", pod_full_name(a->pod));
	a->serving = serving_of(s, a->pod);
	if (a->serving == NULL) { /* no profile has this name now */
		queue_delete(s->queue, a->pod);
		return;
	}
	a->seed =
	    hash_mix(s->seed + s->ndecisions++ * UINT64_C(0x9e3779b97f4a7c15));
	a->begun = a->filtered = clock_seconds();
	if (extenders_decide(a->serving->extenders, a->pod->class)) {
		wait = extender_wait_new(s, a);
		wait->round = extender_round_new(a->serving->extenders, a->pod,
		    &round_ops, wait);
		return;
	}
	begin_cycle(s, a, NULL);
	a->decision = decide(&a->cycle);
	conclude(s, a);
	attempt_over(s, a);
}

bool
attempt_holds(const struct scheduler *s, const struct pod *pod)
{
	return s->extender_wait != NULL &&
	    strcmp(s->extender_wait->attempt.pod->object.uid,
		pod->object.uid) == 0;
}

void
attempt_forget(struct scheduler *s, const struct pod *pod)
{
	if (s->extender_wait != NULL &&
	    strcmp(s->extender_wait->attempt.pod->object.uid,
		pod->object.uid) == 0)
		attempt_end(s);
}

void
attempt_give_up(struct scheduler *s)
{
	struct extender_wait *wait = s->extender_wait;

	if (wait == NULL)
		return;
	queue_retry(s->queue, wait->attempt.pod, clock_ms());
	if (wait->round == NULL && scheduler_may_write(s))
		preemptor_apply(&s->flights, wait->attempt.pod, NULL,
		    wait->message);
	attempt_end(s);
}
