/*
 * The PostFilter stage: the plugins that run for a pod that fits nowhere, as the
 * profile lists them (doc/semantics/11-kube-1.36.md, Preemption).  A
 * policy has preemption there, and says nothing about it.
 */
#ifndef SCHED_POST_FILTER_H
#define SCHED_POST_FILTER_H

#include "decide/framework/verdict.h"
#include "decide/sched/preempt.h"

struct post_filter {
	bool
	    ran; /* false: there is no plugin, or it says nothing (before 1.36) */
	/* FITS: a node is nominated; UNFIT; BROKEN: a plugin failed. */
	enum verdict verdict;
	/* As kube-scheduler appends it to the decision's message; "" when a node
	 * is nominated. */
	const char *message;
	bool preempts; /* DefaultPreemption was asked */
	/* As of preempt(). */
	struct preemption *preemption;
	/* A claim that is to give its devices back, as they cannot be used; or the
	 * one that was made for the pod's extended resources, which is to be
	 * deleted.  NULL: none. */
	const struct resource_claim *deallocated, *deleted;
};

/* For a decision that placed nothing and is no error.  In cycle->arena; the
 * decision may be abandoned by it. */
struct post_filter *post_filter(struct cycle *cycle, struct decision *decision);

/* The decision's message and the plugins' after it, as users see it; in
 * cycle->arena. */
const char *post_filter_message(struct cycle *cycle, const char *message,
    const struct post_filter *post);

#endif
