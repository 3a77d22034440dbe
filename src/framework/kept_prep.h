/*
 * How a READS_CLUSTER unit lets its prep be kept from one decision about a pod class
 * to the next, in place of making a new one.
 *
 * keep() returns a prep that begins with a struct kept_prep.  update() is then called
 * for every pod that is added to a node or removed from one, and updates both.  When
 * a Node object is added, removed or relabelled, a new prep is made.
 *
 * Which nodes must be checked again after an update?  The result of check() or score()
 * may depend on the prep as a whole and, of the node, only on its domains in the
 * topologies that the prep lists.  So nodes in the same domains have one result:
 *
 *	coarse topology   few domains with many nodes (zones): the nodes of a
 *	                  domain are in one cell, and one of them stands for all
 *	fine topology     many domains with few nodes (hosts): nodes with the same
 *	                  trait are in one cell; when a pod has changed a domain,
 *	                  its nodes are sorted again
 *
 * (struct topology's fine).  So a decision costs some work per cell, and some per
 * node of the fine domains that have changed since the class was last seen.
 */
#ifndef FRAMEWORK_KEPT_PREP_H
#define FRAMEWORK_KEPT_PREP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct cycle;
struct node_info;
struct pod;
struct pod_class;
struct topology;

struct kept_topology {
	const struct topology *topology;
	/* Nodes are distinguished by their domains in it even if it is fine.
	 * Classes that list only such topologies share one partition of the nodes:
	 * a unit lists one for all of these classes or for none. */
	bool by_domain;
};

struct kept_prep {
	/* Of predicates, unless it is idle: whether prepare() would give something
	 * now. */
	bool (*asks)(const struct cycle *cycle, const void *prep);
	/* The unit does not apply to the class, and no change affects that. */
	bool idle;
	/* It only lists topologies: prepare() is called for each pod.  Of
	 * predicates. */
	bool lists_only;
	/* update() is not called for pods that have nothing in these aspects
	 * (model/pod.h); 0: for all pods. */
	unsigned aspects;
	/* update() may add to them, and removes none. */
	size_t ntopologies, topologies_cap;
	struct kept_topology *topologies;
	/* A number for the state of the node's domains in those of its topologies
	 * that are fine and not by_domain; called if there are any. */
	int64_t (*trait)(const void *prep, uint32_t node_index);
	/* trait() of all nodes by node index, where it is stored so; or NULL. */
	const uint32_t *traits;
	/* Puts trait() of the first n nodes into *out; NULL: one by one. */
	void (*put_traits)(const void *prep, uint32_t n, int64_t *out);
};

/* Lists the topology; arena: that of the prep. */
static inline void
kept_prep_add(struct kept_prep *kept, struct arena *arena,
    const struct topology *topology, bool by_domain)
{
	arena_room(arena, kept->topologies, kept->ntopologies,
	    &kept->topologies_cap);
	kept->topologies[kept->ntopologies++] =
	    (struct kept_topology){ topology, by_domain };
}

enum prep_change_kind {
	POD_MOVED,       /* added to a node (sign 1) or removed (-1) */
	POD_SIMULATED,   /* the same in a simulation */
	OBJECTS_CHANGED, /* objects other than nodes and pods may have */
};

struct prep_change {
	enum prep_change_kind kind;
	int sign;
	/* Of pods.  The node may have more or fewer of them by now, unless it is a
	 * simulation. */
	const struct node_info *node;
	const struct pod_class *class;
	const struct pod *pod; /* of simulations; else NULL */
};

enum followed {
	FOLLOWED_NOTHING, /* pods of this class never matter to the prep, whatever
			     * their nodes; or no such object matters */
	FOLLOWED_ELSEWHERE, /* this one does not matter on this node */
	FOLLOWED,           /* it does: its domains have changed */
	FOLLOWED_NO_MORE, /* the prep cannot follow this, a new one is needed */
};

#endif
