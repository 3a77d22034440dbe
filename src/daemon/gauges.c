#include "config.h"

#include "daemon/gauges.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "api/events.h"
#include "api/watch.h"
#include "cluster/cluster.h"
#include "daemon/caches.h"
#include "scheduler/scheduler.h"
#include "ecache/ecache.h"
#include "metrics/metrics.h"
#include "model/budget.h"
#include "model/pod.h"
#include "queue/queue.h"

/* arg: an int64_t, the smallest creation time of them; 0: none. */
static bool
find_oldest(const struct queue_waiting *waiting, void *arg)
{
	int64_t *oldest = arg, created = waiting->pod->object.created;

	if ((waiting->place == QUEUE_UNSCHEDULABLE ||
		waiting->place == QUEUE_BACKOFF) &&
	    created > 0 && (*oldest == 0 || created < *oldest))
		*oldest = created;
	return true;
}

/* Seconds by our clock and the API server's, which may be ahead: then 0. */
static double
oldest_age(const struct queue *queue)
{
	int64_t oldest = 0, now = time(NULL);

	queue_walk(queue, 0, SIZE_MAX, find_oldest, &oldest);
	return oldest > 0 && oldest < now ? (double)(now - oldest) : 0;
}

static void
update_queue(struct metrics *metrics, const struct queue *queue)
{
	static const enum queue_place shown[] = { QUEUE_ACTIVE, QUEUE_BACKOFF,
		QUEUE_UNSCHEDULABLE, QUEUE_GATED };

	size_t quarantined = queue_count(queue, QUEUE_QUARANTINE);

	metrics_set(metrics, METRIC_QUARANTINED_PODS, (double)quarantined);
	metrics_set(metrics, METRIC_OLDEST_UNSCHEDULABLE, oldest_age(queue));
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		const char *place = queue_place_name(shown[i]);
		size_t waiting = queue_count(queue, shown[i]) +
		    (shown[i] == QUEUE_BACKOFF ? quarantined : 0);

		metrics_set(metrics, METRIC_PENDING_PODS, (double)waiting,
		    place);
		for (int event = 0; event < QUEUE_EVENTS; event++) {
			uint64_t n = queue_incoming(queue, shown[i],
			    (enum queue_event)event);

			if (n > 0)
				metrics_set(metrics, METRIC_QUEUE_INCOMING,
				    (double)n, place,
				    queue_event_name((enum queue_event)event));
		}
	}
}

static void
update_watches(struct metrics *metrics, const struct caches *caches)
{
	const char *resource;
	const struct reflector_stats *stats;

	for (size_t i = 0; (stats = caches_stats(caches, i, &resource)) != NULL;
	     i++) {
		metrics_set(metrics, METRIC_WATCH_LISTS, (double)stats->lists,
		    resource);
		metrics_set(metrics, METRIC_WATCH_STARTS,
		    (double)stats->watches, resource);
		metrics_set(metrics, METRIC_WATCH_EVENTS, (double)stats->events,
		    resource);
		metrics_set(metrics, METRIC_WATCH_IGNORED,
		    (double)stats->ignored, resource);
		metrics_set(metrics, METRIC_LEFT_OUT,
		    (double)caches_left_out(caches, i), resource);
		metrics_set(metrics, METRIC_LEFT_OUT_TOTAL,
		    (double)stats->left_out, resource);
		metrics_set(metrics, METRIC_WATCH_PROBLEMS,
		    (double)stats->problems, resource);
	}
}

void
gauges_update(struct metrics *metrics, const struct scheduler *scheduler,
    const struct cluster *cluster, const struct caches *caches,
    const struct events *events)
{
	const struct events_stats *written = events_stats(events);
	const struct flights *flights = &scheduler->flights;
	size_t ecache = 0;

	update_queue(metrics, scheduler->queue);
	for (size_t i = 0; i < scheduler->nserving; i++)
		ecache += ecache_bytes(scheduler->serving[i].ecache);
	if (caches != NULL)
		update_watches(metrics, caches);
	metrics_set(metrics, METRIC_CACHE_SIZE, cluster->nnodes, "nodes");
	metrics_set(metrics, METRIC_CACHE_SIZE, (double)cluster->pods.n,
	    "pods");
	metrics_set(metrics, METRIC_CACHE_SIZE, (double)flights->nassumed,
	    "assumed_pods");
	metrics_set(metrics, METRIC_BINDS_IN_FLIGHT, (double)flights->nsent);
	metrics_set(metrics, METRIC_ASSUMED_EXPIRED, (double)flights->nexpired);
	metrics_set(metrics, METRIC_MEMO_BYTES, (double)ecache);
	metrics_set(metrics, METRIC_OBJECT_BYTES, (double)budget_used());
	metrics_set(metrics, METRIC_EVENTS_WRITTEN, (double)written->written);
	metrics_set(metrics, METRIC_EVENTS_DROPPED, (double)written->spared,
	    "spared");
	metrics_set(metrics, METRIC_EVENTS_DROPPED, (double)written->failed,
	    "failed");
}
