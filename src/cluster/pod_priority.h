/* The priority that the API server gives a pod by its PriorityClass. */
#ifndef CLUSTER_POD_PRIORITY_H
#define CLUSTER_POD_PRIORITY_H

struct cluster;
struct pod;

/* The pod with the value and preemptionPolicy of its PriorityClass, or of the global
 * default; one that has spec.priority, and one whose class is not there, stays as it is
 * (kube-apiserver, admission plugin Priority).  Takes pod; you own the result, which may be
 * the same. */
struct pod *cluster_prioritized(const struct cluster *cluster,
    struct pod *takes);

#endif
