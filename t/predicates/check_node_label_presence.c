#include "config.h"

#include "base/xmalloc.h"
#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't have the requested labels"
#define POD W_POD("p", "", "", "")

static void
labels_must_be_there(void)
{
	const sym labels[] = { sym_intern("region"), sym_intern("zone") };
	const struct labels_presence_args args = { LENGTH(labels), labels,
		true };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "both", W_NODE("n1", "region: r, zone: z", ""), POD, FITS, "",
		    NULL },
		{ "values do not matter", W_NODE("n1", "region: '', zone: ''",
			""), POD, FITS, "", NULL },
		{ "one is missing", W_NODE("n1", "region: r", ""), POD,
		    UNFIT_FOREVER, WHY, "label zone is missing" },
		{ "both are missing", W_NODE("n1", "a: b", ""), POD,
		    UNFIT_FOREVER, WHY, "label region is missing" },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_label_presence, &args, rows);
}

static void
labels_must_not_be_there(void)
{
	const sym labels[] = { sym_intern("retiring"), sym_intern("old") };
	const struct labels_presence_args args = { LENGTH(labels), labels,
		false };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "neither", W_NODE("n1", "a: b", ""), POD, FITS, "", NULL },
		{ "one", W_NODE("n1", "old: ''", ""), POD, UNFIT_FOREVER, WHY,
		    "label old is not wanted" },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_label_presence, &args, rows);
}

static void
without_labels_every_node_fits(void)
{
	const struct labels_presence_args args = { 0, NULL, true };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "any node", W_NODE("n1", "", ""), POD, FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_node_label_presence, &args, rows);
	t_predicate(&predicate_check_node_label_presence, NULL, rows);
}

T_MAIN(T(labels_must_be_there), T(labels_must_not_be_there),
    T(without_labels_every_node_fits))
