#include "config.h"

#include "cluster/attachments.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"

const struct attachments *
cluster_attachments(const struct cluster *cluster, sym node)
{
	return map_get(&cluster->attachments_of, node);
}

const struct attachments *
cluster_attachments_of_volume(const struct cluster *cluster, sym volume)
{
	return map_get(&cluster->attachments_to, volume);
}

static void
add(struct map *map, sym key, const struct volume_attachment *attachment)
{
	struct attachments *list = map_get(map, key);

	if (list == NULL) {
		list = xcalloc(1, sizeof(*list));
		map_put(map, key, list);
	}
	vec_room(list->at, list->n, &list->cap);
	list->at[list->n++] = attachment;
}

static void
take(struct map *map, sym key, const struct volume_attachment *attachment)
{
	struct attachments *list = map_get(map, key);
	size_t i = 0;

	while (list->at[i] != attachment)
		i++;
	list->at[i] = list->at[--list->n];
	if (list->n > 0)
		return;
	map_del(map, key);
	free(list->at);
	free(list);
}

void
attachments_add(struct cluster *cluster,
    const struct volume_attachment *attachment)
{
	if (attachment == NULL)
		return;
	add(&cluster->attachments_of, attachment->node, attachment);
	if (attachment->volume != SYM_EMPTY)
		add(&cluster->attachments_to, attachment->volume, attachment);
}

void
attachments_remove(struct cluster *cluster,
    const struct volume_attachment *attachment)
{
	if (attachment == NULL)
		return;
	take(&cluster->attachments_of, attachment->node, attachment);
	if (attachment->volume != SYM_EMPTY)
		take(&cluster->attachments_to, attachment->volume, attachment);
}

static void
fini(struct map *map)
{
	for (size_t i = 0; i < map->nslots; i++) {
		struct attachments *list = map->slots[i].value;

		if (list != NULL)
			free(list->at);
		free(list);
	}
	map_fini(map);
}

void
attachments_fini(struct cluster *cluster)
{
	fini(&cluster->attachments_of);
	fini(&cluster->attachments_to);
}
