#include "config.h"

#include "base/redact.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/xmalloc.h"

#define TOKEN_SHORTEST 20
#define PEM_BEGIN "-----BEGIN "
#define PEM_END "-----END "

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Whether a key that ends with these bytes has a secret for its value, in any case. */
static bool
is_secret_key(const char *key, size_t len)
{
	static const char *const endings[] = { "password", "passwd", "token",
		"secret", "secretkey", "secret_key", "secret-key",
		"secret-access-key", "secretaccesskey", "secret_access_key",
		"apikey", "api_key", "api-key", "privatekey", "private_key",
		"private-key", "keydata", "key-data", "authorization",
		"credentials", "cookie" };

	for (size_t i = 0; i < LENGTH(endings); i++) {
		size_t n = strlen(endings[i]);

		if (len >= n && strncasecmp(key + len - n, endings[i], n) == 0)
			return true;
	}
	return false;
}

/* ---- lengths of secrets at the beginning of a text; 0: there is none ---- */

/* Up to the end of a line, of a JSON string or of a word. */
static size_t
value_len(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && strchr(" \t\r\n\"',;}])", p[i]) == NULL)
		i++;
	return i;
}

/* The inside of a quoted text, p[0] is the quote's first byte. */
static size_t
quoted_len(const char *p, size_t len)
{
	size_t i = 1;

	for (; i < len && p[i] != p[0] && p[i] != '\n'; i++)
		if (p[i] == '\\' && i + 1 < len)
			i++;
	return i;
}

/* A JSON web token, or one of OpenShift. */
static size_t
token_len(const char *p, size_t len)
{
	size_t i = 0;

	if (len > 7 && memcmp(p, "sha256~", 7) == 0)
		i = 7;
	else if (len < 3 || memcmp(p, "eyJ", 3) != 0)
		return 0;
	while (i < len && (is_word(p[i]) || p[i] == '.' || p[i] == '='))
		i++;
	return i >= TOKEN_SHORTEST ? i : 0;
}

static size_t
pem_len(const char *p, size_t len)
{
	const char *end, *line;

	if (len < strlen(PEM_BEGIN) ||
	    memcmp(p, PEM_BEGIN, strlen(PEM_BEGIN)) != 0)
		return 0;
	line = memmem(p, len, "PRIVATE KEY", strlen("PRIVATE KEY"));
	if (line == NULL || line - p > 40)
		return 0;
	end = memmem(p, len, PEM_END, strlen(PEM_END));
	return end != NULL ? (size_t)(end - p) : len;
}

/* "//user:password" before an "@" that is in the authority. */
static size_t
userinfo_len(const char *p, size_t len)
{
	size_t i = 0;

	while (
	    i < len && strchr("/?# \t\r\n\"'<>", p[i]) == NULL && p[i] != '@')
		i++;
	return i < len && p[i] == '@' ? i : 0;
}

/* ---- the text ---- */

struct redaction {
	struct text *out;
	const char *p, *end;
	size_t key; /* the length of the word that ends before p */
};

static size_t
left(const struct redaction *r)
{
	return (size_t)(r->end - r->p);
}

static void
copy(struct redaction *r, size_t n)
{
	text_append(r->out, r->p, n);
	r->p += n;
}

static void
replace(struct redaction *r, size_t n)
{
	text_put(r->out, REDACTED);
	r->p += n;
	r->key = 0;
}

/* At the '=' or ':' after a key, or at the quote before it. */
static void
redact_value(struct redaction *r)
{
	const char *p = r->p;

	if (p < r->end && (*p == '"' || *p == '\''))
		p++;
	while (p < r->end && *p == ' ')
		p++;
	if (p == r->end || (*p != '=' && *p != ':'))
		return;
	do
		p++;
	while (p < r->end && (*p == ' ' || *p == '\t'));
	copy(r, (size_t)(p - r->p));
	if (left(r) == 0 || strchr("\n{[", *r->p) != NULL)
		return;
	if (left(r) > 7 && (strncasecmp(r->p, "Bearer ", 7) == 0))
		copy(r, 7);
	if (left(r) > 6 && (strncasecmp(r->p, "Basic ", 6) == 0))
		copy(r, 6);
	if (*r->p == '"' || *r->p == '\'') {
		size_t n = quoted_len(r->p, left(r));

		copy(r, 1);
		replace(r, n - 1);
	} else {
		replace(r, value_len(r->p, left(r)));
	}
}

static bool
is_scheme(const char *word, size_t len)
{
	return (len == 6 && strncasecmp(word, "bearer", 6) == 0) ||
	    (len == 5 && strncasecmp(word, "basic", 5) == 0);
}

/* After a word of r->key bytes. */
static void
end_word(struct redaction *r)
{
	const char *word = r->p - r->key;

	if (is_secret_key(word, r->key)) {
		redact_value(r);
	} else if (is_scheme(word, r->key) && left(r) > 1 && *r->p == ' ') {
		copy(r, 1);
		replace(r, value_len(r->p, left(r)));
	}
	r->key = 0;
}

void
redact(struct text *out, const char *bytes, size_t len)
{
	struct redaction r = { .out = out, .p = bytes, .end = bytes + len };

	while (r.p < r.end) {
		size_t n = r.key == 0 ? token_len(r.p, left(&r)) : 0;

		if (n == 0)
			n = pem_len(r.p, left(&r));
		if (n == 0 && r.p - bytes >= 3 &&
		    memcmp(r.p - 3, "://", 3) == 0)
			n = userinfo_len(r.p, left(&r));
		if (n > 0) {
			replace(&r, n);
		} else if (is_word(*r.p)) {
			r.key++;
			copy(&r, 1);
		} else if (r.key > 0) {
			end_word(&r);
			if (left(&r) > 0 && !is_word(*r.p))
				copy(&r, 1);
		} else {
			copy(&r, 1);
		}
	}
}
