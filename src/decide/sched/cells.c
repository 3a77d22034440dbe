#include "config.h"

#include "decide/sched/cells.h"

#include "decide/ecache/ecache.h"
#include "decide/sched/decision.h"
#include "decide/sched/filter.h"
#include "decide/sched/score.h"

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
		d->why.plugins = arena_memdup(cycle->arena,
		    kept->results->why.plugins, d->why.n);
	}
	d->ncells = 0;
	d->cells = NULL;
	d->feasible = NULL;
}

void
cells_each_node(struct cycle *cycle, struct decision *d)
{
	begin(cycle, d);
	d->each_node = true;
	d->ncells = d->nnodes;
	d->verdicts = arena_array(cycle->arena, struct node_verdict, d->ncells);
}

static void
list_cached_cells(struct cycle *cycle, struct decision *d,
    const struct partition *partition)
{
	uint32_t n = partition->n;

	d->cells = arena_alloc(cycle->arena, n * sizeof(*d->cells));
	d->verdicts = arena_array(cycle->arena, struct node_verdict, n);
	d->cell_of_cached =
	    arena_alloc(cycle->arena, n * sizeof(*d->cell_of_cached));
	for (uint32_t i = 0; i < n; i++) {
		const struct partition_cell *cell = partition->at[i];

		d->cell_of_cached[i] = d->ncells;
		if (cell != NULL)
			d->cells[d->ncells++] = (struct cell){
				.node = cell->buckets[0].nodes[0],
				.n = cell->n,
				.cell = i,
			};
	}
}

bool
cells_shared(struct cycle *cycle, struct decision *d)
{
	const struct partition *partition;

	if (d->kept == NULL || cycle->extension != NULL ||
	    !filter_all_kept(d->filter) || !score_prepare_columns(cycle, d))
		return false;
	partition = ecache_partition(cycle->ecache, d->kept, cycle, d->ncolumns,
	    d->columns);
	if (partition == NULL)
		return false;
	begin(cycle, d);
	d->each_node = false;
	list_cached_cells(cycle, d, partition);
	return true;
}

const struct node_verdict *
decision_verdict(const struct decision *d, uint32_t node)
{
	return &d->verdicts[d->each_node ?
		node :
		d->cell_of_cached[d->kept->sorted->partition.of[node]]];
}

void
cells_list_fitting(struct cycle *cycle, struct decision *d)
{
	uint32_t n, nnodes = 0, *times;

	if (d->feasible == NULL) {
		d->nfitting = 0;
		d->feasible =
		    arena_alloc(cycle->arena, d->ncells * sizeof(uint32_t));
		for (uint32_t i = 0; i < d->ncells; i++)
			if (d->verdicts[i].verdict == FITS)
				d->feasible[d->nfitting++] = i;
	}
	n = d->nfitting;
	d->times = times = arena_alloc(cycle->arena, n * sizeof(*times));
	for (uint32_t i = 0; i < n; i++)
		times[i] = 1;
	for (uint32_t i = 0; d->cells != NULL && i < n; i++)
		times[i] = d->cells[d->feasible[i]].n;
	for (uint32_t i = 0; i < n; i++)
		nnodes += times[i];
	d->nfeasible = nnodes;
}

const struct score_bucket *
cells_best(const struct decision *d, uint32_t fitting)
{
	uint32_t cell = d->cells[d->feasible[fitting]].cell;

	return &d->kept->sorted->partition.at[cell]->buckets[0];
}
