/*
 * A limit on how long a decision may take.  It is kept by a timer of the kernel's
 * whose signal (SIGALRM) does nothing but set a flag that the decision looks at:
 * the event loop, which would notice too late, has no part in it.
 */
#ifndef DAEMON_TIME_LIMIT_H
#define DAEMON_TIME_LIMIT_H

#include <stdint.h>

struct cancellation;
struct err;
struct time_limit;

/* One in a process.  NULL: the system has no such timers. */
struct time_limit *time_limit_new(struct err *err);
void time_limit_free(struct time_limit *limit); /* accepts NULL */

/* For cycle->cancellation, requested ms from now; NULL, without a limit, for 0 ms
 * and for no limit.  Valid until time_limit_end(). */
struct cancellation *time_limit_begin(struct time_limit *limit, int64_t ms);
void time_limit_end(struct time_limit *limit); /* accepts NULL */

#endif
