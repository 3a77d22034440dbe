/*
 * Which pods that fit nowhere an event of the cluster wakes, in the cases of the
 * reference's integration test of its queue (Kubernetes 1.36, test/integration/
 * scheduler/queueing): for each of them the pods that should wake, and those that
 * should not.
 *
 * It is known which rules refused a pod, and these are asked whether an event can
 * help.
 *
 * Not in here: gangs, and features beyond those that a pod can require, neither of
 * which predicated schedules; a CSINode that names a plugin that does not exist;
 * and DeviceClasses that stand for extended resources (t/daemon/devices.t).
 */
#include "config.h"

#include <stdio.h>

#include "base/xmalloc.h"
#include "objects/node.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

enum wake { WAKES, SLEEPS };

#define OBJECT(kind, name, labels, rest)                                       \
	"--- {kind: " kind ", metadata: {name: " name ", labels: {" labels     \
	"}}, " rest "}"
#define NODE(labels, rest) OBJECT("Node", "node", labels, rest)
#define CPU(n) "status: {allocatable: {cpu: " n ", pods: 9}}"
#define TAINT(key) "spec: {taints: [{key: " key ", effect: NoSchedule}]}"

#define POD(name, labels, spec)                                                \
	"--- {kind: Pod, metadata: {namespace: ns, name: " name ", uid: " name \
	", labels: {" labels "}}, spec: {" spec "}}"
#define WAITS(labels, spec) POD("waits", labels, spec)
#define PLACED(labels, spec) POD("placed", labels, "nodeName: node, " spec)
#define NEEDS(what) "containers: [{name: c, resources: {requests: {" what "}}}]"
#define TOLERATES(key) "tolerations: [{key: " key ", operator: Exists}]"
#define ON(value)                                                              \
	"affinity: {nodeAffinity: {"                                           \
	"requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " \
	"[{matchExpressions: [{key: group, operator: In, values: [" value      \
	"]}]}]}}}"
#define TERM(kind, key, topology)                                                  \
	"affinity: {" kind ": {"                                                   \
	"requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " topology \
	", labelSelector: {matchExpressions: [{key: " key                          \
	", operator: Exists}]}}]}}"
#define NEAR(key, topology) TERM("podAffinity", key, topology)
#define FAR(key, topology) TERM("podAntiAffinity", key, topology)
#define SPREAD(key, topology)                                                  \
	"topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: "         \
	"DoNotSchedule, topologyKey: " topology                                \
	", labelSelector: {matchExpressions: [{key: " key                      \
	", operator: Exists}]}}]"
#define PORT(port) "containers: [{name: c, ports: [{hostPort: " port "}]}]"
#define MOUNTS(claim)                                                          \
	"volumes: [{name: v, persistentVolumeClaim: {claimName: " claim "}}]"
#define CLAIM(name, spec)                                                         \
	"--- {kind: PersistentVolumeClaim, metadata: {namespace: ns, name: " name \
	"}, spec: {" spec "}}"
#define VOLUME(labels) OBJECT("PersistentVolume", "pv", labels, "spec: {}")
#define ZONE "topology.kubernetes.io/zone: "
#define ON_DEMAND "volumeBindingMode: WaitForFirstConsumer"
#define CLASS(labels, zone)                                                    \
	OBJECT("StorageClass", "sc", labels,                                   \
	    "provisioner: p, " ON_DEMAND ", allowedTopologies: "               \
	    "[{matchLabelExpressions: [{key: zone, values: [" zone "]}]}]")
#define CSI_NODE(limit)                                                        \
	OBJECT("CSINode", "node", "", "spec: {drivers: [" limit "]}")
#define CSI_DRIVER(spec) OBJECT("CSIDriver", "d", "", "spec: {" spec "}")
#define CAPACITY(n)                                                            \
	OBJECT("CSIStorageCapacity", "c", "",                                  \
	    "storageClassName: sc, capacity: " n)
