#include "config.h"

#include "t/priorities/rows.h"

static void
all_nodes_are_equal(void)
{
	static const struct plugin_row rows[] = {
		{ "any pod", W_NODE("n1", "", "") W_NODE("n2", "", ""),
		    NO_CONTAINERS, "n1=0 n2=0" },
	};

	check_plugin_rows(36, &priority_dynamic_resources, NULL, rows);
}

T_MAIN(T(all_nodes_are_equal))
