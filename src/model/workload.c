#include "config.h"

#include "model/workload.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/json_out.h"
#include "base/text.h"
#include "model/decode.h"
#include "model/sticky_job.h"

static bool
selects_by_map(enum object_kind kind)
{
	return kind == OBJECT_SERVICE || kind == OBJECT_REPLICATION_CONTROLLER;
}

/* spec.selector of a Service or ReplicationController: {app: web}. */
static void
read_map_selector(struct decoder *d, const struct doc_node *selector,
    struct workload *w)
{
	struct labels pairs;

	if (selector_is_too_long(d->arena, selector, NULL, &w->selector)) {
		w->counted = w->selector;
		return;
	}
	pairs = decode_labels(d, selector);
	w->selector_is_empty_map = pairs.n == 0;
	w->selector = selector_from_valid_set(d->arena, &pairs);
	w->counted = selector_if_valid(d->arena, &w->selector);
}

void
workload_read(struct decoder *d, struct object *object)
{
	struct workload *w = (struct workload *)object;
	const struct doc_node *selector =
	    doc_get(decode_object(d, d->root, "spec"), "selector");

	w->has_selector = selector != NULL;
	if (selector != NULL && selects_by_map(object->kind))
		read_map_selector(d, selector, w);
	else
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

/* With enough healthy pods the others are none of the budget's disruptions. */
static bool
frees_unready(struct decoder *d, const struct doc_node *spec,
    const struct doc_node *status)
{
	const char *policy =
	    decode_text(d, spec, "unhealthyPodEvictionPolicy", "");
	int64_t desired = decode_int(d, status, "desiredHealthy", 0);
	int64_t current = decode_int(d, status, "currentHealthy", 0);

	return strcmp(policy, "AlwaysAllow") == 0 ||
	    (desired > 0 && current >= desired);
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
	const struct doc_node *spec = decode_object(d, d->root, "spec");
	const struct doc_node *status = decode_object(d, d->root, "status");
	const struct doc_node *pods, *selector = doc_get(spec, "selector");
	const char **names;

	pdb->disruptions_allowed =
	    decode_int(d, status, "disruptionsAllowed", 0);
	pdb->frees_unready = frees_unready(d, spec, status);
	pdb->allows_none = is_written(spec, "maxUnavailable", "0") ||
	    is_written(spec, "maxUnavailable", "0%") ||
	    is_written(spec, "minAvailable", "100%");
	pods = decode_object(d, status, "disruptedPods");
	names =
	    arena_array(d->arena, const char *, pods != NULL ? pods->count : 0);
	EACH_CHILD (at, pods)
		names[pdb->ndisrupted++] =
		    arena_strndup(d->arena, at->key, strlen(at->key));
	pdb->disrupted = names;
	pdb->has_selector = selector != NULL;
	pdb->selector = decode_selector_of_object(d, selector);
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

/* Labels that no node has, because a label's value cannot be this text;
 * explanations show it. */
static struct labels
impossible(struct arena *arena, sym annotation, sym text)
{
	struct label *at = arena_array(arena, struct label, 1);

	*at = (struct label){ annotation, text };
	return (struct labels){ 1, at };
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
	    0)
		ns->node_selector = impossible(arena, key, text);
}

void
namespace_read(struct decoder *d, struct object *object)
{
	struct namespace *ns = (struct namespace *)object;

	ns->labels = decode_labels(d, d->meta->labels);
	ns->annotations = strings_of(d->arena, d->meta->annotations);
	read_node_selector(ns);
}

void
priority_class_read(struct decoder *d, struct object *object)
{
	struct priority_class *pc = (struct priority_class *)object;

	pc->value = (int32_t)decode_int(d, d->root, "value", 0);
	pc->global_default = decode_flag(d, d->root, "globalDefault", false);
	pc->never_preempts =
	    strcmp(decode_text(d, d->root, "preemptionPolicy", ""), "Never") ==
	    0;
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

void
sticky_job_read(struct decoder *d, struct object *object)
{
	struct sticky_job *job = (struct sticky_job *)object;

	job->required = decode_flag(d, decode_object(d, d->root, "spec"),
	    "required", false);
	job->last_node = decode_sym(d, decode_object(d, d->root, "status"),
	    "lastNode", SYM_EMPTY);
}
