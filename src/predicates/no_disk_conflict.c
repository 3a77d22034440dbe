/*
 * NoDiskConflict: no pod on the node has mounted one of the pod's disks in a
 * way that shuts the pod out.
 *
 *	gcePersistentDisk      same pdName, unless both are read-only
 *	awsElasticBlockStore   same volumeID, read-only or not
 *	iscsi                  same iqn, unless both are read-only
 *	rbd                    a monitor in common, same pool and image, unless
 *	                       both are read-only
 *
 * Only volumes written into the pods count: claims are not followed.
 *
 * Same rule as kube-scheduler 1.15, NoDiskConflict.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "predicates/registry.h"

#define WHY_CONFLICT "node(s) had no available disk"

/* The pod's volumes that can conflict. */
struct disks {
	uint32_t n;
	const struct volume *at[];
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct disks *disks;

	if (class->nvolumes == 0)
		return NULL;
	disks = arena_alloc(cycle->arena,
	    sizeof(*disks) + class->nvolumes * sizeof(disks->at[0]));
	disks->n = 0;
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (volume_is_disk(class->volumes[i].kind))
			disks->at[disks->n++] = &class->volumes[i];
	return disks->n > 0 ? disks : NULL;
}

static bool
share_monitor(const struct volume *a, const struct volume *b)
{
	for (uint32_t i = 0; i < a->nmonitors; i++)
		for (uint32_t j = 0; j < b->nmonitors; j++)
			if (a->monitors[i] == b->monitors[j])
				return true;
	return false;
}

static bool
conflict(const struct volume *a, const struct volume *b)
{
	if (a->kind != b->kind || a->id != b->id)
		return false;
	if (a->kind == VOLUME_AWS_EBS)
		return true;
	if (a->read_only && b->read_only)
		return false;
	return a->kind != VOLUME_RBD ||
	    (a->pool == b->pool && share_monitor(a, b));
}

/* The pod's disk that this pod keeps to itself, or NULL. */
static const struct volume *
held_by(const struct disks *disks, const struct pod_class *class)
{
	for (uint32_t i = 0; i < class->nvolumes; i++)
		for (uint32_t j = 0; j < disks->n; j++)
			if (conflict(disks->at[j], &class->volumes[i]))
				return disks->at[j];
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	for (uint32_t i = 0; i < node->npods; i++)
		if (held_by(prep, node->pods[i]->class) != NULL)
			return refuse(why, UNFIT, WHY_CONFLICT);
	return FITS;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		const struct volume *disk =
		    held_by(prep, node->pods[i]->class);

		if (disk != NULL)
			return arena_printf(cycle->arena,
			    "disk %s is in use by %s", sym_text(disk->id),
			    pod_full_name(node->pods[i]));
	}
	return NULL;
}

const struct predicate predicate_no_disk_conflict = {
	.name = "NoDiskConflict",
	.reads = READS_NODE,
	.aspects = ASPECT_DISKS,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};
