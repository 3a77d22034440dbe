/*
 * The API server's own ceiling: posts the binding and the event Scheduled of
 * every pending pod, as a scheduler would that decides in no time.
 *
 *	bench_api --nodes N [--namespace NS] [--watch] [--hold] [--json]
 *	bench_api --nodes N --follow
 *
 * The server is $KUBECONFIG's, with nodes made by make_cluster.  Prints
 * "bound N seconds S cpu S rss-mib M" for itself.  --watch: it also has the
 * pods watched, as every scheduler must, but ignores the events.  --hold: it
 * then waits to be killed, so that others can look at what it has used.  --json:
 * not in protobuf.  --follow: it goes on until it is killed, binding each pod of any
 * namespace that its watch shows without a node, as a scheduler that decides in no time.
 */
#include "config.h"

#include <event2/event.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "wire/api/events.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/watch.h"
#include "wire/api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/pod.h"

/* Bindings under way at a time; the API server takes 250 per connection. */
#define IN_FLIGHT 200

struct pending {
	char *name, *uid, *version;
};

static struct event_base *base;
static struct api_client *client;
static struct events *events;
static const char *namespace;
static unsigned nodes;
static struct pending *pods;
static size_t npods, pods_cap, sent, done, good;
static char *list_version;

static void
write_event(const struct pod_id *pod, const char *version, const char *node)
{
	char AUTOFREE *message = xasprintf("Successfully assigned %s/%s to %s",
	    pod->namespace, pod->name, node);

	events_record(events,
	    &(struct api_event){ .kind = "Pod",
		.api_version = "v1",
		.namespace = pod->namespace,
		.name = pod->name,
		.uid = pod->uid,
		.resource_version = version,
		.type = "Normal",
		.reason = "Scheduled",
		.message = message,
		.component = "default-scheduler" });
}

static void
node_of(size_t i, char *out, size_t size)
{
	snprintf(out, size, "node-%05u", (unsigned)(i % nodes));
}

static void bind_more(void);

static void
on_bound(void *arg, const struct api_response *response)
{
	struct pending *pod = arg;
	char node[16];
	struct err err;

	done++;
	if (response->status == 201) {
		good++;
		node_of((size_t)(pod - pods), node, sizeof(node));
		write_event(&(struct pod_id){ namespace, pod->name, pod->uid },
		    pod->version, node);
	} else if (good + 1 == done) {
		api_explain(response, &err);
		fprintf(stderr, "bench_api: %s\n", err.text);
	}
	bind_more();
}

static void
bind_more(void)
{
	char node[16];

	for (; sent < npods && sent - done < IN_FLIGHT; sent++) {
		struct pod_id id = { namespace, pods[sent].name,
			pods[sent].uid };

		node_of(sent, node, sizeof(node));
		api_bind(client, &id, node, on_bound, &pods[sent]);
	}
}

static void list_pending(const char *from);

static void
die(const struct err *err)
{
	fprintf(stderr, "bench_api: %s\n", err->text);
	exit(1);
}

static void
add_pods(const struct doc_node *items)
{
	const struct doc_node *item = items != NULL ? items->first : NULL;

	for (; item != NULL; item = item->next) {
		const struct doc_node *meta = doc_get(item, "metadata");

		vec_room(pods, npods, &pods_cap);
		pods[npods].name = xstrdup(doc_get(meta, "name")->text);
		pods[npods].uid = xstrdup(doc_get(meta, "uid")->text);
		pods[npods++].version =
		    xstrdup(doc_get(meta, "resourceVersion")->text);
	}
}

static void
on_list(void *arg, const struct api_response *response)
{
	const struct doc_node *meta, *from;
	struct doc *doc;
	struct err err;

	if (response->status != 200) {
		api_explain(response, &err);
		die(&err);
	}
	doc = doc_parse("pods", response->body, response->len, &doc_limits_dump,
	    &err);
	if (doc == NULL)
		die(&err);
	add_pods(doc_get(doc_root(doc), "items"));
	meta = doc_get(doc_root(doc), "metadata");
	free(list_version);
	list_version = xstrdup(doc_get(meta, "resourceVersion")->text);
	from = doc_get(meta, "continue");
	if (from != NULL && from->len > 0)
		list_pending(from->text);
	else
		event_base_loopbreak(base);
	doc_free(doc);
}

