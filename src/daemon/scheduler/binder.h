/*
 * Pods that were placed on a node and are not there yet according to the watch:
 * they count as being there (cluster_assume), their binding is on its way.
 *
 *	                      201
 *	send ──▶ SENT ──────────────────▶ ACCEPTED ──┐
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
#ifndef SCHEDULER_BINDER_H
#define SCHEDULER_BINDER_H

#include <sys/queue.h>

#include "base/sym.h"

struct api_call;
struct bind_failure;
struct extender_binding;
struct extenders;
struct flight;
struct flights;
struct pod;
struct volume_job;

/* Times are of clock_ms(). */
struct placement {
	const struct pod *pod; /* without a node */
	sym node;
	uint32_t attempt;              /* from 1 */
	bool flushed;                  /* as of struct queue_attempt */
	int64_t added_ms;              /* when the pod came to the queue */
	int64_t first_ms;              /* when it could be tried at first */
	int64_t popped_ms;             /* when this attempt began */
	int64_t sent_ms;               /* when its binding was sent */
	uint32_t nexamined, nfeasible; /* nodes looked at, and found to fit */
};

enum binding_state {
	BINDING_ASSUMED, /* not sent yet */
	BINDING_SENT,
	BINDING_ACCEPTED,
	BINDING_DOUBTFUL,
	BINDING_CHECKING,
};

struct binding {
	LIST_ENTRY(binding) all;
	struct flight *flight;
	struct placement at;
	struct volume_job *volumes; /* while they are bound, else NULL */
	enum binding_state state;
	bool reported; /* ops->bound() was called */
	bool over;     /* the watch has it; only the answer is waited for */
	struct api_call *call;
	struct extender_binding *by; /* an extender's call, instead */
	int64_t deadline_ms;         /* of ACCEPTED and DOUBTFUL */
	/* Of DOUBTFUL and CHECKING; NULL: no request failed. */
	char *why;
};

/* The pod is to go to the node, from now on for the cluster, too; what was still to
 * be written about it as one that waits is not.  Keeps a copy.  -1 when it is on
 * one already: see cluster_assume(). */
int binding_assume(struct flights *flights, const struct placement *placement,
    struct err *err);
/* Sends the binding of a pod that was assumed; by: to the one of these extenders
 * that binds it, NULL: to the API server. */
void binding_send(struct flights *flights, const struct pod *pod,
    struct extenders *by);

/* Gives up all bindings without an answer, because we may bind no longer, or their
 * extenders go; their results are looked up. */
void bindings_abandon(struct flights *flights);

/* ---- for the other parts of a flight ---- */

/* The pod is on this node, SYM_NONE: gone.  Whether it was assumed. */
bool binding_ended(struct flight *flight, sym node);
/* Ends the binding with ops->failed(); texts may be its own. */
void binding_fail(struct binding *binding, const struct bind_failure *failure);
/* What is due at this time. */
void binding_check(struct binding *binding, int64_t now_ms);
/* Gives up requests under way; accepts NULL. */
void binding_free(struct binding *binding);

#endif
