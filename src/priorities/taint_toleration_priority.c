/*
 * TaintTolerationPriority: prefer nodes with few taints PreferNoSchedule that
 * the pod does not tolerate.
 *
 * The node with most of them gets 0 and nodes without any get score_max; when
 * no node has any, all get score_max.  Only tolerations of the effect
 * PreferNoSchedule, or of every effect, count (kube-scheduler 1.15).
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/registry.h"

/* Of so many nodes' taints it is found out whether any matters. */
#define TAINTS_MOST 64

struct prep {
	bool comparisons;
	uint32_t n;
	const struct toleration **tolerations; /* those that count */
};

static int64_t
count_intolerable(const struct prep *prep, uint32_t n,
    const struct taint *taints)
{
	int64_t intolerable = 0;

	for (uint32_t i = 0; i < n; i++)
		if (taints[i].effect == EFFECT_PREFER_NO_SCHEDULE &&
		    !ANY(k, prep->n,
			toleration_tolerates(prep->tolerations[k],
			    prep->comparisons, taints[i].key, taints[i].value,
			    taints[i].effect, taints[i].effect_text)))
			intolerable++;
	return intolerable;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	const struct columns *columns = cluster_columns(cycle->cluster);
	struct prep *prep = arena_zalloc(cycle->arena, sizeof(*prep));

	prep->comparisons = cycle_compares_tolerations(cycle);
	prep->tolerations = arena_array(cycle->arena, const struct toleration *,
	    class->ntolerations);
	for (uint32_t i = 0; i < class->ntolerations; i++) {
		const struct toleration *t = &class->tolerations[i];

		if (t->effect == EFFECT_ANY ||
		    t->effect == EFFECT_PREFER_NO_SCHEDULE)
			prep->tolerations[prep->n++] = t;
	}
	/* whether no node has a taint that matters */
	return columns->ntaints <= TAINTS_MOST &&
		!ANY(i, columns->ntaints,
		    count_intolerable(prep, columns->taints[i].n,
			columns->taints[i].at) > 0) ?
	    PREP_UNIFORM(cycle->profile->score_max) :
	    prep;
}

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return count_intolerable(prep, node->node->ntaints, node->node->taints);
}

static bool
score_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    int64_t *scores)
{
	const struct column_taints *taints;
	uint32_t last = 0;
	int64_t count = 0;

	memset(scores, 0, COLUMN_ROWS * sizeof(*scores));
	for (uint32_t i = 0; b->any_taints && i < b->n; i++) {
		if (b->taints[i] == 0)
			continue;
		if (b->taints[i] != last) {
			last = b->taints[i];
			taints = columns_taints(b->columns, last);
			count = count_intolerable(prep, taints->n, taints->at);
		}
		scores[i] = count;
	}
	return true;
}

static void
reduce(struct cycle *cycle, const void *prep, size_t n, const uint32_t *at,
    const uint32_t *times, int64_t *scores)
{
	normalize(cycle->profile->score_max, 1, n, scores);
}

const struct priority priority_taint_toleration_priority = {
	.name = "TaintTolerationPriority",
	.policy = { .in = IN_BOTH },
	.reads = READS_NODE | ASPECT_TOLERATIONS,
	.plugin = PLUGIN_TAINT_TOLERATION,
	.needs = NEEDS_NODE_SOFT_TAINT,
	.prepare = prepare,
	.score = score,
	.score_block = score_block,
	.reduce = reduce,
};
