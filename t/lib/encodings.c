#include "config.h"

#include "t/lib/encodings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "wire/api/list_page.h"
#include "wire/api/protobuf.h"
#include "wire/api/watch_lines.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/fields.h"

static char *tree_difference(const struct doc_node *a,
    const struct doc_node *b);

static char *
shown(const struct doc_node *node)
{
	if (node == NULL)
		return xstrdup("nothing");
	if (node->kind == DOC_BOOL)
		return xstrdup(node->boolean ? "true" : "false");
	if (node->text != NULL)
		return xasprintf("\"%s\"", node->text);
	return xasprintf("%s of %zu", doc_kind_name(node->kind), node->count);
}

static char *
differ(const struct doc_node *a, const struct doc_node *b)
{
	char AUTOFREE *shown_a = shown(a), *shown_b = shown(b);

	return xasprintf(": %s, %s", shown_a, shown_b);
}

/* Puts a place before the difference found there. */
static char *
at(const struct doc_node *member, size_t i, char *found)
{
	char *whole;

	if (found == NULL)
		return NULL;
	whole = member->key != NULL ? xasprintf(".%s%s", member->key, found) :
				      xasprintf("[%zu]%s", i, found);
	xautofree(&found);
	return whole;
}

/* From 1.34 on JSON leaves a missing creationTimestamp out, which was null. */
static bool
is_left_out(const struct doc_node *member)
{
	return member->kind == DOC_NULL &&
	    strcmp(member->key, "creationTimestamp") == 0;
}

static char *
object_difference(const struct doc_node *a, const struct doc_node *b)
{
	const struct doc_node *x;
	char *found;

	for (x = a->first; x != NULL; x = x->next) {
		found = at(x, 0, tree_difference(x, doc_member(b, x->key)));
		if (found != NULL)
			return found;
	}
	for (x = b->first; x != NULL; x = x->next)
		if (doc_member(a, x->key) == NULL && !is_left_out(x))
			return at(x, 0, differ(NULL, x));
	return NULL;
}

static char *
array_difference(const struct doc_node *a, const struct doc_node *b)
{
	const struct doc_node *x = a->first, *y = b->first;
	char *found;

	for (size_t i = 0; x != NULL && y != NULL; i++) {
		found = at(x, i, tree_difference(x, y));
		if (found != NULL)
			return found;
		x = x->next;
		y = y->next;
	}
	return a->count == b->count ? NULL : differ(a, b);
}

static char *
tree_difference(const struct doc_node *a, const struct doc_node *b)
{
	if (a == NULL || b == NULL || a->kind != b->kind)
		return differ(a, b);
	switch (a->kind) {
	case DOC_NULL:
		return NULL;
	case DOC_BOOL:
		return a->boolean == b->boolean ? NULL : differ(a, b);
	case DOC_NUMBER:
	case DOC_STRING:
		return a->len == b->len &&
			memcmp(a->text, b->text, a->len) == 0 ?
		    NULL :
		    differ(a, b);
	case DOC_ARRAY:
		return array_difference(a, b);
	case DOC_OBJECT:
		return object_difference(a, b);
	}
	return NULL;
}

/*
 * Answers
 */

/* Of an object or a list of this kind in JSON: all of pods and nodes, the fields
 * that are read of others. */
static struct doc_limits
limits_of(const struct text *json)
{
	struct doc_limits limits = doc_limits_dump;
	struct doc *doc =
	    doc_parse("json", json->bytes, json->len, &limits, NULL);
	const struct doc_node *node =
	    doc != NULL ? doc_get(doc_root(doc), "kind") : NULL;
	AUTOFREE char *name = xstrdup(node != NULL ? node->text : "");
	size_t len = strlen(name);
	enum object_kind kind;

	if (len > 4 && strcmp(name + len - 4, "List") == 0)
		name[len - 4] = '\0';
	if (object_kind_parse(name, &kind) && kind != OBJECT_POD &&
	    kind != OBJECT_NODE)
		limits.fields = object_fields(kind);
	doc_free(doc);
	return limits;
}

static char *
object_answers(const struct text *json, const struct text *protobuf)
{
	struct doc_limits limits = limits_of(json);
	struct doc *a, *b = NULL;
	struct err err;
	char *found;

	a = doc_parse("json", json->bytes, json->len, &limits, &err);
	if (a != NULL)
		b = protobuf_parse("protobuf", protobuf->bytes, protobuf->len,
		    &limits, &err);
	found = b != NULL ? tree_difference(doc_root(a), doc_root(b)) :
			    xstrdup(err.text);
	doc_free(a);
	doc_free(b);
	return found;
}

