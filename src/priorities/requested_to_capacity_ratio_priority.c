/*
 * RequestedToCapacityRatioPriority: the administrator draws the score as a line
 * over the utilization.
 *
 *	score = (shape(utilization(cpu)) + shape(utilization(memory))) / 2
 *
 * utilization is the requested part of the node in percent, the pod included;
 * more than the capacity, or a capacity of 0, gives 100.  shape goes through
 * the points of the policy in straight lines and stays level beyond the first
 * and the last; without an argument an empty node gets score_max and a full one
 * 0.  Points are on the scale 0 to 10 for every score_max.  Divisions truncate
 * towards 0, on falling lines, too, as in kube-scheduler.
 */
#include "config.h"

#include "base/xmalloc.h"
#include "framework/args.h"
#include "framework/profile.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"
#include "priorities/shape.h"

static const struct shape_point prefer_empty[] = { { 0, 10 },
	{ SHAPE_FULL, 0 } };
static const struct requested_to_capacity_ratio_args default_args = {
	.npoints = LENGTH(prefer_empty),
	.shape = prefer_empty,
};

struct prep {
	int64_t heights[SHAPE_FULL + 1]; /* by utilization */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct requested_to_capacity_ratio_args *a =
	    args != NULL ? args : &default_args;
	struct prep *prep = arena_alloc(cycle->arena, sizeof(*prep));

	shape_heights(cycle->profile->score_max, a->npoints, a->shape,
	    prep->heights);
	return prep;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	const struct resources *has = &node->node->allocatable;
	int64_t cpu =
	    utilization(cpu_milli_with_pod(cycle, node), has->cpu_milli);
	int64_t memory = utilization(memory_with_pod(cycle, node), has->memory);

	return (shape_height(prep->heights, cpu) +
		   shape_height(prep->heights, memory)) /
	    2;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;
	const struct column_scored *s = scored_in(cycle, b);
	double cpu = (double)pod_cpu_milli(cycle);
	double memory = (double)pod_memory(cycle);

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] =
		    (prep->heights[utilization_in_columns(s->cpu_milli[i] + cpu,
			 b->cpu_milli[i])] +
			prep->heights[utilization_in_columns(s->memory[i] +
				memory,
			    b->memory[i])]) /
		    2;
	return true;
}

const struct priority priority_requested_to_capacity_ratio_priority = {
	.name = "RequestedToCapacityRatioPriority",
	.reads = READS_NODE | ASPECT_REQUESTS,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};
