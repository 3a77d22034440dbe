#include "config.h"

#include "base/json_out.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "base/doc.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/utf8.h"

/* How many bytes from p on stand for themselves in a JSON string. */
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
put_escaped(struct text *text, const unsigned char *p, const unsigned char *end)
{
	static const char letters[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
	const char *found = memchr(letters, *p, sizeof(letters) - 1);
	const char *next = (const char *)p;
	size_t len = utf8_len(p, end);
	uint32_t c = utf8_next(&next, (const char *)end);
	char escape[16];

	if (len == 0)
		snprintf(escape, sizeof(escape), UTF8_REPLACEMENT);
	else if (found != NULL)
		snprintf(escape, sizeof(escape), "\\%c",
		    names[found - letters]);
	else if (text_is_printable(c))
		snprintf(escape, sizeof(escape), "%.*s", (int)len,
		    (const char *)p);
	else if (c < 0x10000)
		snprintf(escape, sizeof(escape), "\\u%04x", c);
	else /* in UTF-16 */
		snprintf(escape, sizeof(escape), "\\u%04x\\u%04x",
		    0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
	text_put(text, escape);
	return len > 0 ? len : 1;
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
		EACH_CHILD (child, node) {
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

static void
put_int(struct text *text, int64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, value);
	text_put(text, number);
}

void
json_put(struct text *text, const char *fmt, ...)
{
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
			put_int(text, va_arg(ap, int64_t));
			break;
		case 'n':
			json_put_node(text,
			    va_arg(ap, const struct doc_node *));
			break;
		case '%':
			text_append(text, "%", 1);
			break;
		}
	}
	va_end(ap);
}

static void
before(struct json_out *json)
{
	if (json->comma)
		text_append(json->text, ",", 1);
	json->comma = true;
}

void
json_open(struct json_out *json, char bracket)
{
	before(json);
	text_append(json->text, &bracket, 1);
	json->comma = false;
}

void
json_close(struct json_out *json, char bracket)
{
	text_append(json->text, &bracket, 1);
	json->comma = true;
}

void
json_break(struct json_out *json, const char *indent)
{
	if (json->comma)
		text_append(json->text, ",", 1);
	text_append(json->text, "\n", 1);
	text_put(json->text, indent);
	json->comma = false;
}

void
json_key(struct json_out *json, const char *key)
{
	before(json);
	json_put_key(json->text, key);
	text_append(json->text, ":", 1);
	json->comma = false;
}

void
json_string(struct json_out *json, const char *text)
{
	before(json);
	if (text != NULL)
		json_put_string(json->text, text);
	else
		text_put(json->text, "null");
}

void
json_int(struct json_out *json, int64_t value)
{
	before(json);
	put_int(json->text, value);
}

void
json_bool(struct json_out *json, bool value)
{
	before(json);
	text_put(json->text, value ? "true" : "false");
}

void
json_number(struct json_out *json, double value, int digits)
{
	char number[DBL_MAX_10_EXP + 64];

	before(json);
	snprintf(number, sizeof(number), "%.*f", digits < 32 ? digits : 32,
	    isfinite(value) ? value : 0.0);
	text_put(json->text, number);
}

void
json_doc_node(struct json_out *json, const struct doc_node *node)
{
	before(json);
	json_put_node(json->text, node);
}

void
json_raw(struct json_out *json, const char *text)
{
	before(json);
	text_put(json->text, text != NULL ? text : "null");
}

void
json_pair(struct json_out *json, const char *key, const char *text)
{
	json_key(json, key);
	json_string(json, text);
}

void
json_pair_int(struct json_out *json, const char *key, int64_t value)
{
	json_key(json, key);
	json_int(json, value);
}

void
json_pair_bool(struct json_out *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

static void
put_members(struct json_out *json, const char *fmt, va_list ap)
{
	while (*fmt != '\0') {
		size_t len = strcspn(fmt, ":");
		char type = fmt[len + 1];
		sym name;

		before(json);
		text_append(json->text, "\"", 1);
		text_append(json->text, fmt, len);
		text_append(json->text, "\":", 2);
		json->comma = false;
		if (type == 's') {
			json_string(json, va_arg(ap, const char *));
		} else if (type == 'n') {
			name = va_arg(ap, sym);
			json_string(json,
			    name != SYM_NONE && name != SYM_EMPTY ?
				sym_text(name) :
				NULL);
		} else if (type == 'd') {
			json_int(json, va_arg(ap, int64_t));
		} else if (type == 'i') {
			json_int(json, va_arg(ap, int));
		} else if (type == 'u') {
			json_int(json, va_arg(ap, unsigned));
		} else if (type == 'z') {
			json_int(json, (int64_t)va_arg(ap, size_t));
		} else if (type == 'b') {
			json_bool(json, va_arg(ap, int));
		} else {
			json_number(json, va_arg(ap, double), type - '0');
		}
		fmt += len + 2;
		fmt += *fmt == ' ';
	}
}

void
json_members(struct json_out *json, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_members(json, fmt, ap);
	va_end(ap);
}

void
json_object(struct json_out *json, const char *fmt, ...)
{
	va_list ap;

	json_open(json, '{');
	va_start(ap, fmt);
	put_members(json, fmt, ap);
	va_end(ap);
	json_close(json, '}');
}

void
json_open_member(struct json_out *json, const char *key, char bracket)
{
	json_key(json, key);
	json_open(json, bracket);
}

void
json_texts(struct json_out *json, const char *key, size_t n,
    const char *const *texts)
{
	json_open_member(json, key, '[');
	for (size_t i = 0; i < n; i++)
		json_string(json, texts[i]);
	json_close(json, ']');
}
