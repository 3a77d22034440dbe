/*
 * NodeAffinityPriority: prefer nodes that the pod's node affinity prefers.
 *
 *	raw score = sum of the weights of the terms that match the node's labels
 *
 * The highest sum becomes score_max; lower sums are scaled in proportion.  As
 * in kube-scheduler 1.15 only matchExpressions count; a term without any
 * matches nothing, and one of weight 0 is ignored.  A malformed expression is
 * an error of the attempt: the first one, because equal errors of several nodes
 * are reported once.
 */
#include "config.h"

#include <string.h>

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "priorities/registry.h"
#include "sched/cycle.h"
#include "sched/profile.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;

	for (uint32_t i = 0; i < class->npreferred_nodes; i++) {
		const struct preferred_node_term *term =
		    &class->preferred_nodes[i];

		if (term->weight != 0 && term->expressions.error != NULL) {
			cycle_fail(cycle, "%s", term->expressions.error);
			break;
		}
	}
	return class;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct pod_class *class = prep;
	int64_t sum = 0;

	for (uint32_t i = 0; i < class->npreferred_nodes; i++) {
		const struct preferred_node_term *term =
		    &class->preferred_nodes[i];

		if (term->weight != 0 &&
		    selector_matches(&term->expressions, &node->node->labels))
			sum += term->weight;
	}
	return (int32_t)(uint32_t)sum; /* 32 bits wide there, too */
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *restrict scores)
{
	const struct pod_class *class = prep;
	uint8_t matches[COLUMN_ROWS];
	uint64_t n = 0;
	int64_t weight;

	for (uint32_t i = 0; i < class->npreferred_nodes; i++)
		n += class->preferred_nodes[i].expressions.n;
	if (n > LABEL_REQUIREMENTS_MAX)
		return false;
	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	for (uint32_t i = 0; i < class->npreferred_nodes; i++) {
		const struct preferred_node_term *term =
		    &class->preferred_nodes[i];

		if (term->weight == 0)
			continue;
		selector_matches_block(cycle->cluster, b, &term->expressions,
		    matches);
		weight = term->weight;
		for (uint32_t j = 0; j < COLUMN_ROWS; j++)
			scores[j] += matches[j] != 0 ? weight : 0;
	}
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = (int32_t)(uint32_t)scores[i];
	return true;
}

static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	const struct pod_class *class = prep;

	*raw = 0;
	return class->npreferred_nodes == 0;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n,
    const uint32_t *at, const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, 0, n, scores);
}

const struct priority priority_node_affinity_priority = {
	.name = "NodeAffinityPriority",
	.reads = READS_NODE,
	.aspects = ASPECT_NODE_AFFINITY,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.uniform = uniform,
	.reduce = reduce,
};
