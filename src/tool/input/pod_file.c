#include "config.h"

#include "tool/input/load.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/doc_build.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/input/pod_defaults.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "policy/policy.h"

/* ---- the fields of a pod ---- */

/* The table is that of Kubernetes' protobuf messages, whose fields have the
 * names of JSON. */
enum message {
#define MESSAGE(name, ...) MESSAGE_##name,
#include "wire/api/protobuf_table.h"
#undef MESSAGE
	MESSAGES, /* no message */
};

struct field {
	const char *name; /* "": its fields stand in the message around it */
	enum message message;
};

struct message_fields {
	size_t n;
	const struct field *at;
};

/* clang-format off */
#define FIELD(number, name, kind, form) { name, MESSAGES }
#define MESSAGE_FIELD(number, name, message, form) \
	{ name, MESSAGE_##message }
#define MESSAGE(name, ...)                                                    \
	[MESSAGE_##name] = {                                                  \
		sizeof((const struct field[]){ __VA_ARGS__ }) /               \
		    sizeof(struct field),                                     \
		(const struct field[]){ __VA_ARGS__ },                        \
	},
static const struct message_fields messages[] = {
#include "wire/api/protobuf_table.h"
};
/* clang-format on */
#undef MESSAGE
#undef MESSAGE_FIELD
#undef FIELD

#define NAMES_MAX 128

static const struct field *
find_field(enum message message, const char *key)
{
	const struct message_fields *fields = &messages[message];
	const struct field *found = NULL;

	for (size_t i = 0; found == NULL && i < fields->n; i++) {
		const struct field *field = &fields->at[i];

		if (strcmp(field->name, key) == 0)
			found = field;
		else if (field->name[0] == '\0' && field->message != MESSAGES)
			found = find_field(field->message, key);
	}
	return found;
}

static size_t
add_names(enum message message, const char **names, size_t n)
{
	const struct message_fields *fields = &messages[message];

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->at[i];

		if (field->name[0] != '\0' && n < NAMES_MAX)
			names[n++] = field->name;
		else if (field->message != MESSAGES)
			n = add_names(field->message, names, n);
	}
	return n;
}

/* Warns of each field of a message, such as a Pod or pod template, that no release of
 * Kubernetes up to 1.36 has, with the name that was meant if one is close.  The API
 * server refuses or drops such a field.  path is that of the node, "" for the pod. */
static void
print_unknown_fields(enum message message, const struct doc_node *node,
    const char *path)
{
	size_t i = 0;

	if (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY)
		return;
	EACH_CHILD (p, node) {
		const struct field *field;
		AUTOFREE char *its_path = NULL;

		if (node->kind == DOC_ARRAY) {
			its_path = xasprintf("%s[%zu]", path, i++);
			print_unknown_fields(message, p, its_path);
			continue;
		}
		if (path[0] == '\0' &&
		    (strcmp(p->key, "apiVersion") == 0 ||
			strcmp(p->key, "kind") == 0))
			continue;
		its_path =
		    xasprintf("%s%s%s", path, path[0] ? "." : "", p->key);
		field = find_field(message, p->key);
		if (field == NULL) {
			const char *names[NAMES_MAX];
			size_t n = add_names(message, names, 0);
			const char *best = closest_name(p->key, names, n);

			ctl_print("warning: %s:%" PRIu32 ":%" PRIu32
				  ": %s: unknown field, ignored%s%s%s",
			    doc_name(p->doc), p->line, p->column, its_path,
			    best != NULL ? "; did you mean \"" : "",
			    best != NULL ? best : "",
			    best != NULL ? "\"?" : "");
		} else if (field->message != MESSAGES)
			print_unknown_fields(field->message, p, its_path);
	}
}

/* ---- pods of templates ---- */

/* The kinds that make pods; a CronJob's template is that of its Job. */
#define MAKERS                                                                 \
	"CronJob|DaemonSet|Deployment|DeploymentConfig|Job|ReplicaSet|"        \
	"ReplicationController|StatefulSet"

/* The tolerations that the DaemonSet controller adds to each of its pods
 * (Kubernetes' pkg/controller/daemon/util). */
static const struct {
	const char *key, *effect;
} daemon_tolerations[] = {
	{ "node.kubernetes.io/not-ready", "NoExecute" },
	{ "node.kubernetes.io/unreachable", "NoExecute" },
	{ "node.kubernetes.io/disk-pressure", "NoSchedule" },
	{ "node.kubernetes.io/memory-pressure", "NoSchedule" },
	{ "node.kubernetes.io/pid-pressure", "NoSchedule" },
	{ "node.kubernetes.io/unschedulable", "NoSchedule" },
};

