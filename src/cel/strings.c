/* Positions in strings count characters, and bytes that are none as one each. */
#include "config.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cel/cel_internal.h"

/* A string under construction, in the arena. */
struct builder {
	struct run *run;
	char *bytes;
	size_t len, cap;
	bool failed;
};

static void
put(struct builder *b, const char *bytes, size_t len)
{
	if (b->failed || !run_work(b->run, len / 8)) {
		b->failed = true;
		return;
	}
	if (b->cap - b->len < len) {
		size_t cap = 2 * b->len + len + 64;
		char *grown = arena_alloc(b->run->arena, cap);

		if (b->len > 0)
			memcpy(grown, b->bytes, b->len);
		b->bytes = grown;
		b->cap = cap;
	}
	if (len > 0)
		memcpy(b->bytes + b->len, bytes, len);
	b->len += len;
}

static struct cel_value
built(const struct builder *b)
{
	return b->failed ? cel_stopped() :
			   cel_string_n(b->len == 0 ? "" : b->bytes, b->len);
}

static struct cel_value
part(const char *start, const char *end)
{
	return cel_string_n(start, (size_t)(end - start));
}

static const char *
end_of(const struct cel_value *s)
{
	return s->text + s->len;
}

/* Where the nth character begins; NULL: there are fewer. */
static const char *
at_rune(const struct cel_value *s, int64_t n)
{
	const char *p = s->text;

	for (; n > 0 && p < end_of(s); n--)
		utf8_next(&p, end_of(s));
	return n == 0 ? p : NULL;
}

static const char *
find_bytes(const char *p, const char *end, const struct cel_value *sub)
{
	return memmem(p, (size_t)(end - p), sub->text, sub->len);
}

/* Whether the first string has the second: '^' where it begins, '$' where it ends,
 * '*' anywhere. */
static struct cel_value
has_text(struct run *run, const struct cel_value *args, char where)
{
	const struct cel_value *s = &args[0], *sub = &args[1];

	if (s->kind != CEL_STRING || sub->kind != CEL_STRING)
		return no_such_overload();
	if (where == '*') {
		run_work(run, s->len / 16);
		return cel_bool(find_bytes(s->text, end_of(s), sub) != NULL);
	}
	return cel_bool(sub->len <= s->len &&
	    memcmp(where == '^' ? s->text : end_of(s) - sub->len, sub->text,
		sub->len) == 0);
}

FUNCTION(string_contains, has_text(run, args, '*'))
FUNCTION(string_ends_with, has_text(run, args, '$'))
FUNCTION(string_starts_with, has_text(run, args, '^'))

static struct cel_value
out_of_range(struct run *run, int64_t index)
{
	return cel_error(run, "index out of range: %" PRId64, index);
}

struct cel_value
string_char_at(struct run *run, const struct cel_value *args, size_t n)
{
	int64_t i = args[1].integer;
	const char *start, *p;

	run_work(run, args[0].len / 16);
	start = i < 0 ? NULL : at_rune(&args[0], i);
	if (start == NULL)
		return out_of_range(run, i);
	p = start;
	if (p < end_of(&args[0]) && utf8_next(&p, end_of(&args[0])) == 0xfffd &&
	    p == start + 1)
		return cel_string("\xef\xbf\xbd");
	return part(start, p);
}

/* From the character at the third argument on, or back from it. */
static struct cel_value
index_of(struct run *run, const struct cel_value *args, size_t n, bool last)
{
	int64_t offset = n == 3 ? args[2].integer : 0;
	const struct cel_value *s = &args[0], *sub = &args[1];
	int64_t len, i = 0, found = -1;
	const char *p;

	if (!run_work(run, 1 + s->len / 4))
		return cel_stopped();
	len = (int64_t)rune_count(s->text, s->len);
	if (sub->len == 0)
		return cel_int(n < 3 && last ? len : offset);
	if (n < 3 && last)
		offset = len > 0 ? len - 1 : 0;
	if (offset < 0)
		return out_of_range(run, offset);
	if (offset >= len)
		return cel_int(-1);
	for (p = s->text; p < end_of(s); i++) {
		if (last ? i > offset : found >= 0)
			break;
		if (i >= (last ? 0 : offset) &&
		    (size_t)(end_of(s) - p) >= sub->len &&
		    memcmp(p, sub->text, sub->len) == 0)
			found = i;
		if (!run_work(run, 0))
			break;
		utf8_next(&p, end_of(s));
	}
	return cel_int(found);
}

