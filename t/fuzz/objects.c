/* Objects and pages of lists in JSON: the kinds that object_decode() knows. */
#include "config.h"

#include <stdlib.h>

#include "wire/api/client.h"
#include "wire/api/list_page.h"
#include "base/doc.h"
#include "base/err.h"
#include "objects/fields.h"
#include "objects/object.h"
#include "t/fuzz/fuzz.h"

static void
decode(void *arg, const struct doc_node *root, const char *kind)
{
	struct object *object = NULL;
	const char *kind_text = NULL;
	struct err err = { { 0 } };
	int got = object_decode(NULL, root, kind, &object, &kind_text, &err);

	FUZZ_CHECK((got == 1) == (object != NULL));
	if (got == 1)
		FUZZ_CHECK(object->name != NULL && object->uid != NULL &&
		    object->resource_version != NULL);
	else if (got == 0)
		FUZZ_CHECK(kind_text != NULL);
	else
		FUZZ_CHECK(err.text[0] != '\0');
	object_unref(object);
}

/* As much as can be read of one that cannot be decoded. */
static void
decode_partial(const struct arrival *arrival)
{
	enum object_kind kind = OBJECT_POD;
	struct err err;

	for (enum partial partial = PARTIAL_COUNTED; partial <= PARTIAL_NAMED;
	     partial++) {
		const struct doc_node *root = NULL;
		struct doc *doc = arrival_again(arrival,
		    object_partial_fields(kind, partial), &root, &err);
		struct object *object = doc != NULL ?
		    object_decode_partial(NULL, kind, partial, doc, root,
			&err) :
		    NULL;

		if (object != NULL) {
			free(object_partial_says(object));
			free(object_full_name(object));
		}
		object_unref(object);
		doc_free(doc);
	}
}

static void
take(void *arg, const struct arrival *arrival)
{
	FUZZ_CHECK(arrival->root != NULL || arrival->error != NULL);
	if (arrival->root != NULL)
		decode(NULL, arrival->root, arrival->kind);
	decode_partial(arrival);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	size_t n = input.left;
	char *text = fuzz_text(&input);
	struct list_meta meta;
	struct doc *doc;
	struct err err;

	if (how & 1) {
		list_page_read(&(struct api_response){ .status = 200,
				   .body = text,
				   .len = n },
		    "input",
		    how & 4 ? NULL : object_fields((how >> 3) % OBJECT_KINDS),
		    &meta, take, NULL, &err);
		list_meta_fini(&meta);
	} else {
		doc = doc_parse("input", text, n, &doc_limits_dump, &err);
		if (doc != NULL)
			decode(NULL, doc_root(doc), how & 2 ? "Pod" : "");
		doc_free(doc);
	}
	free(text);
	return 0;
}
