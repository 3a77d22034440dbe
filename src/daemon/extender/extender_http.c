/*
 * Asks extenders: a POST of JSON to URL/VERB, answered with 200 and JSON
 * (doc/semantics/05-extenders.md, Wire format and Timeouts).
 *
 * An answer may be twice as long as the question and 10 MB more.
 *
 * Errors are worded as Go words them where users see them: in the event of a
 * pod that could not be scheduled.
 */
#include "config.h"

#include <ctype.h>
#include <event2/http.h>
#include <stdio.h>
#include <strings.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/doc.h"
#include "daemon/extender/extenders_internal.h"
#include "wire/metrics/metrics.h"

/* A response can hold the content of its request, and this much more; its
 * values are at least this long on average. */
#define ANSWER_BYTES ((size_t)10 << 20)
#define VALUES 500000
#define VALUE_BYTES 8
#define NS_PER_MS 1000000

struct extender_call {
	struct one_extender *extender;
	struct api_call *call;
	char *verb;
	extender_done *done;
	void *arg;
};

static const char *
copy(struct api_config *config, const char *text)
{
	return text != NULL && text[0] != '\0' ?
	    arena_strndup(&config->arena, text, strlen(text)) :
	    NULL;
}

static void
on_try(void *arg, const char *method, int status, double seconds)
{
	const struct one_extender *extender = arg;
	char code[16] = "<error>";

	if (status != 0)
		snprintf(code, sizeof(code), "%d", status);
	metrics_observe(extender->metrics, METRIC_EXTENDER_SECONDS, seconds,
	    extender->url, code);
}

void
one_extender_init(struct one_extender *extender, struct event_base *base,
    struct metrics *metrics, const struct extender *config)
{
	struct api_config *how = xcalloc(1, sizeof(*how));
	int64_t timeout_ms = config->timeout_ns / NS_PER_MS;

	*extender = (struct one_extender){ .config = config,
		.metrics = metrics,
		.url = xstrdup(config->url_prefix),
		.timeout_ms = timeout_ms > 0 ? timeout_ms : 1 };
	how->source = "extender";
	how->server = copy(how, config->url_prefix);
	how->namespace = "default";
	how->insecure = config->tls.insecure;
	how->tls_server_name = copy(how, config->tls.server_name);
	how->ca.data = copy(how, config->tls.ca_data);
	how->certificate.data = copy(how, config->tls.cert_data);
	how->key.data = copy(how, config->tls.key_data);
	extender->client = api_client_new(base, how,
	    &(struct api_options){ .user_agent = "predicated/" PACKAGE_VERSION,
		.http1 = true,
		.connect_ms = extender->timeout_ms,
		.on_try = metrics != NULL ? on_try : NULL,
		.arg = extender });
}

void
one_extender_fini(struct one_extender *extender)
{
	api_client_free(extender->client);
	free(extender->url);
}

/* ---- reasons for a missing response ---- */

/* "10.0.0.1:80", as the URL has it; "" when it is none.  You own it. */
static char *
address_of(const char *text)
{
	struct evhttp_uri *uri = evhttp_uri_parse(text);
	const char *host = uri != NULL ? evhttp_uri_get_host(uri) : NULL;
	int port = uri != NULL ? evhttp_uri_get_port(uri) : 0;
	char *address;

	if (port < 0)
		port = strncasecmp(text, "https", 5) == 0 ? 443 : 80;
	address = host != NULL ? xasprintf("%s:%d", host, port) : xstrdup("");
	if (uri != NULL)
		evhttp_uri_free(uri);
	return address;
}

/* The message of Go's http.Client, without "Post URL: ".  You own it. */
static char *
failure_of(const struct one_extender *extender,
    const struct api_response *response)
{
	AUTOFREE char *address = NULL;
	const char *reason;

	if (response->timed_out)
		return xasprintf(
		    "net/http: request canceled%s "
		    "(Client.Timeout exceeded while awaiting headers)",
		    response->unsent ? " while waiting for connection" : "");
	if (response->unsent && response->os_error != 0) {
		address = address_of(extender->url);
		reason = strerror(response->os_error);
		return xasprintf("dial tcp %s: connect: %c%s", address,
		    tolower((unsigned char)reason[0]), reason + 1);
	}
	return xstrdup(response->error);
}

/* Errors of the beginning are those of Go's encoding/json. */
static struct doc *
parse(const struct api_response *response, struct err *err)
{
	const char *s = response->body + strspn(response->body, " \t\r\n");
	struct doc_limits limits = doc_limits_dump;

	if (*s == '\0') {
		errf(err, "EOF");
		return NULL;
	}
	if (strchr("{[\"-0123456789tfn", *s) == NULL) {
		errf(err,
		    "invalid character '%c' looking for beginning of "
		    "value",
		    *s);
		return NULL;
	}
	limits.values = VALUES + response->len / VALUE_BYTES;
	return doc_parse("answer", response->body, response->len, &limits, err);
}

static void
on_response(void *arg, const struct api_response *response)
{
	struct extender_call *call = arg;
	struct one_extender *extender = call->extender;
	AUTOFREE char *failure = NULL;
	struct doc *doc = NULL;
	struct err err = { "" };

	if (response->status == 0) {
		failure = failure_of(extender, response);
		errf(&err, "Post %s/%s: %s", extender->url, call->verb,
		    failure);
	} else if (response->status != 200) {
		errf(&err, "Failed %s with extender at URL %s/%s, code %d",
		    call->verb, extender->url, call->verb, response->status);
	} else {
		doc = parse(response, &err);
	}
	extender->nrunning--;
	call->done(call->arg, doc != NULL ? doc_root(doc) : NULL,
	    doc != NULL ? NULL : err.text);
	doc_free(doc);
	free(call->verb);
	free(call);
}

struct extender_call *
extender_post(struct one_extender *extender, const char *verb, const char *body,
    extender_done *done, void *arg)
{
	struct extender_call *call = xcalloc(1, sizeof(*call));
	AUTOFREE char *path = xasprintf("/%s", verb);

	call->extender = extender;
	call->verb = xstrdup(verb);
	call->done = done;
	call->arg = arg;
	extender->nrunning++;
	call->call = api_send(extender->client,
	    &(struct api_request){ .lane = API_REST,
		.method = "POST",
		.path = path,
		.body = body,
		.max_answer = ANSWER_BYTES + 2 * strlen(body),
		.timeout_ms = extender->timeout_ms,
		.on_done = on_response,
		.arg = call });
	return call;
}

void
extender_cancel(struct extender_call *call)
{
	if (call == NULL)
		return;
	api_cancel(call->call);
	call->extender->nrunning--;
	free(call->verb);
	free(call);
}
