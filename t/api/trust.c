/*
 * Whom a client trusts: with an authority of its own, no server that only the
 * system's folder of authorities vouches for gets to see a request.
 *
 * The system's folder is a folder of the test: curl_easy_init() and
 * curl_easy_reset() are defined here, so that each handle begins as one of a
 * libcurl that was built with that folder.
 */
#include "config.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "wire/http/self_signed.h"
#include "daemon/extender/extenders_internal.h"
#include "t/lib/t.h"

static char folder[] = "/tmp/trust.XXXXXX";

static CURL *
with_folder(CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
	curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
	curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, NULL);
	curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, folder);
	return easy;
}

CURL *
curl_easy_init(void)
{
	CURL *(*real)(void);

	*(void **)&real = dlsym(RTLD_NEXT, "curl_easy_init");
	return with_folder(real());
}

void
curl_easy_reset(CURL *easy)
{
	void (*real)(CURL *);

	*(void **)&real = dlsym(RTLD_NEXT, "curl_easy_reset");
	real(easy);
	with_folder(easy);
}

/*
 * The server, whose certificate is the only one in the folder
 */

static struct event_base *base;
static struct evhttp *http;
static SSL_CTX *context;
static int port;
static char *its_authority, *other_authority; /* PEM */
static size_t requests;
static char *authorization; /* of the last request */

static void
on_request(struct evhttp_request *request, void *arg)
{
	const char *header =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Authorization");

	requests++;
	free(authorization);
	authorization = header != NULL ? xstrdup(header) : NULL;
	evhttp_send_reply(request, 200, NULL, NULL);
}

static struct bufferevent *
new_connection(struct event_base *event_base, void *arg)
{
	return bufferevent_openssl_socket_new(event_base, -1, SSL_new(context),
	    BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}

static char *
pem_of(X509 *certificate)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *bytes, *pem;
	long len;

	PEM_write_bio_X509(bio, certificate);
	len = BIO_get_mem_data(bio, &bytes);
	pem = xasprintf("%.*s", (int)len, bytes);
	BIO_free(bio);
	return pem;
}

static char *
name_in_folder(X509 *certificate)
{
	return xasprintf("%s/%08lx.0", folder,
	    X509_subject_name_hash(certificate));
}

/* Of another name: of two that are called the same, OpenSSL tries but one. */
static char *
new_authority(const char *name)
{
	X509 *certificate = X509_new();
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509_NAME *subject = X509_get_subject_name(certificate);
	char *pem;

	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
	    (const unsigned char *)name, -1, -1, 0);
	X509_set_issuer_name(certificate, subject);
	X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
	X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
	X509_set_pubkey(certificate, key);
	X509_sign(certificate, key, EVP_sha256());
	pem = pem_of(certificate);
	X509_free(certificate);
	EVP_PKEY_free(key);
	return pem;
}

static char *in_folder;

static void
make_authorities(void)
{
	X509 *certificate;
	EVP_PKEY *key;
	FILE *file;

	if (mkdtemp(folder) == NULL ||
	    self_signed_new(NULL, &certificate, &key, NULL) != 0)
		abort();
	its_authority = pem_of(certificate);
	other_authority = new_authority("another");
	in_folder = name_in_folder(certificate);
	file = fopen(in_folder, "w");
	fputs(its_authority, file);
	fclose(file);
	context = SSL_CTX_new(TLS_server_method());
	SSL_CTX_use_certificate(context, certificate);
	SSL_CTX_use_PrivateKey(context, key);
	X509_free(certificate);
	EVP_PKEY_free(key);
}

static void
start(void)
{
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	make_authorities();
	base = event_base_new();
	http = evhttp_new(base);
	evhttp_set_bevcb(http, new_connection, NULL);
	evhttp_set_gencb(http, on_request, NULL);
	evhttp_set_allowed_methods(http,
	    EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_CONNECT);
	bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
	getsockname(evhttp_bound_socket_get_fd(bound),
	    (struct sockaddr *)&address, &len);
	port = ntohs(address.sin_port);
}

static void
stop(void)
{
	evhttp_free(http);
	event_base_free(base);
	SSL_CTX_free(context);
	unlink(in_folder);
	rmdir(folder);
	free(in_folder);
	free(its_authority);
	free(other_authority);
	free(authorization);
	authorization = NULL;
}

/*
 * Clients
 */

static int status;
static char error[256];

static void
on_done(void *arg, const struct api_response *response)
{
	status = response->status;
	snprintf(error, sizeof(error), "%s",
	    response->error != NULL ? response->error : "");
	event_base_loopbreak(base);
}

struct case_ {
	const char *name;
	const char *server, *proxy; /* %d: the port */
	bool insecure;
	char **ca;
	size_t want; /* requests that the server may see */
};

static const char *
fill_in(struct api_config *config, const char *url)
{
	return url != NULL && strstr(url, "%d") != NULL ?
	    arena_printf(&config->arena, "%.*s%d", (int)(strlen(url) - 2), url,
		port) :
	    url;
}

