#include "config.h"

#include "t/lib/decode.h"

#include <stdio.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

struct object *
t_decode_by(const struct decode_settings *settings, enum object_kind kind,
    const char *text, struct err *err)
{
	struct doc *doc =
	    doc_parse("test.json", text, strlen(text), &doc_limits_people, err);
	struct object *object = NULL;

	if (doc == NULL)
		return NULL;
	if (object_decode(settings, doc_root(doc), object_kind_name(kind),
		&object, NULL, err) != 1)
		object = NULL;
	/* The object must not need the document any more. */
	doc_free(doc);
	return object;
}

struct object *
t_decode(enum object_kind kind, const char *text, struct err *err)
{
	return t_decode_by(NULL, kind, text, err);
}

void *
t_must_decode(const char *name, enum object_kind kind, const char *text)
{
	struct err err = { "" };
	struct object *object = t_decode(kind, text, &err);

	t_str(name, err.text, "");
	if (t_true(name, object != NULL))
		t_int(name, object->kind, kind);
	return object;
}

struct object *
t_object(const char *text)
{
	struct object *object = NULL;
	struct err err = { "" };
	struct doc *doc;

	if (text == NULL)
		return NULL;
	doc = doc_parse("test.json", text, strlen(text), &doc_limits_people,
	    &err);
	if (doc != NULL)
		object_decode(NULL, doc_root(doc), "", &object, NULL, &err);
	t_str(text, err.text, "");
	doc_free(doc);
	return object;
}

/* One of each type. */
static const struct {
	enum doc_kind kind;
	const char *text;
} values[] = {
	{ DOC_NULL, "null" },
	{ DOC_BOOL, "true" },
	{ DOC_NUMBER, "7" },
	{ DOC_STRING, "\"1\"" },
	{ DOC_ARRAY, "[]" },
	{ DOC_OBJECT, "{}" },
};

void
t_fields(size_t n, const struct t_field *rows)
{
	for (size_t i = 0; i < n * LENGTH(values); i++) {
		const struct t_field *row = &rows[i / LENGTH(values)];
		size_t v = i % LENGTH(values);
		const char *is = doc_kind_name(values[v].kind);
		char text[512], want[512] = "", name[640];
		struct err err = { "" };
		struct object *object;
		bool fine =
		    values[v].kind == DOC_NULL || strstr(row->want, is) != NULL;

		snprintf(text, sizeof(text), "%s%s%s", row->before,
		    values[v].text, row->after);
		snprintf(name, sizeof(name), "%s: %s",
		    object_kind_name(row->kind), text);
		if (!fine)
			snprintf(want, sizeof(want),
			    "test.json:1:%zu: %s must be %s, not %s",
			    strlen(row->before) + 1, row->path, row->want, is);
		object = t_decode(row->kind, text, &err);
		t_int(name, object != NULL, fine);
		t_str(name, err.text, want);
		object_unref(object);
	}
}

void
t_refusals(size_t n, const struct t_refusal *rows)
{
	for (size_t i = 0; i < n; i++) {
		struct err err = { "" };

		t_true(rows[i].text,
		    t_decode(rows[i].kind, rows[i].text, &err) == NULL);
		t_has(rows[i].text, err.text, rows[i].want);
		t_has(rows[i].text, err.text, "test.json:1:");
		/* The error is optional. */
		t_true(rows[i].text,
		    t_decode(rows[i].kind, rows[i].text, NULL) == NULL);
	}
}

void
t_no_objects(size_t n, const enum object_kind *kinds)
{
	static const char *const texts[] = { "[]", "[1]", "{}",
		"{\"metadata\":[]}", "{\"metadata\":{}}",
		"{\"metadata\":{\"name\":7}}" };

	for (size_t i = 0; i < n * LENGTH(texts); i++) {
		const char *text = texts[i % LENGTH(texts)];
		struct err err = { "" };
		struct object *object =
		    t_decode(kinds[i / LENGTH(texts)], text, &err);

		t_true(text, object == NULL);
		t_has(text, err.text, "test.json:1:");
		object_unref(object);
	}
}
