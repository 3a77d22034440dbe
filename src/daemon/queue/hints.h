/* Which of the plugins that refused a pod may answer otherwise after a change of the
 * cluster, as they say themselves (struct plugin, wakes()). */
#ifndef QUEUE_HINTS_H
#define QUEUE_HINTS_H

#include "decide/framework/plugin.h"

/* Of these refusers of a pod of this class, those that the change may bring round:
 * queue_event_of() it is an event, and no pod with a node that was added or
 * relabelled (term_watch.h). */
uint64_t hints_of(uint64_t refusers, const struct pod_class *class,
    const struct object *before, const struct object *after);

/* Those that such a pod may bring round. */
uint64_t hints_of_pods(void);

/* Whether the pod itself has changed, from one class to the other, in what one of
 * these refusers reads of it. */
bool hints_of_itself(uint64_t refusers, const struct pod_class *was,
    const struct pod_class *is);

#endif
