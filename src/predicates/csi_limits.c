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
 * were migrated count as their drivers' (objects/in_tree.h): on nodes whose CSINode
 * names the plugin, and from a release on that is the plugin's own on all nodes;
 * those written into pods from 1.25 on.  From 1.32 on VolumeAttachments that no pod
 * accounts for count; the volume of one is not known to be the pod's.
 *
 * A claim of the pod that is missing refuses every node from 1.20 on; in profiles
 * from 1.30 on, before from 1.23 on it is an error, and else it does not count.  In
 * profiles from 1.23 on an ephemeral volume whose claim belongs to another is an
 * error, of the pod and of pods there; else it does not count.  In profiles until 1.31
 * a driver without count has the limit in the node's allocatable.  With the gate VolumeLimitScaling the node must have the driver, if
 * its CSIDriver asks for that.
 *
 * Same rule as NodeVolumeLimits of kube-scheduler 1.36
 * (doc/semantics/11-kube-1.36.md, Volumes), in profiles of 1.20 of that
 * release (doc/semantics/12-kube-1.20.md, Volumes).
 */
#include "config.h"

#include "predicates/csi_limits.h"

#include <stdio.h>

#include "base/sha1.h"
#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "cluster/csi_use.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/predicate.h"
#include "objects/in_tree.h"
#include "predicates/volume_count.h"

#define REFUSALS_FROM 20 /* of policies */

#define CSI_PREFIX "attachable-volumes-csi-"
#define NAME_LIMIT 63 /* of a resource, and one more */
#define DRIVER_CHARACTERS 23
#define HASH_BYTES 8

/* One driver of the pod's volumes. */
struct wanted_driver {
	sym name;
	sym allocatable;  /* its limit there; SYM_NONE: does not count */
	bool required;    /* the node has to have it */
	bool native;      /* a volume was never of an in-tree plugin */
	uint32_t nwanted; /* volumes of the pod */
	uint32_t n;       /* those that no pod on the node in hand has */
};

struct csi_demand {
	int release;  /* of the cluster's fields */
	int rules;    /* the profile's */
	bool new;     /* no pod anywhere has any of the volumes */
	bool by_node; /* not every node has migrated the volumes' plugins */
	bool any_required;
	bool by_allocatable; /* a driver without count has the node's limit */
	const char *refusal; /* of every node, or NULL */
	const char *error;   /* likewise */
	const char *broken;  /* of the node in hand */
	struct volume_set wanted; /* where every plugin is migrated */
	struct volume_set here; /* those of them that the node in hand counts */
	size_t ndrivers, drivers_cap;
	struct wanted_driver *drivers;
	struct csi_use use; /* room to work in, one node after the other */
};

sym
csi_limit_name(sym driver)
{
	char name[sizeof(CSI_PREFIX) + NAME_LIMIT];
	unsigned char digest[SHA1_SIZE];
	const char *text = sym_text(driver);
	size_t len = strlen(text);
	int at;

	if (strlen(CSI_PREFIX) + len < NAME_LIMIT) {
		snprintf(name, sizeof(name), CSI_PREFIX "%s", text);
		return sym_find(name);
	}
	at = snprintf(name, sizeof(name), CSI_PREFIX "%.*s", DRIVER_CHARACTERS,
	    text);
	sha1(text, len, digest);
	for (int i = 0; i < HASH_BYTES; i++)
		at += snprintf(name + at, sizeof(name) - (size_t)at, "%02x",
		    digest[i]);
	return sym_find(name);
}

static struct wanted_driver *
find_driver(const struct csi_demand *d, sym name)
{
	return FIND(i, d->drivers, d->ndrivers, d->drivers[i].name == name);
}

static bool
is_required(const struct cycle *cycle, const struct csi_demand *d, sym name)
{
	const struct csi_driver *driver;

	if (d->rules < SINCE_CSI_SCALING ||
	    !cycle->profile->gates.volume_limit_scaling)
		return false;
	driver = cluster_csi_driver(cycle->cluster, name);
	return driver != NULL && driver->must_be_installed;
}

static void
list_drivers(struct cycle *cycle, struct csi_demand *d)
{
	for (size_t i = 0; i < d->wanted.n; i++) {
		sym name = d->wanted.at[i].limit;

		if (find_driver(d, name) == NULL) {
			struct wanted_driver *driver;

			arena_room(cycle->arena, d->drivers, d->ndrivers,
			    &d->drivers_cap);
			driver = &d->drivers[d->ndrivers++];
			*driver = (struct wanted_driver){
				.name = name,
				.allocatable = d->by_allocatable ?
				    csi_limit_name(name) :
				    SYM_NONE,
				.required = is_required(cycle, d, name),
			};
			d->any_required |= driver->required;
		}
		find_driver(d, name)->nwanted++;
	}
}

/* The pod's volumes where these plugins are migrated. */
static struct volume_set
volumes_where(struct cycle *cycle, const struct csi_demand *d,
    uint32_t migrated)
{
	struct volume_set volumes = { 0 };

	csi_volumes_add(cycle->cluster, cycle->arena,
	    &(struct csi_rules){ d->release, migrated }, cycle->class,
	    &volumes);
	volume_set_settle(&volumes);
	return volumes;
}

