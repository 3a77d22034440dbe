/*
 * Lanes, repeats and looking after silent watches.
 */
#include "config.h"

#include "wire/api/client.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>

#include "wire/api/client_internal.h"
#include "base/clock.h"
#include "wire/api/credentials.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/protobuf.h"
#include "base/doc.h"

#define RETRY_BASE_MS 100
#define RETRY_MAX_MS 5000
/* A server that asks for more is asked again after so long: a wrong number must not
 * end a watch for good. */
#define RETRY_AFTER_MAX_MS 30000
/* A 429 that does not say for how long. */
#define TOO_MANY_MS 1000
/* The unit may use 2 GiB, and a document takes several times its text. */
#define ANSWER_MAX ((size_t)256 << 20)

/* The maximum number of concurrent requests in a lane, streams not counted:
 * kube-apiserver allows 250 streams per connection, from 1.27.6 on 100. */
#define LANE_MAX 99
/* Until the first response, streams included: the server may allow fewer. */
#define UNKNOWN_MAX 4
/* If each request needs a connection of its own. */
#define HTTP1_MAX 8

/* More of these calls under way make the server slower for all, and few faster. */
#define LOW_PRIORITY_MAX 16

static void
free_call(struct api_call *call)
{
	if (call->timer != NULL)
		event_free(call->timer);
	text_fini(&call->answer);
	free(call->method);
	free(call->path);
	free(call->body);
	free(call->content_type);
	free(call);
}

void
client_wake(struct api_client *client)
{
	event_active(client->pump, EV_TIMEOUT, 0);
}

static struct lane *
lane_of(const struct api_call *call)
{
	return &call->client->lanes[call->lane];
}

static struct calls *
queue_of(const struct api_call *call)
{
	struct lane *lane = lane_of(call);

	return call->low_priority ? &lane->low_priority : &lane->queue;
}

static void
dequeue(struct api_call *call)
{
	struct lane *lane = lane_of(call);

	TAILQ_REMOVE(queue_of(call), call, link);
	lane->nqueued--;
}

static bool
is_stream(const struct api_call *call)
{
	return call->on_data != NULL;
}

/* ---- the end of a try ---- */

static void
enqueue(struct api_call *call)
{
	struct lane *lane = lane_of(call);

	call->state = CALL_QUEUED;
	if (call->urgent)
		TAILQ_INSERT_HEAD(queue_of(call), call, link);
	else
		TAILQ_INSERT_TAIL(queue_of(call), call, link);
	lane->nqueued++;
	client_wake(call->client);
}

static void
on_wait_over(evutil_socket_t fd, short what, void *arg)
{
	struct api_call *call = arg;

	TAILQ_REMOVE(&call->client->waiting, call, link);
	enqueue(call);
}

static bool
is_wanted(const struct api_call *call)
{
	return call->wanted == NULL || call->wanted(call->arg);
}

static int64_t
repeat_after(const struct api_call *call, const struct api_response *response)
{
	int64_t ms = backoff_ms(call->failures, RETRY_BASE_MS, RETRY_MAX_MS);
	int64_t asked = response->retry_after_ms;

	if (asked == 0 && response->status == 429)
		asked = TOO_MANY_MS;
	/* All rejected callers got the same number. */
	return asked > 0 ? asked + ms / 4 : ms;
}

/* The attempt is over: repeats it, or calls back. */
static void
conclude(struct api_call *call, const struct api_response *response)
{
	int64_t ms;

	if (response->status == 401 && !call->reauthorized &&
	    credentials_rejected(call->client->credentials)) {
		call->reauthorized = true;
		enqueue(call);
		return;
	}
	if (response->status == 406 && call->protobuf) {
		call->protobuf = false;
		enqueue(call);
		return;
	}
	if (!call->stream_began && !response->too_long && is_wanted(call) &&
	    (response->status == 429 || response->unsent ||
		(strcmp(call->method, "GET") == 0 &&
		    (response->status == 0 || response->status >= 500)))) {
		call->failures++;
		ms = repeat_after(call, response);
		if (clock_ms() + ms < call->deadline) {
			call->state = CALL_WAITING;
			TAILQ_INSERT_TAIL(&call->client->waiting, call, link);
			if (call->timer == NULL)
				call->timer = evtimer_new(call->client->base,
				    on_wait_over, call);
			timer_start(call->timer, ms);
			return;
		}
	}
	call->on_done(call->arg, response);
	free_call(call);
}

