/*
 * Builds a document (doc.h) from another format than JSON or YAML.  Values of a
 * format without lines are at line 0, and column is the offset of their first
 * byte, from 0; errors then say "name: byte 17: sentence".
 */
#ifndef BASE_DOC_BUILD_H
#define BASE_DOC_BUILD_H

#include "base/doc.h"

struct arena;

/* An empty one without a root; name is copied.  doc_free() frees it. */
struct doc *doc_new(const char *name);
/* Makes it empty again; keeps memory for as much. */
void doc_clear(struct doc *doc);
void doc_set_root(struct doc *doc, struct doc_node *root);

/* Owns the memory that the nodes point to. */
struct arena *doc_arena(struct doc *doc);

/* A copy of a string in which each byte that is not UTF-8 is replaced by
 * U+FFFD, as in Go's JSON; *len becomes its length. */
const char *doc_text(struct doc *doc, const char *text, size_t *len);

/* The same for a key of len bytes; see struct doc_node's key about NULs. */
const char *doc_key(struct doc *doc, const char *text, size_t len);

/* A new node at this place; NULL with err filled beyond the limit. */
struct doc_node *doc_node_new(struct doc *doc, const struct doc_limits *limits,
    enum doc_kind kind, uint32_t line, uint32_t column, struct err *err);

/* Appends to an array or object whose last child is *last (NULL: none yet). */
void doc_node_add(struct doc_node *parent, struct doc_node **last,
    struct doc_node *child);

/* Call this when an object is complete: drops all but the last value of each
 * key and records duplicates. */
void doc_node_settle(struct doc *doc, struct doc_node *object);

#endif
