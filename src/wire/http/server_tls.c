/*
 * The server's side of TLS: certificate, versions, ciphers.
 *
 * Sessions are not resumed: there are few connections and they live long, and
 * without tickets the client's certificates are there in every one of them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "wire/http/self_signed.h"
#include "wire/http/server_internal.h"

#define DEFAULT_CIPHERS "ECDHE+AESGCM:ECDHE+CHACHA20"
#define FILE_MAX ((size_t)1 << 20)
#define RENEW_SECONDS (30 * 24 * 3600) /* before it expires, if it is ours */
/* kube-scheduler's name for its files in --cert-dir. */
#define PAIR_NAME "kube-scheduler"

struct tls {
	const struct server_options *options;
	char *cert_file, *key_file; /* both NULL: self-signed, in memory */
	struct stat cert_seen, key_seen;
	SSL_CTX *context;
};

/* The first of OpenSSL's errors; forgets the others. */
static int
tls_errf(struct err *err, const char *what)
{
	unsigned long code = ERR_get_error();
	char why[256];

	ERR_error_string_n(code, why, sizeof(why));
	ERR_clear_error();
	return errf(err, "%s: %s", what, code != 0 ? why : "failed");
}

/* ---- options ---- */

/* -1: unknown. */
static int
min_version(const char *name, struct err *err)
{
	if (*name != '\0' &&
	    !text_is_choice("VersionTLS10|VersionTLS11|VersionTLS12|"
			    "VersionTLS13",
		name))
		return errf(err, "unknown tls version \"%s\"", name);
	/* The first two are known to kube-scheduler, and broken. */
	return strcmp(name, "VersionTLS13") == 0 ? TLS1_3_VERSION :
						   TLS1_2_VERSION;
}

/* OpenSSL's name for a suite, "" for those of TLS 1.3, NULL: unknown. */
static const char *
openssl_name(const char *suite)
{
	/* Go has two names without the hash. */
	static const char *const go_names[][2] = {
		{ "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
		    "ECDHE-RSA-CHACHA20-POLY1305" },
		{ "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
		    "ECDHE-ECDSA-CHACHA20-POLY1305" },
	};
	const char *name;

	for (size_t i = 0; i < LENGTH(go_names); i++)
		if (strcmp(suite, go_names[i][0]) == 0)
			return go_names[i][1];
	name = OPENSSL_cipher_name(suite);
	if (name == NULL || strcmp(name, "(NONE)") == 0)
		return NULL;
	return strstr(suite, "_WITH_") != NULL ? name : "";
}

static int
set_ciphers(SSL_CTX *context, const char *const *suites, struct err *err)
{
	struct text list = { 0 };
	int result = 0;

	if (suites == NULL || suites[0] == NULL)
		text_put(&list, DEFAULT_CIPHERS);
	for (; suites != NULL && *suites != NULL; suites++) {
		const char *name = openssl_name(*suites);

		if (name == NULL) {
			text_fini(&list);
			return errf(err,
			    "Cipher suite %s not supported or doesn't exist",
			    *suites);
		}
		if (name[0] != '\0') {
			text_put(&list, list.len > 0 ? ":" : "");
			text_put(&list, name);
		}
	}
	if (list.len == 0) /* nothing but suites of TLS 1.3 */
		SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
	else if (!SSL_CTX_set_cipher_list(context, list.bytes))
		result = tls_errf(err, list.bytes);
	text_fini(&list);
	return result;
}

/* ---- certificates ---- */

/* A key that is encrypted is an error, not a question on the terminal. */
static int
no_password(char *buf, int size, int writing, void *arg)
{
	return 0;
}

static BIO *
open_pem(const char *path, struct err *err)
{
	size_t len;
	AUTOFREE char *text = file_load(path, FILE_MAX, &len, NULL, err);
	BIO *bio = text != NULL ? BIO_new(BIO_s_mem()) : NULL;

	if (bio != NULL)
		BIO_write(bio, text, (int)len);
	return bio;
}

