/*
 * LeafNodeDistribution: the node is of the kind that the pod's distribution
 * policy asks for: a node of the cluster's own (host), one that stands for nodes
 * of a member cluster (leaf), or one that an advanced term describes.
 *
 * A leaf node wears the label kosmos.io/node, whatever its value.  Of an advanced
 * term nodeName and all of nodeSelector must hold; what it does not say asks
 * nothing.  Its tolerations are LeafNodeTaintToleration's business.  Which policy
 * it is, if any, is known before (cluster/distribution.h).
 *
 * Same sentences as Kosmos' plugin of this name, which lets a node pass an
 * advanced term when only one of its parts holds.
 */
#include "config.h"

#include "base/xmalloc.h"
#include "cluster/distribution.h"
#include "cluster/node_info.h"
#include "model/confines.h"
#include "predicates/leaf_node.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

#define WHY_LEAF                                                               \
	"This is a leaf node (%s) that does not match the distribution policy " \
	"(%s) (host node)"
#define WHY_HOST                                                               \
	"This is a host node (%s) that does not match the distribution policy " \
	"(%s) (leaf node)"
#define WHY_ADVANCED                                                           \
	"This is node (%s) that does not match the distribution policy (%s)  " \
	"AdvancedTerm "

struct prep {
	const struct distribution *d;
	sym leaf; /* the label of leaf nodes */
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct distribution *d = distribution_of_class(cycle->class);
	struct prep *prep;

	if (d == NULL || d->type == DISTRIBUTION_MIX)
		return NULL;
	prep = arena_alloc(cycle->arena, sizeof(*prep));
	*prep = (struct prep){ d, sym_intern(LEAF_NODE_KEY) };
	return prep;
}

static bool
is_described(const struct distribution *d, const struct node *node)
{
	return (d->node_name == SYM_EMPTY || d->node_name == node->name) &&
	    labels_contains(&node->labels, &d->node_selector);
}

/* The sentence for a node that does not match, or NULL. */
static const char *
objection(const struct prep *prep, const struct node *node)
{
	bool leaf = labels_get(&node->labels, prep->leaf) != SYM_NONE;

	switch (prep->d->type) {
	case DISTRIBUTION_MIX:
		return NULL;
	case DISTRIBUTION_HOST:
		return leaf ? WHY_LEAF : NULL;
	case DISTRIBUTION_LEAF:
		return leaf ? NULL : WHY_HOST;
	case DISTRIBUTION_ADVANCED:
		return is_described(prep->d, node) ? NULL : WHY_ADVANCED;
	}
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *p,
    struct why *why)
{
	const struct prep *prep = p;
	const char *format = objection(prep, node->node);
	AUTOFREE char *text = NULL;

	if (format == NULL)
		return FITS;
	if (why == NULL)
		return UNFIT_FOREVER;
	text = xasprintf(format, sym_text(node->name),
	    sym_text(prep->d->term));
	/* reasons may outlive the cycle; there is one per node and term */
	return refuse(why, UNFIT_FOREVER, sym_text(sym_intern(text)));
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *p)
{
	return distribution_text(cycle->arena, ((const struct prep *)p)->d);
}

const struct predicate predicate_leaf_node_distribution = {
	.name = "LeafNodeDistribution",
	.reads = READS_NODE,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};