FUNCTION(string_index_of, index_of(run, args, n, false))
FUNCTION(string_last_index_of, index_of(run, args, n, true))

static struct cel_value
with_case(struct run *run, const struct cel_value *s, char from)
{
	char *text = arena_strndup(run->arena, s->text, s->len);

	run_work(run, s->len / 16);
	for (uint32_t i = 0; i < s->len; i++)
		if (text[i] >= from && text[i] <= from + 25)
			text[i] ^= 0x20;
	return cel_string_n(text, s->len);
}

FUNCTION(string_lower, with_case(run, &args[0], 'A'))
FUNCTION(string_upper, with_case(run, &args[0], 'a'))

struct cel_value
string_replace(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *old = &args[1], *with = &args[2];
	int64_t left =
	    n == 4 && args[3].integer >= 0 ? args[3].integer : INT64_MAX;
	const char *p = args[0].text, *end = end_of(&args[0]);
	struct builder b = { .run = run };

	run_work(run, args[0].len / 16);
	if (old->len == 0) {
		/* before each character, and at the end */
		for (; left > 0 && !b.failed; left--) {
			const char *start = p;

			put(&b, with->text, with->len);
			if (p == end)
				break;
			utf8_next(&p, end);
			put(&b, start, (size_t)(p - start));
		}
	}
	for (; old->len > 0 && left > 0 && !b.failed; left--) {
		const char *found = find_bytes(p, end, old);

		if (found == NULL)
			break;
		put(&b, p, (size_t)(found - p));
		put(&b, with->text, with->len);
		p = found + old->len;
	}
	put(&b, p, (size_t)(end - p));
	return built(&b);
}

struct cel_value
string_split(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *sep = &args[1];
	int64_t most = n == 3 ? args[2].integer : -1;
	const char *p = args[0].text, *end = end_of(&args[0]);
	struct cel_value *parts = NULL;
	size_t nparts = 0, cap = 0;
	bool more = most != 0 && (sep->len > 0 || p < end);

	while (more) {
		const char *found, *next = p;

		if (!run_work(run, 2))
			return cel_stopped();
		if (most > 0 && (int64_t)nparts == most - 1) {
			found = NULL;
		} else if (sep->len == 0) {
			utf8_next(&next, end);
			found = next < end ? next : NULL;
		} else {
			run_work(run, (size_t)(end - p) / 64);
			found = find_bytes(p, end, sep);
			next = found == NULL ? end : found + sep->len;
		}
		more = found != NULL;
		arena_room(run->arena, parts, nparts, &cap);
		parts[nparts++] = part(p, more ? found : end);
		p = next;
	}
	return list_of(parts, nparts);
}

struct cel_value
string_substring(struct run *run, const struct cel_value *args, size_t n)
{
	int64_t start = args[1].integer, stop = n == 3 ? args[2].integer : 0;
	const char *from, *to = end_of(&args[0]);

	run_work(run, args[0].len / 8);
	if (n == 3 && start > stop)
		return cel_error(run,
		    "invalid substring range. start: %" PRId64
		    ", end: %" PRId64,
		    start, stop);
	from = start < 0 ? NULL : at_rune(&args[0], start);
	if (from == NULL)
		return out_of_range(run, start);
	if (n == 3)
		to = at_rune(&args[0], stop);
	return to == NULL ? out_of_range(run, stop) : part(from, to);
}

