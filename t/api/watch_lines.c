#include "config.h"

#include "wire/api/watch_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/list_page.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static bool
collect(void *arg, const char *line, size_t len)
{
	text_put(arg, "[");
	text_append(arg, line, len);
	text_put(arg, "]");
	return len < 4 || memcmp(line, "stop", 4) != 0;
}

/* Feeds the stream in pieces of this size until one is refused; false: none. */
static bool
feed_in_pieces(bool frames, const char *stream, size_t len, size_t size,
    struct text *got)
{
	struct watch_lines lines = { 0 };
	bool on = true;

	for (size_t i = 0; i < len && on; i += size) {
		size_t n = len - i < size ? len - i : size;
		/* Its own memory: ASan sees reads beyond it. */
		char *piece = xmalloc(n);

		memcpy(piece, stream + i, n);
		on = watch_lines_feed(&lines, frames, piece, n, 1000, collect,
		    got);
		free(piece);
	}
	watch_lines_fini(&lines);
	return !on;
}

static void
pieces_may_end_anywhere(void)
{
	static const char stream[] =
	    "{\"a\":1}\r\n\n{\"b\":\"x\"}\nstop\nmore\n";

	for (size_t size = 1; size < sizeof(stream); size++) {
		struct text got = { 0 };

		t_true("stopped",
		    feed_in_pieces(false, stream, sizeof(stream) - 1, size,
			&got));
		t_str("lines", got.bytes, "[{\"a\":1}][{\"b\":\"x\"}][stop]");
		text_fini(&got);
	}
}

static void
half_a_line_is_not_given_out(void)
{
	struct watch_lines lines = { 0 };
	struct text got = { 0 };

	t_true("fed",
	    watch_lines_feed(&lines, false, "one\ntwo", 7, 100, collect, &got));
	t_str("one", got.bytes, "[one]");
	watch_lines_fini(&lines);
	t_true("another stream",
	    watch_lines_feed(&lines, false, "three\n", 6, 100, collect, &got));
	t_str("nothing left over", got.bytes, "[one][three]");
	text_fini(&got);
	watch_lines_fini(&lines);
}

static void
endless_lines_are_refused(void)
{
	struct watch_lines lines = { 0 };
	struct text got = { 0 };

	t_true("short",
	    watch_lines_feed(&lines, false, "12345", 5, 8, collect, &got));
	t_true("long",
	    !watch_lines_feed(&lines, false, "6789", 4, 8, collect, &got));
	watch_lines_fini(&lines);
	t_true("with its end in the same piece",
	    !watch_lines_feed(&lines, false, "12345678\n123456789\n", 19, 8,
		collect, &got));
	t_str("what came before it", got.bytes, "[12345678]");
	watch_lines_fini(&lines);
	text_fini(&got);
}

static void
frames_may_end_anywhere(void)
{
	static const char stream[] =
	    "\0\0\0\1a\0\0\0\0\0\0\1\4"
	    "0123456789012345678901234567890123456789012345678901234567890123"
	    "0123456789012345678901234567890123456789012345678901234567890123"
	    "0123456789012345678901234567890123456789012345678901234567890123"
	    "0123456789012345678901234567890123456789012345678901234567890123"
	    "more\0\0\0\4stop\0\0\0\1b";

	for (size_t size = 1; size < sizeof(stream); size++) {
		struct text got = { 0 };

		t_true("stopped",
		    feed_in_pieces(true, stream, sizeof(stream) - 1, size,
			&got));
		t_int("all before it", got.len, 3 + 2 + 262 + 6);
		t_true("the first", strncmp(got.bytes, "[a][][0123", 10) == 0);
		t_has("the last", got.bytes, "0123more][stop]");
		text_fini(&got);
	}
}

static void
long_frames_are_refused(void)
{
	struct watch_lines lines = { 0 };
	struct text got = { 0 };

	t_true("by what they say",
	    !watch_lines_feed(&lines, true, "\xff\xff\xff\xff", 4, 100, collect,
		&got));
	t_true("half of that",
	    watch_lines_feed(&lines, true, "\xff\xff", 2, 100, collect, &got));
	t_true("the other half",
	    !watch_lines_feed(&lines, true, "\xff\xff", 2, 100, collect, &got));
	watch_lines_fini(&lines);
	t_true("half a frame",
	    watch_lines_feed(&lines, true, "\0\0\0\4abc", 7, 100, collect,
		&got));
	watch_lines_fini(&lines);
	t_true("is not given out", got.bytes == NULL);
}

static void
list_metadata_is_found(void)
{
	static const struct {
		const char *name, *text, *version, *next;
	} rows[] = {
		/* clang-format off */
		{ "as the server writes it",
		    "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":"
		    "{\"resourceVersion\":\"5\",\"continue\":\"abc\"},"
		    "\"items\":[]}\n", "5", "abc" },
		{ "behind the items",
		    "{ \"items\" : [{\"metadata\":{\"resourceVersion\":\"1\"},"
		    "\"s\":\"}]\\\"\"}, [1]], \"metadata\" : "
		    "{\"resourceVersion\":\"6\"} }", "6", "" },
		{ "in no item", "{\"items\":[{\"metadata\":{}}],\"x\":true}",
		    "", "" },
		{ "empty", "{}", "", "" },
		{ "cut off", "{\"items\":[{\"a\":\"b", NULL, NULL },
		{ "cut off within it", "{\"metadata\":{\"resourceV", NULL,
		    NULL },
		{ "no object", "[]", NULL, NULL },
		{ "nothing", "", NULL, NULL },
		{ "wrong type", "{\"metadata\":{\"resourceVersion\":5}}", NULL,
		    NULL },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct list_meta meta = { 0 };
		size_t len = strlen(rows[i].text);
		char *text = xmalloc(len > 0 ? len : 1);
		struct err err = { "" };

		memcpy(text, rows[i].text, len);
		t_int(rows[i].name, list_meta_read(text, len, &meta, &err),
		    rows[i].version != NULL ? 0 : -1);
		t_str(rows[i].name, meta.resource_version, rows[i].version);
		t_str(rows[i].name, meta.next, rows[i].next);
		t_true(rows[i].name,
		    (err.text[0] == '\0') == (rows[i].version != NULL));
		list_meta_fini(&meta);
		free(text);
	}
}

T_MAIN(T(pieces_may_end_anywhere), T(half_a_line_is_not_given_out),
    T(endless_lines_are_refused), T(frames_may_end_anywhere),
    T(long_frames_are_refused), T(list_metadata_is_found))
