/*
 * Policies by OpenShift's Scheduler object (doc/openshift.md):
 *
 *	spec.policy.name, or the annotation predicated.io/policy, which wins:
 *	the ConfigMap of this name in openshift-config;
 *	else spec.profile;
 *	else, also if the object does not exist, the configuration of --config;
 *	else the provider.
 *
 * The object is watched wherever there is one: the API that serves it may appear
 * later, and go.  When the API is no longer served although the object was not
 * deleted, the last version counts for another fifteen seconds: an API server that
 * has just started does not serve the API yet.  For the same reason the object does
 * not count as absent at once after the API server could not be reached, nor does one
 * that we are not allowed to read: only if nothing else is said after its /readyz says
 * that all it knows is there, or else after ten or fifteen seconds.
 */
#include "config.h"

#include <event2/event.h>

#include "wire/api/client.h"
#include "wire/api/watch.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "objects/labels.h"
#include "objects/object.h"
#include "policy/configuration/configuration.h"
#include "policy/openshift.h"
#include "daemon/policy_source/policy_source_internal.h"

/* Kubernetes 1.23, which is OpenShift 4.10's, knows no policies any more. */
#define MINOR_WITHOUT_POLICIES 23

/* How long the API must not have been served to be missing. */
#define GONE_MS 15000
/* How often we look whether it has started, and how long after that for what it says
 * then: the APIs of CRDs come a moment later. */
#define READY_MS 500
/* Rights may not be known yet to an API server that has just started. */
#define FORBIDDEN_MS 10000

#define OPERATOR_OBJECTS                                                       \
	"the operator of OpenShift 4.10 and later does not work while "        \
	"spec.policy.name is set; clear it, and name the ConfigMap in the "    \
	"annotation " OPENSHIFT_ANNOTATION

/* ---- the policy that applies ---- */

static struct profile *
profile_of(struct policy_source *source, enum policy_from *from,
    const char **origin, struct err *err)
{
	const char *name = source->request.profile;
	struct policy_options how = source->place.policy;

	how.kubernetes_minor = source->kubernetes_minor;
	if (name[0] == '\0') {
		*from = POLICY_FROM_PROVIDER;
		*origin = source->place.provider;
		return policy_source_provider(source, err);
	}
	*from = POLICY_FROM_OPENSHIFT_PROFILE;
	*origin = name;
	return policy_openshift_profile(name, &how, err);
}

static bool
takes_config(const struct policy_source *source)
{
	return source->request.profile[0] == '\0' &&
	    source->place.config != NULL;
}

/* A profile means something else from one release to the next.  Nothing is
 * scheduled before the release is known. */
static bool
needs_release(const struct policy_source *source)
{
	return source->request.profile[0] != '\0' &&
	    source->kubernetes_minor == 0;
}

void
policy_openshift_take(struct policy_source *source)
{
	enum policy_from from;
	const char *origin;
	struct err err;
	struct profile *profile;

	if (!source->request.heard)
		return;
	if (needs_release(source)) {
		source->request.waits = WAITS_TO_TAKE;
		return;
	}
	if (takes_config(source)) {
		policy_source_take_config(source);
		return;
	}
	profile = profile_of(source, &from, &origin, &err);
	if (profile != NULL)
		policy_source_take(source, profile, from, origin);
	else
		policy_source_nothing(source, ABOUT_SCHEDULER, err.text);
}

/* source->seen stays: it is not the policy that applies. */
void
policy_openshift_fall_back(struct policy_source *source)
{
	char *seen = source->seen;
	enum policy_from from;
	const char *origin;
	struct err err;
	struct profile *profile;

	if (needs_release(source)) {
		source->request.waits = WAITS_TO_FALL_BACK;
		return;
	}
	if (takes_config(source)) {
		log_warning("no valid policy yet, using %s",
		    source->place.config);
		source->seen = NULL;
		policy_source_take_config(source);
		free(source->seen);
		source->seen = seen;
		return;
	}
	profile = profile_of(source, &from, &origin, &err);
	if (profile == NULL) {
		from = POLICY_FROM_PROVIDER;
		origin = source->place.provider;
		profile = policy_source_provider(source, &err);
	}
	if (profile == NULL) {
		source->ops.on_failed(source->arg, err.text);
		return;
	}
	log_warning("no valid policy yet, using %s", origin);
	source->seen = NULL;
	policy_source_take(source, profile, from, origin);
	free(source->seen);
	source->seen = seen;
}

/* ---- the default node selector ---- */

