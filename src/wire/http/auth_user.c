/* Users, in the form that a SubjectAccessReview needs. */
#include "config.h"

#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <strings.h>
#include <sys/queue.h>

#include "base/json_out.h"
#include "base/doc.h"
#include "wire/http/auth.h"
#include "wire/http/auth_internal.h"

#define AUTHENTICATED "system:authenticated"
#define MASTERS "system:masters"

/* Groups while they are collected. */
struct groups {
	struct text json;
	bool authenticated, masters;
};

static void
add_group(struct groups *groups, const char *name)
{
	text_put(&groups->json, groups->json.len > 0 ? "," : "[");
	json_put_string(&groups->json, name);
	groups->authenticated |= strcmp(name, AUTHENTICATED) == 0;
	groups->masters |= strcmp(name, MASTERS) == 0;
}

/* Takes groups; name, uid and extra are copied, NULL is empty. */
static struct user *
new_user(const char *name, const char *uid, struct groups *groups,
    const char *extra)
{
	struct user *user = xcalloc(1, sizeof(*user));

	text_put(&groups->json, "]");
	user->name = xstrdup(name);
	user->uid = xstrdup(uid != NULL ? uid : "");
	user->groups = text_take(&groups->json);
	user->extra = xstrdup(extra != NULL ? extra : "{}");
	user->masters = groups->masters;
	user->nrefs = 1;
	return user;
}

static struct user *
new_authenticated(const char *name, const char *uid, struct groups *groups,
    const char *extra)
{
	if (!groups->authenticated)
		add_group(groups, AUTHENTICATED);
	return new_user(name, uid, groups, extra);
}

void
user_unref(struct user *user)
{
	if (user == NULL || --user->nrefs > 0)
		return;
	free(user->name);
	free(user->uid);
	free(user->groups);
	free(user->extra);
	free(user);
}

struct user *
user_ref(struct user *user)
{
	if (user != NULL)
		user->nrefs++;
	return user;
}

struct user *
user_anonymous(void)
{
	struct groups groups = { 0 };

	add_group(&groups, "system:unauthenticated");
	return new_user(AUTH_ANONYMOUS, NULL, &groups, NULL);
}

/* ---- certificates ---- */

/* You own it; NULL: it is no text, or hides a NUL. */
static char *
entry_text(const X509_NAME_ENTRY *entry)
{
	unsigned char *bytes = NULL;
	int len = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry));
	char *text = NULL;

	if (len >= 0 && memchr(bytes, '\0', len) == NULL)
		text = xstrndup((const char *)bytes, len);
	OPENSSL_free(bytes);
	return text;
}

/* The last CN counts, as in Go. */
char *
certificate_name(X509 *certificate)
{
	const X509_NAME *subject = X509_get_subject_name(certificate);
	int at = -1, last = -1;
	char *name = NULL;

	while (
	    (at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) >= 0)
		last = at;
	if (last >= 0)
		name = entry_text(X509_NAME_get_entry(subject, last));
	return name != NULL ? name : xstrdup("");
}

char *
certificate_text(X509 *certificate)
{
	char subject[256], issuer[256];

	X509_NAME_oneline(X509_get_subject_name(certificate), subject,
	    sizeof(subject));
	X509_NAME_oneline(X509_get_issuer_name(certificate), issuer,
	    sizeof(issuer));
	return xasprintf("certificate of \"%s\", signed by \"%s\"", subject,
	    issuer);
}

struct user *
user_of_certificate(X509 *certificate)
{
	const X509_NAME *subject = X509_get_subject_name(certificate);
	AUTOFREE char *name = certificate_name(certificate);
	struct groups groups = { 0 };
	int at = -1;

	if (name[0] == '\0')
		return NULL;
	while ((at = X509_NAME_get_index_by_NID(subject, NID_organizationName,
		    at)) >= 0) {
		AUTOFREE char *group =
		    entry_text(X509_NAME_get_entry(subject, at));

		if (group != NULL)
			add_group(&groups, group);
	}
	return new_authenticated(name, NULL, &groups, NULL);
}

/* ---- TokenReview ---- */

