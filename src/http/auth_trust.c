/* Certificate authorities, and verification against them. */
#include "config.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "http/auth_internal.h"

#define MAX_FILE_BYTES (4 << 20)

/* Any certificate that is trusted ends a chain, also one that another authority
 * has signed (as Go has it). */
static X509_STORE *
new_store(void)
{
	X509_STORE *store = X509_STORE_new();

	if (store == NULL)
		abort();
	X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
	return store;
}

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
	X509_STORE *store = new_store();
	BIO *bio = BIO_new_mem_buf(pem, (int)len);
	int n = bio != NULL ? add_all(store, bio) : -1;

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

X509_STORE *
trust_read(const char *path, struct err *err)
{
	AUTOFREE char *text = xmalloc(MAX_FILE_BYTES);
	FILE *file = fopen(path, "re");
	size_t len;

	if (file == NULL) {
		errf(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	len = fread(text, 1, MAX_FILE_BYTES, file);
	fclose(file);
	return trust_parse(path, text, len, err);
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
