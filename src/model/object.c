#include "config.h"

#include "model/object.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/doc.h"
#include "base/doc_build.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/budget.h"
#include "model/device.h"
#include "model/distribution_policy.h"
#include "model/node.h"
#include "model/pod.h"
#include "model/resource_claim.h"
#include "model/sticky_job.h"
#include "model/storage.h"
#include "model/workload.h"

/* A kind is ours only in these API groups, in any version of them; the core
 * group "" is "v1". */
static const struct kind {
	const char *name;
	bool namespaced;
	const char *groups[2];
} kinds[OBJECT_KINDS] = {
	/* clang-format off */
	[OBJECT_POD] = { "Pod", true, { "" } },
	[OBJECT_NODE] = { "Node", false, { "" } },
	[OBJECT_SERVICE] = { "Service", true, { "" } },
	[OBJECT_REPLICATION_CONTROLLER] =
		{ "ReplicationController", true, { "" } },
	[OBJECT_REPLICA_SET] =
		{ "ReplicaSet", true, { "apps", "extensions" } },
	[OBJECT_STATEFUL_SET] = { "StatefulSet", true, { "apps" } },
	[OBJECT_PERSISTENT_VOLUME] = { "PersistentVolume", false, { "" } },
	[OBJECT_PERSISTENT_VOLUME_CLAIM] =
		{ "PersistentVolumeClaim", true, { "" } },
	[OBJECT_STORAGE_CLASS] =
		{ "StorageClass", false, { "storage.k8s.io" } },
	[OBJECT_CSI_NODE] = { "CSINode", false, { "storage.k8s.io" } },
	[OBJECT_CSI_DRIVER] = { "CSIDriver", false, { "storage.k8s.io" } },
	[OBJECT_CSI_STORAGE_CAPACITY] =
		{ "CSIStorageCapacity", true, { "storage.k8s.io" } },
	[OBJECT_VOLUME_ATTACHMENT] =
		{ "VolumeAttachment", false, { "storage.k8s.io" } },
	[OBJECT_RESOURCE_CLAIM] =
		{ "ResourceClaim", true, { "resource.k8s.io" } },
	[OBJECT_RESOURCE_SLICE] =
		{ "ResourceSlice", false, { "resource.k8s.io" } },
	[OBJECT_DEVICE_CLASS] = { "DeviceClass", false, { "resource.k8s.io" } },
	[OBJECT_DEVICE_TAINT_RULE] =
		{ "DeviceTaintRule", false, { "resource.k8s.io" } },
	[OBJECT_POD_DISRUPTION_BUDGET] =
		{ "PodDisruptionBudget", true, { "policy" } },
	[OBJECT_NAMESPACE] = { "Namespace", false, { "" } },
	[OBJECT_PRIORITY_CLASS] =
		{ "PriorityClass", false, { "scheduling.k8s.io" } },
	[OBJECT_DISTRIBUTION_POLICY] =
		{ "DistributionPolicy", true, { "kosmos.io" } },
	[OBJECT_CLUSTER_DISTRIBUTION_POLICY] =
		{ "ClusterDistributionPolicy", false, { "kosmos.io" } },
	[OBJECT_STICKY_JOB] = { "StickyJob", true, { "example.com" } },
	/* clang-format on */
};

const char *
object_kind_name(enum object_kind kind)
{
	return kinds[kind].name;
}

bool
object_kind_namespaced(enum object_kind kind)
{
	return kinds[kind].namespaced;
}

bool
object_kind_parse(const char *name, enum object_kind *out)
{
	for (int kind = 0; kind < OBJECT_KINDS; kind++)
		if (strcmp(kinds[kind].name, name) == 0) {
			*out = (enum object_kind)kind;
			return true;
		}
	return false;
}

/* "StorageClass" to "storageclasses", "DistributionPolicy" to
 * "distributionpolicies". */
