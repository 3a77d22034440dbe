#include "config.h"

#include "cluster/volume_users.h"

#include "cluster/cluster.h"
#include "objects/in_tree.h"

/* Pods */

const struct users *
cluster_disk_users(const struct cluster *cluster, enum volume_kind kind, sym id)
{
	return users_of(&cluster->disk_users, map_key(kind, id));
}

bool
cluster_claim_is_used(const struct cluster *cluster, sym namespace, sym claim)
{
	uint64_t key = map_key(namespace, claim);

	return users_of(&cluster->claim_users, key) != NULL ||
	    users_of(&cluster->ephemeral_users, key) != NULL;
}

uint32_t
cluster_claim_users(const struct cluster *cluster, sym namespace, sym claim)
{
	const struct users *users =
	    users_of(&cluster->claim_users, map_key(namespace, claim));
	uint32_t n = 0;

	for (size_t i = 0; users != NULL && i < users->n; i++) {
		const struct node_info *node = users->at[i].who;

		if (node->node != NULL)
			n += users->at[i].times;
	}
	return n;
}

void
volume_users_count(struct cluster *cluster, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *v = &class->volumes[i];
		uint64_t claim = map_key(class->namespace, v->id);

		if (volume_is_disk(v->kind))
			users_count(&cluster->disk_users,
			    map_key(v->kind, v->id), node, sign);
		if (v->kind == VOLUME_CLAIM)
			users_count(&cluster->claim_users, claim, node, sign);
		else if (v->kind == VOLUME_EPHEMERAL)
			users_count(&cluster->ephemeral_users, claim, node,
			    sign);
		else if (in_tree_driver(v->kind) != NULL)
			cluster->nin_tree += (size_t)(ptrdiff_t)sign;
	}
}

/* Claims */

size_t
cluster_claims_naming(const struct cluster *cluster, sym volume)
{
	const struct users *naming = users_of(&cluster->claims_naming, volume);

	return naming != NULL ? naming->n : 0;
}

static void
count_claim(struct cluster *cluster,
    const struct persistent_volume_claim *claim, int sign)
{
	if (claim != NULL && claim->volume_name != SYM_EMPTY)
		users_count(&cluster->claims_naming, claim->volume_name, claim,
		    sign);
}

static void
touch(struct cluster *cluster, sym name)
{
	struct node_info *node = cluster_node(cluster, name);

	if (node != NULL)
		cluster_touch(cluster, node);
}

static void
touch_all(struct cluster *cluster, const struct users *nodes)
{
	for (size_t i = 0; nodes != NULL && i < nodes->n; i++) {
		const struct node_info *node = nodes->at[i].who;

		cluster_touch(cluster, (struct node_info *)node);
	}
}

static void
touch_users(struct cluster *cluster,
    const struct persistent_volume_claim *claim)
{
	uint64_t key =
	    map_key(claim->object.namespace, sym_find(claim->object.name));

	touch_all(cluster, users_of(&cluster->claim_users, key));
	touch_all(cluster, users_of(&cluster->ephemeral_users, key));
}

void
volume_users_claim_changed(struct cluster *cluster,
    const struct persistent_volume_claim *before,
    const struct persistent_volume_claim *now)
{
	count_claim(cluster, now, 1);
	count_claim(cluster, before, -1);
	if (before == NULL || now == NULL ||
	    before->volume_name != now->volume_name ||
	    before->class != now->class ||
	    before->controller != now->controller)
		touch_users(cluster, now != NULL ? now : before);
}

/* Volumes */

size_t
cluster_volumes_called(const struct cluster *cluster, sym handle)
{
	const struct users *called = users_of(&cluster->volumes_called, handle);

	return called != NULL ? called->n : 0;
}

static void
count_handle(struct cluster *cluster, const struct persistent_volume *volume,
    int sign)
{
	if (volume != NULL && volume->csi_handle != SYM_EMPTY)
		users_count(&cluster->volumes_called, volume->csi_handle,
		    volume, sign);
}

void
volume_users_volume_changed(struct cluster *cluster,
    const struct persistent_volume *before, const struct persistent_volume *now)
{
	const struct object *any = &(now != NULL ? now : before)->object;
	sym name = sym_find(any->name);
	const struct users *naming = users_of(&cluster->claims_naming, name);
	const struct users *attached = users_of(&cluster->attachments_to, name);

	count_handle(cluster, now, 1);
	count_handle(cluster, before, -1);
	if (before != NULL && now != NULL && before->is_csi == now->is_csi &&
	    before->kind == now->kind &&
	    before->csi_driver == now->csi_driver &&
	    before->csi_handle == now->csi_handle)
		return;
	for (size_t i = 0; naming != NULL && i < naming->n; i++)
		touch_users(cluster, naming->at[i].who);
	for (size_t i = 0; attached != NULL && i < attached->n; i++) {
		const struct volume_attachment *a = attached->at[i].who;

		touch(cluster, a->node);
	}
}

/* Attachments */

const struct users *
cluster_attachments(const struct cluster *cluster, sym node)
{
	return users_of(&cluster->attachments_of, node);
}

static void
count_attachment(struct cluster *cluster, const struct volume_attachment *a,
    int sign)
{
	if (a == NULL)
		return;
	users_count(&cluster->attachments_of, a->node, a, sign);
	if (a->volume != SYM_EMPTY)
		users_count(&cluster->attachments_to, a->volume, a, sign);
}

void
volume_users_attachment_changed(struct cluster *cluster,
    const struct volume_attachment *before, const struct volume_attachment *now)
{
	count_attachment(cluster, now, 1);
	count_attachment(cluster, before, -1);
	if (before != NULL && now != NULL && before->node == now->node &&
	    before->attacher == now->attacher && before->volume == now->volume)
		return;
	if (before != NULL)
		touch(cluster, before->node);
	if (now != NULL)
		touch(cluster, now->node);
}

void
volume_users_fini(struct cluster *cluster)
{
	users_fini(&cluster->disk_users);
	users_fini(&cluster->claim_users);
	users_fini(&cluster->ephemeral_users);
	users_fini(&cluster->claims_naming);
	users_fini(&cluster->volumes_called);
	users_fini(&cluster->attachments_of);
	users_fini(&cluster->attachments_to);
}
