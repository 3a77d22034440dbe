/*
 * Text for people: aligned tables, colour where it helps, and nothing that an input
 * file could smuggle onto a terminal (text_visible() of base/text.h).
 */
#ifndef CTL_TABLE_H
#define CTL_TABLE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/text.h"

enum screen_color {
	SCREEN_COLOR_AUTO, /* on a terminal, unless NO_COLOR or TERM=dumb */
	SCREEN_COLOR_ALWAYS,
	SCREEN_COLOR_NEVER,
};

struct screen {
	FILE *out;
	bool color;
	size_t width; /* columns; 0: no limit, because it is not a terminal */
};

void screen_init(struct screen *screen, FILE *out, enum screen_color color);

/* How many columns text takes: one for each code point. */
size_t text_width(const char *text);

enum style {
	STYLE_PLAIN,
	STYLE_HEAD,
	STYLE_GOOD,
	STYLE_BAD,
	STYLE_DIM,
};

/* printf() in a style. */
void screen_print(const struct screen *screen, enum style style,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

struct table_cell {
	const char *text;
	enum style style;
};

/*
 * Cells are added row by row.  Columns are as wide as their widest cell and two
 * apart; when the screen is narrow the widest wrap at words, and the middle is cut out
 * of longer words, where all of the column are alike if possible.
 */
struct table {
	size_t ncolumns;
	bool *right; /* by column: align right */
	size_t n, cap;
	struct table_cell *cells;
	struct arena arena;
};

void table_init(struct table *table, size_t ncolumns);
void table_fini(struct table *table);
void table_add(struct table *table, enum style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The width that its widest row takes, indentation excluded. */
size_t table_width(const struct table *table);
/* Every row begins with `indent` blanks. */
void table_print(const struct table *table, const struct screen *screen,
    size_t indent);
/* The same, and table_fini(). */
void table_end(struct table *table, const struct screen *screen, size_t indent);

#endif
