/*
 * Pods in flight: one record for each pod that waits for a node or is on its way to
 * one, and for each that is being evicted, with the state of all that work on it.
 *
 *	 watch: it waits ──▶ flight_seen()
 *	                        │  attempts and their reports (report.h, waits.h),
 *	                        │  evictions for the pod (preemptor.h),
 *	                        ▼  its volumes and its binding (volumes.h, binder.h)
 *	 watch: on a node, ──▶ flight_ended() ──▶ freed, as soon as no request is
 *	        or gone                           under way that needs the record
 *
 * A record belongs to a uid: a pod that takes over the name of another has its own.
 * After a restart the records are made again from what the watch brings.
 */
#ifndef SCHEDULER_FLIGHT_H
#define SCHEDULER_FLIGHT_H

#include <sys/queue.h>

#include "daemon/scheduler/waits.h"
#include "base/log.h"
#include "base/map.h"
#include "base/sym.h"

struct api_client;
struct api_response;
struct binding;
struct cluster;
struct doc_node;
struct events;
struct eviction;
struct metrics;
struct object;
struct placement;
struct plugins;
struct pod;
struct victim;

/* Why a pod that was placed is not bound. */
struct bind_failure {
	const char *why;    /* NULL: nothing was refused; the pod is gone, or we
			       stopped */
	const char *reason; /* of its condition */
	bool of_volumes;
	int64_t begun_ms; /* of the volumes; of clock_ms() */
};

struct flight_ops {
	/* Whether we (still) lead. */
	bool (*may_write)(void *arg);
	/* All claims of the pod are bound: it can be. */
	void (*volumes_bound)(void *arg, const struct placement *placement,
	    int64_t begun_ms);
	/* So many bindings more, of this pod, wait for their answer: 1 or -1. */
	void (*sent)(void *arg, const struct pod *pod, int change);
	/* The pod is bound, by us: called once, when the first of answer and
	 * watch says so. */
	void (*bound)(void *arg, const struct placement *placement);
	/* It is not and will not be; it has been forgotten. */
	void (*failed)(void *arg, const struct placement *placement,
	    const struct bind_failure *failure);
	/* A binding, or a write before it, was answered: there is room for
	 * another. */
	void (*room)(void *arg);
	/* What pods wait for may be there, as if this one had left its node; NULL:
	 * of any kind. */
	void (*freed)(void *arg, const struct pod *pod);
	/* The answer of flight_evicts() changed. */
	void (*gate_changed)(void *arg, const struct pod *pod);
};

/* All records, and what their parts have in common. */
struct flights {
	struct api_client *client;
	struct events *events;
	struct cluster *cluster;
	struct metrics *metrics;
	/* Source of events that are not about a pod's scheduling; that of the
	 * others is the pod's schedulerName. */
	const char *component;
	const struct flight_ops *ops;
	void *arg;
	struct trouble trouble; /* of writes beside bindings */
	char *claims_version;   /* "resource.k8s.io/v1"; NULL: not known */

	struct strmap all;             /* struct flight, by uid */
	LIST_HEAD(, victim) victims;   /* pods that are evicted */
	LIST_HEAD(, binding) bindings; /* of pods that are assumed */
	size_t nassumed;               /* these */
	size_t nsent;                  /* that wait for their answer */
	uint64_t nexpired;             /* that the watch did not show in time */
	struct waits waits;
	LIST_HEAD(, sticky_write) sticky_writes; /* sticky_jobs.h */
	/* claims.h: struct held_claim by uid, and writes under way */
	struct strmap held_claims;
	LIST_HEAD(, claim_write) claim_writes;
};

/* What the API server has in the status of a pod that waits, or will have after the
 * writes under way. */
struct flight_status {
	bool known;
	bool is_false; /* PodScheduled is False */
	uint64_t hash; /* of its reason and message */
	sym nominated; /* a reference */
};

/* Who refused the pod in its last attempt, for metrics: see daemon/scheduler/plugins.h. */
struct refusal {
	struct plugins *by; /* NULL: none has */
	uint64_t plugins;   /* PLUGIN_BIT() */
	uint64_t named;     /* 1 << its place, of a profile's plugins */
	uint32_t fields;    /* UNSUPPORTED_BIT() */
};

struct flight {
	struct flights *of;
	char *uid;
	bool waits; /* the watch has it, without a node */

	struct flight_status status;
	LIST_HEAD(, status_write) writes; /* of the status, under way */
	struct wait wait;
	struct refusal refusal;
	/* Its claims may not be reserved for it, whatever the watch shows. */
	bool unreserved;
	bool is_nominated; /* more recently than the watch knows */
	sym nominated;     /* a reference */
	/* The last write about that, while it is under way, and the version of the
	 * pod that it made; 0: not known. */
	struct status_write *nominates;
	uint64_t nominated_at;
	struct eviction *eviction; /* that it causes, or NULL */
	struct victim *victim;     /* while it is evicted, else NULL */
	struct binding *binding;   /* while it is assumed, else NULL */
};

/* Whether we (still) lead. */
static inline bool
flights_may_write(const struct flights *flights)
{
	return flights->ops->may_write(flights->arg);
}

/* Everything given up; the members that the caller set stay as they are. */
void flights_fini(struct flights *flights);

/* NULL: none. */
struct flight *flight_find(const struct flights *flights, const char *uid);
/* Makes one if there is none. */
struct flight *flight_get(struct flights *flights, const struct pod *pod);

/* The watch has put this version of a pod that waits into the cluster; root is its
 * document, or NULL. */
void flight_seen(struct flights *flights, const struct pod *pod,
    const struct doc_node *root);
/* The watch has the pod on a node, or it is gone; the cluster knows that.  Whether
 * its share of a node, on which it was assumed, is free again. */
bool flight_ended(struct flights *flights, const struct pod *pod, bool gone);
/* For the parts: frees the record if nothing needs it any more. */
void flight_release(struct flight *flight);
/* Its resourceVersion, a number with all servers so far; else 0. */
uint64_t version_of(const struct object *object);
/* That of the object in the answer. */
uint64_t version_in(const struct api_response *response);

/* Whether the pod is assumed, or its binding is on its way. */
bool flight_is_bound(const struct flights *flights, const struct pod *pod);
/* Whether the pod must not be tried, because its victims are still being deleted. */
bool flight_evicts(const struct flights *flights, const struct pod *pod);

/* We may write no longer: volumes fail, the results of bindings are looked up. */
void flights_abandon(struct flights *flights);
/* Pods that have a node and are neither bound nor given up. */
size_t flights_binding(const struct flights *flights);
/* Whether a binding, or what comes before it, is being written. */
bool flights_write(const struct flights *flights);
/* To be called about once a second. */
void flights_tick(struct flights *flights);

#endif