static bool
certainly_unsent(int result)
{
	return result == CURLE_COULDNT_CONNECT ||
	    result == CURLE_COULDNT_RESOLVE_HOST ||
	    result == CURLE_COULDNT_RESOLVE_PROXY ||
	    result == CURLE_SSL_CONNECT_ERROR ||
	    result == CURLE_PEER_FAILED_VERIFICATION;
}

static void
count_down(const struct api_call *call)
{
	if (is_stream(call))
		lane_of(call)->nstreams--;
	else
		lane_of(call)->nrunning--;
}

void
client_move(struct api_call *call)
{
	struct lane *lane = lane_of(call);

	if (lane->pipe == call->pipe)
		lane->pipe = NULL;
	pipe_stop(call);
	count_down(call);
	enqueue(call);
}

void
client_finished(struct api_call *call, int result, int status, bool unsent)
{
	struct api_client *client = call->client;
	struct api_response response = {
		.status = status,
		.body = call->answer.len > 0 ? call->answer.bytes : "",
		.len = call->answer.len,
		.protobuf = call->is_protobuf,
		.unsent = unsent || certainly_unsent(result),
		.silent = call->silent,
		.timed_out = result == CURLE_OPERATION_TIMEDOUT,
		.os_error = status == 0 ? call->os_error : 0,
		.retry_after_ms = call->retry_after_ms < RETRY_AFTER_MAX_MS ?
		    call->retry_after_ms :
		    RETRY_AFTER_MAX_MS,
	};
	const struct api_options *options = &client->options;

	client_wake(client);
	if (call->probe)
		call->pipe->probe = NULL;
	else
		count_down(call);
	/* No data at all arrived since it was sent. */
	if (result == CURLE_OPERATION_TIMEDOUT && !(call->probe && unsent) &&
	    call->pipe->heard <= call->started)
		call->pipe->broken = true;
	if (call->cancelled || call->probe) {
		free_call(call);
		return;
	}
	response.too_long = status == 0 && call->too_long;
	if (response.too_long)
		snprintf(call->problem, sizeof(call->problem),
		    "the response exceeds the size limit of %zu bytes",
		    call->max_answer);
	if (status == 0)
		response.error = call->problem[0] != '\0' ?
		    call->problem :
		    curl_easy_strerror((CURLcode)result);
	if (options->on_try != NULL)
		options->on_try(options->arg, call->method, status,
		    (double)(clock_ms() - call->started) / 1000);
	conclude(call, &response);
}

/* ---- the pump ---- */

static void
abandon(struct api_call *call, const char *why)
{
	pipe_stop(call);
	snprintf(call->problem, sizeof(call->problem), "%s", why);
	client_finished(call, CURLE_OPERATION_TIMEDOUT, 0, false);
}

static void
collect_cancelled(struct api_client *client)
{
	struct api_call *call, *next;
	struct pipe *pipe;

	if (!client->cancelled)
		return;
	client->cancelled = false;
	for (int i = 0; i < API_LANES; i++)
		TAILQ_FOREACH (pipe, &client->lanes[i].pipes, link)
			for (call = TAILQ_FIRST(&pipe->running); call != NULL;
			     call = next) {
				next = TAILQ_NEXT(call, link);
				if (call->cancelled)
					abandon(call, "");
			}
}

