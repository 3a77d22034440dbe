#include "config.h"

#include "objects/distribution_policy.h"

#include <stdio.h>

#include "base/doc.h"
#include "base/arena.h"
#include "objects/decode.h"
#include "objects/pod.h"

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

static const char *
copy_text(struct decoder *d, const struct doc_node *node, const char *key)
{
	const char *text = decode_text(d, node, key, "");

	return arena_strdup(d->arena, text);
}

static void
read_selector(struct decoder *d, const struct doc_node *node, void *out)
{
	struct resource_selector *selector = out;
	const struct doc_node *labels = doc_get(node, "labelSelector");

	selector->policy_name = decode_sym(d, node, "policyName", SYM_EMPTY);
	selector->name = copy_text(d, node, "name");
	selector->name_prefix = copy_text(d, node, "namePrefix");
	selector->name_prefix_len = strlen(selector->name_prefix);
	selector->has_label_selector = labels != NULL;
	selector->label_selector = decode_label_selector(d, labels);
}

static void
read_term(struct decoder *d, const struct doc_node *node, void *out)
{
	struct policy_term *term = out;
	const struct doc_node *advanced, *affinity;

	term->name = decode_sym(d, node, "name", SYM_EMPTY);
	term->type_text = decode_sym(d, node, "nodeType", SYM_EMPTY);
	for (size_t i = 0; i < LENGTH(types); i++)
		if (strcmp(types[i].text, sym_text(term->type_text)) == 0)
			term->type = types[i].type;
	advanced = decode_object(d, node, "advancedTerm");
	term->node_name = decode_sym(d, advanced, "nodeName", SYM_EMPTY);
	term->node_selector =
	    decode_labels(d, doc_get(advanced, "nodeSelector"));
	affinity = decode_object(d, advanced, "affinity");
	term->has_pod_affinity = doc_get(affinity, "podAffinity") != NULL ||
	    doc_get(affinity, "podAntiAffinity") != NULL;
	term->affinity =
	    decode_node_affinity(d, decode_object(d, affinity, "nodeAffinity"));
	term->tolerations =
	    decode_tolerations(d, advanced, &term->ntolerations);
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

void
distribution_policy_read(struct decoder *d, struct object *object)
{
	struct distribution_policy *policy =
	    (struct distribution_policy *)object;
	const struct doc_node *spec = decode_object(d, d->root, "spec");

	if (spec != NULL && check_texts(spec->first, d->err) != 0)
		d->failed = true;
	policy->selectors = decode_each(d, spec, "resourceSelectors",
	    &policy->nselectors, sizeof(*policy->selectors), read_selector);
	policy->terms = decode_each(d, spec, "policyTerms", &policy->nterms,
	    sizeof(*policy->terms), read_term);
}

const struct policy_term *
distribution_policy_term(const struct distribution_policy *policy, sym name)
{
	return FIND(i, policy->terms, policy->nterms,
	    policy->terms[i].name == name);
}

/* ---- problems ---- */

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

/* Each writes one problem of term i to buf; false: it does not have it. */
typedef bool problem_of_term(const struct policy_term *term, uint32_t i,
    char *buf, size_t size);

static bool
has_unknown_type(const struct policy_term *t, uint32_t i, char *buf,
    size_t size)
{
	if (FIND_ROW(types, LENGTH(types), text, sym_text(t->type_text)) !=
	    NULL)
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
