/*
 * LeastRequestedPriority: prefer the node that would stay emptiest.
 *
 *	score = (free_share(cpu) + free_share(memory)) / 2
 *
 * where free_share is the part of the node left unrequested, the pod included,
 * on the scale 0 (full) to score_max (empty).  Divisions truncate and happen in
 * this order, as in kube-scheduler: other roundings break ties differently.
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
	    free_share(max, cpu_milli_with_pod(cycle, node), has->cpu_milli);
	int64_t memory =
	    free_share(max, memory_with_pod(cycle, node), has->memory);

	return wrap_add(cpu, memory) / 2;
}

static VECTORIZED bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	return mean_shares(cycle, b, FREE_SHARE, scores);
}

const struct priority priority_least_requested_priority = {
	.name = "LeastRequestedPriority",
	.reads = READS_NODE | ASPECT_REQUESTS,
	.score = score,
	.score_block = score_block,
};
