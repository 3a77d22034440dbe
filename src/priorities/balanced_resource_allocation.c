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
 *
 * NodeResourcesBalancedAllocation of 1.36 compares the node with the pod and
 * without it:
 *
 *	balance = truncated (1 - deviation) * score_max
 *	score = score_max / 2 + (score_max / 2 + balance with - balance without) / 2
 *
 * where deviation is the standard deviation of the used parts, 1 at most, of the
 * resources of the arguments.  Requests count as they are, without defaults;
 * resources that the node has none of, and scalar resources that the pod does not
 * request, do not count.  A pod that requests none of them is not scored.
 *
 * doc/semantics/11-kube-1.36.md, Resources.
 */
#include "config.h"

#include <math.h>

#include "base/xmalloc.h"
#include "framework/args.h"
#include "framework/profile.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"
#include "priorities/scored_resources.h"

static double
used(int64_t requested, int64_t capacity)
{
	return capacity == 0 ? 1 : (double)requested / (double)capacity;
}

/* Of 1.36; earlier releases have none. */
struct prep {
	bool columns; /* cpu and memory, of ordinary amounts */
	struct scored_resources resources;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	static const struct balanced_allocation_args default_args;
	const struct balanced_allocation_args *a =
	    args != NULL ? args : &default_args;
	const struct resources *request = cycle->class->from_32.held;
	struct prep *prep;
	bool any = false;

	if (cycle->profile->release < 36)
		return NULL;
	prep = arena_zalloc(cycle->arena, sizeof(*prep));
	prep->resources = scored_resources_new(cycle->arena, a->nresources,
	    a->resources, true, request);
	for (size_t i = 0; i < prep->resources.n; i++)
		any |= prep->resources.at[i].request != 0;
	prep->columns = scored_resources_are_plain(&prep->resources) &&
	    column_amount(request->cpu_milli) && column_amount(request->memory);
	return any ? prep : PREP_SKIPPED;
}

static int64_t
score_policy(struct cycle *cycle, const struct node_info *node)
{
	const struct resources *has = &node->node->allocatable;
	double cpu = used(cpu_milli_with_pod(cycle, node), has->cpu_milli);
	double memory = used(memory_with_pod(cycle, node), has->memory);

	if (cpu >= 1 || memory >= 1)
		return 0;
	return to_int64(
	    (1 - fabs(cpu - memory)) * (double)cycle->profile->score_max);
}

static double
deviation(const double *fractions, size_t n)
{
	double total = 0, squares = 0;

	if (n == 2)
		return fabs((fractions[0] - fractions[1]) / 2);
	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		total += fractions[i];
	for (size_t i = 0; i < n; i++) {
		double off = fractions[i] - total / (double)n;

		squares += off * off;
	}
	return sqrt(squares / (double)n);
}

/* fractions: scratch. */
static int64_t
balance(struct cycle *cycle, const struct prep *prep, double max,
    const struct node_info *node, bool with_pod, double *fractions)
{
	size_t n = 0;

	for (size_t i = 0; i < prep->resources.n; i++) {
		const struct scored *s = &prep->resources.at[i];
		int64_t has = scored_amount(s, &node->node->allocatable);
		int64_t used = scored_amount(s, &node->requested);
		double fraction;

		if (s->kind == SCORED_SCALAR && s->request == 0)
			continue;
		if (has == 0 && !scored_devices(cycle, s, node, &has, &used))
			continue;
		if (with_pod)
			used = wrap_add(used, s->request);
		fraction = (double)used / (double)has;
		fractions[n++] = fraction > 1 ? 1 : fraction;
	}
	return to_int64((1 - deviation(fractions, n)) * max);
}

/* Whether kube-scheduler 1.36 crashes: it compiles no selectors here. */
static bool
reference_crashes(struct cycle *cycle, const struct prep *prep,
    const struct node_info *node)
{
	for (size_t i = 0; i < prep->resources.n; i++) {
		const struct scored *s = &prep->resources.at[i];

		if (s->kind == SCORED_SCALAR && s->request != 0 &&
		    scored_amount(s, &node->node->allocatable) == 0 &&
		    scored_devices_are_selected(cycle, s, node))
			return true;
	}
	return false;
}

static int64_t
improvement(int64_t max, int64_t with, int64_t without)
{
	return max / 2 + (max / 2 + with - without) / 2;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	int64_t max = cycle->profile->score_max;
	double few[8], *fractions = few;

	if (prep == NULL)
		return score_policy(cycle, node);
	if (reference_crashes(cycle, prep, node))
		return 0;
	if (prep->resources.n > LENGTH(few))
		fractions = arena_alloc(cycle->arena,
		    prep->resources.n * sizeof(*fractions));
	return improvement(max,
	    balance(cycle, prep, (double)max, node, true, fractions),
	    balance(cycle, prep, (double)max, node, false, fractions));
}

/* Of cpu and memory. */
static inline int32_t
balance_in_columns(double max, double cpu, double memory)
{
	/* rows without a node may have anything below */
	cpu = cpu > 0 ? cpu : 0;
	memory = memory > 0 ? memory : 0;
	cpu = cpu < 1 ? cpu : 1;
	memory = memory < 1 ? memory : 1;
	return (int32_t)((1 - fabs((cpu - memory) / 2)) * max);
}

