/*
 * Fills a cluster quickly: many requests in flight over one connection.
 *
 *	make_cluster [--nodes N] [--services N] [--pods N] [OPTION…]
 *
 *	--namespace NS     "default"
 *	--prefix TEXT      of the names of pods, "pod"
 *	--scheduler NAME   spec.schedulerName
 *	--first N          number of the first pod
 *	--apps N           how many kinds of pods, 20
 *	--affinity         some of them with affinity
 *	--onto N           pods are bound already, over nodes 0 to N-1
 *	--objects FILE     also its objects, "PHASE PATH KEY OBJECT" a line with
 *	                   tabs between, as workloads.jq writes them
 *	--phase PHASE      of these only those of the phase
 *	--delete           deletes those
 *	--rate N           pods or objects of the file per second, at most
 *	--etcd URL         puts them into etcd behind the server's back, a hundred
 *	                   at a time: seconds in place of minutes
 *	--empty            deletes the namespace's pods and events, creates
 *	                   nothing
 *
 * The server is $KUBECONFIG's.  Prints how long it took; exit code 1 when an
 * object was refused.
 */
#include "config.h"

#include <event2/event.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base64.h"
#include "wire/api/client.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/cluster_gen.h"

#define IN_FLIGHT 100
#define PER_TRANSACTION 100

/* The objects made, one list after the other. */
enum list { NODES, SERVICES, PODS, OBJECTS, LISTS };

static struct cluster_gen gen = { .apps = 20 };
static unsigned long counts[LISTS], first, rate;
static const char *etcd;
static struct line {
	char *path, *key, *object;
} * lines;
static size_t lines_cap;
static bool deletes;

static struct event_base *base;
static struct api_client *client;
static struct event *tick;
static unsigned long made[LISTS], in_flight, done, refused;
static int64_t start;

static void fill(void);

static void
on_done(void *arg, const struct api_response *response)
{
	struct err err;

	in_flight--;
	done++;
	if (response->status / 100 != 2) {
		api_explain(response, &err);
		if (refused++ == 0)
			fprintf(stderr, "make_cluster: %s\n", err.text);
	}
	fill();
}

static enum list
current(void)
{
	enum list list = NODES;

	while (list < LISTS && made[list] == counts[list])
		list++;
	return list;
}

static void
put_object(enum list list, struct text *out)
{
	unsigned i = (unsigned)made[list]++;

	switch (list) {
	case NODES:
		cluster_gen_node(&gen, i, out);
		break;
	case SERVICES:
		cluster_gen_service(&gen, i, out);
		break;
	case PODS:
		cluster_gen_pod(&gen, i + (unsigned)first, out);
		break;
	case OBJECTS:
		if (!deletes)
			text_put(out, lines[i].object);
		break;
	case LISTS:
		break;
	}
}

static void
post(const char *path, struct text *body)
{
	in_flight++;
	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = deletes ? "DELETE" : "POST",
		.path = path,
		.body = body->bytes,
		.retry_ms = 60000,
		.on_done = on_done });
	text_fini(body);
}

static char *
path_of(enum list list)
{
	const struct line *line = list == OBJECTS ? &lines[made[list]] : NULL;

	if (line != NULL && deletes)
		return xasprintf("%s%s", line->path, strrchr(line->key, '/'));
	if (line != NULL)
		return xstrdup(line->path);
	if (list == NODES)
		return xstrdup("/api/v1/nodes");
	return xasprintf("/api/v1/namespaces/%s/%s", gen.namespace,
	    list == PODS ? "pods" : "services");
}

static void
send_one(enum list list)
{
	char AUTOFREE *path = path_of(list);
	struct text body = { 0 };

	put_object(list, &body);
	post(path, &body);
}

static char *
stored_key(enum list list)
{
	unsigned i = (unsigned)made[list];

	switch (list) {
	case NODES:
		return xasprintf("/registry/minions/node-%05u", i);
	case SERVICES:
		return xasprintf("/registry/services/specs/%s/app-%u",
		    gen.namespace, i);
	case PODS:
		return xasprintf("/registry/pods/%s/%s-%05u", gen.namespace,
		    gen.prefix, i + (unsigned)first);
	case OBJECTS:
		return xstrdup(lines[i].key);
	case LISTS:
		break;
	}
	abort();
}

static void
put_base64(struct text *out, const char *bytes, size_t len)
{
	char AUTOFREE *encoded = base64_encode(bytes, len);

	json_put_string(out, encoded);
}

static void
send_transaction(void)
{
	struct text body = { 0 }, object = { 0 };

	text_put(&body, "{\"success\":[");
	for (unsigned n = 0; n < PER_TRANSACTION && current() < LISTS; n++) {
		enum list list = current();
		char AUTOFREE *key = stored_key(list);

		put_object(list, &object);
		text_put(&body,
		    n > 0 ? ",{\"requestPut\":{\"key\":" :
			    "{\"requestPut\":{\"key\":");
		put_base64(&body, key, strlen(key));
		text_put(&body, ",\"value\":");
		put_base64(&body, object.bytes, object.len);
		text_put(&body, "}}");
		text_fini(&object);
	}
	text_put(&body, "]}");
	post("/v3/kv/txn", &body);
}

