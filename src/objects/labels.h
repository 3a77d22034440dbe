/* Labels of objects, which selectors match. */
#ifndef MODEL_LABELS_H
#define MODEL_LABELS_H

#include "base/sym.h"

struct arena;
struct decoder;
struct doc_node;

struct label {
	sym key;
	sym value;
};

/* Sorted by the keys' symbols (not their texts), each key once. */
struct labels {
	uint32_t n;
	const struct label *at; /* may be NULL when n is 0 */
};

/* The value under this key, SYM_NONE if it is absent. */
sym labels_get(const struct labels *labels, sym key);

/* Whether every pair of some is in all; no pairs are in everything. */
bool labels_contains(const struct labels *all, const struct labels *some);

bool labels_equal(const struct labels *a, const struct labels *b);

/* Sorts n of them for struct labels; keys must be distinct. */
void labels_sort(struct label *at, uint32_t n);

/* Decodes an object of strings; NULL and null are no labels, and a null value is
 * the empty string, as in Go. */
struct labels decode_labels(struct decoder *d, const struct doc_node *node);

/*
 * Reads "key=value,key2=value2" as OpenShift writes node selectors: blanks
 * around keys and values are ignored, "" has no labels, and the last value of a
 * repeated key counts.  -1: err names the invalid part, and *out is untouched.
 * The pairs live in the arena.
 */
int labels_from_text(struct arena *arena, const char *text, struct labels *out,
    struct err *err);

#endif
