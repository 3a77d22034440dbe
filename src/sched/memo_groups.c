#include "config.h"

#include "sched/memo_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"

static void
group_free(struct memo_group *g)
{
	for (uint32_t i = 0; i < g->nbuckets; i++)
		free(g->buckets[i].nodes);
	free(g->buckets);
	free(g);
}

void
memo_groups_init(struct memo_groups *groups, size_t nslots, uint32_t nnodes)
{
	*groups = (struct memo_groups) { .nslots = nslots };
	groups->of = xmalloc(nnodes * sizeof(*groups->of));
	groups->total = xmalloc(nnodes * sizeof(*groups->total));
	for (uint32_t i = 0; i < nnodes; i++)
		groups->of[i] = MEMO_GROUP_NONE;
}

void
memo_groups_fini(struct memo_groups *groups)
{
	for (uint32_t i = 0; i < groups->n; i++)
		if (groups->at[i] != NULL)
			group_free(groups->at[i]);
	map_fini(&groups->by_key);
	free(groups->at);
	free(groups->free);
	free(groups->of);
	free(groups->total);
}

static uint32_t
group_new(struct memo_groups *groups, const int64_t *key, uint64_t hash)
{
	size_t size = groups->nslots * sizeof(*key);
	struct memo_group *g = xcalloc(1, sizeof(*g) + size);
	uint32_t number;

	memcpy(g->key, key, size);
	g->hash = hash;
	if (groups->nfree > 0) {
		number = groups->free[--groups->nfree];
	} else {
		vec_room(groups->at, groups->n, &groups->cap);
		number = groups->n++;
	}
	groups->at[number] = g;
	map_put(&groups->by_key, hash, (void *)(uintptr_t)(number + 1));
	return number;
}

static void
group_drop(struct memo_groups *groups, uint32_t number)
{
	/* a group whose hash was taken may lose its way and be made anew:
	 * then two have one key, and nobody minds */
	map_del(&groups->by_key, groups->at[number]->hash);
	group_free(groups->at[number]);
	groups->at[number] = NULL;
	vec_room(groups->free, groups->nfree, &groups->free_cap);
	groups->free[groups->nfree++] = number;
}

static uint64_t
hash_key(const int64_t *key, size_t nslots)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < nslots; i++)
		hash = (hash ^ (uint64_t)key[i]) *
		    UINT64_C(0x9e3779b97f4a7c15);
	return hash_mix(hash);
}

/* The number of the group with this key, which is made if need be. */
static uint32_t
find_group(struct memo_groups *groups, const int64_t *key)
{
	size_t size = groups->nslots * sizeof(*key);
	uint64_t hash = hash_key(key, groups->nslots);

	for (;; hash++) {
		uintptr_t found = (uintptr_t)map_get(&groups->by_key, hash);

		if (found == 0)
			return group_new(groups, key, hash);
		if (memcmp(groups->at[found - 1]->key, key, size) == 0)
			return (uint32_t)(found - 1);
	}
}

/* Where the bucket with this total is, or belongs. */
static uint32_t
find_bucket(const struct memo_group *g, int32_t total)
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

