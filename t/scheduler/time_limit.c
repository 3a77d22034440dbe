/* The limit on how long a decision may take needs no event loop. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/scheduler/time_limit.h"
#include "base/clock.h"
#include "base/err.h"
#include "decide/framework/cycle.h"
#include "t/lib/t.h"

static struct time_limit *
new_limit(void)
{
	struct err err;
	struct time_limit *limit = time_limit_new(&err);

	if (limit == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	return limit;
}

static void
it_is_requested_when_the_time_is_over(void)
{
	struct time_limit *limit = new_limit();

	for (int i = 0; i < 3; i++) {
		int64_t begun = clock_us(), ms = 20 + 10 * i;
		struct cancellation *c = time_limit_begin(limit, ms);
		struct cycle cycle = { .cancellation = c };

		t_true("not at once",
		    !cycle_is_cancelled(&cycle) ||
			clock_us() - begun >= ms * 1000);
		while (!cycle_is_cancelled(&cycle) &&
		    clock_us() - begun < 20000000)
			continue;
		t_true("in the end", cycle_is_cancelled(&cycle));
		t_true("not too early", clock_us() - begun >= ms * 1000);
		time_limit_end(limit);
	}
	time_limit_free(limit);
}

static void
one_that_has_ended_is_not(void)
{
	struct time_limit *limit = new_limit();
	struct cancellation *c = time_limit_begin(limit, 30);
	bool soon = c->requested == 0;

	time_limit_end(limit);
	usleep(60000);
	/* a machine that slept for 30 ms between the two proves nothing */
	t_true("nothing happens later", !soon || c->requested == 0);
	time_limit_free(limit);
}

static void
zero_is_no_limit(void)
{
	struct time_limit *limit = new_limit();
	struct cycle cycle = { .cancellation = time_limit_begin(limit, 0) };

	t_true("none", cycle.cancellation == NULL);
	t_true("never", !cycle_is_cancelled(&cycle));
	t_true("nor without a timer", time_limit_begin(NULL, 5) == NULL);
	time_limit_end(NULL);
	time_limit_end(limit);
	time_limit_free(limit);
}

static void
signals_of_others_do_not_count(void)
{
	struct time_limit *limit = new_limit();
	struct cancellation *c = time_limit_begin(limit, 3600000);

	kill(getpid(), SIGALRM);
	raise(SIGALRM);
	t_int("not requested", c->requested, 0);
	time_limit_free(limit);
}

T_MAIN(T(it_is_requested_when_the_time_is_over), T(one_that_has_ended_is_not),
    T(zero_is_no_limit), T(signals_of_others_do_not_count))
