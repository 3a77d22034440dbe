#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define PODS "Insufficient pods"
#define CPU "Insufficient cpu"
#define MEMORY "Insufficient memory"
#define STORAGE "Insufficient ephemeral-storage"
#define GPU "Insufficient nvidia.com/gpu"

#define HAS(allocatable)                                                       \
	W_NODE_STATUS("n1", "", "", "allocatable: {" allocatable "}")
#define SMALL                                                                  \
	HAS("cpu: 10m, memory: 20, pods: 32, nvidia.com/gpu: 5, "              \
	    "ephemeral-storage: 20")
#define USED(requests) W_POD("q", "", "n1", W_REQUESTS(requests))
#define WANTS(requests) W_POD("p", "", "", W_REQUESTS(requests))
#define INIT(requests) "{name: i, resources: {requests: {" requests "}}},"
#define WANTS_INIT(init, requests)                                             \
	W_POD("p", "", "", "initContainers: [" init "], " W_REQUESTS(requests))

static void
requests_must_be_within_allocatable(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "nothing wanted on a full node",
		    SMALL USED("cpu: 10m, memory: 20"), W_POD("p", "", "", ""),
		    FITS, "", NULL },
		{ "cpu and memory", SMALL USED("cpu: 10m, memory: 20"),
		    WANTS("cpu: 1m, memory: 1"), UNFIT, CPU "; " MEMORY,
		    "1m cpu short, 1 memory short" },
		{ "memory alone", SMALL USED("cpu: 5m, memory: 20"),
		    WANTS("cpu: 5m, memory: 1"), UNFIT, MEMORY, NULL },
		{ "exactly full", SMALL USED("cpu: 5m, memory: 19"),
		    WANTS("cpu: 5m, memory: 1"), FITS, "", NULL },
		{ "an init container's cpu",
		    SMALL USED("cpu: 8m, memory: 19"),
		    WANTS_INIT(INIT("cpu: 3m, memory: 1"),
			"cpu: 1m, memory: 1"), UNFIT, CPU, "1m cpu short" },
		{ "init containers run one by one",
		    SMALL USED("cpu: 8m, memory: 19"),
		    WANTS_INIT(INIT("cpu: 2m") INIT("cpu: 2m"),
			"cpu: 1m, memory: 1"), FITS, "", NULL },
		{ "those on the node have run", SMALL W_POD("q", "", "n1",
			"initContainers: [" INIT("cpu: 10m") "], "
			W_REQUESTS("cpu: 1m")), WANTS("cpu: 9m"), FITS, "",
		    NULL },
		{ "a node overcommitted in what the pod does not want",
		    SMALL USED("memory: 21"), WANTS("cpu: 1m"), UNFIT, MEMORY,
		    "1 memory short" },
		{ "explicit zeros want nothing", SMALL USED("memory: 21"),
		    WANTS("cpu: 0, memory: 0"), FITS, "", NULL },
		{ "ephemeral storage", SMALL USED("ephemeral-storage: 15"),
		    WANTS("ephemeral-storage: 10"), UNFIT, STORAGE,
		    "5 ephemeral-storage short" },
		{ "a node that reports nothing", W_NODE_STATUS("n1", "", "", ""),
		    WANTS("cpu: 100m, memory: 1.5Gi"), UNFIT,
		    PODS "; " CPU "; " MEMORY,
		    "1 pod short, 100m cpu short, 1.5Gi memory short" },
		{ "pods that are done hold nothing",
		    SMALL W_POD_IN("default", "q", "", "n1",
			W_REQUESTS("cpu: 10m"), "phase: Succeeded"),
		    WANTS("cpu: 10m"), FITS, "", NULL },
		{ "sums wrap around", HAS("cpu: 1, pods: 9, memory: 1")
			USED("memory: 9223372036854775807"),
		    WANTS("memory: 9223372036854775807"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_fits_resources, NULL, rows);
}

static void
there_must_be_room_for_a_pod(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "one of one, nothing wanted",
		    HAS("pods: 1") W_POD("q", "", "n1", ""),
		    W_POD("p", "", "", ""), UNFIT, PODS, "1 pod short" },
		{ "pods and cpu", HAS("pods: 1") W_POD("q", "", "n1", ""),
		    WANTS("cpu: 1"), UNFIT, PODS "; " CPU,
		    "1 pod short, 1 cpu short" },
		{ "two too many", HAS("pods: 1") W_POD("q", "", "n1", "")
			W_POD("r", "", "n1", ""), W_POD("p", "", "", ""), UNFIT,
		    PODS, "2 pods short" },
		{ "the last place", HAS("pods: 1"), W_POD("p", "", "", ""),
		    FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_fits_resources, NULL, rows);
}

