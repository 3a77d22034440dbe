#include "config.h"

#include "ctl/long_work.h"

#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "ctl/options.h"

static volatile sig_atomic_t interrupted;

static void
on_interrupt(int number)
{
	interrupted = 1;
}

void
long_work_begin(struct long_work *work, const struct options *options)
{
	struct sigaction action = { .sa_handler = on_interrupt,
		.sa_flags = (int)SA_RESETHAND };

	memset(work, 0, sizeof(*work));
	progress_init(&work->progress);
	work->until = clock_seconds() + options->time_limit;
	interrupted = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &work->before);
}

bool
long_work_goes_on(struct long_work *work, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	va_list ap;

	if (progress_is_due(&work->progress)) {
		va_start(ap, fmt);
		text = xvasprintf(fmt, ap);
		va_end(ap);
		progress_write(&work->progress, text);
	}
	if (interrupted)
		work->end = LONG_WORK_INTERRUPTED;
	else if (clock_seconds() >= work->until)
		work->end = LONG_WORK_TIME;
	return work->end == LONG_WORK_DONE;
}

void
long_work_end(struct long_work *work)
{
	progress_end(&work->progress);
	sigaction(SIGINT, &work->before, NULL);
}

const char *
long_work_why(const struct long_work *work)
{
	switch (work->end) {
	case LONG_WORK_TIME:
		return "the time limit was reached";
	case LONG_WORK_INTERRUPTED:
		return "it was interrupted";
	case LONG_WORK_DONE:
		break;
	}
	return NULL;
}
