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
#ifndef DAEMON_SCHEDULER_H
#define DAEMON_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "queue/queue.h"

struct api_client;
struct cluster;
struct decisions;
struct event_base;
struct events;
struct flights;
struct metrics;
struct object;
struct profiles;
struct recorder;
struct scheduler;
struct text;

/* Options that may change at run time. */
struct scheduler_tuning {
	bool preempts;
	size_t max_binds;            /* that wait for their answer */
	int64_t percentage_of_nodes; /* as in struct cycle */
	int64_t volume_wait_ms;      /* for volumes that claims are to get */
	int64_t limit_ms; /* how long one pod may hold up all others; 0: ever */
};

struct scheduler_options {
	struct event_base *base;
	struct api_client *client;
	struct cluster *cluster;
	struct events *events;
	struct metrics *metrics;
	struct recorder *recorder; /* NULL: decisions are not recorded */
	/* The scheduler's, of a profile that has none; copied. */
	const char *name;
	uint64_t seed; /* 0: a random one */
	/* How long pods that fit nowhere wait, as in struct queue_options; 0: the
	 * default. */
	int64_t backoff_initial_ms, backoff_max_ms;
	const char *namespace_weights; /* --namespace-weights, kept */
	struct scheduler_tuning tuning;
	/* Whether everything is known and we lead: asked before each pod is
	 * taken. */
	bool (*may_write)(void *arg);
	/* The event loop was held up; that is logged and counted already. */
	void (*stalled)(void *arg);
	/* scheduler_stop() has done its work. */
	void (*stopped)(void *arg);
	void *arg;
};

/* Everything in options outlives it. */
struct scheduler *scheduler_new(const struct scheduler_options *options);
void scheduler_free(struct scheduler *scheduler); /* accepts NULL */

/* Decoding and storing the object took so long.  If that held up the event loop
 * it is logged, and a pending pod goes to quarantine. */
void scheduler_stalled(struct scheduler *scheduler, const struct object *object,
    double seconds);

struct queue *scheduler_queue(const struct scheduler *scheduler);

/* Takes the profiles, which decide from the next decision on, and gives all pods
 * that fitted nowhere another try.  Nothing is scheduled before.  Their names are
 * the cluster's scheduler names from now on: see caches_sort_pods(). */
void scheduler_set_profiles(struct scheduler *scheduler,
    struct profiles *profiles);
/* NULL before the first ones. */
const struct profiles *scheduler_profiles(const struct scheduler *scheduler);
/* Takes the profiles that each pod is decided about a second time by (dry_run.h);
 * NULL: none. */
void scheduler_set_dry_run(struct scheduler *scheduler,
    struct profiles *profiles);
void scheduler_tune(struct scheduler *scheduler,
    const struct scheduler_tuning *tuning);

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
 * if no such pod waits. */
bool scheduler_explain(struct scheduler *scheduler, const char *pod, FILE *out);
/* The last decisions, and what is known about each pod of the queue. */
const struct decisions *scheduler_decisions(const struct scheduler *scheduler);
const struct flights *scheduler_flights(const struct scheduler *scheduler);

/* Of the results kept from earlier decisions. */
size_t scheduler_ecache_bytes(const struct scheduler *scheduler);

/* For /metrics/resources (pod_resources.h). */
void scheduler_write_resources(const struct scheduler *scheduler,
    struct text *out);

#endif
