/*
 * The scores of NodeResourcesFit (kube-scheduler 1.36), and of
 * NodeResourcesLeastAllocated, NodeResourcesMostAllocated and
 * RequestedToCapacityRatio (1.20): how much of a node would be requested, the pod
 * included.
 *
 *	score = sum(weight * share(resource)) / sum(weight)
 *
 *	LeastAllocated            share = the free part
 *	MostAllocated             share = the requested part
 *	RequestedToCapacityRatio  share = shape(utilization), on a line that the
 *	                          administrator draws
 *
 * over the resources of the arguments.  Resources of which a ratio's share is 0
 * count in neither sum, and its mean is rounded; all other divisions truncate.
 *
 * As in 1.20: a resource that the node has none of has the share 0 (utilization 100)
 * and counts; more requested than there is has the requested part 0; of a name
 * that comes twice the last weight counts.
 *
 * From 1.21 on more requested than there is has the requested part 1, from 1.22 on a
 * resource that the node has none of, and a scalar resource that the
 * pod does not request, counts in neither sum; from 1.27 on a name that comes
 * twice counts twice.  Requests at pod level do not count.
 *
 * LeastRequestedPriority (prefer the node that would stay emptiest),
 * MostRequestedPriority (prefer the fullest, so that others stay empty and can be
 * switched off) and RequestedToCapacityRatioPriority (without an argument an empty
 * node gets score_max and a full one 0) are those strategies of cpu and memory, as
 * in 1.20, but every share of a ratio counts, and its mean truncates.
 *
 * doc/semantics/11-kube-1.36.md, Resources; doc/semantics/12-kube-1.20.md, Node
 * plugins.
 */
#include "config.h"

#include <math.h>

#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"
#include "priorities/scored_resources.h"
#include "priorities/shape.h"

/* Weights beyond it are not for columns. */
#define COLUMN_WEIGHT_MAX (INT64_C(1) << 31)

struct prep {
	enum scoring_strategy strategy;
	int release;  /* the profile's */
	bool columns; /* cpu and memory alone, of ordinary amounts */
	bool plain;   /* each once, with the same weight */
	/* Resources of the share 0 do not count, and the mean is rounded. */
	bool skips_zero;
	struct scored_resources resources;
	int64_t weights;
	int64_t heights[SHAPE_FULL + 1];
};

/* NodeResourcesFit of 1.22 and 1.23 scores a pod without its overhead. */
static bool
ignores_overhead(const struct prep *prep,
    const struct node_resources_fit_args *a)
{
	return a->of_fit && prep->release < SINCE_SHARE_OWN_OVERHEAD;
}

static bool
are_for_columns(const struct prep *prep)
{
	for (size_t i = 0; i < prep->resources.n; i++) {
		const struct scored *s = &prep->resources.at[i];

		if ((s->kind != SCORED_CPU && s->kind != SCORED_MEMORY) ||
		    !column_amount(s->request) || s->weight < 0 ||
		    s->weight > COLUMN_WEIGHT_MAX)
			return false;
	}
	return prep->weights > 0;
}

static struct prep *
prep_new(struct cycle *cycle, const struct node_resources_fit_args *a)
{
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));
	struct resources request;

	prep->release = cycle->profile->release;
	prep->strategy = a->strategy;
	/* Spec alone, without requests at pod level. */
	request = *(prep->release < SINCE_SHARE_OVERHEAD ?
		&cycle->class->full :
		cycle->class->from_27.pending);
	request.cpu_milli = pod_cpu_milli(cycle);
	request.memory = pod_memory(cycle);
	if (ignores_overhead(prep, a)) {
		request = cycle->class->requested;
		request.cpu_milli = cycle->class->scored_bare.cpu_milli;
		request.memory = cycle->class->scored_bare.memory;
	}
	prep->resources = scored_resources_new(cycle->arena, a->nresources,
	    a->resources, prep->release >= SINCE_SHARE_EACH, &request);
	if (prep->release >= SINCE_SHARE_SKIPS) {
		/* Those that can count on any node. */
		struct scored_resources *r = &prep->resources;
		size_t n = 0;

		for (size_t i = 0; i < r->n; i++)
			if (r->at[i].kind != SCORED_UNKNOWN &&
			    (r->at[i].kind != SCORED_SCALAR ||
				r->at[i].request != 0))
				r->at[n++] = r->at[i];
		r->n = n;
	}
	for (size_t i = 0; i < prep->resources.n; i++)
		prep->weights =
		    wrap_add(prep->weights, prep->resources.at[i].weight);
	if (prep->strategy == STRATEGY_REQUESTED_TO_CAPACITY_RATIO) {
		prep->skips_zero = true;
		shape_heights(cycle->profile->score_max, a->npoints, a->shape,
		    prep->heights);
	}
	prep->columns = are_for_columns(prep);
	prep->plain = !ignores_overhead(prep, a) &&
	    scored_resources_are_plain(&prep->resources) &&
	    prep->resources.at[0].weight == prep->resources.at[1].weight;
	return prep;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	static const struct node_resources_fit_args default_args = {
		.strategy = STRATEGY_LEAST_ALLOCATED,
	};

	return prep_new(cycle, args != NULL ? args : &default_args);
}

