/* PreEnqueue: the plugins that may keep a pod out of the active queue. */
#ifndef SCHED_PRE_ENQUEUE_H
#define SCHED_PRE_ENQUEUE_H

#include "decide/framework/cycle.h"
#include "decide/framework/verdict.h"

/*
 * Asks one of the plugins of cycle->profile->enqueues.  FITS: it lets the pod in.
 * Anything else: it does not, for reasons that go to why (may be NULL).
 */
enum verdict pre_enqueue(struct cycle *cycle,
    const struct profile_prefilter *plugin, struct why *why);

/* Why the first plugin that keeps the pod out does so, in cycle->arena; NULL: none
 * does. */
const char *pre_enqueue_refusal(struct cycle *cycle);

#endif
