#include "config.h"

#include "daemon/endpoints.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "base/err.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "daemon/auth.h"
#include "daemon/options.h"
#include "daemon/scheduler.h"
#include "daemon/server.h"

struct endpoints {
	struct endpoints_options options;
	struct api_client *authentication, *authorization;
	struct auth *auth;
	struct server *server;
};

/* ---- what there is to see ---- */

static void
show_configz(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;

	reply->content_type = SERVER_JSON;
	daemon_options_write_json(e->options.options, &reply->body);
}

static void
show_decisions(void *arg, const struct query *query, struct reply *reply)
{
	const struct endpoints *e = arg;
	char *bytes = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&bytes, &len);

	scheduler_decisions(e->options.scheduler, out);
	fclose(out);
	reply->content_type = SERVER_JSON;
	text_append(&reply->body, bytes, len);
	free(bytes);
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
		reply_error(reply, 400, "which pod? ?pod=NAMESPACE/NAME");
		return;
	}
	out = open_memstream(&bytes, &len);
	found = scheduler_explain(e->options.scheduler, pod, out);
	fclose(out);
	reply->content_type = SERVER_JSON;
	if (found)
		text_append(&reply->body, bytes, len);
	else
		reply_error(reply, 404, "no pod \"%s\" waits for a node", pod);
	free(bytes);
}

/* ---- who may see it ---- */

/* Without a kubeconfig: as our pod's service account.  NULL without an error
 * when we are in no pod either. */
static int
open_client(struct event_base *base, const char *kubeconfig,
    struct api_client **out, struct err *err)
{
	struct api_config *config;

	if (kubeconfig[0] == '\0')
		config = api_config_in_cluster("");
	else if (api_config_load(
		     &(struct api_source){ .kubeconfig = kubeconfig }, &config,
		     err) != 0)
		return -1;
	if (config == NULL)
		return 0;
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

	if (open_client(base, o->authentication_kubeconfig,
		&e->authentication, err) != 0 ||
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
		.requestheader_client_ca_file =
		    o->requestheader_client_ca_file,
		.requestheader_allowed_names =
		    o->requestheader_allowed_names,
		.requestheader_username_headers =
		    o->requestheader_username_headers,
		.requestheader_group_headers =
		    o->requestheader_group_headers,
		.requestheader_extra_prefixes =
		    o->requestheader_extra_headers_prefix,
		.always_allow_paths =
		    o->authorization_always_allow_paths,
		.token_ttl_ms = o->authentication_cache_ttl_ms,
		.authorized_ttl_ms = o->authorization_authorized_ttl_ms,
		.unauthorized_ttl_ms = o->authorization_unauthorized_ttl_ms,
	    }, err);
	return e->auth != NULL ? 0 : -1;
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
		.cipher_suites = o->tls_cipher_suites };
}

static void
add_all(struct endpoints *e)
{
	struct server *server = e->server;
	const struct endpoints_options *o = &e->options;

	server_set_auth(server, e->auth);
	server_set_metrics(server, o->metrics);
	server_add_check(server, "leaderElection", SERVER_EVERYWHERE,
	    o->check_leader, o->arg);
	server_add_check(server, "informer-sync", SERVER_READYZ,
	    o->check_caches, o->arg);
	server_add_check(server, "policy", SERVER_READYZ, o->check_policy,
	    o->arg);
	server_handle(server, "/configz", show_configz, e);
	server_handle(server, "/debug/decisions", show_decisions, e);
	server_handle(server, "/debug/explain", show_explain, e);
}

struct endpoints *
endpoints_new(const struct endpoints_options *options, struct err *err)
{
	struct endpoints *e = xcalloc(1, sizeof(*e));
	struct server_options server;

	e->options = *options;
	if (options->options->secure_port == 0)
		return e;
	server = server_options_of(options->options);
	e->server = server_new(options->base, &server, err);
	if (e->server == NULL || open_auth(e, err) != 0) {
		endpoints_free(e);
		return NULL;
	}
	add_all(e);
	log_info("Serving securely on [%s]:%d", options->options->bind_address,
	    server_port(e->server));
	return e;
}

void
endpoints_free(struct endpoints *e)
{
	if (e == NULL)
		return;
	server_free(e->server);
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

	return options->secure_port == 0 ? 0 :
					   server_check_options(&server, err);
}
