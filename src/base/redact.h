/*
 * Takes secrets out of text of any kind: a log, JSON, metrics.
 *
 * These are replaced by REDACTED:
 *	the value after "password", "token", "secret", "keyData" … and '=' or ':'
 *	the word after "Bearer" or "Basic"
 *	a JSON web token ("eyJ…"), a token of OpenShift ("sha256~…")
 *	user and password in a URL
 *	the lines of a private key
 */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include <stddef.h>

#include "base/text.h"

#define REDACTED "REDACTED"

/* Appends the text without its secrets. */
void redact(struct text *out, const char *bytes, size_t len);

#endif
