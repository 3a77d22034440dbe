/*
 * The ConfigMap with the policy: read once, which shows errors in it or in our
 * rights, then watched.
 *
 * An API server that cannot be reached is waited for.  A refusal for lack of
 * rights is retried for ten seconds after the API server came back, because it
 * may not know our rights yet.
 */
#include "config.h"

#include <event2/event.h>

#include "wire/api/client.h"
#include "wire/api/paths.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/watch.h"
#include "base/doc.h"
#include "base/log.h"
#include "daemon/policy_source/policy_source_internal.h"

/* When the API server does not answer, it is asked again. */
#define AGAIN_MS 1000
/* For this long after an outage the API server may not know our rights yet. */
#define STARTING_MS 30000

struct config_map {
	struct policy_source *source;
	char *what; /* for the log */
	struct event *again;
	struct api_call *call;
	int64_t unreachable_ms; /* when it last was; 0: never */
	struct reflector *reflector;
	struct trouble trouble;
	char *uid, *resource_version;
};

/* ---- contents ---- */

static void
read_config_map(struct config_map *map, const struct doc_node *root)
{
	const struct doc_node *metadata = doc_get(root, "metadata");
	const struct doc_node *value =
	    doc_get(doc_get(root, "data"), POLICY_KEY);

	xreplace(&map->uid, doc_string(doc_get(metadata, "uid")));
	xreplace(&map->resource_version,
	    doc_string(doc_get(metadata, "resourceVersion")));
	if (value != NULL && value->kind == DOC_STRING)
		policy_source_text(map->source, value->text, value->len);
	else
		policy_source_nothing(map->source, ABOUT_TEXT,
		    POLICY_KEY_MISSING);
}

/* why: in kube-scheduler's words. */
static void
take_none(struct config_map *map, const char *why)
{
	const struct place *place = &map->source->place;
	AUTOFREE char *text = xasprintf("couldn't get policy config map "
					"%s/%s: %s",
	    place->namespace, place->config_map, why);

	policy_source_nothing(map->source, ABOUT_TEXT, text);
}

/* ---- watching it ---- */

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	read_config_map(arg, root);
}

static void
on_absent(struct config_map *map)
{
	AUTOFREE char *why = xasprintf("configmaps \"%s\" not found",
	    map->source->place.config_map);

	take_none(map, why);
}

static void
on_removed(void *arg, struct object *object)
{
	on_absent(arg);
}

static void
on_synced(void *arg)
{
	struct config_map *map = arg;

	log_over(&map->trouble, "the ConfigMap of the policy is watched again");
	if (reflector_count(map->reflector) == 0)
		on_absent(map);
}

static void
on_problem(void *arg, const char *text)
{
	struct config_map *map = arg;

	log_trouble(&map->trouble, "watching %s: %s", map->what, text);
}

static void
watch(struct config_map *map)
{
	static const char *const versions[] = { "v1", NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	const struct place *place = &map->source->place;
	AUTOFREE char *only = xasprintf("metadata.name=%s", place->config_map);

	map->reflector = reflector_new(map->source->client,
	    &(struct reflector_spec){ .resource = "configmaps",
		.versions = versions,
		.namespace = place->namespace,
		.field_selector = only,
		.raw = true,
		.namespaced = true },
	    &ops, map);
}

/* ---- reading it once ---- */

/* Whether the same request may succeed later without any change. */
static bool
is_transient(struct config_map *map, int status)
{
	int64_t now = clock_ms();

	if (status == 401 || status == 403)
		return map->unreachable_ms != 0 &&
		    now - map->unreachable_ms < STARTING_MS;
	if (status != 0 && status != 429 && status < 500)
		return false;
	map->unreachable_ms = now;
	return true;
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct config_map *map = arg;
	struct doc *doc;
	struct err err;

	map->call = NULL;
	if (response->status != 200)
		api_explain(response, &err);
	if (is_transient(map, response->status)) {
		log_trouble(&map->trouble, "waiting for %s: %s", map->what,
		    err.text);
		timer_start(map->again, AGAIN_MS);
		return;
	}
	if (response->status == 200) {
		doc = doc_parse(map->what, response->body, response->len,
		    &doc_limits_people, &err);
		if (doc != NULL)
			read_config_map(map, doc_root(doc));
		else
			take_none(map, err.text);
		doc_free(doc);
	} else {
		take_none(map, api_sentence(&err));
	}
	if (map->reflector == NULL)
		watch(map);
}

void
config_map_look(struct config_map *map)
{
	const struct place *place = &map->source->place;
	AUTOFREE char *path = path_of_object("v1", place->namespace,
	    "configmaps", place->config_map, "");

	api_cancel(map->call);
	map->call = api_send(map->source->client,
	    &(struct api_request){ .lane = API_REST,
		.path = path,
		.on_done = on_answer,
		.arg = map });
}

static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	config_map_look(arg);
}

/* ---- life ---- */

struct config_map *
config_map_new(struct policy_source *source)
{
	struct config_map *map = xcalloc(1, sizeof(*map));

	map->source = source;
	map->what = xasprintf("the policy of %s", source->place.origin);
	map->uid = xstrdup("");
	map->resource_version = xstrdup("");
	map->again = evtimer_new(source->base, on_again, map);
	config_map_look(map);
	return map;
}

void
config_map_free(struct config_map *map)
{
	if (map == NULL)
		return;
	event_free(map->again);
	api_cancel(map->call);
	reflector_free(map->reflector);
	free(map->what);
	free(map->uid);
	free(map->resource_version);
	free(map);
}

void
config_map_send_event(const struct config_map *map, struct api_event event)
{
	event.kind = "ConfigMap";
	event.api_version = "v1";
	event.namespace = map->source->place.namespace;
	event.name = map->source->place.config_map;
	event.uid = map->uid;
	event.resource_version = map->resource_version;
	map->source->ops.on_event(map->source->arg, &event);
}
