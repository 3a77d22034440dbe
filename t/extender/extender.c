/*
 * A small HTTP extender for tests: the verb of the request selects its
 * behaviour.
 *
 *	extender --port N [--log FILE] [--cert FILE --key FILE]
 *
 *	filter?keep=a,b[&why=TEXT]  lets these nodes pass, with TEXT as the reason
 *	                            why the others do not; [&forever=1]
 *	prioritize?best=NODE&score=N
 *	preempt?only=NODE           leaves the victims on this node alone
 *	bind                        binds, with $KUBECONFIG
 *	…?error=TEXT                answers {"Error":TEXT}
 *	…?code=N, ?body=TEXT        answers that
 *	…?after=MS                  takes so long
 *
 * Each request is a line of the log: {"verb":…,"args":…}.
 */
#include "config.h"

#include <event2/buffer.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <getopt.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/writes.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"

static struct event_base *base;
static struct api_client *client;
static FILE *log_file;

struct request {
	struct evhttp_request *http;
	struct evkeyvalq query;
	struct doc *doc;
	const struct doc_node *args;
	char *verb;
	struct event *timer;
};

static const char *
option(const struct request *r, const char *name)
{
	return evhttp_find_header(&r->query, name);
}

static void
reply(struct request *r, int code, const char *body)
{
	struct evbuffer *out = evbuffer_new();

	evbuffer_add(out, body, strlen(body));
	evhttp_add_header(evhttp_request_get_output_headers(r->http),
	    "Content-Type", "application/json");
	evhttp_send_reply(r->http, code, NULL, out);
	evbuffer_free(out);
	evhttp_clear_headers(&r->query);
	doc_free(r->doc);
	free(r->verb);
	if (r->timer != NULL)
		event_free(r->timer);
	free(r);
}

/* Takes text. */
static void
reply_text(struct request *r, struct text *text)
{
	reply(r, 200, text->bytes);
	text_fini(text);
}

static bool
in_list(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = list; s != NULL; s = strchr(s, ',')) {
		s += *s == ',';
		if (strncmp(s, word, len) == 0 &&
		    (s[len] == '\0' || s[len] == ','))
			return true;
	}
	return false;
}

/* ---- verbs ---- */

static const char *
name_of(const struct doc_node *node)
{
	const char *name = "";

	if (node->kind == DOC_STRING)
		return node->text;
	doc_get_string(doc_get(node, "metadata"), "name", "name", &name, NULL);
	return name;
}

static void
filter(struct request *r)
{
	const struct doc_node *names = doc_get(r->args, "NodeNames");
	const struct doc_node *items =
	    doc_get(doc_get(r->args, "Nodes"), "items");
	const char *keep = option(r, "keep"), *why = option(r, "why");
	struct text left = { 0 }, failed = { 0 }, out = { 0 };

	text_put(&left, "");
	for (const struct doc_node *n = names != NULL ? names->first :
							items->first;
	     n != NULL; n = n->next) {
		const char *name = name_of(n);

		if (in_list(keep, name)) {
			text_put(&left, left.len > 0 ? "," : "");
			json_put_node(&left, n);
		} else if (why != NULL) {
			json_put(&failed, failed.len > 0 ? ",%s:%s" : "%s:%s",
			    name, why);
		}
	}
	/* keys as extenders write them: in another case than they read */
	json_put(&out,
	    names != NULL ? "{'nodenames':[" : "{'nodes':{'items':[");
	text_put(&out, left.len > 0 ? left.bytes : "");
	json_put(&out, names != NULL ? "]" : "]}");
	json_put(&out,
	    option(r, "forever") != NULL ? ",'failedAndUnresolvableNodes':{" :
					   ",'failedNodes':{");
	text_put(&out, failed.len > 0 ? failed.bytes : "");
	json_put(&out, "},'error':''}");
	text_fini(&left);
	text_fini(&failed);
	reply_text(r, &out);
}

static void
prioritize(struct request *r)
{
	struct text out = { 0 };

	json_put(&out, "[{'host':%s,'score':%d},{'host':'nowhere','score':9}]",
	    option(r, "best"), (int64_t)atoi(option(r, "score")));
	reply_text(r, &out);
}

static void
preempt(struct request *r)
{
	const struct doc_node *all = doc_get(r->args, "NodeNameToMetaVictims");
	const struct doc_node *whole = doc_get(r->args, "NodeNameToVictims");
	const char *only = option(r, "only"), *comma = "";
	const struct doc_node *victims =
	    doc_get(doc_get(all != NULL ? all : whole, only), "Pods");
	struct text out = { 0 };

	json_put(&out, "{'nodeNameToMetaVictims':{");
	if (victims != NULL)
		json_put(&out, "%s:{'pods':[", only);
	for (const struct doc_node *v = victims != NULL ? victims->first : NULL;
	     v != NULL; v = v->next) {
		const char *uid = "";

		doc_get_string(all != NULL ? v : doc_get(v, "metadata"),
		    all != NULL ? "UID" : "uid", "uid", &uid, NULL);
		text_put(&out, comma);
		json_put(&out, "{'uid':%s}", uid);
		comma = ",";
	}
	text_put(&out, victims != NULL ? "]}}}" : "}}");
	reply_text(r, &out);
}

