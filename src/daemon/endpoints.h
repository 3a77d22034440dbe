/*
 * The pages of our HTTPS server: health checks, metrics, /configz and /debug
 * (debug_pages.h); and access to them.
 */
#ifndef DAEMON_ENDPOINTS_H
#define DAEMON_ENDPOINTS_H

struct daemon_options;
struct endpoints;
struct event_base;
struct json_out;
struct metrics;
struct scheduler;
struct text;

struct endpoints_options {
	struct event_base *base;
	const struct daemon_options *options;
	struct metrics *metrics;
	struct scheduler *scheduler;
	/* The checks leaderElection (everywhere) and informer-sync and policy
	 * (readyz): 0, or -1 with the reason. */
	int (*check_leader)(void *arg, struct err *err);
	int (*check_caches)(void *arg, struct err *err);
	int (*check_policy)(void *arg, struct err *err);
	bool (*is_leader)(void *arg);
	/* Writes members of an object: "leader" and "problems" (doc/web.md). */
	void (*show_problems)(void *arg, struct json_out *json);
	/* The minor release of Kubernetes whose rules apply; 0: not yet known. */
	int (*release)(void *arg);
	/* Writes JSON: which policy is in force. */
	void (*show_policy)(void *arg, struct text *out);
	/* The cluster's client CA cannot be looked up, and that is not
	 * tolerated. */
	void (*failed)(void *arg, const char *why);
	void *arg;
};

/* Listens at once; with port 0 it opens no server, and the result is still not
 * NULL.  Everything outlives it.  NULL: err. */
struct endpoints *endpoints_new(const struct endpoints_options *options,
    struct err *err);
void endpoints_free(struct endpoints *endpoints); /* accepts NULL */

/* Looks at certificates again (SIGHUP). */
void endpoints_reload(struct endpoints *endpoints);

/* Checks the options as endpoints_new() would. */
int endpoints_check(const struct daemon_options *options, struct err *err);

#endif
