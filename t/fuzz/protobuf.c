/*
 * Objects, pages of lists, and events of watches in protobuf.  The input
 * gives a document that can be written as JSON.
 */
#include "config.h"

#include <stdlib.h>

#include "wire/api/client.h"
#include "base/json_out.h"
#include "wire/api/list_page.h"
#include "wire/api/protobuf.h"
#include "base/doc.h"
#include "base/err.h"
#include "objects/fields.h"
#include "objects/object.h"
#include "t/fuzz/fuzz.h"

static void
decode(void *arg, const struct doc_node *root, const char *kind)
{
	struct object *object = NULL;
	struct text json = { 0 };
	struct doc *again;
	struct err err;

	if (object_decode(NULL, root, kind, &object, NULL, &err) == 1)
		object_unref(object);
	json_put_node(&json, root);
	again =
	    doc_parse("again", json.bytes, json.len, &doc_limits_dump, &err);
	if (again == NULL)
		fuzz_fail("no JSON: %s: %s", err.text, json.bytes);
	doc_free(again);
	text_fini(&json);
}

static void
take(void *arg, const struct arrival *arrival)
{
	const struct doc_node *root = NULL;
	struct doc *again;
	struct err err;

	if (arrival->root != NULL)
		decode(NULL, arrival->root, arrival->kind);
	again = arrival_again(arrival,
	    object_partial_fields(OBJECT_POD, PARTIAL_COUNTED), &root, &err);
	doc_free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	const struct doc_node *object;
	const struct doc_field *fields =
	    how & 128 ? NULL : object_fields((how >> 3) % OBJECT_KINDS);
	struct list_meta meta;
	struct doc *doc = NULL;
	struct err err;
	size_t n;
	char *body = fuzz_rest(&input, &n);

	switch (how % 3) {
	case 0:
		doc =
		    protobuf_parse("input", body, n, &doc_limits_people, &err);
		if (doc != NULL)
			decode(NULL, doc_root(doc), "");
		break;
	case 1:
		doc = watch_event_parse(true, body, n, fields, &err);
		object = doc != NULL ? doc_get(doc_root(doc), "object") : NULL;
		if (object != NULL)
			decode(NULL, object, "");
		break;
	case 2:
		list_page_read(&(struct api_response){ .status = 200,
				   .body = body,
				   .len = n,
				   .protobuf = true },
		    "input", fields, &meta, take, NULL, &err);
		list_meta_fini(&meta);
		break;
	}
	doc_free(doc);
	free(body);
	return 0;
}
