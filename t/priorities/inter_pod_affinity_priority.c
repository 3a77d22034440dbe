#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define CHINA "region: china"
#define INDIA "region: india"
#define AZ1 "az: az1"
#define S1 "security: s1"
#define S2 "security: s2"

#define LABELS(labels) "labelSelector: {matchLabels: {" labels "}}"
#define TERM(key, selector) "{topologyKey: " key ", " selector "}"
#define WEIGHTED(weight, term) "{weight: " weight ", podAffinityTerm: " term "}"
#define SOFT(kind, terms)                                                      \
	kind ": {preferredDuringSchedulingIgnoredDuringExecution: [" terms "]}"
#define HARD(kind, terms)                                                      \
	kind ": {requiredDuringSchedulingIgnoredDuringExecution: [" terms "]}"
#define LIKES(weight, key, labels)                                             \
	SOFT("podAffinity", WEIGHTED(weight, TERM(key, LABELS(labels))))
#define AVOIDS(weight, key, labels)                                            \
	SOFT("podAntiAffinity", WEIGHTED(weight, TERM(key, LABELS(labels))))
#define NEEDS(key, labels) HARD("podAffinity", TERM(key, LABELS(labels)))
#define POD(labels, affinity) W_POD("p", labels, "", "affinity: {" affinity "}")
#define ON(node, name, labels, affinity)                                       \
	W_POD(name, labels, node, "affinity: {" affinity "}")

#define THREE                                                                  \
	W_NODE("n1", CHINA, "") W_NODE("n2", INDIA, "") W_NODE("n3", AZ1, "")

/* clang-format off */
static const struct row likes[] = {
	{ "no pods, no affinity", THREE, NO_CONTAINERS,
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "the domain of a pod it likes",
	    THREE ON("n1", "a", S1, "") ON("n2", "b", S2, "")
	    ON("n3", "c", S1, ""), POD("", LIKES("5", "region", S1)),
	    "n1=10 n2=0 n3=0", "n1=100 n2=0 n3=0" },
	{ "other nodes of the domain, too",
	    W_NODE("n1", CHINA, "") W_NODE("n2", CHINA ", " AZ1, "")
	    W_NODE("n3", INDIA, "") ON("n1", "a", S1, ""),
	    POD("", LIKES("5", "region", S1)),
	    "n1=10 n2=10 n3=0", "n1=100 n2=100 n3=0" },
	{ "every such pod counts: 24 and 12 of 24",
	    THREE W_NODE("n4", CHINA, "") ON("n1", "a", S2, "")
	    ON("n1", "b", S2, "") ON("n4", "c", S2, "") ON("n4", "d", S2, "")
	    ON("n2", "e", S2, "") ON("n2", "f", S2, ""),
	    POD("", LIKES("6", "region", S2)),
	    "n1=10 n2=5 n3=0 n4=10", "n1=100 n2=50 n3=0 n4=100" },
	{ "terms add up: 2, 10, 0",
	    THREE ON("n1", "a", S1, "") ON("n2", "b", S2, "")
	    ON("n3", "c", S1, ""),
	    POD("", SOFT("podAffinity",
		WEIGHTED("8", TERM("region", "labelSelector: "
		    "{matchExpressions: [{key: security, operator: NotIn, "
		    "values: [s1]}, {key: security, operator: In, "
		    "values: [s2]}]}")) ", "
		WEIGHTED("2", TERM("region", "labelSelector: "
		    "{matchExpressions: [{key: security, operator: Exists}, "
		    "{key: wrongkey, operator: DoesNotExist}]}")))),
	    "n1=2 n2=10 n3=0", "n1=20 n2=100 n3=0" },
	{ "pods of other namespaces do not count by themselves",
	    THREE W_POD_IN("other", "a", S1, "n1", "", ""),
	    POD("", LIKES("5", "region", S1)),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "but when the term names theirs",
	    THREE W_POD_IN("other", "a", S1, "n1", "", ""),
	    POD("", SOFT("podAffinity", WEIGHTED("5", TERM("region",
		"namespaces: [other], " LABELS(S1))))),
	    "n1=10 n2=0 n3=0", "n1=100 n2=0 n3=0" },
	{ "no selector selects nothing",
	    THREE ON("n1", "a", S1, ""), POD("", SOFT("podAffinity",
		WEIGHTED("5", "{topologyKey: region}"))),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "an empty selector selects all",
	    THREE ON("n1", "a", S1, ""), POD("", SOFT("podAffinity",
		WEIGHTED("5", TERM("region", "labelSelector: {}")))),
	    "n1=10 n2=0 n3=0", "n1=100 n2=0 n3=0" },
	{ "an empty topologyKey is no domain",
	    THREE ON("n1", "a", S1, ""),
	    POD("", LIKES("5", "''", S1)),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "required terms of the pod are no matter of preference",
	    THREE ON("n1", "a", S1, ""), POD("", NEEDS("region", S1)),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "pods on nodes without a Node object do not count",
	    W_NODE("n1", CHINA, "") ON("gone", "a", S1, ""),
	    POD("", LIKES("5", "region", S1)), "n1=0", "n1=0" },
};

