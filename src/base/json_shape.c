#include "config.h"

#include "base/json_shape.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xmalloc.h"

/* Of one shape, and of all that are known. */
#define SHAPE_MAX ((size_t)64 << 10)
#define TABLE_MAX ((size_t)4 << 20)

/* Longer numbers are left as they are. */
#define DIGITS_MAX 15

struct shape {
	struct shape *next; /* of the same hash */
	size_t len;
	char bytes[];
};

static struct {
	struct map known; /* hash -> struct shape */
	size_t bytes;
	/* of the last json_shape_known(); len 0: cannot be kept */
	uint64_t hash;
	size_t len;
	char last[SHAPE_MAX];
} table;

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Marks the bytes that are; a false alarm is possible behind the first. */
static inline uint64_t
has_zero(uint64_t word)
{
	return (word - EACH (1)) & ~word & EACH (0x80);
}

static inline bool
is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

const char *
json_skip_plain(const char *p, const char *end)
{
	uint64_t word, found;

	for (; end - p >= 8; p += 8) {
		memcpy(&word, p, 8);
		/* the last: less than 0x20, or 0x80 and more */
		found = has_zero(word ^ EACH ('"')) |
		    has_zero(word ^ EACH ('\\')) |
		    (((word - EACH (0x20)) | word) & EACH (0x80));
		if (found == 0)
			continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		return p + __builtin_ctzll(found) / 8;
#else
		break;
#endif
	}
	while (p < end && is_plain((unsigned char)*p))
		p++;
	return p;
}

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == '\n' || *p == ' ' || *p == '\t' || *p == '\r'))
		p = json_skip_blanks(p + 1, end);
	return p;
}

/* Where a shape is being written. */
struct trace {
	const char *p, *end;
	size_t len;
};

static inline bool
put_byte(struct trace *t, char byte)
{
	if (t->len == SHAPE_MAX)
		return false;
	table.last[t->len++] = byte;
	return true;
}

static bool
put(struct trace *t, const char *bytes, size_t n)
{
	if (n > SHAPE_MAX - t->len)
		return false;
	memcpy(table.last + t->len, bytes, n);
	t->len += n;
	return true;
}

/* The string whose quote is at t->p; false: it does not end, or is too long. */
static bool
trace_string(struct trace *t)
{
	const char *from = t->p++;
	bool plain = true;

	for (;;) {
		t->p = json_skip_plain(t->p, t->end);
		if (t->p == t->end)
			return false;
		if (*t->p == '"')
			break;
		if ((unsigned char)*t->p < 0x80)
			plain = false;
		if (*t->p == '\\' && ++t->p == t->end)
			return false;
		t->p++;
	}
	t->p++;
	if (plain)
		return put_byte(t, '"') && put_byte(t, '"');
	return put(t, from, (size_t)(t->p - from));
}

/* A whole number that begins at t->p with its first digit, which is not 0. */
static bool
trace_number(struct trace *t)
{
	const char *from = t->p;

	while (t->p < t->end && *t->p >= '0' && *t->p <= '9')
		t->p++;
	if (t->p - from <= DIGITS_MAX && t->p < t->end &&
	    strchr(",]} \t\r\n", *t->p) != NULL && *t->p != '\0')
		return put_byte(t, '1');
	return put(t, from, (size_t)(t->p - from));
}

/* Whether a number may follow the last token. */
static bool
number_may_follow(const struct trace *t)
{
	return t->len > 0 && strchr(":,[ ", table.last[t->len - 1]) != NULL;
}

/* The shape of the array or object at p; 0: it has no end, or is too long. */
static size_t
trace(const char *p, const char *end)
{
	struct trace t = { .p = p, .end = end };
	size_t depth = 0;
	const char *from;
	bool fits = true;

	do {
		if (t.p == t.end)
			return 0;
		switch (*t.p) {
		case '"':
			fits = trace_string(&t);
			break;
		case ' ':
		case '\n':
		case '\t':
		case '\r':
			t.p = skip_space(t.p, t.end);
			fits = put_byte(&t, ' ');
			break;
		case '1':
		case '2':
		case '3':
		case '4':
		case '5':
		case '6':
		case '7':
		case '8':
		case '9':
			if (number_may_follow(&t)) {
				fits = trace_number(&t);
				break;
			}
			__attribute__((fallthrough));
		default:
			from = t.p++;
			depth += *from == '{' || *from == '[';
			depth -= *from == '}' || *from == ']';
			fits = put_byte(&t, *from);
			break;
		}
	} while (fits && depth > 0);
	return fits ? t.len : 0;
}

bool
json_shape_known(const char *p, const char *end)
{
	const struct shape *shape;

	table.len = p < end && (*p == '{' || *p == '[') ? trace(p, end) : 0;
	if (table.len == 0)
		return false;
	table.hash = hash_bytes64(table.last, table.len);
	shape = map_get(&table.known, table.hash);
	while (shape != NULL &&
	    (shape->len != table.len ||
		memcmp(shape->bytes, table.last, table.len) != 0))
		shape = shape->next;
	return shape != NULL;
}

static void
forget_all(void)
{
	struct shape *shape, *next;

	for (size_t i = 0; i < table.known.nslots; i++)
		for (shape = table.known.slots[i].value; shape != NULL;
		     shape = next) {
			next = shape->next;
			free(shape);
		}
	map_fini(&table.known);
	table.bytes = 0;
}

void
json_shape_remember(void)
{
	struct shape *shape;

	if (table.len == 0)
		return;
	if (table.bytes + table.len > TABLE_MAX)
		forget_all();
	shape = xmalloc(sizeof(*shape) + table.len);
	shape->len = table.len;
	memcpy(shape->bytes, table.last, table.len);
	shape->next = map_put(&table.known, table.hash, shape);
	table.bytes += sizeof(*shape) + table.len;
	table.len = 0;
}
