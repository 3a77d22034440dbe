#include "config.h"

#include "base/xmalloc.h"
#include "decide/framework/args.h"
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

#define ZONE_A_ADDED                                                           \
	{                                                                      \
		.has_required = true, .required = { 1, &zone_a }               \
	}

static void
plugins_have_reasons_of_their_own(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "the selector", NODE(""), SELECTS("disk: ssd"), UNFIT_FOREVER,
		    "node(s) didn't match Pod's node affinity",
		    "label disk is missing, not ssd" },
	}, of_36[] = {
		{ "the selector", NODE(""), SELECTS("disk: ssd"), UNFIT_FOREVER,
		    "node(s) didn't match Pod's node affinity/selector", NULL },
		{ "a pair that is no label is compared as it is", NODE(""),
		    SELECTS("gen: '-5'"), UNFIT_FOREVER,
		    "node(s) didn't match Pod's node affinity/selector", NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_match_node_selector, NULL, of_20);
	t_predicate_of(36, &predicate_match_node_selector, NULL, of_36);
}

static void
added_affinity_comes_first(void)
{
	static sym a;
	static struct requirement in_a = { .op = SELECTOR_IN,
		.nvalues = 1,
		.values = &a };
	static struct node_selector_term zone_a = { .has_labels = true,
		.labels = { .n = 1, .at = &in_a } };
	static const struct node_affinity_args added = ZONE_A_ADDED;
	static const struct node_affinity_args nothing = { .has_required =
							       true };
	static const char enforced[] =
	    "node(s) didn't match scheduler-enforced node affinity";
	/* clang-format off */
	const struct world_row rows[] = {
		{ "both match", NODE("zone: a, disk: ssd"),
		    SELECTS("disk: ssd"), FITS, "", NULL },
		{ "no wish", NODE("zone: b"), SELECTS(""), UNFIT_FOREVER,
		    enforced, "label zone is b, not a" },
		{ "neither matches", NODE(""), SELECTS("disk: ssd"),
		    UNFIT_FOREVER, enforced, "label zone is missing, not a" },
		{ "the pod's does not", NODE("zone: a"), SELECTS("disk: ssd"),
		    UNFIT_FOREVER, "node(s) didn't match Pod's node affinity",
		    NULL },
	}, no_terms[] = {
		{ "no terms match no node", NODE("zone: a"), SELECTS(""),
		    UNFIT_FOREVER, enforced,
		    "the added node affinity has no terms" },
	};
	/* clang-format on */

	a = sym_intern("a");
	in_a.key = sym_intern("zone");
	t_predicate_of(20, &predicate_match_node_selector, &added, rows);
	t_predicate_of(36, &predicate_match_node_selector, &nothing, no_terms);
}

#define NAMED(names) "{matchFields: [" names "]},"
#define NAME(values) EXPR("metadata.name", "In", values)

static void
terms_must_name_a_node_that_there_may_be(void)
{
	static const struct {
		const char *name, *pod;
		enum verdict verdict;
	} rows[] = {
		{ "no affinity", W_POD("p", "", "", ""), FITS },
		{ "a name", TERMS(NAMED(NAME("n1"))), FITS },
		{ "two that conflict", TERMS(NAMED(NAME("n1") NAME("n2"))),
		    UNFIT_FOREVER },
		{ "lists with one in common",
		    TERMS(NAMED(NAME("n1, n2") NAME("n2, n3"))), FITS },
		{ "an empty list", TERMS(NAMED(NAME(""))), UNFIT_FOREVER },
		{ "another term names one",
		    TERMS(NAMED(NAME("n1") NAME("n2")) NAMED(NAME("n3"))),
		    FITS },
		{ "another term names none",
		    TERMS(NAMED(NAME("n1") NAME("n2")) TERM(ZONE_A)), FITS },
		{ "no terms", TERMS(""), FITS },
	};
	struct world *w = world_new(NODE(""));

	w->profile->release = 36;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct outcome o;

		world_pod(w, rows[i].pod);
		o = world_prefilter(w, &plugin_node_affinity, NULL, false);
		t_int(rows[i].name, o.verdict, rows[i].verdict);
		t_str(rows[i].name, o.why,
		    o.verdict == FITS ? "" : "pod affinity terms conflict");
	}
	world_free(w);
}

T_MAIN(T(all_pairs_of_the_selector_must_be_there),
    T(one_term_of_the_affinity_must_match),
    T(plugins_have_reasons_of_their_own), T(added_affinity_comes_first),
    T(terms_must_name_a_node_that_there_may_be))