/* The metadata of a pod that the object makes; NULL: err. */
static struct doc_node *
metadata_of(const struct doc_node *object, const struct doc_node *template,
    const char *kind, struct err *err)
{
	const struct doc_node *its = doc_get(object, "metadata");
	const struct doc_node *given = doc_get(template, "metadata");
	const char *name = "", *namespace = "default", *uid = "";
	struct doc_node *metadata;
	AUTOFREE char *pod = NULL;
	struct doc_node *list;
	struct doc_node *owner;
	struct doc_node *controller;

	if (doc_get_string(its, "name", "metadata.name", &name, err) != 0 ||
	    doc_get_string(its, "namespace", "metadata.namespace", &namespace,
		err) != 0 ||
	    doc_get_string(its, "uid", "metadata.uid", &uid, err) != 0)
		return NULL;
	metadata = doc_node_new((struct doc *)object->doc, &doc_limits_dump,
	    DOC_OBJECT, template->line, template->column, err);
	if (metadata == NULL)
		return NULL;
	metadata->key = "metadata";
	pod = xasprintf("%s-template", name);
	pod_put(metadata, "name", DOC_STRING, pod);
	pod_put(metadata, "namespace", DOC_STRING, namespace);
	pod_put_copy(metadata, "labels", doc_get(given, "labels"));
	pod_put_copy(metadata, "annotations", doc_get(given, "annotations"));
	if (uid[0] != '\0') {
		list = pod_put(metadata, "ownerReferences", DOC_ARRAY, NULL);
		owner = pod_put(list, NULL, DOC_OBJECT, NULL);
		pod_put(owner, "kind", DOC_STRING, kind);
		pod_put(owner, "name", DOC_STRING, name);
		pod_put(owner, "uid", DOC_STRING, uid);
		controller = pod_put(owner, "controller", DOC_BOOL, NULL);
		if (controller != NULL)
			controller->boolean = true;
	}
	ctl_print("%s/%s is a pod of the template of %s %s", namespace, pod,
	    kind, name);
	return metadata;
}

/* The pod that the object makes, in its document; NULL: err. */
static const struct doc_node *
pod_of_template(const struct doc_node *object, const char *kind,
    struct err *err)
{
	const struct doc_node *spec = doc_get(object, "spec"), *template;
	struct doc_node *pod, *its_spec, *metadata;

	if (strcmp(kind, "CronJob") == 0)
		spec = doc_get(doc_get(spec, "jobTemplate"), "spec");
	template = doc_get(spec, "template");
	if (template == NULL || template->kind != DOC_OBJECT) {
		doc_errf(err, object, "the %s has no pod template", kind);
		return NULL;
	}
	print_unknown_fields(MESSAGE_Pod, template, "");
	metadata = metadata_of(object, template, kind, err);
	pod = metadata != NULL ?
	    doc_node_new((struct doc *)object->doc, &doc_limits_dump,
		DOC_OBJECT, template->line, template->column, err) :
	    NULL;
	if (pod == NULL)
		return NULL;
	pod_put_copy(pod, "metadata", metadata);
	pod_put_copy(pod, "spec", doc_get(template, "spec"));
	its_spec = (struct doc_node *)doc_get(pod, "spec");
	if (its_spec != NULL && strcmp(kind, "DaemonSet") == 0) {
		const struct doc_node *host_network =
		    doc_get(its_spec, "hostNetwork");

		for (size_t i = 0; i < LENGTH(daemon_tolerations); i++)
			pod_put_toleration(its_spec, daemon_tolerations[i].key,
			    daemon_tolerations[i].effect);
		if (host_network != NULL && host_network->boolean)
			pod_put_toleration(its_spec,
			    "node.kubernetes.io/network-unavailable",
			    "NoSchedule");
	}
	if (doc_get(spec, "volumeClaimTemplates") != NULL)
		ctl_print(
		    "the volumes of its volumeClaimTemplates are not taken "
		    "into account");
	return pod;
}

/*
 * The API server's part, from 1.29 on: the values that the pod's labels have for
 * the keys go into the term's labelSelector, when the pod is created.  Nothing
 * looks at the keys later.
 */
