/*
 * The requests that write the last node of StickyJobs, against a scripted server
 * in the same process.
 */
#include "config.h"

#include <event2/event.h>
#include <string.h>

#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/sticky_jobs.h"
#include "base/xmalloc.h"
#include "objects/pod.h"
#include "t/lib/patch_server.h"
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
	"PATCH /apis/example.com/v1/namespaces/default/stickyjobs/" job        \
	"/status application/merge-patch+json {\"metadata\":{\"uid\":\"u-" job \
	"\"},\"status\":{\"lastNode\":\"" node "\"}}\n"

/* Until all requests have certainly come. */
static void
run(struct event_base *base)
{
	struct timeval wait = { 0, 200000 };

	event_base_loopexit(base, &wait);
	event_base_dispatch(base);
}

struct bound {
	const char *pod, *node;
};

static void
bind_all(struct patch_server *server, const char *name,
    const struct bound *bindings, size_t n, int answer, const char *wanted)
{
	struct world *w = world_new(JOB("j", "n1") JOB("k", "''"));
	struct flights flights = { .client = patch_server_client(server),
		.cluster = w->cluster };

	patch_server_expect(server, answer);
	for (size_t i = 0; i < n; i++) {
		struct pod *pod = world_decode_pod(bindings[i].pod);

		sticky_jobs_bound(&flights, pod, sym_intern(bindings[i].node));
		pod_unref(pod);
	}
	run(patch_server_base(server));
	t_str(name, patch_server_requests(server), wanted);
	flights_fini(&flights);
	world_free(w);
}

#define BOUND(name, answer, wanted, ...)                                       \
	do {                                                                   \
		static const struct bound all[] = { __VA_ARGS__ };             \
		bind_all(server, name, all, LENGTH(all), answer, wanted);      \
	} while (0)

static void
the_last_node_is_written(void)
{
	struct patch_server *server = patch_server_new();

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
	patch_server_free(server);
}

T_MAIN(T(the_last_node_is_written))
