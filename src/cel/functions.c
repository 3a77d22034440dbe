/*
 * The functions of Kubernetes' environment of CEL: cel-go's standard ones, then
 * those of its libraries in the order in which the environment adds them, which
 * is that of overloads.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/duration.h"
#include "base/utf8.h"
#include "cel/cel_internal.h"

#define LOCAL(name, value) static FUNCTION(name, value)

/* Operators */

static struct cel_value
concatenation(struct run *run, const struct cel_value *a,
    const struct cel_value *b)
{
	size_t len = (size_t)a->len + b->len;
	char *text;

	if (!run_work(run, 1 + len / 16))
		return cel_stopped();
	text = arena_alloc(run->arena, len + 1);
	memcpy(text, a->text, a->len);
	memcpy(text + a->len, b->text, b->len);
	return (struct cel_value){ .kind = a->kind,
		.text = text,
		.len = (uint32_t)len };
}

/* Appends to what an accumulator grows. */
static bool
grow(struct run *run, struct cel_growing *growing,
    const struct cel_value *items, size_t n)
{
	if (!run_work(run, 2 * n))
		return false;
	for (size_t i = 0; i < n; i++) {
		arena_room(run->arena, growing->values, growing->n,
		    &growing->cap);
		growing->values[growing->n++] = items[i];
	}
	return true;
}

static struct cel_value
add_lists(struct run *run, const struct cel_value *a, const struct cel_value *b)
{
	size_t na = value_len(a), nb = value_len(b);
	struct cel_value *items;

	if (a->flag)
		return grow(run, (struct cel_growing *)(uintptr_t)a->data,
			   value_items(b), nb) ?
		    *a :
		    cel_stopped();
	if (na == 0 || nb == 0)
		return na == 0 ? *b : *a;
	items = new_items(run, na + nb);
	if (items == NULL)
		return cel_stopped();
	memcpy(items, value_items(a), na * sizeof(*items));
	memcpy(items + na, value_items(b), nb * sizeof(*items));
	return list_of(items, na + nb);
}

/* a + b, a - b or a * b of numbers, or of durations. */
static struct cel_value
arithmetic(char op, const struct cel_value *a, const struct cel_value *b)
{
	struct cel_value out = *a;
	bool is_uint = a->kind == CEL_UINT, overflow;

	if (a->kind != b->kind)
		return no_such_overload();
	if (a->kind == CEL_DOUBLE)
		return cel_double(op == '+' ? a->number + b->number :
			op == '-'           ? a->number - b->number :
					      a->number * b->number);
#define CALCULATE(overflows)                                                   \
	(is_uint ? overflows(a->natural, b->natural, &out.natural) :           \
		   overflows(a->integer, b->integer, &out.integer))
	overflow = op == '+' ? CALCULATE(__builtin_add_overflow) :
	    op == '-'        ? CALCULATE(__builtin_sub_overflow) :
			       CALCULATE(__builtin_mul_overflow);
	return !overflow ?
	    out :
	    cel_error_text(
		is_uint ? "unsigned integer overflow" : "integer overflow");
}

static struct cel_value
op_add(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *a = &args[0], *b = &args[1];

	if (a->kind == CEL_TIMESTAMP || b->kind == CEL_TIMESTAMP)
		return time_add(a, b);
	if (a->kind == CEL_LIST && b->kind == CEL_LIST)
		return add_lists(run, a, b);
	return a->kind == b->kind &&
		(a->kind == CEL_STRING || a->kind == CEL_BYTES) ?
	    concatenation(run, a, b) :
	    arithmetic('+', a, b);
}

LOCAL(op_subtract,
    args[0].kind == CEL_TIMESTAMP ? time_subtract(&args[0], &args[1]) :
				    arithmetic('-', &args[0], &args[1]))
LOCAL(op_multiply, arithmetic('*', &args[0], &args[1]))

/* The quotient or the remainder of integers. */
static struct cel_value
divide(const struct cel_value *args, bool rest)
{
	const struct cel_value *a = &args[0], *b = &args[1];

	if (a->kind != b->kind)
		return no_such_overload();
	if (b->natural == 0)
		return cel_error_text(
		    rest ? "modulus by zero" : "division by zero");
	if (a->kind == CEL_UINT)
		return cel_uint(
		    rest ? a->natural % b->natural : a->natural / b->natural);
	if (a->integer == INT64_MIN && b->integer == -1)
		return cel_error_text("integer overflow");
	return cel_int(
	    rest ? a->integer % b->integer : a->integer / b->integer);
}

static struct cel_value
op_divide(struct run *run, const struct cel_value *args, size_t n)
{
	if (args[0].kind == CEL_DOUBLE && args[1].kind == CEL_DOUBLE)
		return cel_double(args[0].number / args[1].number);
	return divide(args, false);
}

LOCAL(op_rest, divide(args, true))

static struct cel_value
op_negate(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value zero = args[0];

	if (args[0].kind == CEL_BOOL)
		return no_such_overload();
	if (args[0].kind == CEL_DOUBLE)
		return cel_double(-args[0].number);
	zero.integer = 0;
	return arithmetic('-', &zero, &args[0]);
}

LOCAL(op_not,
    args[0].kind == CEL_BOOL ? cel_bool(!args[0].boolean) : no_such_overload())

