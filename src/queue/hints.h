/*
 * Which of the rules that refused a pod may answer otherwise after a change of the
 * cluster: the hints of kube-scheduler 1.36 (EventsToRegister() and
 * isSchedulableAfter…() of its plugins).  Where these miss a change that can help,
 * or depend on arguments of a plugin, the pod is tried.
 */
#ifndef QUEUE_HINTS_H
#define QUEUE_HINTS_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct pod_class;

/* Rules, by the plugins of 1.36 that have them; others by those of 1.20. */
enum refuser {
	REFUSER_NODE_NAME,
	REFUSER_NODE_PORTS,
	REFUSER_NODE_AFFINITY,
	REFUSER_NODE_RESOURCES_FIT,
	REFUSER_NODE_UNSCHEDULABLE,
	REFUSER_TAINT_TOLERATION,
	REFUSER_VOLUME_RESTRICTIONS,
	REFUSER_NODE_VOLUME_LIMITS,
	REFUSER_VOLUME_BINDING,
	REFUSER_VOLUME_ZONE,
	REFUSER_POD_TOPOLOGY_SPREAD,
	REFUSER_INTER_POD_AFFINITY,     /* the pod's own terms */
	REFUSER_EXISTING_ANTI_AFFINITY, /* those of pods on nodes */
	REFUSER_DYNAMIC_RESOURCES,
	REFUSER_NODE_DECLARED_FEATURES,
	REFUSER_UNSUPPORTED_FIELDS,
	REFUSER_NODE_LABEL,
	REFUSER_SERVICE_AFFINITY,
	REFUSER_OTHER,
	REFUSERS,
};

#define REFUSER_BIT(refuser) (UINT32_C(1) << (refuser))
#define REFUSERS_UNKNOWN UINT32_MAX /* any of them */

/* Of these refusers of a pod of this class, those that the change may bring round:
 * queue_event_of() it is an event, and no pod with a node that was added or
 * relabelled (term_watch.h). */
uint32_t hints_of(uint32_t refusers, const struct pod_class *class,
    const struct object *before, const struct object *after);

#endif
