/*
 * CheckVolumeBinding: the node can have the volumes of the pod's claims.
 *
 * Volumes that claims are bound to must reach the node (their nodeAffinity);
 * claims that wait for their first consumer must find a free volume that does,
 * or be of a class that can provision one there.  Any other unbound claim fails
 * the attempt: the pod has to wait until it is bound.  The choice of volumes is
 * made in cluster/volume_binding.c and made again when the pod is assumed.
 *
 * Same rule as kube-scheduler 1.15, VolumeBindingChecker.  In clusters of later
 * releases it is VolumeBinding's of 1.36 (doc/semantics/11-kube-1.36.md, Volumes): from 1.20 on a claim that cannot be used refuses every node, from
 * 1.21 on there must be room for new volumes (CSIStorageCapacity), and the claims
 * of ephemeral volumes count, from 1.34 on the class of attributes.  From 1.17 on,
 * where a node leaves an in-tree plugin to its CSI driver, a bound volume's zones
 * are those that the driver knows (CSINode's annotation migrated-plugins); a volume
 * that it cannot have fails the attempt.
 *
 * In profiles of plugins that refusal and errors are the prefilter's, of
 * VolumeBinding in 1.20 and 1.36.
 *
 * LeafNodeVolumeBinding, which replaces it: the same, but the member cluster
 * handles the volumes of pods on Kosmos' leaf nodes, as profile->leaf_volumes says,
 * which is set in a profile with this rule; the claims of a placed pod are bound by
 * it, too.  Same rule as Kosmos' plugin of this name, except that it ignores generic
 * ephemeral volumes and claims in phase Lost, as CheckVolumeBinding does.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/volume_binding.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/domain_codes.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"
#include "predicates/volume_count.h"
#include "priorities/registry.h"

#define WHY_NODE_CONFLICT "node(s) had volume node affinity conflict"
#define WHY_BIND_CONFLICT                                                      \
	"node(s) didn't find available persistent volumes to bind"
#define WHY_NODE_CONFLICT_33                                                   \
	"node(s) didn't match PersistentVolume's node affinity"
#define WHY_NO_SPACE "node(s) did not have enough free storage"
#define WHY_MISSING                                                            \
	"node(s) unavailable due to one or more pvc(s) bound to non-existent " \
	"pv(s)"
#define WHY_NO_NODE "node(s) didn't satisfy plugin VolumeBinding"
#define WHY_NO_NODE_BOTH                                                       \
	"node(s) didn't satisfy plugin(s) [NodeAffinity VolumeBinding] "       \
	"simultaneously"
#define WHY_MISSING_20 "pvc(s) bound to non-existent pv(s)"

struct prep {
	struct volume_needs *needs;
	/* By which check_block() distinguishes nodes, once it has looked. */
	bool looked, by_domain;
	struct domain_codes domains;
	const uint32_t *reached; /* volume_needs_reached() */
};

/* Where volumes limit the nodes that are looked at: whether there is one. */
static enum verdict
check_hosts(const struct cycle *cycle, const struct volume_needs *needs,
    struct why *why)
{
	const struct profile *profile = cycle->profile;
	bool by_affinity = false;
	const sym *hosts;
	uint32_t n;

	if (profile->release < SINCE_VOLUME_HOSTS ||
	    profile->release >= SINCE_VOLUME_HOSTS_GONE)
		return FITS;
	hosts = volume_needs_hosts(needs, &n);
	if (hosts == NULL)
		return FITS;
	for (size_t i = 0; i < profile->nprefilters; i++)
		by_affinity |=
		    profile->prefilters[i].plugin == &plugin_node_affinity &&
		    names_all_nodes(cycle->class);
	for (uint32_t i = 0; i < n; i++)
		if (!by_affinity || names_node(cycle->class, hosts[i]))
			return FITS;
	return refuse(why,
	    profile->release < SINCE_NO_NODE_FOREVER ? UNFIT : UNFIT_FOREVER,
	    by_affinity ? WHY_NO_NODE_BOTH : WHY_NO_NODE);
}

static enum verdict
prefilter(struct cycle *cycle, const void *args, struct why *why)
{
	const struct volume_needs *needs = cycle_volume_needs(cycle);

	if (needs == NULL)
		return FITS;
	if (volume_needs_error(needs) != NULL) {
		cycle_fail(cycle, "%s", volume_needs_error(needs));
		return BROKEN;
	}
	if (volume_needs_refusal(needs) != NULL)
		return refuse(why, UNFIT_FOREVER, volume_needs_refusal(needs));
	return check_hosts(cycle, needs, why);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct volume_needs *needs = cycle_volume_needs(cycle);
	struct prep *prep;

	if (needs == NULL || volume_needs_any_node(needs))
		return NULL;
	prep = arena_zalloc(cycle->arena, sizeof(*prep));
	prep->needs = needs;
	return prep;
}

