/*
 * Objects that select pods: Services, ReplicationControllers, ReplicaSets,
 * StatefulSets and PodDisruptionBudgets; and Namespaces, PriorityClasses and other
 * objects with defaults of pods.
 */
#ifndef MODEL_WORKLOAD_H
#define MODEL_WORKLOAD_H

#include "objects/labels.h"
#include "objects/object.h"
#include "objects/selector.h"

/*
 * Service, ReplicationController, ReplicaSet or StatefulSet (object.kind).
 * has_selector is false when the selector is null or absent.  For Services and
 * ReplicationControllers the selector is made from a map.
 */
struct workload {
	struct object object;
	bool has_selector;
	bool selector_is_empty_map; /* Service, RC: {} */
	struct selector selector;   /* whether a pod belongs to it */
	/*
	 * The pods that SelectorSpread and ServiceAntiAffinity count for it:
	 * the same, but all pods if a pair of a Service's or RC's map is not a
	 * valid label (kube-scheduler 1.15: the listers take the map as it is,
	 * the priorities go through labels.SelectorFromSet).
	 */
	struct selector counted;
};

/* Whether both are the same object (by uid) and select the same. */
bool workload_equal(const struct workload *a, const struct workload *b);

struct pod_disruption_budget {
	struct object object;
	bool has_selector;
	struct selector selector;
	int64_t disruptions_allowed; /* status.disruptionsAllowed */
	/* Whether the API server evicts pods that are not ready whatever
	 * disruptions_allowed says (pkg/registry/core/pod/storage/eviction.go). */
	bool frees_unready;
	/* maxUnavailable: 0 or minAvailable: 100%: it never allows a disruption,
	 * however many pods are ready. */
	bool allows_none;
	/* status.disruptedPods: names of pods whose eviction the API server has
	 * accepted. */
	uint32_t ndisrupted;
	const char *const *disrupted;
};

struct namespace
{
	struct object object;
	struct labels labels;
	struct labels annotations; /* those that are strings */
	/*
	 * OpenShift's project node selector, which counts in place of the
	 * cluster's default one: the annotation
	 * scheduler.alpha.kubernetes.io/node-selector, or else
	 * openshift.io/node-selector, also when it is empty.  One that makes no
	 * sense, with which the API server takes no pods, matches no node.
	 */
	bool has_node_selector;
	struct labels node_selector;
};

struct priority_class {
	struct object object;
	int32_t value;
	bool global_default;
	bool never_preempts;
};

/* LimitRange or RuntimeClass (object.kind): the members from which the API server adds
 * to a new pod, as JSON. */
struct pod_defaults {
	struct object object;
	const char *json;
};

/* Selectors that break Kubernetes' own rules are kept with their error (see
 * objects/selector.h). */
void workload_read(struct decoder *d, struct object *object);
void pod_disruption_budget_read(struct decoder *d, struct object *object);
void namespace_read(struct decoder *d, struct object *object);
void pod_defaults_read(struct decoder *d, struct object *object);

#endif
