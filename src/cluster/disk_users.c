#include "config.h"

#include "cluster/disk_users.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"

struct disk_users {
	size_t n, cap;
	struct disk_user *at;
};

static uint64_t
key_of(enum volume_kind kind, sym id)
{
	return (uint64_t)kind << 32 | id;
}

const struct disk_user *
cluster_disk_users(const struct cluster *cluster, enum volume_kind kind, sym id,
    size_t *n)
{
	const struct disk_users *users =
	    map_get(&cluster->disk_users, key_of(kind, id));

	*n = users != NULL ? users->n : 0;
	return users != NULL ? users->at : NULL;
}

static size_t
find(const struct disk_users *users, const struct node_info *node)
{
	size_t i = 0;

	while (i < users->n && users->at[i].node != node)
		i++;
	return i;
}

static void
add(struct cluster *cluster, struct node_info *node, uint64_t key)
{
	struct disk_users *users = map_get(&cluster->disk_users, key);
	size_t i;

	if (users == NULL) {
		users = xcalloc(1, sizeof(*users));
		map_put(&cluster->disk_users, key, users);
	}
	i = find(users, node);
	if (i == users->n) {
		vec_room(users->at, users->n, &users->cap);
		users->at[users->n++] = (struct disk_user){ node, 0 };
	}
	users->at[i].nvolumes++;
}

static void
take(struct cluster *cluster, const struct node_info *node, uint64_t key)
{
	struct disk_users *users = map_get(&cluster->disk_users, key);
	size_t i = find(users, node);

	if (--users->at[i].nvolumes > 0)
		return;
	users->at[i] = users->at[--users->n];
	if (users->n > 0)
		return;
	map_del(&cluster->disk_users, key);
	free(users->at);
	free(users);
}

void
disk_users_count(struct cluster *cluster, struct node_info *node,
    const struct pod_class *class, int sign)
{
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *v = &class->volumes[i];

		if (!volume_is_disk(v->kind))
			continue;
		if (sign > 0)
			add(cluster, node, key_of(v->kind, v->id));
		else
			take(cluster, node, key_of(v->kind, v->id));
	}
}

void
disk_users_free(struct cluster *cluster)
{
	const struct map *map = &cluster->disk_users;

	for (size_t i = 0; i < map->nslots; i++) {
		struct disk_users *users = map->slots[i].value;

		if (users != NULL)
			free(users->at);
		free(users);
	}
	map_fini(&cluster->disk_users);
}
