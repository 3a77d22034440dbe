#include "config.h"

#include "daemon/policy_source.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/client.h"
#include "api/clock.h"
#include "api/event_correlator.h"
#include "api/json_text.h"
#include "api/watch.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/log.h"
#include "base/sha1.h"
#include "base/xmalloc.h"
#include "daemon/file_watch.h"
#include "model/object.h"

#define KEY "policy.cfg"
#define MISSING_KEY "missing policy config map value at key \"" KEY "\""

/* When the API server does not answer, it is asked again. */
#define AGAIN_MS 1000
/* So long after it could not, it may not know yet what we may do. */
#define STARTING_MS 10000

/* The options, with what they leave out filled in. */
struct place {
	struct policy_options policy;
	char *file;       /* NULL: none */
	char *config_map; /* NULL: none */
	char *namespace;
	char *provider;
	char *component;
	char *origin;
};

struct policy_source {
	struct event_base *base;
	struct api_client *client;
	struct policy_source_ops ops;
	void *arg;

	struct place place;

	/* What was read last: the hash of a text, or why there was none. */
	char *seen;
	bool refused; /* it was no good */
	bool aloud;   /* a refusal is to be said again */
	uint64_t generation; /* 0: there is no policy yet */

	struct event *look, *again;
	struct file_watch *watch;
	struct api_call *call;
	int64_t unreachable_ms; /* when it last was; 0: never */
	struct reflector *reflector;
	/* Of the ConfigMap, for events. */
	char *uid, *resource_version;
};

/*
 * What came of a text
 */

static void
log_problems(const struct problems *problems)
{
	char line[4096];

	for (size_t i = 0; i < problems->n; i++) {
		const struct problem *problem = &problems->at[i];

		problem_text(problem, line, sizeof(line));
		switch (problem->severity) {
		case SEVERITY_ERROR:
			log_error("%s", line);
			break;
		case SEVERITY_WARNING:
			log_warning("%s", line);
			break;
		}
	}
}

static void
send_event(struct policy_source *source, const char *type, const char *reason,
    const char *message)
{
	if (source->place.config_map == NULL || source->ops.on_event == NULL)
		return;
	source->ops.on_event(source->arg,
	    &(struct event){
		.kind = "ConfigMap",
		.api_version = "v1",
		.namespace = source->place.namespace,
		.name = source->place.config_map,
		.uid = source->uid,
		.resource_version = source->resource_version,
		.type = type,
		.reason = reason,
		.message = message,
		.component = source->place.component });
}

/* An event's message has up to 1024 bytes. */
static void
send_refusal(struct policy_source *source, const char *why,
    const struct problems *problems)
{
	char message[1000];
	size_t len;

	len = (size_t)snprintf(message, sizeof(message), "%.300s", why);
	for (size_t i = 0; i < problems->n && len < sizeof(message); i++) {
		char line[sizeof(message)];

		if (problems->at[i].severity != SEVERITY_ERROR)
			continue;
		problem_text(&problems->at[i], line, sizeof(line));
		if (strstr(message, line) == NULL)
			len += (size_t)snprintf(message + len,
			    sizeof(message) - len, "\n%s", line);
	}
	send_event(source, "Warning", "PolicyRefused", message);
}

/* Whether what is seen now is to be looked at: it is something else than last
 * time, or somebody asked why it was refused. */
static bool
is_news(struct policy_source *source, const char *seen)
{
	bool aloud = source->aloud && source->refused;

	source->aloud = false;
	if (source->seen != NULL && strcmp(source->seen, seen) == 0)
		return aloud;
	free(source->seen);
	source->seen = xstrdup(seen);
	return true;
}

static void
reject(struct policy_source *source, const char *why,
    const struct problems *problems)
{
	source->refused = true;
	log_problems(problems);
	if (source->generation == 0) {
		source->ops.on_failed(source->arg, why);
		return;
	}
	log_error("the policy of %s is refused, the last good one stays: %s",
	    source->place.origin, why);
	send_refusal(source, why, problems);
	source->ops.on_refused(source->arg, why, problems);
}

/* Takes the profile. */
static void
apply(struct policy_source *source, struct profile *profile, const char *hash,
    const struct problems *problems)
{
	struct policy_version version = { .origin = source->place.origin };

	source->refused = false;
	log_problems(problems);
	version.generation = ++source->generation;
	snprintf(version.hash, sizeof(version.hash), "%s", hash);
	if (version.generation > 1) {
		log_info("a new policy of %s applies, sha1 %s",
		    source->place.origin, hash);
		send_event(source, "Normal", "PolicyApplied",
		    "the changed policy applies");
	}
	source->ops.on_policy(source->arg, profile, &version);
}

