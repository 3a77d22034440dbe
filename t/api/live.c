/*
 * src/wire/api against a real kube-apiserver; run by live.t, which starts one and
 * gives its kubeconfig in $KUBECONFIG.
 *
 * Two clients: `ours` has the reflectors, `theirs` makes the changes that they
 * are to notice.  Each has an event loop of its own, so that one stands still
 * while the other works.
 */
#include "config.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "wire/api/events.h"
#include "base/json_out.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/lock.h"
#include "wire/api/protobuf.h"
#include "wire/api/watch.h"
#include "wire/api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "t/lib/fault_proxy.h"
#include "t/lib/t.h"

#define NODES 300
#define PODS 300
#define PATIENCE_MS 60000

struct side {
	struct event_base *base;
	struct api_client *client;
};

static struct side ours, theirs;

static struct side
new_side(const struct api_options *options)
{
	struct api_options with_type = *options;
	struct side side;
	struct api_config *config;
	struct err err;

	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	with_type.json_answers = getenv("LIVE_JSON") != NULL;
	with_type.json_bodies = with_type.json_answers;
	side.base = event_base_new();
	side.client = api_client_new(side.base, config, &with_type);
	return side;
}

static void
free_side(struct side *side)
{
	api_client_free(side->client);
	event_base_free(side->base);
}

static void
nothing(evutil_socket_t fd, short what, void *arg)
{
}

static bool
run_for(const struct side *side, const size_t *count, size_t want, int64_t ms)
{
	int64_t end = clock_ms() + ms;
	struct event *tick =
	    event_new(side->base, -1, EV_PERSIST, nothing, NULL);
	struct timeval often = { .tv_usec = 20000 };

	event_add(tick, &often);
	while (*count != want && clock_ms() < end)
		event_base_loop(side->base, EVLOOP_ONCE);
	event_free(tick);
	return *count == want;
}

/* Runs a side's loop until *count has come to want. */
static bool
run_until(const struct side *side, const size_t *count, size_t want)
{
	return run_for(side, count, want, PATIENCE_MS);
}

/*
 * Writing
 */

static struct {
	size_t done, good;
	int status;
	char *body;    /* of the last answer, in JSON */
	char why[200]; /* it is no success */
} written;

static char *
in_json(const struct api_response *response)
{
	struct text json = { 0 };
	struct doc *doc;

	if (!response->protobuf)
		return xstrdup(response->body);
	doc = protobuf_parse("answer", response->body, response->len,
	    &doc_limits_people, NULL);
	if (doc != NULL)
		json_put_node(&json, doc_root(doc));
	doc_free(doc);
	return text_take(&json);
}

static void
on_written(void *arg, const struct api_response *response)
{
	struct err err;

	written.done++;
	written.good += response->status >= 200 && response->status < 300;
	written.status = response->status;
	free(written.body);
	written.body = in_json(response);
	api_explain(response, &err);
	snprintf(written.why, sizeof(written.why), "%.150s", err.text);
	if (response->status == 0)
		printf("# %s\n", err.text);
}

static void
begin_writing(void)
{
	written.done = written.good = 0;
}

static void
send_json(const char *method, const char *path, const char *json)
{
	api_send(theirs.client,
	    &(struct api_request){ .lane = API_REST,
		.method = method,
		.path = path,
		.body = json,
		.content_type = strcmp(method, "PATCH") == 0 ?
		    "application/merge-patch+json" :
		    NULL,
		.retry_ms = 30000,
		.on_done = on_written });
}

static void
make_node(int i)
{
	char *json = xasprintf(
	    "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
	    "\"metadata\":{\"name\":\"n%d\",\"labels\":{\"zone\":\"z%d\"}},"
	    "\"status\":{\"allocatable\":{\"cpu\":\"8\",\"memory\":\"16Gi\","
	    "\"pods\":\"110\"}}}",
	    i, i % 3);

	send_json("POST", "/api/v1/nodes", json);
	free(json);
}

static void
make_pod(const char *prefix, int i)
{
	char *json = xasprintf(
	    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
	    "\"metadata\":{\"name\":\"%s%d\"},\"spec\":{\"containers\":["
	    "{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":"
	    "{\"cpu\":\"100m\"}}}]}}",
	    prefix, i);

	send_json("POST", "/api/v1/namespaces/default/pods", json);
	free(json);
}