static bool
too_fast(void)
{
	enum list list = current();

	return (list == PODS || list == OBJECTS) && rate > 0 &&
	    (int64_t)made[list] * 1000 > (clock_ms() - start) * (int64_t)rate;
}

static void
fill(void)
{
	struct timeval soon = { .tv_usec = 5000 };

	while (
	    current() < LISTS && in_flight < (etcd != NULL ? 2 : IN_FLIGHT)) {
		if (too_fast()) {
			event_add(tick, &soon);
			return;
		}
		if (etcd != NULL)
			send_transaction();
		else
			send_one(current());
	}
	if (in_flight == 0)
		event_base_loopbreak(base);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	fill();
}

static void
empty(void)
{
	static const char *const paths[] = { "pods?gracePeriodSeconds=0",
		"events" };

	for (size_t i = 0; i < LENGTH(paths); i++) {
		char AUTOFREE *path = xasprintf("/api/v1/namespaces/%s/%s",
		    gen.namespace, paths[i]);

		in_flight++;
		api_send(client,
		    &(struct api_request){ .lane = API_REST,
			.method = "DELETE",
			.path = path,
			.timeout_ms = 120000,
			.on_done = on_done });
	}
}

static void
read_objects(const char *name, const char *phase)
{
	FILE *file = fopen(name, "r");
	char *text = NULL;
	size_t cap = 0;

	if (file == NULL) {
		perror(name);
		exit(2);
	}
	while (getline(&text, &cap, file) > 0) {
		char *rest = text, *fields[4];

		for (size_t i = 0; i < LENGTH(fields); i++)
			fields[i] = strsep(&rest, i < 3 ? "\t" : "\n");
		if (fields[3] == NULL ||
		    (phase != NULL && strcmp(fields[0], phase) != 0))
			continue;
		vec_room(lines, counts[OBJECTS], &lines_cap);
		lines[counts[OBJECTS]++] = (struct line){ xstrdup(fields[1]),
			xstrdup(fields[2]), xstrdup(fields[3]) };
	}
	free(text);
	fclose(file);
}

static struct api_client *
connect_to_server(void)
{
	struct api_config *config;
	struct err err;

	if (api_config_load(&(struct api_source){ .master = etcd }, &config,
		&err) != 0) {
		fprintf(stderr, "make_cluster: %s\n", err.text);
		exit(1);
	}
	return api_client_new(base, config,
	    &(struct api_options){ .timeout_ms = 60000 });
}

static int
usage(void)
{
	fputs("usage: make_cluster [--nodes N] [--services N] [--pods N] "
	      "[OPTION...]\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "services", required_argument, NULL, 's' },
		{ "pods", required_argument, NULL, 'p' },
		{ "namespace", required_argument, NULL, 'N' },
		{ "prefix", required_argument, NULL, 'P' },
		{ "scheduler", required_argument, NULL, 'S' },
		{ "first", required_argument, NULL, 'f' },
		{ "apps", required_argument, NULL, 'a' },
		{ "affinity", no_argument, NULL, 'A' },
		{ "onto", required_argument, NULL, 'o' },
		{ "rate", required_argument, NULL, 'r' },
		{ "etcd", required_argument, NULL, 'e' },
		{ "empty", no_argument, NULL, 'E' },
		{ "objects", required_argument, NULL, 'O' },
		{ "phase", required_argument, NULL, 'h' },
		{ "delete", no_argument, NULL, 'd' },
		{ NULL, 0, NULL, 0 },
	};
	const char *values[128] = { ['N'] = "default", ['P'] = "pod" };
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return usage();
		values[opt] = optarg != NULL ? optarg : "";
	}
	if (optind != argc)
		return usage();
#define NUMBER(c, otherwise)                                                   \
	(values[c] != NULL ? strtoul(values[c], NULL, 10) : (otherwise))
	counts[NODES] = NUMBER('n', 0);
	counts[SERVICES] = NUMBER('s', 0);
	counts[PODS] = NUMBER('p', 0);
	first = NUMBER('f', 0);
	rate = NUMBER('r', 0);
	etcd = values['e'];
	gen.namespace = values['N'];
	gen.prefix = values['P'];
	gen.scheduler = values['S'];
	gen.apps = (unsigned)NUMBER('a', 20);
	gen.affinity = values['A'] != NULL;
	gen.bound = values['o'] != NULL;
	gen.nodes = (unsigned)NUMBER('o', 0);
	gen.stored = etcd != NULL;
	gen.now = time(NULL);
	if (gen.apps == 0)
		return usage();
	deletes = values['d'] != NULL;
	if (values['O'] != NULL)
		read_objects(values['O'], values['h']);

	base = event_base_new();
	client = connect_to_server();
	tick = event_new(base, -1, 0, on_tick, NULL);
	start = clock_ms();
	if (values['E'] != NULL)
		empty();
	else
		fill();
	if (in_flight > 0 || current() < LISTS)
		event_base_dispatch(base);
	printf("%lu requests in %.1f s, %lu refused\n", done,
	    (double)(clock_ms() - start) / 1000, refused);
	event_free(tick);
	api_client_free(client);
	event_base_free(base);
	return refused > 0;
}
