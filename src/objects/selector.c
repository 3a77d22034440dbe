#include "config.h"

#include "objects/selector.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/text.h"
#include "objects/decode.h"
#include "objects/labels.h"
#include "objects/parts.h"
#include "objects/validation.h"

/* One element of matchExpressions and its like, not yet checked. */
struct expression {
	sym key;
	sym operator;
	uint32_t nvalues;
	const sym *values;
};

static const char *const op_names[] = {
	[SELECTOR_IN] = "In",
	[SELECTOR_NOT_IN] = "NotIn",
	[SELECTOR_EXISTS] = "Exists",
	[SELECTOR_DOES_NOT_EXIST] = "DoesNotExist",
	[SELECTOR_GT] = "Gt",
	[SELECTOR_LT] = "Lt",
};

/* The operators of a LabelSelector and of matchFields are the first ones. */
#define LABEL_OPS (SELECTOR_DOES_NOT_EXIST + 1)
#define FIELD_OPS (SELECTOR_NOT_IN + 1)
#define NODE_OPS (SELECTOR_LT + 1)

static bool
find_op(sym name, unsigned nops, enum selector_op *op)
{
	for (unsigned i = 0; i < nops; i++) {
		if (strcmp(sym_text(name), op_names[i]) == 0) {
			*op = (enum selector_op)i;
			return true;
		}
	}
	return false;
}

bool
selector_number(const char *p, int64_t *out)
{
	bool negative = *p == '-';
	int64_t n = 0;

	if (*p == '-' || *p == '+')
		p++;
	if (*p == '\0')
		return false;
	for (; *p != '\0'; p++) {
		int digit = *p - '0';

		if (digit < 0 || digit > 9 ||
		    __builtin_mul_overflow(n, (int64_t)10, &n) ||
		    __builtin_sub_overflow(n, (int64_t)digit, &n))
			return false;
	}
	/* Counts downwards, because there is one more negative number. */
	if (!negative && n == INT64_MIN)
		return false;
	*out = negative ? n : -n;
	return true;
}

/* Matching. */

bool
requirement_value_is_repeated(const struct requirement *r, uint32_t i)
{
	return ANY(j, i, r->values[j] == r->values[i]);
}

static bool
has_value(const struct requirement *r, sym value)
{
	return ANY(i, r->nvalues, r->values[i] == value);
}

bool
requirement_matches_value(const struct requirement *r, sym value)
{
	bool has = value != SYM_NONE;
	int64_t number;

	switch (r->op) {
	case SELECTOR_IN:
		return has && has_value(r, value);
	case SELECTOR_NOT_IN:
		return !has || !has_value(r, value);
	case SELECTOR_EXISTS:
		return has;
	case SELECTOR_DOES_NOT_EXIST:
		return !has;
	case SELECTOR_GT:
	case SELECTOR_LT:
		return has && selector_number(sym_text(value), &number) &&
		    (r->op == SELECTOR_GT ? number > r->number :
					    number < r->number);
	}
	return false;
}

bool
requirement_matches(const struct requirement *r, const struct labels *labels)
{
	return requirement_matches_value(r, labels_get(labels, r->key));
}

bool
selector_matches(const struct selector *s, const struct labels *labels)
{
	return !s->nothing && s->error == NULL &&
	    !ANY(i, s->n, !requirement_matches(&s->at[i], labels));
}

const struct requirement *
selector_anchor(const struct selector *s)
{
	const struct requirement *best = NULL;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		if (r->op == SELECTOR_NOT_IN ||
		    r->op == SELECTOR_DOES_NOT_EXIST)
			continue;
		if (best == NULL ||
		    (r->op == SELECTOR_IN &&
			(best->op != SELECTOR_IN ||
			    r->nvalues < best->nvalues)))
			best = r;
	}
	return best;
}

PARTS(requirement_parts, SYM(requirement, key), U32(requirement, op),
    SYMS(requirement, nvalues, values), RUN(requirement, number, number));

#define TERM node_selector_term
PARTS(node_term_parts, FLAG(TERM, has_labels), FLAG(TERM, has_fields),
    SELECTOR(TERM, labels), SELECTOR(TERM, fields), FLAG(TERM, named),
    SYMS(TERM, nnames, names));
static PARTS(selector_parts, TEXT(selector, error), TEXT(selector, error_36),
    LIST(selector, n, at, requirement_parts));
static PARTS(node_selector_parts, LIST(node_selector, n, at, node_term_parts));

struct selector
selector_copy(struct arena *arena, const struct selector *s)
{
	struct selector copy = *s;

	parts_copy(arena, &copy, selector_parts, false);
	return copy;
}

