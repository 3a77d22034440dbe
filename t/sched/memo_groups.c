/* Choosing among nodes that are sorted in several lists. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "sched/memo_groups.h"
#include "t/lib/t.h"

#define NODES 300

static uint64_t hashes[NODES];

static int
by_hash(const void *a, const void *b)
{
	uint64_t x = hashes[*(const uint32_t *)a];
	uint64_t y = hashes[*(const uint32_t *)b];

	return (x > y) - (x < y);
}

/* Deals the nodes out to n buckets; each then has them in order. */
static void
pick_each(struct arena *arena, size_t n, uint64_t seed)
{
	struct memo_bucket *buckets = arena_array(arena, struct memo_bucket, n);
	const struct memo_bucket **all =
	    arena_array(arena, const struct memo_bucket *, n);
	const struct cluster cluster = { .name_hashes = hashes };
	uint32_t sorted[NODES];

	for (size_t i = 0; i < n; i++) {
		all[i] = &buckets[i];
		buckets[i].nodes = arena_array(arena, uint32_t, NODES);
	}
	for (uint32_t i = 0; i < NODES; i++) {
		struct memo_bucket *to = &buckets[i < n ? i :
		    hash_mix(seed + i) % n];

		to->nodes[to->n++] = sorted[i] = i;
	}
	qsort(sorted, NODES, sizeof(*sorted), by_hash);
	for (size_t i = 0; i < n; i++)
		qsort(buckets[i].nodes, buckets[i].n, sizeof(uint32_t),
		    by_hash);
	for (uint32_t i = 0; i < NODES; i++)
		if (!t_int("picked", memo_pick(arena, &cluster, all, n, i),
			sorted[i]))
			return;
}

static void
the_ith_of_all_is_picked(void)
{
	static const size_t numbers[] = { 1, 2, 3, 17, NODES - 1, NODES };
	struct arena arena = ARENA_INIT;

	for (uint64_t seed = 1; seed <= 4; seed++) {
		/* at random, in order, all but in order backwards */
		for (uint32_t i = 0; i < NODES; i++)
			hashes[i] = seed == 2 ? i : seed == 3 ? NODES - i :
			    hash_mix(seed * NODES + i);
		for (size_t i = 0; i < LENGTH(numbers); i++)
			pick_each(&arena, numbers[i], seed);
		arena_reset(&arena);
	}
	arena_fini(&arena);
}

T_MAIN(T(the_ith_of_all_is_picked))