static void
on_bound(void *arg, const struct api_response *response)
{
	struct request *r = arg;
	struct text out = { 0 };
	struct err err = { "" };

	if (response->status != 200 && response->status != 201)
		api_explain(response, &err);
	json_put(&out, "{'Error':%s}", err.text);
	reply_text(r, &out);
}

static void
bind_pod(struct request *r)
{
	const char *name = "", *namespace = "", *uid = "", *node = "";

	doc_get_string(r->args, "PodName", "", &name, NULL);
	doc_get_string(r->args, "PodNamespace", "", &namespace, NULL);
	doc_get_string(r->args, "PodUID", "", &uid, NULL);
	doc_get_string(r->args, "Node", "", &node, NULL);
	api_bind(client, &(struct pod_id){ namespace, name, uid }, node,
	    on_bound, r);
}

/* ---- requests ---- */

static void
answer(evutil_socket_t fd, short what, void *arg)
{
	struct request *r = arg;
	struct text out = { 0 };

	if (option(r, "code") != NULL) {
		reply(r, atoi(option(r, "code")), "{}");
	} else if (option(r, "body") != NULL) {
		reply(r, 200, option(r, "body"));
	} else if (option(r, "error") != NULL) {
		json_put(&out, "{'Error':%s}", option(r, "error"));
		reply_text(r, &out);
	} else if (strcmp(r->verb, "/filter") == 0) {
		filter(r);
	} else if (strcmp(r->verb, "/prioritize") == 0) {
		prioritize(r);
	} else if (strcmp(r->verb, "/preempt") == 0) {
		preempt(r);
	} else if (strcmp(r->verb, "/bind") == 0) {
		bind_pod(r);
	} else {
		reply(r, 404, "{}");
	}
}

static void
on_request(struct evhttp_request *http, void *arg)
{
	struct request *r = xcalloc(1, sizeof(*r));
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
	struct evbuffer *in = evhttp_request_get_input_buffer(http);
	size_t len = evbuffer_get_length(in);
	const char *query = evhttp_uri_get_query(uri);
	struct timeval after = { 0 };
	struct text line = { 0 };

	r->http = http;
	r->verb = xstrdup(evhttp_uri_get_path(uri));
	evhttp_parse_query_str(query != NULL ? query : "", &r->query);
	r->doc = doc_parse("args", (char *)evbuffer_pullup(in, -1), len,
	    &doc_limits_dump, NULL);
	if (r->doc == NULL) {
		reply(r, 400, "{}");
		return;
	}
	r->args = doc_root(r->doc);
	json_put(&line, "{'verb':%s,'args':%n}\n", r->verb, r->args);
	fputs(line.bytes, log_file);
	fflush(log_file);
	text_fini(&line);
	if (option(r, "after") != NULL)
		after = clock_timeval(atoi(option(r, "after")));
	r->timer = evtimer_new(base, answer, r);
	event_add(r->timer, &after);
}

static void
on_term(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(base);
}

static void
open_client(void)
{
	struct api_config *config;
	struct err err;

	if (api_config_load(&(struct api_source){ 0 }, &config, &err) == 0)
		client =
		    api_client_new(base, config, &(struct api_options){ 0 });
}

/* Over TLS when there is a certificate. */
static struct bufferevent *
new_connection(struct event_base *event_base, void *context)
{
	return bufferevent_openssl_socket_new(event_base, -1, SSL_new(context),
	    BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}

static SSL_CTX *
use_tls(struct evhttp *http, const char *cert, const char *key)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	if (SSL_CTX_use_certificate_file(context, cert, SSL_FILETYPE_PEM) !=
		1 ||
	    SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
		exit(1);
	evhttp_set_bevcb(http, new_connection, context);
	return context;
}

int
main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "port", required_argument, NULL, 'p' },
		{ "log", required_argument, NULL, 'l' },
		{ "cert", required_argument, NULL, 'c' },
		{ "key", required_argument, NULL, 'k' },
		{ NULL, 0, NULL, 0 },
	};
	const char *cert = NULL, *key = NULL;
	struct evhttp *http;
	struct event *term;
	SSL_CTX *context = NULL;
	int port = 0, c;

	log_file = stdout;
	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (c == 'p')
			port = atoi(optarg);
		else if (c == 'l')
			log_file = fopen(optarg, "a");
		else if (c == 'c')
			cert = optarg;
		else if (c == 'k')
			key = optarg;
	}
	base = event_base_new();
	open_client();
	http = evhttp_new(base);
	if (cert != NULL)
		context = use_tls(http, cert, key);
	evhttp_set_gencb(http, on_request, NULL);
	if (log_file == NULL ||
	    evhttp_bind_socket(http, "127.0.0.1", (uint16_t)port) != 0)
		return 1;
	term = evsignal_new(base, SIGTERM, on_term, NULL);
	event_add(term, NULL);
	event_base_dispatch(base);
	evhttp_free(http);
	SSL_CTX_free(context);
	event_free(term);
	api_client_free(client);
	event_base_free(base);
	return 0;
}
