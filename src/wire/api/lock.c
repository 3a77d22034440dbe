#include "config.h"

#include "wire/api/lock.h"

#include <stdio.h>

#include "wire/api/client.h"
#include "wire/api/discovery.h"
#include "wire/api/event_correlator.h"
#include "wire/api/paths.h"
#include "base/json_out.h"
#include "wire/api/writes.h"
#include "base/doc.h"
#include "objects/decode.h"

#define ANNOTATION "control-plane.alpha.kubernetes.io/leader"

struct lock {
	struct api_client *client;
	enum lock_kind kind;
	char *namespace, *name;
	int64_t timeout_ms;
	const char *version; /* NULL: not yet discovered */
	struct doc *object;  /* as the server last gave it, or NULL */
	struct discovery *discovery;
	struct api_call *call;
	void (*done)(void *arg, enum lock_result result,
	    const struct lock_record *record, const char *why);
	void *arg;
};

static const struct kind {
	const char *resource, *kind;
	const char *versions[3];
} kinds[] = {
	[LOCK_LEASES] = { "leases", "Lease",
	    { "coordination.k8s.io/v1", "coordination.k8s.io/v1beta1" } },
	[LOCK_ENDPOINTS] = { "endpoints", "Endpoints", { "v1" } },
	[LOCK_CONFIG_MAPS] = { "configmaps", "ConfigMap", { "v1" } },
};

/* The fields of a Lease's spec that we write, and their names in an
 * annotation. */
#define HOLDER "holderIdentity"
#define SECONDS "leaseDurationSeconds"
#define ACQUIRED "acquireTime"
#define RENEWED "renewTime"
#define LEASE_TRANSITIONS "leaseTransitions"
#define ANNOTATION_TRANSITIONS "leaderTransitions"

/* ---- records ---- */

static int
read_time(const struct doc_node *node, const char *key, struct lock_time *out,
    struct err *err)
{
	const char *text = NULL;
	int32_t nanoseconds;

	if (doc_get_string(node, key, key, &text, err) != 0)
		return -1;
	if (text == NULL)
		return 0;
	if (!time_parse(text, &out->seconds, &nanoseconds))
		return doc_errf(err, doc_get(node, key),
		    "%s must be an RFC 3339 time", key);
	out->microseconds = nanoseconds / 1000;
	return 0;
}

/* Only the API server checks numbers, and no annotation: one that cannot be, as
 * client-go may write it, must not keep the lock from everyone. */
static int
read_number(const struct doc_node *node, const char *key, int64_t *out,
    struct err *err)
{
	if (doc_get_int(node, key, key, INT64_MIN, INT64_MAX, out, err) != 0)
		return -1;
	if (*out < 0)
		*out = 0;
	if (*out > INT32_MAX)
		*out = INT32_MAX;
	return 0;
}

static int
read_fields(const struct doc_node *node, const char *transitions,
    struct lock_record *out, struct err *err)
{
	const char *holder = "";

	if (doc_get_string(node, HOLDER, HOLDER, &holder, err) != 0 ||
	    read_number(node, SECONDS, &out->lease_seconds, err) != 0 ||
	    read_number(node, transitions, &out->transitions, err) != 0 ||
	    read_time(node, ACQUIRED, &out->acquired, err) != 0 ||
	    read_time(node, RENEWED, &out->renewed, err) != 0)
		return -1;
	snprintf(out->holder, sizeof(out->holder), "%s", holder);
	return 0;
}

static int
read_annotation(const struct doc_node *root, struct lock_record *out,
    struct err *err)
{
	const char *text = NULL;
	struct doc *doc;
	int result;

	if (doc_get_string(doc_get(doc_get(root, "metadata"), "annotations"),
		ANNOTATION, ANNOTATION, &text, err) != 0)
		return -1;
	if (text == NULL || text[0] == '\0')
		return 0;
	doc =
	    doc_parse(ANNOTATION, text, strlen(text), &doc_limits_people, err);
	if (doc == NULL)
		return -1;
	result = read_fields(doc_root(doc), ANNOTATION_TRANSITIONS, out, err);
	doc_free(doc);
	return result;
}

int
lock_record_read(enum lock_kind kind, const struct doc_node *root,
    struct lock_record *out, struct err *err)
{
	struct lock_record record;
	int result;

	memset(&record, 0, sizeof(record));
	result = kind == LOCK_LEASES ? read_fields(doc_get(root, "spec"),
					   LEASE_TRANSITIONS, &record, err) :
				       read_annotation(root, &record, err);
	if (result == 0)
		*out = record;
	return result;
}

