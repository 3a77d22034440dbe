#include "config.h"

#include "model/distribution_policy.h"

#include <stdio.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/pod.h"

/* The size in bytes of most of these objects in their arena. */
#define USUAL_SIZE 1024

/* In bytes, more than any name or label may have. */
#define TEXT_MAX 512

#define SELECTORS "spec.resourceSelectors"
#define TERMS "spec.policyTerms"
#define NODE_AFFINITY "affinity.nodeAffinity."
#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static const struct {
	const char *text;
	enum distribution_type type;
} types[] = {
	{ "", DISTRIBUTION_MIX },
	{ "mix", DISTRIBUTION_MIX },
	{ "host", DISTRIBUTION_HOST },
	{ "leaf", DISTRIBUTION_LEAF },
	{ "adv", DISTRIBUTION_ADVANCED },
};

/* The position in the document: element i of an array. */
struct element {
	struct arena *arena; /* of the object */
	struct arena *scratch;
	const char *array; /* its path */
	size_t i;
	const struct doc_node *node;
	struct err *err;
};

/* "spec.policyTerms[2].name" */
static const char *
path_of(const struct element *e, const char *key)
{
	return arena_printf(e->scratch, "%s[%zu]%s%s", e->array, e->i,
	    key[0] != '\0' ? "." : "", key);
}

static int
read_text(const struct element *e, const char *key, const char **out)
{
	const char *text = "";

	if (doc_get_string(e->node, key, path_of(e, key), &text, e->err) != 0)
		return -1;
	*out = arena_strndup(e->arena, text, strlen(text));
	return 0;
}

static int
read_sym(const struct element *e, const char *key, sym *out)
{
	const char *text = "";

	if (doc_get_string(e->node, key, path_of(e, key), &text, e->err) != 0)
		return -1;
	*out = sym_in(e->arena, text);
	return 0;
}

static int
read_selector(const struct element *e, struct resource_selector *out)
{
	const struct doc_node *labels = NULL;

	if (read_sym(e, "policyName", &out->policy_name) != 0 ||
	    read_text(e, "name", &out->name) != 0 ||
	    read_text(e, "namePrefix", &out->name_prefix) != 0)
		return -1;
	out->name_prefix_len = strlen(out->name_prefix);
	labels = doc_get(e->node, "labelSelector");
	out->has_label_selector = labels != NULL;
	return selector_from_label_selector(e->arena, labels,
	    path_of(e, "labelSelector"), &out->label_selector, e->err);
}

static int
read_affinity(const struct element *e, const struct doc_node *advanced,
    struct policy_term *out)
{
	const struct doc_node *affinity = NULL, *node = NULL;

	if (doc_get_object(advanced, "affinity",
		path_of(e, "advancedTerm.affinity"), &affinity, e->err) != 0 ||
	    doc_get_object(affinity, "nodeAffinity",
		path_of(e, "advancedTerm.affinity.nodeAffinity"), &node,
		e->err) != 0)
		return -1;
	out->has_pod_affinity = doc_get(affinity, "podAffinity") != NULL ||
	    doc_get(affinity, "podAntiAffinity") != NULL;
	return node_affinity_from_doc(e->arena, node,
	    path_of(e, "advancedTerm.affinity.nodeAffinity"), &out->affinity,
	    e->err);
}

static int
read_advanced(const struct element *e, struct policy_term *out)
{
	const struct doc_node *advanced = NULL;
	const char *name = "";

	if (doc_get_object(e->node, "advancedTerm", path_of(e, "advancedTerm"),
		&advanced, e->err) != 0)
		return -1;
	if (advanced == NULL)
		return 0;
	if (doc_get_string(advanced, "nodeName",
		path_of(e, "advancedTerm.nodeName"), &name, e->err) != 0 ||
	    labels_from_doc(e->arena, doc_get(advanced, "nodeSelector"),
		path_of(e, "advancedTerm.nodeSelector"), &out->node_selector,
		e->err) != 0)
		return -1;
	out->node_name = sym_in(e->arena, name);
	if (read_affinity(e, advanced, out) != 0)
		return -1;
	return tolerations_from_doc(e->arena, advanced,
	    path_of(e, "advancedTerm"), &out->ntolerations, &out->tolerations,
	    e->err);
}

static int
read_term(const struct element *e, struct policy_term *out)
{
	if (read_sym(e, "name", &out->name) != 0 ||
	    read_sym(e, "nodeType", &out->type_text) != 0)
		return -1;
	for (size_t i = 0; i < LENGTH(types); i++)
		if (strcmp(types[i].text, sym_text(out->type_text)) == 0)
			out->type = types[i].type;
	return read_advanced(e, out);
}