static const struct row liked[] = {
	{ "a pod there likes the pod",
	    THREE ON("n1", "a", S1, LIKES("5", "region", S1))
	    ON("n2", "b", S2, LIKES("5", "region", S2)), POD(S2, ""),
	    "n1=0 n2=10 n3=0", "n1=0 n2=100 n3=0" },
	{ "a pod there needs the pod: the hard weight",
	    THREE ON("n1", "a", S1, HARD("podAffinity",
		TERM("region", LABELS(S1)) ", "
		TERM("region", "labelSelector: {matchExpressions: "
		    "[{key: security, operator: Exists}]}")))
	    ON("n2", "b", S2, NEEDS("region", S1)), POD(S1, ""),
	    "n1=10 n2=5 n3=0", "n1=100 n2=50 n3=0" },
	{ "a pod there avoids the pod",
	    THREE ON("n1", "a", S2, AVOIDS("5", "region", S2)), POD(S2, ""),
	    "n1=0 n2=10 n3=10", "n1=0 n2=100 n3=100" },
	{ "its required anti-affinity is no matter of preference",
	    THREE ON("n1", "a", S2,
		HARD("podAntiAffinity", TERM("region", LABELS(S2)))),
	    POD(S2, ""), "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "both sides add up",
	    THREE ON("n1", "a", S2, LIKES("1", "region", S2))
	    ON("n2", "b", S2, ""), POD(S2, LIKES("1", "region", S2)),
	    "n1=10 n2=5 n3=0", "n1=100 n2=50 n3=0" },
	{ "nodes without pods that like or avoid score as 0 in between",
	    THREE ON("n1", "a", S2, AVOIDS("5", "region", S2))
	    ON("n2", "b", S1, LIKES("3", "region", S2)), POD(S2, ""),
	    "n1=0 n2=10 n3=6", "n1=0 n2=100 n3=62" },
};

static const struct row avoids[] = {
	{ "the domain of a pod it avoids",
	    W_NODE("n1", AZ1, "") W_NODE("n2", CHINA, "")
	    ON("n1", "a", S1, "") ON("n2", "b", S2, ""),
	    POD("", AVOIDS("5", "az", S1)), "n1=0 n2=10", "n1=0 n2=100" },
	{ "likes and avoids: 22, 8, 22, 22, 8 and 2 times -5",
	    W_NODE("n1", CHINA ", " AZ1, "") W_NODE("n2", INDIA, "")
	    W_NODE("n3", CHINA, "") W_NODE("n4", CHINA, "")
	    W_NODE("n5", INDIA, "")
	    ON("n1", "a", S1, "") ON("n1", "b", S1, "") ON("n2", "c", S1, "")
	    ON("n3", "d", S1, "") ON("n3", "e", S1, "") ON("n4", "f", S1, "")
	    ON("n5", "g", S1, ""),
	    POD("", LIKES("8", "region", S1) ", " AVOIDS("5", "az", S2)),
	    "n1=10 n2=4 n3=10 n4=10 n5=4", "n1=100 n2=40 n3=100 n4=100 n5=40" },
	{ "8, -5, 8, -5",
	    W_NODE("n1", CHINA, "") W_NODE("n2", AZ1, "")
	    W_NODE("n3", CHINA, "") W_NODE("n4", AZ1, "")
	    ON("n1", "a", S1, "") ON("n2", "b", S2, ""),
	    POD("", LIKES("8", "region", S1) ", " AVOIDS("5", "az", S2)),
	    "n1=10 n2=0 n3=10 n4=0", "n1=100 n2=0 n3=100 n4=0" },
	{ "equal sums other than 0 are still measured from 0",
	    W_NODE("n1", CHINA, "") W_NODE("n2", CHINA, "")
	    ON("n1", "a", S1, ""), POD("", AVOIDS("5", "region", S1)),
	    "n1=0 n2=0", "n1=0 n2=0" },
};
/* clang-format on */

