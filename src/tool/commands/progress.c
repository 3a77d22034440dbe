#include "config.h"

#include "tool/commands/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options.h"

#define PAUSE 0.2 /* seconds between two lines, and before the first */

void
progress_init(struct progress *progress)
{
	progress->terminal = isatty(fileno(ctl_messages())) == 1;
	progress->shown = false;
	progress->next = clock_seconds() + PAUSE;
}

static bool
is_due(const struct progress *progress)
{
	return progress->terminal && clock_seconds() >= progress->next;
}

static void
put(struct progress *progress, const char *text)
{
	AUTOFREE char *visible = text_visible(text);

	fprintf(stderr, "\r%s\033[K", visible);
	progress->shown = true;
	progress->next = clock_seconds() + PAUSE;
}

void
progress_show(struct progress *progress, const char *what, size_t done,
    size_t of, const char *unit)
{
	char text[128];

	if (!is_due(progress))
		return;
	if (of > 0)
		snprintf(text, sizeof(text), "%s %zu of %zu %s", what, done, of,
		    unit);
	else
		snprintf(text, sizeof(text), "%s %zu %s", what, done, unit);
	put(progress, text);
}

void
progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}

/* ---- searches ---- */

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

	if (is_due(&work->progress)) {
		XFORMAT(text, fmt);
		put(&work->progress, text);
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