static void
extended_resources_count_like_the_others(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "more than there are", SMALL, WANTS("nvidia.com/gpu: 10"),
		    UNFIT, GPU, "5 nvidia.com/gpu short" },
		{ "all taken", SMALL USED("nvidia.com/gpu: 5"),
		    WANTS("nvidia.com/gpu: 1"), UNFIT, GPU, NULL },
		{ "the rest", SMALL USED("nvidia.com/gpu: 2"),
		    WANTS("nvidia.com/gpu: 3"), FITS, "", NULL },
		{ "init containers run one by one",
		    SMALL USED("nvidia.com/gpu: 2"),
		    WANTS_INIT(INIT("nvidia.com/gpu: 3")
			INIT("nvidia.com/gpu: 3"), "nvidia.com/gpu: 1"), FITS,
		    "", NULL },
		{ "one the node does not have", SMALL, WANTS("x.com/y: 1"),
		    UNFIT, "Insufficient x.com/y", "1 x.com/y short" },
		{ "zero of one the node does not have", SMALL,
		    WANTS("x.com/y: 0"), FITS, "", NULL },
		{ "zero of a scalar is asking for something",
		    SMALL USED("memory: 21"), WANTS("x.com/y: 0"), UNFIT,
		    MEMORY, NULL },
		{ "huge pages", SMALL, WANTS("hugepages-2Mi: 4Mi"), UNFIT,
		    "Insufficient hugepages-2Mi", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_fits_resources, NULL, rows);
}

static void
extenders_may_keep_the_accounts(void)
{
	const sym ignored[] = { sym_intern("nvidia.com/gpu") };
	struct world *w = world_new(SMALL USED("memory: 21"));
	struct outcome o;

	w->profile->nignored_resources = LENGTH(ignored);
	w->profile->ignored_resources = ignored;
	world_pod(w, WANTS("nvidia.com/gpu: 10, x.com/y: 1"));
	o = world_check(w, &predicate_pod_fits_resources, NULL, "n1");
	t_int("the others are still checked", o.verdict, UNFIT);
	t_str("the others are still checked", o.why,
	    MEMORY "; Insufficient x.com/y");

	world_pod(w, WANTS("nvidia.com/gpu: 10"));
	o = world_check(w, &predicate_pod_fits_resources, NULL, "n1");
	t_str("asking for an ignored one is asking for something", o.why,
	    MEMORY);
	world_free(w);
}

static void
from_1_18_on_init_containers_on_the_node_count(void)
{
	struct world *w = world_new("");

	w->cluster->kubernetes_minor = 18;
	world_put(w,
	    SMALL W_POD("q", "", "n1",
		"initContainers: [" INIT("cpu: 10m") "], " W_REQUESTS(
		    "cpu: 1m")));
	world_pod(w, WANTS("cpu: 1m"));
	t_str("init container of a pod there",
	    world_check(w, &predicate_pod_fits_resources, NULL, "n1").why, CPU);
	world_free(w);
}

/* The release's rules on a node with these pods. */
static struct outcome
outcome_at(struct world *w, int release, const char *objects, const char *pod)
{
	w->cluster->kubernetes_minor = release;
	world_put(w, objects);
	world_pod(w, pod);
	return world_check(w, &predicate_pod_fits_resources, NULL, "n1");
}

