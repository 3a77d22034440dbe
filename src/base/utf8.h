#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/* Replaces each byte that is not UTF-8, as in Go. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* How long the character at p is; 0: it is none, because it is overlong, a
 * surrogate, beyond U+10FFFF or cut short.  p is before end. */
static inline size_t
utf8_len(const unsigned char *p, const unsigned char *end)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c;
	size_t len;

	if (*p < 0x80)
		return 1;
	len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	if (*p < 0xc2 || *p > 0xf4 || (size_t)(end - p) < len)
		return 0;
	c = *p & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return len;
}

/* The character at *p, which moves beyond it; bytes that are none are U+FFFD. */
static inline uint32_t
utf8_next(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t len = utf8_len(s, (const unsigned char *)end);
	uint32_t c;

	if (len <= 1) {
		(*p)++;
		return len == 1 ? *s : 0xfffd;
	}
	*p += len;
	c = *s & (0x7fu >> len);
	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

#endif
