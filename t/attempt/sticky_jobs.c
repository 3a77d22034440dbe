/*
 * The requests that write the last node of StickyJobs, against a scripted server
 * in the same process.
 */
#include "config.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "attempt/sticky_jobs.h"
#include "base/xmalloc.h"
#include "model/pod.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define JOB(name, node)                                                        \
	"---\n{apiVersion: example.com/v1, kind: StickyJob, metadata: "        \
	"{namespace: default, name: " name ", uid: u-" name                    \
	"}, spec: {}, status: {lastNode: " node "}}\n"
#define POD(job, uid)                                                          \
	W_OBJECT("Pod",                                                        \
	    "name: p, namespace: default, ownerReferences: "                   \
	    "[{kind: StickyJob, name: " job ", uid: " uid                      \
	    ", controller: true}]",                                            \
	    "spec: {}")
#define WRITES(job, node)                                                      \
	"/apis/example.com/v1/namespaces/default/stickyjobs/" job              \
	"/status application/merge-patch+json {\"metadata\":{\"uid\":\"u-" job \
	"\"},\"status\":{\"lastNode\":\"" node "\"}}\n"

static struct event_base *base;
static struct evhttp *server;
static struct api_client *client;
static int status;  /* of the answers */
static char *asked; /* the requests, a line each */

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(request);
	size_t len = evbuffer_get_length(in);
	char *before = asked;

	asked =
	    xasprintf("%s%s %s %.*s\n", before, evhttp_request_get_uri(request),
		evhttp_find_header(evhttp_request_get_input_headers(request),
		    "Content-Type"),
		(int)len, (const char *)evbuffer_pullup(in, -1));
	free(before);
	evhttp_send_reply(request, status, NULL, NULL);
}

/* Until all requests have certainly come. */
static void
run(void)
{
	struct timeval wait = { 0, 200000 };

	event_base_loopexit(base, &wait);
	event_base_dispatch(base);
}

struct binding {
	const char *pod, *node;
};

static void
bind_all(const char *name, const struct binding *bindings, size_t n, int answer,
    const char *wanted)
{
	struct world *w = world_new(JOB("j", "n1") JOB("k", "''"));
	struct sticky_jobs *sticky = sticky_jobs_new(client, w->cluster);

	status = answer;
	asked = xstrdup("");
	for (size_t i = 0; i < n; i++) {
		struct pod *pod = world_decode_pod(bindings[i].pod);

		sticky_jobs_bound(sticky, pod, sym_intern(bindings[i].node));
		pod_unref(pod);
	}
	run();
	t_str(name, asked, wanted);
	free(asked);
	sticky_jobs_free(sticky);
	world_free(w);
}

#define BOUND(name, answer, wanted, ...)                                       \
	do {                                                                   \
		static const struct binding all[] = { __VA_ARGS__ };           \
		bind_all(name, all, LENGTH(all), answer, wanted);              \
	} while (0)

static void
the_last_node_is_written(void)
{
	BOUND("another node", 200, WRITES("j", "n2"),
	    { POD("j", "u-j"), "n2" });
	BOUND("the first node", 200, WRITES("k", "n2"),
	    { POD("k", "u-k"), "n2" });
	BOUND("the same node", 200, "", { POD("j", "u-j"), "n1" });
	BOUND("of another job of this name", 200, "", { POD("j", "x"), "n2" });
	BOUND("of a job that is not known", 200, "", { POD("l", "x"), "n2" });
	BOUND("a pod of none", 200, "", { W_POD("p", "", "", ""), "n2" });
	BOUND("one after the other", 200, WRITES("j", "n2") WRITES("j", "n4"),
	    { POD("j", "u-j"), "n2" }, { POD("j", "u-j"), "n3" },
	    { POD("j", "u-j"), "n4" });
	BOUND("refused", 409, WRITES("j", "n2"), { POD("j", "u-j"), "n2" });
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
	static const struct t_test tests[] = { T(the_last_node_is_written) };
	int ret;

	start();
	ret = t_run(tests, LENGTH(tests));
	api_client_free(client);
	evhttp_free(server);
	event_base_free(base);
	return ret;
}