static void
label_node(int i, int value)
{
	char *path = xasprintf("/api/v1/nodes/n%d", i);
	char *json =
	    xasprintf("{\"metadata\":{\"labels\":{\"v\":\"%d\"}}}", value);

	send_json("PATCH", path, json);
	free(path);
	free(json);
}

static void
delete_node(int i)
{
	char *path = xasprintf("/api/v1/nodes/n%d", i);

	send_json("DELETE", path, NULL);
	free(path);
}

static bool was_protobuf;

static void
on_asked(void *arg, const struct api_response *response)
{
	was_protobuf = response->protobuf;
	on_written(arg, response);
}

/* The encoding of the tests: protobuf, or with $LIVE_JSON JSON. */
static void
the_server_speaks_what_we_want(void)
{
	bool json = getenv("LIVE_JSON") != NULL;

	for (int i = 0; i < 2; i++) {
		begin_writing();
		api_send(theirs.client,
		    &(struct api_request){ .lane = API_REST,
			.path = i == 0 ? "/api/v1/nodes" : "/api/v1/nodes/none",
			.protobuf = true,
			.on_done = on_asked });
		run_until(&theirs, &written.done, 1);
		t_int("status", written.status, i == 0 ? 200 : 404);
		t_true("type", was_protobuf != json);
		if (i > 0)
			t_str("its errors are understood", written.why,
			    "HTTP 404: nodes \"none\" not found");
	}
}

/*
 * Watching: the objects that a reflector reported, as its owner would keep them.
 */

struct picture {
	struct reflector *reflector;
	struct strmap objects; /* by name, references */
	size_t synced, puts, removals, wrong, n;
	size_t bound; /* pods on a node */
};

static size_t
is_bound(const struct object *object)
{
	return object->kind == OBJECT_POD &&
	    ((const struct pod *)object)->node != SYM_EMPTY;
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct picture *picture = arg;
	struct object *old;

	picture->puts++;
	old = strmap_put(&picture->objects, object->name, object_ref(object));
	if (old != NULL) {
		/* Nothing is reported twice, or replaced without a report. */
		picture->wrong += strcmp(old->resource_version,
				      object->resource_version) == 0 ||
		    strcmp(old->uid, object->uid) != 0;
		picture->bound -= is_bound(old);
	}
	picture->bound += is_bound(object);
	picture->n = picture->objects.n;
	object_unref(old);
}

static void
on_removed(void *arg, struct object *object)
{
	struct picture *picture = arg;
	struct object *old = strmap_del(&picture->objects, object->name);

	picture->removals++;
	picture->wrong += old == NULL;
	picture->n = picture->objects.n;
	if (old != NULL)
		picture->bound -= is_bound(old);
	object_unref(old);
}

static void
on_synced(void *arg)
{
	((struct picture *)arg)->synced++;
}

static void
on_problem(void *arg, const char *text)
{
	printf("# problem: %s\n", text);
}

static void
start_picture(struct picture *picture, const struct side *side,
    const struct reflector_spec *spec)
{
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };

	*picture = (struct picture){ 0 };
	picture->reflector = reflector_new(side->client, spec, &ops, picture);
}

static void
free_picture(struct picture *picture)
{
	for (size_t i = 0; i < picture->objects.nslots; i++)
		object_unref(picture->objects.slots[i].value);
	strmap_fini(&picture->objects);
	reflector_free(picture->reflector);
}

/* Every object of a is in b in the same version, and nothing else. */
static bool
is_equal(const struct picture *a, const struct picture *b)
{
	const struct object *x, *y;

	if (a->objects.n != b->objects.n)
		return false;
	for (size_t i = 0; i < a->objects.nslots; i++) {
		x = a->objects.slots[i].value;
		if (x == NULL)
			continue;
		y = strmap_get(&b->objects, x->name);
		if (y == NULL ||
		    strcmp(x->resource_version, y->resource_version) != 0)
			return false;
	}
	return true;
}

static const char *const v1[] = { "v1", NULL };
static const struct reflector_spec node_spec = { .resource = "nodes",
	.versions = v1 };
static const struct reflector_spec pod_spec = { .resource = "pods",
	.versions = v1,
	.field_selector = REFLECTOR_LIVE_PODS };

static struct picture nodes, pods;

