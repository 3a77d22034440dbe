#include "config.h"

#include "tool/commands/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define GAP 2
#define NARROWEST 20 /* a last column is not wrapped to less than this */
#define SHORTEST 12  /* another column is not cut to less than this */
#define CUT "..."    /* in the place of the middle */

static const char *const escapes[] = {
	[STYLE_PLAIN] = "",
	[STYLE_HEAD] = "\033[1m",
	[STYLE_GOOD] = "\033[32m",
	[STYLE_BAD] = "\033[31m",
	[STYLE_DIM] = "\033[2m",
};

/* COLUMNS takes precedence also without a terminal, so that it can be
 * tested. */
static size_t
screen_width(bool terminal, int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns != NULL && atoi(columns) > 0)
		return (size_t)atoi(columns);
	if (!terminal)
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

void
screen_init(struct screen *screen, FILE *out, enum screen_color color)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fileno(out)) == 1;

	screen->out = out;
	screen->color = color == SCREEN_COLOR_ALWAYS ||
	    (color == SCREEN_COLOR_AUTO && terminal &&
		(no_color == NULL || *no_color == '\0') && term != NULL &&
		strcmp(term, "dumb") != 0);
	screen->width = screen_width(terminal, fileno(out));
}

static size_t
width_n(const char *text, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

size_t
text_width(const char *text)
{
	return width_n(text, strlen(text));
}

static void
print_styled(const struct screen *screen, enum style style, const char *text,
    size_t len)
{
	bool styled = screen->color && style != STYLE_PLAIN && len > 0;

	if (styled)
		fputs(escapes[style], screen->out);
	fwrite(text, 1, len, screen->out);
	if (styled)
		fputs("\033[0m", screen->out);
}

static void
print_visible(const struct screen *screen, enum style style, const char *text)
{
	AUTOFREE char *visible = text_visible(text);

	print_styled(screen, style, visible, strlen(visible));
}

void
screen_print(const struct screen *screen, enum style style, const char *fmt,
    ...)
{
	AUTOFREE char *text = NULL;
	char *line, *newline;

	XFORMAT(text, fmt);
	for (line = text; (newline = strchr(line, '\n')) != NULL;
	     line = newline + 1) {
		*newline = '\0';
		print_visible(screen, style, line);
		fputc('\n', screen->out);
	}
	print_visible(screen, style, line);
}

void
table_init(struct table *table, size_t ncolumns)
{
	memset(table, 0, sizeof(*table));
	table->ncolumns = ncolumns;
	table->right = xcalloc(ncolumns, sizeof(*table->right));
}

void
table_fini(struct table *table)
{
	free(table->right);
	free(table->cells);
	arena_fini(&table->arena);
}

void
table_add(struct table *table, enum style style, const char *fmt, ...)
{
	AUTOFREE char *text = NULL, *visible = NULL;

	XFORMAT(text, fmt);
	visible = text_visible(text);
	vec_room(table->cells, table->n, &table->cap);
	table->cells[table->n].text =
	    arena_strndup(&table->arena, visible, strlen(visible));
	table->cells[table->n].style = style;
	table->n++;
}

/* Bytes of the first n code points. */
static size_t
head_len(const char *text, size_t n)
{
	size_t len = 0;

	while (text[len] != '\0' &&
	    (n > 0 || ((unsigned char)text[len] & 0xc0) == 0x80)) {
		n -= ((unsigned char)text[len] & 0xc0) != 0x80;
		len++;
	}
	return len;
}

/* Of the text's first len bytes as many columns as there are: the middle is cut out,
 * but nothing behind the first `common`, which all of its column have, while there is
 * room. */
static void
print_cut(const struct screen *screen, enum style style, const char *text,
    size_t len, size_t width, size_t common)
{
	size_t all = width_n(text, len), cut = sizeof(CUT) - 1, first, last;

	if (all <= width || width <= cut) {
		print_styled(screen, style, text, len);
		return;
	}
	last = (width - cut) / 2;
	if (common > width - cut - last && common < all)
		last = all - common < width - cut - 2 ? all - common :
							width - cut - 2;
	first = head_len(text, width - cut - last);
	last = head_len(text, all - last);
	print_styled(screen, style, text, first);
	print_styled(screen, style, CUT, cut);
	print_styled(screen, style, text + last, len - last);
}

/* Columns that all cells of this one, but the head, begin with; 0: if there is one. */
static size_t
common_of(const struct table *table, size_t column)
{
	const char *first = NULL;
	size_t common = 0, n = 0;

	for (size_t i = column; i < table->n; i += table->ncolumns) {
		const char *text = table->cells[i].text;

		bool is_head =
		    i == column && table->cells[i].style == STYLE_HEAD;

		if (is_head || *text == '\0')
			continue;
		if (n++ == 0) {
			first = text;
			common = strlen(text);
		}
		for (size_t k = 0; k < common; k++)
			if (text[k] != first[k])
				common = k;
	}
	return n > 1 ? width_n(first, common) : 0;
}

static size_t *
column_widths(const struct table *table)
{
	size_t *widths = xcalloc(table->ncolumns, sizeof(*widths));

	for (size_t i = 0; i < table->n; i++) {
		size_t width = text_width(table->cells[i].text);

		if (width > widths[i % table->ncolumns])
			widths[i % table->ncolumns] = width;
	}
	return widths;
}

/* Of the columns before this one, with the gaps after them. */
static size_t
offset_of(const size_t *widths, size_t column)
{
	size_t offset = 0;

	for (size_t i = 0; i < column; i++)
		offset += widths[i] + GAP;
	return offset;
}

size_t
table_width(const struct table *table)
{
	AUTOFREE size_t *widths = column_widths(table);

	return offset_of(widths, table->ncolumns) - GAP;
}

/* The number of bytes of text that fit on a line of this width: up to the last
 * blank that fits, or the whole first word. */
static size_t
line_len(const char *text, size_t width)
{
	size_t len = 0;

	if (text_width(text) <= width)
		return strlen(text);
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (text[i] != ' ')
			continue;
		if (len > 0 && width_n(text, i) > width)
			break;
		len = i;
	}
	return len > 0 ? len : strlen(text);
}

