/*
 * Watches pods being bound, from outside the scheduler.
 *
 *	observe --bound N [--events N] [--timeout SECONDS] [--ready FILE]
 *	    [--namespace NS] [--log FILE]
 *
 * Ends when N more pods of the namespace are bound than were at the beginning
 * (and N events Scheduled were written), and prints
 *
 *	bound N seconds S rate R first F last L events E events-last L
 *
 * where seconds and rate are those from the first to the last bound pod, and
 * the others seconds since the observer was ready, which FILE's coming into
 * being tells.  Exit code 1: it gave up waiting.  The log gets a line
 * "SECONDS POD NODE" for each pod.
 */
#include "config.h"

#include <event2/event.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/watch.h"
#include "base/err.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "objects/pod.h"

struct seen {
	struct reflector *reflector;
	bool synced;
	struct strmap uids; /* those seen */
	unsigned long n, want;
	int64_t first, last;
};

static struct event_base *base;
static struct seen pods, events;
static int64_t start;
static const char *ready_file;
static FILE *log_file;

static double
since_start(int64_t ms)
{
	return (double)(ms - start) / 1000;
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct seen *seen = arg;
	static char here;

	if (strmap_put(&seen->uids, object->uid, &here) != NULL || start == 0)
		return;
	seen->last = clock_ms();
	if (seen->n++ == 0)
		seen->first = seen->last;
	if (seen == &pods && log_file != NULL)
		fprintf(log_file, "%.3f %s %s\n", since_start(seen->last),
		    object->name, sym_text(((const struct pod *)object)->node));
	if (pods.n >= pods.want && events.n >= events.want)
		event_base_loopbreak(base);
}

static void
on_removed(void *arg, struct object *object)
{
}

static void
on_synced(void *arg)
{
	FILE *file;

	((struct seen *)arg)->synced = true;
	if (start != 0 || !pods.synced ||
	    (events.reflector != NULL && !events.synced))
		return;
	start = clock_ms();
	if (ready_file == NULL)
		return;
	file = fopen(ready_file, "w");
	if (file != NULL)
		fclose(file);
}

static void
on_problem(void *arg, const char *text)
{
	fprintf(stderr, "observe: %s\n", text);
}

static void
on_timeout(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(base);
}

static void
report(void)
{
	double seconds = (double)(pods.last - pods.first) / 1000;

	printf("bound %lu seconds %.3f rate %.1f first %.3f last %.3f "
	       "events %lu events-last %.3f\n",
	    pods.n, seconds, seconds > 0 ? (double)pods.n / seconds : 0,
	    pods.n > 0 ? since_start(pods.first) : 0,
	    pods.n > 0 ? since_start(pods.last) : 0, events.n,
	    events.n > 0 ? since_start(events.last) : 0);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "bound", required_argument, NULL, 'b' },
		{ "events", required_argument, NULL, 'e' },
		{ "timeout", required_argument, NULL, 't' },
		{ "ready", required_argument, NULL, 'r' },
		{ "namespace", required_argument, NULL, 'N' },
		{ "log", required_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const v1[] = { "v1", NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	const char *values[128] = { ['b'] = "1",
		['e'] = "0",
		['t'] = "60",
		['N'] = "default" };
	struct api_config *config;
	struct api_client *client;
	struct event *timer;
	struct err err;
	struct timeval patience;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return 2;
		values[opt] = optarg;
	}
	pods.want = strtoul(values['b'], NULL, 10);
	events.want = strtoul(values['e'], NULL, 10);
	ready_file = values['r'];
	if (values['l'] != NULL)
		log_file = fopen(values['l'], "w");
	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		fprintf(stderr, "observe: %s\n", err.text);
		return 3;
	}
	base = event_base_new();
	client = api_client_new(base, config, &(struct api_options){ 0 });
	pods.reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods",
		.versions = v1,
		.namespace = values['N'],
		.field_selector = "spec.nodeName!=" },
	    &ops, &pods);
	if (events.want > 0)
		events.reflector = reflector_new(client,
		    &(struct reflector_spec){ .resource = "events",
			.versions = v1,
			.namespace = values['N'],
			.raw = true,
			.namespaced = true,
			.field_selector = "reason=Scheduled" },
		    &ops, &events);
	patience = clock_timeval(strtol(values['t'], NULL, 10) * 1000);
	timer = event_new(base, -1, 0, on_timeout, NULL);
	event_add(timer, &patience);
	event_base_dispatch(base);
	report();
	reflector_free(pods.reflector);
	reflector_free(events.reflector);
	strmap_fini(&pods.uids);
	strmap_fini(&events.uids);
	event_free(timer);
	api_client_free(client);
	event_base_free(base);
	if (log_file != NULL)
		fclose(log_file);
	return pods.n < pods.want || events.n < events.want;
}
