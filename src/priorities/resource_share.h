/*
 * The requests on a node including the pod, for the priorities that compare them
 * with the node's allocatable.
 *
 * A container without requests counts as if it requested 100m of cpu and 200 MiB
 * of memory, so that a node full of such containers does not look empty.  The
 * profile's release says which containers count (pod_nonzero_pending()).
 *
 * And the shares of one resource that scores are made of, on the scale 0 to max.
 */
#ifndef PRIORITIES_RESOURCE_SHARE_H
#define PRIORITIES_RESOURCE_SHARE_H

#include "base/vectorize.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "priorities/arith.h"

static inline int64_t
pod_cpu_milli(const struct cycle *cycle)
{
	return pod_nonzero_pending(cycle->class,
	    scored_by(cycle->profile->release), cycle_release(cycle))
	    .cpu_milli;
}

static inline int64_t
pod_memory(const struct cycle *cycle)
{
	return pod_nonzero_pending(cycle->class,
	    scored_by(cycle->profile->release), cycle_release(cycle))
	    .memory;
}

/* The sums of a node's pods, and those of the nodes of a block. */
static inline const struct nonzero_requests *
scored_on(const struct cycle *cycle, const struct node_info *node)
{
	return &node->scored[scored_by(cycle->profile->release)];
}

static inline const struct column_scored *
scored_in(const struct cycle *cycle, const struct column_block *b)
{
	return &b->scored[scored_by(cycle->profile->release)];
}

static inline int64_t
cpu_milli_with_pod(const struct cycle *cycle, const struct node_info *node)
{
	return wrap_add(scored_on(cycle, node)->cpu_milli,
	    pod_cpu_milli(cycle));
}

static inline int64_t
memory_with_pod(const struct cycle *cycle, const struct node_info *node)
{
	return wrap_add(scored_on(cycle, node)->memory, pod_memory(cycle));
}

/* The part that is left free, the pod included; 0 if more is requested. */
static inline int64_t
free_share(int64_t max, int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return 0;
	return wrap_div(wrap_mul(wrap_sub(capacity, requested), max), capacity);
}

/* The part that is requested, the pod included; 0 if more is. */
static inline int64_t
used_share(int64_t max, int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return 0;
	return wrap_div(wrap_mul(requested, max), capacity);
}

/* The same in columns. */
static inline int32_t
free_share_in_columns(double max, double requested, double capacity)
{
	double share = (capacity - requested) * max / capacity;

	return (int32_t)(share > 0 ? share : 0);
}

static inline int32_t
used_share_in_columns(double max, double requested, double capacity)
{
	double used = requested <= capacity ? requested : 0;

	return (int32_t)(used * max / capacity);
}

/*
 * Whether columns can be computed with the pod, too.  Then (amount * score_max)
 * / capacity in doubles, truncated, equals the result in whole numbers:
 * quotients of numbers below 2^53 are further from the next whole number than
 * rounding goes.
 */
static inline bool
pod_fits_columns(const struct cycle *cycle)
{
	return column_amount(pod_cpu_milli(cycle)) &&
	    column_amount(pod_memory(cycle)) &&
	    cycle->profile->score_max >= 0 && cycle->profile->score_max <= 100;
}

#endif
