#include "config.h"

#include "queue/queue_event.h"

#include <stdbool.h>
#include <stddef.h>

#include "model/node.h"
#include "model/storage.h"

static const char *const names[QUEUE_EVENTS] = {
	[QUEUE_NO_EVENT] = "",
	[QUEUE_POD_ADD] = "PodAdd",
	[QUEUE_POD_UPDATE] = "PodUpdate",
	[QUEUE_ATTEMPT_FAILURE] = "ScheduleAttemptFailure",
	[QUEUE_BACKOFF_COMPLETE] = "BackoffComplete",
	[QUEUE_UNSCHEDULABLE_TIMEOUT] = "UnschedulableTimeout",
	[QUEUE_NODE_ADD] = "NodeAdd",
	[QUEUE_NODE_UNSCHEDULABLE_CHANGE] = "NodeSpecUnschedulableChange",
	[QUEUE_NODE_ALLOCATABLE_CHANGE] = "NodeAllocatableChange",
	[QUEUE_NODE_LABEL_CHANGE] = "NodeLabelChange",
	[QUEUE_NODE_TAINT_CHANGE] = "NodeTaintChange",
	[QUEUE_NODE_CONDITION_CHANGE] = "NodeConditionChange",
	[QUEUE_NODE_OTHER_CHANGE] = "Unknown",
	[QUEUE_ASSIGNED_POD_ADD] = "AssignedPodAdd",
	[QUEUE_ASSIGNED_POD_UPDATE] = "AssignedPodUpdate",
	[QUEUE_ASSIGNED_POD_DELETE] = "AssignedPodDelete",
	[QUEUE_PV_ADD] = "PvAdd",
	[QUEUE_PV_UPDATE] = "PvUpdate",
	[QUEUE_PVC_ADD] = "PvcAdd",
	[QUEUE_PVC_UPDATE] = "PvcUpdate",
	[QUEUE_STORAGE_CLASS_ADD] = "StorageClassAdd",
	[QUEUE_SERVICE_ADD] = "ServiceAdd",
	[QUEUE_SERVICE_UPDATE] = "ServiceUpdate",
	[QUEUE_SERVICE_DELETE] = "ServiceDelete",
	[QUEUE_CSI_NODE_ADD] = "CSINodeAdd",
	[QUEUE_CSI_NODE_UPDATE] = "CSINodeUpdate",
	[QUEUE_POLICY_CHANGE] = "PolicyChange",
	[QUEUE_SWEEP] = "Sweep",
};

const char *
queue_event_name(enum queue_event event)
{
	return names[event];
}

/* Nodes */

/* The last one of this type, which is the one that counts; or NULL. */
static const struct node_condition *
condition(const struct node *node, sym type)
{
	for (uint32_t i = node->nconditions; i > 0; i--)
		if (node->conditions[i - 1].type == type)
			return &node->conditions[i - 1];
	return NULL;
}

/* Whether b has every condition of a, with the same status. */
static bool
conditions_in(const struct node *a, const struct node *b)
{
	for (uint32_t i = 0; i < a->nconditions; i++) {
		sym type = a->conditions[i].type;
		const struct node_condition *other = condition(b, type);

		if (other == NULL ||
		    other->status != condition(a, type)->status)
			return false;
	}
	return true;
}

enum queue_event
queue_event_of_node(const struct node *before, const struct node *after)
{
	if (before->unschedulable && !after->unschedulable)
		return QUEUE_NODE_UNSCHEDULABLE_CHANGE;
	if (!resources_equal(&before->allocatable, &after->allocatable))
		return QUEUE_NODE_ALLOCATABLE_CHANGE;
	if (!labels_equal(&before->labels, &after->labels))
		return QUEUE_NODE_LABEL_CHANGE;
	if (!node_taints_equal(before, after))
		return QUEUE_NODE_TAINT_CHANGE;
	if (!conditions_in(before, after) || !conditions_in(after, before))
		return QUEUE_NODE_CONDITION_CHANGE;
	return QUEUE_NO_EVENT;
}

/* Kinds and changes without a row are QUEUE_NO_EVENT. */
static const struct {
	enum queue_event added, updated, deleted;
} rows[OBJECT_KINDS] = {
	[OBJECT_POD] = { QUEUE_ASSIGNED_POD_ADD, QUEUE_ASSIGNED_POD_UPDATE,
	    QUEUE_ASSIGNED_POD_DELETE },
	[OBJECT_NODE] = { .added = QUEUE_NODE_ADD },
	[OBJECT_SERVICE] = { QUEUE_SERVICE_ADD, QUEUE_SERVICE_UPDATE,
	    QUEUE_SERVICE_DELETE },
	[OBJECT_PERSISTENT_VOLUME] = { .added = QUEUE_PV_ADD,
	    .updated = QUEUE_PV_UPDATE },
	[OBJECT_PERSISTENT_VOLUME_CLAIM] = { .added = QUEUE_PVC_ADD,
	    .updated = QUEUE_PVC_UPDATE },
	[OBJECT_STORAGE_CLASS] = { .added = QUEUE_STORAGE_CLASS_ADD },
	[OBJECT_CSI_NODE] = { .added = QUEUE_CSI_NODE_ADD,
	    .updated = QUEUE_CSI_NODE_UPDATE },
};

enum queue_event
queue_event_of(const struct object *before, const struct object *after)
{
	if (after == NULL)
		return rows[before->kind].deleted;
	if (before != NULL && after->kind == OBJECT_NODE)
		return queue_event_of_node((const struct node *)before,
		    (const struct node *)after);
	if (before != NULL)
		return rows[after->kind].updated;
	if (after->kind == OBJECT_STORAGE_CLASS &&
	    !((const struct storage_class *)after)->waits_for_consumer)
		return QUEUE_NO_EVENT;
	return rows[after->kind].added;
}
