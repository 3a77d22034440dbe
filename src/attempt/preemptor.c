#include "config.h"

#include "attempt/preemptor.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/writes.h"
#include "attempt/report.h"
#include "base/err.h"
#include "base/log.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "model/pod.h"
#include "sched/preempt.h"

#define MARKS_FROM 26 /* the release that has DisruptionTarget by default */

/* Newer than the pod from the watch. */
struct nomination {
	char *uid;
	sym node;
};

/* A pod that preempts, until its victims are leaving. */
struct eviction {
	struct preemptor *preemptor;
	struct pod *pod; /* nominated to the node */
	size_t n;
	struct pod **victims;
	size_t nleft; /* of these, plus one while they are being counted */
	bool failed;
	bool is_moot; /* the pod waits no longer */
};

/* One for all pods that preempt it. */
struct victim {
	struct preemptor *preemptor;
	struct pod *pod;
	struct pod *by; /* the first of them */
	struct api_call *call;
	bool is_deleted; /* as far as the API server knows */
	size_t nevictions, cap;
	struct eviction **evictions;
};

struct preemptor {
	struct api_client *client;
	struct cluster *cluster;
	struct report *report;
	const struct preemptor_ops *ops;
	void *arg;
	/* All by uid. */
	struct strmap nominations;
	struct strmap evictions;
	struct strmap victims;
};

struct preemptor *
preemptor_new(struct api_client *client, struct cluster *cluster,
    struct report *report, const struct preemptor_ops *ops, void *arg)
{
	struct preemptor *preemptor = xcalloc(1, sizeof(*preemptor));

	preemptor->client = client;
	preemptor->cluster = cluster;
	preemptor->report = report;
	preemptor->ops = ops;
	preemptor->arg = arg;
	return preemptor;
}

static void
nomination_free(struct nomination *nomination)
{
	free(nomination->uid);
	free(nomination);
}

static void
eviction_free(struct eviction *eviction)
{
	for (size_t i = 0; i < eviction->n; i++)
		pod_unref(eviction->victims[i]);
	free(eviction->victims);
	pod_unref(eviction->pod);
	free(eviction);
}

static void
victim_free(struct victim *victim)
{
	api_cancel(victim->call);
	pod_unref(victim->pod);
	pod_unref(victim->by);
	free(victim->evictions);
	free(victim);
}

#define FREE_ALL(map, free_one)                                                \
	do {                                                                   \
		for (size_t i = 0; i < (map)->nslots; i++)                     \
			if ((map)->slots[i].value != NULL)                     \
				free_one((map)->slots[i].value);               \
		strmap_fini(map);                                              \
	} while (0)

/* After the report: its writes point to evictions. */
void
preemptor_free(struct preemptor *preemptor)
{
	if (preemptor == NULL)
		return;
	FREE_ALL(&preemptor->victims, victim_free);
	FREE_ALL(&preemptor->evictions, eviction_free);
	FREE_ALL(&preemptor->nominations, nomination_free);
	free(preemptor);
}

/* ---- nominations ---- */

/* Nominates the pod in the cluster, unless it is on a node. */
static void
put_nominated(struct preemptor *preemptor, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(preemptor->cluster, &nominated->object);
	pod_unref(nominated);
}

static void
nominate(struct preemptor *preemptor, const struct pod *pod, sym node)
{
	struct nomination *nomination =
	    strmap_get(&preemptor->nominations, pod->object.uid);

	if (nomination == NULL) {
		nomination = xcalloc(1, sizeof(*nomination));
		nomination->uid = xstrdup(pod->object.uid);
		strmap_put(&preemptor->nominations, nomination->uid,
		    nomination);
	}
	nomination->node = node;
	put_nominated(preemptor, pod, node);
}

static void
forget_nomination(struct preemptor *preemptor, const struct pod *pod)
{
	struct nomination *nomination =
	    strmap_del(&preemptor->nominations, pod->object.uid);

	if (nomination != NULL)
		nomination_free(nomination);
}

/* Other pods may have the room. */
static void
drop_nomination(struct preemptor *preemptor, const struct pod *pod)
{
	nominate(preemptor, pod, SYM_EMPTY);
	preemptor->ops->freed(preemptor->arg);
}

static void
clear_nomination(struct preemptor *preemptor, const struct pod *pod)
{
	drop_nomination(preemptor, pod);
	report_status(preemptor->report, pod, NULL, NULL, SYM_EMPTY, NULL,
	    NULL);
}

