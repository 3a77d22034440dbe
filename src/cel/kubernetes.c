#include "config.h"

#include "base/text.h"
#include "cel/cel_internal.h"
#include "base/quantity.h"

#include <arpa/inet.h>
#include <errno.h>

static struct cel_value
boxed(struct arena *arena, enum cel_kind kind, const void *data, size_t size)
{
	return (struct cel_value){ .kind = kind,
		.data = arena_memdup(arena, data, size) };
}

/* Quantities */

/*
 * nano is the amount.  Go keeps value * 10^scale, or a decimal of any size: those
 * with a negative scale and decimals are no integers.
 */
struct quantity_value {
	__int128 nano;
	int32_t scale;
	bool is_decimal;
};
#define NANO 1000000000
#define MAX_NANO ((__int128)1 << 125)

static const struct quantity_value *
quantity(const struct cel_value *value)
{
	return value->data;
}

static struct cel_value
quantity_box(struct arena *arena, struct quantity_value q)
{
	if (q.nano > MAX_NANO)
		q.nano = MAX_NANO;
	if (q.nano < -MAX_NANO)
		q.nano = -MAX_NANO;
	return boxed(arena, CEL_QUANTITY, &q, sizeof(q));
}

static struct cel_value
of_quantity(struct arena *arena, const struct quantity *from, int32_t scale,
    bool is_decimal)
{
	struct quantity_value q = { .scale = scale, .is_decimal = is_decimal };

	q.nano = from->whole > (unsigned __int128)(MAX_NANO / NANO) ?
	    MAX_NANO :
	    (__int128)from->whole * NANO + from->nano;
	if (from->sign < 0)
		q.nano = -q.nano;
	return quantity_box(arena, q);
}

struct cel_value
cel_quantity(struct arena *arena, const struct quantity *q)
{
	return of_quantity(arena, q, q->nano == 0 ? 0 : -9,
	    q->whole > INT64_MAX);
}

int
cel_quantity_text(struct arena *arena, const char *text, size_t len,
    struct cel_value *out, struct err *err)
{
	struct quantity q;

	if (quantity_parse(text, len, &q, err) != 0)
		return -1;
	*out = of_quantity(arena, &q, q.scale, !q.is_small);
	return 0;
}

struct cel_value
quantity_of(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value out;
	struct err err;

	if (cel_quantity_text(run->arena, args[0].text, args[0].len, &out,
		&err) != 0)
		return cel_error(run, "%s", err.text);
	return out;
}

FUNCTION(is_quantity, cel_bool(quantity_of(run, args, n).kind == CEL_QUANTITY))

struct cel_value
sign_of_quantity(struct run *run, const struct cel_value *args, size_t n)
{
	__int128 nano = quantity(&args[0])->nano;

	return cel_int((nano > 0) - (nano < 0));
}

/* Whether Go's AsInt64() has a value for it. */
static bool
is_integer(const struct quantity_value *q)
{
	return !q->is_decimal && (q->scale >= 0 || q->nano == 0) &&
	    q->nano / NANO <= INT64_MAX && q->nano / NANO >= INT64_MIN &&
	    (q->scale >= 0);
}

FUNCTION(quantity_is_integer, cel_bool(is_integer(quantity(&args[0]))))

struct cel_value
quantity_as_integer(struct run *run, const struct cel_value *args, size_t n)
{
	const struct quantity_value *q = quantity(&args[0]);

	if (!is_integer(q))
		return cel_error_text("cannot convert value to integer");
	return cel_int((int64_t)(q->nano / NANO));
}

struct cel_value
quantity_as_float(struct run *run, const struct cel_value *args, size_t n)
{
	const struct quantity_value *q = quantity(&args[0]);

	return cel_double(q->nano % NANO == 0 ? (double)(q->nano / NANO) :
						(double)q->nano / NANO);
}

static struct cel_value
sum(struct run *run, const struct cel_value *args, int sign)
{
	struct quantity_value a = *quantity(&args[0]), b = { 0 };
	struct cel_value out;

	if (args[1].kind != CEL_INT)
		b = *quantity(&args[1]);
	else if (sign < 0 && args[1].integer == INT64_MIN)
		b.nano = -(__int128)INT64_MIN * NANO; /* Go wraps */
	else
		b.nano = (__int128)args[1].integer * NANO;
	if (a.nano == 0 && !a.is_decimal && !b.is_decimal)
		a.scale = b.scale;
	else if (b.scale < a.scale)
		a.scale = b.scale;
	a.is_decimal |= b.is_decimal;
	a.nano += sign * b.nano;
	if (a.nano / NANO > INT64_MAX || a.nano / NANO < INT64_MIN)
		a.is_decimal = true;
	out = quantity_box(run->arena, a);
	out.flag = true;
	return out;
}

