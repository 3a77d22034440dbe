#include "config.h"

#include "daemon/scheduler/claims.h"

#include <inttypes.h>

#include "wire/api/client.h"
#include "wire/api/paths.h"
#include "wire/api/writes.h"
#include "daemon/scheduler/flight.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/devices/pod_devices.h"
#include "objects/pod.h"

/* A request that the API server has still takes no longer. */
#define LANDS_MS 65000
/* How long the watch usually needs, by far. */
#define SHOWN_MS 10000

struct held_claim {
	struct flights *flights;
	struct resource_claim *claim; /* as the cluster has it */
	struct object *server; /* as the watch had it; NULL: not at all */
	uint64_t written;      /* resourceVersion with its devices; 0: none */
	uint64_t sent;         /* over which they are written; 0: not yet */
	int64_t sent_ms;
	bool released, fenced;
	bool unseen; /* it was created here, and the watch has not shown it */
	struct api_call *call; /* it is asked for */
};

/* A write that no binding waits for. */
struct claim_write {
	LIST_ENTRY(claim_write) all;
	struct flights *flights;
	const char *what; /* for the log */
	char *path, *uid;
	bool then_delete;
	struct api_call *call;
};

static struct held_claim *
held_of(const struct flights *flights, const char *uid)
{
	return strmap_get(&flights->held_claims, uid);
}

static void
held_free(struct held_claim *held)
{
	api_cancel(held->call);
	object_unref(&held->claim->object);
	object_unref(held->server);
	free(held);
}

static void
drop(struct held_claim *held)
{
	strmap_del(&held->flights->held_claims, held->claim->object.uid);
	held_free(held);
}

/* Takes the reference. */
static void
set_claim(struct held_claim *held, struct resource_claim *claim)
{
	struct strmap *all = &held->flights->held_claims;

	if (held->claim != NULL) {
		strmap_del(all, held->claim->object.uid);
		object_unref(&held->claim->object);
	}
	held->claim = claim;
	strmap_put(all, claim->object.uid, held);
}

void
claims_hold(struct flights *flights, struct resource_claim *claim,
    const struct object *server)
{
	struct held_claim *held = held_of(flights, claim->object.uid);
	bool unseen = held != NULL && held->unseen;

	if (held != NULL) /* of an attempt before */
		drop(held);
	held = xcalloc(1, sizeof(*held));
	held->flights = flights;
	held->unseen = unseen;
	if (server != NULL)
		held->server = object_ref((struct object *)server);
	set_claim(held, resource_claim_pending(claim, claim));
	object_unref(&claim->object);
	cluster_put(flights->cluster, &held->claim->object);
}

void
claims_created(struct flights *flights, const char *uid,
    const struct resource_claim *created)
{
	struct held_claim *held = held_of(flights, uid);

	if (held == NULL)
		return;
	cluster_remove(flights->cluster, &held->claim->object);
	held->server = object_ref((struct object *)&created->object);
	held->unseen =
	    cluster_object(flights->cluster, &created->object) == NULL;
	set_claim(held, resource_claim_pending(created, held->claim));
	cluster_put(flights->cluster, &held->claim->object);
}

void
claims_sent(struct flights *flights, const char *uid, uint64_t version)
{
	struct held_claim *held = held_of(flights, uid);

	if (held == NULL)
		return;
	held->sent = version;
	held->sent_ms = clock_ms();
}

void
claims_written(struct flights *flights, const char *uid, uint64_t version)
{
	struct held_claim *held = held_of(flights, uid);
	const struct object *now;

	if (held == NULL)
		return;
	now = cluster_object(flights->cluster, &held->claim->object);
	held->written = version;
	held->sent_ms = clock_ms();
	/* the watch was faster than the answer */
	if (now != NULL && now != &held->claim->object &&
	    version_of(now) >= version)
		drop(held);
}

/* The cluster has it as the watch had it.  What the watch has not shown stays held until
 * it does, or until the claim is gone, which the watch may not say. */
static void
restore(struct held_claim *held)
{
	struct flights *flights = held->flights;
	struct cluster *cluster = flights->cluster;

	if (cluster_object(cluster, &held->claim->object) ==
	    &held->claim->object) {
		if (held->server != NULL)
			cluster_put(cluster, held->server);
		else
			cluster_remove(cluster, &held->claim->object);
	}
	if (held->server == NULL || !held->unseen) {
		drop(held);
		return;
	}
	set_claim(held, (struct resource_claim *)object_ref(held->server));
	held->released = true;
	held->sent = 0;
	held->sent_ms = clock_ms();
}

