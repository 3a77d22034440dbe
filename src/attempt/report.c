#include "config.h"

#include "attempt/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include "api/events.h"
#include "api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "model/distribution_policy.h"
#include "model/pod.h"

/* Bytes; newer servers refuse longer ones (doc/semantics/09-modern-clusters.md,
 * Pods and queue). */
#define MESSAGE_MAX 1024
/* On by default from this minor release on (PodObservedGenerationTracking). */
#define GENERATIONS_FROM 34
#define PROBLEMS_MAX 10 /* of one policy */

/* The status of a pod that waits as the API server has it, or will have it after
 * the writes under way. */
struct status {
	char *uid;
	bool is_false; /* PodScheduled is False */
	uint64_t hash; /* of its reason and message */
	sym nominated;
};

struct write {
	LIST_ENTRY(write) all;
	struct report *report;
	struct pod *pod;
	struct api_call *call;
	void (*done)(void *arg, const char *error);
	void *arg;
};

struct report {
	struct api_client *client;
	struct events *events;
	const struct cluster *cluster;
	char *component;
	struct strmap statuses; /* by uid */
	LIST_HEAD(, write) writes;
	size_t nwrites;
};

struct report *
report_new(struct api_client *client, struct events *events,
    const struct cluster *cluster, const char *component)
{
	struct report *report = xcalloc(1, sizeof(*report));

	report->client = client;
	report->events = events;
	report->cluster = cluster;
	report->component = xstrdup(component);
	LIST_INIT(&report->writes);
	return report;
}

static void
status_free(struct status *status)
{
	free(status->uid);
	free(status);
}

static void
write_free(struct write *write)
{
	LIST_REMOVE(write, all);
	write->report->nwrites--;
	api_cancel(write->call);
	pod_unref(write->pod);
	free(write);
}

void
report_free(struct report *report)
{
	if (report == NULL)
		return;
	while (!LIST_EMPTY(&report->writes))
		write_free(LIST_FIRST(&report->writes));
	for (size_t i = 0; i < report->statuses.nslots; i++)
		if (report->statuses.slots[i].value != NULL)
			status_free(report->statuses.slots[i].value);
	strmap_fini(&report->statuses);
	free(report->component);
	free(report);
}

/* ---- events ---- */

static void
refer_to(struct api_event *event, const struct object *object)
{
	event->kind = object_kind_name(object->kind);
	event->namespace = sym_text(object->namespace);
	event->name = object->name;
	event->uid = object->uid;
	event->resource_version = object->resource_version;
}

/* About the object; the event's other texts are set. */
static void
send(struct report *report, const struct object *object, struct api_event event)
{
	AUTOFREE char *cut = NULL;

	if (strlen(event.message) > MESSAGE_MAX) {
		cut = xasprintf("%.*s ...", MESSAGE_MAX - 4, event.message);
		event.message = cut;
	}
	refer_to(&event, object);
	events_record(report->events, &event);
}

static void
record_as(struct report *report, const char *component,
    const struct object *object, const char *api_version, const char *type,
    const char *reason, const char *message)
{
	send(report, object,
	    (struct api_event){ .api_version = api_version,
		.type = type,
		.reason = reason,
		.message = message,
		.component = component });
}

static struct api_event
event_by(const struct pod *by, const char *type, const char *reason,
    const char *action, const char *message)
{
	return (struct api_event){ .api_version = "v1",
		.type = type,
		.reason = reason,
		.action = action,
		.message = message,
		.component = sym_text(by->class->scheduler_name) };
}

void
report_bound(struct report *report, const struct pod *pod, sym node)
{
	AUTOFREE char *text = xasprintf("Successfully assigned %s to %s",
	    pod_full_name(pod), sym_text(node));

	send(report, &pod->object,
	    event_by(pod, "Normal", "Scheduled", "Binding", text));
}

void
report_failed(struct report *report, const struct pod *pod, const char *message)
{
	report_unschedulable(report, pod, message, NULL, NULL);
}

void
report_unschedulable(struct report *report, const struct pod *pod,
    const char *message, const char *(*misses)(void *arg), void *arg)
{
	struct api_event event =
	    event_by(pod, "Warning", "FailedScheduling", "Scheduling", message);

	event.annotation = misses != NULL ? REPORT_MISSES : NULL;
	event.annotate = misses;
	event.annotate_arg = arg;
	send(report, &pod->object, event);
}

void
report_skipped(struct report *report, const struct pod *pod)
{
	AUTOFREE char *text =
	    xasprintf("skip schedule deleting pod: %s", pod_full_name(pod));

	report_failed(report, pod, text);
}

void
report_preempted(struct report *report, const struct pod *victim,
    const struct pod *by, sym node, int kubernetes_minor)
{
	struct api_event related = { .api_version = "v1" }, event;
	AUTOFREE char *text = NULL;

	refer_to(&related, &by->object);
	if (kubernetes_minor < 26)
		text = xasprintf("%sby %s on node %s",
		    kubernetes_minor < 18 ? "" : "Preempted ",
		    pod_full_name(by), sym_text(node));
	else if (kubernetes_minor < 29)
		text =
		    xasprintf("Preempted by a pod on node %s", sym_text(node));
	else
		text = xasprintf("Preempted by pod %s on node %s",
		    by->object.uid, sym_text(node));

	event = event_by(by, "Normal", "Preempted", "Preempting", text);
	event.related = &related;
	send(report, &victim->object, event);
}

void
report_left_out(struct report *report, const struct object *object,
    const char *api_version, const char *message)
{
	record_as(report, report->component, object, api_version, "Warning",
	    "FailedDecode", message);
}

