#include "config.h"

#include "daemon/endpoints.h"

#include <stdio.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/log.h"
#include "daemon/debug_pages.h"
#include "daemon/gauges.h"
#include "daemon/scheduler/scheduler.h"
#include "wire/http/auth.h"
#include "wire/http/server.h"
#include "wire/metrics/metrics.h"
#include "options/options.h"

struct endpoints {
	struct endpoints_options options;
	struct api_client *authentication, *authorization;
	struct auth *auth;
	struct server *server;
	struct health *health;
	struct server *plain[LENGTH(((struct daemon_options *)NULL)->plain)];
};

/* ---- pages ---- */

static void
show_configz(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;

	reply->content_type = SERVER_JSON;
	text_put(&reply->body, "{\"componentconfig\":");
	daemon_options_write_json(e->options.options, &reply->body);
	text_put(&reply->body, ",\"policy\":");
	e->options.show_policy(e->options.arg, &reply->body);
	text_put(&reply->body, "}\n");
}

static void
show_explain(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;
	const char *pod = query_get(query, "pod");
	char *bytes = NULL;
	size_t len = 0;
	FILE *out;
	bool found;

	if (pod == NULL) {
		reply_error(reply, 400,
		    "missing query parameter: "
		    "pod=NAMESPACE/NAME");
		return;
	}
	out = open_memstream(&bytes, &len);
	found = scheduler_explain(e->options.scheduler, pod, out);
	fclose(out);
	reply->content_type = SERVER_JSON;
	if (found)
		text_append(&reply->body, bytes, len);
	else
		reply_error(reply, 404, "pod \"%s\" is not pending", pod);
	free(bytes);
}

static void
show_status(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;
	const struct endpoints_options *o = &e->options;
	struct text policy = { 0 };

	o->show_policy(o->arg, &policy);
	debug_status(o->scheduler,
	    &(struct debug_status){ .leads = o->is_leader(o->arg),
		.elects = o->options->leader_elect,
		.release = o->release(o->arg),
		.show_problems = o->show_problems,
		.arg = o->arg,
		.policy = policy.bytes },
	    reply);
	text_fini(&policy);
}

/* Only the leader's: that each pod is shown once. */
static void
show_resources(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;

	reply->content_type = METRICS_CONTENT_TYPE;
	if (e->options.is_leader(e->options.arg))
		pod_resources_write(e->options.scheduler, &reply->body);
}

/* All that are served, sorted. */
static const struct page {
	const char *path;
	/* NULL: the server itself has it. */
	void (*show)(void *arg, const struct query *query, struct reply *reply);
	enum server_pace pace;
	bool of_scheduler; /* which it gets */
} pages[] = {
	{ "/configz", show_configz, SERVER_AT_ONCE, false },
	{ "/debug/decisions", debug_decisions, SERVER_PACED, true },
	{ "/debug/explain", show_explain, SERVER_APART, false },
	{ "/debug/queue", debug_queue, SERVER_PACED, true },
	{ "/debug/status", show_status, SERVER_PACED, false },
	{ "/healthz", NULL, SERVER_AT_ONCE, false },
	{ "/livez", NULL, SERVER_AT_ONCE, false },
	{ "/metrics/resources", show_resources, SERVER_AT_ONCE, false },
	{ "/readyz", NULL, SERVER_AT_ONCE, false },
	{ "/version", NULL, SERVER_AT_ONCE, false },
};

/* ---- access ---- */

/* Without a kubeconfig: as our pod's service account.  NULL without an error
 * when we are in no pod either. */
static int
open_client(struct event_base *base, const char *kubeconfig,
    struct api_client **out, struct err *err)
{
	AUTOFREE char *risk = NULL;
	struct api_config *config;

	if (kubeconfig[0] == '\0')
		config = api_config_in_cluster("");
	else if (api_config_load(&(struct api_source){ .kubeconfig =
							   kubeconfig },
		     &config, err) != 0)
		return -1;
	if (config == NULL)
		return 0;
	risk = api_config_risk(config);
	if (risk != NULL)
		log_warning("%s", risk);
	*out = api_client_new(base, config, &(struct api_options){ 0 });
	return 0;
}

static void
on_no_lookup(void *arg, const char *sentence)
{
	const struct endpoints *e = arg;

	e->options.failed(e->options.arg, sentence);
}

static int
open_auth(struct endpoints *e, struct err *err)
{
	const struct daemon_options *o = e->options.options;
	struct event_base *base = e->options.base;

	if (open_client(base, o->authentication_kubeconfig, &e->authentication,
		err) != 0 ||
	    open_client(base, o->authorization_kubeconfig, &e->authorization,
		err) != 0)
		return -1;
	e->auth = auth_new(base,
	    &(struct auth_options){
		.authentication = e->authentication,
		.authorization = e->authorization,
		.client_ca_file = o->client_ca_file,
		.skip_lookup = o->authentication_skip_lookup,
		.tolerate_lookup_failure =
		    o->authentication_tolerate_lookup_failure,
		.on_failure = on_no_lookup,
		.arg = e,
		.requestheader_client_ca_file = o->requestheader_client_ca_file,
		.requestheader_allowed_names = o->requestheader_allowed_names,
		.requestheader_username_headers =
		    o->requestheader_username_headers,
		.requestheader_group_headers = o->requestheader_group_headers,
		.requestheader_extra_prefixes =
		    o->requestheader_extra_headers_prefix,
		.always_allow_paths = o->authorization_always_allow_paths,
		.token_ttl_ms = o->authentication_cache_ttl_ms,
		.authorized_ttl_ms = o->authorization_authorized_ttl_ms,
		.unauthorized_ttl_ms = o->authorization_unauthorized_ttl_ms,
	    },
	    err);
	return e->auth != NULL ? 0 : -1;
}

