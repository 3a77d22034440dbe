/*
 * The prefilter stage: a profile's prefilters, each of which may reject the pod
 * for all nodes (doc/semantics/11-kube-1.36.md, Cycle).
 */
#ifndef SCHED_PREFILTERS_H
#define SCHED_PREFILTERS_H

#include "decide/sched/decision.h"

/*
 * Runs them in order and returns whether the pod passes.  If not, rejected_by is
 * set, and either the cycle has an error or every node is a cell of its own with
 * the verdict.
 */
bool prefilters_run(struct cycle *cycle, struct decision *decision);

#endif
