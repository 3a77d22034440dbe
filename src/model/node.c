#include "config.h"

#include "model/node.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/release.h"

#define AVOID_ANNOTATION "scheduler.alpha.kubernetes.io/preferAvoidPods"
#define ZONE_LABEL "failure-domain.beta.kubernetes.io/zone"
#define REGION_LABEL "failure-domain.beta.kubernetes.io/region"
#define NEW_ZONE_LABEL "topology.kubernetes.io/zone"
#define NEW_REGION_LABEL "topology.kubernetes.io/region"
#define VOLUME_LIMIT_PREFIX "attachable-volumes-"

/* Enough for all parts of most nodes. */
#define ARENA_FIRST 2048

#define PATH_MAX_LEN 96

/* Paths are made for every element: nodes are few. */
static const char *
item(char path[PATH_MAX_LEN], const char *array, size_t i, const char *key)
{
	snprintf(path, PATH_MAX_LEN, "%s[%zu]%s%s", array, i,
	    key[0] != '\0' ? "." : "", key);
	return path;
}

/* A member of the i-th object of an array as a symbol; absent, null: "". */
static int
read_sym(struct arena *arena, const struct doc_node *node, const char *array,
    size_t i, const char *key, sym *out, struct err *err)
{
	char path[PATH_MAX_LEN];
	const char *text = "";

	if (doc_get_string(node, key, item(path, array, i, key), &text, err) !=
	    0)
		return -1;
	*out = sym_in(arena, text);
	return 0;
}

/* An array whose elements are objects or null, and how many they are. */
static int
read_array(const struct doc_node *node, const char *key, const char *path,
    const struct doc_node **out, uint32_t *n, struct err *err)
{
	char where[PATH_MAX_LEN];
	size_t i = 0;

	*out = NULL;
	*n = 0;
	if (doc_get_array(node, key, path, out, err) != 0)
		return -1;
	if (*out == NULL)
		return 0;
	for (const struct doc_node *at = (*out)->first; at != NULL;
	     at = at->next, i++)
		if (at->kind != DOC_OBJECT && at->kind != DOC_NULL)
			return doc_errf(err, at, "%s must be an object, not %s",
			    item(where, path, i, ""), doc_kind_name(at->kind));
	*n = (uint32_t)(*out)->count;
	return 0;
}

static const struct doc_node *
first(const struct doc_node *array)
{
	return array != NULL ? array->first : NULL;
}

static int
read_taints(const struct doc_node *spec, struct node *node, struct err *err)
{
	static const char path[] = "spec.taints";
	struct arena *arena = &node->object.arena;
	const struct doc_node *array;
	struct taint *taints;
	size_t i = 0;

	if (read_array(spec, "taints", path, &array, &node->ntaints, err) != 0)
		return -1;
	taints = arena_array(arena, struct taint, node->ntaints);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++) {
		struct taint *taint = &taints[i];

		if (read_sym(arena, at, path, i, "key", &taint->key, err) !=
			0 ||
		    read_sym(arena, at, path, i, "value", &taint->value, err) !=
			0 ||
		    read_sym(arena, at, path, i, "effect", &taint->effect_text,
			err) != 0)
			return -1;
		taint->effect =
		    taint_effect_parse(sym_text(taint->effect_text));
	}
	node->taints = taints;
	return 0;
}

static int
read_conditions(const struct doc_node *status, struct node *node,
    struct err *err)
{
	static const char path[] = "status.conditions";
	struct arena *arena = &node->object.arena;
	const struct doc_node *array;
	struct node_condition *conditions;
	size_t i = 0;

	if (read_array(status, "conditions", path, &array, &node->nconditions,
		err) != 0)
		return -1;
	conditions =
	    arena_array(arena, struct node_condition, node->nconditions);
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_sym(arena, at, path, i, "type", &conditions[i].type,
			err) != 0 ||
		    read_sym(arena, at, path, i, "status",
			&conditions[i].status, err) != 0)
			return -1;
	node->conditions = conditions;
	return 0;
}

struct image_list {
	struct node_image *at;
	size_t n, cap;
};

static int
read_image(const struct doc_node *image, size_t i, struct arena *arena,
    struct image_list *images, struct err *err)
{
	static const char path[] = "status.images";
	char where[PATH_MAX_LEN];
	const struct doc_node *names = NULL;
	int64_t bytes = 0;

