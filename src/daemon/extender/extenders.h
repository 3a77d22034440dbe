/*
 * The HTTP extenders of a profile: services that filter, score, bind and take
 * part in preemption (doc/semantics/05-extenders.md).
 *
 *	the nodes that fit ─▶ filter, one extender after the other
 *	                          │ each gets those that the previous one left
 *	                          ▼
 *	                      prioritize, all at once ─▶ decided
 *
 * Nothing here blocks: the answers are collected in an extension
 * (decide/framework/extension.h), and the cluster changes between two answers.  So the
 * nodes that fit are computed again before each request, and the decision is
 * made in the end as if all answers had been known from the start.
 *
 * An extender is asked about a pod when it manages no resources, or one that
 * the pod asks for.
 */
#ifndef EXTENDER_EXTENDERS_H
#define EXTENDER_EXTENDERS_H

#include "base/sym.h"

struct cluster;
struct documents;
struct event_base;
struct extension;
struct extenders;
struct metrics;
struct pod;
struct pod_class;
struct preemption_candidate;
struct profile;
struct profiles;

/* Also of a profile without any.  All outlive it, but for the profile when it
 * is retired. */
struct extenders *extenders_new(struct event_base *base,
    struct cluster *cluster, struct documents *documents,
    struct metrics *metrics, const struct profile *profile);
/* Keeps from now on the documents that extenders of these profiles need. */
void extenders_keep_documents(struct documents *documents,
    const struct profiles *profiles);
/* Nothing may be under way; accepts NULL. */
void extenders_free(struct extenders *extenders);
/* Something is under way. */
bool extenders_busy(const struct extenders *extenders);

/* Whether an extender of this pod filters or scores; takes part in preemption;
 * binds. */
bool extenders_decide(const struct extenders *extenders,
    const struct pod_class *class);
bool extenders_preempt(const struct extenders *extenders,
    const struct pod_class *class);
bool extenders_bind(const struct extenders *extenders,
    const struct pod_class *class);

/* ---- deciding ---- */

struct extender_round;

struct extender_round_ops {
	/* The nodes that fit the pod now, given the answers so far; you own
	 * *nodes. */
	size_t (*fitting)(void *arg, const struct extension *said, sym **nodes);
	/* All have answered; or error says why the attempt fails. */
	void (*decided)(void *arg, const struct extension *said,
	    const char *error);
};

/* Begins; decided() comes from the event loop, once. */
struct extender_round *extender_round_new(struct extenders *extenders,
    const struct pod *pod, const struct extender_round_ops *ops, void *arg);
/* Ends it, also early.  Accepts NULL. */
void extender_round_free(struct extender_round *round);

/* ---- preempting ---- */

struct extender_eviction;

/*
 * Which of the candidates, and which victims, the extenders leave: done() is
 * called from the event loop, once.  Its arguments are valid during the call;
 * error says why no pod may be evicted, or is NULL.
 */
struct extender_eviction *extender_eviction_new(struct extenders *extenders,
    const struct pod *pod, const struct preemption_candidate *candidates,
    size_t n,
    void (*done)(void *arg, const struct preemption_candidate *left, size_t n,
	const char *error),
    void *arg);
/* Ends it, also early.  Accepts NULL. */
void extender_eviction_free(struct extender_eviction *eviction);

/* ---- binding ---- */

struct extender_binding;

/* For a pod of which extenders_bind() is true.  done() comes from the event
 * loop, once: error is NULL when the extender says that it has bound the pod.
 * Valid until then. */
struct extender_binding *extender_binding_new(struct extenders *extenders,
    const struct pod *pod, sym node, void (*done)(void *arg, const char *error),
    void *arg);
/* done() will not be called; accepts NULL.  Not from done() on. */
void extender_binding_cancel(struct extender_binding *binding);

#endif
