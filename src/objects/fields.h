/*
 * Which fields of API objects are read, a row for each, and where the values of
 * those go that are copied (struct field_use); code reads the
 * others.  All other fields are skipped when an object is read (base/doc.h): their
 * content costs nothing and cannot be an error.
 *
 * Code that reads another field needs a row in fields.c; t/model/fields.c finds
 * that it is missing.
 */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

#include "objects/object.h"

struct decoder;
struct doc_field;
struct doc_node;

/* NULL: all of them.  Includes the fields of a Status, which may replace the
 * object. */
const struct doc_field *object_fields(enum object_kind kind);
/* Those of a pod's spec. */
const struct doc_field *pod_spec_fields(void);

/* The fields that are read of a broken object, for this degree of partial
 * decoding; NULL: such an object has only a name. */
const struct doc_field *object_partial_fields(enum object_kind kind,
    enum partial partial);

/* Where the value of a field is copied to, and how. */
struct field_use {
	enum {
		AS_MEMBERS, /* by the rows within, into the same struct */
		AS_EACH,    /* array of structs, by the rows within; count */
		AS_FLAG,    /* bool */
		AS_WORD,    /* bool: whether it is this text */
		AS_INT,     /* int64_t, of 32 bits as in decode_int() */
		AS_INT32,   /* int32_t */
		AS_INT64,   /* int64_t */
		AS_BYTES,   /* int64_t: a quantity, as in storage.h */
		AS_TIME,    /* int64_t: seconds; untouched if absent */
		AS_SYM,     /* sym: absent is text, or else SYM_EMPTY */
		AS_SYM_OR_NONE, /* sym: absent is SYM_NONE */
		AS_OWN_SYM,     /* sym, with a reference of the struct's own */
		AS_SYMS,        /* const sym *; count */
		AS_LABELS,      /* struct labels */
		AS_SELECTOR,    /* struct selector: a LabelSelector's */
	} as;
	const char *text;
	uint16_t to, count; /* offsets in the struct; count: a uint32_t's */
	uint16_t has;       /* of a bool: whether it is there; 0: none */
	uint16_t size;      /* of the value, or of an array's elements */
	/* Of a member of a pod's spec that goes to its class, and tells classes
	 * apart: its enum aspect, and the limits beyond which it is not read. */
	uint16_t aspect, over;
};

/* Copies the members of an object that have a use in these rows to a struct that is
 * zeroed. */
void decode_fields(struct decoder *d, const struct doc_node *node,
    const struct doc_field *fields, void *out);
/* The same for a pod's class, from its spec. */
void decode_class_fields(struct decoder *d, const struct doc_node *spec,
    const struct doc_field *fields, void *class);

#endif