/* The score of a row, exactly. */
static inline int32_t
improvement_in_columns(const struct column_block *b, uint32_t row, int32_t max,
    double own_cpu, double own_memory)
{
	double cpu = b->cpu_milli[row] - b->free_cpu_milli[row];
	double memory = b->memory[row] - b->free_memory[row];
	int32_t with =
	    balance_in_columns(max, (cpu + own_cpu) / b->cpu_milli[row],
		(memory + own_memory) / b->memory[row]);
	int32_t without = balance_in_columns(max, cpu / b->cpu_milli[row],
	    memory / b->memory[row]);

	return max / 2 + (max / 2 + with - without) / 2;
}

static inline __attribute__((always_inline)) float
balance_about(float max, float cpu, float memory)
{
	cpu = cpu < 1 ? cpu : 1;
	memory = memory < 1 ? memory : 1;
	return (1 - fabsf(cpu - memory) / 2) * max;
}

/* SCORE_UNSURE, or the same. */
static inline __attribute__((always_inline)) int32_t
improvement_about(const struct column_block *b, uint32_t row, float max,
    float own_cpu, float own_memory)
{
	float cpu = b->requested_cpu_share[row];
	float memory = b->requested_memory_share[row];
	float error = max * SHARE_ERROR;
	float with = balance_about(max, cpu + own_cpu * b->cpu_inverse[row],
	    memory + own_memory * b->memory_inverse[row]);
	float without = balance_about(max, cpu, memory);
	/* that of an empty node is max exactly */
	int32_t unsure = is_close_to_whole(with, error);
	int32_t half = (int32_t)max / 2;

	unsure |= (int32_t)is_close_to_whole(without, error) &
	    (int32_t)(cpu + memory > 0);
	return (half + (half + (int32_t)with - (int32_t)without) / 2) | -unsure;
}

static VECTORIZED void
improvement_block(int32_t max, const struct column_block *b, double own_cpu,
    double own_memory, int64_t *restrict scores)
{
	for (uint32_t first = 0; first < COLUMN_ROWS; first += SHARE_ROWS) {
		int32_t any = 0;

		for (uint32_t i = 0; i < SHARE_ROWS; i++) {
			int32_t score = improvement_about(b, first + i,
			    (float)max, (float)own_cpu, (float)own_memory);

			any |= score;
			scores[first + i] = score;
		}
		for (uint32_t i = first;
		     any < 0 && i < first + SHARE_ROWS && i < b->n; i++)
			if (scores[i] < 0)
				scores[i] = improvement_in_columns(b, i, max,
				    own_cpu, own_memory);
	}
}

/* The policies' score of a row, exactly. */
static inline int32_t
policy_in_columns(const struct column_block *b, const struct column_scored *s,
    uint32_t row, double max, double own_cpu, double own_memory)
{
	double cpu = (s->cpu_milli[row] + own_cpu) / b->cpu_milli[row];
	double memory = (s->memory[row] + own_memory) / b->memory[row];

	return cpu < 1 && memory < 1 ?
	    (int32_t)((1 - fabs(cpu - memory)) * max) :
	    0;
}

/* SCORE_UNSURE, or the same. */
static inline __attribute__((always_inline)) int32_t
policy_about(const struct column_block *b, const struct column_scored *s,
    uint32_t row, float max, float own_cpu, float own_memory)
{
	float cpu = s->cpu_share[row] + own_cpu * b->cpu_inverse[row];
	float memory =
	    s->memory_share[row] + own_memory * b->memory_inverse[row];
	float scale = cpu < 1 ? max : 0;
	float score;
	int32_t unsure;

	scale = memory < 1 ? scale : 0;
	score = (1 - fabsf(cpu - memory)) * scale;
	unsure = -(is_close_to_whole(score, max * 2 * SHARE_ERROR) |
	    (fabsf(cpu - 1) < SHARE_ERROR) | (fabsf(memory - 1) < SHARE_ERROR));
	return (int32_t)score | unsure;
}

static VECTORIZED bool
policy_block(struct cycle *cycle, const struct column_block *b,
    int64_t *restrict scores)
{
	const struct column_scored *s = scored_in(cycle, b);
	double own_cpu = (double)pod_cpu_milli(cycle);
	double own_memory = (double)pod_memory(cycle);
	double max = (double)cycle->profile->score_max;

	if (!pod_fits_columns(cycle))
		return false;
	for (uint32_t first = 0; first < COLUMN_ROWS; first += SHARE_ROWS) {
		int32_t any = 0;

		for (uint32_t i = 0; i < SHARE_ROWS; i++) {
			int32_t score = policy_about(b, s, first + i,
			    (float)max, (float)own_cpu, (float)own_memory);

			any |= score;
			scores[first + i] = score;
		}
		for (uint32_t i = first;
		     any < 0 && i < first + SHARE_ROWS && i < b->n; i++)
			if (scores[i] < 0)
				scores[i] = policy_in_columns(b, s, i, max,
				    own_cpu, own_memory);
	}
	return true;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;
	const struct resources *request;

	if (prep == NULL)
		return policy_block(cycle, b, scores);
	if (!prep->columns)
		return false;
	request = cycle->class->from_32.held;
	improvement_block((int32_t)cycle->profile->score_max, b,
	    (double)request->cpu_milli, (double)request->memory, scores);
	return true;
}

const struct priority priority_balanced_resource_allocation = {
	.name = "BalancedResourceAllocation",
	.reads = READS_NODE | ASPECT_REQUESTS,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};