/* Pipes without new requests: drops silent ones, frees empty ones. */
static void
tidy(struct api_client *client, struct lane *lane)
{
	struct pipe *pipe, *next;
	struct api_call *call;

	for (pipe = TAILQ_FIRST(&lane->pipes); pipe != NULL; pipe = next) {
		next = TAILQ_NEXT(pipe, link);
		if (pipe == lane->pipe &&
		    (pipe->broken ||
			pipe->generation !=
			    credentials_generation(client->credentials)))
			lane->pipe = NULL;
		/* Other calls have time limits of their own. */
		if (pipe->broken && pipe->lane == API_WATCHES)
			while ((call = TAILQ_FIRST(&pipe->running)) != NULL)
				abandon(call,
				    "the connection timed out: no "
				    "data received");
		if (pipe != lane->pipe && pipe->nrunning == 0) {
			TAILQ_REMOVE(&lane->pipes, pipe, link);
			pipe_free(pipe);
		}
	}
}

/* Whether our own limit allows a request now; if not, wakes the pump when it
 * will. */
static bool
take_token(struct api_client *client)
{
	const struct api_options *options = &client->options;
	int64_t now = clock_ms();

	if (options->qps <= 0)
		return true;
	client->tokens +=
	    (double)(now - client->tokens_at) / 1000 * options->qps;
	client->tokens_at = now;
	if (client->tokens > options->burst)
		client->tokens = options->burst;
	if (client->tokens >= 1) {
		client->tokens -= 1;
		return true;
	}
	timer_start(client->pump,
	    (int64_t)((1 - client->tokens) / options->qps * 1000) + 1);
	return false;
}

static void
start(struct api_client *client, struct lane *lane, struct api_call *call)
{
	dequeue(call);
	if (lane->pipe != NULL &&
	    lane->pipe->generation !=
		credentials_generation(client->credentials))
		lane->pipe = NULL;
	if (lane->pipe == NULL) {
		lane->pipe = pipe_new(client, call->lane);
		TAILQ_INSERT_TAIL(&lane->pipes, lane->pipe, link);
	}
	if (is_stream(call))
		lane->nstreams++;
	else
		lane->nrunning++;
	pipe_start(lane->pipe, call);
}

static void
fail_queued(struct api_call *call, const char *why)
{
	struct api_response response = { .body = "",
		.error = why,
		.unsent = true };

	dequeue(call);
	conclude(call, &response);
}

/* Whether the lane's connections take the call now. */
static bool
has_room(const struct lane *lane, const struct api_call *call)
{
	const struct pipe *pipe = lane->pipe;
	bool many = call->client->options.http1 || pipe == NULL;

	if (!many && !pipe->known)
		return pipe->nrunning < UNKNOWN_MAX;
	return is_stream(call) ||
	    lane->nrunning < (many || pipe->multiplexed ? LANE_MAX : HTTP1_MAX);
}

/* The call that may begin now, or NULL. */
static struct api_call *
next_call(const struct lane *lane)
{
	struct api_call *call = TAILQ_FIRST(&lane->queue);
	size_t max = LANE_MAX;

	if (call == NULL) {
		call = TAILQ_FIRST(&lane->low_priority);
		max = LOW_PRIORITY_MAX;
	}
	if (call == NULL || call->urgent)
		return call;
	return (is_stream(call) || lane->nrunning < max) &&
		has_room(lane, call) ?
	    call :
	    NULL;
}

/* false: nothing more can be started in any lane. */
static bool
pump_lane(struct api_client *client, struct lane *lane)
{
	const struct api_options *options = &client->options;
	struct api_call *call;
	struct err err;
	/* Calls that callbacks add meanwhile wait for the next turn. */
	size_t n = lane->nqueued;

	for (; n > 0 && (call = next_call(lane)) != NULL; n--) {
		switch (credentials_check(client->credentials, &err)) {
		case CREDENTIALS_READY:
			break;
		case CREDENTIALS_PENDING:
			return false;
		case CREDENTIALS_FAILED:
			fail_queued(call, err.text);
			continue;
		}
		if (!is_wanted(call)) {
			fail_queued(call, "it is no longer wanted");
			continue;
		}
		if (call->of_leader && options->may_write != NULL &&
		    !options->may_write(options->arg)) {
			fail_queued(call, "the leader lock is lost");
			continue;
		}
		if (!call->urgent && !take_token(client))
			return false;
		start(client, lane, call);
	}
	return true;
}

