#include "config.h"

#include "attempt/preemptor.h"

#include <stdlib.h>
#include <sys/queue.h>
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

/* Victims on their way out. */
struct eviction {
	LIST_ENTRY(eviction) all;
	struct preemptor *preemptor;
	struct pod *pod; /* the pod that preempts */
	sym node;
	size_t n, next;
	struct pod **victims;
	struct api_call *call;
};

struct preemptor {
	struct api_client *client;
	struct cluster *cluster;
	struct report *report;
	bool (*may_write)(void *arg);
	void *arg;
	struct strmap nominations; /* by uid */
	LIST_HEAD(, eviction) evictions;
};

struct preemptor *
preemptor_new(struct api_client *client, struct cluster *cluster,
    struct report *report, bool (*may_write)(void *arg), void *arg)
{
	struct preemptor *preemptor = xcalloc(1, sizeof(*preemptor));

	preemptor->client = client;
	preemptor->cluster = cluster;
	preemptor->report = report;
	preemptor->may_write = may_write;
	preemptor->arg = arg;
	LIST_INIT(&preemptor->evictions);
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
	LIST_REMOVE(eviction, all);
	api_cancel(eviction->call);
	for (size_t i = 0; i < eviction->n; i++)
		pod_unref(eviction->victims[i]);
	free(eviction->victims);
	pod_unref(eviction->pod);
	free(eviction);
}

/* After the report: its writes point to evictions. */
void
preemptor_free(struct preemptor *preemptor)
{
	if (preemptor == NULL)
		return;
	while (!LIST_EMPTY(&preemptor->evictions))
		eviction_free(LIST_FIRST(&preemptor->evictions));
	for (size_t i = 0; i < preemptor->nominations.nslots; i++)
		if (preemptor->nominations.slots[i].value != NULL)
			nomination_free(preemptor->nominations.slots[i].value);
	strmap_fini(&preemptor->nominations);
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

void
preemptor_forget(struct preemptor *preemptor, const struct pod *pod)
{
	struct nomination *nomination =
	    strmap_del(&preemptor->nominations, pod->object.uid);

	if (nomination != NULL)
		nomination_free(nomination);
}

void
preemptor_seen(struct preemptor *preemptor, const struct pod *pod)
{
	const struct nomination *nomination =
	    strmap_get(&preemptor->nominations, pod->object.uid);

	if (nomination == NULL)
		return;
	if (nomination->node == pod->nominated)
		preemptor_forget(preemptor, pod); /* the watch has caught up */
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

static void evict_next(struct eviction *eviction);

static struct pod_id
id_of(const struct pod *pod)
{
	return (struct pod_id){ sym_text(pod->object.namespace),
		pod->object.name, pod->object.uid };
}

static void
give_up(struct eviction *eviction, const struct api_response *response)
{
	struct err err;

	api_explain(response, &err);
	log_error("preempting pod %s: %s",
	    pod_full_name(eviction->victims[eviction->next]), err.text);
	eviction_free(eviction);
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
	struct eviction *eviction = arg;
	struct preemptor *preemptor = eviction->preemptor;
	const struct pod *victim = eviction->victims[eviction->next];

	eviction->call = NULL;
	if (is_done(response)) {
		log_v(2, "preempted pod %s on node %s", pod_full_name(victim),
		    sym_text(eviction->node));
		report_preempted(preemptor->report, victim, eviction->pod,
		    eviction->node, preemptor->cluster->kubernetes_minor);
	} else if (!is_gone(response)) {
		give_up(eviction, response);
		return;
	}
	eviction->next++;
	evict_next(eviction);
}

static void
delete_victim(struct eviction *eviction)
{
	struct pod_id id = id_of(eviction->victims[eviction->next]);

	eviction->call = api_delete_pod(eviction->preemptor->client, &id,
	    on_deleted, eviction);
}

static void
on_marked(void *arg, const struct api_response *response)
{
	struct eviction *eviction = arg;

	eviction->call = NULL;
	if (is_done(response) || is_gone(response))
		delete_victim(eviction);
	else
		give_up(eviction, response);
}

/* From 1.26 on a victim gets a condition with the cause, so that Jobs do not
 * count the eviction as a failure. */
static void
mark_victim(struct eviction *eviction)
{
	const struct pod *victim = eviction->victims[eviction->next];
	const char *scheduler = sym_text(eviction->pod->class->scheduler_name);
	AUTOFREE char *message = xasprintf("%s: preempting to accommodate a "
					   "higher priority pod",
	    scheduler);
	struct pod_id id = id_of(victim);
	char now[32];

	eviction->call = api_patch_pod_status(eviction->preemptor->client, &id,
	    &(struct pod_status_change){ .type = "DisruptionTarget",
		.status = "True",
		.reason = "PreemptionByScheduler",
		.message = message,
		.transition = api_time(now, sizeof(now), time(NULL), -1),
		.observed_generation =
		    report_generation(eviction->preemptor->cluster, victim) },
	    on_marked, eviction);
}

/* One after the other: when one cannot be deleted the rest is left alone. */
static void
evict_next(struct eviction *eviction)
{
	struct preemptor *preemptor = eviction->preemptor;

	if (eviction->next == eviction->n ||
	    !preemptor->may_write(preemptor->arg)) {
		eviction_free(eviction);
		return;
	}
	if (preemptor->cluster->kubernetes_minor >= MARKS_FROM)
		mark_victim(eviction);
	else
		delete_victim(eviction);
}

static void
on_nominated(void *arg, const char *error)
{
	struct eviction *eviction = arg;
	struct preemptor *preemptor = eviction->preemptor;

	if (error == NULL) {
		evict_next(eviction);
		return;
	}
	log_warning("nominating pod %s to node %s: %s",
	    pod_full_name(eviction->pod), sym_text(eviction->node), error);
	/* The write may have been overtaken by the pod's end. */
	if (strmap_get(&preemptor->nominations, eviction->pod->object.uid) !=
	    NULL) {
		preemptor_forget(preemptor, eviction->pod);
		put_nominated(preemptor, eviction->pod,
		    eviction->pod->nominated);
	}
	eviction_free(eviction);
}

static void
clear_nomination(struct preemptor *preemptor, const struct pod *pod)
{
	nominate(preemptor, pod, SYM_EMPTY);
	report_status(preemptor->report, pod, NULL, NULL, SYM_EMPTY, NULL,
	    NULL);
}

static struct eviction *
eviction_new(struct preemptor *preemptor, const struct pod *pod,
    const struct preemption *p)
{
	struct eviction *eviction = xcalloc(1, sizeof(*eviction));

	eviction->preemptor = preemptor;
	eviction->pod = pod_ref(pod);
	eviction->node = p->node->name;
	eviction->n = p->nvictims;
	eviction->victims = xcalloc(p->nvictims + 1, sizeof(struct pod *));
	for (size_t i = 0; i < p->nvictims; i++)
		eviction->victims[i] = pod_ref(p->victims[i]);
	LIST_INSERT_HEAD(&preemptor->evictions, eviction, all);
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
			nominate(preemptor, pod, SYM_EMPTY);
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
	nominate(preemptor, pod, eviction->node);
	report_status(preemptor->report, pod, "Unschedulable", message,
	    eviction->node, on_nominated, eviction);
}
