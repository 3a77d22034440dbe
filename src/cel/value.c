#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cel/cel_internal.h"

/* Constructors */

struct cel_value
cel_null(void)
{
	return (struct cel_value){ .kind = CEL_NULL };
}

struct cel_value
cel_bool(bool value)
{
	return (struct cel_value){ .kind = CEL_BOOL, .boolean = value };
}

struct cel_value
cel_int(int64_t value)
{
	return (struct cel_value){ .kind = CEL_INT, .integer = value };
}

struct cel_value
cel_uint(uint64_t value)
{
	return (struct cel_value){ .kind = CEL_UINT, .natural = value };
}

struct cel_value
cel_double(double value)
{
	return (struct cel_value){ .kind = CEL_DOUBLE, .number = value };
}

struct cel_value
cel_string_n(const char *text, size_t len)
{
	return (struct cel_value){ .kind = CEL_STRING,
		.text = text,
		.len = (uint32_t)len };
}

struct cel_value
cel_string(const char *text)
{
	return cel_string_n(text, strlen(text));
}

struct cel_value
cel_type_value(const struct type *type)
{
	return (struct cel_value){ .kind = CEL_TYPE, .data = type };
}

struct cel_value
list_of(const struct cel_value *items, size_t n)
{
	return (struct cel_value){ .kind = CEL_LIST,
		.data = items,
		.len = (uint32_t)n };
}

struct cel_value
map_of(const struct cel_value *items, size_t n)
{
	return (struct cel_value){ .kind = CEL_MAP,
		.data = items,
		.len = (uint32_t)n };
}

struct cel_value
cel_map(struct arena *arena, const struct cel_entry *entries, size_t n)
{
	return map_of(arena_memdup(arena, entries, n * sizeof(*entries)), n);
}

/* zone: it has a default. */
struct cel_value
cel_map_of_maps(struct arena *arena, const struct cel_entry *entries, size_t n)
{
	struct cel_value map = cel_map(arena, entries, n);

	map.zone = 1;
	return map;
}

struct cel_value
cel_optional(struct run *run, const struct cel_value *value)
{
	return (struct cel_value){ .kind = CEL_OPTIONAL,
		.data = value == NULL ?
		    NULL :
		    arena_memdup(run->arena, value, sizeof(*value)) };
}

