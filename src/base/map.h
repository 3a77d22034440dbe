/*
 * Hash tables.  They do not copy keys and values, and have no order; the places
 * of entries depend on a secret of the process (hash.h).
 *
 * struct map: 64-bit keys to pointers.  struct strmap: strings to pointers; the
 * key must stay valid for as long as the entry (usually it is a member of the
 * value).  struct content_map: pointers found by a hash of their content and a
 * comparison, for keys of any shape.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

struct map_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct map {
	struct map_slot *slots;
	size_t nslots, n;
};

/* A key of two numbers of 32 bits, such as symbols. */
static inline uint64_t
map_key(uint32_t first, uint32_t second)
{
	return (uint64_t)first << 32 | second;
}

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

struct content_slot {
	uint64_t hash;
	void *value; /* NULL: free */
};

struct content_map {
	struct content_slot *slots;
	size_t nslots, n;
};

/* hash is that of the key, by hash_bytes64() or as good. */
typedef bool content_same(const void *value, const void *key);
void content_map_fini(struct content_map *map);
/* The value with this hash that is the same as the key, or NULL. */
void *content_map_get(const struct content_map *map, uint64_t hash,
    content_same *same, const void *key);
/* Adds one that content_map_get() has not found; value is not NULL. */
void content_map_add(struct content_map *map, uint64_t hash, void *value);
/* Takes out this very value; it is there. */
void content_map_del(struct content_map *map, uint64_t hash, const void *value);

/* All values of any of these, in no order; one may be freed, not taken out:
 *	EACH_VALUE (map, struct thing, thing)
 *		statement;
 */
#define EACH_VALUE(map, type, name)                                            \
	for (size_t i_ = 0; i_ < (map)->nslots; i_++)                          \
		for (type *name = (map)->slots[i_].value; name != NULL;        \
		     name = NULL)

#endif
