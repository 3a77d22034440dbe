#include "config.h"

#include "base/xmalloc.h"
#include "cluster/index.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NO_MATCH "node(s) didn't match pod affinity/anti-affinity; "
#define EXISTING                                                               \
	NO_MATCH "node(s) didn't satisfy existing pods anti-affinity rules"
#define AFFINITY NO_MATCH "node(s) didn't match pod affinity rules"
#define ANTI NO_MATCH "node(s) didn't match pod anti-affinity rules"

/* Node n1 is the one in question; n2 shares its zone, n3 its region alone. */
#define NODES                                                                  \
	W_NODE("n1", "host: n1, zone: a, region: r", "")                       \
	W_NODE("n2", "host: n2, zone: a, region: r", "")                       \
	W_NODE("n3", "host: n3, zone: b, region: r", "")                       \
	W_NODE("bare", "", "")

#define TERM(pairs, key)                                                       \
	"{labelSelector: {matchLabels: {" pairs "}}, topologyKey: " key "},"
#define BAD_TERM                                                               \
	"{labelSelector: {matchExpressions: [{key: a, operator: In}]}, "       \
	"topologyKey: zone},"
#define BAD "for 'in', 'notin' operators, values set can't be empty"
#define REQUIRED(kind, terms)                                                  \
	kind ": {requiredDuringSchedulingIgnoredDuringExecution: [" terms "]}"
#define WITH(terms) "affinity: {" REQUIRED("podAffinity", terms) "}"
#define WITHOUT(terms) "affinity: {" REQUIRED("podAntiAffinity", terms) "}"

#define WEB(node) W_POD("web", "app: web", node, "")
#define POD(spec) W_POD("p", "app: x", "", spec)
#define WEB_IN_ZONE TERM("app: web", "zone")

static void
pods_that_want_company(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no wish", NODES WEB("n1"), POD(""), FITS, "", NULL },
		{ "in the same domain", NODES WEB("n2"),
		    POD(WITH(WEB_IN_ZONE)), FITS, "", NULL },
		{ "in another domain", NODES WEB("n3"), POD(WITH(WEB_IN_ZONE)),
		    UNFIT_FOREVER, AFFINITY,
		    "no pod that its affinity requires is in zone=a" },
		{ "nowhere", NODES, POD(WITH(WEB_IN_ZONE)), UNFIT_FOREVER,
		    AFFINITY, NULL },
		{ "in a wider domain", NODES WEB("n3"),
		    POD(WITH(TERM("app: web", "region"))), FITS, "", NULL },
		{ "every term needs its domain", NODES WEB("n3"),
		    POD(WITH(TERM("app: web", "region") WEB_IN_ZONE)),
		    UNFIT_FOREVER, AFFINITY, NULL },
		{ "all terms must match the same pod",
		    NODES WEB("n1") W_POD("db", "tier: db", "n1", ""),
		    POD(WITH(WEB_IN_ZONE TERM("tier: db", "zone"))),
		    UNFIT_FOREVER, AFFINITY, NULL },
		{ "a pod of another namespace",
		    NODES W_POD_IN("other", "web", "app: web", "n1", "", ""),
		    POD(WITH(WEB_IN_ZONE)), UNFIT_FOREVER, AFFINITY, NULL },
		{ "a namespace the term names",
		    NODES W_POD_IN("other", "web", "app: web", "n1", "", ""),
		    POD(WITH("{namespaces: [other], labelSelector: "
			"{matchLabels: {app: web}}, topologyKey: zone}")), FITS,
		    "", NULL },
		{ "no selector matches nothing", NODES WEB("n1"),
		    POD(WITH("{topologyKey: zone}")), UNFIT_FOREVER, AFFINITY,
		    NULL },
		{ "an empty selector matches everything", NODES WEB("n1"),
		    POD(WITH("{labelSelector: {}, topologyKey: zone}")), FITS,
		    "", NULL },
		{ "no topology key matches no node", NODES WEB("n1"),
		    POD(WITH(TERM("app: web", "''"))), UNFIT_FOREVER, AFFINITY,
		    NULL },
		{ "a pod on a node without Node object",
		    NODES WEB("gone"), POD(WITH(WEB_IN_ZONE)), UNFIT_FOREVER,
		    AFFINITY, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_match_inter_pod_affinity, NULL, rows);
}

