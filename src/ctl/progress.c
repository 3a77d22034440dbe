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

bool
progress_is_due(const struct progress *progress)
{
	return progress->terminal && clock_seconds() >= progress->next;
}

void
progress_write(struct progress *progress, const char *text)
{
	fprintf(stderr, "\r%s\033[K", text);
	progress->shown = true;
	progress->next = clock_seconds() + PAUSE;
}

void
progress_show(struct progress *progress, const char *what, size_t done,
    size_t of)
{
	char text[128];

	if (!progress_is_due(progress))
		return;
	if (of > 0)
		snprintf(text, sizeof(text), "%s %zu of %zu", what, done, of);
	else
		snprintf(text, sizeof(text), "%s %zu", what, done);
	progress_write(progress, text);
}

void
progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
