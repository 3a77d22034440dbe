#include "config.h"

#include "ecache/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/vectorize.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/refinement.h"

#define CHUNK 64

static bool
is_excluded(const struct cut *cut, const uint32_t *excluded, uint32_t at)
{
	return cut->partition != NULL ? cut->partition->of[at] == CELL_NONE :
					excluded != NULL && excluded[at] != 0;
}

/* By part: how many nodes it has. */
static const uint32_t *
counts_of(const struct refinement *refinement, struct arena *arena)
{
	uint32_t *counts;

	if (refinement->count != NULL)
		return refinement->count;
	counts = arena_array(arena, uint32_t, refinement->n);
	for (uint32_t i = 0; i < refinement->nnodes; i++)
		counts[refinement->of[i]]++;
	return counts;
}

/* Makes a cell of each part, except parts of excluded nodes and parts without nodes;
 * a joint has neither. */
static void
make_cells(struct cut *cut, const struct refinement *refinement,
    const uint32_t *excluded, struct arena *arena)
{
	const uint32_t *counts = counts_of(refinement, arena);
	uint32_t *cell_of =
	    arena_alloc(arena, refinement->n * sizeof(*cell_of));

	cut->of = refinement->of;
	cut->at = arena_array(arena, struct cut_cell, refinement->n);
	for (uint32_t i = 0; i < refinement->n; i++) {
		uint32_t first = refinement->first[i];

		cell_of[i] = CUT_NONE;
		if (counts[i] == 0 || is_excluded(cut, excluded, first))
			continue;
		cell_of[i] = cut->n;
		cut->at[cut->n++] = (struct cut_cell){ .cell = CELL_NONE,
			.n = counts[i],
			.first = first };
		if (cut->partition != NULL)
			cut->at[cut->n - 1].cell = cut->partition->of[first];
	}
	if (refinement->joint != NULL)
		return;
	for (uint32_t i = 0; cut->n < refinement->n && i < refinement->nnodes;
	     i++)
		refinement->of[i] = cell_of[refinement->of[i]];
	for (size_t i = cut->nnodes; i < column_rows(cut->nnodes); i++)
		refinement->of[i] = CUT_NONE;
}

/* Memory for a cut's cells by node. */
static uint32_t *
rows_new(struct cycle *cycle)
{
	return arena_alloc(cycle->arena,
	    column_rows(cycle->cluster->nnodes) * sizeof(uint32_t));
}

/* A refinement that begins with the cells, some perhaps without nodes, and last the
 * nodes that are in none. */
static void
begin_refinement(struct refinement *refinement,
    const struct partition *partition, uint32_t nnodes, uint32_t *of)
{
	uint32_t n = partition->n;

	*refinement = (struct refinement){ .nnodes = nnodes,
		.n = n + 1,
		.of = of,
		.cap = n + 1,
		.first = xcalloc(n + 1, sizeof(*refinement->first)) };
	for (uint32_t i = 0; i < nnodes; i++) {
		of[i] = partition->of[i] < n ? partition->of[i] : n;
		refinement->first[n] = of[i] == n ? i : refinement->first[n];
	}
	for (uint32_t i = 0; i < n; i++)
		if (partition->at[i] != NULL)
			refinement->first[i] =
			    partition->at[i]->buckets[0].nodes[0];
}

static struct cut *
make(struct cycle *cycle, const struct partition *partition,
    struct refinement *refinement, const uint32_t *excluded)
{
	struct cut *cut = arena_array(cycle->arena, struct cut, 1);

	cut->partition = partition;
	cut->nnodes = refinement->nnodes;
	make_cells(cut, refinement, excluded, cycle->arena);
	refinement_fini(refinement);
	return cut;
}

struct cut *
cut_partition(struct cycle *cycle, const struct partition *partition,
    struct cut_by by)
{
	uint32_t nnodes = cycle->cluster->nnodes;
	struct refinement refinement;

	begin_refinement(&refinement, partition, nnodes, rows_new(cycle));
	if (by.function != NULL && !by.function(by.arg, &refinement)) {
		refinement_fini(&refinement);
		return NULL;
	}
	return make(cycle, partition, &refinement, NULL);
}

struct cut *
cut_nodes(struct cycle *cycle, struct joints *joints, const struct cut_key *key,
    const uint32_t *excluded, struct cut_by by)
{
	struct refinement refinement;

	refinement_begin(&refinement, joints, cycle->cluster, rows_new(cycle));
	for (size_t i = 0; i < key->ntopologies; i++)
		refine_by_topology(&refinement, key->topologies[i]);
	/* before the columns: most of these are topologies, too */
	if (by.function != NULL && !by.function(by.arg, &refinement)) {
		refinement_fini(&refinement);
		return NULL;
	}
	for (size_t i = 0; i < key->ncolumns; i++)
		if (key->columns[i].wide != NULL)
			refine_wide(&refinement, key->columns[i].wide);
		else
			refine(&refinement, key->columns[i].narrow);
	if (excluded != NULL)
		refine(&refinement, excluded);
	return make(cycle, NULL, &refinement, excluded);
}

