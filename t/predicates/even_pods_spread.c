#include "config.h"

#include "base/xmalloc.h"
#include "decide/framework/args.h"
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

#define MISSING WHY " (missing required label)"
/* Over zones, for pods of app web, with more fields. */
#define MORE(fields)                                                           \
	POD("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "              \
	    "DoNotSchedule, labelSelector: {matchLabels: {app: web}}, " fields \
	    "}")
#define TAINTED(name, labels)                                                  \
	W_NODE(name, labels, "taints: [{key: k, effect: NoSchedule}]")
#define TERMINATING(name, node)                                                \
	W_OBJECT("Pod",                                                        \
	    "name: " name ", labels: {app: web}, "                             \
	    "deletionTimestamp: '2019-08-01T00:00:00Z'",                       \
	    "spec: {nodeName: " node "}")

/* Each from the release in which the API server takes the field: the rows are of
 * the release before it and of it. */
static void
later_fields_count_from_their_release(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *objects, *pod;
		int release;
		enum verdict before;
		const char *why_before;
		enum verdict then;
		const char *why_then;
	} rows[] = {
		{ "a node without the label",
		    W_NODE("n1", "", "") W_NODE("n3", "zone: b", ""),
		    POD(HARD("1", "zone")), 18, UNFIT, WHY, UNFIT_FOREVER,
		    MISSING },
		{ "no node has the label", W_NODE("n1", "", ""),
		    POD(HARD("1", "zone")), 18, FITS, "", UNFIT_FOREVER,
		    MISSING },
		{ "no node is eligible", NODES WEB("a", "n1") WEB("b", "n1"),
		    W_POD("p", "app: web", "", "nodeSelector: {no: where},"
			"topologySpreadConstraints: [" HARD("1", "zone") "]"),
		    18, FITS, "", FITS, "" },
		{ "an uneven constraint before one whose label is missing",
		    NODES W_NODE("n4", "host: n4, zone: b, rack: r", "")
			WEB("a", "n1"), POD(HARD("1", "host") HARD("1", "rack")),
		    18, UNFIT, WHY, UNFIT_FOREVER, MISSING },
		{ "terminating pods", NODES TERMINATING("a", "n1"),
		    POD(HARD("1", "zone")), 18, UNFIT, WHY, FITS, "" },
		{ "a selector {} counts no pod", NODES WEB("a", "n1"),
		    POD(SPREAD("1", "zone", "DoNotSchedule", "{}")), 18, UNFIT,
		    WHY, FITS, "" },
		{ "but the pod itself", NODES,
		    POD(SPREAD("0", "zone", "DoNotSchedule", "{}")), 18, UNFIT,
		    WHY, UNFIT, WHY },
		{ "fewer domains than minDomains",
		    NODES WEB("a", "n1") WEB("b", "n3"), MORE("minDomains: 3"),
		    24, FITS, "", UNFIT, WHY },
		{ "as many", NODES WEB("a", "n1") WEB("b", "n3"),
		    MORE("minDomains: 2"), 24, FITS, "", FITS, "" },
		{ "domains without eligible nodes are none",
		    NODES W_NODE("n4", "host: n4", "") WEB("a", "n1")
			WEB("b", "n3"), W_POD("p", "app: web", "",
			"nodeSelector: {zone: a}, topologySpreadConstraints: ["
			"{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
			"DoNotSchedule, labelSelector: {matchLabels: {app: "
			"web}}, minDomains: 2}]"),
		    24, FITS, "", UNFIT, WHY },
		{ "nodeAffinityPolicy Ignore",
		    NODES WEB("a", "n1"), W_POD("p", "app: web", "",
			"nodeSelector: {zone: a}, topologySpreadConstraints: ["
			"{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
			"DoNotSchedule, labelSelector: {matchLabels: {app: "
			"web}}, nodeAffinityPolicy: Ignore}]"),
		    25, FITS, "", UNFIT, WHY },
		{ "nodeAffinityPolicy Honor",
		    NODES WEB("a", "n1"), W_POD("p", "app: web", "",
			"nodeSelector: {zone: a}, topologySpreadConstraints: ["
			"{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
			"DoNotSchedule, labelSelector: {matchLabels: {app: "
			"web}}, nodeAffinityPolicy: Honor}]"),
		    25, FITS, "", FITS, "" },
		{ "nodeTaintsPolicy Honor",
		    W_NODE("n1", "zone: a", "") TAINTED("n2", "zone: b")
			WEB("a", "n1"), MORE("nodeTaintsPolicy: Honor"), 25,
		    UNFIT, WHY, FITS, "" },
		{ "nodeTaintsPolicy Ignore",
		    W_NODE("n1", "zone: a", "") TAINTED("n2", "zone: b")
			WEB("a", "n1"), MORE("nodeTaintsPolicy: Ignore"), 25,
		    UNFIT, WHY, UNFIT, WHY },
		{ "a taint that is tolerated",
		    W_NODE("n1", "zone: a", "") TAINTED("n2", "zone: b")
			WEB("a", "n1"), W_POD("p", "app: web", "",
			"tolerations: [{operator: Exists}], "
			"topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
			"zone, whenUnsatisfiable: DoNotSchedule, labelSelector:"
			" {matchLabels: {app: web}}, nodeTaintsPolicy: Honor}]"),
		    25, UNFIT, WHY, UNFIT, WHY },
		{ "a taint that keeps no pods out",
		    W_NODE("n1", "zone: a", "") W_NODE("n2", "zone: b",
			"taints: [{key: k, effect: PreferNoSchedule}]")
			WEB("a", "n1"), MORE("nodeTaintsPolicy: Honor"), 25,
		    UNFIT, WHY, UNFIT, WHY },
		{ "matchLabelKeys: pods of another version do not count",
		    NODES W_POD("a", "app: web, v: v1", "n1", ""),
		    W_POD("p", "app: web, v: v2", "",
			"topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
			"zone, whenUnsatisfiable: DoNotSchedule, labelSelector:"
			" {matchLabels: {app: web}}, matchLabelKeys: [v]}]"),
		    25, UNFIT, WHY, FITS, "" },
		{ "of the same do",
		    NODES W_POD("a", "app: web, v: v1", "n1", ""),
		    W_POD("p", "app: web, v: v1", "",
			"topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
			"zone, whenUnsatisfiable: DoNotSchedule, labelSelector:"
			" {matchLabels: {app: web}}, matchLabelKeys: [v]}]"),
		    25, UNFIT, WHY, UNFIT, WHY },
		{ "a key that the pod does not have",
		    NODES W_POD("a", "app: web, v: v1", "n1", ""),
		    MORE("matchLabelKeys: [v]"), 25, UNFIT, WHY, UNFIT, WHY },
		{ "keys make {} count pods",
		    NODES W_POD("a", "app: web", "n1", ""),
		    POD("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
			"DoNotSchedule, labelSelector: {}, matchLabelKeys: "
			"[app]}"), 25, FITS, "", UNFIT, WHY },
		{ "but not no selector",
		    NODES W_POD("a", "app: web", "n1", ""),
		    POD("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
			"DoNotSchedule, matchLabelKeys: [app]}"), 25, FITS, "",
		    FITS, "" },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(rows[i].objects);
		struct outcome o;

		for (int j = 0; j < 3; j++) {
			bool then = j == 1;

			/* strictly, it never counts */
			w->profile->strict = j == 2;
			w->cluster->kubernetes_minor =
			    rows[i].release - (j == 0);
			if (j == 2 && rows[i].release > 18)
				continue;
			world_pod(w, rows[i].pod);
			o = world_check(w, &predicate_even_pods_spread, NULL,
			    "n1");
			t_int(rows[i].name, o.verdict,
			    then ? rows[i].then : rows[i].before);
			t_str(rows[i].name, o.why,
			    then ? rows[i].why_then : rows[i].why_before);
		}
		world_free(w);
	}
}