#define FEATURES(names) "status: {declaredFeatures: [" names "]}"

static const char plain[] = WAITS("", "");
static const char mounts_1[] = WAITS("", MOUNTS("c1"));
static const char mounts_2[] = WAITS("", MOUNTS("c2"));
static const char port_1[] = PLACED("", PORT("8080"));
static const char keeps_away[] = PLACED("", FAR("a", "node"));

static const struct {
	const char *name, *waits, *before, *after;
	enum wake wake;
	enum plugin_number by;
} rows[] = {
	/* NodeAffinity */
	{ "a node's label: it is on it", WAITS("", ON("b")),
	    NODE("group: a", CPU("1")), NODE("group: b", CPU("1")), WAKES,
	    PLUGIN_NODE_AFFINITY },
	{ "a node's label: it is not", WAITS("", ON("c")),
	    NODE("group: a", CPU("1")), NODE("group: b", CPU("1")), SLEEPS,
	    PLUGIN_NODE_AFFINITY },
	{ "another label of a node that it is on", WAITS("", ON("a")),
	    NODE("group: a", CPU("1")), NODE("group: a, x: z", CPU("1")),
	    SLEEPS, PLUGIN_NODE_AFFINITY },
	{ "a node with the label", WAITS("", ON("b")), NULL,
	    NODE("group: b", CPU("1")), WAKES, PLUGIN_NODE_AFFINITY },
	{ "a node with another", WAITS("", ON("c")), NULL,
	    NODE("group: b", CPU("1")), SLEEPS, PLUGIN_NODE_AFFINITY },
	/* TaintToleration, NodeUnschedulable */
	{ "it tolerates now", plain, plain, WAITS("", TOLERATES("k")), WAKES,
	    PLUGIN_TAINT_TOLERATION },
	{ "another pod does", plain, NULL, POD("other", "", TOLERATES("k")),
	    SLEEPS, PLUGIN_TAINT_TOLERATION },
	{ "its labels change", plain, plain, WAITS("key: val", ""), SLEEPS,
	    PLUGIN_TAINT_TOLERATION },
	{ "and it is to be spread", plain, plain, WAITS("key: val", ""), WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a taint that it tolerates", WAITS("", TOLERATES("k")),
	    NODE("", TAINT("gone")), NODE("", TAINT("k")), WAKES,
	    PLUGIN_TAINT_TOLERATION },
	{ "one that it does not", WAITS("", TOLERATES("other")),
	    NODE("", TAINT("gone")), NODE("", TAINT("k")), SLEEPS,
	    PLUGIN_TAINT_TOLERATION },
	{ "a node with a taint that it tolerates", WAITS("", TOLERATES("k")),
	    NULL, NODE("", TAINT("k")), WAKES, PLUGIN_TAINT_TOLERATION },
	{ "a node with another", plain, NULL, NODE("", TAINT("k")), SLEEPS,
	    PLUGIN_TAINT_TOLERATION },
	{ "more cpu on a node with a taint", plain,
	    NODE("",
		"spec: {taints: [{key: k, effect: NoSchedule}]}, " CPU("2")),
	    NODE("",
		"spec: {taints: [{key: k, effect: NoSchedule}]}, " CPU("4")),
	    SLEEPS, PLUGIN_TAINT_TOLERATION },
	{ "a node is uncordoned", plain,
	    NODE("", "spec: {unschedulable: true}"), NODE("", "spec: {}"),
	    WAKES, PLUGIN_NODE_UNSCHEDULABLE },
	{ "a node that is not cordoned", plain, NULL, NODE("", "spec: {}"),
	    WAKES, PLUGIN_NODE_UNSCHEDULABLE },
	{ "a cordoned node", plain, NULL,
	    NODE("", "spec: {unschedulable: true}"), SLEEPS,
	    PLUGIN_NODE_UNSCHEDULABLE },
	{ "a node is cordoned", plain, NODE("", "spec: {}"),
	    NODE("", "spec: {unschedulable: true}"), SLEEPS,
	    PLUGIN_NODE_UNSCHEDULABLE },
	/* NodeResourcesFit */
	{ "it is scaled down", WAITS("", NEEDS("cpu: 4")),
	    WAITS("", NEEDS("cpu: 4")), WAITS("", NEEDS("cpu: 2")), WAKES,
	    PLUGIN_NODE_RESOURCES_FIT },
	{ "a pod goes", WAITS("", NEEDS("cpu: 2")), PLACED("", NEEDS("cpu: 2")),
	    NULL, WAKES, PLUGIN_NODE_RESOURCES_FIT },
	{ "a pod shrinks", WAITS("", NEEDS("cpu: 2")),
	    PLACED("", NEEDS("cpu: 2")), PLACED("", NEEDS("cpu: 1")), WAKES,
	    PLUGIN_NODE_RESOURCES_FIT },
	{ "a pod shrinks by what it does not need",
	    WAITS("", NEEDS("memory: 2")), PLACED("", NEEDS("cpu: 2")),
	    PLACED("", NEEDS("cpu: 1")), SLEEPS, PLUGIN_NODE_RESOURCES_FIT },
	{ "a node with room", WAITS("", NEEDS("cpu: 4")), NULL,
	    NODE("", CPU("4")), WAKES, PLUGIN_NODE_RESOURCES_FIT },
	{ "a node with too little", WAITS("", NEEDS("cpu: 5")), NULL,
	    NODE("", CPU("4")), SLEEPS, PLUGIN_NODE_RESOURCES_FIT },
	{ "a node grows", WAITS("", NEEDS("cpu: 4")), NODE("", CPU("2")),
	    NODE("", CPU("4")), WAKES, PLUGIN_NODE_RESOURCES_FIT },
	{ "not enough", WAITS("", NEEDS("cpu: 5")), NODE("", CPU("2")),
	    NODE("", CPU("4")), SLEEPS, PLUGIN_NODE_RESOURCES_FIT },
	{ "by what it does not need", WAITS("", NEEDS("example.com/gpu: 1")),
	    NODE("", CPU("4")),
	    NODE("", "status: {allocatable: {cpu: 4, memory: 4000, pods: 9}}"),
	    SLEEPS, PLUGIN_NODE_RESOURCES_FIT },
	{ "room for more pods", plain,
	    NODE("", "status: {allocatable: {pods: 2}}"),
	    NODE("", "status: {allocatable: {pods: 3}}"), WAKES,
	    PLUGIN_NODE_RESOURCES_FIT },
	{ "a heartbeat of a node", WAITS("", NEEDS("cpu: 5")),
	    NODE("", CPU("4")), NODE("", CPU("4")), SLEEPS,
	    PLUGIN_NODE_RESOURCES_FIT },
	/* InterPodAffinity */
	{ "the label that it is far from goes", WAITS("", FAR("a", "node")),
	    PLACED("a: a, b: b", ""), PLACED("b: b", ""), WAKES,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "another goes", WAITS("", FAR("b", "node")), PLACED("a: a, b: b", ""),
	    PLACED("b: b", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "it comes", WAITS("", FAR("a", "node")), PLACED("b: b", ""),
	    PLACED("a: a, b: b", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "the pod that it is far from goes", WAITS("", FAR("a", "node")),
	    PLACED("a: a", ""), NULL, WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "another pod goes", WAITS("", FAR("b", "node")), PLACED("a: a", ""),
	    NULL, SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "a pod that is far from it goes", WAITS("a: a", ""), keeps_away, NULL,
	    WAKES, PLUGIN_EXISTING_ANTI_AFFINITY },
	{ "a pod that is far from others goes", WAITS("b: b", ""), keeps_away,
	    NULL, SLEEPS, PLUGIN_EXISTING_ANTI_AFFINITY },
	{ "a pod like those that it is far from comes",
	    WAITS("", FAR("a", "node")), NULL, PLACED("a: a", ""), SLEEPS,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "the label that it is near to comes", WAITS("", NEAR("a", "node")),
	    PLACED("", ""), PLACED("a: b", ""), WAKES,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "another label comes", WAITS("", NEAR("b", "node")), PLACED("", ""),
	    PLACED("a: b", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "it goes", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	/* not so in the reference, which tries it again after five minutes */
	{ "it goes, and the pod is the first of its group",
	    WAITS("a: b", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("", ""), WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "its value changes", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("a: c", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "a pod with the label", WAITS("", NEAR("a", "node")), NULL,
	    PLACED("a: b", ""), WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "a pod without", WAITS("", NEAR("a", "node")), NULL,
	    PLACED("b: b", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "its status", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("a: b", ""), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "a node with its topology", WAITS("", NEAR("a", "zone")), NULL,
	    NODE("zone: z", CPU("1")), WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "a node with another", WAITS("", NEAR("a", "region")), NULL,
	    NODE("zone: z", CPU("1")), SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "a node gets its topology", WAITS("a: a", NEAR("a", "node")),
	    NODE("region: r", CPU("1")), NODE("region: r, node: m", CPU("1")),
	    WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "another domain of it", WAITS("", NEAR("a", "region")),
	    NODE("region: r", CPU("1")), NODE("region: q", CPU("1")), WAKES,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "of no node", WAITS("a: a", NEAR("a", "other")),
	    NODE("region: r", CPU("1")), NODE("region: q", CPU("1")), SLEEPS,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "a node leaves the domain", WAITS("a: a", FAR("a", "node")),
	    NODE("node: m, other: o", CPU("1")), NODE("other: o", CPU("1")),
	    WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "it is in another", WAITS("a: a", FAR("a", "service")),
	    NODE("service: a", CPU("1")), NODE("service: b", CPU("1")), WAKES,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "it stays", WAITS("a: a", FAR("a", "other")),
	    NODE("node: m, other: o", CPU("1")), NODE("other: o", CPU("1")),
	    SLEEPS, PLUGIN_INTER_POD_AFFINITY },
	{ "a node that is in no domain of it", WAITS("", FAR("a", "node")),
	    NULL, NODE("zone: z", CPU("1")), WAKES, PLUGIN_INTER_POD_AFFINITY },
	{ "a node that is not ready", WAITS("a: a", FAR("a", "node")), NULL,
	    NODE("node: m", TAINT("not-ready")), WAKES,
	    PLUGIN_INTER_POD_AFFINITY },
	{ "it gets ready", WAITS("a: a", FAR("a", "node")),
	    NODE("node: m", TAINT("not-ready")), NODE("node: m", CPU("1")),
	    WAKES, PLUGIN_TAINT_TOLERATION },
	/* NodePorts */
	{ "the pod with its port goes", WAITS("", PORT("8080")), port_1, NULL,
	    WAKES, PLUGIN_NODE_PORTS },
	{ "a pod with another", WAITS("", PORT("8081")), port_1, NULL, SLEEPS,
	    PLUGIN_NODE_PORTS },
	{ "a node, for a port", WAITS("", PORT("8080")), NULL,
	    NODE("", CPU("1")), WAKES, PLUGIN_NODE_PORTS },
	/* PodTopologySpread */
	{ "a pod that counts", WAITS("", SPREAD("a", "node")), NULL,
	    PLACED("a: v", ""), WAKES, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "one that does not", WAITS("", SPREAD("b", "node")), NULL,
	    PLACED("a: v", ""), SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it no longer counts", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), PLACED("c: v", ""), WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it never did", WAITS("", SPREAD("b", "node")), PLACED("a: v", ""),
	    PLACED("c: v", ""), SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it counts as before", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), PLACED("a: v, c: v", ""), SLEEPS,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "one that counts goes", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), NULL, WAKES, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "another goes", WAITS("", SPREAD("b", "node")), PLACED("a: v", ""),
	    NULL, SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a node of a domain", WAITS("", SPREAD("a", "node")), NULL,
	    NODE("node: m", CPU("1")), WAKES, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "of another topology", WAITS("", SPREAD("a", "zone")), NULL,
	    NODE("node: m", CPU("1")), SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a node leaves its domain", WAITS("", SPREAD("a", "node")),
	    NODE("node: m", CPU("1")), NODE("zone: z", CPU("1")), WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a node comes to one", WAITS("", SPREAD("a", "zone")),
	    NODE("node: m", CPU("1")), NODE("zone: z", CPU("1")), WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it stays in its domain", WAITS("", SPREAD("a", "region")),
	    NODE("region: r, x: z", CPU("1")), NODE("region: r", CPU("1")),
	    SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it is in none", WAITS("", SPREAD("a", "other")),
	    NODE("region: r, x: z", CPU("1")), NODE("region: r", CPU("1")),
	    SLEEPS, PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "it changes its domain", WAITS("", SPREAD("a", "service")),
	    NODE("service: a", CPU("1")), NODE("service: b", CPU("1")), WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a node of a domain goes", WAITS("", SPREAD("a", "zone")),
	    NODE("zone: z", CPU("1")), NULL, WAKES,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "a node of none goes", WAITS("", SPREAD("a", "node")),
	    NODE("zone: z", CPU("1")), NULL, SLEEPS,
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "another taint of a node", WAITS("", SPREAD("a", "zone")),
	    NODE("zone: z", TAINT("not-ready")), NODE("zone: z", TAINT("k")),
	    WAKES, PLUGIN_POD_TOPOLOGY_SPREAD },
	/* VolumeZone, VolumeRestrictions, VolumeBinding */
	{ "a volume", mounts_2, NULL, VOLUME("zone: a"), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "a volume, for a pod without", plain, NULL, VOLUME("zone: a"), SLEEPS,
	    PLUGIN_VOLUME_BINDING },
	{ "a volume's zone", mounts_2, VOLUME(ZONE "a"), VOLUME(ZONE "b"),
	    WAKES, PLUGIN_VOLUME_ZONE },
	{ "another label of it", mounts_2, VOLUME(ZONE "a"),
	    VOLUME(ZONE "a, x: z"), SLEEPS, PLUGIN_VOLUME_ZONE },
	{ "its claim", mounts_2, NULL, CLAIM("c2", ""), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "another claim", mounts_1, NULL, CLAIM("c2", ""), SLEEPS,
	    PLUGIN_VOLUME_BINDING },
	{ "its claim is bound", mounts_2, CLAIM("c2", ""),
	    CLAIM("c2", "volumeName: pv"), WAKES, PLUGIN_VOLUME_BINDING },
	{ "another claim is bound", mounts_1, CLAIM("c2", ""),
	    CLAIM("c2", "volumeName: pv"), SLEEPS, PLUGIN_VOLUME_BINDING },
	{ "the user of its claim goes", mounts_1, PLACED("", MOUNTS("c1")),
	    NULL, WAKES, PLUGIN_VOLUME_RESTRICTIONS },
	{ "that of another goes", mounts_2, PLACED("", MOUNTS("c1")), NULL,
	    SLEEPS, PLUGIN_VOLUME_RESTRICTIONS },
	{ "a storage class", mounts_1, NULL, CLASS("", "a"), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "one that binds at once", mounts_1, NULL,
	    OBJECT("StorageClass", "sc", "", "provisioner: p"), SLEEPS,
	    PLUGIN_VOLUME_BINDING },
	{ "other zones of a storage class", mounts_1, CLASS("", "a"),
	    CLASS("", "b"), WAKES, PLUGIN_VOLUME_BINDING },
	{ "the same zones", mounts_1, CLASS("x: z", "a"), CLASS("", "a"),
	    SLEEPS, PLUGIN_VOLUME_BINDING },
	{ "other zones, for a pod without volumes", plain, CLASS("", "a"),
	    CLASS("", "b"), SLEEPS, PLUGIN_VOLUME_BINDING },
	{ "a node, for a volume", mounts_1, NULL, NODE("zone: a", CPU("1")),
	    WAKES, PLUGIN_VOLUME_BINDING },
	{ "a node's zone", mounts_1, NODE("zone: a", CPU("1")),
	    NODE("zone: b", CPU("1")), WAKES, PLUGIN_VOLUME_BINDING },
	/* CSI */
	{ "a CSINode", mounts_1, NULL, CSI_NODE(""), WAKES,
	    PLUGIN_NODE_VOLUME_LIMITS },
	{ "a CSINode, for a pod without volumes", plain, NULL, CSI_NODE(""),
	    SLEEPS, PLUGIN_VOLUME_BINDING },
	{ "a higher limit", mounts_1,
	    CSI_NODE("{name: d, allocatable: {count: 1}}"),
	    CSI_NODE("{name: d, allocatable: {count: 2}}"), WAKES,
	    PLUGIN_NODE_VOLUME_LIMITS },
	{ "capacity is no longer checked", mounts_1,
	    CSI_DRIVER("storageCapacity: true"), CSI_DRIVER(""), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "capacity is checked now", mounts_1, CSI_DRIVER(""),
	    CSI_DRIVER("storageCapacity: true"), SLEEPS,
	    PLUGIN_VOLUME_BINDING },
	{ "capacity", mounts_1, NULL, CAPACITY("10"), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "more capacity", mounts_1, CAPACITY("10"), CAPACITY("20"), WAKES,
	    PLUGIN_VOLUME_BINDING },
	{ "less", mounts_1, CAPACITY("10"), CAPACITY("5"), SLEEPS,
	    PLUGIN_VOLUME_BINDING },
	{ "a volume is detached", mounts_1,
	    OBJECT("VolumeAttachment", "a", "", "spec: {}"), NULL, WAKES,
	    PLUGIN_NODE_VOLUME_LIMITS },
	{ "a volume is detached, for a pod without", plain,
	    OBJECT("VolumeAttachment", "a", "", "spec: {}"), NULL, SLEEPS,
	    PLUGIN_NODE_VOLUME_LIMITS },
	/* NodeDeclaredFeatures */
	{ "a node declares a feature", plain, NODE("", "status: {}"),
	    NODE("", FEATURES("RestartAllContainersOnContainerExits")), WAKES,
	    PLUGIN_NODE_DECLARED_FEATURES },
	{ "one that is not required", plain, NODE("", "status: {}"),
	    NODE("", FEATURES("Other")), SLEEPS,
	    PLUGIN_NODE_DECLARED_FEATURES },
};

static void
events_wake_the_pods_that_they_can_help(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct queue *queue = queue_new(&queue_options_default, 0);
		struct pod *pod = (struct pod *)t_object(rows[i].waits);
		struct object *before = t_object(rows[i].before);
		struct object *after = t_object(rows[i].after);
		const struct pod *is = (const struct pod *)after;
		bool own = after != NULL && after->kind == OBJECT_POD &&
		    is->node == SYM_EMPTY;

		queue_add(queue, pod, 0);
		pod_unref(queue_pop(queue, 0, NULL));
		queue_refused(queue, pod, PLUGIN_BIT(rows[i].by), 0);
		if (own)
			queue_add(queue, is, 5000);
		else
			queue_object_changed(queue, before, after, 5000);
		t_int(rows[i].name,
		    (long)queue_count(queue, QUEUE_UNSCHEDULABLE),
		    rows[i].wake == SLEEPS);
		object_unref(before);
		object_unref(after);
		pod_unref(pod);
		queue_free(queue);
	}
}

T_MAIN(T(events_wake_the_pods_that_they_can_help))