/* As in 1.36, where only the API server merges them into labelSelector. */
static void
keys_that_no_server_merged_do_not_count(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "matchLabelKeys", NODES WEB("n1"),
		    POD(WITH("{labelSelector: {matchLabels: {app: web}}, "
			"topologyKey: zone, matchLabelKeys: [app]}")), FITS,
		    "", NULL },
		{ "mismatchLabelKeys", NODES WEB("n1"),
		    W_POD("p", "app: web", "", WITHOUT("{labelSelector: "
			"{matchLabels: {app: web}}, topologyKey: zone, "
			"mismatchLabelKeys: [app]}")), UNFIT,
		    "node(s) didn't match pod affinity/anti-affinity; "
		    "node(s) didn't match pod anti-affinity rules", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_match_inter_pod_affinity, NULL, rows);
}

static void
the_first_of_a_group_may_go_anywhere(void)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	const char *pod = W_POD("p", "app: web", "", WITH(WEB_IN_ZONE));
	struct world *w = world_new(NODES);

	world_pod(w, pod);
	t_int("any node", world_check(w, p, NULL, "n1").verdict, FITS);
	t_int("one without the label", world_check(w, p, NULL, "bare").verdict,
	    FITS);

	world_put(w, WEB("bare"));
	world_pod(w, pod);
	t_int("a pod on a node without the label does not count",
	    world_check(w, p, NULL, "n1").verdict, FITS);

	w->cluster->kubernetes_minor = 19;
	world_pod(w, pod);
	t_int("any node with the label, from 1.19 on",
	    world_check(w, p, NULL, "n1").verdict, FITS);
	world_pod(w, pod);
	t_str("none without", world_check(w, p, NULL, "bare").why, AFFINITY);
	t_str("because", world_check(w, p, NULL, "bare").miss,
	    "label zone is missing");
	w->cluster->kubernetes_minor = 18;

	world_put(w, WEB("n3"));
	world_pod(w, pod);
	t_str("the second must follow", world_check(w, p, NULL, "n1").why,
	    AFFINITY);
	t_str("a node without the label", world_check(w, p, NULL, "bare").miss,
	    "label zone is missing");
	world_free(w);
}

static void
pods_that_want_distance(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "in the same domain", NODES WEB("n2"),
		    POD(WITHOUT(WEB_IN_ZONE)), UNFIT, ANTI,
		    "a pod that its anti-affinity excludes is in zone=a" },
		{ "in another domain", NODES WEB("n3"),
		    POD(WITHOUT(WEB_IN_ZONE)), FITS, "", NULL },
		{ "in a narrower domain", NODES WEB("n2"),
		    POD(WITHOUT(TERM("app: web", "host"))), FITS, "", NULL },
		{ "any term is enough", NODES WEB("n2"),
		    POD(WITHOUT(TERM("app: web", "host") WEB_IN_ZONE)), UNFIT,
		    ANTI, NULL },
		{ "a term's domain counts for what it matches alone",
		    NODES WEB("n2") W_POD("db", "app: db", "n3", ""),
		    POD(WITHOUT(TERM("app: web", "host")
			TERM("app: db", "zone"))), FITS, "", NULL },
		{ "affinity is checked first", NODES WEB("n1"),
		    POD("affinity: {" REQUIRED("podAffinity",
			TERM("app: db", "zone")) ", "
			REQUIRED("podAntiAffinity", WEB_IN_ZONE) "}"),
		    UNFIT_FOREVER, AFFINITY, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_match_inter_pod_affinity, NULL, rows);
}

#define LONER(node)                                                            \
	W_POD("loner", "app: l", node, WITHOUT(TERM("app: x", "zone")))

static void
pods_there_that_want_distance(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "in the same domain", NODES LONER("n2"), POD(""), UNFIT,
		    EXISTING, "a pod in zone=a has anti-affinity to this one" },
		{ "in another domain", NODES LONER("n3"), POD(""), FITS, "",
		    NULL },
		{ "it minds others", NODES LONER("n2"),
		    W_POD("p", "app: z", "", ""), FITS, "", NULL },
		{ "it minds its own namespace",
		    NODES W_POD_IN("other", "l", "", "n1",
			WITHOUT(TERM("app: x", "zone")), ""), POD(""), FITS, "",
		    NULL },
		{ "it comes before the pod's own wishes",
		    NODES LONER("n2"), POD(WITH(WEB_IN_ZONE)), UNFIT, EXISTING,
		    NULL },
		{ "its affinity does not matter",
		    NODES W_POD("q", "", "n1", WITH(WEB_IN_ZONE)), POD(""),
		    FITS, "", NULL },
	};
	/* clang-format on */
	struct world *w = world_new(NODES LONER("n2"));

	t_predicate(&predicate_match_inter_pod_affinity, NULL, rows);
	world_pod(w, POD(""));
	t_int("a node without the label",
	    world_check(w, &predicate_match_inter_pod_affinity, NULL, "bare")
		.verdict,
	    FITS);
	world_free(w);
}

