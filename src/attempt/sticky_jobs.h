/*
 * Remembers in a StickyJob where its pod went, once that is bound: PostBind of the
 * plugin StickyJob (doc/plugins.md).
 *
 * Writes to one StickyJob follow each other, so that the last pod's node stays;
 * the client repeats it for a while (WRITE_RETRY_MS), then the failure is logged.
 */
#ifndef ATTEMPT_STICKY_JOBS_H
#define ATTEMPT_STICKY_JOBS_H

#include "base/sym.h"

struct api_client;
struct cluster;
struct pod;
struct sticky_jobs;

/* Both outlive it. */
struct sticky_jobs *sticky_jobs_new(struct api_client *client,
    const struct cluster *cluster);
void sticky_jobs_free(struct sticky_jobs *sticky); /* accepts NULL */

/* The pod, of a StickyJob or not, is bound to the node: writes status.lastNode,
 * unless it is that already. */
void sticky_jobs_bound(struct sticky_jobs *sticky, const struct pod *pod,
    sym node);

#endif
