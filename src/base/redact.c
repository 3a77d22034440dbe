#include "config.h"

#include "base/redact.h"

#include <ctype.h>
#include <strings.h>

#define TOKEN_SHORTEST 20
#define PEM_BEGIN "-----BEGIN "
#define PEM_END "-----END "
#define PEM_TYPE_MAX 50 /* up to the end of the type */

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
		"credentials", "cookie", "pwd", "pass", "passphrase" };

	for (size_t i = 0; i < LENGTH(endings); i++) {
		size_t n = strlen(endings[i]);

		if (len >= n && strncasecmp(key + len - n, endings[i], n) == 0)
			return true;
	}
	return false;
}

static bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* ---- lengths of secrets at the beginning of a text; 0: there is none ---- */

/* Up to the end of a line, of a JSON string or of a word. */
static size_t
value_len(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && !is_one_of(p[i], " \t\r\n\"',;}])"))
		i++;
	return i;
}

/* The inside of a quoted text, p[0] is the quote's first byte. */
static size_t
quoted_len(const char *p, size_t len)
{
	size_t i = 1;

	for (; i < len && p[i] != p[0]; i++)
		if (p[i] == '\\' && i + 1 < len)
			i++;
	return i;
}

/* A token that its first characters give away: a JSON web token, one of OpenShift,
 * GitHub, GitLab, Slack, a key of AWS. */
static size_t
token_len(const char *p, size_t len)
{
	static const char *const known[] = { "eyJ", "sha256~", "ghp_", "gho_",
		"ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-",
		"xoxp-", "AKIA", "ASIA" };
	size_t i = 0;

	for (size_t k = 0; i == 0 && k < LENGTH(known); k++)
		if (len > strlen(known[k]) &&
		    memcmp(p, known[k], strlen(known[k])) == 0)
			i = strlen(known[k]);
	if (i == 0)
		return 0;
	while (i < len && (is_word(p[i]) || p[i] == '.' || p[i] == '='))
		i++;
	return i >= TOKEN_SHORTEST ? i : 0;
}

static size_t
pem_len(const char *p, size_t len)
{
	const char *end;

	if (len < strlen(PEM_BEGIN) ||
	    memcmp(p, PEM_BEGIN, strlen(PEM_BEGIN)) != 0 ||
	    memmem(p, len < PEM_TYPE_MAX ? len : PEM_TYPE_MAX, "PRIVATE KEY",
		strlen("PRIVATE KEY")) == NULL)
		return 0;
	end = memmem(p, len, PEM_END, strlen(PEM_END));
	return end != NULL ? (size_t)(end - p) : len;
}

/* "//user:password" before an "@" that is in the authority. */
static size_t
userinfo_len(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && !is_one_of(p[i], "/?# \t\r\"'<>@"))
		i++;
	return i < len && p[i] == '@' ? i : 0;
}

/* ---- the text ---- */

struct redaction {
	struct text *out;
	const char *p, *end; /* end: of the line, without its "\n" */
	const char *text_end;
	size_t key; /* the length of the word that ends before p */
};

/* In the line: no quote and no escape reaches over its end. */
static size_t
left(const struct redaction *r)
{
	return (size_t)(r->end - r->p);
}

/* In the text: a private key and a block of YAML have more than one line. */
static size_t
left_in_text(const struct redaction *r)
{
	return (size_t)(r->text_end - r->p);
}

static void
find_line_end(struct redaction *r)
{
	r->end = memchr(r->p, '\n', left_in_text(r));
	if (r->end == NULL)
		r->end = r->text_end;
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
	if (r->p > r->end)
		find_line_end(r);
}

/* YAML's "|" or ">" and the lines below it; 0: it is none. */
static size_t
block_len(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len), *next;

	if (!is_one_of(*p, "|>") || end == NULL)
		return 0;
	for (end++; end < p + len && is_one_of(*end, " \t\n"); end = next + 1) {
		next = memchr(end, '\n', (size_t)(p + len - end));
		if (next == NULL)
			return len;
	}
	return (size_t)(end - p) - 1;
}

/* Up to the quote of a text in a text, which has one backslash before it; one of the
 * text around it has none, and one within it more. */
static size_t
escaped_len(const char *p, size_t len)
{
	size_t backslashes = 0, i = 0;

	for (; i < len && (p[i] != '"' || backslashes > 1); i++)
		backslashes = p[i] == '\\' ? backslashes + 1 : 0;
	return i;
}

/* Behind the '=' or ':' of a key; escaped: within a text in a text. */
static void
replace_value(struct redaction *r, bool escaped)
{
	size_t n;

	if (escaped && left(r) > 1 && r->p[0] == '\\' && r->p[1] == '"') {
		copy(r, 2);
		replace(r, escaped_len(r->p, left(r)));
		return;
	}
	if (left(r) > 7 && strncasecmp(r->p, "Bearer ", 7) == 0)
		copy(r, 7);
	if (left(r) > 6 && strncasecmp(r->p, "Basic ", 6) == 0)
		copy(r, 6);
	n = left(r) > 0 ? block_len(r->p, left_in_text(r)) : 0;
	if (n > 0) {
		replace(r, n);
	} else if (left(r) > 0 && is_one_of(*r->p, "\"'")) {
		n = quoted_len(r->p, left(r));
		copy(r, 1);
		replace(r, n - 1);
	} else {
		replace(r, value_len(r->p, left(r)));
	}
}

/* Behind a key: at '=', ':' or the quote before it; of a flag also at the space. */
static void
redact_value(struct redaction *r, bool is_flag)
{
	const char *p = r->p;
	bool escaped = p < r->end && *p == '\\';

	while (p < r->end && *p == '\\')
		p++;
	if (p < r->end && is_one_of(*p, "\"'"))
		p++;
	while (p < r->end && *p == ' ')
		p++;
	if (p == r->end)
		return;
	if (is_one_of(*p, "=:"))
		p++;
	else if (!is_flag || p == r->p)
		return;
	while (p < r->end && is_one_of(*p, " \t"))
		p++;
	copy(r, (size_t)(p - r->p));
	if (left(r) > 0 && !is_one_of(*r->p, "{["))
		replace_value(r, escaped);
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
		redact_value(r, r->key > 2 && word[0] == '-' && word[1] == '-');
	} else if (is_scheme(word, r->key) && left(r) > 1 && *r->p == ' ') {
		copy(r, 1);
		replace(r, value_len(r->p, left(r)));
	}
	r->key = 0;
}

static void
redact_line(struct redaction *r, const char *start)
{
	while (r->p < r->end) {
		size_t n = r->key == 0 ? token_len(r->p, left(r)) : 0;

		if (n == 0)
			n = pem_len(r->p, left_in_text(r));
		if (n == 0 && r->p - start >= 3 &&
		    memcmp(r->p - 3, "://", 3) == 0)
			n = userinfo_len(r->p, left(r));
		if (n > 0) {
			replace(r, n);
		} else if (is_word(*r->p)) {
			r->key++;
			copy(r, 1);
		} else if (r->key > 0) {
			end_word(r);
			if (left(r) > 0 && !is_word(*r->p))
				copy(r, 1);
		} else {
			copy(r, 1);
		}
	}
}

void
redact(struct text *out, const char *bytes, size_t len)
{
	struct redaction r = { .out = out, .p = bytes };

	if (len == 0)
		return;
	r.text_end = bytes + len;
	for (;;) {
		find_line_end(&r);
		redact_line(&r, bytes);
		if (r.p == r.text_end)
			return;
		r.key = 0;
		copy(&r, 1); /* the "\n" */
	}
}
