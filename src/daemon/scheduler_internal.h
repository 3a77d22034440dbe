/* Shared by scheduler.c (turns, and results), scheduler_attempt.c (one attempt
 * to place one pod) and caches.c (what the watches bring). */
#ifndef DAEMON_SCHEDULER_INTERNAL_H
#define DAEMON_SCHEDULER_INTERNAL_H

#include "attempt/flight.h"
#include "base/arena.h"
#include "daemon/scheduler.h"
#include "daemon/serving.h"
#include "framework/cycle.h"
#include "framework/stopwatch.h"
#include "queue/queue.h"

struct asking;
struct decision;
struct doc_node;
struct documents;
struct event;
struct extenders;
struct left_out;
struct sticky_jobs;
struct time_limit;

struct scheduler {
	struct scheduler_options options;
	char *name;

	struct queue *queue;
	struct flights flights;
	struct left_out *left_out;
	struct sticky_jobs *sticky_jobs;
	struct decisions *decisions;
	struct dry_run *dry_run;
	struct documents *documents;

	struct profiles *profiles; /* NULL before the first ones */
	size_t nserving;
	struct serving *serving; /* by profile */
	size_t naccounts, accounts_cap;
	struct account **accounts;
	size_t nretired;
	struct extenders **retired; /* of the profiles before */
	struct asking *asking; /* extenders are asked about a pod, or NULL */
	struct arena arena;    /* of one decision */
	struct stopwatch stopwatch; /* of one decision in ten */
	struct time_limit *limit;   /* on its time; NULL: none */
	uint64_t seed, ndecisions;
	uint64_t nenqueues; /* times that PreEnqueue ran */
	double misses_due;  /* of clock_seconds(): nearest misses, again */
	uint64_t
	    confines; /* version of cluster->confines that the queue's pods have */
	int64_t confine_ms; /* when they may be gone through again */

	bool stopping;
	struct event *turn;
	bool turn_is_next; /* the timer waits for nothing */
	struct event *stop_timer;
	int64_t sweep_ms;
};

bool scheduler_may_write(const struct scheduler *scheduler);

/* A pod of ours that waits has appeared or changed; root is its document, valid
 * during the call.  The queue has it already. */
void scheduler_pod_waits(struct scheduler *scheduler, const struct pod *pod,
    const struct doc_node *root);
/* A pod has a node now, or is gone (or left to another scheduler); the cluster and
 * the queue know. */
void scheduler_pod_is_over(struct scheduler *scheduler, const struct pod *pod,
    bool gone);

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
/* Puts a suspect pod that was popped in quarantine without a try. */
void attempt_refuse(struct scheduler *scheduler, struct attempt *attempt);
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
