/*
 * NodeNames: the node is one of those that PreFilter plugins name: the pod's required
 * node affinity, if each of its terms names some (metadata.name In, in matchFields,
 * whatever the number of values), and until 1.31 the volumes of its bound claims, by
 * hostname.
 *
 * So kube-scheduler looks at these nodes alone, and the others have a reason of
 * their own.  The node that the pod is nominated to is looked at in any case.
 *
 * Same rule as kube-scheduler 1.36, NodeAffinity's PreFilter:
 * doc/semantics/11-kube-1.36.md, Node plugins; and 1.27's, VolumeBinding's.
 */
#include "config.h"

#include "cluster/columns.h"
#include "cluster/volume_binding.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "objects/changes.h"
#include "predicates/node_selector.h"
#include "predicates/registry.h"

#define WHY_OTHERS_30 "node is filtered out by the prefilter result"
#define WHY_OTHERS "node(s) didn't satisfy plugin(s) [NodeAffinity]"

/* The nodes that are named; either may name all. */
struct prep {
	const struct pod_class *class; /* NULL: its affinity does not count */
	const sym *hosts;              /* NULL: its volumes do not */
	uint32_t nhosts;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct node_names_args *by = args;
	struct prep prep = { 0 };

	if (by->affinity && names_all_nodes(cycle->class))
		prep.class = cycle->class;
	if (by->volumes) {
		const struct volume_needs *needs = cycle_volume_needs(cycle);

		if (needs != NULL)
			prep.hosts = volume_needs_hosts(needs, &prep.nhosts);
	}
	return prep.class != NULL || prep.hosts != NULL ?
	    arena_memdup(cycle->arena, &prep, sizeof(prep)) :
	    NULL;
}

static bool
is_named(const struct prep *prep, sym node)
{
	bool by_volumes = prep->hosts == NULL;

	for (uint32_t i = 0; !by_volumes && i < prep->nhosts; i++)
		by_volumes = prep->hosts[i] == node;
	return by_volumes &&
	    (prep->class == NULL || names_node(prep->class, node));
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
check_block(struct cycle *cycle, const struct column_block *b, const void *p,
    uint8_t *codes)
{
	const struct prep *prep = p;

	memset(codes, 1, COLUMN_ROWS);
	for (uint32_t i = 0; i < prep->nhosts; i++)
		if (is_named(prep, prep->hosts[i]))
			mark(cycle, prep->hosts[i], b, codes);
	for (uint32_t i = 0;
	     prep->hosts == NULL && i < prep->class->required_node_affinity.n;
	     i++) {
		const struct node_selector_term *term =
		    &prep->class->required_node_affinity.at[i];

		for (uint32_t j = 0; j < term->nnames; j++)
			mark(cycle, term->names[j], b, codes);
	}
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