static void
plural(const char *kind, char *out, size_t size)
{
	size_t len = strlen(kind);

	if (kind[len - 1] == 'y')
		snprintf(out, size, "%.*sies", (int)len - 1, kind);
	else
		snprintf(out, size, "%s%s", kind,
		    kind[len - 1] == 's' ? "es" : "s");
}

bool
object_kind_of_resource(const char *resource, enum object_kind *out)
{
	char name[64];

	for (int kind = 0; kind < OBJECT_KINDS; kind++) {
		plural(kinds[kind].name, name, sizeof(name));
		if (strcasecmp(name, resource) == 0) {
			*out = (enum object_kind)kind;
			return true;
		}
	}
	return false;
}

static bool
is_in_group(const char *api_version, const char *group)
{
	size_t len = strlen(group);

	if (len == 0)
		return strcmp(api_version, "v1") == 0;
	return strncmp(api_version, group, len) == 0 && api_version[len] == '/';
}

/* An object without apiVersion, such as an element of a NodeList, is
 * accepted. */
static bool
is_ours(enum object_kind kind, const char *api_version)
{
	const struct kind *k = &kinds[kind];

	if (api_version[0] == '\0')
		return true;
	for (size_t i = 0; i < LENGTH(k->groups); i++)
		if (k->groups[i] != NULL &&
		    is_in_group(api_version, k->groups[i]))
			return true;
	return false;
}

/*
 * Times
 */

/* Days since 1970-01-01 in the Gregorian calendar; month from 1. */
static int64_t
days_from_civil(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t year_of_era = y - era * 400;
	/* March is month 0, so that a leap day ends the year. */
	int64_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 -
	    year_of_era / 100 + day_of_year - 719468;
}

