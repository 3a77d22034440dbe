#include "config.h"

#include "daemon/policy_source/policy_source.h"

#include <event2/event.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/file.h"
#include "base/text.h"
#include "base/log.h"
#include "base/sha1.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "objects/object.h"
#include "policy/configuration/configuration.h"
#include "policy/openshift.h"
#include "daemon/policy_source/file_watch.h"
#include "daemon/policy_source/policy_source_internal.h"
#include "wire/api/writes.h"

const char *
policy_from_name(enum policy_from from)
{
	static const char *const names[POLICY_FROMS] = {
		[POLICY_FROM_FILE] = "file",
		[POLICY_FROM_CONFIG_MAP] = "configmap",
		[POLICY_FROM_OPENSHIFT_POLICY] = "openshift-policy",
		[POLICY_FROM_OPENSHIFT_PROFILE] = "openshift-profile",
		[POLICY_FROM_CONFIG] = "config",
		[POLICY_FROM_PROVIDER] = "provider",
	};

	return names[from];
}

/* ---- results of reading a text ---- */

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

void
policy_source_event(struct policy_source *source, enum policy_about about,
    const char *type, const char *reason, const char *message)
{
	const struct object *scheduler = source->request.object;
	struct api_event event = { .kind = "Scheduler",
		.api_version = OPENSHIFT_VERSION,
		.namespace = "",
		.type = type,
		.reason = reason,
		.message = message,
		.component = source->place.component };

	if (source->ops.on_event == NULL)
		return;
	if (scheduler != NULL) {
		event.name = scheduler->name;
		event.uid = scheduler->uid;
		event.resource_version = scheduler->resource_version;
		source->ops.on_event(source->arg, &event);
	}
	if (source->map != NULL && about == ABOUT_TEXT)
		config_map_send_event(source->map, event);
}

/* An event's message has up to 1024 bytes. */
static void
send_refusal(struct policy_source *source, enum policy_about about,
    const char *why, const struct problems *problems)
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
	policy_source_event(source, about, "Warning", "PolicyRefused", message);
}

/* True if the text must be read: it differs from the last one, or its refusal
 * must be reported again. */
static bool
is_changed(struct policy_source *source, const char *seen)
{
	bool report_again = source->report_again && source->refused;

	source->report_again = false;
	if (source->seen != NULL && strcmp(source->seen, seen) == 0)
		return report_again;
	xreplace(&source->seen, seen);
	return true;
}

static const char *
origin_of_text(const struct policy_source *source, enum policy_from from)
{
	return from == POLICY_FROM_CONFIG ? source->place.config :
					    source->place.origin;
}

/* from: the text's. */
static void
reject(struct policy_source *source, enum policy_about about,
    enum policy_from from, const char *why, const struct problems *problems)
{
	const char *origin = about == ABOUT_TEXT ?
	    origin_of_text(source, from) :
	    OPENSHIFT_OBJECT;
	char text[1024];

	source->refused = true;
	xreplace(&source->problem, NULL);
	for (size_t i = 0; source->problem == NULL && i < problems->n; i++)
		if (problems->at[i].severity == SEVERITY_ERROR)
			xreplace(&source->problem,
			    problem_text(&problems->at[i], text, sizeof(text)));
	log_problems(problems);
	if (source->generation == 0 &&
	    (!source->place.openshift || from == POLICY_FROM_CONFIG)) {
		source->ops.on_failed(source->arg, why);
		return;
	}
	if (source->generation == 0) {
		log_error("the policy of %s is invalid, and there is no "
			  "earlier valid one: %s",
		    origin, why);
		policy_openshift_fall_back(source);
		source->refused = true;
	} else {
		log_error("the %s of %s is invalid, keeping the last "
			  "valid one: %s",
		    from == POLICY_FROM_CONFIG ? "configuration" : "policy",
		    origin, why);
	}
	if (from != POLICY_FROM_CONFIG)
		send_refusal(source, about, why, problems);
	source->ops.on_refused(source->arg, from, why, problems);
}

/* Of a policy's text. */
static enum policy_from
text_from(const struct place *place)
{
	if (place->file != NULL)
		return POLICY_FROM_FILE;
	return place->openshift ? POLICY_FROM_OPENSHIFT_POLICY :
				  POLICY_FROM_CONFIG_MAP;
}

