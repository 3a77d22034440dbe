#include "config.h"

#include "model/labels.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/doc.h"

#define FEW 8 /* up to so many, looking at each is fastest */

sym
labels_get(const struct labels *labels, sym key)
{
	uint32_t low = 0, high = labels->n;

	while (high - low > FEW) {
		uint32_t middle = low + (high - low) / 2;

		if (labels->at[middle].key <= key)
			low = middle;
		else
			high = middle;
	}
	for (; low < high; low++)
		if (labels->at[low].key == key)
			return labels->at[low].value;
	return SYM_NONE;
}

bool
labels_contains(const struct labels *all, const struct labels *some)
{
	for (uint32_t i = 0; i < some->n; i++)
		if (labels_get(all, some->at[i].key) != some->at[i].value)
			return false;
	return true;
}

bool
labels_equal(const struct labels *a, const struct labels *b)
{
	return a->n == b->n && labels_contains(a, b);
}

static int
by_key(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

int
labels_from_doc(struct arena *arena, const struct doc_node *node,
    const char *path, struct labels *out, struct err *err)
{
	struct label *at;
	uint32_t n = 0;

	if (node == NULL || node->kind == DOC_NULL) {
		*out = (struct labels) { 0 };
		return 0;
	}
	if (node->kind != DOC_OBJECT)
		return doc_errf(err, node, "%s must be an object, not %s", path,
		    doc_kind_name(node->kind));
	at = arena_array(arena, struct label, node->count);
	for (const struct doc_node *p = node->first; p; p = p->next) {
		sym value = SYM_EMPTY;

		if (p->kind == DOC_STRING)
			value = sym_intern_n(p->text, p->len);
		else if (p->kind != DOC_NULL)
			return doc_errf(err, p,
			    "%s.%s must be a string, not %s", path, p->key,
			    doc_kind_name(p->kind));
		at[n++] = (struct label) { sym_intern(p->key), value };
	}
	if (n > 1)
		qsort(at, n, sizeof(*at), by_key);
	*out = (struct labels) { n, at };
	return 0;
}
