/*
 * preempt(): which node could take the pod if pods of lower priority left it
 * (doc/semantics/04-scheduling-loop.md, Preemption; for profiles of plugins the
 * quirks of doc/semantics/12-kube-1.20.md and doc/semantics/11-kube-1.36.md).  Pure,
 * beside decide().
 *
 * The arguments of DefaultPreemption, how many candidates are enough, have no
 * effect: the best of all is one that the reference may choose.
 */
#ifndef SCHED_PREEMPT_H
#define SCHED_PREEMPT_H

#include "decide/framework/candidate.h"
#include "decide/sched/decide.h"

struct preemption {
	const struct node_info *node; /* NULL: no node would help */
	size_t nvictims;
	const struct pod **victims; /* in the order of their deletion */
	/* Pods whose nomination is to be cleared: those of lower priority
	 * nominated to the node; or the pod itself when no node would help. */
	size_t nclears;
	const struct pod **clears;
};

/*
 * For a decision that placed nothing and is no error.  NULL: the pod may not
 * preempt (anything more) now, the profile is without DefaultPreemption, or the
 * decision is abandoned.  In cycle->arena.
 */
struct preemption *preempt(struct cycle *cycle, struct decision *decision);

/* Why the pod may not preempt (anything more) now, as kube-scheduler 1.36 says it;
 * NULL: it may. */
const char *preempt_ineligible(const struct cycle *cycle,
    const struct decision *decision);

/* The next of the pods that are still terminating on the node that the pod is nominated
 * to, for which it waits (as kube-scheduler does, before it preempts again); NULL: no
 * more.  *at begins at 0. */
const struct pod *preempt_awaited(const struct cycle *cycle,
    const struct decision *decision, uint32_t *at);

/* All candidates, for extenders that select among them; as preempt().  In
 * cycle->arena. */
struct preemption_candidate *preempt_candidates(struct cycle *cycle,
    struct decision *decision, size_t *n);
/* The one that costs the least; never NULL. */
struct preemption *preempt_among(struct cycle *cycle,
    const struct preemption_candidate *candidates, size_t n);

#endif
