#include "config.h"

#include "t/priorities/rows.h"

#define NODES                                                                  \
	NODE("n1", "4", "0") NODE("n2", "0", "10000") NODE("n3", "4", "10000")
#define LIMITS(limits) "{name: c, resources: {limits: {" limits "}}}"
#define POD(init, containers)                                                  \
	W_POD("p", "", "",                                                     \
	    "initContainers: [" init "], containers: [" containers "]")

/* clang-format off */
static const struct row rows[] = {
	{ "a pod without limits", NODES, POD("", LIMITS("")),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "either limit will do", NODES, POD("", LIMITS("cpu: 4, memory: 20000")),
	    "n1=1 n2=0 n3=1", "n1=1 n2=0 n3=1" },
	{ "the limits of containers add up", NODES,
	    POD("", LIMITS("memory: 5000") ", " LIMITS("memory: 5001")),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "just within", NODES,
	    POD("", LIMITS("memory: 5000") ", " LIMITS("memory: 5000")),
	    "n1=0 n2=1 n3=1", "n1=0 n2=1 n3=1" },
	{ "an init container counts if it is bigger", NODES,
	    POD(LIMITS("cpu: 5"), LIMITS("cpu: 1")),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "what is in use does not matter", NODE("n1", "4", "0") USED("n1", "4", "0"),
	    POD("", LIMITS("cpu: 4")), "n1=1", "n1=1" },
	{ "a limit of 0 is none", NODES, POD("", LIMITS("cpu: 0")),
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
};
/* clang-format on */

static void
limits_within_the_node_score_one(void)
{
	check_rows(&priority_resource_limits_priority, NULL, rows);
}

T_MAIN(T(limits_within_the_node_score_one))
