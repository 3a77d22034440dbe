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
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"

#define SHAPE_SCORE_MAX 10
#define FULL 100

static const struct shape_point prefer_empty[] = { { 0, 10 }, { FULL, 0 } };
static const struct requested_to_capacity_ratio_args default_args = {
	.npoints = LENGTH(prefer_empty),
	.shape = prefer_empty,
};

struct prep {
	/* The policy's shape with its scores on the profile's scale. */
	struct requested_to_capacity_ratio_args scaled;
	int64_t heights[FULL + 1]; /* by utilization */
};

static int64_t
utilization(int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return FULL;
	return wrap_sub(FULL,
	    wrap_div(wrap_mul(wrap_sub(capacity, requested), FULL), capacity));
}

static int64_t
height(const struct requested_to_capacity_ratio_args *a, int64_t at)
{
	const struct shape_point *from, *to;
	size_t i = 0;

	while (i < a->npoints && at > a->shape[i].utilization)
		i++;
	if (i == 0)
		return a->shape[0].score;
	if (i == a->npoints)
		return a->shape[i - 1].score;
	from = &a->shape[i - 1];
	to = &a->shape[i];
	return from->score +
	    (to->score - from->score) * (at - from->utilization) /
	    (to->utilization - from->utilization);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct requested_to_capacity_ratio_args *a =
	    args != NULL ? args : &default_args;
	struct shape_point *shape =
	    arena_array(cycle->arena, struct shape_point, a->npoints);
	struct prep *prep = arena_alloc(cycle->arena, sizeof(*prep));

	for (size_t i = 0; i < a->npoints; i++) {
		shape[i] = a->shape[i];
		shape[i].score *= cycle->profile->score_max / SHAPE_SCORE_MAX;
	}
	prep->scaled.npoints = a->npoints;
	prep->scaled.shape = shape;
	for (int64_t i = 0; i <= FULL; i++)
		prep->heights[i] = height(&prep->scaled, i);
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

	return (height(&prep->scaled, cpu) + height(&prep->scaled, memory)) / 2;
}

static inline int32_t
utilization_in_columns(double requested, double capacity)
{
	double unused = (capacity - requested) * FULL / capacity;

	return FULL - (int32_t)(unused > 0 ? unused : 0);
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;
	double cpu = (double)pod_cpu_milli(cycle);
	double memory = (double)pod_memory(cycle);

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] =
		    (prep->heights
			    [utilization_in_columns(b->nonzero_cpu_milli[i] +
				    cpu,
				b->cpu_milli[i])] +
			prep->heights
			    [utilization_in_columns(b->nonzero_memory[i] +
				    memory,
				b->memory[i])]) /
		    2;
	return true;
}

const struct priority priority_requested_to_capacity_ratio_priority = {
	.name = "RequestedToCapacityRatioPriority",
	.reads = READS_NODE,
	.aspects = ASPECT_REQUESTS,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};
