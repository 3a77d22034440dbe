#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define NODES                                                                  \
	W_NODE("n1", "rack: r1, zone: z1", "")                                 \
	W_NODE("n2", "rack: r2, zone: z1", "") W_NODE("n3", "rack: r3", "")
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define POD W_POD("p", "app: web", "", "")

/* clang-format off */
static const struct plugin_row two_labels[] = {
	{ "no Service: no pods to spread", NODES WEB("a", "n1"), POD,
	    "n1=100 n2=100 n3=50" },
	{ "racks: 67, 33 and 100 of 100; zones: 0, 0 and none",
	    NODES W_SERVICE("s", "app: web") WEB("a", "n1") WEB("b", "n2")
	    WEB("c", "n2"), POD, "n1=33 n2=16 n3=50" },
	{ "a Service with the selector {} counts none",
	    NODES W_SERVICE("s", "") WEB("a", "n1"), POD,
	    "n1=100 n2=100 n3=50" },
};

static const struct plugin_row no_labels[] = {
	{ "no labels", NODES W_SERVICE("s", "app: web") WEB("a", "n1"), POD,
	    "n1=0 n2=0 n3=0" },
};
/* clang-format on */

static void
the_score_is_the_mean_over_the_labels(void)
{
	sym labels[] = { sym_intern("rack"), sym_intern("zone") };
	struct service_affinity_plugin_args args = {
		.nanti_affinity_labels = LENGTH(labels),
		.anti_affinity_labels = labels,
	};

	check_plugin_rows(20, &priority_service_affinity, &args, two_labels);
	check_plugin_rows(20, &priority_service_affinity, NULL, no_labels);
}

T_MAIN(T(the_score_is_the_mean_over_the_labels))