static struct cel_value
op_equal(struct run *run, const struct cel_value *args, size_t n)
{
	enum equality equality = value_equal(run, &args[0], &args[1]);

	return equality == INCOMPARABLE ? no_such_overload() :
					  cel_bool(equality == EQUAL);
}

LOCAL(op_not_equal, cel_bool(value_equal(run, &args[0], &args[1]) != EQUAL))

#define ORDER(name, test)                                                      \
	static struct cel_value name(struct run *run,                          \
	    const struct cel_value *args, size_t n)                            \
	{                                                                      \
		struct cel_value cmp = value_compare(run, &args[0], &args[1]); \
                                                                               \
		return is_error(&cmp) ? cmp : cel_bool(cmp.integer test);      \
	}
ORDER(op_less, < 0)
ORDER(op_less_equal, <= 0)
ORDER(op_greater, > 0)
ORDER(op_greater_equal, >= 0)

static struct cel_value
op_in(struct run *run, const struct cel_value *args, size_t n)
{
	if (args[1].kind == CEL_LIST)
		return cel_bool(list_has(run, &args[1], &args[0]));
	if (args[1].kind == CEL_MAP)
		return cel_bool(map_find(run, &args[1], &args[0]) != NULL);
	return no_such_overload();
}

static struct cel_value
size(struct run *run, const struct cel_value *args, size_t n)
{
	if (args[0].kind == CEL_LIST || args[0].kind == CEL_MAP)
		return cel_int((int64_t)value_len(&args[0]));
	if (args[0].kind == CEL_BYTES)
		return cel_int(args[0].len);
	run_work(run, args[0].len / 16);
	return cel_int((int64_t)rune_count(args[0].text, args[0].len));
}

/* Conversions */

LOCAL(same_value, args[0])
LOCAL(to_type, cel_type_value(&basic_types[args[0].kind]))

static struct cel_value
cannot_convert(struct run *run, const struct cel_value *value,
    enum cel_kind kind)
{
	return cel_error(run, "type conversion error from '%s' to '%s'",
	    kinds[value->kind].name, kinds[kind].name);
}

/* The text with a NUL behind it; NULL: it has one within. */
static const char *
c_string(struct run *run, const struct cel_value *value)
{
	return memchr(value->text, '\0', value->len) != NULL ?
	    NULL :
	    arena_strndup(run->arena, value->text, value->len);
}

static struct cel_value
to_bool(struct run *run, const struct cel_value *args, size_t n)
{
	static const char *const words[] = { "0", "f", "F", "FALSE", "false",
		"False", "1", "t", "T", "TRUE", "true", "True" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (strlen(words[i]) == args[0].len &&
		    memcmp(words[i], args[0].text, args[0].len) == 0)
			return cel_bool(i >= LENGTH(words) / 2);
	return cannot_convert(run, &args[0], CEL_BOOL);
}

static struct cel_value
to_bytes(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value bytes = args[0];

	bytes.kind = CEL_BYTES;
	return bytes;
}

static bool
is_float(const char *s)
{
	static const char *const words[] = { "inf", "infinity", "nan" };
	const char *digits = s + (*s == '-' || *s == '+');

	for (size_t i = 0; i < LENGTH(words); i++)
		if (strcasecmp(digits, words[i]) == 0)
			return i < 2 || digits == s;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return strpbrk(digits, "pP") != NULL;
	return *digits != '\0' &&
	    strspn(digits, "0123456789.eE+-") == strlen(digits);
}

static struct cel_value
to_double(struct run *run, const struct cel_value *args, size_t n)
{
	const char *text;
	char *end;
	double d;

	if (args[0].kind == CEL_INT)
		return cel_double((double)args[0].integer);
	if (args[0].kind == CEL_UINT)
		return cel_double((double)args[0].natural);
	text = c_string(run, &args[0]);
	if (text != NULL && is_float(text)) {
		d = strtod(text, &end);
		if (*end == '\0' && (!isinf(d) || strpbrk(text, "nN") != NULL))
			return cel_double(d);
	}
	return cannot_convert(run, &args[0], CEL_DOUBLE);
}

static struct cel_value
to_duration(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value duration = { .kind = CEL_DURATION };
	const char *text =
	    args[0].kind == CEL_STRING ? c_string(run, &args[0]) : NULL;

	if (text == NULL || duration_parse(text, &duration.integer) != 0)
		return cannot_convert(run, &args[0], CEL_DURATION);
	return duration;
}

/* A decimal number of at most 64 bits; false: it is none. */
static bool
read_integer(struct run *run, const struct cel_value *value, bool is_signed,
    struct cel_value *out)
{
	const char *text = c_string(run, value), *digits = text;

	if (text == NULL)
		return false;
	if (is_signed && (*text == '-' || *text == '+'))
		digits++;
	if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits))
		return false;
	errno = 0;
	*out = is_signed ? cel_int(strtoll(text, NULL, 10)) :
			   cel_uint(strtoull(text, NULL, 10));
	return errno == 0;
}

static struct cel_value
to_int(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *v = &args[0];
	struct cel_value out;

	switch ((int)v->kind) {
	case CEL_DOUBLE:
		if (!(v->number > -9223372036854775808.0 &&
			v->number < 9223372036854775808.0))
			return cel_error_text("integer overflow");
		return cel_int((int64_t)v->number);
	case CEL_UINT:
		return v->natural > INT64_MAX ?
		    cel_error_text("integer overflow") :
		    cel_int((int64_t)v->natural);
	case CEL_STRING:
		return read_integer(run, v, true, &out) ?
		    out :
		    cannot_convert(run, v, CEL_INT);
	default:
		return cel_int(v->integer);
	}
}

