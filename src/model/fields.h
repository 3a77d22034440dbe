/*
 * Which fields of API objects the decoders of this folder read.  All other
 * fields are skipped when an object is read (base/doc.h): their content costs
 * nothing and cannot be an error.
 *
 * A decoder that reads another field needs a row in fields.c; t/model/fields.c
 * finds that it is missing.
 */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

#include "model/object.h"

struct doc_field;

/* NULL: all of them.  Includes the fields of a Status, which may replace the
 * object. */
const struct doc_field *object_fields(enum object_kind kind);

/* The fields that are read of a broken object, for this degree of partial
 * decoding; NULL: such an object has only a name. */
const struct doc_field *object_partial_fields(enum object_kind kind,
    enum partial partial);

#endif