/* Whether it depends on the node which of the pod's volumes count.  The volumes of
 * the only driver that is asked about are its own on every node. */
static bool
is_by_node(struct cycle *cycle, const struct csi_demand *d,
    const char *only_driver)
{
	uint32_t migrated = in_tree_migrated_in(d->release);

	return only_driver == NULL &&
	    volumes_where(cycle, d, migrated).n < d->wanted.n;
}

static const char *
foreign_error(struct arena *arena, const struct pod_class *class,
    const struct volume *volume)
{
	return arena_printf(arena,
	    "PVC %s/%s was not created for pod %s/%s (pod is not owner)",
	    sym_text(class->namespace), sym_text(volume->id),
	    sym_text(class->namespace), sym_text(volume->owner_name));
}

/* The volumes of a pod are looked at in order: the first problem counts. */
static void
refuse_for_problems(struct cycle *cycle, struct csi_demand *d,
    const struct csi_problems *problems, const char *only_driver)
{
	const struct volume *missing = problems->missing;
	const struct volume *foreign = problems->foreign;
	int64_t claims = 0;

	if (d->rules >= SINCE_CSI_OWNERS && foreign != NULL &&
	    (missing == NULL || foreign < missing))
		d->error = foreign_error(cycle->arena, cycle->class, foreign);
	else if (d->rules < SINCE_CSI_OWNERS ?
		!volume_count_at_most(cycle->class, VOLUME_CLAIM, &claims) :
		missing != NULL && missing->id == SYM_EMPTY)
		d->error = ERROR_CLAIM_WITHOUT_NAME;
	else if (missing != NULL && only_driver == NULL) {
		const char *why = arena_printf(cycle->arena,
		    "looking up PVC %s/%s: persistentvolumeclaim \"%s\" not found",
		    sym_text(cycle->class->namespace), sym_text(missing->id),
		    sym_text(missing->id));
		bool policy = d->rules < SINCE_FRAMEWORK;

		if (policy ? d->release >= REFUSALS_FROM :
			     d->rules >= SINCE_CSI_REFUSES)
			d->refusal = why;
		else if (d->rules >= SINCE_CSI_OWNERS)
			d->error = why;
	}
}

const void *
csi_limits_prepare(struct cycle *cycle, const char *driver)
{
	const struct pod_class *class = cycle->class;
	struct csi_problems problems;
	struct csi_demand *d;

	if (class->nvolumes == 0)
		return NULL;
	d = arena_zalloc(cycle->arena, sizeof(*d));
	d->release = cycle_release(cycle);
	d->rules = cycle->profile->release;
	d->by_allocatable = cycle_rules(cycle) < SINCE_CSI_NODES_ALONE;
	problems = csi_volumes_add(cycle->cluster, cycle->arena,
	    &(struct csi_rules){ d->release, EVERY_KIND }, class, &d->wanted);
	refuse_for_problems(cycle, d, &problems, driver);
	volume_set_settle(&d->wanted);
	if (driver != NULL) {
		/* Drops the volumes of all drivers but this one. */
		sym name = sym_intern(driver);
		size_t n = 0;

		for (size_t i = 0; i < d->wanted.n; i++)
			if (d->wanted.at[i].limit == name)
				d->wanted.at[n++] = d->wanted.at[i];
		d->wanted.n = n;
	}
	list_drivers(cycle, d);
	if (d->any_required) {
		/* Which drivers have volumes without migration. */
		struct volume_set native = volumes_where(cycle, d, 0);

		for (size_t i = 0; i < native.n; i++)
			find_driver(d, native.at[i].limit)->native = true;
	}
	d->by_node = is_by_node(cycle, d, driver);
	d->new = !d->by_node &&
	    !ANY(i, class->nvolumes,
		!csi_volume_is_new(cycle->cluster, class, &class->volumes[i],
		    d->release));
	return d->error != NULL || d->refusal != NULL || d->wanted.n > 0 ? d :
									   NULL;
}

/* Whether the driver has a limit on the node, where it has this CSINode (NULL for
 * none). */
static bool
find_limit(const struct wanted_driver *driver, const struct node *node,
    const struct csi_node *csi, int64_t *limit)
{
	const struct scalar *allocatable = NULL;

	if (csi != NULL && csi_limit(csi, driver->name, limit))
		return true;
	if (driver->allocatable != SYM_NONE)
		allocatable =
		    resources_scalar(&node->allocatable, driver->allocatable);
	if (allocatable != NULL)
		*limit = allocatable->amount;
	return allocatable != NULL;
}

/* Whether pods on the node are looked at: from 1.20 on if anything has a limit
 * there. */
static bool
has_limits(const struct csi_demand *d, const struct node *node,
    const struct csi_node *csi)
{
	int64_t limit;

	return (d->rules >= SINCE_FRAMEWORK && csi != NULL &&
		   ANY(i, csi->ndrivers, csi->drivers[i].has_count)) ||
	    (d->by_allocatable && node->limits_volumes) ||
	    ANY(i, d->ndrivers, find_limit(&d->drivers[i], node, csi, &limit));
}

