/* Sorting nodes into cells, and choosing among nodes that are sorted in several
 * lists. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/ecache/partition.h"
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
	struct score_bucket *buckets =
	    arena_array(arena, struct score_bucket, n);
	struct node_span *all = arena_array(arena, struct node_span, n);
	const struct cluster cluster = { .name_hashes = hashes };
	uint32_t sorted[NODES];

	for (size_t i = 0; i < n; i++)
		buckets[i].nodes = arena_array(arena, uint32_t, NODES);
	for (uint32_t i = 0; i < NODES; i++) {
		struct score_bucket *to =
		    &buckets[i < n ? i : hash_mix(seed + i) % n];

		to->nodes[to->n++] = sorted[i] = i;
	}
	qsort(sorted, NODES, sizeof(*sorted), by_hash);
	for (size_t i = 0; i < n; i++)
		qsort(buckets[i].nodes, buckets[i].n, sizeof(uint32_t),
		    by_hash);
	for (uint32_t i = 0; i < NODES; i++) {
		for (size_t j = 0; j < n; j++)
			all[j] = (struct node_span){ .nodes = buckets[j].nodes,
				.n = buckets[j].n };
		if (!t_int("picked", partition_pick(&cluster, all, n, i),
			sorted[i]))
			return;
	}
}

static void
the_ith_of_all_is_picked(void)
{
	static const size_t numbers[] = { 1, 2, 3, 17, NODES - 1, NODES };
	struct arena arena = ARENA_INIT;

	for (uint64_t seed = 1; seed <= 4; seed++) {
		/* at random, in order, all but in order backwards */
		for (uint32_t i = 0; i < NODES; i++)
			hashes[i] = seed == 2 ? i :
			    seed == 3         ? NODES - i :
						hash_mix(seed * NODES + i);
		for (size_t i = 0; i < LENGTH(numbers); i++)
			pick_each(&arena, numbers[i], seed);
		arena_reset(&arena);
	}
	arena_fini(&arena);
}

#define KEY_PARTS 3

/* By key part. */
struct keys {
	int64_t values[KEY_PARTS][NODES];
	int32_t totals[NODES];
};

/* One of a few values, which lie close together or as far apart as can be. */
static int64_t
value_of(uint64_t random, bool wide)
{
	static const int64_t far[] = { INT64_MIN, -1, 0, 1, INT64_MAX,
		INT64_C(1) << 32, (INT64_C(1) << 32) + 1 };

	return wide ? far[random % LENGTH(far)] : (int64_t)(random % 4) - 1;
}

static void
make_column(struct keys *keys, size_t key_part, uint64_t seed)
{
	bool wide = seed % 3 == 0, same = seed % 5 == 0;

	for (uint32_t i = 0; i < NODES; i++)
		keys->values[key_part][i] =
		    value_of(hash_mix(seed * NODES + (same ? 0 : i)), wide);
}

static void
make_keys(struct keys *keys, uint64_t seed)
{
	for (size_t i = 0; i < KEY_PARTS; i++)
		make_column(keys, i, hash_mix(seed * 11 + i) % 1000);
	/* few, few whose bits differ all, and so many */
	for (uint32_t i = 0; i < NODES; i++)
		keys->totals[i] = (int32_t)(hash_mix(seed * 31 + i) %
				      (seed % 3 > 0 ? 5 : UINT64_C(1) << 40)) +
		    (seed % 3 == 1 ? (1 << 20) - 2 : 0);
}

static bool
same_key(const struct keys *keys, const int64_t *key, uint32_t at)
{
	for (size_t i = 0; i < KEY_PARTS; i++)
		if (key[i] != keys->values[i][at])
			return false;
	return true;
}

/* Every node of the cell belongs there, and buckets are in their orders. */
static uint32_t
check_cell(const struct partition *partition, uint32_t number,
    const struct keys *keys)
{
	const struct partition_cell *cell = partition->at[number];
	uint32_t n = 0;

	for (uint32_t i = 0; i < cell->nbuckets; i++) {
		const struct score_bucket *b = &cell->buckets[i];

		t_true("the highest first",
		    i == 0 || cell->buckets[i - 1].total > b->total);
		t_true("not empty", b->n > 0);
		for (uint32_t j = 0; j < b->n; j++) {
			uint32_t at = b->nodes[j];

			if (!t_true("in order",
				j == 0 ||
				    hashes[b->nodes[j - 1]] < hashes[at]) ||
			    !t_true("key", same_key(keys, cell->key, at)) ||
			    !t_int("total", b->total, keys->totals[at]) ||
			    !t_int("its total", partition->total[at],
				b->total) ||
			    !t_int("its cell", partition->of[at], number))
				return 0;
		}
		n += b->n;
	}
	t_int("nodes of a cell", cell->n, n);
	return n;
}

/* made: all at once; later, two cells may have the same key. */
static void
check_cells(const struct partition *partition, const struct keys *keys,
    bool made)
{
	uint32_t n = 0, empty = 0;

	for (uint32_t i = 0; i < partition->n; i++) {
		if (partition->at[i] == NULL) {
			empty++;
			continue;
		}
		n += check_cell(partition, i, keys);
		for (uint32_t j = 0; made && j < i; j++)
			t_true("one cell for a key",
			    memcmp(partition->at[i]->key, partition->at[j]->key,
				sizeof(partition->at[i]->key[0]) * KEY_PARTS) !=
				0);
	}
	t_int("free numbers", partition->nfree, empty);
	t_int("all nodes", n, NODES);
}

/* All at once, and one after the other after that. */
static void
nodes_with_equal_keys_are_a_cell(void)
{
	const struct cluster cluster = { .name_hashes = hashes };
	struct keys *keys = xcalloc(1, sizeof(*keys));
	uint32_t order[NODES];

	for (uint32_t i = 0; i < NODES; i++) {
		hashes[i] = hash_mix(i + 1);
		order[i] = i;
	}
	qsort(order, NODES, sizeof(*order), by_hash);
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct partition partition;
		int64_t key[KEY_PARTS];

		make_keys(keys, seed);
		partition_init(&partition, KEY_PARTS, NODES);
		for (uint32_t i = 0; i < NODES; i++) {
			for (size_t j = 0; j < KEY_PARTS; j++)
				key[j] = keys->values[j][order[i]];
			partition_move(&partition, &cluster, order[i], key,
			    keys->totals[order[i]]);
		}
		check_cells(&partition, keys, true);
		make_keys(keys, seed + 1);
		for (uint32_t i = 0; i < NODES; i++) {
			for (size_t j = 0; j < KEY_PARTS; j++)
				key[j] = keys->values[j][i];
			if (i % 2 == 0)
				partition_remove(&partition, &cluster, i);
			partition_move(&partition, &cluster, i, key,
			    keys->totals[i]);
		}
		check_cells(&partition, keys, false);
		partition_fini(&partition);
	}
	free(keys);
}

T_MAIN(T(nodes_with_equal_keys_are_a_cell), T(the_ith_of_all_is_picked))
