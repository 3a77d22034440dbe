/*
 * MostRequestedPriority: prefer the node that would be fullest, so that other
 * nodes stay empty and can be switched off.
 *
 *	score = (used_share(cpu) + used_share(memory)) / 2
 *
 * where used_share is the requested part of the node, the pod included, on the
 * scale 0 (empty) to score_max (full); more than the capacity counts as 0.
 * Divisions truncate and happen in this order, as in kube-scheduler.
 */
#include "config.h"

#include "framework/profile.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct resources *has = &node->node->allocatable;
	int64_t max = cycle->profile->score_max;
	int64_t cpu =
	    used_share(max, cpu_milli_with_pod(cycle, node), has->cpu_milli);
	int64_t memory =
	    used_share(max, memory_with_pod(cycle, node), has->memory);

	return wrap_add(cpu, memory) / 2;
}

static VECTORIZED bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	return mean_shares(cycle, b, USED_SHARE, scores);
}

const struct priority priority_most_requested_priority = {
	.name = "MostRequestedPriority",
	.reads = READS_NODE | ASPECT_REQUESTS,
	.score = score,
	.score_block = score_block,
};
