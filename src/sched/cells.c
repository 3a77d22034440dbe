#include "config.h"

#include "sched/cells.h"

#include <string.h>

#include "ecache/cut.h"
#include "ecache/ecache.h"
#include "framework/profile.h"
#include "sched/decision.h"
#include "sched/filter.h"

/* Drops earlier cells.  Cached refusals count their reasons from the start. */
static void
begin(struct cycle *cycle, struct decision *d)
{
	const struct ecache_class *kept = d->kept;

	d->why = (struct why){ .arena = cycle->arena };
	if (kept != NULL && kept->results->why.n > 0) {
		d->why.n = d->why.cap = kept->results->why.n;
		d->why.reasons =
		    arena_memdup(cycle->arena, kept->results->why.reasons,
			d->why.n * sizeof(*d->why.reasons));
	}
	d->cut = NULL;
	d->nexcluded = 0;
	d->ncells = 0;
}

static void
make_room(struct cycle *cycle, struct decision *d, uint32_t n)
{
	d->cells = arena_alloc(cycle->arena, n * sizeof(*d->cells));
	d->verdicts = arena_array(cycle->arena, struct node_verdict, n);
}

static void
add_cell(struct decision *d, uint32_t node, uint32_t n, uint32_t cell)
{
	d->cells[d->ncells++] =
	    (struct cell){ .node = node, .n = n, .cell = cell };
}

void
cells_each_node(struct cycle *cycle, struct decision *d)
{
	begin(cycle, d);
	d->each_node = true;
	make_room(cycle, d, d->nnodes);
	for (uint32_t i = 0; i < d->nnodes; i++)
		add_cell(d, i, 1, CELL_NONE);
}

/* Whether all priorities can score cells. */
static bool
scores_by_cell(const struct profile *profile)
{
	for (size_t i = 0; i < profile->npriorities; i++)
		if (priority_reads(profile->priorities[i].unit) ==
			READS_CLUSTER &&
		    profile->priorities[i].unit->keep == NULL)
			return false;
	return true;
}

/* Nodes on which nominated pods leave no room for the pod. */
struct set_aside {
	uint32_t n;
	struct cell *cells;
	struct node_verdict *verdicts;
};

/* False: an error. */
static bool
find_nominated(struct cycle *cycle, struct decision *d, struct set_aside *aside)
{
	const struct cluster *cluster = cycle->cluster;
	uint32_t most = cluster->nnominated_to;

	*aside = (struct set_aside){
		.cells = arena_alloc(cycle->arena, most * sizeof(struct cell)),
		.verdicts =
		    arena_alloc(cycle->arena, most * sizeof(*aside->verdicts)),
	};
	for (uint32_t i = 0; i < most; i++) {
		const struct node_info *node = cluster->nominated_to[i];
		struct node_verdict v = { .first_reason = (uint32_t)d->why.n };

		if (node->node == NULL || !filter_yields(d->filter, node))
			continue;
		v.verdict = filter_node(d->filter, node, false, &d->why);
		v.nreasons = (uint32_t)d->why.n - v.first_reason;
		v.step = d->filter->refused_at;
		if (v.verdict == BROKEN)
			return false;
		if (v.verdict == FITS)
			continue;
		aside->cells[aside->n] = (struct cell){ .node = node->index,
			.n = 1,
			.cell = CELL_NONE,
			.decided = true };
		aside->verdicts[aside->n++] = v;
	}
	return true;
}

/* Whether nodes with this outcome reach the step. */
static bool
reaches(const struct ecache_class *kept, size_t step, int64_t outcome)
{
	return state_passes(outcome_at(kept->results, outcome)[0], step);
}

/* Whether any cell reaches a predicate whose results are not kept. */
static bool
needs_cut(struct decision *d, const struct partition *partition)
{
	size_t first = filter_first_uncached(d->filter);
	uint32_t n =
	    partition != NULL ? partition->n : d->kept->results->outcomes.n;

	for (uint32_t i = 0; first < d->filter->nsteps && i < n; i++) {
		if (partition == NULL ? reaches(d->kept, first, i) :
					partition->at[i] != NULL &&
			    reaches(d->kept, first, partition->at[i]->key[0]))
			return true;
	}
	return false;
}

static bool
distinguish(void *filter, struct refinement *refinement)
{
	return filter_distinguish(filter, refinement);
}

static void
add_cached_cells(struct cycle *cycle, struct decision *d,
    const struct partition *partition)
{
	d->cell_of_cached = arena_alloc(cycle->arena,
	    partition->n * sizeof(*d->cell_of_cached));
	for (uint32_t i = 0; i < partition->n; i++) {
		const struct partition_cell *cell = partition->at[i];

		d->cell_of_cached[i] = d->ncells;
		if (cell != NULL)
			add_cell(d, cell->buckets[0].nodes[0], cell->n, i);
	}
}

static void
add_cut(struct cycle *cycle, struct decision *d, uint32_t nmore)
{
	const struct cut *cut = d->cut;

	make_room(cycle, d, cut->n + nmore);
	for (uint32_t i = 0; i < cut->n; i++)
		add_cell(d, cut->at[i].first, cut->at[i].n, cut->at[i].cell);
}