void
preemptor_seen(struct preemptor *preemptor, const struct pod *pod)
{
	const struct nomination *nomination =
	    strmap_get(&preemptor->nominations, pod->object.uid);

	if (nomination == NULL)
		return;
	if (nomination->node == pod->nominated)
		forget_nomination(preemptor, pod); /* the watch caught up */
	else
		put_nominated(preemptor, pod, nomination->node);
}

struct pod *
preemptor_current(const struct preemptor *preemptor, const struct pod *pod)
{
	const struct nomination *nomination =
	    strmap_get(&preemptor->nominations, pod->object.uid);

	return nomination != NULL ? pod_nominated_to(pod, nomination->node) :
				    pod_ref(pod);
}

/* ---- victims ---- */

static void
eviction_over(struct eviction *eviction)
{
	struct preemptor *preemptor = eviction->preemptor;

	strmap_del(&preemptor->evictions, eviction->pod->object.uid);
	if (!eviction->is_moot) {
		if (eviction->failed &&
		    preemptor->ops->may_write(preemptor->arg))
			clear_nomination(preemptor, eviction->pod);
		preemptor->ops->gate_changed(preemptor->arg, eviction->pod);
	}
	eviction_free(eviction);
}

static void
one_less(struct eviction *eviction)
{
	if (--eviction->nleft == 0)
		eviction_over(eviction);
}

static void
victim_over(struct victim *victim, bool failed)
{
	strmap_del(&victim->preemptor->victims, victim->pod->object.uid);
	for (size_t i = 0; i < victim->nevictions; i++) {
		victim->evictions[i]->failed |= failed;
		one_less(victim->evictions[i]);
	}
	victim_free(victim);
}

/* As far as is known. */
static bool
stays_on(const struct preemptor *preemptor, sym name, const struct pod *pod)
{
	const struct node_info *node = cluster_node(preemptor->cluster, name);

	for (uint32_t i = 0; node != NULL && i < node->npods; i++)
		if (strcmp(node->pods[i]->object.uid, pod->object.uid) == 0)
			return !node->pods[i]->class->terminating;
	return false;
}

static void
end_if_it_leaves(struct victim *victim)
{
	if (victim->is_deleted &&
	    !stays_on(victim->preemptor, victim->by->nominated, victim->pod))
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
	struct preemptor *preemptor = victim->preemptor;

	victim->call = NULL;
	if (is_done(response)) {
		log_v(2, "preempted pod %s on node %s",
		    pod_full_name(victim->pod),
		    sym_text(victim->by->nominated));
		report_preempted(preemptor->report, victim->pod, victim->by,
		    victim->by->nominated,
		    preemptor->cluster->kubernetes_minor);
	} else if (!is_gone(response)) {
		give_up(victim, response);
		return;
	}
	victim->is_deleted = true;
	if (response->status == 409) /* seen with another uid, so it left */
		victim_over(victim, false);
	else
		end_if_it_leaves(victim);
}

static struct pod_id
id_of(const struct pod *pod)
{
	return (struct pod_id){ sym_text(pod->object.namespace),
		pod->object.name, pod->object.uid };
}

static void
delete_victim(struct victim *victim)
{
	struct pod_id id = id_of(victim->pod);

	victim->call =
	    api_delete_pod(victim->preemptor->client, &id, on_deleted, victim);
}

static void
on_marked(void *arg, const struct api_response *response)
{
	struct victim *victim = arg;
	struct preemptor *preemptor = victim->preemptor;

	victim->call = NULL;
	if (!preemptor->ops->may_write(preemptor->arg))
		victim_over(victim, true);
	else if (is_done(response) || is_gone(response))
		delete_victim(victim);
	else
		give_up(victim, response);
}

/* From 1.26 on a victim gets a condition with the cause, so that Jobs do not
 * count the eviction as a failure. */
static void
mark_victim(struct victim *victim)
{
	const struct preemptor *preemptor = victim->preemptor;
	const char *scheduler = sym_text(victim->by->class->scheduler_name);
	AUTOFREE char *message = xasprintf("%s: preempting to accommodate a "
					   "higher priority pod",
	    scheduler);
	struct pod_id id = id_of(victim->pod);
	char now[32];

	victim->call = api_patch_pod_status(preemptor->client, &id,
	    &(struct pod_status_change){ .type = "DisruptionTarget",
		.status = "True",
		.reason = "PreemptionByScheduler",
		.message = message,
		.transition = api_time(now, sizeof(now), time(NULL), -1),
		.observed_generation =
		    report_generation(preemptor->cluster, victim->pod) },
	    on_marked, victim);
}