void
claims_release(struct flights *flights, const char *uid)
{
	struct held_claim *held = held_of(flights, uid);

	if (held == NULL || held->written > 0)
		return;
	if (held->sent > 0)
		held->released = true;
	else
		restore(held);
}

/* ---- the watch ---- */

struct object *
claims_seen(struct flights *flights, struct object *object)
{
	const struct resource_claim *claim =
	    (const struct resource_claim *)object;
	struct held_claim *held = held_of(flights, object->uid);

	if (held == NULL)
		return object_ref(object);
	held->unseen = false;
	if (held->written > 0 ?
		version_of(object) >= held->written :
		held->released && version_of(object) > held->sent) {
		drop(held);
		return object_ref(object);
	}
	object_unref(held->server);
	held->server = object_ref(object);
	if (held->written == 0 && claim->allocated)
		return object_ref(object); /* by us, or by another */
	set_claim(held, resource_claim_pending(claim, held->claim));
	return object_ref(&held->claim->object);
}

void
claims_gone(struct flights *flights, const struct object *claim)
{
	struct held_claim *held = held_of(flights, claim->uid);

	if (held != NULL)
		drop(held);
}

/* ---- asking ---- */

char *
claims_path(const struct flights *flights, const struct object *claim,
    const char *subresource)
{
	const char *version = flights->claims_version;

	return path_of_object(version != NULL ? version : "resource.k8s.io/v1",
	    sym_text(claim->namespace), "resourceclaims", claim->name,
	    subresource);
}

struct resource_claim *
claims_answered(const struct api_response *response)
{
	struct doc *doc = api_response_doc(response);
	struct object *claim = NULL;
	struct err err;

	if (doc != NULL)
		claim = object_decode_as(NULL, OBJECT_RESOURCE_CLAIM,
		    doc_root(doc), &err);
	doc_free(doc);
	return (struct resource_claim *)claim;
}

static void
on_asked(void *arg, const struct api_response *response)
{
	struct held_claim *held = arg;
	struct flights *flights = held->flights;
	struct resource_claim *claim =
	    response->status == 200 ? claims_answered(response) : NULL;
	struct object *now = claim != NULL ? &claim->object : NULL;
	bool over = clock_ms() - held->sent_ms >= LANDS_MS;

	held->call = NULL;
	if (response->status == 404 ||
	    (now != NULL && strcmp(now->uid, held->claim->object.uid) != 0)) {
		object_unref(held->server);
		held->server = NULL;
		restore(held);
		flights->ops->freed(flights->arg, NULL);
	} else if (now != NULL && claim->allocated) {
		claims_written(flights, now->uid, version_of(now));
	} else if (now != NULL && (version_of(now) > held->sent || over)) {
		object_unref(held->server);
		held->server = object_ref(now);
		restore(held);
		flights->ops->freed(flights->arg, NULL);
	}
	object_unref(now);
}

/*
 * Asks for the claim; at first by removing the finalizer from the version over which
 * its devices were to be written, so that this write can arrive no longer.
 */
static void
request_claim(struct held_claim *held)
{
	struct flights *flights = held->flights;
	AUTOFREE char *path = claims_path(flights, &held->claim->object, "");
	bool fence = held->sent > 0 && held->written == 0 && !held->fenced &&
	    flights_may_write(flights);
	AUTOFREE char *version = xasprintf("%" PRIu64, held->sent);
	struct text body = { 0 };

	json_put(&body,
	    "{'metadata':{'uid':%s,'resourceVersion':%s,"
	    "'$deleteFromPrimitiveList/finalizers':["
	    "'" CLAIM_PROTECTION "']}}",
	    held->claim->object.uid, version);
	held->fenced |= fence;
	held->call = api_send(flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = fence ? "PATCH" : "GET",
		.path = path,
		.body = fence ? body.bytes : NULL,
		.content_type = fence ? STRATEGIC_MERGE : NULL,
		.of_leader = fence,
		.on_done = on_asked,
		.arg = held });
	text_fini(&body);
}

static bool
is_due(const struct held_claim *held, int64_t now_ms)
{
	if (held->call != NULL || (held->sent == 0 && !held->released))
		return false;
	if (held->sent > 0 && held->written == 0)
		return held->released;
	return now_ms - held->sent_ms >= (held->sent > 0 ? LANDS_MS : SHOWN_MS);
}

void
claims_tick(struct flights *flights, int64_t now_ms)
{
	EACH_VALUE (&flights->held_claims, struct held_claim, held)
		if (is_due(held, now_ms))
			request_claim(held);
}

