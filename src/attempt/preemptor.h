/*
 * Carries out the result of preempt() (doc/semantics/04-scheduling-loop.md,
 * Preemption):
 *
 *	nominate in memory ─▶ write nomination and condition ─▶ delete victims,
 *	                           │ failed                     one by one, with
 *	                           ▼                            event Preempted
 *	                      nominated no more
 *
 * From the first moment on the node's room counts as taken for pods of lower
 * priority, even if the watch still brings older versions of the pod.
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

/* may_write(): whether we (still) lead. */
struct preemptor *preemptor_new(struct api_client *client,
    struct cluster *cluster, struct report *report,
    bool (*may_write)(void *arg), void *arg);
/* Gives up requests under way; accepts NULL. */
void preemptor_free(struct preemptor *preemptor);

/*
 * Writes the condition (as report_status()) of a pod that fits nowhere,
 * together with the nomination that preemption decided; preemption may be
 * NULL.  Takes copies.
 */
void preemptor_apply(struct preemptor *preemptor, const struct pod *pod,
    const struct preemption *preemption, const char *message);

/* The watch has put this version of a pod that waits into the cluster. */
void preemptor_seen(struct preemptor *preemptor, const struct pod *pod);
/* The pod waits no longer. */
void preemptor_forget(struct preemptor *preemptor, const struct pod *pod);
/* The pod with the nomination that counts; you own it. */
struct pod *preemptor_current(const struct preemptor *preemptor,
    const struct pod *pod);

#endif
