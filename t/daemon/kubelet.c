/*
 * kubelet: the kubelets of all nodes, without containers.  Pods on nodes run at once, but
 * for those whose image has no registry, which is never found, and those whose host port
 * is taken, which fail.  They are ready, but for those whose probe is that a file is
 * there: these become ready when a condition of a pod of that name is set from outside
 * (script/e2e does it, for "kubectl exec").  They are gone as soon as they are to be deleted.  Nodes are
 * ready, and say so every ten seconds, and can allocate the extended resources that they
 * have.  Everything else of a node stays what it is.
 */
#include "config.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/paths.h"
#include "wire/api/watch.h"
#include "wire/api/writes.h"
#include "base/clock.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/map.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "objects/object.h"

#define HEARTBEAT_SECONDS 10

static struct api_client *client;
static struct strmap nodes; /* "", by name */
static struct strmap done;  /* "uid/what": requests that were sent */
static struct strmap
    ports; /* key of the pod in done, by "node/protocol/port" */
static struct strmap files; /* "", by "namespace/name" of pods that have one */

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

/* "": none. */
static const char *
string_in(const struct doc_node *object, const char *key)
{
	return doc_string(doc_get(object, key));
}

static const struct doc_node *
containers_of(const struct doc_node *root)
{
	return doc_get(doc_get(root, "spec"), "containers");
}

static bool
has_images(const struct doc_node *root)
{
	EACH_CHILD (c, containers_of(root))
		if (strchr(string_in(c, "image"), '/') == NULL)
			return false;
	return true;
}

/* Takes them all, or as many as are free. */
static bool
take_ports(const struct object *pod, const struct doc_node *root)
{
	const char *node = string_in(doc_get(root, "spec"), "nodeName");

	EACH_CHILD (c, containers_of(root))
		EACH_CHILD (port, doc_get(c, "ports")) {
			int64_t number = 0;
			char *key;
			const char *holder;

			doc_get_int(port, "hostPort", "hostPort", 0, 65535,
			    &number, NULL);
			if (number == 0)
				continue;
			key = xasprintf("%s/%s/%s/%" PRId64, node,
			    string_in(port, "protocol"),
			    string_in(port, "hostIP"), number);
			holder = strmap_get(&ports, key);
			if (holder != NULL && strmap_get(&done, holder) != NULL)
				return false;
			strmap_put(&ports, key,
			    xasprintf("%s/started", pod->uid));
		}
	return true;
}

/* Of the first container: "test -f FILE". */
static bool
asks_for_file(const struct doc_node *root)
{
	const struct doc_node *probe =
	    doc_get(doc_first(containers_of(root)), "readinessProbe");
	const struct doc_node *command =
	    doc_get(doc_get(probe, "exec"), "command");

	return strcmp(doc_string(doc_first(command)), "test") == 0;
}

static void
remember_file(const struct object *pod, const struct doc_node *root)
{
	if (!asks_for_file(root))
		return;
	EACH_CHILD (c, doc_get(doc_get(root, "status"), "conditions"))
		if (strcmp(string_in(c, "type"), "Ready") == 0 &&
		    strcmp(string_in(c, "status"), "True") == 0)
			strmap_put(&files,
			    xasprintf("%s/%s", sym_text(pod->namespace),
				pod->name),
			    &files);
}

static bool
is_ready(const struct object *pod, const struct doc_node *root)
{
	AUTOFREE char *key =
	    xasprintf("%s/%s", sym_text(pod->namespace), pod->name);

	return !asks_for_file(root) || strmap_get(&files, key) != NULL;
}

static void
put_condition(struct json_out *json, const char *type, bool is, const char *now)
{
	json_open(json, '{');
	json_members(json, "type:s status:s lastTransitionTime:s", type,
	    is ? "True" : "False", now);
	json_close(json, '}');
}

static void
put_container(struct json_out *json, const struct doc_node *container,
    bool ready, const char *now)
{
	const char *image = string_in(container, "image");

	json_open(json, '{');
	json_members(json, "name:s image:s imageID:s ready:b started:b",
	    string_in(container, "name"), image, image, ready, true);
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
	bool ready = is_ready(pod, root);
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
	put_condition(&json, "Initialized", true, now);
	put_condition(&json, "ContainersReady", ready, now);
	put_condition(&json, "Ready", ready, now);
	json_close(&json, ']');
	json_open_member(&json, "containerStatuses", '[');
	EACH_CHILD (c, containers_of(root))
		put_container(&json, c, ready, now);
	json_close(&json, ']');
	json_close(&json, '}');
	json_close(&json, '}');
	send_to("PATCH", path_of(pod, "/status"), &body);
}

/* It is not ready, either. */
static void
end(const struct object *pod, const char *phase, const char *reason)
{
	struct text body = { 0 };

	json_put(&body,
	    "{'status':{'phase':%s,'reason':%s,'conditions':["
	    "{'type':'Ready','status':'False'},"
	    "{'type':'ContainersReady','status':'False'}]}}",
	    phase, reason);
	send_to("PATCH", path_of(pod, "/status"), &body);
}

static void
on_pod(void *arg, struct object *pod, const struct doc_node *root)
{
	const struct doc_node *metadata = doc_get(root, "metadata");
	const char *phase = string_in(doc_get(root, "status"), "phase");
	struct text body = { 0 };

	remember_file(pod, root);
	if (doc_get(metadata, "deletionTimestamp") != NULL) {
		if (!first(pod, "deleted"))
			return;
		if (doc_get(metadata, "finalizers") != NULL)
			end(pod, "Succeeded", "Completed");
		json_put(&body,
		    "{'apiVersion':'v1','kind':'DeleteOptions',"
		    "'gracePeriodSeconds':%d,'preconditions':{'uid':%s}}",
		    (int64_t)0, pod->uid);
		send_to("DELETE", path_of(pod, ""), &body);
	} else if (strcmp(phase, "Pending") == 0 && has_images(root) &&
	    first(pod, "seen")) {
		if (take_ports(pod, root)) {
			first(pod, "started");
			run(pod, root);
		} else {
			end(pod, "Failed", "NodePorts");
		}
	}
}

static void
on_pod_gone(void *arg, struct object *pod)
{
	AUTOFREE char *key = xasprintf("%s/started", pod->uid);

	strmap_del(&done, key); /* its name is not freed */
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
		.removed = on_pod_gone,
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
