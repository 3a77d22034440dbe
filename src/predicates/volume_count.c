/*
 * MaxEBSVolumeCount, MaxGCEPDVolumeCount, MaxAzureDiskVolumeCount and
 * MaxCinderVolumeCount: with the pod, the node has no more volumes of one kind
 * attached than it can have.
 *
 *	|volumes there| + |the pod's volumes that are not there yet| <= limit
 *
 * Volumes count once, however many pods use them.  Those written into pods
 * count by their id, claims by the id of their PersistentVolume if it is of the
 * kind.  A claim that is missing, not bound, or bound to a missing volume might
 * be for a volume of any kind: it counts, as itself, for all four.
 *
 * The limit is, first found: the node's allocatable (feature gate
 * AttachVolumeLimit), the environment variable KUBE_MAX_PD_VOLS, the usual
 * limit of the kind.  A pod without such volumes fits even where there are too
 * many.
 *
 * Same rule as kube-scheduler 1.15, MaxPDVolumeCountChecker, and in profiles of
 * 1.20 EBSLimits, GCEPDLimits, AzureDiskLimits and CinderLimits
 * (doc/semantics/12-kube-1.20.md, Volumes): there a missing claim does not
 * count, and one without volume only if its class's provisioner makes volumes of
 * the kind; a node's instance type may be in the label without "beta".  In clusters of 1.21
 * and later ephemeral volumes count as claims.  From 1.17 on a node may leave these
 * volumes to a CSI driver (CSINode's annotation migrated-plugins): then they count as
 * the driver's for MaxCSIVolumeCountPred, and not here.  From the release on in which
 * all nodes do (in_tree_migrated_in()) the driver's volumes count against the limit of
 * the node's CSINode (predicates/csi_limits.c), and nothing else limits them.
 */
#include "config.h"

#include "predicates/volume_count.h"

#include <errno.h>
#include <inttypes.h>

#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "cluster/csi_use.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "objects/in_tree.h"
#include "predicates/csi_limits.h"
#include "predicates/registry.h"

/* One of the four predicates. */
struct volume_count_rule {
	enum volume_kind kind;
	const char *resource; /* of the node's allocatable: its limit */
	/* The limit when neither the node nor KUBE_MAX_PD_VOLS has one.  Where
	 * it is not the same for all nodes, the lowest, and a function. */
	int64_t usual_limit;
	/* release: the profile's. */
	int64_t (*limit_by_node)(const struct node *node, int release);
};

struct counting {
	const struct volume_count_rule *rule;
	sym resource;
	const void *drivers; /* csi_limits_prepare()'s prep, or NULL */
	bool nameless;       /* a claim of the pod has no name */
	struct volume_set wanted;
	struct volume_set there; /* room to work in, one node after the other */
};

/* Counting */

bool
volume_count_at_most(const struct pod_class *class, enum volume_kind kind,
    int64_t *n)
{
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *volume = &class->volumes[i];

		if (volume->kind == VOLUME_CLAIM && volume->id == SYM_EMPTY)
			return false;
		*n += volume->kind == kind || volume->kind == VOLUME_CLAIM ||
		    volume->kind == VOLUME_EPHEMERAL;
	}
	return true;
}

/* Whether the claim's class makes volumes of the kind. */
static bool
is_provisioned(const struct cycle *cycle, enum volume_kind kind,
    const struct persistent_volume_claim *claim)
{
	const struct storage_class *class = NULL;

	if (claim->has_spec_class)
		class =
		    cluster_storage_class(cycle->cluster, claim->spec_class);
	return class != NULL &&
	    in_tree_kind(sym_text(class->provisioner)) == kind;
}

