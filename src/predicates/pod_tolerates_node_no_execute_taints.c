/*
 * PodToleratesNodeNoExecuteTaints: each of the node's taints with the effect
 * NoExecute is tolerated by one of the pod's tolerations.  For policies that
 * leave NoSchedule to others.
 *
 * Same rule as kube-scheduler 1.15, PodToleratesNodeNoExecuteTaints, which its
 * policies cannot name.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "predicates/registry.h"
#include "predicates/untolerated.h"
#include "sched/cycle.h"

#define WHY_TAINTED "node(s) had taints that the pod didn't tolerate"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return cycle->class;
}

static bool
counts(const struct taint *taint)
{
	return taint->effect == EFFECT_NO_EXECUTE;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *info, const void *prep,
    struct why *why)
{
	const struct node *node = info->node;

	for (uint32_t i = 0; i < node->ntaints; i++)
		if (counts(&node->taints[i]) &&
		    !tolerates(prep, &node->taints[i]))
			return refuse(why, UNFIT_FOREVER, WHY_TAINTED);
	return FITS;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return untolerated_miss(cycle->arena, prep, node->node, counts);
}

const struct predicate predicate_pod_tolerates_node_no_execute_taints = {
	.name = "PodToleratesNodeNoExecuteTaints",
	.reads = READS_NODE,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};
