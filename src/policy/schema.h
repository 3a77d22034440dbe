/*
 * Decoding by tables: every object is described by a table of its fields, and one
 * walk decodes them all.  A policy's unknown fields are warnings, as kube-scheduler
 * 1.15 ignores them; if reading->strict_fields, unknown and repeated fields are
 * errors.
 */
#ifndef POLICY_SCHEMA_H
#define POLICY_SCHEMA_H

#include "policy/policy_internal.h"

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

struct schema;

struct field {
	const char *name;    /* in the text */
	const char *go_name; /* NULL: none, the field is our own reading */
	enum field_kind kind;
	size_t offset;
	const struct schema *of;
};

/* No object has more. */
#define SCHEMA_FIELDS_MAX 24

struct schema {
	size_t size; /* of the struct, which begins with a struct item */
	size_t nfields;
	const struct field *fields;
	bool any_case; /* this and all within */
};

#define FIELD(type, member, name, go_name, kind)                               \
	{                                                                      \
		name, go_name, kind, offsetof(struct type, member), NULL       \
	}
#define FIELD_OF(type, member, name, go_name, kind, schema)                    \
	{                                                                      \
		name, go_name, kind, offsetof(struct type, member), &(schema)  \
	}
#define SCHEMA(type, fields, any_case)                                         \
	{                                                                      \
		sizeof(struct type), LENGTH(fields), fields, any_case          \
	}

/* The same names in Go, for fields of a strict schema: their Go names do not
 * count. */
#define STRICT(type, member, name, kind) FIELD(type, member, name, name, kind)
#define STRICT_OF(type, member, name, kind, schema)                            \
	FIELD_OF(type, member, name, name, kind, schema)

/*
 * Fills *object, which is cleared, from the node.  path is the node's path in
 * messages, "" for a root.  False: something in it could not be decoded, and its
 * item is broken.  Texts point into the document.
 */
bool schema_decode(struct reading *reading, const struct doc_node *node,
    const char *path, const struct schema *schema, void *object);

#endif
