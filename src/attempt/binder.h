/*
 * Pods that were placed on a node and are not there yet according to the watch:
 * they count as being there (cluster_assume), their binding is on its way.
 *
 *	                      201
 *	bind ──▶ SENT ──────────────────▶ ACCEPTED ──┐
 *	          │ │                     30 s │     │ the watch
 *	          │ │ 409, 5xx, no answer      ▼     ├─ has it on a node: done
 *	          │ └──────▶ DOUBTFUL ───▶ CHECKING ─┤
 *	          │            1 s           GET     └─ no longer has it: done
 *	          │                           │
 *	          │ refused                   │ it has no node, or is gone
 *	          └──────────▶ failed ◀───────┘
 *
 * A pod that an extender reports as not bound is doubtful, too: it may have
 * tried.  A pod that may be bound is never placed a second time: it is forgotten
 * only after the API server itself has said that it has no node
 * (kube-scheduler 1.15 relies on the 30 s alone).  The watch may be
 * faster than the answer to the binding.
 */
#ifndef ATTEMPT_BINDER_H
#define ATTEMPT_BINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

struct api_client;
struct binder;
struct cluster;
struct err;
struct extenders;
struct pod;

/* Times are of clock_ms(). */
struct placement {
	const struct pod *pod; /* without a node */
	sym node;
	uint32_t attempt;              /* from 1 */
	int64_t added_ms;              /* when the pod came to the queue */
	int64_t first_ms;              /* when it could be tried at first */
	int64_t popped_ms;             /* when this attempt began */
	int64_t sent_ms;               /* when its binding was sent */
	uint32_t nexamined, nfeasible; /* nodes looked at, and found to fit */
};

struct binder_ops {
	/* The pod is bound, by us: called once, when the first of answer and
	 * watch says so. */
	void (*bound)(void *arg, const struct placement *placement);
	/* It is not and will not be; it has been forgotten.  why is NULL unless
	 * it was refused: the pod is gone, or we stopped. */
	void (*failed)(void *arg, const struct placement *placement,
	    const char *why);
	/* A binding was answered: there is room for another. */
	void (*room)(void *arg);
};

/* limit: of bindings that wait for their answer. */
struct binder *binder_new(struct api_client *client, struct cluster *cluster,
    size_t limit, const struct binder_ops *ops, void *arg);
/* Ends all callbacks; accepts NULL. */
void binder_free(struct binder *binder);

void binder_set_limit(struct binder *binder, size_t limit);
bool binder_has_room(const struct binder *binder);
/* Bindings that wait for their answer. */
size_t binder_in_flight(const struct binder *binder);
/* Pods that are assumed. */
size_t binder_assumed(const struct binder *binder);
/* Pods that were bound but that the watch did not show for 30 s, so far. */
uint64_t binder_expired(const struct binder *binder);
/* Whether this pod is in the binder's hands. */
bool binder_holds(const struct binder *binder, const char *uid);

/* The pod is to go to the node, from now on for the cluster, too.  Keeps a
 * copy.  -1 when it is on one already: see cluster_assume(). */
int binder_assume(struct binder *binder, const struct placement *placement,
    struct err *err);
/* Sends the binding of a pod that was assumed; by: to the one of these extenders
 * that binds it, NULL: to the API server. */
void binder_send(struct binder *binder, const char *uid, struct extenders *by);
/* Takes the pod back instead; ops->failed() is not called. */
void binder_forget(struct binder *binder, const char *uid);

/* The watch has the pod on a node, which the cluster knows already, or the pod
 * is gone, which this reports to the cluster.  True when it was assumed. */
bool binder_confirm(struct binder *binder, const struct pod *pod);
bool binder_remove(struct binder *binder, const char *uid);

/* Gives up all bindings without an answer, because we may bind no longer; their
 * results are looked up. */
void binder_abandon(struct binder *binder);

/* To be called about once a second. */
void binder_tick(struct binder *binder);

#endif
