#include "config.h"

#include "cluster/index.h"
#include "t/priorities/rows.h"

#define NEW_ZONE(zone)                                                         \
	"topology.kubernetes.io/region: r, "                                   \
	"topology.kubernetes.io/zone: " zone
#define ZONE(zone)                                                             \
	"failure-domain.beta.kubernetes.io/region: r, "                        \
	"failure-domain.beta.kubernetes.io/zone: " zone
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define WEB3(name, node)                                                       \
	WEB(name "1", node) WEB(name "2", node) WEB(name "3", node)
#define OBJECT(kind, name, selector)                                           \
	W_OBJECT(kind, "namespace: default, name: " name,                      \
	    "spec: {selector: " selector "}")
#define SET(kind, name, labels)                                                \
	OBJECT(kind, name, "{matchLabels: {" labels "}}")

#define POD W_POD("p", "app: web, tier: front", "", "")
#define SERVICE W_SERVICE("web", "app: web")
#define TWO W_NODE("n1", "", "") W_NODE("n2", "", "")
/* clang-format off */
#define SIX                                                                    \
	W_NODE("m1.z1", ZONE("z1"), "") W_NODE("m1.z2", ZONE("z2"), "")        \
	W_NODE("m2.z2", ZONE("z2"), "") W_NODE("m1.z3", ZONE("z3"), "")        \
	W_NODE("m2.z3", ZONE("z3"), "") W_NODE("m3.z3", ZONE("z3"), "")

static const struct row nodes[] = {
	{ "no pods yet", TWO SERVICE, POD, "n1=10 n2=10", "n1=100 n2=100" },
	{ "nothing selects the pod", TWO W_SERVICE("db", "app: db") WEB("a", "n1"),
	    POD, "n1=10 n2=10", "n1=100 n2=100" },
	{ "one pod", TWO SERVICE WEB("a", "n1"), POD,
	    "n1=0 n2=10", "n1=0 n2=100" },
	{ "one and two", TWO SERVICE WEB("a", "n1") WEB("b", "n2") WEB("c", "n2"),
	    POD, "n1=5 n2=0", "n1=50 n2=0" },
	{ "three and one: the score truncates",
	    TWO SERVICE WEB("a", "n1") WEB("b", "n1") WEB("c", "n1")
	    WEB("d", "n2"), POD, "n1=0 n2=6", "n1=0 n2=66" },
	{ "pods of other namespaces do not count",
	    TWO SERVICE W_POD_IN("other", "a", "app: web", "n1", "", ""), POD,
	    "n1=10 n2=10", "n1=100 n2=100" },
	{ "pods that are being deleted do not count",
	    TWO SERVICE W_OBJECT("Pod", "namespace: default, name: a, "
		"labels: {app: web}, deletionTimestamp: '2019-08-01T00:00:00Z'",
		"spec: {nodeName: n1}"), POD, "n1=10 n2=10", "n1=100 n2=100" },
	{ "Services of other namespaces select nothing here",
	    TWO W_OBJECT("Service", "namespace: other, name: web",
		"spec: {selector: {app: web}}") WEB("a", "n1"), POD,
	    "n1=10 n2=10", "n1=100 n2=100" },
};

