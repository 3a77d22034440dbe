#include "config.h"

#include "daemon/event_times.h"

#include <stdio.h>

#include "metrics/metrics.h"
#include "model/object.h"
#include "model/pod.h"
#include "queue/queue_event.h"

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
