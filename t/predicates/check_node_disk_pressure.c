#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) had disk pressure"
#define NODE(status)                                                           \
	W_NODE_STATUS("n1", "", "",                                            \
	    "conditions: [{type: DiskPressure, status: '" status "'}]")
#define POD W_POD("p", "", "", "")

static void
a_node_under_pressure_refuses(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "under pressure", NODE("True"), POD, UNFIT_FOREVER, WHY,
		    NULL },
		{ "not under pressure", NODE("False"), POD, FITS, "", NULL },
		{ "nobody knows", NODE("Unknown"), POD, FITS, "", NULL },
		{ "nothing reported", W_NODE("n1", "", ""), POD, FITS, "",
		    NULL },
		{ "whatever the pod requests", NODE("True"),
		    W_POD("p", "", "", W_REQUESTS("cpu: 1")), UNFIT_FOREVER,
		    WHY, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_disk_pressure, NULL, rows);
}

T_MAIN(T(a_node_under_pressure_refuses))