struct node_selector
node_selector_copy(struct arena *arena, const struct node_selector *s)
{
	struct node_selector copy = *s;

	parts_copy(arena, &copy, node_selector_parts, false);
	return copy;
}

static bool
requirement_equal(const struct requirement *a, const struct requirement *b)
{
	return a->key == b->key && a->op == b->op && a->number == b->number &&
	    a->nvalues == b->nvalues &&
	    (a->nvalues == 0 ||
		memcmp(a->values, b->values, a->nvalues * sizeof(*a->values)) ==
		    0);
}

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Equal ones as they stand in the array. */
static int
by_content(const void *a, const void *b)
{
	const struct requirement *x = *(const struct requirement *const *)a,
				 *y = *(const struct requirement *const *)b;
	int order = compare(x->key, y->key);

	if (order == 0)
		order = compare(x->op, y->op);
	if (order == 0)
		order = compare((uint64_t)x->number, (uint64_t)y->number);
	if (order == 0)
		order = compare(x->nvalues, y->nvalues);
	if (order == 0 && x->nvalues > 0)
		order = memcmp(x->values, y->values,
		    x->nvalues * sizeof(*x->values));
	return order != 0 ? order : compare((uintptr_t)x, (uintptr_t)y);
}

/* Removes all but the first of equal ones; returns how many are left. */
static uint32_t
remove_repeated(struct arena *arena, struct requirement *at, uint32_t n)
{
	const struct requirement **sorted =
	    arena_array(arena, const struct requirement *, n);
	bool *repeated = arena_array(arena, bool, n);
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &at[i];
	qsort(sorted, n, sizeof(sorted[0]), by_content);
	for (uint32_t i = 1; i < n; i++)
		repeated[sorted[i] - at] =
		    requirement_equal(sorted[i - 1], sorted[i]);
	for (uint32_t i = 0; i < n; i++)
		if (!repeated[i])
			at[left++] = at[i];
	return left;
}

/* Among so few, looking at each is fastest. */
#define FEW_REQUIREMENTS 16

struct selector
selector_and(struct arena *arena, size_t n, const struct selector *const *parts)
{
	struct selector all = SELECTOR_EVERYTHING;
	struct requirement *at = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < n; i++) {
		const struct selector *part = parts[i];

		all.nothing = all.nothing || part->nothing;
		if (all.error == NULL)
			all.error = part->error;
		for (uint32_t j = 0; j < part->n; j++) {
			if (all.n <= FEW_REQUIREMENTS &&
			    ANY(k, all.n,
				requirement_equal(&at[k], &part->at[j])))
				continue;
			arena_room(arena, at, all.n, &cap);
			at[all.n++] = part->at[j];
		}
	}
	if (all.n > FEW_REQUIREMENTS)
		all.n = remove_repeated(arena, at, all.n);
	all.at = at;
	return all;
}

bool
selector_equal(const struct selector *a, const struct selector *b)
{
	if (a->nothing != b->nothing || a->too_long != b->too_long ||
	    a->n != b->n || (a->error == NULL) != (b->error == NULL) ||
	    (a->error != NULL && strcmp(a->error, b->error) != 0))
		return false;
	return !ANY(i, a->n, !requirement_equal(&a->at[i], &b->at[i]));
}

bool
selector_is_empty(const struct selector *s)
{
	return !s->nothing && !s->error && s->n == 0;
}

bool
field_matches(const struct requirement *r, sym node_name)
{
	static sym metadata_name;
	sym value = SYM_EMPTY;

	if (metadata_name == SYM_EMPTY)
		metadata_name = sym_intern("metadata.name");
	if (r->key == metadata_name && node_name != SYM_NONE)
		value = node_name;
	return has_value(r, value) == (r->op == SELECTOR_IN);
}

bool
fields_match(const struct selector *s, sym node_name)
{
	return s->error == NULL &&
	    !ANY(i, s->n, !field_matches(&s->at[i], node_name));
}

bool
node_selector_term_matches(const struct node_selector_term *term,
    const struct labels *node_labels, sym node_name)
{
	if (!term->has_labels && !term->has_fields)
		return false;
	if (term->has_labels && !selector_matches(&term->labels, node_labels))
		return false;
	return !term->has_fields || fields_match(&term->fields, node_name);
}

bool
node_selector_matches(const struct node_selector *s,
    const struct labels *node_labels, sym node_name)
{
	return ANY(i, s->n,
	    node_selector_term_matches(&s->at[i], node_labels, node_name));
}

