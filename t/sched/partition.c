/*
 * The partition of nodes into cells and buckets, beside a model that only
 * knows each node's key and total, in random histories of nodes placed and
 * taken out.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/sched/filter.h"
#include "decide/ecache/partition.h"
#include "decide/framework/profile.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 60
#define KEY_PARTS 2
#define STEPS 3000

struct model {
	bool in[NODES]; /* a cell */
	int64_t key[NODES][KEY_PARTS];
	int32_t total[NODES];
	uint64_t hashes[NODES];
	uint32_t order[NODES]; /* by hash */
	uint64_t random;
};

static void
random_place(struct model *m, uint32_t at)
{
	static const int64_t keys[] = { 0, 1, -1, INT64_MAX, INT64_MIN,
		INT64_C(1) << 32 };

	m->in[at] = true;
	for (unsigned i = 0; i < KEY_PARTS; i++)
		m->key[at][i] = keys[t_any(&m->random, i == 0 ? 6 : 2)];
	m->total[at] = (int32_t)t_any(&m->random, 3) - 1;
}

static bool
same_key(const struct model *m, uint32_t a, uint32_t b)
{
	return memcmp(m->key[a], m->key[b], sizeof(m->key[a])) == 0;
}

static void
model_init(struct model *m, uint64_t seed, const uint64_t *hashes)
{
	*m = (struct model){ .random = seed };
	memcpy(m->hashes, hashes, sizeof(m->hashes));
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t j = i;

		for (; j > 0 && m->hashes[m->order[j - 1]] > m->hashes[i]; j--)
			m->order[j] = m->order[j - 1];
		m->order[j] = i;
		random_place(m, i);
	}
}

static void
cells_of_model(struct partition *partition, const struct cluster *cluster,
    const struct model *m)
{
	partition_init(partition, KEY_PARTS, NODES);
	for (uint32_t i = 0; i < NODES; i++)
		partition_move(partition, cluster, m->order[i],
		    m->key[m->order[i]], m->total[m->order[i]]);
}

/* One bucket has exactly the nodes of one cell with this total, by hash. */
static uint32_t
check_bucket(const struct partition *partition, uint32_t number,
    const struct score_bucket *b, const struct model *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t at = m->order[i];

		if (!m->in[at] || partition->of[at] != number ||
		    m->total[at] != b->total)
			continue;
		if (!t_true("a node is missing", n < b->n) ||
		    !t_int("by hash", b->nodes[n], at))
			return 0;
		n++;
	}
	t_int("nodes of a bucket", b->n, n);
	t_true("none is empty", n > 0);
	return n;
}

static void
check_cell(const struct partition *partition, uint32_t number,
    const struct model *m)
{
	const struct partition_cell *cell = partition->at[number];
	uint32_t n = 0;

	for (uint32_t i = 0; i < cell->nbuckets; i++) {
		t_true("the best first",
		    i == 0 ||
			cell->buckets[i].total < cell->buckets[i - 1].total);
		n += check_bucket(partition, number, &cell->buckets[i], m);
	}
	t_int("nodes of a cell", cell->n, n);
}

static void
check_cells(const struct partition *partition, const struct model *m)
{
	uint32_t nin = 0, n = 0, ncells = 0;

	for (uint32_t at = 0; at < NODES; at++) {
		uint32_t number = partition->of[at];

		nin += m->in[at];
		if (!t_int("in a cell", number != CELL_NONE, m->in[at]) ||
		    !m->in[at])
			continue;
		t_true("its key",
		    memcmp(partition->at[number]->key, m->key[at],
			sizeof(m->key[at])) == 0);
		t_int("its total", partition->total[at], m->total[at]);
	}
	for (uint32_t i = 0; i < partition->n; i++) {
		if (partition->at[i] == NULL)
			continue;
		ncells++;
		n += partition->at[i]->n;
		check_cell(partition, i, m);
	}
	t_int("all nodes", n, nin);
	t_int("cells", partition_count(partition), ncells);
}

/* The i-th best node of one key, as decide() picks among equal totals. */
static void
check_pick(const struct partition *partition, const struct cluster *cluster,
    const struct model *m, uint32_t of)
{
	struct node_span best[NODES], spans[NODES];
	size_t nbest = 0;
	int32_t most = INT32_MIN;
	uint32_t n = 0;

	for (uint32_t at = 0; at < NODES; at++)
		if (m->in[at] && same_key(m, at, of) && m->total[at] > most)
			most = m->total[at];
	for (uint32_t i = 0; i < partition->n; i++)
		if (partition->at[i] != NULL &&
		    partition->at[i]->buckets[0].total == most &&
		    memcmp(partition->at[i]->key, m->key[of],
			sizeof(m->key[of])) == 0)
			best[nbest++] = (struct node_span){
				.nodes = partition->at[i]->buckets[0].nodes,
				.n = partition->at[i]->buckets[0].n
			};
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t at = m->order[i];

		if (!m->in[at] || !same_key(m, at, of) || m->total[at] != most)
			continue;
		memcpy(spans, best, sizeof(best));
		t_int("picked", partition_pick(cluster, spans, nbest, n++), at);
	}
	t_true("one is picked", n > 0);
}

static void
step(struct partition *partition, const struct cluster *cluster,
    struct model *m)
{
	uint32_t at = t_any(&m->random, NODES);
	unsigned what = t_any(&m->random, 8);

	if (what < 3) {
		m->in[at] = false;
		partition_remove(partition, cluster, at);
		return;
	}
	if (what == 3 && m->in[at]) /* where it is, or for its total alone */
		m->total[at] = (int32_t)t_any(&m->random, 3) - 1;
	else
		random_place(m, at);
	partition_move(partition, cluster, at, m->key[at], m->total[at]);
}

static void
nodes_are_where_the_model_has_them(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct arena arena = ARENA_INIT;
		struct partition partition;
		struct model m;
		uint64_t hashes[NODES];
		struct cluster cluster = { .name_hashes = hashes };

		for (uint32_t i = 0; i < NODES; i++)
			hashes[i] = hash_mix(seed * NODES + i);
		model_init(&m, seed, hashes);
		cells_of_model(&partition, &cluster, &m);
		check_cells(&partition, &m);
		for (unsigned i = 0; i < STEPS; i++) {
			uint32_t at = t_any(&m.random, NODES);

			/* at times, nearly all leave */
			if (i % 1000 > 900 && t_any(&m.random, 4) > 0) {
				m.in[at] = false;
				partition_remove(&partition, &cluster, at);
			} else {
				step(&partition, &cluster, &m);
			}
			if (i % 10 == 0)
				check_cells(&partition, &m);
			if (i % 10 == 5 && m.in[at])
				check_pick(&partition, &cluster, &m, at);
			arena_reset(&arena);
		}
		for (uint32_t at = 0; at < NODES; at++) {
			m.in[at] = false;
			partition_remove(&partition, &cluster, at);
		}
		check_cells(&partition, &m);
		t_int("no cell is left", partition_count(&partition), 0);
		partition_fini(&partition);
		arena_fini(&arena);
	}
}

T_MAIN(T(nodes_are_where_the_model_has_them))