static void
who_is_not_concerned_is_not_asked(void)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	struct world *w = world_new(NODES WEB("n1") LONER("n2"));

	world_pod(w, W_POD("p", "app: z", "", ""));
	t_true("nothing required", world_prepare(w, p, NULL) == NULL);
	world_put(w,
	    W_POD_IN("default", "nominated", "", "",
		WITHOUT(TERM("app: z", "zone")), "nominatedNodeName: n1"));
	world_pod(w, W_POD("p", "app: z", "", ""));
	t_true("a nominated pod minds", world_prepare(w, p, NULL) != NULL);
	world_free(w);
}

static void
simulations_are_followed(void)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	struct world *w = world_new(NODES WEB("n2") LONER("n3"));
	struct pod *loner = world_decode_pod(LONER(""));
	struct pod *web = world_decode_pod(WEB(""));
	struct node_info *n1, *n2, *n3;
	void *prep;

	world_pod(w,
	    POD("affinity: {" REQUIRED("podAffinity",
		WEB_IN_ZONE) ", " REQUIRED("podAntiAffinity",
		TERM("app: l", "host")) "}"));
	n1 = world_node(w, "n1");
	n2 = world_node(w, "n2");
	n3 = world_node(w, "n3");
	prep = world_prepare(w, p, NULL);
	t_int("as it is", world_check_prepared(w, p, prep, n1).verdict, FITS);

	world_simulate(w, p, prep, n2, n2->pods[0], -1);
	t_str("company has left", world_check_prepared(w, p, prep, n1).why,
	    AFFINITY);
	world_simulate(w, p, prep, n2, web, 1);
	t_str("a nominated pod is no company",
	    world_check_prepared(w, p, prep, n1).why, AFFINITY);
	world_simulate(w, p, prep, n2, web, -1);
	world_simulate(w, p, prep, n2, n2->pods[0], 1);
	t_int("company is back", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);

	world_simulate(w, p, prep, n1, loner, 1);
	t_str("a nominated pod does refuse",
	    world_check_prepared(w, p, prep, n1).why, EXISTING);
	world_simulate(w, p, prep, n1, loner, -1);
	t_int("it has left", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);

	t_str("the one on n3", world_check_prepared(w, p, prep, n3).why,
	    EXISTING);
	world_simulate(w, p, prep, n3, n3->pods[0], -1);
	t_str("has left", world_check_prepared(w, p, prep, n3).why, AFFINITY);
	pod_unref(loner);
	pod_unref(web);
	world_free(w);
}

static struct outcome
outcome_of(struct world *w, const char *pod, const char *node)
{
	world_pod(w, pod);
	return world_check(w, &predicate_match_inter_pod_affinity, NULL, node);
}

#define NAMESPACE(name, labels)                                                \
	W_OBJECT("Namespace", "name: " name ", labels: {" labels "}", "")
#define SELECTING(selector)                                                    \
	"{labelSelector: {matchLabels: {app: web}}, topologyKey: zone, "       \
	"namespaceSelector: " selector "},"
#define NAMING(names, selector)                                                \
	"{labelSelector: {matchLabels: {app: web}}, topologyKey: zone, "       \
	"namespaces: [" names "], namespaceSelector: " selector "},"
#define TEAM(name) "{matchLabels: {team: " name "}}"
#define NOT_TEAM(name)                                                         \
	"{matchExpressions: [{key: team, operator: NotIn, values: [" name "]}]}"
/* a, of team a, and bare, without labels, have Namespaces; lost has none. */
#define SPACES                                                                 \
	NODES NAMESPACE("default", "team: x") NAMESPACE("a", "team: a")        \
	    NAMESPACE("bare", "")
