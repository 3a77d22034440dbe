#include "config.h"

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

T_MAIN(T(preferred_labels_win), T(a_malformed_expression_is_an_error))
