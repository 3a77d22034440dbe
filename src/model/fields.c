#include "config.h"

#include "model/fields.h"

#include "base/doc.h"

/* Rows of struct doc_field: a member that is read completely, and one with only
 * these members. */
#define ALL(key)                                                               \
	{                                                                      \
		key, NULL                                                      \
	}
#define SOME(key, ...)                                                         \
	{                                                                      \
		key, (const struct doc_field[])                                \
		{                                                              \
			__VA_ARGS__, ALL(NULL)                                 \
		}                                                              \
	}
#define FIELDS(name, ...)                                                      \
	static const struct doc_field name[] = { TYPE, STATUS, __VA_ARGS__,    \
		ALL(NULL) }

/* clang-format off */
#define TYPE ALL("kind"), ALL("apiVersion")

/* metav1.Status, of a watch that ends. */
#define STATUS ALL("code"), ALL("message")

#define NAMES ALL("name"), ALL("namespace"), ALL("uid"), ALL("resourceVersion")

#define META NAMES, ALL("creationTimestamp"), ALL("deletionTimestamp")

#define VOLUME(key, id) SOME(key, ALL(id), ALL("readOnly"))

#define OWNERS SOME("ownerReferences", \
	ALL("controller"), ALL("kind"), ALL("uid"), ALL("name"), \
	ALL("apiVersion"))

#define DEMAND SOME("resources", ALL("requests"), ALL("limits"))

#define RESTARTS SOME("restartPolicyRules", ALL("action"))

#define PORTS SOME("ports", ALL("hostPort"), ALL("hostIP"), ALL("protocol"))

#define CONTAINERS \
	SOME("containers", ALL("name"), ALL("image"), PORTS, DEMAND, \
		RESTARTS), \
	SOME("initContainers", ALL("name"), ALL("image"), \
		ALL("restartPolicy"), PORTS, DEMAND, RESTARTS), \
	ALL("overhead"), DEMAND

/* Of resizes. */
#define IN_EFFECT SOME("resources", ALL("requests")), ALL("allocatedResources")

#define SIZES \
	SOME("containerStatuses", ALL("name"), IN_EFFECT), \
	SOME("initContainerStatuses", ALL("name"), IN_EFFECT), \
	IN_EFFECT

FIELDS(pod_fields,
	SOME("metadata", META, ALL("labels"), ALL("generation"), OWNERS),
	SOME("spec",
		ALL("nodeName"), CONTAINERS, ALL("hostNetwork"),
		ALL("hostUsers"), ALL("priority"),
		ALL("schedulerName"), ALL("priorityClassName"),
		ALL("preemptionPolicy"), SOME("schedulingGates", ALL("name")),
		ALL("schedulingGroup"), ALL("workloadRef"),
		ALL("tolerations"), ALL("nodeSelector"), ALL("affinity"),
		ALL("topologySpreadConstraints"),
		SOME("volumes",
			VOLUME("persistentVolumeClaim", "claimName"),
			VOLUME("gcePersistentDisk", "pdName"),
			VOLUME("awsElasticBlockStore", "volumeID"),
			SOME("azureDisk", ALL("diskName"), ALL("readOnly"),
				ALL("diskURI"), ALL("kind")),
			VOLUME("cinder", "volumeID"),
			VOLUME("iscsi", "iqn"),
			SOME("rbd", ALL("image"), ALL("readOnly"), ALL("pool"),
				ALL("monitors")),
			VOLUME("portworxVolume", "volumeID"),
			ALL("name"), SOME("ephemeral", ALL("readOnly")),
			SOME("image", ALL("reference"))),
		SOME("resourceClaims", ALL("name"), ALL("source"),
			ALL("resourceClaimName"))),
	SOME("status",
		SOME("resourceClaimStatuses", ALL("name"),
			ALL("resourceClaimName")),
		ALL("phase"), ALL("nominatedNodeName"), ALL("startTime"),
		SIZES,
		ALL("nodeAllocatableResourceClaimStatuses"),
		/* scheduler/report.c */
		SOME("conditions", ALL("type"), ALL("status"), ALL("reason"),
			ALL("message"))));

/* The resources that a pod takes from its node, and its identity. */
FIELDS(pod_counted_fields,
	SOME("metadata", NAMES, ALL("labels"), OWNERS),
	SOME("spec", ALL("nodeName"), ALL("schedulerName"), ALL("priority"),
		CONTAINERS),
	SOME("status", SOME("conditions", ALL("type"), ALL("reason")), SIZES));

FIELDS(pod_placed_fields,
	SOME("metadata", NAMES),
	SOME("spec", ALL("nodeName"), ALL("schedulerName")));

/* Of a pod that is set aside: no text that a user may make long. */
FIELDS(pod_set_aside_fields,
	SOME("metadata", NAMES),
	SOME("spec", ALL("nodeName"), ALL("schedulerName"), ALL("priority"),
		SOME("containers", PORTS, DEMAND),
		SOME("initContainers", ALL("restartPolicy"), PORTS, DEMAND),
		ALL("overhead"), DEMAND));

