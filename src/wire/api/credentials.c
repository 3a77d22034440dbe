#include "config.h"

#include "wire/api/credentials.h"

#include <event2/event.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <time.h>

#include "base/base64.h"
#include "base/clock.h"
#include "wire/api/exec_plugin.h"
#include "wire/api/kubeconfig.h"
#include "base/file.h"
#include "base/text.h"

#define FILE_MAX (((size_t)1 << 20) - 1)
#define LOOK_MS 1000
#define EXEC_TIMEOUT_MS 60000
/* Run again this long before its credential expires. */
#define EXEC_EARLY_SECONDS 10

/* A text that may come from a file. */
struct watched {
	const char *path; /* NULL: not from a file */
	char *text;       /* NULL: nothing yet */
	struct stat seen;
};

struct credentials {
	struct event_base *base;
	const struct api_config *config;
	void (*on_change)(void *arg);
	void *arg;
	int64_t looked; /* clock_ms() of the last check of files; 0: never */
	unsigned generation;
	char *authorization;
	struct watched ca, certificate, key, token;
	/* The pair in use: both parts belong to each other. */
	char *pair_certificate, *pair_key;
	struct exec_run *run;
	struct exec_credential exec;
	bool have_exec;
	int64_t exec_retry; /* clock_ms() until which a failure is kept */
	unsigned exec_failures;
	bool exec_renewed; /* since the last rejection */
	struct err problem;
};

/* ---- files ---- */

/* Reads it if it changed.  Whether the text is another one now. */
static bool
look(struct watched *watched, struct err *err)
{
	struct stat now;
	size_t len;
	char *text;
	bool changed;

	if (watched->path == NULL)
		return false;
	if (watched->text != NULL &&
	    (stat(watched->path, &now) != 0 || file_same(&now, &watched->seen)))
		return false;
	text = file_load(watched->path, FILE_MAX, &len, &now, err);
	if (text == NULL)
		return false;
	if (len == 0) {
		errf(err, "%s: the file is empty", watched->path);
		free(text);
		return false;
	}
	changed = watched->text == NULL || strcmp(watched->text, text) != 0;
	free(watched->text);
	watched->text = text;
	watched->seen = now;
	return changed;
}

static void
watch(struct watched *watched, const struct api_secret *secret)
{
	if (secret->data != NULL)
		watched->text = xstrdup(secret->data);
	else
		watched->path = secret->file;
}

/* ---- certificates ---- */

static int
no_password(char *buffer, int size, int writing, void *arg)
{
	return 0;
}

static int
check_pair(const char *certificate, const char *key, struct err *err)
{
	BIO *certificate_bio = BIO_new_mem_buf(certificate, -1);
	BIO *key_bio = BIO_new_mem_buf(key, -1);
	X509 *x509 =
	    PEM_read_bio_X509(certificate_bio, NULL, no_password, NULL);
	EVP_PKEY *pkey =
	    PEM_read_bio_PrivateKey(key_bio, NULL, no_password, NULL);
	int result = 0;

	if (x509 == NULL)
		result = errf(err, "the client certificate is not PEM");
	else if (pkey == NULL)
		result = errf(err, "the client key is not unencrypted PEM");
	else if (X509_check_private_key(x509, pkey) != 1)
		result = errf(err,
		    "the client key does not belong to the certificate");
	X509_free(x509);
	EVP_PKEY_free(pkey);
	BIO_free(certificate_bio);
	BIO_free(key_bio);
	ERR_clear_error();
	return result;
}

static void
take_pair(struct credentials *credentials, const char *certificate,
    const char *key, struct err *err)
{
	if (certificate == NULL || key == NULL ||
	    (text_same(certificate, credentials->pair_certificate) &&
		text_same(key, credentials->pair_key)) ||
	    check_pair(certificate, key, err) != 0)
		return;
	xreplace(&credentials->pair_certificate, certificate);
	xreplace(&credentials->pair_key, key);
	credentials->generation++;
}

/* ---- authorization ---- */

static void
authorize(struct credentials *credentials)
{
	const struct api_config *config = credentials->config;
	const char *token = credentials->token.text;
	char AUTOFREE *plain = NULL, *encoded = NULL;
	size_t len;

	xreplace(&credentials->authorization, NULL);
	if (token == NULL && config->username == NULL)
		token = credentials->exec.token;
	if (token != NULL) {
		/* Files end in a newline. */
		len = strcspn(token, "\r\n");
		credentials->authorization =
		    xasprintf("Bearer %.*s", (int)len, token);
	} else if (config->username != NULL) {
		plain = xasprintf("%s:%s", config->username,
		    config->password != NULL ? config->password : "");
		encoded = base64_encode(plain, strlen(plain));
		credentials->authorization = xasprintf("Basic %s", encoded);
	}
}

static void
on_exec_done(void *arg, struct exec_credential *credential, const char *error)
{
	struct credentials *credentials = arg;

	credentials->run = NULL;
	if (credential != NULL) {
		exec_credential_fini(&credentials->exec);
		credentials->exec = *credential;
		credentials->have_exec = true;
		credentials->exec_failures = 0;
		credentials->exec_renewed = true;
		credentials->problem.text[0] = '\0';
		take_pair(credentials, credential->certificate, credential->key,
		    &credentials->problem);
		authorize(credentials);
	} else {
		errf(&credentials->problem, "%s", error);
		credentials->exec_retry = clock_ms() +
		    backoff_ms(++credentials->exec_failures, 1000, 60000);
	}
	credentials->on_change(credentials->arg);
}

