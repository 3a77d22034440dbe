/* Requests as releases from 1.27 and from 1.32 on count them, of a pod that
 * waits and of the same pod on a node. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/limits.h"
#include "objects/pod.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

/* A pod from the inside of its spec and its status, as YAML in one line. */
static struct pod *
decode(const struct decode_settings *settings, const char *spec,
    const char *status, struct err *err)
{
	AUTOFREE char *text =
	    xasprintf("--- {metadata: {name: p}, spec: {%s}, status: {%s}}",
		spec, status);

	return (struct pod *)t_decode_by(settings, OBJECT_POD, text, err);
}

static struct pod *
pod_by(const struct decode_settings *settings, const char *spec,
    const char *status)
{
	struct err err = { "" };
	struct pod *pod = decode(settings, spec, status, &err);

	t_str(spec, err.text, "");
	return pod;
}

static struct pod *
pod_of(const char *spec, const char *status)
{
	return pod_by(NULL, spec, status);
}

#define CONTAINERS(list) "containers: [" list "]"
#define INIT(list) ", initContainers: [" list "]"
#define C(requests) "{name: c, resources: {requests: {" requests "}}}"
#define D(requests) "{name: d, resources: {requests: {" requests "}}}"
#define SIDECAR(name, requests)                                                \
	"{name: " name ", restartPolicy: Always, "                             \
	"resources: {requests: {" requests "}}}"
#define LEVEL(requests) ", resources: {requests: {" requests "}}"
#define SIZE(name, requests, allocated)                                        \
	"{name: " name ", resources: {requests: {" requests                    \
	"}}, allocatedResources: {" allocated "}}"
#define STATUSES(list) "containerStatuses: [" list "]"
#define INIT_STATUSES(list) "initContainerStatuses: [" list "]"
#define LEVEL_STATUS(requests, allocated)                                      \
	"resources: {requests: {" requests                                     \
	"}}, allocatedResources: {" allocated "}"
#define INFEASIBLE                                                             \
	", conditions: [{type: Ready, reason: Infeasible}, "                   \
	"{type: PodResizePending, status: 'False', reason: Infeasible}, "      \
	"{type: PodResizePending, reason: Deferred}]"
#define DEFERRED                                                               \
	", conditions: [{type: PodResizePending, reason: Deferred}, "          \
	"{type: PodResizePending, reason: Infeasible}]"