/* Takes the profiles. */
static void
apply(struct policy_source *source, struct profiles *profiles,
    const struct policy_version *as, const struct problems *problems)
{
	struct policy_version version = *as;

	source->refused = false;
	log_problems(problems);
	version.generation = ++source->generation;
	source->since = time(NULL);
	source->nrules = 0;
	for (size_t i = 0; i < profiles->n; i++)
		source->nrules +=
		    profiles->at[i]->npredicates + profiles->at[i]->npriorities;
	version.options = source->place.policy;
	source->release = profiles->at[0]->release;
	source->first = profiles->at[0]->first_reader;
	source->last = profiles->at[0]->last_reader;
	if (version.from == POLICY_FROM_OPENSHIFT_PROFILE)
		version.options.kubernetes_minor = source->kubernetes_minor;
	source->from = version.from;
	xreplace(&source->origin, version.origin);
	memcpy(source->hash, version.hash, sizeof(source->hash));
	if (version.generation > 1)
		log_info("using a new %s from %s%s%s",
		    version.from == POLICY_FROM_CONFIG ? "configuration" :
							 "policy",
		    version.origin, version.hash[0] != '\0' ? ", sha1 " : "",
		    version.hash);
	source->ops.on_policy(source->arg, profiles, &version);
}

/* Takes the profiles. */
static void
apply_text(struct policy_source *source, struct profiles *profiles,
    enum policy_from from, const char *text, size_t len, const char *hash,
    const struct problems *problems)
{
	struct policy_version version = {
		.from = from,
		.origin = origin_of_text(source, from),
		.text = text,
		.len = len,
		.is_configuration = from == POLICY_FROM_CONFIG ||
		    (source->place.any_kind && configuration_is(text)),
	};

	snprintf(version.hash, sizeof(version.hash), "%s", hash);
	apply(source, profiles, &version, problems);
	if (source->generation > 1 && from != POLICY_FROM_CONFIG)
		policy_source_event(source, ABOUT_TEXT, "Normal",
		    "PolicyApplied", "the changed policy is in use");
}

void
policy_source_take(struct policy_source *source, struct profile *profile,
    enum policy_from from, const char *origin)
{
	struct problems none = { 0 };
	struct policy_version version = { .from = from, .origin = origin };

	if (is_changed(source, origin))
		apply(source, profiles_of_one(profile), &version, &none);
	else
		profile_free(profile);
}

void
policy_source_nothing(struct policy_source *source, enum policy_about about,
    const char *why)
{
	struct problems none = { 0 };

	if (is_changed(source, why))
		reject(source, about, text_from(&source->place), why, &none);
}

/* NULL: *all has the first error. */
static struct profiles *
read_text(const struct place *place, enum policy_from from, const char *text,
    size_t len, struct problems *problems, struct err *all)
{
	struct profile *profile;
	struct err why;

	if (from == POLICY_FROM_CONFIG ||
	    (place->any_kind && configuration_is(text)))
		return configuration_read(from == POLICY_FROM_CONFIG ?
			place->config :
			place->origin,
		    text, len, &place->policy, problems, all);
	profile = policy_read(place->origin, text, len, &place->policy,
	    problems, &why);
	if (profile != NULL)
		return profiles_of_one(profile);
	errf(all, "invalid policy: %s", why.text);
	return NULL;
}