	if (doc_get_int(image, "sizeBytes", item(where, path, i, "sizeBytes"),
		INT64_MIN, INT64_MAX, &bytes, err) != 0 ||
	    doc_get_array(image, "names", item(where, path, i, "names"), &names,
		err) != 0)
		return -1;
	for (const struct doc_node *at = first(names); at != NULL;
	     at = at->next) {
		if (at->kind != DOC_STRING && at->kind != DOC_NULL)
			return doc_errf(err, at, "%s must hold strings, not %s",
			    item(where, path, i, "names"),
			    doc_kind_name(at->kind));
		arena_room(arena, images->at, images->n, &images->cap);
		images->at[images->n++] = (struct node_image){
			at->kind == DOC_STRING ?
			    sym_in_n(arena, at->text, at->len) :
			    SYM_EMPTY,
			bytes,
		};
	}
	return 0;
}

static int
read_images(const struct doc_node *status, struct node *node, struct err *err)
{
	const struct doc_node *array;
	struct image_list images = { 0 };
	uint32_t n;
	size_t i = 0;

	if (read_array(status, "images", "status.images", &array, &n, err) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next, i++)
		if (read_image(at, i, &node->object.arena, &images, err) != 0)
			return -1;
	node->nimages = (uint32_t)images.n;
	node->images = images.at;
	return 0;
}

/*
 * The annotation is read as Go's encoding/json reads it into v1.AvoidPods: keys
 * match in any case, the last of several counts, and one value of a wrong type
 * invalidates the annotation.
 */

/* *out is the member, NULL when it is absent or null; false: another type. */
static bool
member(const struct doc_node *node, const char *key, enum doc_kind kind,
    const struct doc_node **out)
{
	const struct doc_node *at, *found = NULL;

	for (at = node != NULL ? node->first : NULL; at != NULL; at = at->next)
		if (strcasecmp(at->key, key) == 0) {
			if (at->kind != kind && at->kind != DOC_NULL)
				return false;
			found = at;
		}
	*out = found != NULL && found->kind == kind ? found : NULL;
	return true;
}

static bool
strings_are(const struct doc_node *node, const char *const keys[], size_t n)
{
	const struct doc_node *unused;

	for (size_t i = 0; i < n; i++)
		if (!member(node, keys[i], DOC_STRING, &unused))
			return false;
	return true;
}

/* v1.AvoidPods' controller reference; *out is NULL if it is absent. */
static bool
avoided_reference(const struct doc_node *entry, const struct doc_node **out)
{
	static const char *const texts[] = { "reason", "message" };
	static const char *const names[] = { "apiVersion", "name", "kind",
		"uid" };
	const struct doc_node *time, *signature, *unused;
	int64_t seconds;

	if (entry->kind != DOC_OBJECT && entry->kind != DOC_NULL)
		return false;
	if (!strings_are(entry, texts, LENGTH(texts)) ||
	    !member(entry, "evictionTime", DOC_STRING, &time) ||
	    !member(entry, "podSignature", DOC_OBJECT, &signature) ||
	    !member(signature, "podController", DOC_OBJECT, out))
		return false;
	if (time != NULL && !time_parse(time->text, &seconds, NULL))
		return false;
	return strings_are(*out, names, LENGTH(names)) &&
	    member(*out, "controller", DOC_BOOL, &unused) &&
	    member(*out, "blockOwnerDeletion", DOC_BOOL, &unused);
}

static sym
member_sym(struct arena *arena, const struct doc_node *node, const char *key)
{
	const struct doc_node *found;

	if (!member(node, key, DOC_STRING, &found) || found == NULL)
		return SYM_EMPTY;
	return sym_in_n(arena, found->text, found->len);
}

static void
read_entries(const struct doc_node *root, struct node *node)
{
	struct arena *arena = &node->object.arena;
	const struct doc_node *entries, *reference;
	struct avoided_controller *avoided;
	uint32_t n = 0;

	if (!member(root, "preferAvoidPods", DOC_ARRAY, &entries) ||
	    entries == NULL)
		return;
	avoided = arena_array(arena, struct avoided_controller, entries->count);
	for (const struct doc_node *at = entries->first; at != NULL;
	     at = at->next) {
		if (!avoided_reference(at, &reference))
			return;
		if (reference != NULL)
			avoided[n++] = (struct avoided_controller){
				member_sym(arena, reference, "kind"),
				member_sym(arena, reference, "uid"),
			};
	}
	node->navoided = n;
	node->avoided = avoided;
}

