/* What nodes or pods must have for a rule to matter (struct predicate, struct priority);
 * the lint finds out whether they do. */
#ifndef FRAMEWORK_NEEDS_H
#define FRAMEWORK_NEEDS_H

enum needs {
	NEEDS_NO_OBJECT, /* it looks at something that every pod or node has */
	NEEDS_NODE_HARD_TAINT,
	NEEDS_NODE_SOFT_TAINT,
	NEEDS_NODE_UNSCHEDULABLE,
	NEEDS_NODE_IMAGES,
	NEEDS_NODE_AVOIDED,
	NEEDS_POD_REQUIRED_TERMS,
	NEEDS_POD_TERMS, /* that score: required affinity of assigned pods does, too */
	NEEDS_POD_PORTS,
	NEEDS_POD_NODE_SELECTOR,
	NEEDS_POD_PREFERRED_NODES,
	NEEDS_POD_HARD_SPREAD,
	NEEDS_POD_SOFT_SPREAD,
	NEEDS_POD_DISK,
	NEEDS_POD_CLAIM,
	NEEDS_POD_ATTACHABLE,
	NEEDS_POD_CLAIM_OR_ATTACHABLE,
	NEEDS_POD_DEVICE_CLAIM,
	NEEDS_POD_FEATURES,
	NEEDS_POD_GATES,
	NEEDS_POD_LIMITS,
	NEEDS,
};

#endif
