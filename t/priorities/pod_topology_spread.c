#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define ZONE(zone) "topology.kubernetes.io/zone: " zone
#define HOST(host) "kubernetes.io/hostname: " host
#define NODES                                                                  \
	W_NODE("n1", ZONE("z1") ", " HOST("n1"), "")                           \
	W_NODE("n2", ZONE("z1") ", " HOST("n2"), "")                           \
	W_NODE("n3", ZONE("z2") ", " HOST("n3"), "")                           \
	W_NODE("n4", HOST("n4"), "")
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define SOFT_OF(key, selector, rest)                                           \
	"{maxSkew: 1, topologyKey: " key                                       \
	", whenUnsatisfiable: ScheduleAnyway, labelSelector: {" selector       \
	"}" rest "}"
#define SOFT(key) SOFT_OF(key, "matchLabels: {app: web}", "")
#define BY_ZONE SOFT("topology.kubernetes.io/zone")
#define BY_HOST SOFT("kubernetes.io/hostname")
#define POD(spec, constraints)                                                 \
	W_POD("p", "app: web, rel: a", "",                                     \
	    spec "topologySpreadConstraints: [" constraints "]")
#define SERVICE W_SERVICE("s", "app: web")

/* clang-format off */
static const struct plugin_row of_20[] = {
	{ "no constraints", NODES, NO_CONTAINERS,
	    "n1=100 n2=100 n3=100 n4=100" },
	{ "2 and 1 times ln 4, truncated: 2 and 1",
	    NODES WEB("a", "n1") WEB("b", "n2") WEB("c", "n3"),
	    POD("", BY_ZONE), "n1=50 n2=50 n3=100 n4=0" },
	{ ("constraints with one key share their counts, and the second counts "
	    "times ln 2: 2 * (ln 4 + ln 2)"),
	    NODES WEB("a", "n1") W_POD("b", "app: db", "n2", "")
	    WEB("c", "n3"),
	    POD("", BY_ZONE ", " SOFT_OF("topology.kubernetes.io/zone",
		"matchLabels: {app: db}", "")),
	    "n1=50 n2=50 n3=100 n4=0" },
	{ "a selector {} selects all", NODES WEB("a", "n1"),
	    POD("", SOFT_OF("kubernetes.io/hostname", "", "")),
	    "n1=0 n2=100 n3=100 n4=100" },
	{ "by default, nodes without a zone get 0",
	    NODES SERVICE WEB("a", "n1"), POD("", ""),
	    "n1=75 n2=87 n3=100 n4=0" },
	{ "a malformed selector", NODES,
	    POD("", SOFT_OF("z", "matchExpressions: [{key: a, operator: In}]",
		"")),
	    ("error: calculating preScoreState: obtaining pod's soft topology spread "
	    "constraints: for 'in', 'notin' operators, values set can't be "
	    "empty") },
};

static const struct plugin_row of_36[] = {
	{ "no constraints", NODES, NO_CONTAINERS, "skipped" },
	{ "hard ones alone", NODES, POD("", "{maxSkew: 1, topologyKey: z, "
	    "whenUnsatisfiable: DoNotSchedule}"), "skipped" },
	{ "2 and 1 times ln 4, rounded: 3 and 1",
	    NODES WEB("a", "n1") WEB("b", "n2") WEB("c", "n3"),
	    POD("", BY_ZONE), "n1=33 n2=33 n3=100 n4=0" },
	{ "no pods", NODES, POD("", BY_ZONE), "n1=100 n2=100 n3=100 n4=0" },
	{ "of a host, the node's own: ln 6 is 2",
	    NODES WEB("a", "n1"), POD("", BY_HOST),
	    "n1=0 n2=100 n3=100 n4=100" },
	{ "constraints with one key are apart: 1 and 1 times ln 4, 2",
	    NODES WEB("a", "n1") W_POD("b", "app: db", "n2", "")
	    WEB("c", "n3"),
	    POD("", BY_ZONE ", " SOFT_OF("topology.kubernetes.io/zone",
		"matchLabels: {app: db}", "")),
	    "n1=33 n2=33 n3=100 n4=0" },
	{ "a selector {} counts none", NODES WEB("a", "n1"),
	    POD("", SOFT_OF("kubernetes.io/hostname", "", "")),
	    "n1=100 n2=100 n3=100 n4=100" },
	{ ("by default, a node without a zone has no pods in one: "
	    "ln 6 + 2 + ln 5 + 4, 2 + ln 5 + 4, 2 + 4 and 2"),
	    NODES SERVICE WEB("a", "n1"), POD("", ""),
	    "n1=22 n2=33 n3=55 n4=100" },
	{ ("by default, pods on a node without a zone are in the zone \"\": "
	    "2 + ln 3 + 4 and ln 4 + 2"),
	    W_NODE("n1", ZONE("''") ", " HOST("n1"), "")
	    W_NODE("n2", HOST("n2"), "") SERVICE WEB("a", "n2"),
	    POD("", ""), "n1=42 n2=100" },
	{ "not without a Service", NODES WEB("a", "n1"), POD("", ""),
	    "skipped" },
	{ "matchLabelKeys narrow the selector",
	    NODES WEB("a", "n1") W_POD("b", "app: web, rel: a", "n3", ""),
	    POD("", SOFT_OF("kubernetes.io/hostname",
		"matchLabels: {app: web}", ", matchLabelKeys: [rel]")),
	    "n1=100 n2=100 n3=0 n4=100" },
	{ "only on nodes that the pod's nodeSelector allows",
	    NODES WEB("a", "n1") WEB("b", "n3"),
	    POD("nodeSelector: {" HOST("n3") "}, ", BY_ZONE),
	    "n1=100 n2=100 n3=0 n4=0" },
	{ "unless it is to be ignored",
	    NODES WEB("a", "n1") WEB("b", "n3"),
	    POD("nodeSelector: {" HOST("n3") "}, ",
		SOFT_OF("topology.kubernetes.io/zone",
		    "matchLabels: {app: web}",
		    ", nodeAffinityPolicy: Ignore")),
	    "n1=100 n2=100 n3=100 n4=0" },
	{ "tainted nodes do not count if taints are to be honoured",
	    W_NODE("n1", ZONE("z1"), "taints: [{key: k, effect: NoSchedule}]")
	    W_NODE("n2", ZONE("z2"), "") WEB("a", "n1") WEB("b", "n2"),
	    POD("", SOFT_OF("topology.kubernetes.io/zone",
		"matchLabels: {app: web}", ", nodeTaintsPolicy: Honor")),
	    "n1=100 n2=0" },
	{ "maxSkew adds to all: 0 + 4 and 1 + 4",
	    W_NODE("n1", ZONE("z1"), "") W_NODE("n2", ZONE("z2"), "")
	    WEB("a", "n1"),
	    POD("", "{maxSkew: 5, topologyKey: topology.kubernetes.io/zone, "
		"whenUnsatisfiable: ScheduleAnyway, labelSelector: "
		"{matchLabels: {app: web}}}"), "n1=80 n2=100" },
	{ "a raw score of -1 is that of an ignored node",
	    W_NODE("n1", ZONE("z1"), "") W_NODE("n2", ZONE("z2"), "")
	    WEB("a", "n1") WEB("b", "n1"),
	    POD("", "{maxSkew: 0, topologyKey: topology.kubernetes.io/zone, "
		"whenUnsatisfiable: ScheduleAnyway, labelSelector: "
		"{matchLabels: {app: web}}}"), "n1=-50 n2=0" },
	{ "a malformed selector", NODES,
	    POD("", SOFT_OF("z", "matchExpressions: [{key: a, operator: X}]",
		"")),
	    ("error: calculating preScoreState: obtaining pod's soft topology spread "
	    "constraints: \"X\" is not a valid label selector operator") },
};

