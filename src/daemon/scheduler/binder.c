#include "config.h"

#include "daemon/scheduler/binder.h"

#include "wire/api/paths.h"
#include "wire/api/writes.h"
#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "daemon/scheduler/volumes.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "daemon/extender/extenders.h"
#include "objects/pod.h"

#define CONFIRM_MS 30000 /* kube-scheduler 1.15: the expiry of assumed pods */
#define DOUBT_MS 1000
#define AGAIN_MS 2000 /* between looks that fail */

void
binding_free(struct binding *b)
{
	if (b == NULL)
		return;
	api_cancel(b->call);
	extender_binding_cancel(b->by);
	volumes_free(b->volumes);
	pod_unref((struct pod *)b->at.pod);
	sym_unref(b->at.node);
	free(b->why);
	free(b);
}

static void
set_state(struct binding *b, enum binding_state state, int64_t wait_ms)
{
	struct flights *flights = b->flight->of;
	int change = (state == BINDING_SENT) - (b->state == BINDING_SENT);

	b->state = state;
	b->deadline_ms = clock_ms() + wait_ms;
	flights->nsent += (size_t)change;
	if (change != 0)
		flights->ops->sent(flights->arg, b->at.pod, change);
}

/* The caller releases the flight. */
static void
drop(struct binding *b)
{
	struct flights *flights = b->flight->of;

	set_state(b, BINDING_ASSUMED, 0);
	volumes_take_back(b);
	b->flight->binding = NULL;
	LIST_REMOVE(b, all);
	flights->nassumed--;
	binding_free(b);
}

/* ---- results ---- */

static void
report(struct binding *b)
{
	const struct flights *flights = b->flight->of;

	if (b->reported)
		return;
	b->reported = true;
	flights->ops->bound(flights->arg, &b->at);
}

void
binding_fail(struct binding *b, const struct bind_failure *failure)
{
	struct flight *flight = b->flight;
	const struct flights *flights = flight->of;
	struct placement at = b->at;
	struct pod *pod = pod_ref(at.pod);
	struct bind_failure kept = *failure;
	AUTOFREE char *text = kept.why != NULL ? xstrdup(kept.why) : NULL;

	kept.why = text;
	drop(b);
	cluster_forget(flights->cluster, pod);
	if (kept.why != NULL)
		claims_unreserve(flight->of, pod);
	flights->ops->failed(flights->arg, &at, &kept);
	flight_release(flight);
	pod_unref(pod);
}

/* why may be in b. */
static void
fail(struct binding *b, const char *why)
{
	binding_fail(b,
	    &(struct bind_failure){ .why = why, .reason = "SchedulerError" });
}

static void
doubt(struct binding *b, const char *why, int64_t wait_ms)
{
	char *text = why != NULL ? xstrdup(why) : NULL;

	free(b->why);
	b->why = text;
	set_state(b, BINDING_DOUBTFUL, wait_ms);
}

/* A binding was answered.  why: it is doubtful after so long, < 0: refused; NULL:
 * accepted. */
static void
answered(struct binding *b, const char *who, const char *why, int64_t doubt_ms)
{
	struct flight *flight = b->flight;
	const struct flights *flights = flight->of;

	if (why != NULL && !b->over)
		log_v(1, "%sbinding pod %s to node %s: %s", who,
		    pod_full_name(b->at.pod), sym_text(b->at.node), why);
	if (b->over) {
		drop(b);
		flight_release(flight);
	} else if (why == NULL) {
		set_state(b, BINDING_ACCEPTED, CONFIRM_MS);
		report(b);
	} else if (doubt_ms >= 0) {
		doubt(b, why, doubt_ms);
	} else {
		fail(b, why);
	}
	flights->ops->room(flights->arg);
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct binding *b = arg;
	bool doubtful = response->status == 409 || response->status >= 500 ||
	    (response->status == 0 && !response->unsent);
	struct err err;

	b->call = NULL;
	if (response->status == 200 || response->status == 201) {
		answered(b, "", NULL, 0);
	} else {
		api_explain(response, &err);
		answered(b, "", err.text, doubtful ? DOUBT_MS : -1);
	}
}

static void
on_extender_answer(void *arg, const char *error)
{
	struct binding *b = arg;

	b->by = NULL;
	/* it may bind the pod after we gave it up */
	answered(b, "an extender ", error, DOUBT_MS);
}

/* ---- looking it up ---- */

/* The node that the API server has the pod on; "" for none; NULL when it is
 * another pod or the answer is none. */
