#include "config.h"

#include "daemon/gauges.h"

#include <stdio.h>
#include <time.h>

#include "wire/api/events.h"
#include "wire/api/watch.h"
#include "base/clock.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "daemon/caches.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/scheduler.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/gates.h"
#include "wire/metrics/metrics.h"
#include "objects/budget.h"
#include "objects/pod.h"
#include "objects/release.h"
#include "options/options.h"
#include "daemon/queue/queue.h"
#include "daemon/queue/queue_event.h"

/* ---- counts of other parts ---- */

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

/* Events of one name are counted together, from 1.33 on also gated pods with the
 * unschedulable: all are 0 first. */
static void
update_incoming(struct metrics *metrics, const struct queue *queue, int release,
    enum queue_place place, bool first)
{
	const char *name = queue_place_name(
	    release >= 33 && place == QUEUE_GATED ? QUEUE_UNSCHEDULABLE :
						    place);

	for (int event = 0; event < QUEUE_EVENTS; event++) {
		double n = (double)queue_incoming(queue, place, event);
		struct series *series = n == 0 ?
		    NULL :
		    metrics_series(metrics, METRIC_QUEUE_INCOMING, name,
			queue_event_name(event, release));

		if (series != NULL && first)
			series_set(series, 0);
		else if (series != NULL)
			series_add(series, n);
	}
}

static void
update_queue(struct metrics *metrics, const struct queue *queue, int release)
{
	static const enum queue_place shown[] = { QUEUE_ACTIVE, QUEUE_BACKOFF,
		QUEUE_UNSCHEDULABLE, QUEUE_GATED };

	size_t quarantined = queue_count(queue, QUEUE_QUARANTINE);

	metrics_set(metrics, METRIC_QUARANTINED_PODS, (double)quarantined);
	metrics_set(metrics, METRIC_COSTLY_NAMESPACES,
	    (double)queue_costly(queue, clock_ms()));
	metrics_set(metrics, METRIC_OLDEST_UNSCHEDULABLE, oldest_age(queue));
	for (size_t i = 0; i < LENGTH(shown); i++) {
		const char *place = queue_place_name(shown[i]);
		size_t waiting = queue_count(queue, shown[i]) +
		    (shown[i] == QUEUE_BACKOFF ? quarantined : 0);

		metrics_set(metrics, METRIC_PENDING_PODS, (double)waiting,
		    place);
		update_incoming(metrics, queue, release, shown[i], true);
	}
	for (size_t i = 0; i < LENGTH(shown); i++)
		update_incoming(metrics, queue, release, shown[i], false);
}

static void
update_watches(struct metrics *metrics, const struct caches *caches)
{
	static const char *const statuses[] = {
		[CONSISTENT] = "success",
		[NOT_CONSISTENT] = "failure",
		[CONSISTENCY_UNKNOWN] = "error",
	};
	const char *resource;
	const struct reflector_stats *stats;

	for (size_t i = 0; (stats = caches_stats(caches, i, &resource)) != NULL;
	     i++) {
		const struct {
			enum metric metric;
			uint64_t value;
		} counts[] = {
			{ METRIC_WATCH_LISTS, stats->lists },
			{ METRIC_WATCH_STARTS, stats->watches },
			{ METRIC_WATCH_EVENTS, stats->events },
			{ METRIC_WATCH_IGNORED, stats->ignored },
			{ METRIC_LEFT_OUT, caches_left_out(caches, i) },
			{ METRIC_LEFT_OUT_TOTAL, stats->left_out },
			{ METRIC_WATCH_PROBLEMS, stats->problems },
			{ METRIC_WATCH_BEHIND,
			    (uint64_t)caches_behind_ms(caches, i) / 1000 },
		};

		for (size_t k = 0; k < LENGTH(counts); k++)
			metrics_set(metrics, counts[k].metric,
			    (double)counts[k].value, resource);
		for (size_t k = 0; k < LENGTH(stats->checks); k++)
			metrics_set(metrics, METRIC_CACHE_CHECKS,
			    (double)stats->checks[k], resource, statuses[k]);
	}
}

static void
update_feature(void *metrics, const char *name, const char *stage, bool on)
{
	metrics_set(metrics, METRIC_FEATURE, on, name, stage);
}