static bool
is_space(uint32_t c)
{
	return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 ||
	    c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
	    c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

struct cel_value
string_trim(struct run *run, const struct cel_value *args, size_t n)
{
	const char *start = NULL, *p = args[0].text, *end = p;

	run_work(run, args[0].len / 16);
	while (p < end_of(&args[0])) {
		const char *at = p;

		if (is_space(utf8_next(&p, end_of(&args[0]))))
			continue;
		end = p;
		if (start == NULL)
			start = at;
	}
	return start == NULL ? cel_string("") : part(start, end);
}

struct cel_value
string_quote(struct run *run, const struct cel_value *args, size_t n)
{
	static const char plain[] = "\a\b\f\n\r\t\v\\\"",
			  named[] = "abfnrtv\\\"";
	struct builder b = { .run = run };
	const char *p = args[0].text;

	put(&b, "\"", 1);
	while (p < end_of(&args[0])) {
		uint32_t c = utf8_next(&p, end_of(&args[0]));
		const char *found =
		    c == 0 || c > 0x7f ? NULL : strchr(plain, (int)c);
		char bytes[4];

		if (found != NULL) {
			bytes[0] = '\\';
			bytes[1] = named[found - plain];
			put(&b, bytes, 2);
		} else {
			put(&b, bytes, rune_put(bytes, c));
		}
	}
	put(&b, "\"", 1);
	return built(&b);
}

struct cel_value
string_join(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *items = value_items(&args[0]);
	struct builder b = { .run = run };

	for (size_t i = 0; i < value_len(&args[0]) && !b.failed; i++) {
		if (i > 0 && n == 2)
			put(&b, args[1].text, args[1].len);
		if (items[i].kind != CEL_STRING)
			return cel_error(run, "join: invalid input: %s",
			    value_text(run, &items[i]));
		run_work(run, 1);
		put(&b, items[i].text, items[i].len);
	}
	return built(&b);
}

/* Formats */

struct format {
	char verb;
	int precision; /* -1: none */
};

static const char *format_value(struct run *run, struct builder *b,
    const struct cel_value *value);

static const char *
must_be(struct run *run, const char *what, const struct cel_value *value)
{
	return arena_printf(run->arena,
	    "error during formatting: %s, was given %s", what,
	    kinds[value->kind].name);
}

static void
put_text(struct builder *b, const char *text)
{
	put(b, text, strlen(text));
}

/* A value within a list or a map. */
static const char *
format_element(struct run *run, struct builder *b,
    const struct cel_value *value)
{
	struct cel_value text;
	const char *quoted;

	switch ((int)value->kind) {
	case CEL_STRING:
		put_text(b, text_quote(run->arena, value->text, value->len));
		return NULL;
	case CEL_BYTES:
		text = value_to_string(run, value);
		if (is_error(&text))
			return "error during formatting: could not convert "
			       "argument to string";
		put(b, "b", 1);
		put_text(b, text_quote(run->arena, text.text, text.len));
		return NULL;
	case CEL_DOUBLE:
		put_text(b, arena_printf(run->arena, "%.6f", value->number));
		return NULL;
	case CEL_TIMESTAMP:
	case CEL_DURATION:
		text = value_to_string(run, value);
		quoted = text_quote(run->arena, text.text, text.len);
		put_text(b,
		    arena_printf(run->arena, "%s(%s)",
			value->kind == CEL_TIMESTAMP ? "timestamp" : "duration",
			quoted));
		return NULL;
	case CEL_OPTIONAL:
	case CEL_QUANTITY:
	case CEL_SEMVER:
	case CEL_IP:
	case CEL_CIDR:
	case CEL_FORMAT:
		return arena_printf(run->arena,
		    "error during formatting: no formatting function for %s",
		    kinds[value->kind].name);
	default:
		return format_value(run, b, value);
	}
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *
format_map(struct run *run, struct builder *b, const struct cel_value *map)
{
	const struct cel_value *items = value_items(map);
	size_t n = value_len(map);
	const char **entries = arena_array(run->arena, const char *, n + 1);
	const char *error;

	for (size_t i = 0; i < n; i++) {
		struct builder entry = { .run = run };

		if (items[2 * i].kind != CEL_STRING &&
		    items[2 * i].kind != CEL_BOOL &&
		    items[2 * i].kind != CEL_INT &&
		    items[2 * i].kind != CEL_UINT)
			return arena_printf(run->arena,
			    "error during formatting: no formatting function "
			    "for map key of type %s",
			    kinds[items[2 * i].kind].name);
		error = format_element(run, &entry, &items[2 * i]);
		put(&entry, ":", 1);
		if (error == NULL)
			error = format_element(run, &entry, &items[2 * i + 1]);
		if (error != NULL || entry.failed)
			return error == NULL ? "" : error;
		entries[i] = arena_strndup(run->arena, entry.bytes, entry.len);
	}
	if (n > 1 && run_work(run, 16 * n))
		qsort(entries, n, sizeof(*entries), by_text);
	put(b, "{", 1);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			put(b, ", ", 2);
		put_text(b, entries[i]);
	}
	put(b, "}", 1);
	return NULL;
}

/* %s; NULL, or an error. */
static const char *
format_value(struct run *run, struct builder *b, const struct cel_value *value)
{
	const struct cel_value *items;
	struct cel_value text;
	const char *error = NULL;

	if (value->kind == CEL_MAP)
		return format_map(run, b, value);
	if (value->kind == CEL_LIST) {
		items = value_items(value);
		put(b, "[", 1);
		for (size_t i = 0; i < value_len(value) && error == NULL; i++) {
			if (i > 0)
				put(b, ", ", 2);
			error = format_element(run, b, &items[i]);
		}
		put(b, "]", 1);
		return error;
	}
	if (value->kind >= CEL_OPTIONAL)
		return must_be(run,
		    "string clause can only be used on strings, bools, bytes, "
		    "ints, doubles, maps, lists, types, durations, and "
		    "timestamps",
		    value);
	text = value_to_string(run, value);
	if (is_error(&text))
		return arena_printf(run->arena,
		    "error during formatting: could not convert argument %s "
		    "to string",
		    text_quote(run->arena, text.text, strlen(text.text)));
	put(b, text.text, text.len);
	return NULL;
}

/* cel-go takes the precision for the width. */
static void
put_scientific(struct builder *b, const char *number, int width)
{
	static const char *const digits[] = { "\u2070", "\u00b9", "\u00b2",
		"\u00b3", "\u2074", "\u2075", "\u2076", "\u2077", "\u2078",
		"\u2079" };
	const char *e = strchr(number, 'e');

	/* × stands for the e, 10 and the exponent's digits for its own */
	for (size_t i = strlen(number) + 2 - (e[1] == '+'); i < (size_t)width;
	     i++)
		put(b, " ", 1);
	put(b, number, (size_t)(e - number));
	put_text(b, "\u00d710");
	if (e[1] == '-')
		put_text(b, "\u207b");
	for (e += 2; *e != '\0'; e++)
		put_text(b, digits[*e - '0']);
}

/* %f and %e. */
static const char *
format_double(struct run *run, struct builder *b, const struct format *f,
    const struct cel_value *value)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
	static const char *const shown[] = { "NaN", "\u221e", "-\u221e" };
	int precision = f->precision < 0 ? 6 : f->precision;
	const char *text;
	size_t word = LENGTH(words);

	for (size_t i = 0; i < LENGTH(words); i++)
		if (value->kind == CEL_STRING ?
			value->len == strlen(words[i]) &&
			    memcmp(value->text, words[i], value->len) == 0 :
			value->kind == CEL_DOUBLE &&
			    (i == 0        ? value->number != value->number :
				    i == 1 ? value->number > DBL_MAX :
					     value->number < -DBL_MAX))
			word = i;
	if (word < LENGTH(words)) {
		put_text(b, shown[word]);
		return NULL;
	}
	if (value->kind != CEL_DOUBLE)
		return must_be(run,
		    f->verb == 'f' ?
			"fixed-point clause can only be used on doubles" :
			"scientific clause can only be used on doubles",
		    value);
	if (!run_work(run, (uint64_t)precision))
		return "";
	text = arena_printf(run->arena, f->verb == 'f' ? "%.*f" : "%.*e",
	    f->verb == 'f' ? precision : 6, value->number);
	if (f->verb == 'f') {
		/* In groups of three digits, as in English. */
		const char *number = text;
		size_t whole;

		if (*number == '-')
			put(b, number++, 1);
		whole = strspn(number, "0123456789");
		for (size_t i = 0; i < whole; i++) {
			if (i > 0 && (whole - i) % 3 == 0)
				put(b, ",", 1);
			put(b, number + i, 1);
		}
		put_text(b, number + whole);
	} else
		put_scientific(b, text, precision);
	return NULL;
}