bool
node_selector_matches_labels(const struct node_selector *s,
    const struct labels *node_labels)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct node_selector_term *term = &s->at[i];

		if ((term->has_labels || term->has_fields) &&
		    term->fields.error == NULL &&
		    (!term->has_labels ||
			selector_matches(&term->labels, node_labels)))
			return true;
	}
	return false;
}

/* Validation: each function returns a sentence about the problem, or NULL. */

static const char *
quote_sym(struct arena *arena, sym s)
{
	return text_quote(arena, sym_text(s), sym_len(s));
}

static const char *
check_value(struct arena *arena, sym key, sym value)
{
	const char *messages[VALIDATION_MAX];
	size_t n =
	    validate_label_value(sym_text(value), sym_len(value), messages);

	if (n == 0)
		return NULL;
	return arena_printf(arena, "invalid label value: %s: at key: %s: %s",
	    quote_sym(arena, value), quote_sym(arena, key),
	    arena_join(arena, n, messages, "; "));
}

static const char *
check_count(struct requirement *r)
{
	switch (r->op) {
	case SELECTOR_IN:
	case SELECTOR_NOT_IN:
		if (r->nvalues == 0)
			return "for 'in', 'notin' operators, values set can't "
			       "be empty";
		break;
	case SELECTOR_EXISTS:
	case SELECTOR_DOES_NOT_EXIST:
		if (r->nvalues != 0)
			return "values set must be empty for exists and does "
			       "not exist";
		break;
	case SELECTOR_GT:
	case SELECTOR_LT:
		if (r->nvalues != 1)
			return "for 'Gt', 'Lt' operators, exactly one value is "
			       "required";
		if (!selector_number(sym_text(r->values[0]), &r->number))
			return "for 'Gt', 'Lt' operators, the value must be an "
			       "integer";
		break;
	}
	return NULL;
}

/* As labels.NewRequirement(), in its order; also sets r->number. */
static const char *
check_requirement(struct arena *arena, struct requirement *r)
{
	const char *error = NULL;
	const char *messages[VALIDATION_MAX];
	size_t n = validate_qualified_name(sym_text(r->key), sym_len(r->key),
	    messages);

	if (n > 0)
		error = arena_printf(arena, "invalid label key %s: %s",
		    quote_sym(arena, r->key),
		    arena_join(arena, n, messages, "; "));
	if (!error)
		error = check_count(r);
	for (uint32_t i = 0; !error && i < r->nvalues; i++)
		error = check_value(arena, r->key, r->values[i]);
	return error;
}

/* The kinds of expressions: their operators and names. */
enum dialect {
	LABEL_SELECTOR,
	NODE_LABELS,
	NODE_FIELDS,
	TOPOLOGY, /* says no operator, means In */
};

static const struct {
	unsigned nops;
	const char *name;
} dialects[] = {
	[LABEL_SELECTOR] = { LABEL_OPS, "pod selector" },
	[NODE_LABELS] = { NODE_OPS, "node selector" },
	[NODE_FIELDS] = { FIELD_OPS, "node field selector" },
	[TOPOLOGY] = { 0, "topology selector" },
};

/* ["a","b"]; an empty list is null, as Go's nil is. */
static const char *
values_text(struct arena *arena, const struct requirement *r)
{
	const char **texts = arena_array(arena, const char *, r->nvalues);

	for (uint32_t i = 0; i < r->nvalues; i++)
		texts[i] = quote_sym(arena, r->values[i]);
	return r->nvalues == 0 ? "null" :
				 arena_printf(arena, "[%s]",
				     arena_join(arena, r->nvalues, texts, ","));
}

/* All that is wrong with a requirement of a LabelSelector, as 1.36 says it. */
static const char *
requirement_error_36(struct arena *arena, struct requirement *r)
{
	const char *messages[VALIDATION_MAX], *count = check_count(r);
	const char **all = arena_array(arena, const char *, r->nvalues + 2);
	size_t nall = 0, n;

	n = validate_qualified_name(sym_text(r->key), sym_len(r->key),
	    messages);
	if (n > 0)
		all[nall++] = arena_printf(arena, "key: Invalid value: %s: %s",
		    quote_sym(arena, r->key),
		    arena_join(arena, n, messages, "; "));
	if (count != NULL)
		all[nall++] =
		    arena_printf(arena, "values: Invalid value: %s: %s",
			values_text(arena, r), count);
	for (uint32_t i = 0; i < r->nvalues; i++) {
		n = validate_label_value(sym_text(r->values[i]),
		    sym_len(r->values[i]), messages);
		if (n > 0)
			all[nall++] = arena_printf(arena,
			    "values[%u][%s]: Invalid value: %s: %s",
			    (unsigned)i, sym_text(r->key),
			    quote_sym(arena, r->values[i]),
			    arena_join(arena, n, messages, "; "));
	}
	/* "[a, b]", or a alone: as Go writes aggregated errors */
	return nall == 0 ?
	    NULL :
	    nall == 1 ?
	    all[0] :
	    arena_printf(arena, "[%s]", arena_join(arena, nall, all, ", "));
}

