#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't match node selector"
#define NODE(labels) W_NODE("n1", labels, "")
#define SELECTS(pairs) W_POD("p", "", "", "nodeSelector: {" pairs "}")
#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution: "
#define AFFINITY(required) "affinity: {nodeAffinity: {" required "}}"
#define TERMS(terms)                                                           \
	W_POD("p", "", "",                                                     \
	    AFFINITY(REQUIRED "{nodeSelectorTerms: [" terms "]}"))
#define TERM(expressions) "{matchExpressions: [" expressions "]},"
#define EXPR(key, op, values)                                                  \
	"{key: " key ", operator: " op ", values: [" values "]},"
#define ZONE_A EXPR("zone", "In", "a")
#define ZONE_B EXPR("zone", "In", "b")

static void
all_pairs_of_the_selector_must_be_there(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no wish", NODE(""), W_POD("p", "", "", ""), FITS, "", NULL },
		{ "an empty wish", NODE(""), SELECTS(""), FITS, "", NULL },
		{ "equal", NODE("disk: ssd"), SELECTS("disk: ssd"), FITS, "",
		    NULL },
		{ "more labels than asked for", NODE("disk: ssd, a: b"),
		    SELECTS("disk: ssd"), FITS, "", NULL },
		{ "another value", NODE("disk: hdd"), SELECTS("disk: ssd"),
		    UNFIT_FOREVER, WHY, "label disk is hdd, not ssd" },
		{ "no such label", NODE(""), SELECTS("disk: ssd"),
		    UNFIT_FOREVER, WHY, "label disk is missing, not ssd" },
		{ "one of two", NODE("disk: ssd"), SELECTS("disk: ssd, a: b"),
		    UNFIT_FOREVER, WHY, "label a is missing, not b" },
		{ "a pair that is no label makes it match everything", NODE(""),
		    SELECTS("disk: ssd, gen: '-5'"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_match_node_selector, NULL, rows);
}

static void
one_term_of_the_affinity_must_match(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "matches", NODE("zone: a"), TERMS(TERM(ZONE_A)), FITS, "",
		    NULL },
		{ "does not", NODE("zone: b"),
		    TERMS(TERM(EXPR("zone", "In", "a, c"))), UNFIT_FOREVER, WHY,
		    "label zone is b, not a or c" },
		{ "terms are alternatives", NODE("zone: a"),
		    TERMS(TERM(ZONE_B) TERM(ZONE_A)), FITS, "", NULL },
		{ "none of several", NODE("zone: c"),
		    TERMS(TERM(ZONE_B) TERM(ZONE_A)), UNFIT_FOREVER, WHY,
		    "none of 2 node affinity terms matches" },
		{ "expressions of a term must all hold", NODE("zone: a"),
		    TERMS(TERM(ZONE_A EXPR("disk", "Exists", ""))),
		    UNFIT_FOREVER, WHY, "label disk is missing" },
		{ "NotIn", NODE("zone: a"),
		    TERMS(TERM(EXPR("zone", "NotIn", "a"))), UNFIT_FOREVER, WHY,
		    "label zone is a" },
		{ "Gt is strict", NODE("gen: '5'"),
		    TERMS(TERM(EXPR("gen", "Gt", "'5'"))), UNFIT_FOREVER, WHY,
		    "label gen is 5, not above 5" },
		{ "Lt", NODE("gen: '5'"), TERMS(TERM(EXPR("gen", "Lt", "'6'"))),
		    FITS, "", NULL },
		{ "an empty term matches nothing", NODE(""), TERMS("{},"),
		    UNFIT_FOREVER, WHY,
		    "its node affinity matches other nodes" },
		{ "no terms match nothing", NODE(""), TERMS(""), UNFIT_FOREVER,
		    WHY, "its node affinity has no terms" },
		{ "a null affinity asks nothing", NODE(""),
		    W_POD("p", "", "", AFFINITY(REQUIRED "null")), FITS, "",
		    NULL },
		{ "this node's name", NODE(""),
		    TERMS("{matchFields: [" EXPR("metadata.name", "In", "n1")
			"]}"), FITS, "", NULL },
		{ "another node's name", NODE(""),
		    TERMS("{matchFields: [" EXPR("metadata.name", "In", "n2")
			"]}"), UNFIT_FOREVER, WHY,
		    "its node affinity matches other nodes" },
		{ "selector and affinity must both match", NODE("zone: a"),
		    W_POD("p", "", "", "nodeSelector: {disk: ssd}, "
			AFFINITY(REQUIRED "{nodeSelectorTerms: ["
			    TERM(ZONE_A) "]}")), UNFIT_FOREVER, WHY,
		    "label disk is missing, not ssd" },
	};
	/* clang-format on */

	t_predicate(&predicate_match_node_selector, NULL, rows);
}

T_MAIN(T(all_pairs_of_the_selector_must_be_there),
    T(one_term_of_the_affinity_must_match))
