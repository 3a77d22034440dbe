/*
 * The placement constraints of pending pods, derived from the cluster's objects
 * (objects/confines.h).
 *
 * The caller passes a pending pod through cluster_confined() before it uses it.
 * cluster->confines changes whenever the result may change: then the caller
 * passes all pending pods through it again, and tries those that changed again.
 */
#ifndef CLUSTER_CONFINES_H
#define CLUSTER_CONFINES_H

struct cluster;
struct labels;
struct namespace;
struct pod;
struct sticky_job;

/* The pod with its current placement constraints.  Takes pod; you own the
 * result, which may be the same. */
struct pod *cluster_confined(const struct cluster *cluster, struct pod *takes);

/*
 * OpenShift's spec.defaultNodeSelector, which is copied: pods whose namespace
 * has no node selector of its own only fit nodes with these labels; otherwise
 * the namespace's own labels count.  NULL (the initial value): no such
 * selector, and those of namespaces are ignored.
 */
void cluster_set_default_node_selector(struct cluster *cluster,
    const struct labels *labels);

/* For cluster.c: whether pods in a namespace may be confined otherwise now that
 * it is another object; NULL: none. */
bool confines_changed(const struct cluster *cluster,
    const struct namespace *before, const struct namespace *after);
/* Whether pods of either stick to the same node in the same way; NULL: none. */
bool sticky_jobs_equal(const struct sticky_job *a, const struct sticky_job *b);

#endif
