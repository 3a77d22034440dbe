#include "config.h"

#include "t/simulation/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/scheduler.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/caches.h"
#include "t/simulation/loop.h"
#include "t/simulation/network.h"

#define DAEMONS 8

/* A pod as a daemon had it when it was looked at last. */
struct seen {
	char uid[64];
	const char *state;
	uint64_t look;
};

static struct view {
	const char *who;
	struct strmap pods; /* struct seen, by uid */
	bool leads;
} views[DAEMONS];
static uint64_t looks;

static struct view *
view_of(const char *who)
{
	for (size_t i = 0; i < DAEMONS; i++) {
		if (views[i].who == NULL)
			views[i].who = who;
		if (strcmp(views[i].who, who) == 0)
			return &views[i];
	}
	abort();
}

static void
tell(const char *who, const char *what, const char *uid, const char *node)
{
	printf("step %.6f %s %s %s %s\n", (double)loop_now() / SECOND, who,
	    what, uid, node);
}

/* NULL: the daemon does not care for the pod, or only for the answer of a request. */
static const char *
state_of(const struct scheduler *s, const struct flight *flight)
{
	static const char *const of_bindings[] = {
		[BINDING_ASSUMED] = "assumed",
		[BINDING_SENT] = "sent",
		[BINDING_ACCEPTED] = "accepted",
		[BINDING_DOUBTFUL] = "doubt",
		[BINDING_CHECKING] = "checking",
	};
	enum queue_place place = QUEUE_NOWHERE;

	if (flight->binding != NULL)
		return flight->binding->over ?
		    NULL :
		    of_bindings[flight->binding->state];
	if (!flight->waits)
		return NULL;
	queue_find(s->queue, flight->uid, &place);
	return place == QUEUE_IN_FLIGHT                     ? "tries" :
	    place == QUEUE_ACTIVE || place == QUEUE_BACKOFF ? "waits" :
							      "parked";
}

static void
look(const struct scheduler *s, struct view *view, const struct flight *flight)
{
	struct seen *seen = strmap_get(&view->pods, flight->uid);
	const char *state = state_of(s, flight);

	if (state == NULL)
		return;
	if (seen == NULL) {
		seen = xcalloc(1, sizeof(*seen));
		snprintf(seen->uid, sizeof(seen->uid), "%s", flight->uid);
		strmap_put(&view->pods, seen->uid, seen);
	}
	if (seen->state != state)
		tell(view->who, state, seen->uid,
		    flight->binding != NULL ?
			sym_text(flight->binding->at.node) :
			"");
	seen->state = state;
	seen->look = looks;
}

/* All that was not seen this time. */
static void
forget(struct view *view, bool aloud)
{
	struct strmap left = { 0 };

	EACH_VALUE (&view->pods, struct seen, seen)
		if (seen->look == looks) {
			strmap_put(&left, seen->uid, seen);
		} else {
			if (aloud)
				tell(view->who, "done", seen->uid, "");
			free(seen);
		}
	strmap_fini(&view->pods);
	view->pods = left;
}

static void
on_step(struct event_base *base)
{
	const struct scheduler *s = scheduler_of(base);
	const char *who = network_name_of(base);
	struct view *view;
	bool leads;

	if (s == NULL || who[0] == '\0')
		return;
	view = view_of(who);
	looks++;
	leads = scheduler_may_write(s);
	if (leads && !view->leads)
		tell(who, "leads", "-", "");
	EACH_VALUE (&s->flights.all, struct flight, flight)
		look(s, view, flight);
	forget(view, true);
	if (!leads && view->leads)
		tell(who, "stops", "-", "");
	view->leads = leads;
}

void
steps_end(const char *who)
{
	struct view *view;

	if (loop_stepped == NULL)
		return;
	view = view_of(who);
	looks++;
	forget(view, false);
	view->leads = false;
	tell(who, "ends", "-", "");
}

void
steps_server(struct json_object *before, struct json_object *after)
{
	const char *node = json_text(after, "spec.nodeName");

	if (loop_stepped == NULL)
		return;
	if (after == NULL)
		tell("server", "gone", json_text(before, "metadata.uid"), "");
	else if (strcmp(json_text(before, "spec.nodeName"), node) != 0)
		tell("server", "bound", json_text(after, "metadata.uid"), node);
}

void
steps_start(void)
{
	loop_stepped = on_step;
}
