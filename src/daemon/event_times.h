/*
 * The metric of how long changes of objects take, by kube-scheduler's names of
 * events: of 1.36, where each names the part of a node that changed.
 */
#ifndef DAEMON_EVENT_TIMES_H
#define DAEMON_EVENT_TIMES_H

struct metrics;
struct object;

/* before: NULL, the object is new; after: NULL, it is gone. */
void event_times_observe(struct metrics *metrics, const struct object *before,
    const struct object *after, double seconds);

#endif
