/*
 * NodeNames: the node is one of those that the pod's required node affinity names,
 * if each of its terms names some (metadata.name In, in matchFields, whatever the
 * number of values).
 *
 * So kube-scheduler looks at these nodes alone, and the others have a reason of
 * their own.  The node that the pod is nominated to is looked at in any case.
 *
 * Same rule as kube-scheduler 1.36, NodeAffinity's PreFilter:
 * doc/semantics/11-kube-1.36.md, Node plugins.
 */
#include "config.h"

#include <string.h>

#include "cluster/columns.h"
#include "framework/cycle.h"
#include "model/changes.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"

#define WHY_OTHERS_30 "node is filtered out by the prefilter result"
#define WHY_OTHERS "node(s) didn't satisfy plugin(s) [NodeAffinity]"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return names_all_nodes(cycle->class) ? cycle->class : NULL;
}

static bool
is_named(const struct pod_class *class, sym node)
{
	const struct node_selector *terms = &class->required_node_affinity;

	for (uint32_t i = 0; i < terms->n; i++)
		for (uint32_t j = 0; j < terms->at[i].nnames; j++)
			if (terms->at[i].names[j] == node)
				return true;
	return false;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (node->name == cycle->pod->nominated || is_named(prep, node->name))
		return FITS;
	if (cycle->profile->release >= SINCE_NODE_AFFINITY_NAMED_WORDS)
		return refuse(why, UNFIT_FOREVER, WHY_OTHERS);
	return cycle->profile->release == 30 ?
	    refuse(why, UNFIT_FOREVER, WHY_OTHERS_30) :
	    UNFIT_FOREVER;
}

static void
mark(const struct cycle *cycle, sym name, const struct column_block *b,
    uint8_t *codes)
{
	const struct node_info *node = cluster_node(cycle->cluster, name);

	if (node != NULL && node->node != NULL &&
	    node->index / COLUMN_ROWS == b->first / COLUMN_ROWS)
		codes[node->index - b->first] = 0;
}

/* Without a look at each node. */
static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct pod_class *class = prep;
	const struct node_selector *terms = &class->required_node_affinity;

	memset(codes, 1, COLUMN_ROWS);
	for (uint32_t i = 0; i < terms->n; i++)
		for (uint32_t j = 0; j < terms->at[i].nnames; j++)
			mark(cycle, terms->at[i].names[j], b, codes);
	if (cycle->pod->nominated != SYM_EMPTY)
		mark(cycle, cycle->pod->nominated, b, codes);
	return true;
}

const struct predicate predicate_node_names = {
	.name = "NodeNames",
	.reads = READS_CLUSTER,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
};
