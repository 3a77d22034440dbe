/*
 * Hash tables.  Both keep what they are given, in no order.
 *
 * struct map: 64-bit keys to pointers.  struct strmap: strings to pointers;
 * the key must stay valid for as long as the entry (usually it lives in what
 * the pointer points to).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct map {
	struct map_slot *slots;
	size_t nslots, n;
};

void map_fini(struct map *map);
void *map_get(const struct map *map, uint64_t key);
/* Puts or replaces; value is not NULL.  Returns the value replaced, or NULL. */
void *map_put(struct map *map, uint64_t key, void *value);
/* Returns the value taken out, or NULL. */
void *map_del(struct map *map, uint64_t key);

struct strmap_slot {
	const char *key;
	void *value; /* NULL: free */
	uint32_t hash;
};

struct strmap {
	struct strmap_slot *slots;
	size_t nslots, n;
};

void strmap_fini(struct strmap *map);
void *strmap_get(const struct strmap *map, const char *key);
void *strmap_put(struct strmap *map, const char *key, void *value);
void *strmap_del(struct strmap *map, const char *key);

/* Both: for (size_t i = 0; i < map.nslots; i++) if (map.slots[i].value) … */

#endif
