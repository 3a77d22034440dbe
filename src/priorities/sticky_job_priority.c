/*
 * StickyJob: score_max for the node of the last pod of the pod's StickyJob,
 * status.lastNode; 0 for all others, and for pods of no StickyJob.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/confines.h"
#include "priorities/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct confines *confines = cycle->class->confines;

	if (confines == NULL || confines->sticky.node == SYM_EMPTY)
		return PREP_UNIFORM(0);
	return &confines->sticky;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct sticky *sticky = prep;

	return node->name == sticky->node ? cycle->profile->score_max : 0;
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	const struct sticky *sticky = prep;
	const struct node_info *node =
	    cluster_node(cycle->cluster, sticky->node);

	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	if (node != NULL && node->index >= b->first &&
	    node->index - b->first < b->n)
		scores[node->index - b->first] = cycle->profile->score_max;
	return true;
}

const struct priority priority_sticky_job_priority = {
	.name = "StickyJob",
	.reads = READS_NODE | ASPECT_CONFINES,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};
