#include "config.h"

#include "t/priorities/rows.h"

#define NODES W_NODE("n1", "", "") W_NODE("n2", "", "")
#define POD W_POD("p", "app: web, tier: front", "", "")

/* clang-format off */
static const struct row rows[] = {
	{ "pods of the Service", NODES W_SERVICE("web", "app: web")
	    W_POD("a", "app: web", "n1", ""), POD, "n1=0 n2=10", "n1=0 n2=100" },
	{ "controllers count as in SelectorSpreadPriority",
	    NODES W_OBJECT("ReplicationController",
		"namespace: default, name: rc",
		"spec: {selector: {tier: front}}")
	    W_POD("a", "tier: front", "n1", ""), POD,
	    "n1=0 n2=10", "n1=0 n2=100" },
};
/* clang-format on */

static void
it_is_selector_spread_priority(void)
{
	check_rows(&priority_service_spreading_priority, NULL, rows);
}

T_MAIN(T(it_is_selector_spread_priority))
