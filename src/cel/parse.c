/*
 * The grammar of CEL, by recursive descent: a function per rule of cel-go's
 * grammar, and its limits on depth.  Macros are expanded where their calls end.
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>

#include "base/utf8.h"
#include "cel/cel_internal.h"

#define MAX_DEPTH 250
#define ACCUMULATOR "@result"

/* clang-format off */
/* Longer ones first; then words, from in on. */
#define TOKENS(X)                                                              \
	X(EQUAL, "==") X(NOT_EQUAL, "!=") X(LESS_EQUAL, "<=")                  \
	X(GREATER_EQUAL, ">=") X(AND, "&&") X(OR, "||") X(LESS, "<")           \
	X(GREATER, ">") X(OPEN_LIST, "[") X(CLOSE_LIST, "]") X(OPEN_MAP, "{")  \
	X(CLOSE_MAP, "}") X(OPEN, "(") X(CLOSE, ")") X(DOT, ".") X(COMMA, ",") \
	X(MINUS, "-") X(NOT, "!") X(QUESTION, "?") X(COLON, ":") X(PLUS, "+")  \
	X(TIMES, "*") X(DIVIDE, "/") X(REST, "%")                              \
	X(IN, "in") X(TRUE, "true") X(FALSE, "false") X(NULL, "null")
/* clang-format on */
enum token {
	T_END,
	T_IDENT,
	T_ESCAPED_IDENT,
	T_INT,
	T_UINT,
	T_FLOAT,
	T_STRING,
	T_BYTES,
#define TOKEN(name, text) T_##name,
	TOKENS(TOKEN)
#undef TOKEN
};
static const char *const spelling[] = {
#define TOKEN(name, text) [T_##name] = text,
	TOKENS(TOKEN)
#undef TOKEN
};
#define AN_EXPRESSION                                                          \
	"{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, "  \
	"NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

enum rule { RULE_EXPR, RULE_RELATION, RULE_CALC, RULE_MEMBER, RULES };

struct parser {
	struct cel_program *program;
	struct arena *arena;
	enum token token;
	uint32_t at, end; /* of the token */
	unsigned depth[RULES];
	bool failed;
};

static struct node *expression(struct parser *p);

/* Ends the parse: what follows is one long token of no kind. */
static struct node *
fail(struct parser *p)
{
	p->failed = true;
	p->token = T_END;
	p->at = p->end = (uint32_t)p->program->len;
	return NULL;
}

/* Lexer */

static size_t
digits(const char *s)
{
	size_t n = 0;

	while (is_digit(s[n]))
		n++;
	return n;
}

/* The length of an exponent at s, 0 if there is none. */
static size_t
exponent(const char *s)
{
	size_t n;

	if (*s != 'e' && *s != 'E')
		return 0;
	n = 1 + (s[1] == '+' || s[1] == '-');
	return digits(s + n) > 0 ? n + digits(s + n) : 0;
}

static size_t
lex_number(const char *s, enum token *token)
{
	size_t n = digits(s);

	*token = T_INT;
	if (s[n] == '.' && is_digit(s[n + 1])) {
		n += 1 + digits(s + n + 1);
		*token = T_FLOAT;
	}
	if (exponent(s + n) > 0) {
		n += exponent(s + n);
		*token = T_FLOAT;
	}
	if (*token == T_INT && n == 1 && s[0] == '0' && s[1] == 'x' &&
	    is_hex(s[2])) {
		n = 2;
		while (is_hex(s[n]))
			n++;
	}
	if (*token == T_INT && (s[n] == 'u' || s[n] == 'U')) {
		*token = T_UINT;
		n++;
	}
	return n;
}

/* The length of an escape sequence after its backslash; 0: it is none. */
static size_t
escape_len(const char *s)
{
	size_t n = *s == 'x' || *s == 'X' ? 2 :
	    *s == 'u'                     ? 4 :
	    *s == 'U'                     ? 8 :
					    0;

	if (n > 0) {
		for (size_t i = 1; i <= n; i++)
			if (!is_hex(s[i]))
				return 0;
		return n + 1;
	}
	if (*s >= '0' && *s <= '3')
		return s[1] >= '0' && s[1] <= '7' && s[2] >= '0' &&
			s[2] <= '7' ?
		    3 :
		    0;
	return *s != '\0' && strchr("abfnrtv\"'\\?`", *s) != NULL;
}

