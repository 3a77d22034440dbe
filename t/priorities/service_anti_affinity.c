#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

/* clang-format off */
#define NODES                                                                  \
	W_NODE("n01", "", "") W_NODE("n02", "", "")                            \
	W_NODE("n11", "zone: zone1", "") W_NODE("n12", "zone: zone1", "")      \
	W_NODE("n21", "zone: zone2", "") W_NODE("n22", "zone: zone2", "")
#define SERVICE W_SERVICE("web", "app: web")
#define WEB(name, node) W_POD(name, "app: web", node, "")
#define POD W_POD("p", "app: web, tier: front", "", "")
#define SCORES(zone1, zone2)                                                   \
	"n01=0 n02=0 n11=" zone1 " n12=" zone1 " n21=" zone2 " n22=" zone2

static const struct row rows[] = {
	{ "no pods yet", NODES SERVICE, POD,
	    SCORES("10", "10"), SCORES("100", "100") },
	{ "no Service", NODES WEB("a", "n11"), POD,
	    SCORES("10", "10"), SCORES("100", "100") },
	{ "all in one zone", NODES SERVICE WEB("a", "n21"), POD,
	    SCORES("10", "0"), SCORES("100", "0") },
	{ "one in each", NODES SERVICE WEB("a", "n11") WEB("b", "n22"), POD,
	    SCORES("5", "5"), SCORES("50", "50") },
	{ "one and two", NODES SERVICE WEB("a", "n11") WEB("b", "n21")
	    WEB("c", "n22"), POD, SCORES("6", "3"), SCORES("66", "33") },
	{ "two and one", NODES SERVICE WEB("a", "n11") WEB("b", "n11")
	    WEB("c", "n22"), POD, SCORES("3", "6"), SCORES("33", "66") },
	{ "pods on nodes without the label are part of the total",
	    NODES SERVICE WEB("a", "n01") WEB("b", "n11") WEB("c", "n21")
	    WEB("d", "n21"), POD, SCORES("7", "5"), SCORES("75", "50") },
	{ "pods of other namespaces do not count",
	    NODES SERVICE W_POD_IN("other", "a", "app: web", "n11", "", "")
	    WEB("b", "n21"), POD, SCORES("10", "0"), SCORES("100", "0") },
	{ "the first Service by name counts",
	    NODES W_SERVICE("z", "tier: front") W_SERVICE("a", "app: web")
	    WEB("a", "n11") W_POD("b", "tier: front", "n21", ""), POD,
	    SCORES("0", "10"), SCORES("0", "100") },
	{ "controllers do not matter",
	    NODES SERVICE W_OBJECT("ReplicationController",
		"namespace: default, name: rc",
		"spec: {selector: {tier: front}}") WEB("a", "n11"), POD,
	    SCORES("0", "10"), SCORES("0", "100") },
	{ "an empty value is a value like others",
	    W_NODE("n1", "zone: ''", "") W_NODE("n2", "zone: a", "") SERVICE
	    WEB("a", "n1"), POD, "n1=0 n2=10", "n1=0 n2=100" },
};
/* clang-format on */

static void
values_with_fewer_of_the_pods_win(void)
{
	struct service_anti_affinity_args args = {
		.label = sym_intern("zone"),
	};

	check_rows(&priority_service_anti_affinity, &args, rows);
}

T_MAIN(T(values_with_fewer_of_the_pods_win))
