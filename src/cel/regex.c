/*
 * A pattern becomes a tree, the tree a program, and all threads of the program
 * go through the text at once, the preferred one first (Pike's machine).
 *
 * Classes by script or property (\pL) are not known: they are errors.
 */
#include "config.h"

#include "base/utf8.h"
#include "cel/cel_internal.h"

#define MAX_RUNE 0x10ffff
#define MAX_REPEAT 1000
#define MAX_DEPTH 1000
#define MAX_PROGRAM 50000

enum re {
	RE_EMPTY,
	RE_CLASS,  /* ranges */
	RE_CAT,    /* a, then b */
	RE_ALT,    /* a, or else b */
	RE_REPEAT, /* a, from min to max times, max -1: without limit */
	RE_BEGIN_TEXT,
	RE_END_TEXT,
	RE_BEGIN_LINE,
	RE_END_LINE,
	RE_BOUNDARY,
	RE_NO_BOUNDARY,
};

struct range {
	uint32_t from, to;
};

struct re_node {
	enum re kind;
	struct re_node *a, *b;
	int min, max;
	bool lazy;
	struct range *ranges;
	size_t n, cap;
	unsigned depth;
	unsigned repeats; /* the product of the counts within */
};

#define FOLD 1    /* (?i) */
#define LINES 2   /* (?m) */
#define NEWLINE 4 /* (?s) */
#define LAZY 8    /* (?U) */

struct re_parser {
	struct arena *arena;
	const char *start, *p, *end;
	unsigned flags, depth;
	struct err *err;
	bool failed;
};

enum re_op { I_MATCH, I_CLASS, I_SPLIT, I_JUMP, I_ASSERT };
struct instruction {
	uint8_t op;
	uint8_t assert; /* enum re */
	uint32_t x, y;  /* SPLIT: the preferred one first */
	const struct re_node *class;
};

struct regex {
	struct arena *arena;
	struct instruction *code;
	size_t n, cap;
	bool too_large;
};

static struct re_node *
re_error(struct re_parser *p, const char *what, const char *from,
    const char *to)
{
	if (!p->failed)
		errf(p->err, "error parsing regexp: %s: `%.*s`", what,
		    (int)(to - from), from);
	p->failed = true;
	p->p = p->end;
	return NULL;
}

static struct re_node *
re_new(struct re_parser *p, enum re kind, struct re_node *a, struct re_node *b)
{
	struct re_node *node = arena_zalloc(p->arena, sizeof(*node));

	node->kind = kind;
	node->a = a;
	node->b = b;
	node->repeats = 1;
	if (a != NULL && a->repeats > node->repeats)
		node->repeats = a->repeats;
	if (b != NULL && b->repeats > node->repeats)
		node->repeats = b->repeats;
	return node;
}

/* Classes */

static void
add_range(struct re_parser *p, struct re_node *class, uint32_t from,
    uint32_t to)
{
	arena_room(p->arena, class->ranges, class->n, &class->cap);
	class->ranges[class->n].from = from;
	class->ranges[class->n++].to = to;
}

/* In place: all runes that are in none of the ranges. */
static void
negate(struct re_parser *p, struct re_node *class)
{
	struct re_node out = { .n = 0 };
	uint32_t next = 0;

	while (next <= MAX_RUNE) {
		uint32_t least = MAX_RUNE + 1, past = next;

		for (size_t i = 0; i < class->n; i++) {
			if (class->ranges[i].from <= past &&
			    class->ranges[i].to >= past)
				past = class->ranges[i].to + 1;
			if (class->ranges[i].from >= next &&
			    class->ranges[i].from < least)
				least = class->ranges[i].from;
		}
		if (past > next) {
			next = past;
			continue;
		}
		add_range(p, &out, next, least - 1);
		next = least;
	}
	class->ranges = out.ranges;
	class->n = out.n;
	class->cap = out.cap;
}