/* The server's certificate and those that vouch for it. */
static int
use_chain(SSL_CTX *context, const char *path, struct err *err)
{
	BIO *bio = open_pem(path, err);
	X509 *next;
	int result;

	if (bio == NULL)
		return -1;
	next = PEM_read_bio_X509_AUX(bio, NULL, no_password, NULL);
	result = SSL_CTX_use_certificate(context, next);
	X509_free(next);
	while (result == 1 &&
	    (next = PEM_read_bio_X509(bio, NULL, no_password, NULL)) != NULL)
		result = SSL_CTX_add0_chain_cert(context, next);
	if (result == 1 &&
	    ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
		result = 0;
	BIO_free(bio);
	if (result != 1)
		return tls_errf(err, path);
	ERR_clear_error();
	return 0;
}

static int
use_files(SSL_CTX *context, const char *cert_file, const char *key_file,
    struct err *err)
{
	EVP_PKEY *key;
	BIO *bio;
	bool good;

	if (use_chain(context, cert_file, err) != 0)
		return -1;
	bio = open_pem(key_file, err);
	if (bio == NULL)
		return -1;
	key = PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL);
	good = key != NULL && SSL_CTX_use_PrivateKey(context, key) == 1 &&
	    SSL_CTX_check_private_key(context) == 1;
	EVP_PKEY_free(key);
	BIO_free(bio);
	return good ? 0 : tls_errf(err, key_file);
}

static int
use_self_signed(SSL_CTX *context, const char *address, struct err *err)
{
	X509 *certificate;
	EVP_PKEY *key;
	int result = 0;

	if (self_signed_new(address, &certificate, &key, err) != 0)
		return -1;
	if (SSL_CTX_use_certificate(context, certificate) != 1 ||
	    SSL_CTX_use_PrivateKey(context, key) != 1)
		result = tls_errf(err, "self-signed certificate");
	X509_free(certificate);
	EVP_PKEY_free(key);
	return result;
}

/* Any client certificate is accepted here: auth.c verifies it. */
static int
accept_any_certificate(X509_STORE_CTX *context, void *arg)
{
	return 1;
}

