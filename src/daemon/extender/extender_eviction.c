/*
 * Preemption with extenders: each gets the nodes with their victims that the
 * one before has left (doc/semantics/05-extenders.md, Preempt).
 */
#include "config.h"

#include <event2/event.h>

#include "base/doc.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders_internal.h"
#include "decide/framework/candidate.h"
#include "objects/pod.h"

/* The release from which an extender may not leave a node without victims. */
#define VICTIMS_FROM 22

struct extender_eviction {
	struct extenders *extenders;
	struct pod *pod;
	size_t next; /* extender to ask */
	size_t n;
	struct leaving *victims;
	struct documents_fetch *fetch;
	bool fetched_again; /* documents for the next extender */
	struct extender_call *call;
	char *error;
	struct event *end;
	void (*done)(void *arg, const struct preemption_candidate *left,
	    size_t n, const char *error);
	void *arg;
};

/* ---- arguments and results ---- */

void
leaving_free(struct leaving *victims, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < victims[i].n; j++)
			pod_unref(victims[i].pods[j]);
		free(victims[i].pods);
	}
	free(victims);
}

/* One node's; a pod that has gone meanwhile is left out. */
static void
put_victims(struct text *out, const struct extenders *extenders,
    const struct leaving *v, bool by_uid)
{
	const char *comma = "";

	json_put(out, "{'Pods':[");
	for (size_t i = 0; i < v->n; i++) {
		const struct object *pod = &v->pods[i]->object;
		const char *json =
		    by_uid ? NULL : documents_get(extenders->documents, pod);

		if (!by_uid && json == NULL)
			continue;
		text_put(out, comma);
		if (by_uid)
			json_put(out, "{'UID':%s}", pod->uid);
		else
			text_put(out, json);
		comma = ",";
	}
	/* the reference does not compare uids */
	json_put(out, "],'NumPDBViolations':%d}",
	    (int64_t)(by_uid ? 0 : v->violations));
}

/* ExtenderPreemptionArgs: uids alone when by_uid, else the pods' documents.
 * You own it; NULL: the pod's document is not there. */
static char *
preemption_args(const struct extenders *extenders, const struct pod *pod,
    const struct leaving *victims, size_t n, bool by_uid)
{
	const char *json = documents_get(extenders->documents, &pod->object);
	struct text out = { 0 };

	if (json == NULL)
		return NULL;
	json_put(&out, "{'Pod':");
	text_put(&out, json);
	json_put(&out,
	    by_uid ? ",'NodeNameToVictims':null,"
		     "'NodeNameToMetaVictims':{" :
		     ",'NodeNameToMetaVictims':null,"
		     "'NodeNameToVictims':{");
	for (size_t i = 0; i < n; i++) {
		json_put(&out,
		    i > 0 ? ",%s:" : "%s:", sym_text(victims[i].node));
		put_victims(&out, extenders, &victims[i], by_uid);
	}
	text_put(&out, "}}");
	return text_take(&out);
}

static struct pod *
pod_on(const struct node_info *node, const char *uid)
{
	for (uint32_t i = 0; i < node->npods; i++)
		if (strcmp(node->pods[i]->object.uid, uid) == 0)
			return (struct pod *)node->pods[i];
	return NULL;
}

static int
read_pods(const char *url, const struct node_info *node,
    const struct doc_node *entry, struct leaving *v, struct err *err)
{
	const struct doc_node *pods = extender_member(entry, "Pods");

	if (pods == NULL || pods->kind != DOC_ARRAY)
		return 0;
	v->pods = xcalloc(pods->count + 1, sizeof(struct pod *));
	EACH_CHILD (p, pods) {
		const struct doc_node *uid = extender_member(p, "UID");
		struct pod *pod = uid != NULL && uid->kind == DOC_STRING ?
		    pod_on(node, uid->text) :
		    NULL;

		if (pod == NULL)
			return errf(err,
			    "extender: %s claims to preempt pod "
			    "(UID: %s) on node: %s, but the pod is not found "
			    "on that node",
			    url, doc_string(uid), sym_text(node->name));
		v->pods[v->n++] = pod_ref(pod);
	}
	return 0;
}

