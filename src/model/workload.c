#include "config.h"

#include "model/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"

/* The size in bytes of most of these objects in their arena: there may be tens
 * of thousands of them, too many for blocks of the arena's own size. */
#define USUAL_SIZE 256

static bool
selects_by_map(enum object_kind kind)
{
	return kind == OBJECT_SERVICE || kind == OBJECT_REPLICATION_CONTROLLER;
}

/* spec.selector of a Service or ReplicationController: {app: web}. */
static int
read_map_selector(struct workload *w, const struct doc_node *selector,
    struct err *err)
{
	struct arena *arena = &w->object.arena;
	struct labels pairs;

	if (selector_is_too_long(arena, selector, NULL, &w->selector)) {
		w->counted = w->selector;
		return 0;
	}
	if (labels_from_doc(arena, selector, "spec.selector", &pairs, err) != 0)
		return -1;
	w->selector_is_empty_map = pairs.n == 0;
	w->selector = selector_from_valid_set(arena, &pairs);
	w->counted = selector_if_valid(arena, &w->selector);
	return 0;
}

static int
read_workload(struct workload *w, const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = NULL, *selector;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0)
		return -1;
	selector = doc_get(spec, "selector");
	w->has_selector = selector != NULL;
	w->selector = w->counted = SELECTOR_NOTHING;
	if (selector == NULL)
		return 0;
	if (selects_by_map(w->object.kind))
		return read_map_selector(w, selector, err);
	if (selector_of_object(&w->object.arena, selector, "spec.selector",
		&w->selector, err) != 0)
		return -1;
	w->counted = w->selector;
	return 0;
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

int
workload_decode(enum object_kind kind, const struct doc_node *root,
    struct workload **out, struct err *err)
{
	struct workload *w = object_new(kind, sizeof(*w), root, NULL, err);

	if (w == NULL)
		return -1;
	arena_reserve(&w->object.arena, USUAL_SIZE);
	if (read_workload(w, root, err) != 0) {
		object_unref(&w->object);
		return -1;
	}
	*out = w;
	return 0;
}

static int
read_disrupted(struct pod_disruption_budget *pdb, const struct doc_node *status,
    struct err *err)
{
	struct arena *arena = &pdb->object.arena;
	const struct doc_node *pods = NULL;
	const char **names;

	if (doc_get_object(status, "disruptedPods", "status.disruptedPods",
		&pods, err) != 0)
		return -1;
	if (pods == NULL || pods->count == 0)
		return 0;
	names = arena_array(arena, const char *, pods->count);
	for (const struct doc_node *at = pods->first; at != NULL; at = at->next)
		names[pdb->ndisrupted++] =
		    arena_strndup(arena, at->key, strlen(at->key));
	pdb->disrupted = names;
	return 0;
}

static int
read_budget(struct pod_disruption_budget *pdb, const struct doc_node *root,
    struct err *err)
{
	const struct doc_node *spec = NULL, *status = NULL, *selector;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0 ||
	    doc_get_int(status, "disruptionsAllowed",
		"status.disruptionsAllowed", INT32_MIN, INT32_MAX,
		&pdb->disruptions_allowed, err) != 0)
		return -1;
	if (read_disrupted(pdb, status, err) != 0)
		return -1;
	selector = doc_get(spec, "selector");
	pdb->has_selector = selector != NULL;
	return selector_of_object(&pdb->object.arena, selector, "spec.selector",
	    &pdb->selector, err);
}

int
pod_disruption_budget_decode(const struct doc_node *root,
    struct pod_disruption_budget **out, struct err *err)
{
	struct pod_disruption_budget *pdb =
	    object_new(OBJECT_POD_DISRUPTION_BUDGET, sizeof(*pdb), root, NULL,
		err);

	if (pdb == NULL)
		return -1;
	arena_reserve(&pdb->object.arena, USUAL_SIZE);
	if (read_budget(pdb, root, err) != 0) {
		object_unref(&pdb->object);
		return -1;
	}
	*out = pdb;
	return 0;
}

static int
by_key(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
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
	for (const struct doc_node *p = annotations->first; p; p = p->next)
		if (p->kind == DOC_STRING)
			at[n++] = (struct label){ sym_in(arena, p->key),
				sym_in_n(arena, p->text, p->len) };
	qsort(at, n, sizeof(*at), by_key);
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

int
namespace_decode(const struct doc_node *root, struct namespace **out,
    struct err *err)
{
	struct metadata meta;
	struct namespace *ns =
	    object_new(OBJECT_NAMESPACE, sizeof(*ns), root, &meta, err);

	if (ns == NULL)
		return -1;
	arena_reserve(&ns->object.arena, USUAL_SIZE);
	if (labels_from_doc(&ns->object.arena, meta.labels, "metadata.labels",
		&ns->labels, err) != 0) {
		object_unref(&ns->object);
		return -1;
	}
	ns->annotations = strings_of(&ns->object.arena, meta.annotations);
	read_node_selector(ns);
	*out = ns;
	return 0;
}

static int
read_priority_class(struct priority_class *pc, const struct doc_node *root,
    struct err *err)
{
	const char *policy = "";
	int64_t value = 0;

	if (doc_get_int(root, "value", "value", INT32_MIN, INT32_MAX, &value,
		err) != 0 ||
	    doc_get_bool(root, "globalDefault", "globalDefault",
		&pc->global_default, err) != 0 ||
	    doc_get_string(root, "preemptionPolicy", "preemptionPolicy",
		&policy, err) != 0)
		return -1;
	pc->value = (int32_t)value;
	pc->never_preempts = strcmp(policy, "Never") == 0;
	return 0;
}

int
priority_class_decode(const struct doc_node *root, struct priority_class **out,
    struct err *err)
{
	struct priority_class *pc =
	    object_new(OBJECT_PRIORITY_CLASS, sizeof(*pc), root, NULL, err);

	if (pc == NULL)
		return -1;
	if (read_priority_class(pc, root, err) != 0) {
		object_unref(&pc->object);
		return -1;
	}
	*out = pc;
	return 0;
}
