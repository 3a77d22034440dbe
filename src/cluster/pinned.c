#include "config.h"

#include "cluster/pinned.h"

#include "base/sorted.h"

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

static int
order(const struct pinned *a, const struct pinned *b,
    int (*compare)(const void *a, const void *b))
{
	int order = pinned_compare(&a->pin, &b->pin);

	return order == 0 && compare != NULL ? compare(a->object, b->object) :
					       order;
}

/* Where it belongs. */
static size_t
find(const struct pinned_list *list, const struct pinned *wanted,
    int (*compare)(const void *a, const void *b))
{
	size_t i;

	SORTED_FIND(i, list->n, order(&list->at[i], wanted, compare) < 0);
	return i;
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
	SORTED_INSERT(list->at, list->n, &list->cap, at);
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
	SORTED_REMOVE(list->at, list->n, at);
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
