#include "config.h"

#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "t/priorities/rows.h"

#define NODES                                                                  \
	W_NODE("n1", "a: x, b: x", "")                                         \
	W_NODE("n2", "a: x", "")                                               \
	W_NODE("n3", "b: z, gen: '7'", "") W_NODE("n4", "", "")
#define TERM(weight, preference)                                               \
	"{weight: " weight ", preference: {" preference "}}"
#define EXPRESSION(weight, key, op, values)                                    \
	TERM(weight,                                                           \
	    "matchExpressions: [{key: " key ", operator: " op                  \
	    ", values: [" values "]}]")
#define PREFERS(terms)                                                         \
	W_POD("p", "", "",                                                     \
	    "affinity: {nodeAffinity: "                                        \
	    "{preferredDuringSchedulingIgnoredDuringExecution: [" terms "]}}")

/* clang-format off */
static const struct row rows[] = {
	{ "weights of matching terms add up: 7, 5, 2, 0", NODES,
	    PREFERS(EXPRESSION("5", "a", "Exists", "") ", "
		EXPRESSION("2", "b", "Exists", "")),
	    "n1=10 n2=7 n3=2 n4=0", "n1=100 n2=71 n3=28 n4=0" },
	{ "nothing matches", NODES, PREFERS(EXPRESSION("5", "c", "Exists", "")),
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "nothing is preferred", NODES, PREFERS(""),
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "no affinity", NODES, NO_CONTAINERS,
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "all operators", NODES,
	    PREFERS(EXPRESSION("1", "a", "In", "x, z") ", "
		EXPRESSION("2", "b", "NotIn", "x") ", "
		EXPRESSION("4", "a", "DoesNotExist", "") ", "
		EXPRESSION("8", "gen", "Gt", "'6'") ", "
		EXPRESSION("16", "gen", "Lt", "'7'")),
	    "n1=0 n2=2 n3=10 n4=4", "n1=7 n2=21 n3=100 n4=42" },
	{ "a term without expressions matches nothing", NODES,
	    PREFERS(TERM("5", "") ", " EXPRESSION("1", "a", "Exists", "")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
	{ "fields do not count", NODES,
	    PREFERS(TERM("5", "matchFields: [{key: metadata.name, "
		"operator: In, values: [n4]}]")),
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "a term of weight 0 is not looked at, not even for errors", NODES,
	    PREFERS(EXPRESSION("0", "a", "Bogus", "") ", "
		EXPRESSION("1", "a", "Exists", "")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
	{ "weights below 0 lower the sum, not the scale", NODES,
	    PREFERS(EXPRESSION("-1", "b", "Exists", "") ", "
		EXPRESSION("2", "a", "Exists", "")),
	    "n1=5 n2=10 n3=-5 n4=0", "n1=50 n2=100 n3=-50 n4=0" },
	{ "sums have 32 bits", NODES,
	    PREFERS(EXPRESSION("2147483647", "a", "Exists", "") ", "
		EXPRESSION("1", "b", "Exists", "")),
	    "n1=-10 n2=10 n3=0 n4=0", "n1=-100 n2=100 n3=0 n4=0" },
};
/* clang-format on */

static void
preferred_labels_win(void)
{
	check_rows(&priority_node_affinity_priority, NULL, rows);
}

static void
a_malformed_expression_is_an_error(void)
{
	struct world *w = world_new(NODES);

	world_pod(w,
	    PREFERS(
		EXPRESSION("1", "a", "Exists", "") ", " EXPRESSION("1", "gen",
		    "Gt", "'6', '7'") ", " EXPRESSION("1", "a", "Bogus", "")));
	world_scores(w, &priority_node_affinity_priority, NULL);
	t_int("the first one", w->cycle.nerrors, 1);
	t_str("in Kubernetes' words", w->cycle.errors[0].text,
	    "for 'Gt', 'Lt' operators, exactly one value is required");
	t_int("once, however many nodes", w->cycle.errors[0].times, 1);
	world_free(w);
}

/* clang-format off */
static const struct plugin_row of_both[] = {
	{ "fields count", NODES,
	    PREFERS(TERM("5", "matchFields: [{key: metadata.name, "
		"operator: In, values: [n4]}]")), "n1=0 n2=0 n3=0 n4=100" },
	{ "together with labels: 7, 5, 2", NODES,
	    PREFERS(EXPRESSION("5", "a", "Exists", "") ", "
		TERM("2", "matchFields: [{key: metadata.name, operator: NotIn, "
		    "values: [n2]}], matchExpressions: [{key: b, "
		    "operator: Exists}]")), "n1=100 n2=71 n3=28 n4=0" },
	{ "sums have more than 32 bits", NODES,
	    PREFERS(EXPRESSION("2147483647", "a", "Exists", "") ", "
		EXPRESSION("2147483647", "b", "Exists", "")),
	    "n1=100 n2=50 n3=50 n4=0" },
	{ "a term of weight 0, and an empty one, are passed over", NODES,
	    PREFERS(EXPRESSION("0", "a", "Bogus", "") ", " TERM("1", "")),
	    "n1=0 n2=0 n3=0 n4=0" },
};

static const struct plugin_row of_20[] = {
	{ "no affinity", NODES, NO_CONTAINERS, "n1=0 n2=0 n3=0 n4=0" },
	{ "the first problem of each term, each text once", NODES,
	    PREFERS(EXPRESSION("1", "a", "Bogus", "") ", "
		EXPRESSION("1", "b", "Bogus", "") ", "
		TERM("1", "matchFields: [{key: metadata.name, operator: In, "
		    "values: [a, b]}]")),
	    ("error: [\"Bogus\" is not a valid node selector operator, "
	    "unexpected number of value (2) for node field selector operator "
	    "\"In\"]") },
};

static const struct plugin_row of_36[] = {
	{ "no affinity", NODES, NO_CONTAINERS, "skipped" },
	{ "all problems of all terms", NODES,
	    PREFERS(EXPRESSION("1", "a", "In", "") ", "
		TERM("1", "matchExpressions: [{key: a, operator: Bogus}, "
		    "{key: '-', operator: Exists, values: [x]}, {key: gen, "
		    "operator: Lt, values: ['6', x]}], matchFields: "
		    "[{key: metadata.name, operator: In, values: [a, b]}, "
		    "{key: metadata.name, operator: Exists}]")),
	    ("error: [[0].matchExpressions[0].values: Invalid value: []: for "
	    "'in', 'notin' operators, values set can't be empty, "
	    "[1].matchExpressions[0].operator: Unsupported value: \"Bogus\": "
	    "supported values: \"In\", \"NotIn\", \"Exists\", "
	    "\"DoesNotExist\", \"Gt\", \"Lt\", "
	    "[1].matchExpressions[1].key: Invalid value: \"-\": name part "
	    "must consist of alphanumeric characters, '-', '_' or '.', and "
	    "must start and end with an alphanumeric character (e.g. "
	    "'MyName',  or 'my.name',  or '123-abc', regex used for "
	    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), "
	    "[1].matchExpressions[1].values: Invalid value: [\"x\"]: values "
	    "set must be empty for exists and does not exist, "
	    "[1].matchExpressions[2].values: Invalid value: [\"6\",\"x\"]: "
	    "for 'Gt', 'Lt' operators, exactly one value is required, "
	    "[1].matchExpressions[2].values[1]: Invalid value: \"x\": for "
	    "'Gt', 'Lt' operators, the value must be an integer, "
	    "[1].matchFields[0].values: Invalid value: [\"a\",\"b\"]: must "
	    "have one element, [1].matchFields[1].operator: Unsupported "
	    "value: \"Exists\": supported values: \"In\", \"NotIn\"]") },
	{ "null is an empty value", NODES,
	    PREFERS(EXPRESSION("1", "gen", "Gt", "null") ", "
		EXPRESSION("1", "a", "Exists", "null")),
	    ("error: [[0].matchExpressions[0].values[0]: Invalid value: "
	    "\"\": for 'Gt', 'Lt' operators, the value must be an integer, "
	    "[1].matchExpressions[0].values: Invalid value: [\"\"]: values "
	    "set must be empty for exists and does not exist]") },
	{ "one alone stands without brackets", NODES,
	    PREFERS(EXPRESSION("1", "gen", "Gt", "'-6'")),
	    ("error: [0].matchExpressions[0].values[0][gen]: Invalid value: "
	    "\"-6\": a valid label must be an empty string or consist of "
	    "alphanumeric characters, '-', '_' or '.', and must start and end "
	    "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
	    "or '12345', regex used for validation is "
	    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')") },
};

static const struct plugin_row added[] = {
	{ "for pods without any", NODES, NO_CONTAINERS,
	    "n1=100 n2=0 n3=100 n4=0" },
	{ "beside those of the pod: 8, 5, 3", NODES,
	    PREFERS(EXPRESSION("5", "a", "Exists", "")),
	    "n1=100 n2=62 n3=37 n4=0" },
};
/* clang-format on */

static void
profiles_know_fields_and_all_problems(void)
{
	const struct priority *priority = &priority_node_affinity_priority;

	check_plugin_rows(20, priority, NULL, of_both);
	check_plugin_rows(36, priority, NULL, of_both);
	check_plugin_rows(20, priority, NULL, of_20);
	check_plugin_rows(36, priority, NULL, of_36);
}

static void
the_plugin_may_add_terms(void)
{
	struct requirement exists = { .key = sym_intern("b"),
		.op = SELECTOR_EXISTS };
	struct preferred_node_term term = { .weight = 3,
		.term = { .has_labels = true,
		    .labels = { .n = 1, .at = &exists } } };
	struct node_affinity_args args = { .npreferred = 1,
		.preferred = &term };

	check_plugin_rows(20, &priority_node_affinity_priority, &args, added);
	check_plugin_rows(36, &priority_node_affinity_priority, &args, added);
}

/* A policy whose term prefers these, for pods named p. */
#define DISTRIBUTED(terms)                                                     \
	W_OBJECT("DistributionPolicy", "namespace: default, name: dp",         \
	    "spec: {resourceSelectors: [{policyName: t, name: p}], "           \
	    "policyTerms: [{name: t, nodeType: adv, advancedTerm: {affinity: " \
	    "{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:" \
	    " [" terms "]}}}}]}")

/* The scores of a profile with LeafNodeDistribution, or without it. */
static void
check_distributed(const char *name, int release, bool applies, const char *pod,
    const char *want)
{
	struct profile_predicate leaf_nodes = {
		.unit = &predicate_leaf_node_distribution,
		.name = "LeafNodeDistribution",
	};
	struct world *w = plugin_world(release,
	    NODES DISTRIBUTED(
		EXPRESSION("3", "b", "Exists", "") ", " EXPRESSION("9", "b",
		    "Bogus", "") ", " EXPRESSION("0", "a", "Exists", "")));

	w->profile->npredicates = applies;
	w->profile->predicates = &leaf_nodes;
	world_pod(w, pod);
	t_str(name, world_scores(w, &priority_node_affinity_priority, NULL),
	    want);
	t_int(name, (int64_t)w->cycle.nerrors, 0);
	world_free(w);
}

static void
distribution_policies_prefer_nodes(void)
{
	static const char own[] = PREFERS(EXPRESSION("5", "a", "Exists", ""));

	for (int release = 15; release <= 36; release += 21) {
		check_distributed("for pods without any", release, true,
		    NO_CONTAINERS, "n1=100 n2=0 n3=100 n4=0");
		check_distributed("beside those of the pod: 8, 5, 3", release,
		    true, own, "n1=100 n2=62 n3=37 n4=0");
		check_distributed("unless nothing looks at policies", release,
		    false, own, "n1=100 n2=100 n3=0 n4=0");
	}
	check_distributed("then it is skipped", 36, false, NO_CONTAINERS,
	    "skipped");
}

T_MAIN(T(distribution_policies_prefer_nodes), T(preferred_labels_win),
    T(a_malformed_expression_is_an_error),
    T(profiles_know_fields_and_all_problems), T(the_plugin_may_add_terms))
