/*
 * /metrics/resources: the requests and limits of each pod, as kube-scheduler 1.36
 * shows it.  Pods on nodes and pods that wait for this scheduler; not those that
 * have ended.
 */
#ifndef DAEMON_POD_RESOURCES_H
#define DAEMON_POD_RESOURCES_H

struct scheduler;
struct text;

void pod_resources_write(const struct scheduler *scheduler, struct text *out);

#endif