static SSL_CTX *
new_context(const struct tls *tls, struct err *err)
{
	const struct server_options *options = tls->options;
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	int version;

	if (context == NULL) {
		tls_errf(err, "TLS");
		return NULL;
	}
	SSL_CTX_set_options(context,
	    SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
		SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_TICKET |
		SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_num_tickets(context, 0);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_cert_verify_callback(context, accept_any_certificate, NULL);
	version =
	    min_version(options->min_version != NULL ? options->min_version :
						       "",
		err);
	if (version < 0)
		goto fail;
	SSL_CTX_set_min_proto_version(context, version);
	if (set_ciphers(context, options->cipher_suites, err) != 0)
		goto fail;
	if ((tls->cert_file != NULL ?
		    use_files(context, tls->cert_file, tls->key_file, err) :
		    use_self_signed(context, options->bind_address, err)) != 0)
		goto fail;
	return context;
fail:
	SSL_CTX_free(context);
	return NULL;
}

/*
 * --cert-dir
 */

/* With all above it that are missing, as kube-scheduler does: /var/run is empty
 * after a boot. */
static int
make_folder(const char *path, struct err *err)
{
	AUTOFREE char *folder = xstrdup(path);
	char *end = folder;

	do {
		end += strspn(end, "/");
		end += strcspn(end, "/");
		char kept = *end;

		*end = '\0';
		if (mkdir(folder, 0755) != 0 && errno != EEXIST)
			return errf(err, "%s: %s", folder, strerror(errno));
		*end = kept;
	} while (*end != '\0');
	return 0;
}

static FILE *
create(const char *path, mode_t mode, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (file == NULL) {
		errf(err, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	return file;
}

static int
write_pair(const char *cert_file, const char *key_file, const char *address,
    struct err *err)
{
	X509 *certificate;
	EVP_PKEY *key;
	FILE *file;
	bool good;

	if (self_signed_new(address, &certificate, &key, err) != 0)
		return -1;
	errf(err, "cannot write %s", cert_file);
	file = create(key_file, 0600, err);
	good = file != NULL &&
	    PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1;
	good = file != NULL && fclose(file) == 0 && good;
	file = good ? create(cert_file, 0644, err) : NULL;
	good = file != NULL && PEM_write_X509(file, certificate) == 1;
	good = file != NULL && fclose(file) == 0 && good;
	X509_free(certificate);
	EVP_PKEY_free(key);
	return good ? 0 : -1;
}

/* Determines the files; makes them if they belong in --cert-dir and none of them
 * exists. */
static int
choose_files(struct tls *tls, bool write, struct err *err)
{
	const struct server_options *options = tls->options;
	bool cert = options->cert_file != NULL && options->cert_file[0] != '\0';
	bool key = options->key_file != NULL && options->key_file[0] != '\0';

	if (cert != key)
		return errf(err,
		    "--tls-cert-file and --tls-private-key-file "
		    "must be given together");
	if (cert) {
		tls->cert_file = xstrdup(options->cert_file);
		tls->key_file = xstrdup(options->key_file);
		return 0;
	}
	if (options->cert_dir == NULL || options->cert_dir[0] == '\0')
		return 0;
	tls->cert_file = xasprintf("%s/" PAIR_NAME ".crt", options->cert_dir);
	tls->key_file = xasprintf("%s/" PAIR_NAME ".key", options->cert_dir);
	if (access(tls->cert_file, F_OK) == 0 ||
	    access(tls->key_file, F_OK) == 0)
		return 0;
	if (!write) {
		xreplace(&tls->cert_file, NULL);
		xreplace(&tls->key_file, NULL);
		return 0;
	}
	if (make_folder(options->cert_dir, err) != 0 ||
	    write_pair(tls->cert_file, tls->key_file, options->bind_address,
		err) != 0)
		return -1;
	log_info("wrote a self-signed certificate to %s", tls->cert_file);
	return 0;
}

/* ---- changes ---- */

/* Notes the files' versions; a file that is gone for the moment counts as
 * unchanged. */
static bool
files_changed(struct tls *tls)
{
	struct stat cert, key;

	if (stat(tls->cert_file, &cert) != 0 || stat(tls->key_file, &key) != 0)
		return false;
	if (file_same(&cert, &tls->cert_seen) &&
	    file_same(&key, &tls->key_seen))
		return false;
	tls->cert_seen = cert;
	tls->key_seen = key;
	return true;
}

static bool
expires_soon(const SSL_CTX *context)
{
	const X509 *certificate = SSL_CTX_get0_certificate(context);
	time_t soon = time(NULL) + RENEW_SECONDS;

	return certificate != NULL &&
	    X509_cmp_time(X509_get0_notAfter(certificate), &soon) < 0;
}

void
tls_refresh(struct tls *tls)
{
	struct err err;
	SSL_CTX *context;

	if (tls == NULL)
		return;
	if (tls->cert_file != NULL ? !files_changed(tls) :
				     !expires_soon(tls->context))
		return;
	context = new_context(tls, &err);
	if (context == NULL) {
		log_error("cannot load the new server certificate, keeping "
			  "the previous one: %s",
		    err.text);
		return;
	}
	SSL_CTX_free(tls->context); /* connections keep theirs */
	tls->context = context;
	log_info("loaded a new server certificate from %s",
	    tls->cert_file != NULL ? tls->cert_file : "memory (self-signed)");
}

SSL *
tls_session(const struct tls *tls)
{
	SSL *ssl = SSL_new(tls->context);

	if (ssl == NULL) /* as with xmalloc() */
		abort();
	return ssl;
}

struct tls *
tls_new(const struct server_options *options, bool write, struct err *err)
{
	struct tls *tls = xcalloc(1, sizeof(*tls));

	tls->options = options;
	if (choose_files(tls, write, err) != 0)
		goto fail;
	/* First, so that a change in the middle is seen as one. */
	if (tls->cert_file != NULL)
		files_changed(tls);
	tls->context = new_context(tls, err);
	if (tls->context == NULL)
		goto fail;
	return tls;
fail:
	tls_free(tls);
	return NULL;
}

int
server_check_options(const struct server_options *options, struct err *err)
{
	struct tls *tls = tls_new(options, false, err);

	tls_free(tls);
	return tls != NULL ? 0 : -1;
}

void
tls_free(struct tls *tls)
{
	if (tls == NULL)
		return;
	SSL_CTX_free(tls->context);
	free(tls->cert_file);
	free(tls->key_file);
	free(tls);
}
