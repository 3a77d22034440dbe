#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define NODES                                                                  \
	W_NODE("n1", "ssd: 'yes'", "")                                         \
	W_NODE("n2", "ssd: ''", "")                                            \
	W_NODE("n3", "hdd: 'yes'", "") W_NODE("n4", "", "")

static void
nodes_with_or_without_the_label_are_preferred(void)
{
	static const struct {
		const char *label;
		bool presence;
		struct row row;
	} rows[] = {
		{ "ssd", true,
		    { "present, whatever the value", NODES, NO_CONTAINERS,
			"n1=10 n2=10 n3=0 n4=0", "n1=100 n2=100 n3=0 n4=0" } },
		{ "ssd", false,
		    { "absent", NODES, NO_CONTAINERS, "n1=0 n2=0 n3=10 n4=10",
			"n1=0 n2=0 n3=100 n4=100" } },
		{ "", true,
		    { "no node has the label without a name", NODES,
			NO_CONTAINERS, "n1=0 n2=0 n3=0 n4=0",
			"n1=0 n2=0 n3=0 n4=0" } },
		{ "", false,
		    { "all nodes lack it", NODES, NO_CONTAINERS,
			"n1=10 n2=10 n3=10 n4=10",
			"n1=100 n2=100 n3=100 n4=100" } },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct label_preference_args args = {
			.label = sym_intern(rows[i].label),
			.presence = rows[i].presence,
		};

		check_rows_(__FILE__, __LINE__, &priority_node_label, &args,
		    &rows[i].row, 1);
	}
}

static void
the_plugin_takes_the_mean_of_its_labels(void)
{
	static const struct plugin_row rows[] = {
		{ "two of three, one, ...", NODES, NO_CONTAINERS,
		    "n1=66 n2=66 n3=66 n4=33" },
	};
	static const struct plugin_row none[] = {
		{ "no labels", NODES, NO_CONTAINERS, "n1=0 n2=0 n3=0 n4=0" },
	};
	sym present[] = { sym_intern("ssd"), sym_intern("hdd") };
	sym absent[] = { sym_intern("gpu") };
	struct node_label_args args = { .npreferred_present = LENGTH(present),
		.preferred_present = present,
		.npreferred_absent = LENGTH(absent),
		.preferred_absent = absent };

	check_plugin_rows(20, &priority_node_label, &args, rows);
	args = (struct node_label_args){ 0 };
	check_plugin_rows(20, &priority_node_label, &args, none);
}

T_MAIN(T(nodes_with_or_without_the_label_are_preferred),
    T(the_plugin_takes_the_mean_of_its_labels))
