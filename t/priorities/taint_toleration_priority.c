#include "config.h"

#include "t/priorities/rows.h"

#define TAINT(key, effect) "{key: " key ", value: v, effect: " effect "}"
#define TAINTED(name, taints) W_NODE(name, "", "taints: [" taints "]")
#define SOFT(key) TAINT(key, "PreferNoSchedule")
#define POD(tolerations) W_POD("p", "", "", "tolerations: [" tolerations "]")

#define NODES                                                                  \
	TAINTED("n1", "")                                                      \
	TAINTED("n2", SOFT("a")) TAINTED("n3", SOFT("a") ", " SOFT("b"))

/* clang-format off */
static const struct row rows[] = {
	{ "most intolerable taints get 0, none get all", NODES, POD(""),
	    "n1=10 n2=5 n3=0", "n1=100 n2=50 n3=0" },
	{ "a tolerated taint does not count", NODES,
	    POD("{key: a, operator: Exists, effect: PreferNoSchedule}"),
	    "n1=10 n2=10 n3=0", "n1=100 n2=100 n3=0" },
	{ "a toleration of every effect tolerates it, too", NODES,
	    POD("{key: a, value: v}"),
	    "n1=10 n2=10 n3=0", "n1=100 n2=100 n3=0" },
	{ "one of another effect does not", NODES,
	    POD("{key: a, operator: Exists, effect: NoSchedule}"),
	    "n1=10 n2=5 n3=0", "n1=100 n2=50 n3=0" },
	{ "one of another value does not", NODES, POD("{key: a, value: w}"),
	    "n1=10 n2=5 n3=0", "n1=100 n2=50 n3=0" },
	{ "everything is tolerated everywhere", NODES,
	    POD("{operator: Exists}"),
	    "n1=10 n2=10 n3=10", "n1=100 n2=100 n3=100" },
	{ "taints of other effects do not count",
	    TAINTED("n1", TAINT("a", "NoSchedule") ", " TAINT("b", "NoExecute"))
	    TAINTED("n2", SOFT("c")), POD(""),
	    "n1=10 n2=0", "n1=100 n2=0" },
	{ "equally many everywhere get 0",
	    TAINTED("n1", SOFT("a")) TAINTED("n2", SOFT("b")), POD(""),
	    "n1=0 n2=0", "n1=0 n2=0" },
	{ "a third of the most truncates before it is taken off",
	    TAINTED("n1", SOFT("a"))
	    TAINTED("n2", SOFT("a") ", " SOFT("b") ", " SOFT("c")), POD(""),
	    "n1=7 n2=0", "n1=67 n2=0" },
};
/* clang-format on */

static void
nodes_with_fewer_intolerable_taints_win(void)
{
	check_rows(&priority_taint_toleration_priority, NULL, rows);
}

static void
comparisons_count_with_their_gate(void)
{
	struct world *w = world_new(W_NODE("n1", "",
	    "taints: [{key: a, value: '5', effect: PreferNoSchedule}]")
		W_NODE("n2", "",
		    "taints: [{key: a, value: '3', "
		    "effect: PreferNoSchedule}]"));

	w->cluster->kubernetes_minor = 36;
	world_pod(w, POD("{key: a, operator: Lt, value: '4'}"));
	t_str("off", world_scores(w, &priority_taint_toleration_priority, NULL),
	    "n1=0 n2=0");
	w->profile->gates.taint_toleration_comparison = true;
	world_pod(w, POD("{key: a, operator: Lt, value: '4'}"));
	t_str("on", world_scores(w, &priority_taint_toleration_priority, NULL),
	    "n1=0 n2=10");
	world_free(w);
}

T_MAIN(T(nodes_with_fewer_intolerable_taints_win),
    T(comparisons_count_with_their_gate))
