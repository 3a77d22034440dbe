#include "config.h"

#include "api/lease_candidate.h"

#include <stdlib.h>
#include <string.h>

#include "api/client.h"
#include "api/paths.h"
#include "api/watch.h"
#include "api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "model/object.h"

const char *const lease_candidate_versions[] = { "coordination.k8s.io/v1beta1",
	"coordination.k8s.io/v1alpha2", NULL };

struct lease_candidate {
	struct api_client *client;
	char *namespace, *name, *lease_name, *binary_version,
	    *emulation_version;
	int64_t timeout_ms;
	struct lease_candidate_ops ops;
	void *arg;
	struct reflector *reflector;
	struct api_call *call;
	/* Of the object as last seen: its metadata as JSON, NULL if it does not
	 * exist, and its pingTime, NULL if it has none. */
	char *metadata, *ping;
};

static const char *
text_of(const struct doc_node *node)
{
	return node != NULL && node->kind == DOC_STRING ? node->text : NULL;
}

/* Whether time a is later than b, both in RFC 3339.  One that is missing or
 * malformed is earlier than all others. */
static bool
is_later(const char *a, const char *b)
{
	int64_t seconds[2] = { INT64_MIN, INT64_MIN };
	int32_t nanoseconds[2] = { 0, 0 };

	if (a == NULL || !time_parse(a, &seconds[0], &nanoseconds[0]))
		return false;
	if (b == NULL || !time_parse(b, &seconds[1], &nanoseconds[1]))
		return true;
	if (seconds[0] != seconds[1])
		return seconds[0] > seconds[1];
	return nanoseconds[0] > nanoseconds[1];
}

static void
forget(struct lease_candidate *candidate)
{
	free(candidate->metadata);
	free(candidate->ping);
	candidate->metadata = NULL;
	candidate->ping = NULL;
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct lease_candidate *candidate = arg;
	const struct doc_node *spec = doc_get(root, "spec");
	const char *ping = text_of(doc_get(spec, "pingTime"));
	struct text metadata = { 0 };

	forget(candidate);
	json_put(&metadata, "%n", doc_get(root, "metadata"));
	candidate->metadata = text_take(&metadata);
	candidate->ping = ping != NULL ? xstrdup(ping) : NULL;
	candidate->ops.seen(candidate->arg, true,
	    is_later(ping, text_of(doc_get(spec, "renewTime"))));
}

static void
on_removed(void *arg, struct object *object)
{
	struct lease_candidate *candidate = arg;

	forget(candidate);
	candidate->ops.seen(candidate->arg, false, false);
}

static void
on_synced(void *arg)
{
	struct lease_candidate *candidate = arg;

	candidate->ops.synced(candidate->arg);
}

static void
on_problem(void *arg, const char *why)
{
	struct lease_candidate *candidate = arg;

	candidate->ops.problem(candidate->arg, why);
}

static void
on_written(void *arg, const struct api_response *response)
{
	struct lease_candidate *candidate = arg;
	bool succeeded = response->status == 200 || response->status == 201;
	struct err err;

	candidate->call = NULL;
	if (!succeeded) {
		api_explain(response, &err);
		candidate->ops.problem(candidate->arg, err.text);
	}
	candidate->ops.written(candidate->arg, succeeded);
}

static char *
write_object(const struct lease_candidate *candidate, const char *version,
    const struct lock_time *now)
{
	struct text text = { 0 };
	char renewed[32];

	api_time(renewed, sizeof(renewed), now->seconds, now->microseconds);
	json_put(&text,
	    "{'apiVersion':%s,'kind':'LeaseCandidate','metadata':", version);
	if (candidate->metadata != NULL)
		text_put(&text, candidate->metadata);
	else
		json_put(&text, "{'namespace':%s,'name':%s}",
		    candidate->namespace, candidate->name);
	json_put(&text,
	    ",'spec':{'leaseName':%s,'binaryVersion':%s,"
	    "'emulationVersion':%s,'strategy':'OldestEmulationVersion',",
	    candidate->lease_name, candidate->binary_version,
	    candidate->emulation_version);
	if (candidate->ping != NULL)
		json_put(&text, "'pingTime':%s,", candidate->ping);
	json_put(&text, "'renewTime':%s}}", renewed);
	return text_take(&text);
}

/* The object's path, or its collection's. */
static char *
write_path(const struct lease_candidate *candidate, const char *version,
    bool collection)
{
	AUTOFREE char *all =
	    path_of_collection(version, candidate->namespace, LEASE_CANDIDATES);
	struct text path = { 0 };

	text_put(&path, all);
	if (!collection) {
		text_put(&path, "/");
		url_put(&path, candidate->name);
	}
	return text_take(&path);
}

void
lease_candidate_write(struct lease_candidate *candidate,
    const struct lock_time *now)
{
	const char *version = reflector_version(candidate->reflector);
	bool create = candidate->metadata == NULL;
	AUTOFREE char *path = NULL, *body = NULL;

	/* Should the API be gone since: the write fails, and is tried again. */
	if (version == NULL)
		version = lease_candidate_versions[0];
	path = write_path(candidate, version, create);
	body = write_object(candidate, version, now);
	candidate->call = api_send(candidate->client,
	    &(struct api_request){ .lane = API_BINDS,
		.urgent = true,
		.method = create ? "POST" : "PUT",
		.path = path,
		.body = body,
		.timeout_ms = candidate->timeout_ms,
		.on_done = on_written,
		.arg = candidate });
}

struct lease_candidate *
lease_candidate_new(struct api_client *client,
    const struct lease_candidate_spec *spec,
    const struct lease_candidate_ops *ops, void *arg)
{
	static const struct reflector_ops watching = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	struct lease_candidate *candidate = xcalloc(1, sizeof(*candidate));
	AUTOFREE char *only = xasprintf("metadata.name=%s", spec->name);

	candidate->client = client;
	candidate->namespace = xstrdup(spec->namespace);
	candidate->name = xstrdup(spec->name);
	candidate->lease_name = xstrdup(spec->lease_name);
	candidate->binary_version = xstrdup(spec->binary_version);
	candidate->emulation_version = xstrdup(spec->emulation_version);
	candidate->timeout_ms = spec->timeout_ms;
	candidate->ops = *ops;
	candidate->arg = arg;
	candidate->reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = LEASE_CANDIDATES,
		.versions = lease_candidate_versions,
		.namespace = spec->namespace,
		.field_selector = only,
		.raw = true,
		.namespaced = true },
	    &watching, candidate);
	return candidate;
}

void
lease_candidate_free(struct lease_candidate *candidate)
{
	if (candidate == NULL)
		return;
	api_cancel(candidate->call);
	reflector_free(candidate->reflector);
	forget(candidate);
	free(candidate->namespace);
	free(candidate->name);
	free(candidate->lease_name);
	free(candidate->binary_version);
	free(candidate->emulation_version);
	free(candidate);
}
