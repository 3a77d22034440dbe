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

struct cluster;
struct pod;

/* The pod within what confines it now.  Takes pod; you own the result, which may
 * be the same. */
struct pod *cluster_confined(const struct cluster *cluster, struct pod *takes);

#endif
