/*
 * What the daemon holds, written to the log on SIGUSR2, as kube-scheduler's cache
 * debugger does (pkg/scheduler/backend/cache/debugger, 1.36): nodes with their
 * requests and pods, and the queue.  Unlike there, a line for each node and pod.
 */
#ifndef DAEMON_DUMP_H
#define DAEMON_DUMP_H

struct cluster;
struct queue;

/* Returns at once: a copy of the process writes, of what is held now.  While it does, a
 * further call has no effect. */
void dump_to_log(const struct cluster *cluster, const struct queue *queue);

#endif
