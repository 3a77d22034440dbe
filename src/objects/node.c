#include "config.h"

#include "objects/node.h"

#include <strings.h>

#include "base/doc.h"
#include "base/text.h"
#include "objects/decode.h"
#include "objects/parts.h"
#include "objects/release.h"

#define AVOID_ANNOTATION "scheduler.alpha.kubernetes.io/preferAvoidPods"
#define ZONE_LABEL "failure-domain.beta.kubernetes.io/zone"
#define REGION_LABEL "failure-domain.beta.kubernetes.io/region"
#define NEW_ZONE_LABEL "topology.kubernetes.io/zone"
#define NEW_REGION_LABEL "topology.kubernetes.io/region"
#define VOLUME_LIMIT_PREFIX "attachable-volumes-"

static void
read_images(struct decoder *d, const struct doc_node *status, struct node *node)
{
	struct node_image *images = NULL;
	size_t room = 0;
	EACH_FROM (at, decode_objects(d, status, "images", NULL)) {
		int64_t bytes = decode_int64(d, at, "sizeBytes");
		const struct doc_node *names =
		    decode_kind(d, doc_get(at, "names"), DOC_ARRAY);

		for (names = names != NULL ? names->first : NULL; names != NULL;
		     names = names->next) {
			arena_room(d->arena, images, node->nimages, &room);
			images[node->nimages++] =
			    (struct node_image){ decode_string(d, names),
				    bytes };
		}
	}
	node->images = images;
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

	return !ANY(i, n, !member(node, keys[i], DOC_STRING, &unused));
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
	EACH_CHILD (at, entries) {
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

static void
read_avoided(struct decoder *d, struct node *node)
{
	const char *text =
	    decode_text(d, d->meta->annotations, AVOID_ANNOTATION, "");
	struct doc *doc;

	/* Only JSON: the document type takes text that does not begin so for
	 * YAML. */
	if (text[strspn(text, " \t\r\n")] != '{')
		return;
	doc = doc_parse(AVOID_ANNOTATION, text, strlen(text),
	    &doc_limits_people, NULL);
	if (doc != NULL)
		read_entries(doc_root(doc), node);
	doc_free(doc);
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

void
node_read(struct decoder *d, struct object *object)
{
	struct node *node = (struct node *)object;
	const struct doc_node *status = doc_get(d->root, "status");
	const struct resources *r;
	const struct doc_node *array;
	sym type;

	for (uint32_t i = 0; i < node->ntaints; i++) {
		struct taint *taint = (struct taint *)&node->taints[i];

		taint->effect =
		    taint_effect_parse(sym_text(taint->effect_text));
	}
	node->allocatable =
	    decode_resources(d, doc_get(status, "allocatable"), d->arena);
	read_images(d, status, node);
	array = decode_kind(d, doc_get(status, "declaredFeatures"), DOC_ARRAY);
	EACH_CHILD (at, array)
		if (decode_kind(d, at, DOC_STRING) != NULL)
			node->declared_features |=
			    declared_feature_parse(at->text);
	node->kubelet_minor = release_of_kubelet(decode_text(d,
	    decode_object(d, status, "nodeInfo"), "kubeletVersion", ""));
	/* By the label that virtual-kubelet and kwok give their nodes. */
	type = labels_get(&node->labels, sym_intern("type"));
	if (type != SYM_NONE &&
	    text_is_choice("virtual-kubelet|kwok", sym_text(type)))
		node->kubelet_minor = -1;
	node->name = sym_in(d->arena, node->object.name);
	r = &node->allocatable;
	node->lowest_volume_limit = INT64_MAX;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		if (strncmp(sym_text(r->scalars[i].name), VOLUME_LIMIT_PREFIX,
			strlen(VOLUME_LIMIT_PREFIX)) != 0)
			continue;
		node->limits_volumes = true;
		if (r->scalars[i].amount < node->lowest_volume_limit)
			node->lowest_volume_limit = r->scalars[i].amount;
	}
	node->beta_zone = zone_of(node, label_text(node, REGION_LABEL),
	    label_text(node, ZONE_LABEL));
	node->zone =
	    zone_of(node, either_label(node, REGION_LABEL, NEW_REGION_LABEL),
		either_label(node, ZONE_LABEL, NEW_ZONE_LABEL));
	read_avoided(d, node);
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

void
node_uncordon(struct arena *arena, struct node *node)
{
	sym key = sym_intern("node.kubernetes.io/unschedulable");
	struct taint *taints =
	    arena_array(arena, struct taint, node->ntaints + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < node->ntaints; i++)
		if (node->taints[i].key != key)
			taints[n++] = node->taints[i];
	node->taints = taints;
	node->ntaints = n;
	node->unschedulable = false;
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
node_is_ready(const struct node *node)
{
	sym status = node_condition_status(node, sym_intern("Ready"));

	return status == SYM_EMPTY || strcmp(sym_text(status), "True") == 0;
}

/* clang-format off */
/* The effect of a taint follows from its text. */
static PARTS(taint_parts, SYM(taint, key), SYM(taint, value), SYM(taint, effect_text));
static PARTS(taints_parts, LIST(node, ntaints, taints, taint_parts));
static PARTS(image_parts, SYM(node_image, name), RUN(node_image, bytes, bytes));
static PARTS(images_parts, LIST(node, nimages, images, image_parts));
static PARTS(condition_parts, SYM(node_condition, type), SYM(node_condition, status),
	RUN(node_condition, since, since));
static PARTS(avoided_parts, SYM(avoided_controller, kind), SYM(avoided_controller, uid));
static PARTS(node_parts, SYM(node, name), LABELS(node, labels), FLAG(node, unschedulable),
	LIST(node, ntaints, taints, taint_parts), RESOURCES(node, allocatable),
	LIST(node, nconditions, conditions, condition_parts),
	LIST(node, nimages, images, image_parts), LIST(node, navoided, avoided, avoided_parts),
	U32(node, declared_features), FLAG(node, is_whole_cluster), SYM(node, cluster));
/* clang-format on */

bool
node_taints_equal(const struct node *a, const struct node *b)
{
	return parts_equal(a, b, taints_parts);
}

bool
node_images_equal(const struct node *a, const struct node *b)
{
	return parts_equal(a, b, images_parts);
}

bool
node_equal(const struct node *a, const struct node *b)
{
	return parts_equal(a, b, node_parts);
}

sym
node_zone_label(const struct node *node)
{
	sym value = labels_get(&node->labels, sym_intern(NEW_ZONE_LABEL));

	return value != SYM_NONE ?
	    value :
	    labels_get(&node->labels, sym_intern(ZONE_LABEL));
}
