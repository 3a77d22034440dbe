/*
 * /metrics/resources: the requests and limits of each pod, as kube-scheduler 1.36
 * shows it.  Pods on nodes and pods that wait for this scheduler; not those that
 * have ended.
 */
#ifndef DAEMON_POD_RESOURCES_H
#define DAEMON_POD_RESOURCES_H

#include <stdbool.h>

struct cluster;
struct pod;
struct queue;
struct text;

/* is_assumed: whether a pod of the queue is on a node in the cluster's view. */
void pod_resources_write(const struct cluster *cluster,
    const struct queue *queue,
    bool (*is_assumed)(void *arg, const struct pod *pod), void *arg,
    struct text *out);

#endif
