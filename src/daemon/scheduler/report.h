/*
 * Reports to the owners of pods: events about pods (and distribution policies),
 * and the condition PodScheduled=False and the nomination in their status.
 *
 * The texts are those of kube-scheduler 1.15: Failed attempts, Binding and
 * Preemption of doc/semantics/04-scheduling-loop.md.  A condition is written
 * only when that changes something: the present one is known from the watch, and
 * one that was sent counts as present.
 */
#ifndef SCHEDULER_REPORT_H
#define SCHEDULER_REPORT_H

#include "base/sym.h"

struct cluster;
struct distribution_policy;
struct doc_node;
struct flight;
struct flights;
struct object;
struct pod;

/* Event BindingConditionsPending: it waits for its devices. */
void report_waiting(const struct flights *flights, const struct pod *pod,
    const char *message);

/* Event Scheduled: "Successfully assigned NS/NAME to NODE". */
void report_bound(const struct flights *flights, const struct pod *pod,
    sym node);
/* Event FailedScheduling. */
void report_failed(const struct flights *flights, const struct pod *pod,
    const char *message);
/* The same of a pod that fits nowhere, with an annotation that has the nearest
 * misses: misses() is asked for them at once, or never if no event is written;
 * NULL: there are none. */
#define REPORT_MISSES "predicated.io/nearest-misses"
void report_unschedulable(const struct flights *flights, const struct pod *pod,
    const char *message, const char *(*misses)(void *arg), void *arg);
/* Event Preempted of the victim, in the words of the cluster's release: "by NS/NAME on
 * node NODE" in 1.15, and so on. */
void report_preempted(const struct flights *flights, const struct pod *victim,
    const struct pod *by, sym node);

/* Event FailedDecode of an object that is left out; api_version: "apps/v1". */
void report_left_out(const struct flights *flights, const struct object *object,
    const char *api_version, const char *message);

/* Event CostlyPods of a namespace each of whose attempts takes so many seconds; the log
 * has it, too. */
void report_costly(const struct flights *flights, sym namespace,
    double seconds);

/* Events DistributionPolicyProblem of the policy, one for each of the first ten
 * problems that keep it from being applied; the log has them, too. */
void report_policy(const struct flights *flights,
    const struct distribution_policy *policy);

/*
 * Writes the condition PodScheduled=False (reason NULL: leaves it alone), and
 * with it the nomination to a node (SYM_NONE: leaves it alone, SYM_EMPTY: takes
 * it away); nothing when both are there already.  done is called when it is
 * written (error NULL) or cannot be; at once when there is nothing to write.
 * It may be NULL.
 */
void report_status(struct flights *flights, const struct pod *pod,
    const char *reason, const char *message, sym nominated,
    void (*done)(struct flight *flight, const char *error));

/* An attempt failed, or the pod is set aside: keeps the text for people, writes the
 * Event FailedScheduling with it, and the condition. */
void report_error(struct flights *flights, const struct pod *pod,
    const char *reason, const char *text, const char *message);

/* The observedGeneration of a condition of the pod; 0 in releases that have
 * none. */
int64_t report_generation(const struct cluster *cluster, const struct pod *pod);

/* ---- for the other parts of a flight ---- */

/* Whether this version of the pod is older than its nomination, as far as that is
 * written: the same node may be that of an earlier one. */
bool report_is_ahead(const struct flight *flight, const struct pod *pod);
/* A pod that waits, as the watch has it; root is its document. */
void report_seen(struct flight *flight, const struct pod *pod,
    const struct doc_node *root);
/* It is about to be bound: a condition that is still on its way must not come
 * after that. */
void report_overtake(struct flight *flight);
/* Gives up requests under way. */
void report_give_up(struct flight *flight);

#endif
