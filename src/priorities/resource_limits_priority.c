/*
 * ResourceLimitsPriority: prefer nodes that could grant the pod its limits.
 *
 * 1 when the pod's cpu limit or its memory limit is within the node's
 * allocatable, regardless of other pods on the node; otherwise 0.  A limit of 0
 * is none.  Not on the scale of other scores: it only breaks ties
 * (kube-scheduler 1.15, feature gate ResourceLimitsPriorityFunction).
 */
#include "config.h"

#include <math.h>

#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "priorities/registry.h"

static bool
within(int64_t limit, int64_t allocatable)
{
	return limit != 0 && allocatable != 0 && limit <= allocatable;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct resources *limits = &cycle->class->limits;
	const struct resources *has = &node->node->allocatable;

	return within(limits->cpu_milli, has->cpu_milli) ||
	    within(limits->memory, has->memory);
}

/* Allocatable is never 0 in columns. */
static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	const struct resources *limits = &cycle->class->limits;
	/* no limit is more than there is */
	double cpu =
	    limits->cpu_milli != 0 ? (double)limits->cpu_milli : HUGE_VAL;
	double memory = limits->memory != 0 ? (double)limits->memory : HUGE_VAL;

	if (!column_amount(limits->cpu_milli) || !column_amount(limits->memory))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = cpu <= b->cpu_milli[i] || memory <= b->memory[i];
	return true;
}

const struct priority priority_resource_limits_priority = {
	.name = "ResourceLimitsPriority",
	.policy = { .in = IN_BOTH,
	    .registered = "ResourceLimitsPriorityFunction=true" },
	.reads = READS_NODE | ASPECT_LIMITS,
	.needs = NEEDS_POD_LIMITS,
	.score = score,
	.score_block = score_block,
};
