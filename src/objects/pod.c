#include "config.h"

#include "objects/pod.h"

#include <errno.h>
#include <inttypes.h>

#include "base/doc.h"
#include "objects/decode.h"
#include "objects/pod_class.h"

static enum pod_phase
phase_from_text(const char *text)
{
	static const struct {
		const char *text;
		enum pod_phase phase;
	} phases[] = {
		{ "Pending", POD_PENDING },
		{ "Running", POD_RUNNING },
		{ "Succeeded", POD_SUCCEEDED },
		{ "Failed", POD_FAILED },
	};

	for (size_t i = 0; i < LENGTH(phases); i++)
		if (strcmp(phases[i].text, text) == 0)
			return phases[i].phase;
	return POD_UNKNOWN;
}

/* The first condition of the type if it is True, else NULL. */
static const struct doc_node *
true_condition(const struct doc_node *status, const char *type)
{
	const struct doc_node *conditions = doc_get(status, "conditions");

	if (conditions == NULL || conditions->kind != DOC_ARRAY)
		return NULL;
	EACH_CHILD (at, conditions)
		if (strcmp(doc_string(doc_get(at, "type")), type) == 0)
			return strcmp(doc_string(doc_get(at, "status")),
				   "True") == 0 ?
			    at :
			    NULL;
	return NULL;
}

void
pod_read(struct decoder *d, struct object *object)
{
	struct pod *pod = (struct pod *)object;
	const struct doc_node *status = doc_get(d->root, "status");
	const struct doc_node *target;

	pod->phase = phase_from_text(decode_text(d, status, "phase", ""));
	target = true_condition(status, "DisruptionTarget");
	pod->preempted = target != NULL &&
	    strcmp(doc_string(doc_get(target, "reason")),
		"PreemptionByScheduler") == 0;
	pod->ready = true_condition(status, "Ready") != NULL;
	pod->has_start_time = decode_time(d, status, "startTime",
	    &pod->start_seconds, &pod->start_nanoseconds);
	if (!d->failed)
		pod->class = pod_class_of(d);
}

static struct pod *
copy(const struct pod *pod)
{
	struct pod *other = object_copy(&pod->object, sizeof(*pod));

	pod_class_ref(other->class);
	sym_ref(other->node);
	sym_ref(other->nominated);
	sym_ref(other->priority_class);
	return other;
}

/* Takes class. */
static void
set_class(struct pod *pod, const struct pod_class *class)
{
	pod_class_unref(pod->class);
	pod->class = class;
}

struct pod *
pod_on_node(const struct pod *pod, sym node)
{
	struct pod *other = copy(pod);

	set_class(other, pod_class_confined(pod->class, NULL));
	sym_unref(other->node);
	other->node = sym_ref(node);
	return other;
}

struct pod *
pod_replica(const struct pod *pod, uint64_t n)
{
	AUTOFREE char *name =
	    xasprintf("%s-copy-%" PRIu64, pod->object.name, n);
	AUTOFREE char *uid = xasprintf("%s/copy/%" PRIu64, pod->object.uid, n);
	struct pod like = *pod;

	like.object.name = name;
	like.object.uid = uid;
	like.object.arena = (struct arena)ARENA_INIT;
	like.node = SYM_EMPTY;
	like.nominated = SYM_EMPTY;
	return copy(&like);
}

struct pod *
pod_nominated_to(const struct pod *pod, sym node)
{
	struct pod *other = copy(pod);

	sym_unref(other->nominated);
	other->nominated = sym_ref(node);
	return other;
}

struct pod *
pod_confined(const struct pod *pod, const struct confines *confines)
{
	const struct pod_class *class =
	    pod_class_confined(pod->class, confines);
	struct pod *other;

	if (class == pod->class) {
		pod_class_unref(class);
		return pod_ref(pod);
	}
	other = copy(pod);
	set_class(other, class);
	return other;
}

struct pod *
pod_ref(const struct pod *pod)
{
	struct pod *mine = (struct pod *)pod;

	object_ref(&mine->object);
	return mine;
}

void
pod_unref(struct pod *pod)
{
	object_unref((struct object *)pod);
}

void
pod_fini(struct pod *pod)
{
	pod_class_unref(pod->class);
	sym_unref(pod->node);
	sym_unref(pod->nominated);
	sym_unref(pod->priority_class);
}

