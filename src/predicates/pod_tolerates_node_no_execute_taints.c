/*
 * PodToleratesNodeNoExecuteTaints: each of the node's taints with the effect
 * NoExecute is tolerated by one of the pod's tolerations.  For policies in
 * which other rules handle NoSchedule.
 *
 * Same rule as kube-scheduler 1.15, PodToleratesNodeNoExecuteTaints, which its
 * policies cannot name.
 */
#include "config.h"

#include "cluster/node_info.h"
#include "framework/cycle.h"
#include "predicates/registry.h"
#include "predicates/untolerated.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return tolerating_of(cycle);
}

static bool
counts(const struct taint *taint)
{
	return taint->effect == EFFECT_NO_EXECUTE;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	return untolerated_check(prep, node->node, counts, why);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	return untolerated_check_block(prep, b, counts, NULL, NULL, codes);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return untolerated_miss(cycle->arena, prep, node->node, counts);
}

const struct predicate predicate_pod_tolerates_node_no_execute_taints = {
	.name = "PodToleratesNodeNoExecuteTaints",
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
