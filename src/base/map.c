/*
 * Open addressing with linear probing; a deletion moves the following entries
 * of the same run back, so that there are no tombstones.
 */
#include "config.h"

#include "base/map.h"

#include "base/hash.h"

#define SLOTS_MIN 16

/* Whether an entry whose home is `home` may stay at `at` when `hole` is empty. */
static int
stays(size_t home, size_t at, size_t hole)
{
	return hole <= at ? (home > hole && home <= at) :
			    (home > hole || home <= at);
}

/*
 * What tables of any kind share: home is the hash of an entry at place i.
 * NAME_room() makes room for one more entry, NAME_take() empties a place that is
 * in use.
 */
#define TABLE(name, home)                                                      \
	static size_t name##_next(const struct name *map, size_t i)            \
	{                                                                      \
		return (i + 1) & (map->nslots - 1);                            \
	}                                                                      \
	static size_t name##_home(const struct name *map, size_t i)            \
	{                                                                      \
		return (home) & (map->nslots - 1);                             \
	}                                                                      \
	static void name##_room(struct name *map)                              \
	{                                                                      \
		struct name old = *map;                                        \
		size_t to;                                                     \
                                                                               \
		if ((map->n + 1) * 4 <= map->nslots * 3)                       \
			return;                                                \
		map->nslots = old.nslots == 0 ? SLOTS_MIN : old.nslots * 2;    \
		map->slots = xcalloc(map->nslots, sizeof(*map->slots));        \
		for (size_t i = 0; i < old.nslots; i++) {                      \
			if (old.slots[i].value == NULL)                        \
				continue;                                      \
			to = name##_home(&(struct name){ old.slots,            \
					     map->nslots, 0 },                 \
			    i);                                                \
			while (map->slots[to].value != NULL)                   \
				to = name##_next(map, to);                     \
			map->slots[to] = old.slots[i];                         \
		}                                                              \
		free(old.slots);                                               \
	}                                                                      \
	static void name##_take(struct name *map, size_t hole)                 \
	{                                                                      \
		for (size_t i = name##_next(map, hole);                        \
		     map->slots[i].value != NULL; i = name##_next(map, i)) {   \
			if (stays(name##_home(map, i), i, hole))               \
				continue;                                      \
			map->slots[hole] = map->slots[i];                      \
			hole = i;                                              \
		}                                                              \
		map->slots[hole].value = NULL;                                 \
		map->n--;                                                      \
	}                                                                      \
	void name##_fini(struct name *map)                                     \
	{                                                                      \
		free(map->slots);                                              \
		*map = (struct name){ 0 };                                     \
	}

static size_t
home_of(uint64_t key)
{
	return hash_mix(key ^ hash_secret());
}

TABLE(map, home_of(map->slots[i].key))
TABLE(strmap, map->slots[i].hash)
TABLE(content_map, map->slots[i].hash)

static size_t
map_find(const struct map *map, uint64_t key)
{
	size_t i = home_of(key) & (map->nslots - 1);

	while (map->slots[i].value != NULL && map->slots[i].key != key)
		i = map_next(map, i);
	return i;
}

void *
map_get(const struct map *map, uint64_t key)
{
	return map->n > 0 ? map->slots[map_find(map, key)].value : NULL;
}

void *
map_put(struct map *map, uint64_t key, void *value)
{
	struct map_slot *slot;
	void *old;

	map_room(map);
	slot = &map->slots[map_find(map, key)];
	old = slot->value;
	*slot = (struct map_slot){ key, value };
	map->n += old == NULL;
	return old;
}

void *
map_del(struct map *map, uint64_t key)
{
	size_t i = map->n > 0 ? map_find(map, key) : 0;
	void *old = map->n > 0 ? map->slots[i].value : NULL;

	if (old != NULL)
		map_take(map, i);
	return old;
}

static size_t
strmap_find(const struct strmap *map, const char *key, uint32_t hash)
{
	size_t i = hash & (map->nslots - 1);

	while (map->slots[i].value != NULL &&
	    (map->slots[i].hash != hash || strcmp(map->slots[i].key, key) != 0))
		i = strmap_next(map, i);
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

void *
strmap_put(struct strmap *map, const char *key, void *value)
{
	uint32_t hash = hash_bytes(key, strlen(key));
	struct strmap_slot *slot;
	void *old;

	strmap_room(map);
	slot = &map->slots[strmap_find(map, key, hash)];
	old = slot->value;
	*slot = (struct strmap_slot){ key, value, hash };
	map->n += old == NULL;
	return old;
}

void *
strmap_del(struct strmap *map, const char *key)
{
	void *old = strmap_get(map, key);

	if (old != NULL)
		strmap_take(map,
		    strmap_find(map, key, hash_bytes(key, strlen(key))));
	return old;
}

void *
content_map_get(const struct content_map *map, uint64_t hash,
    content_same *same, const void *key)
{
	if (map->n == 0)
		return NULL;
	for (size_t i = hash & (map->nslots - 1); map->slots[i].value != NULL;
	     i = content_map_next(map, i))
		if (map->slots[i].hash == hash &&
		    same(map->slots[i].value, key))
			return map->slots[i].value;
	return NULL;
}

void
content_map_add(struct content_map *map, uint64_t hash, void *value)
{
	size_t i;

	content_map_room(map);
	i = hash & (map->nslots - 1);
	while (map->slots[i].value != NULL)
		i = content_map_next(map, i);
	map->slots[i] = (struct content_slot){ hash, value };
	map->n++;
}

void
content_map_del(struct content_map *map, uint64_t hash, const void *value)
{
	size_t i = hash & (map->nslots - 1);

	while (map->slots[i].value != value)
		i = content_map_next(map, i);
	content_map_take(map, i);
}
