/*
 * CheckVolumeBinding: the node can have the volumes of the pod's claims.
 *
 * Volumes that claims are bound to must reach the node (their nodeAffinity);
 * claims that wait for their first consumer must find a free volume that does,
 * or be of a class that can provision one there.  Any other unbound claim fails
 * the attempt: the pod has to wait until it is bound.  The choice of volumes is
 * made in cluster/volume_binding.c and made again when the pod is assumed.
 *
 * Same rule as kube-scheduler 1.15, VolumeBindingChecker; storage capacity
 * (1.19 and later) does not count.
 */
#include "config.h"

#include "cluster/volume_binding.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

#define WHY_NODE_CONFLICT "node(s) had volume node affinity conflict"
#define WHY_BIND_CONFLICT                                                      \
	"node(s) didn't find available persistent volumes to bind"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return volume_needs_of(cycle->arena, cycle->cluster, cycle->class);
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct volume_plan *plan =
	    volume_plan((struct volume_needs *)prep, node->node);

	if (plan->error != NULL) {
		cycle_fail(cycle, "%s", plan->error);
		return BROKEN;
	}
	if (plan->unreachable != NULL)
		why_add(why, WHY_NODE_CONFLICT);
	if (plan->unmatched != NULL)
		why_add(why, WHY_BIND_CONFLICT);
	return plan->unreachable != NULL || plan->unmatched != NULL ?
	    UNFIT_FOREVER : FITS;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct volume_plan *plan =
	    volume_plan((struct volume_needs *)prep, node->node);

	if (plan->error != NULL)
		return NULL;
	if (plan->unreachable != NULL)
		return arena_printf(cycle->arena,
		    "PersistentVolume %s is not reachable from the node",
		    plan->unreachable->object.name);
	if (plan->unmatched == NULL)
		return NULL;
	if (plan->unmatched->has_selected_node &&
	    plan->unmatched->selected_node != node->name)
		return arena_printf(cycle->arena,
		    "the volume for claim %s is being provisioned for node %s",
		    plan->unmatched->object.name,
		    sym_text(plan->unmatched->selected_node));
	return arena_printf(cycle->arena, "no volume for claim %s",
	    plan->unmatched->object.name);
}

const struct predicate predicate_check_volume_binding = {
	.name = "CheckVolumeBinding",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};
