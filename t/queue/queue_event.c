/* Which changes of the cluster are worth trying unschedulable pods again. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "objects/node.h"
#include "objects/object.h"
#include "daemon/queue/queue_event.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

/* NULL for NULL; you own it. */
static struct object *
decode(const char *kind, const char *rest)
{
	AUTOFREE char *text = rest == NULL ?
	    NULL :
	    xasprintf("--- {kind: %s, metadata: {name: x, labels: {a: b}}, %s}",
		kind, rest);

	return t_object(text);
}

static const char *
name_of(enum queue_event event)
{
	return queue_event_name(event, 15);
}

static void
every_event_has_a_name_of_its_own(void)
{
	t_str("none", name_of(QUEUE_NO_EVENT), "");
	for (int a = 1; a < QUEUE_EVENTS; a++) {
		const char *name = name_of(a);

		if (!t_true("it has one", name != NULL && name[0] != '\0'))
			continue;
		for (int b = 1; b < a; b++)
			t_true(name,
			    strcmp(name_of(b), name) != 0 ||
				strcmp(name, "PodUpdate") == 0);
	}
}

static void
names_go_by_the_release(void)
{
	static const struct {
		enum queue_event event;
		const char *before, *since_32;
	} rows[] = {
		{ QUEUE_POD_ADD, "PodAdd", "UnschedulablePodAdd" },
		{ QUEUE_NODE_UNSCHEDULABLE_CHANGE,
		    "NodeSpecUnschedulableChange", "NodeUpdateNodeTaint" },
		{ QUEUE_NODE_TAINT_CHANGE, "NodeTaintChange",
		    "NodeUpdateNodeTaint" },
		{ QUEUE_PVC_ADD, "PvcAdd", "PersistentVolumeClaimAdd" },
		{ QUEUE_CSI_NODE_ADD, "CSINodeAdd",
		    "storage.k8s.io/CSINodeAdd" },
		{ QUEUE_RESOURCE_CLAIM_UPDATE, "ResourceClaimUpdate",
		    "resource.k8s.io/ResourceClaimUpdate" },
		{ QUEUE_BACKOFF_COMPLETE, "BackoffComplete",
		    "BackoffComplete" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_str("1.31", queue_event_name(rows[i].event, 31),
		    rows[i].before);
		t_str("1.32", queue_event_name(rows[i].event, 32),
		    rows[i].since_32);
	}
}

static void
an_update_of_a_waiting_pod_says_what_changed(void)
{
	static const char *const rows[][3] = {
		{ "spec: {schedulingGates: [{name: g}]}", "spec: {}",
		    "UnschedulablePodUpdatePodSchedulingGatesEliminated" },
		{ "spec: {schedulingGates: [{name: g}, {name: h}]}",
		    "spec: {schedulingGates: [{name: g}]}",
		    "UnschedulablePodUpdate" },
		{ "spec: {}", "spec: {tolerations: [{operator: Exists}]}",
		    "UnschedulablePodUpdatePodToleration" },
		{ "spec: {containers: [{resources: {requests: {cpu: 2}}}]}",
		    "spec: {containers: [{resources: {requests: {cpu: 1}}}]}",
		    "UnschedulablePodUpdatePodScaleDown" },
		{ "spec: {containers: [{resources: {requests: {cpu: 1}}}]}",
		    "spec: {containers: [{resources: {requests: {cpu: 2}}}]}",
		    "UnschedulablePodUpdate" },
		{ "spec: {}", "metadata: {name: x, labels: {c: d}}, spec: {}",
		    "UnschedulablePodUpdatePodLabel" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct object *before = decode("Pod", rows[i][0]);
		struct object *after = decode("Pod", rows[i][1]);

		t_str(rows[i][0],
		    queue_event_name(queue_event_of_waiting((struct pod *)
								before,
					 (struct pod *)after),
			36),
		    rows[i][2]);
		object_unref(before);
		object_unref(after);
	}
}

static void
a_node_update_counts_when_a_rule_may_see_it(void)
{
	static const struct {
		const char *name, *before, *after, *event;
	} rows[] = {
		{ "nothing changes", "spec: {}", "spec: {}", "" },
		{ "it is cordoned", "spec: {}", "spec: {unschedulable: true}",
		    "" },
		{ "it is uncordoned", "spec: {unschedulable: true}", "spec: {}",
		    "NodeSpecUnschedulableChange" },
		{ "more cpu", "status: {allocatable: {cpu: 1}}",
		    "status: {allocatable: {cpu: 2}}",
		    "NodeAllocatableChange" },
		{ "less counts, too", "status: {allocatable: {memory: 2Gi}}",
		    "status: {allocatable: {memory: 1Gi}}",
		    "NodeAllocatableChange" },
		{ "the same in other words",
		    "status: {allocatable: {cpu: 1000m}}",
		    "status: {allocatable: {cpu: 1}}", "" },
		{ "more pods", "status: {allocatable: {pods: 1}}",
		    "status: {allocatable: {pods: 2}}",
		    "NodeAllocatableChange" },
		{ "local storage",
		    "status: {allocatable: {ephemeral-storage: 1}}",
		    "status: {allocatable: {ephemeral-storage: 2}}",
		    "NodeAllocatableChange" },
		{ "an extended resource appears", "status: {allocatable: {}}",
		    "status: {allocatable: {example.com/x: 1}}",
		    "NodeAllocatableChange" },
		{ "another amount of it",
		    "status: {allocatable: {example.com/x: 1}}",
		    "status: {allocatable: {example.com/x: 2}}",
		    "NodeAllocatableChange" },
		{ "capacity alone", "status: {capacity: {cpu: 1}}",
		    "status: {capacity: {cpu: 2}}", "" },
		{ "a taint goes",
		    "spec: {taints: [{key: k, effect: NoSchedule}]}",
		    "spec: {}", "NodeTaintChange" },
		{ "a taint's value",
		    "spec: {taints: [{key: k, value: a, effect: NoSchedule}]}",
		    "spec: {taints: [{key: k, value: b, effect: NoSchedule}]}",
		    "NodeTaintChange" },
		{ "a taint's effect",
		    "spec: {taints: [{key: k, effect: NoSchedule}]}",
		    "spec: {taints: [{key: k, effect: NoExecute}]}",
		    "NodeTaintChange" },
		{ "a condition's status",
		    "status: {conditions: [{type: Ready, status: 'False'}]}",
		    "status: {conditions: [{type: Ready, status: 'True'}]}",
		    "NodeConditionChange" },
		{ "a condition appears", "status: {}",
		    "status: {conditions: [{type: Ready, status: 'True'}]}",
		    "NodeConditionChange" },
		{ "a condition goes",
		    "status: {conditions: [{type: Ready, status: 'True'}]}",
		    "status: {}", "NodeConditionChange" },
		{ "a feature", "status: {}",
		    "status: {declaredFeatures: "
		    "[RestartAllContainersOnContainerExits]}",
		    "UpdateNodeDeclaredFeature" },
		{ "one that no pod requires", "status: {}",
		    "status: {declaredFeatures: [Other]}", "" },
		{ "a heartbeat",
		    "status: {conditions: [{type: Ready, status: 'True',"
		    " lastHeartbeatTime: '2019-01-01T00:00:00Z'}]}",
		    "status: {conditions: [{type: Ready, status: 'True',"
		    " lastHeartbeatTime: '2019-01-01T00:00:10Z'}]}",
		    "" },
		{ "conditions in another order",
		    "status: {conditions: [{type: A, status: 'True'},"
		    " {type: B, status: 'False'}]}",
		    "status: {conditions: [{type: B, status: 'False'},"
		    " {type: A, status: 'True'}]}",
		    "" },
		{ "the last of equal types counts",
		    "status: {conditions: [{type: A, status: 'True'},"
		    " {type: A, status: 'False'}]}",
		    "status: {conditions: [{type: A, status: 'False'}]}", "" },
		{ "the first in the order names it",
		    "spec: {unschedulable: true,"
		    " taints: [{key: k, effect: NoSchedule}]}",
		    "status: {allocatable: {cpu: 2}}",
		    "NodeSpecUnschedulableChange" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct object *before = decode("Node", rows[i].before);
		struct object *after = decode("Node", rows[i].after);

		t_str(rows[i].name,
		    name_of(queue_event_of_node((struct node *)before,
			(struct node *)after)),
		    rows[i].event);
		object_unref(before);
		object_unref(after);
	}
}

static void
node_labels_count(void)
{
	struct object *before = decode("Node", "spec: {}");
	struct object *after = decode("Node", "spec: {}");
	struct label other[] = { ((struct node *)after)->labels.at[0] };

	other[0].value = sym_intern("c");
	((struct node *)after)->labels.at = other;
	t_str("another value",
	    name_of(queue_event_of_node((struct node *)before,
		(struct node *)after)),
	    "NodeLabelChange");
	object_unref(before);
	object_unref(after);
}

#define IN_ZONE(zone)                                                          \
	"provisioner: p, allowedTopologies: [{matchLabelExpressions: "         \
	"[{key: zone, values: [" zone "]}]}]"
#define LIMIT(n) "spec: {drivers: [{name: d, allocatable: {count: " n "}}]}"

static void
only_some_changes_of_objects_count(void)
{
	static const char s[] = "spec: {}";
	static const char checks[] = "spec: {storageCapacity: true}";
	static const char room[] = "capacity: 1";
	static const char given[] = "status: {allocation: {}}";
	static const char unready[] =
	    "status: {allocation: {devices: {results: [{device: d, "
	    "bindingConditions: [ready]}]}}}";
	static const char used[] =
	    "status: {allocation: {}, reservedFor: [{uid: u}]}";
	static const char sc[] = "provisioner: p";
	static const char in_a[] = IN_ZONE("a"), in_b[] = IN_ZONE("b");
	static const char late[] =
	    "provisioner: p, volumeBindingMode: WaitForFirstConsumer";
	static const char soon[] =
	    "provisioner: p, volumeBindingMode: Immediate";
	static const struct {
		const char *kind, *before, *after, *event;
	} rows[] = {
		{ "Node", NULL, s, "NodeAdd" },
		{ "Node", s, s, "" },
		{ "Node", s, "spec: {taints: [{key: k}]}", "NodeTaintChange" },
		{ "Node", s, NULL, "NodeDelete" },
		{ "Pod", NULL, s, "AssignedPodAdd" },
		{ "Pod", s, s, "" },
		{ "Pod", s, "status: {phase: Running}", "" },
		{ "Pod", s, "spec: {tolerations: [{key: k}]}",
		    "AssignedPodUpdate" },
		{ "Pod", s, NULL, "AssignedPodDelete" },
		{ "PersistentVolume", NULL, s, "PvAdd" },
		{ "PersistentVolume", s, s, "PvUpdate" },
		{ "PersistentVolume", s, NULL, "" },
		{ "PersistentVolumeClaim", NULL, s, "PvcAdd" },
		{ "PersistentVolumeClaim", s, s, "PvcUpdate" },
		{ "PersistentVolumeClaim", s, NULL, "" },
		{ "StorageClass", NULL, late, "StorageClassAdd" },
		{ "StorageClass", NULL, soon, "" },
		{ "StorageClass", NULL, sc, "" },
		{ "StorageClass", sc, late, "" },
		{ "StorageClass", in_a, in_b, "StorageClassUpdate" },
		{ "StorageClass", in_a, in_a, "" },
		{ "StorageClass", in_a, sc, "StorageClassUpdate" },
		{ "StorageClass", late, NULL, "" },
		{ "Service", NULL, s, "ServiceAdd" },
		{ "Service", s, s, "ServiceUpdate" },
		{ "Service", s, NULL, "ServiceDelete" },
		{ "CSINode", NULL, s, "CSINodeAdd" },
		{ "CSINode", s, s, "" },
		{ "CSINode", LIMIT("1"), LIMIT("2"), "CSINodeUpdate" },
		{ "CSINode", LIMIT("2"), LIMIT("1"), "" },
		{ "CSINode", LIMIT("2"), s, "CSINodeUpdate" },
		{ "CSINode", s, LIMIT("2"), "" },
		{ "CSIDriver", NULL, s, "CSIDriverAdd" },
		{ "CSIDriver", checks, checks, "" },
		{ "CSIDriver", s, checks, "" },
		{ "CSIDriver", checks, s, "CSIDriverUpdate" },
		{ "CSIDriver", checks, NULL, "CSIDriverDelete" },
		{ "CSIStorageCapacity", NULL, room, "CSIStorageCapacityAdd" },
		{ "CSIStorageCapacity", room, room, "" },
		{ "CSIStorageCapacity", room, "capacity: 2",
		    "CSIStorageCapacityUpdate" },
		{ "CSIStorageCapacity", "capacity: 2", room, "" },
		{ "CSIStorageCapacity", room, "capacity: 1, nodeTopology: {}",
		    "CSIStorageCapacityUpdate" },
		{ "CSIStorageCapacity", room, NULL, "" },
		{ "VolumeAttachment", NULL, s, "" },
		{ "VolumeAttachment", s, s, "" },
		{ "VolumeAttachment", s, NULL, "VolumeAttachmentDelete" },
		{ "ResourceClaim", NULL, s, "ResourceClaimAdd" },
		{ "ResourceClaim", s, s, "" },
		{ "ResourceClaim", s, given, "ResourceClaimUpdate" },
		{ "ResourceClaim", given, s, "ResourceClaimUpdate" },
		{ "ResourceClaim", unready, given, "ResourceClaimUpdate" },
		{ "ResourceClaim", given, used, "" },
		{ "ResourceClaim", used, given, "ResourceClaimUpdate" },
		{ "ResourceClaim", given, NULL, "ResourceClaimDelete" },
		{ "ResourceSlice", NULL, s, "ResourceSliceAdd" },
		{ "ResourceSlice", s, s, "ResourceSliceUpdate" },
		{ "ResourceSlice", s, NULL, "ResourceSliceDelete" },
		{ "DeviceClass", NULL, s, "DeviceClassAdd" },
		{ "DeviceClass", s, s, "DeviceClassUpdate" },
		{ "DeviceTaintRule", s, NULL, "ResourceSliceUpdate" },
		{ "CSINode", s, NULL, "" },
		{ "ReplicaSet", NULL, s, "" },
		{ "ReplicaSet", s, s, "" },
		{ "Namespace", NULL, s, "NamespaceLabelChange" },
		{ "Namespace", s, s, "" },
		{ "Namespace", s, NULL, "NamespaceLabelChange" },
		{ "PriorityClass", s, NULL, "" },
		{ "PodDisruptionBudget", NULL, s, "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct object *before = decode(rows[i].kind, rows[i].before);
		struct object *after = decode(rows[i].kind, rows[i].after);

		t_str(rows[i].kind, name_of(queue_event_of(before, after)),
		    rows[i].event);
		object_unref(before);
		object_unref(after);
	}
}

static void
a_plugin_that_migrates_counts(void)
{
	struct object *before =
	    t_object("--- {kind: CSINode, metadata: {name: x}, spec: {}}");
	struct object *after =
	    t_object("--- {kind: CSINode, metadata: {name: x, annotations: "
		     "{storage.alpha.kubernetes.io/migrated-plugins: "
		     "kubernetes.io/gce-pd}}, spec: {}}");

	t_str("a plugin more", name_of(queue_event_of(before, after)),
	    "CSINodeUpdate");
	object_unref(before);
	object_unref(after);
}

static void
only_some_pods_are_concerned(void)
{
	static const struct {
		const char *kind, *pod;
		bool concerned;
	} rows[] = {
		{ "CSINode", "spec: {volumes: [{name: v}]}", true },
		{ "CSINode", "spec: {}", false },
		{ "CSIDriver", "spec: {volumes: [{name: v}]}", true },
		{ "CSIDriver", "spec: {}", false },
		{ "CSIStorageCapacity", "spec: {volumes: [{name: v}]}", true },
		{ "CSIStorageCapacity", "spec: {}", false },
		{ "VolumeAttachment", "spec: {volumes: [{name: v}]}", true },
		{ "VolumeAttachment", "spec: {}", false },
		{ "ResourceClaim",
		    "spec: {resourceClaims: [{name: a, resourceClaimName: x}]}",
		    true },
		{ "ResourceClaim",
		    "spec: {resourceClaims: [{name: x, resourceClaimName: z}]}",
		    false },
		{ "ResourceClaim", "spec: {volumes: [{name: v}]}", false },
		{ "ResourceSlice",
		    "spec: {resourceClaims: [{name: a, resourceClaimName: z}]}",
		    true },
		{ "ResourceSlice", "spec: {}", false },
		{ "Node", "spec: {}", true },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct object *object = decode(rows[i].kind, "spec: {}");
		struct object *pod = decode("Pod", rows[i].pod);

		t_int(rows[i].kind,
		    queue_event_concerns(object,
			((const struct pod *)pod)->class),
		    rows[i].concerned);
		object_unref(object);
		object_unref(pod);
	}
}

T_MAIN(T(only_some_pods_are_concerned), T(every_event_has_a_name_of_its_own),
    T(names_go_by_the_release), T(an_update_of_a_waiting_pod_says_what_changed),
    T(a_node_update_counts_when_a_rule_may_see_it), T(node_labels_count),
    T(only_some_changes_of_objects_count), T(a_plugin_that_migrates_counts))