/* %b, %o, %x and %X of an integer. */
static void
put_based(struct builder *b, const struct cel_value *value, unsigned base,
    bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	bool negative = value->kind == CEL_INT && value->integer < 0;
	uint64_t left = negative ? 0 - value->natural : value->natural;
	char buf[66], *p = buf + sizeof(buf);

	if (value->kind == CEL_BOOL)
		left = value->boolean;
	do {
		*--p = digits[left % base];
		left /= base;
	} while (left > 0);
	if (negative)
		*--p = '-';
	put(b, p, (size_t)(buf + sizeof(buf) - p));
}

static const char *
format_based(struct run *run, struct builder *b, const struct format *f,
    const struct cel_value *value)
{
	static const struct {
		char verb;
		uint8_t base;
		const char *must;
	} rows[] = {
		{ 'd', 10, "decimal clause can only be used on integers" },
		{ 'o', 8, "octal clause can only be used on integers" },
		{ 'b', 2,
		    "only integers and bools can be formatted as binary" },
		{ 'x', 16,
		    "only integers, byte buffers, and strings can be formatted "
		    "as hex" },
	};
	char hex[3];
	size_t i = 0;

	while (rows[i].verb != (f->verb == 'X' ? 'x' : f->verb))
		i++;
	if (value->kind == CEL_INT || value->kind == CEL_UINT ||
	    (value->kind == CEL_BOOL && f->verb == 'b')) {
		put_based(b, value, rows[i].base, f->verb == 'X');
		return NULL;
	}
	if (rows[i].base != 16 ||
	    (value->kind != CEL_STRING && value->kind != CEL_BYTES))
		return must_be(run, rows[i].must, value);
	for (uint32_t k = 0; k < value->len; k++) {
		snprintf(hex, sizeof(hex), f->verb == 'X' ? "%02X" : "%02x",
		    (unsigned char)value->text[k]);
		put(b, hex, 2);
	}
	return NULL;
}

