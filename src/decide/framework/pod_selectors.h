/*
 * The labels that objects which select pods have in common: Services, ReplicationControllers,
 * ReplicaSets and StatefulSets.  Results are in the cycle's arena.
 */
#ifndef FRAMEWORK_POD_SELECTORS_H
#define FRAMEWORK_POD_SELECTORS_H

#include "decide/framework/cycle.h"
#include "objects/pod.h"
#include "objects/selector.h"

/* The intersection of the selectors of some objects. */
struct pod_selectors {
	bool any;
	struct selector all;
};

/* The first, in order of name, of the Services that select the pod. */
struct pod_selectors first_service_selectors(struct cycle *cycle);

/*
 * By which a pod is spread if it does not say: until 1.21 all such objects that select
 * the pod, then the Services that do and its controller (doc/semantics/11-kube-1.36.md,
 * Spreading and affinity; doc/semantics/12-kube-1.20.md, Spreading and affinity).
 */
struct pod_selectors default_selectors(struct cycle *cycle);

/* The constraint's selector, narrowed to pods that have the same values of match_keys
 * as this one; keys that it does not have do not count.  Without the gate
 * match_label_keys no key does. */
struct selector spread_constraint_selector(struct cycle *cycle,
    const struct spread_constraint *constraint);

#endif