/* ---- other writes ---- */

static void
write_free(struct claim_write *write)
{
	LIST_REMOVE(write, all);
	api_cancel(write->call);
	free(write->path);
	free(write->uid);
	free(write);
}

bool
claims_write(const struct flights *flights, const char *uid)
{
	const struct claim_write *write;

	LIST_FOREACH (write, &flights->claim_writes, all)
		if (strcmp(write->uid, uid) == 0)
			return true;
	return false;
}

void
claims_abandon(struct flights *flights)
{
	while (!LIST_EMPTY(&flights->claim_writes))
		write_free(LIST_FIRST(&flights->claim_writes));
}

void
claims_fini(struct flights *flights)
{
	claims_abandon(flights);
	EACH_VALUE (&flights->held_claims, struct held_claim, held)
		held_free(held);
	strmap_fini(&flights->held_claims);
}

static void send_write(struct claim_write *write, const char *method,
    const char *body);

static void
on_written(void *arg, const struct api_response *response)
{
	struct claim_write *write = arg;
	struct text body = { 0 };
	struct err err;

	write->call = NULL;
	if (response->status == 200 && write->then_delete &&
	    flights_may_write(write->flights)) {
		write->then_delete = false;
		json_put(&body, "{'preconditions':{'uid':%s}}", write->uid);
		send_write(write, "DELETE", body.bytes);
		text_fini(&body);
		return;
	}
	if (response->status != 200 && response->status != 404) {
		api_explain(response, &err);
		log_trouble(&write->flights->trouble, "%s: %s: %s", write->what,
		    write->path, err.text);
	}
	write_free(write);
}

static void
send_write(struct claim_write *write, const char *method, const char *body)
{
	write->call = api_send(write->flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = method,
		.path = write->path,
		.body = body,
		.content_type =
		    method[0] == 'P' ? STRATEGIC_MERGE : "application/json",
		.retry_ms = WRITE_RETRY_MS,
		.of_leader = true,
		.on_done = on_written,
		.arg = write });
}

/* Takes the body. */
static void
begin_write(struct flights *flights, const struct object *claim,
    const char *what, const char *subresource, bool then_delete, char *body)
{
	struct claim_write *write = xcalloc(1, sizeof(*write));

	log_v(2, "%s: %s/%s", what, sym_text(claim->namespace), claim->name);
	write->flights = flights;
	write->what = what;
	write->path = claims_path(flights, claim, subresource);
	write->uid = xstrdup(claim->uid);
	write->then_delete = then_delete;
	LIST_INSERT_HEAD(&flights->claim_writes, write, all);
	send_write(write, "PATCH", body);
	free(body);
}

void
claims_deallocate(struct flights *flights, const struct resource_claim *claim)
{
	struct text body = { 0 };

	json_put(&body,
	    "{'metadata':{'uid':%s,'resourceVersion':%s},'status':{"
	    "'allocation':null,'reservedFor':null,'devices':null}}",
	    claim->object.uid, claim->object.resource_version);
	begin_write(flights, &claim->object, "deallocating a resource claim",
	    "/status", false, text_take(&body));
}

void
claims_delete(struct flights *flights, const struct resource_claim *claim)
{
	struct text body = { 0 };

	json_put(&body,
	    "{'metadata':{'uid':%s,'$deleteFromPrimitiveList/finalizers':["
	    "'" CLAIM_PROTECTION "']}}",
	    claim->object.uid);
	begin_write(flights, &claim->object,
	    "deleting a claim for extended resources", "", true,
	    text_take(&body));
}

void
claims_unreserve(struct flights *flights, const struct pod *pod)
{
	const struct pod_class *class = pod->class;
	const struct resource_claim *claim;

	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		struct text body = { 0 };

		claim = cluster_resource_claim(flights->cluster,
		    class->namespace, class->resource_claims[i].claim);
		if (claim == NULL || !claim->allocated)
			continue;
		flight_get(flights, pod)->unreserved = true;
		json_put(&body,
		    "{'metadata':{'uid':%s},'status':{'reservedFor':[{"
		    "'$patch':'delete','uid':%s}]}}",
		    claim->object.uid, pod->object.uid);
		begin_write(flights, &claim->object,
		    "removing the reservation of a resource claim", "/status",
		    false, text_take(&body));
	}
	claim = pod_devices_made(flights->cluster, pod);
	if (claim != NULL)
		claims_delete(flights, claim);
}
