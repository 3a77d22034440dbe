/*
 * The requests that reserve device claims for a pod, against a scripted server in
 * the same process.
 */
#include "config.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "attempt/volumes.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/pod.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define PATCH_TYPE "application/strategic-merge-patch+json"

static struct event_base *base;
static struct evhttp *server;
static struct api_client *client;
static int status;    /* of the answers */
static char *asked;   /* the requests, a line each */
static char *came_to; /* "ready", or reason and why */

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(request);
	struct evbuffer *out = evbuffer_new();
	size_t len = evbuffer_get_length(in);
	const char *type =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Content-Type");
	char *before = asked;

	asked = xasprintf("%s%s %s %s %.*s\n", before,
	    evhttp_request_get_command(request) == EVHTTP_REQ_PATCH ? "PATCH" :
								      "?",
	    evhttp_request_get_uri(request), type != NULL ? type : "", (int)len,
	    (const char *)evbuffer_pullup(in, -1));
	free(before);
	evbuffer_add_printf(out,
	    status == 200 ? "{\"metadata\":{\"resourceVersion\":\"7\"}}" :
			    "{\"kind\":\"Status\",\"message\":\"no\"}");
	evhttp_send_reply(request, status, NULL, out);
	evbuffer_free(out);
}

static void
on_ready(void *arg, const struct pod *pod, int64_t begun_ms)
{
	came_to = xstrdup("ready");
	event_base_loopbreak(base);
}

static void
on_failed(void *arg, const struct pod *pod, int64_t begun_ms,
    const char *reason, const char *why)
{
	came_to = xasprintf("%s: %s", reason, why != NULL ? why : "nobody");
	event_base_loopbreak(base);
}

static const struct volumes_ops ops = { .ready = on_ready,
	.failed = on_failed };

#define CLAIM(name, status)                                                    \
	W_OBJECT("ResourceClaim", "name: " name ", uid: uid-" name,            \
	    "status: {" status "}")
#define WANTS(claims)                                                          \
	W_OBJECT("Pod", "name: p, uid: u1",                                    \
	    "spec: {resourceClaims: [" claims "]}")
#define A "{name: a, resourceClaimName: a},"
#define B "{name: b, resourceClaimName: b},"

static const struct row {
	const char *what, *objects, *pod;
	const char *version; /* NULL: not known */
	int status;
	bool strict, needed;
	const char *asked, *came_to;
} rows[] = {
	{ "one claim", CLAIM("a", "allocation: {}"), WANTS(A), NULL, 200, false,
	    true,
	    "PATCH /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/"
	    "a/status " PATCH_TYPE
	    " {\"metadata\":{\"uid\":\"uid-a\"},\"status\":{\"reservedFor\":[{"
	    "\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u1\"}]}}\n",
	    "ready" },
	{ "in an older version", CLAIM("a", "allocation: {}"), WANTS(A),
	    "resource.k8s.io/v1beta1", 200, false, true,
	    "PATCH /apis/resource.k8s.io/v1beta1/namespaces/default/"
	    "resourceclaims/a/status " PATCH_TYPE
	    " {\"metadata\":{\"uid\":\"uid-a\"},\"status\":{\"reservedFor\":[{"
	    "\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u1\"}]}}\n",
	    "ready" },
	{ "two, one of which is the pod's already",
	    CLAIM("a", "allocation: {}, reservedFor: [{uid: u1}]")
		CLAIM("b", "allocation: {}, reservedFor: [{uid: u2}]"),
	    WANTS(A B), NULL, 200, false, true,
	    "PATCH /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/"
	    "b/status " PATCH_TYPE
	    " {\"metadata\":{\"uid\":\"uid-b\"},\"status\":{\"reservedFor\":[{"
	    "\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u1\"}]}}\n",
	    "ready" },
	{ "it is refused", CLAIM("a", "allocation: {}"), WANTS(A), NULL, 422,
	    false, true,
	    "PATCH /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/"
	    "a/status " PATCH_TYPE
	    " {\"metadata\":{\"uid\":\"uid-a\"},\"status\":{\"reservedFor\":[{"
	    "\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u1\"}]}}\n",
	    "SchedulerError: add reservation to claim default/a: HTTP 422: no" },
	{ "it is the pod's already",
	    CLAIM("a", "allocation: {}, reservedFor: [{uid: u1}]"), WANTS(A),
	    NULL, 200, false, false, "", "ready" },
	{ "not allocated", CLAIM("a", ""), WANTS(A), NULL, 200, false, false,
	    "", "ready" },
	{ "no claims", CLAIM("a", "allocation: {}"), WANTS(""), NULL, 200,
	    false, false, "", "ready" },
	{ "--strict-policy", CLAIM("a", "allocation: {}"), WANTS(A), NULL, 200,
	    true, false, "", "ready" },
};

static void
claims_are_reserved_before_the_binding(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct row *row = &rows[i];
		struct world *world = world_new(row->objects);
		struct volumes *volumes =
		    volumes_new(client, world->cluster, 1000, &ops, NULL);

		world->cluster->strict = row->strict;
		world_pod(world, row->pod);
		status = row->status;
		asked = xstrdup("");
		came_to = NULL;
		if (row->version != NULL)
			volumes_set_claims_version(volumes, row->version);
		t_int(row->what, volumes_reserve(volumes, world->pod),
		    row->needed);
		volumes_bind(volumes, world->pod, sym_intern("n1"), NULL, -1);
		if (came_to == NULL)
			event_base_dispatch(base);
		t_str(row->what, asked, row->asked);
		t_str(row->what, came_to, row->came_to);
		free(asked);
		free(came_to);
		volumes_free(volumes);
		world_free(world);
	}
}

static void
start(void)
{
	struct api_config *config = xcalloc(1, sizeof(*config));
	const struct api_options options = { 0 };
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	base = event_base_new();
	server = evhttp_new(base);
	evhttp_set_allowed_methods(server, EVHTTP_REQ_PATCH);
	evhttp_set_gencb(server, on_request, NULL);
	bound = evhttp_bind_socket_with_handle(server, "127.0.0.1", 0);
	getsockname(evhttp_bound_socket_get_fd(bound),
	    (struct sockaddr *)&address, &len);
	config->server =
	    xasprintf("http://127.0.0.1:%d", ntohs(address.sin_port));
	client = api_client_new(base, config, &options);
}

int
main(void)
{
	static const struct t_test tests[] = { T(
	    claims_are_reserved_before_the_binding) };
	int ret;

	start();
	ret = t_run(tests, LENGTH(tests));
	api_client_free(client);
	evhttp_free(server);
	event_base_free(base);
	return ret;
}
