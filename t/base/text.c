#include "config.h"

#include "base/text.h"

#include "base/arena.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
misspellings_are_alike(void)
{
	t_int("same", (int)text_distance("worker", "Worker"), 0);
	t_int("swapped", (int)text_distance("wroker", "worker"), 1);
	t_int("twice", (int)text_distance("wrokre", "worker"), 2);
	t_int("not beside", (int)text_distance("cba", "abc"), 2);
	t_int("empty", (int)text_distance("", "abc"), 3);
	t_true("wroker", text_is_like("wroker", "worker"));
	t_true("ssd", text_is_like("sdd", "ssd"));
	t_true("fast", text_is_like("fats", "fast"));
	t_true("not hdd and nvme", !text_is_like("hdd", "nvme"));
}

static void
a_word_is_one_of_choices(void)
{
	t_true("the first", text_is_choice("a|bc|d", "a"));
	t_true("another", text_is_choice("a|bc|d", "bc"));
	t_true("not a part", !text_is_choice("a|bc|d", "b"));
	t_true("nor more than one", !text_is_choice("a|bc|d", "a|bc"));
	t_true("nor nothing", !text_is_choice("a|bc|d", ""));
}

static void
what_is_appended_is_formatted(void)
{
	struct text text = { 0 };
	struct arena arena = ARENA_INIT;

	text_printf(&text, "%d nodes", 2);
	text_printf(&text, ", %s", "a");
	t_str("a text", text.bytes, "2 nodes, a");
	text_fini(&text);
	t_str("the first of a list", arena_append(&arena, "", ", ", "a"), "a");
	t_str("the next", arena_append(&arena, "a", ", ", "b"), "a, b");
	arena_fini(&arena);
}

static void
texts_from_outside_are_harmless(void)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "plain", "shop/web-1: \"a\\b\"", "shop/web-1: \"a\\b\"" },
		{ "letters of any language", "gr\u00fcn \u05d0\u05d1 \u4e2d",
		    "gr\u00fcn \u05d0\u05d1 \u4e2d" },
		{ "an escape sequence", "\033[31m", "\\x1b[31m" },
		{ "lines and tabs", "a\nb\tc\r", "a\\nb\\tc\\r" },
		{ "delete", "\177", "\\x7f" },
		{ "C1: CSI, first and last", "\xc2\x9b\xc2\x80\xc2\x9f",
		    "\\u009b\\u0080\\u009f" },
		{ "a lone byte of C1",
		    "a\x9b"
		    "b",
		    "a\\x9b"
		    "b" },
		{ "embeddings and overrides", "\u202a\u202b\u202c\u202d\u202e",
		    "\\u202a\\u202b\\u202c\\u202d\\u202e" },
		{ "isolates", "\u2066\u2067\u2068\u2069",
		    "\\u2066\\u2067\\u2068\\u2069" },
		{ "marks", "\u200e\u200f", "\\u200e\\u200f" },
		{ "line separators", "\u2028\u2029", "\\u2028\\u2029" },
		{ "tags", "\xf3\xa0\x81\x81", "\\U000e0041" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *got = text_visible(rows[i].text);
		AUTOFREE char *again = text_visible(got);

		t_str(rows[i].name, got, rows[i].want);
		t_str(rows[i].name, again, got);
	}
}

T_MAIN(T(misspellings_are_alike), T(texts_from_outside_are_harmless),
    T(a_word_is_one_of_choices), T(what_is_appended_is_formatted))
