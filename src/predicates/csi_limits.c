/*
 * With the pod, no CSI driver has more volumes attached to the node than the
 * node's CSINode says that it can have.
 *
 *	|volumes of pods there| + |attached without a pod| +
 *	    |the pod's that no pod has there| <= allocatable.count
 *
 * A driver without count, and a node without CSINode, take any number.  Counted
 * are claims, from 1.21 on those of ephemeral volumes, by the driver and handle of
 * the PersistentVolume that they are bound to; while that is not known, as one
 * volume of the driver that their class provisions with.  Volumes of plugins that
 * were migrated count as their drivers' (model/in_tree.h), those written into pods
 * too.  From 1.34 on VolumeAttachments that no pod accounts for count; the volume of
 * one is not known to be the pod's.
 *
 * A claim of the pod that is missing refuses every node from 1.20 on.
 *
 * Same rule as kube-scheduler 1.36, NodeVolumeLimits
 * (doc/semantics/11-kube-1.36.md, Volumes).  ≠: a pod there whose ephemeral
 * volume's claim belongs to another does not count for it, and is no error.
 */
#include "config.h"

#include "predicates/csi_limits.h"

#include <string.h>

#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "cluster/csi_use.h"
#include "framework/cycle.h"
#include "framework/refinement.h"
#include "predicates/volume_count.h"

#define REFUSALS_FROM 20

/* One driver of the pod's volumes. */
struct wanted_driver {
	sym name;
	uint32_t nwanted; /* volumes of the pod */
	uint32_t n;       /* those that no pod on the node in hand has */
};

struct csi_demand {
	int release;
	bool nameless;       /* a claim of the pod has no name */
	bool new;            /* no pod anywhere has any of the volumes */
	const char *refusal; /* of every node, or NULL */
	struct volume_set wanted;
	size_t ndrivers, drivers_cap;
	struct wanted_driver *drivers;
	struct csi_use use; /* room to work in, one node after the other */
};

static struct wanted_driver *
find_driver(const struct csi_demand *d, sym name)
{
	for (size_t i = 0; i < d->ndrivers; i++)
		if (d->drivers[i].name == name)
			return &d->drivers[i];
	return NULL;
}

/* Drops the volumes of all drivers but this one. */
static void
keep_only(struct csi_demand *d, sym driver)
{
	size_t n = 0;

	for (size_t i = 0; i < d->wanted.n; i++)
		if (d->wanted.at[i].limit == driver)
			d->wanted.at[n++] = d->wanted.at[i];
	d->wanted.n = n;
}

static void
list_drivers(struct cycle *cycle, struct csi_demand *d)
{
	for (size_t i = 0; i < d->wanted.n; i++) {
		sym name = d->wanted.at[i].limit;

		if (find_driver(d, name) == NULL) {
			arena_room(cycle->arena, d->drivers, d->ndrivers,
			    &d->drivers_cap);
			d->drivers[d->ndrivers++] =
			    (struct wanted_driver){ .name = name };
		}
		find_driver(d, name)->nwanted++;
	}
}

static bool
are_new(const struct cycle *cycle, int release)
{
	const struct pod_class *class = cycle->class;

	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (!csi_volume_is_new(cycle->cluster, class,
			&class->volumes[i], release))
			return false;
	return true;
}

const void *
csi_limits_prepare(struct cycle *cycle, const char *driver)
{
	const struct pod_class *class = cycle->class;
	struct csi_demand *d;
	int64_t claims = 0;
	sym missing;

	if (class->nvolumes == 0)
		return NULL;
	d = arena_zalloc(cycle->arena, sizeof(*d));
	d->release = cycle_release(cycle);
	d->nameless = !volume_count_at_most(class, VOLUME_CLAIM, &claims);
	missing = csi_volumes_add(cycle->cluster, cycle->arena, d->release,
	    class, &d->wanted);
	if (missing != SYM_NONE && !d->nameless && driver == NULL &&
	    d->release >= REFUSALS_FROM)
		d->refusal = arena_printf(cycle->arena,
		    "looking up PVC %s/%s: persistentvolumeclaim \"%s\" not "
		    "found",
		    sym_text(class->namespace), sym_text(missing),
		    sym_text(missing));
	volume_set_settle(&d->wanted);
	if (driver != NULL)
		keep_only(d, sym_intern(driver));
	list_drivers(cycle, d);
	d->new = are_new(cycle, d->release);
	return d->nameless || d->refusal != NULL || d->wanted.n > 0 ? d : NULL;
}

