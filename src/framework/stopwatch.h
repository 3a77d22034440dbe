/*
 * How long units take in one decision, for a caller that measures it: a sample of
 * decisions has a stopwatch (cycle->stopwatch), in the others it is NULL and costs
 * a comparison per call.
 */
#ifndef FRAMEWORK_STOPWATCH_H
#define FRAMEWORK_STOPWATCH_H

#include <stddef.h>

#include "base/clock.h"
#include "framework/extension_point.h"

struct stopwatch {
	size_t n;
	struct timed_unit {
		const void *unit; /* struct predicate or struct priority */
		enum extension_point point;
		double seconds;
	} units[96]; /* others are not counted */
};

static inline double
stopwatch_start(const struct stopwatch *watch)
{
	return watch != NULL ? clock_seconds() : 0;
}

void stopwatch_add(struct stopwatch *watch, enum extension_point point,
    const void *unit, double seconds);

/* Adds the time since stopwatch_start() to the unit's at this point: PRE_FILTER or
 * PRE_SCORE for prepare(), else FILTER or SCORE. */
static inline void
stopwatch_stop(struct stopwatch *watch, enum extension_point point,
    const void *unit, double started)
{
	if (watch != NULL)
		stopwatch_add(watch, point, unit, clock_seconds() - started);
}

#endif
