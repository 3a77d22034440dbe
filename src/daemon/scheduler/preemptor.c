#include "config.h"

#include "daemon/scheduler/preemptor.h"

#include <time.h>

#include "wire/api/writes.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/report.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "decide/sched/preempt.h"

#define MARKS_FROM 26 /* the release that has DisruptionTarget by default */

/* A pod that preempts, until its victims are leaving. */
struct eviction {
	struct flight *flight;
	struct pod *pod; /* nominated to the node */
	size_t n;
	struct pod **victims;
	size_t nleft; /* of these, plus one while they are being counted */
	bool failed;
	bool is_moot; /* the pod waits no longer */
};

/* One for all pods that preempt it. */
struct victim {
	LIST_ENTRY(victim) all;
	struct flight *flight;
	struct pod *pod;
	struct pod *by; /* the first of them */
	struct api_call *call;
	bool is_deleted; /* as far as the API server knows */
	size_t nevictions, cap;
	struct eviction **evictions;
};

void
eviction_free(struct eviction *eviction)
{
	if (eviction == NULL)
		return;
	for (size_t i = 0; i < eviction->n; i++)
		pod_unref(eviction->victims[i]);
	free(eviction->victims);
	pod_unref(eviction->pod);
	free(eviction);
}

void
victim_free(struct victim *victim)
{
	if (victim == NULL)
		return;
	LIST_REMOVE(victim, all);
	api_cancel(victim->call);
	pod_unref(victim->pod);
	pod_unref(victim->by);
	free(victim->evictions);
	free(victim);
}

/* ---- nominations ---- */

/* Nominates the pod in the cluster, unless it is on a node. */
static void
put_nominated(struct flights *flights, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(flights->cluster, &nominated->object);
	pod_unref(nominated);
}

static void
nominate(struct flights *flights, const struct pod *pod, sym node)
{
	struct flight *flight = flight_get(flights, pod);

	flight->is_nominated = true;
	sym_unref(flight->nominated);
	flight->nominated = sym_ref(node);
	put_nominated(flights, pod, node);
}

void
nomination_ends(struct flights *flights, const struct pod *pod, sym next)
{
	const struct pod *held =
	    cluster_nominated_pod(flights->cluster, pod->object.uid);

	if (held != NULL && held->nominated != next)
		flights->ops->freed(flights->arg, held);
}

static void
drop_nomination(struct flights *flights, const struct pod *pod)
{
	nomination_ends(flights, pod, SYM_EMPTY);
	nominate(flights, pod, SYM_EMPTY);
}

static void
clear_nomination(struct flights *flights, const struct pod *pod)
{
	drop_nomination(flights, pod);
	report_status(flights, pod, NULL, NULL, SYM_EMPTY, NULL);
}

static bool
is_ahead(const struct flight *flight, const struct pod *pod)
{
	return flight != NULL && flight->is_nominated &&
	    (report_is_ahead(flight, pod) ||
		(flight->nominated_at == 0 &&
		    flight->nominated != pod->nominated));
}

void
nomination_seen(struct flight *flight, const struct pod *pod)
{
	flight->is_nominated = is_ahead(flight, pod);
	if (flight->is_nominated)
		put_nominated(flight->of, pod, flight->nominated);
}

void
nomination_abandon(struct flights *flights, const struct pod *pod)
{
	struct flight *flight = flight_find(flights, pod->object.uid);

	if (flight == NULL || !flight->is_nominated)
		return;
	nomination_ends(flights, pod, pod->nominated);
	flight->is_nominated = false;
	put_nominated(flights, pod, pod->nominated);
}

sym
nomination_of(const struct flights *flights, const struct pod *pod)
{
	const struct flight *flight = flight_find(flights, pod->object.uid);

	return is_ahead(flight, pod) ? flight->nominated : pod->nominated;
}

struct pod *
nomination_current(const struct flights *flights, const struct pod *pod)
{
	sym node = nomination_of(flights, pod);

	return node != pod->nominated ? pod_nominated_to(pod, node) :
					pod_ref(pod);
}

/* ---- victims ---- */

