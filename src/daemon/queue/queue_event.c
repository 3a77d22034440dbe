#include "config.h"

#include "daemon/queue/queue_event.h"

#include <limits.h>

#include "objects/node.h"
#include "objects/pod.h"
#include "objects/resource_claim.h"
#include "objects/storage.h"
#include "objects/workload.h"

static const char *const names[QUEUE_EVENTS][2] = {
#define QUEUE_EVENT(id, name, since_32) [QUEUE_##id] = { name, since_32 },
#include "daemon/queue/queue_event_table.h"
#undef QUEUE_EVENT
};

const char *
queue_event_name(enum queue_event event, int release)
{
	return names[event][release >= 32];
}

enum queue_event
queue_event_of_waiting(const struct pod *before, const struct pod *after)
{
	const struct pod_class *was = before->class, *is = after->class;

	if (was->ngates > 0 && is->ngates == 0)
		return QUEUE_POD_UPDATE_GATES;
	if (was->nresource_claims != is->nresource_claims)
		return QUEUE_POD_UPDATE_CLAIMS;
	if (was->ntolerations != is->ntolerations)
		return QUEUE_POD_UPDATE_TOLERATION;
	if (resources_shrink(was->from_32.pending, is->from_32.pending,
		was->from_32.pending))
		return QUEUE_POD_UPDATE_SCALE_DOWN;
	return labels_equal(&was->labels, &is->labels) ? QUEUE_POD_UPDATE :
							 QUEUE_POD_UPDATE_LABEL;
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
	if (before->declared_features != after->declared_features)
		return QUEUE_NODE_FEATURE_CHANGE;
	return QUEUE_NO_EVENT;
}

/* Kinds and changes without a row are QUEUE_NO_EVENT. */
static const struct {
	enum queue_event added, updated, deleted;
} rows[OBJECT_KINDS] = {
	[OBJECT_POD] = { QUEUE_ASSIGNED_POD_ADD, QUEUE_ASSIGNED_POD_UPDATE,
	    QUEUE_ASSIGNED_POD_DELETE },
	[OBJECT_NODE] = { .added = QUEUE_NODE_ADD,
	    .deleted = QUEUE_NODE_DELETE },
	[OBJECT_SERVICE] = { QUEUE_SERVICE_ADD, QUEUE_SERVICE_UPDATE,
	    QUEUE_SERVICE_DELETE },
	[OBJECT_PERSISTENT_VOLUME] = { .added = QUEUE_PV_ADD,
	    .updated = QUEUE_PV_UPDATE },
	[OBJECT_PERSISTENT_VOLUME_CLAIM] = { .added = QUEUE_PVC_ADD,
	    .updated = QUEUE_PVC_UPDATE },
	[OBJECT_STORAGE_CLASS] = { .added = QUEUE_STORAGE_CLASS_ADD,
	    .updated = QUEUE_STORAGE_CLASS_UPDATE },
	[OBJECT_CSI_NODE] = { .added = QUEUE_CSI_NODE_ADD,
	    .updated = QUEUE_CSI_NODE_UPDATE },
	[OBJECT_CSI_DRIVER] = { QUEUE_CSI_DRIVER_ADD, QUEUE_CSI_DRIVER_UPDATE,
	    QUEUE_CSI_DRIVER_DELETE },
	[OBJECT_CSI_STORAGE_CAPACITY] = { .added =
					      QUEUE_CSI_STORAGE_CAPACITY_ADD,
	    .updated = QUEUE_CSI_STORAGE_CAPACITY_UPDATE },
	[OBJECT_VOLUME_ATTACHMENT] = { .deleted =
					   QUEUE_VOLUME_ATTACHMENT_DELETE },
	[OBJECT_RESOURCE_CLAIM] = { QUEUE_RESOURCE_CLAIM_ADD,
	    QUEUE_RESOURCE_CLAIM_UPDATE, QUEUE_RESOURCE_CLAIM_DELETE },
	[OBJECT_RESOURCE_SLICE] = { QUEUE_RESOURCE_SLICE_ADD,
	    QUEUE_RESOURCE_SLICE_UPDATE, QUEUE_RESOURCE_SLICE_DELETE },
	[OBJECT_DEVICE_CLASS] = { .added = QUEUE_DEVICE_CLASS_ADD,
	    .updated = QUEUE_DEVICE_CLASS_UPDATE },
	/* to kube-scheduler, a rule is a part of the slices */
	[OBJECT_DEVICE_TAINT_RULE] = { QUEUE_RESOURCE_SLICE_UPDATE,
	    QUEUE_RESOURCE_SLICE_UPDATE, QUEUE_RESOURCE_SLICE_UPDATE },
};

/* Updates that cannot help */

static bool
csi_node_helps(const struct csi_node *before, const struct csi_node *after)
{
	if (before->migrated != after->migrated)
		return true;
	for (uint32_t i = 0; i < before->ndrivers; i++) {
		sym driver = before->drivers[i].driver;
		int64_t was, is;

		if (csi_limit(before, driver, &was) &&
		    (!csi_limit(after, driver, &is) || is > was))
			return true;
	}
	return false;
}