static struct cel_value
to_uint(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *v = &args[0];
	struct cel_value out;

	if (v->kind == CEL_STRING)
		return read_integer(run, v, false, &out) ?
		    out :
		    cannot_convert(run, v, CEL_UINT);
	if (v->kind == CEL_INT ?
		v->integer < 0 :
		!(v->number >= 0 && v->number < 18446744073709551616.0))
		return cel_error_text("unsigned integer overflow");
	return v->kind == CEL_INT ? cel_uint((uint64_t)v->integer) :
				    cel_uint((uint64_t)v->number);
}

struct cel_value
value_to_string(struct run *run, const struct cel_value *v)
{
	char buf[GO_DOUBLE];
	struct cel_value text = *v;

	switch ((int)v->kind) {
	case CEL_STRING:
		return *v;
	case CEL_BOOL:
		return cel_string(v->boolean ? "true" : "false");
	case CEL_NULL:
		return cel_string("null");
	case CEL_BYTES:
		for (uint32_t i = 0; i < v->len;) {
			size_t len =
			    utf8_len((const unsigned char *)v->text + i,
				(const unsigned char *)v->text + v->len);

			if (len == 0)
				return cel_error_text(
				    "invalid UTF-8 in bytes, cannot convert "
				    "to string");
			i += (uint32_t)len;
		}
		text.kind = CEL_STRING;
		return text;
	case CEL_DOUBLE:
		return cel_text(run, "%s", go_double(buf, v->number, 'v'));
	case CEL_DURATION:
		return cel_text(run, "%ss",
		    go_double(buf,
			(double)(v->integer / 1000000000) +
			    (double)(v->integer % 1000000000) / 1e9,
			'f'));
	case CEL_INT:
		return cel_text(run, "%" PRId64, v->integer);
	case CEL_UINT:
		return cel_text(run, "%" PRIu64, v->natural);
	case CEL_TIMESTAMP:
		return time_text(run, v);
	case CEL_TYPE:
		return cel_string(value_text(run, v));
	default:
		return cannot_convert(run, v, CEL_STRING);
	}
}

LOCAL(to_string, value_to_string(run, &args[0]))

static struct cel_value
to_timestamp(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value out;

	if (args[0].kind == CEL_INT)
		return time_of(args[0].integer, 0, 0);
	if (!time_read(args[0].text, args[0].len, &out))
		return cannot_convert(run, &args[0], CEL_TIMESTAMP);
	return out;
}

/* Optional values */

LOCAL(optional_of, cel_optional(run, &args[0]))

static struct cel_value
optional_of_non_zero(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *v = &args[0];
	bool zero = false;

	switch ((int)v->kind) {
	case CEL_NULL:
		zero = true;
		break;
	case CEL_BOOL:
		zero = !v->boolean;
		break;
	case CEL_INT:
	case CEL_UINT:
	case CEL_DURATION:
		zero = v->integer == 0;
		break;
	case CEL_DOUBLE:
		zero = v->number == 0;
		break;
	case CEL_STRING:
	case CEL_BYTES:
		zero = v->len == 0;
		break;
	case CEL_LIST:
	case CEL_MAP:
		zero = value_len(v) == 0;
		break;
	case CEL_TIMESTAMP: /* the first second of the year 1 */
		zero = v->integer == INT64_C(-62135596800) && v->len == 0;
	}
	return cel_optional(run, zero ? NULL : v);
}

LOCAL(optional_none, cel_optional(run, NULL))
LOCAL(optional_value,
    args[0].data == NULL ? cel_error_text("optional.none() dereference") :
			   *(const struct cel_value *)args[0].data)
LOCAL(optional_has_value, cel_bool(args[0].data != NULL))

static struct cel_value
optional_unwrap(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *items = value_items(&args[0]);
	size_t all = value_len(&args[0]), kept = 0;
	struct cel_value *out = new_items(run, all);

	if (out == NULL)
		return cel_stopped();
	for (size_t i = 0; i < all; i++) {
		if (items[i].kind != CEL_OPTIONAL)
			return cel_error(run, "value %s is not optional",
			    value_text(run, &items[i]));
		if (items[i].data != NULL)
			out[kept++] = *(const struct cel_value *)items[i].data;
	}
	return list_of(out, kept);
}

LOCAL(list_first,
    cel_optional(run, value_len(&args[0]) == 0 ? NULL : value_items(&args[0])))

static struct cel_value
list_last(struct run *run, const struct cel_value *args, size_t n)
{
	size_t len = value_len(&args[0]);

	return cel_optional(run,
	    len == 0 ? NULL : value_items(&args[0]) + len - 1);
}

/* Lists */

static struct cel_value
list_is_sorted(struct run *run, const struct cel_value *args, size_t n)
{
	const struct cel_value *items = value_items(&args[0]);

	for (size_t i = 1; i < value_len(&args[0]) && !run->stopped; i++) {
		struct cel_value cmp =
		    value_compare(run, &items[i - 1], &items[i]);

		run_work(run, 1);
		if (cmp.kind == CEL_INT && cmp.integer == 1)
			return cel_bool(false);
	}
	return cel_bool(true);
}

