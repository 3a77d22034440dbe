/*
 * How long pods wait for a node, as their owner sees it.
 *
 *	latency --pods N [--rate N] [--namespace NS] [--prefix TEXT]
 *	    [--keep N] [--timeout SECONDS] [--priority-class NAME]
 *
 * Creates N pods, so many (10) a second, deletes the oldest that is bound when there
 * are more than --keep of these, and prints
 *
 *	pods N bound N median MS p90 MS p99 MS max MS created-median MS
 *	    created-p99 MS
 *
 * where times are from the API server's answer to the pod's creation to when a
 * watch shows its node; a pod that got none waited until the end, which SIGTERM may
 * bring.  Those of
 * "created" are of that answer: what the server takes for a write of anybody.  Exit code 1:
 * one could not be created, or not all were bound in time.
 */
#include "config.h"

#include <event2/event.h>
#include <getopt.h>
#include <signal.h>
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

struct probe {
	char *name;
	int64_t sent_ms, created_ms, bound_ms; /* 0: not yet */
};

static struct event_base *base;
static struct api_client *client;
static struct event *next;
static struct probe *probes;
static struct strmap by_name;
static struct probe **bound; /* in that order */
static unsigned long npods, rate = 10, keep, nsent, nbound, nrefused;
static const char *namespace = "default", *prefix = "probe";
static const char *priority_class = "";
static int64_t begun_ms;

static void
on_answer(void *arg, const struct api_response *response)
{
	struct err err;

	if (response->status / 100 == 2)
		return;
	api_explain(response, &err);
	fprintf(stderr, "latency: %s\n", err.text);
	nrefused++;
}

static void
on_created(void *arg, const struct api_response *response)
{
	struct probe *probe = arg;

	probe->created_ms = clock_ms();
	on_answer(NULL, response);
}

static void
create(struct probe *probe)
{
	char AUTOFREE *path =
	    xasprintf("/api/v1/namespaces/%s/pods", namespace);
	char AUTOFREE *body = xasprintf(
	    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
	    "\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"probe\"}},"
	    "\"spec\":{\"priorityClassName\":\"%s\",\"containers\":[{\"name\":\"c\",\"image\":\"i\","
	    "\"resources\":{\"requests\":{\"cpu\":\"1m\"}}}]}}",
	    probe->name, priority_class);

	probe->sent_ms = clock_ms();
	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = "POST",
		.path = path,
		.body = body,
		.retry_ms = 30000,
		.on_done = on_created,
		.arg = probe });
}

static void
on_next(evutil_socket_t fd, short what, void *arg)
{
	struct timeval wait;
	int64_t due_ms;

	if (begun_ms == 0)
		begun_ms = clock_ms();
	create(&probes[nsent++]);
	if (nsent == npods)
		return;
	due_ms = begun_ms + (int64_t)(nsent * 1000 / rate) - clock_ms();
	wait = clock_timeval(due_ms > 0 ? due_ms : 0);
	event_add(next, &wait);
}

static void delete (const struct probe *probe)
{
	char AUTOFREE *path =
	    xasprintf("/api/v1/namespaces/%s/pods/%s", namespace, probe->name);

	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = "DELETE",
		.path = path,
		.body = "{\"gracePeriodSeconds\":0}",
		.retry_ms = 30000,
		.on_done = on_answer });
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct probe *probe = strmap_get(&by_name, object->name);

	if (probe == NULL || probe->bound_ms != 0)
		return;
	probe->bound_ms = clock_ms();
	bound[nbound++] = probe;
	if (nbound > keep)
		delete (bound[nbound - keep - 1]);
	if (nbound == npods)
		event_base_loopbreak(base);
}

static void
on_removed(void *arg, struct object *object)
{
}

static void
on_synced(void *arg)
{
	if (nsent == 0)
		event_active(next, EV_TIMEOUT, 0);
}