static char *
elements(struct doc_reader *reader, struct protobuf_list *list)
{
	const struct doc_node *a, *b;
	char *found = NULL;
	struct err err = { "" };
	int got = 1;

	for (size_t i = 0; found == NULL && got == 1; i++) {
		got = doc_next(reader, &a, &err);
		if (got < 0 || protobuf_list_next(list, &b, &err) != got)
			return xasprintf("%zu elements: %s", i, err.text);
		if (got == 1)
			found = at(a, i, tree_difference(a, b));
		if (got == 1 &&
		    strcmp(doc_item_kind(reader), protobuf_list_kind(list)) !=
			0)
			return xasprintf("kind %s", protobuf_list_kind(list));
	}
	return found;
}

static char *
list_answers(const struct text *json, const struct text *protobuf)
{
	struct list_meta a = { 0 }, b = { 0 };
	struct doc_limits limits = limits_of(json);
	struct protobuf_list *list = NULL;
	struct doc_reader *reader =
	    doc_open_text("json", json->bytes, json->len, &limits, true);
	char *found;
	struct err err;

	if (list_meta_read(json->bytes, json->len, &a, &err) == 0)
		list = protobuf_list_open("protobuf", protobuf->bytes,
		    protobuf->len, &limits, &b, &err);
	found = list != NULL ? elements(reader, list) : xstrdup(err.text);
	/* continue differs from request to request. */
	if (found == NULL &&
	    (strcmp(a.resource_version, b.resource_version) != 0 ||
		(a.next[0] == '\0') != (b.next[0] == '\0')))
		found = xstrdup("metadata");
	doc_close(reader);
	protobuf_list_close(list);
	list_meta_fini(&a);
	list_meta_fini(&b);
	return found;
}

struct events {
	struct doc *docs[100];
	size_t n;
	bool protobuf;
	struct err err;
};

static bool
on_event(void *arg, const char *bytes, size_t len)
{
	struct events *events = arg;
	struct doc *doc = events->protobuf ?
	    protobuf_parse_event("protobuf", bytes, len, &doc_limits_dump,
		&events->err) :
	    doc_parse("json", bytes, len, &doc_limits_dump, &events->err);

	if (doc == NULL || events->n == LENGTH(events->docs))
		return false;
	events->docs[events->n++] = doc;
	return true;
}

static bool
is_bookmark(const struct doc *event)
{
	const struct doc_node *type = doc_member(doc_root(event), "type");

	return type != NULL && type->text != NULL &&
	    strcmp(type->text, "BOOKMARK") == 0;
}

/* Without the bookmarks after the first at its end: how many there are is a
 * matter of when the stream began. */
static size_t
events_that_count(const struct events *events)
{
	size_t n = events->n;

	while (n > 1 && is_bookmark(events->docs[n - 1]) &&
	    is_bookmark(events->docs[n - 2]))
		n--;
	return n;
}

static char *
event_differences(const struct events *a, const struct events *b)
{
	size_t na = events_that_count(a), nb = events_that_count(b);
	char *found = NULL;

	for (size_t i = 0; found == NULL && i < na && i < nb; i++)
		found = at(doc_root(a->docs[i]), i,
		    tree_difference(doc_root(a->docs[i]),
			doc_root(b->docs[i])));
	if (found == NULL && na != nb)
		found = xasprintf("%zu events, %zu", na, nb);
	return found;
}

static char *
watch_answers(const struct text *json, const struct text *protobuf)
{
	struct events a = { 0 }, b = { .protobuf = true };
	struct watch_lines lines = { 0 };
	char *found;

	if (!watch_lines_feed(&lines, false, json->bytes, json->len, SIZE_MAX,
		on_event, &a))
		return xstrdup(a.err.text);
	watch_lines_fini(&lines);
	if (!watch_lines_feed(&lines, true, protobuf->bytes, protobuf->len,
		SIZE_MAX, on_event, &b))
		return xstrdup(b.err.text);
	watch_lines_fini(&lines);
	found = event_differences(&a, &b);
	while (a.n > 0)
		doc_free(a.docs[--a.n]);
	while (b.n > 0)
		doc_free(b.docs[--b.n]);
	return found;
}

char *
encodings_difference(const char *what, const struct text *json,
    const struct text *protobuf)
{
	if (strcmp(what, "object") == 0)
		return object_answers(json, protobuf);
	if (strcmp(what, "list") == 0)
		return list_answers(json, protobuf);
	return watch_answers(json, protobuf);
}

bool
encodings_load(const char *path, struct text *text)
{
	FILE *file = fopen(path, "r");
	char bytes[4096];
	size_t n;

	*text = (struct text){ 0 };
	if (file == NULL)
		return false;
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		text_append(text, bytes, n);
	fclose(file);
	return true;
}
