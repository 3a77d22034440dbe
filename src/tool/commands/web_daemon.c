/*
 * predicatectl web --daemon: the page of a running predicated, in a browser that has
 * no credentials of the cluster.
 *
 *	browser ── token ──▶ we, on 127.0.0.1 ── kubeconfig's credentials ──▶ predicated
 *
 * Only the paths below are asked for, with GET.  Credentials go to the server that the
 * user named, over TLS alone (live_daemon_config()): they never reach the browser.
 */
#include "config.h"

#include <event2/event.h>

#include "wire/api/client.h"
#include "wire/api/credentials.h"
#include "wire/api/kubeconfig.h"
#include "base/json_out.h"
#include "base/text.h"
#include "daemon/page/answer.h"
#include "tool/commands/ctl.h"
#include "tool/input/live.h"
#include "tool/commands/options.h"
#include "wire/pages/files.h"
#include "tool/page/web.h"

#define ANSWER_MAX ((size_t)64 << 20)

/* The connection to the daemon. */
struct daemon {
	struct event_base *base;
	struct api_client *client;
	int code; /* of the first request */
};

/* A question of the page. */
struct call {
	struct api_call *sent;
	void *job;
};

static bool
has_path(const char *path)
{
	static const char folder[] = "/debug/";

	return strncmp(path, folder, strlen(folder)) == 0 &&
	    (text_is_choice("status|queue|decisions", path + strlen(folder)) ||
		answer_has(path + strlen(folder)));
}

/* ---- answers ---- */

/* In the words of the page's user.  A status of 401 would be about our own token. */
static int
explain(const struct api_response *response, struct err *err)
{
	struct err why;

	api_explain(response, &why);
	if (response->status == 401) {
		errf(err,
		    "predicated does not accept the credentials of the "
		    "kubeconfig: %s",
		    api_sentence(&why));
		return 502;
	}
	errf(err, "%s", api_sentence(&why));
	return response->status >= 400 ? response->status : 502;
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct call *call = arg;
	void *job = call->job;
	struct text text = { 0 };
	struct err err;
	int status;

	free(call);
	if (response->status == 200) {
		web_answered(job, 200, response->body, response->len);
		return;
	}
	status = explain(response, &err);
	json_put(&text, "{'error':%s}\n", err.text);
	web_answered(job, status, text.bytes, text.len);
	text_fini(&text);
}

/* Whether the text may stand behind a URL's "?". */
static bool
is_query(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text <= ' ' || *text >= 0x7f || *text == '#')
			return false;
	return true;
}

static void *
ask(void *arg, const char *path, const char *query, void *job)
{
	struct daemon *d = arg;
	struct call *call = xcalloc(1, sizeof(*call));
	AUTOFREE char *whole =
	    xasprintf("%s?%s", path, is_query(query) ? query : "");

	call->job = job;
	call->sent = api_send(d->client,
	    &(struct api_request){ .lane = API_REST,
		.path = whole,
		.max_answer = ANSWER_MAX,
		.on_done = on_answer,
		.arg = call });
	return call;
}

static void
cancel(void *arg, void *call)
{
	api_cancel(((struct call *)call)->sent);
	free(call);
}

/* ---- the connection ---- */

static void
on_first(void *arg, const struct api_response *response)
{
	struct daemon *d = arg;
	struct err err;

	if (response->status != 200) {
		explain(response, &err);
		ctl_print("%s: %s", api_client_config(d->client)->server,
		    err.text);
		d->code = EXIT_INPUT;
	}
	event_base_loopbreak(d->base);
}

int
web_daemon_run(const struct options *options)
{
	struct daemon d = { .base = event_base_new(), .code = EXIT_DONE };
	const struct web_proxy proxy = { &page_live, "/debug/ui/", has_path,
		ask, cancel, &d };
	struct api_config *config = live_daemon_config(options);
	struct web *web;
	struct err err;

	if (credentials_validate(config, &err) != 0) {
		api_config_free(config);
		event_base_free(d.base);
		return ctl_fail(&err);
	}
	d.client = api_client_new(d.base, config,
	    &(struct api_options){ .user_agent = "predicatectl",
		.timeout_ms = options->request_timeout_ms });
	/* Whether it is there and lets us see its page. */
	api_send(d.client,
	    &(struct api_request){ .lane = API_REST,
		.path = "/debug/status",
		.on_done = on_first,
		.arg = &d });
	event_base_dispatch(d.base);
	if (d.code == EXIT_DONE) {
		web = web_new(d.base, options->port, NULL, &proxy, &err);
		d.code = web != NULL ? web_serve(d.base, web) : ctl_fail(&err);
		web_free(web);
	}
	api_client_free(d.client);
	event_base_free(d.base);
	return d.code;
}
