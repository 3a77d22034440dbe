#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't match the requested hostname"

static void
a_pod_that_names_a_node_fits_there_alone(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no node named", W_NODE("n1", "", ""),
		    W_POD("p", "", "", ""), FITS, "", NULL },
		{ "this node", W_NODE("n1", "", ""), W_POD("p", "", "n1", ""),
		    FITS, "", NULL },
		{ "another node", W_NODE("n1", "", ""),
		    W_POD("p", "", "n2", ""), UNFIT_FOREVER, WHY,
		    "spec.nodeName is n2" },
		{ "the name counts, not the hostname label",
		    W_NODE("n1", "kubernetes.io/hostname: n2", ""),
		    W_POD("p", "", "n2", ""), UNFIT_FOREVER, WHY, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_host_name, NULL, rows);
}

static void
plugins_call_it_the_node_name(void)
{
	static const struct world_row of_20[] = {
		{ "another node", W_NODE("n1", "", ""),
		    W_POD("p", "", "n2", ""), UNFIT_FOREVER, WHY, NULL },
	};
	static const struct world_row of_36[] = {
		{ "another node", W_NODE("n1", "", ""),
		    W_POD("p", "", "n2", ""), UNFIT_FOREVER,
		    "node(s) didn't match the requested node name", NULL },
	};

	t_predicate_of(20, &predicate_host_name, NULL, of_20);
	t_predicate_of(36, &predicate_host_name, NULL, of_36);
}

T_MAIN(T(a_pod_that_names_a_node_fits_there_alone),
    T(plugins_call_it_the_node_name))
