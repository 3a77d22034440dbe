#include "config.h"

#include "cluster/capacities.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/open_volumes.h"

struct pinned {
	struct label pin; /* key SYM_NONE: no such label */
	const struct csi_storage_capacity *capacity;
};

/* In order of pin; equal ones in no order. */
struct capacities {
	size_t n, cap;
	struct pinned *at;
};

/* A label without which a node has none of the capacity. */
static struct label
pin_of(const struct csi_storage_capacity *capacity)
{
	const struct selector *nodes = &capacity->nodes;

	for (uint32_t i = 0; i < nodes->n; i++)
		if (nodes->at[i].op == SELECTOR_IN && nodes->at[i].nvalues == 1)
			return (struct label){ nodes->at[i].key,
				nodes->at[i].values[0] };
	return (struct label){ SYM_NONE, SYM_NONE };
}

/* Where those with the pin begin, or would. */
static size_t
find(const struct capacities *list, const struct label *pin)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (open_volume_compare_pins(&list->at[middle].pin, pin) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
capacities_add(struct cluster *cluster,
    const struct csi_storage_capacity *capacity)
{
	struct capacities *list;
	struct pinned pinned;
	size_t at;

	if (capacity == NULL)
		return;
	list = map_get(&cluster->capacities_of, capacity->class);
	if (list == NULL) {
		list = xcalloc(1, sizeof(*list));
		map_put(&cluster->capacities_of, capacity->class, list);
	}
	pinned = (struct pinned){ pin_of(capacity), capacity };
	at = find(list, &pinned.pin);
	vec_room(list->at, list->n, &list->cap);
	memmove(&list->at[at + 1], &list->at[at],
	    (list->n - at) * sizeof(list->at[0]));
	list->at[at] = pinned;
	list->n++;
}

void
capacities_remove(struct cluster *cluster,
    const struct csi_storage_capacity *capacity)
{
	struct capacities *list;
	struct label pin;
	size_t at;

	if (capacity == NULL)
		return;
	list = map_get(&cluster->capacities_of, capacity->class);
	pin = pin_of(capacity);
	at = find(list, &pin);
	while (list->at[at].capacity != capacity)
		at++;
	memmove(&list->at[at], &list->at[at + 1],
	    (list->n - at - 1) * sizeof(list->at[0]));
	if (--list->n > 0)
		return;
	map_del(&cluster->capacities_of, capacity->class);
	free(list->at);
	free(list);
}

void
capacities_fini(struct cluster *cluster)
{
	const struct map *map = &cluster->capacities_of;

	for (size_t i = 0; i < map->nslots; i++) {
		struct capacities *list = map->slots[i].value;

		if (list != NULL)
			free(list->at);
		free(list);
	}
	map_fini(&cluster->capacities_of);
}

bool
cluster_checks_capacity(const struct cluster *cluster,
    const struct storage_class *class)
{
	const struct csi_driver *driver =
	    cluster_csi_driver(cluster, class->provisioner);

	return driver != NULL && driver->storage_capacity;
}

const struct csi_storage_capacity *
cluster_find_capacity(const struct cluster *cluster,
    const struct storage_class *class, int64_t bytes, const struct labels *node)
{
	sym name = sym_find(class->object.name);
	const struct capacities *list = map_get(&cluster->capacities_of, name);

	/* One key after the other, of each the node's value alone. */
	for (size_t i = 0; list != NULL && i < list->n;) {
		sym key = list->at[i].pin.key;
		struct label pin = { key,
			key != SYM_NONE ? labels_get(node, key) : SYM_NONE };

		for (i = find(list, &pin); i < list->n &&
		     open_volume_compare_pins(&list->at[i].pin, &pin) == 0;
		     i++) {
			const struct csi_storage_capacity *c =
			    list->at[i].capacity;

			if (c->has_limit && c->limit >= bytes &&
			    selector_matches(&c->nodes, node))
				return c;
		}
		if (key == SYM_NONE)
			break;
		i = find(list, &(struct label){ key + 1, 0 });
	}
	return NULL;
}