#define WEB_IN(namespace) W_POD_IN(namespace, "web", "app: web", "n1", "", "")
#define SHY(namespace, term)                                                   \
	W_POD_IN(namespace, "shy", "", "n1", WITHOUT(term), "")

/* The same cluster, pod and node n1: whether it fits before 1.21 and from then
 * on. */
static void
terms_select_namespaces_from_1_21_on(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *objects, *pod;
		bool before, then;
	} rows[] = {
		{ "a selected namespace", SPACES WEB_IN("a"),
		    POD(WITH(SELECTING(TEAM("a")))), false, true },
		{ "one that is not", SPACES WEB_IN("bare"),
		    POD(WITH(SELECTING(TEAM("a")))), false, false },
		{ "the pod's own is not, unless it is selected",
		    SPACES WEB_IN("default"), POD(WITH(SELECTING(TEAM("a")))),
		    true, false },
		{ "its own, by labels", SPACES WEB_IN("default"),
		    POD(WITH(SELECTING(TEAM("x")))), true, true },
		{ "or by name", SPACES WEB_IN("default"),
		    POD(WITH(NAMING("default", TEAM("a")))), true, true },
		{ "both count", SPACES WEB_IN("a"),
		    POD(WITH(NAMING("default", TEAM("a")))), false, true },
		{ "{} is all of them", SPACES WEB_IN("bare"),
		    POD(WITH(SELECTING("{}"))), false, true },
		{ "also one without a Namespace", SPACES WEB_IN("lost"),
		    POD(WITH(SELECTING("{}"))), false, true },
		{ "null is none", SPACES WEB_IN("a"),
		    POD(WITH(SELECTING("null"))), false, false },
		{ "one without a Namespace has no labels",
		    SPACES WEB_IN("lost"), POD(WITH(SELECTING(TEAM("a")))),
		    false, false },
		{ "a selector that no labels satisfy is about those it selects",
		    SPACES WEB_IN("a"), POD(WITH(SELECTING(NOT_TEAM("a")))),
		    false, false },
		{ "with another requirement it is not",
		    SPACES WEB_IN("a"), POD(WITH(SELECTING("{matchLabels: "
			"{team: a}, matchExpressions: [{key: team, operator: "
			"NotIn, values: [a]}]}"))), false, false },
		{ "every term", SPACES WEB_IN("a"),
		    POD(WITH(SELECTING(TEAM("a")) SELECTING("{}"))), false,
		    true },
		{ "every term, and one has others", SPACES WEB_IN("a"),
		    POD(WITH(SELECTING(TEAM("a")) SELECTING(TEAM("x")))), false,
		    false },
		{ "all terms in all namespaces", SPACES WEB_IN("a"),
		    POD(WITH(SELECTING("{}") SELECTING("{}"))), false, true },
		{ "anti-affinity", SPACES WEB_IN("a"),
		    POD(WITHOUT(SELECTING(TEAM("a")))), true, false },
		{ "anti-affinity to others than its own",
		    SPACES WEB_IN("default"), POD(WITHOUT(SELECTING(TEAM("a")))),
		    false, true },
		{ "anti-affinity to all", SPACES WEB_IN("lost"),
		    POD(WITHOUT(SELECTING("{}"))), true, false },
		{ "the first of a group", SPACES,
		    W_POD("p", "app: web", "", WITH(SELECTING(TEAM("x")))), true,
		    true },
		{ "that its term is not about", SPACES,
		    W_POD("p", "app: web", "", WITH(SELECTING(TEAM("a")))), true,
		    false },
		{ "a pod there selects the namespace",
		    SPACES SHY("a", SELECTING(TEAM("x"))),
		    W_POD("p", "app: web", "", ""), true, false },
		{ "or not", SPACES SHY("default", SELECTING(TEAM("a"))),
		    W_POD("p", "app: web", "", ""), false, true },
		{ "or names it", SPACES SHY("a", NAMING("default", TEAM("b"))),
		    W_POD("p", "app: web", "", ""), false, false },
		{ "it goes by the labels that there are",
		    SPACES SHY("a", SELECTING(NOT_TEAM("x"))),
		    W_POD("p", "app: web", "", ""), true, true },
		{ "or are not", SPACES SHY("a", SELECTING(NOT_TEAM("x"))),
		    W_POD_IN("lost", "p", "app: web", "", "", ""), true, false },
		{ "{} of a pod there", SPACES SHY("a", SELECTING("{}")),
		    W_POD_IN("lost", "p", "app: web", "", "", ""), true, false },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);

		w->cluster->kubernetes_minor = 20;
		t_int(rows[i].name,
		    outcome_of(w, rows[i].pod, "n1").verdict == FITS,
		    rows[i].before);
		w->cluster->kubernetes_minor = 21;
		t_int(rows[i].name,
		    outcome_of(w, rows[i].pod, "n1").verdict == FITS,
		    rows[i].then);
		w->profile->strict = true;
		/* 1.15 lets the first of a group go anywhere */
		t_int("strictly",
		    outcome_of(w, rows[i].pod, "n1").verdict == FITS,
		    rows[i].before);
		world_free(w);
	}
}

