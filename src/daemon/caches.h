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

struct caches;
struct profiles;
struct reflector_stats;
struct scheduler;

/* What they see goes to the scheduler and to its parts.  The reflectors start at once;
 * the cluster's kubernetes_minor is set before.  synced is called with its argument
 * when everything has been listed for the first time. */
struct caches *caches_new(struct scheduler *scheduler,
    void (*synced)(void *arg), void *synced_arg);
void caches_free(struct caches *caches); /* accepts NULL */

/* Also watches the objects that only rules of these profiles read: Kosmos'
 * distribution policies, StickyJobs. */
void caches_watch_for(struct caches *caches, const struct profiles *profiles);

/* The cluster's scheduler names have changed: pods that wait come to the queue, or
 * leave it, by theirs. */
void caches_sort_pods(struct caches *caches);

/* Called each second: logs which caches are behind, and when they no longer are.  Objects
 * that were set aside come back when their namespaces have room again
 * (objects/budget.h).  The caches are compared with the API server, one after the other,
 * all of them in --cache-check-interval (wire/api/consistency.h). */
void caches_tick(struct caches *caches);

/* Everything that is watched has been listed, and none of it is so far behind the API
 * server that no decision must be made: as long as a lease lasts by default. */
bool caches_current(const struct caches *caches);
/* Writes the resources that keep caches_current() from being true, "nodes, services"
 * or "", into out, cut to size; returns out. */
char *caches_missing(const struct caches *caches, char *out, size_t size);

/* For metrics: by resource, in a fixed order; NULL beyond the last. */
const struct reflector_stats *caches_stats(const struct caches *caches,
    size_t i, const char **resource);
/* For how long this one has been behind the API server (reflector_behind_ms()); 0: one
 * that is optional, which we may not read. */
int64_t caches_behind_ms(const struct caches *caches, size_t i);
/* How many of these are left out now. */
size_t caches_left_out(const struct caches *caches, size_t i);

#endif
