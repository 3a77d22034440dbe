/* The table of fields that decoders read: not one too few. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/fields.h"
#include "objects/node.h"
#include "objects/pod.h"
#include "objects/resource_claim.h"
#include "objects/workload.h"
#include "t/lib/t.h"

/* Fields missing in objects.yaml, whose objects were written to a server. */
static const char statuses[] =
    "kind: Pod\n"
    "metadata:\n"
    "  name: p\n"
    "  labels: {app: web}\n"
    "  generation: 3\n"
    "  creationTimestamp: 2019-08-01T00:00:00Z\n"
    "  deletionTimestamp: 2019-08-02T00:00:00Z\n"
    "  ownerReferences: [{kind: DaemonSet, uid: u, controller: true,\n"
    "    name: d, apiVersion: apps/v1}]\n"
    "spec:\n"
    "  nodeName: n1\n"
    "  priority: 7\n"
    "  preemptionPolicy: Never\n"
    "  priorityClassName: high\n"
    "  schedulerName: mine\n"
    "  schedulingGates: [{name: g}]\n"
    "  schedulingGroup: {podGroupName: g}\n"
    "  workloadRef: {name: w, podGroup: g}\n"
    "  overhead: {cpu: 1m}\n"
    "  hostNetwork: true\n"
    "  hostUsers: false\n"
    "  resources: {requests: {cpu: 1, hugepages-2Mi: 2Mi},\n"
    "    limits: {cpu: 1}, claims: []}\n"
    "  initContainers: [{name: i, restartPolicy: Always, image: x,\n"
    "    resources: {requests: {cpu: 3m}, limits: {cpu: 4m}},\n"
    "    ports: [{hostPort: 3}], restartPolicyRules: [{exitCodes: {},\n"
    "      action: RestartAllContainers}]}]\n"
    "  containers:\n"
    "  - name: c\n"
    "    image: yy\n"
    "    env: [{name: a, value: b}]\n"
    "    ports: [{hostPort: 1, hostIP: 1.2.3.4, protocol: UDP, name: q,\n"
    "      containerPort: 2}]\n"
    "    resources: {requests: {memory: 5}, limits: {memory: 6}}\n"
    "    restartPolicyRules: [{action: Restart}]\n"
    "  tolerations: [{key: k, operator: Exists, effect: NoExecute}]\n"
    "  nodeSelector: {a: b}\n"
    "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: z,\n"
    "    whenUnsatisfiable: DoNotSchedule, labelSelector: {},\n"
    "    minDomains: 2, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor,\n"
    "    matchLabelKeys: [v]}]\n"
    "  affinity: {podAffinity: {\n"
    "    requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z,\n"
    "      labelSelector: {}, namespaceSelector: {matchLabels: {a: b}}}]}}\n"
    "  volumes:\n"
    "  - {name: a, persistentVolumeClaim: {claimName: c, readOnly: true}}\n"
    "  - {name: b, gcePersistentDisk: {pdName: p, readOnly: true,\n"
    "      fsType: x}}\n"
    "  - {name: c, awsElasticBlockStore: {volumeID: p, readOnly: true}}\n"
    "  - {name: d, azureDisk: {diskName: p, diskURI: u, readOnly: true}}\n"
    "  - {name: e, cinder: {volumeID: p, readOnly: true}}\n"
    "  - {name: f, iscsi: {iqn: p, readOnly: true, targetPortal: x}}\n"
    "  - {name: g, rbd: {image: p, pool: q, monitors: [m], readOnly: true,\n"
    "      user: u}}\n"
    "  - {name: h, csi: {driver: d, volumeAttributes: {a: b}}}\n"
    "  - {name: i, portworxVolume: {volumeID: p, fsType: x}}\n"
    "  - {name: j, ephemeral: {volumeClaimTemplate: {spec: {}}}}\n"
    "  - {name: k, image: {reference: zz, pullPolicy: Never}}\n"
    "  resourceClaims:\n"
    "  - {name: r, resourceClaimTemplateName: t}\n"
    "  - {name: s, source: {resourceClaimName: t}}\n"
    "status:\n"
    "  resourceClaimStatuses: [{name: r, resourceClaimName: c, x: u}]\n"
    "  phase: Running\n"
    "  nominatedNodeName: m\n"
    "  nodeAllocatableResourceClaimStatuses: [{resourceClaimName: c}]\n"
    "  startTime: 2019-08-01T00:00:01.5Z\n"
    "  hostIP: 1.2.3.4\n"
    "  containerStatuses: [{name: c, image: y, resources: {requests:\n"
    "    {memory: 7}}, allocatedResources: {memory: 8}}]\n"
    "  initContainerStatuses: [{name: i, ready: true, resources:\n"
    "    {requests: {cpu: 9m}}, allocatedResources: {cpu: 7m}}]\n"
    "  resources: {requests: {cpu: 2}}\n"
    "  allocatedResources: {cpu: 3}\n"
    "  conditions: [{type: PodScheduled, status: 'False', reason: r,\n"
    "    message: m, lastTransitionTime: 2019-08-01T00:00:00Z}]\n"
    "---\n"
    "kind: Node\n"
    "metadata:\n"
    "  name: n1\n"
    "  annotations:\n"
    "    leafNodeMode: one2cluster\n"
    "    kosmos-io/owned-by-cluster: c\n"
    "    other: x\n"
    "    scheduler.alpha.kubernetes.io/preferAvoidPods: '{}'\n"
    "spec: {unschedulable: true, taints: [{key: k, value: v,\n"
    "  effect: NoSchedule, timeAdded: x}]}\n"
    "status:\n"
    "  allocatable: {cpu: 1, pods: 2, attachable-volumes-aws-ebs: 3}\n"
    "  capacity: {cpu: 1}\n"
    "  conditions: [{type: Ready, status: 'True', reason: r,\n"
    "    lastTransitionTime: 2019-08-01T00:00:00Z}]\n"
    "  images: [{names: [a, b], sizeBytes: 5}]\n"
    "  nodeInfo: {machineID: x, kubeletVersion: v1.36.0}\n"
    "  declaredFeatures: [RestartAllContainersOnContainerExits]\n"
    "---\n"
    "kind: PersistentVolumeClaim\n"
    "metadata:\n"
    "  name: c\n"
    "  annotations:\n"
    "    pv.kubernetes.io/bind-completed: 'yes'\n"
    "    volume.kubernetes.io/selected-node: n1\n"
    "    volume.beta.kubernetes.io/storage-class: s\n"
    "    kosmos-io/cluster-owners: o\n"
    "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1,\n"
    "  other: 2}}, dataSource: {kind: x}, selector: {matchLabels: {a: b}}}\n"
    "status: {phase: Bound}\n"
    "---\n"
    "kind: ResourceSlice\n"
    "metadata: {name: s}\n"
    "spec: {driver: d, nodeName: n1, pool: {name: p, generation: 1,\n"
    "  resourceSliceCount: 1}, sharedCounters: [{name: c, counters: {m:\n"
    "  {value: 1}}}], devices: [{name: x, attributes: {a: {bool: true}},\n"
    "  capacity: {c: {value: 5, requestPolicy: {default: 1}}},\n"
    "  consumesCounters: [{counterSet: c, counters: {m: {value: 1}}}],\n"
    "  taints: [{key: k, effect: NoExecute, timeAdded: x}],\n"
    "  allowMultipleAllocations: true, bindingConditions: [r]}]}\n"
    "---\n"
    "kind: DeviceClass\n"
    "metadata: {name: k}\n"
    "spec: {selectors: [{cel: {expression: 'true'}}], extendedResourceName:\n"
    "  a/b, config: [{opaque: {driver: d, parameters: {a: b}}}], other: 1}\n"
    "---\n"
    "kind: ResourceClaim\n"
    "metadata: {name: c}\n"
    "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: k}}],\n"
    "  config: [{opaque: {driver: d, parameters: {}}}]}}\n"
    "status: {reservedFor: [{resource: pods, name: p, uid: u}], allocation:\n"
    "  {allocationTimestamp: 2019-08-01T00:00:00Z, devices: {results:\n"
    "  [{request: r, driver: d, pool: p, device: x, shareID: s,\n"
    "  consumedCapacity: {c: 1}, bindingConditions: [r],\n"
    "  bindingFailureConditions: [f]}], config: []}}, devices: [{driver: d,\n"
    "  pool: p, device: x, data: {}, conditions: [{type: f, status: 'True',\n"
    "  reason: a, message: b, lastTransitionTime: 2019-08-01T00:00:00Z}]}]}\n"
    "---\n"
    "kind: PodDisruptionBudget\n"
    "metadata: {name: b}\n"
    "spec: {selector: {matchLabels: {a: b}}, maxUnavailable: 0,\n"
    "  minAvailable: 1, unhealthyPodEvictionPolicy: IfHealthyBudget}\n"
    "status: {disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 2,\n"
    "  disruptedPods: {p: 2019-08-01T00:00:00Z}}\n"
    "---\n"
    "kind: PersistentVolume\n"
    "metadata: {name: v, labels: {topology.kubernetes.io/zone: z}}\n"
    "spec: {azureDisk: {diskName: d, diskURI: u, kind: Managed, fsType: x},\n"
    "  volumeAttributesClassName: c}\n"
    "---\n"
    "kind: PersistentVolumeClaim\n"
    "metadata:\n"
    "  name: d\n"
    "  ownerReferences: [{kind: Pod, uid: u, controller: true, name: p}]\n"
    "spec: {volumeAttributesClassName: c}\n"
    "status: {phase: Lost, capacity: {storage: 1}}\n"
    "---\n"
    "kind: CSIDriver\n"
    "metadata: {name: d}\n"
    "spec: {storageCapacity: true, attachRequired: true}\n"
    "---\n"
    "kind: CSIStorageCapacity\n"
    "metadata: {name: c}\n"
    "storageClassName: s\n"
    "nodeTopology: {matchLabels: {a: b}}\n"
    "capacity: 1Gi\n"
    "maximumVolumeSize: 1Mi\n"
    "---\n"
    "kind: VolumeAttachment\n"
    "metadata: {name: a}\n"
    "spec: {attacher: d, nodeName: n1, source: {persistentVolumeName: v}}\n"
    "status: {attached: true}\n"
    "---\n"
    "kind: ResourceClaim\n"
    "metadata:\n"
    "  name: c\n"
    "  ownerReferences: [{kind: Pod, uid: u, controller: true, name: p}]\n"
    "spec: {devices: {requests: [{name: r}]}}\n"
    "status:\n"
    "  reservedFor: [{resource: pods, name: p, uid: u}]\n"
    "  allocation:\n"
    "    allocationTimestamp: 2020-01-01T00:00:00Z\n"
    "    nodeSelector: {nodeSelectorTerms: []}\n"
    "    devices: {results: [{driver: d, pool: p, device: x, request: r,\n"
    "      bindingConditions: [a], bindingFailureConditions: [b]}]}\n"
    "  devices: [{driver: d, pool: p, device: x, conditions: [\n"
    "    {type: a, status: 'True', reason: r}]}]\n";

