/* Rules about node selectors: their results, and the nodes that pods name. */
#ifndef PREDICATES_NODE_SELECTOR_H
#define PREDICATES_NODE_SELECTOR_H

#include "objects/pod.h"

#define WHY_NO_MATCH "node(s) didn't match node selector"

/* Whether each term of the pod's required node affinity says by name which nodes
 * may match. */
static inline bool
names_all_nodes(const struct pod_class *class)
{
	const struct node_selector *terms = &class->required_node_affinity;

	return terms->n > 0 && !ANY(i, terms->n, !terms->at[i].named);
}

/* Whether one of the terms names the node. */
static inline bool
names_node(const struct pod_class *class, sym node)
{
	const struct node_selector *terms = &class->required_node_affinity;

	return ANY(i, terms->n,
	    ANY(j, terms->at[i].nnames, terms->at[i].names[j] == node));
}

#endif
