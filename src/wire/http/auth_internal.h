/* Shared by the files of authentication. */
#ifndef HTTP_AUTH_INTERNAL_H
#define HTTP_AUTH_INTERNAL_H

#include <openssl/x509.h>

#include "base/arena.h"

struct doc_node;
struct evkeyvalq;

/* auth_user.c */

struct user {
	char *name, *uid;
	char *groups; /* a JSON array */
	char *extra;  /* a JSON object */
	bool masters; /* is in system:masters */
	unsigned nrefs;
};

void user_unref(struct user *user);
struct user *user_ref(struct user *user);
struct user *user_anonymous(void);
/* CN and O of a certificate that is good; NULL: it has no CN. */
struct user *user_of_certificate(X509 *certificate);
/* A TokenReview's status.user; NULL: it has no name. */
struct user *user_of_review(const struct doc_node *node);

/* Of a front proxy: whose certificates it may have (none: any), and the names of
 * headers.  Lists end with NULL. */
struct header_names {
	const char *const *allowed;
	const char *const *username;
	const char *const *group;
	const char *const *extra_prefix;
};
/* NULL: the headers name no user. */
struct user *user_of_headers(const struct evkeyvalq *headers,
    const struct header_names *names);

/* "" if absent; you own it. */
char *certificate_name(X509 *certificate);
/* For log and answers: subject and issuer. */
char *certificate_text(X509 *certificate);

/* auth_trust.c */

/* All certificates in a PEM text; fails if it has none, or a broken one.
 * You own it (X509_STORE_free()). */
X509_STORE *trust_parse(const char *name, const char *pem, size_t len,
    struct err *err);
/* Whether trust vouches for the certificate as a client's, now. */
bool trust_holds(X509_STORE *trust, X509 *certificate, STACK_OF(X509) * chain,
    struct err *err);

/* The contents of kube-system/extension-apiserver-authentication. */
struct cluster_trust {
	X509_STORE *client_ca; /* NULL: none */
	X509_STORE *proxy_ca;  /* NULL: no front proxy */
	struct header_names proxy;
	struct arena arena; /* of the names */
};

void cluster_trust_free(struct cluster_trust *trust);
/* text: the ConfigMap as JSON. */
struct cluster_trust *cluster_trust_parse(const char *text, size_t len,
    struct err *err);

#endif
