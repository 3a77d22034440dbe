#include "config.h"

#include "api/base64.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

char *
base64_decode(const char *text, size_t *len)
{
	size_t n = strlen(text), used = 0, padding = 0;
	char AUTOFREE *dense = xmalloc(n + 1);
	unsigned char *bytes;
	int got;

	for (size_t i = 0; i < n; i++)
		if (strchr(" \t\r\n", text[i]) == NULL)
			dense[used++] = text[i];
	dense[used] = '\0';
	while (
	    padding < 2 && padding < used && dense[used - 1 - padding] == '=')
		padding++;
	if (used % 4 != 0)
		return NULL;
	bytes = xmalloc(used / 4 * 3 + 1);
	got = EVP_DecodeBlock(bytes, (const unsigned char *)dense, (int)used);
	if (got < 0 || (size_t)got < padding) {
		free(bytes);
		return NULL;
	}
	*len = (size_t)got - padding;
	bytes[*len] = '\0';
	return (char *)bytes;
}

char *
base64_encode(const char *bytes, size_t len)
{
	char *text = xmalloc((len + 2) / 3 * 4 + 1);

	EVP_EncodeBlock((unsigned char *)text, (const unsigned char *)bytes,
	    (int)len);
	return text;
}
