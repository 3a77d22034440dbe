#include "config.h"

#include "objects/object.h"

#include <malloc.h>
#include <stdio.h>
#include <strings.h>

#include "base/doc.h"
#include "base/doc_build.h"
#include "objects/decode.h"
#include "objects/device.h"
#include "objects/distribution_policy.h"
#include "objects/fields.h"
#include "objects/limits.h"
#include "objects/node.h"
#include "objects/pod.h"
#include "objects/resource_claim.h"
#include "objects/sticky_job.h"
#include "objects/storage.h"
#include "objects/workload.h"

/* Their size, and what reads more of them than rows do (fields.h). */
#define AS(type) sizeof(struct type), type##_read
#define BY_ROWS(type) sizeof(struct type), NULL

/* A kind is ours only in these API groups, in any version of them; the core
 * group "" is "v1". */
static const struct kind {
	const char *name;
	bool namespaced;
	const char *groups[2];
	/* Bytes of most of these objects in their arena, 0: as others have.  There
	 * may be tens of thousands of them, too many for its usual blocks. */
	size_t usual;
	size_t size;
	void (*read)(struct decoder *d, struct object *object); /* or NULL */
} kinds[OBJECT_KINDS] = {
	/* clang-format off */
	[OBJECT_POD] = { "Pod", true, { "" }, 0, AS(pod) },
	[OBJECT_NODE] = { "Node", false, { "" }, 2048, AS(node) },
	[OBJECT_SERVICE] = { "Service", true, { "" }, 256, AS(workload) },
	[OBJECT_REPLICATION_CONTROLLER] =
		{ "ReplicationController", true, { "" }, 256, AS(workload) },
	[OBJECT_REPLICA_SET] =
		{ "ReplicaSet", true, { "apps", "extensions" }, 256, AS(workload) },
	[OBJECT_STATEFUL_SET] =
		{ "StatefulSet", true, { "apps" }, 256, AS(workload) },
	[OBJECT_PERSISTENT_VOLUME] =
		{ "PersistentVolume", false, { "" }, 256, AS(persistent_volume) },
	[OBJECT_PERSISTENT_VOLUME_CLAIM] =
		{ "PersistentVolumeClaim", true, { "" }, 256,
		  AS(persistent_volume_claim) },
	[OBJECT_STORAGE_CLASS] =
		{ "StorageClass", false, { "storage.k8s.io" }, 256,
		  AS(storage_class) },
	[OBJECT_CSI_NODE] =
		{ "CSINode", false, { "storage.k8s.io" }, 256, AS(csi_node) },
	[OBJECT_CSI_DRIVER] =
		{ "CSIDriver", false, { "storage.k8s.io" }, 0, BY_ROWS(csi_driver) },
	[OBJECT_CSI_STORAGE_CAPACITY] =
		{ "CSIStorageCapacity", true, { "storage.k8s.io" }, 256,
		  AS(csi_storage_capacity) },
	[OBJECT_VOLUME_ATTACHMENT] =
		{ "VolumeAttachment", false, { "storage.k8s.io" }, 0,
		  BY_ROWS(volume_attachment) },
	[OBJECT_RESOURCE_CLAIM] =
		{ "ResourceClaim", true, { "resource.k8s.io" }, 256,
		  AS(resource_claim) },
	[OBJECT_RESOURCE_SLICE] =
		{ "ResourceSlice", false, { "resource.k8s.io" }, 0,
		  AS(resource_slice) },
	[OBJECT_DEVICE_CLASS] =
		{ "DeviceClass", false, { "resource.k8s.io" }, 0,
		  AS(device_class) },
	[OBJECT_DEVICE_TAINT_RULE] =
		{ "DeviceTaintRule", false, { "resource.k8s.io" }, 0,
		  BY_ROWS(device_taint_rule) },
	[OBJECT_POD_DISRUPTION_BUDGET] =
		{ "PodDisruptionBudget", true, { "policy" }, 256,
		  AS(pod_disruption_budget) },
	[OBJECT_NAMESPACE] = { "Namespace", false, { "" }, 256, AS(namespace) },
	[OBJECT_PRIORITY_CLASS] =
		{ "PriorityClass", false, { "scheduling.k8s.io" }, 0,
		  BY_ROWS(priority_class) },
	[OBJECT_RUNTIME_CLASS] =
		{ "RuntimeClass", false, { "node.k8s.io" }, 0, AS(pod_defaults) },
	[OBJECT_LIMIT_RANGE] =
		{ "LimitRange", true, { "" }, 0, AS(pod_defaults) },
	[OBJECT_DISTRIBUTION_POLICY] =
		{ "DistributionPolicy", true, { "kosmos.io" }, 1024,
		  AS(distribution_policy) },
	[OBJECT_CLUSTER_DISTRIBUTION_POLICY] =
		{ "ClusterDistributionPolicy", false, { "kosmos.io" }, 1024,
		  AS(distribution_policy) },
	[OBJECT_STICKY_JOB] =
		{ "StickyJob", true, { "example.com" }, 0, BY_ROWS(sticky_job) },
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

	return api_version[0] == '\0' ||
	    ANY(i, LENGTH(k->groups),
		k->groups[i] != NULL && is_in_group(api_version, k->groups[i]));
}