/* The length of a string literal with its prefixes; 0: there is none. */
static size_t
lex_string(const char *s, enum token *token)
{
	const char *p = s;
	bool raw = false, triple;
	char quote;

	*token = T_STRING;
	if (*p == 'b' || *p == 'B') {
		*token = T_BYTES;
		p++;
	}
	if (*p == 'r' || *p == 'R') {
		raw = true;
		p++;
	}
	quote = *p;
	if (quote != '"' && quote != '\'')
		return 0;
	triple = p[1] == quote && p[2] == quote;
	for (p += triple ? 3 : 1; *p != '\0'; p++) {
		if (*p == '\\' && !raw) {
			size_t n = escape_len(p + 1);

			if (n == 0)
				return 0;
			p += n;
		} else if (triple ?
			p[0] == quote && p[1] == quote && p[2] == quote :
			*p == quote) {
			return (size_t)(p - s) + (triple ? 3 : 1);
		} else if (!triple && (*p == '\n' || *p == '\r')) {
			return 0;
		}
	}
	return 0;
}

/* The length of the token at s; 0: there is none. */
static size_t
lex(const char *s, enum token *token)
{
	size_t n;

	if (is_digit(*s))
		return lex_number(s, token);
	if (*s == '.' && is_digit(s[1])) {
		*token = T_FLOAT;
		n = 1 + digits(s + 1);
		return n + exponent(s + n);
	}
	n = lex_string(s, token);
	if (n > 0)
		return n;
	if (is_letter(*s)) {
		while (is_letter(s[n]) || is_digit(s[n]))
			n++;
		*token = T_IDENT;
		for (enum token t = T_IN; t <= T_NULL; t++)
			if (strlen(spelling[t]) == n &&
			    memcmp(s, spelling[t], n) == 0)
				*token = t;
		return n;
	}
	if (*s == '`') {
		n = 1;
		while (s[n] != '\0' &&
		    (is_letter(s[n]) || is_digit(s[n]) ||
			strchr(".-/ ", s[n]) != NULL))
			n++;
		*token = T_ESCAPED_IDENT;
		return n > 1 && s[n] == '`' ? n + 1 : 0;
	}
	for (enum token t = T_EQUAL; t <= T_REST; t++) {
		n = strlen(spelling[t]);
		if (strncmp(s, spelling[t], n) == 0) {
			*token = t;
			return n;
		}
	}
	return 0;
}

static void
next(struct parser *p)
{
	const char *text = p->program->text;
	uint32_t at = p->end;

	while (!p->failed) {
		size_t n = 0;
		const char *s;

		at += (uint32_t)strspn(text + at, "\t \r\n\f");
		s = text + at;
		if (s[0] == '/' && s[1] == '/') {
			at += (uint32_t)strcspn(s, "\n");
			continue;
		}
		p->at = at;
		p->token = T_END;
		if (at < p->program->len)
			n = lex(s, &p->token);
		if (n > 0 || at >= p->program->len) {
			p->end = at + (uint32_t)n;
			return;
		}
		n = utf8_len((const unsigned char *)s,
		    (const unsigned char *)text + p->program->len);
		n = n == 0 ? 1 : n;
		problem(p->program, at,
		    "Syntax error: token recognition error at: '%.*s'", (int)n,
		    s);
		if (p->program->nproblems > 100)
			fail(p);
		at += (uint32_t)n;
		p->end = at;
	}
}

static struct node *
syntax_error(struct parser *p, const char *expected)
{
	if (!p->failed)
		problem(p->program, p->at,
		    "Syntax error: mismatched input '%.*s' expecting %s",
		    p->token == T_END ? 5 : (int)(p->end - p->at),
		    p->token == T_END ? "<EOF>" : p->program->text + p->at,
		    expected);
	return fail(p);
}

static bool
accept(struct parser *p, enum token token)
{
	if (p->token != token || p->failed)
		return false;
	next(p);
	return true;
}

static bool
expect(struct parser *p, enum token token, const char *name)
{
	if (accept(p, token))
		return true;
	syntax_error(p, name);
	return false;
}