int
leaving_read(const struct extenders *extenders,
    const struct one_extender *extender, const struct doc_node *answer,
    struct leaving **out, size_t *n, struct err *err)
{
	const char *url = extender->config->url_prefix;
	const struct doc_node *map =
	    extender_member(answer, "NodeNameToMetaVictims");
	struct leaving *victims =
	    xcalloc(map != NULL ? map->count + 1 : 1, sizeof(*victims));
	size_t count = 0;

	EACH_CHILD (e, map) {
		sym name = e->key != NULL ? sym_find(e->key) : SYM_NONE;
		const struct node_info *node = name != SYM_NONE ?
		    cluster_node(extenders->cluster, name) :
		    NULL;
		int result;

		if (node == NULL || node->node == NULL)
			result = errf(err,
			    "extender: %s claims to preempt on "
			    "node: %s but the node is not found",
			    url, e->key != NULL ? e->key : "");
		else
			result = read_pods(url, node, e, &victims[count], err);
		victims[count++].node = name;
		if (result != 0) {
			leaving_free(victims, count);
			return -1;
		}
	}
	*out = victims;
	*n = count;
	return 0;
}

/* ---- one after the other ---- */

static void ask_next(struct extender_eviction *eviction);

static void
finish(struct extender_eviction *eviction, const char *error)
{
	if (error != NULL)
		eviction->error = xstrdup(error);
	event_active(eviction->end, EV_TIMEOUT, 0);
}

/* Drops nodes without victims, if the extender can be ignored; else they are an error
 * (kube-scheduler 1.22, callExtenders). */
static int
check_victims(const struct extender_eviction *eviction,
    const struct one_extender *e, struct leaving *left, size_t *n,
    struct err *err)
{
	size_t kept = 0;

	if (eviction->extenders->cluster->kubernetes_minor < VICTIMS_FROM)
		return 0;
	for (size_t i = 0; i < *n; i++) {
		if (left[i].n > 0) {
			left[kept++] = left[i];
			continue;
		}
		if (!e->config->ignorable)
			return errf(err,
			    "expected at least one victim pod on node \"%s\"",
			    sym_text(left[i].node));
		free(left[i].pods);
	}
	*n = kept;
	return 0;
}

static void
on_answer(void *arg, const struct doc_node *answer, const char *error)
{
	struct extender_eviction *eviction = arg;
	const struct one_extender *e =
	    &eviction->extenders->all[eviction->next++];
	struct leaving *left = NULL;
	size_t n = 0;
	struct err err;

	eviction->call = NULL;
	if (answer != NULL &&
	    leaving_read(eviction->extenders, e, answer, &left, &n, &err) != 0)
		error = err.text;
	if (error == NULL && check_victims(eviction, e, left, &n, &err) != 0) {
		leaving_free(left, n);
		finish(eviction, err.text);
	} else if (error == NULL) {
		leaving_free(eviction->victims, eviction->n);
		eviction->victims = left;
		eviction->n = n;
		ask_next(eviction);
	} else if (!e->config->ignorable) {
		finish(eviction, error);
	} else {
		log_warning("Skipping extender %s as it returned error %s and "
			    "has ignorable flag set",
		    e->config->url_prefix, error);
		ask_next(eviction);
	}
}

static void
post_eviction(struct extender_eviction *eviction)
{
	struct one_extender *e = &eviction->extenders->all[eviction->next];
	AUTOFREE char *body =
	    preemption_args(eviction->extenders, eviction->pod,
		eviction->victims, eviction->n, e->config->node_cache_capable);

	/* Only while they wait does the watch keep pods up to date here. */
	for (size_t i = 0; i < eviction->n; i++)
		for (size_t j = 0; j < eviction->victims[i].n; j++)
			documents_remove(eviction->extenders->documents,
			    &eviction->victims[i].pods[j]->object);
	if (body == NULL)
		finish(eviction, "cannot decode the pod");
	else
		eviction->call = extender_post(e, e->config->preempt_verb, body,
		    on_answer, eviction);
}

