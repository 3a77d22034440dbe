#include "config.h"

#include "cluster/pinned.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

struct pinned
pinned_by(const struct selector *labels, const void *object)
{
	for (uint32_t i = 0; labels != NULL && i < labels->n; i++) {
		const struct requirement *r = &labels->at[i];

		if (r->op == SELECTOR_IN && r->nvalues == 1)
			return (
			    struct pinned){ { r->key, r->values[0] }, object };
	}
	return (struct pinned){ { SYM_NONE, SYM_NONE }, object };
}

/* Where it belongs. */
static size_t
find(const struct pinned_list *list, const struct pinned *wanted,
    int (*compare)(const void *a, const void *b))
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pinned *at = &list->at[middle];
		int order = pinned_compare(&at->pin, &wanted->pin);

		if (order == 0 && compare != NULL)
			order = compare(at->object, wanted->object);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t
pinned_first(const struct pinned_list *list, const struct label *pin)
{
	return find(list, &(struct pinned){ *pin, NULL }, NULL);
}

void
pinned_add(struct map *lists, uint64_t key, struct pinned pinned,
    int (*compare)(const void *a, const void *b))
{
	struct pinned_list *list = map_get(lists, key);
	size_t at;

	if (list == NULL) {
		list = xcalloc(1, sizeof(*list));
		map_put(lists, key, list);
	}
	at = find(list, &pinned, compare);
	vec_room(list->at, list->n, &list->cap);
	memmove(&list->at[at + 1], &list->at[at],
	    (list->n++ - at) * sizeof(list->at[0]));
	list->at[at] = pinned;
}

static void
list_free(struct pinned_list *list)
{
	free(list->at);
	free(list);
}

void
pinned_remove(struct map *lists, uint64_t key, struct pinned pinned,
    int (*compare)(const void *a, const void *b))
{
	struct pinned_list *list = map_get(lists, key);
	size_t at = find(list, &pinned, compare);

	while (list->at[at].object != pinned.object)
		at++;
	memmove(&list->at[at], &list->at[at + 1],
	    (--list->n - at) * sizeof(list->at[0]));
	if (list->n == 0)
		list_free(map_del(lists, key));
}

void
pinned_fini(struct map *lists)
{
	EACH_VALUE (lists, struct pinned_list, list)
		list_free(list);
	map_fini(lists);
}