FIELDS(named_fields,
	SOME("metadata", NAMES));

FIELDS(node_fields,
	SOME("metadata", META, ALL("labels"),
		SOME("annotations",
			ALL("scheduler.alpha.kubernetes.io/preferAvoidPods"),
			ALL("leafNodeMode"),
			ALL("kosmos-io/owned-by-cluster"))),
	SOME("spec", ALL("unschedulable"),
		SOME("taints", ALL("key"), ALL("value"), ALL("effect"))),
	SOME("status", ALL("allocatable"), ALL("declaredFeatures"),
		SOME("nodeInfo", ALL("kubeletVersion")),
		SOME("conditions", ALL("type"), ALL("status")),
		SOME("images", ALL("names"), ALL("sizeBytes"))));

/* Services and controllers: not the template. */
FIELDS(workload_fields,
	SOME("metadata", META),
	SOME("spec", ALL("selector")));

#define STORAGE_ANNOTATIONS SOME("annotations", \
	ALL("volume.beta.kubernetes.io/storage-class"), \
	ALL("pv.kubernetes.io/bind-completed"), \
	ALL("volume.kubernetes.io/selected-node"), \
	ALL("kosmos-io/cluster-owners"))

/* Fields of storage later than 1.15. */
#define ATTRIBUTES_CLASS ALL("volumeAttributesClassName")

FIELDS(volume_fields,
	SOME("metadata", META, ALL("labels"), STORAGE_ANNOTATIONS),
	SOME("spec",
		ALL("storageClassName"), ALL("volumeMode"), ALL("accessModes"),
		SOME("capacity", ALL("storage")), ALL("nodeAffinity"),
		SOME("claimRef", ALL("namespace"), ALL("name"), ALL("uid")),
		SOME("csi", ALL("driver"), ALL("volumeHandle")),
		SOME("gcePersistentDisk", ALL("pdName")),
		SOME("awsElasticBlockStore", ALL("volumeID")),
		SOME("azureDisk", ALL("diskName"), ALL("diskURI"), ALL("kind")),
		SOME("cinder", ALL("volumeID")),
		SOME("portworxVolume", ALL("volumeID")),
		ATTRIBUTES_CLASS,
		SOME("iscsi", ALL("iqn")),
		SOME("rbd", ALL("image"))),
	SOME("status", ALL("phase")));

FIELDS(claim_fields,
	SOME("metadata", META, STORAGE_ANNOTATIONS, OWNERS),
	SOME("status", ALL("phase")),
	SOME("spec", ATTRIBUTES_CLASS,
		ALL("storageClassName"), ALL("volumeName"), ALL("volumeMode"),
		ALL("accessModes"), ALL("selector"),
		SOME("resources", SOME("requests", ALL("storage")))));

FIELDS(storage_class_fields,
	SOME("metadata", META),
	ALL("provisioner"), ALL("volumeBindingMode"), ALL("allowedTopologies"));

FIELDS(csi_node_fields,
	SOME("metadata", META,
		SOME("annotations",
			ALL("storage.alpha.kubernetes.io/migrated-plugins"))),
	SOME("spec", SOME("drivers", ALL("name"),
		SOME("allocatable", ALL("count")))));

FIELDS(csi_driver_fields,
	SOME("metadata", META),
	SOME("spec", ALL("storageCapacity"),
		ALL("preventPodSchedulingIfMissing")));

FIELDS(capacity_fields,
	SOME("metadata", META),
	ALL("storageClassName"), ALL("nodeTopology"), ALL("capacity"),
	ALL("maximumVolumeSize"));

FIELDS(attachment_fields,
	SOME("metadata", META),
	SOME("spec", ALL("attacher"), ALL("nodeName"),
		SOME("source", ALL("persistentVolumeName"))));

FIELDS(resource_claim_fields,
	SOME("metadata", META, OWNERS,
		SOME("annotations",
			ALL("resource.kubernetes.io/extended-resource-claim"))),
	SOME("spec", SOME("devices", ALL("requests"), ALL("constraints"),
		ALL("config"))),
	SOME("status",
		SOME("reservedFor", ALL("uid")),
		SOME("allocation", ALL("nodeSelector"), ALL("availableOnNodes"),
			ALL("allocationTimestamp"),
			SOME("devices", SOME("results",
				ALL("request"), ALL("driver"), ALL("pool"),
				ALL("device"), ALL("adminAccess"),
				ALL("shareID"), ALL("consumedCapacity"),
				ALL("bindingConditions"),
				ALL("bindingFailureConditions")))),
		SOME("devices", ALL("driver"), ALL("pool"), ALL("device"),
			SOME("conditions", ALL("type"), ALL("status"),
				ALL("reason"), ALL("message")))));