static bool
deeper(struct parser *p, enum rule rule)
{
	if (++p->depth[rule] <= MAX_DEPTH)
		return true;
	if (!p->failed)
		problem_nowhere(p->program,
		    "expression recursion limit exceeded: 250");
	fail(p);
	return false;
}

/* Nodes */

static struct node *
new_node(struct parser *p, enum op op, uint32_t at, uint32_t n)
{
	struct node *node = arena_zalloc(p->arena, sizeof(*node));

	node->op = op;
	node->at = at;
	node->n = n;
	node->of = arena_array(p->arena, struct node *, n + 1);
	return node;
}

static struct node *
literal(struct parser *p, uint32_t at, struct cel_value value)
{
	struct node *node = new_node(p, OP_LITERAL, at, 0);

	node->value = value;
	return node;
}

static struct node *
ident(struct parser *p, uint32_t at, const char *name)
{
	struct node *node = new_node(p, OP_IDENT, at, 0);

	node->name = name;
	return node;
}

/* A term that cel-go's parser recurses into. */
static struct node *
term(struct parser *p, struct node *node)
{
	unsigned depth = 0;

	for (uint32_t i = 0; i < node->n; i++)
		if (node->of[i]->depth > depth)
			depth = node->of[i]->depth;
	node->depth = (uint16_t)(depth + 1);
	if (depth + 1 > MAX_DEPTH && !p->failed) {
		problem_nowhere(p->program, "max recursion depth exceeded");
		return fail(p);
	}
	return node;
}

/* Not a term: as deep as its deepest part. */
static struct node *
no_term(struct node *node)
{
	for (uint32_t i = 0; i < node->n; i++)
		if (node->of[i]->depth > node->depth)
			node->depth = node->of[i]->depth;
	return node;
}

static struct node *
call(struct parser *p, uint32_t at, const char *name, uint32_t n, ...)
{
	struct node *node = new_node(p, OP_CALL, at, n);
	va_list ap;

	node->name = name;
	va_start(ap, n);
	for (uint32_t i = 0; i < n; i++)
		node->of[i] = va_arg(ap, struct node *);
	va_end(ap);
	return no_term(node);
}

/* Macros */

/*
 * A macro is written in CEL, with these names: T is its target, A to D are its
 * arguments, V and W its variables, which are its first arguments.  FOLD(NAME, range,
 * initial value, condition, step, result) is a fold whose accumulator is NAME: R, over
 * which the variables go, or another name that stands for the initial value.
 */
struct macro {
	const char *name;
	uint8_t n, nvars; /* arguments */
	const char *text;
	const char *error; /* of a variable that is no name */
};

#define SIMPLE "argument must be a simple name"
#define NO_NAME "argument is not an identifier"
#define BIND(value, in) "FOLD(V, [], " value ", false, V, " in ")"
#define LIST(step) "FOLD(R, T, [], true, " step ", R)"
#define MAP(step) "FOLD(R, T, {}, true, " step ", R)"
#define ALL(test) "FOLD(R, T, true, IS(R), R && " test ", R)"
#define EXISTS(test) "FOLD(R, T, false, IS(!R), R || " test ", R)"
#define ONE(test) "FOLD(R, T, 0, true, " test " ? R + 1 : R, R == 1)"
#define OPTIONAL(value) "T.hasValue() ? " value " : optional.none()"

