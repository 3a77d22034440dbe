/*
 * Selectors, from one object:
 *
 *	{"labels": {…}, "label": <label selector>, "node": <node selector>,
 *	 "requirements": […], "topology": […]}
 */
#include "config.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/sym.h"
#include "objects/decode.h"
#include "objects/labels.h"
#include "objects/selector.h"
#include "t/fuzz/fuzz.h"

static void
try_selector(struct arena *arena, const struct selector *s,
    const struct labels *labels)
{
	struct selector copy = selector_copy(arena, s);

	FUZZ_CHECK(selector_equal(s, &copy));
	FUZZ_CHECK(
	    selector_matches(s, labels) == selector_matches(&copy, labels));
	if (s->error != NULL)
		FUZZ_CHECK(!selector_matches(s, labels));
	if (selector_is_empty(s) && s->error == NULL && !s->nothing)
		FUZZ_CHECK(selector_matches(s, labels));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct arena arena = ARENA_INIT;
	struct labels labels = { 0 };
	struct node_selector nodes;
	struct selector s;
	const struct doc_node *root, *node;
	struct decoder d;
	struct err err;
	size_t n;
	char *text = fuzz_rest(&input, &n);
	struct doc *doc = doc_parse("input", text, n, &doc_limits_people, &err);

	free(text);
	if (doc == NULL)
		return 0;
	root = doc_root(doc);
	d = decoder_of(&arena, root, "", &err);
	labels = decode_labels(&d, doc_get(root, "labels"));
	if (d.failed)
		labels = (struct labels){ 0 };
	d.failed = false;
	s = selector_from_set(&arena, &labels);
	try_selector(&arena, &s, &labels);
	FUZZ_CHECK(selector_matches(&s, &labels));
	s = selector_from_valid_set(&arena, &labels);
	FUZZ_CHECK(selector_matches(&s, &labels));
	s = decode_label_selector(&d, doc_get(root, "label"));
	if (!d.failed)
		try_selector(&arena, &s, &labels);
	d.failed = false;
	s = decode_node_requirements(&d, doc_get(root, "requirements"));
	if (!d.failed)
		try_selector(&arena, &s, &labels);
	d.failed = false;
	s = decode_topology(&d, doc_get(root, "topology"));
	if (!d.failed)
		try_selector(&arena, &s, &labels);
	d.failed = false;
	node = doc_get(root, "node");
	nodes = decode_node_selector(&d, node);
	if (node != NULL && !d.failed) {
		node_selector_matches(&nodes, &labels, sym_intern("node-1"));
		node_selector_matches(&nodes, &labels, SYM_NONE);
	}
	arena_fini(&arena);
	doc_free(doc);
	return 0;
}
