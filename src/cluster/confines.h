/*
 * What confines the pods that wait, found out from the objects that the cluster
 * knows (model/confines.h).
 *
 * Whoever brings in pods that wait passes them through cluster_confined() first.
 * cluster->confines changes whenever that may give another answer: then the pods
 * that wait already are passed through it again, and those whose answer changed
 * are tried again.
 */
#ifndef CLUSTER_CONFINES_H
#define CLUSTER_CONFINES_H

#include <stdbool.h>

struct cluster;
struct labels;
struct namespace;
struct pod;

/* The pod within what confines it now.  Takes pod; you own the result, which may
 * be the same. */
struct pod *cluster_confined(const struct cluster *cluster, struct pod *takes);

/*
 * OpenShift's spec.defaultNodeSelector, which is copied: pods whose namespace
 * has no node selector of its own only fit nodes with these labels; of others
 * the namespace's own count.  NULL, as it is before: there is no such thing, and
 * what namespaces say does not count, either.
 */
void cluster_set_default_node_selector(struct cluster *cluster,
    const struct labels *labels);

/* For cluster.c: whether pods in a namespace may be confined otherwise now that
 * it is another object; NULL: none. */
bool confines_changed(const struct cluster *cluster,
    const struct namespace *before, const struct namespace *after);

#endif
