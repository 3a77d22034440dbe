/*
 * BalancedResourceAllocation: prefer the node whose cpu and memory would be
 * used to the same degree, so that neither is left over without the other.
 *
 *	score = (1 - |used(cpu) - used(memory)|) * score_max
 *
 * where used is the requested part of the node, the pod included; 0 when either
 * is used up.  In doubles, truncated at the end: the edges of kube-scheduler's
 * scores are those of IEEE arithmetic without fused multiply-add.
 *
 * Not here: attached volumes as a third fraction (feature gate
 * BalanceAttachedNodeVolumes), which kube-scheduler takes from whichever
 * Max…VolumeCount predicate ran last on the node.
 */
#include "config.h"

#include <math.h>

#include "framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"

static double
used(int64_t requested, int64_t capacity)
{
	return capacity == 0 ? 1 : (double)requested / (double)capacity;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct resources *has = &node->node->allocatable;
	double cpu = used(cpu_milli_with_pod(cycle, node), has->cpu_milli);
	double memory = used(memory_with_pod(cycle, node), has->memory);

	if (cpu >= 1 || memory >= 1)
		return 0;
	return to_int64(
	    (1 - fabs(cpu - memory)) * (double)cycle->profile->score_max);
}

static VECTORIZED bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	double pod_cpu = (double)cycle->class->nonzero_cpu_milli;
	double pod_memory = (double)cycle->class->nonzero_memory;
	double max = (double)cycle->profile->score_max;

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double cpu =
		    (b->nonzero_cpu_milli[i] + pod_cpu) / b->cpu_milli[i];
		double memory =
		    (b->nonzero_memory[i] + pod_memory) / b->memory[i];
		double scale = cpu < 1 ? max : 0;

		scale = memory < 1 ? scale : 0;
		scores[i] = (int32_t)((1 - fabs(cpu - memory)) * scale);
	}
	return true;
}

const struct priority priority_balanced_resource_allocation = {
	.name = "BalancedResourceAllocation",
	.reads = READS_NODE,
	.aspects = ASPECT_REQUESTS,
	.score = score,
	.score_block = score_block,
};
