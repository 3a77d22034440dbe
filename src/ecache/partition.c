#include "config.h"

#include "ecache/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "framework/refinement.h"

static void
bucket_free(struct score_bucket *bucket)
{
	if (bucket->cap > 0)
		free(bucket->nodes);
}

static void
group_free(struct partition_cell *g)
{
	for (uint32_t i = 0; i < g->nbuckets; i++)
		bucket_free(&g->buckets[i]);
	free(g->buckets);
	free(g);
}

void
partition_fini(struct partition *partition)
{
	for (uint32_t i = 0; i < partition->n; i++)
		if (partition->at[i] != NULL)
			group_free(partition->at[i]);
	map_fini(&partition->by_key);
	free(partition->at);
	free(partition->free);
	free(partition->of);
	free(partition->total);
	free(partition->nodes);
}

static uint32_t
group_new(struct partition *partition, const int64_t *key, uint64_t hash)
{
	size_t size = partition->nparts * sizeof(*key);
	struct partition_cell *g = xcalloc(1, sizeof(*g) + size);
	uint32_t number;

	memcpy(g->key, key, size);
	g->hash = hash;
	if (partition->nfree > 0) {
		number = partition->free[--partition->nfree];
	} else {
		vec_room(partition->at, partition->n, &partition->cap);
		number = partition->n++;
	}
	partition->at[number] = g;
	map_put(&partition->by_key, hash, (void *)(uintptr_t)(number + 1));
	return number;
}

static void
group_drop(struct partition *partition, uint32_t number)
{
	/* a cell whose hash was taken may lose its way and be made again:
	 * then two have one key, which does no harm */
	map_del(&partition->by_key, partition->at[number]->hash);
	group_free(partition->at[number]);
	partition->at[number] = NULL;
	vec_room(partition->free, partition->nfree, &partition->free_cap);
	partition->free[partition->nfree++] = number;
}

static uint64_t
hash_key(const int64_t *key, size_t nparts)
{
	uint64_t hash = 0, factor = hash_secret() | 1;

	/* no product waits for another */
	for (size_t i = 0; i < nparts; i++) {
		hash += (uint64_t)key[i] * factor;
		factor += UINT64_C(0xbf58476d1ce4e5b8);
	}
	return hash_mix(hash);
}

static bool
has_key(const struct partition_cell *g, const int64_t *key, size_t nparts)
{
	int64_t differences = 0;

	for (size_t i = 0; i < nparts; i++)
		differences |= g->key[i] ^ key[i];
	return differences == 0;
}

/* The number of the cell with this key, which is made if need be. */
static uint32_t
find_group(struct partition *partition, const int64_t *key)
{
	uint64_t hash = hash_key(key, partition->nparts);

	for (;; hash++) {
		uintptr_t found = (uintptr_t)map_get(&partition->by_key, hash);

		if (found == 0)
			return group_new(partition, key, hash);
		if (has_key(partition->at[found - 1], key, partition->nparts))
			return (uint32_t)(found - 1);
	}
}

