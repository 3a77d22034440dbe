#include "config.h"

#include "wire/api/lru.h"

#include <stdalign.h>

struct lru_entry {
	TAILQ_ENTRY(lru_entry) link;
	char *name;
	alignas(max_align_t) char value[];
};

void
lru_init(struct lru *lru, size_t max, size_t value_size,
    void (*fini)(void *value))
{
	*lru =
	    (struct lru){ .max = max, .value_size = value_size, .fini = fini };
	TAILQ_INIT(&lru->entries);
}

static void
drop(struct lru *lru, struct lru_entry *entry)
{
	strmap_del(&lru->map, entry->name);
	TAILQ_REMOVE(&lru->entries, entry, link);
	if (lru->fini != NULL)
		lru->fini(entry->value);
	free(entry->name);
	free(entry);
}

void
lru_fini(struct lru *lru)
{
	struct lru_entry *entry;

	while ((entry = TAILQ_FIRST(&lru->entries)) != NULL)
		drop(lru, entry);
	strmap_fini(&lru->map);
}

void *
lru_use(struct lru *lru, const char *name)
{
	struct lru_entry *entry = strmap_get(&lru->map, name);

	if (entry != NULL) {
		TAILQ_REMOVE(&lru->entries, entry, link);
	} else {
		if (lru->map.n >= lru->max)
			drop(lru, TAILQ_LAST(&lru->entries, lru_entries));
		entry = xcalloc(1, sizeof(*entry) + lru->value_size);
		entry->name = xstrdup(name);
		strmap_put(&lru->map, entry->name, entry);
	}
	TAILQ_INSERT_HEAD(&lru->entries, entry, link);
	return entry->value;
}
