/*
 * A score as a line over a utilization in percent, which an administrator draws
 * through points (kube-scheduler, helper.BuildBrokenLinearFunction).
 *
 * The line is level before the first point and behind the last.  Points are on the
 * scale 0 to 10 whatever a profile's scale.  Divisions truncate towards 0, on
 * falling lines, too.
 */
#ifndef PRIORITIES_SHAPE_H
#define PRIORITIES_SHAPE_H

#include "decide/framework/args.h"
#include "priorities/arith.h"

#define SHAPE_FULL 100

/* The scores at 0 to SHAPE_FULL percent on the scale 0 to max, a multiple of 10;
 * npoints is at least 1. */
void shape_heights(int64_t max, size_t npoints, const struct shape_point *shape,
    int64_t heights[SHAPE_FULL + 1]);

/* At any utilization: extreme quantities wrap around. */
static inline int64_t
shape_height(const int64_t heights[SHAPE_FULL + 1], int64_t utilization)
{
	if (utilization < 0)
		return heights[0];
	return heights[utilization < SHAPE_FULL ? utilization : SHAPE_FULL];
}

/* The requested part in percent, rounded up: kube-scheduler until 1.20 truncates
 * the free part. */
static inline int64_t
utilization(int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return SHAPE_FULL;
	return wrap_sub(SHAPE_FULL,
	    wrap_div(wrap_mul(wrap_sub(capacity, requested), SHAPE_FULL),
		capacity));
}

/* Truncated, as in 1.36. */
static inline int64_t
utilization_truncated(int64_t requested, int64_t capacity)
{
	if (capacity == 0 || requested > capacity)
		return SHAPE_FULL;
	return wrap_div(wrap_mul(requested, SHAPE_FULL), capacity);
}

/* The same in columns. */
static inline int32_t
utilization_in_columns(double requested, double capacity)
{
	double unused = (capacity - requested) * SHAPE_FULL / capacity;

	return SHAPE_FULL - (int32_t)(unused > 0 ? unused : 0);
}

static inline int32_t
utilization_truncated_in_columns(double requested, double capacity)
{
	return requested > capacity ?
	    SHAPE_FULL :
	    (int32_t)(requested * SHAPE_FULL / capacity);
}

#endif