static void
add_claimed(struct cycle *cycle, const struct volume_count_rule *rule,
    sym namespace, sym name, struct volume_set *set)
{
	const struct persistent_volume_claim *claim =
	    cluster_claim(cycle->cluster, namespace, name);
	const struct persistent_volume *volume = NULL;

	if (claim != NULL && claim->volume_name != SYM_EMPTY)
		volume = cluster_volume(cycle->cluster, claim->volume_name);
	/* A claim without volume is of the kind if its class is. */
	if (volume == NULL && cycle_rules(cycle) >= SINCE_CLAIMS_BY_CLASS &&
	    (claim == NULL || !is_provisioned(cycle, rule->kind, claim)))
		return;
	if (volume == NULL)
		volume_set_add(cycle->arena, set,
		    volume_id_claimed(namespace, name), SYM_NONE);
	else if (volume->kind == rule->kind)
		volume_set_add(cycle->arena, set, volume_id_real(volume->id),
		    SYM_NONE);
}

static void
add_volumes(struct cycle *cycle, const struct volume_count_rule *rule,
    const struct pod_class *class, struct volume_set *set)
{
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *volume = &class->volumes[i];

		if (volume->kind == rule->kind)
			volume_set_add(cycle->arena, set,
			    volume_id_real(volume->id), SYM_NONE);
		else if (volume_is_claim(volume->kind, cycle_release(cycle)))
			add_claimed(cycle, rule, class->namespace, volume->id,
			    set);
	}
}

/* The limit */

int64_t
max_pd_vols_parse(const char *text)
{
	char *end;
	long long number;

	/* strtoll() would also take leading space. */
	if (text == NULL || text[0] == '\0' ||
	    (text[0] != '+' && (text[0] < '0' || text[0] > '9')))
		return 0;
	errno = 0;
	number = strtoll(text, &end, 10);
	return errno != 0 || *end != '\0' || number < 0 ? 0 : number;
}

/* The environment of a process is read once, so that decisions do not depend
 * on when they are made. */
static int64_t
max_pd_vols(void)
{
	static int64_t limit = -1;

	if (limit < 0)
		limit = max_pd_vols_parse(getenv("KUBE_MAX_PD_VOLS"));
	return limit;
}

static int64_t
limit_of(struct cycle *cycle, const struct counting *counting,
    const struct node_info *node)
{
	const struct scalar *allocatable = NULL;

	if (cycle->profile->gates.attach_volume_limit)
		allocatable = resources_scalar(&node->node->allocatable,
		    counting->resource);
	if (allocatable != NULL)
		return allocatable->amount;
	if (max_pd_vols() > 0)
		return max_pd_vols();
	return counting->rule->limit_by_node != NULL ?
	    counting->rule->limit_by_node(node->node, cycle->profile->release) :
	    counting->rule->usual_limit;
}

/* The predicates */

/* Whether this node leaves the rule's volumes to their driver. */
static bool
is_migrated_on(const struct cycle *cycle, const struct counting *counting,
    const struct node_info *node)
{
	int release = cycle_release(cycle);

	return release >= SINCE_CSI_LIMITS &&
	    csi_rules_on(cycle->cluster, release, node->name).migrated >>
		counting->rule->kind &
	    1;
}

static const void *
prepare(struct cycle *cycle, const struct volume_count_rule *rule)
{
	const struct pod_class *class = cycle->class;
	struct counting *counting;
	int64_t n = 0;
	bool nameless = !volume_count_at_most(class, rule->kind, &n);

	/* Every node leaves volumes of a migrated kind to their driver. */
	if (cycle->profile->release < SINCE_FRAMEWORK &&
	    (in_tree_migrated_in(cycle_release(cycle)) >> rule->kind & 1) !=
		0) {
		/* NULL: the pod has no such volumes. */
		const void *drivers =
		    csi_limits_prepare(cycle, in_tree_driver(rule->kind));

		if (drivers == NULL)
			return NULL;
		counting = arena_zalloc(cycle->arena, sizeof(*counting));
		counting->rule = rule;
		counting->drivers = drivers;
		return counting;
	}
	if (n == 0 && !nameless)
		return NULL;
	counting = arena_zalloc(cycle->arena, sizeof(*counting));
	counting->rule = rule;
	counting->resource = sym_intern(rule->resource);
	counting->nameless = nameless;
	add_volumes(cycle, rule, class, &counting->wanted);
	volume_set_settle(&counting->wanted);
	return nameless || counting->wanted.n > 0 ? counting : NULL;
}

