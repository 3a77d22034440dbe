#include "config.h"

#include "base/xmalloc.h"
#include "cluster/volume_binding.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define CONFLICT "node(s) had volume node affinity conflict"
#define NO_MATCH "node(s) didn't find available persistent volumes to bind"
#define MISSING                                                                \
	"node(s) unavailable due to one or more pvc(s) bound to non-existent " \
	"pv(s)"

#define LEAF(annotations)                                                      \
	W_OBJECT("Node",                                                       \
	    "name: n1, labels: {zone: a, kosmos.io/node: 'true'}, "            \
	    "annotations: {" annotations "}",                                  \
	    "status: {allocatable: {pods: 10}}")
/* A node for all of member cluster m1, and one for one node of it. */
#define WHOLE LEAF("leafNodeMode: one2cluster, kosmos-io/owned-by-cluster: m1")
#define SINGLE LEAF("kosmos-io/owned-by-cluster: m1")
#define TAINTED                                                                \
	W_NODE("n1", "zone: a",                                                \
	    "taints: [{key: kosmos.io/node, value: "                           \
	    "'true', effect: NoSchedule}]")
#define HOST W_NODE("n1", "zone: a", "")

#define OWNED(cluster) "kosmos-io/cluster-owners: " cluster
#define BOUND(owner)                                                           \
	CLAIM_OF("c", "pv.kubernetes.io/bind-completed: 'yes', " owner,        \
	    "volumeName: v")
#define PV(owner, spec)                                                        \
	W_OBJECT("PersistentVolume", "name: v, annotations: {" owner "}",      \
	    "spec: {" spec "}")
#define IN_ZONE(zone)                                                          \
	"nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: "    \
	"[{key: zone, operator: In, values: [" zone "]}]}]}}"
#define WAITS(annotations)                                                     \
	CLAIM_OF("c", annotations,                                             \
	    "storageClassName: later, accessModes: "                           \
	    "[ReadWriteOnce], resources: {requests: {storage: 1Gi}}")
#define LATER(provisioner)                                                     \
	CLASS("later",                                                         \
	    "volumeBindingMode: WaitForFirstConsumer, "                        \
	    "provisioner: " provisioner)
#define NONE LATER("kubernetes.io/no-provisioner")
#define FREE(zone)                                                             \
	W_OBJECT("PersistentVolume", "name: v",                                \
	    "status: {phase: Available}, "                                     \
	    "spec: {storageClassName: later, capacity: {storage: 1Gi}, "       \
	    "accessModes: [ReadWriteOnce], " IN_ZONE(zone) "}")