static void
one_less(struct eviction *eviction)
{
	struct flight *flight = eviction->flight;
	struct flights *flights = flight->of;

	if (--eviction->nleft > 0)
		return;
	flight->eviction = NULL;
	if (!eviction->is_moot) {
		if (eviction->failed && flights_may_write(flights))
			clear_nomination(flights, eviction->pod);
		flights->ops->gate_changed(flights->arg, eviction->pod);
	}
	eviction_free(eviction);
	flight_release(flight);
}

static void
victim_over(struct victim *victim, bool failed)
{
	struct flight *flight = victim->flight;

	flight->victim = NULL;
	for (size_t i = 0; i < victim->nevictions; i++) {
		victim->evictions[i]->failed |= failed;
		one_less(victim->evictions[i]);
	}
	victim_free(victim);
	flight_release(flight);
}

/* As far as is known. */
static bool
stays_on(const struct flights *flights, sym name, const struct pod *pod)
{
	const struct node_info *node = cluster_node(flights->cluster, name);

	for (uint32_t i = 0; node != NULL && i < node->npods; i++)
		if (strcmp(node->pods[i]->object.uid, pod->object.uid) == 0)
			return !node->pods[i]->class->terminating;
	return false;
}

/* It may leave while its deletion waits: one that was not bound yet goes to another node
 * when its binding fails. */
static bool
is_wanted(void *arg)
{
	const struct victim *victim = arg;

	return stays_on(victim->flight->of, victim->by->nominated, victim->pod);
}

void
victim_seen(struct victim *victim)
{
	if (victim->is_deleted && !is_wanted(victim))
		victim_over(victim, false);
}

static void
give_up(struct victim *victim, const struct api_response *response)
{
	struct err err;

	api_explain(response, &err);
	log_error("Error preempting pod %s: %s", pod_full_name(victim->pod),
	    err.text);
	victim_over(victim, true);
}

static bool
is_done(const struct api_response *response)
{
	return response->status >= 200 && response->status <= 299;
}

/* It is gone already, or another pod has its name. */
static bool
is_gone(const struct api_response *response)
{
	return response->status == 404 || response->status == 409;
}

static void
on_deleted(void *arg, const struct api_response *response)
{
	struct victim *victim = arg;

	victim->call = NULL;
	if (response->unsent && !is_wanted(victim)) {
		victim_over(victim, false);
		return;
	}
	if (is_done(response)) {
		log_v(2, "preempted pod %s on node %s",
		    pod_full_name(victim->pod),
		    sym_text(victim->by->nominated));
		report_preempted(victim->flight->of, victim->pod, victim->by,
		    victim->by->nominated);
	} else if (!is_gone(response)) {
		give_up(victim, response);
		return;
	}
	victim->is_deleted = true;
	if (response->status == 409) /* seen with another uid, so it left */
		victim_over(victim, false);
	else
		victim_seen(victim);
}

static void
delete_victim(struct victim *victim)
{
	struct pod_id id = api_pod_id(victim->pod);

	victim->call = api_delete_pod(victim->flight->of->client, &id,
	    is_wanted, on_deleted, victim);
}

static void
on_marked(void *arg, const struct api_response *response)
{
	struct victim *victim = arg;

	victim->call = NULL;
	if (is_done(response) || is_gone(response))
		delete_victim(victim);
	else
		give_up(victim, response);
}

/* From 1.26 on a victim gets a condition with the cause, so that Jobs do not
 * count the eviction as a failure. */
static void
mark_victim(struct victim *victim)
{
	const struct flights *flights = victim->flight->of;
	const char *scheduler = sym_text(victim->by->class->scheduler_name);
	AUTOFREE char *message = xasprintf("%s: preempting to accommodate a "
					   "higher priority pod",
	    scheduler);
	struct pod_id id = api_pod_id(victim->pod);
	char now[32];

	victim->call = api_patch_pod_status(flights->client, &id,
	    &(struct pod_status_change){ .type = "DisruptionTarget",
		.status = "True",
		.reason = "PreemptionByScheduler",
		.message = message,
		.transition = api_time(now, sizeof(now), time(NULL), -1),
		.observed_generation =
		    report_generation(flights->cluster, victim->pod) },
	    on_marked, victim);
}