static void
report_node_selector(struct policy_source *source, const char *text)
{
	struct arena arena = ARENA_INIT;
	struct labels labels = { 0 };
	struct err err;

	if (source->ops.on_node_selector == NULL)
		return;
	if (text == NULL) {
		source->ops.on_node_selector(source->arg, NULL);
	} else if (labels_from_text(&arena, text, &labels, &err) == 0) {
		source->ops.on_node_selector(source->arg, &labels);
	} else {
		AUTOFREE char *message =
		    xasprintf("spec.defaultNodeSelector "
			      "is invalid, keeping the last valid one: %s",
			err.text);

		log_error(OPENSHIFT_OBJECT ": %s", message);
		policy_source_event(source, ABOUT_SCHEDULER, "Warning",
		    "NodeSelectorRefused", message);
	}
	arena_fini(&arena);
}

/* ---- the object's fields ---- */

static void
warn_of_policy_name(struct policy_source *source)
{
	const struct openshift_request *request = &source->request;

	if (request->watch == NULL || request->policy_name[0] == '\0' ||
	    source->kubernetes_minor < MINOR_WITHOUT_POLICIES)
		return;
	log_warning(OPENSHIFT_OBJECT ": " OPERATOR_OBJECTS);
	policy_source_event(source, ABOUT_SCHEDULER, "Warning",
	    "PolicyNameObsolete", OPERATOR_OBJECTS);
}

void
policy_openshift_release(struct policy_source *source)
{
	struct openshift_request *request = &source->request;
	bool falls_back =
	    request->waits == WAITS_TO_FALL_BACK && source->generation == 0;

	warn_of_policy_name(source);
	/* The API server answers, so it does others. */
	if (request->watch != NULL)
		reflector_retry(request->watch, 0);
	if (request->waits == WAITS_TO_TAKE)
		policy_openshift_take(source);
	else if (falls_back)
		policy_openshift_fall_back(source);
	request->waits = WAITS_NOT;
}

/* The policy that applies if the object names none. */
static const char *
without_object(const struct policy_source *source)
{
	return source->place.config != NULL ? source->place.config :
					      source->place.provider;
}

static void
log_request(const struct policy_source *source)
{
	const struct openshift_request *request = &source->request;
	bool annotated = strcmp(request->config_map, request->policy_name) != 0;

	if (!request->exists && source->generation == 0) {
		log_v(1, "there is no " OPENSHIFT_OBJECT);
	} else if (!request->exists) {
		log_info(OPENSHIFT_OBJECT " was deleted, using %s",
		    without_object(source));
	} else if (request->config_map[0] != '\0') {
		log_info(OPENSHIFT_OBJECT
		    " names the ConfigMap " OPENSHIFT_CONFIG "/%s%s",
		    request->config_map, annotated ? " in its annotation" : "");
		if (annotated && request->policy_name[0] != '\0')
			log_warning(OPENSHIFT_OBJECT
			    ": spec.policy.name "
			    "\"%s\" is ignored: the annotation " OPENSHIFT_ANNOTATION
			    " names another ConfigMap",
			    request->policy_name);
		if (request->profile[0] != '\0')
			log_info(OPENSHIFT_OBJECT
			    ": profile \"%s\" is "
			    "ignored because a policy is set",
			    request->profile);
	} else if (request->profile[0] != '\0') {
		log_info(OPENSHIFT_OBJECT " names the profile %s",
		    request->profile);
	} else {
		log_info(OPENSHIFT_OBJECT " names no policy, using %s",
		    without_object(source));
	}
}

/* NULL: the object does not exist. */
static void
take_object(struct policy_source *source,
    const struct openshift_scheduler *scheduler)
{
	static const struct openshift_scheduler nothing = { "", "", "", "" };
	struct openshift_request *request = &source->request;
	const struct openshift_scheduler *says =
	    scheduler != NULL ? scheduler : &nothing;
	bool exists = scheduler != NULL;
	bool same = request->heard && !request->refused &&
	    request->exists == exists &&
	    strcmp(request->config_map, says->config_map) == 0 &&
	    strcmp(request->policy_name, says->policy_name) == 0 &&
	    strcmp(request->profile, says->profile) == 0;
	bool same_selector = request->exists == exists &&
	    strcmp(request->node_selector, says->node_selector) == 0;
	bool obsolete = strcmp(request->policy_name, says->policy_name) != 0;
	bool elsewhere = !request->heard || request->refused ||
	    strcmp(request->config_map, says->config_map) != 0;

	if (!same_selector) {
		if (says->node_selector[0] != '\0' ||
		    request->node_selector[0] != '\0')
			log_info(OPENSHIFT_OBJECT
			    ": default node selector \"%s\"",
			    says->node_selector);
		xreplace(&request->node_selector, says->node_selector);
		report_node_selector(source,
		    exists ? says->node_selector : NULL);
	}
	request->exists = exists;
	if (same)
		return;
	request->heard = true;
	request->refused = false;
	request->waits = WAITS_NOT;
	xreplace(&request->config_map, says->config_map);
	xreplace(&request->policy_name, says->policy_name);
	xreplace(&request->profile, says->profile);
	log_request(source);
	if (obsolete)
		warn_of_policy_name(source);
	if (elsewhere)
		policy_source_follow(source,
		    says->config_map[0] != '\0' ? says->config_map : NULL);
	if (says->config_map[0] == '\0')
		policy_openshift_take(source);
}

