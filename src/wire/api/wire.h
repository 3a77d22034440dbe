/*
 * Protobuf's wire format: a message is a row of fields, each a number, a type
 * and a value.  Nothing here believes a length.
 */
#ifndef API_WIRE_H
#define API_WIRE_H

struct text;

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2, /* strings, messages and lists of numbers, too */
	WIRE_FIXED32 = 5,
};

/* A message that is being read. */
struct wire {
	const char *p, *end;
	const char *name;  /* the input's name in errors */
	const char *begin; /* of the input: errors count bytes from here */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;    /* all but WIRE_BYTES */
	const char *bytes; /* WIRE_BYTES */
	size_t len;
};

/* The next field: 1; 0 at the end; -1: it makes no sense. */
int wire_next(struct wire *wire, struct wire_field *field, struct err *err);
/* A number at wire->p. */
int wire_varint(struct wire *wire, uint64_t *value, struct err *err);

/* The message in a field of type WIRE_BYTES. */
static inline struct wire
wire_within(const struct wire *wire, const struct wire_field *field)
{
	return (struct wire){ field->bytes, field->bytes + field->len,
		wire->name, wire->begin };
}

/* -1, and "name: byte 17: sentence". */
int wire_fail(const struct wire *wire, const char *at, struct err *err,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Appends fields. */
void wire_put_number(struct text *text, uint32_t number, uint64_t value);
void wire_put_bytes(struct text *text, uint32_t number, const char *bytes,
    size_t len);
/* Bytes that are not UTF-8 become U+FFFD, as in json_put(). */
void wire_put_string(struct text *text, uint32_t number, const char *s);
/* As a field, and empties the message. */
void wire_put_message(struct text *text, uint32_t number, struct text *message);

#endif
