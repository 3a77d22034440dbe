/*
 * CheckNodeDiskPressure: the node's condition DiskPressure is not True.
 * "Unknown" is no pressure.
 *
 * From 1.12 on taints say the same, so kube-scheduler has this rule only with
 * the gate TaintNodesByCondition off.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeDiskPressurePredicate.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

#define WHY_PRESSURE "node(s) had disk pressure"

struct names {
	sym type, yes;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct names *names = arena_alloc(cycle->arena, sizeof(*names));

	names->type = sym_intern("DiskPressure");
	names->yes = sym_intern("True");
	return names;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct names *names = prep;

	if (node_condition_status(node->node, names->type) == names->yes)
		return refuse(why, UNFIT_FOREVER, WHY_PRESSURE);
	return FITS;
}

const struct predicate predicate_check_node_disk_pressure = {
	.name = "CheckNodeDiskPressure",
	.reads = READS_NODE,
	.prepare = prepare,
	.check = check,
};