static struct cel_value
sum_from(struct run *run, struct cel_value sum, const struct cel_value *list)
{
	const struct cel_value *items = value_items(list);

	for (size_t i = 0; i < value_len(list) && !is_error(&sum); i++) {
		run_work(run, 1);
		sum = op_add(run, (struct cel_value[]){ sum, items[i] }, 2);
	}
	return sum;
}

LOCAL(sum_int, sum_from(run, cel_int(0), &args[0]))
LOCAL(sum_uint, sum_from(run, cel_uint(0), &args[0]))
LOCAL(sum_double, sum_from(run, cel_double(0), &args[0]))
LOCAL(sum_duration,
    sum_from(run, (struct cel_value){ .kind = CEL_DURATION }, &args[0]))

static struct cel_value
extreme(struct run *run, const struct cel_value *list, const char *name,
    int64_t replace)
{
	const struct cel_value *items = value_items(list), *best = items;
	size_t n = value_len(list);

	if (n == 0)
		return cel_error(run, "%s called on empty list", name);
	for (size_t i = 1; i < n && !run->stopped; i++) {
		struct cel_value cmp = value_compare(run, best, &items[i]);

		run_work(run, 1);
		if (cmp.kind == CEL_INT && cmp.integer == replace)
			best = &items[i];
	}
	return *best;
}

LOCAL(list_max, extreme(run, &args[0], "max", -1))
LOCAL(list_min, extreme(run, &args[0], "min", 1))

static struct cel_value
list_search(struct run *run, const struct cel_value *args, bool last)
{
	size_t len = value_len(&args[0]);

	for (size_t i = 0; i < len && !run->stopped; i++) {
		size_t at = last ? len - 1 - i : i;

		if (value_equal(run, value_items(&args[0]) + at, &args[1]) ==
		    EQUAL)
			return cel_int((int64_t)at);
	}
	return cel_int(-1);
}

LOCAL(list_index_of, list_search(run, args, false))
LOCAL(list_last_index_of, list_search(run, args, true))

static struct cel_value
list_slice(struct run *run, const struct cel_value *args, size_t n)
{
	int64_t start = args[1].integer, end = args[2].integer;
	size_t len = value_len(&args[0]);

	if (start < 0 || end < 0)
		return cel_error(run,
		    "cannot slice(%" PRId64 ", %" PRId64
		    "), negative indexes not supported",
		    start, end);
	if (start > end)
		return cel_error(run,
		    "cannot slice(%" PRId64 ", %" PRId64
		    "), start index must be less than or equal to end index",
		    start, end);
	if ((uint64_t)end > len)
		return cel_error(run,
		    "cannot slice(%" PRId64 ", %" PRId64
		    "), list is length %zu",
		    start, end, len);
	return list_of(value_items(&args[0]) + start, (size_t)(end - start));
}

static bool
flatten(struct run *run, const struct cel_value *list, int64_t depth,
    struct cel_growing *out)
{
	const struct cel_value *items = value_items(list);

	for (size_t i = 0; i < value_len(list); i++)
		if (items[i].kind == CEL_LIST && depth > 0 ?
			!flatten(run, &items[i], depth - 1, out) :
			!grow(run, out, &items[i], 1))
			return false;
	return run_work(run, 1);
}

static struct cel_value
list_flatten(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_growing out = { .n = 0 };

	if (n == 2 && args[1].integer < 0)
		return cel_error_text("level must be non-negative");
	if (!flatten(run, &args[0], n == 2 ? args[1].integer : 1, &out))
		return cel_stopped();
	return list_of(out.values, out.n);
}

/* Insertion sort: its cost is that of all comparisons, anyway. */
static struct cel_value
sorted(struct run *run, const struct cel_value *list,
    const struct cel_value *by)
{
	size_t n = value_len(list), *order;
	const struct cel_value *items = value_items(list);
	const struct cel_value *keys = value_items(by);
	struct cel_value *out;

	if (n != value_len(by))
		return cel_error(run,
		    "@sortByAssociatedKeys() expected a list of the same size "
		    "as the associated keys list, but got %zu and %zu "
		    "elements respectively",
		    n, value_len(by));
	if (n == 0)
		return *list;
	if (!(kinds[keys[0].kind].can & KIND_COMPARES))
		return cel_error_text("list elements must be comparable");
	for (size_t i = 1; i < n; i++)
		if (keys[i].kind != keys[0].kind)
			return cel_error_text(
			    "list elements must have the same type");
	out = new_items(run, n);
	if (out == NULL || !run_work(run, (uint64_t)n * n / 2))
		return cel_stopped();
	order = arena_alloc(run->arena, n * sizeof(*order));
	for (size_t i = 0, j; i < n && !run->stopped; i++) {
		for (j = i; j > 0; j--) {
			struct cel_value cmp =
			    value_compare(run, &keys[i], &keys[order[j - 1]]);

			if (cmp.kind != CEL_INT || cmp.integer >= 0)
				break;
			order[j] = order[j - 1];
		}
		order[j] = i;
	}
	for (size_t i = 0; i < n && !run->stopped; i++)
		out[i] = items[order[i]];
	return list_of(out, run->stopped ? 0 : n);
}

LOCAL(list_sort, sorted(run, &args[0], &args[n - 1]))

static struct cel_value
lists_range(struct run *run, const struct cel_value *args, size_t n)
{
	int64_t len = args[0].integer < 0 ? 0 : args[0].integer;
	struct cel_value *out = new_items(run, (size_t)len);

	if (out == NULL)
		return cel_stopped();
	for (int64_t i = 0; i < len; i++)
		out[i] = cel_int(i);
	return list_of(out, (size_t)len);
}

