#include "config.h"

#include "objects/decode.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/quantity.h"

/* ".taints[2].key"; NULL: it is not below from.  You own it. */
static char *
path_below(const struct decoder *d, const struct doc_node *from,
    const struct doc_node *to)
{
	size_t i = 0;

	if (from == to)
		return xstrdup("");
	for (const struct doc_node *at = from->first; at != NULL;
	     at = at->next, i++) {
		static const char *const without[] = { "matchExpressions",
			"matchFields", "nodeSelectorTerms",
			"resourceClaimStatuses", "values" };
		AUTOFREE char *rest = path_below(d, at, to);

		if (rest == NULL)
			continue;
		if (from->kind == DOC_OBJECT)
			return xasprintf(".%s%s", at->key, rest);
		/* The elements of selectors have no numbers in paths. */
		return d->numbered &&
			(from->key == NULL ||
			    !text_is_one_of(from->key, without,
				LENGTH(without))) ?
		    xasprintf("[%zu]%s", i, rest) :
		    xasprintf("[]%s", rest);
	}
	return NULL;
}

static char *
path_of(const struct decoder *d, const struct doc_node *node)
{
	AUTOFREE char *below = path_below(d, d->root, node);
	const char *text = below != NULL ? below : "";

	return xasprintf("%s%s", d->path,
	    d->path[0] == '\0' && text[0] == '.' ? text + 1 : text);
}

void
decode_fail(struct decoder *d, const struct doc_node *node, const char *fmt,
    ...)
{
	va_list ap;

	if (d->failed)
		return;
	d->failed = true;
	if (d->err == NULL)
		return;
	va_start(ap, fmt);
	{
		AUTOFREE char *sentence = xvasprintf(fmt, ap);
		AUTOFREE char *path = path_of(d, node);

		doc_errf(d->err, node, "%s%s%s", path,
		    sentence[0] == ':' ? "" : " ", sentence);
	}
	va_end(ap);
}

const struct doc_node *
decode_kind(struct decoder *d, const struct doc_node *node, enum doc_kind kind)
{
	if (node == NULL || node->kind == DOC_NULL || d->failed)
		return NULL;
	if (node->kind == kind)
		return node;
	decode_fail(d, node, "must be %s, not %s", doc_kind_name(kind),
	    doc_value_name(node));
	return NULL;
}

sym
decode_string(struct decoder *d, const struct doc_node *node)
{
	node = decode_kind(d, node, DOC_STRING);
	return node != NULL ? sym_in_n(d->arena, node->text, node->len) :
			      SYM_EMPTY;
}

const struct doc_node *
decode_object(struct decoder *d, const struct doc_node *node, const char *key)
{
	return decode_kind(d, doc_member(node, key), DOC_OBJECT);
}

const char *
decode_text(struct decoder *d, const struct doc_node *node, const char *key,
    const char *absent)
{
	node = decode_kind(d, doc_member(node, key), DOC_STRING);
	return node != NULL ? node->text : absent;
}

sym
decode_sym(struct decoder *d, const struct doc_node *node, const char *key,
    sym absent)
{
	node = decode_kind(d, doc_member(node, key), DOC_STRING);
	return node != NULL ? sym_in_n(d->arena, node->text, node->len) :
			      absent;
}

bool
decode_flag(struct decoder *d, const struct doc_node *node, const char *key,
    bool absent)
{
	node = decode_kind(d, doc_member(node, key), DOC_BOOL);
	return node != NULL ? node->boolean : absent;
}

static int64_t
decode_within(struct decoder *d, const struct doc_node *node, const char *key,
    int64_t min, int64_t max, int64_t absent)
{
	int64_t number = absent;

	if (d->failed ||
	    doc_get_int(node, key, "", min, max, &number, NULL) == 0)
		return number;
	d->failed = true;
	if (d->err != NULL) {
		AUTOFREE char *path = path_of(d, doc_get(node, key));

		doc_get_int(node, key, path, min, max, &number, d->err);
	}
	return absent;
}

int64_t
decode_int(struct decoder *d, const struct doc_node *node, const char *key,
    int64_t absent)
{
	return decode_within(d, node, key, INT32_MIN, INT32_MAX, absent);
}

int64_t
decode_int64(struct decoder *d, const struct doc_node *node, const char *key)
{
	return decode_within(d, node, key, INT64_MIN, INT64_MAX, 0);
}

/* ---- times ---- */

/* Days since 1970-01-01 in the Gregorian calendar; month from 1. */
static int64_t
days_from_civil(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t year_of_era = y - era * 400;
	/* March is month 0, so that a leap day ends the year. */
	int64_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 -
	    year_of_era / 100 + day_of_year - 719468;
}