static void
on_pump(evutil_socket_t fd, short what, void *arg)
{
	static const enum api_lane order[] = { API_BINDS, API_WATCHES,
		API_REST };
	struct api_client *client = arg;

	collect_cancelled(client);
	for (size_t i = 0; i < LENGTH(order); i++)
		tidy(client, &client->lanes[order[i]]);
	for (size_t i = 0; i < LENGTH(order); i++)
		if (!pump_lane(client, &client->lanes[order[i]]))
			return;
}

static void
on_credentials(void *arg)
{
	client_wake(arg);
}

/* ---- silence ---- */

void
client_probe(struct pipe *pipe)
{
	struct api_client *client = pipe->client;
	struct api_call *call;

	if (pipe->probe != NULL)
		return;
	call = pipe->probe = xcalloc(1, sizeof(*call));
	call->client = client;
	call->lane = pipe->lane;
	call->probe = true;
	call->method = xstrdup("GET");
	call->path = xstrdup("/version");
	call->timeout_ms = client->options.probe_timeout_ms;
	call->max_answer = client->options.max_answer;
	pipe_start(pipe, call);
}

static struct api_call *
find_silent_stream(struct api_client *client)
{
	int64_t since = clock_ms() - client->options.stream_silence_ms;
	struct api_call *call;
	struct pipe *pipe;

	TAILQ_FOREACH (pipe, &client->lanes[API_WATCHES].pipes, link)
		TAILQ_FOREACH (call, &pipe->running, link)
			if (is_stream(call) && call->heard <= since)
				return call;
	return NULL;
}

static void
on_watch(evutil_socket_t fd, short what, void *arg)
{
	struct api_client *client = arg;
	struct api_call *call;
	struct pipe *pipe;

	/* The callback of one may cancel others. */
	while ((call = find_silent_stream(client)) != NULL) {
		call->silent = true;
		abandon(call, "the watch stream timed out: no data received");
	}
	TAILQ_FOREACH (pipe, &client->lanes[API_WATCHES].pipes, link)
		if (pipe->nrunning > 0 && pipe->multiplexed &&
		    clock_ms() - pipe->heard >= client->options.silence_ms)
			client_probe(pipe);
}

/* ---- clients ---- */

/*
 * Curl takes the name for TLS from the URL.  So the URL gets that name, curl
 * gets the real address, and the header Host keeps the URL's host.
 */
static void
set_url(struct api_client *client)
{
	const struct api_config *config = client->config;
	CURLU *url;
	char *host = NULL, *port = NULL, *full = NULL, *line;

	client->url_base = xstrdup(config->server);
	if (config->tls_server_name == NULL)
		return;
	url = curl_url();
	if (curl_url_set(url, CURLUPART_URL, config->server, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) ==
		CURLUE_OK) {
		line = xasprintf("%s:%s:%s:%s", config->tls_server_name, port,
		    host, port);
		client->connect_list = curl_slist_append(NULL, line);
		free(line);
		client->host = xasprintf("%s:%s", host, port);
		curl_url_set(url, CURLUPART_HOST, config->tls_server_name, 0);
		if (curl_url_get(url, CURLUPART_URL, &full, 0) == CURLUE_OK) {
			free(client->url_base);
			client->url_base = xstrdup(full);
			/* Curl writes an empty path as "/". */
			line = client->url_base + strlen(full);
			if (line[-1] == '/')
				line[-1] = '\0';
		}
	}
	curl_free(host);
	curl_free(port);
	curl_free(full);
	curl_url_cleanup(url);
}