static void with_documents(struct extender_eviction *eviction);

/* The watch may have taken a document that was there: a victim has got its node. */
static void
on_documents(void *arg)
{
	struct extender_eviction *eviction = arg;

	eviction->fetch = NULL;
	if (eviction->fetched_again) {
		post_eviction(eviction);
		return;
	}
	eviction->fetched_again = true;
	with_documents(eviction);
}

static void
with_documents(struct extender_eviction *eviction)
{
	const struct one_extender *e =
	    &eviction->extenders->all[eviction->next];
	bool victims = !e->config->node_cache_capable;
	AUTOFREE const struct object **wanted = NULL;
	size_t n = 1;

	for (size_t i = 0; victims && i < eviction->n; i++)
		n += eviction->victims[i].n;
	wanted = xcalloc(n, sizeof(*wanted));
	n = 0;
	wanted[n++] = &eviction->pod->object;
	for (size_t i = 0; victims && i < eviction->n; i++)
		for (size_t j = 0; j < eviction->victims[i].n; j++)
			wanted[n++] = &eviction->victims[i].pods[j]->object;
	eviction->fetch = documents_fetch(eviction->extenders->documents,
	    wanted, n, on_documents, eviction);
	if (eviction->fetch == NULL)
		post_eviction(eviction);
}

static void
ask_next(struct extender_eviction *eviction)
{
	const struct extenders *extenders = eviction->extenders;

	for (; eviction->next < extenders->n && eviction->n > 0;
	     eviction->next++) {
		const struct one_extender *e = &extenders->all[eviction->next];

		if (!extender_handles(e, e->config->preempt_verb,
			eviction->pod->class))
			continue;
		eviction->fetched_again = false;
		with_documents(eviction);
		return;
	}
	finish(eviction, NULL);
}

/* Nodes that have gone meanwhile are none any more. */
static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	struct extender_eviction *eviction = arg;
	AUTOFREE struct preemption_candidate *left =
	    xcalloc(eviction->n + 1, sizeof(*left));
	size_t n = 0;

	for (size_t i = 0; i < eviction->n; i++) {
		const struct leaving *v = &eviction->victims[i];
		const struct node_info *node =
		    cluster_node(eviction->extenders->cluster, v->node);

		if (node != NULL && node->node != NULL)
			left[n++] = (struct preemption_candidate){
				.node = node,
				.victims = { v->n, (const struct pod **)v->pods,
				    v->violations },
			};
	}
	eviction->done(eviction->arg, left, n, eviction->error);
}

struct extender_eviction *
extender_eviction_new(struct extenders *extenders, const struct pod *pod,
    const struct preemption_candidate *candidates, size_t n,
    void (*done)(void *arg, const struct preemption_candidate *left, size_t n,
	const char *error),
    void *arg)
{
	struct extender_eviction *eviction = xcalloc(1, sizeof(*eviction));

	eviction->extenders = extenders;
	eviction->pod = pod_ref(pod);
	eviction->done = done;
	eviction->arg = arg;
	eviction->n = n;
	eviction->victims = xcalloc(n + 1, sizeof(*eviction->victims));
	for (size_t i = 0; i < n; i++) {
		const struct preemption_candidate *c = &candidates[i];
		struct leaving *v = &eviction->victims[i];

		v->node = c->node->name;
		v->violations = c->victims.violations;
		v->pods = xcalloc(c->victims.n + 1, sizeof(*v->pods));
		for (v->n = 0; v->n < c->victims.n; v->n++)
			v->pods[v->n] = pod_ref(c->victims.pods[v->n]);
	}
	eviction->end = evtimer_new(extenders->base, on_end, eviction);
	ask_next(eviction);
	return eviction;
}

void
extender_eviction_free(struct extender_eviction *eviction)
{
	if (eviction == NULL)
		return;
	extender_cancel(eviction->call);
	documents_cancel(eviction->fetch);
	event_free(eviction->end);
	leaving_free(eviction->victims, eviction->n);
	pod_unref(eviction->pod);
	free(eviction->error);
	free(eviction);
}
