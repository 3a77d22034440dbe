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
#include "cluster/index.h"
#include "ecache/cut.h"
#include "ecache/partition.h"
#include "framework/refinement.h"
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

/* By key part; values are equal to the targets of the columns' pointers. */
struct keys {
	struct key_column columns[KEY_PARTS];
	int64_t values[KEY_PARTS][NODES];
	uint32_t narrow[KEY_PARTS][NODES];
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
	bool narrow = seed % 2 == 0, wide = seed % 3 == 0, same = seed % 5 == 0;

	for (uint32_t i = 0; i < NODES; i++) {
		int64_t value =
		    value_of(hash_mix(seed * NODES + (same ? 0 : i)), wide);

		keys->narrow[key_part][i] = (uint32_t)value;
		keys->values[key_part][i] = narrow ? (uint32_t)value : value;
	}
	keys->columns[key_part] =
	    (struct key_column){ .narrow =
				     narrow ? keys->narrow[key_part] : NULL,
		    .wide = narrow ? NULL : keys->values[key_part] };
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
		partition_make(&partition, KEY_PARTS, NODES, keys->columns,
		    keys->totals, order);
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

/* Cuts: more nodes than loops take at once, and a rest. */
#define ROWS 700

struct cut_model {
	uint32_t of[1024]; /* ROWS, and the rest of their last block */
	int32_t totals[1024];
	uint32_t order[ROWS];
	struct cut cut;
	struct cut_cell cells[40];
};

static void
make_cut(struct cut_model *m, uint32_t ncells, uint64_t seed)
{
	m->cut = (struct cut){ .n = ncells,
		.nnodes = ROWS,
		.at = m->cells,
		.of = m->of };
	memset(m->of, 0xff, sizeof(m->of));
	memset(m->totals, 0x7f, sizeof(m->totals)); /* means nothing */
	for (uint32_t i = 0; i < ROWS; i++) {
		uint64_t random = hash_mix(seed * ROWS + i);

		/* each cell has a node; some nodes are in none */
		m->of[i] = i < ncells ? i :
		    random % 9 == 0   ? CUT_NONE :
					(uint32_t)(random / 9 % ncells);
		m->totals[i] = (int32_t)(random / 1000 % (1 + seed % 7)) - 3;
		/* a cell far below the others */
		if (seed % 3 == 0 && m->of[i] == 0)
			m->totals[i] = INT32_MIN + (int32_t)(random % 2);
		m->order[i] = (uint32_t)((i * UINT64_C(37) + seed) % ROWS);
	}
	for (uint32_t i = 0; i < ncells; i++)
		m->cells[i] =
		    (struct cut_cell){ .cell = CELL_NONE, .first = i };
}

static struct cut_top
plain_top(const struct cut_model *m, uint32_t cell)
{
	struct cut_top top = { .total = m->totals[cell] };

	for (uint32_t i = 0; i < ROWS; i++)
		if (m->of[i] == cell && m->totals[i] > top.total)
			top.total = m->totals[i];
	for (uint32_t i = 0; i < ROWS; i++)
		top.n += m->of[i] == cell && m->totals[i] == top.total;
	return top;
}

/* Some cells, of which each second is among the best. */
static void
compare_cut(const struct cut_model *m, struct arena *arena, uint64_t seed)
{
	uint32_t cells[40], n = 0, i = 0;
	struct cut_top *tops;

	for (uint32_t j = 0; j < m->cut.n; j++)
		if (m->cut.n < 3 || (seed + j) % 3 > 0)
			cells[n++] = j;
	tops = cut_tops(&m->cut, arena, m->totals);
	for (uint32_t j = 0; j < n; j++) {
		struct cut_top *top = &tops[cells[j]];
		struct cut_top plain = plain_top(m, cells[j]);

		t_int("the highest total", top->total, plain.total);
		t_int("nodes that have it", top->n, plain.n);
		top->best = j % 2 == 0;
	}
	for (uint32_t j = 0; j < ROWS; j++) {
		uint32_t at = m->order[j], cell = m->of[at];

		if (cell == CUT_NONE || !tops[cell].best ||
		    m->totals[at] != tops[cell].total)
			continue;
		if (!t_int("picked",
			cut_pick(&m->cut, arena, tops, m->totals, m->order,
			    i++),
			at))
			return;
	}
	t_true("there are some", i > 0);
}

static void
the_best_of_a_cut_are_found(void)
{
	static const uint32_t numbers[] = { 1, 2, 3, 16, 17, 40 };
	struct cut_model *m = xcalloc(1, sizeof(*m));
	struct arena arena = ARENA_INIT;

	for (uint64_t seed = 1; seed <= 12; seed++)
		for (size_t i = 0; i < LENGTH(numbers); i++) {
			make_cut(m, numbers[i], seed);
			compare_cut(m, &arena, seed);
			arena_reset(&arena);
		}
	arena_fini(&arena);
	free(m);
}

/* Refinements */

/* Nodes are in one part if they are equal in all columns. */
static void
check_parts(const struct refinement *parts, const uint32_t *const *columns,
    size_t n)
{
	uint32_t counts[ROWS] = { 0 };

	for (uint32_t i = 0; i < ROWS; i++) {
		uint32_t part = parts->of[i];
		uint32_t first;

		if (!t_true("a part", part < parts->n))
			return;
		first = parts->first[part];
		counts[part]++;
		t_int("the first is in it", parts->of[first], part);
		for (size_t j = 0; j < n; j++)
			if (!t_int("equal", columns[j][i], columns[j][first]))
				return;
	}
	for (uint32_t i = 0; i < parts->n; i++) {
		t_true("none is empty", counts[i] > 0);
		if (parts->count != NULL)
			t_int("nodes of a part", parts->count[i], counts[i]);
		for (uint32_t j = 0; j < i; j++) {
			bool same = true;

			for (size_t k = 0; k < n; k++)
				same &= columns[k][parts->first[i]] ==
				    columns[k][parts->first[j]];
			if (!t_true("parts differ", !same))
				return;
		}
	}
}

/* By two topologies, and by columns in which all, most or few nodes are equal. */
static void
refine_by_all(struct joints *joints, const struct cluster *cluster,
    struct topology *topologies, uint64_t seed)
{
	static const uint64_t rates[] = { 1000000, 300, 40, 3 };
	uint32_t room[1024], rows[3][ROWS];
	const uint32_t *columns[5];
	struct refinement parts;
	size_t n = 0;

