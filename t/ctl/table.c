#include "config.h"

#include "tool/commands/table.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

/* A table of two columns, printed; you own it. */
static char *
printed(const char *const cells[][2], size_t n, bool right, size_t width)
{
	char *got = NULL;
	size_t size;
	struct screen screen = { open_memstream(&got, &size), false, width };
	struct table table;

	table_init(&table, 2);
	if (right)
		table.right[0] = true;
	for (size_t i = 0; i < n; i++) {
		table_add(&table, STYLE_HEAD, "%s", cells[i][0]);
		table_add(&table, STYLE_PLAIN, "%s", cells[i][1]);
	}
	table_print(&table, &screen, 1);
	table_fini(&table);
	fclose(screen.out);
	return got;
}

static void
columns_are_aligned(void)
{
	static const char *const cells[][2] = {
		{ "NODE", "WHY" },
		{ "n1", "full" },
		{ "node-10", "" },
	};
	AUTOFREE char *left = printed(cells, LENGTH(cells), false, 0);
	AUTOFREE char *right = printed(cells, LENGTH(cells), true, 0);

	t_str("left", left, " NODE     WHY\n n1       full\n node-10\n");
	t_str("right", right, "    NODE  WHY\n      n1  full\n node-10\n");
}

static void
width_counts_code_points(void)
{
	static const char *const cells[][2] = {
		{ "caf\xc3\xa9", "1" },
		{ "cafe", "2" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 0);

	t_int("a word", text_width("caf\xc3\xa9"), 4);
	t_str("aligned", got, " caf\xc3\xa9  1\n cafe  2\n");
}

static void
the_last_column_wraps_at_words(void)
{
	static const char *const cells[][2] = {
		{ "n1", "one two three four five six seven" },
		{ "n2", "a-word-that-is-longer-than-the-line yes" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 25);

	t_str("narrow", got,
	    " n1  one two three four\n"
	    "     five six seven\n"
	    " n2  a-word-th...the-line\n"
	    "     yes\n");
}

static void
wide_columns_are_cut_in_the_middle(void)
{
	static const char *const cells[][2] = {
		{ "a-node-whose-name-is-as-long-as-clouds-make-them-1",
		    "Insufficient cpu" },
		{ "n2", "full" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 40);

	t_str("the last column keeps its due", got,
	    " a-node-wh...ke-them-1  Insufficient cpu\n"
	    " n2                     full\n");
}

static void
names_are_cut_where_they_are_alike(void)
{
	static const char *const cells[][2] = {
		{ "NAME", "WHY" },
		{ "shop/a-deployment-of-ours-7c8f-abcde-1", "full" },
		{ "shop/a-deployment-of-ours-7c8f-vwxyz-1",
		    "Insufficient cpu" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 30);

	t_str("narrow", got,
	    " NAME          WHY\n"
	    " sh...abcde-1  full\n"
	    " sh...vwxyz-1  Insufficient cpu\n");
}

static void
sentences_wrap_in_each_column(void)
{
	static const char *const cells[][2] = {
		{ "one two three four five six", "1 2 3 4 5 6 7 8 9 10 11" },
		{ "seven", "" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 36);

	t_str("narrow", got,
	    " one two three  1 2 3 4 5 6 7 8 9 10\n"
	    " four five six  11\n"
	    " seven\n");
}

static void
control_characters_do_not_reach_the_terminal(void)
{
	static const char *const cells[][2] = {
		{ "a\033[31mb",
		    "c\xc2\x9b"
		    "d\n" },
		{ "\u202en1", "e" },
	};
	AUTOFREE char *got = printed(cells, LENGTH(cells), false, 0);

	t_str("escape, C1, newline, direction; columns are aligned", got,
	    " a\\x1b[31mb  c\\u009bd\\n\n"
	    " \\u202en1    e\n");
}

static void
colour_only_where_wanted(void)
{
	char *got = NULL;
	size_t size;
	struct screen screen = { open_memstream(&got, &size), true, 0 };

	screen_print(&screen, STYLE_BAD, "no\nway");
	screen_print(&screen, STYLE_PLAIN, "!");
	fclose(screen.out);
	t_str("line by line", got, "\033[31mno\033[0m\n\033[31mway\033[0m!");
	free(got);
}

T_MAIN(T(columns_are_aligned), T(width_counts_code_points),
    T(the_last_column_wraps_at_words), T(wide_columns_are_cut_in_the_middle),
    T(names_are_cut_where_they_are_alike), T(sentences_wrap_in_each_column),
    T(control_characters_do_not_reach_the_terminal),
    T(colour_only_where_wanted))