static struct cel_value
list_reverse(struct run *run, const struct cel_value *args, size_t n)
{
	size_t len = value_len(&args[0]);
	struct cel_value *out = new_items(run, len);

	if (out == NULL)
		return cel_stopped();
	for (size_t i = 0; i < len; i++)
		out[i] = value_items(&args[0])[len - 1 - i];
	return list_of(out, len);
}

static struct cel_value
list_distinct(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value *out = new_items(run, value_len(&args[0])), kept;

	if (out == NULL)
		return cel_stopped();
	kept = list_of(out, 0);
	for (size_t i = 0; i < value_len(&args[0]) && !run->stopped; i++) {
		const struct cel_value *item = value_items(&args[0]) + i;

		if (!list_has(run, &kept, item))
			out[kept.len++] = *item;
	}
	return kept;
}

static bool
has_all(struct run *run, const struct cel_value *list,
    const struct cel_value *wanted)
{
	return !ANY(i, value_len(wanted),
	    !list_has(run, list, value_items(wanted) + i));
}

LOCAL(sets_contains, cel_bool(has_all(run, &args[0], &args[1])))
LOCAL(sets_equivalent,
    cel_bool(
	has_all(run, &args[0], &args[1]) && has_all(run, &args[1], &args[0])))

static struct cel_value
sets_intersects(struct run *run, const struct cel_value *args, size_t n)
{
	for (size_t i = 0; i < value_len(&args[0]); i++)
		if (list_has(run, &args[1], value_items(&args[0]) + i))
			return cel_bool(true);
	return cel_bool(false);
}

/* One key and value, or all of another map, into a map that an accumulator
 * grows. */
static struct cel_value
map_insert(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_growing *growing;
	struct cel_value pair[2], out = args[0];
	size_t pairs = n == 3 ? 1 : value_len(&args[1]);

	if (!out.flag) {
		growing = arena_zalloc(run->arena, sizeof(*growing));
		if (!grow(run, growing, value_items(&out), 2 * out.len))
			return cel_stopped();
		growing->n = out.len;
		out.flag = true;
		out.data = growing;
	}
	growing = (struct cel_growing *)(uintptr_t)out.data;
	for (size_t i = 0; i < pairs; i++) {
		const struct cel_value *from =
		    n == 3 ? &args[1] : value_items(&args[1]) + 2 * i;

		if (map_find(run, &out, from) != NULL)
			return cel_error(run,
			    "insert failed: key %s already exists",
			    value_text(run, from));
		memcpy(pair, from, sizeof(pair));
		/* n counts pairs, grow() values */
		growing->n *= 2;
		if (!grow(run, growing, pair, 2))
			return cel_stopped();
		growing->n /= 2;
	}
	return out;
}

/* clang-format off */
/* A row is of one name, and its overloads that are charged and called alike. */
#define F(name_, signatures, cost_, run_) { .name = name_, .signature = signatures, .cost = cost_, .run = run_ }
#define M(name_, signatures, cost_, run_) \
	{ .name = name_, .is_member = true, .signature = signatures, .cost = cost_, .run = run_ }
/* An operator: one function for all overloads, called by the first value's traits. */
#define O(name_, signatures, cost_, run_, trait_) \
	{ .name = name_, .signature = signatures, .cost = cost_, .run = run_, .trait = trait_ }
#define OM(name_, signatures, cost_, run_, trait_) \
	{ .name = name_, .is_member = true, .signature = signatures, .cost = cost_, .run = run_, .trait = trait_ }
#define ORDERS(name, run) \
	O(name, "bool, bool -> bool | int, int -> bool | int, double -> bool | int, uint -> bool | uint, uint -> bool" \
	    " | uint, double -> bool | uint, int -> bool | double, double -> bool | double, int -> bool" \
	    " | double, uint -> bool", COST_CALL, run, KIND_COMPARES), \
	O(name, "string, string -> bool | bytes, bytes -> bool", COST_SHORTER, run, KIND_COMPARES), \
	O(name, "timestamp, timestamp -> bool | duration, duration -> bool", COST_CALL, run, KIND_COMPARES)
#define COMPARABLE(S) \
	S("int") " | " S("uint") " | " S("double") " | " S("bool") " | " S("duration") " | " S("timestamp") \
	" | " S("string") " | " S("bytes")
#define TO_BOOL(type) "list(" type ") -> bool"
#define TO_ELEMENT(type) "list(" type ") -> " type
#define TO_SAME(type) "list(" type ") -> list(" type ")"
#define WITH_KEYS(type) "list(T), list(" type ") -> list(T)"

