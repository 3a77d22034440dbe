#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define GPUS(name)                                                             \
	W_NODE_STATUS(name, "", "",                                            \
	    "allocatable: {cpu: 4, memory: 10000, nvidia.com/gpu: 4}")
#define POD(spec) W_POD("p", "", "", spec)

static struct scored_resource resources[3];
static struct node_resources_fit_args args;

/* Arguments with up to three resources, NULL after the last. */
static const struct node_resources_fit_args *
with(enum scoring_strategy strategy, const char *a, int64_t a_weight,
    const char *b, int64_t b_weight, const char *c, int64_t c_weight)
{
	static const struct shape_point shape[] = { { 0, 0 }, { 100, 10 } };
	const char *names[] = { a, b, c };
	int64_t weights[] = { a_weight, b_weight, c_weight };
	size_t n = 0;

	for (; n < LENGTH(names) && names[n] != NULL; n++)
		resources[n] = (struct scored_resource){ sym_intern(names[n]),
			weights[n] };
	args = (struct node_resources_fit_args){ .strategy = strategy,
		.nresources = n,
		.resources = resources,
		.npoints = LENGTH(shape),
		.shape = shape };
	return &args;
}

/* clang-format off */
static const struct plugin_row least[] = {
	{ "the free parts of cpu and memory: 75 and 50",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=62" },
	{ "pods there count",
	    NODE("n1", "4", "10000") USED("n1", "2", "1000"),
	    ASKS("1", "5000"), "n1=32" },
	{ "absent requests count as 100m and 200 MiB: 90 and 50",
	    NODE("n1", "1", "400Mi"), POD(W_REQUESTS("")), "n1=70" },
	{ "those of an init container, too",
	    NODE("n1", "1", "400Mi"),
	    POD("initContainers: [{name: i}], "
		W_REQUESTS("cpu: 50m, memory: 0")), "n1=70" },
	{ "and on the node",
	    NODE("n1", "1", "400Mi") W_POD("a", "", "n1",
		"initContainers: [{name: i}], "
		W_REQUESTS("cpu: 50m, memory: 0")),
	    ASKS("0", "0"), "n1=70" },
};

static const struct plugin_row least_20[] = {
	{ "cpu of the pod's own overhead in whole units: 1000 - 101",
	    NODE("n1", "1", "1000"),
	    POD("overhead: {cpu: 250m, memory: 500}, "
		W_REQUESTS("cpu: 100m, memory: 0")), "n1=69" },
	{ "but not that of pods there: 1000 - 350",
	    NODE("n1", "1", "1000") W_POD("a", "", "n1",
		"overhead: {cpu: 250m, memory: 500}, "
		W_REQUESTS("cpu: 100m, memory: 0")),
	    ASKS("0", "0"), "n1=57" },
	{ "nothing of memory: 75 and 0",
	    NODE("n1", "4", "0"), ASKS("1", "0"), "n1=37" },
};

static const struct plugin_row least_36[] = {
	{ "all of the overhead: 65 and 50",
	    NODE("n1", "1", "1000"),
	    POD("overhead: {cpu: 250m, memory: 500}, "
		W_REQUESTS("cpu: 100m, memory: 0")), "n1=57" },
	{ "nothing of memory: 75 alone",
	    NODE("n1", "4", "0"), ASKS("1", "0"), "n1=75" },
	{ "nothing of both",
	    NODE("n1", "0", "0"), ASKS("0", "0"), "n1=0" },
	{ "requests at pod level do not count for the pod: 90 and 80",
	    NODE("n1", "1", "1000Mi"),
	    POD("resources: {requests: {cpu: 500m, memory: 500Mi}}, "
		W_REQUESTS("")), "n1=85" },
	{ "but for those there: 50 and 50",
	    NODE("n1", "1", "1000Mi") W_POD("a", "", "n1",
		"resources: {requests: {cpu: 500m, memory: 500Mi}}, "
		W_REQUESTS("")), ASKS("0", "0"), "n1=50" },
	{ "with one of them, a default for the other alone: 100 and 60",
	    NODE("n1", "1", "500Mi") W_POD("a", "", "n1",
		"resources: {requests: {cpu: 0}}, " W_REQUESTS("")),
	    ASKS("0", "0"), "n1=80" },
	{ "sidecars add up, and init containers run beside them: 30 and 100",
	    NODE("n1", "1", "1000"),
	    POD("initContainers: [{name: s, restartPolicy: Always, "
		"resources: {requests: {cpu: 200m, memory: 0}}}, {name: i, "
		"resources: {requests: {cpu: 500m, memory: 0}}}], "
		W_REQUESTS("cpu: 100m, memory: 0")), "n1=65" },
	{ "a resize that is under way: 60 and 100",
	    NODE("n1", "1", "1000") W_POD_IN("default", "a", "", "n1",
		W_REQUESTS("cpu: 100m, memory: 0"),
		"containerStatuses: [{name: c, resources: {requests: "
		"{cpu: 400m}}}]"), ASKS("0", "0"), "n1=80" },
};

static const struct plugin_row gpus_20[] = {
	{ "scalars that the pod does not ask for count: 3 * 100 + 75",
	    GPUS("n1") NODE("n2", "4", "10000"), ASKS("1", "0"),
	    "n1=93 n2=18" },
};

static const struct plugin_row gpus_36[] = {
	{ "scalars that the pod does not ask for do not count",
	    GPUS("n1") NODE("n2", "4", "10000"), ASKS("1", "0"),
	    "n1=75 n2=75" },
	{ "where the node has none, either: 3 * 50 + 75, and 75",
	    GPUS("n1") NODE("n2", "4", "10000"),
	    POD(W_REQUESTS("cpu: 1, memory: 0, nvidia.com/gpu: 2")),
	    "n1=56 n2=75" },
};

static const struct plugin_row twice_20[] = {
	{ "the last weight of cpu counts: 3 * 75 + 50",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=68" },
};

static const struct plugin_row twice_36[] = {
	{ "each weight of cpu counts: 4 * 75 + 50",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=70" },
};

static const struct plugin_row most_20[] = {
	{ "25 and 50", NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=37" },
	{ "more than there is: 0 and 50",
	    NODE("n1", "4", "10000") USED("n1", "4", "0"),
	    ASKS("1", "5000"), "n1=25" },
};

static const struct plugin_row most_36[] = {
	{ "25 and 50", NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=37" },
	{ "more than there is: 100 and 50",
	    NODE("n1", "4", "10000") USED("n1", "4", "0"),
	    ASKS("1", "5000"), "n1=75" },
};

static const struct plugin_row ratio[] = {
	{ "the mean of 25 and 50 is rounded",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=38" },
	{ "a share of 0 does not count",
	    NODE("n1", "4", "10000"), ASKS("1", "0"), "n1=25" },
	{ "more than there is",
	    NODE("n1", "1", "10000"), ASKS("2", "0"), "n1=100" },
};

static const struct plugin_row third_20[] = {
	{ "utilization is rounded up",
	    NODE("n1", "3", "10000"), ASKS("1", "0"), "n1=34" },
};

static const struct plugin_row third_36[] = {
	{ "utilization is truncated",
	    NODE("n1", "3", "10000"), ASKS("1", "0"), "n1=33" },
};
/* clang-format on */

static void
the_emptiest_node_wins(void)
{
	check_plugin_rows(20, &priority_node_resources, NULL, least);
	check_plugin_rows(36, &priority_node_resources, NULL, least);
	check_plugin_rows(20, &priority_node_resources, NULL, least_20);
	check_plugin_rows(36, &priority_node_resources, NULL, least_36);
}

static void
any_resource_may_count(void)
{
	const struct node_resources_fit_args *gpus =
	    with(STRATEGY_LEAST_ALLOCATED, "nvidia.com/gpu", 3, "cpu", 1, NULL,
		0);

	check_plugin_rows(20, &priority_node_resources, gpus, gpus_20);
	check_plugin_rows(36, &priority_node_resources, gpus, gpus_36);
	gpus = with(STRATEGY_LEAST_ALLOCATED, "cpu", 1, "cpu", 3, "memory", 1);
	check_plugin_rows(20, &priority_node_resources, gpus, twice_20);
	check_plugin_rows(36, &priority_node_resources, gpus, twice_36);
}

static void
the_fullest_node_wins(void)
{
	const struct node_resources_fit_args *most =
	    with(STRATEGY_MOST_ALLOCATED, NULL, 0, NULL, 0, NULL, 0);

	check_plugin_rows(20, &priority_node_resources, most, most_20);
	check_plugin_rows(36, &priority_node_resources, most, most_36);
}

static void
the_administrator_draws_the_score(void)
{
	const struct node_resources_fit_args *drawn =
	    with(STRATEGY_REQUESTED_TO_CAPACITY_RATIO, "cpu", 1, "memory", 1,
		NULL, 0);

	check_plugin_rows(20, &priority_node_resources, drawn, ratio);
	check_plugin_rows(36, &priority_node_resources, drawn, ratio);
	drawn = with(STRATEGY_REQUESTED_TO_CAPACITY_RATIO, "cpu", 1, NULL, 0,
	    NULL, 0);
	check_plugin_rows(20, &priority_node_resources, drawn, third_20);
	check_plugin_rows(36, &priority_node_resources, drawn, third_36);
}

T_MAIN(T(the_emptiest_node_wins), T(any_resource_may_count),
    T(the_fullest_node_wins), T(the_administrator_draws_the_score))