static int64_t
held_on(const struct cycle *cycle, const struct node_info *node,
    const struct scored *s)
{
	if (s->kind == SCORED_CPU)
		return scored_on(cycle, node)->cpu_milli;
	if (s->kind == SCORED_MEMORY)
		return scored_on(cycle, node)->memory;
	return scored_amount(s, &node->requested);
}

/* More requested than there is counts as all of it. */
static bool
is_clamped(const struct prep *prep)
{
	return prep->release >= SINCE_SHARE_MOST_CLAMPED;
}

static int64_t
share_of(const struct prep *prep, int64_t max, int64_t requested,
    int64_t capacity)
{
	switch (prep->strategy) {
	case STRATEGY_LEAST_ALLOCATED:
		return free_share(max, requested, capacity);
	case STRATEGY_MOST_ALLOCATED:
		if (is_clamped(prep) && requested > capacity)
			requested = capacity;
		return used_share(max, requested, capacity);
	case STRATEGY_REQUESTED_TO_CAPACITY_RATIO:
		break;
	}
	return shape_height(prep->heights,
	    prep->release < SINCE_SHARE_SKIPS ?
		utilization(requested, capacity) :
		utilization_truncated(requested, capacity));
}

static int64_t
mean(const struct prep *prep, int64_t sum, int64_t weights)
{
	if (weights == 0)
		return 0;
	if (prep->skips_zero)
		return to_int64(round((double)sum / (double)weights));
	return wrap_div(sum, weights);
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	int64_t max = cycle->profile->score_max, sum = 0, weights = 0;

	for (size_t i = 0; i < prep->resources.n; i++) {
		const struct scored *s = &prep->resources.at[i];
		int64_t capacity = scored_amount(s, &node->node->allocatable);
		int64_t held = held_on(cycle, node, s), one;

		if (prep->release >= SINCE_SHARE_SKIPS && capacity == 0 &&
		    !scored_devices(cycle, s, node, &capacity, &held))
			continue;
		one = share_of(prep, max, wrap_add(held, s->request), capacity);
		if (prep->skips_zero && one <= 0)
			continue;
		sum = wrap_add(sum, wrap_mul(one, s->weight));
		weights = wrap_add(weights, s->weight);
	}
	return mean(prep, sum, weights);
}

static inline int32_t
most_share_in_columns(double max, double requested, double capacity)
{
	double used = requested <= capacity ? requested : capacity;

	return (int32_t)(used * max / capacity);
}

/* The resource's columns: the amounts that pods hold, and that nodes have. */
static const double *
held_in_columns(const struct cycle *cycle, const struct column_block *b,
    const struct scored *s)
{
	const struct column_scored *scored = scored_in(cycle, b);

	return s->kind == SCORED_CPU ? scored->cpu_milli : scored->memory;
}

static const double *
capacity_in_columns(const struct column_block *b, const struct scored *s)
{
	return s->kind == SCORED_CPU ? b->cpu_milli : b->memory;
}

/* share_of() in columns. */
static int64_t
share_in_columns(const struct prep *prep, double max, double requested,
    double capacity)
{
	switch (prep->strategy) {
	case STRATEGY_LEAST_ALLOCATED:
		return free_share_in_columns(max, requested, capacity);
	case STRATEGY_MOST_ALLOCATED:
		return is_clamped(prep) ?
		    most_share_in_columns(max, requested, capacity) :
		    used_share_in_columns(max, requested, capacity);
	case STRATEGY_REQUESTED_TO_CAPACITY_RATIO:
		break;
	}
	return prep->heights[prep->release < SINCE_SHARE_SKIPS ?
		utilization_in_columns(requested, capacity) :
		utilization_truncated_in_columns(requested, capacity)];
}

static void
weighted_block(const struct cycle *cycle, const struct prep *prep,
    const struct column_block *b, int64_t *restrict scores)
{
	double max = (double)cycle->profile->score_max;

	for (uint32_t i = 0; i < b->n; i++) {
		int64_t sum = 0, weights = 0;

		for (size_t j = 0; j < prep->resources.n; j++) {
			const struct scored *s = &prep->resources.at[j];
			int64_t one = share_in_columns(prep, max,
			    held_in_columns(cycle, b, s)[i] +
				(double)s->request,
			    capacity_in_columns(b, s)[i]);

			if (prep->skips_zero && one <= 0)
				continue;
			sum += one * s->weight;
			weights += s->weight;
		}
		scores[i] = mean(prep, sum, weights);
	}
}

/*
 * The mean of cpu and memory, of the same weight, goes through the columns once.
 * Inlined for each rule, so that compilers vectorize the loop.
 */
