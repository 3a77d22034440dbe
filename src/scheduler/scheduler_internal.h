/* Between scheduler.c (turns, and results) and scheduler_attempt.c (one attempt to
 * place one pod). */
#ifndef SCHEDULER_INTERNAL_H
#define SCHEDULER_INTERNAL_H

#include "scheduler/scheduler.h"
#include "framework/cycle.h"

struct decision;

/* One attempt to place one pod. */
struct attempt {
	struct pod *pod; /* as the queue has it */
	struct serving *serving;
	struct queue_attempt queued;
	int64_t popped_ms;
	uint64_t seed;
	struct cycle cycle;
	struct decision *decision;
	bool extender_failed;          /* so that is the decision */
	double begun, filtered, ended; /* of clock_seconds() */
	double limited;                /* when its time began to count */
};

/* The pod with its present nomination and placement constraints, which may be
 * newer than the queue's; you own it. */
struct pod *attempt_pod(const struct scheduler *scheduler,
    const struct pod *pod);

/*
 * Decides about a pod that was popped and carries out the decision; or asks the
 * extenders first.  Then no other pod is taken until they have answered:
 * decisions are made one after the other, as in kube-scheduler.
 */
void attempt_begin(struct scheduler *scheduler, struct attempt *attempt);
/* Puts the pod, which cost so many seconds, in quarantine; its owner sees why. */
void attempt_quarantine(struct scheduler *scheduler, const struct pod *pod,
    double seconds, const char *why);
/* Sends the binding of a pod that is assumed, or has an extender do it. */
void attempt_send(struct scheduler *scheduler, const struct pod *pod);

/* Extenders are being asked about this pod, which is in flight. */
bool attempt_holds(const struct scheduler *scheduler, const struct pod *pod);
/* The pod is gone, or has a node: they are not asked on about it. */
void attempt_forget(struct scheduler *scheduler, const struct pod *pod);
/* They are not asked on about any, because the profile changes or we lead no
 * more: the pod goes back to the queue. */
void attempt_give_up(struct scheduler *scheduler);
/* The same, but for the pod. */
void attempt_end(struct scheduler *scheduler);

#endif