static struct victim *
victim_new(struct eviction *eviction, struct pod *pod)
{
	struct flights *flights = eviction->flight->of;
	struct victim *victim = xcalloc(1, sizeof(*victim));

	LIST_INSERT_HEAD(&flights->victims, victim, all);
	victim->flight = flight_get(flights, pod);
	victim->flight->victim = victim;
	victim->pod = pod_ref(pod);
	victim->by = pod_ref(eviction->pod);
	if (flights->cluster->kubernetes_minor >= MARKS_FROM)
		mark_victim(victim);
	else
		delete_victim(victim);
	return victim;
}

static void
on_nominated(struct flight *flight, const char *error)
{
	struct eviction *eviction = flight->eviction;
	const struct flights *flights = flight->of;

	if (error != NULL) {
		log_warning("nominating pod %s to node %s: %s",
		    pod_full_name(eviction->pod),
		    sym_text(eviction->pod->nominated), error);
		eviction->failed = true;
	}
	for (size_t i = 0; error == NULL && i < eviction->n; i++) {
		struct pod *pod = eviction->victims[i];
		const struct flight *its =
		    flight_find(flights, pod->object.uid);
		struct victim *victim = its != NULL ? its->victim : NULL;

		/* It may have left since the decision, or another pod may
		 * preempt it, too. */
		if (victim == NULL) {
			if (!stays_on(flights, eviction->pod->nominated, pod))
				continue;
			victim = victim_new(eviction, pod);
		}
		vec_room(victim->evictions, victim->nevictions, &victim->cap);
		victim->evictions[victim->nevictions++] = eviction;
		eviction->nleft++;
	}
	one_less(eviction);
}

void
preemptor_apply(struct flights *flights, const struct pod *pod,
    const struct preemption *p, const char *message)
{
	struct eviction *eviction;

	if (p == NULL || p->node == NULL) {
		/* No node would help: the pod gives up its own nomination. */
		bool gives_up = p != NULL && p->nclears > 0;

		if (gives_up)
			drop_nomination(flights, pod);
		report_status(flights, pod, "Unschedulable", message,
		    gives_up ? SYM_EMPTY : SYM_NONE, NULL);
		return;
	}
	log_v(2, "pod %s preempts %zu pods on node %s", pod_full_name(pod),
	    p->nvictims, sym_text(p->node->name));
	eviction = xcalloc(1, sizeof(*eviction));
	eviction->flight = flight_get(flights, pod);
	eviction->flight->eviction = eviction;
	eviction->pod = pod_nominated_to(pod, p->node->name);
	eviction->n = p->nvictims;
	eviction->nleft = 1;
	eviction->victims = xcalloc(p->nvictims + 1, sizeof(struct pod *));
	for (size_t i = 0; i < p->nvictims; i++)
		eviction->victims[i] = pod_ref(p->victims[i]);
	flights->ops->gate_changed(flights->arg, pod);
	/* p->clears points into an array that each of these changes. */
	for (size_t i = 0; i < p->nclears; i++)
		pod_ref(p->clears[i]);
	for (size_t i = 0; i < p->nclears; i++) {
		clear_nomination(flights, p->clears[i]);
		pod_unref((struct pod *)p->clears[i]);
	}
	nominate(flights, pod, eviction->pod->nominated);
	report_status(flights, pod, "Unschedulable", message,
	    eviction->pod->nominated, on_nominated);
}

void
evictions_abandon(struct flights *flights)
{
	while (!LIST_EMPTY(&flights->victims))
		victim_over(LIST_FIRST(&flights->victims), true);
}

size_t
evictions_sent(const struct flights *flights)
{
	const struct victim *victim;
	size_t n = 0;

	LIST_FOREACH (victim, &flights->victims, all)
		n += victim->call != NULL;
	return n;
}

void
eviction_is_moot(struct flight *flight)
{
	flight->is_nominated = false;
	if (flight->eviction != NULL)
		flight->eviction->is_moot = true;
}
