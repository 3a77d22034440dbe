/*
 * There are two ways to parse the text, as in Go's resource.Quantity:
 *
 * - at most 18 digits: an int64 and a power of ten (struct small);
 * - everything else: a decimal of any length, rounded up to nanos.
 *
 * They agree unless a number overflows.  Because they differ then, the choice
 * of the way is part of the rule.
 *
 * The long decimal is never stored: its digits are added up from the right, and
 * only three results of the sum are needed: its exact amount below 10^38, its
 * nanos, and its low 64 bits.
 */
#include "config.h"

#include "base/quantity.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/doc.h"

#define ERR_FORMAT                                                             \
	"quantities must match the regular expression "                        \
	"'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
#define ERR_NUMERIC "unable to parse numeric part of quantity"
#define ERR_SUFFIX "unable to parse quantity's suffix"

#define SMALL_DIGITS 18     /* every number of so many digits is an int64 */
#define NANO_PLACE (-9)     /* the smallest power of ten we keep */
#define NANOS 1000000000    /* nanos in one */
#define MILLI_NANOS 1000000 /* nanos in one milli */
#define WHOLE_PLACES 38     /* below 10^38 whole is exact */
#define WHOLE_MAX (~(unsigned __int128)0)

/* The text, cut up; nothing is converted yet. */
struct split {
	bool negative;
	const char *number; /* behind the sign: digits with at most one '.' */
	size_t nnumber;
	const char *significant; /* number without its leading zeros */
	size_t nsignificant;
	size_t ndigits;   /* of significant; a missing integer part counts 1 */
	size_t nfraction; /* digits behind the '.' */
	const char *suffix;
	size_t nsuffix;
};

struct suffix {
	bool binary;
	int32_t exponent; /* of 2 or of 10 */
};

/* value * 10^scale */
struct small {
	int64_t value;
	int32_t scale;
};

