#include "config.h"

#include "cluster/claim_users.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "cluster/attachments.h"
#include "cluster/cluster.h"
#include "model/in_tree.h"

/* Claims that name one volume. */
struct naming {
	size_t n, cap;
	const struct persistent_volume_claim **at;
};

static uint64_t
key_of(sym namespace, sym claim)
{
	return (uint64_t) namespace << 32 | claim;
}

/* Pods that use claims */

const struct claim_users *
cluster_claim_nodes(const struct cluster *cluster, sym namespace, sym claim)
{
	return map_get(&cluster->claim_users, key_of(namespace, claim));
}

uint32_t
cluster_claim_users(const struct cluster *cluster, sym namespace, sym claim)
{
	const struct claim_users *users =
	    cluster_claim_nodes(cluster, namespace, claim);
	uint32_t n = 0;

	for (size_t i = 0; users != NULL && i < users->n; i++)
		if (users->at[i].node->node != NULL)
			n += users->at[i].nclaims;
	return n;
}

static void
count(struct cluster *cluster, struct node_info *node, sym namespace,
    const struct volume *volume, int sign)
{
	uint64_t key = key_of(namespace, volume->id);
	struct claim_users *users = map_get(&cluster->claim_users, key);
	struct claim_user *user;
	size_t i = 0;

	if (users == NULL) {
		users = xcalloc(1, sizeof(*users));
		map_put(&cluster->claim_users, key, users);
	}
	while (i < users->n && users->at[i].node != node)
		i++;
	if (i == users->n) {
		vec_room(users->at, users->n, &users->cap);
		users->at[users->n++] = (struct claim_user){ .node = node };
	}
	user = &users->at[i];
	if (volume->kind == VOLUME_CLAIM)
		user->nclaims += (uint32_t)sign;
	else
		user->nephemeral += (uint32_t)sign;
	if (user->nclaims + user->nephemeral > 0)
		return;
	users->at[i] = users->at[--users->n];
	if (users->n > 0)
		return;
	map_del(&cluster->claim_users, key);
	free(users->at);
	free(users);
}

void
claim_users_count(struct cluster *cluster, struct node_info *node,
    const struct pod_class *class, int sign)
{
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *v = &class->volumes[i];

		if (v->kind == VOLUME_CLAIM || v->kind == VOLUME_EPHEMERAL)
			count(cluster, node, class->namespace, v, sign);
		else if (in_tree_driver(v->kind) != NULL)
			cluster->nin_tree += (size_t)(ptrdiff_t)sign;
	}
}

/* Claims */

size_t
cluster_claims_naming(const struct cluster *cluster, sym volume)
{
	const struct naming *naming = map_get(&cluster->claims_naming, volume);

	return naming != NULL ? naming->n : 0;
}

static void
name_volume(struct cluster *cluster,
    const struct persistent_volume_claim *claim)
{
	struct naming *naming;

	if (claim == NULL || claim->volume_name == SYM_EMPTY)
		return;
	naming = map_get(&cluster->claims_naming, claim->volume_name);
	if (naming == NULL) {
		naming = xcalloc(1, sizeof(*naming));
		map_put(&cluster->claims_naming, claim->volume_name, naming);
	}
	vec_room(naming->at, naming->n, &naming->cap);
	naming->at[naming->n++] = claim;
}

static void
unname_volume(struct cluster *cluster,
    const struct persistent_volume_claim *claim)
{
	struct naming *naming;
	size_t i = 0;

	if (claim == NULL || claim->volume_name == SYM_EMPTY)
		return;
	naming = map_get(&cluster->claims_naming, claim->volume_name);
	while (naming->at[i] != claim)
		i++;
	naming->at[i] = naming->at[--naming->n];
	if (naming->n > 0)
		return;
	map_del(&cluster->claims_naming, claim->volume_name);
	free(naming->at);
	free(naming);
}

static void
touch_users(struct cluster *cluster,
    const struct persistent_volume_claim *claim,
    void (*touch)(struct cluster *cluster, sym node))
{
	sym name = sym_find(claim->object.name);
	const struct claim_users *users =
	    cluster_claim_nodes(cluster, claim->object.namespace, name);

	for (size_t i = 0; users != NULL && i < users->n; i++)
		touch(cluster, users->at[i].node->name);
}

void
claim_users_claim_changed(struct cluster *cluster,
    const struct persistent_volume_claim *before,
    const struct persistent_volume_claim *now,
    void (*touch)(struct cluster *cluster, sym node))
{
	name_volume(cluster, now);
	unname_volume(cluster, before);
	if (before == NULL || now == NULL ||
	    before->volume_name != now->volume_name ||
	    before->class != now->class ||
	    before->controller != now->controller)
		touch_users(cluster, now != NULL ? now : before, touch);
}

/* Volumes */

size_t
cluster_volumes_called(const struct cluster *cluster, sym handle)
{
	return (size_t)(uintptr_t)map_get(&cluster->volumes_called, handle);
}

static void
count_handle(struct cluster *cluster, const struct persistent_volume *volume,
    int sign)
{
	uintptr_t n;

	if (volume == NULL || volume->csi_handle == SYM_EMPTY)
		return;
	n = (uintptr_t)map_get(&cluster->volumes_called, volume->csi_handle) +
	    (uintptr_t)(intptr_t)sign;
	if (n > 0)
		map_put(&cluster->volumes_called, volume->csi_handle,
		    (void *)n);
	else
		map_del(&cluster->volumes_called, volume->csi_handle);
}

void
claim_users_volume_changed(struct cluster *cluster,
    const struct persistent_volume *before, const struct persistent_volume *now,
    void (*touch)(struct cluster *cluster, sym node))
{
	const struct object *any = &(now != NULL ? now : before)->object;
	sym name = sym_find(any->name);
	const struct naming *naming = map_get(&cluster->claims_naming, name);
	const struct attachments *attached =
	    cluster_attachments_of_volume(cluster, name);

	count_handle(cluster, now, 1);
	count_handle(cluster, before, -1);
	if (before != NULL && now != NULL && before->is_csi == now->is_csi &&
	    before->kind == now->kind &&
	    before->csi_driver == now->csi_driver &&
	    before->csi_handle == now->csi_handle)
		return;
	for (size_t i = 0; naming != NULL && i < naming->n; i++)
		touch_users(cluster, naming->at[i], touch);
	for (size_t i = 0; attached != NULL && i < attached->n; i++)
		touch(cluster, attached->at[i]->node);
}

void
claim_users_fini(struct cluster *cluster)
{
	const struct map *users = &cluster->claim_users;
	const struct map *naming = &cluster->claims_naming;

	for (size_t i = 0; i < users->nslots; i++) {
		struct claim_users *at = users->slots[i].value;

		if (at != NULL)
			free(at->at);
		free(at);
	}
	for (size_t i = 0; i < naming->nslots; i++) {
		struct naming *at = naming->slots[i].value;

		if (at != NULL)
			free(at->at);
		free(at);
	}
	map_fini(&cluster->claim_users);
	map_fini(&cluster->claims_naming);
	map_fini(&cluster->volumes_called);
}
