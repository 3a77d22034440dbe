/*
 * The requests that reserve device claims for a pod, against a scripted server in
 * the same process.
 */
#include "config.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/volumes.h"
#include "wire/api/events.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/framework/cycle_devices.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "t/lib/patch_server.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define PATCH_TYPE "application/strategic-merge-patch+json"

struct end {
	struct event_base *base;
	char *text; /* "ready", or reason and why; NULL: not yet */
};

static void
on_bound(void *arg, const struct placement *placement, int64_t begun_ms)
{
	struct end *end = arg;

	end->text = xstrdup("ready");
	event_base_loopbreak(end->base);
}

static void
on_failed(void *arg, const struct placement *placement,
    const struct bind_failure *failure)
{
	struct end *end = arg;

	end->text = xasprintf("%s: %s", failure->reason,
	    failure->why != NULL ? failure->why : "unknown");
	event_base_loopbreak(end->base);
}

static void
on_room(void *arg)
{
}

static const struct flight_ops ops = { .volumes_bound = on_bound,
	.failed = on_failed,
	.room = on_room };

/* Whether the metrics have this line. */
static bool
is_counted(const struct metrics *metrics, const char *line)
{
	struct text text = { 0 };
	bool found;

	metrics_write(metrics, false, &text);
	found = strstr(text.bytes, line) != NULL;
	text_fini(&text);
	return found;
}

#define CLAIM(name, status)                                                    \
	W_OBJECT("ResourceClaim", "name: " name ", uid: uid-" name,            \
	    "status: {" status "}")
#define WANTS(claims)                                                          \
	W_OBJECT("Pod", "name: p, uid: u1",                                    \
	    "spec: {resourceClaims: [" claims "]}")
#define HAS_X                                                                  \
	CLAIM("a",                                                             \
	    "allocation: {devices: {results: [{request: q, driver: d, pool: "  \
	    "s, device: x}]}}, reservedFor: [{uid: u2}]")
#define ANSWER(device)                                                         \
	"{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\","             \
	"\"uid\":\"uid-a\"},\"status\":{\"allocation\":{\"devices\":{"         \
	"\"results\":[{\"request\":\"q\",\"driver\":\"d\",\"pool\":\"s\","     \
	"\"device\":\"" device "\"}]}}}}"
#define RESERVE                                                                \
	"PATCH /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/"    \
	"a/status " PATCH_TYPE                                                 \
	" {\"metadata\":{\"uid\":\"uid-a\"},\"status\":{\"reservedFor\":[{"    \
	"\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u1\"}]}}\n"
#define A "{name: a, resourceClaimName: a},"
#define B "{name: b, resourceClaimName: b},"

