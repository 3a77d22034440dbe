#include "config.h"

#include "attempt/binder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/log.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "extender/extenders.h"
#include "model/pod.h"

#define CONFIRM_MS 30000 /* kube-scheduler 1.15: the expiry of assumed pods */
#define DOUBT_MS 1000
#define AGAIN_MS 2000 /* between looks that fail */

enum state {
	ASSUMED, /* not sent yet */
	SENT,
	ACCEPTED,
	DOUBTFUL,
	CHECKING,
};

struct binding {
	struct binder *binder;
	struct placement at;
	enum state state;
	bool reported; /* ops->bound() was called */
	bool over;     /* the watch has it; only the answer is waited for */
	struct api_call *call;
	struct extender_binding *by; /* an extender's call, instead */
	int64_t deadline_ms;         /* of ACCEPTED and DOUBTFUL */
	/* Of DOUBTFUL and CHECKING; NULL: no request failed. */
	char *why;
};

struct binder {
	struct api_client *client;
	struct cluster *cluster;
	size_t limit;
	size_t in_flight;
	uint64_t expired;
	struct binder_ops ops;
	void *arg;
	struct strmap bindings; /* by uid */
};

struct binder *
binder_new(struct api_client *client, struct cluster *cluster, size_t limit,
    const struct binder_ops *ops, void *arg)
{
	struct binder *binder = xcalloc(1, sizeof(*binder));

	binder->client = client;
	binder->cluster = cluster;
	binder->limit = limit;
	binder->ops = *ops;
	binder->arg = arg;
	return binder;
}

static void
binding_free(struct binding *b)
{
	api_cancel(b->call);
	extender_binding_cancel(b->by);
	pod_unref((struct pod *)b->at.pod);
	free(b->why);
	free(b);
}

void
binder_free(struct binder *binder)
{
	if (binder == NULL)
		return;
	for (size_t i = 0; i < binder->bindings.nslots; i++)
		if (binder->bindings.slots[i].value != NULL)
			binding_free(binder->bindings.slots[i].value);
	strmap_fini(&binder->bindings);
	free(binder);
}

void
binder_set_limit(struct binder *binder, size_t limit)
{
	binder->limit = limit;
}

bool
binder_has_room(const struct binder *binder)
{
	return binder->in_flight < binder->limit;
}

size_t
binder_in_flight(const struct binder *binder)
{
	return binder->in_flight;
}

size_t
binder_assumed(const struct binder *binder)
{
	return binder->bindings.n;
}

uint64_t
binder_expired(const struct binder *binder)
{
	return binder->expired;
}

static struct binding *
find(const struct binder *binder, const char *uid)
{
	return strmap_get(&binder->bindings, uid);
}

bool
binder_holds(const struct binder *binder, const char *uid)
{
	return find(binder, uid) != NULL;
}

static void
drop(struct binding *b)
{
	if (b->state == SENT)
		b->binder->in_flight--;
	strmap_del(&b->binder->bindings, b->at.pod->object.uid);
	binding_free(b);
}

static struct pod_id
id_of(const struct pod *pod)
{
	return (struct pod_id){ sym_text(pod->object.namespace),
		pod->object.name, pod->object.uid };
}

/* ---- results ---- */

static void
set_state(struct binding *b, enum state state, int64_t wait_ms)
{
	if (b->state == SENT)
		b->binder->in_flight--;
	b->state = state;
	b->deadline_ms = clock_ms() + wait_ms;
}

static void
report_bound(struct binding *b)
{
	struct binder *binder = b->binder;

	if (b->reported)
		return;
	b->reported = true;
	binder->ops.bound(binder->arg, &b->at);
}

/* why may be in b. */
static void
fail(struct binding *b, const char *why)
{
	struct binder *binder = b->binder;
	struct placement at = b->at;
	struct pod *pod = pod_ref(at.pod);
	AUTOFREE char *text = why != NULL ? xstrdup(why) : NULL;

	cluster_forget(binder->cluster, pod);
	drop(b);
	binder->ops.failed(binder->arg, &at, text);
	pod_unref(pod);
}

static void
doubt(struct binding *b, const char *why, int64_t wait_ms)
{
	char *text = why != NULL ? xstrdup(why) : NULL;

	free(b->why);
	b->why = text;
	set_state(b, DOUBTFUL, wait_ms);
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct binding *b = arg;
	struct binder *binder = b->binder;
	struct err err;

	b->call = NULL;
	if (b->over) {
		drop(b);
	} else if (response->status == 200 || response->status == 201) {
		set_state(b, ACCEPTED, CONFIRM_MS);
		report_bound(b);
	} else {
		api_explain(response, &err);
		log_v(1, "binding pod %s to node %s: %s",
		    pod_full_name(b->at.pod), sym_text(b->at.node), err.text);
		if (response->status == 409 || response->status >= 500 ||
		    (response->status == 0 && !response->unsent))
			doubt(b, err.text, DOUBT_MS);
		else
			fail(b, err.text);
	}
	binder->ops.room(binder->arg);
}