static const char *
node_of(const struct doc *doc, const char *uid)
{
	const struct doc_node *root = doc_root(doc);
	const char *node = "", *found = "";

	if (doc_get_string(doc_get(root, "metadata"), "uid", "metadata.uid",
		&found, NULL) != 0 ||
	    strcmp(found, uid) != 0)
		return NULL;
	if (doc_get_string(doc_get(root, "spec"), "nodeName", "spec.nodeName",
		&node, NULL) != 0)
		return NULL;
	return node;
}

static void
settle(struct binding *b, const struct api_response *response)
{
	struct err err;
	struct doc *doc = doc_parse("pod", response->body, response->len,
	    &doc_limits_people, &err);
	const char *node =
	    doc != NULL ? node_of(doc, b->at.pod->object.uid) : NULL;

	if (doc == NULL || node == NULL) {
		fail(b, NULL);
	} else if (node[0] == '\0') {
		fail(b, b->why);
	} else {
		/* The watch will say so, too; until then it stays assumed. */
		set_state(b, BINDING_ACCEPTED, CONFIRM_MS);
		if (strcmp(node, sym_text(b->at.node)) == 0)
			report(b);
	}
	doc_free(doc);
}

static void
on_looked_up(void *arg, const struct api_response *response)
{
	struct binding *b = arg;

	b->call = NULL;
	if (response->status == 200)
		settle(b, response);
	else if (response->status == 404)
		fail(b, NULL);
	else
		set_state(b, BINDING_DOUBTFUL, AGAIN_MS);
}

void
binding_check(struct binding *b, int64_t now_ms)
{
	const struct object *pod = &b->at.pod->object;
	AUTOFREE char *path = NULL;

	if (now_ms < b->deadline_ms ||
	    (b->state != BINDING_ACCEPTED && b->state != BINDING_DOUBTFUL))
		return;
	if (b->state == BINDING_ACCEPTED) {
		b->flight->of->nexpired++;
		log_warning("pod %s was bound to node %s, but the "
			    "watch has not reported it in time",
		    pod_full_name(b->at.pod), sym_text(b->at.node));
	}
	path = path_of_object("v1", sym_text(pod->namespace), "pods", pod->name,
	    "");
	set_state(b, BINDING_CHECKING, 0);
	b->call = api_send(b->flight->of->client,
	    &(struct api_request){ .lane = API_REST,
		.path = path,
		.urgent = true,
		.on_done = on_looked_up,
		.arg = b });
}

/* ---- assume, send, end ---- */

int
binding_assume(struct flights *flights, const struct placement *placement,
    struct err *err)
{
	struct binding *b;

	nomination_ends(flights, placement->pod, placement->node);
	if (cluster_assume(flights->cluster, placement->pod, placement->node,
		err) != 0)
		return -1;
	b = xcalloc(1, sizeof(*b));
	b->flight = flight_get(flights, placement->pod);
	b->flight->binding = b;
	b->at = *placement;
	b->at.pod = pod_ref(placement->pod);
	sym_ref(b->at.node);
	LIST_INSERT_HEAD(&flights->bindings, b, all);
	flights->nassumed++;
	eviction_is_moot(b->flight);
	report_overtake(b->flight);
	return 0;
}

void
binding_send(struct flights *flights, const struct pod *pod,
    struct extenders *by)
{
	const struct flight *flight = flight_find(flights, pod->object.uid);
	struct binding *b = flight != NULL ? flight->binding : NULL;
	struct pod_id id;

	if (b == NULL || b->state != BINDING_ASSUMED)
		return;
	id = api_pod_id(b->at.pod);
	b->at.sent_ms = clock_ms();
	set_state(b, BINDING_SENT, 0);
	if (by != NULL)
		b->by = extender_binding_new(by, b->at.pod, b->at.node,
		    on_extender_answer, b);
	else
		b->call = api_bind(flights->client, &id, sym_text(b->at.node),
		    on_answer, b);
}

bool
binding_ended(struct flight *flight, sym node)
{
	struct binding *b = flight->binding;

	if (b == NULL || b->over)
		return false;
	if (node == SYM_NONE)
		cluster_forget(flight->of->cluster, b->at.pod);
	else if (node == b->at.node)
		report(b);
	if (b->state == BINDING_SENT)
		b->over = true;
	else
		drop(b);
	return true;
}

void
bindings_abandon(struct flights *flights)
{
	struct binding *b, *next;

	for (b = LIST_FIRST(&flights->bindings); b != NULL; b = next) {
		struct flight *flight = b->flight;

		next = LIST_NEXT(b, all);
		if (b->state != BINDING_SENT)
			continue;
		if (b->over) {
			drop(b);
			flight_release(flight);
			continue;
		}
		api_cancel(b->call);
		b->call = NULL;
		extender_binding_cancel(b->by);
		b->by = NULL;
		doubt(b, NULL, DOUBT_MS);
	}
}