/* Only JSON: the document type takes text that does not begin so for YAML. */
static bool
begins_as_object(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{';
}

static int
read_avoided(const struct doc_node *annotations, struct node *node,
    struct err *err)
{
	const char *text = "";
	struct doc *doc;

	if (doc_get_string(annotations, AVOID_ANNOTATION,
		"metadata.annotations." AVOID_ANNOTATION, &text, err) != 0)
		return -1;
	if (!begins_as_object(text))
		return 0;
	doc = doc_parse(AVOID_ANNOTATION, text, strlen(text),
	    &doc_limits_people, NULL);
	if (doc != NULL)
		read_entries(doc_root(doc), node);
	doc_free(doc);
	return 0;
}

/* Of Kosmos; see node.h. */
static int
read_member_cluster(const struct doc_node *annotations, struct node *node,
    struct err *err)
{
	const char *mode = "", *cluster = "";

	if (doc_get_string(annotations, "leafNodeMode",
		"metadata.annotations.leafNodeMode", &mode, err) != 0 ||
	    doc_get_string(annotations, "kosmos-io/owned-by-cluster",
		"metadata.annotations.kosmos-io/owned-by-cluster", &cluster,
		err) != 0)
		return -1;
	node->is_whole_cluster = strcmp(mode, "one2cluster") == 0;
	node->cluster = sym_in(&node->object.arena, cluster);
	return 0;
}

static const char *
label_text(const struct node *node, const char *key)
{
	sym value = labels_get(&node->labels, sym_intern(key));

	return value != SYM_NONE ? sym_text(value) : "";
}

/* The first of these two that the node has, or "". */
static const char *
either_label(const struct node *node, const char *key, const char *other)
{
	sym value = labels_get(&node->labels, sym_intern(key));

	return value != SYM_NONE ? sym_text(value) : label_text(node, other);
}

static sym
zone_of(struct node *node, const char *region, const char *zone)
{
	static const char separator[] = ":\0:";
	size_t region_len = strlen(region), zone_len = strlen(zone);
	size_t len = region_len + sizeof(separator) - 1;
	AUTOFREE char *text = NULL;

	if (region_len == 0 && zone_len == 0)
		return SYM_EMPTY;
	text = xmalloc(len + zone_len);
	memcpy(text, region, region_len);
	memcpy(text + region_len, separator, sizeof(separator) - 1);
	memcpy(text + len, zone, zone_len);
	return sym_in_n(&node->object.arena, text, len + zone_len);
}

static void
find_zones(struct node *node)
{
	node->beta_zone = zone_of(node, label_text(node, REGION_LABEL),
	    label_text(node, ZONE_LABEL));
	node->zone =
	    zone_of(node, either_label(node, REGION_LABEL, NEW_REGION_LABEL),
		either_label(node, ZONE_LABEL, NEW_ZONE_LABEL));
}

static void
find_volume_limits(struct node *node)
{
	const struct resources *r = &node->allocatable;

	node->lowest_volume_limit = INT64_MAX;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		if (strncmp(sym_text(r->scalars[i].name), VOLUME_LIMIT_PREFIX,
			strlen(VOLUME_LIMIT_PREFIX)) != 0)
			continue;
		node->limits_volumes = true;
		if (r->scalars[i].amount < node->lowest_volume_limit)
			node->lowest_volume_limit = r->scalars[i].amount;
	}
}

static int
read_declared_features(const struct doc_node *status, struct node *node,
    struct err *err)
{
	static const char path[] = "status.declaredFeatures";
	const struct doc_node *array = NULL;

	if (doc_get_array(status, "declaredFeatures", path, &array, err) != 0)
		return -1;
	for (const struct doc_node *at = first(array); at != NULL;
	     at = at->next) {
		if (at->kind != DOC_STRING && at->kind != DOC_NULL)
			return doc_errf(err, at, "%s must hold strings, not %s",
			    path, doc_kind_name(at->kind));
		if (at->kind == DOC_STRING)
			node->declared_features |=
			    declared_feature_parse(at->text);
	}
	return 0;
}

static int
read_kubelet_version(const struct doc_node *status, struct node *node,
    struct err *err)
{
	const struct doc_node *info = NULL;
	const char *text = "";

	if (doc_get_object(status, "nodeInfo", "status.nodeInfo", &info, err) !=
		0 ||
	    doc_get_string(info, "kubeletVersion",
		"status.nodeInfo.kubeletVersion", &text, err) != 0)
		return -1;
	node->kubelet_minor = release_parse(text);
	return 0;
}