/* The reference forgets that it has looked up the namespaces. */
static void
selectors_without_labels_select_all_namespaces_from_1_34_on(void)
{
	struct world *w = world_new(SPACES WEB_IN("a"));
	const char *pod = POD(WITH(SELECTING(NOT_TEAM("a"))));

	w->cluster->kubernetes_minor = 33;
	t_int("1.33", outcome_of(w, pod, "n1").verdict, UNFIT_FOREVER);
	w->cluster->kubernetes_minor = 34;
	t_int("1.34", outcome_of(w, pod, "n1").verdict, FITS);
	world_free(w);
}

static void
labels_of_namespaces_change(void)
{
	struct world *w = world_new(SPACES WEB_IN("a"));
	const char *pod = POD(WITH(SELECTING(TEAM("a"))));
	uint64_t seen;

	w->cluster->kubernetes_minor = 36;
	t_int("selected", outcome_of(w, pod, "n1").verdict, FITS);
	seen = w->cluster->namespace_labels;
	world_put(w,
	    W_OBJECT("Namespace",
		"name: a, labels: {team: a}, annotations: {x: z}", ""));
	t_true("other changes are none", w->cluster->namespace_labels == seen);
	world_put(w, NAMESPACE("a", "team: b"));
	t_true("labels are", w->cluster->namespace_labels != seen);
	t_int("no longer", outcome_of(w, pod, "n1").verdict, UNFIT_FOREVER);
	world_put(w, NAMESPACE("a", "team: a"));
	t_int("again", outcome_of(w, pod, "n1").verdict, FITS);
	world_remove(w, NAMESPACE("a", ""));
	t_int("gone", outcome_of(w, pod, "n1").verdict, UNFIT_FOREVER);
	world_free(w);
}

/* Simulations, and nominated pods, go by the same namespaces. */
static void
simulations_select_namespaces(void)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	struct world *w = world_new(SPACES SHY("a", SELECTING(TEAM("x")))
		W_POD_IN("a", "web", "app: web", "n3", "", ""));
	struct node_info *n1, *n3;
	void *prep;

	w->cluster->kubernetes_minor = 36;
	world_pod(w, W_POD("p", "app: web", "", ""));
	n1 = world_node(w, "n1");
	n3 = world_node(w, "n3");
	prep = world_prepare(w, p, NULL);
	t_int("refused", world_check_prepared(w, p, prep, n1).verdict, UNFIT);
	world_simulate(w, p, prep, n1, n1->pods[0], -1);
	t_int("without it", world_check_prepared(w, p, prep, n1).verdict, FITS);
	world_simulate(w, p, prep, n1, n1->pods[0], 1);
	t_int("and again", world_check_prepared(w, p, prep, n1).verdict, UNFIT);

	world_pod(w, POD(WITHOUT(SELECTING(TEAM("a")))));
	prep = world_prepare(w, p, NULL);
	t_int("own", world_check_prepared(w, p, prep, n3).verdict, UNFIT);
	world_simulate(w, p, prep, n3, n3->pods[0], -1);
	t_int("without it", world_check_prepared(w, p, prep, n3).verdict, FITS);

	world_remove(w, SHY("a", SELECTING(TEAM("x"))));
	world_pod(w, W_POD("p", "app: web", "", ""));
	t_true("nothing to ask", world_prepare(w, p, NULL) == NULL);
	world_put(w,
	    W_POD_IN("a", "next", "", "", WITHOUT(SELECTING(TEAM("x"))),
		"nominatedNodeName: n1"));
	world_pod(w, W_POD("p", "app: web", "", ""));
	t_true("a nominated pod selects, too",
	    world_prepare(w, p, NULL) != NULL);
	world_free(w);
}

