#include "config.h"

#include "objects/workload.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/text.h"
#include "objects/decode.h"

void
workload_read(struct decoder *d, struct object *object)
{
	struct workload *w = (struct workload *)object;
	const struct doc_node *selector =
	    doc_get(decode_object(d, d->root, "spec"), "selector");

	w->has_selector = selector != NULL;
	if (selector != NULL &&
	    (object->kind == OBJECT_SERVICE ||
		object->kind == OBJECT_REPLICATION_CONTROLLER)) {
		/* spec.selector of a Service or ReplicationController: {app:
		 * web}. */
		struct labels pairs;

		if (selector_is_too_long(d->arena, selector, NULL,
			&w->selector)) {
			w->counted = w->selector;
			return;
		}
		pairs = decode_labels(d, selector);
		w->selector_is_empty_map = pairs.n == 0;
		w->selector = selector_from_valid_set(d->arena, &pairs);
		w->counted = selector_if_valid(d->arena, &w->selector);
	} else
		w->selector = w->counted =
		    decode_selector_of_object(d, selector);
}

bool
workload_equal(const struct workload *a, const struct workload *b)
{
	return strcmp(a->object.uid, b->object.uid) == 0 &&
	    a->has_selector == b->has_selector &&
	    a->selector_is_empty_map == b->selector_is_empty_map &&
	    selector_equal(&a->selector, &b->selector) &&
	    selector_equal(&a->counted, &b->counted);
}

/* Whether a member that is a number or a percentage is written so. */
static bool
is_written(const struct doc_node *spec, const char *key, const char *text)
{
	const struct doc_node *value = doc_get(spec, key);

	return value != NULL &&
	    (value->kind == DOC_NUMBER || value->kind == DOC_STRING) &&
	    strcmp(value->text, text) == 0;
}

void
pod_disruption_budget_read(struct decoder *d, struct object *object)
{
	struct pod_disruption_budget *pdb =
	    (struct pod_disruption_budget *)object;
	const struct doc_node *spec = doc_get(d->root, "spec");
	const struct doc_node *status = doc_get(d->root, "status"), *pods;
	int64_t desired = decode_int(d, status, "desiredHealthy", 0);
	int64_t current = decode_int(d, status, "currentHealthy", 0);
	const char **names;

	/* With enough healthy pods the others are none of its disruptions. */
	pdb->frees_unready |= desired > 0 && current >= desired;
	pdb->allows_none = is_written(spec, "maxUnavailable", "0") ||
	    is_written(spec, "maxUnavailable", "0%") ||
	    is_written(spec, "minAvailable", "100%");
	pods = decode_object(d, status, "disruptedPods");
	names =
	    arena_array(d->arena, const char *, pods != NULL ? pods->count : 0);
	EACH_CHILD (at, pods)
		names[pdb->ndisrupted++] = arena_strdup(d->arena, at->key);
	pdb->disrupted = names;
}

/* Annotations are free text of many authors: a value that is not a string is
 * ignored. */
static struct labels
strings_of(struct arena *arena, const struct doc_node *annotations)
{
	struct label *at;
	uint32_t n = 0;

	if (annotations == NULL || annotations->count == 0)
		return (struct labels){ 0 };
	at = arena_array(arena, struct label, annotations->count);
	EACH_CHILD (p, annotations)
		if (p->kind == DOC_STRING)
			at[n++] = (struct label){ sym_in(arena, p->key),
				sym_in_n(arena, p->text, p->len) };
	labels_sort(at, n);
	return (struct labels){ n, at };
}

static void
read_node_selector(struct namespace *ns)
{
	static const char *const annotations[] = {
		"scheduler.alpha.kubernetes.io/node-selector",
		"openshift.io/node-selector",
	};
	struct arena *arena = &ns->object.arena;
	sym key, text = SYM_NONE;

	for (size_t i = 0; i < LENGTH(annotations) && text == SYM_NONE; i++) {
		key = sym_intern(annotations[i]);
		text = labels_get(&ns->annotations, key);
	}
	if (text == SYM_NONE)
		return;
	ns->has_node_selector = true;
	if (labels_from_text(arena, sym_text(text), &ns->node_selector, NULL) !=
	    0) {
		/* Labels that no node has, because a label's value cannot be
		 * this text; explanations show it. */
		struct label *at = arena_array(arena, struct label, 1);

		*at = (struct label){ key, text };
		ns->node_selector = (struct labels){ 1, at };
	}
}

void
namespace_read(struct decoder *d, struct object *object)
{
	struct namespace *ns = (struct namespace *)object;

	ns->annotations = strings_of(d->arena, d->meta->annotations);
	read_node_selector(ns);
}

void
pod_defaults_read(struct decoder *d, struct object *object)
{
	static const char *const keys[] = { "overhead", "scheduling", "spec" };
	struct pod_defaults *defaults = (struct pod_defaults *)object;
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	for (size_t i = 0; i < LENGTH(keys); i++) {
		const struct doc_node *member =
		    decode_object(d, d->root, keys[i]);

		if (member == NULL)
			continue;
		json_key(&json, keys[i]);
		json_doc_node(&json, member);
	}
	json_close(&json, '}');
	defaults->json = text_keep(&text, d->arena);
}
