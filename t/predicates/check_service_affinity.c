#include "config.h"

#include "base/xmalloc.h"
#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't match service affinity"

/* Node n1 is the one in question (region r1, zone z11). */
#define NODES                                                                  \
	W_NODE("n1", "region: r1, zone: z11", "")                              \
	W_NODE("n2", "region: r1, zone: z12", "")                              \
	W_NODE("n3", "region: r2, zone: z21", "")                              \
	W_NODE("n4", "region: r2, zone: z22", "")                              \
	W_NODE("n5", "region: r2, zone: z22", "")                              \
	W_NODE("bare", "", "")
#define SERVED NODES W_SERVICE("s", "app: web")
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define POD WEB("p", "")
#define POD_WANTS(region)                                                      \
	W_POD("p", "app: web", "", "nodeSelector: {region: " region "}")
#define ON(name, node, created)                                                \
	W_OBJECT("Pod",                                                        \
	    "name: " name ", labels: {app: web}, creationTimestamp: '" created \
	    "'",                                                               \
	    "spec: {nodeName: '" node "'}")
#define EARLY "2019-08-01T00:00:00Z"
#define LATE "2019-08-02T00:00:00Z"

static void
pods_of_a_service_follow_each_other(void)
{
	const sym labels[] = { sym_intern("region") };
	const struct service_affinity_args args = { LENGTH(labels), labels };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "the first may go anywhere", SERVED, POD, FITS, "", NULL },
		{ "the pod's own selector agrees", SERVED, POD_WANTS("r1"),
		    FITS, "", NULL },
		{ "the pod's own selector disagrees", SERVED, POD_WANTS("r2"),
		    UNFIT, WHY, "label region is r1, not r2" },
		{ "a pod on this node", SERVED WEB("q", "n1"), POD, FITS, "",
		    NULL },
		{ "a pod in the same region", SERVED WEB("q", "n2"), POD, FITS,
		    "", NULL },
		{ "a pod in another region", SERVED WEB("q", "n3"), POD, UNFIT,
		    WHY, "label region is r1, not r2 as on the node of "
			"default/q" },
		{ "the pod's own selector comes first",
		    SERVED WEB("q", "n3"), POD_WANTS("r1"), FITS, "", NULL },
		{ "no service selects the pod",
		    NODES W_SERVICE("s", "app: db") WEB("q", "n3"), POD, FITS,
		    "", NULL },
		{ "a service without selector selects nothing",
		    NODES W_OBJECT("Service", "name: s", "spec: {}")
			WEB("q", "n3"), POD, FITS, "", NULL },
		{ "a service of another namespace",
		    NODES W_OBJECT("Service", "name: s, namespace: other",
			"spec: {selector: {app: web}}") WEB("q", "n3"), POD,
		    FITS, "", NULL },
		{ "a pod of another namespace",
		    SERVED W_POD_IN("other", "q", "app: web", "n3", "", ""),
		    POD, FITS, "", NULL },
		{ "a pod with more labels", SERVED W_POD("q",
			"app: web, tier: front", "n3", ""), POD, UNFIT, WHY,
		    NULL },
		{ "a pod with fewer labels", SERVED WEB("q", "n3"),
		    W_POD("p", "app: web, tier: front", "", ""), FITS, "",
		    NULL },
		{ "what the other's node lacks is not asked for",
		    SERVED WEB("q", "bare"), POD, FITS, "", NULL },
		{ "nodes with more of the labels are followed first",
		    SERVED ON("q", "bare", EARLY) ON("r", "n3", LATE), POD,
		    UNFIT, WHY, "label region is r1, not r2 as on the node of "
			"default/r" },
		{ "then the oldest pod",
		    SERVED ON("q", "n3", LATE) ON("r", "n2", EARLY), POD, FITS,
		    "", NULL },
		{ "the oldest pod is elsewhere",
		    SERVED ON("q", "n3", EARLY) ON("r", "n2", LATE), POD, UNFIT,
		    WHY, NULL },
		{ "a value that is no label lifts the rule", SERVED,
		    POD_WANTS("'-5'"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_service_affinity, &args, rows);
}

