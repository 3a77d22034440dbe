/*
 * Our server alone, run by server.t: prints its port and serves until SIGTERM.
 *
 *	server [cert-file=F key-file=F | cert-dir=D] [min-version=V] [cipher=C]…
 *	    [address=A] [connections=N] [per-address=N] [handshake-ms=N]
 *	    [request-ms=N] [idle-ms=N] [unsent-mb=N]
 *	    [kubeconfig=F] [client-ca=F] [proxy-ca=F] [skip-lookup] [strict]
 *	    [check] [no-auth]
 *
 * The check "file" is good while the file named "good" is there.
 * /debug/explain gives back its pod, /configz 100 kB,
 * /debug/decisions 10 MB.  /debug/nodes is answered by a process of its own: how many
 * answers it has given; with ?end it ends instead, with ?wait it waits for the file
 * named "go".  SIGHUP reloads.
 */
#include "config.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "wire/http/auth.h"
#include "wire/http/server.h"
#include "wire/metrics/metrics.h"

#define MAX_CIPHERS 8

static struct {
	struct server_options server;
	struct auth_options auth;
	const char *ciphers[MAX_CIPHERS + 1];
	size_t nciphers;
	const char *kubeconfig;
	unsigned unsent_mb;
	bool check, no_auth;
} asked = {
	.auth = { .tolerate_lookup_failure = true,
	    .token_ttl_ms = 10000,
	    .authorized_ttl_ms = 10000,
	    .unauthorized_ttl_ms = 10000 },
};

static void
give_up(const struct err *err)
{
	printf("%s\n", err->text);
	exit(1);
}

/* The value behind "name="; NULL: it is another argument. */
static const char *
value_of(const char *argument, const char *name)
{
	size_t len = strlen(name);

	return strncmp(argument, name, len) == 0 && argument[len] == '=' ?
	    argument + len + 1 :
	    NULL;
}

static bool
read_text(const char *argument)
{
	const struct {
		const char *name, **text;
	} texts[] = {
		{ "cert-file", &asked.server.cert_file },
		{ "key-file", &asked.server.key_file },
		{ "cert-dir", &asked.server.cert_dir },
		{ "min-version", &asked.server.min_version },
		{ "address", &asked.server.bind_address },
		{ "kubeconfig", &asked.kubeconfig },
		{ "client-ca", &asked.auth.client_ca_file },
		{ "proxy-ca", &asked.auth.requestheader_client_ca_file },
	};

	for (size_t i = 0; i < LENGTH(texts); i++) {
		const char *value = value_of(argument, texts[i].name);

		if (value != NULL) {
			*texts[i].text = value;
			return true;
		}
	}
	return false;
}

static bool
read_number(const char *argument)
{
	const struct {
		const char *name;
		unsigned *number;
	} numbers[] = {
		{ "connections", &asked.server.max_connections },
		{ "per-address", &asked.server.max_per_address },
		{ "handshake-ms", &asked.server.handshake_ms },
		{ "request-ms", &asked.server.request_ms },
		{ "idle-ms", &asked.server.idle_ms },
		{ "unsent-mb", &asked.unsent_mb },
	};

	for (size_t i = 0; i < LENGTH(numbers); i++) {
		const char *value = value_of(argument, numbers[i].name);

		if (value != NULL) {
			*numbers[i].number = atoi(value);
			return true;
		}
	}
	return false;
}

static void
read_arguments(char **arguments)
{
	for (; *arguments != NULL; arguments++) {
		const char *argument = *arguments;
		const char *cipher = value_of(argument, "cipher");

		if (cipher != NULL && asked.nciphers < MAX_CIPHERS)
			asked.ciphers[asked.nciphers++] = cipher;
		else if (strcmp(argument, "skip-lookup") == 0)
			asked.auth.skip_lookup = true;
		else if (strcmp(argument, "strict") == 0)
			asked.auth.tolerate_lookup_failure = false;
		else if (strcmp(argument, "check") == 0)
			asked.check = true;
		else if (strcmp(argument, "no-auth") == 0)
			asked.no_auth = true;
		else if (!read_text(argument) && !read_number(argument))
			exit(2);
	}
	asked.server.cipher_suites = asked.ciphers;
	asked.server.max_unsent = (size_t)asked.unsent_mb << 20;
}

static int
is_good(void *arg, struct err *err)
{
	return access("good", F_OK) == 0 ? 0 : errf(err, "no file \"good\"");
}