void
gauges_update(struct metrics *metrics, const struct scheduler *scheduler,
    const struct cluster *cluster, const struct caches *caches,
    const struct events *events)
{
	const struct events_stats *written = events_stats(events);
	const struct flights *flights = &scheduler->flights;
	size_t ecache = 0;

	update_queue(metrics, scheduler->queue, cluster->kubernetes_minor);
	for (size_t i = 0; i < scheduler->nserving; i++)
		ecache += ecache_bytes(scheduler->serving[i].ecache);
	if (caches != NULL)
		update_watches(metrics, caches);
	if (cluster->kubernetes_minor >= RELEASE_NEWEST)
		gates_each(&scheduler->options.daemon->policy_options.gates,
		    update_feature, metrics);
	for (enum metric m = METRIC_CACHE_SIZE; m <= METRIC_CACHE_SIZE_BEFORE;
	     m++) {
		metrics_set(metrics, m, cluster->nnodes, "nodes");
		metrics_set(metrics, m, (double)cluster->pods.n, "pods");
		metrics_set(metrics, m, (double)flights->nassumed,
		    "assumed_pods");
	}
	metrics_set(metrics, METRIC_GOROUTINES,
	    (double)flights_binding(flights), "binding");
	metrics_set(metrics, METRIC_GOROUTINES, (double)evictions_sent(flights),
	    "DefaultPreemption");
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

/* ---- times of changes ---- */

/* Kinds without a name here have no events there. */
static const char *const kind_names[OBJECT_KINDS] = {
	[OBJECT_NODE] = "Node",
	[OBJECT_PERSISTENT_VOLUME] = "PersistentVolume",
	[OBJECT_PERSISTENT_VOLUME_CLAIM] = "PersistentVolumeClaim",
	[OBJECT_STORAGE_CLASS] = "storage.k8s.io/StorageClass",
	[OBJECT_CSI_NODE] = "storage.k8s.io/CSINode",
};

static const char *
action_of_node(const struct object *before, const struct object *after)
{
	switch (queue_event_of(before, after)) {
	case QUEUE_NODE_ALLOCATABLE_CHANGE:
		return "UpdateNodeAllocatable";
	case QUEUE_NODE_LABEL_CHANGE:
		return "UpdateNodeLabel";
	case QUEUE_NODE_UNSCHEDULABLE_CHANGE:
	case QUEUE_NODE_TAINT_CHANGE:
		return "UpdateNodeTaint";
	case QUEUE_NODE_CONDITION_CHANGE:
		return "UpdateNodeCondition";
	default:
		return NULL;
	}
}

static bool
has_node(const struct object *object)
{
	return ((const struct pod *)object)->node != SYM_EMPTY;
}

/* NULL: the change is no event. */
static const char *
action_of(const struct object *before, const struct object *after)
{
	if (after == NULL)
		return "Delete";
	if (before == NULL)
		return "Add";
	if (after->kind == OBJECT_POD && has_node(before) != has_node(after))
		return "Add";
	return after->kind == OBJECT_NODE ? action_of_node(before, after) :
					    "Update";
}

void
event_times_observe(struct metrics *metrics, const struct object *before,
    const struct object *after, double seconds)
{
	const struct object *object = after != NULL ? after : before;
	const char *kind = kind_names[object->kind];
	const char *action = action_of(before, after);
	char event[80];

	if (object->kind == OBJECT_POD)
		kind = has_node(object) ? "AssignedPod" : "UnschedulablePod";
	if (kind == NULL || action == NULL)
		return;
	snprintf(event, sizeof(event), "%s%s", kind, action);
	metrics_observe(metrics, METRIC_EVENT_SECONDS, seconds, event);
}

/* ---- /metrics/resources ---- */

static const char *const families[][2] = {
	{ "kube_pod_resource_request",
	    "Resources that a pod requests, in the unit of the label unit." },
	{ "kube_pod_resource_limit",
	    "Resources that a pod may use, in the unit of the label unit." },
};

struct writing {
	size_t family;
	const struct scheduler *scheduler;
	struct text *out;
};

static const char *
unit_of(const char *resource)
{
	static const char *const units[][2] = {
		{ "cpu", "cores" },
		{ "memory", "bytes" },
		{ "ephemeral-storage", "bytes" },
		{ "hugepages-", "bytes" },
		{ "attachable-volumes-", "integer" },
	};

	for (size_t i = 0; i < LENGTH(units); i++) {
		size_t len = strlen(units[i][0]);

		if (strncmp(resource, units[i][0], len) == 0 &&
		    (units[i][0][len - 1] == '-' || resource[len] == '\0'))
			return units[i][1];
	}
	return "";
}

static void
write_amount(struct writing *w, const struct pod *pod, const char *resource,
    double amount)
{
	char priority[16] = "";
	const char *const labels[][2] = {
		{ "{namespace=\"", sym_text(pod->object.namespace) },
		{ "\",node=\"", sym_text(pod->node) },
		{ "\",pod=\"", pod->object.name },
		{ "\",priority=\"", priority },
		{ "\",resource=\"", resource },
		{ "\",scheduler=\"", sym_text(pod->class->scheduler_name) },
		{ "\",unit=\"", unit_of(resource) },
	};

	if (amount == 0)
		return;
	if (pod->has_priority)
		snprintf(priority, sizeof(priority), "%d", (int)pod->priority);
	text_put(w->out, families[w->family][0]);
	for (size_t i = 0; i < LENGTH(labels); i++) {
		text_put(w->out, labels[i][0]);
		metrics_put_label_value(w->out, labels[i][1]);
	}
	text_put(w->out, "\"} ");
	metrics_put_number(w->out, amount);
	text_put(w->out, "\n");
}

static void
write_pod(struct writing *w, const struct pod *pod)
{
	const struct resources *r =
	    w->family == 0 ? pod->class->from_32.held : &pod->class->limits;
	const char *name;

	if (pod->node != SYM_EMPTY && pod_has_ended(pod))
		return;
	for (uint32_t i = 0; (name = resources_name(r, i)) != NULL; i++)
		write_amount(w, pod, name,
		    (double)resources_get(r, name) / (i == 0 ? 1000 : 1));
}

static bool
write_waiting(const struct queue_waiting *waiting, void *arg)
{
	struct writing *w = arg;

	/* the cluster has it on a node */
	if (!flight_is_bound(&w->scheduler->flights, waiting->pod))
		write_pod(w, waiting->pod);
	return true;
}

void
pod_resources_write(const struct scheduler *s, struct text *out)
{
	const struct cluster *cluster = s->options.cluster;

	for (size_t i = 0; i < LENGTH(families); i++) {
		struct writing w = { i, s, out };

		text_printf(out, "# HELP %s [STABLE] %s\n# TYPE %s gauge\n",
		    families[i][0], families[i][1], families[i][0]);
		EACH_VALUE (&cluster->node_infos, const struct node_info, node)
			for (uint32_t k = 0; k < node->npods; k++)
				write_pod(&w, node->pods[k]);
		queue_walk(s->queue, 0, SIZE_MAX, write_waiting, &w);
	}
}
