#include "config.h"

#include "cluster/open_volumes.h"

#include "cluster/cluster.h"

static struct pinned
pinned(const struct persistent_volume *volume)
{
	const struct node_selector *affinity = &volume->node_affinity;

	return pinned_by(volume->has_node_affinity && affinity->n == 1 ?
		&affinity->at[0].labels :
		NULL,
	    volume);
}

int
open_volume_compare(const void *a, const void *b)
{
	const struct persistent_volume *x = a, *y = b;

	if (x->capacity != y->capacity)
		return x->capacity < y->capacity ? -1 : 1;
	return strcmp(x->object.name, y->object.name);
}

/* No namespace is SYM_NONE. */
static uint64_t
key_of_class(sym spec_class)
{
	return map_key(SYM_NONE, spec_class);
}

/* The list that the volume belongs in; false: no claim can get it. */
static bool
key_of(const struct persistent_volume *volume, uint64_t *key)
{
	*key = volume->has_claim ?
	    map_key(volume->claim_namespace, volume->claim_name) :
	    key_of_class(volume->spec_class);
	return volume->has_claim || volume->available;
}

void
open_volumes_changed(struct cluster *cluster,
    const struct persistent_volume *before, const struct persistent_volume *now)
{
	struct map *lists = &cluster->open_volumes;
	uint64_t key;

	if (before != NULL && key_of(before, &key))
		pinned_remove(lists, key, pinned(before), open_volume_compare);
	if (now != NULL && key_of(now, &key))
		pinned_add(lists, key, pinned(now), open_volume_compare);
}

const struct pinned_list *
cluster_reserved_volumes(const struct cluster *cluster, sym namespace,
    sym claim)
{
	return map_get(&cluster->open_volumes, map_key(namespace, claim));
}

const struct pinned_list *
cluster_free_volumes(const struct cluster *cluster, sym spec_class)
{
	return map_get(&cluster->open_volumes, key_of_class(spec_class));
}