struct cel_value
cel_text(struct run *run, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = arena_alloc(run->arena, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return cel_string_n(text, (size_t)len);
}

/* Errors */

struct cel_value
cel_error_text(const char *text)
{
	return (struct cel_value){ .kind = CEL_ERROR, .text = text };
}

struct cel_value
cel_error(struct run *run, const char *fmt, ...)
{
	struct err err;
	va_list ap;

	va_start(ap, fmt);
	verrf(&err, fmt, ap);
	va_end(ap);
	return cel_error_text(arena_strdup(run->arena, err.text));
}

struct cel_value
no_such_overload(void)
{
	return cel_error_text("no such overload");
}

struct cel_value
cel_stopped(void)
{
	return cel_error_text(
	    "operation cancelled: actual cost limit exceeded");
}

bool
run_work(struct run *run, uint64_t units)
{
	if (units > run->work_limit - run->work) {
		run->work = run->work_limit;
		run->stopped = true;
		return false;
	}
	run->work += units;
	return !run->stopped;
}

void
run_charge(struct run *run, uint64_t cost)
{
	run->cost =
	    cost > UINT64_MAX - run->cost ? UINT64_MAX : run->cost + cost;
	if (run->cost > run->limit)
		run->stopped = true;
}

struct cel_value *
new_items(struct run *run, size_t n)
{
	if (!run_work(run, n + 1))
		return NULL;
	return arena_alloc(run->arena, (n + 1) * sizeof(struct cel_value));
}

/* Lists and maps */

size_t
value_len(const struct cel_value *value)
{
	return value->flag ? ((const struct cel_growing *)value->data)->n :
			     value->len;
}

const struct cel_value *
value_items(const struct cel_value *value)
{
	return value->flag ? ((const struct cel_growing *)value->data)->values :
			     value->data;
}

/* The same kind and value: maps have separate keys 1, 1u and 1.0. */
static const struct cel_value *
find_same(const struct cel_value *map, const struct cel_value *key)
{
	const struct cel_value *items = value_items(map);
	size_t n = value_len(map);

	for (size_t i = 0; i < 2 * n; i += 2) {
		if (items[i].kind != key->kind)
			continue;
		if (key->kind == CEL_STRING ? items[i].len == key->len &&
			    memcmp(items[i].text, key->text, key->len) == 0 :
					      items[i].natural == key->natural)
			return &items[i + 1];
	}
	return NULL;
}

static bool
is_whole(double d, double least, double above)
{
	return d > least && d < above && d == trunc(d);
}

#define TWO_63 9223372036854775808.0
#define TWO_64 18446744073709551616.0

const struct cel_value *
map_find(struct run *run, const struct cel_value *map,
    const struct cel_value *key)
{
	const struct cel_value *found = NULL;
	struct cel_value other;

	if (!run_work(run, value_len(map) / 8) || value_len(map) == 0)
		return NULL;
	found = find_same(map, key);
	if (found != NULL || key->kind == CEL_STRING)
		return found;
	if (key->kind == CEL_DOUBLE) {
		if (is_whole(key->number, -TWO_63, TWO_63)) {
			other = cel_int((int64_t)key->number);
			found = find_same(map, &other);
		}
		if (found == NULL && is_whole(key->number, -1, TWO_64)) {
			other = cel_uint((uint64_t)key->number);
			found = find_same(map, &other);
		}
	} else if (key->kind == CEL_INT && key->integer >= 0) {
		other = cel_uint((uint64_t)key->integer);
		found = find_same(map, &other);
	} else if (key->kind == CEL_UINT && key->natural <= INT64_MAX) {
		other = cel_int((int64_t)key->natural);
		found = find_same(map, &other);
	}
	return found;
}

bool
list_has(struct run *run, const struct cel_value *list,
    const struct cel_value *value)
{
	const struct cel_value *items = value_items(list);
	size_t n = value_len(list);

	for (size_t i = 0; i < n && !run->stopped; i++)
		if (value_equal(run, value, &items[i]) == EQUAL)
			return true;
	return false;
}

/* Comparisons */

static int
order(bool less, bool more)
{
	return (int)more - (int)less;
}

/* Of two numbers that are not NaN, as cel-go: doubles may be rounded. */
static int
cmp_numbers(const struct cel_value *a, const struct cel_value *b)
{
	if (a->kind == CEL_DOUBLE) {
		double other = b->kind == CEL_DOUBLE ? b->number :
		    b->kind == CEL_INT               ? (double)b->integer :
						       (double)b->natural;

		return order(a->number<other, a->number> other);
	}
	if (b->kind == CEL_DOUBLE ||
	    (a->kind == CEL_UINT && b->kind == CEL_INT))
		return -cmp_numbers(b, a);
	if (a->kind == CEL_INT && b->kind == CEL_INT)
		return order(a->integer<b->integer, a->integer> b->integer);
	if (a->kind == CEL_INT && a->integer < 0)
		return -1;
	return order(a->natural<b->natural, a->natural> b->natural);
}

static bool
is_number(const struct cel_value *value)
{
	return value->kind == CEL_INT || value->kind == CEL_UINT ||
	    value->kind == CEL_DOUBLE;
}

static bool
is_nan(const struct cel_value *value)
{
	return value->kind == CEL_DOUBLE && isnan(value->number);
}

struct cel_value
value_compare(struct run *run, const struct cel_value *a,
    const struct cel_value *b)
{
	size_t len;
	int cmp;

	if (is_nan(a) || (is_number(a) && is_nan(b)))
		return cel_error_text("NaN values cannot be ordered");
	if (is_number(a) && is_number(b))
		return cel_int(cmp_numbers(a, b));
	if (a->kind != b->kind)
		return no_such_overload();
	switch (a->kind) {
	case CEL_BOOL:
		cmp = order(a->boolean<b->boolean, a->boolean> b->boolean);
		break;
	case CEL_STRING:
	case CEL_BYTES:
		len = a->len < b->len ? a->len : b->len;
		run_work(run, len / 16);
		cmp = len == 0 ? 0 : memcmp(a->text, b->text, len);
		if (cmp == 0)
			cmp = order(a->len<b->len, a->len> b->len);
		break;
	case CEL_DURATION:
	case CEL_TIMESTAMP:
		cmp = order(a->integer<b->integer, a->integer> b->integer);
		if (cmp == 0 && a->kind == CEL_TIMESTAMP)
			cmp = order(a->len<b->len, a->len> b->len);
		break;
	default:
		return no_such_overload();
	}
	return cel_int(order(cmp<0, cmp> 0));
}

static enum equality
equal_items(struct run *run, const struct cel_value *a,
    const struct cel_value *b)
{
	const struct cel_value *x = value_items(a), *y = value_items(b);
	size_t n = value_len(a);

	if (n != value_len(b))
		return DIFFERENT;
	for (size_t i = 0; i < n && !run->stopped; i++) {
		const struct cel_value *other = &y[i];

		if (a->kind == CEL_MAP) {
			other = map_find(run, b, &x[2 * i]);
			if (other == NULL && b->zone == 0)
				return DIFFERENT;
			if (value_equal(run, &x[2 * i + 1], other) == DIFFERENT)
				return DIFFERENT;
		} else if (value_equal(run, &x[i], other) == DIFFERENT) {
			return DIFFERENT;
		}
	}
	return EQUAL;
}

enum equality
value_equal(struct run *run, const struct cel_value *a,
    const struct cel_value *b)
{
	static const struct cel_value empty = { .kind = CEL_MAP };
	struct cel_value cmp;

	/* the default of a map of maps */
	if (b == NULL)
		b = &empty;
	if (!run_work(run, 1))
		return DIFFERENT;
	if (is_number(a) && is_number(b))
		return is_nan(a) || is_nan(b) || cmp_numbers(a, b) != 0 ?
		    DIFFERENT :
		    EQUAL;
	if (a->kind != b->kind)
		return a->kind >= CEL_QUANTITY && b->kind != CEL_NULL ?
		    INCOMPARABLE :
		    DIFFERENT;
	switch ((enum cel_kind)a->kind) {
	case CEL_NULL:
		return EQUAL;
	case CEL_LIST:
	case CEL_MAP:
		return equal_items(run, a, b);
	case CEL_TYPE:
		return ((const struct type *)a->data)->kind ==
			((const struct type *)b->data)->kind ?
		    EQUAL :
		    DIFFERENT;
	case CEL_OPTIONAL:
		if (a->data == NULL || b->data == NULL)
			return a->data == b->data ? EQUAL : DIFFERENT;
		return value_equal(run, a->data, b->data);
	case CEL_QUANTITY:
	case CEL_SEMVER:
	case CEL_IP:
	case CEL_CIDR:
	case CEL_FORMAT:
		if (b->flag)
			return INCOMPARABLE;
		return kubernetes_cmp(a, b) == 0 ? EQUAL : DIFFERENT;
	default:
		cmp = value_compare(run, a, b);
		return cmp.integer == 0 ? EQUAL : DIFFERENT;
	}
}

/* Texts */

const char *
go_double(char *buf, double d, char verb)
{
	char digits[32], *e;
	int exponent, precision = 0;

	if (isnan(d))
		return strcpy(buf, "NaN");
	if (isinf(d))
		return strcpy(buf, d > 0 ? "+Inf" : "-Inf");
	do
		snprintf(digits, sizeof(digits), "%.*e", precision, d);
	while (strtod(digits, NULL) != d && ++precision < 17);
	e = strchr(digits, 'e');
	exponent = atoi(e + 1);
	if (verb == 'f' || (exponent >= -4 && exponent < 6)) {
		int decimals = precision - exponent;

		snprintf(buf, GO_DOUBLE, "%.*f", decimals > 0 ? decimals : 0,
		    d);
		return buf;
	}
	return strcpy(buf, digits);
}

size_t
rune_count(const char *text, size_t len)
{
	const char *end = text + len;
	size_t n = 0;

	for (; text < end; n++)
		utf8_next(&text, end);
	return n;
}

size_t
rune_put(char *out, uint32_t rune)
{
	size_t len = rune < 0x80 ? 1 :
	    rune < 0x800         ? 2 :
	    rune < 0x10000       ? 3 :
				   4;

	if (len == 1) {
		out[0] = (char)rune;
		return 1;
	}
	for (size_t i = len - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (rune & 0x3f));
		rune >>= 6;
	}
	out[0] = (char)(0xf00u >> len | rune);
	return len;
}

