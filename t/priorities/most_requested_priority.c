#include "config.h"

#include "t/priorities/rows.h"

/* clang-format off */
static const struct row rows[] = {
	{ "a pod without containers uses nothing",
	    NODE("n1", "4", "10000") NODE("n2", "4", "10000"),
	    NO_CONTAINERS, "n1=0 n2=0", "n1=0 n2=0" },
	{ "the pod itself counts; each share truncates",
	    NODE("n1", "4", "10000") NODE("n2", "6", "10000"),
	    ASKS("3", "5000"), "n1=6 n2=5", "n1=62 n2=50" },
	{ "the mean truncates",
	    NODE("n1", "10", "20000") NODE("n2", "10", "20000")
	    USED("n1", "6", "0") USED("n2", "6", "5000"),
	    NO_CONTAINERS, "n1=3 n2=4", "n1=30 n2=42" },
	{ "pods there and the pod add up; the scales order these differently",
	    NODE("n1", "10", "20000") NODE("n2", "10", "50000")
	    USED("n1", "3", "0") USED("n2", "3", "5000"),
	    ASKS("3", "5000"), "n1=4 n2=4", "n1=42 n2=40" },
	{ "more than there is counts as nothing used",
	    NODE("n1", "4", "10000") NODE("n2", "4", "10000")
	    USED("n1", "3", "0") USED("n2", "3", "5000"),
	    ASKS("3", "0"), "n1=0 n2=2", "n1=0 n2=25" },
	{ "exactly all of it is full",
	    NODE("n1", "4", "10000"), ASKS("4", "10000"), "n1=10", "n1=100" },
	{ "nothing of nothing is not full",
	    NODE("n1", "0", "0"), NO_CONTAINERS, "n1=0", "n1=0" },
	{ "products wrap around at 64 bits",
	    NODE("n1", "0", "9223372036854775807"),
	    ASKS("0", "9223372036854775807"), "n1=0", "n1=0" },
};
/* clang-format on */

static void
the_fullest_node_wins(void)
{
	check_rows(&priority_most_requested_priority, NULL, rows);
}

static void
the_one_quotient_that_does_not_fit_wraps_around(void)
{
	struct world *w = world_new(NODE("n1", "0", "-1"));

	world_pod(w, NO_CONTAINERS);
	world_node(w, "n1")->scored[SCORED_BY_POLICY].memory =
	    -4611686018427387904;
	t_str("-2^62 * 10 is -2^63",
	    world_scores(w, &priority_most_requested_priority, NULL),
	    "n1=-4611686018427387904");
	world_free(w);
}

T_MAIN(T(the_fullest_node_wins),
    T(the_one_quotient_that_does_not_fit_wraps_around))
