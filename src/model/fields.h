/*
 * Which fields of API objects the decoders of this folder read.  All others are
 * passed over where objects come in (base/doc.h): what is in them costs nothing
 * and cannot be an error.
 *
 * A decoder that reads another field needs a row in fields.c; t/model/fields.c
 * finds that it is missing.
 */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

#include "model/object.h"

struct doc_field;

/* NULL: all of them.  Also what a Status says that comes in place of it. */
const struct doc_field *object_fields(enum object_kind kind);

/* What is read of one of these that cannot be decoded, for as much as that; NULL:
 * of this kind there is nothing between all and its name. */
const struct doc_field *object_partial_fields(
    enum object_kind kind, enum partial partial);

#endif
