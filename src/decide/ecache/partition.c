#include "config.h"

#include "decide/ecache/partition.h"

#include "base/hash.h"
#include "base/sorted.h"
#include "cluster/cluster.h"

static void
cell_free(struct partition_cell *cell)
{
	for (uint32_t i = 0; i < cell->nbuckets; i++)
		free(cell->buckets[i].nodes);
	free(cell->buckets);
	free(cell);
}

void
partition_fini(struct partition *partition)
{
	for (uint32_t i = 0; i < partition->n; i++)
		if (partition->at[i] != NULL)
			cell_free(partition->at[i]);
	map_fini(&partition->by_key);
	free(partition->at);
	free(partition->free);
	free(partition->of);
	free(partition->total);
}

static uint32_t
cell_new(struct partition *partition, const int64_t *key, uint64_t hash)
{
	size_t size = partition->nkey_parts * sizeof(*key);
	struct partition_cell *cell = xcalloc(1, sizeof(*cell) + size);
	uint32_t number;

	memcpy(cell->key, key, size);
	cell->hash = hash;
	if (partition->nfree > 0) {
		number = partition->free[--partition->nfree];
	} else {
		vec_room(partition->at, partition->n, &partition->cap);
		number = partition->n++;
	}
	partition->at[number] = cell;
	map_put(&partition->by_key, hash, (void *)(uintptr_t)(number + 1));
	return number;
}

static uint64_t
hash_key(const int64_t *key, size_t nkey_parts)
{
	uint64_t hash = 0, factor = hash_secret() | 1;

	/* no product waits for another */
	for (size_t i = 0; i < nkey_parts; i++) {
		hash += (uint64_t)key[i] * factor;
		factor += UINT64_C(0xbf58476d1ce4e5b8);
	}
	return hash_mix(hash);
}

/* The number of the cell with this key; makes it if there is none. */
static uint32_t
find_cell(struct partition *partition, const int64_t *key)
{
	uint64_t hash = hash_key(key, partition->nkey_parts);

	for (;; hash++) {
		uintptr_t found = (uintptr_t)map_get(&partition->by_key, hash);
		const struct partition_cell *cell;
		int64_t differences;

		if (found == 0)
			return cell_new(partition, key, hash);
		cell = partition->at[found - 1];
		differences = 0;
		for (size_t i = 0; i < partition->nkey_parts; i++)
			differences |= cell->key[i] ^ key[i];
		if (differences == 0)
			return (uint32_t)(found - 1);
	}
}

/* The index of the bucket with this total, or where to insert it. */
static uint32_t
find_bucket(const struct partition_cell *cell, int32_t total)
{
	size_t i;

	SORTED_FIND(i, cell->nbuckets, cell->buckets[i].total > total);
	return (uint32_t)i;
}

/*
 * How many of these n nodes, in order of their names' hashes, come before one
 * with this hash.  The search begins at a guess and doubles its steps, so its cost
 * is the logarithm of the guess's error.  Hashes are scattered in memory: a binary
 * search in two thousand nodes has eleven cache misses.
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

/* Estimates how many of these n nodes have hashes below this one: hashes are spread
 * evenly over all numbers.  The hash found there corrects the first estimate. */
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
get_bucket(struct partition_cell *cell, int32_t total)
{
	uint32_t i = find_bucket(cell, total);

	if (i < cell->nbuckets && cell->buckets[i].total == total)
		return &cell->buckets[i];
	SORTED_INSERT(cell->buckets, cell->nbuckets, &cell->cap, i);
	cell->buckets[i] = (struct score_bucket){ .total = total };
	return &cell->buckets[i];
}

void
partition_init(struct partition *partition, size_t nkey_parts, uint32_t nnodes)
{
	*partition = (struct partition){ .nkey_parts = nkey_parts };
	partition->of = xmalloc(nnodes * sizeof(*partition->of));
	partition->total = xmalloc(nnodes * sizeof(*partition->total));
	for (uint32_t i = 0; i < nnodes; i++)
		partition->of[i] = CELL_NONE;
}

static void
join(struct partition *partition, const struct cluster *cluster, uint32_t at,
    uint32_t number, int32_t total)
{
	struct partition_cell *cell = partition->at[number];
	struct score_bucket *bucket = get_bucket(cell, total);
	const uint64_t *hashes = cluster->name_hashes;
	uint32_t i;

	/* when a partition is made, nodes come in this order */
	i = bucket->n;
	if (i > 0 && hashes[bucket->nodes[i - 1]] > hashes[at])
		i = rank_of(cluster, bucket->nodes, i, hashes[at]);
	SORTED_INSERT(bucket->nodes, bucket->n, &bucket->cap, i);
	bucket->nodes[i] = at;
	cell->n++;
	partition->of[at] = number;
	partition->total[at] = total;
}

void
partition_remove(struct partition *partition, const struct cluster *cluster,
    uint32_t at)
{
	uint32_t number = partition->of[at], b, i;
	struct score_bucket *bucket;
	struct partition_cell *cell;

	if (number == CELL_NONE)
		return;
	cell = partition->at[number];
	b = find_bucket(cell, partition->total[at]);
	bucket = &cell->buckets[b];
	i = rank_of(cluster, bucket->nodes, bucket->n,
	    cluster->name_hashes[at]);
	while (bucket->nodes[i] != at)
		i++;
	SORTED_REMOVE(bucket->nodes, bucket->n, i);
	if (bucket->n == 0) {
		free(bucket->nodes);
		SORTED_REMOVE(cell->buckets, cell->nbuckets, b);
	}
	partition->of[at] = CELL_NONE;
	if (--cell->n == 0) {
		/* this may cut off cells whose hashes collided with it; such a
		 * cell is made again, and two cells with one key are
		 * allowed */
		map_del(&partition->by_key, partition->at[number]->hash);
		cell_free(partition->at[number]);
		partition->at[number] = NULL;
		vec_room(partition->free, partition->nfree,
		    &partition->free_cap);
		partition->free[partition->nfree++] = number;
	}
}

void
partition_move(struct partition *partition, const struct cluster *cluster,
    uint32_t at, const int64_t *key, int32_t total)
{
	uint32_t before = partition->of[at], number = find_cell(partition, key);

	if (before == number && partition->total[at] == total)
		return;
	partition_remove(partition, cluster, at);
	/* it may have been the last of its cell */
	if (before == number)
		number = find_cell(partition, key);
	join(partition, cluster, at, number, total);
}

/* Counts one node more and returns it; there must be one. */
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

/* Counts one node less and returns it; there must be one. */
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

/* Stepping over this many nodes costs less than counting again. */
#define STEPS_MOST 8

/*
 * Finds a hash with about i of `all` nodes before it, counts these and returns
 * their number.  Hashes are spread evenly, so the second guess is a few nodes off;
 * if they are not, every other guess halves the range that is left.
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
		bool again;
		uint32_t sum;

		hash = low + (uint64_t)((double)(high - low) * share);
		/* Counts in each span the nodes before this hash, and returns
		 * the sum. again: the spans have the counts of a hash
		 * nearby. */
		again = round > 0;
		sum = 0;
		for (size_t j = 0; j < n; j++) {
			struct node_span *s = &spans[j];
			uint32_t guess = again ?
			    s->before :
			    expected_rank(hashes, s->nodes, s->n, hash);

			s->before =
			    rank_near(hashes, s->nodes, s->n, hash, guess);
			sum += s->before;
		}
		before = sum;
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
