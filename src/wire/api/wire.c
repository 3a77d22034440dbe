#include "config.h"

#include "wire/api/wire.h"

#include "base/json_out.h"
#include "base/utf8.h"

/* 64 bits in pieces of seven. */
#define VARINT_MAX 10
/* Of a field's number. */
#define NUMBER_MAX ((1u << 29) - 1)

int
wire_fail(const struct wire *wire, const char *at, struct err *err,
    const char *fmt, ...)
{
	char AUTOFREE *sentence = NULL;

	XFORMAT(sentence, fmt);
	return errf(err, "%s: byte %zu: %s", wire->name,
	    (size_t)(at - wire->begin), sentence);
}

static int
read_long(struct wire *wire, uint64_t *value, struct err *err)
{
	const char *p = wire->p;
	uint64_t sum = 0;
	unsigned char c;

	for (unsigned i = 0; i < VARINT_MAX; i++) {
		if (p == wire->end)
			return wire_fail(wire, p, err, "truncated number");
		c = (unsigned char)*p++;
		if (i == VARINT_MAX - 1 && c > 1)
			break;
		sum |= (uint64_t)(c & 0x7f) << (7 * i);
		if (c < 0x80) {
			wire->p = p;
			*value = sum;
			return 0;
		}
	}
	return wire_fail(wire, wire->p, err, "number exceeds 64 bits");
}

/* Nearly all of them are one byte long. */
static inline int
read_varint(struct wire *wire, uint64_t *value, struct err *err)
{
	if (wire->p == wire->end || (unsigned char)*wire->p >= 0x80)
		return read_long(wire, value, err);
	*value = (unsigned char)*wire->p++;
	return 0;
}

int
wire_varint(struct wire *wire, uint64_t *value, struct err *err)
{
	return read_varint(wire, value, err);
}

static int
read_fixed(struct wire *wire, size_t len, struct wire_field *field,
    struct err *err)
{
	if ((size_t)(wire->end - wire->p) < len)
		return wire_fail(wire, wire->p, err, "truncated number");
	field->value = 0;
	for (size_t i = len; i-- > 0;)
		field->value = field->value << 8 | (unsigned char)wire->p[i];
	wire->p += len;
	return 1;
}

static int
read_bytes(struct wire *wire, struct wire_field *field, struct err *err)
{
	const char *at = wire->p;
	uint64_t len;

	if (read_varint(wire, &len, err) != 0)
		return -1;
	if (len > (size_t)(wire->end - wire->p))
		return wire_fail(wire, at, err,
		    "field %u exceeds its enclosing message", field->number);
	field->bytes = wire->p;
	field->len = (size_t)len;
	wire->p += len;
	return 1;
}

int
wire_next(struct wire *wire, struct wire_field *field, struct err *err)
{
	const char *at = wire->p;
	uint64_t tag;

	if (at == wire->end)
		return 0;
	if (read_varint(wire, &tag, err) != 0)
		return -1;
	if (tag >> 3 == 0 || tag >> 3 > NUMBER_MAX)
		return wire_fail(wire, at, err, "invalid field number");
	field->number = (uint32_t)(tag >> 3);
	field->type = (enum wire_type)(tag & 7);
	switch (field->type) {
	case WIRE_VARINT:
		return read_varint(wire, &field->value, err) == 0 ? 1 : -1;
	case WIRE_FIXED64:
		return read_fixed(wire, 8, field, err);
	case WIRE_BYTES:
		return read_bytes(wire, field, err);
	case WIRE_FIXED32:
		return read_fixed(wire, 4, field, err);
	}
	return wire_fail(wire, at, err, "field %u has unknown wire type %u",
	    field->number, (unsigned)(tag & 7));
}

/* ---- writing ---- */

static void
put_varint(struct text *text, uint64_t value)
{
	char bytes[VARINT_MAX];
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[n++] = (char)(value | 0x80);
	bytes[n++] = (char)value;
	text_append(text, bytes, n);
}

void
wire_put_number(struct text *text, uint32_t number, uint64_t value)
{
	put_varint(text, (uint64_t)number << 3 | WIRE_VARINT);
	put_varint(text, value);
}

void
wire_put_bytes(struct text *text, uint32_t number, const char *bytes,
    size_t len)
{
	put_varint(text, (uint64_t)number << 3 | WIRE_BYTES);
	put_varint(text, len);
	text_append(text, bytes, len);
}

void
wire_put_string(struct text *text, uint32_t number, const char *s)
{
	const unsigned char *begin = (const unsigned char *)s, *p = begin;
	const unsigned char *end = begin + strlen(s);
	struct text clean = { 0 };
	size_t len = 1;

	for (; p < end && len > 0; p += len)
		len = utf8_len(p, end);
	if (len > 0) {
		wire_put_bytes(text, number, s, (size_t)(end - begin));
		return;
	}
	/* with bytes that are not UTF-8 replaced */
	for (p = begin; p<end; p += len> 0 ? len : 1) {
		len = utf8_len(p, end);
		if (len > 0)
			text_append(&clean, (const char *)p, len);
		else
			text_put(&clean, UTF8_REPLACEMENT);
	}
	wire_put_message(text, number, &clean);
}

void
wire_put_message(struct text *text, uint32_t number, struct text *message)
{
	wire_put_bytes(text, number, message->bytes, message->len);
	text_fini(message);
}