/* Whether one of the drivers might have too many, however few are the same. */
static bool
may_lack_room(const struct csi_demand *d, const struct csi_node *csi,
    int64_t most)
{
	int64_t limit = 0;

	for (size_t i = 0; i < d->ndrivers; i++)
		if (csi_limit(csi, d->drivers[i].name, &limit) && most > limit)
			return true;
	return false;
}

static void
count_wanted(struct csi_demand *d)
{
	for (size_t i = 0; i < d->ndrivers; i++)
		d->drivers[i].n = 0;
	for (size_t i = 0; i < d->wanted.n; i++)
		find_driver(d, d->wanted.at[i].limit)->n +=
		    !volume_set_has(&d->use.pods, d->wanted.at[i].id);
}

/* *n is how many there would be, *limit how many there can be, where that is
 * refused. */
static enum verdict
evaluate(struct cycle *cycle, struct csi_demand *d,
    const struct node_info *node, int64_t *n, int64_t *limit)
{
	const struct csi_node *csi =
	    cluster_csi_node(cycle->cluster, node->name);

	if (d->nameless)
		return BROKEN;
	if (csi == NULL || !may_lack_room(d, csi, INT64_MAX))
		return FITS;
	if (node->nnameless > 0)
		return BROKEN;
	csi_use_of(cycle->cluster, cycle->arena, d->release, node, &d->use);
	count_wanted(d);
	for (size_t i = 0; i < d->ndrivers; i++) {
		const struct wanted_driver *driver = &d->drivers[i];

		if (driver->n == 0 || !csi_limit(csi, driver->name, limit))
			continue;
		*n = csi_use_count(&d->use, driver->name) + driver->n;
		if (*n > *limit)
			return UNFIT;
	}
	return FITS;
}

enum verdict
csi_limits_check(struct cycle *cycle, const struct node_info *node,
    const void *prep, struct why *why)
{
	struct csi_demand *d = (struct csi_demand *)prep;
	enum verdict verdict;
	int64_t n, limit = 0;

	if (d->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, d->refusal);
	verdict = evaluate(cycle, d, node, &n, &limit);
	if (verdict == UNFIT)
		why_add(why, WHY_MAX_VOLUMES);
	else if (verdict == BROKEN)
		cycle_fail(cycle, ERROR_CLAIM_WITHOUT_NAME);
	return verdict;
}

static bool
any_may_lack_room(const struct column_block *b, int32_t nwanted)
{
	uint32_t any = 0;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		any |= b->csi_room[i] < nwanted;
	return any != 0;
}

/* Of a node whose driver with the fewest places lacks room for all volumes. */
static enum verdict
check_row(struct cycle *cycle, struct csi_demand *d,
    const struct column_block *b, uint32_t row)
{
	const struct wanted_driver *driver;

	if (!d->new || b->csi_driver[row] == SYM_NONE ||
	    b->csi_room[row] == CSI_ROOM_UNKNOWN)
		return csi_limits_check(cycle,
		    cycle->cluster->nodes[b->first + row], d, NULL);
	driver = find_driver(d, b->csi_driver[row]);
	if (driver == NULL)
		return FITS;
	return b->csi_room[row] < (int32_t)driver->nwanted ? UNFIT : FITS;
}

bool
csi_limits_distinguish(struct cycle *cycle, const void *prep,
    struct refinement *refinement)
{
	struct csi_demand *d = (struct csi_demand *)prep;
	const struct columns *columns = cluster_columns(cycle->cluster);
	uint32_t *column = NULL;

	if (d->refusal != NULL)
		return true;
	if (d->nameless)
		return false;
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS) {
		const struct column_block *b = columns->blocks[i / COLUMN_ROWS];

		if (!any_may_lack_room(b, (int32_t)d->wanted.n))
			continue;
		if (column == NULL)
			column = arena_array(cycle->arena, uint32_t,
			    columns->nnodes);
		for (uint32_t j = 0; j < b->n; j++) {
			if (b->csi_room[j] >= (int32_t)d->wanted.n)
				continue;
			column[i + j] = check_row(cycle, d, b, j);
			if (column[i + j] == BROKEN)
				return false;
		}
	}
	if (column != NULL)
		refine(refinement, column);
	return true;
}

const char *
csi_limits_miss(struct cycle *cycle, const struct node_info *node,
    const void *prep)
{
	struct csi_demand *d = (struct csi_demand *)prep;
	int64_t n, limit = 0;

	if (d->refusal != NULL || evaluate(cycle, d, node, &n, &limit) != UNFIT)
		return NULL;
	return volume_count_excess(cycle, n, limit);
}
