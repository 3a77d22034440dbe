/*
 * A watch's body in pieces that end anywhere: lines of JSON, frames of
 * protobuf.  The events are the same however it was cut.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "wire/api/list_page.h"
#include "wire/api/watch_lines.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "t/fuzz/fuzz.h"

struct told {
	bool protobuf;
	size_t n;
	struct text all; /* events with an end of line behind each */
};

static bool
on_event(void *arg, const char *bytes, size_t len)
{
	struct told *told = arg;
	char *copy = xmalloc(len > 0 ? len : 1);
	const char *kind;
	struct object *object = NULL;
	const struct doc_node *node;
	struct doc *doc;
	struct err err;

	memcpy(copy, bytes, len);
	text_append(&told->all, copy, len);
	text_put(&told->all, "\n");
	told->n++;
	doc = watch_event_parse(told->protobuf, copy, len, NULL, &err);
	if (doc != NULL) {
		node = doc_get(doc_root(doc), "object");
		if (node != NULL && node->kind == DOC_OBJECT &&
		    object_decode(NULL, node, "", &object, &kind, &err) == 1)
			object_unref(object);
		doc_free(doc);
	}
	free(copy);
	return true;
}

static bool
feed(struct told *told, const char *bytes, size_t len, size_t piece, size_t max)
{
	struct watch_lines lines = { 0 };
	bool more = true;

	for (size_t at = 0; more && at < len; at += piece) {
		size_t n = len - at < piece ? len - at : piece;
		char *copy = xmalloc(n);

		memcpy(copy, bytes + at, n);
		more = watch_lines_feed(&lines, told->protobuf, copy, n, max,
		    on_event, told);
		free(copy);
	}
	watch_lines_fini(&lines);
	return more;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	size_t piece = 1 + fuzz_byte(&input), n;
	size_t max = how & 2 ? 64 + (size_t)(how & 0xf0) : WATCH_EVENT_MAX;
	struct told whole = { .protobuf = how & 1 }, cut = whole;
	char *stream = fuzz_rest(&input, &n);
	bool good = feed(&whole, stream, n, n > 0 ? n : 1, max);

	FUZZ_CHECK(feed(&cut, stream, n, piece, max) == good);
	if (good) {
		FUZZ_CHECK(whole.n == cut.n && whole.all.len == cut.all.len);
		FUZZ_CHECK(whole.all.len == 0 ||
		    memcmp(whole.all.bytes, cut.all.bytes, whole.all.len) == 0);
	}
	text_fini(&whole.all);
	text_fini(&cut.all);
	free(stream);
	return 0;
}