/* As fresh a list as can be had; and the reflector's own comparison says so, too. */
static bool
equals_fresh_list(const struct side *of, const struct picture *picture,
    const struct reflector_spec *spec)
{
	struct side side = new_side(&(struct api_options){ 0 });
	const struct reflector_stats *stats =
	    reflector_stats(picture->reflector);
	size_t checked = stats->checks[CONSISTENT] + 1;
	struct picture fresh;
	bool equal;

	start_picture(&fresh, &side, spec);
	run_until(&side, &fresh.synced, 1);
	equal = is_equal(picture, &fresh);
	if (!equal)
		printf("# %zu objects, fresh %zu\n", picture->n, fresh.n);
	free_picture(&fresh);
	free_side(&side);
	reflector_check(picture->reflector);
	return equal && run_until(of, &stats->checks[CONSISTENT], checked);
}

static void
lists_in_pages_and_watches(void)
{
	const struct reflector_stats *stats;

	begin_writing();
	for (int i = 0; i < NODES; i++)
		make_node(i);
	for (int i = 0; i < PODS; i++)
		make_pod("p", i);
	t_true("written", run_until(&theirs, &written.done, NODES + PODS));
	t_int("all created", written.good, NODES + PODS);
	for (int i = NODES; i < 2 * NODES + 10; i++)
		make_node(i);
	t_true("written",
	    run_until(&theirs, &written.done, 2 * NODES + 10 + PODS));

	start_picture(&nodes, &ours, &node_spec);
	start_picture(&pods, &ours, &pod_spec);
	t_true("nodes listed", run_until(&ours, &nodes.synced, 1));
	t_true("pods listed", run_until(&ours, &pods.synced, 1));
	t_int("two pages of nodes", nodes.n, 2 * NODES + 10);
	t_int("pods", pods.n, PODS);

	begin_writing();
	for (int i = NODES; i < 2 * NODES + 10; i++)
		delete_node(i);
	label_node(0, 1);
	run_until(&theirs, &written.done, NODES + 11);
	t_true("deletions watched", run_until(&ours, &nodes.n, NODES));
	t_true("changes watched",
	    run_until(&ours, &nodes.puts, 2 * NODES + 11));
	stats = reflector_stats(nodes.reflector);
	t_int("one list", stats->lists, 1);
	t_int("nothing wrong", nodes.wrong + pods.wrong, 0);
}

static void
versions_are_discovered(void)
{
	static const char *const policy[] = { "policy/v1", "policy/v1beta1",
		NULL };
	static const char *const storage[] = { "storage.k8s.io/v1",
		"storage.k8s.io/v1beta1", NULL };
	static const char *const openshift[] = { "config.openshift.io/v1",
		NULL };
	struct picture budgets, csi, schedulers, maps;

	start_picture(&budgets, &ours,
	    &(struct reflector_spec){ .resource = "poddisruptionbudgets",
		.versions = policy });
	start_picture(&csi, &ours,
	    &(struct reflector_spec){ .resource = "csinodes",
		.versions = storage });
	start_picture(&schedulers, &ours,
	    &(struct reflector_spec){ .resource = "schedulers",
		.versions = openshift,
		.raw = true });
	start_picture(&maps, &ours,
	    &(struct reflector_spec){ .resource = "configmaps",
		.versions = v1,
		.namespace = "kube-system",
		.raw = true,
		.namespaced = true,
		.field_selector =
		    "metadata.name=extension-apiserver-authentication" });
	t_true("budgets", run_until(&ours, &budgets.synced, 1));
	t_str("1.20 has v1beta1 alone", reflector_version(budgets.reflector),
	    atoi(getenv("LIVE_MINOR")) < 21 ? "policy/v1beta1" : "policy/v1");
	run_until(&ours, &csi.synced, 1);
	t_str("the newest", reflector_version(csi.reflector),
	    "storage.k8s.io/v1");
	t_true("absent, and asked for again",
	    run_until(&ours, &schedulers.synced, 2));
	t_str("no version", reflector_version(schedulers.reflector), NULL);
	run_until(&ours, &maps.synced, 1);
	t_int("a raw object", maps.n, 1);
	free_picture(&budgets);
	free_picture(&csi);
	free_picture(&schedulers);
	free_picture(&maps);
}