static void
ask(const struct case_ *c)
{
	struct api_config *config = xcalloc(1, sizeof(*config));
	struct api_client *client;

	config->source = "test";
	config->server = fill_in(config, c->server);
	config->proxy_url = fill_in(config, c->proxy);
	config->insecure = c->insecure;
	config->ca.data = c->ca != NULL ? *c->ca : NULL;
	config->token = "secret";
	client = api_client_new(base, config, &(struct api_options){ 0 });
	requests = 0;
	free(authorization);
	authorization = NULL;
	/* Twice: the second handle may be a used one. */
	for (int i = 0; i < 2; i++) {
		api_send(client,
		    &(struct api_request){ .lane = API_REST,
			.path = "/version",
			.timeout_ms = 5000,
			.on_done = on_done });
		event_base_dispatch(base);
	}
	t_int(c->name, requests, 2 * c->want);
	if (c->want == 0)
		t_str(c->name, authorization, NULL);
	if (c->want == 0)
		t_has(c->name, error, "certificate");
	api_client_free(client);
}

static void
only_the_authority_given_is_trusted(void)
{
	const struct case_ cases[] = {
		{ "none: the system's", "https://127.0.0.1:%d", NULL, false,
		    NULL, 1 },
		{ "its own", "https://127.0.0.1:%d", NULL, false,
		    &its_authority, 1 },
		{ "another", "https://127.0.0.1:%d", NULL, false,
		    &other_authority, 0 },
		{ "unverified", "https://127.0.0.1:%d", NULL, true, NULL, 1 },
		{ "a proxy, none", "http://api.invalid", "https://127.0.0.1:%d",
		    false, NULL, 1 },
		{ "a proxy, its own", "http://api.invalid",
		    "https://127.0.0.1:%d", false, &its_authority, 1 },
		{ "a proxy, another", "http://api.invalid",
		    "https://127.0.0.1:%d", false, &other_authority, 0 },
	};

	start();
	for (size_t i = 0; i < LENGTH(cases); i++)
		ask(&cases[i]);
	stop();
}

static char failure[256];

static void
on_answer(void *arg, const struct doc_node *answer, const char *why)
{
	snprintf(failure, sizeof(failure), "%s", why != NULL ? why : "");
	event_base_loopbreak(base);
}

static size_t
requests_to_extender(const char *ca)
{
	AUTOFREE char *url = xasprintf("https://127.0.0.1:%d", port);
	const struct extender config = { .url_prefix = url,
		.timeout_ns = INT64_C(5000000000),
		.tls.ca_data = ca };
	struct one_extender extender;

	requests = 0;
	one_extender_init(&extender, base, NULL, &config);
	extender_post(&extender, "filter", "{}", on_answer, NULL);
	event_base_dispatch(base);
	one_extender_fini(&extender);
	return requests;
}

static void
extenders_are_held_to_theirs(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	start();
	t_int("its own", requests_to_extender(its_authority), 1);
	t_int("another", requests_to_extender(other_authority), 0);
	t_has("another", failure, "certificate");
	stop();
}

/* Before OpenSSL reads its configuration. */
__attribute__((constructor)) static void
allow_old_versions(void)
{
	setenv("OPENSSL_CONF", t_path("t/data/old_tls.cnf"), 1);
}

static void
old_versions_are_refused(void)
{
	static const struct {
		const char *name;
		int version;
		size_t want;
	} rows[] = {
		{ "TLS 1.1", TLS1_1_VERSION, 0 },
		{ "TLS 1.2", TLS1_2_VERSION, 1 },
	};

	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	start();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		SSL_CTX_set_min_proto_version(context, rows[i].version);
		SSL_CTX_set_max_proto_version(context, rows[i].version);
		t_int(rows[i].name, requests_to_extender(its_authority),
		    rows[i].want);
	}
	stop();
}

static void
risks_are_named(void)
{
	static const struct {
		const char *name;
		struct api_config config;
		const char *want;
	} rows[] = {
		{ "verified", { .server = "https://a", .token = "t" }, NULL },
		{ "unverified", { .server = "https://a", .insecure = true },
		    "k: insecure-skip-tls-verify: the certificate of "
		    "https://a is not verified, so any server that takes its "
		    "place receives the credentials" },
		{ "a token in the open", { .server = "http://a", .token = "t" },
		    "k: credentials are sent to http://a over plain HTTP, "
		    "where anyone on the network can read them" },
		{ "a token file", { .server = "http://a", .token_file = "t" },
		    "k: credentials are sent to http://a over plain HTTP, "
		    "where anyone on the network can read them" },
		{ "a password", { .server = "http://a", .password = "t" },
		    "k: credentials are sent to http://a over plain HTTP, "
		    "where anyone on the network can read them" },
		{ "nothing to read", { .server = "http://a" }, NULL },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct api_config config = rows[i].config;
		AUTOFREE char *risk = NULL;

		config.source = "k";
		risk = api_config_risk(&config);
		t_str(rows[i].name, risk, rows[i].want);
	}
}

T_MAIN(T(only_the_authority_given_is_trusted), T(extenders_are_held_to_theirs),
    T(old_versions_are_refused), T(risks_are_named))
