/* The node labels that volume plans depend on. */
#include "config.h"

#include "base/arena.h"
#include "cluster/label_terms.h"
#include "cluster/volume_binding_internal.h"

static bool
goes_anywhere(const struct waiting_claim *w)
{
	return storage_class_provisions_anywhere(w->class) &&
	    !w->checks_capacity && !w->claim->has_selected_node &&
	    !(w->claim->has_selector && w->claim->selector.error != NULL);
}

bool
volume_needs_any_node(const struct volume_needs *needs)
{
	return needs->error == NULL && needs->refusal == NULL &&
	    !needs->leaf_nodes &&
	    !ANY(i, needs->nbound,
		needs->bound[i].volume == NULL ||
		    needs->bound[i].volume->has_node_affinity ||
		    needs->bound[i].volume->translates) &&
	    !ANY(i, needs->nwaiting, !goes_anywhere(&needs->waiting[i]));
}

/* A volume's affinity has no fields: they are ignored. */
static bool
has_fields(const struct node_selector *affinity)
{
	return ANY(i, affinity->n, affinity->at[i].has_fields);
}

const uint32_t *
volume_needs_reached(const struct volume_needs *needs, struct cluster *cluster)
{
	const struct node_selector **affinities = arena_array(needs->arena,
	    const struct node_selector *, needs->nbound);
	struct label_sums sums;
	size_t n = 0;

	if (needs->error != NULL || needs->refusal != NULL || needs->leaf_nodes)
		return NULL;
	for (uint32_t i = 0; i < needs->nwaiting; i++)
		if (!goes_anywhere(&needs->waiting[i]))
			return NULL;
	for (uint32_t i = 0; i < needs->nbound; i++) {
		const struct persistent_volume *volume = needs->bound[i].volume;

		if (volume == NULL || volume->translates ||
		    has_fields(&volume->node_affinity))
			return NULL;
		if (volume->has_node_affinity)
			affinities[n++] = &volume->node_affinity;
	}
	if (!label_sums_of_node_selectors(&sums, needs->arena, n, affinities))
		return NULL;
	label_sums_get(&sums, cluster);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		sums.at[i] = sums.at[i] == (int32_t)n;
	return (const uint32_t *)sums.at;
}

struct keys {
	struct arena *arena;
	size_t n, cap;
	sym *at;
};

static void
add_key(struct keys *keys, sym key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->at[i] == key)
			return;
	arena_room(keys->arena, keys->at, keys->n, &keys->cap);
	keys->at[keys->n++] = key;
}

static void
add_requirements(struct keys *keys, uint32_t n, const struct requirement *at)
{
	for (uint32_t i = 0; i < n; i++)
		add_key(keys, at[i].key);
}

static void
add_volume(struct keys *keys, const struct persistent_volume *volume)
{
	for (uint32_t i = 0; i < volume->node_affinity.n; i++)
		add_requirements(keys, volume->node_affinity.at[i].labels.n,
		    volume->node_affinity.at[i].labels.at);
}

const sym *
volume_needs_labels(struct volume_needs *needs, size_t *n)
{
	struct keys keys = { .arena = needs->arena };

	/* leaf nodes are known by taints, too */
	if (needs->error != NULL || needs->refusal != NULL || needs->leaf_nodes)
		return NULL;
	for (uint32_t i = 0; i < needs->nwaiting; i++)
		if (needs->waiting[i].checks_capacity)
			return NULL;
	/* which affinity counts, the CSINode says */
	for (uint32_t i = 0; i < needs->nbound; i++)
		if (needs->bound[i].volume != NULL &&
		    needs->bound[i].volume->translates)
			return NULL;
	volume_needs_search(needs);
	arena_room(keys.arena, keys.at, keys.n, &keys.cap); /* never NULL */
	for (uint32_t i = 0; i < needs->nbound; i++)
		if (needs->bound[i].volume != NULL)
			add_volume(&keys, needs->bound[i].volume);
	for (uint32_t i = 0; i < needs->nwaiting; i++) {
		const struct waiting_claim *w = &needs->waiting[i];

		for (size_t k = 0; k < w->nreserved; k++)
			add_volume(&keys, w->reserved[k]);
		for (size_t k = 0; k < w->free.n; k++)
			add_volume(&keys, w->free.at[k].object);
		for (uint32_t k = 0; k < w->class->ntopologies; k++)
			add_requirements(&keys, w->class->topologies[k].n,
			    w->class->topologies[k].at);
		if (w->claim->has_selected_node)
			add_key(&keys, SYM_NONE);
	}
	*n = keys.n;
	return keys.at;
}