static void
binds_once_and_only_that_pod(void)
{
	struct pod_id id = { "default", "p0", "" };
	const struct object *p0;
	char node[16], name[16];

	begin_writing();
	for (int i = 0; i < PODS; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		snprintf(node, sizeof(node), "n%d", i % NODES);
		id.name = name;
		id.uid =
		    ((const struct object *)strmap_get(&pods.objects, name))
			->uid;
		api_bind(ours.client, &id, node, on_written, NULL);
	}
	t_true("answered", run_until(&ours, &written.done, PODS));
	t_int("all bound", written.good, PODS);
	t_true("seen by the watch", run_until(&ours, &pods.bound, PODS));

	begin_writing();
	p0 = strmap_get(&pods.objects, "p0");
	id = (struct pod_id){ "default", "p0", p0->uid };
	api_bind(ours.client, &id, "n1", on_written, NULL);
	run_until(&ours, &written.done, 1);
	t_int("bound already", written.status, 409);
	t_has("says the server", written.body, "already assigned");
}

static void
status_is_patched(void)
{
	char AUTOFREE *uid = NULL;
	struct pod_id id = { "default", "q0", "" };

	begin_writing();
	make_pod("q", 0);
	run_until(&theirs, &written.done, 1);
	run_until(&ours, &pods.n, PODS + 1);
	uid = xstrdup(((struct object *)strmap_get(&pods.objects, "q0"))->uid);
	id.uid = uid;
	begin_writing();
	api_patch_pod_status(ours.client, &id,
	    &(struct pod_status_change){ .type = "PodScheduled",
		.reason = "Unschedulable",
		.message = "0/1 nodes are available: 1 \"quoted\".",
		.status = "False",
		.transition = "2020-01-01T00:00:00Z",
		.nominated = "n1" },
	    on_written, NULL);
	run_until(&ours, &written.done, 1);
	t_int("patched", written.status, 200);
	t_has("message", written.body,
	    "0/1 nodes are available: 1 \\\"quoted\\\".");
	t_has("nominated", written.body, "\"nominatedNodeName\":\"n1\"");
	t_has("time", written.body,
	    "\"lastTransitionTime\":\"2020-01-01T00:00:00Z\"");

	begin_writing();
	api_patch_pod_status(ours.client, &id,
	    &(struct pod_status_change){ .type = "PodScheduled",
		.reason = "Unschedulable",
		.message = "other",
		.status = "False",
		.nominated = "" },
	    on_written, NULL);
	run_until(&ours, &written.done, 1);
	t_has("time stays", written.body,
	    "\"lastTransitionTime\":\"2020-01-01T00:00:00Z\"");
	t_true("no longer nominated",
	    strstr(written.body, "nominatedNodeName\":\"") == NULL);

	begin_writing();
	id.uid = "another";
	api_patch_pod_status(ours.client, &id,
	    &(struct pod_status_change){ .nominated = "n1" }, on_written, NULL);
	run_until(&ours, &written.done, 1);
	t_int("another uid", written.status, 422);

	begin_writing();
	id.uid = uid;
	api_delete_pod(ours.client, &id, NULL, on_written, NULL);
	run_until(&ours, &written.done, 1);
	t_int("deleted", written.status, 200);
	t_true("seen by the watch", run_until(&ours, &pods.n, PODS));
}

/* By live.t, which reads descriptor 3 and answers on 4. */
static void
restart_server(const char *flags)
{
	char byte;

	if (dprintf(3, "restart %s\n", flags) < 0 || read(4, &byte, 1) != 1) {
		printf("Bail out! the server was not restarted\n");
		exit(99);
	}
}

/*
 * Changes that the watch cannot report: a server that was restarted does not
 * remember earlier ones.
 */
static void
relists_after_410_with_the_differences(void)
{
	size_t puts = nodes.puts, removals = nodes.removals;
	uint64_t lists = reflector_stats(nodes.reflector)->lists;

	reflector_resume(nodes.reflector);
	begin_writing();
	delete_node(1);
	delete_node(2);
	label_node(3, 7);
	make_node(1000);
	run_until(&theirs, &written.done, 4);
	make_node(2); /* the name again, another node */
	run_until(&theirs, &written.done, 5);
	t_int("changed", written.good, 5);
	restart_server("");
	t_true("listed again", run_until(&ours, &nodes.synced, 2));
	t_int("a list", reflector_stats(nodes.reflector)->lists, lists + 1);
	t_int("put", nodes.puts - puts, 3);
	t_int("removed", nodes.removals - removals, 2);
	t_int("nothing wrong", nodes.wrong, 0);
	t_true("as a fresh list", equals_fresh_list(&ours, &nodes, &node_spec));
}

