#include "config.h"

#include "ecache/cut.h"

#include "base/xmalloc.h"
#include "framework/cycle.h"
#include "framework/kinds.h"

/* Kinds of nodes that are in no group are no cells. */
static void
make_cells(struct cut *cut, const struct kinds *kinds, struct arena *arena)
{
	uint32_t *cell_of = arena_alloc(arena, kinds->n * sizeof(*cell_of));
	uint32_t *counts = arena_array(arena, uint32_t, kinds->n);

	for (uint32_t i = 0; i < kinds->nnodes; i++)
		counts[kinds->of[i]]++;
	cut->at = arena_array(arena, struct cut_cell, kinds->n);
	for (uint32_t i = 0; i < kinds->n; i++) {
		uint32_t first = kinds->first[i];
		uint32_t group = cut->groups->of[first];

		cell_of[i] = cut->n;
		if (counts[i] > 0 && group != MEMO_GROUP_NONE)
			cut->at[cut->n++] = (struct cut_cell){ .group = group,
				.n = counts[i],
				.first = first };
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

struct cut *
cut_new(struct cycle *cycle, const struct memo_groups *groups,
    bool (*distinguish)(void *arg, struct kinds *kinds), void *arg)
{
	uint32_t nnodes = cycle->cluster->nnodes;
	struct cut *cut = arena_array(cycle->arena, struct cut, 1);
	struct kinds kinds;
	bool done;

	cut->groups = groups;
	begin_kinds(&kinds, groups, nnodes,
	    arena_alloc(cycle->arena, nnodes * sizeof(uint32_t)));
	done = distinguish(arg, &kinds);
	if (done)
		make_cells(cut, &kinds, cycle->arena);
	kinds_fini(&kinds);
	return done ? cut : NULL;
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
