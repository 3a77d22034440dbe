#include "config.h"

#include "daemon/scheduler/time_limit.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "decide/framework/cycle.h"

struct time_limit {
	struct cancellation cancellation;
	timer_t timer;
};

/* Any thread may be interrupted by it. */
static void
on_alarm(int signal, siginfo_t *info, void *context)
{
	struct cancellation *cancellation = info->si_value.sival_ptr;

	/* kill(1) sends one, too */
	if (info->si_code == SI_TIMER)
		cancellation->requested = 1;
}

struct time_limit *
time_limit_new(struct err *err)
{
	struct time_limit *limit = xcalloc(1, sizeof(*limit));
	struct sigaction action = { .sa_sigaction = on_alarm,
		.sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGALRM,
		.sigev_value.sival_ptr = &limit->cancellation };

	sigemptyset(&action.sa_mask);
	if (sigaction(SIGALRM, &action, NULL) != 0 ||
	    timer_create(CLOCK_MONOTONIC, &event, &limit->timer) != 0) {
		errf(err, "cannot create a timer: %s", strerror(errno));
		free(limit);
		return NULL;
	}
	return limit;
}

static void
set_timer(struct time_limit *limit, int64_t ms)
{
	struct itimerspec when = { .it_value = { .tv_sec = ms / 1000,
				       .tv_nsec = ms % 1000 * 1000000 } };

	timer_settime(limit->timer, 0, &when, NULL);
}

void
time_limit_free(struct time_limit *limit)
{
	if (limit == NULL)
		return;
	timer_delete(limit->timer);
	signal(SIGALRM, SIG_IGN); /* one may be on its way */
	free(limit);
}

struct cancellation *
time_limit_begin(struct time_limit *limit, int64_t ms)
{
	if (limit == NULL || ms <= 0)
		return NULL;
	/* in this order: the timer before may just have expired */
	set_timer(limit, ms);
	limit->cancellation.requested = 0;
	return &limit->cancellation;
}

void
time_limit_end(struct time_limit *limit)
{
	if (limit != NULL)
		set_timer(limit, 0);
}
