/* The life of the record of a pod in flight, and its end in each way. */
#include "config.h"

#include <event2/event.h>
#include <string.h>

#include "wire/api/client.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/sched/preempt.h"
#include "objects/pod.h"
#include "t/lib/patch_server.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define POD(name, uid, node)                                                   \
	W_OBJECT("Pod", "namespace: default, name: " name ", uid: " uid,       \
	    "spec: {nodeName: " node "}")

struct stage {
	struct flights flights;
	struct world *world;
	struct pod *pod;
	int nbound, nfailed;
};

static void
on_bound(void *arg, const struct placement *placement)
{
	((struct stage *)arg)->nbound++;
}

static void
on_failed(void *arg, const struct placement *placement,
    const struct bind_failure *failure)
{
	((struct stage *)arg)->nfailed++;
}

static bool
leads(void *arg)
{
	return true;
}

static void
on_sent(void *arg, const struct pod *pod, int change)
{
}

static void
on_pod(void *arg, const struct pod *pod)
{
}

static const struct flight_ops ops = {
	.may_write = leads,
	.freed = on_pod,
	.gate_changed = on_pod,
	.sent = on_sent,
	.bound = on_bound,
	.failed = on_failed,
};

/* Of a pod that waits; server: NULL for none. */
static void
begin(struct stage *s, struct patch_server *server)
{
	*s = (struct stage){
		.world = world_new(W_NODE("n1", "", "") W_NODE("n2", "", "")),
		.pod = world_decode_pod(POD("p", "u1", "''")),
	};
	s->flights = (struct flights){ .cluster = s->world->cluster,
		.client = server != NULL ? patch_server_client(server) : NULL,
		.ops = &ops,
		.arg = s };
	flight_seen(&s->flights, s->pod, NULL);
}

static void
end(struct stage *s)
{
	flights_fini(&s->flights);
	pod_unref(s->pod);
	world_free(s->world);
}

static bool
is_on(const struct stage *s, const char *node)
{
	return cluster_node(s->world->cluster, sym_find(node))->npods > 0;
}

static void
a_record_belongs_to_a_uid(void)
{
	struct pod *next = world_decode_pod(POD("p", "u2", "''"));
	struct stage s;

	begin(&s, NULL);
	flight_seen(&s.flights, s.pod, NULL);
	t_int("one", (long)s.flights.all.n, 1);
	flight_seen(&s.flights, next, NULL);
	t_int("another pod of its name", (long)s.flights.all.n, 2);
	t_true("frees nothing", !flight_ended(&s.flights, s.pod, true));
	t_true("one is gone", flight_find(&s.flights, "u1") == NULL);
	t_true("the other is not", flight_find(&s.flights, "u2") != NULL);
	t_true("once more", !flight_ended(&s.flights, s.pod, true));
	end(&s);
	pod_unref(next);
}