static const struct function rows[] = {
	F("_?_:_", "bool, A, A -> A", COST_CALL, NULL),
	O("!_", "bool -> bool", COST_CALL, op_not, KIND_ANY),
	O("@not_strictly_false", "bool -> bool", COST_CALL, NULL, KIND_ANY),
	O("_==_", "A, A -> bool", COST_EQUAL, op_equal, KIND_ANY),
	O("_!=_", "A, A -> bool", COST_SHORTER, op_not_equal, KIND_ANY),
	O("_+_", "bytes, bytes -> bytes", COST_BOTH, op_add, KIND_ADDS),
	O("_+_", "double, double -> double | duration, duration -> duration | duration, timestamp -> timestamp"
	    " | timestamp, duration -> timestamp | int, int -> int | list(A), list(A) -> list(A)", COST_CALL, op_add, KIND_ADDS),
	O("_+_", "string, string -> string", COST_BOTH, op_add, KIND_ADDS),
	O("_+_", "uint, uint -> uint", COST_CALL, op_add, KIND_ADDS),
	O("_/_", "double, double -> double | int, int -> int | uint, uint -> uint", COST_CALL, op_divide, KIND_DIVIDES),
	O("_%_", "int, int -> int | uint, uint -> uint", COST_CALL, op_rest, KIND_HAS_REST),
	O("_*_", "double, double -> double | int, int -> int | uint, uint -> uint", COST_CALL, op_multiply, KIND_MULTIPLIES),
	O("-_", "double -> double | int -> int", COST_CALL, op_negate, KIND_NEGATES),
	O("_-_", "double, double -> double | duration, duration -> duration | int, int -> int"
	    " | timestamp, duration -> timestamp | timestamp, timestamp -> duration | uint, uint -> uint", COST_CALL, op_subtract, KIND_SUBTRACTS),
	ORDERS("_<_", op_less),
	ORDERS("_<=_", op_less_equal),
	ORDERS("_>_", op_greater),
	ORDERS("_>=_", op_greater_equal),
	F("_[_]", "list(A), int -> A | map(A, B), A -> B", COST_CALL, NULL),
	O("@in", "A, list(A) -> bool", COST_IN_LIST, op_in, KIND_ANY),
	O("@in", "A, map(A, B) -> bool", COST_CALL, op_in, KIND_ANY),
	O("size", "bytes -> int | list(A) -> int | map(A, B) -> int | string -> int", COST_CALL, size, KIND_HAS_SIZE),
	OM("size", "bytes -> int | list(A) -> int | map(A, B) -> int | string -> int", COST_CALL, size, KIND_HAS_SIZE),
	O("type", "A -> type(A)", COST_CALL, to_type, KIND_ANY),
	F("bool", "bool -> bool", COST_CALL, same_value),
	F("bool", "string -> bool", COST_CALL, to_bool),
	F("bytes", "bytes -> bytes", COST_CALL, same_value),
	F("bytes", "string -> bytes", COST_SCAN, to_bytes),
	F("double", "double -> double", COST_CALL, same_value),
	F("double", "int -> double | string -> double | uint -> double", COST_CALL, to_double),
	F("duration", "duration -> duration", COST_CALL, same_value),
	F("duration", "int -> duration | string -> duration", COST_CALL, to_duration),
	O("dyn", "A -> dyn", COST_CALL, same_value, KIND_ANY),
	F("int", "int -> int", COST_CALL, same_value),
	F("int", "double -> int | duration -> int | string -> int | timestamp -> int | uint -> int", COST_CALL, to_int),
	F("string", "string -> string", COST_CALL, same_value),
	F("string", "bool -> string", COST_CALL, to_string),
	F("string", "bytes -> string", COST_SCAN, to_string),
	F("string", "double -> string | duration -> string | int -> string | timestamp -> string | uint -> string", COST_CALL, to_string),
	F("timestamp", "timestamp -> timestamp", COST_CALL, same_value),
	F("timestamp", "int -> timestamp | string -> timestamp", COST_CALL, to_timestamp),
	F("uint", "uint -> uint", COST_CALL, same_value),
	F("uint", "double -> uint | int -> uint | string -> uint", COST_CALL, to_uint),
	OM("contains", "string, string -> bool", COST_CONTAINS, string_contains, KIND_ANY),
	OM("endsWith", "string, string -> bool", COST_SCAN, string_ends_with, KIND_ANY),
	OM("startsWith", "string, string -> bool", COST_SCAN, string_starts_with, KIND_ANY),
	O("matches", "string, string -> bool", COST_CALL, string_matches, KIND_ANY),
	OM("matches", "string, string -> bool", COST_MATCH, string_matches, KIND_ANY),
	M("getFullYear", "timestamp -> int | timestamp, string -> int", COST_CALL, time_year),
	M("getMonth", "timestamp -> int | timestamp, string -> int", COST_CALL, time_month),
	M("getDayOfYear", "timestamp -> int | timestamp, string -> int", COST_CALL, time_day_of_year),
	M("getDayOfMonth", "timestamp -> int | timestamp, string -> int", COST_CALL, time_day_of_month),
	M("getDate", "timestamp -> int | timestamp, string -> int", COST_CALL, time_date),
	M("getDayOfWeek", "timestamp -> int | timestamp, string -> int", COST_CALL, time_day_of_week),
	M("getHours", "timestamp -> int | timestamp, string -> int | duration -> int", COST_CALL, time_hours),
	M("getMinutes", "timestamp -> int | timestamp, string -> int | duration -> int", COST_CALL, time_minutes),
	M("getSeconds", "timestamp -> int | timestamp, string -> int | duration -> int", COST_CALL, time_seconds),
	M("getMilliseconds", "timestamp -> int | timestamp, string -> int | duration -> int", COST_CALL, time_milliseconds),
	/* Kubernetes: regular expressions, lists */
	M("find", "string, string -> string", COST_FIND, string_find),
	M("findAll", "string, string -> list(string) | string, string, int -> list(string)", COST_FIND, string_find_all),
	M("isSorted", COMPARABLE(TO_BOOL), COST_TRAVERSE, list_is_sorted),
	M("sum", "list(int) -> int", COST_TRAVERSE, sum_int),
	M("sum", "list(uint) -> uint", COST_TRAVERSE, sum_uint),
	M("sum", "list(double) -> double", COST_TRAVERSE, sum_double),
	M("sum", "list(duration) -> duration", COST_TRAVERSE, sum_duration),
	M("max", COMPARABLE(TO_ELEMENT), COST_TRAVERSE, list_max),
	M("min", COMPARABLE(TO_ELEMENT), COST_TRAVERSE, list_min),
	M("indexOf", "list(A), A -> int", COST_TRAVERSE, list_index_of),
	M("lastIndexOf", "list(A), A -> int", COST_TRAVERSE, list_last_index_of),
	/* optional values */
	F("optional.of", "V -> optional_type(V)", COST_CALL, optional_of),
	F("optional.ofNonZeroValue", "V -> optional_type(V)", COST_CALL, optional_of_non_zero),
	F("optional.none", "-> optional_type(V)", COST_CALL, optional_none),
	M("value", "optional_type(V) -> V", COST_CALL, optional_value),
	M("hasValue", "optional_type(V) -> bool", COST_CALL, optional_has_value),
	M("or", "optional_type(V), optional_type(V) -> optional_type(V)", COST_CALL, NULL),
	M("orValue", "optional_type(V), V -> V", COST_CALL, NULL),
	F("_[?_]", "list(V), int -> optional_type(V) | optional_type(list(V)), int -> optional_type(V)"
	    " | map(K, V), K -> optional_type(V) | optional_type(map(K, V)), K -> optional_type(V)", COST_CALL, NULL),
	F("_[_]", "optional_type(list(V)), int -> optional_type(V) | optional_type(map(K, V)), K -> optional_type(V)", COST_CALL, NULL),
	M("last", "list(V) -> optional_type(V)", COST_CALL, list_last),
	M("first", "list(V) -> optional_type(V)", COST_CALL, list_first),
	F("optional.unwrap", "list(optional_type(V)) -> list(V)", COST_CALL, optional_unwrap),
	M("unwrapOpt", "list(optional_type(V)) -> list(V)", COST_CALL, optional_unwrap),
	/* quantities */
	F("quantity", "string -> kubernetes.Quantity", COST_NAME_SCAN, quantity_of),
	F("isQuantity", "string -> bool", COST_NAME_SCAN, is_quantity),
	F("sign", "kubernetes.Quantity -> int", COST_ONE, sign_of_quantity),
	M("isGreaterThan", "kubernetes.Quantity, kubernetes.Quantity -> bool", COST_ONE, order_greater),
	M("isLessThan", "kubernetes.Quantity, kubernetes.Quantity -> bool", COST_ONE, order_less),
	M("compareTo", "kubernetes.Quantity, kubernetes.Quantity -> int", COST_ONE, order_compare),
	M("asApproximateFloat", "kubernetes.Quantity -> double", COST_ONE, quantity_as_float),
	M("asInteger", "kubernetes.Quantity -> int", COST_ONE, quantity_as_integer),
	M("isInteger", "kubernetes.Quantity -> bool", COST_ONE, quantity_is_integer),
	M("add", "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity"
	    " | kubernetes.Quantity, int -> kubernetes.Quantity", COST_ONE, quantity_add),
	M("sub", "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity"
	    " | kubernetes.Quantity, int -> kubernetes.Quantity", COST_ONE, quantity_sub),
	/* strings */
	M("charAt", "string, int -> string", COST_CALL, string_char_at),
	M("indexOf", "string, string -> int | string, string, int -> int", COST_TRAVERSE, string_index_of),
	M("lastIndexOf", "string, string -> int | string, string, int -> int", COST_TRAVERSE, string_last_index_of),
	M("lowerAscii", "string -> string", COST_NAME_SCAN, string_lower),
	M("replace", "string, string, string -> string | string, string, string, int -> string", COST_NAME_SCAN_TWICE, string_replace),
	M("split", "string, string -> list(string) | string, string, int -> list(string)", COST_NAME_SCAN_TWICE, string_split),
	M("substring", "string, int -> string | string, int, int -> string", COST_NAME_SCAN, string_substring),
	M("trim", "string -> string", COST_NAME_SCAN, string_trim),
	M("upperAscii", "string -> string", COST_NAME_SCAN, string_upper),
	{ .name = "format", .is_member = true, .signature = "string, list(dyn) -> string", .cost = COST_SCAN,
	    .run = string_format, .stops = true },
	F("strings.quote", "string -> string", COST_SCAN, string_quote),
	M("join", "list(string) -> string | list(string), string -> string", COST_JOIN, string_join),
	/* sets */
	F("sets.contains", "list(T), list(T) -> bool", COST_SETS, sets_contains),
	F("sets.equivalent", "list(T), list(T) -> bool", COST_SETS_TWICE, sets_equivalent),
	F("sets.intersects", "list(T), list(T) -> bool", COST_SETS, sets_intersects),
	/* addresses, networks */
	F("ip", "string -> net.IP", COST_NAME_SCAN, ip_of),
	M("family", "net.IP -> int", COST_ONE, ip_family),
	F("ip.isCanonical", "string -> bool", COST_NAME_SCAN_TWICE, ip_is_canonical),
	M("isUnspecified", "net.IP -> bool", COST_ONE, ip_is_unspecified),
	M("isLoopback", "net.IP -> bool", COST_ONE, ip_is_loopback),
	M("isLinkLocalMulticast", "net.IP -> bool", COST_ONE, ip_is_multicast),
	M("isLinkLocalUnicast", "net.IP -> bool", COST_ONE, ip_is_unicast),
	M("isGlobalUnicast", "net.IP -> bool", COST_ONE, ip_is_global),
	F("isIP", "string -> bool", COST_NAME_SCAN, is_ip),
	F("string", "net.IP -> string", COST_CALL, ip_text),
	F("cidr", "string -> net.CIDR", COST_NAME_SCAN, cidr_of),
	M("containsIP", "net.CIDR, string -> bool | net.CIDR, net.IP -> bool", COST_CONTAINS_IP, cidr_contains_ip),
	M("containsCIDR", "net.CIDR, string -> bool | net.CIDR, net.CIDR -> bool", COST_CONTAINS_CIDR, cidr_contains_cidr),
	M("ip", "net.CIDR -> net.IP", COST_ONE, cidr_ip),
	M("prefixLength", "net.CIDR -> int", COST_ONE, cidr_prefix_length),
	M("masked", "net.CIDR -> net.CIDR", COST_ONE, cidr_masked),
	F("isCIDR", "string -> bool", COST_NAME_SCAN, is_cidr),
	F("string", "net.CIDR -> string", COST_CALL, cidr_text),
	/* named formats */
#define FORMAT(name) F("format." #name, "-> kubernetes.NamedFormat", COST_CALL, format_##name),
	NAMED_FORMATS(FORMAT)
#undef FORMAT
	F("format.named", "string -> optional_type(kubernetes.NamedFormat)", COST_ONE, format_named),
	M("validate", "kubernetes.NamedFormat, string -> optional_type(list(string))", COST_VALIDATE, format_validate),
	F("isURL", "string -> bool", COST_CALL, is_url),
	/* comprehensions with two variables */
	F("cel.@mapInsert", "map(K, V), K, V -> map(K, V) | map(K, V), map(K, V) -> map(K, V)", COST_CALL, map_insert),
	/* semantic versions */
	F("semver", "string -> kubernetes.Semver | string, bool -> kubernetes.Semver", COST_NAME_SCAN, semver_of),
	F("isSemver", "string -> bool | string, bool -> bool", COST_NAME_SCAN, is_semver),
	M("isGreaterThan", "kubernetes.Semver, kubernetes.Semver -> bool", COST_ONE, order_greater),
	M("isLessThan", "kubernetes.Semver, kubernetes.Semver -> bool", COST_ONE, order_less),
	M("compareTo", "kubernetes.Semver, kubernetes.Semver -> int", COST_ONE, order_compare),
	M("major", "kubernetes.Semver -> int", COST_ONE, semver_major),
	M("minor", "kubernetes.Semver -> int", COST_ONE, semver_minor),
	M("patch", "kubernetes.Semver -> int", COST_ONE, semver_patch),
	/* cel-go's lists */
	M("slice", "list(T), int, int -> list(T)", COST_OUTPUT, list_slice),
	M("flatten", "list(list(T)) -> list(T) | list(dyn), int -> list(dyn)", COST_FLATTEN, list_flatten),
	OM("sort", COMPARABLE(TO_SAME), COST_COMPARE_ALL, list_sort, KIND_ITERATES),
	OM("@sortByAssociatedKeys", COMPARABLE(WITH_KEYS), COST_COMPARE_KEYS, list_sort, KIND_ITERATES),
	F("lists.range", "int -> list(int)", COST_OUTPUT, lists_range),
	M("reverse", "list(T) -> list(T)", COST_OUTPUT, list_reverse),
	M("distinct", "list(T) -> list(T)", COST_COMPARE_ALL, list_distinct),
};
/* clang-format on */

