#include "config.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
