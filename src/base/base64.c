#include "config.h"

#include "base/base64.h"

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *
base64_decode(const char *text, size_t len, size_t *n)
{
	char *bytes = xmalloc(len / 4 * 3 + 4);
	size_t nchars = 0, padding = 0;
	unsigned bits = 0;
	bool bad = false;

	*n = 0;
	for (size_t i = 0; i < len && !bad; i++) {
		const char *at = memchr(alphabet, text[i], 64);

		if (text[i] == '\n' || text[i] == '\r')
			continue;
		nchars++;
		padding += text[i] == '=';
		bad = at == NULL ? text[i] != '=' : padding > 0;
		if (at == NULL || bad)
			continue;
		bits = bits << 6 | (unsigned)(at - alphabet);
		if (nchars % 4 != 1)
			bytes[(*n)++] =
			    (char)(bits >> (6 - 2 * ((nchars - 1) % 4)));
	}
	bytes[*n] = '\0';
	if (!bad && nchars % 4 == 0 && padding <= 2)
		return bytes;
	free(bytes);
	return NULL;
}

char *
base64_encode(const char *bytes, size_t len)
{
	char *text = xmalloc((len + 2) / 3 * 4 + 1), *end = text;

	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		unsigned bits = 0;

		for (size_t j = 0; j < 3; j++)
			bits = bits << 8 |
			    (j < n ? (unsigned char)bytes[i + j] : 0);
		for (size_t j = 0; j < 4; j++)
			*end++ =
			    j > n ? '=' : alphabet[bits >> (18 - 6 * j) & 63];
	}
	*end = '\0';
	return text;
}