/* An array of objects; one that is null has no members, as in Go. */
static int
read_array(struct element *e, const struct doc_node *spec, const char *key,
    const char *path, const struct doc_node **out)
{
	const struct doc_node *array = NULL;

	*out = NULL;
	e->array = path;
	if (doc_get_array(spec, key, path, &array, e->err) != 0)
		return -1;
	if (array == NULL)
		return 0;
	e->i = 0;
	for (const struct doc_node *at = array->first; at != NULL;
	     at = at->next, e->i++)
		if (at->kind != DOC_OBJECT && at->kind != DOC_NULL)
			return doc_errf(e->err, at,
			    "%s must be an object, not %s", path_of(e, ""),
			    doc_kind_name(at->kind));
	*out = array;
	return 0;
}

static int
read_selectors(struct distribution_policy *policy, struct element *e,
    const struct doc_node *spec)
{
	const struct doc_node *array;
	struct resource_selector *selectors;

	if (read_array(e, spec, "resourceSelectors", SELECTORS, &array) != 0)
		return -1;
	if (array == NULL)
		return 0;
	selectors =
	    arena_array(e->arena, struct resource_selector, array->count);
	policy->selectors = selectors;
	e->node = array->first;
	for (e->i = 0; e->node != NULL; e->node = e->node->next, e->i++)
		if (read_selector(e, &selectors[policy->nselectors++]) != 0)
			return -1;
	return 0;
}

static int
read_terms(struct distribution_policy *policy, struct element *e,
    const struct doc_node *spec)
{
	const struct doc_node *array;
	struct policy_term *terms;

	if (read_array(e, spec, "policyTerms", TERMS, &array) != 0)
		return -1;
	if (array == NULL)
		return 0;
	terms = arena_array(e->arena, struct policy_term, array->count);
	policy->terms = terms;
	e->node = array->first;
	for (e->i = 0; e->node != NULL; e->node = e->node->next, e->i++)
		if (read_term(e, &terms[policy->nterms++]) != 0)
			return -1;
	return 0;
}

/* Texts become permanent symbols and parts of messages.  The API server does
 * not limit their length, as it does in Kubernetes' own objects. */
static int
check_texts(const struct doc_node *node, struct err *err)
{
	for (; node != NULL; node = node->next) {
		if (node->kind == DOC_STRING && node->len > TEXT_MAX)
			return doc_errf(err, node,
			    "a string of %zu bytes "
			    "exceeds the limit of %d",
			    node->len, TEXT_MAX);
		if (node->key != NULL && strlen(node->key) > TEXT_MAX)
			return doc_errf(err, node,
			    "a key of %zu bytes "
			    "exceeds the limit of %d",
			    strlen(node->key), TEXT_MAX);
		if (check_texts(node->first, err) != 0)
			return -1;
	}
	return 0;
}

int
distribution_policy_decode(enum object_kind kind, const struct doc_node *root,
    struct distribution_policy **out, struct err *err)
{
	struct distribution_policy *policy =
	    object_new(kind, sizeof(*policy), root, NULL, err);
	struct arena scratch = ARENA_INIT;
	const struct doc_node *spec = NULL;
	struct element e = { .scratch = &scratch, .err = err };
	int failed;

	if (policy == NULL)
		return -1;
	e.arena = &policy->object.arena;
	arena_reserve(e.arena, USUAL_SIZE);
	failed = doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    (spec != NULL && check_texts(spec->first, err) != 0) ||
	    read_selectors(policy, &e, spec) != 0 ||
	    read_terms(policy, &e, spec) != 0;
	arena_fini(&scratch);
	if (failed) {
		object_unref(&policy->object);
		return -1;
	}
	*out = policy;
	return 0;
}

const struct policy_term *
distribution_policy_term(const struct distribution_policy *policy, sym name)
{
	for (uint32_t i = 0; i < policy->nterms; i++)
		if (policy->terms[i].name == name)
			return &policy->terms[i];
	return NULL;
}

/*
 * Problems
 */