static void
the_pods_own_broken_selectors(void)
{
	struct world *w = world_new(NODES);
	const char *affinity = POD(WITH(BAD_TERM)),
		   *anti = POD(WITHOUT(BAD_TERM));
	struct outcome o;

	t_str("affinity, an empty cluster", outcome_of(w, affinity, "n1").why,
	    AFFINITY);
	t_int("anti-affinity, an empty cluster",
	    outcome_of(w, anti, "n1").verdict, FITS);

	world_put(w, WEB("gone"));
	o = outcome_of(w, affinity, "n1");
	t_int("affinity, one pod", o.verdict, BROKEN);
	t_str("affinity, one pod", o.error,
	    "Cannot schedule pod default/p onto node n1, because of "
	    "PodAffinity: " BAD);
	t_int("anti-affinity, a pod on an unknown node",
	    outcome_of(w, anti, "n1").verdict, FITS);

	world_put(w, WEB("n3"));
	t_str("anti-affinity, one pod", outcome_of(w, anti, "n1").why, ANTI);

	world_put(w, LONER("n3"));
	t_str("pods there come first", outcome_of(w, affinity, "n3").why,
	    EXISTING);
	world_free(w);
}

static void
broken_selectors_of_pods_there(void)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	struct world *w =
	    world_new(NODES W_POD("bad", "", "gone", WITHOUT(BAD_TERM)));
	struct node_info *n3;
	struct outcome o;
	void *prep;

	t_int("on a node without Node object",
	    outcome_of(w, POD(""), "n1").verdict, FITS);
	world_put(w, W_POD("bad", "", "n3", WITH(BAD_TERM)));
	t_int("in affinity", outcome_of(w, POD(""), "n1").verdict, FITS);
	world_put(w, W_POD("bad", "", "n3", WITHOUT(BAD_TERM)));
	o = outcome_of(w, POD(""), "n1");
	t_int("in anti-affinity", o.verdict, BROKEN);
	t_str("in anti-affinity", o.error,
	    "Failed to get all terms that match pod default/p: " BAD);

	n3 = world_node(w, "n3");
	prep = world_prepare(w, p, NULL);
	world_simulate(w, p, prep, n3, n3->pods[0], -1);
	t_int("taken away", world_check_prepared(w, p, prep, n3).verdict, FITS);
	world_simulate(w, p, prep, n3, n3->pods[0], 1);
	t_int("put back", world_check_prepared(w, p, prep, n3).verdict, BROKEN);
	world_free(w);
}

static void
plugins_look_at_the_pods_own_terms_first(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "affinity, then the rest", NODES LONER("n1"),
		    POD(WITH(WEB_IN_ZONE)), UNFIT_FOREVER, AFFINITY, NULL },
		{ "anti-affinity, then that of others", NODES LONER("n1"),
		    POD(WITHOUT(TERM("app: l", "zone"))), UNFIT, ANTI, NULL },
		{ "that of others", NODES LONER("n1"), POD(""), UNFIT,
		    EXISTING, NULL },
		{ "with a broken selector there none of them counts",
		    NODES W_POD("odd", "", "n1",
			WITHOUT(BAD_TERM TERM("app: x", "zone"))), POD(""),
		    FITS, "", NULL },
	}, of_36[] = {
		{ "affinity", NODES, POD(WITH(WEB_IN_ZONE)), UNFIT_FOREVER,
		    "node(s) didn't match pod affinity rules", NULL },
		{ "anti-affinity", NODES WEB("n1"), POD(WITHOUT(WEB_IN_ZONE)),
		    UNFIT, "node(s) didn't match pod anti-affinity rules",
		    NULL },
		{ "that of others", NODES LONER("n1"), POD(""), UNFIT,
		    "node(s) didn't satisfy existing pods anti-affinity rules",
		    NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_match_inter_pod_affinity, NULL, of_20);
	t_predicate_of(36, &predicate_match_inter_pod_affinity, NULL, of_36);
}

#define NOMINATED(name, labels, spec)                                          \
	W_POD_IN("default", name, labels, "", spec, "nominatedNodeName: n1")

