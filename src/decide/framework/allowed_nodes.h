/* The nodes that a pod's node selector and required node affinity allow. */
#ifndef FRAMEWORK_ALLOWED_NODES_H
#define FRAMEWORK_ALLOWED_NODES_H

#include "cluster/node_info.h"
#include "objects/pod.h"
#include "objects/selector.h"

static inline bool
class_allows_all_nodes(const struct pod_class *class)
{
	return class->node_selector.n == 0 &&
	    !class->has_required_node_affinity;
}

/* The same of one node, whose labels are compared as they are. */
static inline bool
class_selects_node(const struct pod_class *class, const struct node *node)
{
	return labels_contains(&node->labels, &class->node_selector) &&
	    (!class->has_required_node_affinity ||
		node_selector_matches(&class->required_node_affinity,
		    &node->labels, node->name));
}

/* node_selector: selector_from_set() of class->node_selector. */
static inline bool
class_allows_node(const struct pod_class *class,
    const struct selector *node_selector, const struct node_info *node)
{
	const struct labels *labels;

	if (class_allows_all_nodes(class))
		return true;
	labels = &node->node->labels;
	return selector_matches(node_selector, labels) &&
	    (!class->has_required_node_affinity ||
		node_selector_matches(&class->required_node_affinity, labels,
		    node->name));
}

#endif
