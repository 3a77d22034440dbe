#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define HOST_NAME "node(s) didn't match the requested hostname"
#define PORTS "node(s) didn't have free ports for the requested pod ports"
#define SELECTOR "node(s) didn't match node selector"
#define PORT                                                                   \
	"containers: [{name: c, ports: [{hostPort: 80}], "                     \
	"resources: {requests: {cpu: 5}}}]"

static void
all_four_parts_are_asked(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "nothing asked for", W_NODE("n1", "", ""),
		    W_POD("p", "", "", ""), FITS, "", NULL },
		{ "one part refuses", W_NODE("n1", "", ""),
		    W_POD("p", "", "", W_REQUESTS("cpu: 5")), UNFIT,
		    "Insufficient cpu", "1 cpu short" },
		{ "the worst verdict counts", W_NODE("n1", "", ""),
		    W_POD("p", "", "", "nodeSelector: {a: b}, "
			W_REQUESTS("cpu: 5")), UNFIT_FOREVER,
		    "Insufficient cpu; " SELECTOR,
		    "1 cpu short; label a is missing, not b" },
		{ "all refuse",
		    W_NODE("n1", "", "") W_POD("q", "", "n1", PORT),
		    W_POD("p", "", "n2", "nodeSelector: {a: b}, " PORT),
		    UNFIT_FOREVER, "Insufficient cpu; " HOST_NAME "; " PORTS
			"; " SELECTOR,
		    "6 cpu short; spec.nodeName is n2; host port TCP/80 is "
			"taken by default/q; label a is missing, not b" },
	};
	/* clang-format on */

	t_predicate(&predicate_general_predicates, NULL, rows);
}

T_MAIN(T(all_four_parts_are_asked))
