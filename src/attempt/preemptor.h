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
 * end preemptor_evicts_for() the pod: if it was tried earlier, it could evict pods
 * of another node as well (kube-scheduler 1.36, PreEnqueue of DefaultPreemption).
 * A victim leaves when it is being deleted or gone.  A victim of several pods is
 * deleted once.
 */
#ifndef ATTEMPT_PREEMPTOR_H
#define ATTEMPT_PREEMPTOR_H

#include <stdbool.h>
#include <stddef.h>

struct api_client;
struct cluster;
struct pod;
struct preemption;
struct preemptor;
struct report;

struct preemptor_ops {
	/* Whether we (still) lead. */
	bool (*may_write)(void *arg);
	/* A pod's nomination was cleared: other pods may fit. */
	void (*freed)(void *arg);
	/* The answer of preemptor_evicts_for() changed. */
	void (*gate_changed)(void *arg, const struct pod *pod);
};

struct preemptor *preemptor_new(struct api_client *client,
    struct cluster *cluster, struct report *report,
    const struct preemptor_ops *ops, void *arg);
/* Gives up requests under way; accepts NULL. */
void preemptor_free(struct preemptor *preemptor);

/*
 * Writes the condition (as report_status()) of a pod that fits nowhere,
 * together with the nomination that preemption decided; preemption may be
 * NULL.  Takes copies.
 */
void preemptor_apply(struct preemptor *preemptor, const struct pod *pod,
    const struct preemption *preemption, const char *message);

/* Whether the pod must not be tried, because its victims are still being deleted. */
bool preemptor_evicts_for(const struct preemptor *preemptor,
    const struct pod *pod);
/* The watch has put this version of a pod that waits into the cluster. */
void preemptor_seen(struct preemptor *preemptor, const struct pod *pod);
/* The pod waits no longer, or it is another version of a pod with a node, or one that
 * is gone; the cluster knows that. */
void preemptor_forget(struct preemptor *preemptor, const struct pod *pod);
/* The pod with the nomination that counts; you own it. */
struct pod *preemptor_current(const struct preemptor *preemptor,
    const struct pod *pod);

#endif