static const struct row {
	const char *name, *objects, *pod;
	const char *version; /* NULL: not known */
	int status;
	bool strict, needed;
	const char *requests, *end;
} rows[] = {
	{ "one claim", CLAIM("a", "allocation: {}"), WANTS(A), NULL, 200, false,
	    true, RESERVE, "ready" },
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
	    false, true, RESERVE,
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

/* What the server answers has devices. */
static const struct {
	struct row row;
	const char *answer;
} answered[] = {
	{ { "it has the same devices", HAS_X, WANTS(A), NULL, 200, false, true,
	      RESERVE, "ready" },
	    ANSWER("x") },
	{ { "it has others by now", HAS_X, WANTS(A), NULL, 200, false, true,
	      RESERVE,
	      "SchedulerError: claim default/a got allocated elsewhere in the "
	      "meantime" },
	    ANSWER("y") },
};

/* answer: NULL: a claim without devices. */
static void
reserve(struct patch_server *server, const struct row *row, const char *answer)
{
	struct world *world = world_new(row->objects);
	struct end end = { .base = patch_server_base(server) };
	struct flights flights = { .client = patch_server_client(server),
		.cluster = world->cluster,
		.ops = &ops,
		.arg = &end };
	struct err err = { "" };

	world->profile->strict = row->strict;
	world->profile->bind_timeout_seconds = -1;
	world_pod(world, row->pod);
	patch_server_expect(server, row->status);
	if (answer != NULL)
		patch_server_answer(server, answer);
	if (row->version != NULL)
		volumes_set_claims_version(&flights, row->version);
	t_int(row->name, volumes_reserve(&flights, world->pod, world->profile),
	    row->needed);
	t_int(row->name,
	    binding_assume(&flights,
		&(struct placement){ .pod = world->pod,
		    .node = sym_intern("n1") },
		&err),
	    0);
	volumes_bind(&flights, world->pod, NULL, 0, NULL, world->profile, 1000);
	if (end.text == NULL)
		event_base_dispatch(end.base);
	t_str(row->name, patch_server_requests(server), row->requests);
	t_str(row->name, end.text, row->end);
	free(end.text);
	flights_fini(&flights);
	world_free(world);
}

static void
claims_are_reserved_before_the_binding(void)
{
	struct patch_server *server = patch_server_new();

	for (size_t i = 0; i < LENGTH(rows); i++)
		reserve(server, &rows[i], NULL);
	for (size_t i = 0; i < LENGTH(answered); i++)
		reserve(server, &answered[i].row, answered[i].answer);
	patch_server_free(server);
}

/* ---- claims that get devices ---- */

#define CLASS                                                                  \
	W_OBJECT("DeviceClass", "name: k",                                     \
	    "spec: {config: [{opaque: {driver: d, parameters: {x: 1}}}], "     \
	    "extendedResourceName: example.com/x}")
#define SLICE                                                                  \
	W_OBJECT("ResourceSlice", "name: s",                                   \
	    "spec: {driver: d, nodeName: n1, pool: {name: s, generation: 1, "  \
	    "resourceSliceCount: 1}, devices: [{name: x}]}")
#define ASKS                                                                   \
	W_OBJECT("ResourceClaim", "name: a, uid: uid-a, resourceVersion: '3'", \
	    "spec: {devices: {requests: [{name: q, exactly: "                  \
	    "{deviceClassName: k, allocationMode: ExactCount, count: 1}}]}}")
#define EXTENDED                                                               \
	W_OBJECT("Pod", "name: p, uid: u1",                                    \
	    "spec: {containers: [{name: c, resources: {requests: "             \
	    "{example.com/x: 1}}}]}")

#define PATH "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
#define PROTECT                                                                \
	"PATCH " PATH "/a " PATCH_TYPE " {\"metadata\":{\"uid\":\"uid-a\","    \
	"\"finalizers\":[\"resource.kubernetes.io/delete-protection\"]}}\n"
#define ALLOCATE(request)                                                      \
	"PATCH " PATH "/a/status " PATCH_TYPE                                  \
	" {\"metadata\":{\"uid\":\"uid-a\",\"resourceVersion\":\"7\"},"        \
	"\"status\":{\"allocation\":{\"devices\":{\"results\":[{\"request\":"  \
	"\"" request "\",\"driver\":\"d\",\"pool\":\"s\",\"device\":\"x\"}],"  \
	"\"config\":[{\"source\":\"FromClass\",\"requests\":[\"" request       \
	"\"],\"opaque\":{\"driver\":\"d\",\"parameters\":{\"x\":1}}}]},"       \
	"\"nodeSelector\":{\"nodeSelectorTerms\":[{\"matchFields\":[{\"key\":" \
	"\"metadata.name\",\"operator\":\"In\",\"values\":[\"n1\"]}]}]}},"     \
	"\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p\",\"uid\":"      \
	"\"u1\"}]}}\n"
#define ASKED "container-0-request-0"

static const struct {
	const char *name, *objects, *pod;
	int nth, status; /* of one request */
	bool held;       /* the devices, after the end */
	const char *requests, *end;
} gifts[] = {
	{ "a claim", ASKS, WANTS(A), 0, 0, true, PROTECT ALLOCATE("q"),
	    "ready" },
	{ "another version is there", ASKS, WANTS(A), 2, 409, true,
	    PROTECT ALLOCATE("q") PROTECT ALLOCATE("q"), "ready" },
	{ "the write may have arrived", ASKS, WANTS(A), 2, 500, true,
	    PROTECT ALLOCATE("q") PROTECT ALLOCATE("q"), "ready" },
	{ "the finalizer is refused", ASKS, WANTS(A), 1, 422, false, PROTECT,
	    "SchedulerError: add finalizer to claim default/a: HTTP 422: no" },
	{ "the devices are refused", ASKS, WANTS(A), 2, 422, false,
	    PROTECT ALLOCATE("q"),
	    "SchedulerError: add allocation and reservation to claim "
	    "default/a: HTTP 422: no" },
	{ "an extended resource", "", EXTENDED, 0, 0, true,
	    "POST " PATH " application/json {\"metadata\":{\"namespace\":"
	    "\"default\",\"finalizers\":[\"resource.kubernetes.io/"
	    "delete-protection\"],\"annotations\":{\"resource.kubernetes.io/"
	    "extended-resource-claim\":\"true\"},\"ownerReferences\":[{"
	    "\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":"
	    "\"u1\",\"controller\":true}],\"generateName\":"
	    "\"p-extended-resources-\"},\"spec\":{\"devices\":{\"requests\":[{"
	    "\"name\":\"" ASKED "\",\"exactly\":{\"deviceClassName\":\"k\","
	    "\"allocationMode\":\"ExactCount\",\"count\":1}}]}}}\n" ALLOCATE(
		ASKED) "PATCH /api/v1/namespaces/default/pods/p/status " PATCH_TYPE
		       " {\"metadata\":{\"uid\":\"u1\"},\"status\":{"
		       "\"extendedResourceClaimStatus\":{\"resourceClaimName\":\"a\","
		       "\"requestMappings\":[{\"containerName\":\"c\",\"resourceName\":"
		       "\"example.com/x\",\"requestName\":\"" ASKED "\"}]}}}\n",
	    "ready" },
	{ "its claim is not created", "", EXTENDED, 1, 403, false, NULL,
	    "SchedulerError: create claim for extended resources default/: "
	    "HTTP 403: no" },
};

#define CREATES "scheduler_resourceclaim_creates_total{status="

static void
give(struct patch_server *server, size_t i)
{
	AUTOFREE char *objects = xasprintf("%s%s%s%s", W_NODE("n1", "", ""),
	    CLASS, SLICE, gifts[i].objects);
	struct world *world = world_new(objects);
	struct end end = { .base = patch_server_base(server) };
	struct flights flights = { .client = patch_server_client(server),
		.cluster = world->cluster,
		.metrics = metrics_new(),
		.ops = &ops,
		.arg = &end };
	struct resource_claim *claims[3];
	struct err err = { "" };
	size_t n;

	world->cluster->kubernetes_minor = 36;
	world->profile->gates.dra_binding_conditions = false;
	world->profile->bind_timeout_seconds = -1;
	world_pod(world, gifts[i].pod);
	patch_server_expect(server, 200);
	patch_server_expect_once(server, gifts[i].nth, gifts[i].status);
	t_true(gifts[i].name,
	    devices_allocate(world->cluster, world->profile, world->pod,
		sym_intern("n1"), claims, &n));
	t_int(gifts[i].name, (int)n, 1);
	binding_assume(&flights,
	    &(struct placement){ .pod = world->pod, .node = sym_intern("n1") },
	    &err);
	volumes_bind(&flights, world->pod, NULL, n, claims, world->profile,
	    1000);
	t_true("they count at once",
	    !devices_allocate(world->cluster, world->profile, world->pod,
		sym_intern("n1"), claims, &n) ||
		n == 0);
	event_base_dispatch(end.base);
	if (gifts[i].requests != NULL)
		t_str(gifts[i].name, patch_server_requests(server),
		    gifts[i].requests);
	t_str(gifts[i].name, end.text, gifts[i].end);
	t_int(gifts[i].name, (int)flights.held_claims.n, gifts[i].held);
	t_int("claims that are created count",
	    is_counted(flights.metrics,
		gifts[i].status == 403 ? CREATES "\"failure\"} 1\n" :
					 CREATES "\"success\"} 1\n"),
	    gifts[i].objects[0] == '\0');
	metrics_free(flights.metrics);
	free(end.text);
	flights_fini(&flights);
	world_free(world);
}

static void
claims_get_devices_before_the_binding(void)
{
	struct patch_server *server = patch_server_new();

	for (size_t i = 0; i < LENGTH(gifts); i++)
		give(server, i);
	patch_server_free(server);
}

/* ---- devices that are not ready ---- */

#define WITH(conditions)                                                       \
	CLAIM("a",                                                             \
	    "allocation: {devices: {results: [{request: q, driver: d, pool: "  \
	    "s, device: x, bindingConditions: [ready], "                       \
	    "bindingFailureConditions: [broken]}, {request: q, driver: e, "    \
	    "pool: s, device: v}]}}, reservedFor: [{uid: u1}], devices: "      \
	    "[{driver: d, pool: s, device: x, conditions: [" conditions "]}]")
#define TRUE(type) "{type: " type ", status: 'True'}"

static const struct device_wait {
	const char *name, *before, *after;
	int64_t seconds;
	const char *end, *status;
} waits_for_devices[] = {
	{ "ready at once", WITH(TRUE("ready")), "", 0, "ready", "success" },
	{ "ready in time", WITH(""), WITH(TRUE("ready")), 9, "ready",
	    "success" },
	{ "broken", WITH(""), WITH(TRUE("broken")), 9,
	    "SchedulerError: device binding failed: claim=a, reason=, "
	    "message=\"\"",
	    "failure" },
	{ "too late", WITH(""), "", 601,
	    "SchedulerError: device binding timeout: context deadline exceeded",
	    "timeout" },
	{ "no conditions",
	    CLAIM("a",
		"allocation: {devices: {results: [{request: q, driver: d, pool: s, device: x}]}}, reservedFor: [{uid: u1}]"),
	    "", 0, "ready", NULL },
};

static void
wait_for_devices(struct patch_server *server, const struct device_wait *row)
{
	struct world *world = world_new(row->before);
	struct end end = { .base = patch_server_base(server) };
	struct flights flights = { .client = patch_server_client(server),
		.events = events_new(patch_server_client(server)),
		.cluster = world->cluster,
		.metrics = metrics_new(),
		.ops = &ops,
		.arg = &end };
	AUTOFREE char *of_d = xasprintf("{profile=\"default-scheduler\","
					"driver=\"d\",status=\"%s\"} 1\n",
	    row->status != NULL ? row->status : "");
	AUTOFREE char *allocations =
	    xasprintf("scheduler_dra_bindingconditions_allocations_total%s",
		of_d);
	AUTOFREE char *durations = xasprintf(
	    "scheduler_dra_bindingconditions_wait_duration_seconds_count%s",
	    of_d);
	struct err err;

	world->profile->gates.dra_binding_conditions = true;
	world->profile->gates.dra_device_status = true;
	world->profile->bind_timeout_seconds = -1;
	world_pod(world, WANTS(A));
	binding_assume(&flights,
	    &(struct placement){ .pod = world->pod, .node = sym_intern("n1") },
	    &err);
	volumes_bind(&flights, world->pod, NULL, 0, NULL, world->profile, 1000);
	world_put(world, row->after);
	if (end.text == NULL)
		volumes_check(flight_find(&flights, "u1")->binding,
		    clock_ms() + row->seconds * 1000);
	t_str(row->name, end.text, row->end);
	t_int(row->name, is_counted(flights.metrics, allocations),
	    row->status != NULL);
	t_int(row->name, is_counted(flights.metrics, durations),
	    row->status != NULL);
	t_int("the other device has no conditions",
	    is_counted(flights.metrics,
		"allocations_total{profile=\"default-scheduler\",driver=\"e\""),
	    0);
	free(end.text);
	flights_fini(&flights);
	events_free(flights.events);
	metrics_free(flights.metrics);
	world_free(world);
}

static void
waits_for_devices_are_counted(void)
{
	struct patch_server *server = patch_server_new();

	for (size_t i = 0; i < LENGTH(waits_for_devices); i++)
		wait_for_devices(server, &waits_for_devices[i]);
	patch_server_free(server);
}

T_MAIN(T(claims_are_reserved_before_the_binding),
    T(claims_get_devices_before_the_binding), T(waits_for_devices_are_counted))
