/*
 * Which of the rules that refused a pod may answer otherwise after a change of the
 * cluster: the hints of kube-scheduler 1.36 (EventsToRegister() and
 * isSchedulableAfter…() of its plugins).  Where these miss a change that can help,
 * or depend on arguments of a plugin, the pod is tried.
 */
#ifndef QUEUE_HINTS_H
#define QUEUE_HINTS_H

struct object;
struct pod_class;

/* REFUSER_NODE_NAME, ... */
enum refuser {
#define REFUSER(id, name) REFUSER_##id,
#include "queue/refuser_table.h"
#undef REFUSER
	REFUSERS,
};

#define REFUSER_BIT(refuser) (UINT32_C(1) << (refuser))
#define REFUSERS_UNKNOWN UINT32_MAX /* any of them */

/* Of these refusers of a pod of this class, those that the change may bring round:
 * queue_event_of() it is an event, and no pod with a node that was added or
 * relabelled (term_watch.h). */
uint32_t hints_of(uint32_t refusers, const struct pod_class *class,
    const struct object *before, const struct object *after);

/* Whether the pod itself has changed, from one class to the other, in what one of
 * these refusers reads of it. */
bool hints_of_itself(uint32_t refusers, const struct pod_class *was,
    const struct pod_class *is);

#endif
