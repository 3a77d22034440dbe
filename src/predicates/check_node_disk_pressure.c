/*
 * CheckNodeDiskPressure: the node's condition DiskPressure is not True.
 * "Unknown" is no pressure.
 *
 * From 1.12 on taints replace this rule: kube-scheduler has it only with the
 * gate TaintNodesByCondition off.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeDiskPressurePredicate.
 */
#include "config.h"

#include "predicates/pressure.h"
#include "predicates/registry.h"

#define WHY_PRESSURE "node(s) had disk pressure"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return pressure_of(cycle, "DiskPressure", WHY_PRESSURE);
}

const struct predicate predicate_check_node_disk_pressure = {
	.name = "CheckNodeDiskPressure",
	.reads = READS_NODE | ASPECT_NOTHING,
	.prepare = prepare,
	.check = pressure_check,
	.check_block = pressure_check_block,
};
