#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) had taints that the pod didn't tolerate"
#define NODE(effect)                                                           \
	W_NODE("n1", "", "taints: [{key: a, effect: " effect "}]")

static void
only_no_execute_counts(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "NoExecute", NODE("NoExecute"), W_POD("p", "", "", ""),
		    UNFIT_FOREVER, WHY,
		    "would fit if taint a:NoExecute were tolerated" },
		{ "NoExecute tolerated", NODE("NoExecute"),
		    W_POD("p", "", "", "tolerations: [{key: a}]"), FITS, "",
		    NULL },
		{ "NoSchedule", NODE("NoSchedule"), W_POD("p", "", "", ""),
		    FITS, "", NULL },
		{ "PreferNoSchedule", NODE("PreferNoSchedule"),
		    W_POD("p", "", "", ""), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_tolerates_node_no_execute_taints, NULL,
	    rows);
}

T_MAIN(T(only_no_execute_counts))
