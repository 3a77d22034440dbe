/* Time that only moves forwards, for timers, ages and durations, and the waiting
 * times of timers. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <sys/time.h>
#include <time.h>

static inline int64_t
clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int64_t
clock_ms(void)
{
	return clock_us() / 1000;
}

static inline double
clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Microseconds of a processor that this thread has used. */
static inline int64_t
clock_cpu_us(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static inline struct timeval
clock_timeval(int64_t ms)
{
	return (struct timeval){ .tv_sec = ms / 1000,
		.tv_usec = (ms % 1000) * 1000 };
}

/* Starts a timer of libevent, also again; it runs out after so many ms. */
#define timer_start(timer, ms)                                                 \
	event_add((timer), (const struct timeval[]){ clock_timeval(ms) })

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