static void
releases_count_what_they_accept(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		int release;
		bool strict;
		const char *objects, *pod, *why, *miss;
	} rows[] = {
		{ "1.28: 0 of a full resource fits", 28, false,
		    SMALL USED("memory: 21, cpu: 11m"), WANTS("cpu: 0, "
			"ephemeral-storage: 1"), "", NULL },
		{ "but 1 does not", 28, false,
		    SMALL USED("memory: 21, cpu: 11m"), WANTS("cpu: 1m"), CPU,
		    "2m cpu short" },
		{ "1.27: it did not", 27, false,
		    SMALL USED("memory: 21"), WANTS("cpu: 1m"), MEMORY,
		    "1 memory short" },
		{ "nor under a strict policy", 36, true,
		    SMALL USED("memory: 21"), WANTS("cpu: 1m"), MEMORY, NULL },
		{ "1.21: sums do not wrap around", 21, false,
		    HAS("cpu: 1, pods: 9, memory: 1")
			USED("memory: 9223372036854775807"),
		    WANTS("memory: 9223372036854775807"), MEMORY, NULL },
		{ "nor those of scalars", 21, false,
		    HAS("pods: 9, x.com/y: 1")
			USED("x.com/y: 9223372036854775807"),
		    WANTS("x.com/y: 9223372036854775807"),
		    "Insufficient x.com/y", NULL },
		{ "1.20: they did", 20, false,
		    HAS("cpu: 1, pods: 9, memory: 1")
			USED("memory: 9223372036854775807"),
		    WANTS("memory: 9223372036854775807"), "", NULL },
		{ "1.26: 0 of a scalar fits", 26, false,
		    SMALL USED("x.com/y: 5"), WANTS("x.com/y: 0"), "", NULL },
		{ "1.32: requests at pod level", 32, false, SMALL,
		    W_POD("p", "", "", "resources: {requests: {cpu: 11m}}"),
		    CPU, "1m cpu short" },
		{ "not before", 31, false, SMALL,
		    W_POD("p", "", "", "resources: {requests: {cpu: 11m}}"),
		    "", NULL },
		{ "of pods on the node", 32, false, SMALL
		    W_POD("q", "", "n1", "resources: {requests: {cpu: 10m}}"),
		    WANTS("cpu: 1m"), CPU, "1m cpu short" },
		{ "a pod there that shrinks", 27, false, SMALL
		    "--- {kind: Pod, metadata: {name: q, namespace: default},"
		    " spec: {nodeName: n1, " W_REQUESTS("cpu: 1m") "}, "
		    "status: {containerStatuses: [{name: c, resources: "
		    "{requests: {cpu: 10m}}}]}}\n", WANTS("cpu: 1m"), CPU,
		    "1m cpu short" },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new("");
		struct outcome o;

		w->profile->strict = rows[i].strict;
		o = outcome_at(w, rows[i].release, rows[i].objects,
		    rows[i].pod);
		t_str(rows[i].name, o.why, rows[i].why);
		if (rows[i].miss != NULL)
			t_str(rows[i].name, o.miss, rows[i].miss);
		world_free(w);
	}
}

static char *
many_resources(unsigned n)
{
	char *list = xstrdup("");

	for (unsigned i = 0; i < n; i++) {
		AUTOFREE char *before = list;

		list = xasprintf("%sx.com/%03u: 1, ", before, i);
	}
	return list;
}

static unsigned
count(const char *text, const char *part)
{
	unsigned n = 0;

	while ((text = strstr(text, part)) != NULL) {
		text++;
		n++;
	}
	return n;
}

/* A pod's author cannot make us keep thousands of reasons for each node. */
static void
many_missing_resources_are_summed_up(void)
{
	static const struct {
		const char *name;
		unsigned n, named;
		const char *end, *miss;
	} rows[] = {
		{ "ten", 10, 10, "Insufficient x.com/009",
		    "1 x.com/008 short, 1 x.com/009 short" },
		{ "eleven", 11, 11, "Insufficient x.com/010",
		    "1 x.com/009 short, 1 other resource short" },
		{ "a hundred", 100, 100, "Insufficient x.com/099",
		    "1 x.com/009 short, 90 other resources short" },
		{ "one more", 101, 100,
		    "Insufficient x.com/099; Insufficient other resources",
		    "91 other resources short" },
		{ "many more", 200, 100,
		    "Insufficient x.com/099; Insufficient other resources",
		    "190 other resources short" },
	};
	struct world *w = world_new(SMALL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *list = many_resources(rows[i].n);
		AUTOFREE char *pod = xasprintf(
		    W_POD("p", "", "",
			"containers: [{name: c, resources: {requests: {%s"
			"cpu: 1m}}}]"),
		    list);
		struct outcome o;

		world_pod(w, pod);
		o = world_check(w, &predicate_pod_fits_resources, NULL, "n1");
		t_int(rows[i].name, o.verdict, UNFIT);
		t_int(rows[i].name, count(o.why, "x.com/"), rows[i].named);
		t_has(rows[i].name, o.why, rows[i].end);
		t_has(rows[i].name, o.miss, rows[i].miss);
	}
	world_free(w);
}

