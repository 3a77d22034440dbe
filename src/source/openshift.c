#include "config.h"

#include "source/openshift.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/client.h"
#include "base/clock.h"
#include "api/watch.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "model/object.h"
#include "policy/openshift.h"

/* How often we look whether the API is served, and how long it must not have
 * been to be missing. */
#define ABSENT_MS 10000
#define GONE_MS 15000
/* Rights may not be known yet to an API server that has just started. */
#define FORBIDDEN_MS 10000

struct openshift {
	struct openshift_ops ops;
	void *arg;
	struct reflector *reflector;
	struct object *object;
	bool heard;         /* something was said */
	struct event *gone; /* after that the object counts as absent */
	char *problem;      /* the last, which is logged once */
};

static void
report_absent(struct openshift *openshift)
{
	event_del(openshift->gone);
	openshift->heard = true;
	object_unref(openshift->object);
	openshift->object = NULL;
	openshift->ops.says(openshift->arg, NULL);
}

static void
on_gone(evutil_socket_t fd, short what, void *arg)
{
	struct openshift *openshift = arg;

	if (!openshift->heard && openshift->problem != NULL)
		log_error(OPENSHIFT_OBJECT " is treated as missing: %s",
		    openshift->problem);
	report_absent(openshift);
}

static void
expire_after(struct openshift *openshift, int64_t ms)
{
	struct timeval wait = clock_timeval(ms);

	if (!evtimer_pending(openshift->gone, NULL))
		event_add(openshift->gone, &wait);
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
	struct openshift *openshift = arg;
	struct openshift_scheduler scheduler;
	struct err err;

	event_del(openshift->gone);
	openshift->heard = true;
	object_unref(openshift->object);
	openshift->object = object_ref(object);
	if (openshift_scheduler_read(root, &scheduler, &err) == 0)
		openshift->ops.says(openshift->arg, &scheduler);
	else
		openshift->ops.nonsense(openshift->arg,
		    without_place(err.text));
}

/* It was deleted, unless its successor comes with the same list; or its API is
 * gone, which on_synced() sees. */
static void
on_removed(void *arg, struct object *object)
{
	struct openshift *openshift = arg;

	if (reflector_version(openshift->reflector) != NULL)
		expire_after(openshift, 0);
}

static void
on_synced(void *arg)
{
	struct openshift *openshift = arg;
	const struct reflector *reflector = openshift->reflector;

	free(openshift->problem);
	openshift->problem = NULL;
	if (reflector_count(reflector) > 0)
		return;
	if (reflector_version(reflector) != NULL) {
		expire_after(openshift, 0);
	} else if (openshift->object != NULL) {
		log_warning(OPENSHIFT_RESOURCE " is no longer served");
		expire_after(openshift, GONE_MS);
	} else if (!openshift->heard) {
		expire_after(openshift,
		    reflector_stats(reflector)->problems > 0 ? GONE_MS : 0);
	}
}

static void
on_problem(void *arg, const char *text)
{
	struct openshift *openshift = arg;
	int status = reflector_stats(openshift->reflector)->status;

	if (!openshift->heard && (status == 401 || status == 403))
		expire_after(openshift, FORBIDDEN_MS);
	if (openshift->problem != NULL && strcmp(openshift->problem, text) == 0)
		return;
	free(openshift->problem);
	openshift->problem = xstrdup(text);
	log_warning("config.openshift.io: %s", text);
}

struct openshift *
openshift_new(struct api_client *client, const struct openshift_ops *ops,
    void *arg)
{
	static const char *const versions[] = { OPENSHIFT_VERSION, NULL };
	static const struct reflector_ops reflector_ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	struct openshift *openshift = xcalloc(1, sizeof(*openshift));

	openshift->ops = *ops;
	openshift->arg = arg;
	openshift->gone =
	    evtimer_new(api_client_base(client), on_gone, openshift);
	openshift->reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "schedulers",
		.versions = versions,
		.field_selector = "metadata.name=" OPENSHIFT_SCHEDULER,
		.raw = true,
		.absent_ms = ABSENT_MS },
	    &reflector_ops, openshift);
	return openshift;
}

void
openshift_free(struct openshift *openshift)
{
	if (openshift == NULL)
		return;
	reflector_free(openshift->reflector);
	event_free(openshift->gone);
	object_unref(openshift->object);
	free(openshift->problem);
	free(openshift);
}

const struct object *
openshift_object(const struct openshift *openshift)
{
	return openshift->object;
}