/* milli-CPU */
static void
cpu_is_counted(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *spec, *status;
		int64_t pending_27, held_27, pending_32, held_32;
	} rows[] = {
		{ "nothing", "", "", 0, 0, 0, 0 },
		{ "containers add up", CONTAINERS(C("cpu: 1") ", "
		    D("cpu: 250m")), "", 1250, 1250, 1250, 1250 },
		{ "and are rounded up once", CONTAINERS(C("cpu: 100u") ", "
		    D("cpu: 200u")), "", 1, 1, 1, 1 },
		{ "an init container may need more", CONTAINERS(C("cpu: 1"))
		    INIT(D("cpu: 1500.5m")), "", 1501, 1501, 1501, 1501 },
		{ "with the sidecars before it", CONTAINERS(C("cpu: 1"))
		    INIT(SIDECAR("s", "cpu: 0.5") ", " D("cpu: 2")), "",
		    2500, 2500, 2500, 2500 },
		{ "not with those behind it", CONTAINERS(C("cpu: 1"))
		    INIT(D("cpu: 2") ", " SIDECAR("s", "cpu: 0.5")), "",
		    2000, 2000, 2000, 2000 },
		{ "overhead comes on top", CONTAINERS(C("cpu: 0.5"))
		    ", overhead: {cpu: 0.25}", "", 750, 750, 750, 750 },

		{ "pod level replaces the sum from 1.32 on",
		    CONTAINERS(C("cpu: 1")) LEVEL("cpu: 3"), "",
		    1000, 1000, 3000, 3000 },
		{ "even by less", CONTAINERS(C("cpu: 1")) LEVEL("cpu: 200m"),
		    "", 1000, 1000, 200, 200 },
		{ "of the names it has", CONTAINERS(C("cpu: 1"))
		    LEVEL("memory: 1"), "", 1000, 1000, 1000, 1000 },
		{ "before overhead", CONTAINERS(C("cpu: 1")) LEVEL("cpu: 3")
		    ", overhead: {cpu: 0.25}", "", 1250, 1250, 3250, 3250 },
		{ "limits do nothing", CONTAINERS(C("cpu: 1"))
		    ", resources: {limits: {cpu: 5}}", "",
		    1000, 1000, 1000, 1000 },

		{ "a status without a resize", CONTAINERS(C("cpu: 1")),
		    STATUSES(SIZE("c", "cpu: 1", "cpu: 1")),
		    1000, 1000, 1000, 1000 },
		{ "growing", CONTAINERS(C("cpu: 2")),
		    STATUSES(SIZE("c", "cpu: 1", "cpu: 1")),
		    2000, 2000, 2000, 2000 },
		{ "shrinking: it still runs with more",
		    CONTAINERS(C("cpu: 1")),
		    STATUSES(SIZE("c", "cpu: 2", "cpu: 1")),
		    1000, 2000, 1000, 2000 },
		{ "more is allocated to it", CONTAINERS(C("cpu: 1")),
		    STATUSES(SIZE("c", "cpu: 1", "cpu: 3")),
		    1000, 3000, 1000, 3000 },
		{ "allocated, but the status has no resources",
		    CONTAINERS(C("cpu: 1")),
		    STATUSES("{name: c, allocatedResources: {cpu: 3}}"),
		    1000, 1000, 1000, 1000 },
		{ "a status of another container", CONTAINERS(C("cpu: 1")),
		    STATUSES(SIZE("x", "cpu: 2", "cpu: 2")),
		    1000, 1000, 1000, 1000 },
		{ "of several statuses the last",
		    CONTAINERS(C("cpu: 1")),
		    STATUSES(SIZE("c", "cpu: 2", "") ", "
			SIZE("c", "cpu: 4", "")), 1000, 4000, 1000, 4000 },
		{ "each container alone", CONTAINERS(C("cpu: 1") ", "
		    D("cpu: 4")), STATUSES(SIZE("c", "cpu: 2", "") ", "
		    SIZE("d", "cpu: 3", "")), 5000, 6000, 5000, 6000 },
		{ "growing in vain: spec does not count",
		    CONTAINERS(C("cpu: 9")),
		    STATUSES(SIZE("c", "cpu: 1", "cpu: 2")) INFEASIBLE,
		    9000, 2000, 9000, 2000 },
		{ "growing later: it does", CONTAINERS(C("cpu: 9")),
		    STATUSES(SIZE("c", "cpu: 1", "cpu: 2")) DEFERRED,
		    9000, 9000, 9000, 9000 },
		{ "in vain, but the status has no resources",
		    CONTAINERS(C("cpu: 9")), STATUSES("{name: c}") INFEASIBLE,
		    9000, 9000, 9000, 9000 },
		{ "a sidecar is resized", CONTAINERS(C("cpu: 1"))
		    INIT(SIDECAR("s", "cpu: 1")),
		    INIT_STATUSES(SIZE("s", "cpu: 2", "cpu: 2")),
		    2000, 3000, 2000, 3000 },
		{ "an init container is not", CONTAINERS(C("cpu: 1"))
		    INIT(D("cpu: 1")),
		    INIT_STATUSES(SIZE("d", "cpu: 2", "cpu: 2")),
		    1000, 1000, 1000, 1000 },

		{ "pod level is resized",
		    CONTAINERS(C("cpu: 1")) LEVEL("cpu: 3"),
		    LEVEL_STATUS("cpu: 4", "cpu: 5"), 1000, 1000, 3000, 5000 },
		{ "in vain", CONTAINERS(C("cpu: 1")) LEVEL("cpu: 9"),
		    LEVEL_STATUS("cpu: 4", "cpu: 3") INFEASIBLE,
		    1000, 1000, 9000, 4000 },
		{ "in vain, and neither has the name",
		    CONTAINERS(C("cpu: 1")) LEVEL("cpu: 9"),
		    LEVEL_STATUS("memory: 4", "") INFEASIBLE,
		    1000, 1000, 9000, 0 },
		{ "only allocated", CONTAINERS(C("cpu: 1")) LEVEL("cpu: 3"),
		    "allocatedResources: {cpu: 5}", 1000, 1000, 3000, 3000 },
		{ "a name that the spec does not have",
		    CONTAINERS(C("cpu: 1")) LEVEL("memory: 3"),
		    LEVEL_STATUS("cpu: 4", "cpu: 4"),
		    1000, 1000, 1000, 1000 },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *pod = pod_of(rows[i].spec, rows[i].status);
		const struct pod_class *class = pod->class;

		t_int(rows[i].name, class->from_27.pending->cpu_milli,
		    rows[i].pending_27);
		t_int(rows[i].name, class->from_27.held->cpu_milli,
		    rows[i].held_27);
		t_int(rows[i].name, class->from_32.pending->cpu_milli,
		    rows[i].pending_32);
		t_int(rows[i].name, class->from_32.held->cpu_milli,
		    rows[i].held_32);
		pod_unref(pod);
	}
}