static void
cuts_lose_nothing(void)
{
	size_t want = nodes.n;

	for (int i = 0; i < 200; i++) {
		begin_writing();
		label_node(10 + i % 20, i);
		if (i % 10 == 0)
			make_node(2000 + i);
		run_until(&theirs, &written.done, i % 10 == 0 ? 2 : 1);
		if (i % 3 == 0)
			event_base_loop(ours.base, EVLOOP_NONBLOCK);
		reflector_resume(nodes.reflector);
		if (i % 2 == 0)
			event_base_loop(ours.base, EVLOOP_NONBLOCK);
	}
	want += 20;
	begin_writing();
	make_node(3000);
	run_until(&theirs, &written.done, 1);
	t_true("the last change came", run_until(&ours, &nodes.n, want + 1));
	t_int("nothing wrong", nodes.wrong, 0);
	t_int("no list for it", reflector_stats(nodes.reflector)->lists, 2);
	t_true("as a fresh list", equals_fresh_list(&ours, &nodes, &node_spec));
}

/* How often it was asked, in quotes. */
static const char *
annotate(void *arg)
{
	static char text[16];
	int *n = arg;

	snprintf(text, sizeof(text), "\"%d\"", ++*n);
	return text;
}

static void
events_are_counted(void)
{
	int nasked = 0;
	struct events *events = events_new(ours.client);
	struct api_event event = { .kind = "Pod",
		.api_version = "v1",
		.namespace = "default",
		.name = "p1",
		.uid = "u",
		.resource_version = "1",
		.type = "Warning",
		.reason = "FailedScheduling",
		.message = "no",
		.component = "me" };
	int64_t end = clock_ms() + 10000;

	event.annotation = "example.org/why";
	event.annotate = annotate;
	event.annotate_arg = &nasked;
	for (int i = 0; i < 3; i++)
		events_record(events, &event);
	t_int("asked for each that is written", nasked, 3);
	event.reason = "Scheduled";
	event.annotation = NULL;
	events_record(events, &event);
	while (events_stats(events)->written < 3 && clock_ms() < end)
		event_base_loop(ours.base, EVLOOP_ONCE);
	t_int("written: new, brought up to date, new",
	    events_stats(events)->written, 3);
	t_int("spared", events_stats(events)->spared, 1);
	begin_writing();
	send_json("GET",
	    "/api/v1/namespaces/default/events"
	    "?fieldSelector=reason%3DFailedScheduling",
	    NULL);
	run_until(&theirs, &written.done, 1);
	t_has("count", written.body, "\"count\":3");
	t_has("its annotation is brought up to date, too", written.body,
	    "\"annotations\":{\"example.org/why\":\"\\\"3\\\"\"}");
	t_has("what it is about", written.body,
	    "\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"default\","
	    "\"name\":\"p1\",\"uid\":\"u\",\"apiVersion\":\"v1\","
	    "\"resourceVersion\":\"1\"}");
	t_has("what it says", written.body,
	    "\"reason\":\"FailedScheduling\",\"message\":\"no\","
	    "\"source\":{\"component\":\"me\"},\"firstTimestamp\":\"20");
	t_has("its type", written.body, "\"type\":\"Warning\"");
	events_free(events);
}