/* Below 1.18 by the gate alone, then always, but not as 1.15 strictly. */
static void
hard_constraints_hold_from_1_18_on(void)
{
	struct world *w = world_new(NODES WEB("a", "n1"));
	const struct predicate *p = &predicate_even_pods_spread;

	w->profile->gates.even_pods_spread = false;
	world_pod(w, POD(HARD("1", "zone")));
	t_int("1.15", world_check(w, p, NULL, "n1").verdict, FITS);
	w->cluster->kubernetes_minor = 18;
	world_pod(w, POD(HARD("1", "zone")));
	t_int("1.18", world_check(w, p, NULL, "n1").verdict, UNFIT);
	w->profile->strict = true;
	world_pod(w, POD(HARD("1", "zone")));
	t_int("strictly", world_check(w, p, NULL, "n1").verdict, FITS);
	world_free(w);
}

static void
misses_of_domains_are_told(void)
{
	struct world *w = world_new(NODES WEB("a", "n1") WEB("b", "n3"));

	w->cluster->kubernetes_minor = 36;
	world_pod(w, MORE("minDomains: 3"));
	t_str("fewer domains",
	    world_check(w, &predicate_even_pods_spread, NULL, "n1").miss,
	    "zone=a would have 2 pods, there are 2 of at least 3 domains and "
	    "maxSkew is 1");
	world_free(w);
}

