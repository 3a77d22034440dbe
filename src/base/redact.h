/*
 * Takes secrets out of text of any kind: a log, JSON, metrics.
 *
 * These are replaced by REDACTED:
 *	the value after "password", "pass", "token", "keyData" … and '=' or ':'
 *	the word after "Bearer" or "Basic"
 *	a JSON web token ("eyJ…"), tokens of OpenShift ("sha256~…"), GitHub
 *	("ghp_…"), GitLab ("glpat-…") and Slack ("xoxb-…"), a key of AWS ("AKIA…")
 *	user and password in a URL
 *	the lines of a private key, or of a YAML block that is a value
 *
 * Each line is judged alone: text before it cannot hide a secret's key or quote.
 */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include "base/text.h"

#define REDACTED "REDACTED"

/* Appends the text without its secrets. */
void redact(struct text *out, const char *bytes, size_t len);

#endif
