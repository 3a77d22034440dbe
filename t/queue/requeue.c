/*
 * Which pods that fit nowhere an event of the cluster wakes, in the cases of the
 * reference's integration test of its queue (Kubernetes 1.36, test/integration/
 * scheduler/queueing): for each of them the pods that should wake, and those that
 * should not.
 *
 * The reference knows which plugins refused a pod, and asks these whether an event
 * can help.  Ours asks the pod's class alone: some pods are TRIED that the
 * reference leaves alone.  None that it wakes may stay asleep.
 *
 * Not in here: gangs, DeviceClasses that stand for extended resources and features
 * beyond those that a pod can require, none of which predicated schedules; and a
 * CSINode that names a plugin that does not exist.
 */
#include "config.h"

#include <stdio.h>

#include "base/xmalloc.h"
#include "model/node.h"
#include "model/object.h"
#include "model/pod.h"
#include "queue/queue.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

/* In the reference: WAKES, and the others do not. */
enum wake { WAKES, SLEEPS, TRIED };

#define OBJECT(kind, name, labels, rest)                                       \
	"--- {kind: " kind ", metadata: {name: " name ", labels: {" labels     \
	"}}, " rest "}"
#define NODE(labels, rest) OBJECT("Node", "node", labels, rest)
#define CPU(n) "status: {allocatable: {cpu: " n "}}"
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
} rows[] = {
	/* NodeAffinity */
	{ "a node's label: it is on it", WAITS("", ON("b")),
	    NODE("group: a", CPU("1")), NODE("group: b", CPU("1")), WAKES },
	{ "a node's label: it is not", WAITS("", ON("c")),
	    NODE("group: a", CPU("1")), NODE("group: b", CPU("1")), TRIED },
	{ "another label of a node that it is on", WAITS("", ON("a")),
	    NODE("group: a", CPU("1")), NODE("group: a, x: z", CPU("1")),
	    TRIED },
	{ "a node with the label", WAITS("", ON("b")), NULL,
	    NODE("group: b", CPU("1")), WAKES },
	{ "a node with another", WAITS("", ON("c")), NULL,
	    NODE("group: b", CPU("1")), TRIED },
	/* TaintToleration, NodeUnschedulable */
	{ "it tolerates now", plain, plain, WAITS("", TOLERATES("k")), WAKES },
	{ "another pod does", plain, NULL, POD("other", "", TOLERATES("k")),
	    SLEEPS },
	{ "its labels change", plain, plain, WAITS("key: val", ""), TRIED },
	{ "a taint that it tolerates", WAITS("", TOLERATES("k")),
	    NODE("", TAINT("gone")), NODE("", TAINT("k")), WAKES },
	{ "one that it does not", WAITS("", TOLERATES("other")),
	    NODE("", TAINT("gone")), NODE("", TAINT("k")), TRIED },
	{ "a node with a taint that it tolerates", WAITS("", TOLERATES("k")),
	    NULL, NODE("", TAINT("k")), WAKES },
	{ "a node with another", plain, NULL, NODE("", TAINT("k")), TRIED },
	{ "more cpu on a node with a taint", plain,
	    NODE("",
		"spec: {taints: [{key: k, effect: NoSchedule}]}, " CPU("2")),
	    NODE("",
		"spec: {taints: [{key: k, effect: NoSchedule}]}, " CPU("4")),
	    TRIED },
	{ "a node is uncordoned", plain,
	    NODE("", "spec: {unschedulable: true}"), NODE("", "spec: {}"),
	    WAKES },
	{ "a node that is not cordoned", plain, NULL, NODE("", "spec: {}"),
	    WAKES },
	{ "a cordoned node", plain, NULL,
	    NODE("", "spec: {unschedulable: true}"), TRIED },
	{ "a node is cordoned", plain, NODE("", "spec: {}"),
	    NODE("", "spec: {unschedulable: true}"), SLEEPS },
	/* NodeResourcesFit */
	{ "it is scaled down", WAITS("", NEEDS("cpu: 4")),
	    WAITS("", NEEDS("cpu: 4")), WAITS("", NEEDS("cpu: 2")), WAKES },
	{ "a pod goes", WAITS("", NEEDS("cpu: 2")), PLACED("", NEEDS("cpu: 2")),
	    NULL, WAKES },
	{ "a pod shrinks", WAITS("", NEEDS("cpu: 2")),
	    PLACED("", NEEDS("cpu: 2")), PLACED("", NEEDS("cpu: 1")), WAKES },
	{ "a pod shrinks by what it does not need",
	    WAITS("", NEEDS("memory: 2")), PLACED("", NEEDS("cpu: 2")),
	    PLACED("", NEEDS("cpu: 1")), SLEEPS },
	{ "a node with room", WAITS("", NEEDS("cpu: 4")), NULL,
	    NODE("", CPU("4")), WAKES },
	{ "a node with too little", WAITS("", NEEDS("cpu: 5")), NULL,
	    NODE("", CPU("4")), TRIED },
	{ "a node grows", WAITS("", NEEDS("cpu: 4")), NODE("", CPU("2")),
	    NODE("", CPU("4")), WAKES },
	{ "not enough", WAITS("", NEEDS("cpu: 5")), NODE("", CPU("2")),
	    NODE("", CPU("4")), TRIED },
	{ "by what it does not need", WAITS("", NEEDS("example.com/gpu: 1")),
	    NODE("", CPU("4")),
	    NODE("", "status: {allocatable: {cpu: 4, memory: 4000}}"), TRIED },
	{ "room for more pods", plain,
	    NODE("", "status: {allocatable: {pods: 2}}"),
	    NODE("", "status: {allocatable: {pods: 3}}"), WAKES },
	{ "a heartbeat of a node", WAITS("", NEEDS("cpu: 5")),
	    NODE("", CPU("4")), NODE("", CPU("4")), SLEEPS },
	/* InterPodAffinity */
	{ "the label that it is far from goes", WAITS("", FAR("a", "node")),
	    PLACED("a: a, b: b", ""), PLACED("b: b", ""), WAKES },
	{ "another goes", WAITS("", FAR("b", "node")), PLACED("a: a, b: b", ""),
	    PLACED("b: b", ""), SLEEPS },
	{ "it comes", WAITS("", FAR("a", "node")), PLACED("b: b", ""),
	    PLACED("a: a, b: b", ""), SLEEPS },
	{ "the pod that it is far from goes", WAITS("", FAR("a", "node")),
	    PLACED("a: a", ""), NULL, WAKES },
	{ "another pod goes", WAITS("", FAR("b", "node")), PLACED("a: a", ""),
	    NULL, TRIED },
	{ "a pod that is far from it goes", WAITS("a: a", ""), keeps_away, NULL,
	    WAKES },
	{ "a pod that is far from others goes", WAITS("b: b", ""), keeps_away,
	    NULL, TRIED },
	{ "a pod like those that it is far from comes",
	    WAITS("", FAR("a", "node")), NULL, PLACED("a: a", ""), SLEEPS },
	{ "the label that it is near to comes", WAITS("", NEAR("a", "node")),
	    PLACED("", ""), PLACED("a: b", ""), WAKES },
	{ "another label comes", WAITS("", NEAR("b", "node")), PLACED("", ""),
	    PLACED("a: b", ""), SLEEPS },
	{ "it goes", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("", ""), SLEEPS },
	{ "its value changes", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("a: c", ""), SLEEPS },
	{ "a pod with the label", WAITS("", NEAR("a", "node")), NULL,
	    PLACED("a: b", ""), WAKES },
	{ "a pod without", WAITS("", NEAR("a", "node")), NULL,
	    PLACED("b: b", ""), SLEEPS },
	{ "its status", WAITS("", NEAR("a", "node")), PLACED("a: b", ""),
	    PLACED("a: b", ""), SLEEPS },
	{ "a node with its topology", WAITS("", NEAR("a", "zone")), NULL,
	    NODE("zone: z", CPU("1")), WAKES },
	{ "a node with another", WAITS("", NEAR("a", "region")), NULL,
	    NODE("zone: z", CPU("1")), TRIED },
	{ "a node gets its topology", WAITS("a: a", NEAR("a", "node")),
	    NODE("region: r", CPU("1")), NODE("region: r, node: m", CPU("1")),
	    WAKES },
	{ "another domain of it", WAITS("", NEAR("a", "region")),
	    NODE("region: r", CPU("1")), NODE("region: q", CPU("1")), WAKES },
	{ "of no node", WAITS("a: a", NEAR("a", "other")),
	    NODE("region: r", CPU("1")), NODE("region: q", CPU("1")), TRIED },
	{ "a node leaves the domain", WAITS("a: a", FAR("a", "node")),
	    NODE("node: m, other: o", CPU("1")), NODE("other: o", CPU("1")),
	    WAKES },
	{ "it is in another", WAITS("a: a", FAR("a", "service")),
	    NODE("service: a", CPU("1")), NODE("service: b", CPU("1")), WAKES },
	{ "it stays", WAITS("a: a", FAR("a", "other")),
	    NODE("node: m, other: o", CPU("1")), NODE("other: o", CPU("1")),
	    TRIED },
	{ "a node that is in no domain of it", WAITS("", FAR("a", "node")),
	    NULL, NODE("zone: z", CPU("1")), WAKES },
	{ "a node gets ready", WAITS("a: a", FAR("a", "node")),
	    NODE("node: m", TAINT("not-ready")), NODE("node: m", CPU("1")),
	    WAKES },
	/* NodePorts */
	{ "the pod with its port goes", WAITS("", PORT("8080")), port_1, NULL,
	    WAKES },
	{ "a pod with another", WAITS("", PORT("8081")), port_1, NULL, TRIED },
	{ "a node, for a port", WAITS("", PORT("8080")), NULL,
	    NODE("", CPU("1")), WAKES },
	/* PodTopologySpread */
	{ "a pod that counts", WAITS("", SPREAD("a", "node")), NULL,
	    PLACED("a: v", ""), WAKES },
	{ "one that does not", WAITS("", SPREAD("b", "node")), NULL,
	    PLACED("a: v", ""), SLEEPS },
	{ "it no longer counts", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), PLACED("c: v", ""), WAKES },
	{ "it never did", WAITS("", SPREAD("b", "node")), PLACED("a: v", ""),
	    PLACED("c: v", ""), SLEEPS },
	{ "it counts as before", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), PLACED("a: v, c: v", ""), SLEEPS },
	{ "one that counts goes", WAITS("", SPREAD("a", "node")),
	    PLACED("a: v", ""), NULL, WAKES },
	{ "another goes", WAITS("", SPREAD("b", "node")), PLACED("a: v", ""),
	    NULL, TRIED },
	{ "a node of a domain", WAITS("", SPREAD("a", "node")), NULL,
	    NODE("node: m", CPU("1")), WAKES },
	{ "of another topology", WAITS("", SPREAD("a", "zone")), NULL,
	    NODE("node: m", CPU("1")), TRIED },
	{ "a node leaves its domain", WAITS("", SPREAD("a", "node")),
	    NODE("node: m", CPU("1")), NODE("zone: z", CPU("1")), WAKES },
	{ "a node comes to one", WAITS("", SPREAD("a", "zone")),
	    NODE("node: m", CPU("1")), NODE("zone: z", CPU("1")), WAKES },
	{ "it stays in its domain", WAITS("", SPREAD("a", "region")),
	    NODE("region: r, x: z", CPU("1")), NODE("region: r", CPU("1")),
	    TRIED },
	{ "it is in none", WAITS("", SPREAD("a", "other")),
	    NODE("region: r, x: z", CPU("1")), NODE("region: r", CPU("1")),
	    TRIED },
	{ "it changes its domain", WAITS("", SPREAD("a", "service")),
	    NODE("service: a", CPU("1")), NODE("service: b", CPU("1")), WAKES },
	{ "a node of a domain goes", WAITS("", SPREAD("a", "zone")),
	    NODE("zone: z", CPU("1")), NULL, WAKES },
	{ "a node of none goes", WAITS("", SPREAD("a", "node")),
	    NODE("zone: z", CPU("1")), NULL, SLEEPS },
	{ "another taint of a node", WAITS("", SPREAD("a", "zone")),
	    NODE("zone: z", TAINT("not-ready")), NODE("zone: z", TAINT("k")),
	    WAKES },
	/* VolumeZone, VolumeRestrictions, VolumeBinding */
	{ "a volume", mounts_2, NULL, VOLUME("zone: a"), WAKES },
	{ "a volume, for a pod without", plain, NULL, VOLUME("zone: a"),
	    SLEEPS },
	{ "a volume's zone", mounts_2, VOLUME("zone: a"), VOLUME("zone: b"),
	    WAKES },
	{ "another label of it", mounts_2, VOLUME("zone: a"),
	    VOLUME("zone: a, x: z"), TRIED },
	{ "its claim", mounts_2, NULL, CLAIM("c2", ""), WAKES },
	{ "another claim", mounts_1, NULL, CLAIM("c2", ""), SLEEPS },
	{ "its claim is bound", mounts_2, CLAIM("c2", ""),
	    CLAIM("c2", "volumeName: pv"), WAKES },
	{ "another claim is bound", mounts_1, CLAIM("c2", ""),
	    CLAIM("c2", "volumeName: pv"), SLEEPS },
	{ "the user of its claim goes", mounts_1, PLACED("", MOUNTS("c1")),
	    NULL, WAKES },
	{ "that of another goes", mounts_2, PLACED("", MOUNTS("c1")), NULL,
	    TRIED },
	{ "a storage class", mounts_1, NULL, CLASS("", "a"), WAKES },
	{ "one that binds at once", mounts_1, NULL,
	    OBJECT("StorageClass", "sc", "", "provisioner: p"), SLEEPS },
	{ "other zones of a storage class", mounts_1, CLASS("", "a"),
	    CLASS("", "b"), WAKES },
	{ "the same zones", mounts_1, CLASS("x: z", "a"), CLASS("", "a"),
	    SLEEPS },
	{ "other zones, for a pod without volumes", plain, CLASS("", "a"),
	    CLASS("", "b"), SLEEPS },
	{ "a node, for a volume", mounts_1, NULL, NODE("zone: a", CPU("1")),
	    WAKES },
	{ "a node's zone", mounts_1, NODE("zone: a", CPU("1")),
	    NODE("zone: b", CPU("1")), WAKES },
	/* CSI */
	{ "a CSINode", mounts_1, NULL, CSI_NODE(""), WAKES },
	{ "a CSINode, for a pod without volumes", plain, NULL, CSI_NODE(""),
	    SLEEPS },
	{ "a higher limit", mounts_1,
	    CSI_NODE("{name: d, allocatable: {count: 1}}"),
	    CSI_NODE("{name: d, allocatable: {count: 2}}"), WAKES },
	{ "capacity is no longer checked", mounts_1,
	    CSI_DRIVER("storageCapacity: true"), CSI_DRIVER(""), WAKES },
	{ "capacity is checked now", mounts_1, CSI_DRIVER(""),
	    CSI_DRIVER("storageCapacity: true"), SLEEPS },
	{ "capacity", mounts_1, NULL, CAPACITY("10"), WAKES },
	{ "more capacity", mounts_1, CAPACITY("10"), CAPACITY("20"), WAKES },
	{ "less", mounts_1, CAPACITY("10"), CAPACITY("5"), SLEEPS },
	{ "a volume is detached", mounts_1,
	    OBJECT("VolumeAttachment", "a", "", "spec: {}"), NULL, WAKES },
	{ "a volume is detached, for a pod without", plain,
	    OBJECT("VolumeAttachment", "a", "", "spec: {}"), NULL, SLEEPS },
	/* NodeDeclaredFeatures */
	{ "a node declares a feature", plain, NODE("", "status: {}"),
	    NODE("", FEATURES("RestartAllContainersOnContainerExits")), WAKES },
	{ "one that is not required", plain, NODE("", "status: {}"),
	    NODE("", FEATURES("Other")), SLEEPS },
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
		queue_failed(queue, pod, 0);
		if (own)
			queue_update(queue, (const struct pod *)before, is,
			    5000);
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
