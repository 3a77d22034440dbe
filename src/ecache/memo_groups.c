#include "config.h"

#include "ecache/memo_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "framework/kinds.h"

static void
bucket_free(struct memo_bucket *bucket)
{
	if (bucket->cap > 0)
		free(bucket->nodes);
}

static void
group_free(struct memo_group *g)
{
	for (uint32_t i = 0; i < g->nbuckets; i++)
		bucket_free(&g->buckets[i]);
	free(g->buckets);
	free(g);
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
	free(groups->nodes);
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
	uint64_t hash = 0, factor = hash_secret() | 1;

	/* no product waits for another */
	for (size_t i = 0; i < nslots; i++) {
		hash += (uint64_t)key[i] * factor;
		factor += UINT64_C(0xbf58476d1ce4e5b8);
	}
	return hash_mix(hash);
}

static bool
has_key(const struct memo_group *g, const int64_t *key, size_t nslots)
{
	int64_t differences = 0;

	for (size_t i = 0; i < nslots; i++)
		differences |= g->key[i] ^ key[i];
	return differences == 0;
}

/* The number of the group with this key, which is made if need be. */
static uint32_t
find_group(struct memo_groups *groups, const int64_t *key)
{
	uint64_t hash = hash_key(key, groups->nslots);

	for (;; hash++) {
		uintptr_t found = (uintptr_t)map_get(&groups->by_key, hash);

		if (found == 0)
			return group_new(groups, key, hash);
		if (has_key(groups->at[found - 1], key, groups->nslots))
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

/* How many of these n nodes, in order of their names' hashes, come before one
 * with this hash. */
static uint32_t
rank_of(const struct cluster *cluster, const uint32_t *nodes, uint32_t n,
    uint64_t hash)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cluster->name_hashes[nodes[middle]] < hash)
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
	g->buckets[i] = (struct memo_bucket){ .total = total };
	return &g->buckets[i];
}

/* A bucket to be. */
struct part {
	uint32_t group;
	int32_t total;
	uint32_t kind;
};

static int
by_group_and_total(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->group != y->group)
		return (x->group > y->group) - (x->group < y->group);
	return (x->total < y->total) - (x->total > y->total);
}

static void
add_bucket(struct memo_group *g, const struct part *part, uint32_t n,
    uint32_t *nodes)
{
	vec_room(g->buckets, g->nbuckets, &g->cap);
	g->buckets[g->nbuckets++] = (struct memo_bucket){ .total = part->total,
		.n = n,
		.nodes = nodes };
	g->n += n;
}

/* Makes the buckets, each of which is a kind, and fills them. */
static void
make_buckets(struct memo_groups *groups, const struct kinds *kinds,
    const uint32_t *order)
{
	AUTOFREE struct part *parts = xmalloc(kinds->n * sizeof(*parts));
	AUTOFREE uint32_t *counts = xcalloc(kinds->n, sizeof(*counts));
	AUTOFREE uint32_t **ends = xmalloc(kinds->n * sizeof(*ends));
	uint32_t *nodes = groups->nodes;
	const uint32_t *of = kinds->of;

	for (uint32_t i = 0; i < kinds->n; i++)
		parts[i] = (struct part){ groups->of[kinds->first[i]],
			groups->total[kinds->first[i]], i };
	for (uint32_t i = 0; i < kinds->nnodes; i++)
		counts[of[i]]++;
	qsort(parts, kinds->n, sizeof(*parts), by_group_and_total);
	for (uint32_t i = 0; i < kinds->n; i++) {
		uint32_t kind = parts[i].kind;

		add_bucket(groups->at[parts[i].group], &parts[i], counts[kind],
		    nodes);
		ends[kind] = nodes;
		nodes += counts[kind];
	}
	for (uint32_t i = 0; i < kinds->nnodes; i++)
		*ends[of[order[i]]]++ = order[i];
}

static int64_t
value_at(const struct memo_column *column, uint32_t at)
{
	return column->wide != NULL ? column->wide[at] : column->narrow[at];
}

static void
make_groups(struct memo_groups *groups, const struct kinds *kinds,
    const struct memo_column *columns)
{
	AUTOFREE int64_t *key = xmalloc(groups->nslots * sizeof(*key));

	for (uint32_t i = 0; i < kinds->n; i++) {
		for (size_t j = 0; j < groups->nslots; j++)
			key[j] = value_at(&columns[j], kinds->first[i]);
		find_group(groups, key);
	}
}

