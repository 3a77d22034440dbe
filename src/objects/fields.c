#include "config.h"

#include "objects/fields.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/doc.h"
#include "objects/decode.h"
#include "objects/limits.h"
#include "objects/node.h"
#include "objects/resource_claim.h"
#include "objects/sticky_job.h"
#include "objects/storage.h"
#include "objects/workload.h"

/* clang-format off */
/* Rows of struct doc_field that code reads: a member that is read completely, and one
 * with only these members. */
#define ALL(key) { key, NULL, NULL }
#define ROWS(...) (const struct doc_field[]){ __VA_ARGS__, ALL(NULL) }
#define SOME(key, ...) { key, ROWS(__VA_ARGS__), NULL }

/*
 * Rows of members that are copied (struct field_use), to this member of the struct
 * `type`; further arguments are other members of the use.  One of a wrong type does
 * not compile.
 */
#define USE(...) &(const struct field_use){ __VA_ARGS__ }
#define TO(c, type, member) offsetof(struct type, member) + \
	_Generic(((struct type *)NULL)->member, c : 0)
#define HAS(type, member) .has = TO(bool, type, member)
#define COPY(key, as_, c, type, member, ...) \
	{ key, NULL, USE(.as = as_, .to = TO(c, type, member), .size = sizeof(c), __VA_ARGS__) }
#define SYM(key, ...) COPY(key, AS_SYM, sym, __VA_ARGS__, )
#define SYM_OR_NONE(key, ...) COPY(key, AS_SYM_OR_NONE, sym, __VA_ARGS__, )
#define OWN_SYM(key, ...) COPY(key, AS_OWN_SYM, sym, __VA_ARGS__, )
#define FLAG(key, ...) COPY(key, AS_FLAG, bool, __VA_ARGS__, )
#define WORD(key, word, ...) COPY(key, AS_WORD, bool, __VA_ARGS__, .text = word)
#define INT(key, ...) COPY(key, AS_INT, int64_t, __VA_ARGS__, )
#define INT32(key, ...) COPY(key, AS_INT32, int32_t, __VA_ARGS__, )
#define INT64(key, ...) COPY(key, AS_INT64, int64_t, __VA_ARGS__, )
#define BYTES(key, ...) COPY(key, AS_BYTES, int64_t, __VA_ARGS__, )
#define TIME(key, ...) COPY(key, AS_TIME, int64_t, __VA_ARGS__, )
#define LABELS(key, ...) COPY(key, AS_LABELS, struct labels, __VA_ARGS__, )
#define SELECTOR(key, ...) COPY(key, AS_SELECTOR, struct selector, __VA_ARGS__, )
#define SYMS(key, type, member, n) COPY(key, AS_SYMS, const sym *, type, member, \
	.count = TO(uint32_t, type, n))
/* An array of structs; the rows say how one is read. */
#define EACH(key, type, member, n, ...) { key, ROWS(__VA_ARGS__), USE(.as = AS_EACH, \
	.to = offsetof(struct type, member), .count = TO(uint32_t, type, n), \
	.size = sizeof(*((struct type *)NULL)->member)) }
/* Of an array of symbols: its elements have this member. */
#define ITSELF(key) { key, NULL, USE(.as = AS_SYM) }
/* An object with members that are copied, and whether it is there. */
#define MEMBERS(key, ...) { key, ROWS(__VA_ARGS__), USE(.as = AS_MEMBERS) }
#define MEMBERS_IF(key, type, member, ...) \
	{ key, ROWS(__VA_ARGS__), USE(.as = AS_MEMBERS, HAS(type, member)) }