static const struct macro macros[] = {
	{ "has", 1, 0, NULL, NULL },
	{ "all", 2, 1, ALL("B"), SIMPLE },
	{ "all", 3, 2, ALL("C"), SIMPLE },
	{ "exists", 2, 1, EXISTS("B"), SIMPLE },
	{ "exists", 3, 2, EXISTS("C"), SIMPLE },
	{ "exists_one", 2, 1, ONE("B"), SIMPLE },
	{ "exists_one", 3, 2, ONE("C"), SIMPLE },
	{ "existsOne", 3, 2, ONE("C"), SIMPLE },
	{ "map", 2, 1, LIST("R + [B]"), NO_NAME },
	{ "map", 3, 1, LIST("B ? R + [C] : R"), NO_NAME },
	{ "filter", 2, 1, LIST("B ? R + [A] : R"), NO_NAME },
	{ "transformList", 3, 2, LIST("R + [C]"), SIMPLE },
	{ "transformList", 4, 2, LIST("C ? R + [D] : R"), SIMPLE },
	{ "transformMap", 3, 2, MAP("INSERT(R, V, C)"), SIMPLE },
	{ "transformMap", 4, 2, MAP("C ? INSERT(R, V, D) : R"), SIMPLE },
	{ "transformMapEntry", 3, 2, MAP("INSERT(R, C)"), SIMPLE },
	{ "transformMapEntry", 4, 2, MAP("C ? INSERT(R, D) : R"), SIMPLE },
	{ "bind", 3, 1, BIND("B", "C"),
	    "cel.bind() variable names must be simple identifiers" },
	{ "optMap", 2, 1, OPTIONAL("optional.of(" BIND("T.value()", "B") ")"),
	    "optMap() variable name must be a simple identifier" },
	{ "optFlatMap", 2, 1, OPTIONAL(BIND("T.value()", "B")),
	    "optFlatMap() variable name must be a simple identifier" },
	{ "sortBy", 2, 1,
	    "FOLD(I, [], T, false, I, "
	    "I.SORT(FOLD(R, I, [], true, R + [B], R)))",
	    NO_NAME },
};

/* A call of a macro. */
struct macro_call {
	uint32_t at;
	struct node *target, **args;
	const char *vars[2];
};

static struct node *
macro_error(struct parser *p, const struct node *node, const char *text)
{
	problem(p->program, node->at, "%s", text);
	return literal(p, node->at, (struct cel_value){ .kind = CEL_NULL });
}

/* Reads the variables of the call; NULL, or the node of the error. */
static struct node *
variables(struct parser *p, const struct macro *m, struct macro_call *call)
{
	bool loops = strstr(m->text, "FOLD(R") != NULL;

	for (unsigned i = 0; i < m->nvars; i++) {
		if (call->args[i]->op != OP_IDENT)
			return macro_error(p, call->args[i], m->error);
		call->vars[i] = call->args[i]->name;
	}
	if (m->nvars == 2 && strcmp(call->vars[0], call->vars[1]) == 0)
		return macro_error(p, call->args[1],
		    arena_printf(p->arena, "duplicate variable name: %s",
			call->vars[0]));
	for (unsigned i = 0; i < m->nvars && loops; i++)
		if (strcmp(call->vars[i], ACCUMULATOR) == 0 ||
		    strcmp(call->vars[i], "__result__") == 0)
			return macro_error(p, call->args[i],
			    "iteration variable overwrites accumulator "
			    "variable");
	return NULL;
}

/* What a name in the text of a macro stands for. */
static const char *
meaning(const struct macro_call *call, const char *name)
{
	const struct {
		const char *name, *meaning;
	} rows[] = {
		{ "R", ACCUMULATOR },
		{ "V", call->vars[0] },
		{ "W", call->vars[1] },
		{ "I", "@__sortBy_input__" },
		{ "IS", "@not_strictly_false" },
		{ "INSERT", "cel.@mapInsert" },
		{ "SORT", "@sortByAssociatedKeys" },
	};

	for (size_t i = 0; i < LENGTH(rows) && name != NULL; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].meaning;
	return name;
}

/* The node of the text of a macro, with the target and the arguments in their
 * places. */
static struct node *
fill(const struct macro_call *call, struct node *node)
{
	if (node->op == OP_IDENT && strcmp(node->name, "T") == 0)
		return call->target;
	if (node->op == OP_IDENT && strlen(node->name) == 1 &&
	    node->name[0] >= 'A' && node->name[0] <= 'D')
		return call->args[node->name[0] - 'A'];
	node->at = call->at;
	for (uint32_t i = 0; i < node->n; i++)
		node->of[i] = fill(call, node->of[i]);
	node->name = meaning(call, node->name);
	if (node->op != OP_CALL || strcmp(node->name, "FOLD") != 0)
		return node;
	node->op = OP_FOLD;
	node->name = node->of[0]->name;
	node->of++;
	node->n--;
	node->vars[0] = "#unused";
	if (strcmp(node->name, ACCUMULATOR) == 0)
		memcpy(node->vars, call->vars, sizeof(call->vars));
	return node;
}

