#include "config.h"

#include "decide/sched/filter.h"

#include "base/hash.h"
#include "cluster/columns.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "decide/framework/stopwatch.h"

#define MIN_ENOUGH 100 /* minFeasibleNodesToFind */

struct filter *
filter_new(struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;
	struct filter *filter = arena_array(cycle->arena, struct filter, 1);

	filter->cycle = cycle;
	filter->nsteps = profile->npredicates;
	filter->steps =
	    arena_alloc(cycle->arena, filter->nsteps * sizeof(*filter->steps));
	for (size_t i = 0; i < filter->nsteps; i++)
		filter->steps[i] =
		    (struct filter_step){ .rule = &profile->predicates[i] };
	return filter;
}

void
filter_use(struct filter *filter, const struct ecache_class *kept)
{
	filter->kept = kept;
}

/* The cached prep of the step, NULL if its unit reads more than the node. */
static const struct cached_prep *
cached_prep(const struct filter *filter, const struct filter_step *step)
{
	return filter->kept != NULL && (step->rule->unit->reads & READS_NODE) ?
	    &filter->kept->results->predicates[step - filter->steps] :
	    NULL;
}

static void
prepare(struct filter *filter, struct filter_step *step)
{
	const struct predicate *unit = step->rule->unit;
	const struct cached_prep *cached = cached_prep(filter, step);
	struct cycle *cycle = filter->cycle;
	double started;

	step->prepared = true;
	if (cached != NULL) {
		step->prep = cached->prep;
		step->applies = cached->applies;
	} else if (!(unit->reads & READS_NODE) &&
	    pod_class_lacks(cycle->class, aspects_read(unit->reads))) {
		step->applies = false;
	} else if (unit->prepare == NULL) {
		step->prep = step->rule->args;
		step->applies = true;
	} else {
		started = stopwatch_start(cycle->stopwatch);
		step->prep = unit->prepare(cycle, step->rule->args);
		step->applies = step->prep != NULL;
		stopwatch_stop(cycle->stopwatch, POINT_PRE_FILTER, unit,
		    started);
	}
}

/* Whether the step may refuse a node; prepares it at the first call. */
static inline bool
applies(struct filter *filter, struct filter_step *step)
{
	if (!step->prepared)
		prepare(filter, step);
	return step->applies;
}

bool
filter_can_skip(const struct filter *filter, size_t i)
{
	const struct filter_step *step = &filter->steps[i];
	const struct predicate *unit = step->rule->unit;
	const struct cached_prep *cached = cached_prep(filter, step);

	if (step->prepared)
		return !step->applies;
	return cached != NULL ? !cached->applies :
				!(unit->reads & READS_NODE) &&
		pod_class_lacks(filter->cycle->class,
		    aspects_read(unit->reads));
}

/* Lists the steps that read more than the node and may refuse this pod; with cached
 * results, without a loop over all steps. */
static void
list_uncached_steps(struct filter *filter)
{
	const struct ecache_class *kept = filter->kept;
	const struct pod_class *class = filter->cycle->class;
	size_t n = kept != NULL ? kept->rules->npredicates : filter->nsteps;

	filter->uncached =
	    arena_alloc(filter->cycle->arena, n * sizeof(*filter->uncached));
	for (size_t i = 0; kept != NULL && i < n; i++) {
		const struct uncached_predicate *rule =
		    &kept->rules->predicates[i];

		if (!pod_class_lacks(class, rule->aspects))
			filter->uncached[filter->nuncached++] = rule->step;
	}
	for (size_t i = 0; kept == NULL && i < n; i++) {
		const struct predicate *unit = filter->steps[i].rule->unit;

		if (!(unit->reads & READS_NODE) &&
		    !pod_class_lacks(class, aspects_read(unit->reads)))
			filter->uncached[filter->nuncached++] = (uint32_t)i;
	}
}

/* The i-th of these steps, NULL after the last. */
static inline struct filter_step *
uncached_step(struct filter *filter, size_t i)
{
	if (filter->uncached == NULL)
		list_uncached_steps(filter);
	return i < filter->nuncached ? &filter->steps[filter->uncached[i]] :
				       NULL;
}

bool
filter_all_kept(struct filter *filter)
{
	struct filter_step *step;

	for (size_t i = 0; (step = uncached_step(filter, i)) != NULL; i++)
		if (applies(filter, step))
			return false;
	return true;
}