void
memo_groups_make(struct memo_groups *groups, size_t nslots, uint32_t nnodes,
    const struct memo_column *columns, const int32_t *totals,
    const uint32_t *order)
{
	AUTOFREE uint32_t *kind_of = xmalloc(nnodes * sizeof(*kind_of));
	struct kinds kinds;

	*groups = (struct memo_groups){ .nslots = nslots };
	groups->of = xmalloc(nnodes * sizeof(*groups->of));
	groups->total = xmalloc(nnodes * sizeof(*groups->total));
	groups->nodes = xmalloc(nnodes * sizeof(*groups->nodes));
	if (nnodes == 0)
		return;
	memcpy(groups->total, totals, nnodes * sizeof(*totals));
	kinds_init(&kinds, nnodes, kind_of);
	for (size_t i = 0; i < nslots; i++)
		if (columns[i].wide != NULL)
			kinds_split_wide(&kinds, columns[i].wide);
		else
			kinds_split(&kinds, columns[i].narrow);
	make_groups(groups, &kinds, columns);
	memcpy(groups->of, kind_of, nnodes * sizeof(*kind_of));
	kinds_split(&kinds, (const uint32_t *)groups->total);
	make_buckets(groups, &kinds, order);
	kinds_fini(&kinds);
}

/* Room for one more node. */
static void
bucket_room(struct memo_bucket *bucket)
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
join(struct memo_groups *groups, const struct cluster *cluster, uint32_t at,
    uint32_t number, int32_t total)
{
	struct memo_group *g = groups->at[number];
	struct memo_bucket *bucket = get_bucket(g, total);
	uint32_t i;

	bucket_room(bucket);
	i = rank_of(cluster, bucket->nodes, bucket->n,
	    cluster->name_hashes[at]);
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

static struct memo_span *
longest(struct memo_span *spans, size_t n)
{
	struct memo_span *most = spans;

	for (size_t i = 1; i < n; i++)
		if (spans[i].n > most->n)
			most = &spans[i];
	return most;
}

/*
 * About which of the nodes that are left makes a good pivot when the i-th is
 * sought.  Hashes are spread evenly, so a node's place in its bucket tells its
 * place among all.  A first guess leaves the i-th close to one end; the next is
 * to be just beyond it, so that only nodes near it are left.
 */
static uint32_t
good_pivot(uint32_t left, uint32_t i)
{
	uint32_t from_end = left - 1 - i;

	if (i < left / 4)
		return 2 * i + 2 < left ? 2 * i + 2 : i;
	if (from_end < left / 4)
		return i > from_end + 2 ? i - from_end - 2 : i;
	return i;
}

/* Puts into each span how many nodes come before this hash, returns the sum. */
static uint32_t
count_before(const struct cluster *cluster, struct memo_span *spans, size_t n,
    uint64_t hash)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		spans[i].before =
		    rank_of(cluster, spans[i].nodes, spans[i].n, hash);
		sum += spans[i].before;
	}
	return sum;
}

/* Keeps the nodes before the pivot, or those behind it; drops empty spans. */
static size_t
narrow(struct memo_span *spans, size_t n, const struct memo_span *pivot,
    bool behind)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct memo_span s = spans[i];
		uint32_t dropped = s.before + (&spans[i] == pivot);

		if (behind)
			s = (struct memo_span){ s.nodes + dropped,
				s.n - dropped, 0 };
		else
			s.n = s.before;
		if (s.n > 0)
			spans[kept++] = s;
	}
	return kept;
}

/* Quickselect over lists that are sorted. */
uint32_t
memo_pick(const struct cluster *cluster, struct memo_span *spans, size_t n,
    uint32_t i)
{
	uint32_t left = 0, before, at, node;
	struct memo_span *pivot;

	if (n == 1)
		return spans[0].nodes[i];
	for (size_t j = 0; j < n; j++)
		left += spans[j].n;
	for (;;) {
		pivot = longest(spans, n);
		at =
		    (uint32_t)((uint64_t)good_pivot(left, i) * pivot->n / left);
		node = pivot->nodes[at];
		before =
		    count_before(cluster, spans, n, cluster->name_hashes[node]);
		if (before == i)
			return node;
		n = narrow(spans, n, pivot, i > before);
		left = i > before ? left - before - 1 : before;
		i -= i > before ? before + 1 : 0;
	}
}