static const struct plugin_row by_rack[] = {
	{ "nodes without a key get 0 with constraints of the plugin's own",
	    W_NODE("n1", "rack: r1", "") W_NODE("n2", "rack: r2", "")
	    W_NODE("n3", "", "") SERVICE WEB("a", "n1"), POD("", ""),
	    "n1=0 n2=100 n3=0" },
	{ "the pod's own come first",
	    W_NODE("n1", "rack: r1", "") W_NODE("n2", "rack: r2", "")
	    SERVICE WEB("a", "n1"),
	    POD("", "{maxSkew: 1, topologyKey: none, whenUnsatisfiable: "
		"ScheduleAnyway}"), "n1=0 n2=0" },
};

static const struct plugin_row owned[] = {
	{ "the labels of its ReplicationController replace a Service's",
	    W_NODE("n1", HOST("n1"), "") W_NODE("n2", HOST("n2"), "")
	    SERVICE W_OBJECT("ReplicationController",
		"namespace: default, name: rc",
		"spec: {selector: {app: db}}")
	    WEB("a", "n1") W_POD("b", "app: db", "n2", ""),
	    W_OBJECT("Pod", "namespace: default, name: p, "
		"labels: {app: web}, ownerReferences: [{apiVersion: v1, "
		"kind: ReplicationController, name: rc, uid: u, "
		"controller: true}]", "spec: {}"), "n1=100 n2=66" },
};
/* clang-format on */

static void
the_domains_that_the_nodes_are_in_weigh(void)
{
	check_plugin_rows(20, &priority_pod_topology_spread, NULL, of_20);
	check_plugin_rows(36, &priority_pod_topology_spread, NULL, of_36);
}

static void
the_plugin_may_have_constraints_of_its_own(void)
{
	struct spread_constraint rack = { .max_skew = 1,
		.min_domains = 1,
		.topology_key = sym_intern("rack") };
	struct pod_topology_spread_args args = { .nconstraints = 1,
		.constraints = &rack };

	check_plugin_rows(20, &priority_pod_topology_spread, &args, by_rack);
	check_plugin_rows(36, &priority_pod_topology_spread, &args, by_rack);
	check_plugin_rows(36, &priority_pod_topology_spread, NULL, owned);
}

/* In how many columns nodes with the same numbers are alike to the plugin. */
static int
count_columns(int release, const char *nodes)
{
	const struct priority *unit = &priority_pod_topology_spread;
	struct world *w = plugin_world(release, nodes);
	struct node_column columns[NODE_COLUMNS_MAX];
	int n;

	world_put(w, SERVICE WEB("a", "n1"));
	world_pod(w, POD("", ""));
	n = (int)unit->columns(&w->cycle, unit->prepare(&w->cycle, NULL),
	    columns);
	world_free(w);
	return n;
}

static void
nodes_alike_are_scored_together(void)
{
	static const char hosts[] =
	    W_NODE("n1", HOST("n1"), "") W_NODE("n2", HOST("n2"), "");

	for (int release = 20; release <= 36; release += 16) {
		t_int("some without a zone", count_columns(release, NODES), 2);
		t_int("without zones", count_columns(release, hosts), 2);
		t_int("one without a host's name",
		    count_columns(release, NODES W_NODE("n5", "", "")), 0);
	}
}

T_MAIN(T(the_domains_that_the_nodes_are_in_weigh),
    T(the_plugin_may_have_constraints_of_its_own),
    T(nodes_alike_are_scored_together))