const char *
filter_reads_cluster(struct filter *filter)
{
	struct filter_step *step;

	for (size_t i = 0; (step = uncached_step(filter, i)) != NULL; i++)
		if ((step->rule->unit->reads & READS_CLUSTER) &&
		    applies(filter, step))
			return step->rule->name;
	return NULL;
}

struct filter *
filter_of_nodes(struct filter *filter)
{
	struct arena *arena = filter->cycle->arena;
	struct filter *nodes = arena_memdup(arena, filter, sizeof(*filter));

	nodes->steps = arena_array(arena, struct filter_step, filter->nsteps);
	/* steps are prepared already, and the new filter has READS_NODE steps alone */
	nodes->kept = NULL;
	nodes->uncached = nodes->applicable = nodes->updated = NULL;
	nodes->nuncached = nodes->napplicable = nodes->nupdated = 0;
	nodes->nsteps = 0;
	for (size_t i = 0; i < filter->nsteps; i++) {
		struct filter_step *step = &filter->steps[i];

		if ((step->rule->unit->reads & READS_NODE) &&
		    applies(filter, step))
			nodes->steps[nodes->nsteps++] = *step;
	}
	return nodes;
}

static enum verdict
check_plain(struct filter *filter, const struct node_info *node, bool all,
    struct why *why)
{
	enum verdict worst = FITS, verdict;

	if (filter->applicable == NULL) {
		/* Lists the steps that cannot be skipped: preemption filters
		 * for each pod of each node. */
		filter->applicable = arena_alloc(filter->cycle->arena,
		    filter->nsteps * sizeof(*filter->applicable));
		for (size_t i = 0; i < filter->nsteps; i++)
			if (!filter_can_skip(filter, i))
				filter->applicable[filter->napplicable++] =
				    (uint32_t)i;
	}
	for (size_t j = 0; j < filter->napplicable; j++) {
		uint32_t i = filter->applicable[j];
		struct filter_step *step = &filter->steps[i];

		if (!applies(filter, step))
			continue;
		filter->cycle->plugin = step->rule->name;
		why_set_plugin(why, step->rule->unit->plugin);
		verdict = step->rule->unit->check(filter->cycle, node,
		    step->prep, why);
		if (verdict != FITS && worst == FITS)
			filter->refused_at = i + 1;
		if (verdict > worst)
			worst = verdict;
		/* a node that no plugin looks at has no other reasons */
		if (verdict == BROKEN ||
		    (verdict != FITS && (!all || *step->rule->name == '\0')))
			break;
	}
	/* the result of a check that was cut short is meaningless */
	return cycle_is_cancelled(filter->cycle) ? BROKEN : worst;
}

void
filter_update(struct filter *filter, const struct node_info *node,
    const struct pod *pod, int sign)
{
	if (filter->updated == NULL) {
		filter->updated = arena_alloc(filter->cycle->arena,
		    filter->nsteps * sizeof(*filter->updated));
		for (size_t i = 0; i < filter->nsteps; i++)
			if (filter->steps[i].rule->unit->update != NULL &&
			    applies(filter, &filter->steps[i]))
				filter->updated[filter->nupdated++] =
				    (uint32_t)i;
	}
	for (size_t i = 0; i < filter->nupdated; i++) {
		struct filter_step *step = &filter->steps[filter->updated[i]];

		step->rule->unit->update(filter->cycle, (void *)step->prep,
		    node, pod, sign);
	}
}

static void
update_nominated(struct filter *filter, const struct node_info *node, int sign)
{
	for (uint32_t i = 0; i < node->nnominated; i++)
		if (cycle_yields_to(filter->cycle, node->nominated[i]))
			filter_update(filter, node, node->nominated[i], sign);
}

enum verdict
filter_node(struct filter *filter, const struct node_info *node, bool all,
    struct why *why)
{
	enum verdict verdict = FITS;
	struct node_info *copy = NULL;

	filter->refused_at = 0;
	filter->cycle->point = POINT_FILTER;
	if (node->nnominated > 0)
		copy = cycle_with_nominated(filter->cycle, node);
	if (copy != NULL) {
		update_nominated(filter, copy, 1);
		verdict = check_plain(filter, copy, all, why);
		update_nominated(filter, copy, -1);
	}
	if (verdict == FITS)
		verdict = check_plain(filter, node, all, why);
	filter->cycle->plugin = NULL;
	return verdict;
}

