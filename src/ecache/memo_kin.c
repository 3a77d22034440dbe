#include "config.h"

#include "ecache/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "ecache/outlook.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* In a key instead of a score. */
#define NOT_UNIFORM INT64_MIN

static unsigned
aspects_of(unsigned declared)
{
	return declared != 0 ? declared : ASPECT_ALL;
}

void
memo_find_aspects(struct memo *memo)
{
	const struct profile *profile = memo->profile;

	memo->uniform = xcalloc(profile->npriorities, sizeof(*memo->uniform));
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct predicate *unit = profile->predicates[i].unit;

		if (unit->reads == READS_NODE)
			memo->aspects |= aspects_of(unit->aspects);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;

		if (unit->reads == READS_CLUSTER || memo->weights[i] == 0)
			continue;
		if (unit->reads == READS_NODE && unit->uniform != NULL)
			memo->uniform[memo->nuniform++] = i;
		else
			memo->aspects |= aspects_of(unit->aspects);
	}
}

/*
 * All that what is kept of nodes depends on, as bytes in the cycle's arena: which
 * aspects these are, what they say, and which scores are the same for all nodes.
 */
static void *
key_of(const struct memo *memo, struct cycle *cycle, size_t *len)
{
	const struct profile *profile = memo->profile;
	int64_t *raw = arena_array(cycle->arena, int64_t, memo->nuniform);
	unsigned aspects = memo->aspects;
	size_t size = memo->nuniform * sizeof(*raw), n;
	const void *bytes;
	char *key;

	for (size_t i = 0; i < memo->nuniform; i++) {
		const struct profile_priority *p =
		    &profile->priorities[memo->uniform[i]];
		const void *prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;

		if (!p->unit->uniform(cycle, prep, &raw[i])) {
			raw[i] = NOT_UNIFORM;
			aspects |= aspects_of(p->unit->aspects);
		}
	}
	bytes = pod_class_aspects(cycle->class, aspects, &n);
	*len = sizeof(aspects) + size + n;
	key = arena_alloc(cycle->arena, *len);
	memcpy(key, &aspects, sizeof(aspects));
	if (size > 0)
		memcpy(key + sizeof(aspects), raw, size);
	if (n > 0)
		memcpy(key + sizeof(aspects) + size, bytes, n);
	return key;
}

static struct memo_kin *
kin_new(struct memo *memo, struct cycle *cycle, const void *key, size_t len)
{
	const struct profile *profile = memo->profile;
	struct memo_kin *kin = xcalloc(1, sizeof(*kin));

	kin->class = pod_class_ref(cycle->class);
	kin->key = arena_memdup(&kin->arena, key, len);
	kin->key_len = len;
	kin->why.arena = &kin->arena;
	kin->units = arena_array(&kin->arena, struct memo_unit,
	    profile->npredicates + profile->npriorities);
	kin->predicates = kin->units;
	kin->priorities = kin->units + profile->npredicates;
	kin->answers.width = 1 + memo->nraw;
	memo_prepare(memo, kin, cycle);
	return kin;
}

struct kin_key {
	size_t len;
	const void *bytes;
};

static bool
has_key(const void *value, const void *wanted)
{
	const struct memo_kin *kin = value;
	const struct kin_key *key = wanted;

	return kin->key_len == key->len &&
	    memcmp(kin->key, key->bytes, key->len) == 0;
}

struct memo_kin *
memo_kin_of(struct memo *memo, struct cycle *cycle)
{
	size_t len;
	const void *key = key_of(memo, cycle, &len);
	uint64_t hash = hash_bytes64(key, len);
	struct memo_kin *kin = content_map_get(&memo->kin, hash, has_key,
	    &(struct kin_key){ len, key });

	if (kin == NULL) {
		kin = kin_new(memo, cycle, key, len);
		kin->hash = hash;
		content_map_add(&memo->kin, hash, kin);
	}
	kin->refs++;
	return kin;
}

void
memo_kin_unref(struct memo *memo, struct memo_kin *kin)
{
	if (--kin->refs > 0)
		return;
	content_map_del(&memo->kin, kin->hash, kin);
	outlooks_forget(memo->outlooks, kin);
	memo_account(memo, &kin->bytes, 0);
	memo_sorting_forget(&kin->sorting);
	map_fini(&kin->answers.by_hash);
	free(kin->answers.at);
	memo_objects_unref(kin->objects);
	free(kin->total);
	free(kin->answer_of);
	pod_class_unref(kin->class);
	arena_fini(&kin->arena);
	free(kin);
}