static enum credentials_state
check_exec(struct credentials *credentials, struct err *err)
{
	int64_t expires = credentials->exec.expires, now = time(NULL);
	bool usable = credentials->have_exec && (expires == 0 || now < expires);

	if (usable && (expires == 0 || now < expires - EXEC_EARLY_SECONDS))
		return CREDENTIALS_READY;
	if (credentials->run == NULL && clock_ms() >= credentials->exec_retry)
		credentials->run =
		    exec_start(credentials->base, credentials->config,
			EXEC_TIMEOUT_MS, on_exec_done, credentials);
	if (usable)
		return CREDENTIALS_READY;
	if (credentials->run != NULL)
		return CREDENTIALS_PENDING;
	errf(err, "%s", credentials->problem.text);
	return CREDENTIALS_FAILED;
}

/* ---- the whole ---- */

struct credentials *
credentials_new(struct event_base *base, const struct api_config *config,
    void (*on_change)(void *arg), void *arg)
{
	struct credentials *credentials = xcalloc(1, sizeof(*credentials));

	credentials->base = base;
	credentials->config = config;
	credentials->on_change = on_change;
	credentials->arg = arg;
	watch(&credentials->ca, &config->ca);
	watch(&credentials->certificate, &config->certificate);
	watch(&credentials->key, &config->key);
	credentials->token.path = config->token_file;
	if (config->token != NULL)
		credentials->token.text = xstrdup(config->token);
	return credentials;
}

void
credentials_free(struct credentials *credentials)
{
	if (credentials == NULL)
		return;
	exec_cancel(credentials->run);
	exec_credential_fini(&credentials->exec);
	free(credentials->ca.text);
	free(credentials->certificate.text);
	free(credentials->key.text);
	free(credentials->token.text);
	free(credentials->authorization);
	free(credentials->pair_certificate);
	free(credentials->pair_key);
	free(credentials);
}

static void
look_at_files(struct credentials *credentials, struct err *err)
{
	bool certificate, key;

	if (look(&credentials->ca, err))
		credentials->generation++;
	certificate = look(&credentials->certificate, err);
	key = look(&credentials->key, err);
	if (certificate || key || credentials->pair_certificate == NULL)
		take_pair(credentials, credentials->certificate.text,
		    credentials->key.text, err);
	look(&credentials->token, err);
	authorize(credentials);
}

static bool
lacks(const struct watched *watched)
{
	return watched->path != NULL && watched->text == NULL;
}

static bool
incomplete(const struct credentials *credentials)
{
	bool wants_pair = credentials->certificate.path != NULL ||
	    credentials->certificate.text != NULL;

	return lacks(&credentials->ca) || lacks(&credentials->token) ||
	    (wants_pair && credentials->pair_certificate == NULL);
}

static int
check_authority(const char *pem, const char *name, struct err *err)
{
	BIO *bio = BIO_new_mem_buf(pem, -1);
	X509 *x509 = PEM_read_bio_X509(bio, NULL, no_password, NULL);
	int result = x509 != NULL ?
	    0 :
	    errf(err, "%s holds no certificate",
		name != NULL ? name : "certificate-authority-data");

	X509_free(x509);
	BIO_free(bio);
	ERR_clear_error();
	return result;
}

int
credentials_validate(const struct api_config *config, struct err *err)
{
	struct credentials *credentials =
	    credentials_new(NULL, config, NULL, NULL);
	int result = 0;

	look_at_files(credentials, err);
	if (incomplete(credentials))
		result = -1;
	else if (credentials->ca.text != NULL)
		result = check_authority(credentials->ca.text,
		    credentials->ca.path, err);
	credentials_free(credentials);
	return result;
}

enum credentials_state
credentials_check(struct credentials *credentials, struct err *err)
{
	struct err problem = { "" };
	int64_t now = clock_ms();

	if (credentials->looked == 0 || now - credentials->looked >= LOOK_MS) {
		look_at_files(credentials, &problem);
		credentials->looked = now;
		if (problem.text[0] != '\0')
			credentials->problem = problem;
	}
	if (incomplete(credentials)) {
		errf(err, "%s", credentials->problem.text);
		return CREDENTIALS_FAILED;
	}
	if (credentials->config->exec != NULL)
		return check_exec(credentials, err);
	return CREDENTIALS_READY;
}

const char *
credentials_authorization(const struct credentials *credentials)
{
	return credentials->authorization;
}

unsigned
credentials_generation(const struct credentials *credentials)
{
	return credentials->generation;
}

struct credentials_tls
credentials_tls(const struct credentials *credentials)
{
	return (struct credentials_tls){
		.ca = credentials->ca.text,
		.certificate = credentials->pair_certificate,
		.key = credentials->pair_key,
	};
}

bool
credentials_rejected(struct credentials *credentials)
{
	char AUTOFREE *before = NULL;
	unsigned generation = credentials->generation;

	if (credentials->config->exec != NULL) {
		/* One renewal per rejection, so that a program whose credential
		 * the server rejects does not run in a loop. */
		if (!credentials->exec_renewed && credentials->run == NULL)
			return false;
		credentials->exec_renewed = false;
		credentials->have_exec = false;
		return true;
	}
	if (credentials->authorization != NULL)
		before = xstrdup(credentials->authorization);
	look_at_files(credentials, NULL);
	return generation != credentials->generation ||
	    !text_same(before, credentials->authorization);
}
