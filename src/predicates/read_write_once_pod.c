/*
 * ReadWriteOncePod: no pod on any node uses a claim of the pod that only one pod
 * may use (access mode ReadWriteOncePod).
 *
 * It is the same for all nodes; evicting the other pod helps on the node where
 * that is.  Claims of ephemeral volumes are their pods' own, and do not count.
 *
 * Same rule as kube-scheduler 1.36, VolumeRestrictions
 * (doc/semantics/11-kube-1.36.md, Volumes), in clusters of 1.22 and later.
 * In profiles from 1.27 on, as there, a pod that is evicted also counts as the other if
 * its claim has the same name in another namespace; ≠: under policies it does not.
 * A missing claim refuses every node in the prefilter of profiles from 1.27 on;
 * earlier ones do not have the rule.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/volume_users.h"
#include "decide/framework/cycle.h"
#include "objects/changes.h"
#include "predicates/registry.h"

/* Volumes of two pods are compared one by one up to so many comparisons. */
#define COMPARED_MAX 4096

#define WHY_IN_USE_22                                                          \
	"node has pod using PersistentVolumeClaim with the same name and "     \
	"ReadWriteOncePod access mode"
#define WHY_IN_USE                                                             \
	"node(s) unavailable due to PersistentVolumeClaim with "               \
	"ReadWriteOncePod access mode already in-use by another pod"

struct sole_claims {
	/* How many uses by others there are.  Simulations may make it
	 * negative. */
	int64_t nusers;
	uint32_t n;
	sym at[];
};

static bool
is_one(const struct sole_claims *claims, sym name)
{
	return ANY(i, claims->n, claims->at[i] == name);
}

/* Whether it is a profile of a release that has the rule off by default. */
static bool
is_off(const struct cycle *cycle)
{
	int release = cycle->profile->release;

	return release >= SINCE_FRAMEWORK &&
	    release < SINCE_SOLE_CLAIMS_ANYWHERE;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct sole_claims *claims;
	bool disks = false;

	if (class->nvolumes == 0 || cycle_release(cycle) < SINCE_SOLE_CLAIMS ||
	    is_off(cycle))
		return NULL;
	claims = arena_zalloc(cycle->arena,
	    sizeof(*claims) + class->nvolumes * sizeof(claims->at[0]));
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		sym name = class->volumes[i].id;
		const struct persistent_volume_claim *claim = NULL;

		disks |= volume_is_disk(class->volumes[i].kind);
		if (class->volumes[i].kind == VOLUME_CLAIM)
			claim = cluster_claim(cycle->cluster, class->namespace,
			    name);
		if (claim == NULL || !claim->for_one_pod ||
		    is_one(claims, name))
			continue;
		claims->at[claims->n++] = name;
		claims->nusers += cluster_claim_users(cycle->cluster,
				      class->namespace, name) > 0;
	}
	/* A pod nominated elsewhere counts only if the reference looks at the
	 * pod's volumes at all. */
	return claims->nusers > 0 || (disks && claims->n > 0) ? claims : NULL;
}

static enum verdict
prefilter(struct cycle *cycle, const void *args, struct why *why)
{
	const struct pod_class *class = cycle->class;

	for (uint32_t i = 0; !is_off(cycle) && i < class->nvolumes; i++)
		if (class->volumes[i].kind == VOLUME_CLAIM &&
		    cluster_claim(cycle->cluster, class->namespace,
			class->volumes[i].id) == NULL)
			return refuse(why, UNFIT_FOREVER,
			    arena_printf(cycle->arena,
				"persistentvolumeclaim \"%s\" not found",
				sym_text(class->volumes[i].id)));
	return FITS;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct sole_claims *claims = prep;

	if (claims->nusers <= 0)
		return FITS;
	return refuse(why, UNFIT,
	    cycle_rules(cycle) < SINCE_SOLE_CLAIM_WORDS ? WHY_IN_USE_22 :
							  WHY_IN_USE);
}

static void
update(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod, int sign)
{
	struct sole_claims *claims = prep;
	const struct pod_class *class = pod->class;

	if (class->namespace != cycle->class->namespace &&
	    cycle->profile->release < SINCE_SOLE_CLAIMS_ANYWHERE)
		return;
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (class->volumes[i].kind == VOLUME_CLAIM &&
		    is_one(claims, class->volumes[i].id))
			claims->nusers += sign;
}

/* All nodes are equal. */
static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	memset(codes, 1, COLUMN_ROWS);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct sole_claims *claims = prep;

	for (uint32_t i = 0; i < claims->n; i++)
		if (cluster_claim_users(cycle->cluster, cycle->class->namespace,
			claims->at[i]) > 0)
			return arena_printf(cycle->arena,
			    "claim %s is in use by another pod",
			    sym_text(claims->at[i]));
	return NULL;
}

const struct predicate predicate_read_write_once_pod = {
	.name = "ReadWriteOncePod",
	.policy = { .in = IN_ALL_POLICIES },
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.plugin = PLUGIN_VOLUME_RESTRICTIONS,
	.needs = NEEDS_POD_CLAIM,
	.prepare = prepare,
	.check = check,
	.update = update,
	.check_block = check_block,
	.miss = miss,
};

/* A claim, or a disk; the latter of any namespace. */
static bool
shares_volume(const struct pod_class *class, const struct pod_class *left)
{
	return (uint64_t) class->nvolumes * left->nvolumes > COMPARED_MAX ||
	    ANY(i, class->nvolumes,
		ANY(j, left->nvolumes,
		    class->volumes[i].id == left->volumes[j].id));
}

/* Also of the plugin's other rule, NoDiskConflict. */
static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	if (change->kind == OBJECT_POD)
		return change->left != NULL &&
		    shares_volume(class, change->left);
	return change->kind == OBJECT_NODE ? change_adds_node(change) :
					     !change_is_of_devices(change);
}

const struct plugin plugin_volume_restrictions = {
	.name = "VolumeRestrictions",
	.points = { AT_POINT(FILTER), AT_POINT(PRE_FILTER) | AT_POINT(FILTER) },
	.filters = { &predicate_no_disk_conflict,
	    &predicate_read_write_once_pod },
	.second_is_later = true,
	.pre_filter = prefilter,
	.enabled = true,
	.no_pre_filter = "cannot read \"PreFilterVolumeRestrictions\" "
			 "from cycleState",
	.wakes = wakes,
	.hidden_from = PODS_WITH_VOLUMES,
};