#define DEVICE_CONTENT ALL("attributes"), \
	ALL("capacity"), \
	SOME("consumesCounters", ALL("counterSet"), ALL("counters")), \
	SOME("taints", ALL("key"), ALL("value"), ALL("effect")), \
	ALL("nodeName"), ALL("allNodes"), ALL("nodeSelector"), \
	ALL("allowMultipleAllocations"), ALL("bindsToNode"), \
	ALL("bindingConditions"), ALL("bindingFailureConditions")

FIELDS(resource_slice_fields,
	SOME("metadata", META),
	SOME("spec", ALL("driver"), ALL("pool"), ALL("nodeName"),
		ALL("allNodes"), ALL("nodeSelector"),
		ALL("perDeviceNodeSelection"), ALL("sharedCounters"),
		SOME("devices", ALL("name"), DEVICE_CONTENT,
			SOME("basic", DEVICE_CONTENT))));

FIELDS(device_class_fields,
	SOME("metadata", META),
	SOME("spec", ALL("selectors"), ALL("extendedResourceName"),
		ALL("config")));

FIELDS(device_taint_rule_fields,
	SOME("metadata", META),
	SOME("spec",
		SOME("deviceSelector", ALL("driver"), ALL("pool"),
			ALL("device")),
		SOME("taint", ALL("key"), ALL("value"), ALL("effect"))));

FIELDS(budget_fields,
	SOME("metadata", META),
	SOME("spec", ALL("selector"), ALL("minAvailable"),
		ALL("maxUnavailable"), ALL("unhealthyPodEvictionPolicy")),
	SOME("status", ALL("disruptionsAllowed"), ALL("disruptedPods"),
		ALL("currentHealthy"), ALL("desiredHealthy")));

FIELDS(namespace_fields,
	SOME("metadata", META, ALL("labels"), ALL("annotations")));

/* Not its template. */
FIELDS(sticky_job_fields,
	SOME("metadata", META),
	SOME("spec", ALL("required")),
	SOME("status", ALL("lastNode")));

FIELDS(priority_class_fields,
	SOME("metadata", META),
	ALL("value"), ALL("globalDefault"), ALL("preemptionPolicy"));

FIELDS(runtime_class_fields,
	SOME("metadata", META),
	SOME("overhead", ALL("podFixed")),
	SOME("scheduling", ALL("nodeSelector"), ALL("tolerations")));

FIELDS(limit_range_fields,
	SOME("metadata", META),
	SOME("spec", SOME("limits", ALL("type"), ALL("max"), ALL("min"),
		ALL("default"), ALL("defaultRequest"))));
/* clang-format on */

const struct doc_field *
object_fields(enum object_kind kind)
{
	static const struct doc_field *const all[OBJECT_KINDS] = {
		[OBJECT_POD] = pod_fields,
		[OBJECT_NODE] = node_fields,
		[OBJECT_SERVICE] = workload_fields,
		[OBJECT_REPLICATION_CONTROLLER] = workload_fields,
		[OBJECT_REPLICA_SET] = workload_fields,
		[OBJECT_STATEFUL_SET] = workload_fields,
		[OBJECT_PERSISTENT_VOLUME] = volume_fields,
		[OBJECT_PERSISTENT_VOLUME_CLAIM] = claim_fields,
		[OBJECT_STORAGE_CLASS] = storage_class_fields,
		[OBJECT_CSI_NODE] = csi_node_fields,
		[OBJECT_CSI_DRIVER] = csi_driver_fields,
		[OBJECT_CSI_STORAGE_CAPACITY] = capacity_fields,
		[OBJECT_VOLUME_ATTACHMENT] = attachment_fields,
		[OBJECT_RESOURCE_CLAIM] = resource_claim_fields,
		[OBJECT_RESOURCE_SLICE] = resource_slice_fields,
		[OBJECT_DEVICE_CLASS] = device_class_fields,
		[OBJECT_DEVICE_TAINT_RULE] = device_taint_rule_fields,
		[OBJECT_POD_DISRUPTION_BUDGET] = budget_fields,
		[OBJECT_NAMESPACE] = namespace_fields,
		[OBJECT_PRIORITY_CLASS] = priority_class_fields,
		[OBJECT_RUNTIME_CLASS] = runtime_class_fields,
		[OBJECT_LIMIT_RANGE] = limit_range_fields,
		[OBJECT_STICKY_JOB] = sticky_job_fields,
	};

	return all[kind];
}

const struct doc_field *
object_partial_fields(enum object_kind kind, enum partial partial)
{
	if (partial == PARTIAL_NAMED ||
	    (partial == PARTIAL_SET_ASIDE && kind != OBJECT_POD))
		return named_fields;
	if (kind != OBJECT_POD)
		return NULL;
	if (partial == PARTIAL_SET_ASIDE)
		return pod_set_aside_fields;
	return partial == PARTIAL_COUNTED ? pod_counted_fields :
					    pod_placed_fields;
}
