/* Base64 (RFC 4648, with padding), over OpenSSL. */
#ifndef API_BASE64_H
#define API_BASE64_H

#include <stddef.h>

/* You own the result; white space is passed over.  NULL: not base64. */
char *base64_decode(const char *text, size_t *len);
char *base64_encode(const char *bytes, size_t len);

#endif