/* An overload each; they and their types live as long as the process. */
static struct function functions[512];
static size_t nfunctions;

const struct function *
function_next(const struct function *function)
{
	for (const struct function *f = function + 1;
	     f < functions + nfunctions; f++)
		if (strcmp(f->name, function->name) == 0)
			return f;
	return NULL;
}

const struct function *
function_find(const char *name)
{
	return FIND_ROW(functions, nfunctions, name, name);
}

static void
add_overload(const struct function *row, const char *signature)
{
	static struct arena arena = ARENA_INIT;
	struct function *f = &functions[nfunctions++];

	assert(nfunctions <= LENGTH(functions));
	*f = *row;
	f->signature = signature;
	for (const char *s = signature; *s != '\0' && *s != '|'; s++)
		if (*s >= 'A' && *s <= 'Z' &&
		    (s[1] == '\0' || strchr("), ", s[1]) != NULL) &&
		    (s == signature || strchr("( ", s[-1]) != NULL))
			f->params |= 1u << (*s - 'A');
	f->nargs = signature_read(&arena, signature, NULL, f->args, &f->result);
}

void
functions_init(void)
{
	if (nfunctions > 0)
		return;
	for (uint8_t kind = 0; kind < CEL_KINDS; kind++)
		basic_types[kind].kind = kind;
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (const char *s = rows[i].signature, *bar; s != NULL;
		     s = bar != NULL ? bar + 3 : NULL) {
			bar = strstr(s, " | ");
			add_overload(&rows[i], s);
		}
}
