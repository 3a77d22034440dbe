/*
 * CheckNodeDiskPressure, CheckNodePIDPressure, CheckNodeMemoryPressure: the node's
 * condition of this name is not True; "Unknown" is no pressure.  Pods that request
 * or limit something (all but BestEffort) do not ask about memory.
 *
 * From 1.12 on taints replace these rules: kube-scheduler has them only with the
 * gate TaintNodesByCondition off.
 *
 * Same rules as kube-scheduler 1.15, CheckNodeDiskPressurePredicate and so on.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

struct pressure {
	sym type, yes;
	const char *reason;
};

static const void *
pressure_of(struct cycle *cycle, const char *type, const char *reason)
{
	struct pressure *p = arena_alloc(cycle->arena, sizeof(*p));

	p->type = sym_intern(type);
	p->yes = sym_intern("True");
	p->reason = reason;
	return p;
}

static const void *
prepare_disk(struct cycle *cycle, const void *args)
{
	return pressure_of(cycle, "DiskPressure", "node(s) had disk pressure");
}

static const void *
prepare_pid(struct cycle *cycle, const void *args)
{
	return pressure_of(cycle, "PIDPressure", "node(s) had pid pressure");
}

static const void *
prepare_memory(struct cycle *cycle, const void *args)
{
	if (!cycle->class->best_effort)
		return NULL;
	return pressure_of(cycle, "MemoryPressure",
	    "node(s) had memory pressure");
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct pressure *p = prep;

	if (node_condition_status(node->node, p->type) == p->yes)
		return refuse(why, UNFIT_FOREVER, p->reason);
	return FITS;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	column_codes(b, COLUMN_UNHEALTHY, CODE_CHECK, codes);
	return true;
}

const struct predicate predicate_check_node_disk_pressure = {
	.name = "CheckNodeDiskPressure",
	.policy = { .in = IN_BOTH,
	    .registered = "TaintNodesByCondition=false" },
	.convert = { DIFFERS("by the taints of such nodes") },
	.reads = READS_NODE | ASPECT_NOTHING,
	.prepare = prepare_disk,
	.check = check,
	.check_block = check_block,
};

const struct predicate predicate_check_node_pid_pressure = {
	.name = "CheckNodePIDPressure",
	.policy = { .in = IN_BOTH,
	    .registered = "TaintNodesByCondition=false" },
	.convert = { DIFFERS("by the taints of such nodes") },
	.reads = READS_NODE | ASPECT_NOTHING,
	.prepare = prepare_pid,
	.check = check,
	.check_block = check_block,
};

const struct predicate predicate_check_node_memory_pressure = {
	.name = "CheckNodeMemoryPressure",
	.policy = { .in = IN_BOTH,
	    .registered = "TaintNodesByCondition=false" },
	.convert = { DIFFERS("by the taints of such nodes") },
	.reads = READS_NODE | ASPECT_QOS,
	.prepare = prepare_memory,
	.check = check,
	.check_block = check_block,
};