static int
read_node(const struct doc_node *root, const struct metadata *meta,
    struct node *node, struct err *err)
{
	struct arena *arena = &node->object.arena;
	const struct doc_node *spec = NULL, *status = NULL;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0)
		return -1;
	if (labels_from_doc(arena, meta->labels, "metadata.labels",
		&node->labels, err) != 0 ||
	    doc_get_bool(spec, "unschedulable", "spec.unschedulable",
		&node->unschedulable, err) != 0 ||
	    read_taints(spec, node, err) != 0 ||
	    resources_from_doc(arena, doc_get(status, "allocatable"),
		"status.allocatable", &node->allocatable, err) != 0 ||
	    read_conditions(status, node, err) != 0 ||
	    read_images(status, node, err) != 0 ||
	    read_declared_features(status, node, err) != 0 ||
	    read_kubelet_version(status, node, err) != 0 ||
	    read_member_cluster(meta->annotations, node, err) != 0)
		return -1;
	/* permanent: pending writes may name deleted nodes */
	node->name = sym_intern(node->object.name);
	find_volume_limits(node);
	find_zones(node);
	return read_avoided(meta->annotations, node, err);
}

int
node_decode(const struct doc_node *root, struct node **out, struct err *err)
{
	struct metadata meta;
	struct node *node =
	    object_new(OBJECT_NODE, sizeof(*node), root, &meta, err);

	if (node == NULL)
		return -1;
	arena_reserve(&node->object.arena, ARENA_FIRST);
	if (read_node(root, &meta, node, err) != 0) {
		object_unref(&node->object);
		return -1;
	}
	*out = node;
	return 0;
}

struct node *
node_cordoned(const struct node *node)
{
	struct taint taint = {
		.key = sym_intern("node.kubernetes.io/unschedulable"),
		.value = SYM_EMPTY,
		.effect = EFFECT_NO_SCHEDULE,
		.effect_text = sym_intern("NoSchedule"),
	};
	struct node *other = object_copy(&node->object, sizeof(*node));
	struct taint *taints =
	    arena_array(&other->object.arena, struct taint, node->ntaints + 1);

	other->unschedulable = true;
	for (uint32_t i = 0; i < node->ntaints; i++) {
		taints[i] = node->taints[i];
		if (taints[i].key == taint.key &&
		    taints[i].effect == taint.effect)
			return other;
	}
	taints[node->ntaints] = taint;
	other->taints = taints;
	other->ntaints++;
	return other;
}

sym
node_condition_status(const struct node *node, sym type)
{
	for (uint32_t i = node->nconditions; i > 0; i--)
		if (node->conditions[i - 1].type == type)
			return node->conditions[i - 1].status;
	return SYM_EMPTY;
}

bool
node_taints_equal(const struct node *a, const struct node *b)
{
	if (a->ntaints != b->ntaints)
		return false;
	/* the effect follows from its text */
	for (uint32_t i = 0; i < a->ntaints; i++)
		if (a->taints[i].key != b->taints[i].key ||
		    a->taints[i].value != b->taints[i].value ||
		    a->taints[i].effect_text != b->taints[i].effect_text)
			return false;
	return true;
}

static bool
lists_equal(const struct node *a, const struct node *b)
{
	if (a->nconditions != b->nconditions || a->nimages != b->nimages ||
	    a->navoided != b->navoided)
		return false;
	for (uint32_t i = 0; i < a->nconditions; i++)
		if (a->conditions[i].type != b->conditions[i].type ||
		    a->conditions[i].status != b->conditions[i].status)
			return false;
	for (uint32_t i = 0; i < a->nimages; i++)
		if (a->images[i].name != b->images[i].name ||
		    a->images[i].bytes != b->images[i].bytes)
			return false;
	for (uint32_t i = 0; i < a->navoided; i++)
		if (a->avoided[i].kind != b->avoided[i].kind ||
		    a->avoided[i].uid != b->avoided[i].uid)
			return false;
	return true;
}

bool
node_equal(const struct node *a, const struct node *b)
{
	return a->name == b->name &&
	    a->is_whole_cluster == b->is_whole_cluster &&
	    a->cluster == b->cluster && a->unschedulable == b->unschedulable &&
	    a->declared_features == b->declared_features &&
	    labels_equal(&a->labels, &b->labels) &&
	    resources_equal(&a->allocatable, &b->allocatable) &&
	    node_taints_equal(a, b) && lists_equal(a, b);
}

sym
node_zone_label(const struct node *node)
{
	sym value = labels_get(&node->labels, sym_intern(NEW_ZONE_LABEL));

	return value != SYM_NONE ?
	    value :
	    labels_get(&node->labels, sym_intern(ZONE_LABEL));
}