/* These are looked for in every kind, and used in some. */
static bool
is_always_an_object(const char *key)
{
	return strcmp(key, "labels") == 0 || strcmp(key, "annotations") == 0;
}

/* Makes all values that the table does not name of a kind that no decoder takes.
 * Returns how many. */
static size_t
spoil(const struct doc_node *node, const struct doc_field *fields)
{
	const struct doc_field *field;
	struct doc_node *child;
	size_t n = 0;

	for (child = node->first; child != NULL; child = child->next) {
		if (node->kind == DOC_ARRAY) {
			n += spoil(child, fields);
			continue;
		}
		field = doc_field(fields, child->key);
		if (field != NULL) {
			if (field->within != NULL)
				n += spoil(child, field->within);
			continue;
		}
		if (child->kind == DOC_OBJECT &&
		    is_always_an_object(child->key))
			continue;
		child->kind = child->kind == DOC_BOOL ? DOC_STRING : DOC_BOOL;
		child->text = "";
		n++;
	}
	return n;
}

static bool
same_devices(const struct resource_slice *a, const struct resource_slice *b)
{
	const struct device *x = a->devices, *y = b->devices;

	return a->ndevices == b->ndevices && x->name == y->name &&
	    x->capacities->amount.text == y->capacities->amount.text &&
	    (x->capacities->policy == NULL) ==
	    (y->capacities->policy == NULL) &&
	    x->consumed->at->amount.text == y->consumed->at->amount.text &&
	    x->taints->key == y->taints->key && x->shareable == y->shareable &&
	    x->nconditions == y->nconditions;
}

