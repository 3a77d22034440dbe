#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

/* clang-format off */
static const struct row rows[] = {
	{ "equally unused is balanced",
	    NODE("n1", "4", "10000"), NO_CONTAINERS, "n1=10", "n1=100" },
	{ "three quarters of one and half of the other",
	    NODE("n1", "4", "10000") NODE("n2", "6", "10000"),
	    ASKS("3", "5000"), "n1=7 n2=10", "n1=75 n2=100" },
	{ "which of the two is used more does not matter",
	    NODE("n1", "4", "10000"), ASKS("2", "7500"), "n1=7", "n1=75" },
	{ "the score truncates",
	    NODE("n1", "10", "20000") NODE("n2", "10", "20000")
	    USED("n1", "6", "0") USED("n2", "6", "5000"),
	    NO_CONTAINERS, "n1=4 n2=6", "n1=40 n2=65" },
	{ "pods there and the pod add up",
	    NODE("n1", "10", "20000") NODE("n2", "10", "20000")
	    USED("n1", "3", "0") USED("n2", "3", "5000"),
	    ASKS("3", "5000"), "n1=6 n2=9", "n1=65 n2=90" },
	{ "a resource that is used up gives 0, however balanced",
	    NODE("n1", "4", "10000") NODE("n2", "4", "10000"),
	    ASKS("4", "10000"), "n1=0 n2=0", "n1=0 n2=0" },
	{ "nothing of nothing is used up",
	    NODE("n1", "0", "10000"), NO_CONTAINERS, "n1=0", "n1=0" },
	{ "fractions are doubles: 1 - |8/10 - 0| is a little less than 0.2",
	    NODE("n1", "10", "10000"), ASKS("8", "0"), "n1=1", "n1=19" },
	{ "fractions are doubles: 1 - |4/10 - 3/10| is just below 0.9",
	    NODE("n1", "10", "10000"), ASKS("4", "3000"), "n1=9", "n1=89" },
};
/* clang-format on */

static void
balance_is_the_difference_of_used_fractions(void)
{
	check_rows(&priority_balanced_resource_allocation, NULL, rows);
}

static void
a_score_that_fits_no_int64_is_its_minimum(void)
{
	struct world *w = world_new(NODE("n1", "1", "1"));

	world_pod(w, NO_CONTAINERS);
	world_node(w, "n1")->scored[SCORED_BY_POLICY].memory =
	    -9000000000000000000;
	t_str("10 * (1 - 9e18)",
	    world_scores(w, &priority_balanced_resource_allocation, NULL),
	    "n1=-9223372036854775808");
	world_free(w);
}

#define USES(name, node, requests) W_POD(name, "", node, W_REQUESTS(requests))
#define GPUS                                                                   \
	W_NODE_STATUS("n1", "", "",                                            \
	    "allocatable: {cpu: 4, memory: 10000, nvidia.com/gpu: 2}")

/* clang-format off */
static const struct plugin_row of_20[] = {
	{ "as by a policy: 25 and 50 of 100",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=75" },
	{ "requests that are absent count",
	    NODE("n1", "1", "400Mi"), W_POD("p", "", "", W_REQUESTS("")),
	    "n1=60" },
};

static const struct plugin_row of_36[] = {
	{ "less balanced than before: 87 for 100",
	    NODE("n1", "4", "10000"), ASKS("1", "5000"), "n1=68" },
	{ "better balanced than before: 87 for 75",
	    NODE("n1", "4", "10000") USED("n1", "2", "0"),
	    ASKS("1", "5000"), "n1=81" },
	{ "no more than all of it: 100 for 75",
	    NODE("n1", "1", "1000") USED("n1", "2", "500"),
	    ASKS("0", "900"), "n1=87" },
	{ "a node without memory is balanced",
	    NODE("n1", "4", "0"), ASKS("1", "500"), "n1=75" },
	{ "a pod that asks for nothing is skipped",
	    NODE("n1", "4", "10000"), W_POD("p", "", "", W_REQUESTS("")),
	    "skipped" },
	{ "requests at pod level count",
	    NODE("n1", "4", "10000"),
	    W_POD("p", "", "", "resources: {requests: {cpu: 1, "
		"memory: 5000}}, " W_REQUESTS("")), "n1=68" },
};

static const struct plugin_row of_gpus[] = {
	{ "25, 50 and 50 of 100 deviate by 11.8: 88 for 100",
	    GPUS, USES("p", "", "cpu: 1, memory: 5000, nvidia.com/gpu: 1"),
	    "n1=69" },
	{ "what the pod does not ask for does not count: 87 for 100",
	    GPUS, ASKS("1", "5000"), "n1=68" },
	{ "nor what the node has none of",
	    NODE("n1", "4", "10000"),
	    USES("p", "", "cpu: 1, memory: 5000, nvidia.com/gpu: 1"),
	    "n1=68" },
};
/* clang-format on */

static void
profiles_compare_the_node_with_the_pod_and_without(void)
{
	struct scored_resource resources[] = { { sym_intern("cpu"), 1 },
		{ sym_intern("memory"), 1 },
		{ sym_intern("nvidia.com/gpu"), 1 } };
	struct balanced_allocation_args args = { LENGTH(resources), resources };
	const struct priority *priority =
	    &priority_balanced_resource_allocation;

	check_plugin_rows(20, priority, NULL, of_20);
	check_plugin_rows(36, priority, NULL, of_36);
	check_plugin_rows(36, priority, &args, of_gpus);
}

T_MAIN(T(balance_is_the_difference_of_used_fractions),
    T(a_score_that_fits_no_int64_is_its_minimum),
    T(profiles_compare_the_node_with_the_pod_and_without))
