/*
 * decide(): which node a pod goes to, and why.
 *
 * Pure: the same cluster, profile, pod and seed give the same decision, whatever
 * happened before.
 */
#ifndef SCHED_DECIDE_H
#define SCHED_DECIDE_H

#include "decide/framework/cycle.h"
#include "decide/sched/decision.h"

/* Never NULL; valid as long as cycle->arena is not reset. */
struct decision *decide(struct cycle *cycle);

/*
 * Makes every node a cell of its own, with its verdict and total (unless the
 * decision is an error).  Only before the cluster changes and before the next
 * decide() with the same cache.
 */
void decision_spell_out(struct cycle *cycle, struct decision *decision);

/* Chooses the node with this name instead if it is one of the best. */
void decision_stay(struct decision *decision, const struct cluster *cluster,
    sym name);

/* For preempt() when the cycle was cancelled: makes the decision an error and
 * drops all cached results of its pod's class. */
void decision_abandon(struct cycle *cycle, struct decision *decision);

/*
 * The message of the event FailedScheduling, if chosen is NULL: the error, or
 * "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) …." (kube-scheduler
 * 1.15, FitError).  In cycle->arena.  May spell out the decision: as
 * decision_spell_out().
 */
const char *decision_message(struct cycle *cycle, struct decision *decision);

#endif