/* Where the bucket with this total is, or belongs. */
static uint32_t
find_bucket(const struct partition_cell *g, int32_t total)
{
	uint32_t low = 0, high = g->nbuckets;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (g->buckets[middle].total > total)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * How many of these n nodes, in order of their names' hashes, come before one
 * with this hash.  The search begins at a guess and doubles its steps, so that it
 * costs the logarithm of the guess's error: hashes are scattered in memory, and
 * a binary search would wait for eleven of them among two thousand.
 */
static uint32_t
rank_near(const uint64_t *hashes, const uint32_t *nodes, uint32_t n,
    uint64_t hash, uint32_t guess)
{
	uint32_t low = 0, high = n, step = 1, at;

	if (guess < n && hashes[nodes[guess]] < hash) {
		for (low = guess + 1; step <= n - low; step *= 2) {
			at = low + step - 1;
			if (hashes[nodes[at]] >= hash) {
				high = at;
				break;
			}
			low = at + 1;
		}
	} else {
		for (high = guess < n ? guess : n; step <= high; step *= 2) {
			at = high - step;
			if (hashes[nodes[at]] < hash) {
				low = at + 1;
				break;
			}
			high = at;
		}
	}
	while (low < high) {
		at = low + (high - low) / 2;
		if (hashes[nodes[at]] < hash)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

/* Below so many nodes a second guess costs more than it saves. */
#define GUESS_AGAIN_FROM 64

/* About how many of these n nodes have hashes below this one: hashes are spread
 * evenly over all numbers.  The hash found there says how far off that is. */
static uint32_t
expected_rank(const uint64_t *hashes, const uint32_t *nodes, uint32_t n,
    uint64_t hash)
{
	int64_t at = (int64_t)((hash >> 32) * n >> 32);
	uint64_t there;

	if (n < GUESS_AGAIN_FROM)
		return (uint32_t)at;
	there = hashes[nodes[at]];
	if (hash >= there)
		at += (int64_t)((hash - there) >> 32) * n >> 32;
	else
		at -= (int64_t)((there - hash) >> 32) * n >> 32;
	return at < 0 ? 0 : (uint32_t)at;
}

static uint32_t
rank_of(const struct cluster *cluster, const uint32_t *nodes, uint32_t n,
    uint64_t hash)
{
	const uint64_t *hashes = cluster->name_hashes;

	return rank_near(hashes, nodes, n, hash,
	    expected_rank(hashes, nodes, n, hash));
}

static struct score_bucket *
get_bucket(struct partition_cell *g, int32_t total)
{
	uint32_t i = find_bucket(g, total);

	if (i < g->nbuckets && g->buckets[i].total == total)
		return &g->buckets[i];
	vec_room(g->buckets, g->nbuckets, &g->cap);
	memmove(&g->buckets[i + 1], &g->buckets[i],
	    (g->nbuckets - i) * sizeof(*g->buckets));
	g->nbuckets++;
	g->buckets[i] = (struct score_bucket){ .total = total };
	return &g->buckets[i];
}

/* A bucket to be. */
struct bucket_plan {
	uint32_t cell;
	int32_t total;
	uint32_t part;
};

static int
by_cell_and_total(const void *a, const void *b)
{
	const struct bucket_plan *x = a, *y = b;

	if (x->cell != y->cell)
		return (x->cell > y->cell) - (x->cell < y->cell);
	return (x->total < y->total) - (x->total > y->total);
}

static void
add_bucket(struct partition_cell *g, const struct bucket_plan *plan, uint32_t n,
    uint32_t *nodes)
{
	vec_room(g->buckets, g->nbuckets, &g->cap);
	g->buckets[g->nbuckets++] = (struct score_bucket){ .total = plan->total,
		.n = n,
		.nodes = nodes };
	g->n += n;
}

/* Makes the buckets, each of which is a part, and fills them. */
static void
make_buckets(struct partition *partition, const struct refinement *refinement,
    const uint32_t *order)
{
	AUTOFREE struct bucket_plan *plans =
	    xmalloc(refinement->n * sizeof(*plans));
	AUTOFREE uint32_t *counts = xcalloc(refinement->n, sizeof(*counts));
	AUTOFREE uint32_t **ends = xmalloc(refinement->n * sizeof(*ends));
	uint32_t *nodes = partition->nodes;
	const uint32_t *of = refinement->of;

	for (uint32_t i = 0; i < refinement->n; i++)
		plans[i] =
		    (struct bucket_plan){ partition->of[refinement->first[i]],
			    partition->total[refinement->first[i]], i };
	for (uint32_t i = 0; i < refinement->nnodes; i++)
		counts[of[i]]++;
	qsort(plans, refinement->n, sizeof(*plans), by_cell_and_total);
	for (uint32_t i = 0; i < refinement->n; i++) {
		uint32_t part = plans[i].part;

		add_bucket(partition->at[plans[i].cell], &plans[i],
		    counts[part], nodes);
		ends[part] = nodes;
		nodes += counts[part];
	}
	for (uint32_t i = 0; i < refinement->nnodes; i++)
		*ends[of[order[i]]]++ = order[i];
}

static int64_t
value_at(const struct key_column *column, uint32_t at)
{
	return column->wide != NULL ? column->wide[at] : column->narrow[at];
}

static void
make_groups(struct partition *partition, const struct refinement *refinement,
    const struct key_column *columns)
{
	AUTOFREE int64_t *key = xmalloc(partition->nparts * sizeof(*key));

	for (uint32_t i = 0; i < refinement->n; i++) {
		for (size_t j = 0; j < partition->nparts; j++)
			key[j] = value_at(&columns[j], refinement->first[i]);
		find_group(partition, key);
	}
}

void
partition_make(struct partition *partition, size_t nparts, uint32_t nnodes,
    const struct key_column *columns, const int32_t *totals,
    const uint32_t *order)
{
	AUTOFREE uint32_t *kind_of = xmalloc(nnodes * sizeof(*kind_of));
	struct refinement refinement;

	*partition = (struct partition){ .nparts = nparts };
	partition->of = xmalloc(nnodes * sizeof(*partition->of));
	partition->total = xmalloc(nnodes * sizeof(*partition->total));
	partition->nodes = xmalloc(nnodes * sizeof(*partition->nodes));
	if (nnodes == 0)
		return;
	memcpy(partition->total, totals, nnodes * sizeof(*totals));
	refinement_init(&refinement, nnodes, kind_of);
	for (size_t i = 0; i < nparts; i++)
		if (columns[i].wide != NULL)
			refine_wide(&refinement, columns[i].wide);
		else
			refine(&refinement, columns[i].narrow);
	make_groups(partition, &refinement, columns);
	memcpy(partition->of, kind_of, nnodes * sizeof(*kind_of));
	refine(&refinement, (const uint32_t *)partition->total);
	make_buckets(partition, &refinement, order);
	refinement_fini(&refinement);
}

/* Room for one more node. */
static void
bucket_room(struct score_bucket *bucket)
{
	uint32_t *shared = bucket->nodes;

	if (bucket->cap == 0 && bucket->n > 0) {
		bucket->cap = bucket->n + bucket->n / 2 + 4;
		bucket->nodes = xmalloc(bucket->cap * sizeof(*shared));
		memcpy(bucket->nodes, shared, bucket->n * sizeof(*shared));
	}
	vec_room(bucket->nodes, bucket->n, &bucket->cap);
}

static void
join(struct partition *partition, const struct cluster *cluster, uint32_t at,
    uint32_t number, int32_t total)
{
	struct partition_cell *g = partition->at[number];
	struct score_bucket *bucket = get_bucket(g, total);
	uint32_t i;

	bucket_room(bucket);
	i = rank_of(cluster, bucket->nodes, bucket->n,
	    cluster->name_hashes[at]);
	memmove(&bucket->nodes[i + 1], &bucket->nodes[i],
	    (bucket->n - i) * sizeof(*bucket->nodes));
	bucket->nodes[i] = at;
	bucket->n++;
	g->n++;
	partition->of[at] = number;
	partition->total[at] = total;
}

void
partition_remove(struct partition *partition, const struct cluster *cluster,
    uint32_t at)
{
	uint32_t number = partition->of[at], b, i;
	struct score_bucket *bucket;
	struct partition_cell *g;

	if (number == CELL_NONE)
		return;
	g = partition->at[number];
	b = find_bucket(g, partition->total[at]);
	bucket = &g->buckets[b];
	i = rank_of(cluster, bucket->nodes, bucket->n,
	    cluster->name_hashes[at]);
	while (bucket->nodes[i] != at)
		i++;
	memmove(&bucket->nodes[i], &bucket->nodes[i + 1],
	    (bucket->n - i - 1) * sizeof(*bucket->nodes));
	if (--bucket->n == 0) {
		bucket_free(bucket);
		memmove(&g->buckets[b], &g->buckets[b + 1],
		    (g->nbuckets - b - 1) * sizeof(*g->buckets));
		g->nbuckets--;
	}
	partition->of[at] = CELL_NONE;
	if (--g->n == 0)
		group_drop(partition, number);
}

void
partition_move(struct partition *partition, const struct cluster *cluster,
    uint32_t at, const int64_t *key, int32_t total)
{
	uint32_t before = partition->of[at],
		 number = find_group(partition, key);

	if (before == number && partition->total[at] == total)
		return;
	partition_remove(partition, cluster, at);
	/* it may have been the last of its cell */
	if (before == number)
		number = find_group(partition, key);
	join(partition, cluster, at, number, total);
}

/* Puts into each span how many of its nodes come before this hash, returns the
 * sum.  again: these numbers are those of another hash nearby. */
static uint32_t
count_before(const uint64_t *hashes, struct node_span *spans, size_t n,
    uint64_t hash, bool again)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		struct node_span *s = &spans[i];
		uint32_t guess = again ?
		    s->before :
		    expected_rank(hashes, s->nodes, s->n, hash);

		s->before = rank_near(hashes, s->nodes, s->n, hash, guess);
		sum += s->before;
	}
	return sum;
}

/* Counts the next node, too, and returns it; there is one. */
static uint32_t
step_forward(const uint64_t *hashes, struct node_span *spans, size_t n)
{
	size_t first = n;
	uint64_t least = 0;

	for (size_t i = 0; i < n; i++) {
		const struct node_span *s = &spans[i];

		if (s->before < s->n &&
		    (first == n || hashes[s->nodes[s->before]] < least)) {
			first = i;
			least = hashes[s->nodes[s->before]];
		}
	}
	return spans[first].nodes[spans[first].before++];
}

/* No longer counts the last node, and returns it; there is one. */
static uint32_t
step_back(const uint64_t *hashes, struct node_span *spans, size_t n)
{
	size_t last = n;
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const struct node_span *s = &spans[i];

		if (s->before > 0 &&
		    (last == n || hashes[s->nodes[s->before - 1]] > most)) {
			last = i;
			most = hashes[s->nodes[s->before - 1]];
		}
	}
	return spans[last].nodes[--spans[last].before];
}

