/*
 * The cost of preemption on a node (kube-scheduler 1.15,
 * pickOneNodeForPreemption; doc/semantics/04-scheduling-loop.md, Preemption).
 */
#ifndef ECACHE_EVICTION_COST_H
#define ECACHE_EVICTION_COST_H

#include <stdbool.h>
#include <stdint.h>

/* The members are compared in turn: of nodes with equal cost any may be taken. */
struct eviction_cost {
	uint32_t nvictims;
	uint32_t violations;
	int32_t first_priority; /* of the first victim */
	/* Start of the earliest among the victims of the highest priority. */
	bool started;
	int32_t start_nanoseconds;
	int64_t start_seconds;
	int64_t priorities; /* their sum */
};

/* Negative: a is less.  No victims at all are less than any. */
int eviction_cost_compare(const struct eviction_cost *a,
    const struct eviction_cost *b);

/* What differs most often comes first. */
static inline bool
eviction_cost_equal(const struct eviction_cost *a,
    const struct eviction_cost *b)
{
	return a->start_seconds == b->start_seconds &&
	    a->priorities == b->priorities && a->nvictims == b->nvictims &&
	    a->first_priority == b->first_priority &&
	    a->violations == b->violations && a->started == b->started &&
	    a->start_nanoseconds == b->start_nanoseconds;
}

/*
 * Whether a node must cost more than most, of which it is known that
 * `at_least` is what it would do if the pod asked less.  Asking more, the first
 * pod to stay out is the same or one before it: so a budget is violated if one
 * was, and if none is the first victim is no less important.
 */
bool eviction_cost_exceeds(const struct eviction_cost *at_least,
    const struct eviction_cost *most);

#endif