void
report_policy(struct report *report, const struct distribution_policy *policy)
{
	const struct object *object = &policy->object;
	const char *problem;

	for (uint32_t i = 0; i < PROBLEMS_MAX &&
	     (problem = distribution_policy_problem(policy, i)) != NULL;
	     i++) {
		log_warning("%s %s%s%s: %s", object_kind_name(object->kind),
		    sym_text(object->namespace),
		    object->namespace != SYM_EMPTY ? "/" : "", object->name,
		    problem);
		record_as(report, report->component, object,
		    "kosmos.io/v1alpha1", "Warning",
		    "DistributionPolicyProblem", problem);
	}
}

/* ---- the status ---- */

static struct status *
status_of(struct report *report, const struct pod *pod)
{
	struct status *status = strmap_get(&report->statuses, pod->object.uid);

	if (status != NULL)
		return status;
	status = xcalloc(1, sizeof(*status));
	status->uid = xstrdup(pod->object.uid);
	status->nominated = pod->nominated;
	strmap_put(&report->statuses, status->uid, status);
	return status;
}

static uint64_t
hash_of(const char *reason, const char *message)
{
	return (uint64_t)hash_bytes(reason, strlen(reason)) << 32 |
	    hash_bytes(message, strlen(message));
}

void
report_seen(struct report *report, const struct pod *pod,
    const struct doc_node *root)
{
	struct status *status = status_of(report, pod);
	const struct doc_node *list =
	    doc_get(doc_get(root, "status"), "conditions");

	status->nominated = pod->nominated;
	status->is_false = false;
	status->hash = 0;
	if (list == NULL || list->kind != DOC_ARRAY)
		return;
	for (const struct doc_node *c = list->first; c != NULL; c = c->next) {
		const char *type = "", *value = "", *reason = "", *message = "";

		doc_get_string(c, "type", "type", &type, NULL);
		if (strcmp(type, "PodScheduled") != 0)
			continue;
		doc_get_string(c, "status", "status", &value, NULL);
		doc_get_string(c, "reason", "reason", &reason, NULL);
		doc_get_string(c, "message", "message", &message, NULL);
		status->is_false = strcmp(value, "False") == 0;
		status->hash = hash_of(reason, message);
	}
}

void
report_forget(struct report *report, const struct pod *pod)
{
	struct status *status = strmap_del(&report->statuses, pod->object.uid);

	if (status != NULL)
		status_free(status);
}

void
report_overtake(struct report *report, const struct pod *pod)
{
	struct write *write, *next;

	for (write = LIST_FIRST(&report->writes); write != NULL; write = next) {
		next = LIST_NEXT(write, all);
		if (write->done == NULL &&
		    strcmp(write->pod->object.uid, pod->object.uid) == 0) {
			write_free(write);
			report_forget(report, pod); /* is it there or not? */
		}
	}
}

static void
on_written(void *arg, const struct api_response *response)
{
	struct write *write = arg;
	struct report *report = write->report;
	void (*done)(void *, const char *) = write->done;
	void *done_arg = write->arg;
	bool failed = response->status < 200 || response->status > 299;
	struct err err;

	write->call = NULL;
	if (failed) {
		api_explain(response, &err);
		/* 404, 409, 422: it is gone, or another pod has its name. */
		if (response->status != 404 && response->status != 409 &&
		    response->status != 422)
			log_warning("writing the status of pod %s: %s",
			    pod_full_name(write->pod), err.text);
		report_forget(report, write->pod);
	}
	write_free(write);
	if (done != NULL)
		done(done_arg, failed ? err.text : NULL);
}

/* Removes the fields that the API server has; false when nothing is left.  The rest
 * counts as sent from now on. */
static bool
is_news(struct status *status, struct pod_status_change *change, sym nominated)
{
	bool news = false;
	uint64_t hash;

	if (change->reason != NULL) {
		hash = hash_of(change->reason, change->message);
		if (status->is_false && status->hash == hash)
			change->reason = NULL;
		else
			news = true;
		if (status->is_false)
			change->transition = NULL;
		status->is_false = true;
		status->hash = hash;
	}
	if (nominated != SYM_NONE && nominated != status->nominated) {
		change->nominated = sym_text(nominated);
		status->nominated = nominated;
		news = true;
	}
	return news;
}

int64_t
report_generation(const struct cluster *cluster, const struct pod *pod)
{
	return cluster->kubernetes_minor >= GENERATIONS_FROM ? pod->generation :
							       0;
}

void
report_status(struct report *report, const struct pod *pod, const char *reason,
    const char *message, sym nominated,
    void (*done)(void *arg, const char *error), void *arg)
{
	char now[32];
	struct pod_status_change change = {
		.type = "PodScheduled",
		.reason = reason,
		.message = message,
		.status = "False",
		.transition = api_time(now, sizeof(now), time(NULL), -1),
		.observed_generation = report_generation(report->cluster, pod),
	};
	struct pod_id id = { sym_text(pod->object.namespace), pod->object.name,
		pod->object.uid };
	struct write *write;

	if (!is_news(status_of(report, pod), &change, nominated)) {
		if (done != NULL)
			done(arg, NULL);
		return;
	}
	write = xcalloc(1, sizeof(*write));
	write->report = report;
	write->pod = pod_ref(pod);
	write->done = done;
	write->arg = arg;
	LIST_INSERT_HEAD(&report->writes, write, all);
	report->nwrites++;
	write->call = api_patch_pod_status(report->client, &id, &change,
	    on_written, write);
}
