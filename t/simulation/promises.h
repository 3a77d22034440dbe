/* What must hold of every run; doc/promises.md. */
#ifndef T_SIMULATION_PROMISES_H
#define T_SIMULATION_PROMISES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;
struct json_object;
struct object;
struct profile;

/* The default profile of v1 (t/lib/profile.h); and, in other worlds, the policy of all
 * daemons: the default provider. */
#define PROMISED_CONFIGURATION T_CONFIGURATION("v1", "")
#define PROMISED_POLICY "{\"kind\":\"Policy\",\"apiVersion\":\"v1\"}"

/* calm: nothing is lost on the way. */
void promises_reset(bool calm);
bool promises_calm(void);

/* Bindings are counted and not looked at. */
extern bool promises_off;

/* The first that was broken, NULL: none. */
const char *promise_broken(void);
void promise_breaks(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A daemon sends a request; and what the server takes of them. */
void promise_request(const char *who, const char *method, const char *path);
void promise_binding(const char *who, bool late, struct json_object *pod,
    const char *node);
void promise_nomination(struct json_object *pod, const char *node);
void promise_eviction(const char *who, int64_t sent,
    struct json_object *victim);
/* before: who had it, "" for nobody; it was renewed so long ago. */
void promise_lease(const char *who, struct json_object *lease,
    const char *before, int64_t age);
void promise_event(const char *who, struct json_object *event);

/* Nothing has changed for longer than anything takes: no pod waits that fits. */
void promise_quiet(void);

/* What the server has, as a daemon that knows all of it has it; you own it. */
struct cluster *promised_cluster(void);
struct object *promised_object(struct json_object *object); /* NULL: it broke */
struct profile *promised_profile(void);

struct promise_counts {
	size_t bindings, evictions, quiets, waiting;
};
struct promise_counts promises_count(void);

/* A line of the history. */
void trace(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern bool tracing;

#endif
