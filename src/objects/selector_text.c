#include "config.h"

#include "objects/selector_text.h"

#include "base/arena.h"
#include "objects/validation.h"

#define BLANKS " \t\r\n"

struct parsing {
	const char *at;
	struct arena *arena;
	struct err *err;
};

static int
fail(struct parsing *p, const char *expected)
{
	return errf(p->err, "expected %s at \"%s\"", expected, p->at);
}

/* Whether the text goes on with this, which is then behind. */
static bool
accept_text(struct parsing *p, const char *text)
{
	size_t len = strlen(text);

	p->at += strspn(p->at, BLANKS);
	if (strncmp(p->at, text, len) != 0)
		return false;
	p->at += len;
	return true;
}

static size_t
word_length(struct parsing *p)
{
	p->at += strspn(p->at, BLANKS);
	return strcspn(p->at, BLANKS ",=!<>()");
}

static int
take_value(struct parsing *p, sym *value)
{
	size_t len = word_length(p);

	if (validate_label_value(p->at, len, NULL) > 0)
		return fail(p, "a label value");
	*value = sym_in_n(p->arena, p->at, len);
	p->at += len;
	return 0;
}

/* "(a, b)" */
static int
take_values(struct parsing *p, struct requirement *r)
{
	sym *values;
	uint32_t most = 1;

	if (!accept_text(p, "("))
		return fail(p, "'('");
	for (const char *c = p->at; *c != '\0' && *c != ')'; c++)
		most += *c == ',';
	r->values = values = arena_array(p->arena, sym, most);
	do
		if (take_value(p, &values[r->nvalues++]) != 0)
			return -1;
	while (accept_text(p, ","));
	return accept_text(p, ")") ? 0 : fail(p, "',' or ')'");
}

static int
take_requirement(struct parsing *p, struct requirement *r)
{
	static const struct {
		const char *sign;
		enum selector_op op;
	} signs[] = {
		{ "!=", SELECTOR_NOT_IN },
		{ "==", SELECTOR_IN },
		{ "=", SELECTOR_IN },
		{ ">", SELECTOR_GT },
		{ "<", SELECTOR_LT },
	};
	size_t len;

	memset(r, 0, sizeof(*r));
	r->op = accept_text(p, "!") ? SELECTOR_DOES_NOT_EXIST : SELECTOR_EXISTS;
	len = word_length(p);
	if (validate_qualified_name(p->at, len, NULL) > 0)
		return fail(p, "a label key");
	r->key = sym_in_n(p->arena, p->at, len);
	p->at += len;
	if (r->op == SELECTOR_DOES_NOT_EXIST)
		return 0;
	for (size_t i = 0; i < LENGTH(signs); i++)
		if (accept_text(p, signs[i].sign)) {
			sym *value = arena_array(p->arena, sym, 1);

			r->op = signs[i].op;
			r->values = value;
			r->nvalues = 1;
			if (take_value(p, value) != 0)
				return -1;
			if ((signs[i].op == SELECTOR_GT ||
				signs[i].op == SELECTOR_LT) &&
			    !selector_number(sym_text(*value), &r->number))
				return fail(p, "a whole number");
			return 0;
		}
	len = word_length(p);
	if (len == 2 && accept_text(p, "in"))
		r->op = SELECTOR_IN;
	else if (len == 5 && accept_text(p, "notin"))
		r->op = SELECTOR_NOT_IN;
	else
		return 0;
	return take_values(p, r);
}

int
selector_from_text(struct arena *arena, const char *text, struct selector *out,
    struct err *err)
{
	struct parsing p = { text, arena, err };
	struct requirement *at;
	uint32_t most = 1;

	*out = SELECTOR_EVERYTHING;
	if (text[strspn(text, BLANKS)] == '\0')
		return 0;
	for (const char *c = text; *c != '\0'; c++)
		most += *c == ',';
	out->at = at = arena_array(arena, struct requirement, most);
	do
		if (take_requirement(&p, &at[out->n++]) != 0)
			return -1;
	while (accept_text(&p, ","));
	p.at += strspn(p.at, BLANKS);
	return *p.at == '\0' ? 0 : fail(&p, "','");
}