/* The members of an object (or of nothing) but those called keys ("a|b"), each with a
 * comma behind it. */
static void
put_others(struct text *text, const struct doc_node *object, const char *keys)
{
	if (object == NULL || object->kind != DOC_OBJECT)
		return;
	EACH_CHILD (child, object)
		if (!text_is_choice(keys, child->key))
			json_put(text, "%s:%n,", child->key, child);
}

/* micro: with the microseconds, which a Lease insists on. */
static void
put_fields(struct text *text, const struct lock_record *record, bool micro,
    const char *transitions)
{
	char acquired[32], renewed[32];

	api_time(acquired, sizeof(acquired), record->acquired.seconds,
	    micro ? record->acquired.microseconds : -1);
	api_time(renewed, sizeof(renewed), record->renewed.seconds,
	    micro ? record->renewed.microseconds : -1);
	json_put(text,
	    "'" HOLDER "':%s,'" SECONDS "':%d,'" ACQUIRED "':%s,'" RENEWED
	    "':%s,%s:%d",
	    record->holder, record->lease_seconds, acquired, renewed,
	    transitions, record->transitions);
}

static void
put_metadata(struct text *text, enum lock_kind kind, const char *namespace,
    const char *name, const struct doc_node *metadata,
    const struct lock_record *record)
{
	struct text fields = { 0 };

	text_put(text, "{");
	put_others(text, metadata, "annotations|name|namespace");
	text_put(text, "\"annotations\":{");
	put_others(text, doc_get(metadata, "annotations"), ANNOTATION);
	if (kind != LOCK_LEASES) {
		text_put(&fields, "{");
		put_fields(&fields, record, false, ANNOTATION_TRANSITIONS);
		text_put(&fields, "}");
		json_put(text, "'" ANNOTATION "':%s,", fields.bytes);
		text_fini(&fields);
	}
	if (text->bytes[text->len - 1] == ',')
		text->bytes[--text->len] = '\0';
	json_put(text, "},'namespace':%s,'name':%s}", namespace, name);
}

char *
lock_record_write(enum lock_kind kind, const char *version,
    const char *namespace, const char *name, const struct doc_node *root,
    const struct lock_record *record)
{
	struct text text = { 0 };

	text_put(&text, "{");
	put_others(&text, root,
	    kind == LOCK_LEASES ? "kind|apiVersion|metadata|spec" :
				  "kind|apiVersion|metadata");
	if (kind == LOCK_LEASES) {
		text_put(&text, "\"spec\":{");
		put_others(&text, doc_get(root, "spec"),
		    HOLDER "|" SECONDS "|" ACQUIRED "|" RENEWED
			   "|" LEASE_TRANSITIONS);
		put_fields(&text, record, true, LEASE_TRANSITIONS);
		text_put(&text, "},");
	}
	json_put(&text,
	    "'kind':%s,'apiVersion':%s,'metadata':", kinds[kind].kind, version);
	put_metadata(&text, kind, namespace, name, doc_get(root, "metadata"),
	    record);
	text_put(&text, "}");
	return text_take(&text);
}

/* ---- requests ---- */

static void
finish(struct lock *lock, enum lock_result result,
    const struct lock_record *record, const char *why)
{
	lock->done(lock->arg, result, record, why);
}

static void
take_object(struct lock *lock, const struct api_response *response)
{
	struct lock_record record;
	struct err err;
	struct doc *doc = doc_parse("lock", response->body, response->len,
	    &doc_limits_people, &err);

	if (doc == NULL ||
	    lock_record_read(lock->kind, doc_root(doc), &record, &err) != 0) {
		doc_free(doc);
		finish(lock, LOCK_FAILED, NULL, err.text);
		return;
	}
	doc_free(lock->object);
	lock->object = doc;
	finish(lock, LOCK_OK, &record, NULL);
}

/* Adds the command that allows it to the user whom the API server names. */
static void
advise(const struct lock *lock, struct err *err)
{
	const char *at = strstr(err->text, "User \""), *ns = lock->namespace;
	const struct err said = *err;
	char user[256];

	if (at != NULL && sscanf(at, "User \"%255[^\"' ]\" cannot", user) == 1)
		errf(err,
		    "%s; this instance cannot lead until this is allowed: "
		    "kubectl -n %s create role leader-lock "
		    "--verb=create,get,update --resource=%s%s && kubectl -n %s "
		    "create rolebinding leader-lock --role=leader-lock --user=%s",
		    said.text, ns, kinds[lock->kind].resource,
		    lock->kind == LOCK_LEASES ? ".coordination.k8s.io" : "", ns,
		    user);
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct lock *lock = arg;
	struct err err;

	lock->call = NULL;
	if (response->status == 200 || response->status == 201) {
		take_object(lock, response);
		return;
	}
	api_explain(response, &err);
	if (response->status == 403)
		advise(lock, &err);
	finish(lock, response->status == 409 ? LOCK_CONFLICT : LOCK_FAILED,
	    NULL, err.text);
}