static void
merge_keys(const struct doc_node *term, const struct doc_node *labels,
    const char *list, const char *operator)
{
	const struct doc_node *keys = doc_get(term, list);
	const struct doc_node *selector = doc_get(term, "labelSelector");
	struct doc_node *requirements, *at, *values;

	if (keys == NULL || keys->kind != DOC_ARRAY || selector == NULL ||
	    selector->kind != DOC_OBJECT)
		return;
	requirements = pod_member((struct doc_node *)selector,
	    "matchExpressions", DOC_ARRAY);
	if (requirements == NULL)
		return;
	EACH_CHILD (key, keys) {
		const struct doc_node *value =
		    key->kind == DOC_STRING ? doc_get(labels, key->text) : NULL;

		if (value == NULL || value->kind != DOC_STRING)
			continue;
		at = pod_put(requirements, NULL, DOC_OBJECT, NULL);
		pod_put(at, "key", DOC_STRING, key->text);
		pod_put(at, "operator", DOC_STRING, operator);
		values = pod_put(at, "values", DOC_ARRAY, NULL);
		pod_put(values, NULL, DOC_STRING, value->text);
	}
}

/* Of the terms in a list; member: where the term is in an element, or NULL. */
static void
merge_terms(const struct doc_node *terms, const char *member,
    const struct doc_node *labels)
{
	if (terms == NULL || terms->kind != DOC_ARRAY)
		return;
	EACH_CHILD (at, terms) {
		const struct doc_node *term =
		    member != NULL ? doc_get(at, member) : at;

		merge_keys(term, labels, "matchLabelKeys", "In");
		merge_keys(term, labels, "mismatchLabelKeys", "NotIn");
	}
}

static void
merge_label_keys(const struct doc_node *pod)
{
	static const char *const kinds[] = { "podAffinity", "podAntiAffinity" };
	const struct doc_node *labels =
	    doc_get(doc_get(pod, "metadata"), "labels");
	const struct doc_node *affinity =
	    doc_get(doc_get(pod, "spec"), "affinity");

	for (size_t i = 0; i < LENGTH(kinds); i++) {
		const struct doc_node *of = doc_get(affinity, kinds[i]);

		merge_terms(doc_get(of,
				"requiredDuringSchedulingIgnoredDuring"
				"Execution"),
		    NULL, labels);
		merge_terms(doc_get(of,
				"preferredDuringSchedulingIgnoredDuring"
				"Execution"),
		    "podAffinityTerm", labels);
	}
}

/* The document of a pod, with all that the API server adds, from an object of this kind;
 * NULL: err. */
static const struct doc_node *
complete_pod(const struct doc_node *root, const char *kind,
    const struct load *load, struct err *err)
{
	if (text_is_choice(MAKERS, kind)) {
		root = pod_of_template(root, kind, err);
		if (root == NULL)
			return NULL;
	} else if (kind[0] == '\0' || strcmp(kind, "Pod") == 0) {
		print_unknown_fields(MESSAGE_Pod, root, "");
	}
	merge_label_keys(root);
	pod_add_defaults((struct doc_node *)root, load->cluster);
	return root;
}

/* You own it. */
static struct object *
decode(const struct doc_node *root, enum object_kind wanted,
    const struct load *load, struct err *err)
{
	struct object *object;
	const char *kind = "";
	int rc;

	doc_get_string(root, "kind", "kind", &kind, NULL);
	if (wanted == OBJECT_POD)
		root = complete_pod(root, kind, load, err);
	if (root == NULL)
		return NULL;
	rc = object_decode(load->settings, root, object_kind_name(wanted),
	    &object, &kind, err);
	if (rc == 1 && object->kind == wanted)
		return object;
	if (rc >= 0)
		doc_errf(err, root, "this must be a %s, not a %s",
		    wanted == OBJECT_POD ?
			"Pod, or an object with a pod template such as a "
			"Deployment" :
			"Node",
		    kind);
	if (rc == 1)
		object_unref(object);
	return NULL;
}

struct object *
object_file_read(const char *path, enum object_kind kind,
    const struct load *load, struct err *err)
{
	struct doc_reader *reader =
	    doc_open_file(path, &doc_limits_people, true, err);
	const struct doc_node *root;
	struct object *object = NULL;
	int rc;

	if (reader == NULL)
		return NULL;
	rc = doc_next(reader, &root, err);
	if (rc == 0)
		errf(err, "%s: contains no %s", path,
		    kind == OBJECT_POD ? "pod" : "node");
	if (rc == 1)
		object = decode(root, kind, load, err);
	rc = object != NULL ? doc_next(reader, &root, err) : 0;
	if (rc == 1)
		doc_errf(err, root,
		    "the file must contain one %s, not several objects",
		    object_kind_name(kind));
	doc_close(reader);
	if (rc == 0)
		return object;
	object_unref(object);
	return NULL;
}