/* ---- watching it ---- */

static void
on_gone(evutil_socket_t fd, short what, void *arg)
{
	struct policy_source *source = arg;
	struct openshift_request *request = &source->request;

	if (!request->heard && request->problem != NULL)
		log_error(OPENSHIFT_OBJECT " is treated as missing: %s",
		    request->problem);
	event_del(request->gone);
	object_unref(request->object);
	request->object = NULL;
	take_object(source, NULL);
}

static void
expire_after(struct openshift_request *request, int64_t ms)
{
	if (!evtimer_pending(request->gone, NULL))
		timer_start(request->gone, ms);
}

static void
on_ready(void *arg, const struct api_response *response)
{
	struct policy_source *source = arg;
	struct openshift_request *request = &source->request;

	request->ask_ready = NULL;
	request->ready = response->status == 200;
	reflector_retry(request->watch, READY_MS);
}

/* There seems to be no object, after so long for certain. */
static void
expire_when_ready(struct policy_source *source, int64_t ms)
{
	struct openshift_request *request = &source->request;

	expire_after(request, ms);
	if (request->ready)
		timer_start(request->gone, 0);
	else if (request->ask_ready == NULL)
		request->ask_ready = api_send(source->client,
		    &(struct api_request){ .lane = API_REST,
			.path = "/readyz",
			.any_type = true,
			.on_done = on_ready,
			.arg = source });
}

/* A position in the API server's response would not help. */
static const char *
without_place(const char *text)
{
	const char *end = strstr(text, ": ");

	return end != NULL ? end + 2 : text;
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct policy_source *source = arg;
	struct openshift_request *request = &source->request;
	struct openshift_scheduler scheduler;
	struct err err;

	event_del(request->gone);
	object_unref(request->object);
	request->object = object_ref(object);
	if (openshift_scheduler_read(root, &scheduler, &err) == 0) {
		take_object(source, &scheduler);
		return;
	}
	request->heard = true;
	request->refused = true;
	policy_source_nothing(source, ABOUT_SCHEDULER, without_place(err.text));
}

/* It was deleted, unless its successor comes with the same list; or its API is
 * gone, which on_synced() sees. */
static void
on_removed(void *arg, struct object *object)
{
	struct policy_source *source = arg;

	if (reflector_version(source->request.watch) != NULL)
		expire_after(&source->request, 0);
}

static void
on_synced(void *arg)
{
	struct policy_source *source = arg;
	struct openshift_request *request = &source->request;

	xreplace(&request->problem, NULL);
	log_over(&request->trouble,
	    OPENSHIFT_RESOURCE " can be looked for again");
	if (reflector_count(request->watch) > 0)
		return;
	if (reflector_version(request->watch) != NULL) {
		expire_after(request, 0);
	} else if (request->object != NULL) {
		log_warning(OPENSHIFT_RESOURCE " is no longer served");
		expire_after(request, GONE_MS);
	} else if (!request->heard &&
	    reflector_stats(request->watch)->problems > 0) {
		expire_when_ready(source, GONE_MS);
	} else if (!request->heard) {
		expire_after(request, 0);
	}
}

static void
on_problem(void *arg, const char *text)
{
	struct policy_source *source = arg;
	struct openshift_request *request = &source->request;
	int status = reflector_stats(request->watch)->status;

	if (!request->heard && (status == 401 || status == 403))
		expire_when_ready(source, FORBIDDEN_MS);
	if (request->problem != NULL && strcmp(request->problem, text) == 0)
		return;
	xreplace(&request->problem, text);
	log_trouble(&request->trouble, "config.openshift.io: %s", text);
}

/* ---- life ---- */

void
policy_openshift_start(struct policy_source *source)
{
	static const char *const versions[] = { OPENSHIFT_VERSION, NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };

	source->request = (struct openshift_request){
		.gone = evtimer_new(source->base, on_gone, source),
		.config_map = xstrdup(""),
		.policy_name = xstrdup(""),
		.profile = xstrdup(""),
		.node_selector = xstrdup(""),
	};
	source->request.watch = reflector_new(source->client,
	    &(struct reflector_spec){ .resource = "schedulers",
		.versions = versions,
		.field_selector = "metadata.name=" OPENSHIFT_SCHEDULER,
		.raw = true },
	    &ops, source);
}

void
policy_openshift_stop(struct policy_source *source)
{
	struct openshift_request *request = &source->request;

	if (request->watch == NULL)
		return;
	reflector_free(request->watch);
	api_cancel(request->ask_ready);
	event_free(request->gone);
	object_unref(request->object);
	free(request->problem);
	free(request->config_map);
	free(request->policy_name);
	free(request->profile);
	free(request->node_selector);
	*request = (struct openshift_request){ 0 };
}
