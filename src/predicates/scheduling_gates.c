/*
 * SchedulingGates: a pod waits outside the queue while it has scheduling gates.
 *
 * Same rule as kube-scheduler 1.36, SchedulingGates.  There is no predicate: the
 * queue holds such pods.
 */
#include "config.h"

#include "decide/framework/cycle.h"
#include "predicates/registry.h"

static enum verdict
enqueue(struct cycle *cycle, const void *args, struct why *why)
{
	const struct pod_class *class = cycle->class;
	const char **names =
	    arena_array(cycle->arena, const char *, class->ngates);

	if (class->ngates == 0)
		return FITS;
	for (uint32_t i = 0; i < class->ngates; i++)
		names[i] = sym_text(class->gates[i]);
	return refuse(why, UNFIT_FOREVER,
	    arena_printf(cycle->arena, "waiting for scheduling gates: [%s]",
		arena_join(cycle->arena, class->ngates, names, " ")));
}

const struct plugin plugin_scheduling_gates = {
	.name = "SchedulingGates",
	.points = { 0, AT_POINT(PRE_ENQUEUE) },
	.pre_enqueue = enqueue,
	.enabled = true,
	.first = 26,
	.enabled_from = 27,
	.needs = NEEDS_POD_GATES,
};