static int64_t
amount(const struct resources *r, const char *name)
{
	const struct scalar *scalar = resources_scalar(r, sym_intern(name));

	return scalar != NULL ? scalar->amount : -1;
}

static void
other_resources_are_counted(void)
{
	struct pod *pod = pod_of(
	    CONTAINERS(
		C("memory: 100m, x.com/gpu: 2, storage: 7, hugepages-2Mi: 2Mi") ", " D(
		    "memory: 100m, ephemeral-storage: 1k"))
		LEVEL("hugepages-2Mi: 6Mi, x.com/gpu: 9, ephemeral-storage: 5"),
	    STATUSES(SIZE("c", "x.com/gpu: 3", "")));
	const struct resources *r = pod->class->from_32.held;

	t_int("bytes, rounded up once", r->memory, 1);
	t_int("before 1.27: each", pod->class->full.memory, 2);
	t_int("pod level: huge pages", amount(r, "hugepages-2Mi"), 6 << 20);
	t_int("not extended resources", amount(r, "x.com/gpu"), 3);
	t_int("nor storage", r->ephemeral_storage, 1000);
	t_int("other names", amount(r, "storage"), -1);
	t_int("scalars", (int64_t)r->nscalars, 2);
	pod_unref(pod);
}

/* Most pods cost no more than before. */
static void
equal_requests_are_shared(void)
{
	struct pod *plain = pod_of(CONTAINERS(C("cpu: 100m, memory: 1Gi")),
	    STATUSES(SIZE("c", "cpu: 100m, memory: 1Gi", "cpu: 100m")));
	struct pod *odd =
	    pod_of(CONTAINERS(C("cpu: 0.1, memory: 1073741824")), "");
	const struct pod_class *class = plain->class;

	t_true("pending", class->from_27.pending == &class->full);
	t_true("held", class->from_32.held == &class->full);
	t_true("one class, however it is written", odd->class == class);
	pod_unref(plain);
	pod_unref(odd);
}

static void
huge_requests_wrap_around(void)
{
	struct pod *pod =
	    pod_of(CONTAINERS(
		       C("memory: 9223372036854775807") ", " D("memory: 2")),
		"");

	t_int("as in Go", pod->class->from_27.pending->memory, INT64_MIN + 1);
	pod_unref(pod);
	pod = pod_of(CONTAINERS(C("cpu: 1e60")), "");
	t_true("nor does 10^60 fail", pod->class->from_27.pending != NULL);
	pod_unref(pod);
}