/* A sum of digits, without a sign. */
struct amount {
	unsigned __int128 whole;
	uint64_t whole_low; /* whole modulo 2^64, always exact */
	uint32_t nano;
	bool lost; /* digits finer than a nano were not all zero */
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_digits(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

static const char *
skip_sign(const char *p, const char *end)
{
	return p < end && (*p == '+' || *p == '-') ? p + 1 : p;
}

/* False when the text has not the form of a quantity. */
static bool
split(const char *text, size_t len, struct split *s)
{
	const char *end = text + len;
	const char *p = skip_sign(text, end);
	const char *integer;

	s->negative = p > text && *text == '-';
	s->number = p;
	while (p < end && *p == '0')
		p++;
	integer = s->significant = p;
	p = skip_digits(p, end);
	s->ndigits = p > integer ? (size_t)(p - integer) : 1;
	s->nfraction = 0;
	if (p < end && *p == '.') {
		const char *fraction = p + 1;

		p = skip_digits(fraction, end);
		s->nfraction = (size_t)(p - fraction);
		s->ndigits += s->nfraction;
	}
	s->nnumber = (size_t)(p - s->number);
	s->nsignificant = (size_t)(p - s->significant);

	s->suffix = p;
	s->nsuffix = (size_t)(end - p);
	while (p < end && *p != '\0' && strchr("eEinumkKMGTP", *p))
		p++;
	p = skip_digits(skip_sign(p, end), end);
	return p == end;
}

/* strconv.ParseInt(…, 10, 64); false if it is not a number or too big. */
static bool
parse_exponent(const char *p, size_t len, int64_t *out)
{
	const char *end = p + len;
	bool negative = p < end && *p == '-';
	int64_t n = 0;

	p = skip_sign(p, end);
	if (p == end)
		return false;
	for (; p < end; p++) {
		int digit = *p - '0';

		if (!is_digit(*p) || __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_sub_overflow(n, digit, &n))
			return false;
	}
	/* Counts downwards, because there is one more negative number. */
	if (!negative && n == INT64_MIN)
		return false;
	*out = negative ? n : -n;
	return true;
}

static bool
parse_suffix(const char *text, size_t len, struct suffix *out)
{
	/* clang-format off */
	static const struct {
		const char *text;
		struct suffix suffix;
	} known[] = {
		{ "",   { false,  0 } },
		{ "n",  { false, -9 } },
		{ "u",  { false, -6 } },
		{ "m",  { false, -3 } },
		{ "k",  { false,  3 } },
		{ "M",  { false,  6 } },
		{ "G",  { false,  9 } },
		{ "T",  { false, 12 } },
		{ "P",  { false, 15 } },
		{ "E",  { false, 18 } },
		{ "Ki", { true,  10 } },
		{ "Mi", { true,  20 } },
		{ "Gi", { true,  30 } },
		{ "Ti", { true,  40 } },
		{ "Pi", { true,  50 } },
		{ "Ei", { true,  60 } },
	};
	/* clang-format on */
	int64_t exponent;

	for (size_t i = 0; i < LENGTH(known); i++) {
		if (strlen(known[i].text) == len &&
		    memcmp(known[i].text, text, len) == 0) {
			*out = known[i].suffix;
			return true;
		}
	}
	if (len < 2 || (*text != 'e' && *text != 'E') ||
	    !parse_exponent(text + 1, len - 1, &exponent))
		return false;
	/* Go keeps the low 32 bits. */
	*out = (struct suffix){ false, (int32_t)(uint32_t)exponent };
	return true;
}

/* 10^n modulo 2^64. */
static uint64_t
pow10_low(int64_t n)
{
	uint64_t power = 1;

	if (n >= 64) /* 2^64 divides it */
		return 0;
	while (n-- > 0)
		power *= 10;
	return power;
}

/* Adds digit * 10^place. */
static void
add_digit(struct amount *a, unsigned digit, int64_t place)
{
	unsigned __int128 power = 1;

	if (digit == 0)
		return;
	if (place < NANO_PLACE) {
		a->lost = true;
		return;
	}
	if (place < 0) {
		a->nano += digit * (uint32_t)pow10_low(place - NANO_PLACE);
		return;
	}
	a->whole_low += digit * pow10_low(place);
	if (place >= WHOLE_PLACES)
		a->whole = WHOLE_MAX;
	if (a->whole == WHOLE_MAX)
		return;
	while (place-- > 0)
		power *= 10;
	a->whole += digit * power;
}

/*
 * Adds up number * 2^doublings * 10^place, where place is that of the number's
 * last digit, and rounds up to nanos.
 */
static struct amount
add_up(const struct split *s, int doublings, int64_t place)
{
	struct amount a = { 0 };
	uint64_t carry = 0; /* < 2^60, so that the sum below fits */

	for (size_t i = s->nnumber; i-- > 0;) {
		char c = s->number[i];
		uint64_t sum;

		if (c == '.')
			continue;
		sum = ((uint64_t)(c - '0') << doublings) + carry;
		add_digit(&a, (unsigned)(sum % 10), place++);
		carry = sum / 10;
	}
	for (; carry > 0; carry /= 10)
		add_digit(&a, (unsigned)(carry % 10), place++);

	if (a.lost && ++a.nano == NANOS) {
		a.nano = 0;
		a.whole_low++;
		if (a.whole != WHOLE_MAX)
			a.whole++;
	}
	return a;
}

/*
 * Whether the number takes the short way.  Binary suffixes do so only while the
 * product is certain to have at most 15 digits (2^10 counts as three).
 */
static bool
make_small(const struct split *s, const struct suffix *suffix,
    struct small *small)
{
	size_t digits = s->ndigits;
	int64_t value = 0;

	if (suffix->binary) {
		if (s->nfraction > 0 ||
		    digits + (size_t)suffix->exponent / 10 * 3 > 14)
			return false;
	} else if (digits > SMALL_DIGITS)
		return false;

	for (size_t i = 0; i < s->nsignificant; i++)
		if (s->significant[i] != '.')
			value = value * 10 + (s->significant[i] - '0');
	small->scale = 0;
	if (suffix->binary)
		value <<= suffix->exponent;
	else /* modulo 2^32, as in Go */
		small->scale = (int32_t)((uint32_t)suffix->exponent -
		    (uint32_t)s->nfraction);
	small->value = s->negative ? -value : value;
	return small->scale >= NANO_PLACE;
}

/* value * 10^places, as Go's positiveScaleInt64() has it when it overflows. */
static int64_t
small_up(int64_t value, int32_t places)
{
	switch (places) {
	case 1:
	case 2:
	case 3:
	case 6:
	case 9:
		/* One multiplication, whose overflow its caller ignores. */
		return (int64_t)((uint64_t)value * pow10_low(places));
	}
	for (int32_t i = 0; i < places && value != 0; i++)
		if (__builtin_mul_overflow(value, (int64_t)10, &value))
			return 0;
	return value;
}

/* In units of 10^scale, rounded away from 0. */
static int64_t
small_scaled(const struct small *small, int32_t scale)
{
	int64_t divisor, quotient;

	if (small->scale >= scale)
		return small_up(small->value,
		    (int32_t)((uint32_t)small->scale - (uint32_t)scale));
	divisor = (int64_t)pow10_low(scale - small->scale);
	quotient = small->value / divisor;
	if (small->value % divisor == 0)
		return quotient;
	return small->value > 0 ? quotient + 1 : quotient - 1;
}

/*
 * In units of so many nanos, rounded up, modulo 2^64.  A negative amount uses
 * the low 64 bits of its nanos, and is rounded towards 0 and then up, as in
 * Go's scaledValue(): -1.5 becomes 0.
 */
static int64_t
amount_scaled(const struct amount *a, bool negative, int64_t nanos)
{
	uint64_t n = a->whole_low * NANOS + a->nano;

	if (negative) {
		int64_t low = (int64_t)-n;

		return low / nanos + (low % nanos != 0);
	}
	n = a->whole_low * (uint64_t)(NANOS / nanos) + a->nano / nanos;
	return (int64_t)(n + (a->nano % nanos != 0));
}

/* The long way. */
static void
set_from_amount(struct quantity *q, struct amount *a,
    const struct suffix *suffix, bool negative)
{
	/* Only binary suffixes are capped; the capped number has no nanos, so
	 * its millis are a multiplication that overflows. */
	if (suffix->binary &&
	    (a->whole > INT64_MAX || (a->whole == INT64_MAX && a->nano > 0))) {
		uint64_t max = negative ? -(uint64_t)INT64_MAX : INT64_MAX;

		*a = (struct amount){ .whole = INT64_MAX };
		q->value = (int64_t)max;
		q->milli = (int64_t)(max * 1000);
		return;
	}
	q->value = amount_scaled(a, negative, NANOS);
	q->milli = amount_scaled(a, negative, MILLI_NANOS);
}

int
quantity_parse(const char *text, size_t len, struct quantity *out,
    struct err *err)
{
	struct quantity q = QUANTITY_ZERO;
	struct split s;
	struct suffix suffix;
	struct small small = { 0 };
	struct amount amount;
	int32_t place;

	if (len == 0 || !split(text, len, &s))
		return errf(err, ERR_FORMAT);
	if (!parse_suffix(s.suffix, s.nsuffix, &suffix))
		return errf(err, ERR_SUFFIX);

	place = (int32_t)((uint32_t)(suffix.binary ? 0 : suffix.exponent) -
	    (uint32_t)s.nfraction);
	amount = add_up(&s, suffix.binary ? suffix.exponent : 0, place);
	q.is_small = make_small(&s, &suffix, &small);
	q.scale = small.scale;
	if (q.is_small) {
		q.value = small_scaled(&small, 0);
		q.milli = small_scaled(&small, -3);
	} else if (s.nnumber == 0 || (s.nnumber == 1 && *s.number == '.')) {
		/* The short way reads no digits as 0. */
		return errf(err, ERR_NUMERIC);
	} else
		set_from_amount(&q, &amount, &suffix, s.negative);

	q.whole = amount.whole;
	q.nano = amount.nano;
	if (q.whole != 0 || q.nano != 0)
		q.sign = (int8_t)(s.negative ? -1 : 1);
	*out = q;
	return 0;
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int
quantity_from_doc(const struct doc_node *node, struct quantity *out,
    struct err *err)
{
	const char *text;
	size_t len;
	struct err why;

	if (node == NULL || node->kind == DOC_NULL) {
		*out = QUANTITY_ZERO;
		return 0;
	}
	/* Other nodes have no text, and are not quantities. */
	text = node->text ? node->text : "";
	len = node->text ? node->len : 0;
	for (; len > 0 && is_space(*text); len--)
		text++;
	while (len > 0 && is_space(text[len - 1]))
		len--;
	if (quantity_parse(text, len, out, &why) == 0)
		return 0;
	return doc_errf(err, node, "%s%s%s", node->key ? node->key : "",
	    node->key ? ": " : "", why.text);
}

int
quantity_cmp(const struct quantity *a, const struct quantity *b)
{
	if (a->sign != b->sign)
		return a->sign < b->sign ? -1 : 1;
	if (a->whole != b->whole)
		return a->whole < b->whole ? -a->sign : a->sign;
	if (a->nano != b->nano)
		return a->nano < b->nano ? -a->sign : a->sign;
	return 0;
}

const char *
quantity_write_cpu(char buf[QUANTITY_TEXT], int64_t milli)
{
	if (milli % 1000 == 0)
		snprintf(buf, QUANTITY_TEXT, "%" PRId64, milli / 1000);
	else
		snprintf(buf, QUANTITY_TEXT, "%" PRId64 "m", milli);
	return buf;
}

const char *
quantity_write_bytes(char buf[QUANTITY_TEXT], int64_t bytes)
{
	static const char *const units[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi",
		"Ei" };
	size_t unit = 0;

	while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < LENGTH(units)) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, QUANTITY_TEXT, "%" PRId64 "%s", bytes, units[unit]);
	return buf;
}

const char *
quantity_write_about(char buf[QUANTITY_TEXT], int64_t bytes, bool at_most)
{
	static const char units[] = "KMGTPE";
	int64_t unit = 1, tenths;
	int at = -1;

	while (at < 5 && (bytes / unit >= 1024 || bytes / unit <= -1024)) {
		unit *= 1024;
		at++;
	}
	if (at < 0 || bytes % unit == 0 || bytes < 0)
		return quantity_write_bytes(buf,
		    bytes < 0 ? bytes / unit * unit : bytes);
	tenths =
	    (int64_t)((double)bytes / (double)unit * 10 + (at_most ? 0 : 0.5));
	if (tenths >= 1000)
		tenths = (tenths + (at_most ? 0 : 5)) / 10 * 10;
	if (tenths % 10 == 0)
		snprintf(buf, QUANTITY_TEXT, "%" PRId64 "%ci", tenths / 10,
		    units[at]);
	else
		snprintf(buf, QUANTITY_TEXT, "%" PRId64 ".%c%ci", tenths / 10,
		    (char)('0' + tenths % 10), units[at]);
	return buf;
}
