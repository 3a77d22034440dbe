/* Where preemption could make room for a pod, and which pods it would evict. */
#ifndef FRAMEWORK_CANDIDATE_H
#define FRAMEWORK_CANDIDATE_H

struct node_info;
struct pod;

struct victims {
	size_t n;
	const struct pod **pods; /* in the order of their deletion */
	unsigned violations;     /* pods whose disruption budget is used up */
};

/* A node where evicting pods would help. */
struct preemption_candidate {
	const struct node_info *node;
	struct victims victims;
};

#endif
