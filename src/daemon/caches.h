/*
 * Keeps the cluster and the queue equal to the API server's objects: one
 * reflector for each kind of object that rules read.  A resource that is not
 * served is waited for.
 *
 * Pods that have no node and name one of our schedulers (cluster_schedules()) go to
 * the queue; all with a node, placed by any scheduler, to the cluster.  The others
 * are only remembered, as the names may change.
 */
#ifndef DAEMON_CACHES_H
#define DAEMON_CACHES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/object.h"

struct api_client;
struct caches;
struct cluster;
struct distribution_policy;
struct doc_node;
struct node;
struct object;
struct pod;
struct profiles;
struct queue;
struct reflector_stats;

struct caches_ops {
	/* A pod of ours that waits has appeared or changed; root is its
	 * document, valid during the call.  The queue has it already. */
	void (*pod_waits)(void *arg, const struct pod *pod,
	    const struct doc_node *root);
	/* A pod has a node now; the cluster and the queue know. */
	void (*pod_placed)(void *arg, const struct pod *pod);
	/* A pod is gone; the cluster and the queue know. */
	void (*pod_removed)(void *arg, const struct pod *pod);
	/* A distribution policy has appeared or changed; the cluster knows. */
	void (*policy_put)(void *arg, const struct distribution_policy *policy);
	/* A node has appeared or changed, or is gone; the cluster and the queue
	 * know. */
	void (*node_put)(void *arg, const struct node *node,
	    const struct doc_node *root);
	void (*node_removed)(void *arg, const struct node *node);
	/* Objects of this kind are listed and watched in this version of the
	 * API. */
	void (*served)(void *arg, enum object_kind kind, const char *version);
	/* To decode the object and to take it in took so long.  before: the
	 * version known until then, or NULL; after: NULL when it is gone. */
	void (*taken)(void *arg, const struct object *before,
	    const struct object *after, double seconds);
	/*
	 * Objects that cannot be decoded are left out (api/watch.h): the
	 * readable part, why, and the consequence.  pending: a pod of ours that
	 * waits, which is not scheduled.
	 */
	void (*left_out)(void *arg, struct object *object,
	    const char *api_version, const char *why, const char *then,
	    bool pending);
	void (*let_in)(void *arg, const struct object *object);
	/* An object has been decoded; it is the present version if present()
	 * follows for it, before the cluster knows; gone: it was deleted. */
	void (*decoded)(void *arg, const struct object *object,
	    const struct doc_node *root);
	void (*present)(void *arg, const struct object *object);
	void (*gone)(void *arg, const struct object *object);
	/* Whether the binding of this pod is on its way. */
	bool (*is_held)(void *arg, const struct pod *pod);
	/* Whether documents of this kind must be whole. */
	bool (*whole)(void *arg, enum object_kind kind);
	/* Something changed: pods may have come to the queue. */
	void (*changed)(void *arg);
};

/* The reflectors start at once; cluster->kubernetes_minor is set before.  synced is called with its own argument when everything has
 * been listed for the first time. */
struct caches *caches_new(struct api_client *client, struct cluster *cluster,
    struct queue *queue, const struct caches_ops *ops, void *arg,
    void (*synced)(void *arg), void *synced_arg);
void caches_free(struct caches *caches); /* accepts NULL */

/* Also watches the objects that only rules of these profiles read: Kosmos'
 * distribution policies, StickyJobs. */
void caches_watch_for(struct caches *caches, const struct profiles *profiles);

/* The cluster's scheduler names have changed: pods that wait come to the queue, or
 * leave it, by theirs. */
void caches_sort_pods(struct caches *caches);

/* Called each second: objects that were set aside come back when their namespaces have
 * room again (model/budget.h). */
void caches_take_back(struct caches *caches);

/* Everything that is watched has been listed. */
bool caches_synced(const struct caches *caches);
/* Writes the resources that have not been listed yet, "nodes, services" or "",
 * into out, cut to size; returns out. */
char *caches_missing(const struct caches *caches, char *out, size_t size);

/* For metrics: by resource, in a fixed order; NULL beyond the last. */
const struct reflector_stats *caches_stats(const struct caches *caches,
    size_t i, const char **resource);
/* How many of these are left out now. */
size_t caches_left_out(const struct caches *caches, size_t i);

#endif