static bool
capacity_helps(const struct csi_storage_capacity *before,
    const struct csi_storage_capacity *after)
{
	return (after->has_limit &&
		   (!before->has_limit || after->limit > before->limit)) ||
	    after->class != before->class ||
	    !selector_equal(&after->nodes, &before->nodes);
}

static bool
claim_helps(const struct resource_claim *before,
    const struct resource_claim *after)
{
	return after->allocated != before->allocated ||
	    after->pending != before->pending ||
	    after->ready != before->ready || after->nusers < before->nusers ||
	    after->controller != before->controller;
}

static bool
topologies_equal(const struct storage_class *a, const struct storage_class *b)
{
	if (a->ntopologies != b->ntopologies)
		return false;
	return !ANY(i, a->ntopologies,
	    !selector_equal(&a->topologies[i], &b->topologies[i]));
}

static bool
update_helps(const struct object *before, const struct object *after)
{
	const void *was = before, *is = after;

	switch (after->kind) {
	case OBJECT_POD: /* all that rules read of it is in its class */
		return ((const struct pod *)was)->class !=
		    ((const struct pod *)is)->class;
	case OBJECT_STORAGE_CLASS:
		return !topologies_equal(was, is);
	case OBJECT_CSI_NODE:
		return csi_node_helps(was, is);
	case OBJECT_CSI_DRIVER:
		return ((const struct csi_driver *)was)->storage_capacity &&
		    !((const struct csi_driver *)is)->storage_capacity;
	case OBJECT_CSI_STORAGE_CAPACITY:
		return capacity_helps(was, is);
	case OBJECT_RESOURCE_CLAIM:
		return claim_helps(was, is);
	default:
		return true;
	}
}

static bool
pod_shrinks(const struct pod *before, const struct pod *after)
{
	return before->class != after->class &&
	    resources_shrink(before->class->from_32.held,
		after->class->from_32.held, NULL);
}

static enum queue_event
event_of_namespace(const struct object *before, const struct object *after)
{
	static const struct labels none;
	const struct namespace *was = (const struct namespace *)before;
	const struct namespace *is = (const struct namespace *)after;

	return labels_equal(was != NULL ? &was->labels : &none,
		   is != NULL ? &is->labels : &none) ?
	    QUEUE_NO_EVENT :
	    QUEUE_NAMESPACE_CHANGE;
}

enum queue_event
queue_event_of(const struct object *before, const struct object *after)
{
	if ((after != NULL ? after : before)->kind == OBJECT_NAMESPACE)
		return event_of_namespace(before, after);
	if (after == NULL)
		return rows[before->kind].deleted;
	if (before != NULL && after->kind == OBJECT_POD &&
	    pod_shrinks((const struct pod *)before, (const struct pod *)after))
		return QUEUE_ASSIGNED_POD_SCALE_DOWN;
	if (before != NULL && after->kind == OBJECT_NODE)
		return queue_event_of_node((const struct node *)before,
		    (const struct node *)after);
	if (before != NULL)
		return update_helps(before, after) ? rows[after->kind].updated :
						     QUEUE_NO_EVENT;
	if (after->kind == OBJECT_STORAGE_CLASS &&
	    !((const struct storage_class *)after)->waits_for_consumer)
		return QUEUE_NO_EVENT;
	return rows[after->kind].added;
}

static bool
names_claim(const struct pod_class *class, const struct object *claim)
{
	sym name = sym_find(claim->name);

	if (class->namespace != claim->namespace)
		return false;
	return ANY(i, class->nresource_claims,
	    class->resource_claims[i].claim == name);
}

static bool
mounts_claim(const struct pod_class *class, const struct object *claim)
{
	sym name = sym_find(claim->name);

	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (volume_is_claim(class->volumes[i].kind, INT_MAX) &&
		    class->volumes[i].id == name)
			return class->namespace == claim->namespace;
	return false;
}

bool
queue_event_concerns(const struct object *object, const struct pod_class *class)
{
	switch (object->kind) {
	case OBJECT_PERSISTENT_VOLUME_CLAIM:
		return mounts_claim(class, object);
	case OBJECT_PERSISTENT_VOLUME:
	case OBJECT_STORAGE_CLASS:
	case OBJECT_CSI_NODE:
	case OBJECT_CSI_DRIVER:
	case OBJECT_CSI_STORAGE_CAPACITY:
	case OBJECT_VOLUME_ATTACHMENT:
		return class->nvolumes > 0;
	case OBJECT_RESOURCE_CLAIM:
		return names_claim(class, object);
	case OBJECT_RESOURCE_SLICE:
	case OBJECT_DEVICE_CLASS:
	case OBJECT_DEVICE_TAINT_RULE:
		return class->nresource_claims + class->nextended > 0;
	default:
		return true;
	}
}
