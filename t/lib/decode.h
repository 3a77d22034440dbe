/*
 * Objects of the API, decoded from JSON or YAML, and tests that all
 * kinds share.
 */
#ifndef T_LIB_DECODE_H
#define T_LIB_DECODE_H

#include <stddef.h>

#include "objects/object.h"

struct decode_settings;
struct err;

/* An object of this kind, by its kind's own decoder; NULL: an error. */
struct object *t_decode(enum object_kind kind, const char *text,
    struct err *err);
/* The same by these settings. */
struct object *t_decode_by(const struct decode_settings *settings,
    enum object_kind kind, const char *text, struct err *err);

/* The same, which must succeed; NULL after a failed comparison. */
void *t_must_decode(const char *name, enum object_kind kind, const char *text);

/* An object that names its kind, likewise; NULL for NULL.  You own it. */
struct object *t_object(const char *text);

/* Of one field: the document around it, and the types that it may have besides
 * null, as error messages call them ("a string or a number"). */
struct t_field {
	enum object_kind kind;
	const char *before, *after, *path, *want;
};

/* Puts a value of each type in the place of each field: 6 outcomes a row, each
 * of which either decodes or has an error with position and path. */
void t_fields(size_t n, const struct t_field *rows);

/* A text that is refused, and part of the message. */
struct t_refusal {
	enum object_kind kind;
	const char *text, *want;
};

void t_refusals(size_t n, const struct t_refusal *rows);

/* Documents that hold no object, or one without a name, are refused. */
void t_no_objects(size_t n, const enum object_kind *kinds);

#endif
