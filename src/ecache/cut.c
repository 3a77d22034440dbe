#include "config.h"

#include "ecache/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/vectorize.h"
#include "base/xmalloc.h"
#include "framework/cycle.h"
#include "framework/kinds.h"

#define CHUNK 64

static bool
is_excluded(const struct cut *cut, const uint32_t *excluded, uint32_t at)
{
	return cut->groups != NULL ? cut->groups->of[at] == MEMO_GROUP_NONE :
				     excluded != NULL && excluded[at] != 0;
}

/* Kinds of nodes that are excluded are no cells. */
static void
make_cells(struct cut *cut, const struct kinds *kinds, const uint32_t *excluded,
    struct arena *arena)
{
	uint32_t *cell_of = arena_alloc(arena, kinds->n * sizeof(*cell_of));
	uint32_t *counts = arena_array(arena, uint32_t, kinds->n);

	for (uint32_t i = 0; i < kinds->nnodes; i++)
		counts[kinds->of[i]]++;
	cut->at = arena_array(arena, struct cut_cell, kinds->n);
	for (uint32_t i = 0; i < kinds->n; i++) {
		uint32_t first = kinds->first[i];

		cell_of[i] = CUT_NONE;
		if (counts[i] == 0 || is_excluded(cut, excluded, first))
			continue;
		cell_of[i] = cut->n;
		cut->at[cut->n++] = (struct cut_cell){ .group = MEMO_GROUP_NONE,
			.n = counts[i],
			.first = first };
		if (cut->groups != NULL)
			cut->at[cut->n - 1].group = cut->groups->of[first];
	}
	cut->of = kinds->of;
	for (uint32_t i = 0; cut->n < kinds->n && i < kinds->nnodes; i++)
		cut->of[i] = cell_of[cut->of[i]];
}

/* Kinds that are the groups, some perhaps without nodes, and last the nodes that
 * are in none. */
static void
begin_kinds(struct kinds *kinds, const struct memo_groups *groups,
    uint32_t nnodes, uint32_t *of)
{
	uint32_t n = groups->n;

	*kinds = (struct kinds){ .nnodes = nnodes,
		.n = n + 1,
		.of = of,
		.cap = n + 1,
		.first = xcalloc(n + 1, sizeof(*kinds->first)) };
	for (uint32_t i = 0; i < nnodes; i++) {
		of[i] = groups->of[i] < n ? groups->of[i] : n;
		kinds->first[n] = of[i] == n ? i : kinds->first[n];
	}
	for (uint32_t i = 0; i < n; i++)
		if (groups->at[i] != NULL)
			kinds->first[i] = groups->at[i]->buckets[0].nodes[0];
}

/* NULL if `by` does not distinguish all nodes. */
static struct cut *
make(struct cycle *cycle, const struct memo_groups *groups, struct kinds *kinds,
    const uint32_t *excluded, struct cut_by by)
{
	struct cut *cut = NULL;

	if (by.function == NULL || by.function(by.arg, kinds)) {
		cut = arena_array(cycle->arena, struct cut, 1);
		cut->groups = groups;
		cut->nnodes = kinds->nnodes;
		make_cells(cut, kinds, excluded, cycle->arena);
	}
	kinds_fini(kinds);
	return cut;
}

struct cut *
cut_groups(struct cycle *cycle, const struct memo_groups *groups,
    struct cut_by by)
{
	uint32_t nnodes = cycle->cluster->nnodes;
	struct kinds kinds;

	begin_kinds(&kinds, groups, nnodes,
	    arena_alloc(cycle->arena, nnodes * sizeof(uint32_t)));
	return make(cycle, groups, &kinds, NULL, by);
}

void
cut_last_fini(struct cut_last *last)
{
	free(last->column);
	free(last->cut.at);
	free(last->cut.of);
	*last = (struct cut_last){ 0 };
}

static void *
copy(const void *bytes, size_t n, size_t size)
{
	return memcpy(xmalloc(n * size), bytes, n * size);
}

static void
remember(struct cut_last *last, const struct cut *cut, const uint32_t *column)
{
	cut_last_fini(last);
	last->cut = *cut;
	last->column = copy(column, cut->nnodes, sizeof(*column));
	last->cut.of = copy(cut->of, cut->nnodes, sizeof(*cut->of));
	last->cut.at = copy(cut->at, cut->n, sizeof(*cut->at));
}

static bool
is_same(const struct cut_last *last, const uint32_t *column, uint32_t nnodes)
{
	return last->cut.nnodes == nnodes &&
	    memcmp(last->column, column, nnodes * sizeof(*column)) == 0;
}

struct cut *
cut_nodes(struct cycle *cycle, struct cut_last *last,
    const struct memo_column *columns, size_t ncolumns,
    const uint32_t *excluded, struct cut_by by)
{
	uint32_t nnodes = cycle->cluster->nnodes;
	bool simple = ncolumns == 1 && columns[0].narrow != NULL &&
	    excluded == NULL && by.function == NULL;
	struct kinds kinds;
	struct cut *cut;

	if (simple && is_same(last, columns[0].narrow, nnodes))
		return &last->cut;
	kinds_init(&kinds, nnodes,
	    arena_alloc(cycle->arena, nnodes * sizeof(uint32_t)));
	for (size_t i = 0; i < ncolumns; i++)
		if (columns[i].wide != NULL)
			kinds_split_wide(&kinds, columns[i].wide);
		else
			kinds_split(&kinds, columns[i].narrow);
	if (excluded != NULL)
		kinds_split(&kinds, excluded);
	cut = make(cycle, NULL, &kinds, excluded, by);
	if (simple)
		remember(last, cut, columns[0].narrow);
	return cut;
}

/* The nodes of the bucket that fit, or NULL. */
static const struct memo_bucket *
fitting_nodes(const struct cut *cut, struct arena *arena,
    const struct memo_bucket *bucket, const struct node_verdict *verdicts)
{
	struct memo_bucket *best = NULL;

	for (uint32_t i = 0; i < bucket->n; i++) {
		uint32_t at = bucket->nodes[i];

		if (verdicts[cut->of[at]].verdict != FITS)
			continue;
		if (best == NULL) {
			best = arena_array(arena, struct memo_bucket, 1);
			best->total = bucket->total;
			best->nodes =
			    arena_alloc(arena, (bucket->n - i) * sizeof(at));
		}
		best->nodes[best->n++] = at;
	}
	return best;
}

const struct memo_bucket *
cut_best(const struct cut *cut, struct arena *arena, uint32_t group,
    const struct node_verdict *verdicts)
{
	const struct memo_group *g = cut->groups->at[group];
	const struct memo_bucket *best = NULL;

	for (uint32_t i = 0; best == NULL; i++)
		best = fitting_nodes(cut, arena, &g->buckets[i], verdicts);
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

/* From `at` on, the first chunk with a total that is at least as high, or the rest;
 * most nodes are far from the best. */
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

/* The totals of these nodes, as far as they are high enough, go to their cells'
 * tops.  True: a top has changed. */
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

uint32_t
cut_pick(const struct cut *cut, const struct cut_top *tops,
    const int32_t *totals, const uint32_t *order, uint32_t i)
{
	int32_t least = INT32_MAX;

	for (uint32_t j = 0; j < cut->n; j++)
		if (tops[j].best && tops[j].total < least)
			least = tops[j].total;
	for (;; order++) {
		uint32_t cell;

		if (totals[*order] < least)
			continue;
		cell = cut->of[*order];
		if (cell != CUT_NONE && tops[cell].best &&
		    totals[*order] == tops[cell].total && i-- == 0)
			return *order;
	}
}