const char *
pod_full_name(const struct pod *pod)
{
	static char *text;
	static size_t room;
	const char *namespace = sym_text(pod->object.namespace);
	size_t len = strlen(namespace), name_len = strlen(pod->object.name);

	if (room < len + name_len + 2) {
		room = 2 * (len + name_len + 2);
		text = xrealloc(text, room, 1);
	}
	memcpy(text, namespace, len);
	text[len] = '/';
	memcpy(text + len + 1, pod->object.name, name_len + 1);
	return text;
}

/* A decimal integer as Go writes it: no leading zeros, no plus. */
static bool
integer_parse(const char *text, int64_t *out)
{
	const char *digits = text + (text[0] == '-');
	char *end;

	if (strcmp(text, "0") == 0) {
		*out = 0;
		return true;
	}
	if (digits[0] < '1' || digits[0] > '9')
		return false;
	errno = 0;
	*out = strtoll(text, &end, 10);
	return errno == 0 && *end == '\0';
}

/* Less than, equal to or greater than 0: the taint's value beside the
 * toleration's; 0 also unless both are integers. */
static int
compare_values(sym taint, sym toleration)
{
	int64_t a, b;

	if (!integer_parse(sym_text(taint), &a) ||
	    !integer_parse(sym_text(toleration), &b))
		return 0;
	return (a > b) - (a < b);
}

bool
toleration_tolerates(const struct toleration *t, bool comparisons, sym key,
    sym value, enum taint_effect effect, sym effect_text)
{
	if (t->effect != EFFECT_ANY && t->effect != effect)
		return false;
	if (t->effect == EFFECT_OTHER && t->effect_text != effect_text)
		return false;
	if (t->key != SYM_EMPTY && t->key != key)
		return false;
	switch (t->op) {
	case TOLERATION_EQUAL:
		return t->value == value;
	case TOLERATION_EXISTS:
		return true;
	case TOLERATION_GT:
		return comparisons && compare_values(value, t->value) > 0;
	case TOLERATION_LT:
		return comparisons && compare_values(value, t->value) < 0;
	case TOLERATION_OTHER:
		break;
	}
	return false;
}

/* The i-th of the required and then the preferred ones; NULL: there are fewer. */
static const struct pod_term *
term_at(const struct pod_terms *terms, uint32_t i)
{
	if (i < terms->nrequired)
		return &terms->required[i];
	i -= terms->nrequired;
	return i < terms->npreferred ? &terms->preferred[i] : NULL;
}

bool
pod_class_has_broken_term(const struct pod_class *class)
{
	const struct pod_term *term;

	for (uint32_t i = 0; (term = term_at(&class->affinity, i)); i++)
		if (term->selector.error != NULL)
			return true;
	for (uint32_t i = 0; (term = term_at(&class->anti_affinity, i)); i++)
		if (term->selector.error != NULL)
			return true;
	return false;
}

bool
pod_term_names_first(const struct pod_term *term, uint32_t i)
{
	return term->sorted ||
	    !ANY(j, i, term->namespaces[j] == term->namespaces[i]);
}

static int
by_number(const void *a, const void *b)
{
	sym x = *(const sym *)a, y = *(const sym *)b;

	return (x > y) - (x < y);
}

bool
pod_term_has_namespace(const struct pod_term *term, sym namespace)
{
	if (term->everywhere)
		return true;
	if (term->sorted)
		return term->nnamespaces > 0 &&
		    bsearch(&namespace, term->namespaces, term->nnamespaces,
			sizeof(namespace), by_number) != NULL;
	return ANY(i, term->nnamespaces, term->namespaces[i] == namespace);
}

bool
pod_term_matches(const struct pod_term *term, const struct pod_class *pod)
{
	return pod_term_has_namespace(term, pod->namespace) &&
	    selector_matches(&term->selector, &pod->labels);
}

bool
pod_term_may_match(const struct pod_term *term, const struct pod_class *class)
{
	if (class == NULL)
		return false;
	return term->selects_namespaces ?
	    selector_matches(&term->selector, &class->labels) :
	    pod_term_matches(term, class);
}

bool
pod_terms_select_namespaces(const struct pod_terms *terms)
{
	const struct pod_term *term;

	for (uint32_t i = 0; (term = term_at(terms, i)) != NULL; i++)
		if (term->selects_namespaces)
			return true;
	return false;
}
