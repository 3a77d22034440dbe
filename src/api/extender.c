#include "config.h"

#include "api/extender.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/client.h"
#include "api/kubeconfig.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"

/* A response can hold the content of its request, and this much more; its
 * values are at least this long on average. */
#define ANSWER_BYTES ((size_t)10 << 20)
#define VALUES 500000
#define VALUE_BYTES 8

struct api_extender {
	struct api_client *client;
	char *url;
	int64_t timeout_ms;
	size_t nrunning;
};

struct api_extender_call {
	struct api_extender *extender;
	struct api_call *call;
	char *verb;
	void (*on_done)(void *arg, const struct doc_node *answer,
	    const char *error);
	void *arg;
};

static char *
copy(const char *text)
{
	return text != NULL && text[0] != '\0' ? xstrdup(text) : NULL;
}

struct api_extender *
api_extender_new(struct event_base *base,
    const struct api_extender_options *options)
{
	struct api_extender *extender = xcalloc(1, sizeof(*extender));
	struct api_config *config = xcalloc(1, sizeof(*config));

	extender->url = xstrdup(options->url);
	extender->timeout_ms =
	    options->timeout_ms > 0 ? options->timeout_ms : 1;
	config->source = xstrdup("extender");
	config->server = xstrdup(options->url);
	config->namespace = xstrdup("default");
	config->insecure = options->insecure;
	config->tls_server_name = copy(options->server_name);
	config->ca.data = copy(options->ca);
	config->certificate.data = copy(options->certificate);
	config->key.data = copy(options->key);
	extender->client = api_client_new(base, config,
	    &(struct api_options){ .user_agent = "predicated/" PACKAGE_VERSION,
		.http1 = true,
		.connect_ms = extender->timeout_ms,
		.on_try = options->on_try,
		.arg = options->arg });
	return extender;
}

void
api_extender_free(struct api_extender *extender)
{
	if (extender == NULL)
		return;
	api_client_free(extender->client);
	free(extender->url);
	free(extender);
}

size_t
api_extender_running(const struct api_extender *extender)
{
	return extender->nrunning;
}

/*
 * Reasons for a missing response
 */

/* "connection refused" */
static char *
go_errno(int number)
{
	char *text = xstrdup(strerror(number));

	text[0] = (char)tolower((unsigned char)text[0]);
	return text;
}

/* "10.0.0.1:80", as the URL has it; "" when it is none.  You own it. */
static char *
address_of(const char *text)
{
	CURLU *url = curl_url();
	char *host = NULL, *port = NULL, *address;

	if (curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK) {
		curl_url_get(url, CURLUPART_HOST, &host, 0);
		curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
	}
	address = xasprintf("%s%s%s", host != NULL ? host : "",
	    port != NULL ? ":" : "", port != NULL ? port : "");
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(url);
	return address;
}

/* The message of Go's http.Client, without "Post URL: ".  You own it. */
static char *
failure_of(const struct api_extender *extender,
    const struct api_response *response)
{
	AUTOFREE char *address = NULL, *reason = NULL;

	if (response->timed_out)
		return xasprintf(
		    "net/http: request canceled%s "
		    "(Client.Timeout exceeded while awaiting headers)",
		    response->unsent ? " while waiting for connection" : "");
	if (response->unsent && response->os_error != 0) {
		address = address_of(extender->url);
		reason = go_errno(response->os_error);
		return xasprintf("dial tcp %s: connect: %s", address, reason);
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
	struct api_extender_call *call = arg;
	struct api_extender *extender = call->extender;
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
	call->on_done(call->arg, doc != NULL ? doc_root(doc) : NULL,
	    doc != NULL ? NULL : err.text);
	doc_free(doc);
	free(call->verb);
	free(call);
}

struct api_extender_call *
api_extender_post(struct api_extender *extender, const char *verb,
    const char *body,
    void (
	*on_done)(void *arg, const struct doc_node *answer, const char *error),
    void *arg)
{
	struct api_extender_call *call = xcalloc(1, sizeof(*call));
	AUTOFREE char *path = xasprintf("/%s", verb);

	call->extender = extender;
	call->verb = xstrdup(verb);
	call->on_done = on_done;
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
api_extender_cancel(struct api_extender_call *call)
{
	if (call == NULL)
		return;
	api_cancel(call->call);
	call->extender->nrunning--;
	free(call->verb);
	free(call);
}

const struct doc_node *
api_extender_member(const struct doc_node *object, const char *key)
{
	const struct doc_node *found = NULL;

	if (object == NULL || object->kind != DOC_OBJECT)
		return NULL;
	for (const struct doc_node *n = object->first; n != NULL; n = n->next)
		if (strcasecmp(n->key, key) == 0)
			found = n;
	return found != NULL && found->kind != DOC_NULL ? found : NULL;
}