/* By node index: 1 for these, 0 for others; NULL if there are none. */
static const uint32_t *
excluded_nodes(struct cycle *cycle, const struct set_aside *aside)
{
	uint32_t *excluded = NULL;

	if (aside->n > 0)
		excluded =
		    arena_array(cycle->arena, uint32_t, cycle->cluster->nnodes);
	for (uint32_t i = 0; i < aside->n; i++)
		excluded[aside->cells[i].node] = 1;
	return excluded;
}

/* Cells of all nodes that are not set aside.  False: every node must be a cell. */
static bool
make_cells(struct cycle *cycle, struct decision *d,
    const struct set_aside *aside)
{
	const struct partition *partition =
	    ecache_partition(cycle->ecache, d->kept, cycle);
	struct cut_by by = { NULL, d->filter };
	bool cut = needs_cut(d, partition);

	if (cut)
		by.function = distinguish;
	for (uint32_t i = 0; partition != NULL && i < aside->n; i++)
		ecache_exclude(cycle->ecache, d->kept, aside->cells[i].node);
	if (partition != NULL && !cut) {
		make_room(cycle, d, partition->n + aside->n);
		add_cached_cells(cycle, d, partition);
		return true;
	}
	d->cut = partition != NULL ? cut_partition(cycle, partition, by) :
				     ecache_cut(cycle->ecache, d->kept, cycle,
					 excluded_nodes(cycle, aside), by);
	if (d->cut != NULL)
		add_cut(cycle, d, aside->n);
	return d->cut != NULL;
}

bool
cells_shared(struct cycle *cycle, struct decision *d)
{
	struct set_aside aside;

	if (d->kept == NULL || !d->kept->complete || cycle->extension != NULL ||
	    !scores_by_cell(cycle->profile))
		return false;
	begin(cycle, d);
	d->each_node = false;
	if (!find_nominated(cycle, d, &aside) || !make_cells(cycle, d, &aside))
		return false;
	d->nexcluded = aside.n;
	for (uint32_t i = 0; i < aside.n; i++) {
		d->verdicts[d->ncells] = aside.verdicts[i];
		d->cells[d->ncells++] = aside.cells[i];
	}
	return true;
}

static uint32_t
cell_of(const struct decision *d, uint32_t node)
{
	uint32_t cell = d->ncells - d->nexcluded, number;

	if (d->each_node)
		return node;
	if (d->cut != NULL && (number = d->cut->of[node]) != CUT_NONE)
		return number;
	if (d->cut == NULL &&
	    (number = d->kept->sorted->partition.of[node]) != CELL_NONE)
		return d->cell_of_cached[number];
	while (d->cells[cell].node != node)
		cell++;
	return cell;
}

const struct node_verdict *
decision_verdict(const struct decision *d, uint32_t node)
{
	return &d->verdicts[cell_of(d, node)];
}

static void
add_fitting(struct decision *d, uint32_t cell)
{
	d->feasible[d->nfitting] = cell;
	d->times[d->nfitting++] = d->cells[cell].n;
}

/* Joins the cells that were cut from one cell: they have equal scores. */
static void
join_cut(struct cycle *cycle, struct decision *d)
{
	const struct partition *partition = d->cut->partition;
	uint32_t *place = arena_array(cycle->arena, uint32_t, partition->n);

	for (uint32_t i = 0; i < d->ncells; i++) {
		uint32_t cell = d->cells[i].cell;

		if (d->verdicts[i].verdict != FITS)
			continue;
		if (place[cell] == 0) {
			add_fitting(d, i);
			place[cell] = d->nfitting;
		} else {
			d->times[place[cell] - 1] += d->cells[i].n;
		}
	}
}

/* The best nodes of each cell that fits. */
static void
find_best(struct cycle *cycle, struct decision *d)
{
	const struct partition *partition = &d->kept->sorted->partition;

	d->best = arena_alloc(cycle->arena,
	    d->nfitting * sizeof(struct score_bucket *));
	for (uint32_t i = 0; i < d->nfitting; i++) {
		uint32_t cell = d->cells[d->feasible[i]].cell;

		d->best[i] = d->times[i] == partition->at[cell]->n ?
		    &partition->at[cell]->buckets[0] :
		    cut_best(d->cut, cycle->arena, cell, d->verdicts);
	}
}

void
cells_list_fitting(struct cycle *cycle, struct decision *d)
{
	size_t n = d->ncells;

	d->nfitting = d->nfeasible = 0;
	d->feasible = arena_alloc(cycle->arena, n * sizeof(*d->feasible));
	d->times = arena_alloc(cycle->arena, n * sizeof(*d->times));
	d->best = NULL;
	d->tops = NULL;
	if (d->cut != NULL && d->cut->partition != NULL)
		join_cut(cycle, d);
	else
		for (uint32_t i = 0; i < d->ncells; i++)
			if (d->verdicts[i].verdict == FITS)
				add_fitting(d, i);
	for (uint32_t i = 0; i < d->nfitting; i++)
		d->nfeasible += d->times[i];
	if (d->cut != NULL && d->cut->partition == NULL)
		d->tops =
		    cut_tops(d->cut, cycle->arena, d->kept->results->total);
	else if (!d->each_node)
		find_best(cycle, d);
}
