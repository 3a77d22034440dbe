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

#include "cluster/columns.h"
#include "cluster/label_terms.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "priorities/registry.h"

struct wish {
	const struct pod_class *class;
	struct label_sums sums; /* of all nodes */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	struct wish *wish;

	for (uint32_t i = 0; i < class->npreferred_nodes; i++) {
		const struct preferred_node_term *term =
		    &class->preferred_nodes[i];

		if (term->weight != 0 && term->expressions.error != NULL) {
			cycle_fail(cycle, "%s", term->expressions.error);
			break;
		}
	}
	wish = arena_alloc(cycle->arena, sizeof(*wish));
	wish->class = class;
	label_sums_of_preferred(&wish->sums, cycle->arena,
	    class->npreferred_nodes, class->preferred_nodes);
	return wish;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	struct wish *wish = (struct wish *)prep;
	const struct pod_class *class = wish->class;
	int64_t sum = 0;

	if (wish->sums.large)
		return label_sums_get(&wish->sums, cycle->cluster)[node->index];
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
	struct wish *wish = (struct wish *)prep;
	const int32_t *sums =
	    label_sums_get(&wish->sums, cycle->cluster) + b->first;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = sums[i];
	return true;
}

static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	const struct wish *wish = prep;

	*raw = 0;
	return wish->class->npreferred_nodes == 0;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
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
