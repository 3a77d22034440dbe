#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY(key, value)                                                        \
	"node(s) had taint {" key ": " value "}, that the pod didn't tolerate"
#define TAINT(key, value, effect)                                              \
	"{key: " key ", value: '" value "', effect: " effect "},"
#define NODE(taints) W_NODE("n1", "", "taints: [" taints "]")
#define POD(tolerations) W_POD("p", "", "", "tolerations: [" tolerations "]")
#define GPU TAINT("dedicated", "gpu", "NoSchedule")
#define LEAF TAINT("kosmos.io/node", "true", "NoSchedule")
#define DP(type, term)                                                         \
	W_OBJECT("DistributionPolicy", "namespace: default, name: dp",         \
	    "spec: {resourceSelectors: [{policyName: t, name: p}], "           \
	    "policyTerms: [{name: t, nodeType: " type ", advancedTerm: {" term \
	    "}}]}")
#define TOLERATES "tolerations: [{key: dedicated, operator: Exists}]"

static void
leaf_nodes_are_tolerated(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no taints", NODE(""), POD(""), FITS, "", NULL },
		{ "a leaf node's", NODE(LEAF), POD(""), FITS, "", NULL },
		{ "of any value",
		  NODE(TAINT("kosmos.io/node", "", "NoSchedule")), POD(""),
		  FITS, "", NULL },
		{ "but not of any effect",
		  NODE(TAINT("kosmos.io/node", "true", "NoExecute")), POD(""),
		  UNFIT_FOREVER, WHY("kosmos.io/node", "true"), "would fit if "
		  "taint kosmos.io/node=true:NoExecute were tolerated" },
		{ "another one", NODE(GPU), POD(""), UNFIT_FOREVER,
		  WHY("dedicated", "gpu"),
		  "would fit if taint dedicated=gpu:NoSchedule were "
		  "tolerated" },
		{ "another one of a leaf node", NODE(LEAF GPU), POD(""),
		  UNFIT_FOREVER, WHY("dedicated", "gpu"), NULL },
		{ "the first is named",
		  NODE(TAINT("a", "b", "NoExecute") GPU), POD(""),
		  UNFIT_FOREVER, WHY("a", "b"), NULL },
		{ "of those not tolerated",
		  NODE(TAINT("a", "b", "NoExecute") GPU),
		  POD("{key: a, operator: Exists}"), UNFIT_FOREVER,
		  WHY("dedicated", "gpu"), NULL },
		{ "tolerated", NODE(LEAF GPU),
		  POD("{key: dedicated, value: gpu}"), FITS, "", NULL },
		{ "without a value", NODE(TAINT("a", "", "NoExecute")),
		  POD(""), UNFIT_FOREVER, WHY("a", ""), NULL },
		{ "PreferNoSchedule does not count",
		  NODE(TAINT("a", "", "PreferNoSchedule")), POD(""), FITS, "",
		  NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_leaf_node_taint_toleration, NULL, rows);
}

static void
an_advanced_term_tolerates_more(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "tolerated by the term", NODE(GPU) DP("adv", TOLERATES),
		  POD(""), FITS, "", NULL },
		{ "besides the pod's own",
		  NODE(GPU TAINT("a", "b", "NoExecute")) DP("adv", TOLERATES),
		  POD("{key: a, operator: Exists}"), FITS, "", NULL },
		{ "not by another",
		  NODE(GPU) DP("adv", "tolerations: [{key: other}]"), POD(""),
		  UNFIT_FOREVER, WHY("dedicated", "gpu"), NULL },
		{ "only with adv", NODE(GPU) DP("mix", TOLERATES), POD(""),
		  UNFIT_FOREVER, WHY("dedicated", "gpu"), NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_leaf_node_taint_toleration, NULL, rows);
}

T_MAIN(T(leaf_nodes_are_tolerated), T(an_advanced_term_tolerates_more))
