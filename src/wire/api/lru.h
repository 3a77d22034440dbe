/*
 * Values by name; keeps only the most recently used ones.
 */
#ifndef API_LRU_H
#define API_LRU_H

#include <sys/queue.h>

#include "base/map.h"

TAILQ_HEAD(lru_entries, lru_entry);

struct lru {
	struct strmap map;
	struct lru_entries entries; /* the latest first */
	size_t max, value_size;
	void (*fini)(void *value); /* may be NULL */
};

void lru_init(struct lru *lru, size_t max, size_t value_size,
    void (*fini)(void *value));
void lru_fini(struct lru *lru);
/* The value of this name, zeroed when it is new; valid until the next call. */
void *lru_use(struct lru *lru, const char *name);

#endif