FUNCTION(quantity_add, sum(run, args, 1))
FUNCTION(quantity_sub, sum(run, args, -1))

/* Semantic versions */

struct semver {
	uint64_t number[3];
	const char *pre; /* the identifiers, with dots; NULL: none */
};

/* Whether each byte is one of the set. */
static bool
all_in(const char *s, size_t len, const char *set)
{
	return !ANY(i, len, s[i] == '\0' || strchr(set, s[i]) == NULL);
}

#define DIGITS "0123456789"
#define WORD DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

static int
read_number(struct arena *arena, const char *s, size_t len, uint64_t *out,
    struct err *err)
{
	char *end;

	errno = 0;
	*out = strtoull(s, &end, 10);
	if (len > 0 && errno == 0)
		return 0;
	return errf(err, "strconv.ParseUint: parsing %s: %s",
	    text_quote(arena, s, len),
	    len == 0 ? "invalid syntax" : "value out of range");
}

/* Identifiers after - (is_pre) or +, between dots. */
static int
check_identifiers(struct arena *arena, const char *s, size_t len, bool is_pre,
    struct err *err)
{
	uint64_t number;

	for (;;) {
		const char *dot = memchr(s, '.', len);
		size_t n = dot == NULL ? len : (size_t)(dot - s);
		const char *quoted = text_quote(arena, s, n);

		if (n == 0)
			return errf(err,
			    is_pre ? "Prerelease is empty" :
				     "Build meta data is empty");
		if (is_pre && all_in(s, n, DIGITS)) {
			if (n > 1 && s[0] == '0')
				return errf(err,
				    "Numeric PreRelease version must not "
				    "contain leading zeroes %s",
				    quoted);
			if (read_number(arena, s, n, &number, err) != 0)
				return -1;
		} else if (!all_in(s, n, WORD)) {
			return errf(err, "Invalid character(s) found in %s %s",
			    is_pre ? "prerelease" : "build meta data", quoted);
		}
		if (dot == NULL)
			return 0;
		s += n + 1;
		len -= n + 1;
	}
}

int
cel_semver(struct arena *arena, const char *text, struct cel_value *out,
    struct err *err)
{
	static const char *const lower[] = { "major", "minor", "patch" };
	static const char *const upper[] = { "Major", "Minor", "Patch" };
	struct semver version = { .pre = NULL };
	const char *dot, *s = text, *build;
	size_t len;

	if (*text == '\0')
		return errf(err, "Version string empty");
	dot = strchr(text, '.');
	if (dot == NULL || strchr(dot + 1, '.') == NULL)
		return errf(err, "No Major.Minor.Patch elements found");
	for (int i = 0; i < 3; i++) {
		len = i < 2 ? strcspn(s, ".") : strcspn(s, "+");
		if (i == 2 && memchr(s, '-', len) != NULL)
			len = strcspn(s, "-");
		if (!all_in(s, len, DIGITS))
			return errf(err,
			    "Invalid character(s) found in %s number %s",
			    lower[i], text_quote(arena, s, len));
		if (len > 1 && s[0] == '0')
			return errf(err,
			    "%s number must not contain leading zeroes %s",
			    upper[i], text_quote(arena, s, len));
		if (read_number(arena, s, len, &version.number[i], err) != 0)
			return -1;
		s += len + (i < 2);
	}
	build = strchr(s, '+');
	if (*s == '-') {
		len = build == NULL ? strlen(s + 1) : (size_t)(build - s - 1);
		if (check_identifiers(arena, s + 1, len, true, err) != 0)
			return -1;
		version.pre = arena_strndup(arena, s + 1, len);
	}
	if (build != NULL &&
	    check_identifiers(arena, build + 1, strlen(build + 1), false,
		err) != 0)
		return -1;
	*out = boxed(arena, CEL_SEMVER, &version, sizeof(version));
	return 0;
}

