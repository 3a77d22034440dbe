/*
 * The cost of preemption on a node (kube-scheduler 1.15,
 * pickOneNodeForPreemption; doc/semantics/04-scheduling-loop.md, Preemption).
 */
#ifndef ECACHE_EVICTION_COST_H
#define ECACHE_EVICTION_COST_H

/* Costs are compared by one member after the other; nodes with equal cost are equally
 * good. */
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

/* Negative: a is less.  No victims cost less than any victims. */
int eviction_cost_compare(const struct eviction_cost *a,
    const struct eviction_cost *b);

/* Begins with the member that differs most often. */
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

#endif
