/*
 * The partition of nodes into cells and buckets, beside a model that only
 * knows each node's key and total, in random histories of nodes placed and
 * taken out; and its division for one pod's claims.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "sched/filter.h"
#include "ecache/partition.h"
#include "ecache/cut.h"
#include "framework/profile.h"
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
cells_of_model(struct partition *partition, const struct model *m)
{
	int64_t values[KEY_PARTS][NODES];
	struct key_column columns[KEY_PARTS];

	for (size_t i = 0; i < KEY_PARTS; i++) {
		for (uint32_t at = 0; at < NODES; at++)
			values[i][at] = m->key[at][i];
		columns[i] = (struct key_column){ .wide = values[i] };
	}
	partition_make(partition, KEY_PARTS, NODES, columns, m->total,
	    m->order);
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
		cells_of_model(&partition, &m);
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

/* Parts: the claims "zonal" and "waiting", which is bound last, are usable in
 * zones a and b, "local" on host n7. */
#define CLAIM(name)                                                            \
	"--- {kind: PersistentVolumeClaim, metadata: {namespace: default,"     \
	" name: " name ", annotations: {pv.kubernetes.io/bind-completed:"      \
	" 'yes'}}, spec: {volumeName: v-" name "}}\n"
#define REACHES(name, key, values)                                             \
	"--- {kind: PersistentVolume, metadata: {name: v-" name "}, spec: {"   \
	"nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: ["   \
	"{key: " key ", operator: In, values: [" values "]}]}]}}}}\n"
#define WAITING                                                                \
	"--- {kind: StorageClass, metadata: {name: late}, provisioner: x.io,"  \
	" volumeBindingMode: WaitForFirstConsumer, allowedTopologies:"         \
	" [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]}\n"         \
	"--- {kind: PersistentVolumeClaim, metadata: {namespace: default,"     \
	" name: waiting}, spec: {storageClassName: late}}\n"
#define USES(claim) "{name: v, persistentVolumeClaim: {claimName: " claim "}},"

static struct world *
world_with_claims(void)
{
	struct world *w = world_new(WAITING CLAIM("zonal") CLAIM("local")
		REACHES("zonal", "zone", "a, b")
		    REACHES("local", "host", "n7"));

	for (unsigned i = 0; i < NODES; i++) {
		AUTOFREE char *node =
		    xasprintf(W_NODE("n%u", "host: n%u, zone: %c", ""), i, i,
			'a' + (int)(i % 4));

		world_put(w, node);
	}
	return w;
}

/* The best nodes of a cell that has nodes that fit, asked node by node. */
static void
check_best(const struct cut *cut, struct world *w, uint32_t cell,
    const struct node_verdict *verdicts, const bool *fits)
{
	const struct score_bucket *best =
	    cut_best(cut, &w->arena, cell, verdicts);
	const struct cluster *cluster = w->cluster;
	int32_t most = INT32_MIN;
	uint32_t n = 0;

	for (uint32_t at = 0; at < NODES; at++)
		if (fits[at] && cut->partition->of[at] == cell &&
		    cut->partition->total[at] > most)
			most = cut->partition->total[at];
	t_int("the best total", best->total, most);
	for (uint32_t i = 0; i < best->n; i++)
		t_true("fits, by hash",
		    fits[best->nodes[i]] &&
			(i == 0 ||
			    cluster->name_hashes[best->nodes[i - 1]] <
				cluster->name_hashes[best->nodes[i]]));
	for (uint32_t at = 0; at < NODES; at++)
		n += fits[at] && cut->partition->of[at] == cell &&
		    cut->partition->total[at] == most;
	t_int("all of them", best->n, n);
}

static bool
distinguish(void *filter, struct refinement *refinement)
{
	return filter_distinguish(filter, refinement);
}

static void
check_cut(struct world *w, const struct partition *partition)
{
	struct filter *filter = filter_new(&w->cycle);
	struct cut *cut = cut_partition(&w->cycle, partition,
	    (struct cut_by){ distinguish, filter });
	struct node_verdict verdicts[NODES] = { 0 };
	uint32_t sizes[NODES] = { 0 };
	bool fits[NODES], any[NODES] = { false };

	if (!t_true("nodes can be distinguished", cut != NULL))
		return;
	for (uint32_t i = 0; i < cut->n; i++)
		verdicts[i].verdict = filter_node(filter,
		    w->cluster->nodes[cut->at[i].first], false, NULL);
	for (uint32_t at = 0; at < NODES; at++) {
		enum verdict verdict =
		    filter_node(filter, w->cluster->nodes[at], false, NULL);

		fits[at] = verdict == FITS && partition->of[at] != CELL_NONE;
		if (partition->of[at] == CELL_NONE)
			continue;
		sizes[cut->of[at]]++;
		any[partition->of[at]] |= fits[at];
		t_int("the verdict of its cell", verdict,
		    verdicts[cut->of[at]].verdict);
		t_int("its cell of the partition", cut->at[cut->of[at]].cell,
		    partition->of[at]);
	}
	for (uint32_t i = 0; i < cut->n; i++)
		t_int("nodes of a cell", cut->at[i].n, sizes[i]);
	for (uint32_t i = 0; i < partition->n; i++)
		if (partition->at[i] != NULL && any[i])
			check_best(cut, w, i, verdicts, fits);
}

static void
claims_divide_cells(void)
{
	static const char *const claims[] = { USES("zonal"), USES("local"),
		USES("zonal") USES("local"), USES("waiting"), "" };
	struct profile *profile = t_profile(
	    T_POLICY(",\"predicates\":[{\"name\":\"CheckVolumeBinding\"}]"),
	    NULL);
	struct world *w = world_with_claims();

	for (uint64_t seed = 1; seed <= 15; seed++) {
		struct partition partition;
		struct model m;

		model_init(&m, seed, w->cluster->name_hashes);
		cells_of_model(&partition, &m);
		for (unsigned i = 0; i < NODES / 2 && seed > 4; i++)
			partition_remove(&partition, w->cluster,
			    t_any(&m.random, NODES));
		world_pod(w,
		    arena_printf(&w->arena, W_POD("p", "", "", "volumes: [%s]"),
			claims[seed % LENGTH(claims)]));
		w->cycle.profile = profile;
		check_cut(w, &partition);
		partition_fini(&partition);
	}
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(nodes_are_where_the_model_has_them), T(claims_divide_cells))
