/* "tried 1200 of 8152 pods" on a terminal while long work goes on; nothing if
 * standard error is not a terminal, or if the work is short. */
#ifndef CTL_PROGRESS_H
#define CTL_PROGRESS_H

#include <signal.h>

struct options;

struct progress {
	bool terminal, shown;
	double next; /* when to write again */
};

void progress_init(struct progress *progress);
/* `of` 0: it is not known how many there will be. */
void progress_show(struct progress *progress, const char *what, size_t done,
    size_t of, const char *unit);
/* Clears the line, before any other output. */
void progress_end(struct progress *progress);

/*
 * A search that may take long: it ends at a time limit or with Ctrl-C, and keeps the
 * best result so far.  A second Ctrl-C ends the program.
 */
enum long_work_end {
	LONG_WORK_DONE,
	LONG_WORK_TIME, /* options->time_limit is over */
	LONG_WORK_INTERRUPTED,
};

struct long_work {
	struct progress progress;
	double until; /* clock_seconds() */
	enum long_work_end end;
	struct sigaction before; /* of SIGINT */
};

void long_work_begin(struct long_work *work, const struct options *options);
/* False: it is time to stop.  Shows the text as progress. */
bool long_work_goes_on(struct long_work *work, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void long_work_end(struct long_work *work);

/* Why it was stopped, as the end of a sentence; NULL: it was not. */
const char *long_work_why(const struct long_work *work);

#endif