/* On as many lines as its longest cell takes. */
static void
print_row(const struct table *table, const struct screen *screen,
    const struct table_cell *row, const size_t *widths, const size_t *common,
    size_t indent)
{
	size_t last = table->ncolumns - 1, left = widths[last];
	AUTOFREE const char **rest = xcalloc(table->ncolumns, sizeof(*rest));
	bool more = true;

	if (screen->width > 0) {
		left = indent + offset_of(widths, last);
		left = screen->width > left ? screen->width - left : 0;
		if (left < NARROWEST)
			left = NARROWEST;
		if (left > widths[last])
			left = widths[last];
	}
	for (size_t i = 0; i <= last; i++)
		rest[i] = row[i].text;
	while (more) {
		size_t gap = indent;

		more = false;
		for (size_t i = 0; i <= last; i++) {
			size_t width = i < last ? widths[i] : left;
			size_t len = line_len(rest[i], width);
			size_t shown = width_n(rest[i], len);
			size_t free = shown < width ? width - shown : 0;

			if (len > 0) {
				/* No blanks are left at ends of lines. */
				fprintf(screen->out, "%*s",
				    (int)(gap + (table->right[i] ? free : 0)),
				    "");
				print_cut(screen, row[i].style, rest[i], len,
				    width,
				    strchr(row[i].text, ' ') == NULL ?
					common[i] :
					0);
				gap = GAP + (table->right[i] ? 0 : free);
			} else {
				gap += width + GAP;
			}
			rest[i] += len;
			if (*rest[i] == ' ')
				rest[i]++;
			more = more || *rest[i] != '\0';
		}
		fputc('\n', screen->out);
	}
}

/* Narrows the widest columns until the last has its due. */
static void
fit_widths(const struct table *table, const struct screen *screen,
    size_t indent, size_t *widths)
{
	size_t last = table->ncolumns - 1, widest, due = widths[last];

	if (due > NARROWEST)
		due = screen->width / 3 < due ? screen->width / 3 : due;
	if (due < NARROWEST && widths[last] >= NARROWEST)
		due = NARROWEST;
	while (screen->width > 0 &&
	    indent + offset_of(widths, last) + due > screen->width) {
		widest = 0;
		for (size_t i = 1; i < last; i++)
			if (widths[i] > widths[widest])
				widest = i;
		if (last == 0 || widths[widest] <= SHORTEST)
			return;
		widths[widest]--;
	}
}

void
table_print(const struct table *table, const struct screen *screen,
    size_t indent)
{
	AUTOFREE size_t *widths = column_widths(table);
	AUTOFREE size_t *common = xcalloc(table->ncolumns, sizeof(*common));

	fit_widths(table, screen, indent, widths);
	for (size_t i = 0; i < table->ncolumns; i++)
		common[i] = common_of(table, i);
	for (size_t i = 0; i + table->ncolumns <= table->n;
	     i += table->ncolumns)
		print_row(table, screen, &table->cells[i], widths, common,
		    indent);
}

void
table_end(struct table *table, const struct screen *screen, size_t indent)
{
	table_print(table, screen, indent);
	table_fini(table);
}
