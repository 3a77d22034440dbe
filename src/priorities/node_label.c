/*
 * NodeLabel, argument labelPreference: score_max for nodes that have the label
 * (presence: true) or lack it (presence: false); its value does not matter.  0
 * for other nodes.  No node has the label "".
 *
 * The plugin NodeLabel of 1.20 has several labels that nodes should have, or lack:
 * the score is the mean over all of them, truncated
 * (doc/semantics/12-kube-1.20.md, Node plugins).  Without labels it is 0, where
 * kube-scheduler crashes.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/label_columns.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/registry.h"

struct prep {
	size_t npresent, nabsent;
	const sym *present, *absent;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct prep *prep = arena_alloc(cycle->arena, sizeof(*prep));
	const struct label_preference_args *policy = args;
	const struct node_label_args *plugin = args;

	if (args == NULL)
		*prep = (struct prep){ 0 };
	else if (cycle->profile->release < 20)
		*prep = (struct prep){ policy->presence, !policy->presence,
			&policy->label, &policy->label };
	else
		*prep = (struct prep){ plugin->npreferred_present,
			plugin->npreferred_absent, plugin->preferred_present,
			plugin->preferred_absent };
	return prep;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *p)
{
	const struct prep *prep = p;
	const struct labels *labels = &node->node->labels;
	int64_t n = (int64_t)(prep->npresent + prep->nabsent), wanted = 0;

	for (size_t i = 0; i < prep->npresent; i++)
		wanted += labels_get(labels, prep->present[i]) != SYM_NONE;
	for (size_t i = 0; i < prep->nabsent; i++)
		wanted += labels_get(labels, prep->absent[i]) == SYM_NONE;
	return n > 0 ? wanted * cycle->profile->score_max / n : 0;
}

/* Counts the nodes' labels of a block. */
static void
add_labels(struct cycle *cycle, const struct column_block *b, size_t n,
    const sym *labels, bool presence, int64_t *restrict counts)
{
	for (size_t i = 0; i < n; i++) {
		const sym *values =
		    cluster_label_column(cycle->cluster, labels[i]) + b->first;

		for (uint32_t j = 0; j < COLUMN_ROWS; j++)
			counts[j] += (values[j] != SYM_NONE) == presence;
	}
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *p,
    int64_t *restrict scores)
{
	const struct prep *prep = p;
	int64_t n = (int64_t)(prep->npresent + prep->nabsent);
	int64_t max = cycle->profile->score_max;

	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	add_labels(cycle, b, prep->npresent, prep->present, true, scores);
	add_labels(cycle, b, prep->nabsent, prep->absent, false, scores);
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		scores[i] = n > 1 ? scores[i] * max / n : scores[i] * max;
	return true;
}

const struct priority priority_node_label = {
	.name = "NodeLabel",
	.convert = { .gone =
			 "there is no plugin NodeLabel; give pods a preferred node "
			 "affinity" },
	.reads = READS_NODE | ASPECT_NOTHING,
	.plugin = PLUGIN_NODE_LABEL,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
};