/* All predicates on one node, if its reasons may come from several checks. */
static void
check_whole(struct filter *filter, struct decision *d, uint32_t cell)
{
	const struct cycle *cycle = filter->cycle;
	struct node_verdict *v = &d->verdicts[cell];

	v->first_reason = (uint32_t)d->why.n;
	v->verdict =
	    filter_node(filter, cycle->cluster->nodes[decision_node(d, cell)],
		cycle->profile->always_check_all_predicates, &d->why);
	v->nreasons = (uint32_t)d->why.n - v->first_reason;
	v->step = filter->refused_at;
}

/*
 * One predicate after the other on the cells that no earlier one has refused; keeps
 * those that fit and returns their number.  The same verdicts as check_whole(), as
 * the first refusal decides, but with one rule's code and data at a time.
 */
static uint32_t
check_step(struct filter *filter, struct filter_step *step, struct decision *d,
    uint32_t *in, uint32_t n)
{
	struct cycle *cycle = filter->cycle;
	const struct predicate *unit = step->rule->unit;
	uint32_t kept = 0, number = (uint32_t)(step - filter->steps) + 1;

	cycle->plugin = step->rule->name;
	cycle->point = POINT_FILTER;
	for (uint32_t i = 0; i < n; i++) {
		struct node_verdict *v = &d->verdicts[in[i]];
		size_t before = d->why.n;

		if (cycle_is_cancelled(cycle))
			return 0;
		d->why.plugin = unit->plugin;
		v->verdict = unit->check(cycle,
		    cycle->cluster->nodes[decision_node(d, in[i])], step->prep,
		    &d->why);
		if (v->verdict == FITS) {
			in[kept++] = in[i];
			continue;
		}
		v->first_reason = (uint32_t)before;
		v->nreasons = (uint32_t)(d->why.n - before);
		v->step = number;
	}
	cycle->plugin = NULL;
	return kept;
}

/* What check() says of the nodes with each code, where it was called for one. */
struct coded {
	bool known[CODE_CHECK];
	struct node_verdict verdicts[CODE_CHECK];
};

/* A node that may be refused: returns whether it fits. */
static bool
check_coded(struct filter *filter, struct filter_step *step, struct decision *d,
    struct coded *coded, uint8_t code, uint32_t at)
{
	if (code < CODE_CHECK && coded->known[code]) {
		d->verdicts[at] = coded->verdicts[code];
	} else {
		check_step(filter, step, d, &at, 1);
		/* errors are counted */
		if (code < CODE_CHECK && d->verdicts[at].verdict != BROKEN) {
			coded->known[code] = true;
			coded->verdicts[code] = d->verdicts[at];
		}
	}
	return d->verdicts[at].verdict == FITS;
}

/*
 * The same from columns, where every node is a cell: check() is called once for all
 * nodes with one code.
 */
static uint32_t
check_blocks(struct filter *filter, struct filter_step *step,
    struct decision *d, uint32_t *in, uint32_t n)
{
	struct cycle *cycle = filter->cycle;
	const struct columns *columns = cluster_columns(cycle->cluster);
	struct coded coded = { { false }, { { FITS, 0, 0, 0 } } };
	uint8_t codes[COLUMN_ROWS];
	uint32_t kept = 0, i = 0;

	while (i < n && !cycle_is_cancelled(cycle)) {
		const struct column_block *b =
		    columns->blocks[in[i] / COLUMN_ROWS];
		uint32_t first = b->first;

		if (!step->rule->unit->check_block(cycle, b, step->prep, codes))
			memset(codes, CODE_CHECK, sizeof(codes));
		for (; i < n && in[i] - first < COLUMN_ROWS; i++) {
			uint8_t code = codes[in[i] - first];

			if (code == 0 ||
			    check_coded(filter, step, d, &coded, code, in[i]))
				in[kept++] = in[i];
		}
	}
	return cycle_is_cancelled(cycle) ? 0 : kept;
}

/* Lists the cells that can be checked step by step, returns their number; others
 * are checked whole. */
static uint32_t
list_undecided(struct filter *filter, struct decision *d, uint32_t *in)
{
	const struct cycle *cycle = filter->cycle;
	bool all = cycle->profile->always_check_all_predicates;
	bool nominated = d->each_node && cycle->cluster->nnominated > 0;
	uint32_t n = 0;

	if (d->cells == NULL && !all && !nominated) {
		for (n = 0; n < d->nnodes; n++)
			in[n] = n;
		return n;
	}
	for (uint32_t i = 0; i < d->ncells; i++) {
		if (all ||
		    (nominated && cycle->cluster->nodes[i]->nnominated > 0))
			check_whole(filter, d, i);
		else
			in[n++] = i;
	}
	return n;
}

