/*
 * CheckNodeMemoryPressure: a pod that requests and limits nothing (BestEffort)
 * does not fit a node whose condition MemoryPressure is True.  Other pods do;
 * "Unknown" is no pressure.
 *
 * From 1.12 on taints replace this rule: kube-scheduler has it only with the
 * gate TaintNodesByCondition off.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeMemoryPressurePredicate.
 */
#include "config.h"

#include "predicates/pressure.h"
#include "predicates/registry.h"

#define WHY_PRESSURE "node(s) had memory pressure"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	if (!cycle->class->best_effort)
		return NULL;
	return pressure_of(cycle, "MemoryPressure", WHY_PRESSURE);
}

const struct predicate predicate_check_node_memory_pressure = {
	.name = "CheckNodeMemoryPressure",
	.reads = READS_NODE | ASPECT_QOS,
	.prepare = prepare,
	.check = pressure_check,
	.check_block = pressure_check_block,
};
