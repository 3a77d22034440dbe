/*
 * Decoding by tables: every object is described by a table of its fields, and one
 * walk decodes them all.  A policy's unknown fields are warnings, as kube-scheduler
 * 1.15 ignores them; if reading->strict_fields, unknown and repeated fields are
 * errors.
 */
#ifndef POLICY_SCHEMA_H
#define POLICY_SCHEMA_H

#include "policy/policy_internal.h"

struct json_out;

enum field_kind {
	FIELD_IGNORED,  /* known, read elsewhere */
	FIELD_STRING,   /* const char * */
	FIELD_BOOL,     /* bool */
	FIELD_INT,      /* int64_t: Go's int */
	FIELD_INT32,    /* int64_t: Go's int32 (in a policy's text an int) */
	FIELD_FLOAT,    /* double: Go's float32 */
	FIELD_TIME,     /* int64_t: Go's time.Duration, in nanoseconds */
	FIELD_DURATION, /* int64_t: the same, as a text such as "15s" */
	FIELD_BYTES,    /* struct bytes_value: base64, or an array of bytes */
	FIELD_OBJECT,  /* pointer to the struct of the schema, NULL if absent */
	FIELD_OBJECTS, /* struct list of them */
	FIELD_STRINGS, /* struct list of struct string_value */
	FIELD_NODE,    /* const struct doc_node *: any value */
};

/* A set of versions, as a field's. */
#define VERSION_BIT(version) (1u << (version))
#define VERSIONS_FROM(version) (~0u << (version))
#define VERSIONS_TO(version) ~(~1u << (version))

/* Whether schema_json() writes a field. */
enum written {
	WRITTEN_ALWAYS,
	WRITTEN_IF_GIVEN, /* not if it is absent, NULL or an empty list */
	WRITTEN_NEVER,
};

struct schema;

struct field {
	const char *name;    /* in the text */
	const char *go_name; /* NULL: none, the field is our own reading */
	size_t offset;
	enum field_kind kind;
	const struct schema *of;
	unsigned versions;  /* that have it; 0: all */
	int64_t by_default; /* of a number that is not given */
	enum written written;
	/* Where schema_make() puts the value; of a list, the number of its items
	 * goes to made_n. */
	bool is_made;
	size_t made, made_n;
};

/* No object has more. */
#define SCHEMA_FIELDS_MAX 24
/* A list of more objects is refused. */
#define SCHEMA_ENTRIES_MAX 1000

struct schema {
	size_t size;      /* of the struct, which begins with a struct item */
	size_t made_size; /* of that which schema_make() makes of it */
	size_t nfields;
	const struct field *fields;
	bool any_case; /* in a policy: this and all within */
	/* A type of the API: its fields are logged under their names in the text,
	 * not under those in Go, which begin with a capital. */
	bool of_api;
};

/* The kind, and other members of the field after it. */
#define FIELD(type, member, in_text, in_go, ...)                               \
	{                                                                      \
		.name = in_text, .go_name = in_go,                             \
		.offset = offsetof(struct type, member), .kind = __VA_ARGS__   \
	}
/* For fields of a strict schema: their Go names do not count. */
#define STRICT(type, member, name, ...)                                        \
	FIELD(type, member, name, name, __VA_ARGS__)
#define MADE(type, member)                                                     \
	.is_made = true, .made = offsetof(struct type, member)
#define MADE_LIST(type, count, member)                                         \
	MADE(type, member), .made_n = offsetof(struct type, count)
#define OBJECTS(schema) FIELD_OBJECTS, .of = &(schema)
#define OBJECT(schema) FIELD_OBJECT, .of = &(schema)
#define TYPE_META                                                              \
	{ .name = "kind", .go_name = "kind", .kind = FIELD_IGNORED },          \
	{                                                                      \
		.name = "apiVersion", .go_name = "apiVersion",                 \
		.kind = FIELD_IGNORED                                          \
	}
/* The fields of a schema. */
#define FIELDS(type, ...)                                                      \
	.size = sizeof(struct type),                                           \
	.nfields = LENGTH(((const struct field[]){ __VA_ARGS__ })),            \
	.fields = (const struct field[])                                       \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

/* decode.c: struct extender_entry, of a policy and of a configuration */
extern const struct schema extender_schema;

/*
 * Fills *object, which is cleared, from the node (NULL: the defaults).  path is the node's path in
 * messages, "" for a root.  False: something in it could not be decoded, and its
 * item is broken.  Texts point into the document.
 */
bool schema_decode(struct reading *reading, const struct doc_node *node,
    const char *path, const struct schema *schema, void *object);

/*
 * Fills the struct for units from a decoded object: numbers become int64_t, strings
 * sym, lists arrays with a size_t.  An object's fields are those of the same struct.
 * It points into the arena, not into the document.
 */
void schema_make(struct arena *arena, const struct schema *schema,
    const void *object, void *made);

/* schema_write.c */

/* The members of an object with the fields of the version. */
void schema_json(struct json_out *json, enum text_version version,
    const struct schema *schema, const void *object);

#endif