/* Of a pod beyond --max-per-pod only the spec's plain resources count. */
static void
pods_beyond_a_limit_are_counted_cheaply(void)
{
	struct decode_settings settings = decode_defaults;
	struct pod *pod;

	settings.pod_limits.resources = 1;
	pod = pod_by(&settings,
	    CONTAINERS(C("cpu: 1.5"))
		LEVEL("cpu: 2.5, hugepages-2Mi: 2Mi, hugepages-1Gi: 1Gi"),
	    STATUSES(SIZE("c", "cpu: 5", "")));
	t_true("it is beyond", pod->class->over_limit != NULL);
	t_int("cpu", pod->class->from_32.held->cpu_milli, 2500);
	t_int("nothing else", pod->class->from_32.held->nscalars, 0);
	pod_unref(pod);
}

static void
mistakes_are_refused(void)
{
	static const struct {
		const char *spec, *status, *why;
	} rows[] = {
		{ "resources: 5", "", "spec.resources must be an object" },
		{ "resources: {requests: {cpu: x}}", "",
		    "spec.resources.requests.cpu: quantities must match" },
		{ CONTAINERS(C("cpu: 1")), STATUSES(SIZE("c", "cpu: x", "")),
		    "status.containerStatuses[0].resources.requests.cpu must "
		    "be a quantity" },
		{ CONTAINERS(C("cpu: 1")),
		    STATUSES("{name: c, resources: 5, "
			     "allocatedResources: {cpu: 2}}"),
		    "status.containerStatuses[0].resources must be an object, "
		    "not a number" },
		{ CONTAINERS(C("cpu: 1")),
		    STATUSES("{name: c, resources: {requests: [1m]}}"),
		    "status.containerStatuses[0].resources.requests must be "
		    "an object, not an array" },
		{ CONTAINERS(C("cpu: 1")),
		    STATUSES("{name: c, resources: {}, "
			     "allocatedResources: [[]]}"),
		    "status.containerStatuses[0].allocatedResources must be "
		    "an object, not an array" },
		{ "hostUsers: 5", "", "spec.hostUsers must be a boolean" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };
		struct pod *pod =
		    decode(NULL, rows[i].spec, rows[i].status, &err);

		t_true(rows[i].why, pod == NULL);
		t_true(err.text, strstr(err.text, rows[i].why) != NULL);
		pod_unref(pod);
	}
}

static void
gates_take_requests_at_pod_level_away(void)
{
	static const struct {
		const char *name;
		bool count, in_status;
		int64_t pending, held, scored;
	} rows[] = {
		{ "both", true, true, 3000, 5000, 5000 },
		{ "not in status", true, false, 3000, 3000, 3000 },
		{ "none", false, false, 1000, 1000, 1000 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct decode_settings settings = {
			.pod_limits = decode_defaults.pod_limits,
			.pod_level = rows[i].count,
			.pod_level_in_status = rows[i].in_status,
		};
		struct pod *pod =
		    pod_by(&settings, CONTAINERS(C("cpu: 1")) LEVEL("cpu: 3"),
			LEVEL_STATUS("cpu: 5", ""));

		t_int(rows[i].name, pod->class->from_32.pending->cpu_milli,
		    rows[i].pending);
		t_int(rows[i].name, pod->class->from_32.held->cpu_milli,
		    rows[i].held);
		t_int(rows[i].name, pod->class->scored_32.held.cpu_milli,
		    rows[i].scored);
		t_int(rows[i].name, pod->class->level_cpu, rows[i].count);
		pod_unref(pod);
	}
}

T_MAIN(T(cpu_is_counted), T(other_resources_are_counted),
    T(equal_requests_are_shared), T(huge_requests_wrap_around),
    T(pods_beyond_a_limit_are_counted_cheaply), T(mistakes_are_refused),
    T(gates_take_requests_at_pod_level_away))
