/*
 * One candidate for a lock, as a process of its own; see leader.t.
 *
 *	leader LOCK NAME IDENTITY LEASE_MS RENEW_DEADLINE_MS RETRY_MS
 *
 * Prints "started", "stopped", "may bind" or "may not bind" (on SIGUSR1), and
 * "released" (on SIGTERM, before it ends).
 */
#include "config.h"

#include "wire/leader/leader.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "wire/api/events.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"

static struct event_base *base;
static struct leader *leader;
static struct events *events;

static void
say(const char *text)
{
	printf("%s\n", text);
	fflush(stdout);
}

static void
on_started(void *arg)
{
	say(leader_may_bind(leader) ? "started" : "started, but may not bind");
}

static void
on_stopped(void *arg, const char *why)
{
	fprintf(stderr, "%s\n", why);
	say(leader_may_bind(leader) ? "stopped, but may bind" : "stopped");
}

static void
on_event(void *arg, const struct api_event *event)
{
	events_record(events, event);
}

static void
stop(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(base);
}

static void
on_released(void *arg)
{
	struct timeval soon = clock_timeval(500); /* for the events */

	say("released");
	event_base_once(base, -1, EV_TIMEOUT, stop, NULL, &soon);
}

static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	if (number == SIGTERM)
		leader_release(leader, on_released, NULL);
	else
		say(leader_may_bind(leader) ? "may bind" : "may not bind");
}

static struct event *
watch_signal(int number)
{
	struct event *event = evsignal_new(base, number, on_signal, NULL);

	event_add(event, NULL);
	return event;
}

static int
die(const struct err *err)
{
	fprintf(stderr, "%s\n", err->text);
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct leader_ops ops = { on_started, on_stopped,
		on_event };
	struct leader_options options = { .namespace = "kube-system",
		.component = "default-scheduler" };
	struct api_config *config;
	struct api_client *client;
	struct event *term, *usr1;
	struct err err;

	if (argc != 7)
		return 2;
	options.resource_lock = argv[1];
	options.name = argv[2];
	options.identity = argv[3];
	options.lease_ms = atoi(argv[4]);
	options.renew_deadline_ms = atoi(argv[5]);
	options.retry_ms = atoi(argv[6]);
	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0)
		return die(&err);
	base = event_base_new();
	client = api_client_new(base, config, &(struct api_options){ 0 });
	events = events_new(client);
	leader = leader_new(client, &options, &ops, NULL);
	leader_stand(leader);
	term = watch_signal(SIGTERM);
	usr1 = watch_signal(SIGUSR1);
	event_base_dispatch(base);
	event_free(usr1);
	event_free(term);
	leader_free(leader);
	events_free(events);
	api_client_free(client);
	event_base_free(base);
	return 0;
}
