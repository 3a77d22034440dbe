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

enum queue_event {
	QUEUE_NO_EVENT, /* nothing that matters to pods that wait */

	/* Of a pod itself. */
	QUEUE_POD_ADD,
	QUEUE_POD_UPDATE,
	QUEUE_ATTEMPT_FAILURE,
	QUEUE_BACKOFF_COMPLETE,
	QUEUE_UNSCHEDULABLE_TIMEOUT,

	/* Of the cluster: these may make other pods schedulable. */
	QUEUE_NODE_ADD,
	QUEUE_NODE_UNSCHEDULABLE_CHANGE,
	QUEUE_NODE_ALLOCATABLE_CHANGE,
	QUEUE_NODE_LABEL_CHANGE,
	QUEUE_NODE_TAINT_CHANGE,
	QUEUE_NODE_CONDITION_CHANGE,
	/* None of the five above; kube-scheduler's name for it is "Unknown". */
	QUEUE_NODE_OTHER_CHANGE,
	QUEUE_ASSIGNED_POD_ADD,
	QUEUE_ASSIGNED_POD_UPDATE,
	QUEUE_ASSIGNED_POD_DELETE,
	QUEUE_PV_ADD,
	QUEUE_PV_UPDATE,
	QUEUE_PVC_ADD,
	QUEUE_PVC_UPDATE,
	QUEUE_STORAGE_CLASS_ADD,
	QUEUE_SERVICE_ADD,
	QUEUE_SERVICE_UPDATE,
	QUEUE_SERVICE_DELETE,
	QUEUE_CSI_NODE_ADD,
	QUEUE_CSI_NODE_UPDATE,

	/* Ours alone. */
	QUEUE_POLICY_CHANGE, /* another policy was read */
	QUEUE_SWEEP,         /* queue_sweep() found it in no queue */

	QUEUE_EVENTS,
};

/* "PodAdd", "NodeSpecUnschedulableChange", …; "" of QUEUE_NO_EVENT. */
const char *queue_event_name(enum queue_event event);

/*
 * Why a pod that fitted nowhere may fit now that `before` has become `after`:
 * the node is no longer cordoned, or its allocatable, labels, taints or the
 * status of a condition changed; the first of these that holds, in this order
 * (kube-scheduler 1.15, nodeSchedulingPropertiesChanged).  Fields that the model
 * does not keep, such as heartbeats, never count.
 */
enum queue_event queue_event_of_node(const struct node *before,
    const struct node *after);

/*
 * The same for any object of the cluster; before is NULL when it was added,
 * after when it was deleted, pods are those that have a node.  (kube-scheduler
 * 1.15, AddAllEventHandlers; CSINode as from 1.17.)
 *
 *			add	update	delete
 *	Node		yes	above	-
 *	Pod		yes	yes	yes
 *	PV, PVC		yes	yes	-
 *	StorageClass	(1)	-	-
 *	Service		yes	yes	yes
 *	CSINode		yes	yes	-
 *	others		-	-	-
 *
 *	(1) only with volumeBindingMode WaitForFirstConsumer
 */
enum queue_event queue_event_of(const struct object *before,
    const struct object *after);

#endif
