/*
 * StickyJob: a pod of a StickyJob whose spec says "required: true" fits on no node
 * but that of its last pod, status.lastNode; on any node while there is none.
 *
 * Where it is not required the priority of this name prefers that node.  Which
 * node it is, is known before (cluster/confines.h).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "objects/confines.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_OTHER "node(s) didn't match the last node of the pod's StickyJob"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct confines *confines = cycle->class->confines;

	if (confines == NULL || confines->sticky.node == SYM_EMPTY ||
	    !confines->sticky.required)
		return NULL;
	return &confines->sticky;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct sticky *sticky = prep;

	if (node->name == sticky->node)
		return FITS;
	return refuse(why, UNFIT_FOREVER, WHY_OTHER);
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *restrict codes)
{
	const struct sticky *sticky = prep;
	const struct node_info *node =
	    cluster_node(cycle->cluster, sticky->node);

	memset(codes, 1, COLUMN_ROWS);
	if (node != NULL && node->index >= b->first &&
	    node->index - b->first < b->n)
		codes[node->index - b->first] = 0;
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct sticky *sticky = prep;

	return arena_printf(cycle->arena, "%s requires %s",
	    sym_text(sticky->job), sym_text(sticky->node));
}

const struct predicate predicate_sticky_job = {
	.name = "StickyJob",
	.reads = READS_NODE | ASPECT_CONFINES,
	.plugin = PLUGIN_STICKY_JOB,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

const struct plugin plugin_sticky_job = {
	.name = "StickyJob",
	.points = EARLY_AND_LATER(
	    AT_POINT(FILTER) | AT_POINT(SCORE) | AT_POINT(POST_BIND)),
	.filters = { &predicate_sticky_job },
	.score = &priority_sticky_job_priority,
	.weight = EARLY_AND_LATER(10000),
	.watches = KIND_FOR_STICKY_JOB,
};