/* As kube-scheduler's from 1.19 on. */
static void
events_with_an_action_are_series(void)
{
	struct events *events = events_new(ours.client);
	struct api_event by = { .kind = "Pod",
		.api_version = "v1",
		.namespace = "default",
		.name = "by",
		.uid = "v",
		.resource_version = "2" };
	struct api_event event = { .kind = "Pod",
		.api_version = "v1",
		.namespace = "default",
		.name = "p2",
		.uid = "u",
		.resource_version = "1",
		.type = "Normal",
		.reason = "Preempted",
		.message = "away",
		.action = "Preempting",
		.related = &by,
		.component = "me" };
	int64_t end = clock_ms() + 10000;

	events_record(events, &event);
	events_record(events, &event);
	while (events_stats(events)->written < 2 && clock_ms() < end)
		event_base_loop(ours.base, EVLOOP_ONCE);
	begin_writing();
	send_json("GET",
	    "/api/v1/namespaces/default/events"
	    "?fieldSelector=involvedObject.name%3Dp2",
	    NULL);
	run_until(&theirs, &written.done, 1);
	t_has("no older members", written.body,
	    "\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,"
	    "\"type\":\"Normal\",\"eventTime\":\"20");
	t_has("a series", written.body, "\"series\":{\"count\":2,");
	t_has("the action and by whom", written.body,
	    "\"action\":\"Preempting\",\"related\":{\"kind\":\"Pod\","
	    "\"namespace\":\"default\",\"name\":\"by\",\"uid\":\"v\","
	    "\"apiVersion\":\"v1\",\"resourceVersion\":\"2\"},"
	    "\"reportingComponent\":\"me\",\"reportingInstance\":\"me-");
	events_free(events);
}

struct answer {
	size_t n;
	enum lock_result result;
	struct lock_record record;
};

static void
on_lock(void *arg, enum lock_result result, const struct lock_record *record,
    const char *why)
{
	struct answer *answer = arg;

	answer->n++;
	answer->result = result;
	if (record != NULL)
		answer->record = *record;
}

static void
one_of_two_gets_the_lock(void)
{
	static const enum lock_kind kinds[] = { LOCK_LEASES, LOCK_ENDPOINTS,
		LOCK_CONFIG_MAPS };

	for (size_t i = 0; i < LENGTH(kinds); i++) {
		struct lock *a = lock_new(ours.client, kinds[i], "kube-system",
		    "lock", 5000);
		struct lock *b = lock_new(ours.client, kinds[i], "kube-system",
		    "lock", 5000);
		struct lock_record record = { .holder = "a",
			.lease_seconds = 15,
			.acquired = { 1600000000, 5 },
			.renewed = { 1600000001, 6 } };
		struct answer x = { 0 }, y = { 0 };

		lock_get(a, on_lock, &x);
		run_until(&ours, &x.n, 1);
		t_int("absent", x.result, LOCK_ABSENT);
		lock_get(b, on_lock, &y);
		run_until(&ours, &y.n, 1);
		lock_put(a, &record, on_lock, &x);
		run_until(&ours, &x.n, 2);
		t_int("made", x.result, LOCK_OK);
		lock_put(b, &record, on_lock, &y);
		run_until(&ours, &y.n, 2);
		t_int("made by the other", y.result, LOCK_CONFLICT);
		lock_get(b, on_lock, &y);
		run_until(&ours, &y.n, 3);
		t_str("holder", y.record.holder, "a");
		t_int("time", y.record.renewed.seconds, 1600000001);
		record.transitions = 1;
		lock_put(a, &record, on_lock, &x);
		run_until(&ours, &x.n, 3);
		t_int("renewed", x.result, LOCK_OK);
		lock_put(b, &record, on_lock, &y);
		run_until(&ours, &y.n, 4);
		t_int("changed meanwhile", y.result, LOCK_CONFLICT);
		lock_free(a);
		lock_free(b);
	}
}

/*
 * A reflector behind a proxy that breaks its connections while nodes change;
 * patient enough to see each break end by itself.
 */

static struct side broken;
static struct fault_proxy *proxy;
static struct picture through;

static void
start_proxy(const struct api_options *options)
{
	struct api_config *config;
	int port = 0;

	api_config_load(&(struct api_source){ 0 }, &config, NULL);
	sscanf(strrchr(config->server, ':'), ":%d", &port);
	broken.base = event_base_new();
	proxy = fault_proxy_new(broken.base, port);
	config->server = arena_printf(&config->arena, "https://127.0.0.1:%d",
	    fault_proxy_port(proxy));
	config->tls_server_name = "kubernetes";
	broken.client = api_client_new(broken.base, config, options);
}

static void
stop_proxy(void)
{
	api_client_free(broken.client);
	fault_proxy_free(proxy);
	event_base_free(broken.base);
}

static void
start_through(void)
{
	start_picture(&through, &broken, &node_spec);
	t_true("listed", run_until(&broken, &through.synced, 1));
}

/* Makes a node while the proxy carries out its last command, and waits for
 * the reflector to hear of it. */