/* Drops the cells that are known to fail at one of the first `steps` steps. */
static uint32_t
drop_known(const struct ecache_class *kept, size_t steps, struct decision *d,
    uint32_t *in, uint32_t n)
{
	uint32_t left = 0;

	if (kept->results->nrefusals == 0)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		const struct node_verdict *refusal =
		    ecache_refusal(kept, decision_node(d, in[i]));

		if (refusal == NULL || refusal->step > steps)
			in[left++] = in[i];
		else
			d->verdicts[in[i]] = *refusal;
	}
	return left;
}

static uint32_t
check_step_timed(struct filter *filter, struct filter_step *step,
    struct decision *d, uint32_t *in, uint32_t n)
{
	double started = stopwatch_start(filter->cycle->stopwatch);

	n = d->kept != NULL && d->each_node &&
		step->rule->unit->check_block != NULL ?
	    check_blocks(filter, step, d, in, n) :
	    check_step(filter, step, d, in, n);
	stopwatch_stop(filter->cycle->stopwatch, POINT_FILTER, step->rule->unit,
	    started);
	return n;
}

/* Leaves the cells that fit in the list, and returns their number. */
static uint32_t
check_steps(struct filter *filter, struct decision *d, uint32_t *in, uint32_t n)
{
	for (size_t i = 0; i < filter->nsteps && n > 0; i++)
		if (applies(filter, &filter->steps[i]))
			n = check_step_timed(filter, &filter->steps[i], d, in,
			    n);
	return n;
}

/* The same, where the results of READS_NODE predicates are kept. */
static uint32_t
check_uncached_steps(struct filter *filter, struct decision *d, uint32_t *in,
    uint32_t n)
{
	struct filter_step *step;

	for (size_t i = 0; n > 0 && (step = uncached_step(filter, i)) != NULL;
	     i++) {
		if (!applies(filter, step))
			continue;
		n = drop_known(d->kept, (size_t)(step - filter->steps), d, in,
		    n);
		n = check_step_timed(filter, step, d, in, n);
	}
	return drop_known(d->kept, filter->nsteps, d, in, n);
}

/* kube-scheduler 1.15: numFeasibleNodesToFind().  (≠: without a percentage it
 * takes half of the nodes or fewer, we take all.) */
uint32_t
filter_enough(const struct cycle *cycle)
{
	int64_t percentage = cycle->percentage_of_nodes;
	uint32_t all = cycle->cluster->nnodes, enough;

	if (all < MIN_ENOUGH || percentage <= 0 || percentage >= 100)
		return all;
	enough = (uint32_t)(all * percentage / 100);
	return enough < MIN_ENOUGH ? MIN_ENOUGH : enough;
}

static uint32_t
common_divisor(uint32_t a, uint32_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

/*
 * Node by node until enough fit.  The seed determines the first node.  The stride is
 * coprime to the number of nodes, so it reaches all of them, and does not stay among
 * nodes that were added together, such as those of one zone.  (The reference goes
 * from zone to zone instead, and begins where it last stopped.)
 */
static void
check_sample(struct filter *filter, struct decision *d, uint32_t enough)
{
	uint32_t n = d->nnodes, step = n / 3 * 2 + 1, nfits = 0;
	uint32_t at = (uint32_t)(hash_mix(filter->cycle->seed + 2) % n);

	while (common_divisor(n, step) != 1)
		step++;
	for (uint32_t i = 0; i < n; i++)
		d->verdicts[i].verdict = UNFIT; /* not examined */
	for (d->nexamined = 0; d->nexamined < n && nfits < enough;
	     d->nexamined++) {
		check_whole(filter, d, at);
		nfits += d->verdicts[at].verdict == FITS;
		at = (uint32_t)(((uint64_t)at + step) % n);
	}
}

void
filter_cells(struct filter *filter, struct decision *d)
{
	uint32_t enough = filter_enough(filter->cycle), n, left, *in;

	if (enough < d->nnodes) {
		check_sample(filter, d, enough);
		return;
	}
	in = arena_alloc(filter->cycle->arena, d->ncells * sizeof(*in));
	n = list_undecided(filter, d, in);
	left = d->kept != NULL ? check_uncached_steps(filter, d, in, n) :
				 check_steps(filter, d, in, n);
	/* if the list was of all, and nobody else refuses any */
	if (n < d->ncells || filter->cycle->extension != NULL)
		return;
	d->feasible = in;
	d->nfitting = left;
}
