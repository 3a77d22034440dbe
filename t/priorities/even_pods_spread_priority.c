#include "config.h"

#include "t/priorities/rows.h"

#define NODES                                                                  \
	W_NODE("n1", "zone: z1, host: n1", "")                                 \
	W_NODE("n2", "zone: z1, host: n2", "")                                 \
	W_NODE("n3", "zone: z2, host: n3", "") W_NODE("n4", "host: n4", "")
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define CONSTRAINT(key, when)                                                  \
	"{maxSkew: 1, topologyKey: " key ", whenUnsatisfiable: " when          \
	", labelSelector: {matchLabels: {app: web}}}"
#define SOFT(key) CONSTRAINT(key, "ScheduleAnyway")
#define POD(spec, constraints)                                                 \
	W_POD("p", "app: web", "",                                             \
	    spec "topologySpreadConstraints: [" constraints "]")

/* clang-format off */
static const struct row rows[] = {
	{ "no constraints", NODES WEB("a", "n1"), POD("", ""),
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "hard constraints are the predicate's", NODES WEB("a", "n1"),
	    POD("", CONSTRAINT("zone", "DoNotSchedule")),
	    "n1=0 n2=0 n3=0 n4=0", "n1=0 n2=0 n3=0 n4=0" },
	{ "no pods yet; nodes without the key get 0", NODES,
	    POD("", SOFT("zone")),
	    "n1=10 n2=10 n3=10 n4=0", "n1=100 n2=100 n3=100 n4=0" },
	{ "1, 1, 0: total 2, minimum 0", NODES WEB("a", "n1"),
	    POD("", SOFT("zone")),
	    "n1=5 n2=5 n3=10 n4=0", "n1=50 n2=50 n3=100 n4=0" },
	{ "2, 2, 1: total 5, minimum 1",
	    NODES WEB("a", "n1") WEB("b", "n2") WEB("c", "n3"),
	    POD("", SOFT("zone")),
	    "n1=7 n2=7 n3=10 n4=0", "n1=75 n2=75 n3=100 n4=0" },
	{ "constraints add up: 3, 2, 0",
	    NODES WEB("a", "n1") WEB("b", "n4"),
	    POD("", SOFT("zone") ", " SOFT("host")),
	    "n1=3 n2=6 n3=10 n4=0", "n1=33 n2=66 n3=100 n4=0" },
	{ "constraints with one key share their counts",
	    NODES WEB("a", "n1") W_POD("b", "app: db", "n3", ""),
	    POD("", SOFT("zone") ", {maxSkew: 1, topologyKey: zone, "
		"whenUnsatisfiable: ScheduleAnyway, "
		"labelSelector: {matchLabels: {app: db}}}"),
	    "n1=10 n2=10 n3=10 n4=0", "n1=100 n2=100 n3=100 n4=0" },
	{ "nodes that the pod's nodeSelector excludes do not count",
	    NODES WEB("a", "n1") WEB("b", "n3"),
	    POD("nodeSelector: {host: n3}, ", SOFT("zone")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
	{ "nor those its required affinity excludes",
	    NODES WEB("a", "n1") WEB("b", "n3"),
	    POD("affinity: {nodeAffinity: "
		"{requiredDuringSchedulingIgnoredDuringExecution: "
		"{nodeSelectorTerms: [{matchExpressions: "
		"[{key: host, operator: In, values: [n3]}]}]}}}, ",
		SOFT("zone")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
	{ "pods of other namespaces do not count",
	    NODES W_POD_IN("other", "a", "app: web", "n1", "", "")
	    WEB("b", "n3"), POD("", SOFT("zone")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
	{ "pods that are being deleted do not count",
	    NODES W_OBJECT("Pod", "namespace: default, name: a, "
		"labels: {app: web}, deletionTimestamp: '2019-08-01T00:00:00Z'",
		"spec: {nodeName: n1}") WEB("b", "n3"), POD("", SOFT("zone")),
	    "n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" },
};
/* clang-format on */

static void
domains_with_fewer_selected_pods_win(void)
{
	check_rows(&priority_even_pods_spread_priority, NULL, rows);
}

static void
a_malformed_selector_is_an_error(void)
{
	struct world *w = world_new(NODES WEB("a", "n1"));

	world_pod(w,
	    POD("",
		"{maxSkew: 1, topologyKey: zone, "
		"whenUnsatisfiable: ScheduleAnyway, labelSelector: "
		"{matchExpressions: [{key: a, operator: In}]}}"));
	world_scores(w, &priority_even_pods_spread_priority, NULL);
	t_int("one error", w->cycle.nerrors, 1);
	t_str("in Kubernetes' words", w->cycle.errors[0].text,
	    "for 'in', 'notin' operators, values set can't be empty");
	world_free(w);
}

T_MAIN(T(domains_with_fewer_selected_pods_win),
    T(a_malformed_selector_is_an_error))
