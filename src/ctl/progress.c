#include "config.h"

#include "ctl/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define PAUSE 0.2 /* seconds between two lines, and before the first */

void
progress_init(struct progress *progress)
{
	progress->terminal = isatty(STDERR_FILENO) == 1;
	progress->shown = false;
	progress->next = clock_seconds() + PAUSE;
}

void
progress_show(struct progress *progress, const char *what, size_t done,
    size_t of)
{
	double now;

	if (!progress->terminal)
		return;
	now = clock_seconds();
	if (now < progress->next)
		return;
	if (of > 0)
		fprintf(stderr, "\r%s %zu of %zu", what, done, of);
	else
		fprintf(stderr, "\r%s %zu", what, done);
	progress->shown = true;
	progress->next = now + PAUSE;
}

void
progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