static unsigned
limited(int64_t ms)
{
	return ms < INT32_MAX ? (unsigned)ms : INT32_MAX;
}

static struct server_options
server_options_of(const struct daemon_options *o)
{
	return (struct server_options){ .bind_address = o->bind_address,
		.port = (int)o->secure_port,
		.cert_file = o->tls_cert_file,
		.key_file = o->tls_private_key_file,
		.cert_dir = o->cert_dir,
		.min_version = o->tls_min_version,
		.cipher_suites = o->tls_cipher_suites,
		.max_connections = (unsigned)o->max_connections,
		.max_per_address = (unsigned)o->max_connections_per_address,
		.handshake_ms = limited(o->tls_handshake_timeout_ms),
		.request_ms = limited(o->request_header_timeout_ms) };
}

/* -1: a port that the options name cannot be opened. */
static int
open_plain(struct endpoints *e, size_t i, struct err *err)
{
	const struct endpoints_options *o = &e->options;
	const struct daemon_plain *at = &o->options->plain[i];
	struct server_options options = server_options_of(o->options);
	struct server *plain;

	options.insecure = true;
	options.bind_address = at->address;
	options.port = at->port;
	options.health = at->health ? e->health : NULL;
	plain = server_new(o->base, &options, err);
	if (plain == NULL && at->implied) {
		log_warning("cannot serve health without TLS: %s", err->text);
		return 0;
	}
	if (plain == NULL)
		return -1;
	if (at->metrics)
		server_set_metrics(plain, o->metrics);
	log_info("Serving %s insecurely on [%s]:%d",
	    at->metrics ? at->health ? "health and metrics" : "metrics" :
			  "health",
	    at->address, server_port(plain));
	e->plain[i] = plain;
	return 0;
}

static int
open_secure(struct endpoints *e, struct err *err)
{
	const struct daemon_options *o = e->options.options;
	struct server_options server = server_options_of(o);

	if (o->secure_port == 0)
		return 0;
	server.health = e->health;
	e->server = server_new(e->options.base, &server, err);
	if (e->server == NULL || open_auth(e, err) != 0)
		return -1;
	server_set_auth(e->server, e->auth);
	server_set_metrics(e->server, e->options.metrics);
	for (size_t i = 0; i < LENGTH(pages); i++)
		if (pages[i].show != NULL)
			server_handle(e->server, pages[i].path, pages[i].pace,
			    pages[i].show,
			    pages[i].of_scheduler ?
				(void *)e->options.scheduler :
				e);
	debug_pages_add(e->server, e->options.scheduler);
	log_info("Serving securely on [%s]:%d", o->bind_address,
	    server_port(e->server));
	return 0;
}

struct endpoints *
endpoints_new(const struct endpoints_options *options, struct err *err)
{
	struct endpoints *e = xcalloc(1, sizeof(*e));
	int result;

	e->options = *options;
	e->health = health_new();
	health_add(e->health, "leaderElection", SERVER_EVERYWHERE,
	    options->check_leader, options->arg);
	health_add(e->health, "informer-sync", SERVER_READYZ,
	    options->check_caches, options->arg);
	health_add(e->health, "policy", SERVER_READYZ, options->check_policy,
	    options->arg);
	result = open_secure(e, err);
	for (size_t i = 0; result == 0 && i < options->options->nplain; i++)
		result = open_plain(e, i, err);
	if (result == 0)
		return e;
	endpoints_free(e);
	return NULL;
}

void
endpoints_free(struct endpoints *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < LENGTH(e->plain); i++)
		server_free(e->plain[i]);
	server_free(e->server);
	health_free(e->health);
	auth_free(e->auth);
	api_client_free(e->authorization);
	api_client_free(e->authentication);
	free(e);
}

void
endpoints_reload(struct endpoints *e)
{
	if (e->server == NULL)
		return;
	server_reload(e->server);
	auth_reload(e->auth);
}

int
endpoints_check(const struct daemon_options *options, struct err *err)
{
	struct server_options server = server_options_of(options);

	if (options->secure_port == 0)
		return 0;
	if (server_check_options(&server, err) != 0)
		return -1;
	return auth_check_options(
	    &(struct auth_options){ .client_ca_file = options->client_ca_file,
		.requestheader_client_ca_file =
		    options->requestheader_client_ca_file },
	    err);
}
