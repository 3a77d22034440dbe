#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODE(conditions, spec)                                                 \
	W_NODE_STATUS("n1", "", spec, "conditions: [" conditions "]")
#define IS(type, status) "{type: " type ", status: '" status "'},"
#define POD W_POD("p", "", "", "")
#define NOT_READY "node(s) were not ready"
#define NO_NETWORK "node(s) had unavailable network"
#define CORDONED "node(s) were unschedulable"

static void
conditions_decide(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "ready", NODE(IS("Ready", "True"), ""), POD, FITS, "", NULL },
		{ "nothing reported", NODE("", ""), POD, FITS, "", NULL },
		{ "not ready", NODE(IS("Ready", "False"), ""), POD,
		    UNFIT_FOREVER, NOT_READY, "condition Ready is False" },
		{ "readiness unknown", NODE(IS("Ready", "Unknown"), ""), POD,
		    UNFIT_FOREVER, NOT_READY, "condition Ready is Unknown" },
		{ "network available",
		    NODE(IS("NetworkUnavailable", "False"), ""), POD, FITS, "",
		    NULL },
		{ "network unavailable",
		    NODE(IS("NetworkUnavailable", "True"), ""), POD,
		    UNFIT_FOREVER, NO_NETWORK,
		    "condition NetworkUnavailable is True" },
		{ "network unknown",
		    NODE(IS("NetworkUnavailable", "Unknown"), ""), POD,
		    UNFIT_FOREVER, NO_NETWORK, NULL },
		{ "other conditions do not count",
		    NODE(IS("MemoryPressure", "True") IS("OutOfDisk", "True"),
			""), POD, FITS, "", NULL },
		{ "cordoned", NODE(IS("Ready", "True"), "unschedulable: true"),
		    POD, UNFIT_FOREVER, CORDONED,
		    "spec.unschedulable is true" },
		{ "everything wrong is reported, repeats, too",
		    NODE(IS("Ready", "False") IS("NetworkUnavailable", "True")
			IS("Ready", "Unknown"), "unschedulable: true"), POD,
		    UNFIT_FOREVER,
		    NOT_READY "; " NO_NETWORK "; " NOT_READY "; " CORDONED,
		    NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_condition, NULL, rows);
}

T_MAIN(T(conditions_decide))