static void
nodes_near_pods_it_likes_win(void)
{
	check_rows(&priority_inter_pod_affinity_priority, NULL, likes);
}

static void
nodes_near_pods_that_like_it_win(void)
{
	check_rows(&priority_inter_pod_affinity_priority, NULL, liked);
}

static void
nodes_far_from_pods_it_avoids_win(void)
{
	check_rows(&priority_inter_pod_affinity_priority, NULL, avoids);
}

static void
the_hard_weight_is_the_policys(void)
{
	struct world *w = world_new(THREE ON("n1", "a", S1, NEEDS("region", S1))
		ON("n2", "b", S1, LIKES("50", "region", S1)));
	const struct priority *priority = &priority_inter_pod_affinity_priority;

	world_pod(w, POD(S1, ""));
	t_str("1", world_raw_scores(w, priority, NULL), "n1=1 n2=50 n3=0");
	w->profile->hard_pod_affinity_symmetric_weight = 100;
	t_str("100", world_raw_scores(w, priority, NULL), "n1=100 n2=50 n3=0");
	world_free(w);
}

#define MALFORMED "labelSelector: {matchExpressions: [{key: a, operator: In}]}"

static void
a_malformed_selector_is_an_error_once_there_are_pods(void)
{
	struct world *w = world_new(THREE ON("gone", "a", S1, ""));
	const struct priority *priority = &priority_inter_pod_affinity_priority;

	world_pod(w,
	    POD("",
		SOFT("podAffinity", WEIGHTED("1", TERM("region", MALFORMED)))));
	world_scores(w, priority, NULL);
	t_int("nothing to compare with", w->cycle.nerrors, 0);

	world_put(w, ON("n1", "b", S1, "") ON("n2", "c", S2, ""));
	world_scores(w, priority, NULL);
	t_int("one error", w->cycle.nerrors, 1);
	t_str("in Kubernetes' words", w->cycle.errors[0].text,
	    "for 'in', 'notin' operators, values set can't be empty");
	t_int("once, however many pods", w->cycle.errors[0].times, 1);
	world_free(w);
}

static void
malformed_selectors_of_pods_there_are_errors_for_everybody(void)
{
	struct world *w = world_new(THREE ON("n1", "a", S1,
	    HARD("podAffinity", TERM("region", MALFORMED))));

	world_pod(w, NO_CONTAINERS);
	world_scores(w, &priority_inter_pod_affinity_priority, NULL);
	t_int("one error", w->cycle.nerrors, 1);
	world_free(w);
}

#define NAMESPACE(name, labels)                                                \
	W_OBJECT("Namespace", "name: " name ", labels: {" labels "}", "")
#define SELECTING                                                              \
	TERM("region", LABELS(S1) ", namespaceSelector: {matchLabels: {a: b}}")

/* Terms of either side, preferred and required, before 1.21 and from then on. */
static void
terms_select_namespaces_from_1_21_on(void)
{
	static const struct {
		const char *name, *objects, *pod, *before, *then;
	} rows[] = {
		{ "the pod likes",
		    THREE NAMESPACE("ns", "a: b")
			W_POD_IN("ns", "a", S1, "n1", "", ""),
		    POD("", SOFT("podAffinity", WEIGHTED("5", SELECTING))),
		    "n1=0 n2=0 n3=0", "n1=10 n2=0 n3=0" },
		{ "the pod avoids",
		    THREE NAMESPACE("ns", "a: b")
			W_POD_IN("ns", "a", S1, "n1", "", ""),
		    POD("", SOFT("podAntiAffinity", WEIGHTED("5", SELECTING))),
		    "n1=0 n2=0 n3=0", "n1=0 n2=10 n3=10" },
		{ "a pod there likes",
		    THREE NAMESPACE("default", "a: b")
			W_POD_IN("ns", "a", "", "n2",
			    "affinity: {" SOFT("podAffinity",
				WEIGHTED("5", SELECTING)) "}",
			    ""),
		    POD(S1, ""), "n1=0 n2=0 n3=0", "n1=0 n2=10 n3=0" },
		{ "a pod there requires",
		    THREE NAMESPACE("default", "a: b") W_POD_IN("ns", "a", "",
			"n2", "affinity: {" HARD("podAffinity", SELECTING) "}",
			""),
		    POD(S1, ""), "n1=0 n2=0 n3=0", "n1=0 n2=10 n3=0" },
		{ "a pod there likes others than its own",
		    THREE W_POD("a", "", "n2",
			"affinity: {" SOFT("podAffinity",
			    WEIGHTED("5", SELECTING)) "}"),
		    POD(S1, ""), "n1=0 n2=10 n3=0", "n1=0 n2=0 n3=0" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);

		w->cluster->kubernetes_minor = 20;
		world_pod(w, rows[i].pod);
		t_str(rows[i].name,
		    world_scores(w, &priority_inter_pod_affinity_priority,
			NULL),
		    rows[i].before);
		w->cluster->kubernetes_minor = 21;
		world_pod(w, rows[i].pod);
		t_str(rows[i].name,
		    world_scores(w, &priority_inter_pod_affinity_priority,
			NULL),
		    rows[i].then);
		world_free(w);
	}
}

