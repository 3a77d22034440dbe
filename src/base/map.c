/*
 * Open addressing with linear probing; a deletion moves the following entries
 * of the same run back, so that there are no tombstones.
 */
#include "config.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"

#define SLOTS_MIN 16

/* Whether an entry whose home is `home` may stay at `at` when `hole` is empty. */
static int
stays(size_t home, size_t at, size_t hole)
{
	return hole <= at ? (home > hole && home <= at) :
			    (home > hole || home <= at);
}

static size_t
map_home(const struct map *map, uint64_t key)
{
	return hash_mix(key ^ map->secret) & (map->nslots - 1);
}

void
map_fini(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}

static size_t
map_find(const struct map *map, uint64_t key)
{
	size_t i = map_home(map, key);

	while (map->slots[i].value != NULL && map->slots[i].key != key)
		i = (i + 1) & (map->nslots - 1);
	return i;
}

void *
map_get(const struct map *map, uint64_t key)
{
	return map->n > 0 ? map->slots[map_find(map, key)].value : NULL;
}

static void
map_grow(struct map *map)
{
	struct map old = *map;

	map->secret = hash_secret();
	map->nslots = old.nslots == 0 ? SLOTS_MIN : old.nslots * 2;
	map->slots = xcalloc(map->nslots, sizeof(*map->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].value != NULL)
			map->slots[map_find(map, old.slots[i].key)] =
			    old.slots[i];
	free(old.slots);
}

void *
map_put(struct map *map, uint64_t key, void *value)
{
	struct map_slot *slot;
	void *old;

	if ((map->n + 1) * 4 > map->nslots * 3)
		map_grow(map);
	slot = &map->slots[map_find(map, key)];
	old = slot->value;
	slot->key = key;
	slot->value = value;
	map->n += old == NULL;
	return old;
}

void *
map_del(struct map *map, uint64_t key)
{
	size_t hole, i;
	void *old;

	if (map->n == 0)
		return NULL;
	hole = map_find(map, key);
	old = map->slots[hole].value;
	if (old == NULL)
		return NULL;
	for (i = (hole + 1) & (map->nslots - 1); map->slots[i].value != NULL;
	     i = (i + 1) & (map->nslots - 1)) {
		if (stays(map_home(map, map->slots[i].key), i, hole))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = NULL;
	map->n--;
	return old;
}

void
strmap_fini(struct strmap *map)
{
	free(map->slots);
	*map = (struct strmap){ 0 };
}

static size_t
strmap_find(const struct strmap *map, const char *key, uint32_t hash)
{
	size_t i = hash & (map->nslots - 1);

	while (map->slots[i].value != NULL &&
	    (map->slots[i].hash != hash || strcmp(map->slots[i].key, key) != 0))
		i = (i + 1) & (map->nslots - 1);
	return i;
}

void *
strmap_get(const struct strmap *map, const char *key)
{
	if (map->n == 0)
		return NULL;
	return map->slots[strmap_find(map, key, hash_bytes(key, strlen(key)))]
	    .value;
}

static void
strmap_grow(struct strmap *map)
{
	struct strmap old = *map;

	map->nslots = old.nslots == 0 ? SLOTS_MIN : old.nslots * 2;
	map->slots = xcalloc(map->nslots, sizeof(*map->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].value != NULL)
			map->slots[strmap_find(map, old.slots[i].key,
			    old.slots[i].hash)] = old.slots[i];
	free(old.slots);
}

void *
strmap_put(struct strmap *map, const char *key, void *value)
{
	uint32_t hash = hash_bytes(key, strlen(key));
	struct strmap_slot *slot;
	void *old;

	if ((map->n + 1) * 4 > map->nslots * 3)
		strmap_grow(map);
	slot = &map->slots[strmap_find(map, key, hash)];
	old = slot->value;
	*slot = (struct strmap_slot){ key, value, hash };
	map->n += old == NULL;
	return old;
}

void *
strmap_del(struct strmap *map, const char *key)
{
	size_t hole, i;
	void *old;

	if (map->n == 0)
		return NULL;
	hole = strmap_find(map, key, hash_bytes(key, strlen(key)));
	old = map->slots[hole].value;
	if (old == NULL)
		return NULL;
	for (i = (hole + 1) & (map->nslots - 1); map->slots[i].value != NULL;
	     i = (i + 1) & (map->nslots - 1)) {
		if (stays(map->slots[i].hash & (map->nslots - 1), i, hole))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = NULL;
	map->n--;
	return old;
}

void
content_map_fini(struct content_map *map)
{
	free(map->slots);
	*map = (struct content_map){ 0 };
}

void *
content_map_get(const struct content_map *map, uint64_t hash,
    content_same *same, const void *key)
{
	if (map->n == 0)
		return NULL;
	for (size_t i = hash & (map->nslots - 1); map->slots[i].value != NULL;
	     i = (i + 1) & (map->nslots - 1))
		if (map->slots[i].hash == hash &&
		    same(map->slots[i].value, key))
			return map->slots[i].value;
	return NULL;
}

static void
content_map_insert(struct content_map *map, struct content_slot slot)
{
	size_t i = slot.hash & (map->nslots - 1);

	while (map->slots[i].value != NULL)
		i = (i + 1) & (map->nslots - 1);
	map->slots[i] = slot;
}

void
content_map_add(struct content_map *map, uint64_t hash, void *value)
{
	struct content_map old = *map;

	if ((map->n + 1) * 4 > map->nslots * 3) {
		map->nslots = old.nslots == 0 ? SLOTS_MIN : old.nslots * 2;
		map->slots = xcalloc(map->nslots, sizeof(*map->slots));
		for (size_t i = 0; i < old.nslots; i++)
			if (old.slots[i].value != NULL)
				content_map_insert(map, old.slots[i]);
		free(old.slots);
	}
	content_map_insert(map, (struct content_slot){ hash, value });
	map->n++;
}

void
content_map_del(struct content_map *map, uint64_t hash, const void *value)
{
	size_t hole = hash & (map->nslots - 1), i;

	while (map->slots[hole].value != value)
		hole = (hole + 1) & (map->nslots - 1);
	for (i = (hole + 1) & (map->nslots - 1); map->slots[i].value != NULL;
	     i = (i + 1) & (map->nslots - 1)) {
		if (stays(map->slots[i].hash & (map->nslots - 1), i, hole))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = NULL;
	map->n--;
}
