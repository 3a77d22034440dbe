#include "config.h"

#include "objects/selector.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/text.h"
#include "objects/validation.h"

struct problems {
	struct arena *arena;
	const char **at;
	const struct doc_node **places;
	size_t n, cap, places_cap;
};

/* An expression, and where it is. */
struct expression {
	const struct doc_node *node;
	const char *path; /* "matchExpressions[0]" */
	const char *key, *operator;
	const struct doc_node *values; /* NULL: none are given */
	size_t nvalues;
};

static void
add_at(struct problems *p, const struct doc_node *place, const char *problem)
{
	arena_room(p->arena, p->at, p->n, &p->cap);
	arena_room(p->arena, p->places, p->n, &p->places_cap);
	p->places[p->n] = place;
	p->at[p->n++] = problem;
}

/* Of the expression's member, if it has it. */
static void
add(struct problems *p, const struct expression *e, const char *key,
    const char *problem)
{
	const struct doc_node *member = doc_member(e->node, key);

	add_at(p, member != NULL ? member : e->node, problem);
}

static const char *
quote(struct problems *p, const char *text)
{
	return text_quote(p->arena, text, strlen(text));
}

/* Of a value; null is "". */
static const char *
value_text(const struct doc_node *value)
{
	return value->text != NULL ? value->text : "";
}

/* As JSON. */
static const char *
write_values(struct problems *p, const struct expression *e)
{
	const char *all = "";

	if (e->values == NULL)
		return "null";
	EACH_CHILD (v, e->values)
		all = arena_printf(p->arena, "%s%s%s", all,
		    v == e->values->first ? "" : ",", quote(p, value_text(v)));
	return arena_printf(p->arena, "[%s]", all);
}

static void
add_about_values(struct problems *p, const struct expression *e,
    const char *detail)
{
	add(p, e, "values",
	    arena_printf(p->arena, "%s.values: Invalid value: %s: %s", e->path,
		write_values(p, e), detail));
}

static void
add_unsupported(struct problems *p, const struct expression *e,
    const char *const *names, size_t n)
{
	const char *all = "";

	for (size_t i = 0; i < n; i++)
		all = arena_printf(p->arena, "%s%s\"%s\"", all,
		    i == 0 ? "" : ", ", names[i]);
	add(p, e, "operator",
	    arena_printf(p->arena,
		"%s.operator: Unsupported value: %s: supported values: %s",
		e->path, quote(p, e->operator), all));
}

static void
check_numbers(struct problems *p, const struct expression *e)
{
	size_t i = 0;
	int64_t number;

	if (e->nvalues != 1)
		add_about_values(p, e,
		    "for 'Gt', 'Lt' operators, exactly one value is required");
	for (const struct doc_node *v = e->nvalues > 0 ? e->values->first :
							 NULL;
	     v != NULL; v = v->next, i++)
		if (!selector_number(value_text(v), &number))
			add_at(p, v,
			    arena_printf(p->arena,
				"%s.values[%zu]: Invalid value: %s: for 'Gt', "
				"'Lt' operators, the value must be an integer",
				e->path, i, quote(p, value_text(v))));
}

static void
check_values(struct problems *p, const struct expression *e)
{
	const char *messages[VALIDATION_MAX];
	size_t i = 0, n;

	for (const struct doc_node *v = e->nvalues > 0 ? e->values->first :
							 NULL;
	     v != NULL; v = v->next, i++) {
		n = validate_label_value(value_text(v), v->len, messages);
		if (n > 0)
			add_at(p, v,
			    arena_printf(p->arena,
				"%s.values[%zu][%s]: Invalid value: %s: %s",
				e->path, i, e->key, quote(p, value_text(v)),
				arena_join(p->arena, n, messages, "; ")));
	}
}

static void
check_label(struct problems *p, const struct expression *e)
{
	static const char *const names[] = { "In", "NotIn", "Exists",
		"DoesNotExist", "Gt", "Lt" };
	const char *messages[VALIDATION_MAX];
	size_t n;

	if (!text_is_one_of(e->operator, names, LENGTH(names))) {
		add_unsupported(p, e, names, LENGTH(names));
		return;
	}
	n = validate_qualified_name(e->key, strlen(e->key), messages);
	if (n > 0)
		add(p, e, "key",
		    arena_printf(p->arena, "%s.key: Invalid value: %s: %s",
			e->path, quote(p, e->key),
			arena_join(p->arena, n, messages, "; ")));
	if (text_is_one_of(e->operator, names, 2) && e->nvalues == 0)
		add_about_values(p, e,
		    "for 'in', 'notin' operators, values set can't be empty");
	else if (text_is_one_of(e->operator, names + 2, 2) && e->nvalues > 0)
		add_about_values(p, e,
		    "values set must be empty for exists and does not exist");
	else if (text_is_one_of(e->operator, names + 4, 2))
		check_numbers(p, e);
	check_values(p, e);
}

static void
check_field(struct problems *p, const struct expression *e)
{
	static const char *const names[] = { "In", "NotIn" };

	if (!text_is_one_of(e->operator, names, LENGTH(names)))
		add_unsupported(p, e, names, LENGTH(names));
	else if (e->nvalues != 1)
		add_about_values(p, e, "must have one element");
}

static void
check_all(struct problems *p, const struct doc_node *term, const char *key,
    void (*check)(struct problems *p, const struct expression *e))
{
	const struct doc_node *array = doc_get(term, key);
	size_t i = 0;

	if (array == NULL || array->kind != DOC_ARRAY)
		return;
	for (const struct doc_node *at = array->first; at != NULL;
	     at = at->next, i++) {
		const struct doc_node *values = doc_get(at, "values");
		struct expression e = {
			.node = at,
			.path = arena_printf(p->arena, "%s[%zu]", key, i),
			.key = doc_string(doc_get(at, "key")),
			.operator= doc_string(doc_get(at, "operator")),
		};

		if (values != NULL && values->kind == DOC_ARRAY) {
			e.values = values;
			e.nvalues = values->count;
		}
		check(p, &e);
	}
}

const char *const *
node_selector_term_problems(struct arena *arena, const struct doc_node *term,
    uint32_t *n, const struct doc_node *const **places)
{
	struct problems p = { .arena = arena };

	check_all(&p, term, "matchExpressions", check_label);
	check_all(&p, term, "matchFields", check_field);
	*n = (uint32_t)p.n;
	if (places != NULL)
		*places = p.places;
	return p.at;
}
