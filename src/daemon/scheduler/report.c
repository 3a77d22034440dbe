#include "config.h"

#include "daemon/scheduler/report.h"

#include <stdio.h>
#include <sys/queue.h>
#include <time.h>

#include "wire/api/events.h"
#include "wire/api/writes.h"
#include "daemon/scheduler/flight.h"
#include "base/doc.h"
#include "base/hash.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "objects/distribution_policy.h"
#include "objects/pod.h"

/* Bytes; newer servers refuse longer ones (doc/semantics/09-modern-clusters.md,
 * Pods and queue). */
#define MESSAGE_MAX 1024
/* On by default from this minor release on (PodObservedGenerationTracking). */
#define GENERATIONS_FROM 34
#define PROBLEMS_MAX 10 /* of one policy */

struct status_write {
	LIST_ENTRY(status_write) of_pod;
	struct flight *flight;
	struct pod *pod;
	struct api_call *call;
	void (*done)(struct flight *flight, const char *error);
	bool low_priority; /* of a condition alone, for which nothing waits */
	/* What to write after it: the server could see two that are under way in the
	 * other order.  NULL: no condition. */
	char *next_reason, *next_message;
	sym next_nominated; /* a reference */
	void (*next_done)(struct flight *flight, const char *error);
};

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
send(const struct flights *flights, const struct object *object,
    struct api_event event)
{
	AUTOFREE char *cut = NULL;

	if (strlen(event.message) > MESSAGE_MAX) {
		cut = xasprintf("%.*s ...", MESSAGE_MAX - 4, event.message);
		event.message = cut;
	}
	refer_to(&event, object);
	events_record(flights->events, &event);
}