static void
put_value(struct run *run, struct text *text, const struct cel_value *value)
{
	const struct cel_value *items;
	struct cel_value shown;
	char buf[GO_DOUBLE];

	switch ((enum cel_kind)value->kind) {
	case CEL_BYTES:
		for (uint32_t i = 0; i < value->len; i++) {
			snprintf(buf, sizeof(buf), "%s%d", i == 0 ? "[" : " ",
			    (unsigned char)value->text[i]);
			text_put(text, buf);
		}
		text_put(text, value->len == 0 ? "[]" : "]");
		break;
	case CEL_STRING:
	case CEL_BOOL:
	case CEL_INT:
	case CEL_UINT:
	case CEL_DOUBLE:
		shown = value_to_string(run, value);
		text_append(text, shown.text, shown.len);
		break;
	case CEL_LIST:
	case CEL_MAP:
		items = value_items(value);
		text_put(text, value->kind == CEL_LIST ? "[" : "{");
		for (size_t i = 0; i < value_len(value) && text->len < 2048;
		     i++) {
			const struct cel_value *item = &items[i];

			if (i > 0)
				text_put(text, ", ");
			if (value->kind == CEL_MAP) {
				put_value(run, text, &items[2 * i]);
				text_put(text, ": ");
				item = &items[2 * i + 1];
			}
			put_value(run, text, item);
		}
		text_put(text, value->kind == CEL_LIST ? "]" : "}");
		break;
	case CEL_TYPE:
		text_put(text,
		    type_text(run->arena, value->data, run->program->variable,
			true));
		break;
	default:
		text_put(text, kinds[value->kind].name);
	}
}

const char *
value_text(struct run *run, const struct cel_value *value)
{
	struct text text = { 0 };

	put_value(run, &text, value);
	return text_keep(&text, run->arena);
}
