/*
 * kubelet: the kubelets of all nodes, without containers.  Pods on nodes run at once and
 * are gone as soon as they are to be deleted; nodes are ready, and say so every ten
 * seconds, and can allocate the extended resources that they have.  Everything else of a
 * node stays what it is.
 */
#include "config.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "api/paths.h"
#include "api/watch.h"
#include "api/writes.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/map.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "model/object.h"

#define HEARTBEAT_SECONDS 10

static struct api_client *client;
static struct strmap nodes; /* "", by name */
static struct strmap done;  /* "uid/phase": requests that were sent */

static void
on_done(void *arg, const struct api_response *response)
{
	struct err err;

	if (response->status >= 200 && response->status <= 299)
		return;
	api_explain(response, &err);
	if (response->status != 404 && response->status != 409)
		fprintf(stderr, "kubelet: %s\n", err.text);
}

/* Takes the path. */
static void
send_to(const char *method, char *path, struct text *body)
{
	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = method,
		.path = path,
		.body = body->bytes,
		.body_len = body->len,
		.content_type = strcmp(method, "PATCH") == 0 ?
		    "application/strategic-merge-patch+json" :
		    NULL,
		.on_done = on_done });
	text_fini(body);
	free(path);
}

/* ---- pods ---- */

/* Whether this is the first time. */
static bool
first(const struct object *pod, const char *what)
{
	AUTOFREE char *key = xasprintf("%s/%s", pod->uid, what);
	static char here;

	if (strmap_get(&done, key) != NULL)
		return false;
	strmap_put(&done, xstrdup(key), &here);
	return true;
}

static char *
path_of(const struct object *pod, const char *rest)
{
	return path_of_object("v1", sym_text(pod->namespace), "pods", pod->name,
	    rest);
}

static void
put_condition(struct json_out *json, const char *type, const char *now)
{
	json_open(json, '{');
	json_members(json, "type:s status:s lastTransitionTime:s", type, "True",
	    now);
	json_close(json, '}');
}

static void
put_container(struct json_out *json, const struct doc_node *container,
    const char *now)
{
	const char *name = "", *image = "";

	doc_get_string(container, "name", "name", &name, NULL);
	doc_get_string(container, "image", "image", &image, NULL);
	json_open(json, '{');
	json_members(json, "name:s image:s imageID:s ready:b started:b", name,
	    image, image, true, true);
	json_pair_int(json, "restartCount", 0);
	json_open_member(json, "state", '{');
	json_open_member(json, "running", '{');
	json_pair(json, "startedAt", now);
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, '}');
}

static void
run(const struct object *pod, const struct doc_node *root)
{
	static unsigned number;
	struct text body = { 0 };
	struct json_out json = JSON_OUT_INIT(&body);
	const struct doc_node *containers =
	    doc_get(doc_get(root, "spec"), "containers");
	char now[32], ip[32];

	number++;
	api_time(now, sizeof(now), time(NULL), -1);
	snprintf(ip, sizeof(ip), "10.%u.%u.%u", 64 + number / 65536 % 64,
	    number / 256 % 256, number % 256);
	json_open(&json, '{');
	json_open_member(&json, "status", '{');
	json_members(&json, "phase:s hostIP:s podIP:s startTime:s", "Running",
	    "127.0.0.1", ip, now);
	json_open_member(&json, "podIPs", '[');
	json_open(&json, '{');
	json_pair(&json, "ip", ip);
	json_close(&json, '}');
	json_close(&json, ']');
	json_open_member(&json, "conditions", '[');
	put_condition(&json, "Initialized", now);
	put_condition(&json, "ContainersReady", now);
	put_condition(&json, "Ready", now);
	json_close(&json, ']');
	json_open_member(&json, "containerStatuses", '[');
	for (const struct doc_node *c = containers != NULL ? containers->first :
							     NULL;
	     c != NULL; c = c->next)
		put_container(&json, c, now);
	json_close(&json, ']');
	json_close(&json, '}');
	json_close(&json, '}');
	send_to("PATCH", path_of(pod, "/status"), &body);
}

static void
on_pod(void *arg, struct object *pod, const struct doc_node *root)
{
	const struct doc_node *metadata = doc_get(root, "metadata");
	struct text body = { 0 };
	const char *phase = "";

	doc_get_string(doc_get(root, "status"), "phase", "phase", &phase, NULL);
	if (doc_get(metadata, "deletionTimestamp") != NULL) {
		if (!first(pod, "deleted"))
			return;
		json_put(&body,
		    "{'apiVersion':'v1','kind':'DeleteOptions',"
		    "'gracePeriodSeconds':%d,'preconditions':{'uid':%s}}",
		    (int64_t)0, pod->uid);
		send_to("DELETE", path_of(pod, ""), &body);
	} else if (strcmp(phase, "Pending") == 0 && first(pod, "running")) {
		run(pod, root);
	}
}

