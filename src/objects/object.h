/*
 * Common to all API objects: name, reference count and decoding.
 *
 * Model objects are immutable once decoded and live in an arena of their own,
 * so freeing one is one call.  They are reference counted: x_ref(), x_unref();
 * unref accepts NULL.
 */
#ifndef MODEL_OBJECT_H
#define MODEL_OBJECT_H

#include "base/arena.h"
#include "base/sym.h"

struct decode_settings;
struct decoder;
struct doc;
struct doc_node;

enum object_kind {
	OBJECT_POD,
	OBJECT_NODE,
	OBJECT_SERVICE,
	OBJECT_REPLICATION_CONTROLLER,
	OBJECT_REPLICA_SET,
	OBJECT_STATEFUL_SET,
	OBJECT_PERSISTENT_VOLUME,
	OBJECT_PERSISTENT_VOLUME_CLAIM,
	OBJECT_STORAGE_CLASS,
	OBJECT_CSI_NODE,
	OBJECT_CSI_DRIVER,
	OBJECT_CSI_STORAGE_CAPACITY,
	OBJECT_VOLUME_ATTACHMENT,
	OBJECT_RESOURCE_CLAIM,
	OBJECT_RESOURCE_SLICE,
	OBJECT_DEVICE_CLASS,
	OBJECT_DEVICE_TAINT_RULE,
	OBJECT_POD_DISRUPTION_BUDGET,
	OBJECT_NAMESPACE,
	OBJECT_PRIORITY_CLASS,
	OBJECT_RUNTIME_CLASS,
	OBJECT_LIMIT_RANGE,
	OBJECT_DISTRIBUTION_POLICY,
	OBJECT_CLUSTER_DISTRIBUTION_POLICY,
	OBJECT_STICKY_JOB,
	OBJECT_KINDS,
};

/* How much is known of an object. */
enum partial {
	PARTIAL_NONE, /* it was decoded */
	/* of a pod: its identity, labels, node and priority, and the resources
	 * that it takes from that node */
	PARTIAL_COUNTED,
	/* of a pod: its identity and its node; it counts as more than any node
	 * has, and no pod has priority over it */
	PARTIAL_PLACED,
	PARTIAL_NAMED, /* who it is */
	/* Its namespace has used up its budget (budget.h).  Of a pod: its
	 * identity, node and priority, and the resources that it takes. */
	PARTIAL_SET_ASIDE,
};

struct metadata {
	sym namespace; /* SYM_EMPTY for objects outside namespaces */
	const char *name;
	const char *uid;              /* "" when absent */
	const char *resource_version; /* "" when absent */
	int64_t created; /* creationTimestamp, seconds since 1970; 0: absent */
	bool deleting;   /* deletionTimestamp is set */
	const struct doc_node *labels;      /* object or NULL; */
	const struct doc_node *annotations; /* valid while decoding only */
};

/*
 * Every decoded object begins with this.  The texts live as long as it does.
 */
struct object {
	enum object_kind kind;
	unsigned refs;
	struct arena arena;
	sym namespace;
	const char *name;
	const char *uid;
	const char *resource_version;
	int64_t created; /* seconds since 1970, 0 when unknown */
	bool deleting;
	enum partial partial;
	size_t charge; /* in budget.h */
};

/* "Pod", "PersistentVolumeClaim", … */
const char *object_kind_name(enum object_kind kind);
/* Whether objects of this kind live in namespaces. */
bool object_kind_namespaced(enum object_kind kind);
/* false when the name is not one of ours. */
bool object_kind_parse(const char *name, enum object_kind *out);
/* The kind of the objects listed as this resource: "pods", "storageclasses". */
bool object_kind_of_resource(const char *resource, enum object_kind *out);

/*
 * Decodes any of the kinds above.  settings: NULL is decode_defaults.
 * fallback_kind is the kind of an element of a NodeList etc. that has no
 * kind itself ("" for none).  The caller owns one reference to *out.  1:
 * decoded; 0: a kind that we do not know or need (*out untouched,
 * *kind_text, unless NULL, is its kind, valid as long as the document, ""
 * when it has none); -1: broken: err has file, line, column and the path of
 * the field.
 */
int object_decode(const struct decode_settings *settings,
    const struct doc_node *root, const char *fallback_kind, struct object **out,
    const char **kind_text, struct err *err);

/* The same of this kind, whatever the document says; NULL: err. */
struct object *object_decode_as(const struct decode_settings *settings,
    enum object_kind kind, const struct doc_node *root, struct err *err);

/*
 * An object that cannot be decoded, for as much as partial says; root, of doc,
 * has the fields that object_partial_fields() names for that, and may be
 * changed.  Kinds other than pods have only the members of struct object.  You
 * own it; NULL: err.
 */
struct object *object_decode_partial(const struct decode_settings *settings,
    enum object_kind kind, enum partial partial, struct doc *doc,
    const struct doc_node *root, struct err *err);

/* The consequence for an object that is left out, as the end of a sentence; you
 * own it. */
char *object_partial_says(const struct object *object);
/* "Pod ns/name", "Node name"; you own it. */
char *object_full_name(const struct object *object);
/* By namespace, then by name. */
int object_compare_names(const struct object *a, const struct object *b);

struct object *object_ref(struct object *object);
void object_unref(struct object *object);

/* Allocates an object of `size` bytes (a struct beginning with struct object),
 * zeroed but for the metadata decoded from root, its arena empty; you own it.
 * meta may be NULL.  NULL when the metadata is broken. */
void *object_new(enum object_kind kind, size_t size,
    const struct doc_node *root, struct metadata *meta, struct err *err);

/* The uid of the owner that controls the object: its first ownerReference with
 * controller: true; SYM_NONE for none. */
sym object_controller(struct decoder *d);

/* Keeps the object as long as the arena has what it has now. */
void object_hold(struct arena *arena, const struct object *object);
/* A copy that shares what the object has in its arena, and holds it for that; you
 * own it, and see to the references that its struct holds. */
void *object_copy(const struct object *object, size_t size);

#endif
