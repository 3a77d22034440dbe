/*
 * The events that move waiting pods, by kube-scheduler's names (label `event` of
 * the metric queue_incoming_pods_total), and the changes of the cluster's objects
 * after which unschedulable pods are tried again.
 *
 * Pure functions of the objects before and after.
 */
#ifndef QUEUE_QUEUE_EVENT_H
#define QUEUE_QUEUE_EVENT_H

struct node;
struct object;
struct pod;
struct pod_class;

/* QUEUE_NO_EVENT, QUEUE_POD_ADD, ... */
enum queue_event {
#define QUEUE_EVENT(id, ...) QUEUE_##id,
#include "daemon/queue/queue_event_table.h"
#undef QUEUE_EVENT
	QUEUE_EVENTS,
};

/* "PodAdd", "NodeSpecUnschedulableChange", …, as a minor release calls it, which may
 * call several alike; "" of QUEUE_NO_EVENT. */
const char *queue_event_name(enum queue_event event, int release);

/* Of a pod that waits and that a rule sees otherwise now: QUEUE_POD_UPDATE, or what
 * has changed of it (kube-scheduler 1.36, PodSchedulingPropertiesChange). */
enum queue_event queue_event_of_waiting(const struct pod *before,
    const struct pod *after);

/*
 * Why a pod that fitted nowhere may fit now that `before` has become `after`:
 * the node is no longer cordoned, or its allocatable, labels, taints or the
 * status of a condition changed, or its declared features did; the first of these
 * that holds, in this order (kube-scheduler 1.15, nodeSchedulingPropertiesChanged;
 * features as 1.36).  Fields that the model does not keep, such as heartbeats,
 * never count.
 */
enum queue_event queue_event_of_node(const struct node *before,
    const struct node *after);

/*
 * The same for any object of the cluster; before is NULL when it was added,
 * after when it was deleted, pods are those that have a node.  (kube-scheduler
 * 1.15, AddAllEventHandlers; CSINode as from 1.17, the others of storage.k8s.io
 * and ResourceClaim as in 1.36.)
 *
 *			add	update	delete
 *	Node		yes	above	(6)
 *	Pod		yes	(7)	yes
 *	PV, PVC		yes	yes	-
 *	StorageClass	(1)	(8)	-
 *	Service		yes	yes	yes
 *	CSINode		yes	(2)	-
 *	CSIDriver	yes	(3)	(9)
 *	CSIStorage-
 *	    Capacity	yes	(2)	-
 *	Volume-
 *	    Attachment	-	-	yes
 *	ResourceClaim	yes	(4)	-
 *	Namespace	(5)	(5)	(5)
 *	others		-	-	-
 *
 *	(1) only with volumeBindingMode WaitForFirstConsumer
 *	(2) if a limit is higher than before, or was removed
 *	(3) if storageCapacity is no longer set
 *	(4) if it was allocated, its devices became ready, it has fewer users or
 *	    another owner
 *	(5) only with other labels than before; none is the same as no Namespace;
 *	    not in kube-scheduler
 *	(6) for pods with hard spread constraints, as from 1.18
 *	(7) if its class is another: its status and annotations say nothing to
 *	    rules
 *	(8) if allowedTopologies are others, as in 1.36
 *	(9) not in kube-scheduler, as for a ResourceSlice: capacity is no longer asked for
 *
 * Of a pod that was resized the event is that it requests less of a resource, if
 * it does.
 */
enum queue_event queue_event_of(const struct object *before,
    const struct object *after);

/* Whether pods of this class may fit because this object, as it is now or was when
 * it was deleted, has changed. */
bool queue_event_concerns(const struct object *object,
    const struct pod_class *class);

#endif
