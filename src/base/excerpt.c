#include "config.h"

#include "base/excerpt.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"

#define BEFORE 35 /* characters shown before the place */
#define WIDTH 70

struct line {
	const char *at, *end; /* without its newline */
};

static bool
find_line(const char *text, size_t len, uint32_t number, struct line *line)
{
	const char *end = text + len, *nl;

	for (; number > 1; number--) {
		nl = memchr(text, '\n', (size_t)(end - text));
		if (nl == NULL)
			return false;
		text = nl + 1;
	}
	nl = memchr(text, '\n', (size_t)(end - text));
	*line = (struct line){ text, nl != NULL ? nl : end };
	if (line->end > line->at && line->end[-1] == '\r')
		line->end--;
	return true;
}

static const char *
forward(const char *p, const char *end, uint32_t characters)
{
	while (characters-- > 0 && p < end)
		do
			p++;
		while (p < end && ((unsigned char)*p & 0xc0) == 0x80);
	return p;
}

static bool
is_blank(const struct line *line)
{
	for (const char *p = line->at; p < line->end; p++)
		if (!isspace((unsigned char)*p))
			return false;
	return true;
}

/* The length of "1" to "99" at the line's end, behind a blank that something
 * other than ':' precedes; 0: there is none. */
static size_t
callout(struct line line)
{
	const char *p, *end = line.end;

	while (end > line.at && isspace((unsigned char)end[-1]))
		end--;
	p = end;
	while (p > line.at && isdigit((unsigned char)p[-1]))
		p--;
	if (p == end || end - p > 2 || *p == '0' || p == line.at ||
	    !isspace((unsigned char)p[-1]))
		return 0;
	while (p > line.at && isspace((unsigned char)p[-1]))
		p--;
	return p > line.at && p[-1] != ':' && p[-1] != '-' ? (size_t)(end - p) :
							     0;
}

/* The line with a callout: that of the place or, if the place begins its line,
 * the last before it that is not blank. */
static uint32_t
callout_near(const char *text, size_t len, uint32_t number, uint32_t column)
{
	struct line line;
	const char *place;

	if (!find_line(text, len, number, &line))
		return 0;
	place = forward(line.at, line.end, column - 1);
	if (callout(line) > 0)
		return number;
	for (const char *p = line.at; p < place; p++)
		if (!isspace((unsigned char)*p))
			return 0;
	while (--number > 0 && find_line(text, len, number, &line))
		if (!is_blank(&line))
			return callout(line) > 0 ? number : 0;
	return 0;
}

char *
excerpt(const char *text, size_t len, uint32_t number, uint32_t column)
{
	const uint32_t from = column > BEFORE ? column - BEFORE : 1;
	struct text line_shown = { 0 };
	struct line line;
	const char *at, *end;
	char *shown, *all;
	uint32_t near;

	if (number == 0 || column == 0 || !find_line(text, len, number, &line))
		return NULL;
	at = forward(line.at, line.end, from - 1);
	end = forward(at, line.end, WIDTH);
	/* one column each, for the caret */
	for (const char *p = at; p < end; at = p)
		if (text_is_printable(utf8_next(&p, end)))
			text_append(&line_shown, at, (size_t)(p - at));
		else
			text_put(&line_shown, *at == '\t' ? " " : "?");
	shown = text_take(&line_shown);
	all = xasprintf("    %s\n    %*s^\n", shown, (int)(column - from), "");
	free(shown);
	near = callout_near(text, len, number, column);
	if (near > 0) {
		shown =
		    xasprintf("%s    (does the number at the end of line "
			      "%" PRIu32 " point to a manual's explanation? "
			      "Delete it.)\n",
			all, near);
		free(all);
		all = shown;
	}
	return all;
}

char *
excerpt_of(const char *text, size_t len, const char *name, const char *message)
{
	size_t n = strlen(name);
	uint32_t line, column;

	if (strncmp(message, name, n) != 0 ||
	    sscanf(message + n, ":%" SCNu32 ":%" SCNu32 ":", &line, &column) !=
		2)
		return NULL;
	return excerpt(text, len, line, column);
}

const char *
excerpt_place(const char *text, size_t len, uint32_t line, uint32_t column)
{
	struct line found;

	if (line == 0 || column == 0 || !find_line(text, len, line, &found))
		return NULL;
	return forward(found.at, found.end, column - 1);
}