/* The node itself: it is no call of this macro. */
static struct node *
expand_macro(struct parser *p, const struct macro *m, struct node *node)
{
	struct macro_call call = { .at = node->at, .args = node->of };
	struct cel_program text = { .text = m->text };
	struct parser own = { .program = &text, .arena = p->arena };
	struct node *error;

	if (m->text == NULL) {
		const struct node *arg = node->of[0];
		struct node *has;

		if (arg->op != OP_SELECT || arg->flag)
			return macro_error(p, arg,
			    "invalid argument to has() macro");
		has = new_node(p, OP_HAS, node->at, 1);
		has->of[0] = arg->of[0];
		has->name = arg->name;
		return has;
	}
	call.target = *call.args++;
	if (strcmp(m->name, "bind") == 0 &&
	    (call.target->op != OP_IDENT ||
		strcmp(call.target->name, "cel") != 0))
		return node;
	if (strcmp(m->name, "sortBy") == 0 &&
	    (call.target->op == OP_LITERAL || call.target->op == OP_MAP))
		return macro_error(p, call.target,
		    "sortBy can only be applied to a list, identifier, "
		    "comprehension, call or select expression");
	error = variables(p, m, &call);
	if (error != NULL)
		return error;
	text.len = strlen(m->text);
	next(&own);
	return fill(&call, expression(&own));
}

/* The call of a macro expanded, or the node itself. */
static struct node *
expand(struct parser *p, struct node *node)
{
	unsigned depth = node->depth;

	for (size_t i = 0; i < LENGTH(macros); i++) {
		const struct macro *m = &macros[i];

		if ((m->text != NULL) != node->flag ||
		    node->n != m->n + (unsigned)node->flag ||
		    strcmp(m->name, node->name) != 0)
			continue;
		node = expand_macro(p, m, node);
		node->depth = (uint16_t)depth;
		break;
	}
	return node;
}

/* Literals */

static char
unescaped(char c)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	const char *p = strchr(from, c);

	return p == NULL ? c : to[p - from];
}

/* The content of a literal between s and end, with newlines as one byte. */
static struct node *
string_literal(struct parser *p)
{
	bool is_bytes = p->token == T_BYTES, raw;
	const char *s = p->program->text + p->at + is_bytes;
	const char *end = p->program->text + p->end;
	char *out = arena_alloc(p->arena, (size_t)(end - s) + 1), *o = out;
	uint32_t at = p->at;
	size_t quotes;

	raw = *s == 'r' || *s == 'R';
	s += raw;
	quotes = end - s >= 6 && s[1] == s[0] && s[2] == s[0] ? 3 : 1;
	s += quotes;
	end -= quotes;
	while (s < end) {
		char digits_of[9] = "";
		unsigned long c;
		size_t n;

		if (*s == '\r') {
			*o++ = '\n';
			s += s + 1 < end && s[1] == '\n' ? 2 : 1;
			continue;
		}
		if (*s != '\\' || raw) {
			size_t len = utf8_len((const unsigned char *)s,
			    (const unsigned char *)end);

			len = len == 0 ? 1 : len;
			memcpy(o, s, len);
			o += len;
			s += len;
			continue;
		}
		n = escape_len(s + 1);
		if (n == 1) {
			*o++ = unescaped(s[1]);
			s += 2;
			continue;
		}
		if (is_bytes && (s[1] == 'u' || s[1] == 'U')) {
			problem(p->program, at, "unable to unescape string");
			break;
		}
		memcpy(digits_of, s + 1 + !is_digit(s[1]), n - !is_digit(s[1]));
		c = strtoul(digits_of, NULL, is_digit(s[1]) ? 8 : 16);
		if (is_bytes) {
			*o++ = (char)c;
		} else if (c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff)) {
			o += rune_put(o, (uint32_t)c);
		} else {
			problem(p->program, at, "invalid unicode code point");
			break;
		}
		s += n + 1;
	}
	next(p);
	return literal(p, at,
	    (struct cel_value){
		.kind = is_bytes ? CEL_BYTES : CEL_STRING,
		.text = out,
		.len = (uint32_t)(o - out),
	    });
}