/* The nodes of the bucket that fit, or NULL. */
static const struct score_bucket *
fitting_nodes(const struct cut *cut, struct arena *arena,
    const struct score_bucket *bucket, const struct node_verdict *verdicts)
{
	struct score_bucket *best = NULL;

	for (uint32_t i = 0; i < bucket->n; i++) {
		uint32_t at = bucket->nodes[i];

		if (verdicts[cut->of[at]].verdict != FITS)
			continue;
		if (best == NULL) {
			best = arena_array(arena, struct score_bucket, 1);
			best->total = bucket->total;
			best->nodes =
			    arena_alloc(arena, (bucket->n - i) * sizeof(at));
		}
		best->nodes[best->n++] = at;
	}
	return best;
}

const struct score_bucket *
cut_best(const struct cut *cut, struct arena *arena, uint32_t cell,
    const struct node_verdict *verdicts)
{
	const struct partition_cell *whole = cut->partition->at[cell];
	const struct score_bucket *best = NULL;

	for (uint32_t i = 0; best == NULL; i++)
		best = fitting_nodes(cut, arena, &whole->buckets[i], verdicts);
	return best;
}

/* Whether any of CHUNK numbers is at least as high. */
static VECTORIZED bool
any_reaches(const int32_t *numbers, int32_t least)
{
	int32_t any = 0;

	for (uint32_t i = 0; i < CHUNK; i++)
		any |= numbers[i] >= least;
	return any != 0;
}

/* The start of the first chunk from `at` on that has a total of at least this, or of
 * the incomplete last chunk. */
static uint32_t
skip_low(const struct cut *cut, const int32_t *totals, int32_t least,
    uint32_t at)
{
	while (at + CHUNK <= cut->nnodes && !any_reaches(totals + at, least))
		at += CHUNK;
	return at;
}

static int32_t
lowest_top(const struct cut *cut, const struct cut_top *tops)
{
	int32_t lowest = INT32_MAX;

	for (uint32_t i = 0; i < cut->n; i++)
		if (tops[i].total < lowest)
			lowest = tops[i].total;
	return lowest;
}

/* Updates the tops of these nodes' cells.  True: a top has risen. */
static bool
raise_tops(const struct cut *cut, const int32_t *totals, uint32_t at,
    uint32_t end, struct cut_top *tops)
{
	bool raised = false;

	for (; at < end; at++) {
		struct cut_top *top;

		if (cut->of[at] == CUT_NONE)
			continue;
		top = &tops[cut->of[at]];
		if (totals[at] < top->total)
			continue;
		if (totals[at] > top->total) {
			*top = (struct cut_top){ .total = totals[at] };
			raised = true;
		}
		top->n++;
	}
	return raised;
}

static uint32_t
chunk_end(const struct cut *cut, uint32_t at)
{
	return at + CHUNK < cut->nnodes ? at + CHUNK : cut->nnodes;
}

struct cut_top *
cut_tops(const struct cut *cut, struct arena *arena, const int32_t *totals)
{
	struct cut_top *tops = arena_array(arena, struct cut_top, cut->n);
	int32_t lowest;

	for (uint32_t i = 0; i < cut->n; i++)
		tops[i].total = totals[cut->at[i].first];
	lowest = lowest_top(cut, tops);
	for (uint32_t at = 0;
	     (at = skip_low(cut, totals, lowest, at)) < cut->nnodes;
	     at += CHUNK)
		if (raise_tops(cut, totals, at, chunk_end(cut, at), tops) &&
		    cut->n <= CHUNK)
			lowest = lowest_top(cut, tops);
	return tops;
}

/* By node index: 1 for the best nodes. */
static const uint8_t *
best_of(const struct cut *cut, struct arena *arena, const struct cut_top *tops,
    const int32_t *totals)
{
	uint8_t *best = arena_array(arena, uint8_t, column_rows(cut->nnodes));
	int32_t least = INT32_MAX;

	for (uint32_t i = 0; i < cut->n; i++)
		if (tops[i].best && tops[i].total < least)
			least = tops[i].total;
	for (uint32_t at = 0;
	     (at = skip_low(cut, totals, least, at)) < cut->nnodes; at += CHUNK)
		for (uint32_t i = at; i < chunk_end(cut, at); i++)
			best[i] = cut->of[i] != CUT_NONE &&
			    tops[cut->of[i]].best &&
			    tops[cut->of[i]].total == totals[i];
	return best;
}

/* How many of CHUNK nodes are among the best. */
static inline uint32_t
count_best(const uint8_t *best, const uint32_t *nodes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < CHUNK; i++)
		n += best[nodes[i]];
	return n;
}

uint32_t
cut_pick(const struct cut *cut, struct arena *arena, const struct cut_top *tops,
    const int32_t *totals, const uint32_t *order, uint32_t i)
{
	const uint8_t *best = best_of(cut, arena, tops, totals);
	uint32_t at = 0, n;

	for (; at + CHUNK <= cut->nnodes; at += CHUNK, i -= n)
		if ((n = count_best(best, order + at)) > i)
			break;
	while (best[order[at]] == 0 || i-- > 0)
		at++;
	return order[at];
}