static void
take_text(struct policy_source *source, enum policy_from from, const char *text,
    size_t len)
{
	struct problems problems = { 0 };
	struct profiles *profiles;
	struct err why;
	unsigned char digest[SHA1_SIZE];
	char hash[2 * SHA1_SIZE + 1];

	sha1(text, len, digest);
	for (size_t i = 0; i < SHA1_SIZE; i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
	if (!is_changed(source, hash))
		return;
	/* At start nothing means the defaults, as it does to kube-scheduler.
	 * Later it means that something went wrong while it was written. */
	if (source->generation > 0 && strspn(text, " \t\r\n") >= len) {
		errf(&why, "%s%s: it is empty",
		    from == POLICY_FROM_CONFIG ? "" : "invalid policy: ",
		    origin_of_text(source, from));
		reject(source, ABOUT_TEXT, from, why.text, &problems);
		return;
	}
	profiles = read_text(&source->place, from, text, len, &problems, &why);
	if (profiles != NULL)
		apply_text(source, profiles, from, text, len, hash, &problems);
	else
		reject(source, ABOUT_TEXT, from, why.text, &problems);
	problems_fini(&problems);
}

/* ---- a file ---- */

/* kube-scheduler has another sentence for a configuration that does not exist. */
static void
explain_missing(enum policy_from from, const char *path, struct err *err)
{
	if (from == POLICY_FROM_CONFIG && access(path, F_OK) != 0)
		errf(err, "open %s: no such file or directory", path);
}

static void
read_as(struct policy_source *source, enum policy_from from)
{
	const char *path = origin_of_text(source, from);
	struct problems none = { 0 };
	struct stat before = { 0 }, after = { 0 };
	AUTOFREE char *text = NULL;
	struct err err;
	size_t len;

	stat(path, &before);
	text = policy_file_text(path, &len, &err);
	stat(path, &after);
	/* The file is being written: the watch reports the end. */
	if (source->generation > 0 && !file_same(&before, &after))
		return;
	if (text == NULL)
		explain_missing(from, path, &err);
	if (text != NULL)
		take_text(source, from, text, len);
	else if (is_changed(source, err.text))
		reject(source, ABOUT_TEXT, from, err.text, &none);
}

static void
read_file(void *arg)
{
	read_as(arg, POLICY_FROM_FILE);
}

/* The file counts while OpenShift's Scheduler object does not name another policy. */
static void
read_config(void *arg)
{
	struct policy_source *source = arg;

	if (!source->place.openshift ||
	    (source->request.heard && source->request.config_map[0] == '\0' &&
		source->request.profile[0] == '\0'))
		read_as(source, POLICY_FROM_CONFIG);
}

void
policy_source_take_config(struct policy_source *source)
{
	if (source->watch == NULL)
		source->watch = file_watch_new(source->base,
		    source->place.config, read_config, source);
	read_as(source, POLICY_FROM_CONFIG);
}

/* ---- a ConfigMap ---- */

void
policy_source_text(struct policy_source *source, const char *text, size_t len)
{
	take_text(source, text_from(&source->place), text, len);
}

static char *
origin_of(const char *namespace, const char *config_map)
{
	return xasprintf("%s/%s[" POLICY_KEY "]", namespace, config_map);
}

void
policy_source_follow(struct policy_source *source, const char *name)
{
	struct place *place = &source->place;

	config_map_free(source->map);
	source->map = NULL;
	xreplace(&source->seen, NULL);
	xreplace(&place->config_map, name);
	if (name == NULL)
		return;
	free(place->origin);
	place->origin = origin_of(place->namespace, name);
	source->map = config_map_new(source);
}

/* ---- neither ---- */

/* NULL: err says that the provider is unknown. */
static struct profile *
provide(const char *name, const struct policy_options *options, struct err *err)
{
	struct profile *profile = policy_provider(name, options);

	if (profile == NULL)
		errf(err,
		    "couldn't create scheduler using provider \"%s\": "
		    "plugin \"%s\" has not been registered",
		    name, name);
	return profile;
}

struct profile *
policy_source_provider(const struct policy_source *source, struct err *err)
{
	return provide(source->place.provider, &source->place.policy, err);
}

static void
take_provider(struct policy_source *source)
{
	struct err err;
	struct profile *profile = policy_source_provider(source, &err);

	if (profile == NULL)
		policy_source_nothing(source, ABOUT_TEXT, err.text);
	else
		policy_source_take(source, profile, POLICY_FROM_PROVIDER,
		    source->place.provider);
}

/* ---- the whole ---- */

static bool
is_given(const char *text)
{
	return text != NULL && text[0] != '\0';
}

static const char *
or_default(const char *text, const char *other)
{
	return is_given(text) ? text : other;
}

static void
place_init(struct place *place, const struct policy_source_options *options)
{
	memset(place, 0, sizeof(*place));
	place->policy = options->policy;
	place->namespace =
	    xstrdup(or_default(options->config_map_namespace, "kube-system"));
	place->provider =
	    xstrdup(or_default(options->provider, "DefaultProvider"));
	place->component =
	    xstrdup(or_default(options->component, "default-scheduler"));
	if (is_given(options->file)) {
		place->file = xstrdup(options->file);
		place->any_kind = options->any_kind;
		place->origin = xstrdup(options->file);
	} else if (is_given(options->config_map)) {
		place->config_map = xstrdup(options->config_map);
		place->origin = origin_of(place->namespace, place->config_map);
	} else {
		place->openshift = options->openshift;
		if (is_given(options->config))
			place->config = xstrdup(options->config);
		place->origin = xstrdup(
		    place->config != NULL ? place->config : place->provider);
	}
	if (place->openshift) {
		xreplace(&place->namespace, OPENSHIFT_CONFIG);
		place->policy.project_node_selectors = true;
	}
}

static void
place_fini(struct place *place)
{
	free(place->file);
	free(place->config_map);
	free(place->namespace);
	free(place->config);
	free(place->provider);
	free(place->component);
	free(place->origin);
}

static bool
same_options(const struct policy_options *a, const struct policy_options *b)
{
	return a->strict == b->strict && a->kosmos == b->kosmos &&
	    a->ignored_fields == b->ignored_fields &&
	    memcmp(&a->gates, &b->gates, sizeof(a->gates)) == 0 &&
	    a->hard_pod_affinity_symmetric_weight ==
	    b->hard_pod_affinity_symmetric_weight &&
	    a->always_check_all_predicates == b->always_check_all_predicates;
}

static bool
same_place(const struct place *a, const struct place *b)
{
	if (!same_options(&a->policy, &b->policy) ||
	    a->openshift != b->openshift)
		return false;
	if (!text_same(a->config, b->config))
		return false;
	if (a->openshift)
		return strcmp(a->provider, b->provider) == 0;
	return (a->file != NULL) == (b->file != NULL) &&
	    a->any_kind == b->any_kind &&
	    (a->config_map != NULL) == (b->config_map != NULL) &&
	    strcmp(a->origin, b->origin) == 0;
}

/* Nothing is watched, and nothing was seen. */
static void
close_place(struct policy_source *source)
{
	file_watch_free(source->watch);
	config_map_free(source->map);
	policy_openshift_stop(source);
	source->watch = NULL;
	source->map = NULL;
	xreplace(&source->seen, NULL);
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
	} else if (source->map != NULL) {
		config_map_look(source->map);
	} else if (source->place.config_map != NULL) {
		source->map = config_map_new(source);
	} else if (!source->place.openshift) {
		if (source->place.config != NULL)
			policy_source_take_config(source);
		else
			take_provider(source);
	} else if (source->request.watch == NULL) {
		policy_openshift_start(source);
	} else {
		policy_openshift_take(source);
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
	source->look = event_new(base, -1, 0, on_look, source);
	place_init(&source->place, options);
	event_active(source->look, EV_TIMEOUT, 0);
	return source;
}

void
policy_source_free(struct policy_source *source)
{
	if (source == NULL)
		return;
	close_place(source);
	event_free(source->look);
	free(source->origin);
	free(source->problem);
	free(source);
}

void
policy_source_reload(struct policy_source *source,
    const struct policy_source_options *options)
{
	struct place place;

	source->report_again = true;
	if (options != NULL) {
		place_init(&place, options);
		if (same_place(&place, &source->place)) {
			place_fini(&place);
		} else {
			close_place(source);
			source->place = place;
			source->place.policy.kubernetes_minor =
			    source->kubernetes_minor;
			if (!place.openshift &&
			    source->ops.on_node_selector != NULL)
				source->ops.on_node_selector(source->arg, NULL);
		}
	}
	event_active(source->look, EV_TIMEOUT, 0);
}

void
policy_source_set_kubernetes(struct policy_source *source, int minor)
{
	source->kubernetes_minor = source->place.policy.kubernetes_minor =
	    minor;
	policy_openshift_release(source);
	/* it decides as the release that was not known when it was read */
	if (minor >= source->first && minor <= source->last &&
	    minor != source->release) {
		xreplace(&source->seen, NULL);
		event_active(source->look, EV_TIMEOUT, 0);
	}
}

void
policy_source_show(const struct policy_source *source, struct text *out)
{
	struct json_out json = JSON_OUT_INIT(out);
	char since[32];

	if (source->generation == 0) {
		text_put(out, "null");
		return;
	}
	json_object(&json,
	    "source:s origin:s hash:s generation:d since:s rules:z refused:b "
	    "problem:s",
	    policy_from_name(source->from), source->origin, source->hash,
	    (int64_t)source->generation,
	    api_time(since, sizeof(since), source->since, 0), source->nrules,
	    source->refused, source->refused ? source->problem : NULL);
}

struct profiles *
policy_source_check(const struct policy_source_options *options,
    struct problems *problems, struct err *err)
{
	struct place place;
	struct profiles *profiles = NULL;
	struct profile *profile;
	struct err all = { "" };
	AUTOFREE char *text = NULL;
	size_t len;

	place_init(&place, options);
	if (place.file != NULL || place.config != NULL) {
		text = policy_file_text(place.origin, &len, &all);
		if (text != NULL)
			profiles = read_text(&place,
			    place.file != NULL ? POLICY_FROM_FILE :
						 POLICY_FROM_CONFIG,
			    text, len, problems, &all);
		else
			explain_missing(place.file != NULL ? POLICY_FROM_FILE :
							     POLICY_FROM_CONFIG,
			    place.origin, &all);
	} else if (place.config_map == NULL) {
		profile = provide(place.provider, &place.policy, &all);
		if (profile != NULL)
			profiles = profiles_of_one(profile);
	}
	if (profiles == NULL)
		errf(err, "%s", all.text);
	place_fini(&place);
	return profiles;
}
