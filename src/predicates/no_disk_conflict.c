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

#include "base/sorted.h"
#include "cluster/columns.h"
#include "cluster/volume_users.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

#define WHY_CONFLICT "node(s) had no available disk"

/* A disk as a monitor knows it; SYM_NONE for disks without. */
struct disk {
	enum volume_kind kind;
	sym id, pool, monitor;
	bool read_only;
};

/* The pod's disks that can conflict, in order of by_disk(). */
struct disks {
	size_t n, cap;
	struct disk *at;
};

/* Without whether it is read-only. */
static int
compare(const struct disk *a, const struct disk *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->pool != b->pool)
		return a->pool < b->pool ? -1 : 1;
	return (a->monitor > b->monitor) - (a->monitor < b->monitor);
}

/* Of the same disk, the one that is written to comes first. */
static int
by_disk(const void *a, const void *b)
{
	const struct disk *x = a, *y = b;
	int order = compare(x, y);

	return order != 0 ? order : (int)x->read_only - (int)y->read_only;
}

static uint32_t
count_disks(const struct volume *volume)
{
	if (!volume_is_disk(volume->kind))
		return 0;
	return volume->kind == VOLUME_RBD ? volume->nmonitors : 1;
}

static struct disk
disk_of(const struct volume *volume, uint32_t i)
{
	bool rbd = volume->kind == VOLUME_RBD;

	return (struct disk){ volume->kind, volume->id,
		rbd ? volume->pool : SYM_NONE,
		rbd ? volume->monitors[i] : SYM_NONE,
		volume->read_only && volume->kind != VOLUME_AWS_EBS };
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct disks disks = { 0 };

	for (uint32_t i = 0; i < class->nvolumes; i++)
		for (uint32_t j = 0; j < count_disks(&class->volumes[i]); j++) {
			arena_room(cycle->arena, disks.at, disks.n, &disks.cap);
			disks.at[disks.n++] = disk_of(&class->volumes[i], j);
		}
	if (disks.n == 0)
		return NULL;
	qsort(disks.at, disks.n, sizeof(*disks.at), by_disk);
	return arena_memdup(cycle->arena, &disks, sizeof(disks));
}

static bool
conflicts(const struct disks *disks, const struct disk *disk)
{
	size_t i;

	SORTED_FIND(i, disks->n, compare(&disks->at[i], disk) < 0);
	return i < disks->n && compare(&disks->at[i], disk) == 0 &&
	    !(disks->at[i].read_only && disk->read_only);
}

/* The volume of this pod that shuts out one of the disks, or NULL. */
static const struct volume *
held_by(const struct disks *disks, const struct pod_class *class)
{
	for (uint32_t i = 0; i < class->nvolumes; i++)
		for (uint32_t j = 0; j < count_disks(&class->volumes[i]); j++) {
			struct disk disk = disk_of(&class->volumes[i], j);

			if (conflicts(disks, &disk))
				return &class->volumes[i];
		}
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

/* Only nodes that use one of the disks need a look. */
static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct disks *disks = prep;

	memset(codes, 0, COLUMN_ROWS);
	for (size_t i = 0; i < disks->n; i++) {
		const struct disk *disk = &disks->at[i];
		const struct users *users;

		if (i > 0 && disk->kind == disks->at[i - 1].kind &&
		    disk->id == disks->at[i - 1].id)
			continue;
		users =
		    cluster_disk_users(cycle->cluster, disk->kind, disk->id);
		for (size_t j = 0; users != NULL && j < users->n; j++) {
			const struct node_info *node = users->at[j].who;
			/* wraps around for nodes before the block */
			uint32_t row = node->index - b->first;

			if (row < b->n)
				codes[row] = CODE_CHECK;
		}
	}
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		const struct volume *disk = held_by(prep, node->pods[i]->class);

		if (disk != NULL)
			return arena_printf(cycle->arena,
			    "disk %s is in use by %s", sym_text(disk->id),
			    pod_full_name(node->pods[i]));
	}
	return NULL;
}

const struct predicate predicate_no_disk_conflict = {
	.name = "NoDiskConflict",
	.policy = { .in = IN_BOTH },
	.reads = READS_NODE | ASPECT_DISKS,
	.plugin = PLUGIN_VOLUME_RESTRICTIONS,
	.needs = NEEDS_POD_DISK,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