/* Whether the words are those of profiles until 1.22. */
static bool
is_early(const struct cycle *cycle)
{
	int release = cycle->profile->release;

	return release >= SINCE_FRAMEWORK &&
	    release < SINCE_VOLUME_MISSING_WORDS;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct volume_plan *plan =
	    volume_plan(((const struct prep *)prep)->needs, node->node);

	if (plan->error != NULL) {
		cycle_fail(cycle, "%s", plan->error);
		return BROKEN;
	}
	if (plan->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, plan->refusal);
	if (plan->unreachable != NULL || plan->elsewhere != NULL)
		why_add(why,
		    cycle_rules(cycle) < SINCE_VOLUME_AFFINITY_WORDS ?
			WHY_NODE_CONFLICT :
			WHY_NODE_CONFLICT_33);
	if (plan->unmatched != NULL)
		why_add(why, WHY_BIND_CONFLICT);
	if (plan->too_big != NULL)
		why_add(why, WHY_NO_SPACE);
	if (plan->missing != NULL)
		why_add(why, is_early(cycle) ? WHY_MISSING_20 : WHY_MISSING);
	return volume_plan_fits(plan) ? FITS : UNFIT_FOREVER;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *p,
    uint8_t *codes)
{
	struct prep *prep = (struct prep *)p;
	const sym *keys = NULL;
	size_t n = 0;

	if (volume_needs_refusal(prep->needs) != NULL) {
		memset(codes, 1, COLUMN_ROWS);
		return true;
	}
	if (!prep->looked) {
		prep->looked = true;
		keys = volume_needs_labels(prep->needs, &n);
		prep->by_domain = keys != NULL &&
		    domain_codes_init(&prep->domains, cycle, n, keys);
		if (!prep->by_domain)
			prep->reached =
			    volume_needs_reached(prep->needs, cycle->cluster);
	}
	if (prep->by_domain)
		domain_codes_put(&prep->domains, b, codes);
	for (uint32_t i = 0; prep->reached != NULL && i < b->n; i++)
		codes[i] = prep->reached[b->first + i] == 0;
	return prep->by_domain || prep->reached != NULL;
}

/* The reason for a claim without a matching volume. */
static const char *
unmatched(struct cycle *cycle, const struct node_info *node,
    const struct persistent_volume_claim *claim)
{
	if (claim->has_selected_node && claim->selected_node != node->name)
		return arena_printf(cycle->arena,
		    "the volume for claim %s is being provisioned for node %s",
		    claim->object.name, sym_text(claim->selected_node));
	return arena_printf(cycle->arena, "no volume for claim %s",
	    claim->object.name);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct volume_plan *plan =
	    volume_plan(((const struct prep *)prep)->needs, node->node);

	if (plan->error != NULL || plan->refusal != NULL)
		return NULL;
	if (plan->too_big != NULL)
		return arena_printf(cycle->arena,
		    "no room for the volume of claim %s",
		    plan->too_big->object.name);
	if (plan->elsewhere != NULL)
		return arena_printf(cycle->arena,
		    "claim %s belongs to member cluster %s",
		    plan->elsewhere->object.name,
		    sym_text(plan->elsewhere->cluster_owner));
	if (plan->missing != NULL)
		return arena_printf(cycle->arena,
		    "claim %s is bound to PersistentVolume %s, which does not "
		    "exist",
		    plan->missing->object.name,
		    sym_text(plan->missing->volume_name));
	if (plan->unreachable != NULL)
		return arena_printf(cycle->arena,
		    "PersistentVolume %s is not reachable from the node",
		    plan->unreachable->object.name);
	return plan->unmatched != NULL ?
	    unmatched(cycle, node, plan->unmatched) :
	    NULL;
}

const struct predicate predicate_check_volume_binding = {
	.name = "CheckVolumeBinding",
	.policy = { .in = IN_BOTH, .aliases = "VolumeBindingPredicate" },
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.plugin = PLUGIN_VOLUME_BINDING,
	.needs = NEEDS_POD_CLAIM,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

const struct predicate predicate_leaf_node_volume_binding = {
	.name = "LeafNodeVolumeBinding",
	.policy = { .in = OF_KOSMOS,
	    .instead_of = &predicate_check_volume_binding,
	    .only_instead = true },
	.convert = { DIFFERS("of Kosmos and predicated") },
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.plugin = PLUGIN_LEAF_NODE_VOLUME_BINDING,
	.needs = NEEDS_POD_CLAIM,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static void
put_args(struct profile *profile, const struct plugin *self, const void *args)
{
	const struct volume_binding_args *a = args;

	if (profile_has_plugin(profile, POINT_PRE_BIND, self->name))
		profile->bind_timeout_seconds = a->bind_timeout_seconds;
}

const struct plugin plugin_volume_binding = {
	.name = "VolumeBinding",
	.points = { AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
		AT_POINT(RESERVE) | AT_POINT(PRE_BIND),
	    AT_POINT(PRE_FILTER) | AT_POINT(FILTER) | AT_POINT(PRE_SCORE) |
		AT_POINT(SCORE) | AT_POINT(RESERVE) | AT_POINT(PRE_BIND) },
	.filters = { &predicate_check_volume_binding },
	.score = &priority_volume_binding,
	.pre_filter = prefilter,
	.weight = { 0, 1 },
	.enabled = true,
	.since = { { AT_POINT(PRE_SCORE), 30 } },
	.no_pre_filter = "not found",
	.wakes = volume_change_wakes,
	.hidden_from = PODS_WITH_VOLUMES,
	.put_args = put_args,
};

const struct plugin plugin_leaf_node_volume_binding = {
	.name = "LeafNodeVolumeBinding",
	.points = EARLY_AND_LATER(AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
	    AT_POINT(RESERVE) | AT_POINT(PRE_BIND)),
	.filters = { &predicate_leaf_node_volume_binding },
	.kosmos_at = AT_POINT(PRE_FILTER) | AT_POINT(FILTER) |
	    AT_POINT(PRE_SCORE) | AT_POINT(SCORE) | AT_POINT(RESERVE) |
	    AT_POINT(PRE_BIND),
	.instead_of = &plugin_volume_binding,
	.put_args = put_args,
};
