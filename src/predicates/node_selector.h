/* Rules about node selectors: their results, and the nodes that pods name. */
#ifndef PREDICATES_NODE_SELECTOR_H
#define PREDICATES_NODE_SELECTOR_H

#include "model/pod.h"

#define WHY_NO_MATCH "node(s) didn't match node selector"

/* Whether each term of the pod's required node affinity says by name which nodes
 * may match. */
static inline bool
names_all_nodes(const struct pod_class *class)
{
	const struct node_selector *terms = &class->required_node_affinity;

	for (uint32_t i = 0; i < terms->n; i++)
		if (!terms->at[i].named)
			return false;
	return terms->n > 0;
}

#endif
