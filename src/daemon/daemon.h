/*
 * The daemon as a whole: builds its parts, joins them and runs them on one
 * event loop.
 *
 *	start ─▶ which version? ─▶ caches fill ─▶ stand for election
 *	          GET /version        (ready)            │
 *	                                                 ▼
 *	SIGTERM ─▶ take no more pods ─▶ wait for ─▶   schedule
 *	                  answers to bindings, release the lock
 *
 * Losing the lock does not end the process: the caches stay warm.  SIGHUP reads options and
 * policy again.
 */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

struct daemon;
struct daemon_options;

/* options outlives the daemon, which reads it again on SIGHUP. */
struct daemon *daemon_new(struct daemon_options *options, struct err *err);
/* Runs until a stop signal; returns the process' exit status.  Or until what everything
 * was built on turns out to be wrong, the release: DAEMON_AGAIN, a new daemon is needed. */
#define DAEMON_AGAIN (-1)
int daemon_run(struct daemon *daemon);
void daemon_free(struct daemon *daemon); /* accepts NULL */

/* --check: writes errors of options and policy to standard error; returns the
 * process' exit status. */
int daemon_check(const struct daemon_options *options);

#endif