static inline __attribute__((always_inline)) bool
mean_shares(const struct cycle *cycle, const struct column_block *b,
    int32_t (*share)(double max, double requested, double capacity),
    int64_t *restrict scores)
{
	const struct column_scored *s = scored_in(cycle, b);
	double cpu = (double)pod_cpu_milli(cycle);
	double memory = (double)pod_memory(cycle);
	double max = (double)cycle->profile->score_max;

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] =
		    (share(max, s->cpu_milli[i] + cpu, b->cpu_milli[i]) +
			share(max, s->memory[i] + memory, b->memory[i])) /
		    2;
	return true;
}

static VECTORIZED bool
mean_free(const struct cycle *cycle, const struct column_block *b,
    int64_t *restrict scores)
{
	return mean_shares(cycle, b, free_share_in_columns, scores);
}

static VECTORIZED bool
mean_used(const struct cycle *cycle, const struct column_block *b,
    int64_t *restrict scores)
{
	return mean_shares(cycle, b, used_share_in_columns, scores);
}

static VECTORIZED bool
mean_most(const struct cycle *cycle, const struct column_block *b,
    int64_t *restrict scores)
{
	return mean_shares(cycle, b, most_share_in_columns, scores);
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;

	if (!prep->columns)
		return false;
	if (prep->plain &&
	    prep->strategy != STRATEGY_REQUESTED_TO_CAPACITY_RATIO) {
		if (prep->strategy == STRATEGY_LEAST_ALLOCATED)
			return mean_free(cycle, b, scores);
		return is_clamped(prep) ? mean_most(cycle, b, scores) :
					  mean_used(cycle, b, scores);
	}
	weighted_block(cycle, prep, b, scores);
	return true;
}

const struct priority priority_node_resources = {
	.name = "NodeResources",
	.reads = READS_NODE | ASPECT_REQUESTS,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};

static const void *
prepare_most(struct cycle *cycle, const void *args)
{
	static const struct node_resources_fit_args most = {
		.strategy = STRATEGY_MOST_ALLOCATED,
	};

	return prep_new(cycle, &most);
}

static const void *
prepare_ratio(struct cycle *cycle, const void *args)
{
	static const struct shape_point prefer_empty[] = { { 0, 10 },
		{ SHAPE_FULL, 0 } };
	const struct requested_to_capacity_ratio_args *a = args;
	struct node_resources_fit_args fit = {
		.strategy = STRATEGY_REQUESTED_TO_CAPACITY_RATIO,
		.npoints = LENGTH(prefer_empty),
		.shape = prefer_empty,
	};
	struct prep *prep;

	if (a != NULL) {
		fit.npoints = a->npoints;
		fit.shape = a->shape;
	}
	prep = prep_new(cycle, &fit);
	prep->skips_zero = false;
	return prep;
}

const struct priority priority_least_requested_priority = {
	.name = "LeastRequestedPriority",
	.policy = { .in = IN_DEFAULT, .aliases = "LeastRequestedPriorityMap" },
	.convert = { .later = "NodeResourcesFit" },
	.reads = READS_NODE | ASPECT_REQUESTS,
	.plugin = PLUGIN_LEAST_ALLOCATED,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};

const struct priority priority_most_requested_priority = {
	.name = "MostRequestedPriority",
	.policy = { .in = IN_AUTOSCALER },
	.convert = { .later = "NodeResourcesFit" },
	.reads = READS_NODE | ASPECT_REQUESTS,
	.plugin = PLUGIN_MOST_ALLOCATED,
	.prepare = prepare_most,
	.score = score,
	.score_block = score_block,
};

/* Without arguments it has a slope. */
static enum needs
needs_by(const void *args)
{
	const struct requested_to_capacity_ratio_args *a = args;

	for (size_t i = 1; a != NULL && i < a->npoints; i++)
		if (a->shape[i].score != a->shape[0].score)
			return NEEDS_NO_OBJECT;
	return a == NULL ? NEEDS_NO_OBJECT : NEEDS_ARGUMENT_SLOPE;
}

const struct priority priority_requested_to_capacity_ratio_priority = {
	.name = "RequestedToCapacityRatioPriority",
	.policy = { .in = REGISTERED },
	.convert = { .later = "NodeResourcesFit" },
	.reads = READS_NODE | ASPECT_REQUESTS,
	.plugin = PLUGIN_REQUESTED_TO_CAPACITY_RATIO,
	.prepare = prepare_ratio,
	.score = score,
	.score_block = score_block,
	.needs_by = needs_by,
};

/* The three plugins of 1.20 that became strategies of NodeResourcesFit. */

const struct plugin plugin_least_allocated = {
	.name = "NodeResourcesLeastAllocated",
	.points = { AT_POINT(SCORE), 0 },
	.score = &priority_node_resources,
	.weight = { 1, 0 },
	.enabled = true,
};

const struct plugin plugin_most_allocated = {
	.name = "NodeResourcesMostAllocated",
	.points = { AT_POINT(SCORE), 0 },
	.score = &priority_node_resources,
	.weight = { 1, 0 },
};

const struct plugin plugin_requested_to_capacity_ratio = {
	.name = "RequestedToCapacityRatio",
	.points = { AT_POINT(SCORE), 0 },
	.score = &priority_node_resources,
	.weight = { 1, 0 },
};
