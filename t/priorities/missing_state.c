#include "config.h"

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define CONSTRAINED                                                            \
	W_POD("p", "", "",                                                     \
	    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, "        \
	    "whenUnsatisfiable: ScheduleAnyway}]")

static void
the_attempt_fails(void)
{
	static const struct plugin_row always[] = {
		{ "any pod", W_NODE("n1", "", ""), NO_CONTAINERS,
		    "error: not found" },
		{ "with constraints, too", W_NODE("n1", "", ""), CONSTRAINED,
		    "error: not found" },
	};
	static const struct plugin_row sometimes[] = {
		{ "any pod", W_NODE("n1", "", ""), NO_CONTAINERS,
		    "error: not found" },
		{ "but those with constraints", W_NODE("n1", "", ""),
		    CONSTRAINED, "n1=0" },
	};
	struct missing_state_args args = { "not found", false };

	check_plugin_rows(36, &priority_missing_state, &args, always);
	args.unless_constrained = true;
	check_plugin_rows(20, &priority_missing_state, &args, sometimes);
}

T_MAIN(T(the_attempt_fails))
