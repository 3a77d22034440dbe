/*
 * MaxCSIVolumeCountPred: with the pod, no CSI driver has more volumes attached
 * to the node than the node's allocatable allows.
 *
 * The limit for a driver is the allocatable "attachable-volumes-csi-" + driver;
 * where that would have 63 characters or more, it is the prefix, the driver's
 * first 23 characters and the first 16 hexadecimal digits of its SHA-1.  Nodes
 * and drivers without limit take any number.
 *
 * Only claims count: with the driver and handle of the PersistentVolume that
 * they are bound to or, while that is not known, with the provisioner of the
 * StorageClass in their spec (not in the old annotation).  Other volumes have a
 * provisioner, too, but no node has a limit for it.  The handle alone
 * identifies a volume, not the driver; of equal handles the last one's driver
 * counts.
 *
 * Same rule as kube-scheduler 1.15, CSIMaxVolumeLimitChecker; in profiles of 1.20
 * and 1.36 NodeVolumeLimits.  In clusters of 1.17
 * and later the limits are those of CSINodes (predicates/csi_limits.c); kubelets of
 * these releases no longer have them among the node's allocatable.
 */
#include "config.h"

#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "predicates/csi_limits.h"
#include "predicates/registry.h"
#include "predicates/volume_count.h"

struct limit_name {
	sym driver;
	sym limit;
};

/* A limit that counts for the pod's volumes. */
struct wanted_limit {
	sym name;
	bool counted; /* of the node in hand */
};

struct csi_counting {
	bool nameless; /* a claim of the pod has no name */
	struct volume_set wanted;
	struct volume_set there; /* room to work in, one node after the other */
	struct limit_name *names; /* of the drivers seen so far */
	size_t nnames, names_cap;
	struct wanted_limit *limits; /* each once */
	size_t nlimits, limits_cap;
};

static sym
limit_of_driver(struct cycle *cycle, struct csi_counting *counting, sym driver)
{
	struct limit_name *name;

	for (size_t i = 0; i < counting->nnames; i++)
		if (counting->names[i].driver == driver)
			return counting->names[i].limit;
	arena_room(cycle->arena, counting->names, counting->nnames,
	    &counting->names_cap);
	name = &counting->names[counting->nnames++];
	name->driver = driver;
	name->limit = csi_limit_name(driver);
	return name->limit;
}

static void
add_claimed(struct cycle *cycle, struct csi_counting *counting, sym namespace,
    sym name, struct volume_set *set)
{
	const struct persistent_volume_claim *claim =
	    cluster_claim(cycle->cluster, namespace, name);
	const struct persistent_volume *volume = NULL;
	const struct storage_class *class = NULL;

	if (claim == NULL)
		return;
	if (claim->volume_name != SYM_EMPTY)
		volume = cluster_volume(cycle->cluster, claim->volume_name);
	if (volume == NULL && claim->has_spec_class)
		class =
		    cluster_storage_class(cycle->cluster, claim->spec_class);
	if (volume != NULL && volume->is_csi &&
	    volume->csi_driver != SYM_EMPTY && volume->csi_handle != SYM_EMPTY)
		volume_set_add(cycle->arena, set,
		    volume_id_real(volume->csi_handle),
		    limit_of_driver(cycle, counting, volume->csi_driver));
	else if (class != NULL && class->provisioner != SYM_EMPTY)
		volume_set_add(cycle->arena, set,
		    volume_id_claimed(namespace, name),
		    limit_of_driver(cycle, counting, class->provisioner));
}

static void
add_volumes(struct cycle *cycle, struct csi_counting *counting,
    const struct pod_class *class, struct volume_set *set)
{
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (class->volumes[i].kind == VOLUME_CLAIM)
			add_claimed(cycle, counting, class->namespace,
			    class->volumes[i].id, set);
}

static struct wanted_limit *
find_wanted(const struct csi_counting *counting, sym name)
{
	return FIND(i, counting->limits, counting->nlimits,
	    counting->limits[i].name == name);
}

static bool
by_csi_node(const struct cycle *cycle)
{
	return cycle_release(cycle) >= SINCE_CSI_LIMITS;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct csi_counting *counting;
	int64_t claims = 0;
	bool nameless;

	if (!cycle->profile->gates.attach_volume_limit)
		return NULL;
	if (by_csi_node(cycle))
		return csi_limits_prepare(cycle, NULL);
	nameless = !volume_count_at_most(cycle->class, VOLUME_CLAIM, &claims);
	if (claims == 0 && !nameless)
		return NULL;
	counting = arena_zalloc(cycle->arena, sizeof(*counting));
	counting->nameless = nameless;
	add_volumes(cycle, counting, cycle->class, &counting->wanted);
	volume_set_settle(&counting->wanted);
	for (size_t i = 0; i < counting->wanted.n; i++) {
		sym name = counting->wanted.at[i].limit;

		if (name == SYM_NONE || find_wanted(counting, name) != NULL)
			continue;
		arena_room(cycle->arena, counting->limits, counting->nlimits,
		    &counting->limits_cap);
		counting->limits[counting->nlimits++].name = name;
	}
	return nameless || counting->wanted.n > 0 ? counting : NULL;
}