static void
comes_through(const char *name, int node)
{
	size_t want = through.n + 1;

	begin_writing();
	make_node(node);
	run_until(&theirs, &written.done, 1);
	t_true(name, run_until(&broken, &through.n, want));
	t_int("nothing wrong", through.wrong, 0);
}

static void
broken_connections_lose_nothing(void)
{
	start_proxy(&(
	    struct api_options){ .silence_ms = 500, .probe_timeout_ms = 500 });
	start_through();
	comes_through("healthy", 4000);
	fault_proxy_cut(proxy);
	comes_through("reset", 4001);
	for (int i = 0; i < 20; i++) {
		/* Within TLS records, frames, events. */
		fault_proxy_cut_after(proxy, 1 + arc4random_uniform(700));
		comes_through("cut in the middle", 4010 + i);
	}
	fault_proxy_freeze(proxy);
	comes_through("half open", 4002);
	fault_proxy_stall(proxy, true);
	run_for(&broken, &through.synced, 0, 2500); /* given up, and again */
	fault_proxy_stall(proxy, false);
	comes_through("stalled", 4003);
	fault_proxy_refuse(proxy, true);
	fault_proxy_cut(proxy);
	for (int i = 0; i < 50; i++)
		event_base_loop(broken.base, EVLOOP_NONBLOCK);
	fault_proxy_refuse(proxy, false);
	comes_through("refused", 4004);
	t_int("all by watching", reflector_stats(through.reflector)->lists, 1);
	t_true("as a fresh list",
	    equals_fresh_list(&broken, &through, &node_spec));
	free_picture(&through);
	stop_proxy();
}

/*
 * The number of connections, however many requests there are.
 */

#define BURST 300
#define WATCHES 25
#define STREAMS "10" /* that the server allows in each connection, */
#define A_HANDFUL 8  /* then */
/* Those that have no place in the first connection may get one each, and one stream
 * there may be a probe's, which is sent when no answer has come for 50 ms, so again
 * and again where the machine is slow; requests that end have two in each of two
 * lanes. */
#define OF_WATCHES (1 + WATCHES - (10 - 4))
#define OF_BOTH (OF_WATCHES + 4)
#define OF_LANES 2

static size_t nwatches; /* that the server has answered */
static size_t nended;

static void
on_watch_data(void *arg, const char *bytes, size_t len)
{
	bool *began = arg;

	nwatches += !*began;
	*began = true;
}

static void
on_watch_done(void *arg, const struct api_response *response)
{
	printf("# a watch ended: %d %s\n", response->status, response->error);
	nended++;
}

static void
burst(const char *name, size_t max)
{
	char *what = xasprintf("%s: at most %zu connections", name, max);
	size_t peak;

	begin_writing();
	for (int i = 0; i < 2 * BURST; i++)
		api_send(broken.client,
		    &(struct api_request){ .lane = i % 2 == 0 ? API_BINDS :
								API_REST,
			.path = "/api/v1/namespaces/default",
			.retry_ms = PATIENCE_MS,
			.on_done = on_written });
	run_until(&broken, &written.done, (size_t)2 * BURST);
	t_int(name, written.good, 2 * BURST);
	peak = fault_proxy_peak(proxy);
	printf("# %s: %zu connections\n", name, peak);
	t_true(what, peak <= max);
	free(what);
}

/*
 * Lanes of requests that end; the one of watches has more only if these alone
 * exceed the server's limit.  While a connection replaces another, both count.
 */