/* ---- nodes ---- */

static void
beat(const char *node)
{
	static const char *const conditions[][2] = { { "Ready", "True" },
		{ "MemoryPressure", "False" }, { "DiskPressure", "False" },
		{ "PIDPressure", "False" } };
	struct text body = { 0 };
	struct json_out json = JSON_OUT_INIT(&body);
	char now[32];

	api_time(now, sizeof(now), time(NULL), -1);
	json_open(&json, '{');
	json_open_member(&json, "status", '{');
	json_open_member(&json, "conditions", '[');
	for (size_t i = 0; i < LENGTH(conditions); i++) {
		json_open(&json, '{');
		json_members(&json,
		    "type:s status:s reason:s lastHeartbeatTime:s",
		    conditions[i][0], conditions[i][1], "Kubelet", now);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	json_close(&json, '}');
	send_to("PATCH", path_of_object("v1", NULL, "nodes", node, "/status"),
	    &body);
}

/* Extended resources of the capacity, and no others, can be allocated. */
static void
allocate(const struct object *node, const struct doc_node *status)
{
	const struct doc_node *capacity = doc_get(status, "capacity");
	const struct doc_node *allocatable = doc_get(status, "allocatable");
	struct text body = { 0 };
	struct json_out json = JSON_OUT_INIT(&body);
	bool differs = false;

	json_open(&json, '{');
	json_open_member(&json, "status", '{');
	json_open_member(&json, "allocatable", '{');
	EACH_CHILD (c, capacity)
		if (strchr(c->key, '/') != NULL &&
		    doc_get(allocatable, c->key) == NULL) {
			json_pair(&json, c->key, doc_string(c));
			differs = true;
		}
	EACH_CHILD (a, allocatable)
		if (strchr(a->key, '/') != NULL &&
		    doc_get(capacity, a->key) == NULL) {
			json_pair(&json, a->key, NULL);
			differs = true;
		}
	json_close(&json, '}');
	json_close(&json, '}');
	json_close(&json, '}');
	if (differs)
		send_to("PATCH",
		    path_of_object("v1", NULL, "nodes", node->name, "/status"),
		    &body);
	text_fini(&body);
}

static void
on_node(void *arg, struct object *node, const struct doc_node *root)
{
	allocate(node, doc_get(root, "status"));
	if (strmap_get(&nodes, node->name) != NULL)
		return;
	strmap_put(&nodes, xstrdup(node->name), xstrdup(node->name));
	beat(node->name);
}

static void
on_node_gone(void *arg, struct object *node)
{
	strmap_del(&nodes, node->name); /* its name is not freed */
}

static void
on_beat(evutil_socket_t fd, short what, void *arg)
{
	EACH_VALUE (&nodes, char, node)
		beat(node);
}

/* ---- all ---- */

static void
on_removed(void *arg, struct object *object)
{
}

static void
on_synced(void *arg)
{
}

static void
on_problem(void *arg, const char *text)
{
	fprintf(stderr, "kubelet: %s\n", text);
}

int
main(void)
{
	static const char *const v1[] = { "v1", NULL };
	static const struct reflector_ops of_pods = { .put = on_pod,
		.removed = on_removed,
		.synced = on_synced,
		.problem = on_problem };
	static const struct reflector_ops of_nodes = { .put = on_node,
		.removed = on_node_gone,
		.synced = on_synced,
		.problem = on_problem };
	const struct timeval period = { .tv_sec = HEARTBEAT_SECONDS };
	struct event_base *base = event_base_new();
	struct api_config *config;
	struct event *timer;
	struct err err;

	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		fprintf(stderr, "kubelet: %s\n", err.text);
		return 3;
	}
	client = api_client_new(base, config, &(struct api_options){ 0 });
	reflector_new(client,
	    &(struct reflector_spec){ .resource = "nodes",
		.versions = v1,
		.raw = true },
	    &of_nodes, NULL);
	reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods",
		.versions = v1,
		.raw = true,
		.namespaced = true,
		.field_selector = "spec.nodeName!=" },
	    &of_pods, NULL);
	timer = event_new(base, -1, EV_PERSIST, on_beat, NULL);
	event_add(timer, &period);
	event_base_dispatch(base);
	return EXIT_FAILURE;
}
