/*
 * Documents: JSON, YAML and lists.  The text written from a document must
 * give the same document.  (t/base/doc.c compares with other parsers.)
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "wire/api/list_page.h"
#include "base/doc.h"
#include "base/err.h"
#include "t/fuzz/fuzz.h"

enum {
	AS_LIST = 1,
	AS_DUMP = 2,
	AS_YAML = 4, /* also input that begins like JSON */
};

/* A JSON text of it, which must be the same after a second reading. */
static void
check_round_trip(const struct doc_node *root)
{
	struct text once = { 0 }, twice = { 0 };
	struct err err;
	struct doc *again;

	if (root->kind != DOC_OBJECT && root->kind != DOC_ARRAY)
		return;
	json_put_node(&once, root);
	again =
	    doc_parse("again", once.bytes, once.len, &doc_limits_people, &err);
	/* Escapes make a text longer: it may pass a limit that it was below. */
	if (again == NULL && once.len > doc_limits_people.bytes)
		goto out;
	if (again == NULL)
		fuzz_fail("no JSON: %s: %s", err.text, once.bytes);
	json_put_node(&twice, doc_root(again));
	if (once.len != twice.len ||
	    memcmp(once.bytes, twice.bytes, once.len) != 0)
		fuzz_fail("not the same: %s\n%s", once.bytes, twice.bytes);
out:
	doc_free(again);
	text_fini(&once);
	text_fini(&twice);
}

/* A node knows its document and how many children it has. */
static void
check_node(const struct doc_node *node, const struct doc *doc)
{
	size_t n = 0;

	FUZZ_CHECK(node->doc == doc);
	if (node->text != NULL)
		FUZZ_CHECK(node->text[node->len] == '\0');
	for (const struct doc_node *c = node->first; c != NULL; c = c->next) {
		FUZZ_CHECK((c->key != NULL) == (node->kind == DOC_OBJECT));
		if (c->key != NULL && node->count < 50)
			FUZZ_CHECK(doc_member(node, c->key) != NULL);
		check_node(c, doc);
		n++;
	}
	FUZZ_CHECK(n == node->count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	const struct doc_limits *limits =
	    how & AS_DUMP ? &doc_limits_dump : &doc_limits_people;
	struct list_meta meta;
	struct doc_reader *reader;
	const struct doc_node *root;
	struct err err;
	struct text yaml = { 0 };
	size_t n;
	char *text = fuzz_rest(&input, &n);

	if (how & AS_YAML) {
		text_put(&yaml, "#\n");
		text_append(&yaml, text, n);
		free(text);
		n = yaml.len;
		text = text_take(&yaml);
	}
	reader = doc_open_text("input", text, n, limits, how & AS_LIST);
	while (doc_next(reader, &root, &err) == 1) {
		check_node(root, root->doc);
		check_round_trip(root);
		FUZZ_CHECK(doc_item_kind(reader) != NULL);
		for (size_t i = 0; doc_duplicate(root->doc, i) != NULL; i++)
			FUZZ_CHECK(doc_duplicate(root->doc, i)->key != NULL);
	}
	FUZZ_CHECK(doc_next(reader, &root, &err) <= 0);
	doc_close(reader);
	if (list_meta_read(text, n, &meta, &err) == 0)
		list_meta_fini(&meta);
	free(text);
	return 0;
}
