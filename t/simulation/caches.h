/*
 * What daemons hold, compared with what the server has.
 */
#ifndef T_SIMULATION_CACHES_H
#define T_SIMULATION_CACHES_H

struct cluster;
struct event_base;
struct scheduler;

/* That of the daemon of this event loop; NULL: there is none. */
const struct scheduler *scheduler_of(const struct event_base *base);
/* It is about to be freed. */
void scheduler_forget(const struct event_base *base);

/* When the world is quiet: the daemon of this event loop knows what the server has, and
 * keeps nothing else.  *server: the server's objects; NULL: they are taken now, and the
 * caller frees them. */
void promise_caches(const struct event_base *base, const char *who,
    struct cluster **server);

#endif