static void
bursts_share_connections(void)
{
	static bool began[WATCHES];

	start_proxy(&(struct api_options){ 0 });
	burst("at the start", OF_LANES);
	burst("later", 2 * OF_LANES);
	fault_proxy_cut(proxy);
	burst("after a reconnect", 2 * OF_LANES);
	stop_proxy();
	restart_server("--http2-max-streams-per-connection=" STREAMS);
	start_proxy(&(struct api_options){ 0 });
	burst("beyond the server's limit", A_HANDFUL);
	fault_proxy_cut(proxy);
	burst("beyond the limit, after a reconnect", A_HANDFUL);
	stop_proxy();
	start_proxy(&(struct api_options){ 0 });
	for (int i = 0; i < WATCHES; i++)
		api_send(broken.client,
		    &(struct api_request){ .lane = API_WATCHES,
			.path = "/api/v1/namespaces?watch=1",
			.timeout_ms = PATIENCE_MS,
			.on_data = on_watch_data,
			.on_done = on_watch_done,
			.arg = &began[i] });
	/* Curl may keep what has arrived until more does in the same connection
	 * (on_quiet() of pipe.c): an event of what they watch. */
	for (int i = 0;
	     i < 10 && !run_for(&broken, &nwatches, WATCHES, PATIENCE_MS / 20);
	     i++) {
		char json[64];

		printf("# %zu watches have begun\n", nwatches);
		snprintf(json, sizeof(json),
		    "{\"metadata\":{\"labels\":{\"v\":\"%d\"}}}", i);
		begin_writing();
		send_json("PATCH", "/api/v1/namespaces/default", json);
		run_until(&theirs, &written.done, 1);
	}
	t_int("each watch has its stream", (long)nwatches, WATCHES);
	t_true("in few connections", fault_proxy_peak(proxy) <= OF_WATCHES);
	burst("beside watches", OF_BOTH);
	stop_proxy();
}

/* Their connection is tested, and the server answers. */
static void
silent_watches_go_on(void)
{
	static bool began;

	start_proxy(&(
	    struct api_options){ .silence_ms = 100, .probe_timeout_ms = 3000 });
	nwatches = 0;
	api_send(broken.client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = "/api/v1/nodes?watch=1",
		.timeout_ms = PATIENCE_MS,
		.on_data = on_watch_data,
		.on_done = on_watch_done,
		.arg = &began });
	t_true("a watch begins", run_until(&broken, &nwatches, 1));
	nended = 0;
	t_true("it does not end by silence",
	    !run_for(&broken, &nended, 1, 4000));
	t_int("on one connection", fault_proxy_peak(proxy), 1);
	stop_proxy();
}

/* Not a test of speed, but the number is worth knowing. */
static void
many_binds_at_once(void)
{
	int n = 1000;
	struct pod_id id = { "default", "", "" };
	char name[16];
	int64_t start;
	struct rusage before, after;

	begin_writing();
	for (int i = 0; i < n; i++)
		make_pod("m", i);
	start = clock_ms();
	run_until(&theirs, &written.done, (size_t)n);
	printf("# %d pods created in %" PRId64 " ms\n", n, clock_ms() - start);
	run_until(&ours, &pods.n, PODS + (size_t)n);
	begin_writing();
	getrusage(RUSAGE_SELF, &before);
	start = clock_ms();
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		id.name = name;
		id.uid =
		    ((struct object *)strmap_get(&pods.objects, name))->uid;
		api_bind(ours.client, &id, "n5", on_written, NULL);
	}
	run_until(&ours, &written.done, (size_t)n);
	getrusage(RUSAGE_SELF, &after);
	printf("# %d binds in %" PRId64 " ms, %ld ms of our CPU\n", n,
	    clock_ms() - start,
	    (long)(after.ru_utime.tv_sec - before.ru_utime.tv_sec +
		after.ru_stime.tv_sec - before.ru_stime.tv_sec) *
		    1000 +
		(long)(after.ru_utime.tv_usec - before.ru_utime.tv_usec +
		    after.ru_stime.tv_usec - before.ru_stime.tv_usec) /
		    1000);
	t_int("all bound", written.good, n);
	t_true("seen by the watch",
	    run_until(&ours, &pods.bound, PODS + (size_t)n));
}

static void
everything_is_given_back(void)
{
	free_picture(&nodes);
	free_picture(&pods);
	free_side(&ours);
	free_side(&theirs);
	free(written.body);
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(the_server_speaks_what_we_want),
		T(lists_in_pages_and_watches), T(versions_are_discovered),
		T(binds_once_and_only_that_pod), T(status_is_patched),
		T(relists_after_410_with_the_differences), T(cuts_lose_nothing),
		T(events_are_counted), T(events_with_an_action_are_series),
		T(one_of_two_gets_the_lock), T(broken_connections_lose_nothing),
		T(silent_watches_go_on), T(many_binds_at_once),
		T(bursts_share_connections), T(everything_is_given_back)
	};

	setvbuf(stdout, NULL, _IOLBF, 0);
	ours = new_side(&(struct api_options){ 0 });
	theirs = new_side(&(struct api_options){ 0 });
	return t_run(tests, LENGTH(tests));
}