/* How many of the bucket's nodes come before one with this hash. */
static uint32_t
rank_of(const struct cluster *cluster, const struct memo_bucket *bucket,
    uint64_t hash)
{
	uint32_t low = 0, high = bucket->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cluster->name_hashes[bucket->nodes[middle]] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct memo_bucket *
get_bucket(struct memo_group *g, int32_t total)
{
	uint32_t i = find_bucket(g, total);

	if (i < g->nbuckets && g->buckets[i].total == total)
		return &g->buckets[i];
	vec_room(g->buckets, g->nbuckets, &g->cap);
	memmove(&g->buckets[i + 1], &g->buckets[i],
	    (g->nbuckets - i) * sizeof(*g->buckets));
	g->nbuckets++;
	g->buckets[i] = (struct memo_bucket) { .total = total };
	return &g->buckets[i];
}

void
memo_groups_assign(struct memo_groups *groups, uint32_t at, const int64_t *key,
    int32_t total)
{
	uint32_t number = find_group(groups, key);

	groups->of[at] = number;
	groups->total[at] = total;
	groups->at[number]->n++;
	get_bucket(groups->at[number], total)->cap++;
}

void
memo_groups_fill(struct memo_groups *groups, const uint32_t *order,
    uint32_t nnodes)
{
	struct memo_bucket *bucket;
	struct memo_group *g;

	for (uint32_t i = 0; i < groups->n; i++)
		for (uint32_t j = 0; j < groups->at[i]->nbuckets; j++) {
			bucket = &groups->at[i]->buckets[j];
			bucket->nodes =
			    xmalloc(bucket->cap * sizeof(*bucket->nodes));
		}
	for (uint32_t i = 0; i < nnodes; i++) {
		g = groups->at[groups->of[order[i]]];
		bucket = &g->buckets[find_bucket(g, groups->total[order[i]])];
		bucket->nodes[bucket->n++] = order[i];
	}
}

static void
join(struct memo_groups *groups, const struct cluster *cluster, uint32_t at,
    uint32_t number, int32_t total)
{
	struct memo_group *g = groups->at[number];
	struct memo_bucket *bucket = get_bucket(g, total);
	uint32_t i;

	vec_room(bucket->nodes, bucket->n, &bucket->cap);
	i = rank_of(cluster, bucket, cluster->name_hashes[at]);
	memmove(&bucket->nodes[i + 1], &bucket->nodes[i],
	    (bucket->n - i) * sizeof(*bucket->nodes));
	bucket->nodes[i] = at;
	bucket->n++;
	g->n++;
	groups->of[at] = number;
	groups->total[at] = total;
}

void
memo_groups_leave(struct memo_groups *groups, const struct cluster *cluster,
    uint32_t at)
{
	uint32_t number = groups->of[at], b, i;
	struct memo_bucket *bucket;
	struct memo_group *g;

	if (number == MEMO_GROUP_NONE)
		return;
	g = groups->at[number];
	b = find_bucket(g, groups->total[at]);
	bucket = &g->buckets[b];
	i = rank_of(cluster, bucket, cluster->name_hashes[at]);
	while (bucket->nodes[i] != at)
		i++;
	memmove(&bucket->nodes[i], &bucket->nodes[i + 1],
	    (bucket->n - i - 1) * sizeof(*bucket->nodes));
	if (--bucket->n == 0) {
		free(bucket->nodes);
		memmove(&g->buckets[b], &g->buckets[b + 1],
		    (g->nbuckets - b - 1) * sizeof(*g->buckets));
		g->nbuckets--;
	}
	groups->of[at] = MEMO_GROUP_NONE;
	if (--g->n == 0)
		group_drop(groups, number);
}

void
memo_groups_place(struct memo_groups *groups, const struct cluster *cluster,
    uint32_t at, const int64_t *key, int32_t total)
{
	uint32_t before = groups->of[at], number = find_group(groups, key);

	if (before == number && groups->total[at] == total)
		return;
	memo_groups_leave(groups, cluster, at);
	/* it may have been the last of its group */
	if (before == number)
		number = find_group(groups, key);
	join(groups, cluster, at, number, total);
}

uint32_t
memo_pick(const struct cluster *cluster,
    const struct memo_bucket *const *buckets, size_t n, uint32_t i)
{
	uint64_t low = 0, high = UINT64_MAX;
	uint32_t before;

	if (n == 1)
		return buckets[0]->nodes[i];
	/* the greatest hash that at most i nodes come before */
	while (low < high) {
		uint64_t middle = low + (high - low) / 2 + 1;

		before = 0;
		for (size_t j = 0; j < n; j++)
			before += rank_of(cluster, buckets[j], middle);
		if (before <= i)
			low = middle;
		else
			high = middle - 1;
	}
	for (size_t j = 0; j < n; j++) {
		uint32_t at = rank_of(cluster, buckets[j], low);

		if (at < buckets[j]->n &&
		    cluster->name_hashes[buckets[j]->nodes[at]] == low)
			return buckets[j]->nodes[at];
	}
	assert(0);
	return 0;
}
