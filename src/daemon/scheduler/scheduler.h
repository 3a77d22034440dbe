/*
 * The scheduling loop: takes pods from the queue, decides, and hands them to
 * the binder; or reports why they fit nowhere, and makes room for them.
 *
 *	caches ──▶ cluster, queue
 *	                     │ pop, while we lead and know everything
 *	                     ▼
 *	                  decide() ── a node ──▶ assume ─▶ [volumes] ─▶ bind
 *	                     │                                           │
 *	                     │ none                          refused: forget, retry
 *	                     ▼
 *	            event, condition, preemption; back to the queue
 *
 * It works in short turns of the event loop, between which the API server is
 * listened to, and rests when there is nothing to do.
 */
#ifndef SCHEDULER_SCHEDULER_H
#define SCHEDULER_SCHEDULER_H

#include <stdio.h>

#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/left_out.h"
#include "base/arena.h"
#include "decide/framework/cycle.h"
#include "decide/framework/stopwatch.h"
#include "daemon/queue/queue.h"

struct api_client;
struct extender_wait;
struct daemon_options;
struct decision;
struct decisions;
struct doc_node;
struct documents;
struct dry_run;
struct event;
struct event_base;
struct events;
struct extenders;
struct metrics;
struct profiles;
struct recorder;
struct time_limit;

/* ---- the profiles in force ---- */

/* The metrics about the pods of one scheduler name. */
struct account {
	sym name;
	struct measure *measure;
	struct plugins *plugins;
	double pre_filter, pre_score; /* seconds, when last sampled */
};

struct serving {
	const struct profile *profile;
	sym name; /* of its scheduler */
	struct ecache *ecache;
	struct extenders *extenders;
	struct account *account;
	bool sticks; /* StickyJob is called after a binding */
};

/* ---- the loop ---- */

struct scheduler_options {
	struct event_base *base;
	struct api_client *client;
	struct cluster *cluster;
	struct events *events;
	struct metrics *metrics;
	struct recorder *recorder; /* NULL: decisions are not recorded */
	/* Those of class RELOAD may change, which the next decision sees. */
	const struct daemon_options *daemon;
	/* Whether we lead, and whether the cluster is as the API server has it: asked
	 * before each pod is taken. */
	bool (*may_write)(void *arg);
	bool (*is_current)(void *arg);
	/* The event loop was held up; that is logged and counted already. */
	void (*stalled)(void *arg);
	/* scheduler_stop() has done its work. */
	void (*stopped)(void *arg);
	void *arg;
};

struct scheduler {
	struct scheduler_options options;

	struct queue *queue;
	struct flights flights;
	struct left_out left_out;
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
	struct extender_wait
	    *extender_wait; /* extenders are asked about a pod, or NULL */
	struct arena arena; /* of one decision */
	struct stopwatch stopwatch; /* of one decision in ten */
	struct time_limit *limit;   /* on its time; NULL: none */
	uint64_t seed, ndecisions;
	uint64_t nenqueues; /* times that PreEnqueue ran */
	double misses_due;  /* of clock_seconds(): nearest misses, again */
	double beside_due;  /* likewise: a rule that tips, again */
	uint64_t
	    confines; /* version of cluster->confines that the queue's pods have */
	int64_t confine_ms; /* when they may be gone through again */

	bool stopping;
	struct event *turn;
	bool turn_is_next; /* the timer waits for nothing */
	struct event *stop_timer;
	int64_t sweep_ms;
	int64_t tried_ms; /* clock_ms() when a pod was tried the last time */
};

/* Everything in options outlives it. */
struct scheduler *scheduler_new(const struct scheduler_options *options);
void scheduler_free(struct scheduler *scheduler); /* accepts NULL */

/* Decoding and storing the object took so long.  If that held up the event loop
 * it is logged, and a pending pod goes to quarantine. */
void scheduler_stalled(struct scheduler *scheduler, const struct object *object,
    double seconds);

bool scheduler_may_write(const struct scheduler *scheduler);

/* A pod of ours that waits has appeared or changed; root is its document, valid
 * during the call.  The queue has it already. */
void scheduler_pod_waits(struct scheduler *scheduler, const struct pod *pod,
    const struct doc_node *root);
/* A pod has a node now, or is gone (or left to another scheduler); the cluster and
 * the queue know. */
void scheduler_pod_is_over(struct scheduler *scheduler, const struct pod *pod,
    bool gone);

/* Takes the profiles, which decide from the next decision on, and gives all pods
 * that fitted nowhere another try.  Nothing is scheduled before.  Their names are
 * the cluster's scheduler names from now on: see caches_sort_pods(). */
void scheduler_set_profiles(struct scheduler *scheduler,
    struct profiles *profiles);
/* May be called at any time: there may be something to do. */
void scheduler_kick(struct scheduler *scheduler);

/* We do not lead any more: bindings under way are given up. */
void scheduler_stand_by(struct scheduler *scheduler);
/* Takes no more pods; stopped() is called when all bindings have been
 * answered, at most wait_ms later. */
void scheduler_stop(struct scheduler *scheduler, int64_t wait_ms);

/* About once a second. */
void scheduler_tick(struct scheduler *scheduler);

/* The JSON of `predicatectl explain -o json` of a pod, "namespace/name"; false
 * if no such pod waits.  Changes the cluster: for a process that ends behind it. */
bool scheduler_explain(struct scheduler *scheduler, const char *pod, FILE *out);

/*
 * ---- serving.c ----
 *
 * The profiles in force, each with its own state: results kept between decisions, its
 * extenders, and its metrics.  A pod is served by the profile of its spec.schedulerName.  Metrics belong to the
 * name, and stay when its profile is replaced or goes: bindings may still be on
 * their way.
 */

/* Takes the profiles, which replace those in force; none may be needed by an
 * attempt. */
void servings_replace(struct scheduler *scheduler, struct profiles *profiles);
void servings_free(struct scheduler *scheduler);

/* NULL: no profile serves the pod (any more). */
struct serving *serving_of(const struct scheduler *scheduler,
    const struct pod *pod);
/*
 * A queue_gate (daemon/queue/queue.h) of a struct scheduler: PreEnqueue of the pod's
 * profile, with its metrics (kube-scheduler 1.36, runPreEnqueuePlugins).
 */
bool serving_holds(void *scheduler, const struct pod *pod);
struct account *account_of(struct scheduler *scheduler, const struct pod *pod);

/* Frees replaced extenders once nothing is under way. */
void servings_tick(struct scheduler *scheduler);
/* All results kept from earlier decisions, in between calls of these two. */
void servings_drop_results(struct scheduler *scheduler);
void servings_keep_results(struct scheduler *scheduler);

/* ---- attempt.c: one attempt to place one pod ---- */

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
	int64_t cpu_us; /* of clock_cpu_us(), when its time began to count */
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
/*
 * Another scheduler has put this pod, as it was while it waited, on the node; the cluster
 * does not know that yet.  Decides about it by the first profile, without extenders, and
 * counts and logs what differs; does nothing else.  Only while we lead.
 */
void attempt_shadow(struct scheduler *scheduler, const struct pod *pod,
    sym node);
/* queue_charge() of so much of a processor's time; an Event says so if the namespace is
 * costly now. */
void attempt_charge(struct scheduler *scheduler, sym namespace, int64_t us,
    bool again);
/* Puts the pod in quarantine; its owner sees why. */
void attempt_quarantine(struct scheduler *scheduler, const struct pod *pod,
    const char *why);
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
