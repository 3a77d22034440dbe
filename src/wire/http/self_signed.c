#include "config.h"

#include "wire/http/self_signed.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <arpa/inet.h>
#include <unistd.h>

#include "base/json_out.h"

#define YEAR_SECONDS (365L * 24 * 3600)
#define HOUR_SECONDS 3600L /* clocks of others may be late */

/* Leaves out addresses that stand for every address, and names with a special
 * meaning in OpenSSL's notation. */
static void
put_name(struct text *names, const char *name)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	bool is_address = inet_pton(AF_INET, name, bytes) == 1 ||
	    inet_pton(AF_INET6, name, bytes) == 1;

	if (name[0] == '\0' || strpbrk(name, ",=\\\"\n ") != NULL ||
	    strcmp(name, "0.0.0.0") == 0 || strcmp(name, "::") == 0)
		return;
	text_printf(names, "%s%s:%s", names->len > 0 ? "," : "",
	    is_address ? "IP" : "DNS", name);
}

/* "DNS:localhost,IP:127.0.0.1,…", you own it. */
static char *
alternative_names(const char *address)
{
	struct text names = { 0 };
	char host[256];

	put_name(&names, "localhost");
	put_name(&names, "127.0.0.1");
	put_name(&names, "::1");
	if (gethostname(host, sizeof(host)) == 0) {
		host[sizeof(host) - 1] = '\0';
		put_name(&names, host);
	}
	if (address != NULL)
		put_name(&names, address);
	return text_take(&names);
}

static bool
add_extension(X509 *certificate, int nid, const char *value)
{
	X509V3_CTX context;
	X509_EXTENSION *extension;
	bool added;

	X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
	X509V3_set_ctx_nodb(&context);
	extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
	added = extension != NULL && X509_add_ext(certificate, extension, -1);
	X509_EXTENSION_free(extension);
	return added;
}

/* 127 random bits: positive, and never the same for two of our certificates. */
static bool
set_serial(X509 *certificate)
{
	unsigned char bytes[16];
	BIGNUM *number;
	bool set;

	if (RAND_bytes(bytes, sizeof(bytes)) != 1)
		return false;
	bytes[0] &= 0x7f;
	number = BN_bin2bn(bytes, sizeof(bytes), NULL);
	set = number != NULL &&
	    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) !=
		NULL;
	BN_free(number);
	return set;
}

static bool
fill(X509 *certificate, EVP_PKEY *key, const char *names)
{
	X509_NAME *subject = X509_get_subject_name(certificate);

	return X509_set_version(certificate, X509_VERSION_3) &&
	    set_serial(certificate) &&
	    X509_gmtime_adj(X509_getm_notBefore(certificate), -HOUR_SECONDS) &&
	    X509_gmtime_adj(X509_getm_notAfter(certificate), YEAR_SECONDS) &&
	    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
		(const unsigned char *)"localhost", -1, -1, 0) &&
	    X509_set_issuer_name(certificate, subject) &&
	    X509_set_pubkey(certificate, key) &&
	    add_extension(certificate, NID_subject_alt_name, names) &&
	    add_extension(certificate, NID_basic_constraints,
		"critical,CA:FALSE") &&
	    add_extension(certificate, NID_key_usage,
		"critical,digitalSignature") &&
	    add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
	    X509_sign(certificate, key, EVP_sha256()) > 0;
}

int
self_signed_new(const char *address, X509 **certificate, EVP_PKEY **key,
    struct err *err)
{
	AUTOFREE char *names = alternative_names(address);
	EVP_PKEY *new_key = EVP_EC_gen("P-256");
	X509 *new_certificate = X509_new();
	char why[256];

	if (new_key != NULL && new_certificate != NULL &&
	    fill(new_certificate, new_key, names)) {
		*certificate = new_certificate;
		*key = new_key;
		return 0;
	}
	ERR_error_string_n(ERR_get_error(), why, sizeof(why));
	ERR_clear_error();
	X509_free(new_certificate);
	EVP_PKEY_free(new_key);
	return errf(err, "cannot make a self-signed certificate: %s", why);
}