static struct victim *
victim_new(struct eviction *eviction, struct pod *pod)
{
	struct victim *victim = xcalloc(1, sizeof(*victim));

	victim->preemptor = eviction->preemptor;
	victim->pod = pod_ref(pod);
	victim->by = pod_ref(eviction->pod);
	strmap_put(&eviction->preemptor->victims, pod->object.uid, victim);
	if (eviction->preemptor->cluster->kubernetes_minor >= MARKS_FROM)
		mark_victim(victim);
	else
		delete_victim(victim);
	return victim;
}

/* It may have left since the decision, or another pod may preempt it, too. */
static void
evict(struct eviction *eviction, struct pod *pod)
{
	struct preemptor *preemptor = eviction->preemptor;
	struct victim *victim =
	    strmap_get(&preemptor->victims, pod->object.uid);

	if (victim == NULL) {
		if (!stays_on(preemptor, eviction->pod->nominated, pod))
			return;
		victim = victim_new(eviction, pod);
	}
	vec_room(victim->evictions, victim->nevictions, &victim->cap);
	victim->evictions[victim->nevictions++] = eviction;
	eviction->nleft++;
}

static void
on_nominated(void *arg, const char *error)
{
	struct eviction *eviction = arg;
	struct preemptor *preemptor = eviction->preemptor;

	if (error != NULL) {
		log_warning("nominating pod %s to node %s: %s",
		    pod_full_name(eviction->pod),
		    sym_text(eviction->pod->nominated), error);
		eviction->failed = true;
	} else if (preemptor->ops->may_write(preemptor->arg)) {
		for (size_t i = 0; i < eviction->n; i++)
			evict(eviction, eviction->victims[i]);
	}
	one_less(eviction);
}

static struct eviction *
eviction_new(struct preemptor *preemptor, const struct pod *pod,
    const struct preemption *p)
{
	struct eviction *eviction = xcalloc(1, sizeof(*eviction));

	eviction->preemptor = preemptor;
	eviction->pod = pod_nominated_to(pod, p->node->name);
	eviction->n = p->nvictims;
	eviction->nleft = 1;
	eviction->victims = xcalloc(p->nvictims + 1, sizeof(struct pod *));
	for (size_t i = 0; i < p->nvictims; i++)
		eviction->victims[i] = pod_ref(p->victims[i]);
	strmap_put(&preemptor->evictions, eviction->pod->object.uid, eviction);
	preemptor->ops->gate_changed(preemptor->arg, pod);
	return eviction;
}

void
preemptor_apply(struct preemptor *preemptor, const struct pod *pod,
    const struct preemption *p, const char *message)
{
	struct eviction *eviction;

	if (p == NULL || p->node == NULL) {
		/* No node would help: the pod gives up its own nomination. */
		bool gives_up = p != NULL && p->nclears > 0;

		if (gives_up)
			drop_nomination(preemptor, pod);
		report_status(preemptor->report, pod, "Unschedulable", message,
		    gives_up ? SYM_EMPTY : SYM_NONE, NULL, NULL);
		return;
	}
	log_v(2, "pod %s preempts %zu pods on node %s", pod_full_name(pod),
	    p->nvictims, sym_text(p->node->name));
	eviction = eviction_new(preemptor, pod, p);
	/* p->clears points into an array that each of these changes. */
	for (size_t i = 0; i < p->nclears; i++)
		pod_ref(p->clears[i]);
	for (size_t i = 0; i < p->nclears; i++) {
		clear_nomination(preemptor, p->clears[i]);
		pod_unref((struct pod *)p->clears[i]);
	}
	nominate(preemptor, pod, eviction->pod->nominated);
	report_status(preemptor->report, pod, "Unschedulable", message,
	    eviction->pod->nominated, on_nominated, eviction);
}

bool
preemptor_evicts_for(const struct preemptor *preemptor, const struct pod *pod)
{
	return strmap_get(&preemptor->evictions, pod->object.uid) != NULL;
}

void
preemptor_forget(struct preemptor *preemptor, const struct pod *pod)
{
	const char *uid = pod->object.uid;
	struct eviction *eviction = strmap_get(&preemptor->evictions, uid);
	struct victim *victim = strmap_get(&preemptor->victims, uid);

	forget_nomination(preemptor, pod);
	if (eviction != NULL)
		eviction->is_moot = true;
	if (victim != NULL)
		end_if_it_leaves(victim);
}