/* There is no text; why is all there is to say. */
static void
take_nothing(struct policy_source *source, const char *why)
{
	struct problems none = { 0 };

	if (is_news(source, why))
		reject(source, why, &none);
}

static void
hash_text(const char *text, size_t len, char hash[41])
{
	unsigned char digest[SHA1_SIZE];

	sha1(text, len, digest);
	for (size_t i = 0; i < SHA1_SIZE; i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

static bool
is_blank(const char *text, size_t len)
{
	return strspn(text, " \t\r\n") >= len;
}

/*
 * kube-scheduler's sentence for why a policy is refused.  why is what
 * policy_read() says: the position of what does not decode, or a sentence.
 */
static void
sentence(const struct problems *problems, const char *why, struct err *out)
{
	char line[sizeof(out->text)];

	for (size_t i = 0; i < problems->n; i++) {
		if (problems->at[i].severity != SEVERITY_ERROR)
			continue;
		problem_text(&problems->at[i], line, sizeof(line));
		if (strcmp(line, why) != 0)
			continue;
		errf(out, "invalid policy: %s", why);
		return;
	}
	if (strcmp(why, MISSING_KEY) == 0)
		errf(out, "%s", why);
	else
		errf(out, "couldn't create scheduler from policy: %s", why);
}

static void
take_text(struct policy_source *source, const char *text, size_t len)
{
	struct problems problems = { 0 };
	struct profile *profile;
	struct err why, all;
	char hash[41];

	hash_text(text, len, hash);
	if (!is_news(source, hash))
		return;
	/* At start nothing means the defaults, as it does to kube-scheduler.
	 * Later it means that something went wrong while it was written. */
	if (source->generation > 0 && is_blank(text, len)) {
		errf(&all, "invalid policy: %s: there is nothing in it",
		    source->place.origin);
		reject(source, all.text, &problems);
		return;
	}
	profile = policy_read(source->place.origin, text, len,
	    &source->place.policy, &problems, &why);
	if (profile != NULL) {
		apply(source, profile, hash, &problems);
	} else {
		sentence(&problems, why.text, &all);
		reject(source, all.text, &problems);
	}
	problems_fini(&problems);
}

/*
 * A file
 */

static bool
same_content(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	    a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	    a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void
read_file(void *arg)
{
	struct policy_source *source = arg;
	struct stat before = { 0 }, after = { 0 };
	AUTOFREE char *text = NULL;
	struct err err;
	size_t len;

	stat(source->place.file, &before);
	text = policy_file_text(source->place.file, &len, &err);
	stat(source->place.file, &after);
	/* Somebody writes it just now: the watch will tell when they are
	 * done. */
	if (source->generation > 0 && !same_content(&before, &after))
		return;
	if (text != NULL)
		take_text(source, text, len);
	else
		take_nothing(source, err.text);
}

/*
 * A ConfigMap: read once, to know what is wrong with it or with our rights,
 * then watched.
 */

static void
keep_text(char **where, const struct doc_node *metadata, const char *key)
{
	const struct doc_node *value = doc_get(metadata, key);

	free(*where);
	*where = xstrdup(value != NULL && value->kind == DOC_STRING ?
	    value->text : "");
}

static void
take_config_map(struct policy_source *source, const struct doc_node *root)
{
	const struct doc_node *value = doc_get(doc_get(root, "data"), KEY);

	keep_text(&source->uid, doc_get(root, "metadata"), "uid");
	keep_text(&source->resource_version, doc_get(root, "metadata"),
	    "resourceVersion");
	if (value != NULL && value->kind == DOC_STRING)
		take_text(source, value->text, value->len);
	else
		take_nothing(source, MISSING_KEY);
}

static void
take_no_config_map(struct policy_source *source, const char *why)
{
	struct err err;

	errf(&err, "couldn't get policy config map %s/%s: %s",
	    source->place.namespace, source->place.config_map, why);
	take_nothing(source, err.text);
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	take_config_map(arg, root);
}

static void
on_absent(struct policy_source *source)
{
	struct err err;

	errf(&err, "configmaps \"%s\" not found", source->place.config_map);
	take_no_config_map(source, err.text);
}

static void
on_removed(void *arg, struct object *object)
{
	on_absent(arg);
}

static void
on_synced(void *arg)
{
	struct policy_source *source = arg;

	if (source->reflector != NULL &&
	    reflector_count(source->reflector) == 0)
		on_absent(source);
}

static void
on_watch_problem(void *arg, const char *text)
{
	struct policy_source *source = arg;

	log_warning("watching the policy of %s: %s", source->place.origin,
	    text);
}

static void
watch_config_map(struct policy_source *source)
{
	static const char *const versions[] = { "v1", NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed, .synced = on_synced,
		.problem = on_watch_problem };
	AUTOFREE char *only =
	    xasprintf("metadata.name=%s", source->place.config_map);

	source->reflector = reflector_new(source->client,
	    &(struct reflector_spec){
		.resource = "configmaps",
		.versions = versions,
		.namespace = source->place.namespace,
		.field_selector = only,
		.raw = true,
		.namespaced = true },
	    &ops, source);
}

/* Whether asking again may help without anybody doing anything about it. */
static bool
may_pass(struct policy_source *source, int status)
{
	int64_t now = clock_ms();

	if (status == 401 || status == 403)
		return source->unreachable_ms != 0 &&
		    now - source->unreachable_ms < STARTING_MS;
	if (status != 0 && status != 429 && status < 500)
		return false;
	source->unreachable_ms = now;
	return true;
}

/* The server's own sentence, without the number that api_explain() adds. */
static const char *
server_sentence(const struct err *explained)
{
	const char *colon;

	if (strncmp(explained->text, "HTTP ", 5) != 0)
		return explained->text;
	colon = strstr(explained->text, ": ");
	return colon != NULL ? colon + 2 : explained->text;
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct policy_source *source = arg;
	struct timeval wait = clock_timeval(AGAIN_MS);
	struct doc *doc;
	struct err err;

	source->call = NULL;
	if (may_pass(source, response->status)) {
		api_explain(response, &err);
		log_warning("waiting for the policy of %s: %s",
		    source->place.origin, err.text);
		event_add(source->again, &wait);
		return;
	}
	if (response->status != 200) {
		api_explain(response, &err);
		take_no_config_map(source, server_sentence(&err));
	} else {
		doc = doc_parse(source->place.origin, response->body,
		    response->len, &doc_limits_people, &err);
		if (doc != NULL)
			take_config_map(source, doc_root(doc));
		else
			take_no_config_map(source, err.text);
		doc_free(doc);
	}
	if (source->reflector == NULL && source->generation > 0)
		watch_config_map(source);
}

static void
read_config_map(struct policy_source *source)
{
	struct text path = { 0 };

	text_put(&path, "/api/v1/namespaces/");
	url_put(&path, source->place.namespace);
	text_put(&path, "/configmaps/");
	url_put(&path, source->place.config_map);
	api_cancel(source->call);
	source->call = api_send(source->client,
	    &(struct api_request){
		.lane = API_REST,
		.path = path.bytes,
		.on_done = on_answer,
		.arg = source });
	text_fini(&path);
}

static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	read_config_map(arg);
}

/*
 * Neither
 */

/* NULL with err filled: there is no such provider. */
static struct profile *
provide(const char *name, const struct policy_options *options,
    struct err *err)
{
	struct profile *profile = policy_provider(name, options);

	if (profile == NULL)
		errf(err, "couldn't create scheduler using provider \"%s\": "
		    "plugin \"%s\" has not been registered", name, name);
	return profile;
}

static void
take_provider(struct policy_source *source)
{
	struct problems none = { 0 };
	struct err err;
	struct profile *profile =
	    provide(source->place.provider, &source->place.policy, &err);

	if (profile == NULL)
		take_nothing(source, err.text);
	else if (is_news(source, source->place.provider))
		apply(source, profile, "", &none);
	else
		profile_free(profile);
}

/*
 * The whole
 */

static bool
is_given(const char *text)
{
	return text != NULL && text[0] != '\0';
}

static const char *
or_else(const char *text, const char *other)
{
	return is_given(text) ? text : other;
}

static void
place_init(struct place *place, const struct policy_source_options *options)
{
	memset(place, 0, sizeof(*place));
	place->policy = options->policy;
	place->namespace = xstrdup(
	    or_else(options->config_map_namespace, "kube-system"));
	place->provider =
	    xstrdup(or_else(options->provider, "DefaultProvider"));
	place->component =
	    xstrdup(or_else(options->component, "default-scheduler"));
	if (is_given(options->file)) {
		place->file = xstrdup(options->file);
		place->origin = xstrdup(options->file);
	} else if (is_given(options->config_map)) {
		place->config_map = xstrdup(options->config_map);
		place->origin = xasprintf("%s/%s[" KEY "]", place->namespace,
		    place->config_map);
	} else {
		place->origin = xstrdup(place->provider);
	}
}

static void
place_fini(struct place *place)
{
	free(place->file);
	free(place->config_map);
	free(place->namespace);
	free(place->provider);
	free(place->component);
	free(place->origin);
}

static bool
same_options(const struct policy_options *a, const struct policy_options *b)
{
	return a->strict == b->strict && a->kosmos == b->kosmos &&
	    memcmp(&a->gates, &b->gates, sizeof(a->gates)) == 0 &&
	    a->hard_pod_affinity_symmetric_weight ==
	    b->hard_pod_affinity_symmetric_weight &&
	    a->always_check_all_predicates == b->always_check_all_predicates;
}

static bool
same_place(const struct place *a, const struct place *b)
{
	return (a->file != NULL) == (b->file != NULL) &&
	    (a->config_map != NULL) == (b->config_map != NULL) &&
	    strcmp(a->origin, b->origin) == 0 &&
	    same_options(&a->policy, &b->policy);
}

/* Nothing is watched, and nothing was seen. */
static void
leave_place(struct policy_source *source)
{
	event_del(source->again);
	file_watch_free(source->watch);
	api_cancel(source->call);
	reflector_free(source->reflector);
	source->watch = NULL;
	source->call = NULL;
	source->reflector = NULL;
	free(source->seen);
	free(source->uid);
	free(source->resource_version);
	source->seen = NULL;
	source->uid = xstrdup("");
	source->resource_version = xstrdup("");
	place_fini(&source->place);
}

static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	struct policy_source *source = arg;

	if (source->place.file != NULL) {
		if (source->watch == NULL)
			source->watch = file_watch_new(source->base,
			    source->place.file, read_file, source);
		read_file(source);
	} else if (source->place.config_map != NULL) {
		read_config_map(source);
	} else {
		take_provider(source);
	}
}

struct policy_source *
policy_source_new(struct event_base *base, struct api_client *client,
    const struct policy_source_options *options,
    const struct policy_source_ops *ops, void *arg)
{
	struct policy_source *source = xcalloc(1, sizeof(*source));

	source->base = base;
	source->client = client;
	source->ops = *ops;
	source->arg = arg;
	source->uid = xstrdup("");
	source->resource_version = xstrdup("");
	source->look = event_new(base, -1, 0, on_look, source);
	source->again = event_new(base, -1, 0, on_again, source);
	place_init(&source->place, options);
	event_active(source->look, EV_TIMEOUT, 0);
	return source;
}

void
policy_source_free(struct policy_source *source)
{
	if (source == NULL)
		return;
	leave_place(source);
	event_free(source->look);
	event_free(source->again);
	free(source->uid);
	free(source->resource_version);
	free(source);
}

void
policy_source_reload(struct policy_source *source,
    const struct policy_source_options *options)
{
	struct place place;

	source->aloud = true;
	if (options != NULL) {
		place_init(&place, options);
		if (same_place(&place, &source->place)) {
			place_fini(&place);
		} else {
			leave_place(source);
			source->place = place;
		}
	}
	event_active(source->look, EV_TIMEOUT, 0);
}

struct profile *
policy_source_check(const struct policy_source_options *options,
    struct problems *problems, struct err *err)
{
	struct place place;
	struct profile *profile = NULL;
	struct err why, all = { "" };
	AUTOFREE char *text = NULL;
	size_t len;

	place_init(&place, options);
	if (place.file != NULL) {
		text = policy_file_text(place.file, &len, &all);
		if (text != NULL)
			profile = policy_read(place.origin, text, len,
			    &place.policy, problems, &why);
		if (text != NULL && profile == NULL)
			sentence(problems, why.text, &all);
	} else if (place.config_map == NULL) {
		profile = provide(place.provider, &place.policy, &all);
	}
	if (profile == NULL)
		errf(err, "%s", all.text);
	place_fini(&place);
	return profile;
}