/* With the sign before it, which begins at this place. */
static struct node *
number_literal(struct parser *p, uint32_t at, bool negative)
{
	size_t len = p->end - p->at;
	char *text = arena_printf(p->arena, "%s%.*s", negative ? "-" : "",
	    (int)len, p->program->text + p->at);
	const char *number = text;
	int base = strstr(text, "0x") == NULL ? 10 : 16;
	struct cel_value value = { .kind = CEL_NULL };
	const char *what = NULL;

	errno = 0;
	if (p->token == T_FLOAT) {
		value = cel_double(strtod(number, NULL));
		if (errno == ERANGE && (value.number > 1 || value.number < -1))
			what = "double";
	} else if (p->token == T_UINT) {
		value = cel_uint(strtoull(number, NULL, base));
		if (errno != 0)
			what = "uint";
	} else {
		value = cel_int(strtoll(number, NULL, base));
		if (errno != 0)
			what = "int";
	}
	if (what != NULL)
		problem(p->program, at, "invalid %s literal", what);
	next(p);
	return literal(p, at, value);
}

/* Rules */

/* Expressions up to the closing token, appended to the node; keys: of a map. */
static void
elements(struct parser *p, struct node *node, enum token close, bool keys,
    bool may_trail)
{
	struct node **of = NULL;
	bool *optional = NULL;
	size_t n = 0, cap = 0, cap_optional = 0;

	for (uint32_t i = 0; i < node->n; i++) {
		arena_room(p->arena, of, n, &cap);
		arena_room(p->arena, optional, n, &cap_optional);
		optional[n] = false;
		of[n++] = node->of[i];
	}
	while (!p->failed && p->token != close) {
		bool question = may_trail && accept(p, T_QUESTION);

		for (int i = 0; i < 1 + keys; i++) {
			struct node *element;

			if (i == 1 && !expect(p, T_COLON, "':'"))
				return;
			element = expression(p);
			if (element == NULL)
				return;
			arena_room(p->arena, of, n, &cap);
			arena_room(p->arena, optional, n, &cap_optional);
			optional[n] = question;
			of[n++] = element;
		}
		if (!accept(p, T_COMMA))
			break;
		if (p->token == close && !may_trail)
			syntax_error(p, AN_EXPRESSION);
	}
	if (!p->failed && p->token == T_COMMA && n == 0 && may_trail)
		next(p);
	if (!p->failed && p->token != close)
		syntax_error(p,
		    close == T_CLOSE          ? "{')', ','}" :
			close == T_CLOSE_LIST ? "{']', ','}" :
						"{'}', ','}");
	next(p);
	node->of = of;
	node->n = (uint32_t)n;
	node->optional = optional;
	no_term(node);
}

static char *
word(struct parser *p)
{
	return arena_strndup(p->arena, p->program->text + p->at,
	    p->end - p->at);
}

static struct node *
name_or_call(struct parser *p)
{
	uint32_t at = p->at;
	bool dot = accept(p, T_DOT);
	uint32_t ident_at = p->at;
	const char *name;
	struct node *node;
	static const char *const reserved[] = { "as", "break", "const",
		"continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void",
		"while" };

	if (p->token != T_IDENT)
		return syntax_error(p, "IDENTIFIER");
	name = word(p);
	next(p);
	if (text_is_one_of(name, reserved, LENGTH(reserved))) {
		problem(p->program, at, "reserved identifier: %s", name);
		if (p->token != T_OPEN)
			return literal(p, at,
			    (struct cel_value){ .kind = CEL_NULL });
	}
	if (dot)
		name = arena_printf(p->arena, ".%s", name);
	if (p->token != T_OPEN)
		return ident(p, ident_at, name);
	node = new_node(p, OP_CALL, p->at, 0);
	node->name = name;
	next(p);
	elements(p, node, T_CLOSE, false, false);
	return p->failed ? NULL : expand(p, node);
}