static void
on_problem(void *arg, const char *text)
{
	fprintf(stderr, "latency: %s\n", text);
}

/* The timeout has passed, or SIGTERM has come. */
static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(base);
}

static int
by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
report(void)
{
	AUTOFREE int64_t *waits = xcalloc(nsent, sizeof(*waits));
	AUTOFREE int64_t *answers = xcalloc(nsent, sizeof(*answers));
	int64_t now_ms = clock_ms();

	for (unsigned long i = 0; i < nsent; i++) {
		const struct probe *p = &probes[i];
		int64_t end_ms = p->bound_ms != 0 ? p->bound_ms : now_ms;

		answers[i] = p->created_ms - p->sent_ms;
		/* the watch may be faster than the answer */
		if (p->created_ms != 0 && end_ms > p->created_ms)
			waits[i] = end_ms - p->created_ms;
	}
	qsort(waits, nsent, sizeof(*waits), by_size);
	qsort(answers, nsent, sizeof(*answers), by_size);
	printf("pods %lu bound %lu median %lld p90 %lld p99 %lld max %lld "
	       "created-median %lld created-p99 %lld\n",
	    nsent, nbound, (long long)waits[nsent / 2],
	    (long long)waits[nsent * 9 / 10],
	    (long long)waits[nsent * 99 / 100], (long long)waits[nsent - 1],
	    (long long)answers[nsent / 2],
	    (long long)answers[nsent * 99 / 100]);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pods", required_argument, NULL, 'p' },
		{ "rate", required_argument, NULL, 'r' },
		{ "namespace", required_argument, NULL, 'N' },
		{ "prefix", required_argument, NULL, 'P' },
		{ "keep", required_argument, NULL, 'k' },
		{ "timeout", required_argument, NULL, 't' },
		{ "priority-class", required_argument, NULL, 'C' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const v1[] = { "v1", NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	const char *values[128] = { ['p'] = "0",
		['r'] = "10",
		['N'] = "default",
		['P'] = "probe",
		['k'] = "4294967295",
		['t'] = "60",
		['C'] = "" };
	struct reflector *reflector;
	struct api_config *config;
	struct event *timer, *told;
	struct timeval patience;
	struct err err;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return 2;
		values[opt] = optarg;
	}
	npods = strtoul(values['p'], NULL, 10);
	rate = strtoul(values['r'], NULL, 10);
	keep = strtoul(values['k'], NULL, 10);
	namespace = values['N'];
	prefix = values['P'];
	priority_class = values['C'];
	if (npods == 0 || rate == 0)
		return 2;
	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		fprintf(stderr, "latency: %s\n", err.text);
		return 3;
	}
	probes = xcalloc(npods, sizeof(*probes));
	bound = xcalloc(npods, sizeof(struct probe *));
	for (unsigned long i = 0; i < npods; i++) {
		probes[i].name = xasprintf("%s-%05lu", prefix, i);
		strmap_put(&by_name, probes[i].name, &probes[i]);
	}
	base = event_base_new();
	client = api_client_new(base, config, &(struct api_options){ 0 });
	next = event_new(base, -1, 0, on_next, NULL);
	reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods",
		.versions = v1,
		.namespace = namespace,
		.field_selector = "spec.nodeName!=" },
	    &ops, NULL);
	patience = clock_timeval(strtol(values['t'], NULL, 10) * 1000);
	timer = event_new(base, -1, 0, on_end, NULL);
	told = evsignal_new(base, SIGTERM, on_end, NULL);
	event_add(told, NULL);
	event_add(timer, &patience);
	event_base_dispatch(base);
	report();
	reflector_free(reflector);
	event_free(timer);
	event_free(told);
	event_free(next);
	api_client_free(client);
	event_base_free(base);
	strmap_fini(&by_name);
	for (unsigned long i = 0; i < npods; i++)
		free(probes[i].name);
	free(probes);
	free(bound);
	return nbound < npods || nrefused > 0;
}
