/*
 * A limit on how long a decision may take: a kernel timer whose signal (SIGALRM)
 * sets the flag that the decision looks at.  The event loop cannot do this, as it
 * does not run while the decision is made.
 */
#ifndef SCHEDULER_TIME_LIMIT_H
#define SCHEDULER_TIME_LIMIT_H

struct cancellation;
struct time_limit;

/* One in a process.  NULL: the system has no such timers. */
struct time_limit *time_limit_new(struct err *err);
void time_limit_free(struct time_limit *limit); /* accepts NULL */

/* For cycle->cancellation, requested ms from now; NULL (never) if ms is 0 or
 * limit is NULL.  Valid until time_limit_end(). */
struct cancellation *time_limit_begin(struct time_limit *limit, int64_t ms);
void time_limit_end(struct time_limit *limit); /* accepts NULL */

#endif
