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
 * NodeResourcesBalancedAllocation has the balance below as its score from 1.22 on;
 * that of 1.36 compares the node with the pod and without it:
 *
 *	balance = truncated (1 - deviation) * score_max
 *	score = score_max / 2 + (score_max / 2 + balance with - balance without) / 2
 *
 * where deviation is the standard deviation of the used parts, 1 at most, of the
 * resources of the arguments.  Requests count as they are, without defaults;
 * resources that the node has none of, and scalar resources that the pod does not
 * request, do not count.  A pod that requests none of them is not scored from 1.33 on.
 *
 * doc/semantics/11-kube-1.36.md, Resources.
 */
#include "config.h"

#include <math.h>

#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "priorities/arith.h"
#include "priorities/registry.h"
#include "priorities/resource_share.h"
#include "priorities/scored_resources.h"

static double
used(int64_t requested, int64_t capacity)
{
	return capacity == 0 ? 1 : (double)requested / (double)capacity;
}

/* Since 1.22; earlier releases have none. */
struct prep {
	bool improves; /* the node is compared with and without the pod */
	bool columns;  /* cpu and memory, of ordinary amounts */
	int64_t cpu_milli, memory;
	struct scored_resources resources;
};

/* What the pod would hold: as it is written, without defaults. */
static struct resources
requests_of(const struct pod_class *class, int release)
{
	struct resources r = class->full;

	if (release >= SINCE_BALANCE_POD_LEVEL)
		return *class->from_32.held;
	if (release >= SINCE_SHARE_OVERHEAD)
		return *class->from_27.held;
	/* that of the overhead in whole cpus, as scores with defaults have it */
	r.cpu_milli = wrap_add(r.cpu_milli,
	    wrap_sub(class->scored_20.pending.cpu_milli,
		class->scored_20.held.cpu_milli));
	return r;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	static const struct balanced_allocation_args default_args;
	const struct balanced_allocation_args *a =
	    args != NULL ? args : &default_args;
	int release = cycle->profile->release;
	struct resources request;
	struct prep *prep;
	bool any = release < SINCE_BALANCE_UNSCORED;

	if (release < SINCE_BALANCE_DEVIATION)
		return NULL;
	request = requests_of(cycle->class, release);
	prep = arena_zalloc(cycle->arena, sizeof(*prep));
	prep->resources = scored_resources_new(cycle->arena, a->nresources,
	    a->resources, release >= SINCE_SHARE_EACH, &request);
	prep->improves = release >= SINCE_BALANCE_IMPROVEMENT;
	prep->cpu_milli = request.cpu_milli;
	prep->memory = request.memory;
	for (size_t i = 0; i < prep->resources.n; i++)
		any |= prep->resources.at[i].request != 0;
	prep->columns = scored_resources_are_plain(&prep->resources) &&
	    column_amount(request.cpu_milli) && column_amount(request.memory);
	return any ? prep : PREP_SKIPPED;
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
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	int64_t max = cycle->profile->score_max;
	double few[8], *fractions = few;

	if (prep == NULL) {
		const struct resources *has = &node->node->allocatable;
		double cpu =
		    used(cpu_milli_with_pod(cycle, node), has->cpu_milli);
		double memory = used(memory_with_pod(cycle, node), has->memory);

		if (cpu >= 1 || memory >= 1)
			return 0;
		return to_int64((1 - fabs(cpu - memory)) *
		    (double)cycle->profile->score_max);
	}
	if (prep->improves && reference_crashes(cycle, prep, node))
		return 0;
	if (prep->resources.n > LENGTH(few))
		fractions = arena_alloc(cycle->arena,
		    prep->resources.n * sizeof(*fractions));
	if (!prep->improves)
		return balance(cycle, prep, (double)max, node, true, fractions);
	return max / 2 +
	    (max / 2 +
		balance(cycle, prep, (double)max, node, true, fractions) -
		balance(cycle, prep, (double)max, node, false, fractions)) /
	    2;
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

static VECTORIZED void
improvement_block(int32_t max, const struct column_block *b, double own_cpu,
    double own_memory, int64_t *restrict scores)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double cpu = b->cpu_milli[i] - b->free_cpu_milli[i];
		double memory = b->memory[i] - b->free_memory[i];
		int32_t with =
		    balance_in_columns(max, (cpu + own_cpu) / b->cpu_milli[i],
			(memory + own_memory) / b->memory[i]);
		int32_t without = balance_in_columns(max, cpu / b->cpu_milli[i],
		    memory / b->memory[i]);

		scores[i] = max / 2 + (max / 2 + with - without) / 2;
	}
}

/* With the pod alone. */
static VECTORIZED void
balance_block(int32_t max, const struct column_block *b, double own_cpu,
    double own_memory, int64_t *restrict scores)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double cpu = b->cpu_milli[i] - b->free_cpu_milli[i];
		double memory = b->memory[i] - b->free_memory[i];

		scores[i] =
		    balance_in_columns(max, (cpu + own_cpu) / b->cpu_milli[i],
			(memory + own_memory) / b->memory[i]);
	}
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
	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double cpu = (s->cpu_milli[i] + own_cpu) / b->cpu_milli[i];
		double memory = (s->memory[i] + own_memory) / b->memory[i];
		double scale = cpu < 1 ? max : 0;

		scale = memory < 1 ? scale : 0;
		scores[i] = (int32_t)((1 - fabs(cpu - memory)) * scale);
	}
	return true;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;

	if (prep == NULL)
		return policy_block(cycle, b, scores);
	if (!prep->columns)
		return false;
	if (prep->improves)
		improvement_block((int32_t)cycle->profile->score_max, b,
		    (double)prep->cpu_milli, (double)prep->memory, scores);
	else
		balance_block((int32_t)cycle->profile->score_max, b,
		    (double)prep->cpu_milli, (double)prep->memory, scores);
	return true;
}

const struct priority priority_balanced_resource_allocation = {
	.name = "BalancedResourceAllocation",
	.policy = { .in = IN_BOTH, .aliases = "BalancedResourceAllocationMap" },
	.reads = READS_NODE | ASPECT_REQUESTS,
	.plugin = PLUGIN_BALANCED_ALLOCATION,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};

const struct plugin plugin_balanced_allocation = {
	.name = "NodeResourcesBalancedAllocation",
	.points = { AT_POINT(SCORE), AT_POINT(PRE_SCORE) | AT_POINT(SCORE) },
	.score = &priority_balanced_resource_allocation,
	.weight = EARLY_AND_LATER(1),
	.enabled = true,
	.since = { { AT_POINT(PRE_SCORE), 27 } },
};