static const struct row objects[] = {
	{ "a ReplicationController", TWO OBJECT("ReplicationController", "rc",
	    "{app: web}") WEB("a", "n1"), POD, "n1=0 n2=10", "n1=0 n2=100" },
	{ "a ReplicaSet", TWO SET("ReplicaSet", "rs", "app: web") WEB("a", "n1"),
	    POD, "n1=0 n2=10", "n1=0 n2=100" },
	{ "a StatefulSet", TWO SET("StatefulSet", "sts", "app: web")
	    WEB("a", "n1"), POD, "n1=0 n2=10", "n1=0 n2=100" },
	{ "a pod must belong to all of them to count",
	    TWO SERVICE SET("ReplicaSet", "rs", "app: web, tier: front")
	    WEB("a", "n1") W_POD("b", "app: web, tier: front", "n2", ""), POD,
	    "n1=10 n2=0", "n1=100 n2=0" },
	{ "a Service with an empty selector selects everything",
	    TWO OBJECT("Service", "all", "{}") W_POD("a", "app: db", "n1", ""),
	    POD, "n1=0 n2=10", "n1=0 n2=100" },
	{ "a Service without selector selects nothing",
	    TWO OBJECT("Service", "none", "null") WEB("a", "n1"), POD,
	    "n1=10 n2=10", "n1=100 n2=100" },
	{ "a controller with an empty selector selects nothing",
	    TWO OBJECT("ReplicationController", "rc", "{}")
	    OBJECT("ReplicaSet", "rs", "{}") WEB("a", "n1"), POD,
	    "n1=10 n2=10", "n1=100 n2=100" },
	{ "controllers do not select pods without labels",
	    TWO OBJECT("ReplicaSet", "rs", "{matchExpressions: "
		"[{key: app, operator: DoesNotExist}]}")
	    W_POD("a", "", "n1", ""), W_POD("p", "", "", ""),
	    "n1=10 n2=10", "n1=100 n2=100" },
	{ "a malformed selector disables its kind in the namespace",
	    TWO SET("ReplicaSet", "a", "app: web") OBJECT("ReplicaSet", "b",
		"{matchExpressions: [{key: app, operator: In, values: []}]}")
	    WEB("a", "n1"), POD, "n1=10 n2=10", "n1=100 n2=100" },
	{ "but not the other kinds",
	    TWO SERVICE OBJECT("ReplicaSet", "b",
		"{matchExpressions: [{key: app, operator: In, values: []}]}")
	    WEB("a", "n1"), POD, "n1=0 n2=10", "n1=0 n2=100" },
};

static const struct row zones[] = {
	{ "no pods yet", SIX SERVICE, POD,
	    "m1.z1=10 m1.z2=10 m1.z3=10 m2.z2=10 m2.z3=10 m3.z3=10",
	    "m1.z1=100 m1.z2=100 m1.z3=100 m2.z2=100 m2.z3=100 m3.z3=100" },
	{ "the zone counts twice as much as the node",
	    SIX SERVICE WEB("a", "m1.z2"), POD,
	    "m1.z1=10 m1.z2=0 m1.z3=10 m2.z2=3 m2.z3=10 m3.z3=10",
	    "m1.z1=100 m1.z2=0 m1.z3=100 m2.z2=33 m2.z3=100 m3.z3=100" },
	{ "two in one zone, one in another",
	    SIX SERVICE WEB("a", "m1.z2") WEB("b", "m2.z2") WEB("c", "m2.z3"),
	    POD, "m1.z1=10 m1.z2=0 m1.z3=6 m2.z2=0 m2.z3=3 m3.z3=6",
	    "m1.z1=100 m1.z2=0 m1.z3=66 m2.z2=0 m2.z3=33 m3.z3=66" },
	{ "one in each zone",
	    SIX SERVICE WEB("a", "m1.z1") WEB("b", "m1.z2") WEB("c", "m1.z3"),
	    POD, "m1.z1=0 m1.z2=0 m1.z3=0 m2.z2=3 m2.z3=3 m3.z3=3",
	    "m1.z1=0 m1.z2=0 m1.z3=0 m2.z2=33 m2.z3=33 m3.z3=33" },
	{ "one and two",
	    SIX SERVICE WEB("a", "m1.z2") WEB("b", "m1.z3") WEB("c", "m1.z3"),
	    POD, "m1.z1=10 m1.z2=5 m1.z3=0 m2.z2=6 m2.z3=3 m3.z3=3",
	    "m1.z1=100 m1.z2=50 m1.z3=0 m2.z2=66 m2.z3=33 m3.z3=33" },
	{ "nodes without a zone go by their own count",
	    W_NODE("n1", ZONE("z1"), "") W_NODE("n2", ZONE("z2"), "")
	    W_NODE("n3", "", "") SERVICE WEB("a", "n1") WEB("b", "n3"), POD,
	    "n1=0 n2=10 n3=0", "n1=0 n2=100 n3=0" },
	{ "doubles: 10 * 1/6 of 1/3 and 10 * 2/3 of 2/3 is just below 5",
	    W_NODE("n1", ZONE("z1"), "") W_NODE("n2", ZONE("z2"), "")
	    W_NODE("n3", ZONE("z2"), "") W_NODE("n4", ZONE("z2"), "") SERVICE
	    WEB3("a", "n1") WEB("b", "n1") WEB("c", "n1")
	    WEB3("d", "n2") WEB3("e", "n2") WEB3("f", "n3") WEB3("g", "n3")
	    WEB3("h", "n4"), POD,
	    "n1=4 n2=0 n3=0 n4=1", "n1=49 n2=0 n3=0 n4=16" },
};
/* clang-format on */

