/*
 * CheckNodeUnschedulable: the node is not cordoned (spec.unschedulable), or the
 * pod tolerates the taint node.kubernetes.io/unschedulable:NoSchedule, whether
 * or not the node has it.
 *
 * Same rule as kube-scheduler 1.15, CheckNodeUnschedulablePredicate.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

#define WHY_CORDONED "node(s) were unschedulable"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	sym key = sym_intern("node.kubernetes.io/unschedulable");
	sym effect = sym_intern("NoSchedule");

	for (uint32_t i = 0; i < class->ntolerations; i++)
		if (toleration_tolerates(&class->tolerations[i], false, key,
			SYM_EMPTY, EFFECT_NO_SCHEDULE, effect))
			return NULL;
	return class;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (node->node->unschedulable)
		return refuse(why, UNFIT_FOREVER, WHY_CORDONED);
	return FITS;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	column_codes(b, COLUMN_UNSCHEDULABLE, 1, codes);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return "would fit if it were uncordoned";
}

const struct predicate predicate_check_node_unschedulable = {
	.name = "CheckNodeUnschedulable",
	.policy = { .in = IN_BOTH,
	    .registered = "TaintNodesByCondition=true",
	    .mandatory = "TaintNodesByCondition=true" },
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.plugin = PLUGIN_NODE_UNSCHEDULABLE,
	.needs = NEEDS_NODE_UNSCHEDULABLE,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change->is != NULL && !change->is->unschedulable &&
	    (change->was == NULL || change->was->unschedulable);
}

const struct plugin plugin_node_unschedulable = {
	.name = "NodeUnschedulable",
	.points = EARLY_AND_LATER(AT_POINT(FILTER)),
	.filters = { &predicate_check_node_unschedulable },
	.enabled = true,
	.wakes = wakes,
	.aspects = ASPECT_TOLERATIONS,
	.hidden_from = PODS_ALL,
};
