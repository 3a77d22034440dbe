/*
 * NodePreferAvoidPodsPriority: 0 for nodes that ask to avoid the pods of the
 * pod's controller, score_max for other nodes.
 *
 * Nodes ask with the annotation scheduler.alpha.kubernetes.io/preferAvoidPods.
 * Only ReplicationControllers and ReplicaSets can be avoided: pods of other
 * controllers, and pods without one, have no such preference (kube-scheduler
 * 1.15).
 */
#include "config.h"

#include "base/text.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct avoided_controller *controller;
	sym kind = cycle->class->controller_kind;

	if (cycle->cluster->navoiding == 0 || kind == SYM_NONE ||
	    !text_is_choice("ReplicationController|ReplicaSet", sym_text(kind)))
		return PREP_UNIFORM(cycle->profile->score_max);
	controller = arena_alloc(cycle->arena, sizeof(*controller));
	controller->kind = kind;
	controller->uid = cycle->class->controller_uid;
	return controller;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct avoided_controller *controller = prep;
	const struct avoided_controller *avoided = node->node->avoided;

	return ANY(i, node->node->navoided,
		   avoided[i].kind == controller->kind &&
		       avoided[i].uid == controller->uid) ?
	    0 :
	    cycle->profile->score_max;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	int64_t max = cycle->profile->score_max;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = max;
	for (uint32_t i = 0; (b->any & COLUMN_AVOIDS) != 0 && i < b->n; i++)
		if ((b->flags[i] & COLUMN_AVOIDS) != 0)
			scores[i] = score(cycle,
			    cycle->cluster->nodes[b->first + i], prep);
	return true;
}

const struct priority priority_node_prefer_avoid_pods_priority = {
	.name = "NodePreferAvoidPodsPriority",
	/* it weighs more than all other priorities together */
	.policy = { .in = IN_BOTH, .weight = 10000 },
	.convert = { .gone =
			 "kube-scheduler does not read the annotation any more" },
	.reads = READS_NODE | ASPECT_CONTROLLER,
	.plugin = PLUGIN_NODE_PREFER_AVOID_PODS,
	.needs = NEEDS_NODE_AVOIDED,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};

const struct plugin plugin_node_prefer_avoid_pods = {
	.name = "NodePreferAvoidPods",
	.points = { AT_POINT(SCORE), 0 },
	.score = &priority_node_prefer_avoid_pods_priority,
	.weight = { 10000, 0 },
	.enabled = true,
};
