#include "config.h"

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
	world_node(w, "n1")->nonzero_memory = -9000000000000000000;
	t_str("10 * (1 - 9e18)",
	    world_scores(w, &priority_balanced_resource_allocation, NULL),
	    "n1=-9223372036854775808");
	world_free(w);
}

T_MAIN(T(balance_is_the_difference_of_used_fractions),
    T(a_score_that_fits_no_int64_is_its_minimum))
