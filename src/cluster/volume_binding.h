/*
 * Which volumes a pod's claims would get on a node (kubernetes 1.15,
 * pkg/controller/volume/scheduling and persistentvolume/util; on later releases
 * doc/semantics/11-kube-1.36.md, Volumes).
 *
 *	                   bound, bind-completed
 *	claim ──────────────────────────────────────▶ bound: its volume must
 *	  │                                           reach the node
 *	  │ its class waits for the first consumer
 *	  ├──────────────▶ waiting: a free volume that reaches the node, else
 *	  │                a new one that its class may provision there
 *	  └──────────────▶ immediate: the pod has to wait; an error
 *
 * With volume_rules.leaf_nodes it is otherwise on the leaf nodes of Kosmos (those
 * with the label or the taint kosmos.io/node=true), whose volumes their member
 * cluster binds:
 *
 *	a node for a whole cluster:  bound volumes are that cluster's, or reach
 *	    the node by an affinity that they have; claims are that cluster's, or
 *	    may get a volume as everywhere
 *	another leaf node:  as an ordinary node if the pod has bound claims, else
 *	    it fits
 *	an ordinary node:  no claim is a member cluster's
 *
 * and nothing is bound or provisioned by us there.  (Kosmos,
 * LeafNodeVolumeBinding.)
 *
 * volume_needs_of() sorts a pod's claims once, volume_plan() answers for each
 * node.  Both only read the cluster, and depend on nothing else: of volumes of equal
 * size the first by name is taken (in the reference, any).
 */
#ifndef CLUSTER_VOLUME_BINDING_H
#define CLUSTER_VOLUME_BINDING_H

#include "cluster/cluster.h"
#include "objects/pod.h"

struct volume_needs;

/* Whose rules apply: profile_volume_rules(). */
struct volume_rules {
	int release; /* as cycle_release() */
	/* Until 1.22 the phase of a claim does not count: one that is Lost is
	 * bound, or not bound.  Claims of ephemeral volumes have other words. */
	bool early;
	/* The member cluster handles the volumes of pods on a leaf node: the
	 * profile has LeafNodeVolumeBinding. */
	bool leaf_nodes;
};

/* A volume for a claim. */
struct volume_match {
	const struct persistent_volume_claim *claim;
	const struct persistent_volume *volume;
};

/* The plan for the pod's claims on one node. */
struct volume_plan {
	/* The attempt to place the pod fails with this text, and the rest is
	 * meaningless; NULL: no error. */
	const char *error;
	/* From 1.20 on: why the claims cannot be had on any node, in the words of
	 * the reference, and the rest is meaningless; NULL: they can. */
	const char *refusal;
	/* The first bound volume that does not reach the node, or NULL. */
	const struct persistent_volume *unreachable;
	/* With leaf_nodes and from 1.20 on: a bound claim whose volume
	 * does not exist. */
	const struct persistent_volume_claim *missing;
	/* Only with leaf_nodes: a claim that is a member cluster's,
	 * and the node is not. */
	const struct persistent_volume_claim *elsewhere;
	/* The claim for which there can be no volume there, or NULL.  Then the
	 * lists below are meaningless. */
	const struct persistent_volume_claim *unmatched;
	/* The claim for whose new volume there is not enough room, likewise. */
	const struct persistent_volume_claim *too_big;

	uint32_t nmatches;
	struct volume_match *matches;
	uint32_t nprovisions; /* claims that get a new volume */
	const struct persistent_volume_claim **provisions;
};

/*
 * Everything about a pod's claims that does not depend on the node; NULL when
 * it has none.  It and the targets of the plans' pointers are in the arena and
 * the cluster: valid until the arena is reset or an object changes.
 */
struct volume_needs *volume_needs_of(struct arena *arena,
    const struct cluster *cluster, const struct pod_class *class,
    const struct volume_rules *rules);

/* The nodes that the bound volumes name by kubernetes.io/hostname, as kube-scheduler 1.27
 * to 1.31 reads it: *n names, of nodes, that each such volume has.  NULL: none names any,
 * or one does not exist.  They live as long as the needs. */
const sym *volume_needs_hosts(const struct volume_needs *needs, uint32_t *n);

/* The error and the refusal of every plan, or NULL. */
const char *volume_needs_error(const struct volume_needs *needs);
const char *volume_needs_refusal(const struct volume_needs *needs);

/* Overwrites the plan of the last call, which is in the needs. */
const struct volume_plan *volume_plan(struct volume_needs *needs,
    const struct node *node);

/* Whether every node can have the volumes. */
bool volume_needs_any_node(const struct volume_needs *needs);

/* By node index 1 for nodes that can have the volumes, else 0; plans of one kind are
 * interchangeable.  NULL: not possible at once.  Lives as long as the needs. */
const uint32_t *volume_needs_reached(const struct volume_needs *needs,
    struct cluster *cluster);

/*
 * The keys of the labels on which plans depend: plans of nodes with the same
 * values are interchangeable.  SYM_NONE represents the node's name.  NULL: on
 * more than labels.
 */
const sym *volume_needs_labels(struct volume_needs *needs, size_t *n);

/* There is no error and no obstacle on the node. */
bool volume_plan_fits(const struct volume_plan *plan);

/*
 * Assumes the pod on the node: its volumes become unavailable, and volumes to
 * be provisioned are expected on that node.  Replaces volumes by copies with a
 * claimRef and claims by copies with a selected node.  Later objects of the API
 * server replace the copies.  Does nothing if the node cannot have the volumes.
 */
void cluster_assume_volumes(struct cluster *cluster, const struct pod *pod,
    sym node, const struct volume_rules *rules);

#endif
