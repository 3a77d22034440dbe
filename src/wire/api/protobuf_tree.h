/*
 * From Kubernetes' protobuf messages to the tree that the JSON of the same
 * object makes (doc.h): the same members with the same values, in the order of
 * the message's fields.  protobuf_table.h has the names.
 *
 * As in doc_limits_dump, metadata.managedFields are left out.  Fields that are
 * not in limits->fields or not in the table are skipped: the server may be
 * newer than the table, which has all fields of pods and nodes, and of other
 * kinds those that are read (objects/fields.h).
 */
#ifndef API_PROTOBUF_TREE_H
#define API_PROTOBUF_TREE_H

#include "wire/api/wire.h"

struct doc;
struct doc_limits;
struct doc_node;
struct protobuf_message;
struct text;

/* NULL: not in the table. */
const struct protobuf_message *protobuf_find(const char *api_version,
    const char *kind);
/* Whether the table has the kind of this resource: "apps/v1", "replicasets". */
bool protobuf_has(const char *api_version, const char *resource);

/* The message as an object of doc at this depth (0: it is the root), with
 * positions from wire.begin.  NULL: err has the reason. */
struct doc_node *protobuf_tree(struct doc *doc, const struct doc_limits *limits,
    const struct protobuf_message *message, struct wire wire, unsigned depth,
    struct err *err);

/* Appends the fields of a message from an object of this kind that we have made, so
 * that their values are right; Event and Binding alone are written so. */
void protobuf_put_members(struct text *out,
    const struct protobuf_message *message, const struct doc_node *object);

#endif