static void
on_extender_answer(void *arg, const char *error)
{
	struct binding *b = arg;
	struct binder *binder = b->binder;

	b->by = NULL;
	if (b->over) {
		drop(b);
	} else if (error == NULL) {
		set_state(b, ACCEPTED, CONFIRM_MS);
		report_bound(b);
	} else {
		log_v(1, "an extender binding pod %s to node %s: %s",
		    pod_full_name(b->at.pod), sym_text(b->at.node), error);
		doubt(b, error, 0);
	}
	binder->ops.room(binder->arg);
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
		set_state(b, ACCEPTED, CONFIRM_MS);
		if (strcmp(node, sym_text(b->at.node)) == 0)
			report_bound(b);
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
		set_state(b, DOUBTFUL, AGAIN_MS);
}

static void
look_up(struct binding *b)
{
	struct text path = { 0 };

	text_put(&path, "/api/v1/namespaces/");
	url_put(&path, sym_text(b->at.pod->object.namespace));
	text_put(&path, "/pods/");
	url_put(&path, b->at.pod->object.name);
	set_state(b, CHECKING, 0);
	b->call = api_send(b->binder->client,
	    &(struct api_request){ .lane = API_REST,
		.path = path.bytes,
		.urgent = true,
		.on_done = on_looked_up,
		.arg = b });
	text_fini(&path);
}

void
binder_tick(struct binder *binder)
{
	int64_t now = clock_ms();

	for (size_t i = 0; i < binder->bindings.nslots; i++) {
		struct binding *b = binder->bindings.slots[i].value;

		if (b == NULL || now < b->deadline_ms ||
		    (b->state != ACCEPTED && b->state != DOUBTFUL))
			continue;
		if (b->state == ACCEPTED) {
			binder->expired++;
			log_warning("pod %s was bound to node %s, but the "
				    "watch has not reported it in time",
			    pod_full_name(b->at.pod), sym_text(b->at.node));
		}
		look_up(b);
	}
}

/* ---- assume, send, confirm, forget ---- */

int
binder_assume(struct binder *binder, const struct placement *placement,
    struct err *err)
{
	struct binding *b;

	if (cluster_assume(binder->cluster, placement->pod, placement->node,
		err) != 0)
		return -1;
	b = xcalloc(1, sizeof(*b));
	b->binder = binder;
	b->at = *placement;
	b->at.pod = pod_ref(placement->pod);
	b->state = ASSUMED;
	strmap_put(&binder->bindings, b->at.pod->object.uid, b);
	return 0;
}

void
binder_send(struct binder *binder, const char *uid, struct extenders *by)
{
	struct binding *b = find(binder, uid);
	struct pod_id id;

	if (b == NULL || b->state != ASSUMED)
		return;
	id = id_of(b->at.pod);
	b->state = SENT;
	b->at.sent_ms = clock_ms();
	binder->in_flight++;
	if (by != NULL)
		b->by = extender_binding_new(by, b->at.pod, b->at.node,
		    on_extender_answer, b);
	else
		b->call = api_bind(binder->client, &id, sym_text(b->at.node),
		    on_answer, b);
}

void
binder_forget(struct binder *binder, const char *uid)
{
	struct binding *b = find(binder, uid);

	if (b == NULL)
		return;
	cluster_forget(binder->cluster, b->at.pod);
	drop(b);
}

bool
binder_confirm(struct binder *binder, const struct pod *pod)
{
	struct binding *b = find(binder, pod->object.uid);

	if (b == NULL || b->over)
		return false;
	if (pod->node == b->at.node)
		report_bound(b);
	if (b->state == SENT)
		b->over = true;
	else
		drop(b);
	return true;
}

bool
binder_remove(struct binder *binder, const char *uid)
{
	struct binding *b = find(binder, uid);

	if (b == NULL || b->over)
		return false;
	cluster_forget(binder->cluster, b->at.pod);
	if (b->state == SENT)
		b->over = true;
	else
		drop(b);
	return true;
}

void
binder_abandon(struct binder *binder)
{
	for (size_t i = 0; i < binder->bindings.nslots; i++) {
		struct binding *b = binder->bindings.slots[i].value;

		if (b == NULL || b->state != SENT || b->over)
			continue;
		api_cancel(b->call);
		b->call = NULL;
		extender_binding_cancel(b->by);
		b->by = NULL;
		doubt(b, NULL, DOUBT_MS);
	}
}