/* A victim that terminates, or is one of a selector {}, was not counted, and
 * goes all the same, as in kube-scheduler. */
static void
simulations_also_remove_pods_that_do_not_count(void)
{
	const struct predicate *p = &predicate_even_pods_spread;
	struct world *w = world_new(NODES TERMINATING("a", "n1") WEB("b", "n1")
		TAINTED("n4", "zone: a") WEB("c", "n4"));
	struct node_info *n1 = NULL, *n4;
	void *prep;

	w->cluster->kubernetes_minor = 36;
	world_pod(w, MORE("nodeTaintsPolicy: Honor"));
	n1 = world_node(w, "n1");
	n4 = world_node(w, "n4");
	prep = world_prepare(w, p, NULL);
	t_int("as it is", world_check_prepared(w, p, prep, n1).verdict, UNFIT);
	world_simulate(w, p, prep, n4, n4->pods[0], -1);
	t_int("nodes that do not count",
	    world_check_prepared(w, p, prep, n1).verdict, UNFIT);
	for (uint32_t i = 0; i < n1->npods; i++)
		if (n1->pods[i]->class->terminating)
			world_simulate(w, p, prep, n1, n1->pods[i], -1);
	t_int("one that terminates",
	    world_check_prepared(w, p, prep, n1).verdict, FITS);
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
	world_simulate(w, p, prep, n3, nominated, 1);
	t_int("zone b has one, too",
	    world_check_prepared(w, p, prep, n1).verdict, FITS);
	world_simulate(w, p, prep, n3, nominated, -1);
	world_simulate(w, p, prep, n2, n2->pods[0], -1);
	t_int("zone a has none", world_check_prepared(w, p, prep, n1).verdict,
	    FITS);
	world_simulate(w, p, prep, n2, n2->pods[0], 1);
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

#define TWO(skew)                                                              \
	SPREAD(skew, "zone", "DoNotSchedule", "{matchLabels: {app: web}}")     \
	SPREAD(skew, "zone", "DoNotSchedule", "{matchLabels: {tier: front}}")
#define FRONT(name, node) W_POD(name, "tier: front", node, "")
#define EVERYTHING(skew) SPREAD(skew, "zone", "DoNotSchedule", "{}")
#define BOUND_TO(pairs, constraints)                                           \
	W_POD("p", "app: web", "",                                             \
	    "nodeSelector: {" pairs                                            \
	    "}, topologySpreadConstraints: [" constraints "]")

static void
constraints_of_1_20_on_one_key_add_up(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "pods of both", NODES WEB("a", "n1") FRONT("b", "n2")
			W_NODE("n4", "host: n4, zone: c", ""),
		    POD(TWO("2")), UNFIT, WHY, "zone=a would have 3 pods, the "
			"least has 0 and maxSkew is 2" },
		{ "are within twice the skew", NODES WEB("a", "n1")
			FRONT("b", "n2"), POD(TWO("3")), FITS, "", NULL },
		{ "on nodes that the pod may not use", NODES WEB("a", "n2")
			WEB("b", "n2"),
		    BOUND_TO("host: n1", HARD("1", "zone")), FITS, "", NULL },
		{ "also of the emptiest domain", NODES WEB("a", "n2")
			W_NODE("n4", "host: n4, zone: c, use: it", "")
			W_NODE("n5", "host: n5, zone: a, use: it", ""),
		    BOUND_TO("use: it", HARD("1", "zone")), UNFIT, WHY,
		    "zone=a would have 2 pods, the least has 0 and maxSkew "
			"is 1" },
		{ "a selector {} matches all", NODES WEB("a", "n1")
			FRONT("b", "n1"), POD(EVERYTHING("1")), UNFIT, WHY,
		    NULL },
		{ "without an eligible node all fit", NODES WEB("a", "n1"),
		    BOUND_TO("host: none", HARD("1", "zone")), FITS, "",
		    NULL },
		{ "that have the label", NODES WEB("a", "n1"),
		    BOUND_TO("host: none", HARD("1", "rack")), UNFIT_FOREVER,
		    MISSING, "label rack is missing" },
		{ "without the label pods count where it is empty",
		    W_NODE("n1", "zone: ''", "") W_NODE("n2", "zone: b", "")
			W_NODE("n3", "", "") WEB("a", "n3"),
		    POD(HARD("1", "zone")), UNFIT, WHY,
		    "zone= would have 2 pods, the least has 0 and maxSkew "
			"is 1" },
		{ "terminating pods do not count",
		    NODES TERMINATING("a", "n1"), POD(HARD("1", "zone")), FITS,
		    "", NULL },
	}, of_36[] = {
		{ "each by itself", NODES WEB("a", "n1") FRONT("b", "n2"),
		    POD(TWO("2")), FITS, "", NULL },
		{ "pods on nodes that the pod may not use do not count",
		    NODES WEB("a", "n2") WEB("b", "n2"),
		    BOUND_TO("host: n1", HARD("1", "zone")), FITS, "", NULL },
		{ "without an eligible node the least is 0",
		    NODES WEB("a", "n1") WEB("b", "n1"),
		    BOUND_TO("host: none", HARD("0", "zone")), UNFIT, WHY,
		    NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_even_pods_spread, NULL, of_20);
	t_predicate_of(36, &predicate_even_pods_spread, NULL, of_36);
}

