/*
 * Copies the counts that other parts keep into the metrics.
 */
#ifndef DAEMON_GAUGES_H
#define DAEMON_GAUGES_H

struct caches;
struct cluster;
struct events;
struct metrics;
struct scheduler;

/* caches may be NULL. */
void gauges_update(struct metrics *metrics, const struct scheduler *scheduler,
    const struct cluster *cluster, const struct caches *caches,
    const struct events *events);

#endif
