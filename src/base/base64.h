/* Base64 (RFC 4648, with padding). */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

/* *n bytes and a NUL, which you own; line ends are passed over, as in Go.  NULL: the
 * text is not base64. */
char *base64_decode(const char *text, size_t len, size_t *n);
char *base64_encode(const char *bytes, size_t len);

#endif
