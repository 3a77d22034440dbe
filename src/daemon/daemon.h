/*
 * The daemon as a whole: builds its parts, joins them and runs them on one
 * event loop.
 *
 *	start ─▶ what Kubernetes is it? ─▶ caches fill ─▶ stand for election
 *	             GET /version            (ready)            │
 *	                                                        ▼
 *	SIGTERM ─▶ stop taking pods ─▶ answers ─▶ release    schedule
 *	             of bindings come in           the lock
 *
 * Losing the lock is no end: the caches stay warm.  SIGHUP reads options and
 * policy again.
 */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

struct daemon;
struct daemon_options;
struct err;

/* options outlives the daemon, which reads it again on SIGHUP. */
struct daemon *daemon_new(struct daemon_options *options, struct err *err);
/* Until it is told to stop; returns the process' exit status. */
int daemon_run(struct daemon *daemon);
void daemon_free(struct daemon *daemon); /* accepts NULL */

/* --check: says on standard error what is wrong with options and policy;
 * returns the process' exit status. */
int daemon_check(const struct daemon_options *options);

#endif