static void
nodes_with_fewer_of_the_pods_win(void)
{
	check_rows(&priority_selector_spread_priority, NULL, nodes);
}

static void
objects_select_by_labels(void)
{
	check_rows(&priority_selector_spread_priority, NULL, objects);
}

static void
zones_with_fewer_of_the_pods_win(void)
{
	check_rows(&priority_selector_spread_priority, NULL, zones);
}

/* The domain of each node in the zones that are a column. */
static void
find_domains(struct world *w, uint32_t domains[5])
{
	const struct priority *unit = &priority_selector_spread_priority;
	struct node_column columns[NODE_COLUMNS_MAX];

	t_int("columns",
	    (int)unit->columns(&w->cycle, unit->prepare(&w->cycle, NULL),
		columns),
	    2);
	for (unsigned i = 0; i < 5; i++) {
		char name[] = { 'n', (char)('1' + i), '\0' };

		domains[i] = columns[1].values[world_node(w, name)->index];
	}
}

static void
nodes_are_distinguished_by_the_labels_that_count(void)
{
	struct world *w = world_new(W_NODE("n1", ZONE("z1"), "") W_NODE("n2",
	    NEW_ZONE("z1"), "") W_NODE("n3", ZONE("z1") ", " NEW_ZONE("z1"), "")
		W_NODE("n4", NEW_ZONE("z2"), "") W_NODE("n5", "", "")
		    SERVICE WEB("a", "n1"));
	uint32_t domains[5];

	world_pod(w, POD);
	find_domains(w, domains);
	t_int("both and the older", domains[2], domains[0]);
	t_int("the newer alone", domains[1], DOMAIN_NONE);
	w->cluster->kubernetes_minor = 17;
	find_domains(w, domains);
	t_int("the newer", domains[1], domains[0]);
	t_int("both", domains[2], domains[0]);
	t_true("another zone", domains[3] != domains[0]);
	t_int("none", domains[4], DOMAIN_NONE);
	world_free(w);
}

/* Of the newer labels where a node lacks the older, from 1.17 on. */
static void
zones_go_by_the_newer_labels_too(void)
{
	struct world *w = world_new(
	    W_NODE("n1", ZONE("z1"), "") W_NODE("n2", NEW_ZONE("z1"), "")
		W_NODE("n3", NEW_ZONE("z2"), "") SERVICE WEB("a", "n1"));

	world_pod(w, POD);
	t_str("1.15", world_scores(w, &priority_selector_spread_priority, NULL),
	    "n1=0 n2=10 n3=10");
	w->cluster->kubernetes_minor = 18;
	world_pod(w, POD);
	t_str("1.18", world_scores(w, &priority_selector_spread_priority, NULL),
	    "n1=0 n2=3 n3=10");
	w->profile->strict = true;
	world_pod(w, POD);
	t_str("as 1.15, strictly",
	    world_scores(w, &priority_selector_spread_priority, NULL),
	    "n1=0 n2=10 n3=10");
	world_free(w);
}

/* clang-format off */
static const struct plugin_row of_20[] = {
	{ "one pod", TWO SERVICE WEB("a", "n1"), POD, "n1=0 n2=100" },
	{ "a selector that is empty counts none",
	    TWO OBJECT("Service", "all", "{}") WEB("a", "n1"), POD,
	    "n1=100 n2=100" },
	{ "pods with constraints are left alone",
	    TWO SERVICE WEB("a", "n1"), W_POD("p", "app: web", "",
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, "
		"whenUnsatisfiable: ScheduleAnyway}]"), "n1=0 n2=0" },
};
/* clang-format on */

static void
the_plugin_leaves_pods_with_constraints_alone(void)
{
	check_plugin_rows(20, &priority_selector_spread_priority, NULL, of_20);
}

T_MAIN(T(nodes_with_fewer_of_the_pods_win), T(objects_select_by_labels),
    T(zones_with_fewer_of_the_pods_win), T(zones_go_by_the_newer_labels_too),
    T(nodes_are_distinguished_by_the_labels_that_count),
    T(the_plugin_leaves_pods_with_constraints_alone))