/* Decoding. */

static struct expression
read_expression(struct decoder *d, const struct doc_node *node)
{
	struct expression e = { 0 };

	e.key = decode_string(d, doc_member(node, "key"));
	e.operator= decode_string(d, doc_member(node, "operator"));
	e.values = decode_syms(d, node, "values", &e.nvalues);
	return e;
}

/*
 * Adds the expressions of an array (NULL: none) to the requirements at `at`,
 * which has room for them.  After the first invalid one only types are checked.
 */
static void
add_expressions(struct decoder *d, const struct doc_node *array,
    enum dialect dialect, struct requirement *at, struct selector *s)
{
	EACH_CHILD (p, array) {
		struct expression e =
		    read_expression(d, decode_kind(d, p, DOC_OBJECT));
		struct requirement *r;
		enum selector_op op;

		if (s->error || d->failed)
			continue;
		r = &at[s->n];
		*r = (struct requirement){
			.key = e.key,
			.op = SELECTOR_IN,
			.nvalues = e.nvalues,
			.values = e.values,
		};
		if (dialect != TOPOLOGY &&
		    !find_op(e.operator, dialects[dialect].nops, &r->op))
			s->error = arena_printf(d->arena,
			    "%s is not a valid %s operator",
			    quote_sym(d->arena, e.operator),
			    dialects[dialect].name);
		else if (dialect != NODE_FIELDS)
			s->error = check_requirement(d->arena, r);
		else if (r->nvalues != 1)
			/* as fields.OneTermEqualSelector() and its like: no
			 * key is wrong */
			s->error = arena_printf(d->arena,
			    "unexpected number of value (%u) for node field "
			    "selector operator \"%s\"",
			    (unsigned)r->nvalues, op_names[r->op]);
		if (!s->error)
			s->n++;
		else if (dialect == LABEL_SELECTOR)
			s->error_36 = find_op(e.operator, LABEL_OPS, &op) ?
			    requirement_error_36(d->arena, r) :
			    arena_printf(d->arena,
				"%s is not a valid label selector operator",
				quote_sym(d->arena, e.operator));
	}
}

/* A whole array. */
static struct selector
from_array(struct decoder *d, const struct doc_node *array,
    enum dialect dialect)
{
	struct selector s = SELECTOR_EVERYTHING;
	struct requirement *at;

	array = decode_kind(d, array, DOC_ARRAY);
	if (array == NULL || array->count == 0)
		return SELECTOR_NOTHING;
	s.at = at = arena_array(d->arena, struct requirement, array->count);
	add_expressions(d, array, dialect, at, &s);
	return s;
}

struct selector
decode_node_requirements(struct decoder *d, const struct doc_node *node)
{
	return from_array(d, node, NODE_LABELS);
}

struct selector
decode_topology(struct decoder *d, const struct doc_node *node)
{
	return from_array(d, node, TOPOLOGY);
}

static struct requirement
equality(struct arena *arena, const struct label *label)
{
	return (struct requirement){
		.key = label->key,
		.op = SELECTOR_IN,
		.nvalues = 1,
		.values =
		    arena_memdup(arena, &label->value, sizeof(label->value)),
	};
}

struct selector
selector_from_valid_set(struct arena *arena, const struct labels *labels)
{
	struct requirement *at =
	    arena_array(arena, struct requirement, labels->n);

	for (uint32_t i = 0; i < labels->n; i++)
		at[i] = equality(arena, &labels->at[i]);
	return (struct selector){ .n = labels->n, .at = at };
}

struct selector
selector_if_valid(struct arena *arena, const struct selector *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct requirement r = s->at[i];

		if (check_requirement(arena, &r))
			return SELECTOR_EVERYTHING;
	}
	return *s;
}

struct selector
selector_from_set(struct arena *arena, const struct labels *labels)
{
	struct selector s = selector_from_valid_set(arena, labels);

	return selector_if_valid(arena, &s);
}

