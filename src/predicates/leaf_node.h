/* Kosmos' leaf nodes; for the rules about them. */
#ifndef PREDICATES_LEAF_NODE_H
#define PREDICATES_LEAF_NODE_H

#include "objects/confines.h"
#include "objects/node.h"
#include "objects/pod.h"

/* The label and the taint of a leaf node have the same key. */
#define LEAF_NODE_KEY "kosmos.io/node"

/* The distribution policies' term for these pods; NULL: none. */
static inline const struct distribution *
distribution_of_class(const struct pod_class *class)
{
	if (class->confines == NULL ||
	    class->confines->distribution.policy == SYM_EMPTY)
		return NULL;
	return &class->confines->distribution;
}

#endif
