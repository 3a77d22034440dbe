#include "config.h"

#include "base/text.h"

#include "base/arena.h"
#include "t/lib/t.h"

static void
misspellings_are_alike(void)
{
	t_int("same", (int)text_distance("worker", "Worker"), 0);
	t_int("swapped", (int)text_distance("wroker", "worker"), 2);
	t_int("empty", (int)text_distance("", "abc"), 3);
	t_true("wroker", text_is_like("wroker", "worker"));
	t_true("ssd", text_is_like("sdd", "ssd"));
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

T_MAIN(T(misspellings_are_alike), T(a_word_is_one_of_choices),
    T(what_is_appended_is_formatted))