#define OWNED(kind, api, name)                                                 \
	"--- {kind: Pod, metadata: {namespace: default, name: p, "             \
	"labels: {app: web}, ownerReferences: [{controller: true, kind: " kind \
	", apiVersion: " api ", name: " name ", uid: u}]}}\n"
#define WORKLOAD(kind, name)                                                   \
	W_OBJECT(kind, "namespace: default, name: " name,                      \
	    "spec: {selector: {matchLabels: {app: web}}}")
#define CROWDED NODES WEB("a", "n1") WEB("b", "n1")

static void
pods_without_constraints_may_have_some_by_default(void)
{
	static struct spread_constraint hard = { .max_skew = 1,
		.min_domains = 1,
		.hard = true };
	static const struct pod_topology_spread_args args = { .nconstraints = 1,
		.constraints = &hard };
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "not without a workload", CROWDED, POD(""), FITS, "", NULL },
		{ "by a service", CROWDED W_SERVICE("s", "app: web"), POD(""),
		    UNFIT, WHY, NULL },
		{ "by any controller that selects it",
		    CROWDED WORKLOAD("ReplicaSet", "r"), POD(""), UNFIT, WHY,
		    NULL },
		{ "not with soft ones of its own",
		    CROWDED W_SERVICE("s", "app: web"),
		    POD(SPREAD("1", "zone", "ScheduleAnyway", "{}")), FITS, "",
		    NULL },
	}, of_36[] = {
		{ "by a service", CROWDED W_SERVICE("s", "app: web"), POD(""),
		    UNFIT, WHY, NULL },
		{ "not by a controller that only selects it",
		    CROWDED WORKLOAD("ReplicaSet", "r"), POD(""), FITS, "",
		    NULL },
		{ "by its own", CROWDED WORKLOAD("ReplicaSet", "r"),
		    OWNED("ReplicaSet", "apps/v1", "r"), UNFIT, WHY, NULL },
		{ "not by another", CROWDED WORKLOAD("ReplicaSet", "r"),
		    OWNED("ReplicaSet", "apps/v1", "q"), FITS, "", NULL },
		{ "nor by one of another group",
		    CROWDED WORKLOAD("ReplicaSet", "r"),
		    OWNED("ReplicaSet", "extensions/v1beta1", "r"), FITS, "",
		    NULL },
	};
	/* clang-format on */

	hard.topology_key = sym_intern("zone");
	t_predicate_of(20, &predicate_even_pods_spread, &args, of_20);
	t_predicate_of(36, &predicate_even_pods_spread, &args, of_36);
}