static int
days_in_month(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* 64 bits of seconds are less than 300 billion years. */
#define YEAR_DIGITS 12

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads n digits as a number within [min, max] and moves on. */
static bool
read_number(const char **at, int n, int min, int max, int *out)
{
	int number = 0;

	for (int i = 0; i < n; i++) {
		if (!is_digit((*at)[i]))
			return false;
		number = number * 10 + ((*at)[i] - '0');
	}
	*at += n;
	*out = number;
	return number >= min && number <= max;
}

static bool
read_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* ".25": truncates to nanoseconds. */
static bool
read_fraction(const char **at, int32_t *nanoseconds)
{
	int32_t unit = 100000000;

	*nanoseconds = 0;
	if (!read_char(at, '.'))
		return true;
	if (!is_digit(**at))
		return false;
	for (; is_digit(**at); (*at)++) {
		*nanoseconds += (**at - '0') * unit;
		unit /= 10;
	}
	return true;
}

/* "Z", "+02:00" in seconds. */
static bool
read_offset(const char **at, int64_t *seconds)
{
	int hours, minutes;
	bool west = **at == '-';

	*seconds = 0;
	if (read_char(at, 'Z'))
		return true;
	if (!read_char(at, '+') && !read_char(at, '-'))
		return false;
	if (!read_number(at, 2, 0, 24, &hours) || !read_char(at, ':') ||
	    !read_number(at, 2, 0, 60, &minutes))
		return false;
	*seconds = (west ? -60 : 60) * (hours * 60 + minutes);
	return true;
}

/*
 * Four digits, as RFC 3339 has it; or more, or with a minus, as Kubernetes
 * writes a time whose offset has put it into another year, and as clients that
 * write protobuf may send.
 */
static bool
read_year(const char **at, int64_t *year)
{
	bool negative = read_char(at, '-');
	int digits = 0;

	*year = 0;
	for (; is_digit(**at) && digits < YEAR_DIGITS; digits++, (*at)++)
		*year = *year * 10 + (**at - '0');
	if (negative)
		*year = -*year;
	return digits >= 4;
}

/* Saturates at the limits of 64 bits. */
static int64_t
seconds_of(int64_t days, int64_t second)
{
	int64_t seconds;

	if (__builtin_mul_overflow(days, 86400, &seconds) ||
	    __builtin_add_overflow(seconds, second, &seconds))
		return days < 0 ? INT64_MIN : INT64_MAX;
	return seconds;
}

bool
time_parse(const char *text, int64_t *seconds, int32_t *nanoseconds)
{
	int month, day, hour, minute, second;
	int32_t fraction;
	int64_t year, offset;

	if (!read_year(&text, &year) || !read_char(&text, '-') ||
	    !read_number(&text, 2, 1, 12, &month) || !read_char(&text, '-') ||
	    !read_number(&text, 2, 1, days_in_month(year, month), &day) ||
	    !read_char(&text, 'T') || !read_number(&text, 2, 0, 23, &hour) ||
	    !read_char(&text, ':') || !read_number(&text, 2, 0, 59, &minute) ||
	    !read_char(&text, ':') || !read_number(&text, 2, 0, 59, &second) ||
	    !read_fraction(&text, &fraction) || !read_offset(&text, &offset) ||
	    *text != '\0')
		return false;
	*seconds = seconds_of(days_from_civil(year, month, day),
	    hour * 3600 + minute * 60 + second - offset);
	if (nanoseconds != NULL)
		*nanoseconds = fraction;
	return true;
}

/* A time member; absent or null: *set is false and *seconds untouched. */
static int
read_time(const struct doc_node *node, const char *key, const char *path,
    bool *set, int64_t *seconds, struct err *err)
{
	const char *text = NULL;

	if (doc_get_string(node, key, path, &text, err) != 0)
		return -1;
	*set = text != NULL;
	if (text != NULL && !time_parse(text, seconds, NULL))
		return doc_errf(err, doc_get(node, key),
		    "%s must be an RFC 3339 time, not \"%.64s\"", path, text);
	return 0;
}

/*
 * Metadata
 */

static int
read_names(enum object_kind kind, const struct doc_node *meta,
    struct metadata *out, struct err *err)
{
	const char *namespace = "";

	if (doc_get_string(meta, "namespace", "metadata.namespace", &namespace,
		err) != 0 ||
	    doc_get_string(meta, "name", "metadata.name", &out->name, err) !=
		0 ||
	    doc_get_string(meta, "uid", "metadata.uid", &out->uid, err) != 0 ||
	    doc_get_string(meta, "resourceVersion", "metadata.resourceVersion",
		&out->resource_version, err) != 0)
		return -1;
	if (object_kind_namespaced(kind))
		out->namespace =
		    sym_take(namespace[0] != '\0' ? namespace : "default");
	return 0;
}

static int
read_metadata(enum object_kind kind, const struct doc_node *root,
    struct metadata *out, struct err *err)
{
	const struct doc_node *meta = NULL;
	bool created;

	*out =
	    (struct metadata){ .name = "", .uid = "", .resource_version = "" };
	if (root->kind != DOC_OBJECT)
		return doc_errf(err, root, "a %s must be an object, not %s",
		    object_kind_name(kind), doc_kind_name(root->kind));
	if (doc_get_object(root, "metadata", "metadata", &meta, err) != 0)
		return -1;
	if (meta == NULL)
		return doc_errf(err, root, "metadata is missing");
	if (read_names(kind, meta, out, err) != 0 ||
	    read_time(meta, "creationTimestamp", "metadata.creationTimestamp",
		&created, &out->created, err) != 0 ||
	    read_time(meta, "deletionTimestamp", "metadata.deletionTimestamp",
		&out->deleting, &(int64_t){ 0 }, err) != 0 ||
	    doc_get_object(meta, "labels", "metadata.labels", &out->labels,
		err) != 0 ||
	    doc_get_object(meta, "annotations", "metadata.annotations",
		&out->annotations, err) != 0)
		return -1;
	if (out->name[0] == '\0')
		return doc_errf(err, meta,
		    "metadata.name must be a non-empty string");
	return 0;
}

/*
 * Objects: the struct and, behind it in the same piece of memory, its texts.
 * So a pod costs one small allocation; the arena stays empty until a decoder
 * takes something from it.
 */

static char *
append(char **end, const char *text)
{
	char *start = *end;
	size_t len = strlen(text) + 1;

	memcpy(start, text, len);
	*end += len;
	return start;
}

/* A zeroed object that begins with a copy of *as and of its texts. */
static struct object *
alloc(size_t size, const struct object *as)
{
	struct object *object = xcalloc(1,
	    size + strlen(as->name) + strlen(as->uid) +
		strlen(as->resource_version) + 3);
	char *end = (char *)object + size;

	*object = *as;
	sym_ref(object->namespace);
	object->refs = 1;
	object->charge = 0;
	object->arena = (struct arena)ARENA_INIT;
	object->name = append(&end, as->name);
	object->uid = append(&end, as->uid);
	object->resource_version = append(&end, as->resource_version);
	return object;
}

/* A pod always has a uid: it identifies the pod in preemption and in the
 * queue. */
static const char *
made_up_uid(struct arena *arena, enum object_kind kind,
    const struct metadata *meta)
{
	if (meta->uid[0] != '\0' || kind != OBJECT_POD)
		return meta->uid;
	return arena_printf(arena, "%s/%s", sym_text(meta->namespace),
	    meta->name);
}

void *
object_new(enum object_kind kind, size_t size, const struct doc_node *root,
    struct metadata *meta, struct err *err)
{
	struct arena scratch = ARENA_INIT;
	struct object *object;
	struct metadata m;

	if (read_metadata(kind, root, &m, err) != 0) {
		sym_unref(m.namespace);
		return NULL;
	}
	if (meta != NULL)
		*meta = m;
	object = alloc(size,
	    &(struct object){ .kind = kind,
		.namespace = m.namespace,
		.name = m.name,
		.uid = made_up_uid(&scratch, kind, &m),
		.resource_version = m.resource_version,
		.created = m.created,
		.deleting = m.deleting });
	arena_fini(&scratch);
	sym_unref(m.namespace); /* the object has its own reference */
	return object;
}

int
object_controller(struct arena *arena, const struct doc_node *root, sym *out,
    struct err *err)
{
	static const char path[] = "metadata.ownerReferences";
	const struct doc_node *owners = NULL;

	*out = SYM_NONE;
	if (doc_get_array(doc_get(root, "metadata"), "ownerReferences", path,
		&owners, err) != 0)
		return -1;
	for (const struct doc_node *at = owners != NULL ? owners->first : NULL;
	     at != NULL; at = at->next) {
		bool controls = false;
		const char *uid = "";

		if (at->kind != DOC_OBJECT && at->kind != DOC_NULL)
			return doc_errf(err, at,
			    "%s[] must be an object, not %s", path,
			    doc_kind_name(at->kind));
		if (doc_get_bool(at, "controller",
			"metadata.ownerReferences[].controller", &controls,
			err) != 0 ||
		    doc_get_string(at, "uid", "metadata.ownerReferences[].uid",
			&uid, err) != 0)
			return -1;
		if (controls && *out == SYM_NONE)
			*out = sym_in(arena, uid);
	}
	return 0;
}

void *
object_copy(const struct object *object, size_t size)
{
	struct object *copy = alloc(size, object);

	memcpy((char *)copy + sizeof(*copy),
	    (const char *)object + sizeof(*object), size - sizeof(*object));
	return copy;
}

struct object *
object_ref(struct object *object)
{
	object->refs++;
	return object;
}

void
object_unref(struct object *object)
{
	if (object == NULL || --object->refs > 0)
		return;
	if (object->kind == OBJECT_POD)
		pod_fini((struct pod *)object);
	if (object->charge > 0)
		budget_give_back(object->namespace, object->charge);
	sym_unref(object->namespace);
	arena_fini(&object->arena);
	free(object);
}

/*
 * Decoding
 */

/* In the maps, lists and queues that hold an object, about. */
#define ENTRIES_SIZE 200

static struct object *
charged(struct object *object)
{
	if (object == NULL || object->namespace == SYM_EMPTY)
		return object;
	object->charge = budget_size(ENTRIES_SIZE + malloc_usable_size(object),
	    &object->arena);
	budget_take(object->namespace, object->charge);
	return object;
}

/* Runs a decoder whose result begins with a struct object. */
#define DECODE(function, type, ...)                                            \
	{                                                                      \
		struct type *it = NULL;                                        \
                                                                               \
		if (function(__VA_ARGS__, &it, err) != 0)                      \
			return NULL;                                           \
		return &it->object;                                            \
	}

static struct object *
decode(enum object_kind kind, const struct doc_node *root, struct err *err)
{
	switch (kind) {
	case OBJECT_POD:
		DECODE(pod_decode, pod, root)
	case OBJECT_NODE:
		DECODE(node_decode, node, root)
	case OBJECT_SERVICE:
	case OBJECT_REPLICATION_CONTROLLER:
	case OBJECT_REPLICA_SET:
	case OBJECT_STATEFUL_SET:
		DECODE(workload_decode, workload, kind, root)
	case OBJECT_PERSISTENT_VOLUME:
		DECODE(persistent_volume_decode, persistent_volume, root)
	case OBJECT_PERSISTENT_VOLUME_CLAIM:
		DECODE(persistent_volume_claim_decode, persistent_volume_claim,
		    root)
	case OBJECT_STORAGE_CLASS:
		DECODE(storage_class_decode, storage_class, root)
	case OBJECT_CSI_NODE:
		DECODE(csi_node_decode, csi_node, root)
	case OBJECT_CSI_DRIVER:
		DECODE(csi_driver_decode, csi_driver, root)
	case OBJECT_CSI_STORAGE_CAPACITY:
		DECODE(csi_storage_capacity_decode, csi_storage_capacity, root)
	case OBJECT_VOLUME_ATTACHMENT:
		DECODE(volume_attachment_decode, volume_attachment, root)
	case OBJECT_RESOURCE_CLAIM:
		DECODE(resource_claim_decode, resource_claim, root)
	case OBJECT_RESOURCE_SLICE:
		DECODE(resource_slice_decode, resource_slice, root)
	case OBJECT_DEVICE_CLASS:
		DECODE(device_class_decode, device_class, root)
	case OBJECT_DEVICE_TAINT_RULE:
		DECODE(device_taint_rule_decode, device_taint_rule, root)
	case OBJECT_POD_DISRUPTION_BUDGET:
		DECODE(pod_disruption_budget_decode, pod_disruption_budget,
		    root)
	case OBJECT_NAMESPACE:
		DECODE(namespace_decode, namespace, root)
	case OBJECT_PRIORITY_CLASS:
		DECODE(priority_class_decode, priority_class, root)
	case OBJECT_DISTRIBUTION_POLICY:
	case OBJECT_CLUSTER_DISTRIBUTION_POLICY:
		DECODE(distribution_policy_decode, distribution_policy, kind,
		    root)
	case OBJECT_STICKY_JOB:
		DECODE(sticky_job_decode, sticky_job, root)
	case OBJECT_KINDS:
		break;
	}
	return NULL;
}

int
object_decode(const struct doc_node *root, const char *fallback_kind,
    struct object **out, const char **kind_text, struct err *err)
{
	const char *name = "", *api_version = "";
	enum object_kind kind;
	struct object *object;

	if (root->kind != DOC_OBJECT)
		return doc_errf(err, root,
		    "an API object must be an object, "
		    "not %s",
		    doc_kind_name(root->kind));
	if (doc_get_string(root, "kind", "kind", &name, err) != 0 ||
	    doc_get_string(root, "apiVersion", "apiVersion", &api_version,
		err) != 0)
		return -1;
	if (name[0] == '\0')
		name = fallback_kind;
	if (!object_kind_parse(name, &kind) || !is_ours(kind, api_version)) {
		if (kind_text != NULL)
			*kind_text = name;
		return 0;
	}
	object = charged(decode(kind, root, err));
	if (object == NULL)
		return -1;
	*out = object;
	return 1;
}

/*
 * Objects that cannot be decoded
 */

/* An object in this one, or a string. */
static struct doc_node *
put_in_front(struct doc *doc, struct doc_node *parent, enum doc_kind kind,
    const char *key, const char *text)
{
	struct doc_node *node =
	    doc_node_new(doc, &doc_limits_dump, kind, 0, 0, NULL);

	if (node == NULL)
		return NULL;
	node->key = key;
	node->text = text;
	node->len = text != NULL ? strlen(text) : 0;
	node->next = parent->first;
	parent->first = node;
	parent->count++;
	return node;
}

/* Far more than a node has, and small enough that sums of many do not overflow
 * 64 bits. */
static bool
ask_for_everything(struct doc *doc, struct doc_node *spec)
{
	static const char *const names[] = { "cpu", "memory",
		"ephemeral-storage" };
	static const char *const path[] = { NULL, "resources", "requests" };
	struct doc_node *at =
	    put_in_front(doc, spec, DOC_ARRAY, "containers", NULL);

	for (size_t i = 0; at != NULL && i < LENGTH(path); i++)
		at = put_in_front(doc, at, DOC_OBJECT, path[i], NULL);
	for (size_t i = 0; at != NULL && i < LENGTH(names); i++)
		if (put_in_front(doc, at, DOC_STRING, names[i],
			i == 0 ? "1Ti" : "1Pi") == NULL)
			return false;
	return at != NULL;
}

static struct object *
decode_partial_pod(enum partial partial, struct doc *doc,
    const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = doc_get(root, "spec");
	struct pod *pod;

	/* The node is the document's. */
	if (partial == PARTIAL_PLACED && spec != NULL &&
	    !ask_for_everything(doc, (struct doc_node *)spec))
		return NULL;
	if (pod_decode(root, &pod, err) != 0)
		return NULL;
	if (partial == PARTIAL_PLACED) {
		pod->priority = INT32_MAX;
		pod->has_priority = true;
	}
	return &pod->object;
}

struct object *
object_decode_partial(enum object_kind kind, enum partial partial,
    struct doc *doc, const struct doc_node *root, struct err *err)
{
	struct object *object;

	if (kind == OBJECT_POD)
		object = decode_partial_pod(partial, doc, root, err);
	else
		object = object_new(kind, sizeof(*object), root, NULL, err);
	if (object != NULL)
		object->partial = partial;
	return charged(object);
}

char *
object_full_name(const struct object *object)
{
	return xasprintf("%s %s%s%s", object_kind_name(object->kind),
	    sym_text(object->namespace),
	    object->namespace != SYM_EMPTY ? "/" : "", object->name);
}

char *
object_partial_says(const struct object *object)
{
	const struct pod *pod = (const struct pod *)object;

	if (object->kind != OBJECT_POD)
		return xstrdup("it is ignored");
	if (object->partial == PARTIAL_NAMED)
		return xstrdup("it is not scheduled, and if it has a node, it "
			       "is not counted there");
	if (pod->node == SYM_EMPTY)
		return xstrdup("it is not scheduled");
	return xasprintf(object->partial == PARTIAL_COUNTED ?
		"its requests, ports and labels count on node %s" :
		object->partial == PARTIAL_SET_ASIDE ?
		"its requests and ports count on node %s" :
		"its resource usage is unknown: node %s counts as full",
	    sym_text(pod->node));
}