static struct node *
primary(struct parser *p)
{
	uint32_t at = p->at;
	struct node *node;

	switch (p->token) {
	case T_MINUS:
		next(p);
		if (p->token == T_INT || p->token == T_FLOAT)
			return number_literal(p, at, true);
		return syntax_error(p, "{NUM_FLOAT, NUM_INT}");
	case T_INT:
	case T_UINT:
	case T_FLOAT:
		return number_literal(p, at, false);
	case T_STRING:
	case T_BYTES:
		return string_literal(p);
	case T_TRUE:
	case T_FALSE:
		node = literal(p, at, cel_bool(p->token == T_TRUE));
		next(p);
		return node;
	case T_NULL:
		next(p);
		return literal(p, at, cel_null());
	case T_OPEN:
		next(p);
		node = expression(p);
		return expect(p, T_CLOSE, "')'") ? node : NULL;
	case T_OPEN_LIST:
	case T_OPEN_MAP:
		node = new_node(p, p->token == T_OPEN_MAP ? OP_MAP : OP_LIST,
		    at, 0);
		next(p);
		elements(p, node,
		    node->op == OP_MAP ? T_CLOSE_MAP : T_CLOSE_LIST,
		    node->op == OP_MAP, true);
		return p->failed ? NULL : node;
	case T_IDENT:
	case T_DOT:
		return name_or_call(p);
	default:
		return syntax_error(p, AN_EXPRESSION);
	}
}

/* a.b.c, or NULL: not a name. */
static const char *
dotted_name(struct arena *arena, const struct node *node)
{
	const char *name;

	if (node->op == OP_IDENT)
		return node->name;
	if (node->op != OP_SELECT || node->flag)
		return NULL;
	name = dotted_name(arena, node->of[0]);
	return name == NULL ? NULL :
			      arena_printf(arena, "%s.%s", name, node->name);
}

/* The fields of a message, whose type can only be unknown. */
static struct node *
message(struct parser *p, const char *name)
{
	struct node *node = ident(p, p->at, name);

	next(p);
	while (!p->failed && p->token != T_CLOSE_MAP) {
		accept(p, T_QUESTION);
		if (!expect(p, T_IDENT, "IDENTIFIER") ||
		    !expect(p, T_COLON, "':'") || expression(p) == NULL ||
		    !accept(p, T_COMMA))
			break;
	}
	if (!expect(p, T_CLOSE_MAP, "{'}', ','}"))
		return NULL;
	node->flag = true;
	return node;
}

static struct node *
after_dot(struct parser *p, struct node *operand, uint32_t at)
{
	bool optional = accept(p, T_QUESTION);
	struct node *node;
	const char *name;

	if (p->token == T_ESCAPED_IDENT) {
		problem(p->program, p->at, "unsupported syntax: '`'");
		next(p);
		return operand;
	}
	if (p->token != T_IDENT)
		return syntax_error(p, "IDENTIFIER");
	name = word(p);
	next(p);
	node = new_node(p, OP_SELECT, at, 1);
	node->of[0] = operand;
	node->name = name;
	if (!optional && p->token == T_OPEN) {
		node->op = OP_CALL;
		node->at = p->at;
		node->flag = true;
		next(p);
		elements(p, node, T_CLOSE, false, false);
		if (p->failed || term(p, node) == NULL)
			return NULL;
		return expand(p, node);
	}
	node->flag = optional;
	return term(p, node);
}

static struct node *
member(struct parser *p)
{
	unsigned depth = p->depth[RULE_MEMBER];
	struct node *node = deeper(p, RULE_MEMBER) ? primary(p) : NULL;

	while (node != NULL && !p->failed) {
		uint32_t at = p->at;
		const char *name;

		if (p->token == T_DOT) {
			if (!deeper(p, RULE_MEMBER))
				return NULL;
			next(p);
			node = after_dot(p, node, at);
		} else if (p->token == T_OPEN_LIST) {
			struct node *index = new_node(p, OP_INDEX, at, 2);

			if (!deeper(p, RULE_MEMBER))
				return NULL;
			next(p);
			index->flag = accept(p, T_QUESTION);
			index->of[0] = node;
			index->of[1] = expression(p);
			if (index->of[1] == NULL ||
			    !expect(p, T_CLOSE_LIST, "']'"))
				return NULL;
			node = term(p, index);
		} else if (p->token == T_OPEN_MAP &&
		    (name = dotted_name(p->arena, node)) != NULL) {
			node = message(p, name);
		} else {
			break;
		}
	}
	p->depth[RULE_MEMBER] = depth;
	return p->failed ? NULL : node;
}