/* About an object that is no pod that we schedule. */
static void
warn(const struct flights *flights, const struct object *object,
    const char *api_version, const char *reason, const char *message)
{
	send(flights, object,
	    (struct api_event){ .api_version = api_version,
		.type = "Warning",
		.reason = reason,
		.message = message,
		.component = flights->component });
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
report_bound(const struct flights *flights, const struct pod *pod, sym node)
{
	AUTOFREE char *text = xasprintf("Successfully assigned %s to %s",
	    pod_full_name(pod), sym_text(node));

	send(flights, &pod->object,
	    event_by(pod, "Normal", "Scheduled", "Binding", text));
}

void
report_waiting(const struct flights *flights, const struct pod *pod,
    const char *message)
{
	send(flights, &pod->object,
	    event_by(pod, "Normal", "BindingConditionsPending", "Scheduling",
		message));
}

void
report_failed(const struct flights *flights, const struct pod *pod,
    const char *message)
{
	report_unschedulable(flights, pod, message, NULL, NULL);
}

void
report_unschedulable(const struct flights *flights, const struct pod *pod,
    const char *message, const char *(*misses)(void *arg), void *arg)
{
	struct api_event event =
	    event_by(pod, "Warning", "FailedScheduling", "Scheduling", message);

	event.annotation = misses != NULL ? REPORT_MISSES : NULL;
	event.annotate = misses;
	event.annotate_arg = arg;
	send(flights, &pod->object, event);
}

void
report_preempted(const struct flights *flights, const struct pod *victim,
    const struct pod *by, sym node)
{
	int kubernetes_minor = flights->cluster->kubernetes_minor;
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
	send(flights, &victim->object, event);
}

void
report_left_out(const struct flights *flights, const struct object *object,
    const char *api_version, const char *message)
{
	warn(flights, object, api_version, "FailedDecode", message);
}

void
report_costly(const struct flights *flights, sym namespace, double seconds)
{
	const struct object object = { .kind = OBJECT_NAMESPACE,
		.namespace = namespace,
		.name = sym_text(namespace),
		.uid = "",
		.resource_version = "" };
	AUTOFREE char *message = xasprintf(
	    "scheduling pods of this namespace takes %.1g s of processor time "
	    "each: they wait while pods of other namespaces are scheduled",
	    seconds);

	log_warning("namespace %s: %s", object.name, message);
	warn(flights, &object, "v1", "CostlyPods", message);
}

void
report_policy(const struct flights *flights,
    const struct distribution_policy *policy)
{
	const struct object *object = &policy->object;
	AUTOFREE char *name = object_full_name(object);
	const char *problem;

	for (uint32_t i = 0; i < PROBLEMS_MAX &&
	     (problem = distribution_policy_problem(policy, i)) != NULL;
	     i++) {
		log_warning("%s: %s", name, problem);
		warn(flights, object, "kosmos.io/v1alpha1",
		    "DistributionPolicyProblem", problem);
	}
}

/* ---- the status ---- */

static uint64_t
hash_of(const char *reason, const char *message)
{
	return (uint64_t)hash_bytes(reason, strlen(reason)) << 32 |
	    hash_bytes(message, strlen(message));
}

bool
report_is_ahead(const struct flight *flight, const struct pod *pod)
{
	return flight->nominates != NULL ||
	    version_of(&pod->object) < flight->nominated_at;
}

void
report_seen(struct flight *flight, const struct pod *pod,
    const struct doc_node *root)
{
	struct flight_status *status = &flight->status;
	const struct doc_node *list =
	    doc_get(doc_get(root, "status"), "conditions");

	if (report_is_ahead(flight, pod))
		return;
	sym_unref(status->nominated);
	*status = (struct flight_status){ .known = true,
		.nominated = sym_ref(pod->nominated) };
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

static void
forget_next_condition(struct status_write *write)
{
	free(write->next_reason);
	free(write->next_message);
	write->next_reason = write->next_message = NULL;
}

/* It is in no list any more. */
static void
write_free(struct status_write *write)
{
	if (write->flight->nominates == write)
		write->flight->nominates = NULL;
	api_cancel(write->call);
	pod_unref(write->pod);
	sym_unref(write->next_nominated);
	forget_next_condition(write);
	free(write);
}

/* Those that nothing waits for; conditions: of these only those of a condition alone.
 * Whether there was one. */
static bool
drop_writes(struct flight *flight, bool conditions)
{
	struct status_write *write, *next;
	bool dropped = false;

	for (write = LIST_FIRST(&flight->writes); write != NULL; write = next) {
		next = LIST_NEXT(write, of_pod);
		if (conditions ?
			!write->low_priority :
			write->done != NULL || write->next_done != NULL)
			continue;
		LIST_REMOVE(write, of_pod);
		write_free(write);
		dropped = true;
	}
	return dropped;
}

void
report_give_up(struct flight *flight)
{
	struct status_write *write;

	while ((write = LIST_FIRST(&flight->writes)) != NULL) {
		LIST_REMOVE(write, of_pod);
		write_free(write);
	}
}

void
report_overtake(struct flight *flight)
{
	if (drop_writes(flight, false))
		flight->status.known = false; /* is it there or not? */
}

/* Another status of the pod is at the server, or on its way: then this one is written
 * after it. */
static bool
put_off(struct flight *flight, const struct pod *pod, const char *reason,
    const char *message, sym nominated,
    void (*done)(struct flight *flight, const char *error))
{
	struct status_write *write;

	LIST_FOREACH (write, &flight->writes, of_pod) {
		if (write->low_priority && !api_is_sent(write->call))
			continue;
		write->low_priority = false;
		pod_unref(write->pod);
		write->pod = pod_ref(pod);
		if (nominated != SYM_NONE) {
			sym_unref(write->next_nominated);
			write->next_nominated = sym_ref(nominated);
			flight->nominates = write;
		}
		if (reason != NULL) {
			forget_next_condition(write);
			write->next_reason = xstrdup(reason);
			write->next_message = xstrdup(message);
		}
		if (done != NULL)
			write->next_done = done;
		return true;
	}
	return false;
}

static void
on_written(void *arg, const struct api_response *response)
{
	struct status_write *write = arg;
	struct flight *flight = write->flight;
	void (*done)(struct flight *, const char *) = write->done;
	bool failed = response->status < 200 || response->status > 299;
	struct err err;

	write->call = NULL;
	if (failed) {
		api_explain(response, &err);
		/* 404, 409, 422: it is gone, or another pod has its name. */
		if (response->status != 404 && response->status != 409 &&
		    response->status != 422)
			log_trouble(&flight->of->trouble,
			    "writing the status of pod %s: %s",
			    pod_full_name(write->pod), err.text);
		flight->status.known = false;
	} else {
		log_over(&flight->of->trouble, "status can be written again");
	}
	if (flight->nominates == write)
		flight->nominated_at = failed ? 0 : version_in(response);
	LIST_REMOVE(write, of_pod);
	if ((write->next_reason != NULL || write->next_nominated != SYM_NONE) &&
	    flight->waits && flights_may_write(flight->of)) {
		report_status(flight->of, write->pod, write->next_reason,
		    write->next_message, write->next_nominated,
		    write->next_done);
	} else if (write->next_done != NULL) {
		done = write->next_done;
		failed = true;
		errf(&err, "it waits no longer, or another replica leads");
	}
	write_free(write);
	if (done != NULL)
		done(flight, failed ? err.text : NULL);
	else
		flight_release(flight);
}

/* Removes the fields that the API server has; false when nothing is left.  The rest
 * counts as sent from now on. */
static bool
status_changed(struct flight_status *status, struct pod_status_change *change,
    sym nominated)
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
		sym_unref(status->nominated);
		status->nominated = sym_ref(nominated);
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
report_status(struct flights *flights, const struct pod *pod,
    const char *reason, const char *message, sym nominated,
    void (*done)(struct flight *flight, const char *error))
{
	char now[32];
	struct pod_status_change change = {
		.type = "PodScheduled",
		.reason = reason,
		.message = message,
		.status = "False",
		.transition = api_time(now, sizeof(now), time(NULL), -1),
		.observed_generation = report_generation(flights->cluster, pod),
	};
	struct pod_id id = api_pod_id(pod);
	struct flight *flight = flight_get(flights, pod);
	struct status_write *write;

	if (!flight->status.known) /* SYM_NONE differs from all nominations */
		flight->status = (struct flight_status){ .known = true,
			.nominated = SYM_NONE };
	/* It may be what was lost. */
	if (nominated == SYM_NONE && flight->is_nominated)
		nominated = flight->nominated;
	if (put_off(flight, pod, reason, message, nominated, done))
		return;
	if (!status_changed(&flight->status, &change, nominated)) {
		if (done != NULL)
			done(flight, NULL);
		return;
	}
	/* an older condition may wait longer for its turn than this one */
	if (change.reason != NULL && drop_writes(flight, true))
		change.transition = now;
	change.low_priority = change.nominated == NULL && done == NULL;
	write = xcalloc(1, sizeof(*write));
	write->flight = flight;
	write->next_nominated = SYM_NONE;
	write->low_priority = change.low_priority;
	write->pod = pod_ref(pod);
	write->done = done;
	LIST_INSERT_HEAD(&flight->writes, write, of_pod);
	if (change.nominated != NULL)
		flight->nominates = write;
	write->call = api_patch_pod_status(flights->client, &id, &change,
	    on_written, write);
}

void
report_error(struct flights *flights, const struct pod *pod, const char *reason,
    const char *text, const char *message)
{
	waits_put(&flights->waits, &flight_get(flights, pod)->wait, text,
	    time(NULL));
	report_failed(flights, pod, text);
	report_status(flights, pod, reason, message, SYM_NONE, NULL);
}
