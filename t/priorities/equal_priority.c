#include "config.h"

#include "t/priorities/rows.h"

static void
every_node_gets_one(void)
{
	static const struct row rows[] = {
		{ "any nodes", NODE("n1", "0", "0") NODE("n2", "4", "10000"),
		    ASKS("1", "1"), "n1=1 n2=1", "n1=1 n2=1" },
	};

	check_rows(&priority_equal_priority, NULL, rows);
}

T_MAIN(T(every_node_gets_one))