/* To step over so many nodes costs less than to count again. */
#define STEPS_MOST 8

/*
 * Finds a hash that about i of `all` nodes come before, and counts these; returns
 * the number.  Hashes are spread evenly, so the second guess is a few nodes off.
 * Where they are not, every other guess halves the hashes that are left.
 */
static uint32_t
count_about(const uint64_t *hashes, struct node_span *spans, size_t n,
    uint32_t all, uint32_t i)
{
	uint64_t low = 0, high = UINT64_MAX, hash;
	uint32_t before, below = 0, beyond = all;

	for (unsigned round = 0;; round++) {
		double share = round > 2 && round % 2 != 0 ?
		    0.5 :
		    (double)(i - below) / (double)(beyond - below);

		hash = low + (uint64_t)((double)(high - low) * share);
		before = count_before(hashes, spans, n, hash, round > 0);
		if (before <= i + STEPS_MOST && i <= before + STEPS_MOST)
			return before;
		if (hash == low)
			return before; /* many have one hash */
		if (before < i) {
			low = hash;
			below = before;
		} else {
			high = hash;
			beyond = before;
		}
	}
}

uint32_t
partition_pick(const struct cluster *cluster, struct node_span *spans, size_t n,
    uint32_t i)
{
	const uint64_t *hashes = cluster->name_hashes;
	uint32_t all = 0, before, node;

	if (n == 1)
		return spans[0].nodes[i];
	for (size_t j = 0; j < n; j++)
		all += spans[j].n;
	before = count_about(hashes, spans, n, all, i);
	if (before > i) {
		do
			node = step_back(hashes, spans, n);
		while (--before > i);
		return node;
	}
	do
		node = step_forward(hashes, spans, n);
	while (before++ < i);
	return node;
}
