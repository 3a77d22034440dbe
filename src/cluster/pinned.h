/*
 * Lists by key of objects of which many reach only nodes with one certain value of a
 * label; those of local disks reach one node each.  In order of this pin, a node's
 * are found without looking at those of all other nodes.
 */
#ifndef CLUSTER_PINNED_H
#define CLUSTER_PINNED_H

#include "base/map.h"
#include "objects/labels.h"
#include "objects/selector.h"

struct pinned {
	struct label pin; /* key SYM_NONE: no such label */
	const void *object;
};

/* In order of pin, then as the list's owner says. */
struct pinned_list {
	size_t n, cap;
	struct pinned *at;
};

/* The object's pin: a label that the selector (NULL: none) requires. */
struct pinned pinned_by(const struct selector *labels, const void *object);

/* Orders pins, as the lists do. */
static inline int
pinned_compare(const struct label *a, const struct label *b)
{
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

/* Where those with this pin begin, or would. */
size_t pinned_first(const struct pinned_list *list, const struct label *pin);

/* compare() orders objects with equal pins; NULL: those that come last are first. */
void pinned_add(struct map *lists, uint64_t key, struct pinned pinned,
    int (*compare)(const void *a, const void *b));
/* It is there; compare as above. */
void pinned_remove(struct map *lists, uint64_t key, struct pinned pinned,
    int (*compare)(const void *a, const void *b));
void pinned_fini(struct map *lists);

#endif
