/* Reports of objects that cannot be decoded. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "daemon/scheduler/left_out.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "t/lib/t.h"

/* With the position an Event would change with each write. */
static void
positions_are_not_told(void)
{
	static const struct {
		const char *why, *sentence;
	} rows[] = {
		{ "/api/v1/pods: byte 17: field 1 is odd", "field 1 is odd" },
		{ "event:1:342: spec must be: an object",
		    "spec must be: an object" },
		{ "a:b:1: x", "a:b:1: x" },
		{ "http://[::1]:6443/pods:7:8: spec: no", "spec: no" },
		{ "unexpected kind \"X\"", "unexpected kind \"X\"" },
		{ "event: byte x: y", "event: byte x: y" },
		{ "", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].why, left_out_sentence(rows[i].why),
		    rows[i].sentence);
}

static struct object *
service(const char *version)
{
	char AUTOFREE *text = xasprintf("{\"metadata\":{\"name\":\"s\","
					"\"resourceVersion\":\"%s\"}}",
	    version);
	struct doc *doc =
	    doc_parse("x", text, strlen(text), &doc_limits_people, NULL);
	struct object *object = object_decode_partial(NULL, OBJECT_SERVICE,
	    PARTIAL_NAMED, doc, doc_root(doc), NULL);

	doc_free(doc);
	return object;
}

/* A user who may write objects must not fill the log, or memory. */
static void
many_are_held_once(void)
{
	struct left_out left_out = { 0 };
	struct object *object;
	char version[16];

	for (int i = 0; i < 1000; i++) {
		snprintf(version, sizeof(version), "%d", i);
		object = service(version);
		left_out_put(&left_out, object, "v1", "x:1:2: no", "so", false);
		object_unref(object);
	}
	t_int("one name is one", (long)left_out.entries.n, 1);
	t_true("few lines", left_out.lines <= 30);
	object = service("x");
	left_out_drop(&left_out, object);
	left_out_drop(&left_out, object);
	object_unref(object);
	t_int("none", (long)left_out.entries.n, 0);
	left_out_fini(&left_out);
}

T_MAIN(T(positions_are_not_told), T(many_are_held_once))