static void
on_got(void *arg, const struct api_response *response)
{
	struct lock *lock = arg;

	if (response->status != 404) {
		on_answer(arg, response);
		return;
	}
	lock->call = NULL;
	doc_free(lock->object);
	lock->object = NULL;
	finish(lock, LOCK_ABSENT, NULL, NULL);
}

/* The object's path, or its collection's. */
static char *
lock_path(const struct lock *lock, bool collection)
{
	const char *resource = kinds[lock->kind].resource;

	return collection ?
	    path_of_collection(lock->version, lock->namespace, resource) :
	    path_of_object(lock->version, lock->namespace, resource, lock->name,
		"");
}

static void
get(struct lock *lock)
{
	char AUTOFREE *path = lock_path(lock, false);

	lock->call = api_send(lock->client,
	    &(struct api_request){ .lane = API_BINDS,
		.urgent = true,
		.path = path,
		.timeout_ms = lock->timeout_ms,
		.on_done = on_got,
		.arg = lock });
}

static void
on_discovered(void *arg, const char *version,
    const struct api_response *response)
{
	struct lock *lock = arg;
	struct err err;

	lock->discovery = NULL;
	if (version != NULL) {
		lock->version = version;
		get(lock);
		return;
	}
	if (response != NULL)
		api_explain(response, &err);
	else
		errf(&err, "the server has no %s", kinds[lock->kind].resource);
	finish(lock, LOCK_FAILED, NULL, err.text);
}

void
lock_get(struct lock *lock,
    void (*done)(void *arg, enum lock_result result,
	const struct lock_record *record, const char *why),
    void *arg)
{
	lock->done = done;
	lock->arg = arg;
	if (lock->version != NULL)
		get(lock);
	else
		lock->discovery =
		    discovery_start(lock->client, kinds[lock->kind].resource,
			kinds[lock->kind].versions, on_discovered, lock);
}

void
lock_put(struct lock *lock, const struct lock_record *record,
    void (*done)(void *arg, enum lock_result result,
	const struct lock_record *record, const char *why),
    void *arg)
{
	bool create = lock->object == NULL;
	char AUTOFREE *path = lock_path(lock, create);
	char AUTOFREE *body =
	    lock_record_write(lock->kind, lock->version, lock->namespace,
		lock->name, create ? NULL : doc_root(lock->object), record);

	lock->done = done;
	lock->arg = arg;
	lock->call = api_send(lock->client,
	    &(struct api_request){ .lane = API_BINDS,
		.urgent = true,
		.method = create ? "POST" : "PUT",
		.path = path,
		.body = body,
		.timeout_ms = lock->timeout_ms,
		.on_done = on_answer,
		.arg = lock });
}

void
lock_cancel(struct lock *lock)
{
	api_cancel(lock->call);
	lock->call = NULL;
	discovery_cancel(lock->discovery);
	lock->discovery = NULL;
}

static const char *
metadata_text(const struct lock *lock, const char *key)
{
	return lock->object == NULL ?
	    "" :
	    doc_string(
		doc_get(doc_get(doc_root(lock->object), "metadata"), key));
}

void
lock_refer(const struct lock *lock, struct api_event *event)
{
	event->kind = kinds[lock->kind].kind;
	event->api_version = lock->version != NULL ? lock->version : "";
	event->namespace = lock->namespace;
	event->name = lock->name;
	event->uid = metadata_text(lock, "uid");
	event->resource_version = metadata_text(lock, "resourceVersion");
}

struct lock *
lock_new(struct api_client *client, enum lock_kind kind, const char *namespace,
    const char *name, int64_t timeout_ms)
{
	struct lock *lock = xcalloc(1, sizeof(*lock));

	lock->client = client;
	lock->kind = kind;
	lock->namespace = xstrdup(namespace);
	lock->name = xstrdup(name);
	lock->timeout_ms = timeout_ms;
	if (kind != LOCK_LEASES)
		lock->version = "v1";
	return lock;
}

void
lock_free(struct lock *lock)
{
	if (lock == NULL)
		return;
	lock_cancel(lock);
	doc_free(lock->object);
	free(lock->namespace);
	free(lock->name);
	free(lock);
}