static int
cmp_identifiers(const char *a, const char *b)
{
	for (;;) {
		size_t la = strcspn(a, "."), lb = strcspn(b, ".");
		bool na = all_in(a, la, DIGITS), nb = all_in(b, lb, DIGITS);
		size_t len = la < lb ? la : lb;
		int cmp = na != nb ? nb - na : 0;

		/* numbers have no leading zeros */
		if (cmp == 0 && na && la != lb)
			cmp = la < lb ? -1 : 1;
		if (cmp == 0)
			cmp = memcmp(a, b, len);
		if (cmp == 0 && la != lb)
			cmp = la < lb ? -1 : 1;
		if (cmp != 0)
			return cmp < 0 ? -1 : 1;
		if (a[la] == '\0' || b[lb] == '\0')
			return (a[la] != '\0') - (b[lb] != '\0');
		a += la + 1;
		b += lb + 1;
	}
}

static int
cmp_semver(const struct semver *a, const struct semver *b)
{
	for (int i = 0; i < 3; i++)
		if (a->number[i] != b->number[i])
			return a->number[i] < b->number[i] ? -1 : 1;
	if (a->pre == NULL || b->pre == NULL)
		return (a->pre == NULL) - (b->pre == NULL);
	return cmp_identifiers(a->pre, b->pre);
}

/* Go's trimming of leading zeros, and 0 for the numbers that are not there. */
static const char *
normalized(struct arena *arena, const char *s)
{
	const char *parts[3] = { "0", "0", "0" };
	int n = 0;

	s += *s == 'v';
	for (bool more = true; more && n < 3; n++) {
		size_t len = n < 2 ? strcspn(s, ".") : strlen(s);
		const char *part = s;
		size_t skip = len > 1 ? strspn(s, "0") : 0;

		skip = skip > len ? len : skip;
		part = s + skip;
		parts[n] = arena_printf(arena, "%s%.*s",
		    len > 1 && (skip == len || part[0] < '0' || part[0] > '9') ?
			"0" :
			"",
		    (int)(len - skip), part);
		more = s[len] == '.';
		s += len + more;
	}
	if (n < 3 && strpbrk(parts[n - 1], "+-") != NULL)
		return NULL;
	return arena_join(arena, 3, parts, ".");
}

struct cel_value
semver_of(struct run *run, const struct cel_value *args, size_t n)
{
	const char *text = arena_strndup(run->arena, args[0].text, args[0].len);
	struct cel_value out;
	struct err err;

	if (n == 2 && args[1].boolean)
		text = normalized(run->arena, text);
	if (text == NULL)
		return cel_error_text(
		    "short version cannot contain PreRelease/Build meta data");
	if (cel_semver(run->arena, text, &out, &err) != 0)
		return cel_error(run, "%s", err.text);
	return out;
}

FUNCTION(is_semver, cel_bool(semver_of(run, args, n).kind == CEL_SEMVER))

static struct cel_value
semver_number(const struct cel_value *value, int i)
{
	return cel_int(
	    (int64_t)((const struct semver *)value->data)->number[i]);
}

FUNCTION(semver_major, semver_number(&args[0], 0))
FUNCTION(semver_minor, semver_number(&args[0], 1))
FUNCTION(semver_patch, semver_number(&args[0], 2))

/* Addresses */

struct address {
	uint8_t bytes[16];
	uint8_t len;  /* 4 or 16 */
	uint8_t bits; /* of the prefix of a network */
};

static const struct address *
address(const struct cel_value *value)
{
	return value->data;
}

size_t
address_size(const struct cel_value *value)
{
	return value->kind == CEL_IP ? address(value)->len :
				       (address(value)->bits + 7u) / 8;
}

/* As Go's netip does: no leading zeros in numbers. */
static int
read_address(struct arena *arena, const char *s, size_t len,
    struct address *out, struct err *err)
{
	char text[64] = "";
	const char *quoted = text_quote(arena, s, len);
	bool valid = len < sizeof(text) && memchr(s, '\0', len) == NULL;

	if (valid)
		memcpy(text, s, len);
	if (memchr(s, '%', len) != NULL && memchr(s, ':', len) != NULL)
		return errf(err, "IP address %s with zone value is not allowed",
		    quoted);
	memset(out, 0, sizeof(*out));
	out->len = memchr(s, ':', len) != NULL ? 16 : 4;
	if (!valid ||
	    inet_pton(out->len == 4 ? AF_INET : AF_INET6, text, out->bytes) !=
		1)
		return errf(err,
		    "IP Address %s parse error during conversion from string: "
		    "ParseAddr(%s): unable to parse IP",
		    quoted, quoted);
	if (out->len == 16 &&
	    memcmp(out->bytes, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12) == 0)
		return errf(err, "IPv4-mapped IPv6 address %s is not allowed",
		    quoted);
	return 0;
}

