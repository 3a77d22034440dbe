#include "config.h"

#include "leader/candidacy.h"

#include <event2/event.h>
#include <time.h>

#include "api/client.h"
#include "api/paths.h"
#include "api/watch.h"
#include "api/writes.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/log.h"
#include "model/decode.h"

/*
 * When
 */

void
candidacy_init(struct candidacy *candidacy, int64_t retry_ms,
    const struct candidacy_ops *ops, void *arg)
{
	memset(candidacy, 0, sizeof(*candidacy));
	candidacy->retry_ms = retry_ms;
	candidacy->ops = ops;
	candidacy->arg = arg;
}

static void
write_when_due(struct candidacy *candidacy)
{
	if (!candidacy->synced || candidacy->writing)
		return;
	if (candidacy->ops->now_ms(candidacy->arg) < candidacy->due_ms) {
		candidacy->ops->wake(candidacy->arg, candidacy->due_ms);
		return;
	}
	candidacy->writing = true;
	candidacy->pinged = false;
	candidacy->ops->write(candidacy->arg);
}

static void
write_after(struct candidacy *candidacy, int64_t ms)
{
	candidacy->due_ms = candidacy->ops->now_ms(candidacy->arg) + ms;
	write_when_due(candidacy);
}

void
candidacy_seen(struct candidacy *candidacy, bool exists, bool pinged)
{
	if (exists && !pinged)
		return;
	candidacy->pinged = true;
	write_after(candidacy, 0);
}

void
candidacy_synced(struct candidacy *candidacy)
{
	if (candidacy->synced)
		return;
	candidacy->synced = true;
	write_after(candidacy, 0);
}

void
candidacy_written(struct candidacy *candidacy, bool succeeded)
{
	candidacy->writing = false;
	if (!succeeded)
		write_after(candidacy, candidacy->retry_ms);
	else
		write_after(candidacy,
		    candidacy->pinged ? 0 : CANDIDACY_RENEW_MS);
}

void
candidacy_woken(struct candidacy *candidacy)
{
	write_when_due(candidacy);
}

/*
 * The object
 */

const char *const lease_candidate_versions[] = { "coordination.k8s.io/v1beta1",
	"coordination.k8s.io/v1alpha2", NULL };

struct lease_candidate {
	struct api_client *client;
	struct lease_candidate_spec spec;
	struct candidacy candidacy;
	struct trouble trouble;
	struct event *timer;
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
	xreplace(&candidate->metadata, NULL);
	xreplace(&candidate->ping, NULL);
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
	xreplace(&candidate->ping, ping);
	candidacy_seen(&candidate->candidacy, true,
	    is_later(ping, text_of(doc_get(spec, "renewTime"))));
}

static void
on_removed(void *arg, struct object *object)
{
	struct lease_candidate *candidate = arg;

	forget(candidate);
	candidacy_seen(&candidate->candidacy, false, false);
}

static void
on_synced(void *arg)
{
	struct lease_candidate *candidate = arg;

	log_over(&candidate->trouble, "the lease candidate is watched again");
	candidacy_synced(&candidate->candidacy);
}

static void
on_problem(void *arg, const char *why)
{
	struct lease_candidate *candidate = arg;

	log_trouble(&candidate->trouble,
	    "cannot read or write the lease candidate %s/%s: %s",
	    candidate->spec.namespace, candidate->spec.name, why);
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
		on_problem(candidate, err.text);
	}
	candidacy_written(&candidate->candidacy, succeeded);
}

static char *
write_object(const struct lease_candidate *candidate, const char *version,
    const struct timespec *now)
{
	struct text text = { 0 };
	char renewed[32];

	api_time(renewed, sizeof(renewed), now->tv_sec,
	    (int)(now->tv_nsec / 1000));
	json_put(&text,
	    "{'apiVersion':%s,'kind':'LeaseCandidate','metadata':", version);
	if (candidate->metadata != NULL)
		text_put(&text, candidate->metadata);
	else
		json_put(&text, "{'namespace':%s,'name':%s}",
		    candidate->spec.namespace, candidate->spec.name);
	json_put(&text,
	    ",'spec':{'leaseName':%s,'binaryVersion':%s,"
	    "'emulationVersion':%s,'strategy':'OldestEmulationVersion',",
	    candidate->spec.lease_name, candidate->spec.binary_version,
	    candidate->spec.emulation_version);
	if (candidate->ping != NULL)
		json_put(&text, "'pingTime':%s,", candidate->ping);
	json_put(&text, "'renewTime':%s}}", renewed);
	return text_take(&text);
}

/* Creates the object, or renews it. */
static void
write_candidate(void *arg)
{
	struct lease_candidate *candidate = arg;
	const struct lease_candidate_spec *spec = &candidate->spec;
	const char *version = reflector_version(candidate->reflector);
	bool create = candidate->metadata == NULL;
	AUTOFREE char *path = NULL, *body = NULL;
	struct timespec now;

	/* Should the API be gone since: the write fails, and is tried again. */
	if (version == NULL)
		version = lease_candidate_versions[0];
	clock_gettime(CLOCK_REALTIME, &now);
	path = create ?
	    path_of_collection(version, spec->namespace, LEASE_CANDIDATES) :
	    path_of_object(version, spec->namespace, LEASE_CANDIDATES,
		spec->name, "");
	body = write_object(candidate, version, &now);
	candidate->call = api_send(candidate->client,
	    &(struct api_request){ .lane = API_BINDS,
		.urgent = true,
		.method = create ? "POST" : "PUT",
		.path = path,
		.body = body,
		.timeout_ms = spec->timeout_ms,
		.on_done = on_written,
		.arg = candidate });
}

int64_t
lease_now_ms(void *arg)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
wake(void *arg, int64_t at_ms)
{
	struct lease_candidate *candidate = arg;
	int64_t wait = at_ms - lease_now_ms(NULL);

	timer_start(candidate->timer, wait > 0 ? wait : 0);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct lease_candidate *candidate = arg;

	candidacy_woken(&candidate->candidacy);
}

struct lease_candidate *
lease_candidate_new(struct api_client *client,
    const struct lease_candidate_spec *spec)
{
	static const struct reflector_ops watching = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	static const struct candidacy_ops ops = { lease_now_ms, write_candidate,
		wake };
	struct lease_candidate *candidate = xcalloc(1, sizeof(*candidate));
	AUTOFREE char *only = xasprintf("metadata.name=%s", spec->name);

	candidate->client = client;
	candidate->spec = *spec;
	candidacy_init(&candidate->candidacy, spec->retry_ms, &ops, candidate);
	candidate->timer =
	    event_new(api_client_base(client), -1, 0, on_timer, candidate);
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
	event_free(candidate->timer);
	forget(candidate);
	free(candidate);
}
