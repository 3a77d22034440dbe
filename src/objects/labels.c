#include "config.h"

#include "objects/labels.h"

#include "base/arena.h"
#include "base/doc.h"
#include "objects/decode.h"
#include "objects/parts.h"
#include "objects/validation.h"

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
	return !ANY(i, some->n,
	    labels_get(all, some->at[i].key) != some->at[i].value);
}

PARTS(label_parts, SYM(label, key), SYM(label, value));

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

void
labels_sort(struct label *at, uint32_t n)
{
	if (n > 1)
		qsort(at, n, sizeof(*at), by_key);
}

struct labels
decode_labels(struct decoder *d, const struct doc_node *node)
{
	struct label *at;
	uint32_t n = 0;

	node = decode_kind(d, node, DOC_OBJECT);
	if (node == NULL)
		return (struct labels){ 0 };
	at = arena_array(d->arena, struct label, node->count);
	for (const struct doc_node *p = node->first; p; p = p->next, n++) {
		at[n].value = decode_string(d, p);
		at[n].key = sym_in(d->arena, p->key);
	}
	labels_sort(at, n);
	return (struct labels){ n, at };
}

#define BLANKS " \t\r\n"

/* Strips the blanks around the len bytes at *text. */
static size_t
trim(const char **text, size_t len)
{
	while (len > 0 && strchr(BLANKS, **text) != NULL) {
		(*text)++;
		len--;
	}
	while (len > 0 && strchr(BLANKS, (*text)[len - 1]) != NULL)
		len--;
	return len;
}

static int
label_from_text(struct arena *arena, const char *text, size_t len,
    struct label *out, struct err *err)
{
	const char *equals = memchr(text, '=', len);
	const char *key = text, *value;
	size_t key_len, value_len;

	if (equals == NULL)
		return errf(err, "\"%.*s\" is not of the form key=value",
		    (int)len, text);
	value = equals + 1;
	key_len = trim(&key, (size_t)(equals - text));
	value_len = trim(&value, len - (size_t)(value - text));
	if (validate_qualified_name(key, key_len, NULL) > 0)
		return errf(err, "\"%.*s\" is not a valid label key",
		    (int)key_len, key);
	if (validate_label_value(value, value_len, NULL) > 0)
		return errf(err, "\"%.*s\" is not a valid label value",
		    (int)value_len, value);
	out->key = sym_in_n(arena, key, key_len);
	out->value = sym_in_n(arena, value, value_len);
	return 0;
}

/* Puts it into the n that are sorted by key, in place of one with its key;
 * returns how many they are then. */
static uint32_t
insert(struct label *at, uint32_t n, struct label label)
{
	uint32_t i = n;

	while (i > 0 && at[i - 1].key > label.key)
		i--;
	if (i > 0 && at[i - 1].key == label.key) {
		at[i - 1] = label;
		return n;
	}
	memmove(&at[i + 1], &at[i], (n - i) * sizeof(*at));
	at[i] = label;
	return n + 1;
}

int
labels_from_text(struct arena *arena, const char *text, struct labels *out,
    struct err *err)
{
	struct label *at, label = { 0 };
	uint32_t n = 0, most = 1;

	if (text[strspn(text, BLANKS)] == '\0') {
		*out = (struct labels){ 0 };
		return 0;
	}
	for (const char *p = text; *p != '\0'; p++)
		most += *p == ',';
	at = arena_array(arena, struct label, most);
	for (const char *part = text;; part++) {
		size_t len = strcspn(part, ",");

		if (label_from_text(arena, part, len, &label, err) != 0)
			return -1;
		n = insert(at, n, label);
		part += len;
		if (*part == '\0')
			break;
	}
	*out = (struct labels){ n, at };
	return 0;
}
