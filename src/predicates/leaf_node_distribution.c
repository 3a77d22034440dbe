/*
 * LeafNodeDistribution: the node is of the kind that the pod's distribution
 * policy requires: a node of the host cluster (host), a node that represents
 * nodes of a member cluster (leaf), or a node that matches an advanced term.
 *
 * A leaf node has the label kosmos.io/node, with any value.  Of an advanced
 * term nodeName, all of nodeSelector and one of the required terms of its node
 * affinity must hold; an absent member requires nothing.  The
 * rule about taints uses its tolerations, NodeAffinityPriority its preferred terms.
 * Which policy it is, if any, is known before (cluster/distribution.h).
 *
 * Same sentences as Kosmos' plugin of this name, which lets a node pass an
 * advanced term when only one of its parts holds.
 */
#include "config.h"

#include "cluster/distribution.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "objects/confines.h"
#include "objects/selector.h"
#include "predicates/leaf_node.h"
#include "predicates/registry.h"

#define WHY_LEAF                                                               \
	"This is a leaf node (" WHY_NODE ") that does not match the "          \
	"distribution policy (%s) (host node)"
#define WHY_HOST                                                               \
	"This is a host node (" WHY_NODE ") that does not match the "          \
	"distribution policy (%s) (leaf node)"
#define WHY_ADVANCED                                                           \
	"This is node (" WHY_NODE ") that does not match the distribution "    \
	"policy (%s)  AdvancedTerm "

struct prep {
	const struct distribution *d;
	sym leaf; /* the label of leaf nodes */
	const char *why;
};

/* The reason for a node that does not match. */
static const char *
reason(const struct distribution *d)
{
	static const char *const formats[] = {
		[DISTRIBUTION_MIX] = "%s",
		[DISTRIBUTION_HOST] = WHY_LEAF,
		[DISTRIBUTION_LEAF] = WHY_HOST,
		[DISTRIBUTION_ADVANCED] = WHY_ADVANCED,
	};
	AUTOFREE char *text = xasprintf(formats[d->type], sym_text(d->term));

	/* it may outlive the cycle, as long as the cache may */
	return sym_text(sym_passing(text));
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct distribution *d = distribution_of_class(cycle->class);
	struct prep *prep;

	if (d == NULL || d->type == DISTRIBUTION_MIX)
		return NULL;
	prep = arena_alloc(cycle->arena, sizeof(*prep));
	*prep = (struct prep){ d, sym_intern(LEAF_NODE_KEY), reason(d) };
	return prep;
}

static bool
is_described(const struct distribution *d, const struct node *node)
{
	return (d->node_name == SYM_EMPTY || d->node_name == node->name) &&
	    labels_contains(&node->labels, &d->node_selector) &&
	    (!d->affinity.has_required ||
		node_selector_matches(&d->affinity.required, &node->labels,
		    node->name));
}

static bool
matches(const struct prep *prep, const struct node *node)
{
	bool leaf = labels_get(&node->labels, prep->leaf) != SYM_NONE;

	switch (prep->d->type) {
	case DISTRIBUTION_MIX:
		break;
	case DISTRIBUTION_HOST:
		return !leaf;
	case DISTRIBUTION_LEAF:
		return leaf;
	case DISTRIBUTION_ADVANCED:
		return is_described(prep->d, node);
	}
	return true;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *p,
    struct why *why)
{
	const struct prep *prep = p;

	if (matches(prep, node->node))
		return FITS;
	return refuse(why, UNFIT_FOREVER, prep->why);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *p)
{
	return distribution_text(cycle->arena, ((const struct prep *)p)->d);
}

const struct predicate predicate_leaf_node_distribution = {
	.name = "LeafNodeDistribution",
	.policy = { .in = OF_KOSMOS },
	.convert = { DIFFERS("of predicated alone") },
	.reads = READS_NODE | ASPECT_CONFINES,
	.plugin = PLUGIN_LEAF_NODE_DISTRIBUTION,
	.prepare = prepare,
	.check = check,
	.miss = miss,
};

const struct plugin plugin_leaf_node_distribution = {
	.name = "LeafNodeDistribution",
	.points = EARLY_AND_LATER(AT_POINT(FILTER)),
	.filters = { &predicate_leaf_node_distribution },
	.kosmos_at = AT_POINT(FILTER),
	.watches = KIND_FOR_KOSMOS,
};
