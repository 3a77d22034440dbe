/*
 * NodeLabel, argument labelPreference: score_max for nodes that have the label
 * (presence: true) or lack it (presence: false), whatever its value; 0 for the
 * others.  No node has the label "".
 */
#include "config.h"

#include "cluster/node_info.h"
#include "priorities/registry.h"
#include "sched/args.h"
#include "sched/cycle.h"
#include "sched/profile.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct label_preference_args *args = prep;
	bool present = labels_get(&node->node->labels, args->label) != SYM_NONE;

	return present == args->presence ? cycle->profile->score_max : 0;
}

const struct priority priority_node_label = {
	.name = "NodeLabel",
	.reads = READS_NODE,
	.aspects = ASPECT_NOTHING,
	.score = score,
};