	refinement_begin(&parts, joints, cluster, room);
	for (size_t i = 0; i < 2; i++) {
		struct topology *t = &topologies[(seed + i) % 3];

		columns[n++] = t->domain_of;
		refine_by_topology(&parts, t);
		check_parts(&parts, columns, n);
	}
	for (size_t i = 0; i < 3; i++) {
		uint64_t rate = rates[hash_mix(seed + i) % LENGTH(rates)];

		for (uint32_t j = 0; j < ROWS; j++) {
			uint64_t random = hash_mix((seed * 3 + i) * ROWS + j);

			rows[i][j] = random % rate == 0 ?
			    (uint32_t)(random / rate % 3) :
			    7;
		}
		columns[n++] = rows[i];
		refine(&parts, rows[i]);
		check_parts(&parts, columns, n);
	}
	refinement_fini(&parts);
}

/* Domains change when labels do. */
static void
parts_are_those_of_all_columns(void)
{
	struct cluster cluster = { .nnodes = ROWS, .labels = 1 };
	struct topology topologies[3] = { { 0 } };
	uint32_t domains[3][ROWS];
	struct joints joints = { 0 };

	for (uint64_t seed = 0; seed < 60; seed++) {
		cluster.labels += seed % 10 == 0;
		for (size_t i = 0; seed % 10 == 0 && i < 3; i++) {
			topologies[i].ndomains = 9;
			topologies[i].domain_of = domains[i];
			for (uint32_t j = 0; j < ROWS; j++)
				domains[i][j] = i == 1 ?
				    domains[0][j] * 2 + 1 :
				    (uint32_t)(hash_mix(seed + i * ROWS + j) %
					(4 + seed / 10)) -
					1;
		}
		refine_by_all(&joints, &cluster, topologies, seed);
	}
	joints_fini(&joints);
}

T_MAIN(T(nodes_with_equal_keys_are_a_cell), T(the_ith_of_all_is_picked),
    T(the_best_of_a_cut_are_found), T(parts_are_those_of_all_columns))