struct selector
decode_label_selector(struct decoder *d, const struct doc_node *node)
{
	const struct doc_node *array;
	struct selector s = SELECTOR_EVERYTHING;
	struct requirement *at;
	struct labels labels;

	node = decode_kind(d, node, DOC_OBJECT);
	if (node == NULL)
		return SELECTOR_NOTHING;
	array = decode_kind(d, doc_get(node, "matchExpressions"), DOC_ARRAY);
	labels = decode_labels(d, doc_get(node, "matchLabels"));
	s.at = at = arena_array(d->arena, struct requirement,
	    labels.n + (array ? array->count : 0));
	for (; s.n < labels.n; s.n++) {
		at[s.n] = equality(d->arena, &labels.at[s.n]);
		if (s.error)
			continue;
		s.error = check_requirement(d->arena, &at[s.n]);
		if (s.error)
			s.error_36 = requirement_error_36(d->arena, &at[s.n]);
	}
	add_expressions(d, array, LABEL_SELECTOR, at, &s);
	return s;
}

/* So many of its labels find one that is too long. */
#define TOO_LONG_LABELS 8

bool
selector_is_too_long(struct arena *arena, const struct doc_node *pairs,
    const struct doc_node *expressions, struct selector *out)
{
	const struct doc_node *p = pairs != NULL ? pairs->first : NULL;
	size_t n = pairs != NULL ? pairs->count : 0;
	struct requirement *at;
	uint32_t kept = 0;

	if (expressions != NULL)
		n += expressions->count;
	EACH_CHILD (e, expressions) {
		const struct doc_node *values = doc_get(e, "values");

		n +=
		    values != NULL && values->count > 1 ? values->count - 1 : 0;
	}
	if (n <= SELECTOR_REQUIREMENTS_MAX)
		return false;
	at = arena_array(arena, struct requirement, TOO_LONG_LABELS);
	for (; p != NULL && kept < TOO_LONG_LABELS; p = p->next)
		if (p->key != NULL && p->kind == DOC_STRING)
			at[kept++] = equality(arena,
			    &(struct label){ sym_in(arena, p->key),
				sym_in_n(arena, p->text, p->len) });
	*out = (struct selector){ .nothing = true,
		.too_long = true,
		.n = kept,
		.at = at };
	return true;
}

struct selector
decode_selector_of_object(struct decoder *d, const struct doc_node *node)
{
	struct selector s;

	if (selector_is_too_long(d->arena, doc_get(node, "matchLabels"),
		doc_get(node, "matchExpressions"), &s))
		return s;
	return decode_label_selector(d, node);
}

/* Keeps the names that are among the values; the first list is copied. */
static void
intersect_names(struct arena *arena, struct node_selector_term *term,
    const struct expression *e)
{
	const struct requirement values = { .nvalues = e->nvalues,
		.values = e->values };
	sym *names;
	uint32_t n = 0;

	if (!term->named) {
		term->named = true;
		term->nnames = e->nvalues;
		term->names = e->values;
		return;
	}
	names = arena_array(arena, sym, term->nnames);
	for (uint32_t i = 0; i < term->nnames; i++)
		if (has_value(&values, term->names[i]))
			names[n++] = term->names[i];
	term->nnames = n;
	term->names = names;
}

struct node_selector_term
decode_node_term(struct decoder *d, const struct doc_node *node)
{
	const struct doc_node *fields;
	struct node_selector_term term = { 0 };

	node = decode_kind(d, node, DOC_OBJECT);
	fields = doc_get(node, "matchFields");
	term.labels =
	    from_array(d, doc_get(node, "matchExpressions"), NODE_LABELS);
	term.fields = from_array(d, fields, NODE_FIELDS);
	EACH_CHILD (p, fields) {
		struct expression e = read_expression(d, p);

		if (strcmp(sym_text(e.key), "metadata.name") == 0 &&
		    strcmp(sym_text(e.operator), op_names[SELECTOR_IN]) == 0)
			intersect_names(d->arena, &term, &e);
	}
	term.has_labels = !term.labels.nothing;
	term.has_fields = !term.fields.nothing;
	return term;
}

static void
read_term(struct decoder *d, const struct doc_node *node, void *out)
{
	*(struct node_selector_term *)out = decode_node_term(d, node);
}

struct node_selector
decode_node_selector(struct decoder *d, const struct doc_node *node)
{
	struct node_selector s = { 0 };

	s.at = decode_each(d, decode_kind(d, node, DOC_OBJECT),
	    "nodeSelectorTerms", &s.n, sizeof(*s.at), read_term);
	return s;
}
