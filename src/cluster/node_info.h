/*
 * One node as the scheduler sees it: the Node object and the sums over the pods
 * that are on it, bound ones and assumed ones alike.
 *
 * A simulation works on copies: pods can be added to a copy and removed from it
 * without an effect on the cluster.
 */
#ifndef CLUSTER_NODE_INFO_H
#define CLUSTER_NODE_INFO_H

#include "objects/changes.h"
#include "objects/node.h"
#include "objects/pod.h"

#define NODE_INDEX_NONE UINT32_MAX

/* The ways in which profiles count requests for scores: those of policies, and of
 * profiles until 1.26, until 1.31 and later. */
enum scored_by {
	SCORED_BY_POLICY,
	SCORED_BY_20,
	SCORED_BY_27,
	SCORED_BY_32,
	NSCORED_BY
};

/* That of profiles of this release (decide/framework/profile.h). */
enum scored_by scored_by(int release);

struct node_info {
	const struct node
	    *node;      /* NULL while only pods or nominations name it */
	uint32_t index; /* in cluster->nodes; NODE_INDEX_NONE without a Node */
	uint64_t name_hash;  /* of the text: the same in every process */
	uint64_t generation; /* changes with every change of the members
			      * below */

	/* Sums over pods, in the units of objects/resources.h.  The amounts of a
	 * pod depend on cluster->kubernetes_minor (doc/differences.md, Always). */
	struct resources requested;
	struct nonzero_requests scored[NSCORED_BY]; /* by enum scored_by */

	sym name;
	uint32_t npods;
	const struct pod **pods; /* in no order */
	/* Of the pods; INT32_MAX without pods.  Not updated in copies. */
	int32_t lowest_priority;

	/* The sums of the pods' volumes: how many may have to be attached, each
	 * counted with each pod that has it; claims without a name. */
	uint32_t nattachable;
	uint32_t nnameless;

	/* Used host ports, in the order of host_ports.h. */
	uint32_t nports;
	struct host_port *ports;

	/* Pods waiting elsewhere whose status.nominatedNodeName is this node. */
	uint32_t nnominated;
	const struct pod **nominated;
	uint32_t nominated_at; /* in cluster->nominated_to */

	size_t pods_cap, ports_cap, nominated_cap;
};

/*
 * A copy in the arena that shares nothing that changes; index and generation
 * stay those of the original.
 */
struct node_info *node_info_copy(struct arena *arena,
    const struct node_info *node);

/*
 * Adds a pod to, takes a pod from such a copy; the arena is the copy's.
 * `minor` is cluster->kubernetes_minor.  Taking a pod away frees its host ports
 * even if another pod on the node holds the same port, as kube-scheduler 1.15's
 * set of ports does.  False: the pod (by uid) was not there.
 */
void node_info_add(struct arena *arena, struct node_info *copy, int minor,
    const struct pod *pod);
bool node_info_remove(struct arena *arena, struct node_info *copy, int minor,
    const struct pod *pod);

/* How many of the class's host ports count: those of sidecars from 1.34 on. */
uint32_t pod_nports(const struct pod_class *class, int minor);

/* The resources that an assigned pod takes from its node. */
static inline const struct resources *
pod_held(const struct pod_class *class, int minor)
{
	if (minor < 27)
		return minor >= SINCE_FULL_REQUESTS ? &class->full :
						      &class->held;
	return minor >= 32 ? class->from_32.held : class->from_27.held;
}

/* The resources that a pending pod requests of a node. */
static inline const struct resources *
pod_requested(const struct pod_class *class, int minor)
{
	if (minor < 27)
		return minor >= SINCE_FULL_REQUESTS ? &class->full :
						      &class->requested;
	return minor >= 32 ? class->from_32.pending : class->from_27.pending;
}

/* For the functions below. */
static inline struct nonzero_requests
pod_nonzero_of_policy(const struct pod_class *class, int minor)
{
	const struct resources *held = class->from_32.held;
	struct nonzero_requests r = { class->nonzero_cpu_milli,
		class->nonzero_memory };

	if (class->level_cpu && minor >= 32)
		r.cpu_milli = held->cpu_milli;
	if (class->level_memory && minor >= 32)
		r.memory = held->memory;
	return r;
}

/*
 * A pod's requests for scores, while it waits and on a node.  By a policy: those at
 * pod level from minor version 32 on, else the containers', with defaults.
 */
static inline struct nonzero_requests
pod_nonzero_pending(const struct pod_class *class, enum scored_by by, int minor)
{
	if (by == SCORED_BY_POLICY)
		return pod_nonzero_of_policy(class, minor);
	return by == SCORED_BY_20 ? class->scored_20.pending :
				    class->scored_32.pending;
}

static inline struct nonzero_requests
pod_nonzero_held(const struct pod_class *class, enum scored_by by, int minor)
{
	if (by == SCORED_BY_POLICY)
		return pod_nonzero_of_policy(class, minor);
	if (by == SCORED_BY_20)
		return class->scored_20.held;
	return by == SCORED_BY_27 ? class->scored_27.held :
				    class->scored_32.held;
}

#endif