static const struct world_row rows[] = {
	/* clang-format off */
	{ "no claims", WHOLE, POD(""), FITS, "", NULL },

	/* a node for a whole cluster */
	{ "a volume of that cluster", WHOLE BOUND("") PV(OWNED("m1"), ""),
	  POD(USE("c")), FITS, "", NULL },
	{ "of another", WHOLE BOUND("") PV(OWNED("m2"), ""), POD(USE("c")),
	  UNFIT_FOREVER, CONFLICT,
	  "PersistentVolume v is not reachable from the node" },
	{ "whose affinity does not count then",
	  WHOLE BOUND("") PV(OWNED("m1"), IN_ZONE("b")), POD(USE("c")), FITS,
	  "", NULL },
	{ "of none, with an affinity", WHOLE BOUND("") PV("", IN_ZONE("a")),
	  POD(USE("c")), FITS, "", NULL },
	{ "to somewhere else", WHOLE BOUND("") PV("", IN_ZONE("b")),
	  POD(USE("c")), UNFIT_FOREVER, CONFLICT, NULL },
	{ "of none, without", WHOLE BOUND("") PV("", ""), POD(USE("c")),
	  UNFIT_FOREVER, CONFLICT, NULL },
	{ "a volume that is not there", WHOLE BOUND(""), POD(USE("c")),
	  UNFIT_FOREVER, MISSING,
	  "claim c is bound to PersistentVolume v, which does not exist" },
	{ "a claim of that cluster", WHOLE LATER("p") WAITS(OWNED("m1")),
	  POD(USE("c")), FITS, "", NULL },
	{ "without a provisioner", WHOLE NONE WAITS(OWNED("m1")),
	  POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
	{ "a claim of another", WHOLE LATER("p") WAITS(OWNED("m2")),
	  POD(USE("c")), UNFIT_FOREVER, NO_MATCH, "no volume for claim c" },
	{ "a claim of none, and a free volume",
	  WHOLE NONE WAITS("") FREE("a"), POD(USE("c")), FITS, "", NULL },
	{ "and none that reaches it", WHOLE NONE WAITS("") FREE("b"),
	  POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
	{ "which may be provisioned", WHOLE LATER("p") WAITS(""),
	  POD(USE("c")), FITS, "", NULL },
	{ "for another node, too", WHOLE LATER("p")
	      WAITS("volume.kubernetes.io/selected-node: n2"), POD(USE("c")),
	  FITS, "", NULL },
	{ "a node that says not of which cluster",
	  LEAF("leafNodeMode: one2cluster") BOUND("") PV(OWNED("m1"), ""),
	  POD(USE("c")), UNFIT_FOREVER, CONFLICT, NULL },

	/* one for a single node */
	{ "no bound claims", SINGLE NONE WAITS(""), POD(USE("c")), FITS, "",
	  NULL },
	{ "nor with the taint alone", TAINTED NONE WAITS(""), POD(USE("c")),
	  FITS, "", NULL },
	{ "bound ones as on any node",
	  SINGLE BOUND(OWNED("m1")) PV(OWNED("m1"), ""), POD(USE("c")), FITS,
	  "", NULL },
	{ "which may be elsewhere", SINGLE BOUND("") PV("", IN_ZONE("b")),
	  POD(USE("c")), UNFIT_FOREVER, CONFLICT, NULL },

	/* an ordinary node */
	{ "a claim of no member cluster", HOST BOUND("") PV("", ""),
	  POD(USE("c")), FITS, "", NULL },
	{ "a bound one of a member cluster", HOST BOUND(OWNED("m1")) PV("", ""),
	  POD(USE("c")), UNFIT_FOREVER, CONFLICT,
	  "claim c belongs to member cluster m1" },
	{ "one that waits", HOST LATER("p") WAITS(OWNED("m1")), POD(USE("c")),
	  UNFIT_FOREVER, CONFLICT, NULL },
	{ "what waits, as ever", HOST NONE WAITS("") FREE("b"), POD(USE("c")),
	  UNFIT_FOREVER, NO_MATCH, NULL },
	{ "a volume that is not there, on a host node", HOST BOUND(""),
	  POD(USE("c")), UNFIT_FOREVER, MISSING, NULL },
	{ "another value of the label",
	  W_NODE("n1", "kosmos.io/node: x", "") NONE WAITS(""), POD(USE("c")),
	  UNFIT_FOREVER, NO_MATCH, NULL },
	/* clang-format on */
};

static void
volumes_are_the_member_clusters_affair(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct world_row *row = &rows[i];
		struct world *w = world_new(row->objects);
		struct outcome o;

		w->profile->leaf_volumes = true;
		world_pod(w, row->pod);
		o = world_check(w, &predicate_leaf_node_volume_binding, NULL,
		    "n1");
		t_int(row->name, o.verdict, row->verdict);
		t_str(row->name, o.why, row->why);
		t_str(row->name, o.error, "");
		if (row->miss != NULL)
			t_str(row->name, o.miss, row->miss);
		world_free(w);
	}
}

/* Where the pod goes to a leaf node, nothing is bound or provisioned from here;
 * where it goes to another one, as ever. */
static void
nothing_is_assumed_of_them(void)
{
	static const struct {
		const char *node;
		bool want;
	} nodes[] = { { HOST, true }, { WHOLE, false }, { SINGLE, false },
		{ TAINTED, false } };

	for (size_t i = 0; i < LENGTH(nodes); i++) {
		struct world *w = world_new(LATER("p") WAITS(""));

		world_put(w, nodes[i].node);
		world_pod(w, POD(USE("c")));
		cluster_assume_volumes(w->cluster, w->pod, sym_intern("n1"),
		    &(struct volume_rules){ .release = 15,
			.leaf_nodes = true });
		t_int(nodes[i].node,
		    cluster_claim(w->cluster, sym_intern("default"),
			sym_intern("c"))
			->has_selected_node,
		    nodes[i].want);
		world_free(w);
	}
}

T_MAIN(T(volumes_are_the_member_clusters_affair), T(nothing_is_assumed_of_them))
