#include "config.h"

#include "ecache/parts.h"

#include "base/xmalloc.h"
#include "ecache/memo_groups.h"
#include "framework/cycle.h"
#include "framework/kinds.h"

/* Kinds of nodes that are in no group are no parts. */
static void
make_parts(struct parts *parts, const struct kinds *kinds)
{
	struct arena *arena = parts->cycle->arena;
	uint32_t *part_of = arena_alloc(arena, kinds->n * sizeof(*part_of));
	uint32_t *counts = arena_array(arena, uint32_t, kinds->n);

	for (uint32_t i = 0; i < kinds->nnodes; i++)
		counts[kinds->of[i]]++;
	parts->at = arena_array(arena, struct part, kinds->n);
	for (uint32_t i = 0; i < kinds->n; i++) {
		uint32_t first = kinds->first[i];
		uint32_t group = parts->groups->of[first];

		part_of[i] = parts->n;
		if (counts[i] > 0 && group != MEMO_GROUP_NONE)
			parts->at[parts->n++] = (struct part){ .group = group,
				.n = counts[i],
				.first = first };
	}
	parts->of = kinds->of;
	for (uint32_t i = 0; parts->n < kinds->n && i < kinds->nnodes; i++)
		parts->of[i] = part_of[parts->of[i]];
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

struct parts *
parts_new(struct cycle *cycle, const struct memo_groups *groups,
    bool (*tell_apart)(void *arg, struct kinds *kinds), void *arg)
{
	uint32_t nnodes = cycle->cluster->nnodes;
	struct parts *parts = arena_array(cycle->arena, struct parts, 1);
	struct kinds kinds;
	bool told;

	parts->cycle = cycle;
	parts->groups = groups;
	begin_kinds(&kinds, groups, nnodes,
	    arena_alloc(cycle->arena, nnodes * sizeof(uint32_t)));
	told = tell_apart(arg, &kinds);
	if (told)
		make_parts(parts, &kinds);
	kinds_fini(&kinds);
	return told ? parts : NULL;
}

const struct part *
parts_that_fit(const struct parts *parts)
{
	struct part *fit =
	    arena_array(parts->cycle->arena, struct part, parts->groups->n);

	for (uint32_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->at[i];
		struct part *all = &fit[part->group];

		if (part->verdict != FITS)
			continue;
		if (all->n == 0)
			*all = *part;
		else
			all->n += part->n;
	}
	return fit;
}

/* The nodes of the bucket that fit, or NULL. */
static const struct memo_bucket *
those_that_fit(const struct parts *parts, const struct memo_bucket *bucket)
{
	struct memo_bucket *best = NULL;

	for (uint32_t i = 0; i < bucket->n; i++) {
		uint32_t at = bucket->nodes[i];

		if (parts->at[parts->of[at]].verdict != FITS)
			continue;
		if (best == NULL) {
			best = arena_array(parts->cycle->arena,
			    struct memo_bucket, 1);
			best->total = bucket->total;
			best->nodes = arena_alloc(parts->cycle->arena,
			    (bucket->n - i) * sizeof(at));
		}
		best->nodes[best->n++] = at;
	}
	return best;
}

const struct memo_bucket *
parts_best(const struct parts *parts, const struct part *fit)
{
	const struct memo_group *g = parts->groups->at[fit->group];
	const struct memo_bucket *best = NULL;

	if (fit->n == g->n)
		return &g->buckets[0];
	for (uint32_t i = 0; best == NULL; i++)
		best = those_that_fit(parts, &g->buckets[i]);
	return best;
}