static bool
is_zero(const uint8_t *bytes, size_t n)
{
	return !ANY(i, n, bytes[i] != 0);
}

/* Go writes no part of an address of IPv6 as one of IPv4. */
static const char *
address_text(struct arena *arena, const struct address *a)
{
	const uint8_t *b = a->bytes;
	char buf[INET6_ADDRSTRLEN];

	if (a->len == 16 && is_zero(b, 12) && (b[12] != 0 || b[13] != 0))
		return arena_printf(arena, "::%x:%x", b[12] << 8 | b[13],
		    b[14] << 8 | b[15]);
	inet_ntop(a->len == 4 ? AF_INET : AF_INET6, b, buf, sizeof(buf));
	return arena_strdup(arena, buf);
}

static struct cel_value
read_ip(struct run *run, const struct cel_value *text)
{
	struct address a;
	struct err err;

	if (read_address(run->arena, text->text, text->len, &a, &err) != 0)
		return cel_error(run, "%s", err.text);
	return boxed(run->arena, CEL_IP, &a, sizeof(a));
}

FUNCTION(ip_of, read_ip(run, &args[0]))
FUNCTION(is_ip, cel_bool(read_ip(run, &args[0]).kind == CEL_IP))
FUNCTION(ip_text, cel_string(address_text(run->arena, address(&args[0]))))
FUNCTION(ip_family, cel_int(address(&args[0])->len == 4 ? 4 : 6))

struct cel_value
ip_is_canonical(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value ip = read_ip(run, &args[0]);
	const char *text;

	if (is_error(&ip))
		return ip;
	text = address_text(run->arena, address(&ip));
	return cel_bool(strlen(text) == args[0].len &&
	    memcmp(text, args[0].text, args[0].len) == 0);
}

static bool
is_unspecified(const struct address *a)
{
	return is_zero(a->bytes, a->len);
}

static bool
is_loopback(const struct address *a)
{
	return a->len == 4 ? a->bytes[0] == 127 :
			     is_zero(a->bytes, 15) && a->bytes[15] == 1;
}

static bool
is_link_local(const struct address *a)
{
	return a->len == 4 ?
	    a->bytes[0] == 169 && a->bytes[1] == 254 :
	    a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
}

FUNCTION(ip_is_unspecified, cel_bool(is_unspecified(address(&args[0]))))
FUNCTION(ip_is_loopback, cel_bool(is_loopback(address(&args[0]))))

/* Link-local. */
struct cel_value
ip_is_multicast(struct run *run, const struct cel_value *args, size_t n)
{
	const struct address *a = address(&args[0]);

	return cel_bool(a->len == 4 ?
		memcmp(a->bytes, "\xe0\0", 3) == 0 :
		a->bytes[0] == 0xff && (a->bytes[1] & 0x0f) == 2);
}

/* Link-local. */
FUNCTION(ip_is_unicast, cel_bool(is_link_local(address(&args[0]))))

struct cel_value
ip_is_global(struct run *run, const struct cel_value *args, size_t n)
{
	const struct address *a = address(&args[0]);
	bool broadcast =
	    a->len == 4 && memcmp(a->bytes, "\xff\xff\xff\xff", 4) == 0;
	bool multicast =
	    a->len == 4 ? (a->bytes[0] & 0xf0) == 0xe0 : a->bytes[0] == 0xff;

	return cel_bool(!is_unspecified(a) && !is_loopback(a) && !multicast &&
	    !is_link_local(a) && !broadcast);
}

/* Networks */

