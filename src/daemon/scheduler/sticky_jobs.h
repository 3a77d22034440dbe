/*
 * Remembers in a StickyJob where its pod went, once that is bound: PostBind of the
 * plugin StickyJob (doc/plugins.md).
 *
 * Writes to one StickyJob follow each other, so that the last pod's node stays;
 * the client repeats it for a while (WRITE_RETRY_MS), then the failure is logged.
 */
#ifndef SCHEDULER_STICKY_JOBS_H
#define SCHEDULER_STICKY_JOBS_H

#include "base/sym.h"

struct flights;
struct pod;

/* The pod, of a StickyJob or not, is bound to the node: writes status.lastNode,
 * unless it is that already. */
void sticky_jobs_bound(struct flights *flights, const struct pod *pod,
    sym node);
/* Gives up requests under way. */
void sticky_jobs_give_up(struct flights *flights);

#endif
