/*
 * How a READS_CLUSTER unit lets its prep be kept from one decision to the next.
 *
 * A prep that follows gets every pod that comes to a node or goes from it.
 * When Node objects come, go or get other labels, a new one is made.
 *
 * Which nodes have to be looked at again then?  What check() and score() say of a
 * node may depend on the prep as a whole and, of the node, only on its domains in
 * the unit's topologies.  Nodes in the same domains need no look of their own:
 *
 *	coarse topology   few domains with many nodes (zones): the nodes of a
 *	                  domain are in one group, and one of them stands for all
 *	fine topology     many domains with few nodes (hosts): nodes whose
 *	                  domains have the same trait() are in one group; when a
 *	                  pod has changed a domain, its nodes are sorted again
 *
 * (struct topology's fine).  So a decision costs some work per group, and some per
 * node of the fine domains that have changed since the class was last seen.
 */
#ifndef FRAMEWORK_FOLLOWING_H
#define FRAMEWORK_FOLLOWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cycle;
struct node_info;
struct pod_class;
struct topology;

enum followed {
	FOLLOWED_NOTHING, /* pods of this class never matter to the prep, whatever
			     * their nodes */
	FOLLOWED_ELSEWHERE, /* this one does not matter on this node */
	FOLLOWED,           /* it does: its domains have changed */
	FOLLOWED_NO_MORE, /* the prep cannot follow this, a new one is needed */
};

struct following {
	/*
	 * As prepare(), of cycle->arena, which stays as long as the prep; but it
	 * may depend on cycle->class alone, not on the pod's own name, priority
	 * or the like, nor on pods that are only nominated.  A pod that asks
	 * nothing has a prep, too.  NULL: this one cannot be kept.
	 */
	void *(*start)(struct cycle *cycle, const void *args);

	/* Optional: whether other objects that it depends on have changed, so
	 * that a new one is needed. */
	bool (*stale)(struct cycle *cycle, void *prep);

	/* Optional: whether the prep stays right, and asks nothing, whatever
	 * changes.  It then gets no changes. */
	bool (*idle)(const void *prep);

	/* Of predicates: whether prepare() would give anything now. */
	bool (*asks)(const struct cycle *cycle, const void *prep);

	/* Optional: pods that have nothing in these aspects do not matter to each
	 * other, and follow() is not called (model/pod.h). */
	unsigned aspects;

	/* A pod of this class has come to the node (sign 1) or gone (-1).  The
	 * node may have more or fewer pods by now. */
	enum followed (*follow)(struct cycle *cycle, void *prep,
	    const struct node_info *node, const struct pod_class *class,
	    int sign);

	/* The i-th topology by whose domains it distinguishes nodes, NULL after the
	 * last.  There may come to be more of them, never fewer. */
	const struct topology *(*topology)(const void *prep, size_t i);

	/*
	 * What it sees in the node's domains in its fine topologies; asked for
	 * if there are any.
	 */
	int64_t (*trait)(const void *prep, uint32_t node_index);

	/* Optional: trait() of all nodes by node index, where it is kept so. */
	const uint32_t *(*traits)(const void *prep);
};

#endif