#define FIELDS(name, ...) \
	static const struct doc_field name[] = { TYPE, STATUS, __VA_ARGS__, ALL(NULL) }

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
	MEMBERS("metadata", META, ALL("labels"), INT64("generation", pod, generation),
		OWNERS),
	MEMBERS("spec",
		OWN_SYM("nodeName", pod, node), CONTAINERS, ALL("hostNetwork"),
		ALL("hostUsers"),
		INT32("priority", pod, priority, HAS(pod, has_priority)),
		ALL("schedulerName"),
		OWN_SYM("priorityClassName", pod, priority_class),
		WORD("preemptionPolicy", "Never", pod, never_preempts),
		{ "schedulingGates", ROWS(ITSELF("name")),
			USE(.as = AS_EACH, .to = TO(const sym *, pod_class, gates),
				.count = TO(uint32_t, pod_class, ngates),
				.size = sizeof(sym), .aspect = ASPECT_OTHERS) },
		ALL("schedulingGroup"), ALL("workloadRef"),
		ALL("tolerations"),
		LABELS("nodeSelector", pod_class, node_selector,
			.aspect = ASPECT_NODE_AFFINITY, .over = OVER_NODE_AFFINITY),
		ALL("affinity"),
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
	MEMBERS("status",
		SOME("resourceClaimStatuses", ALL("name"),
			ALL("resourceClaimName")),
		ALL("phase"), OWN_SYM("nominatedNodeName", pod, nominated),
		ALL("startTime"),
		SIZES,
		ALL("nodeAllocatableResourceClaimStatuses"),
		/* daemon/scheduler/report.c */
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
	MEMBERS("metadata", META, LABELS("labels", node, labels),
		MEMBERS("annotations",
			ALL("scheduler.alpha.kubernetes.io/preferAvoidPods"),
			WORD("leafNodeMode", "one2cluster", node, is_whole_cluster),
			SYM("kosmos-io/owned-by-cluster", node, cluster))),
	MEMBERS("spec", FLAG("unschedulable", node, unschedulable),
		EACH("taints", node, taints, ntaints, SYM("key", taint, key),
			SYM("value", taint, value), SYM("effect", taint, effect_text))),
	MEMBERS("status", ALL("allocatable"), ALL("declaredFeatures"),
		SOME("nodeInfo", ALL("kubeletVersion")),
		EACH("conditions", node, conditions, nconditions,
			SYM("type", node_condition, type),
			SYM("status", node_condition, status),
			TIME("lastTransitionTime", node_condition, since)),
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

#define PV persistent_volume
FIELDS(volume_fields,
	MEMBERS("metadata", META, LABELS("labels", PV, labels), STORAGE_ANNOTATIONS),
	MEMBERS("spec",
		SYM_OR_NONE("storageClassName", PV, spec_class),
		SYM("volumeMode", PV, volume_mode, .text = "Filesystem"),
		SYMS("accessModes", PV, access_modes, naccess_modes),
		MEMBERS("capacity", BYTES("storage", PV, capacity)),
		SYM("volumeAttributesClassName", PV, attributes_class),
		SOME("gcePersistentDisk", ALL("pdName")),
		SOME("awsElasticBlockStore", ALL("volumeID")),
		SOME("azureDisk", ALL("diskName"), ALL("diskURI"), ALL("kind")),
		SOME("cinder", ALL("volumeID")),
		SOME("portworxVolume", ALL("volumeID")),
		SOME("iscsi", ALL("iqn")),
		SOME("rbd", ALL("image")),
		MEMBERS_IF("csi", PV, is_csi, SYM("driver", PV, csi_driver),
			SYM("volumeHandle", PV, csi_handle)),
		MEMBERS_IF("claimRef", PV, has_claim,
			SYM("namespace", PV, claim_namespace),
			SYM("name", PV, claim_name), ALL("uid")),
		ALL("nodeAffinity")),
	MEMBERS("status", WORD("phase", "Available", PV, available)));

#define PVC persistent_volume_claim
FIELDS(claim_fields,
	SOME("metadata", META, STORAGE_ANNOTATIONS, OWNERS),
	MEMBERS("spec",
		SYM_OR_NONE("storageClassName", PVC, spec_class),
		SYM("volumeName", PVC, volume_name),
		SYM("volumeMode", PVC, volume_mode, .text = "Filesystem"),
		SYMS("accessModes", PVC, access_modes, naccess_modes),
		MEMBERS("resources", MEMBERS("requests",
			BYTES("storage", PVC, request, HAS(PVC, has_request)))),
		SYM("volumeAttributesClassName", PVC, attributes_class),
		SELECTOR("selector", PVC, selector, HAS(PVC, has_selector))),
	MEMBERS("status", WORD("phase", "Lost", PVC, lost)));

FIELDS(storage_class_fields,
	SOME("metadata", META),
	SYM("provisioner", storage_class, provisioner),
	WORD("volumeBindingMode", "WaitForFirstConsumer", storage_class, waits_for_consumer,
		HAS(storage_class, has_binding_mode)),
	ALL("allowedTopologies"));

FIELDS(csi_node_fields,
	SOME("metadata", META,
		SOME("annotations",
			ALL("storage.alpha.kubernetes.io/migrated-plugins"))),
	MEMBERS("spec", EACH("drivers", csi_node, drivers, ndrivers,
		SYM("name", csi_driver_limit, driver),
		MEMBERS("allocatable", INT("count", csi_driver_limit, count,
			HAS(csi_driver_limit, has_count))))));

FIELDS(csi_driver_fields,
	SOME("metadata", META),
	MEMBERS("spec", FLAG("storageCapacity", csi_driver, storage_capacity),
		FLAG("preventPodSchedulingIfMissing", csi_driver, must_be_installed)));

FIELDS(capacity_fields,
	SOME("metadata", META),
	SYM("storageClassName", csi_storage_capacity, class),
	BYTES("capacity", csi_storage_capacity, capacity),
	ALL("maximumVolumeSize"), ALL("nodeTopology"));

FIELDS(attachment_fields,
	SOME("metadata", META),
	MEMBERS("spec", SYM("attacher", volume_attachment, attacher),
		SYM("nodeName", volume_attachment, node),
		MEMBERS("source", SYM("persistentVolumeName", volume_attachment, volume))));

FIELDS(resource_claim_fields,
	MEMBERS("metadata", META, OWNERS,
		MEMBERS("annotations",
			WORD("resource.kubernetes.io/extended-resource-claim", "true",
				resource_claim, for_resources))),
	SOME("spec", SOME("devices", ALL("requests"), ALL("constraints"),
		ALL("config"))),
	MEMBERS("status",
		EACH("reservedFor", resource_claim, users, nusers, ITSELF("uid")),
		MEMBERS_IF("allocation", resource_claim, allocated,
			ALL("nodeSelector"), ALL("availableOnNodes"),
			TIME("allocationTimestamp", resource_claim, allocated_at),
			MEMBERS("devices", EACH("results", resource_claim, results, nresults,
				SYM("request", device_result, request),
				SYM("driver", device_result, driver),
				SYM("pool", device_result, pool),
				SYM("device", device_result, device),
				SYM_OR_NONE("shareID", device_result, share),
				FLAG("adminAccess", device_result, admin),
				SYMS("bindingConditions", device_result, conditions, nconditions),
				SYMS("bindingFailureConditions", device_result, failures,
					nfailures),
				ALL("consumedCapacity")))),
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
	MEMBERS("spec", SYM("driver", resource_slice, driver),
		MEMBERS("pool", SYM("name", resource_slice, pool),
			INT64("generation", resource_slice, generation),
			INT64("resourceSliceCount", resource_slice, slice_count)),
		ALL("nodeName"), ALL("allNodes"), ALL("nodeSelector"),
		FLAG("perDeviceNodeSelection", resource_slice, per_device,
			HAS(resource_slice, has_per_device)),
		ALL("sharedCounters"),
		SOME("devices", ALL("name"), DEVICE_CONTENT,
			SOME("basic", DEVICE_CONTENT))));

FIELDS(device_class_fields,
	SOME("metadata", META),
	MEMBERS("spec", ALL("selectors"), SYM("extendedResourceName", device_class, resource),
		ALL("config")));

FIELDS(device_taint_rule_fields,
	SOME("metadata", META),
	MEMBERS("spec",
		MEMBERS("deviceSelector", SYM_OR_NONE("driver", device_taint_rule, driver),
			SYM_OR_NONE("pool", device_taint_rule, pool),
			SYM_OR_NONE("device", device_taint_rule, device)),
		MEMBERS("taint", SYM("key", device_taint_rule, taint.key),
			SYM("value", device_taint_rule, taint.value),
			SYM("effect", device_taint_rule, taint.effect))));

#define PDB pod_disruption_budget
FIELDS(budget_fields,
	SOME("metadata", META),
	MEMBERS("spec", SELECTOR("selector", PDB, selector, HAS(PDB, has_selector)),
		WORD("unhealthyPodEvictionPolicy", "AlwaysAllow", PDB, frees_unready),
		ALL("minAvailable"), ALL("maxUnavailable")),
	MEMBERS("status", INT("disruptionsAllowed", PDB, disruptions_allowed),
		ALL("disruptedPods"), ALL("currentHealthy"), ALL("desiredHealthy")));

FIELDS(namespace_fields,
	MEMBERS("metadata", META, LABELS("labels", namespace, labels),
		ALL("annotations")));

/* Not its template. */
FIELDS(sticky_job_fields,
	SOME("metadata", META),
	MEMBERS("spec", FLAG("required", sticky_job, required)),
	MEMBERS("status", SYM("lastNode", sticky_job, last_node)));

FIELDS(priority_class_fields,
	SOME("metadata", META),
	INT32("value", priority_class, value),
	FLAG("globalDefault", priority_class, global_default),
	WORD("preemptionPolicy", "Never", priority_class, never_preempts));

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
pod_spec_fields(void)
{
	static const struct doc_field *spec;

	if (spec == NULL)
		spec = doc_field(pod_fields, "spec")->within;
	return spec;
}

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

/* An array of any number of structs. */
static void
decode_elements(struct decoder *d, const struct doc_node *node,
    const struct doc_field *row, char *out)
{
	uint32_t *n = (uint32_t *)(out + row->use->count);
	const struct doc_node *at = decode_objects(d, node, row->key, n);
	char *all = *n > 0 ? arena_zalloc(d->arena, *n * row->use->size) : NULL;

	*(void **)(out + row->use->to) = all;
	for (; at != NULL; at = at->next, all += row->use->size)
		decode_fields(d, at, row->within, all);
}

static void
decode_field(struct decoder *d, const struct doc_node *node,
    const struct doc_field *row, char *out)
{
	const struct field_use *use = row->use;
	const char *key = row->key, *text;
	void *to = out + use->to;

	if (use->has != 0)
		*(bool *)(out + use->has) = doc_get(node, key) != NULL;
	switch (use->as) {
	case AS_MEMBERS:
		node = decode_object(d, node, key);
		decode_fields(d, node, row->within, out);
		break;
	case AS_EACH:
		decode_elements(d, node, row, out);
		break;
	case AS_FLAG:
		*(bool *)to = decode_flag(d, node, key, false);
		break;
	case AS_WORD:
		*(bool *)to =
		    strcmp(decode_text(d, node, key, ""), use->text) == 0;
		break;
	case AS_INT:
		*(int64_t *)to = decode_int(d, node, key, 0);
		break;
	case AS_INT32:
		*(int32_t *)to = (int32_t)decode_int(d, node, key, 0);
		break;
	case AS_INT64:
		*(int64_t *)to = decode_int64(d, node, key);
		break;
	case AS_BYTES:
		*(int64_t *)to = decode_bytes(d, node, key);
		break;
	case AS_TIME:
		decode_time(d, node, key, to, NULL);
		break;
	case AS_SYM:
		*(sym *)to = decode_sym(d, node, key,
		    use->text != NULL ? sym_intern(use->text) : SYM_EMPTY);
		break;
	case AS_SYM_OR_NONE:
		*(sym *)to = decode_sym(d, node, key, SYM_NONE);
		break;
	case AS_OWN_SYM:
		text = decode_text(d, node, key, NULL);
		*(sym *)to = text != NULL ? sym_take(text) : SYM_EMPTY;
		break;
	case AS_SYMS:
		*(const sym **)to =
		    decode_syms(d, node, key, (uint32_t *)(out + use->count));
		break;
	case AS_LABELS:
		*(struct labels *)to = decode_labels(d, doc_get(node, key));
		break;
	case AS_SELECTOR:
		*(struct selector *)to =
		    decode_selector_of_object(d, doc_get(node, key));
		break;
	}
}

static void
decode_those(struct decoder *d, const struct doc_node *node,
    const struct doc_field *fields, void *out, bool of_class)
{
	for (; fields->key != NULL; fields++)
		if (fields->use != NULL &&
		    (fields->use->aspect != 0) == of_class &&
		    (fields->use->over & d->over) == 0)
			decode_field(d, node, fields, out);
}

void
decode_fields(struct decoder *d, const struct doc_node *node,
    const struct doc_field *fields, void *out)
{
	decode_those(d, node, fields, out, false);
}

void
decode_class_fields(struct decoder *d, const struct doc_node *spec,
    const struct doc_field *fields, void *class)
{
	decode_those(d, spec, fields, class, true);
}