static bool
same_claim(const struct resource_claim *a, const struct resource_claim *b)
{
	if (a->wishes.nconfigs != b->wishes.nconfigs ||
	    a->nresults != b->nresults || a->allocated_at != b->allocated_at ||
	    (a->failure == NULL) != (b->failure == NULL))
		return false;
	return a->failure == NULL ||
	    (strcmp(a->failure, b->failure) == 0 &&
		a->results->nconsumed == b->results->nconsumed);
}

static bool
same_budget(const struct pod_disruption_budget *a,
    const struct pod_disruption_budget *b)
{
	return a->ndisrupted == b->ndisrupted &&
	    a->frees_unready == b->frees_unready &&
	    a->allows_none == b->allows_none;
}

static bool
same(const struct object *a, const struct object *b)
{
	const struct pod *p = (const struct pod *)a, *q = (const struct pod *)b;

	if (strcmp(a->name, b->name) != 0 || a->namespace != b->namespace ||
	    a->created != b->created || a->deleting != b->deleting)
		return false;
	switch (a->kind) {
	case OBJECT_POD:
		return p->class == q->class && p->priority == q->priority &&
		    p->priority_class == q->priority_class &&
		    p->phase == q->phase && p->node == q->node &&
		    p->nominated == q->nominated &&
		    p->preempted == q->preempted && p->ready == q->ready &&
		    p->never_preempts == q->never_preempts &&
		    p->generation == q->generation &&
		    p->start_seconds == q->start_seconds;
	case OBJECT_NODE:
		return node_equal((const struct node *)a,
		    (const struct node *)b);
	case OBJECT_POD_DISRUPTION_BUDGET:
		return same_budget((const struct pod_disruption_budget *)a,
		    (const struct pod_disruption_budget *)b);
	case OBJECT_RESOURCE_SLICE:
		return same_devices((const struct resource_slice *)a,
		    (const struct resource_slice *)b);
	case OBJECT_DEVICE_CLASS:
		return strcmp(((const struct device_class *)a)->configs->text,
			   ((const struct device_class *)b)->configs->text) ==
		    0;
	case OBJECT_RESOURCE_CLAIM:
		return same_claim((const struct resource_claim *)a,
		    (const struct resource_claim *)b);
	case OBJECT_SERVICE:
	case OBJECT_REPLICATION_CONTROLLER:
	case OBJECT_REPLICA_SET:
	case OBJECT_STATEFUL_SET:
		return workload_equal((const struct workload *)a,
		    (const struct workload *)b);
	default:
		return true;
	}
}