static int
days_in_month(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* 64 bits of seconds are less than 300 billion years. */
#define YEAR_DIGITS 12

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads n digits as a number within [min, max] and moves on. */
static bool
read_number(const char **at, int n, int min, int max, int *out)
{
	int number = 0;

	for (int i = 0; i < n; i++) {
		if (!is_digit((*at)[i]))
			return false;
		number = number * 10 + ((*at)[i] - '0');
	}
	*at += n;
	*out = number;
	return number >= min && number <= max;
}

static bool
read_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* ".25": truncates to nanoseconds. */
static bool
read_fraction(const char **at, int32_t *nanoseconds)
{
	int32_t unit = 100000000;

	*nanoseconds = 0;
	if (!read_char(at, '.'))
		return true;
	if (!is_digit(**at))
		return false;
	for (; is_digit(**at); (*at)++) {
		*nanoseconds += (**at - '0') * unit;
		unit /= 10;
	}
	return true;
}

/* "Z", "+02:00" in seconds. */
static bool
read_offset(const char **at, int64_t *seconds)
{
	int hours, minutes;
	bool west = **at == '-';

	*seconds = 0;
	if (read_char(at, 'Z'))
		return true;
	if (!read_char(at, '+') && !read_char(at, '-'))
		return false;
	if (!read_number(at, 2, 0, 24, &hours) || !read_char(at, ':') ||
	    !read_number(at, 2, 0, 60, &minutes))
		return false;
	*seconds = (west ? -60 : 60) * (hours * 60 + minutes);
	return true;
}

/*
 * Four digits, as RFC 3339 has it; or more, or with a minus, as Kubernetes
 * writes a time whose offset has put it into another year, and as clients that
 * write protobuf may send.
 */
static bool
read_year(const char **at, int64_t *year)
{
	bool negative = read_char(at, '-');
	int digits = 0;

	*year = 0;
	for (; is_digit(**at) && digits < YEAR_DIGITS; digits++, (*at)++)
		*year = *year * 10 + (**at - '0');
	if (negative)
		*year = -*year;
	return digits >= 4;
}

/* Saturates at the limits of 64 bits. */
static int64_t
seconds_of(int64_t days, int64_t second)
{
	int64_t seconds;

	if (__builtin_mul_overflow(days, 86400, &seconds) ||
	    __builtin_add_overflow(seconds, second, &seconds))
		return days < 0 ? INT64_MIN : INT64_MAX;
	return seconds;
}

bool
time_parse(const char *text, int64_t *seconds, int32_t *nanoseconds)
{
	int month, day, hour, minute, second;
	int32_t fraction;
	int64_t year, offset;

	if (!read_year(&text, &year) || !read_char(&text, '-') ||
	    !read_number(&text, 2, 1, 12, &month) || !read_char(&text, '-') ||
	    !read_number(&text, 2, 1, days_in_month(year, month), &day) ||
	    !read_char(&text, 'T') || !read_number(&text, 2, 0, 23, &hour) ||
	    !read_char(&text, ':') || !read_number(&text, 2, 0, 59, &minute) ||
	    !read_char(&text, ':') || !read_number(&text, 2, 0, 59, &second) ||
	    !read_fraction(&text, &fraction) || !read_offset(&text, &offset) ||
	    *text != '\0')
		return false;
	*seconds = seconds_of(days_from_civil(year, month, day),
	    hour * 3600 + minute * 60 + second - offset);
	if (nanoseconds != NULL)
		*nanoseconds = fraction;
	return true;
}

bool
decode_time(struct decoder *d, const struct doc_node *node, const char *key,
    int64_t *seconds, int32_t *nanoseconds)
{
	const char *text = decode_text(d, node, key, NULL);

	if (text != NULL && !time_parse(text, seconds, nanoseconds))
		decode_fail(d, doc_get(node, key),
		    "must be an RFC 3339 time, not \"%.64s\"", text);
	return text != NULL && !d->failed;
}

const sym *
decode_syms(struct decoder *d, const struct doc_node *node, const char *key,
    uint32_t *n)
{
	const struct doc_node *array =
	    decode_kind(d, doc_member(node, key), DOC_ARRAY);
	uint32_t i = 0;
	sym *syms;

	*n = 0;
	if (array == NULL || array->count == 0)
		return NULL;
	syms = arena_array(d->arena, sym, array->count);
	EACH_CHILD (at, array)
		syms[i++] = decode_string(d, at);
	*n = i;
	return syms;
}

const struct doc_node *
decode_objects(struct decoder *d, const struct doc_node *node, const char *key,
    uint32_t *n)
{
	const struct doc_node *array =
	    decode_kind(d, doc_member(node, key), DOC_ARRAY);

	EACH_CHILD (at, array)
		decode_kind(d, at, DOC_OBJECT);
	if (d->failed)
		array = NULL;
	if (n != NULL)
		*n = array != NULL ? (uint32_t)array->count : 0;
	return doc_first(array);
}

const void *
decode_each(struct decoder *d, const struct doc_node *node, const char *key,
    uint32_t *n, size_t size,
    void (*read)(struct decoder *d, const struct doc_node *element, void *out))
{
	const struct doc_node *at = decode_objects(d, node, key, n);
	char *all = *n > 0 ? arena_zalloc(d->arena, *n * size) : NULL;
	char *out = all;

	for (; at != NULL; at = at->next, out += size)
		read(d, at, out);
	return all;
}

int64_t
decode_bytes(struct decoder *d, const struct doc_node *node, const char *key)
{
	struct quantity q = QUANTITY_ZERO;

	node = doc_get(node, key);
	if (node != NULL && node->kind != DOC_STRING &&
	    node->kind != DOC_NUMBER)
		decode_fail(d, node, "must be a string or a number, not %s",
		    doc_kind_name(node->kind));
	if (!d->failed && quantity_from_doc(node, &q, d->err) != 0)
		d->failed = true;
	if (q.whole > INT64_MAX)
		return quantity_sign(&q) < 0 ? INT64_MIN : INT64_MAX;
	return quantity_value(&q);
}