static struct node *
unary(struct parser *p)
{
	enum token token = p->token;
	uint32_t at = p->at;
	struct node *node;
	unsigned n = 0;

	if (token != T_MINUS && token != T_NOT)
		return member(p);
	while (p->token == token && !p->failed) {
		n++;
		next(p);
	}
	if (token == T_MINUS && n == 1 &&
	    (p->token == T_INT || p->token == T_FLOAT)) {
		p->end = at;
		next(p);
		return member(p);
	}
	node = member(p);
	if (node == NULL || n % 2 == 0)
		return node;
	return call(p, at, token == T_MINUS ? "-_" : "!_", 1, node);
}

static const struct {
	const char *name;
	enum token token;
	uint8_t binds; /* 1: a relation, 2: a sum, 3: a product */
} operators[] = {
	{ "_<_", T_LESS, 1 },
	{ "_<=_", T_LESS_EQUAL, 1 },
	{ "_>_", T_GREATER, 1 },
	{ "_>=_", T_GREATER_EQUAL, 1 },
	{ "_==_", T_EQUAL, 1 },
	{ "_!=_", T_NOT_EQUAL, 1 },
	{ "@in", T_IN, 1 },
	{ "_+_", T_PLUS, 2 },
	{ "_-_", T_MINUS, 2 },
	{ "_*_", T_TIMES, 3 },
	{ "_/_", T_DIVIDE, 3 },
	{ "_%_", T_REST, 3 },
};

/* Left-associative operators that bind at least so strongly. */
static struct node *
binary(struct parser *p, unsigned binds)
{
	enum rule rule = binds == 1 ? RULE_RELATION : RULE_CALC;
	unsigned depth = p->depth[rule];
	struct node *node = NULL;
	size_t i = 0;

	if (deeper(p, rule))
		node = binds == 3 ? unary(p) : binary(p, binds + 1);
	while (node != NULL && !p->failed) {
		uint32_t at = p->at;
		struct node *right;

		for (i = 0; i < LENGTH(operators); i++)
			if (operators[i].token == p->token &&
			    operators[i].binds == binds)
				break;
		if (i == LENGTH(operators))
			break;
		if (!deeper(p, rule))
			return NULL;
		next(p);
		right = binds == 3 ? unary(p) : binary(p, binds + 1);
		if (right == NULL)
			return NULL;
		node = term(p, call(p, at, operators[i].name, 2, node, right));
	}
	p->depth[rule] = depth;
	return p->failed ? NULL : node;
}

/* Terms between && (or ||) are arguments of one node. */
static struct node *
logical(struct parser *p, enum op op)
{
	struct node **of = NULL, *node;
	uint32_t at = p->at;
	size_t n = 0, cap = 0;

	do {
		node = op == OP_OR ? logical(p, OP_AND) : binary(p, 1);
		if (node == NULL)
			return NULL;
		arena_room(p->arena, of, n, &cap);
		of[n++] = node;
		at = p->at;
	} while (accept(p, op == OP_OR ? T_OR : T_AND));
	if (n == 1)
		return node;
	node = new_node(p, op, at, 0);
	node->name = op == OP_OR ? "_||_" : "_&&_";
	node->n = (uint32_t)n;
	node->of = of;
	return no_term(node);
}

static struct node *
expression(struct parser *p)
{
	struct node *condition = NULL, *yes, *no;
	uint32_t at;

	if (deeper(p, RULE_EXPR))
		condition = logical(p, OP_OR);
	at = p->at;
	if (condition != NULL && accept(p, T_QUESTION)) {
		yes = logical(p, OP_OR);
		if (yes == NULL || !expect(p, T_COLON, "':'"))
			return NULL;
		no = expression(p);
		if (no == NULL)
			return NULL;
		condition = call(p, at, "_?_:_", 3, condition, yes, no);
		condition->op = OP_COND;
		condition = term(p, condition);
	}
	p->depth[RULE_EXPR]--;
	return p->failed ? NULL : condition;
}

struct node *
cel_parse(struct cel_program *program)
{
	struct parser p = { .program = program, .arena = &program->arena };
	struct node *node;

	next(&p);
	node = expression(&p);
	if (node != NULL && !p.failed && p.token != T_END)
		syntax_error(&p, "<EOF>");
	return program->nproblems == 0 ? node : NULL;
}
