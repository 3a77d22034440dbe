/* Time for timers: the clock (base/clock.h), and random jitter. */
#ifndef API_CLOCK_H
#define API_CLOCK_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>

#include "base/clock.h"

static inline struct timeval
clock_timeval(int64_t ms)
{
	return (struct timeval){ .tv_sec = ms / 1000,
		.tv_usec = (ms % 1000) * 1000 };
}

/*
 * How long to wait before the next try after so many failures in a row (from
 * 1): base doubles with each up to max; half of it is left to chance, so that
 * many clients of a server that comes back do not come back together.
 */
static inline int64_t
backoff_ms(unsigned failures, int64_t base, int64_t max)
{
	int64_t wait = base;

	while (failures-- > 1 && wait < max)
		wait *= 2;
	if (wait > max)
		wait = max;
	return wait / 2 + arc4random_uniform((uint32_t)(wait / 2 + 1));
}

#endif