static void
add_class(struct re_parser *p, struct re_node *class, const char *ranges,
    bool negated)
{
	struct re_node one = { .n = 0 };

	for (; ranges[0] != '\0'; ranges += 2)
		add_range(p, &one, (unsigned char)ranges[0],
		    (unsigned char)ranges[1]);
	if (negated)
		negate(p, &one);
	for (size_t i = 0; i < one.n; i++)
		add_range(p, class, one.ranges[i].from, one.ranges[i].to);
}

/* The other case of ASCII letters. */
static void
fold_case(struct re_parser *p, struct re_node *class)
{
	size_t n = class->n;

	for (size_t i = 0; i < n && (p->flags & FOLD) != 0; i++) {
		for (uint32_t c = 'A'; c <= 'Z'; c++) {
			struct range r = class->ranges[i];

			if (r.from <= c && c <= r.to)
				add_range(p, class, c | 0x20, c | 0x20);
			if (r.from <= (c | 0x20) && (c | 0x20) <= r.to)
				add_range(p, class, c, c);
		}
	}
}

static const struct {
	const char *name, *ranges;
} posix_classes[] = {
	{ "alnum", "09AZaz" },
	{ "alpha", "AZaz" },
	{ "ascii", "\x01\x7f" },
	{ "blank", "\t\t  " },
	{ "cntrl", "\x01\x1f\x7f\x7f" },
	{ "digit", "09" },
	{ "graph", "!~" },
	{ "lower", "az" },
	{ "print", " ~" },
	{ "punct", "!/:@[`{~" },
	{ "space", "\t\r  " },
	{ "upper", "AZ" },
	{ "word", "09AZ__az" },
	{ "xdigit", "09AFaf" },
};