static void
all_labels_must_agree(void)
{
	const sym labels[] = { sym_intern("region"), sym_intern("zone") };
	const struct service_affinity_args args = { LENGTH(labels), labels };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "region alone agrees", SERVED WEB("q", "n2"), POD, UNFIT, WHY,
		    "label zone is z11, not z12 as on the node of default/q" },
		{ "both agree", SERVED WEB("q", "n1"), POD, FITS, "", NULL },
		{ "one from the pod, one from the other's node",
		    SERVED WEB("q", "n3"), POD_WANTS("r1"), UNFIT, WHY,
		    "label zone is z11, not z21 as on the node of default/q" },
	};
	/* clang-format on */
	struct world *w = world_new(SERVED WEB("q", "n5"));

	t_predicate(&predicate_check_service_affinity, &args, rows);
	world_pod(w, POD);
	t_int("another node of the same zone",
	    world_check(w, &predicate_check_service_affinity, &args, "n4")
		.verdict,
	    FITS);
	world_free(w);
}

static void
without_labels_every_node_fits(void)
{
	const struct service_affinity_args args = { 0, NULL };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "any", SERVED WEB("q", "n3"), POD_WANTS("r2"), FITS, "",
		    NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_service_affinity, &args, rows);
	t_predicate(&predicate_check_service_affinity, NULL, rows);
}

static void
pods_on_unknown_nodes_cannot_be_followed(void)
{
	const sym labels[] = { sym_intern("region") };
	const struct service_affinity_args args = { LENGTH(labels), labels };
	const struct predicate *p = &predicate_check_service_affinity;
	struct world *w = world_new(SERVED WEB("q", "gone"));
	struct outcome o;

	world_pod(w, POD);
	o = world_check(w, p, &args, "n1");
	t_int("the only one", o.verdict, BROKEN);
	t_str("the only one", o.error, "node \"gone\" not found");

	world_put(w, WEB("r", "n1"));
	world_pod(w, POD);
	t_int("there is a better one", world_check(w, p, &args, "n1").verdict,
	    FITS);
	world_free(w);
}

static void
simulations_are_followed(void)
{
	const sym labels[] = { sym_intern("region") };
	const struct service_affinity_args args = { LENGTH(labels), labels };
	const struct predicate *p = &predicate_check_service_affinity;
	struct world *w = world_new(SERVED ON("q", "n3", EARLY)
		ON("r", "n1", LATE) W_POD("other", "app: db", "n3", ""));
	struct node_info *n1, *n3;
	const struct pod *q;
	struct pod *nominated;
	void *prep;

	world_pod(w, POD);
	n1 = world_node(w, "n1");
	n3 = world_node(w, "n3");
	q = n3->pods[n3->pods[0]->object.name[0] == 'q' ? 0 : 1];
	prep = world_prepare(w, p, &args);
	t_int("as it is", world_check_prepared(w, p, prep, n1).verdict, UNFIT);

	world_simulate(w, p, prep, n3, q, -1);
	t_int("the leader is gone",
	    world_check_prepared(w, p, prep, n1).verdict, FITS);
	world_simulate(w, p, prep, n1, n1->pods[0], -1);
	t_int("no pod is left", world_check_prepared(w, p, prep, n3).verdict,
	    FITS);

	nominated = world_decode_pod(WEB("s", ""));
	world_simulate(w, p, prep, n3, nominated, 1);
	t_str("a nominated pod is on no node",
	    world_check_prepared(w, p, prep, n3).error, "node \"\" not found");
	world_simulate(w, p, prep, n3, nominated, -1);

	world_simulate(w, p, prep, n3, q, 1);
	world_simulate(w, p, prep, n1, n1->pods[0], 1);
	t_int("all are back", world_check_prepared(w, p, prep, n1).verdict,
	    UNFIT);
	pod_unref(nominated);
	world_free(w);
}

T_MAIN(T(pods_of_a_service_follow_each_other), T(all_labels_must_agree),
    T(without_labels_every_node_fits),
    T(pods_on_unknown_nodes_cannot_be_followed), T(simulations_are_followed))