/* How many volumes there would be; n is exact when it is over the limit. */
static bool
count(struct cycle *cycle, struct counting *counting,
    const struct node_info *node, int64_t limit, int64_t *n)
{
	const struct volume_set *wanted = &counting->wanted;
	struct volume_set *there = &counting->there;

	if (counting->nameless || node->nnameless > 0)
		return false;
	*n = (int64_t)wanted->n + node->nattachable; /* at most */
	if (*n <= limit)
		return true;
	there->n = 0;
	for (uint32_t i = 0; i < node->npods; i++)
		add_volumes(cycle, counting->rule, node->pods[i]->class, there);
	volume_set_settle(there);
	*n = (int64_t)there->n;
	for (size_t i = 0; i < wanted->n; i++)
		*n += !volume_set_has(there, wanted->at[i].id);
	return true;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	struct counting *counting = (struct counting *)prep;
	int64_t limit, n;

	if (counting->drivers != NULL)
		return csi_limits_check(cycle, node, counting->drivers, why);
	if (!counting->nameless && is_migrated_on(cycle, counting, node))
		return FITS;
	limit = limit_of(cycle, counting, node);
	/* whatever is there */
	if (!counting->nameless && node->nnameless == 0 &&
	    (int64_t)counting->wanted.n > limit)
		return refuse(why, UNFIT, WHY_MAX_VOLUMES);
	if (!count(cycle, counting, node, limit, &n)) {
		cycle_fail(cycle, ERROR_CLAIM_WITHOUT_NAME);
		return BROKEN;
	}
	return n > limit ? refuse(why, UNFIT, WHY_MAX_VOLUMES) : FITS;
}

void
volume_limits_check_block(const struct column_block *b, enum volume_kind kind,
    uint32_t n, int64_t limit, uint8_t *codes)
{
	const uint32_t *attached = b->attachable[column_volumes(kind)];
	uint32_t usual =
	    limit < COLUMN_VOLUMES_MAX ? (uint32_t)limit : COLUMN_VOLUMES_MAX;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		uint32_t own = b->volume_limit[i];

		codes[i] = attached[i] + n > (own < usual ? own : usual) ?
		    CODE_CHECK :
		    0;
	}
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct counting *counting = prep;

	if (counting->drivers != NULL)
		return csi_limits_check_block(cycle, b, counting->drivers,
		    codes);
	if (counting->nameless)
		return false;
	volume_limits_check_block(b, counting->rule->kind,
	    (uint32_t)counting->wanted.n,
	    max_pd_vols() > 0 ? max_pd_vols() : counting->rule->usual_limit,
	    codes);
	return true;
}

const char *
volume_count_excess(struct cycle *cycle, int64_t volumes, int64_t limit)
{
	int64_t over = wrap_sub(volumes, limit);

	return arena_printf(cycle->arena,
	    "%" PRId64 " volume%s over the limit of %" PRId64, over,
	    over == 1 ? "" : "s", limit);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	struct counting *counting = (struct counting *)prep;
	int64_t limit, n;

	if (counting->drivers != NULL)
		return csi_limits_miss(cycle, node, counting->drivers);
	if (is_migrated_on(cycle, counting, node))
		return NULL;
	limit = limit_of(cycle, counting, node);
	if (!count(cycle, counting, node, limit, &n) || n <= limit)
		return NULL;
	return volume_count_excess(cycle, n, limit);
}

bool
volume_change_wakes(const struct pod_class *class,
    const struct object_change *change)
{
	if (change->kind == OBJECT_POD)
		return change->left != NULL && change->left->nvolumes > 0;
	return change->kind == OBJECT_NODE ? change->is != NULL :
					     !change_is_of_devices(change);
}

