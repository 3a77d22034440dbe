#include "config.h"

#include "decide/ecache/ecache_internal.h"

#include "base/hash.h"
#include "decide/ecache/eviction.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"

/* In a key instead of a score. */
#define NOT_UNIFORM INT64_MIN
#define SKIPPED (INT64_MIN + 1)

/* Of an arena for results, of which there may be a thousand: by itself it takes 16 KiB,
 * and a small cluster needs a few. */
#define FIRST_BLOCK 2048

/* Whether its prep is a part of the key if it is uniform. */
static bool
may_be_uniform(const struct ecache *ecache, size_t i)
{
	const struct priority *unit = ecache->profile->priorities[i].unit;

	return ecache->weights[i] != 0 && (unit->reads & READS_NODE) &&
	    unit->prepare != NULL;
}

void
ecache_find_aspects(struct ecache *ecache)
{
	const struct profile *profile = ecache->profile;

	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct predicate *unit = profile->predicates[i].unit;

		if (unit->reads & READS_NODE)
			ecache->aspects |= aspects_read(unit->reads);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (!(priority_reads(unit) & READS_CLUSTER) &&
		    ecache->weights[i] != 0 && !may_be_uniform(ecache, i))
			ecache->aspects |= aspects_read(unit->reads);
	}
}

/*
 * All that kept results depend on, as bytes in the cycle's arena: the aspects, their
 * values, and the scores that are the same for all nodes.
 */
static void *
key_of(const struct ecache *ecache, struct cycle *cycle, size_t *len)
{
	const struct profile *profile = ecache->profile;
	int64_t *scores =
	    arena_array(cycle->arena, int64_t, profile->npriorities);
	unsigned aspects = ecache->aspects;
	size_t size = profile->npriorities * sizeof(*scores), n;
	const void *bytes;
	char *key;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		const void *prep;

		if (!may_be_uniform(ecache, i))
			continue;
		prep = p->unit->prepare(cycle, p->args);
		if (prep == PREP_SKIPPED) {
			scores[i] = SKIPPED;
		} else if (!prep_is_uniform(prep, &scores[i])) {
			scores[i] = NOT_UNIFORM;
			aspects |= aspects_read(p->unit->reads);
		}
	}
	bytes = pod_class_aspects(cycle->class, aspects, &n);
	*len = sizeof(aspects) + size + n;
	key = arena_alloc(cycle->arena, *len);
	memcpy(key, &aspects, sizeof(aspects));
	if (size > 0)
		memcpy(key + sizeof(aspects), scores, size);
	if (n > 0)
		memcpy(key + sizeof(aspects) + size, bytes, n);
	return key;
}

static struct ecache_results *
results_new(struct ecache *ecache, struct cycle *cycle, const void *key,
    size_t len)
{
	const struct profile *profile = ecache->profile;
	struct ecache_results *results = xcalloc(1, sizeof(*results));

	results->class = pod_class_ref(cycle->class);
	arena_reserve(&results->arena, FIRST_BLOCK);
	results->key = arena_memdup(&results->arena, key, len);
	results->key_len = len;
	results->why.arena = &results->arena;
	results->predicates = arena_array(&results->arena, struct cached_prep,
	    profile->npredicates);
	results->priorities = arena_array(&results->arena, struct cached_prep,
	    profile->npriorities);
	results->nraw = ecache->nraw;
	results->raw = arena_array(&results->arena, int64_t *, results->nraw);
	ecache_prepare(ecache, results, cycle);
	return results;
}

struct signature_key {
	size_t len;
	const void *bytes;
};

static bool
has_key(const void *value, const void *wanted)
{
	const struct ecache_results *results = value;
	const struct signature_key *key = wanted;

	return results->key_len == key->len &&
	    memcmp(results->key, key->bytes, key->len) == 0;
}

struct ecache_results *
ecache_results_of(struct ecache *ecache, struct cycle *cycle)
{
	size_t len;
	const void *key = key_of(ecache, cycle, &len);
	uint64_t hash = hash_bytes64(key, len);
	struct ecache_results *results = content_map_get(&ecache->results, hash,
	    has_key, &(struct signature_key){ len, key });

	if (results == NULL) {
		results = results_new(ecache, cycle, key, len);
		results->hash = hash;
		content_map_add(&ecache->results, hash, results);
	}
	results->refs++;
	return results;
}

void
ecache_results_unref(struct ecache *ecache, struct ecache_results *results)
{
	if (--results->refs > 0)
		return;
	content_map_del(&ecache->results, results->hash, results);
	eviction_tables_forget(ecache->evictions, results);
	ecache->bytes -= results->bytes;
	cached_partition_forget(&results->shared);
	for (size_t i = 0; i < results->nraw; i++)
		free(results->raw[i]);
	object_scores_unref(results->objects);
	free(results->total);
	free(results->state);
	pod_class_unref(results->class);
	arena_fini(&results->arena);
	free(results);
}