struct user *
user_of_review(const struct doc_node *node)
{
	const struct doc_node *extra = doc_get(node, "extra");
	const struct doc_node *names = doc_get(node, "groups");
	const char *name = NULL, *uid = NULL;
	struct text extra_text = { 0 };
	struct groups groups = { 0 };
	struct user *user;

	if (doc_get_string(node, "username", "username", &name, NULL) != 0 ||
	    doc_get_string(node, "uid", "uid", &uid, NULL) != 0 ||
	    name == NULL || name[0] == '\0')
		return NULL;
	if (names != NULL && names->kind == DOC_ARRAY)
		EACH_CHILD (group, names)
			if (group->kind == DOC_STRING)
				add_group(&groups, group->text);
	if (extra != NULL && extra->kind == DOC_OBJECT)
		json_put_node(&extra_text, extra);
	user = new_authenticated(name, uid, &groups, extra_text.bytes);
	text_fini(&extra_text);
	return user;
}

/* ---- the front proxy's headers ---- */

/* The first of these headers that is there and not empty. */
static const char *
first_header(const struct evkeyvalq *headers, const char *const *names)
{
	for (; *names != NULL; names++) {
		const char *value = evhttp_find_header(headers, *names);

		if (value != NULL && value[0] != '\0')
			return value;
	}
	return NULL;
}

/* The rest of the header after one of the prefixes, unescaped and in small
 * letters; you own it.  NULL: the header has none of the prefixes. */
static char *
extra_key(const char *header, const char *const *prefixes)
{
	for (; *prefixes != NULL; prefixes++) {
		size_t len = strlen(*prefixes);
		AUTOFREE char *small = NULL;

		if (strncasecmp(header, *prefixes, len) != 0)
			continue;
		small = xstrdup(header + len);
		for (char *s = small; *s != '\0'; s++)
			if (*s >= 'A' && *s <= 'Z')
				*s += 'a' - 'A';
		return evhttp_uridecode(small, 0, NULL);
	}
	return NULL;
}

static bool
same_key(const struct evkeyval *header, const char *key,
    const char *const *prefixes)
{
	AUTOFREE char *other = extra_key(header->key, prefixes);

	return other != NULL && strcmp(other, key) == 0;
}

/* "key":["value",…] with the values of all headers of this key. */
static void
put_extra(struct text *out, const struct evkeyval *first, const char *key,
    const char *const *prefixes)
{
	const char *separator = "[";

	text_put(out, out->len > 0 ? "," : "{");
	json_put_string(out, key);
	text_put(out, ":");
	for (const struct evkeyval *header = first; header != NULL;
	     header = TAILQ_NEXT(header, next)) {
		if (!same_key(header, key, prefixes))
			continue;
		text_put(out, separator);
		json_put_string(out, header->value);
		separator = ",";
	}
	text_put(out, "]");
}

static char *
extra_of_headers(const struct evkeyvalq *headers, const char *const *prefixes)
{
	const struct evkeyval *header;
	struct text extra = { 0 };

	TAILQ_FOREACH (header, headers, next) {
		AUTOFREE char *key = extra_key(header->key, prefixes);
		const struct evkeyval *first = TAILQ_FIRST(headers);

		while (key != NULL && !same_key(first, key, prefixes))
			first = TAILQ_NEXT(first, next);
		if (key != NULL && first == header)
			put_extra(&extra, header, key, prefixes);
	}
	if (extra.len == 0)
		return NULL;
	text_put(&extra, "}");
	return text_take(&extra);
}

static bool
is_one_of(const char *header, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcasecmp(header, *names) == 0)
			return true;
	return false;
}

struct user *
user_of_headers(const struct evkeyvalq *headers,
    const struct header_names *names)
{
	const char *name = first_header(headers, names->username);
	const struct evkeyval *header;
	AUTOFREE char *extra = NULL;
	struct groups groups = { 0 };

	if (name == NULL)
		return NULL;
	TAILQ_FOREACH (header, headers, next)
		if (is_one_of(header->key, names->group))
			add_group(&groups, header->value);
	extra = extra_of_headers(headers, names->extra_prefix);
	return new_authenticated(name, NULL, &groups, extra);
}
