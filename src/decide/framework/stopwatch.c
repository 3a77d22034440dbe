#include "config.h"

#include "decide/framework/stopwatch.h"

#include "base/clock.h"

double
stopwatch_now(void)
{
	return clock_seconds();
}

void
stopwatch_add(struct stopwatch *watch, enum extension_point point,
    const void *unit, double started)
{
	double seconds = clock_seconds() - started;

	for (size_t i = 0; i < watch->n; i++)
		if (watch->units[i].unit == unit &&
		    watch->units[i].point == point) {
			watch->units[i].seconds += seconds;
			return;
		}
	if (watch->n < LENGTH(watch->units))
		watch->units[watch->n++] =
		    (struct timed_unit){ unit, point, seconds };
}