static void
plugins_reject_selectors_that_cannot_be_used(void)
{
	static const struct {
		int release;
		const char *when, *expression, *error;
	} rows[] = {
		{ 20, "DoNotSchedule", "{key: a, operator: In}",
		    "obtaining pod's hard topology spread constraints: for "
		    "'in', 'notin' operators, values set can't be empty" },
		{ 36, "DoNotSchedule", "{key: a, operator: In}",
		    "get constraints from pod: obtaining pod's hard topology "
		    "spread constraints: values: Invalid value: null: for "
		    "'in', 'notin' operators, values set can't be empty" },
		{ 36, "DoNotSchedule",
		    "{key: a, operator: Exists, values: [u, v]}",
		    "get constraints from pod: obtaining pod's hard topology "
		    "spread constraints: values: Invalid value: [\"u\",\"v\"]: "
		    "values set must be empty for exists and does not exist" },
		{ 36, "DoNotSchedule", "{key: a, operator: Has}",
		    "get constraints from pod: obtaining pod's hard topology "
		    "spread constraints: \"Has\" is not a valid label selector "
		    "operator" },
		{ 36, "ScheduleAnyway", "{key: a, operator: In}", "" },
	};
	struct world *w = world_new(NODES);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *pod = xasprintf(
		    "--- {kind: Pod, metadata: {namespace: d, name: p}, spec: "
		    "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
		    "zone, whenUnsatisfiable: %s, labelSelector: "
		    "{matchExpressions: [%s]}}]}}\n",
		    rows[i].when, rows[i].expression);
		struct outcome o;

		w->profile->release = rows[i].release;
		world_pod(w, pod);
		o = world_prefilter(w, &plugin_pod_topology_spread, NULL,
		    false);
		t_int(rows[i].when, o.verdict,
		    rows[i].error[0] != '\0' ? BROKEN : FITS);
		t_str(rows[i].when, o.error, rows[i].error);
	}
	world_free(w);
}

static void
match_label_keys_have_a_gate(void)
{
	static const char pod[] = W_POD("p", "app: web, tier: front", "",
	    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, "
	    "whenUnsatisfiable: DoNotSchedule, labelSelector: "
	    "{matchLabels: {app: web}}, matchLabelKeys: [tier]}]");
	struct world *w = world_new(CROWDED);

	w->profile->release = 36;
	world_pod(w, pod);
	t_int("pods of another tier do not count",
	    world_check(w, &predicate_even_pods_spread, NULL, "n1").verdict,
	    FITS);
	w->profile->gates.match_label_keys = false;
	world_pod(w, pod);
	t_int("without the gate they do",
	    world_check(w, &predicate_even_pods_spread, NULL, "n1").verdict,
	    UNFIT);
	world_free(w);
}

T_MAIN(T(domains_stay_even), T(terminating_pods_count_until_1_17),
    T(later_fields_count_from_their_release),
    T(hard_constraints_hold_from_1_18_on), T(misses_of_domains_are_told),
    T(simulations_also_remove_pods_that_do_not_count),

    T(simulations_are_followed), T(a_selector_that_cannot_be_used_is_an_error),
    T(constraints_of_1_20_on_one_key_add_up),
    T(pods_without_constraints_may_have_some_by_default),
    T(plugins_reject_selectors_that_cannot_be_used),
    T(match_label_keys_have_a_gate))
