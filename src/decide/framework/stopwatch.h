/*
 * How long units take in one decision, for a caller that measures it: a sample of
 * decisions has a stopwatch (cycle->stopwatch), in the others it is NULL and costs
 * a comparison per call.  The clock is read out of line: its code would double that
 * of the loops that call units.
 */
#ifndef FRAMEWORK_STOPWATCH_H
#define FRAMEWORK_STOPWATCH_H

#include "decide/framework/extension_point.h"

struct stopwatch {
	size_t n;
	struct timed_unit {
		const void *unit; /* struct predicate or struct priority */
		enum extension_point point;
		double seconds;
	} units[96]; /* others are not counted */
};

/* For the functions below. */
double stopwatch_now(void) __attribute__((cold));
void stopwatch_add(struct stopwatch *watch, enum extension_point point,
    const void *unit, double started) __attribute__((cold));

static inline double
stopwatch_start(const struct stopwatch *watch)
{
	return watch != NULL ? stopwatch_now() : 0;
}

/* Adds the time since stopwatch_start() to the unit's at this point: PRE_FILTER or
 * PRE_SCORE for prepare(), else FILTER or SCORE. */
static inline void
stopwatch_stop(struct stopwatch *watch, enum extension_point point,
    const void *unit, double started)
{
	if (watch != NULL)
		stopwatch_add(watch, point, unit, started);
}

#endif