static void
an_assumed_pod_has_every_end(void)
{
	static const struct {
		const char *name, *watch;
		bool gone, frees;
		int nbound;
	} rows[] = {
		{ "on its node", POD("p", "u1", "n1"), false, false, 1 },
		{ "on another", POD("p", "u1", "n2"), false, false, 0 },
		{ "gone", POD("p", "u1", "''"), true, true, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *watch = world_decode_pod(rows[i].watch);
		struct err err = { "" };
		struct stage s;

		begin(&s, NULL);
		t_int(rows[i].name,
		    binding_assume(&s.flights,
			&(struct placement){ .pod = s.pod,
			    .node = sym_find("n1") },
			&err),
		    0);
		t_true(rows[i].name, flight_is_bound(&s.flights, s.pod));
		t_true("it counts there", is_on(&s, "n1"));
		t_int("it is being bound", (long)flights_binding(&s.flights),
		    1);
		if (!rows[i].gone)
			cluster_put(s.world->cluster, &watch->object);
		t_int(rows[i].name,
		    flight_ended(&s.flights, watch, rows[i].gone),
		    rows[i].frees);
		t_int(rows[i].name, s.nbound, rows[i].nbound);
		t_int(rows[i].name, s.nfailed, 0);
		t_int("none is assumed", (long)s.flights.nassumed, 0);
		t_int("none is being bound", (long)flights_binding(&s.flights),
		    0);
		t_int("no record is left", (long)s.flights.all.n, 0);
		t_int("its share of the node", is_on(&s, "n1"),
		    rows[i].nbound == 1);
		end(&s);
		pod_unref(watch);
	}
}

/* Until all requests have been answered and no record is left. */
static void
run(struct patch_server *server, const struct stage *s)
{
	while (s->flights.all.n > 0)
		event_base_loop(patch_server_base(server), EVLOOP_ONCE);
}

#define WROTE                                                                  \
	"PATCH /api/v1/namespaces/default/pods/p/status "                      \
	"application/strategic-merge-patch+json "

static void
a_write_under_way_outlives_the_pod(void)
{
	struct patch_server *server = patch_server_new();
	struct stage s;

	begin(&s, server);
	patch_server_expect(server, 200);
	report_status(&s.flights, s.pod, "Unschedulable", "no", SYM_NONE, NULL);
	report_status(&s.flights, s.pod, "Unschedulable", "no", SYM_NONE, NULL);
	flight_ended(&s.flights, s.pod, true);
	t_true("until it is answered", flight_find(&s.flights, "u1") != NULL);
	run(server, &s);
	t_true("one of both was written",
	    strncmp(patch_server_requests(server), WROTE, strlen(WROTE)) == 0 &&
		strstr(patch_server_requests(server) + 1, "PATCH") == NULL);
	end(&s);
	patch_server_free(server);
}

static void
a_condition_on_its_way_is_overtaken(void)
{
	struct patch_server *server = patch_server_new();
	struct err err = { "" };
	struct stage s;

	begin(&s, server);
	patch_server_expect(server, 200);
	report_status(&s.flights, s.pod, "Unschedulable", "no", SYM_NONE, NULL);
	binding_assume(&s.flights,
	    &(struct placement){ .pod = s.pod, .node = sym_find("n1") }, &err);
	t_true("it is not written",
	    LIST_EMPTY(&flight_find(&s.flights, "u1")->writes));
	flight_ended(&s.flights, s.pod, true);
	t_int("no record is left", (long)s.flights.all.n, 0);
	end(&s);
	patch_server_free(server);
}

/* The first may wait for its turn for longer than the second, with a nomination. */
static void
the_last_condition_counts(void)
{
	struct patch_server *server = patch_server_new();
	struct stage s;
	const char *first;

	begin(&s, server);
	patch_server_expect(server, 200);
	report_status(&s.flights, s.pod, "Unschedulable", "no", SYM_NONE, NULL);
	report_status(&s.flights, s.pod, "Unschedulable", "soon",
	    sym_intern("n1"), NULL);
	flight_ended(&s.flights, s.pod, true);
	run(server, &s);
	first = strstr(patch_server_requests(server), "PATCH");
	t_true("one is written, whole",
	    first != NULL && strstr(first + 1, "PATCH") == NULL &&
		strstr(first, "soon") != NULL &&
		strstr(first, "lastTransitionTime") != NULL);
	end(&s);
	patch_server_free(server);
}

/* The server could see two that are under way in the other order. */
static void
a_condition_waits_for_the_one_that_is_sent(void)
{
	struct patch_server *server = patch_server_new();
	struct stage s;
	const char *first, *second;

	begin(&s, server);
	patch_server_expect(server, 200);
	report_status(&s.flights, s.pod, "Unschedulable", "no", SYM_NONE, NULL);
	while (api_running(s.flights.client, API_REST) == 0)
		event_base_loop(patch_server_base(server), EVLOOP_ONCE);
	report_status(&s.flights, s.pod, "Unschedulable", "soon", SYM_NONE,
	    NULL);
	report_status(&s.flights, s.pod, "Unschedulable", "later", SYM_NONE,
	    NULL);
	while (!LIST_EMPTY(&flight_find(&s.flights, "u1")->writes))
		event_base_loop(patch_server_base(server), EVLOOP_ONCE);
	first = strstr(patch_server_requests(server), "PATCH");
	second = first != NULL ? strstr(first + 1, "PATCH") : NULL;
	t_true("two are written, the last of them last",
	    second != NULL && strstr(first, "\"no\"") < second &&
		strstr(second, "\"later\"") != NULL &&
		strstr(first, "soon") == NULL);
	end(&s);
	patch_server_free(server);
}

/* NULL: it gives that up. */
static void
is_decided(struct stage *s, const char *node)
{
	preemptor_apply(&s->flights, s->pod,
	    &(struct preemption){ .node = node != NULL ?
		    cluster_node(s->world->cluster, sym_find(node)) :
		    NULL,
		.nclears = node == NULL,
		.clears = (const struct pod *[]){ s->pod } },
	    "no");
}

static void
is_answered(const struct stage *s, struct patch_server *server,
    const char *version)
{
	AUTOFREE char *object =
	    xasprintf("{\"metadata\":{\"resourceVersion\":\"%s\"}}", version);

	patch_server_answer(server, object);
	while (!LIST_EMPTY(&flight_find(&s->flights, "u1")->writes))
		event_base_loop(patch_server_base(server), EVLOOP_ONCE);
}

/* Whether a nomination takes room after this event of the watch. */
static bool
is_nominated(struct stage *s, const char *version, const char *node)
{
	AUTOFREE char *text = xasprintf(
	    "--- {kind: Pod, metadata: {namespace: default, name: p, uid: u1, "
	    "resourceVersion: '%s'}, status: {nominatedNodeName: '%s'}}",
	    version, node);
	struct pod *pod = world_decode_pod(text);

	cluster_put(s->world->cluster, &pod->object);
	flight_seen(&s->flights, pod, NULL);
	pod_unref(pod);
	return cluster_nominated_pod(s->world->cluster, "u1") != NULL;
}

/* The watch is behind: it shows the first when the second is decided, on its way, or
 * written. */
static void
a_nomination_that_is_made_again_keeps_its_room(void)
{
	struct patch_server *server = patch_server_new();

	for (int when = 0; when < 3; when++) {
		const char *wrote;
		struct stage s;

		begin(&s, server);
		patch_server_expect(server, 200);
		is_decided(&s, "n1");
		is_answered(&s, server, "11");
		is_decided(&s, NULL);
		is_answered(&s, server, "12");
		if (when == 0)
			t_true("its end", !is_nominated(&s, "11", "n1"));
		is_decided(&s, "n1");
		if (when == 1)
			t_true("on its way", is_nominated(&s, "11", "n1"));
		is_answered(&s, server, "13");
		if (when == 2)
			t_true("written", is_nominated(&s, "11", "n1"));
		wrote = strstr(patch_server_requests(server), "\"n1\"");
		t_true("it is written twice",
		    wrote != NULL && strstr(wrote + 1, "\"n1\"") != NULL);
		t_true("it outlasts the end of the first",
		    is_nominated(&s, "12", ""));
		t_true("the watch has it", is_nominated(&s, "13", "n1"));
		t_true("others end it", !is_nominated(&s, "14", ""));
		end(&s);
	}
	patch_server_free(server);
}

static void
a_nomination_waits_for_the_end_of_the_one_before(void)
{
	struct patch_server *server = patch_server_new();
	struct stage s;
	const char *end_of, *next;

	begin(&s, server);
	is_decided(&s, "n1");
	is_answered(&s, server, "11");
	patch_server_expect(server, 200);
	is_decided(&s, NULL);
	is_decided(&s, "n1");
	t_int("one is on its way",
	    (long)(api_queued(s.flights.client, API_REST) +
		api_running(s.flights.client, API_REST)),
	    1);
	is_answered(&s, server, "12");
	end_of = strstr(patch_server_requests(server), "null");
	next = end_of != NULL ? strstr(end_of, "\"n1\"") : NULL;
	t_true("both are written, in order", next != NULL);
	t_true("then it may be tried again", !flight_evicts(&s.flights, s.pod));
	end(&s);
	patch_server_free(server);
}

T_MAIN(T(a_record_belongs_to_a_uid), T(an_assumed_pod_has_every_end),
    T(a_write_under_way_outlives_the_pod),
    T(a_condition_on_its_way_is_overtaken), T(the_last_condition_counts),
    T(a_condition_waits_for_the_one_that_is_sent),
    T(a_nomination_that_is_made_again_keeps_its_room),
    T(a_nomination_waits_for_the_end_of_the_one_before))
