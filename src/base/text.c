#include "config.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/utf8.h"

void
text_fini(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

char *
text_take(struct text *text)
{
	char *bytes = text->bytes != NULL ? text->bytes : xstrdup("");

	*text = (struct text){ 0 };
	return bytes;
}

char *
text_keep(struct text *text, struct arena *arena)
{
	char *bytes =
	    arena_strndup(arena, text->len > 0 ? text->bytes : "", text->len);

	text_fini(text);
	return bytes;
}

void
text_append(struct text *text, const char *bytes, size_t len)
{
	if (text->len + len + 1 > text->cap) {
		text->cap = (text->len + len + 1) * 2;
		text->bytes = xrealloc(text->bytes, text->cap, 1);
	}
	if (len > 0)
		memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
	text->bytes[text->len] = '\0';
}

void
text_put(struct text *text, const char *s)
{
	text_append(text, s, strlen(s));
}

void
text_printf(struct text *text, const char *fmt, ...)
{
	AUTOFREE char *more = NULL;

	XFORMAT(more, fmt);
	text_put(text, more);
}

void
text_drop(struct text *text, size_t len)
{
	if (len == 0)
		return;
	memmove(text->bytes, text->bytes + len, text->len - len + 1);
	text->len -= len;
}

void
text_flush(struct text *text, FILE *out)
{
	if (text->len > 0)
		fwrite(text->bytes, 1, text->len, out);
	text->len = 0;
}

void
text_write(struct text *text, FILE *out)
{
	text_flush(text, out);
	text_fini(text);
}

void
url_put(struct text *text, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	char hex[4];

	for (; *s != '\0'; s++) {
		if (strchr(plain, *s) != NULL) {
			text_append(text, s, 1);
			continue;
		}
		snprintf(hex, sizeof(hex), "%%%02X", (unsigned char)*s);
		text_append(text, hex, 3);
	}
}

/* ---- as Go quotes ---- */

bool
text_is_printable(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad)
		return false;
	return !(c >= 0x2000 && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202f) &&
	    !(c >= 0x205f && c <= 0x206f) && c != 0x3000 && c != 0xfeff &&
	    !(c >= 0xe000 && c <= 0xf8ff) && (c & 0xfffe) != 0xfffe &&
	    c < 0xe0000;
}

/* As long as the text, four times at most, without a NUL; quoted: '"' and '\\' are
 * escaped, too.  Returns the end of out. */
static char *
escape(char *o, const char *text, size_t len, bool quoted)
{
	static const char plain[] = "\a\b\f\n\r\t\v\\\"",
			  named[] = "abfnrtv\\\"";
	const char *end = text + len, *found;

	while (text < end) {
		const char *start = text;
		bool invalid = utf8_len((const unsigned char *)text,
				   (const unsigned char *)end) == 0;
		uint32_t c = utf8_next(&text, end);

		if (invalid) {
			o += sprintf(o, "\\x%02x", (unsigned char)*start);
		} else if (c != 0 && c < 0x80 &&
		    (found = strchr(plain, (int)c)) != NULL &&
		    (quoted || c < ' ')) {
			*o++ = '\\';
			*o++ = named[found - plain];
		} else if (text_is_printable(c)) {
			memcpy(o, start, (size_t)(text - start));
			o += text - start;
		} else if (c < 0x80) {
			o += sprintf(o, "\\x%02x", c);
		} else {
			o += sprintf(o, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
		}
	}
	return o;
}

const char *
text_quote(struct arena *arena, const char *text, size_t len)
{
	char *out = arena_alloc(arena, 4 * len + 3), *o = out;

	*o++ = '"';
	o = escape(o, text, len, true);
	strcpy(o, "\"");
	return out;
}

char *
text_visible(const char *text)
{
	size_t len = strlen(text);
	char *out = xmalloc(4 * len + 1);

	*escape(out, text, len, false) = '\0';
	return out;
}

void
text_print_line(FILE *out, const char *text)
{
	AUTOFREE char *visible = text_visible(text);

	fprintf(out, "%s\n", visible);
}

/* ---- likeness ---- */

#define COMPARED_MAX 255

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool
is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned
text_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned rows[3][COMPARED_MAX + 1], *row = rows[0];

	if (na > COMPARED_MAX || nb > COMPARED_MAX)
		return (unsigned)(na > nb ? na : nb);
	for (size_t j = 0; j <= nb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		const unsigned *above = row, *before = rows[(i + 1) % 3];

		row = rows[i % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] =
			    least(above[j - 1] + !is_same(a[i - 1], b[j - 1]),
				least(row[j - 1], above[j]) + 1);
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
			    is_same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return row[nb];
}

bool
text_is_like(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);

	return text_distance(a, b) <= (na < nb ? na : nb) / 3;
}

int
text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool
text_is_choice(const char *choices, const char *word)
{
	size_t len;

	for (const char *p = choices; *p != '\0'; p += len + (p[len] == '|')) {
		len = strcspn(p, "|");
		if (strlen(word) == len && strncmp(p, word, len) == 0)
			return true;
	}
	return false;
}

char *
url_without_user(const char *url)
{
	const char *begin = strstr(url, "://"), *at;

	begin = begin != NULL ? begin + 3 : url;
	at = memrchr(begin, '@', strcspn(begin, "/?#"));
	return xasprintf("%.*s%s", (int)(begin - url), url,
	    at != NULL ? at + 1 : begin);
}
