#include "config.h"

#include "predicates/registry.h"
#include "t/predicates/volumes.h"

static void
gates_keep_a_pod_out_of_the_queue(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "none", "", POD(""), FITS, "", NULL },
		{ "one", "", W_POD("p", "", "", "schedulingGates: [{name: a}]"),
		    UNFIT_FOREVER, "waiting for scheduling gates: [a]", NULL },
		{ "all of them", "",
		    W_POD("p", "", "", "schedulingGates: [{name: example.com/b},"
			" {name: a}]"), UNFIT_FOREVER,
		    "waiting for scheduling gates: [example.com/b a]", NULL },
	};
	/* clang-format on */

	t_prefilter_of(36, &plugin_scheduling_gates, true, rows);
	t_true("not a prefilter", plugin_scheduling_gates.pre_filter == NULL);
}

T_MAIN(T(gates_keep_a_pod_out_of_the_queue))
