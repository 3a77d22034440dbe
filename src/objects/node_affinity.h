/* Node affinity: terms about the labels and names of nodes. */
#ifndef MODEL_NODE_AFFINITY_H
#define MODEL_NODE_AFFINITY_H

#include "objects/selector.h"

/* preferredDuringSchedulingIgnoredDuringExecution[] */
struct preferred_node_term {
	int64_t weight;
	struct selector expressions; /* of matchExpressions alone, as 1.15 */
	struct node_selector_term term;
	/* The term's problems, as 1.36 lists them. */
	uint32_t nproblems;
	const char *const *problems;
};

struct node_affinity {
	bool
	    has_required; /* required… is there, maybe empty: no node matches */
	struct node_selector required;
	uint32_t npreferred;
	const struct preferred_node_term *preferred;
};

/* Of an object, NULL for none. */
struct node_affinity decode_node_affinity(struct decoder *d,
    const struct doc_node *node);

#endif
