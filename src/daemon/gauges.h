/*
 * Metrics about other parts: copies of the counts that they keep, how long changes of
 * objects take, and the requests of pods.
 */
#ifndef DAEMON_GAUGES_H
#define DAEMON_GAUGES_H

struct caches;
struct cluster;
struct events;
struct metrics;
struct object;
struct scheduler;
struct text;

/* caches may be NULL. */
void gauges_update(struct metrics *metrics, const struct scheduler *scheduler,
    const struct cluster *cluster, const struct caches *caches,
    const struct events *events);

/* The change of an object took so long: counted by kube-scheduler's names of events of
 * 1.36, where each names the part of a node that changed.  before: NULL, the object is
 * new; after: NULL, it is gone. */
void event_times_observe(struct metrics *metrics, const struct object *before,
    const struct object *after, double seconds);

/* /metrics/resources: the requests and limits of each pod, as kube-scheduler 1.36
 * shows it.  Pods on nodes and pods that wait for this scheduler; not those that
 * have ended. */
void pod_resources_write(const struct scheduler *scheduler, struct text *out);

#endif
