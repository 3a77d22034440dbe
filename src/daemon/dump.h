/*
 * Logs the cached nodes, with their requests and pods, and the scheduling queue on
 * SIGUSR2, as kube-scheduler's cache debugger does (1.36,
 * pkg/scheduler/backend/cache/debugger).  Unlike there, each node and each pending pod
 * is a line of its own.
 */
#ifndef DAEMON_DUMP_H
#define DAEMON_DUMP_H

struct cluster;
struct queue;

/* Returns at once: a forked process writes the present state.  Until it has ended,
 * further calls have no effect. */
void dump_to_log(const struct cluster *cluster, const struct queue *queue);

#endif