/* Writes the problem of selector i to buf; false: it has none. */
static bool
selector_problem(const struct distribution_policy *policy, uint32_t i,
    char *buf, size_t size)
{
	const struct resource_selector *s = &policy->selectors[i];

	if (distribution_policy_term(policy, s->policy_name) == NULL)
		snprintf(buf, size,
		    SELECTORS
		    "[%u].policyName: unknown "
		    "policy term \"%.253s\"; the pods may go to any node",
		    i, sym_text(s->policy_name));
	else if (s->label_selector.error != NULL)
		snprintf(buf, size,
		    SELECTORS "[%u].labelSelector selects "
			      "nothing: %.600s",
		    i, s->label_selector.error);
	else if (s->name[0] == '\0' && s->name_prefix_len == 0 &&
	    !s->has_label_selector)
		snprintf(buf, size,
		    SELECTORS "[%u] selects nothing: it has "
			      "no name, namePrefix or labelSelector",
		    i);
	else
		return false;
	return true;
}

static bool
is_known_type(sym text)
{
	for (size_t i = 0; i < LENGTH(types); i++)
		if (strcmp(types[i].text, sym_text(text)) == 0)
			return true;
	return false;
}

/* Each writes one problem of term i to buf; false: it does not have it. */
typedef bool problem_of_term(const struct policy_term *term, uint32_t i,
    char *buf, size_t size);

static bool
has_unknown_type(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	if (is_known_type(t->type_text))
		return false;
	snprintf(buf, size,
	    TERMS
	    "[%u].nodeType: \"%.64s\" is none of host, leaf, mix and adv; "
	    "the pods may go to any node",
	    i, sym_text(t->type_text));
	return true;
}

static bool
is_without_effect(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	if (t->type != DISTRIBUTION_ADVANCED || t->node_name != SYM_EMPTY ||
	    t->node_selector.n > 0 || t->ntolerations > 0 ||
	    t->affinity.has_required || t->affinity.npreferred > 0)
		return false;
	snprintf(buf, size,
	    TERMS "[%u].advancedTerm is empty; the pods may go to any node", i);
	return true;
}

/* Why a term of node affinity matches no node, or NULL. */
static const char *
unusable(const struct node_selector_term *term)
{
	if (term->labels.error != NULL)
		return term->labels.error;
	if (term->fields.error != NULL)
		return term->fields.error;
	return term->has_labels || term->has_fields ? NULL : "it is empty";
}

static bool
requires_the_impossible(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	const struct node_selector *required = &t->affinity.required;
	const char *why = NULL;
	uint32_t j = 0;

	if (!t->affinity.has_required)
		return false;
	while (j < required->n && (why = unusable(&required->at[j])) == NULL)
		j++;
	if (required->n == 0)
		snprintf(buf, size,
		    TERMS "[%u].advancedTerm." NODE_AFFINITY REQUIRED
			  " has no nodeSelectorTerms; no node matches",
		    i);
	else if (why != NULL)
		snprintf(buf, size,
		    TERMS "[%u].advancedTerm." NODE_AFFINITY REQUIRED
			  ".nodeSelectorTerms[%u] matches no node: %.600s",
		    i, j, why);
	return required->n == 0 || why != NULL;
}

static bool
prefers_the_impossible(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	const struct node_affinity *a = &t->affinity;
	const char *why = NULL;
	uint32_t j = 0;

	while (j < a->npreferred &&
	    (why = unusable(&a->preferred[j].term)) == NULL)
		j++;
	if (why == NULL)
		return false;
	snprintf(buf, size,
	    TERMS "[%u].advancedTerm." NODE_AFFINITY PREFERRED
		  "[%u] matches no node: %.600s",
	    i, j, why);
	return true;
}

static bool
has_other_affinity(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	if (!t->has_pod_affinity)
		return false;
	snprintf(buf, size,
	    TERMS "[%u].advancedTerm.affinity: podAffinity and podAntiAffinity "
		  "have no effect, only nodeAffinity has",
	    i);
	return true;
}

static problem_of_term *const term_problems[] = { has_unknown_type,
	is_without_effect, requires_the_impossible, prefers_the_impossible,
	has_other_affinity };

const char *
distribution_policy_problem(const struct distribution_policy *policy,
    uint32_t i)
{
	static char buf[1024];
	uint32_t n = 0;

	for (uint32_t j = 0; j < policy->nselectors; j++)
		if (selector_problem(policy, j, buf, sizeof(buf)) && n++ == i)
			return buf;
	for (uint32_t j = 0; j < policy->nterms; j++)
		for (size_t k = 0; k < LENGTH(term_problems); k++)
			if (term_problems[k](&policy->terms[j], j, buf,
				sizeof(buf)) &&
			    n++ == i)
				return buf;
	return NULL;
}
