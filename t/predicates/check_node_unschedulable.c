#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define CORDONED W_NODE("n1", "", "unschedulable: true")
#define TOLERATES(toleration)                                                  \
	W_POD("p", "", "", "tolerations: [{" toleration "}]")
#define WHY "node(s) were unschedulable"
#define TAINT "node.kubernetes.io/unschedulable"

static void
a_cordoned_node_refuses_pods_that_do_not_tolerate_it(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "not cordoned", W_NODE("n1", "", ""), W_POD("p", "", "", ""),
		    FITS, "", NULL },
		{ "cordoned", CORDONED, W_POD("p", "", "", ""), UNFIT_FOREVER,
		    WHY, "would fit if it were uncordoned" },
		{ "tolerated", CORDONED,
		    TOLERATES("key: " TAINT ", effect: NoSchedule"), FITS, "",
		    NULL },
		{ "tolerated by Exists", CORDONED,
		    TOLERATES("key: " TAINT ", operator: Exists"), FITS, "",
		    NULL },
		{ "tolerated by a toleration of everything", CORDONED,
		    TOLERATES("operator: Exists"), FITS, "", NULL },
		{ "another effect is tolerated", CORDONED,
		    TOLERATES("key: " TAINT ", operator: Exists, "
			"effect: NoExecute"), UNFIT_FOREVER, WHY, NULL },
		{ "the taint has no value", CORDONED,
		    TOLERATES("key: " TAINT ", value: x"), UNFIT_FOREVER, WHY,
		    NULL },
		{ "the taint alone is another rule's matter",
		    W_NODE("n1", "", "taints: [{key: " TAINT
			", effect: NoSchedule}]"), W_POD("p", "", "", ""), FITS,
		    "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_unschedulable, NULL, rows);
}

T_MAIN(T(a_cordoned_node_refuses_pods_that_do_not_tolerate_it))