static void
set_options(struct api_client *client, const struct api_options *options)
{
	struct api_options *o = &client->options;

	*o = *options;
	client->user_agent =
	    xstrdup(o->user_agent != NULL ? o->user_agent : "predicated");
	o->timeout_ms = o->timeout_ms != 0 ? o->timeout_ms : 30000;
	o->connect_ms = o->connect_ms != 0 ? o->connect_ms : 10000;
	o->silence_ms = o->silence_ms != 0 ? o->silence_ms : 20000;
	o->max_answer = o->max_answer != 0 ? o->max_answer : ANSWER_MAX;
	o->probe_timeout_ms =
	    o->probe_timeout_ms != 0 ? o->probe_timeout_ms : 10000;
	o->stream_silence_ms =
	    o->stream_silence_ms != 0 ? o->stream_silence_ms : 90000;
	o->burst = o->burst != 0 ? o->burst : 1;
	client->tokens = o->burst;
	client->tokens_at = clock_ms();
}

struct api_client *
api_client_new(struct event_base *base, struct api_config *config,
    const struct api_options *options)
{
	struct api_client *client = xcalloc(1, sizeof(*client));

	signal(SIGPIPE, SIG_IGN);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	client->base = base;
	client->config = config;
	set_options(client, options);
	client->http1 = options->http1;
	set_url(client);
	client->credentials =
	    credentials_new(base, config, on_credentials, client);
	TAILQ_INIT(&client->waiting);
	for (int i = 0; i < API_LANES; i++) {
		TAILQ_INIT(&client->lanes[i].queue);
		TAILQ_INIT(&client->lanes[i].low_priority);
		TAILQ_INIT(&client->lanes[i].pipes);
	}
	client->pump = evtimer_new(base, on_pump, client);
	client->watch = event_new(base, -1, EV_PERSIST, on_watch, client);
	timer_start(client->watch, client->options.silence_ms / 4 + 1);
	return client;
}

static void
free_lane(struct lane *lane)
{
	struct api_call *call;
	struct pipe *pipe;

	while ((call = TAILQ_FIRST(&lane->queue)) != NULL ||
	    (call = TAILQ_FIRST(&lane->low_priority)) != NULL)
		api_cancel(call);
	while ((pipe = TAILQ_FIRST(&lane->pipes)) != NULL) {
		while ((call = TAILQ_FIRST(&pipe->running)) != NULL) {
			pipe_stop(call);
			free_call(call);
		}
		TAILQ_REMOVE(&lane->pipes, pipe, link);
		pipe_free(pipe);
	}
}

void
api_client_free(struct api_client *client)
{
	struct api_call *call;

	if (client == NULL)
		return;
	while ((call = TAILQ_FIRST(&client->waiting)) != NULL)
		api_cancel(call);
	for (int i = 0; i < API_LANES; i++)
		free_lane(&client->lanes[i]);
	while (client->nspare > 0)
		curl_easy_cleanup(client->spare[--client->nspare]);
	event_free(client->pump);
	event_free(client->watch);
	credentials_free(client->credentials);
	api_config_free(client->config);
	curl_slist_free_all(client->connect_list);
	free(client->user_agent);
	free(client->url_base);
	free(client->host);
	free(client);
	curl_global_cleanup();
}

const struct api_config *
api_client_config(const struct api_client *client)
{
	return client->config;
}

struct event_base *
api_client_base(const struct api_client *client)
{
	return client->base;
}

bool
api_writes_protobuf(const struct api_client *client)
{
	return !client->options.json_bodies;
}

size_t
api_queued(const struct api_client *client, enum api_lane lane)
{
	return client->lanes[lane].nqueued;
}

size_t
api_running(const struct api_client *client, enum api_lane lane)
{
	return client->lanes[lane].nrunning + client->lanes[lane].nstreams;
}