static void
plugins_refuse_for_good_what_no_eviction_makes_room_for(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "no room for a pod", HAS("pods: 1, cpu: 1") USED("cpu: 1"),
		    WANTS("cpu: 1"), UNFIT, "Too many pods; " CPU, NULL },
		{ "more than there is", SMALL, WANTS("cpu: 11m"), UNFIT, CPU,
		    NULL },
		{ "nothing of what is overcommitted", SMALL USED("memory: 30"),
		    WANTS("cpu: 1m"), UNFIT, MEMORY, NULL },
	}, of_36[] = {
		{ "pods may leave", HAS("pods: 1, cpu: 1") USED("cpu: 1"),
		    WANTS("cpu: 1"), UNFIT, "Too many pods; " CPU, NULL },
		{ "more cpu than there is", SMALL, WANTS("cpu: 11m"),
		    UNFIT_FOREVER, CPU, NULL },
		{ "more memory", SMALL USED("cpu: 1m"), WANTS("memory: 21"),
		    UNFIT_FOREVER, MEMORY, NULL },
		{ "more storage", SMALL, WANTS("ephemeral-storage: 21"),
		    UNFIT_FOREVER, STORAGE, NULL },
		{ "more of an extended resource", SMALL,
		    WANTS("nvidia.com/gpu: 6"), UNFIT_FOREVER, GPU, NULL },
		{ "one of two is more", SMALL USED("cpu: 5m"),
		    WANTS("cpu: 6m, memory: 21"), UNFIT_FOREVER,
		    CPU "; " MEMORY, NULL },
		{ "all shortages", SMALL USED("cpu: 5m, memory: 5"),
		    WANTS("cpu: 6m, memory: 16"), UNFIT, CPU "; " MEMORY,
		    NULL },
		{ "nothing of what is overcommitted", SMALL USED("memory: 30"),
		    WANTS("cpu: 1m"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_pod_fits_resources, NULL, of_20);
	t_predicate_of(36, &predicate_pod_fits_resources, NULL, of_36);
}

static void
plugins_may_pass_over_extended_resources(void)
{
	static sym ignored[2], group;
	static const struct node_resources_fit_args args = { .nignored = 2,
		.ignored = ignored,
		.nignored_groups = 1,
		.ignored_groups = &group };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "by name", HAS("pods: 1"), WANTS("nvidia.com/gpu: 1"), FITS,
		    "", NULL },
		{ "by group", HAS("pods: 1"), WANTS("x.com/a: 1, x.com/b: 2"),
		    FITS, "", NULL },
		{ "another group", HAS("pods: 1"), WANTS("y.com/a: 1"),
		    UNFIT_FOREVER, "Insufficient y.com/a", NULL },
		{ "not if they are Kubernetes' own", HAS("pods: 1"),
		    WANTS("hugepages-2Mi: 2Mi"), UNFIT_FOREVER,
		    "Insufficient hugepages-2Mi", NULL },
	};
	/* clang-format on */

	ignored[0] = sym_intern("nvidia.com/gpu");
	ignored[1] = sym_intern("hugepages-2Mi");
	group = sym_intern("x.com");
	t_predicate_of(36, &predicate_pod_fits_resources, &args, rows);
}

static void
plugins_name_all_resources(void)
{
	struct text yaml = { 0 };
	AUTOFREE char *pod = NULL;
	struct world *w = world_new(HAS("pods: 1"));

	text_put(&yaml,
	    "--- {kind: Pod, metadata: {name: p, namespace: d}, spec: "
	    "{containers: [{name: c, resources: {requests: {");
	for (int i = 0; i < 150; i++) {
		AUTOFREE char *one = xasprintf("x.com/%03d: 1, ", i);

		text_put(&yaml, one);
	}
	text_put(&yaml, "}}}]}}\n");
	pod = text_take(&yaml);
	w->profile->release = 20;
	world_pod(w, pod);
	t_int("each",
	    count(world_check(w, &predicate_pod_fits_resources, NULL, "n1").why,
		"x.com/"),
	    150);
	world_free(w);
}

T_MAIN(T(requests_must_be_within_allocatable), T(there_must_be_room_for_a_pod),
    T(extended_resources_count_like_the_others),
    T(extenders_may_keep_the_accounts), T(many_missing_resources_are_summed_up),
    T(from_1_18_on_init_containers_on_the_node_count),
    T(releases_count_what_they_accept),
    T(plugins_refuse_for_good_what_no_eviction_makes_room_for),
    T(plugins_may_pass_over_extended_resources), T(plugins_name_all_resources))