static uint32_t
hex_value(char c)
{
	return (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

static uint32_t
next_rune(struct re_parser *p)
{
	if (p->p < p->end &&
	    utf8_len((const unsigned char *)p->p,
		(const unsigned char *)p->end) == 0)
		re_error(p, "invalid UTF-8", p->start, p->end);
	return p->p < p->end ? utf8_next(&p->p, p->end) : 0;
}

/* The rune of an escape sequence whose backslash is at p. */
static uint32_t
escaped(struct re_parser *p)
{
	static const char from[] = "afnrtv", to[] = "\a\f\n\r\t\v";
	const char *start = p->p++, *found;
	uint32_t c, value = 0;
	int n = 0;

	if (p->p == p->end) {
		re_error(p, "trailing backslash at end of expression", start,
		    start);
		return 0;
	}
	c = next_rune(p);
	if (c >= '0' && c <= '7' &&
	    (c == '0' || (p->p < p->end && *p->p >= '0' && *p->p <= '7'))) {
		value = c - '0';
		for (; n < 2 && p->p < p->end && *p->p >= '0' && *p->p <= '7';
		     n++)
			value = value * 8 + (uint32_t)(*p->p++ - '0');
		return value;
	}
	if (c == 'x' && p->p < p->end && *p->p == '{') {
		for (p->p++; p->p < p->end && is_hex(*p->p); n++) {
			value = value * 16 + hex_value(*p->p++);
			if (value > MAX_RUNE)
				break;
		}
		if (n > 0 && value <= MAX_RUNE && p->p < p->end &&
		    *p->p == '}') {
			p->p++;
			return value;
		}
	} else if (c == 'x' && p->end - p->p >= 2 && is_hex(p->p[0]) &&
	    is_hex(p->p[1])) {
		p->p += 2;
		return hex_value(p->p[-2]) * 16 + hex_value(p->p[-1]);
	} else if (c < 0x80 && (found = strchr(from, (int)c)) != NULL &&
	    c != 0) {
		return (unsigned char)to[found - from];
	} else if (c < 0x80 && !is_letter((char)c) && !is_digit((char)c)) {
		return c;
	}
	re_error(p, "invalid escape sequence", start, p->p);
	return 0;
}

/* [:alpha:] at p; false: it is none. */
static bool
posix_class(struct re_parser *p, struct re_node *class)
{
	const char *s = p->p + 2, *close;
	bool negated;

	if (p->end - p->p < 4 || p->p[0] != '[' || p->p[1] != ':')
		return false;
	close = memmem(s, (size_t)(p->end - s), ":]", 2);
	if (close == NULL)
		return false;
	negated = *s == '^';
	s += negated;
	for (size_t i = 0; i < LENGTH(posix_classes); i++) {
		size_t len = strlen(posix_classes[i].name);

		if ((size_t)(close - s) != len ||
		    memcmp(s, posix_classes[i].name, len) != 0)
			continue;
		add_class(p, class, posix_classes[i].ranges, negated);
		p->p = close + 2;
		return true;
	}
	re_error(p, "invalid character class range", p->p, close + 2);
	return true;
}

/* A class by an escape at p; false: it is none. */
static bool
escaped_class(struct re_parser *p, struct re_node *class)
{
	const char *ranges;
	char c;

	if (p->end - p->p < 2 || p->p[0] != '\\')
		return false;
	if (p->p[1] == 'p' || p->p[1] == 'P') {
		re_error(p, "invalid character class range", p->p, p->p + 2);
		return true;
	}
	/* Of \d, \s or \w, in either case; NULL: of none. */
	c = p->p[1];
	c |= 0x20;
	ranges = c == 'd' ? "09" :
	    c == 's'      ? "\t\n\f\r  " :
	    c == 'w'      ? "09AZ__az" :
			    NULL;
	if (ranges == NULL)
		return false;
	add_class(p, class, ranges, p->p[1] < 'a');
	p->p += 2;
	return true;
}

static struct re_node *
bracket(struct re_parser *p)
{
	struct re_node *class = re_new(p, RE_CLASS, NULL, NULL);
	const char *start = p->p++;
	bool negated = p->p < p->end && *p->p == '^', first = true;

	p->p += negated;
	while (!p->failed && (first || p->p == p->end || *p->p != ']')) {
		const char *at = p->p;
		uint32_t from, to;

		if (p->p == p->end)
			return re_error(p, "missing closing ]", start, p->end);
		first = false;
		if (posix_class(p, class) || escaped_class(p, class))
			continue;
		from = to = *p->p == '\\' ? escaped(p) : next_rune(p);
		if (p->end - p->p >= 2 && p->p[0] == '-' && p->p[1] != ']') {
			p->p++;
			to = *p->p == '\\' ? escaped(p) : next_rune(p);
			if (to < from && !p->failed)
				return re_error(p,
				    "invalid character class range", at, p->p);
		}
		add_range(p, class, from, to);
	}
	if (p->failed)
		return NULL;
	p->p++;
	fold_case(p, class);
	if (negated)
		negate(p, class);
	return class;
}

static struct re_node *
one_rune(struct re_parser *p, uint32_t c)
{
	struct re_node *class = re_new(p, RE_CLASS, NULL, NULL);

	add_range(p, class, c, c);
	fold_case(p, class);
	return class;
}

/* Rules */

static struct re_node *alternatives(struct re_parser *p);

static struct re_node *
cat(struct re_parser *p, struct re_node *a, struct re_node *b)
{
	if (a == NULL || a->kind == RE_EMPTY)
		return b;
	return re_new(p, RE_CAT, a, b);
}

/* The flags behind (?; false: they are none. */
static bool
read_flags(struct re_parser *p)
{
	unsigned flags = p->flags;
	bool off = false, any = false;

	for (; p->p < p->end; p->p++) {
		static const char names[] = "imsU";
		const char *found = strchr(names, *p->p);

		if (*p->p == '-' && !off) {
			off = true;
			any = false;
		} else if (*p->p == ':' || *p->p == ')') {
			if (off && !any)
				return false;
			p->flags = flags;
			return true;
		} else if (*p->p != '\0' && found != NULL) {
			any = true;
			if (off)
				flags &= ~(1u << (found - names));
			else
				flags |= 1u << (found - names);
		} else {
			return false;
		}
	}
	return false;
}

static struct re_node *
group(struct re_parser *p)
{
	const char *start = p->p++, *close;
	unsigned flags = p->flags;
	struct re_node *node;

	if (++p->depth > MAX_DEPTH)
		return re_error(p, "expression nests too deeply", p->start,
		    p->end);
	if (p->end - p->p >= 1 && p->p[0] == '?') {
		size_t skip =
		    p->end - p->p >= 3 && p->p[1] == 'P' && p->p[2] == '<' ? 3 :
		    p->end - p->p >= 2 && p->p[1] == '<'                   ? 2 :
									     0;

		p->p++;
		if (skip > 0) {
			const char *name = p->p - 1 + skip;
			const char *s;
			bool valid;

			close = memchr(name, '>', (size_t)(p->end - name));
			if (close == NULL)
				return re_error(p, "invalid named capture",
				    start, p->end);
			s = name;
			valid = s < close;
			for (; s < close; s++)
				valid &= is_letter(*s) || is_digit(*s);
			if (!valid)
				return re_error(p, "invalid named capture",
				    start, close + 1);
			p->p = close + 1;
		} else if (!read_flags(p)) {
			return re_error(p, "invalid or unsupported Perl syntax",
			    start, p->p < p->end ? p->p + 1 : p->end);
		} else if (*p->p++ == ')') {
			p->depth--;
			return re_new(p, RE_EMPTY, NULL, NULL);
		}
	}
	node = alternatives(p);
	if (p->failed)
		return NULL;
	if (p->p == p->end)
		return re_error(p, "missing closing )", p->start, p->end);
	p->p++;
	p->flags = flags;
	p->depth--;
	return node;
}

/* \b and the like, or NULL. */
static struct re_node *
escaped_assertion(struct re_parser *p)
{
	static const struct {
		char c;
		enum re kind;
	} assertions[] = {
		{ 'A', RE_BEGIN_TEXT },
		{ 'z', RE_END_TEXT },
		{ 'b', RE_BOUNDARY },
		{ 'B', RE_NO_BOUNDARY },
	};

	for (size_t i = 0; i < LENGTH(assertions); i++) {
		if (p->end - p->p >= 2 && p->p[1] == assertions[i].c) {
			p->p += 2;
			return re_new(p, assertions[i].kind, NULL, NULL);
		}
	}
	return NULL;
}

static struct re_node *
atom(struct re_parser *p)
{
	struct re_node *node;

	switch (*p->p) {
	case '(':
		return group(p);
	case '[':
		return bracket(p);
	case '.':
		p->p++;
		node = re_new(p, RE_CLASS, NULL, NULL);
		if ((p->flags & NEWLINE) == 0)
			add_range(p, node, '\n', '\n');
		negate(p, node);
		return node;
	case '^':
		p->p++;
		return re_new(p,
		    p->flags & LINES ? RE_BEGIN_LINE : RE_BEGIN_TEXT, NULL,
		    NULL);
	case '$':
		p->p++;
		return re_new(p, p->flags & LINES ? RE_END_LINE : RE_END_TEXT,
		    NULL, NULL);
	case '*':
	case '+':
	case '?':
		return re_error(p, "missing argument to repetition operator",
		    p->p, p->p + 1);
	case '\\':
		node = escaped_assertion(p);
		if (node != NULL)
			return node;
		if (p->end - p->p >= 2 && p->p[1] == 'Q') {
			/* \Q…\E */
			const char *end =
			    memmem(p->p, (size_t)(p->end - p->p), "\\E", 2);
			const char *stop = end == NULL ? p->end : end;

			node = re_new(p, RE_EMPTY, NULL, NULL);
			p->p += 2;
			while (p->p < stop && !p->failed)
				node = cat(p, node, one_rune(p, next_rune(p)));
			if (!p->failed)
				p->p = end == NULL ? p->end : end + 2;
			return node;
		}
		node = re_new(p, RE_CLASS, NULL, NULL);
		if (escaped_class(p, node))
			return node;
		return one_rune(p, escaped(p));
	default:
		return one_rune(p, next_rune(p));
	}
}

/* {2,3} at p; false: it is literal. */
static bool
read_counts(struct re_parser *p, int *min, int *max)
{
	const char *s = p->p + 1;
	int *count = min;

	*min = *max = -1;
	while (s < p->end && *s != '}') {
		if (*s == ',' && count == min && *min >= 0) {
			count = max;
		} else if (*s >= '0' && *s <= '9') {
			*count = (*count < 0 ? 0 : *count) * 10 + *s - '0';
			if (*count > 100000)
				*count = 100000;
		} else {
			return false;
		}
		s++;
	}
	if (s == p->end || *min < 0)
		return false;
	if (count == min)
		*max = *min;
	p->p = s + 1;
	return true;
}

/* An atom with its repetitions. */
static struct re_node *
repeated(struct re_parser *p)
{
	struct re_node *node = atom(p);
	const char *first = NULL;

	while (!p->failed && p->p < p->end) {
		const char *op = p->p;
		struct re_node *repeat;
		int min = *op == '+', max = *op == '?' ? 1 : -1;

		if (*op != '*' && *op != '+' && *op != '?' && *op != '{')
			break;
		if (*op == '{') {
			if (!read_counts(p, &min, &max))
				break;
		} else {
			p->p++;
		}
		if (min > MAX_REPEAT || max > MAX_REPEAT ||
		    (max >= 0 && min > max))
			return re_error(p, "invalid repeat count", op, p->p);
		repeat = re_new(p, RE_REPEAT, node, NULL);
		repeat->min = min;
		repeat->max = max;
		if (*op == '{')
			repeat->repeats *= (unsigned)(max > min ? max :
				min > 0                         ? min :
								  1);
		repeat->lazy = (p->flags & LAZY) != 0;
		if (p->p < p->end && *p->p == '?') {
			repeat->lazy = !repeat->lazy;
			p->p++;
		}
		if (first != NULL)
			return re_error(p, "invalid nested repetition operator",
			    first, p->p);
		if (repeat->repeats > MAX_REPEAT)
			return re_error(p, "invalid repeat count", op, p->p);
		first = op;
		node = repeat;
	}
	return p->failed ? NULL : node;
}

static struct re_node *
alternatives(struct re_parser *p)
{
	struct re_node *all = NULL, *one = re_new(p, RE_EMPTY, NULL, NULL);

	while (!p->failed && p->p < p->end && *p->p != ')') {
		if (*p->p == '|') {
			p->p++;
			all = all == NULL ? one : re_new(p, RE_ALT, all, one);
			one = re_new(p, RE_EMPTY, NULL, NULL);
			continue;
		}
		one = cat(p, one, repeated(p));
	}
	return all == NULL ? one : re_new(p, RE_ALT, all, one);
}

/* Programs */

static uint32_t
emit(struct regex *re, enum re_op op)
{
	if (re->n >= MAX_PROGRAM) {
		re->too_large = true;
		re->n = MAX_PROGRAM - 1;
	}
	arena_room(re->arena, re->code, re->n, &re->cap);
	memset(&re->code[re->n], 0, sizeof(re->code[0]));
	re->code[re->n].op = op;
	return (uint32_t)re->n++;
}

static void
set_split(struct regex *re, uint32_t at, bool lazy, uint32_t more,
    uint32_t rest)
{
	re->code[at].x = lazy ? rest : more;
	re->code[at].y = lazy ? more : rest;
}

static void generate(struct regex *re, const struct re_node *node);

static void
generate_repeat(struct regex *re, const struct re_node *node)
{
	uint32_t split, jump, first = UINT32_MAX;
	int optional = node->max - node->min;

	for (int i = 0; i < node->min && !re->too_large; i++)
		generate(re, node->a);
	if (node->max < 0) {
		split = emit(re, I_SPLIT);
		generate(re, node->a);
		jump = emit(re, I_JUMP);
		re->code[jump].x = split;
		set_split(re, split, node->lazy, split + 1, (uint32_t)re->n);
		return;
	}
	/* each of the optional ones skips to the end; a list through y */
	for (int i = 0; i < optional && !re->too_large; i++) {
		split = emit(re, I_SPLIT);
		re->code[split].y = first;
		first = split;
		generate(re, node->a);
	}
	while (first != UINT32_MAX && !re->too_large) {
		split = first;
		first = re->code[split].y;
		set_split(re, split, node->lazy, split + 1, (uint32_t)re->n);
	}
}

static void
generate(struct regex *re, const struct re_node *node)
{
	uint32_t split, jump;

	if (re->too_large)
		return;
	switch (node->kind) {
	case RE_EMPTY:
		return;
	case RE_CLASS:
		split = emit(re, I_CLASS);
		re->code[split].class = node;
		return;
	case RE_CAT:
		generate(re, node->a);
		generate(re, node->b);
		return;
	case RE_ALT:
		split = emit(re, I_SPLIT);
		generate(re, node->a);
		jump = emit(re, I_JUMP);
		set_split(re, split, false, split + 1, (uint32_t)re->n);
		generate(re, node->b);
		re->code[jump].x = (uint32_t)re->n;
		return;
	case RE_REPEAT:
		generate_repeat(re, node);
		return;
	case RE_BEGIN_TEXT:
	case RE_END_TEXT:
	case RE_BEGIN_LINE:
	case RE_END_LINE:
	case RE_BOUNDARY:
	case RE_NO_BOUNDARY:
		split = emit(re, I_ASSERT);
		re->code[split].assert = (uint8_t)node->kind;
		return;
	}
}

struct regex *
regex_compile(struct arena *arena, const char *pattern, size_t len,
    struct err *err)
{
	struct re_parser p = {
		.arena = arena,
		.start = pattern,
		.p = pattern,
		.end = pattern + len,
		.err = err,
	};
	struct regex *re = arena_zalloc(arena, sizeof(*re));
	struct re_node *node = alternatives(&p);

	if (!p.failed && p.p < p.end)
		re_error(&p, "unexpected )", p.start, p.end);
	if (p.failed)
		return NULL;
	re->arena = arena;
	generate(re, node);
	emit(re, I_MATCH);
	if (re->too_large) {
		re_error(&p, "expression too large", p.start, p.end);
		return NULL;
	}
	return re;
}

/* The machine */

struct thread {
	uint32_t at;
	size_t start;
};

struct threads {
	struct thread *list;
	size_t n;
	uint32_t *seen; /* by instruction: the step that added it */
};

struct machine {
	const struct regex *re;
	const char *text;
	size_t len;
	uint32_t *stack;
	uint32_t step;
	uint64_t visited;
};

static bool
is_word_at(const struct machine *m, size_t at)
{
	char c = at < m->len ? m->text[at] : ' ';

	return is_letter(c) || is_digit(c);
}

static bool
holds(const struct machine *m, enum re assert, size_t at)
{
	bool boundary;

	switch ((int)assert) {
	case RE_BEGIN_TEXT:
		return at == 0;
	case RE_END_TEXT:
		return at == m->len;
	case RE_BEGIN_LINE:
		return at == 0 || m->text[at - 1] == '\n';
	case RE_END_LINE:
		return at == m->len || m->text[at] == '\n';
	default:
		boundary =
		    (at > 0 && is_word_at(m, at - 1)) != is_word_at(m, at);
		return boundary == (assert == RE_BOUNDARY);
	}
}

/* Adds the thread, and those that it becomes without reading. */
static void
add_thread(struct machine *m, struct threads *to, uint32_t at, size_t start,
    size_t position)
{
	size_t depth = 0;

	m->stack[depth++] = at;
	while (depth > 0) {
		const struct instruction *i;

		at = m->stack[--depth];
		if (to->seen[at] == m->step)
			continue;
		to->seen[at] = m->step;
		m->visited++;
		i = &m->re->code[at];
		switch ((enum re_op)i->op) {
		case I_JUMP:
			m->stack[depth++] = i->x;
			break;
		case I_SPLIT:
			m->stack[depth++] = i->y;
			m->stack[depth++] = i->x;
			break;
		case I_ASSERT:
			if (holds(m, i->assert, position))
				m->stack[depth++] = at + 1;
			break;
		case I_CLASS:
		case I_MATCH:
			to->list[to->n].at = at;
			to->list[to->n++].start = start;
		}
	}
}

bool
regex_match(struct run *run, const struct regex *re, const char *text,
    size_t len, size_t from, size_t *start, size_t *end)
{
	struct machine m = { .re = re, .text = text, .len = len };
	struct threads lists[2], *now = &lists[0], *then = &lists[1];
	const char *p = text + from, *stop = text + len;
	bool matched = false;

	for (int i = 0; i < 2; i++) {
		lists[i].n = 0;
		lists[i].list =
		    arena_alloc(run->arena, re->n * sizeof(struct thread));
		lists[i].seen = arena_array(run->arena, uint32_t, re->n);
	}
	m.stack = arena_alloc(run->arena, (2 * re->n + 2) * sizeof(uint32_t));
	run_work(run, re->n);
	for (;;) {
		size_t at = (size_t)(p - text);
		uint32_t c = 0;

		m.step++;
		then->n = 0;
		m.visited = 1;
		if (!matched) {
			/* a match that begins here is the last choice; seen
			 * has the threads that are there already */
			for (size_t i = 0; i < now->n; i++)
				now->seen[now->list[i].at] = m.step;
			add_thread(&m, now, 0, at, at);
		}
		if (now->n == 0 && matched)
			break;
		m.step++;
		if (p < stop)
			c = utf8_next(&p, stop);
		else
			p = stop + 1;
		for (size_t i = 0; i < now->n; i++) {
			const struct instruction *in =
			    &re->code[now->list[i].at];

			if (in->op == I_MATCH) {
				matched = true;
				*start = now->list[i].start;
				*end = at;
				break;
			}
			m.visited += in->class->n / 4;
			if (p <= stop &&
			    ANY(k, in->class->n,
				in->class->ranges[k].from <= c &&
				    c <= in->class->ranges[k].to))
				add_thread(&m, then, now->list[i].at + 1,
				    now->list[i].start, (size_t)(p - text));
		}
		if (p > stop || !run_work(run, 1 + m.visited / 4))
			break;
		struct threads *swap = now;

		now = then;
		then = swap;
	}
	return matched;
}

bool
regex_is_function(const char *name)
{
	return strcmp(name, "matches") == 0 || strcmp(name, "find") == 0 ||
	    strcmp(name, "findAll") == 0;
}

struct cel_value
regex_call(struct run *run, const struct regex *re, const char *name,
    const struct cel_value *args, size_t n)
{
	const char *text = args[0].text;
	size_t len = args[0].len, start, end, at = 0, nfound = 0, cap = 0;
	int64_t most = n == 3 ? args[2].integer : -1;
	size_t last_end = SIZE_MAX;
	struct cel_value *found = NULL;
	bool matched;

	if (n == 3 && args[2].kind != CEL_INT)
		return no_such_overload();
	if (strcmp(name, "findAll") != 0) {
		matched = regex_match(run, re, text, len, 0, &start, &end);
		if (name[0] == 'm')
			return cel_bool(matched);
		return matched ? cel_string_n(text + start, end - start) :
				 cel_string("");
	}
	while (at <= len && (most < 0 || (int64_t)nfound < most) &&
	    regex_match(run, re, text, len, at, &start, &end)) {
		bool accept = end != at || start != last_end;
		const char *next = text + at;

		if (end == at && at < len)
			utf8_next(&next, text + len);
		at = end != at ? end :
		    at < len   ? (size_t)(next - text) :
				 len + 1;
		last_end = end;
		if (!accept)
			continue;
		arena_room(run->arena, found, nfound, &cap);
		found[nfound++] = cel_string_n(text + start, end - start);
	}
	return list_of(found, nfound);
}
