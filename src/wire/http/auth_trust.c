/*
 * Certificate authorities, verification against them, and those of the cluster
 * for clients: the ConfigMap kube-system/extension-apiserver-authentication, which
 * kube-apiserver writes.  Certificates are PEM; lists are JSON arrays of strings.
 */
#include "config.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "base/doc.h"
#include "wire/http/auth_internal.h"

/* How many came in, or -1. */
static int
add_all(X509_STORE *store, BIO *pem)
{
	X509 *certificate;
	unsigned long code;
	int n = 0;

	while (
	    (certificate = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
		n += X509_STORE_add_cert(store, certificate) == 1;
		X509_free(certificate);
	}
	code = ERR_peek_last_error();
	ERR_clear_error();
	/* This is how the end of the text looks. */
	return ERR_GET_REASON(code) == PEM_R_NO_START_LINE ? n : -1;
}

X509_STORE *
trust_parse(const char *name, const char *pem, size_t len, struct err *err)
{
	X509_STORE *store = X509_STORE_new();
	BIO *bio = BIO_new_mem_buf(pem, (int)len);
	int n;

	if (store == NULL)
		abort();
	/* Any certificate that is trusted ends a chain, also one that another
	 * authority has signed (as Go has it). */
	X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
	n = bio != NULL ? add_all(store, bio) : -1;
	BIO_free(bio);
	if (n > 0)
		return store;
	X509_STORE_free(store);
	errf(err,
	    n == 0 ? "%s holds no certificate" :
		     "%s holds a certificate that cannot be parsed",
	    name);
	return NULL;
}

bool
trust_holds(X509_STORE *trust, X509 *certificate, STACK_OF(X509) * chain,
    struct err *err)
{
	X509_STORE_CTX *context = X509_STORE_CTX_new();
	bool holds = false;

	if (context == NULL ||
	    X509_STORE_CTX_init(context, trust, certificate, chain) != 1 ||
	    X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_CLIENT) != 1) {
		errf(err, "the certificate cannot be verified");
	} else {
		holds = X509_verify_cert(context) == 1;
		if (!holds)
			errf(err, "%s",
			    X509_verify_cert_error_string(
				X509_STORE_CTX_get_error(context)));
	}
	X509_STORE_CTX_free(context);
	ERR_clear_error();
	return holds;
}

/* ---- those of the cluster ---- */

#define MAP_NAME "extension-apiserver-authentication"

static const struct doc_limits limits = {
	.bytes = 4 << 20,
	.depth = 20,
	.values = 10000,
};

void
cluster_trust_free(struct cluster_trust *trust)
{
	if (trust == NULL)
		return;
	X509_STORE_free(trust->client_ca);
	X509_STORE_free(trust->proxy_ca);
	arena_fini(&trust->arena);
	free(trust);
}

/* Absent is NULL. */
static int
parse_store(const struct doc_node *data, const char *key, X509_STORE **out,
    struct err *err)
{
	const char *pem = NULL;

	if (doc_get_string(data, key, key, &pem, err) != 0)
		return -1;
	if (pem == NULL || pem[0] == '\0')
		return 0;
	*out = trust_parse(key, pem, strlen(pem), err);
	return *out != NULL ? 0 : -1;
}

/* Absent is an empty list. */
static int
parse_list(const struct doc_node *data, const char *key, struct arena *arena,
    const char *const **out, struct err *err)
{
	const char *text = "[]";
	struct doc *doc;
	int result = 0;

	if (doc_get_string(data, key, key, &text, err) != 0)
		return -1;
	doc = doc_parse(key, text, strlen(text), &limits, err);
	if (doc == NULL)
		return -1;
	if (doc_root(doc)->kind == DOC_ARRAY) {
		/* The strings of an array; other elements are left out. */
		const struct doc_node *array = doc_root(doc);
		const char **list =
		    arena_array(arena, const char *, array->count + 1);
		size_t n = 0;

		EACH_CHILD (node, array)
			if (node->kind == DOC_STRING && node->len > 0)
				list[n++] = arena_strndup(arena, node->text,
				    strlen(node->text));
		*out = list;
	} else
		result = errf(err, "%s is not a JSON array", key);
	doc_free(doc);
	return result;
}

struct cluster_trust *
cluster_trust_parse(const char *text, size_t len, struct err *err)
{
	struct doc *doc = doc_parse(MAP_NAME, text, len, &limits, err);
	const struct doc_node *data;
	struct cluster_trust *trust;
	struct header_names *proxy;
	struct arena *arena;

	if (doc == NULL)
		return NULL;
	data = doc_get(doc_root(doc), "data");
	trust = xcalloc(1, sizeof(*trust));
	proxy = &trust->proxy;
	arena = &trust->arena;
	if (parse_store(data, "client-ca-file", &trust->client_ca, err) != 0 ||
	    parse_store(data, "requestheader-client-ca-file", &trust->proxy_ca,
		err) != 0 ||
	    parse_list(data, "requestheader-allowed-names", arena,
		&proxy->allowed, err) != 0 ||
	    parse_list(data, "requestheader-username-headers", arena,
		&proxy->username, err) != 0 ||
	    parse_list(data, "requestheader-group-headers", arena,
		&proxy->group, err) != 0 ||
	    parse_list(data, "requestheader-extra-headers-prefix", arena,
		&proxy->extra_prefix, err) != 0) {
		cluster_trust_free(trust);
		trust = NULL;
	}
	doc_free(doc);
	return trust;
}