/* from: the server's token for the next page, "": the first. */
static void
list_pending(const char *from)
{
	char AUTOFREE *path = xasprintf(
	    "/api/v1/namespaces/%s/pods?fieldSelector=spec.nodeName%%3D"
	    "&limit=500&continue=%s",
	    namespace, from);

	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.path = path,
		.on_done = on_list });
}

static void
on_watched(void *arg, const char *bytes, size_t len)
{
}

static void
on_watch_end(void *arg, const struct api_response *response)
{
	fprintf(stderr, "bench_api: the watch ended\n");
}

/* The pods that a scheduler watches. */
static struct api_call *
watch_pods(void)
{
	char AUTOFREE *path = xasprintf("/api/v1/pods?watch=true"
					"&resourceVersion=%s&fieldSelector="
					"status.phase%%21%%3DSucceeded%%2C"
					"status.phase%%21%%3DFailed",
	    list_version);

	return api_send(client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = path,
		.protobuf = true,
		.timeout_ms = 3600000,
		.on_data = on_watched,
		.on_done = on_watch_end });
}

/* ---- --follow ---- */

struct followed {
	struct pod *pod;
	char node[16];
};

static void
on_followed(void *arg, const struct api_response *response)
{
	struct followed *f = arg;
	struct pod_id id = api_pod_id(f->pod);

	if (response->status == 201)
		write_event(&id, f->pod->object.resource_version, f->node);
	pod_unref(f->pod);
	free(f);
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct pod *pod = (struct pod *)object;
	struct pod_id id = api_pod_id(pod);
	struct followed *f;

	if (pod->node != SYM_EMPTY)
		return;
	f = xcalloc(1, sizeof(*f));
	f->pod = pod_ref(pod);
	node_of(sent++, f->node, sizeof(f->node));
	api_bind(client, &id, f->node, on_followed, f);
}

static void
on_removed(void *arg, struct object *object)
{
}

static void
on_synced(void *arg)
{
}

static void
follow(void)
{
	static const char *const v1[] = { "v1", NULL };

	reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods",
		.versions = v1,
		.field_selector = REFLECTOR_LIVE_PODS },
	    &(struct reflector_ops){ .put = on_put,
		.removed = on_removed,
		.synced = on_synced },
	    NULL);
	event_base_dispatch(base);
}

static double
cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double
peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static bool
is_done(void)
{
	const struct events_stats *stats = events_stats(events);

	return done == npods &&
	    stats->written + stats->spared + stats->failed >= good;
}

static void
connect_to_server(bool json)
{
	struct api_config *config;
	struct err err;

	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0)
		die(&err);
	base = event_base_new();
	client = api_client_new(base, config,
	    &(struct api_options){ .json_answers = json, .json_bodies = json });
	events = events_new(client);
}

static void
bind_all(void)
{
	int64_t start = clock_ms();

	bind_more();
	while (!is_done())
		event_base_loop(base, EVLOOP_ONCE);
	printf("bound %zu seconds %.2f cpu %.2f rss-mib %.1f\n", good,
	    (double)(clock_ms() - start) / 1000, cpu_seconds(), peak_mib());
	fflush(stdout);
}

static void
clean_up(void)
{
	for (size_t i = 0; i < npods; i++) {
		free(pods[i].name);
		free(pods[i].uid);
		free(pods[i].version);
	}
	free(pods);
	free(list_version);
	events_free(events);
	api_client_free(client);
	event_base_free(base);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "namespace", required_argument, NULL, 'N' },
		{ "watch", no_argument, NULL, 'w' },
		{ "follow", no_argument, NULL, 'f' },
		{ "hold", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	const char *values[128] = { ['n'] = "1000", ['N'] = "default" };
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return 2;
		values[opt] = optarg != NULL ? optarg : "";
	}
	nodes = (unsigned)strtoul(values['n'], NULL, 10);
	namespace = values['N'];
	if (nodes == 0)
		return 2;
	connect_to_server(values['j'] != NULL);
	if (values['f'] != NULL)
		follow();
	list_pending("");
	event_base_dispatch(base);
	if (values['w'] != NULL)
		watch_pods();
	bind_all();
	if (values['h'] != NULL)
		pause();
	clean_up();
	return good < npods;
}