struct counts {
	size_t objects, spoilt;
};

/* The same object from all of its document, from one whose other fields are no
 * good, and from one without them. */
static void
check(const struct doc_node *root, struct counts *counts)
{
	struct object *whole = NULL, *spoilt = NULL, *less = NULL;
	const struct doc_field *fields;
	struct err err = { "" };
	char name[128];

	if (object_decode(NULL, root, "", &whole, NULL, &err) == 0)
		return;
	t_str("whole", err.text, "");
	if (whole == NULL)
		return;
	fields = object_fields(whole->kind);
	if (fields == NULL) {
		object_unref(whole);
		return;
	}
	snprintf(name, sizeof(name), "%s %s", object_kind_name(whole->kind),
	    whole->name);
	counts->objects++;
	counts->spoilt += spoil(root, fields);
	object_decode(NULL, root, "", &spoilt, NULL, &err);
	t_str(name, err.text, "");
	if (t_true(name, spoilt != NULL))
		t_true(name, same(whole, spoilt));
	doc_prune((struct doc *)root->doc, root, fields);
	object_decode(NULL, root, "", &less, NULL, &err);
	t_str(name, err.text, "");
	if (t_true(name, less != NULL))
		t_true(name, same(whole, less));
	object_unref(whole);
	object_unref(spoilt);
	object_unref(less);
}

static struct counts
check_all(struct doc_reader *reader)
{
	struct counts counts = { 0 };
	const struct doc_node *root;
	struct err err = { "" };

	while (reader != NULL && doc_next(reader, &root, &err) == 1)
		check(root, &counts);
	t_str("read", err.text, "");
	doc_close(reader);
	return counts;
}