/* ---- metadata ---- */

static void
read_metadata(struct decoder *d, enum object_kind kind, struct metadata *out)
{
	const struct doc_node *meta;
	const char *namespace;

	*out =
	    (struct metadata){ .name = "", .uid = "", .resource_version = "" };
	if (d->root->kind != DOC_OBJECT) {
		doc_errf(d->err, d->root, "a %s must be an object, not %s",
		    object_kind_name(kind), doc_kind_name(d->root->kind));
		d->failed = true;
		return;
	}
	meta = decode_object(d, d->root, "metadata");
	namespace = decode_text(d, meta, "namespace", "");
	out->name = decode_text(d, meta, "name", "");
	out->uid = decode_text(d, meta, "uid", "");
	out->resource_version = decode_text(d, meta, "resourceVersion", "");
	if (object_kind_namespaced(kind) && !d->failed)
		out->namespace =
		    sym_take(namespace[0] != '\0' ? namespace : "default");
	decode_time(d, meta, "creationTimestamp", &out->created, NULL);
	out->deleting =
	    decode_time(d, meta, "deletionTimestamp", &(int64_t){ 0 }, NULL);
	out->labels = decode_object(d, meta, "labels");
	out->annotations = decode_object(d, meta, "annotations");
	if (d->failed || out->name[0] != '\0')
		return;
	doc_errf(d->err, meta != NULL ? meta : d->root,
	    meta != NULL ? "metadata.name must be a non-empty string" :
			   "metadata is missing");
	d->failed = true;
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

void *
object_new(enum object_kind kind, size_t size, const struct doc_node *root,
    struct metadata *meta, struct err *err)
{
	struct arena scratch = ARENA_INIT;
	struct decoder d = { .root = root, .path = "", .err = err };
	struct object *object;
	struct metadata m;
	const char *uid;

	read_metadata(&d, kind, &m);
	if (d.failed) {
		sym_unref(m.namespace);
		return NULL;
	}
	if (meta != NULL)
		*meta = m;
	uid = m.uid;
	/* a pod always has one: it identifies the pod in preemption and in the
	 * queue */
	if (uid[0] == '\0' && kind == OBJECT_POD)
		uid = arena_printf(&scratch, "%s/%s", sym_text(m.namespace),
		    m.name);
	object = alloc(size,
	    &(struct object){ .kind = kind,
		.namespace = m.namespace,
		.name = m.name,
		.uid = uid,
		.resource_version = m.resource_version,
		.created = m.created,
		.deleting = m.deleting });
	arena_fini(&scratch);
	sym_unref(m.namespace); /* the object has its own reference */
	return object;
}

sym
object_controller(struct decoder *d)
{
	sym uid = SYM_NONE;
	EACH_FROM (at,
	    decode_objects(d, doc_get(d->root, "metadata"), "ownerReferences",
		NULL)) {
		bool controls = decode_flag(d, at, "controller", false);
		const char *its = decode_text(d, at, "uid", "");

		if (controls && uid == SYM_NONE)
			uid = sym_in(d->arena, its);
	}
	return uid;
}

/* Bytes of what most copies have instead of the object's. */
#define COPY_SIZE 256

struct held {
	struct arena_end end; /* first: they are cast to each other */
	struct object *object;
};

static void
drop_held(struct arena_end *end)
{
	object_unref(((struct held *)end)->object);
}

void
object_hold(struct arena *arena, const struct object *object)
{
	struct held *held = arena_alloc(arena, sizeof(*held));

	held->object = object_ref((struct object *)object);
	held->end.run = drop_held;
	arena_on_end(arena, &held->end);
}

void *
object_copy(const struct object *object, size_t size)
{
	struct object *copy = alloc(size, object);

	memcpy((char *)copy + sizeof(*copy),
	    (const char *)object + sizeof(*object), size - sizeof(*object));
	if (object->arena.blocks == NULL)
		return copy;
	arena_reserve(&copy->arena, COPY_SIZE);
	object_hold(&copy->arena, object);
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

/* ---- decoding ---- */

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

struct object *
object_decode_as(const struct decode_settings *settings, enum object_kind kind,
    const struct doc_node *root, struct err *err)
{
	const struct kind *k = &kinds[kind];
	struct metadata meta;
	struct object *object = object_new(kind, k->size, root, &meta, err);
	struct decoder d = { .root = root,
		.path = "",
		.err = err,
		.settings = settings != NULL ? settings : &decode_defaults,
		.meta = &meta,
		.numbered = kind == OBJECT_POD || kind == OBJECT_NODE ||
		    k->read == distribution_policy_read };

	if (object == NULL)
		return NULL;
	d.arena = &object->arena;
	if (k->usual > 0)
		arena_reserve(d.arena, k->usual);
	if (object_fields(kind) != NULL)
		decode_fields(&d, root, object_fields(kind), object);
	if (k->read != NULL)
		k->read(&d, object);
	if (!d.failed)
		return object;
	object_unref(object);
	return NULL;
}

int
object_decode(const struct decode_settings *settings,
    const struct doc_node *root, const char *fallback_kind, struct object **out,
    const char **kind_text, struct err *err)
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
	object = charged(object_decode_as(settings, kind, root, err));
	if (object == NULL)
		return -1;
	*out = object;
	return 1;
}

/* ---- objects that cannot be decoded ---- */

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
request_everything(struct doc *doc, struct doc_node *spec)
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
decode_partial_pod(const struct decode_settings *settings, enum partial partial,
    struct doc *doc, const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = doc_get(root, "spec");
	struct pod *pod;

	/* The node is the document's. */
	if (partial == PARTIAL_PLACED && spec != NULL &&
	    !request_everything(doc, (struct doc_node *)spec))
		return NULL;
	pod = (struct pod *)object_decode_as(settings, OBJECT_POD, root, err);
	if (pod == NULL)
		return NULL;
	if (partial == PARTIAL_PLACED) {
		pod->priority = INT32_MAX;
		pod->has_priority = true;
	}
	return &pod->object;
}

struct object *
object_decode_partial(const struct decode_settings *settings,
    enum object_kind kind, enum partial partial, struct doc *doc,
    const struct doc_node *root, struct err *err)
{
	struct object *object;

	if (kind == OBJECT_POD)
		object = decode_partial_pod(settings, partial, doc, root, err);
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

int
object_compare_names(const struct object *a, const struct object *b)
{
	int order = sym_cmp(a->namespace, b->namespace);

	return order != 0 ? order : strcmp(a->name, b->name);
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