/* How many volumes there would be that count against this limit. */
static int64_t
count(const struct csi_counting *counting, sym limit)
{
	const struct volume_set *wanted = &counting->wanted;
	const struct volume_set *there = &counting->there;
	int64_t n = 0;

	for (size_t i = 0; i < there->n; i++)
		n += there->at[i].limit == limit;
	for (size_t i = 0; i < wanted->n; i++)
		n += wanted->at[i].limit == limit &&
		    !volume_set_has(there, wanted->at[i].id);
	return n;
}

/* The limit that the pod would break and the volumes there would be, or NULL.
 * A limit broken already, to which the pod adds nothing, does not matter. */
static const struct scalar *
broken_limit(const struct csi_counting *counting, const struct node *node,
    int64_t *n)
{
	const struct volume_set *wanted = &counting->wanted;

	for (size_t i = 0; i < counting->nlimits; i++)
		counting->limits[i].counted = false;
	for (size_t i = 0; i < wanted->n; i++) {
		sym name = wanted->at[i].limit;
		struct wanted_limit *known = find_wanted(counting, name);
		const struct scalar *limit;

		if (known == NULL || known->counted ||
		    volume_set_has(&counting->there, wanted->at[i].id))
			continue;
		known->counted = true;
		limit = resources_scalar(&node->allocatable, name);
		if (limit == NULL)
			continue;
		*n = count(counting, name);
		if (*n > limit->amount)
			return limit;
	}
	return NULL;
}

/* Fills counting->there, unless it cannot matter. */
static enum verdict
evaluate(struct cycle *cycle, struct csi_counting *counting,
    const struct node_info *node, const struct scalar **broken, int64_t *n)
{
	const struct scalar *lowest;

	if (!node->node->limits_volumes)
		return FITS;
	if (counting->nameless || node->nnameless > 0)
		return BROKEN;
	/* The lowest limit that counts for one of the pod's volumes, NULL for
	 * none. */
	lowest = NULL;
	for (size_t i = 0; i < counting->nlimits; i++) {
		const struct scalar *limit =
		    resources_scalar(&node->node->allocatable,
			counting->limits[i].name);

		if (limit != NULL &&
		    (lowest == NULL || limit->amount < lowest->amount))
			lowest = limit;
	}
	if (lowest == NULL ||
	    (int64_t)counting->wanted.n + node->nattachable <= lowest->amount)
		return FITS;
	counting->there.n = 0;
	for (uint32_t i = 0; i < node->npods; i++)
		add_volumes(cycle, counting, node->pods[i]->class,
		    &counting->there);
	volume_set_settle(&counting->there);
	*broken = broken_limit(counting, node->node, n);
	return *broken != NULL ? UNFIT : FITS;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct scalar *broken;
	enum verdict verdict;
	int64_t n;

	if (by_csi_node(cycle))
		return csi_limits_check(cycle, node, prep, why);
	verdict =
	    evaluate(cycle, (struct csi_counting *)prep, node, &broken, &n);
	if (verdict == UNFIT)
		why_add(why, WHY_MAX_VOLUMES);
	else if (verdict == BROKEN)
		cycle_fail(cycle, ERROR_CLAIM_WITHOUT_NAME);
	return verdict;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct csi_counting *counting = prep;

	if (by_csi_node(cycle))
		return csi_limits_check_block(cycle, b, prep, codes);
	if (counting->nameless)
		return false;
	volume_limits_check_block(b, VOLUME_CLAIM, (uint32_t)counting->wanted.n,
	    COLUMN_VOLUMES_MAX, codes);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct scalar *broken;
	int64_t n;

	if (by_csi_node(cycle))
		return csi_limits_miss(cycle, node, prep);
	if (evaluate(cycle, (struct csi_counting *)prep, node, &broken, &n) !=
	    UNFIT)
		return NULL;
	return volume_count_excess(cycle, n, broken->amount);
}

const struct predicate predicate_max_csi_volume_count = {
	.name = "MaxCSIVolumeCountPred",
	.policy = { .in = IN_BOTH, .aliases = "MaxCSIVolumeCount" },
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.plugin = PLUGIN_NODE_VOLUME_LIMITS,
	.needs = NEEDS_POD_CLAIM_OR_ATTACHABLE,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

const struct plugin plugin_node_volume_limits = {
	.name = "NodeVolumeLimits",
	.points = { AT_POINT(FILTER), AT_POINT(PRE_FILTER) | AT_POINT(FILTER) },
	.filters = { &predicate_max_csi_volume_count },
	.enabled = true,
	.since = { { AT_POINT(PRE_FILTER), 28 } },
	.wakes = volume_change_wakes,
	.hidden_from = PODS_WITH_VOLUMES,
};