/* The verdict once the nominated pod, the only one there, is on n1. */
static enum verdict
verdict_with(struct world *w, int release, const char *pod,
    const char *nominated)
{
	const struct predicate *p = &predicate_match_inter_pod_affinity;
	struct pod *other = world_decode_pod(nominated);
	enum verdict verdict = FITS;
	void *prep;

	w->profile->release = release;
	world_put(w, nominated);
	world_pod(w, pod);
	prep = world_prepare(w, p, NULL);
	if (prep != NULL) {
		world_simulate(w, p, prep, world_node(w, "n1"), other, 1);
		verdict = world_check_prepared(w, p, prep, world_node(w, "n1"))
			      .verdict;
	}
	world_remove(w, nominated);
	pod_unref(other);
	return verdict;
}

static void
nominated_pods_count_for_all_terms_of_plugins(void)
{
	static const char web[] = NOMINATED("web", "app: web", "");
	static const char shy[] =
	    NOMINATED("shy", "", WITHOUT(TERM("app: x", "zone")));
	static const char wants[] = POD(WITHOUT(WEB_IN_ZONE));
	static const char plain[] = POD("");
	struct world *w = world_new(NODES);

	t_int("not with a policy", verdict_with(w, 15, wants, web), FITS);
	t_int("the pod's own, 1.20", verdict_with(w, 20, wants, web), UNFIT);
	t_int("the pod's own, 1.36", verdict_with(w, 36, wants, web), UNFIT);
	t_int("theirs, 1.20", verdict_with(w, 20, plain, shy), UNFIT);
	t_int("1.36 skips a pod without terms", verdict_with(w, 36, plain, shy),
	    FITS);
	t_int("but not one with terms", verdict_with(w, 36, wants, shy), UNFIT);
	world_free(w);
}

#define PREFERRED(kind, term)                                                  \
	kind ": {preferredDuringSchedulingIgnoredDuringExecution: [{weight: "  \
	     "1, podAffinityTerm: " term "}]}"

static void
plugins_reject_terms_that_cannot_be_used(void)
{
	static const struct {
		const char *name;
		int release;
		const char *spec, *why;
	} rows[] = {
		{ "none", 36, WITH(WEB_IN_ZONE), "" },
		{ "required", 20, WITH(BAD_TERM),
		    "parsing pod: requiredAffinityTerms: " BAD },
		{ "required, today", 36, WITH(BAD_TERM),
		    "parsing pod: requiredAffinityTerms: values: Invalid "
		    "value: null: " BAD },
		{ "preferred, too", 20,
		    "affinity: {" PREFERRED("podAntiAffinity", BAD_TERM) "}",
		    "parsing pod: preferredAntiAffinityTerms: " BAD },
		{ "two lists", 20,
		    "affinity: {" REQUIRED("podAntiAffinity",
			BAD_TERM) ", " PREFERRED("podAffinity", BAD_TERM) "}",
		    "parsing pod: [requiredAntiAffinityTerms: " BAD
		    ", preferredAffinityTerms: " BAD "]" },
	};
	struct world *w = world_new(NODES);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *pod =
		    xasprintf("--- {kind: Pod, metadata: {namespace: d, name: "
			      "p}, spec: {%s}}\n",
			rows[i].spec);
		struct outcome o;

		w->profile->release = rows[i].release;
		world_pod(w, pod);
		o = world_prefilter(w, &plugin_inter_pod_affinity, NULL, false);
		t_int(rows[i].name, o.verdict,
		    rows[i].why[0] != '\0' ? UNFIT_FOREVER : FITS);
		t_str(rows[i].name, o.why, rows[i].why);
	}
	world_free(w);
}

T_MAIN(T(pods_that_want_company), T(keys_that_no_server_merged_do_not_count),
    T(the_first_of_a_group_may_go_anywhere),

    T(pods_that_want_distance), T(pods_there_that_want_distance),
    T(who_is_not_concerned_is_not_asked), T(simulations_are_followed),
    T(terms_select_namespaces_from_1_21_on),
    T(selectors_without_labels_select_all_namespaces_from_1_34_on),
    T(labels_of_namespaces_change), T(simulations_select_namespaces),
    T(the_pods_own_broken_selectors), T(broken_selectors_of_pods_there),
    T(plugins_look_at_the_pods_own_terms_first),
    T(nominated_pods_count_for_all_terms_of_plugins),
    T(plugins_reject_terms_that_cannot_be_used))