/* The rules */

#define INSTANCE_TYPE "beta.kubernetes.io/instance-type"
#define INSTANCE_TYPE_GA "node.kubernetes.io/instance-type"
#define GA_FROM 20
/* Of Amazon's Nitro instances, where network cards take up some of the places. */
#define NITRO_LIMIT 25

/*
 * Matches as kube-scheduler's regular expression ^[cmr]5.*|t3|z1d: the ^
 * belongs to the first alternative only.
 */
static bool
is_nitro(const char *type)
{
	return (type[0] != '\0' && strchr("cmr", type[0]) != NULL &&
		   type[1] == '5') ||
	    strstr(type, "t3") != NULL || strstr(type, "z1d") != NULL;
}

static int64_t
ebs_limit(const struct node *node, int release)
{
	sym type = labels_get(&node->labels, sym_intern(INSTANCE_TYPE));

	if (type == SYM_NONE && release >= GA_FROM)
		type = labels_get(&node->labels, sym_intern(INSTANCE_TYPE_GA));
	return type != SYM_NONE && is_nitro(sym_text(type)) ? NITRO_LIMIT : 39;
}

/* predicate_x, its name in policy.cfg and its lists; plugin_y, its number, name and last
 * release; and the members of volume_count_rule. */
#define VOLUME_COUNT_RULE(x, unit_name, lists, y, number, title, last_, ...)   \
	static const void *prepare_##x(struct cycle *cycle, const void *args)  \
	{                                                                      \
		static const struct volume_count_rule rule = { __VA_ARGS__ };  \
                                                                               \
		return prepare(cycle, &rule);                                  \
	}                                                                      \
	const struct predicate predicate_##x = {                               \
		.name = unit_name,                                             \
		.policy = { .in = (lists) },                                   \
		.convert = { .plugin = title,                                  \
		    .later = "NodeVolumeLimits",                               \
		    .nearly = "volumes count as those of their CSI driver" },  \
		.reads = READS_CLUSTER | ASPECT_VOLUMES,                       \
		.plugin = PLUGIN_##number,                                     \
		.needs = NEEDS_POD_ATTACHABLE,                                 \
		.prepare = prepare_##x,                                        \
		.check = check,                                                \
		.check_block = check_block,                                    \
		.miss = miss,                                                  \
	};                                                                     \
	const struct plugin plugin_##y = {                                     \
		.name = title,                                                 \
		.points = EARLY_AND_LATER(AT_POINT(FILTER)),                   \
		.filters = { &predicate_##x },                                 \
		.enabled = (lists) == IN_BOTH,                                 \
		.last = last_,                                                 \
	};

/* clang-format off */
VOLUME_COUNT_RULE(max_ebs_volume_count, "MaxEBSVolumeCount", IN_BOTH,
    ebs_limits, EBS_LIMITS, "EBSLimits", 30,
    VOLUME_AWS_EBS, "attachable-volumes-aws-ebs", NITRO_LIMIT, ebs_limit)
VOLUME_COUNT_RULE(max_gce_pd_volume_count, "MaxGCEPDVolumeCount", IN_BOTH,
    gce_pd_limits, GCE_PD_LIMITS, "GCEPDLimits", 30,
    VOLUME_GCE_PD, "attachable-volumes-gce-pd", 16, NULL)
VOLUME_COUNT_RULE(max_azure_disk_volume_count, "MaxAzureDiskVolumeCount", IN_BOTH,
    azure_disk_limits, AZURE_DISK_LIMITS, "AzureDiskLimits", 30,
    VOLUME_AZURE_DISK, "attachable-volumes-azure-disk", 16, NULL)
VOLUME_COUNT_RULE(max_cinder_volume_count, "MaxCinderVolumeCount", REGISTERED,
    cinder_limits, CINDER_LIMITS, "CinderLimits", 31,
    VOLUME_CINDER, "attachable-volumes-cinder", 256, NULL)
/* clang-format on */