static void
fields_missing_in_the_table_are_not_decoded(void)
{
	struct counts counts =
	    check_all(doc_open_file(t_path("t/data/protobuf/objects.yaml"),
		&doc_limits_people, false, NULL));

	t_true("objects of every kind", counts.objects > 40);
	t_true("with much that is not read", counts.spoilt > 150);
	counts = check_all(doc_open_text("x", statuses, strlen(statuses),
	    &doc_limits_people, false));
	t_int("others", counts.objects, 13);
}

static void
resources_have_kinds(void)
{
	static const struct {
		const char *resource;
		enum object_kind kind;
	} rows[] = {
		{ "pods", OBJECT_POD },
		{ "storageclasses", OBJECT_STORAGE_CLASS },
		{ "csinodes", OBJECT_CSI_NODE },
		{ "csidrivers", OBJECT_CSI_DRIVER },
		{ "csistoragecapacities", OBJECT_CSI_STORAGE_CAPACITY },
		{ "volumeattachments", OBJECT_VOLUME_ATTACHMENT },
		{ "resourceclaims", OBJECT_RESOURCE_CLAIM },
		{ "clusterdistributionpolicies",
		    OBJECT_CLUSTER_DISTRIBUTION_POLICY },
		{ "replicationcontrollers", OBJECT_REPLICATION_CONTROLLER },
		{ "stickyjobs", OBJECT_STICKY_JOB },
	};
	enum object_kind kind;

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (t_true(rows[i].resource,
			object_kind_of_resource(rows[i].resource, &kind)))
			t_int(rows[i].resource, kind, rows[i].kind);
	t_true("another", !object_kind_of_resource("pod", &kind));
	t_true("a policy, by its own name",
	    object_fields(OBJECT_DISTRIBUTION_POLICY) == NULL);
}

/* A pod that cannot be decoded, level by level. */
static void
what_is_left_of_a_pod(void)
{
	static const char text[] =
	    "{\"metadata\":{\"name\":\"p\",\"namespace\":"
	    "\"d\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"nodeName\":\"n\","
	    "\"priority\":5,\"tolerations\":7,\"containers\":[{\"resources\":"
	    "{\"requests\":{\"cpu\":\"2\"}}}]}}";
	static const struct {
		enum partial partial;
		const char *node, *says;
		int64_t cpu;
		int32_t priority;
	} rows[] = {
		{ PARTIAL_COUNTED, "n",
		    "its requests, ports and labels count on node n", 2000, 5 },
		{ PARTIAL_SET_ASIDE, "n",
		    "its requests and ports count on node n", 2000, 5 },
		{ PARTIAL_PLACED, "n",
		    "its resource usage is unknown: node n "
		    "counts as full",
		    INT64_C(1000) << 40, INT32_MAX },
		{ PARTIAL_NAMED, "",
		    "it is not scheduled, and if it has a "
		    "node, it is not counted there",
		    0, 0 },
	};
	struct doc *doc =
	    doc_parse("x", text, strlen(text), &doc_limits_people, NULL);
	struct object *object;
	struct pod *pod;
	struct err err;
	char *says;

	t_true("it cannot",
	    object_decode(NULL, doc_root(doc), "Pod", &object, NULL, &err) ==
		-1);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		doc_prune(doc, doc_root(doc),
		    object_partial_fields(OBJECT_POD, rows[i].partial));
		object = object_decode_partial(NULL, OBJECT_POD,
		    rows[i].partial, doc, doc_root(doc), &err);
		if (!t_true(rows[i].says, object != NULL))
			continue;
		pod = (struct pod *)object;
		says = object_partial_says(object);
		t_str("says", says, rows[i].says);
		t_str("node", sym_text(pod->node), rows[i].node);
		t_int("cpu", pod->class->held.cpu_milli, rows[i].cpu);
		t_int("cpu to start", pod->class->full.cpu_milli, rows[i].cpu);
		t_int("in later releases", pod->class->from_32.held->cpu_milli,
		    rows[i].cpu);
		t_int("priority", pod->priority, rows[i].priority);
		t_int("labels", pod->class->labels.n, i == 0);
		free(says);
		object_unref(object);
	}
	doc_free(doc);
}

T_MAIN(T(fields_missing_in_the_table_are_not_decoded), T(resources_have_kinds),
    T(what_is_left_of_a_pod))
