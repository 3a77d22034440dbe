#include "config.h"

#include <stdio.h>

#include "t/priorities/rows.h"

/* clang-format off */
static const struct row rows[] = {
	{ "a pod without containers asks for nothing",
	    NODE("n1", "4", "10000") NODE("n2", "4", "10000"),
	    NO_CONTAINERS, "n1=10 n2=10", "n1=100 n2=100" },
	{ "the pod itself counts; each share truncates",
	    NODE("n1", "4", "10000") NODE("n2", "6", "10000"),
	    ASKS("3", "5000"), "n1=3 n2=5", "n1=37 n2=50" },
	{ "the mean truncates",
	    NODE("n1", "10", "20000") NODE("n2", "10", "20000")
	    USED("n1", "6", "0") USED("n2", "6", "5000"),
	    NO_CONTAINERS, "n1=7 n2=5", "n1=70 n2=57" },
	{ "pods there and the pod add up",
	    NODE("n1", "10", "20000") NODE("n2", "10", "50000")
	    USED("n1", "3", "0") USED("n2", "3", "5000"),
	    ASKS("3", "5000"), "n1=5 n2=6", "n1=57 n2=60" },
	{ "more than there is leaves nothing of that resource",
	    NODE("n1", "4", "10000") NODE("n2", "4", "10000")
	    USED("n1", "3", "0") USED("n2", "3", "5000"),
	    ASKS("3", "0"), "n1=5 n2=2", "n1=50 n2=25" },
	{ "exactly all of it leaves nothing",
	    NODE("n1", "4", "10000"), ASKS("4", "10000"), "n1=0", "n1=0" },
	{ "nothing of nothing is not free",
	    NODE("n1", "0", "0"), NO_CONTAINERS, "n1=0", "n1=0" },
	{ "absent requests count as 100m and 200 MiB",
	    NODE("n1", "1", "400Mi") W_POD("a", "", "n1", W_REQUESTS("")),
	    ASKS("0", "0"), "n1=7", "n1=70" },
	{ "absent requests of the pod itself, too",
	    NODE("n1", "1", "400Mi"),
	    W_POD("p", "", "", W_REQUESTS("")), "n1=7", "n1=70" },
	{ "products wrap around at 64 bits",
	    NODE("n1", "1", "9223372036854775807"), ASKS("0", "4611686018427387903"),
	    "n1=4", "n1=50" },
};
/* clang-format on */

static void
the_emptiest_node_wins(void)
{
	check_rows(&priority_least_requested_priority, NULL, rows);
}

#define HALF                                                                   \
	"resources: {requests: {cpu: 500m, memory: 512Mi}}, " W_REQUESTS(      \
	    "cpu: 100m")

/* A pod there that asks for half the node at pod level, and one like it. */
static const char *
scores_at(int release, bool strict)
{
	static char text[100];
	struct world *w = world_new("");

	w->cluster->kubernetes_minor = release;
	w->profile->strict = strict;
	world_put(w, NODE("n1", "1", "1Gi") NODE("n2", "1", "1Gi"));
	world_put(w, W_POD("a", "", "n1", HALF));
	world_pod(w, W_POD("p", "", "", HALF));
	snprintf(text, sizeof(text), "%s",
	    world_scores(w, &priority_least_requested_priority, NULL));
	world_free(w);
	return text;
}

static void
requests_at_pod_level_count_from_1_32_on(void)
{
	t_str("1.32", scores_at(32, false), "n1=0 n2=5");
	t_str("1.31: the containers'", scores_at(31, false), "n1=7 n2=8");
	t_str("strict: those of pods on nodes", scores_at(32, true),
	    "n1=3 n2=8");
}

static void
the_one_quotient_that_does_not_fit_wraps_around(void)
{
	struct world *w = world_new(NODE("n1", "0", "-1"));

	world_pod(w, NO_CONTAINERS);
	world_node(w, "n1")->scored[SCORED_BY_POLICY].memory =
	    -4611686018427387905;
	t_str("(-1 + 2^62 + 1) * 10 is -2^63",
	    world_scores(w, &priority_least_requested_priority, NULL),
	    "n1=-4611686018427387904");
	world_free(w);
}

T_MAIN(T(the_emptiest_node_wins), T(requests_at_pod_level_count_from_1_32_on),
    T(the_one_quotient_that_does_not_fit_wraps_around))