/* What is behind a %; moves *p beyond it. */
static const char *
read_format(struct run *run, const char **p, const char *end, struct format *f)
{
	f->precision = -1;
	if (**p == '.') {
		const char *digits = ++*p;

		f->precision = 0;
		while (*p < end && **p >= '0' && **p <= '9') {
			f->precision = f->precision * 10 + **p - '0';
			if (f->precision > 100000)
				f->precision = 100000;
			(*p)++;
		}
		if (*p == end)
			return "could not parse formatting clause: error while "
			       "parsing precision: could not find end of "
			       "precision specifier";
		if (*p == digits)
			return "could not parse formatting clause: error while "
			       "parsing precision: error while converting "
			       "precision to integer: strconv.Atoi: parsing "
			       "\"\": invalid syntax";
	}
	f->verb = *(*p)++;
	if (f->verb == '\0' || strchr("sdfebxXo", f->verb) == NULL) {
		char verb[4];

		return arena_printf(run->arena,
		    "could not parse formatting clause: unrecognized "
		    "formatting clause \"%.*s\"",
		    (int)rune_put(verb, (unsigned char)f->verb), verb);
	}
	return NULL;
}

struct cel_value
string_format(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *values = value_items(&args[1]), *value;
	const char *p = args[0].text, *end = end_of(&args[0]), *error;
	struct builder b = { .run = run };
	size_t used = 0;

	while (p < end && !b.failed) {
		struct format f;

		if (*p != '%' || (p + 1 < end && p[1] == '%')) {
			put(&b, p, 1);
			p += *p == '%' ? 2 : 1;
			continue;
		}
		if (used >= value_len(&args[1]))
			return cel_error(run, "index %zu out of range", used);
		if (++p == end)
			return cel_error_text("unexpected end of string");
		value = &values[used++];
		error = read_format(run, &p, end, &f);
		if (error == NULL)
			error = f.verb == 's' ?
			    format_value(run, &b, value) :
			    f.verb == 'f' || f.verb == 'e' ?
			    format_double(run, &b, &f, value) :
			    format_based(run, &b, &f, value);
		if (error != NULL && !b.failed)
			return cel_error_text(error);
	}
	return built(&b);
}

/* Regular expressions that are no literals */

static struct cel_value
with_pattern(struct run *run, const struct cel_value *args, size_t n,
    const char *name, const char *error)
{
	struct regex *regex;
	struct err err;

	if (!run_work(run, 64 * (1 + (uint64_t)args[1].len)))
		return cel_stopped();
	regex = regex_compile(run->arena, args[1].text, args[1].len, &err);
	if (regex == NULL)
		return cel_error(run, "%s%s", error, err.text);
	return regex_call(run, regex, name, args, n);
}

struct cel_value
string_matches(struct run *run, const struct cel_value *args, size_t n)
{
	if (args[0].kind != CEL_STRING)
		return kinds[args[0].kind].can & KIND_RECEIVES ?
		    no_such_overload() :
		    cel_error_text("no such overload: matches");
	if (args[1].kind != CEL_STRING)
		return no_such_overload();
	return with_pattern(run, args, n, "matches", "");
}

FUNCTION(string_find, with_pattern(run, args, n, "find", "Illegal regex: "))
FUNCTION(string_find_all,
    with_pattern(run, args, n, "findAll", "Illegal regex: "))
