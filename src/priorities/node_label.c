/*
 * NodeLabel, argument labelPreference: score_max for nodes that have the label
 * (presence: true) or lack it (presence: false); its value does not matter.  0
 * for other nodes.  No node has the label "".
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "framework/args.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "priorities/registry.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct label_preference_args *args = prep;
	bool present = labels_get(&node->node->labels, args->label) != SYM_NONE;

	return present == args->presence ? cycle->profile->score_max : 0;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	const struct label_preference_args *args = prep;
	const sym *values =
	    cluster_label_column(cycle->cluster, args->label) + b->first;
	int64_t max = cycle->profile->score_max;
	int64_t there = args->presence ? max : 0, missing = max - there;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = values[i] != SYM_NONE ? there : missing;
	return true;
}

const struct priority priority_node_label = {
	.name = "NodeLabel",
	.reads = READS_NODE,
	.aspects = ASPECT_NOTHING,
	.score = score,
	.score_block = score_block,
};
