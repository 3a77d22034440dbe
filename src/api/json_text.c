#include "config.h"

#include "api/json_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/utf8.h"
#include "base/xmalloc.h"

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
text_drop(struct text *text, size_t len)
{
	if (len == 0)
		return;
	memmove(text->bytes, text->bytes + len, text->len - len + 1);
	text->len -= len;
}

/* The number of bytes from p on that need no escape in a JSON string. */
static size_t
plain_len(const unsigned char *p, const unsigned char *end)
{
	const unsigned char *from = p;

	while (p < end && *p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
		p++;
	return (size_t)(p - from);
}

/* The one character at p, which is not plain; returns its length. */
static size_t
put_escaped(
    struct text *text, const unsigned char *p, const unsigned char *end)
{
	size_t len = utf8_len(p, end);
	char escape[8];

	if (len == 0) {
		text_put(text, "\\ufffd");
		return 1;
	}
	if (*p == '"' || *p == '\\') {
		escape[0] = '\\';
		escape[1] = (char)*p;
		text_append(text, escape, 2);
	} else if (*p < 0x20 || *p == 0x7f) {
		snprintf(escape, sizeof(escape), "\\u%04x", *p);
		text_put(text, escape);
	} else {
		text_append(text, (const char *)p, len);
	}
	return len;
}

/* The text between the quotes. */
static void
put_inner(struct text *text, const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + n;
	size_t len;

	while (p < end) {
		len = plain_len(p, end);
		text_append(text, (const char *)p, len);
		p += len;
		if (p < end)
			p += put_escaped(text, p, end);
	}
}

static void
put_quoted(struct text *text, const char *s, size_t n)
{
	text_append(text, "\"", 1);
	put_inner(text, s, n);
	text_append(text, "\"", 1);
}

void
json_put_string(struct text *text, const char *s)
{
	put_quoted(text, s, strlen(s));
}

void
json_put_key(struct text *text, const char *key)
{
	const char *nul;

	text_put(text, "\"");
	while ((nul = strstr(key, "\xc0\x80")) != NULL) {
		put_inner(text, key, (size_t)(nul - key));
		text_put(text, "\\u0000");
		key = nul + 2;
	}
	put_inner(text, key, strlen(key));
	text_put(text, "\"");
}

void
json_put_node(struct text *text, const struct doc_node *node)
{
	const struct doc_node *child;
	bool object = node->kind == DOC_OBJECT;

	switch (node->kind) {
	case DOC_NULL:
		text_put(text, "null");
		break;
	case DOC_BOOL:
		text_put(text, node->boolean ? "true" : "false");
		break;
	case DOC_NUMBER:
		text_append(text, node->text, node->len);
		break;
	case DOC_STRING:
		put_quoted(text, node->text, node->len);
		break;
	case DOC_ARRAY:
	case DOC_OBJECT:
		text_put(text, object ? "{" : "[");
		for (child = node->first; child != NULL; child = child->next) {
			if (child != node->first)
				text_put(text, ",");
			if (object) {
				json_put_key(text, child->key);
				text_put(text, ":");
			}
			json_put_node(text, child);
		}
		text_put(text, object ? "}" : "]");
		break;
	}
}

void
json_put(struct text *text, const char *fmt, ...)
{
	char number[24];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	for (; *fmt != '\0'; fmt++) {
		if (*fmt == '\'') {
			text_append(text, "\"", 1);
			continue;
		}
		if (*fmt != '%') {
			len = strcspn(fmt, "'%");
			text_append(text, fmt, len);
			fmt += len - 1;
			continue;
		}
		switch (*++fmt) {
		case 's':
			json_put_string(text, va_arg(ap, const char *));
			break;
		case 'd':
			snprintf(number, sizeof(number), "%" PRId64,
			    va_arg(ap, int64_t));
			text_put(text, number);
			break;
		case 'n':
			json_put_node(
			    text, va_arg(ap, const struct doc_node *));
			break;
		case '%':
			text_append(text, "%", 1);
			break;
		}
	}
	va_end(ap);
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
