/*
 * A search that may take long: it ends at a time limit or with Ctrl-C, and keeps the
 * best result so far.  A second Ctrl-C ends the program.
 */
#ifndef CTL_LONG_WORK_H
#define CTL_LONG_WORK_H

#include <signal.h>
#include <stdbool.h>

#include "ctl/progress.h"

struct options;

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