/* clang-format off */
static const struct plugin_row of_20[] = {
	{ "0 is in the range: -5, -3 and 0",
	    W_NODE("n1", CHINA, "") W_NODE("n2", INDIA, "")
	    ON("n1", "a", S2, AVOIDS("5", "region", S2))
	    ON("n2", "b", S1, AVOIDS("3", "region", S2)), POD(S2, ""),
	    "n1=0 n2=40" },
	{ "nothing matches", THREE, POD("", ""), "n1=0 n2=0 n3=0" },
	{ "of the malformed sort none counts, others do: 1 for 7",
	    THREE ON("n1", "a", S1, HARD("podAffinity", TERM("region",
		MALFORMED) ", " TERM("region", LABELS(S1))) ", "
		AVOIDS("7", "region", S1)), POD(S1, ""),
	    "n1=0 n2=100 n3=100" },
};

static const struct plugin_row of_36[] = {
	{ "the nodes are the range: -5 and -3",
	    W_NODE("n1", CHINA, "") W_NODE("n2", INDIA, "")
	    ON("n1", "a", S2, AVOIDS("5", "region", S2))
	    ON("n2", "b", S1, AVOIDS("3", "region", S2)), POD(S2, ""),
	    "n1=0 n2=100" },
	{ "nothing matches", THREE ON("n1", "a", S2, LIKES("5", "region", S1)),
	    POD(S2, LIKES("5", "region", S1)), "skipped" },
	{ "what matches may add up to 0", THREE
	    ON("n1", "a", S2, LIKES("5", "region", S1))
	    ON("n1", "b", S2, AVOIDS("5", "region", S1)), POD(S1, ""),
	    "n1=0 n2=0 n3=0" },
	{ "on a node without the key it matches nothing", THREE
	    ON("n3", "a", S2, LIKES("5", "region", S1)), POD(S1, ""),
	    "skipped" },
	{ "a required term", THREE ON("n1", "a", S1, NEEDS("region", S1)),
	    POD(S1, ""), "n1=100 n2=0 n3=0" },
};

static const struct plugin_row without_hard[] = {
	{ "required terms weigh nothing",
	    THREE ON("n1", "a", S1, NEEDS("region", S1)), POD(S1, ""),
	    "skipped" },
};

static const struct plugin_row ignoring[] = {
	{ "nothing counts for a pod without preferences",
	    THREE ON("n1", "a", S1, NEEDS("region", S1))
	    ON("n2", "b", S1, LIKES("5", "region", S1)), POD(S1, ""),
	    "skipped" },
	{ "all of it for others: 1, 10 and 5",
	    THREE ON("n1", "a", S1, NEEDS("region", S1))
	    ON("n2", "b", S1, LIKES("5", "region", S1)),
	    POD(S1, LIKES("5", "az", S2)), "n1=20 n2=100 n3=0" },
};
/* clang-format on */

static void
profiles_have_arguments_and_skip_pods(void)
{
	const struct priority *priority = &priority_inter_pod_affinity_priority;
	struct inter_pod_affinity_args args = { 0, false };

	check_plugin_rows(20, priority, NULL, of_20);
	check_plugin_rows(36, priority, NULL, of_36);
	check_plugin_rows(36, priority, &args, without_hard);
	args = (struct inter_pod_affinity_args){ 1, true };
	check_plugin_rows(36, priority, &args, ignoring);
}

T_MAIN(T(nodes_near_pods_it_likes_win), T(nodes_near_pods_that_like_it_win),
    T(nodes_far_from_pods_it_avoids_win), T(the_hard_weight_is_the_policys),
    T(a_malformed_selector_is_an_error_once_there_are_pods),
    T(malformed_selectors_of_pods_there_are_errors_for_everybody),
    T(terms_select_namespaces_from_1_21_on),
    T(profiles_have_arguments_and_skip_pods))