int64_t
api_silent_ms(const struct api_client *client)
{
	return client->asked_ms == 0 ? 0 : clock_ms() - client->asked_ms;
}

/* ---- calls ---- */

struct api_call *
api_send(struct api_client *client, const struct api_request *request)
{
	struct api_call *call = xcalloc(1, sizeof(*call));

	call->client = client;
	call->lane = request->lane;
	call->method =
	    xstrdup(request->method != NULL ? request->method : "GET");
	call->path = xstrdup(request->path);
	if (request->body != NULL) {
		call->body_len = request->body_len > 0 ? request->body_len :
							 strlen(request->body);
		call->body = xmalloc(call->body_len + 1);
		memcpy(call->body, request->body, call->body_len);
		call->body[call->body_len] = '\0';
		call->content_type = xstrdup(request->content_type != NULL ?
			request->content_type :
			JSON_TYPE);
	}
	call->max_answer = request->max_answer > 0 ? request->max_answer :
						     client->options.max_answer;
	call->timeout_ms = request->timeout_ms > 0 ? request->timeout_ms :
						     client->options.timeout_ms;
	call->deadline = clock_ms() + request->retry_ms;
	call->protobuf = request->protobuf && !client->options.json_answers;
	call->any_type = request->any_type;
	call->urgent = request->urgent;
	call->low_priority = request->low_priority;
	call->of_leader = request->of_leader;
	call->wanted = request->wanted;
	call->on_data = request->on_data;
	call->on_done = request->on_done;
	call->arg = request->arg;
	enqueue(call);
	return call;
}

bool
api_is_protobuf(const struct api_call *call)
{
	return call->is_protobuf;
}

bool
api_is_answered(const struct api_call *call)
{
	return call != NULL && call->state == CALL_RUNNING && call->answered;
}

bool
api_is_sent(const struct api_call *call)
{
	return call != NULL && call->state == CALL_RUNNING;
}

void
api_cancel(struct api_call *call)
{
	if (call == NULL)
		return;
	switch (call->state) {
	case CALL_QUEUED:
		dequeue(call);
		free_call(call);
		break;
	case CALL_WAITING:
		TAILQ_REMOVE(&call->client->waiting, call, link);
		free_call(call);
		break;
	case CALL_RUNNING:
		call->cancelled = true;
		if (call->client->in_curl > 0) {
			call->client->cancelled = true;
			client_wake(call->client);
			return;
		}
		pipe_stop(call);
		client_finished(call, CURLE_OK, 0, false);
		break;
	}
}

/* ---- answers ---- */

struct doc *
api_response_doc(const struct api_response *response)
{
	if (response->protobuf)
		return protobuf_parse("answer", response->body, response->len,
		    &doc_limits_people, NULL);
	return response->body[0] == '{' ?
	    doc_parse("answer", response->body, response->len,
		&doc_limits_people, NULL) :
	    NULL;
}

void
api_explain(const struct api_response *response, struct err *err)
{
	char message[512] = "";
	const char *text = "";
	struct doc *doc;

	if (response->status == 0) {
		errf(err, "%s", response->error);
		return;
	}
	doc = api_response_doc(response);
	if (doc != NULL) {
		doc_get_string(doc_root(doc), "message", "message", &text,
		    NULL);
		snprintf(message, sizeof(message), "%s", text);
		doc_free(doc);
	}
	if (message[0] == '\0' && !response->protobuf)
		snprintf(message, sizeof(message), "%.200s", response->body);
	message[strcspn(message, "\r\n")] = '\0';
	errf(err, "HTTP %d%s%s", response->status,
	    message[0] != '\0' ? ": " : "", message);
}

const char *
api_sentence(const struct err *explained)
{
	const char *colon = strstr(explained->text, ": ");

	return colon != NULL && strncmp(explained->text, "HTTP ", 5) == 0 ?
	    colon + 2 :
	    explained->text;
}
