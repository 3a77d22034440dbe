#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't match pod topology spread constraints"
#define NODES                                                                  \
	W_NODE("n1", "host: n1, zone: a", "")                                  \
	W_NODE("n2", "host: n2, zone: a", "")                                  \
	W_NODE("n3", "host: n3, zone: b", "")
#define SPREAD(skew, key, when, selector)                                      \
	"{maxSkew: " skew ", topologyKey: " key ", whenUnsatisfiable: " when   \
	", labelSelector: " selector "},"
#define HARD(skew, key)                                                        \
	SPREAD(skew, key, "DoNotSchedule", "{matchLabels: {app: web}}")
#define POD(constraints)                                                       \
	W_POD("p", "app: web", "",                                             \
	    "topologySpreadConstraints: [" constraints "]")
#define WEB(name, node) W_POD(name, "app: web", node, "")

static void
domains_stay_even(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no constraint", NODES WEB("a", "n1"), POD(""), FITS, "",
		    NULL },
		{ "an empty cluster", NODES, POD(HARD("1", "zone")), FITS, "",
		    NULL },
		{ "a skew of 1", NODES WEB("a", "n1") WEB("b", "n3"),
		    POD(HARD("1", "zone")), FITS, "", NULL },
		{ "a skew of 2", NODES WEB("a", "n1"), POD(HARD("1", "zone")),
		    UNFIT, WHY, "zone=a would have 2 pods, the least has 0 "
			"and maxSkew is 1" },
		{ "a skew of 2 is allowed", NODES WEB("a", "n1"),
		    POD(HARD("2", "zone")), FITS, "", NULL },
		{ "soft constraints are a matter of score",
		    NODES WEB("a", "n1"), POD(SPREAD("1", "zone",
			"ScheduleAnyway", "{matchLabels: {app: web}}")), FITS,
		    "", NULL },
		{ "the pod does not count itself when it does not match",
		    NODES W_POD("a", "app: db", "n1", ""),
		    POD(SPREAD("1", "zone", "DoNotSchedule",
			"{matchLabels: {app: db}}")), FITS, "", NULL },
		{ "every constraint must hold",
		    NODES WEB("a", "n1") WEB("b", "n3"),
		    POD(HARD("1", "zone") HARD("1", "host")), UNFIT, WHY,
		    "host=n1 would have 2 pods, the least has 0 and maxSkew "
			"is 1" },
		{ "other namespaces do not count",
		    NODES W_POD_IN("other", "a", "app: web", "n1", "", ""),
		    POD(HARD("1", "zone")), FITS, "", NULL },
		{ "no selector counts nothing",
		    NODES WEB("a", "n1") WEB("b", "n2"),
		    POD(SPREAD("1", "zone", "DoNotSchedule", "null")), FITS, "",
		    NULL },
		{ "a node without the label",
		    W_NODE("n1", "", "") W_NODE("n3", "zone: b", ""),
		    POD(HARD("1", "zone")), UNFIT, WHY,
		    "label zone is missing" },
		{ "no node has the label", W_NODE("n1", "", ""),
		    POD(HARD("1", "zone")), FITS, "", NULL },
		{ "only nodes with all labels count",
		    NODES W_NODE("n4", "zone: c", "") WEB("a", "n1")
			WEB("b", "n3"), POD(HARD("1", "zone")
			HARD("2", "host")), FITS, "", NULL },
		{ "only nodes the pod may use count",
		    NODES WEB("a", "n1"), W_POD("p", "app: web", "",
			"nodeSelector: {zone: a}, topologySpreadConstraints: ["
			HARD("1", "zone") "]"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_even_pods_spread, NULL, rows);
}

static void
terminating_pods_count_until_1_17(void)
{
	const struct predicate *p = &predicate_even_pods_spread;
	struct world *w = world_new(NODES W_OBJECT("Pod",
	    "name: a, labels: {app: web}, "
	    "deletionTimestamp: '2019-08-01T00:00:00Z'",
	    "spec: {nodeName: n1}"));

	world_pod(w, POD(HARD("1", "zone")));
	t_int("1.15", world_check(w, p, NULL, "n1").verdict, UNFIT);
	w->cluster->kubernetes_minor = 18;
	world_pod(w, POD(HARD("1", "zone")));
	t_int("1.18", world_check(w, p, NULL, "n1").verdict, FITS);
	world_free(w);
}

static void
simulations_are_followed(void)
{
	const struct predicate *p = &predicate_even_pods_spread;
	struct world *w = world_new(NODES WEB("a", "n2"));
	struct node_info *n1, *n2, *n3;
	struct pod *nominated = world_decode_pod(WEB("b", ""));
	void *prep;

	world_pod(w, POD(HARD("1", "zone")));
	n1 = world_node(w, "n1");
	n2 = world_node(w, "n2");
	n3 = world_node(w, "n3");
	prep = world_prepare(w, p, NULL);
	t_int("as it is", world_check_prepared(w, p, prep, n1).verdict, UNFIT);
	p->pod_added(&w->cycle, prep, n3, nominated);
	t_int("zone b has one, too",
	    world_check_prepared(w, p, prep, n1).verdict, FITS);
	p->pod_removed(&w->cycle, prep, n3, nominated);
	p->pod_removed(&w->cycle, prep, n2, n2->pods[0]);
	t_int("zone a has none", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);
	p->pod_added(&w->cycle, prep, n2, n2->pods[0]);
	t_int("as it was", world_check_prepared(w, p, prep, n1).verdict, UNFIT);
	pod_unref(nominated);
	world_free(w);
}

static void
a_selector_that_cannot_be_used_is_an_error(void)
{
	struct world *w = world_new(NODES);
	struct outcome o;

	world_pod(w,
	    POD(SPREAD("1", "zone", "DoNotSchedule",
		"{matchExpressions: [{key: a, operator: In}]}")));
	o = world_check(w, &predicate_even_pods_spread, NULL, "n1");
	t_int("verdict", o.verdict, BROKEN);
	t_str("error", o.error,
	    "for 'in', 'notin' operators, values set can't be empty");
	world_free(w);
}

T_MAIN(T(domains_stay_even), T(terminating_pods_count_until_1_17),
    T(simulations_are_followed), T(a_selector_that_cannot_be_used_is_an_error))
