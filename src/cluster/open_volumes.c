#include "config.h"

#include "cluster/open_volumes.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"

/* A label without which the volume does not reach a node. */
static struct label
pin_of(const struct persistent_volume *volume)
{
	const struct node_selector *affinity = &volume->node_affinity;
	const struct selector *labels;

	if (volume->has_node_affinity && affinity->n == 1) {
		labels = &affinity->at[0].labels;
		for (uint32_t i = 0; i < labels->n; i++)
			if (labels->at[i].op == SELECTOR_IN &&
			    labels->at[i].nvalues == 1)
				return (struct label){ labels->at[i].key,
					labels->at[i].values[0] };
	}
	return (struct label){ SYM_NONE, SYM_NONE };
}

int
open_volume_compare(const struct persistent_volume *a,
    const struct persistent_volume *b)
{
	if (a->capacity != b->capacity)
		return a->capacity < b->capacity ? -1 : 1;
	return strcmp(a->object.name, b->object.name);
}

static uint64_t
key_of_claim(sym namespace, sym claim)
{
	return (uint64_t) namespace << 32 | claim;
}

/* No namespace is SYM_NONE. */
static uint64_t
key_of_class(sym spec_class)
{
	return (uint64_t)SYM_NONE << 32 | spec_class;
}

/* The list that the volume belongs in; false: no claim can get it. */
static bool
key_of(const struct persistent_volume *volume, uint64_t *key)
{
	*key = volume->has_claim ?
	    key_of_claim(volume->claim_namespace, volume->claim_name) :
	    key_of_class(volume->spec_class);
	return volume->has_claim || volume->available;
}

/* Where the volume is in the list, or belongs. */
static size_t
find(const struct open_volumes *list, const struct open_volume *wanted)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct open_volume *at = &list->at[middle];
		int order = open_volume_compare_pins(&at->pin, &wanted->pin);

		if (order == 0)
			order = open_volume_compare(at->volume, wanted->volume);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
open_volumes_add(struct cluster *cluster,
    const struct persistent_volume *volume)
{
	struct open_volume open;
	struct open_volumes *list;
	uint64_t key;
	size_t at;

	if (volume == NULL || !key_of(volume, &key))
		return;
	list = map_get(&cluster->open_volumes, key);
	if (list == NULL) {
		list = xcalloc(1, sizeof(*list));
		map_put(&cluster->open_volumes, key, list);
	}
	open = (struct open_volume){ pin_of(volume), volume };
	at = find(list, &open);
	vec_room(list->at, list->n, &list->cap);
	memmove(&list->at[at + 1], &list->at[at],
	    (list->n - at) * sizeof(list->at[0]));
	list->at[at] = open;
	list->n++;
}

void
open_volumes_remove(struct cluster *cluster,
    const struct persistent_volume *volume)
{
	struct open_volume open;
	struct open_volumes *list;
	uint64_t key;
	size_t at;

	if (volume == NULL || !key_of(volume, &key))
		return;
	list = map_get(&cluster->open_volumes, key);
	open = (struct open_volume){ pin_of(volume), volume };
	at = find(list, &open);
	memmove(&list->at[at], &list->at[at + 1],
	    (list->n - at - 1) * sizeof(list->at[0]));
	if (--list->n > 0)
		return;
	map_del(&cluster->open_volumes, key);
	free(list->at);
	free(list);
}

void
open_volumes_fini(struct cluster *cluster)
{
	const struct map *map = &cluster->open_volumes;

	for (size_t i = 0; i < map->nslots; i++) {
		struct open_volumes *list = map->slots[i].value;

		if (list != NULL)
			free(list->at);
		free(list);
	}
	map_fini(&cluster->open_volumes);
}

const struct open_volumes *
cluster_reserved_volumes(const struct cluster *cluster, sym namespace,
    sym claim)
{
	return map_get(&cluster->open_volumes, key_of_claim(namespace, claim));
}

const struct open_volumes *
cluster_free_volumes(const struct cluster *cluster, sym spec_class)
{
	return map_get(&cluster->open_volumes, key_of_class(spec_class));
}