static struct cel_value
read_cidr(struct run *run, const struct cel_value *text)
{
	const char *quoted = text_quote(run->arena, text->text, text->len);
	const char *slash = NULL, *bits;
	struct address a = { .len = 0 };
	size_t nbits;
	struct err err;

	for (uint32_t i = 0; i < text->len; i++)
		if (text->text[i] == '/')
			slash = text->text + i;
#define CIDR_ERROR                                                             \
	"network address parse error during conversion from string: network "  \
	"address parse error during conversion from string: "                  \
	"netip.ParsePrefix(%s): "
	if (slash == NULL)
		return cel_error(run, CIDR_ERROR "no '/'", quoted);
	if (read_address(run->arena, text->text, (size_t)(slash - text->text),
		&a, &err) != 0) {
		if (strncmp(err.text, "IPv4-mapped", 11) == 0)
			return cel_error(run,
			    "network address parse error during conversion "
			    "from string: IPv4-mapped IPv6 address %s is not "
			    "allowed",
			    quoted);
		return cel_error(run, CIDR_ERROR "%s", quoted,
		    strstr(err.text, "ParseAddr") != NULL ?
			strstr(err.text, "ParseAddr") :
			"IPv6 zones cannot be present in a prefix");
	}
	bits = slash + 1;
	nbits = (size_t)(text->text + text->len - bits);
	if (nbits == 0 || nbits > 3 || !all_in(bits, nbits, DIGITS) ||
	    (nbits > 1 && bits[0] == '0'))
		return cel_error(run, CIDR_ERROR "bad bits after slash: %s",
		    quoted, text_quote(run->arena, bits, nbits));
	for (size_t i = 0, value = 0; i < nbits; i++) {
		value = value * 10 + (size_t)(bits[i] - '0');
		if (value > a.len * 8u)
			return cel_error(run,
			    CIDR_ERROR "prefix length out of range", quoted);
		a.bits = (uint8_t)value;
	}
	return boxed(run->arena, CEL_CIDR, &a, sizeof(a));
}

static struct address
masked(const struct address *a, unsigned bits)
{
	struct address m = *a;

	for (unsigned i = 0; i < m.len; i++)
		if (bits < 8 * (i + 1))
			m.bytes[i] &= bits <= 8 * i ?
			    0 :
			    (uint8_t)(0xff00u >> (bits - 8 * i));
	return m;
}

static bool
same_prefix(const struct address *a, const struct address *b, unsigned bits)
{
	struct address x = masked(a, bits), y = masked(b, bits);

	return a->len == b->len && memcmp(x.bytes, y.bytes, a->len) == 0;
}

FUNCTION(cidr_of, read_cidr(run, &args[0]))
FUNCTION(is_cidr, cel_bool(read_cidr(run, &args[0]).kind == CEL_CIDR))

struct cel_value
cidr_ip(struct run *run, const struct cel_value *args, size_t n)
{
	struct address a = *address(&args[0]);

	a.bits = 0;
	return boxed(run->arena, CEL_IP, &a, sizeof(a));
}

FUNCTION(cidr_prefix_length, cel_int(address(&args[0])->bits))

struct cel_value
cidr_masked(struct run *run, const struct cel_value *args, size_t n)
{
	struct address m = masked(address(&args[0]), address(&args[0])->bits);

	return boxed(run->arena, CEL_CIDR, &m, sizeof(m));
}

struct cel_value
cidr_text(struct run *run, const struct cel_value *args, size_t n)
{
	const struct address *a = address(&args[0]);

	return cel_text(run, "%s/%d", address_text(run->arena, a), a->bits);
}

struct cel_value
cidr_contains_ip(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value ip = args[1];

	if (ip.kind == CEL_STRING)
		ip = read_ip(run, &args[1]);
	if (is_error(&ip))
		return no_such_overload();
	return cel_bool(same_prefix(address(&args[0]), address(&ip),
	    address(&args[0])->bits));
}

struct cel_value
cidr_contains_cidr(struct run *run, const struct cel_value *args, size_t n)
{
	const struct address *a = address(&args[0]), *b;
	struct cel_value cidr = args[1];

	if (cidr.kind == CEL_STRING)
		cidr = read_cidr(run, &args[1]);
	if (is_error(&cidr))
		return cidr;
	b = address(&cidr);
	return cel_bool(a->bits <= b->bits && same_prefix(a, b, a->bits));
}

int
kubernetes_cmp(const struct cel_value *a, const struct cel_value *b)
{
	__int128 x, y;

	switch ((int)a->kind) {
	case CEL_QUANTITY:
		x = quantity(a)->nano;
		y = quantity(b)->nano;
		return (x > y) - (x < y);
	case CEL_SEMVER:
		return cmp_semver(a->data, b->data);
	case CEL_IP:
	case CEL_CIDR:
		return memcmp(a->data, b->data, sizeof(struct address)) != 0;
	default:
		return a->integer != b->integer;
	}
}

FUNCTION(order_compare, cel_int(kubernetes_cmp(&args[0], &args[1])))
FUNCTION(order_greater, cel_bool(kubernetes_cmp(&args[0], &args[1]) > 0))
FUNCTION(order_less, cel_bool(kubernetes_cmp(&args[0], &args[1]) < 0))
