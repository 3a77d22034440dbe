#include "config.h"

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

	p->pod_removed(&w->cycle, prep, n2, n2->pods[0]);
	t_str("company has left", world_check_prepared(w, p, prep, n1).why,
	    AFFINITY);
	p->pod_added(&w->cycle, prep, n2, web);
	t_str("a nominated pod is no company",
	    world_check_prepared(w, p, prep, n1).why, AFFINITY);
	p->pod_removed(&w->cycle, prep, n2, web);
	p->pod_added(&w->cycle, prep, n2, n2->pods[0]);
	t_int("company is back", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);

	p->pod_added(&w->cycle, prep, n1, loner);
	t_str("a nominated pod does refuse",
	    world_check_prepared(w, p, prep, n1).why, EXISTING);
	p->pod_removed(&w->cycle, prep, n1, loner);
	t_int("it has left", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);

	t_str("the one on n3", world_check_prepared(w, p, prep, n3).why,
	    EXISTING);
	p->pod_removed(&w->cycle, prep, n3, n3->pods[0]);
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
	p->pod_removed(&w->cycle, prep, n3, n3->pods[0]);
	t_int("taken away", world_check_prepared(w, p, prep, n3).verdict, FITS);
	p->pod_added(&w->cycle, prep, n3, n3->pods[0]);
	t_int("put back", world_check_prepared(w, p, prep, n3).verdict, BROKEN);
	world_free(w);
}

T_MAIN(T(pods_that_want_company), T(the_first_of_a_group_may_go_anywhere),
    T(pods_that_want_distance), T(pods_there_that_want_distance),
    T(who_is_not_concerned_is_not_asked), T(simulations_are_followed),
    T(the_pods_own_broken_selectors), T(broken_selectors_of_pods_there))