/* The first driver that the node has to have and has not, or NULL.  Without
 * CSINode there is no migration. */
static const struct wanted_driver *
lacks_driver(const struct csi_demand *d, const struct csi_node *csi)
{
	return FIND(i, d->drivers, d->ndrivers,
	    d->drivers[i].required &&
		(csi == NULL ?
			d->drivers[i].native :
			!ANY(k, csi->ndrivers,
			    csi->drivers[k].driver == d->drivers[i].name)));
}

/* The pod's volumes that count on a node. */
static const struct volume_set *
wanted_on(struct cycle *cycle, struct csi_demand *d,
    const struct node_info *node)
{
	struct csi_rules rules;

	if (!d->by_node)
		return &d->wanted;
	rules = csi_rules_on(cycle->cluster, d->release, node->name);
	d->here.n = 0;
	csi_volumes_add(cycle->cluster, cycle->arena, &rules, cycle->class,
	    &d->here);
	volume_set_settle(&d->here);
	return &d->here;
}

/* *n is how many there would be, *limit how many there can be, where that is
 * refused. */
static enum verdict
evaluate(struct cycle *cycle, struct csi_demand *d,
    const struct node_info *node, int64_t *n, int64_t *limit)
{
	const struct csi_node *csi =
	    cluster_csi_node(cycle->cluster, node->name);
	const struct volume_set *wanted;

	d->broken = d->error;
	if (d->broken != NULL)
		return BROKEN;
	if (!has_limits(d, node->node, csi))
		return FITS;
	wanted = wanted_on(cycle, d, node);
	if (wanted->n == 0)
		return FITS;
	csi_use_of(cycle->cluster, cycle->arena, d->release, node, &d->use);
	/* Why the volumes of the pods on the node in hand cannot be counted, or
	 * NULL. */
	if (node->nnameless > 0)
		d->broken = ERROR_CLAIM_WITHOUT_NAME;
	else if (d->rules >= SINCE_CSI_OWNERS && d->use.foreign != NULL)
		d->broken = foreign_error(cycle->arena, d->use.broken->class,
		    d->use.foreign);
	else
		d->broken = NULL;
	if (d->broken != NULL)
		return BROKEN;
	for (size_t i = 0; i < d->ndrivers; i++)
		d->drivers[i].n = 0;
	for (size_t i = 0; i < wanted->n; i++)
		find_driver(d, wanted->at[i].limit)->n +=
		    !volume_set_has(&d->use.pods, wanted->at[i].id);
	for (size_t i = 0; i < d->ndrivers; i++) {
		const struct wanted_driver *driver = &d->drivers[i];

		if (driver->n == 0 ||
		    !find_limit(driver, node->node, csi, limit))
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
	const struct wanted_driver *lacking;
	enum verdict verdict;
	int64_t n, limit = 0;

	if (d->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, d->refusal);
	lacking = d->error != NULL || !d->any_required ?
	    NULL :
	    lacks_driver(d, cluster_csi_node(cycle->cluster, node->name));
	if (lacking != NULL)
		return refuse(why, UNFIT,
		    arena_printf(cycle->arena,
			"%s CSI driver is not installed on the node",
			sym_text(lacking->name)));
	verdict = evaluate(cycle, d, node, &n, &limit);
	if (verdict == UNFIT)
		why_add(why, WHY_MAX_VOLUMES);
	else if (verdict == BROKEN)
		cycle_fail(cycle, "%s", d->broken);
	return verdict;
}

/* Of a node whose driver with the fewest places lacks room for all volumes. */
static uint8_t
code_of(const struct csi_demand *d, const struct column_block *b, uint32_t row)
{
	const struct wanted_driver *driver;

	if (!d->new || b->csi_driver[row] == SYM_NONE ||
	    b->csi_room[row] == CSI_ROOM_UNKNOWN)
		return CODE_CHECK;
	driver = find_driver(d, b->csi_driver[row]);
	return driver != NULL && b->csi_room[row] < (int32_t)driver->nwanted;
}

bool
csi_limits_check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	const struct csi_demand *d = prep;
	/* Columns have the room that CSINodes leave, by the cluster's own
	 * release. */
	bool tell = !d->any_required && !d->by_allocatable &&
	    csi_use_is_same(cycle->cluster, d->release);

	memset(codes, d->refusal != NULL, COLUMN_ROWS);
	if (d->refusal != NULL || d->error != NULL)
		return d->refusal != NULL;
	for (uint32_t i = 0; i < b->n; i++) {
		if (tell && b->csi_room[i] < (int32_t)d->wanted.n)
			codes[i] = code_of(d, b, i);
		else if (!tell &&
		    (b->csi_room[i] != CSI_ROOM_ANY || d->any_required ||
			(d->by_allocatable &&
			    cycle->cluster->nodes[b->first + i]
				->node->limits_volumes)))
			codes[i] = CODE_CHECK;
	}
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
