#include "config.h"

#include "ctl/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PAUSE 0.2 /* seconds between two lines, and before the first */

double
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void
progress_init(struct progress *progress)
{
	progress->terminal = isatty(STDERR_FILENO) == 1;
	progress->shown = false;
	progress->next = seconds_now() + PAUSE;
}

void
progress_show(struct progress *progress, const char *what, size_t done,
    size_t of)
{
	double now;

	if (!progress->terminal)
		return;
	now = seconds_now();
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
