/*
 * Carries out the result of preempt() (doc/semantics/04-scheduling-loop.md,
 * Preemption):
 *
 *	nominate in memory ─▶ write nomination and condition ─▶ delete victims,
 *	                           │ failed                     each with event
 *	                           ▼                     failed   Preempted
 *	                      nominated no more ◀──────────────────┤
 *	                           │                               ▼
 *	                           ▼                         watch: they leave
 *	                      may be tried again ◀─────────────────┘
 *
 * From the first moment on the node's room counts as taken for pods of lower
 * priority, even if the watch still brings older versions of the pod.  Until the
 * end flight_evicts() the pod: if it was tried earlier, it could evict pods
 * of another node as well (kube-scheduler 1.36, PreEnqueue of DefaultPreemption).
 * A victim leaves when it is being deleted or gone.  A victim of several pods is
 * deleted once.
 */
#ifndef SCHEDULER_PREEMPTOR_H
#define SCHEDULER_PREEMPTOR_H

#include "base/sym.h"

struct eviction;
struct flight;
struct flights;
struct pod;
struct preemption;
struct victim;

/*
 * Writes the condition (as report_status()) of a pod that fits nowhere,
 * together with the nomination that preemption decided; preemption may be
 * NULL.  Takes copies.
 */
void preemptor_apply(struct flights *flights, const struct pod *pod,
    const struct preemption *preemption, const char *message);

/* The nomination that counts: the one that was decided, until the watch shows it. */
sym nomination_of(const struct flights *flights, const struct pod *pod);
/* The pod with that nomination; you own it. */
struct pod *nomination_current(const struct flights *flights,
    const struct pod *pod);
/* The pod is about to be on the node next, or nominated to it (SYM_EMPTY: neither).
 * Others may have the room that a nomination to another node took (kube-scheduler 1.36,
 * hasNominatedNodeNameChanged(), which does not see that a pod is bound elsewhere). */
void nomination_ends(struct flights *flights, const struct pod *pod, sym next);
/* The cluster has this version of the pod, which waits: it gets the nomination that
 * counts. */
void nomination_seen(struct flight *flight, const struct pod *pod);
/* We may write no longer: the pod, as the watch has it, keeps no other nomination
 * than that.  One whose write was lost would take a room for ever. */
void nomination_abandon(struct flights *flights, const struct pod *pod);

/* ---- for the other parts of a flight ---- */

/* Another replica leads: no victim is deleted any more, also where the request waits to
 * be repeated.  Whether one was deleted the watch will show. */
void evictions_abandon(struct flights *flights);
/* Victims with a request under way. */
size_t evictions_sent(const struct flights *flights);
/* The pod waits no longer. */
void eviction_is_moot(struct flight *flight);
/* The victim has another version, or is gone; the cluster knows that.  Releases its
 * flight when it leaves. */
void victim_seen(struct victim *victim);
/* Requests under way are given up; these accept NULL. */
void eviction_free(struct eviction *eviction);
void victim_free(struct victim *victim);

#endif