static void
explain(void *arg, const struct query *query, struct reply *reply)
{
	const char *pod = query_get(query, "pod");

	if (pod == NULL) {
		reply_error(reply, 400, "pod is missing");
		return;
	}
	reply->content_type = SERVER_JSON;
	json_put(&reply->body, "{'pod':%s}", pod);
}

static void
big(void *arg, const struct query *query, struct reply *reply)
{
	for (int i = 0; i < 10000; i++)
		text_put(&reply->body, "123456789\n");
}

static void
huge(void *arg, const struct query *query, struct reply *reply)
{
	for (int i = 0; i < 1000000; i++)
		text_put(&reply->body, "123456789\n");
}

static void
on_failure(void *arg, const char *sentence)
{
	printf("%s\n", sentence);
	fflush(stdout);
	event_base_loopbreak(arg);
}

static struct api_client *
new_client(struct event_base *base)
{
	struct api_config *config;
	struct err err;

	if (asked.kubeconfig == NULL)
		return NULL;
	if (api_config_load(&(struct api_source){ .kubeconfig =
						      asked.kubeconfig },
		&config, &err) != 0)
		give_up(&err);
	return api_client_new(base, config, &(struct api_options){ 0 });
}

static void
apart(void *arg, const struct query *query, struct reply *reply)
{
	static int answers;

	if (query_get(query, "end") != NULL)
		_exit(1);
	while (query_get(query, "wait") != NULL && access("go", F_OK) != 0)
		usleep(10000);
	reply->content_type = SERVER_JSON;
	text_printf(&reply->body, "%d %s", ++answers,
	    getppid() == *(pid_t *)arg ? "apart" : "here");
}

static struct server *server;
static struct health *health;
static struct auth *auth;

static void
on_hup(evutil_socket_t number, short what, void *arg)
{
	server_reload(server);
	if (auth != NULL)
		auth_reload(auth);
}

static void
on_term(evutil_socket_t number, short what, void *arg)
{
	event_base_loopbreak(arg);
}

static void
set_up(struct event_base *base, struct api_client *client,
    struct metrics *metrics)
{
	static pid_t self;
	struct err err;

	self = getpid();
	health = health_new();
	health_add(health, "file", SERVER_READYZ | SERVER_HEALTHZ, is_good,
	    NULL);
	asked.server.health = health;
	server = server_new(base, &asked.server, &err);
	if (server == NULL)
		give_up(&err);
	asked.auth.authentication = asked.auth.authorization = client;
	asked.auth.on_failure = on_failure;
	asked.auth.arg = base;
	if (!asked.no_auth) {
		auth = auth_new(base, &asked.auth, &err);
		if (auth == NULL)
			give_up(&err);
		server_set_auth(server, auth);
	}
	server_set_metrics(server, metrics);
	server_handle(server, "/debug/explain", SERVER_AT_ONCE, explain, NULL);
	server_handle(server, "/configz", SERVER_AT_ONCE, big, NULL);
	server_handle(server, "/debug/decisions", SERVER_AT_ONCE, huge, NULL);
	server_handle(server, "/debug/status", SERVER_AT_ONCE, big, NULL);
	server_handle(server, "/debug/nodes", SERVER_APART, apart, &self);
}

int
main(int argc, char **argv)
{
	struct event_base *base = event_base_new();
	struct event *hup = evsignal_new(base, SIGHUP, on_hup, NULL);
	struct event *term = evsignal_new(base, SIGTERM, on_term, base);
	struct metrics *metrics = metrics_new();
	struct api_client *client;
	struct err err;

	read_arguments(argv + 1);
	log_init(LOG_FORMAT_TEXT, 4);
	if (asked.check) {
		if (server_check_options(&asked.server, &err) != 0)
			give_up(&err);
		return 0;
	}
	signal(SIGPIPE, SIG_IGN);
	event_add(hup, NULL);
	event_add(term, NULL);
	metrics_add_process(metrics);
	client = new_client(base);
	set_up(base, client, metrics);
	printf("%d\n", server_port(server));
	fflush(stdout);
	event_base_dispatch(base);

	server_free(server);
	health_free(health);
	auth_free(auth);
	api_client_free(client);
	metrics_free(metrics);
	event_free(hup);
	event_free(term);
	event_base_free(base);
	return 0;
}
