/*
 * Answers that a healthy API server never gives: the client and the reflector
 * against a scripted server in the same process (HTTP/1.1, one event loop).
 */
#include "config.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/list_page.h"
#include "wire/api/listing.h"
#include "wire/api/protobuf.h"
#include "wire/api/watch.h"
#include "wire/api/wire.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "t/lib/t.h"

/* A step sets only the members that matter. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/*
 * The server: each request takes the first step not yet taken whose path it
 * has in it.
 */

enum after {
	END,  /* a complete answer */
	CUT,  /* the connection breaks in the middle */
	HOLD, /* nothing more comes */
};

struct step {
	const char *path; /* contained in method and path */
	int status;       /* 0: no answer at all */
	const char *body;
	enum after after;
	const char *retry_after;
	int times; /* 0 is 1; -1: for ever */
};

static struct event_base *base;
static struct evhttp *server;
static int port;
static struct step steps[32];
static struct evhttp_request *held[400];
static size_t nheld;
static size_t requests;
static char *unexpected;
static char *authorization; /* of the last request */
static bool compressed;     /* the last request would accept it, too */

/* Who takes protobuf gets JSON, protobuf, or is sent away. */
static enum { JSON, PROTOBUF, REFUSED } speaks;
static size_t refused;

static struct step *
next_step(const char *what)
{
	for (size_t i = 0; i < LENGTH(steps) && steps[i].path != NULL; i++)
		if (steps[i].times != 0 &&
		    strstr(what, steps[i].path) != NULL) {
			if (steps[i].times > 0)
				steps[i].times--;
			return &steps[i];
		}
	return NULL;
}

static const char *
method_of(struct evhttp_request *request)
{
	switch (evhttp_request_get_command(request)) {
	case EVHTTP_REQ_GET:
		return "GET";
	case EVHTTP_REQ_POST:
		return "POST";
	default:
		return "?";
	}
}

static bool
takes_protobuf(struct evhttp_request *request)
{
	const char *accept =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Accept");

	return accept != NULL && strstr(accept, "protobuf") != NULL;
}

/*
 * The scripted pods, lists and events in protobuf.
 */

static void
put_member(struct text *message, uint32_t number, const struct doc_node *object,
    const char *key)
{
	const char *text = "";

	doc_get_string(object, key, key, &text, NULL);
	wire_put_string(message, number, text);
}

static void
put_pod(struct text *message, const struct doc_node *pod)
{
	const struct doc_node *from = doc_get(pod, "metadata");
	struct text metadata = { 0 };

	put_member(&metadata, 1, from, "name");
	put_member(&metadata, 3, from, "namespace");
	put_member(&metadata, 5, from, "uid");
	put_member(&metadata, 6, from, "resourceVersion");
	wire_put_message(message, 1, &metadata);
}

static void
put_list(struct text *out, const struct doc_node *list)
{
	const struct doc_node *item = doc_get(list, "items")->first;
	struct text message = { 0 }, part = { 0 };

	put_member(&part, 2, doc_get(list, "metadata"), "resourceVersion");
	put_member(&part, 3, doc_get(list, "metadata"), "continue");
	wire_put_message(&message, 1, &part);
	for (; item != NULL; item = item->next) {
		put_pod(&part, item);
		wire_put_message(&message, 2, &part);
	}
	protobuf_put(out, "v1", "PodList", &message);
}

static void
put_status(struct text *out, const struct doc_node *status)
{
	struct text message = { 0 };
	int64_t code = 0;

	doc_get_int(status, "code", "code", 0, 999, &code, NULL);
	wire_put_number(&message, 6, (uint64_t)code);
	protobuf_put(out, "v1", "Status", &message);
}

/* Four bytes with the length before it. */
static void
put_frame(struct text *out, size_t len, struct text *frame)
{
	const char header[4] = { 0, 0, (char)(len >> 8), (char)len };

	text_append(out, header, sizeof(header));
	text_append(out, frame->bytes, frame->len);
	text_fini(frame);
}

static void
put_event(struct text *out, const struct doc_node *event)
{
	const struct doc_node *object = doc_get(event, "object");
	struct text message = { 0 }, raw = { 0 }, extension = { 0 };

	if (doc_get(object, "code") != NULL) {
		put_status(&raw, object);
	} else {
		put_pod(&message, object);
		protobuf_put(&raw, "v1", "Pod", &message);
	}
	wire_put_message(&extension, 1, &raw);
	put_member(&message, 1, event, "type");
	wire_put_message(&message, 2, &extension);
	put_frame(out, message.len, &message);
}

/* Text that is no JSON becomes a frame of it, or half a one. */
static void
translate(struct text *out, const char *json)
{
	const char *end;
	struct text frame = { 0 };
	struct doc *doc;
	size_t len;

	for (; *json != '\0'; json += len) {
		end = strchr(json, '\n');
		len = end != NULL ? (size_t)(end + 1 - json) : strlen(json);
		doc = doc_parse("x", json, len, &doc_limits_people, NULL);
		if (doc == NULL) {
			text_append(&frame, json, len);
			put_frame(out, end != NULL ? len : len + 10, &frame);
		} else if (doc_get(doc_root(doc), "items") != NULL) {
			put_list(out, doc_root(doc));
		} else if (doc_get(doc_root(doc), "type") != NULL) {
			put_event(out, doc_root(doc));
		} else {
			put_status(out, doc_root(doc));
		}
		doc_free(doc);
	}
}

static void
answer(struct evhttp_request *request, const struct step *step)
{
	struct evbuffer *body = evbuffer_new();
	struct text text = { 0 };

	if (speaks == PROTOBUF && takes_protobuf(request)) {
		translate(&text, step->body);
		evhttp_add_header(evhttp_request_get_output_headers(request),
		    "Content-Type", "application/vnd.kubernetes.protobuf;x=y");
	} else {
		text_put(&text, step->body);
	}
	evbuffer_add(body, text.bytes, text.len);
	text_fini(&text);
	if (step->retry_after != NULL)
		evhttp_add_header(evhttp_request_get_output_headers(request),
		    "Retry-After", step->retry_after);
	if (step->after == END) {
		evhttp_send_reply(request, step->status, NULL, body);
	} else {
		evhttp_send_reply_start(request, step->status, NULL);
		evhttp_send_reply_chunk(request, body);
		held[nheld++] = request;
	}
	evbuffer_free(body);
}

static void
on_cut(evutil_socket_t fd, short what, void *arg)
{
	evhttp_connection_free(evhttp_request_get_connection(arg));
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct timeval soon = { .tv_usec = 50000 };
	char *what = xasprintf("%s %s", method_of(request),
	    evhttp_request_get_uri(request));
	const char *header =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Authorization");
	struct step *step;

	if (speaks == REFUSED && takes_protobuf(request)) {
		refused++;
		evhttp_send_error(request, 406, NULL);
		free(what);
		return;
	}
	step = next_step(what);
	requests++;
	free(authorization);
	authorization = xstrdup(header != NULL ? header : "");
	compressed =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Accept-Encoding") != NULL;
	if (step == NULL) {
		free(unexpected);
		unexpected = xstrdup(what);
		evhttp_send_error(request, 500, NULL);
	} else if (step->status == 0) {
		held[nheld++] = request;
	} else {
		answer(request, step);
		if (step->after == CUT) {
			nheld--;
			event_base_once(base, -1, EV_TIMEOUT, on_cut, request,
			    &soon);
		}
	}
	free(what);
}

/* Requests whose client went away are ours to free. */
static void
free_held(void)
{
	size_t n = 0;

	for (size_t i = 0; i < nheld; i++)
		if (evhttp_request_get_connection(held[i]) != NULL)
			held[n++] = held[i];
		else
			evhttp_request_free(held[i]);
	nheld = n;
}

static void
set_steps(const struct step *list, size_t n)
{
	free_held();
	memset(steps, 0, sizeof(steps));
	for (size_t i = 0; i < n; i++) {
		steps[i] = list[i];
		if (steps[i].times == 0)
			steps[i].times = 1;
		if (steps[i].body == NULL)
			steps[i].body = "";
	}
	requests = 0;
	free(unexpected);
	unexpected = NULL;
}

#define STEPS(...)                                                             \
	do {                                                                   \
		static const struct step list[] = { __VA_ARGS__ };             \
		set_steps(list, LENGTH(list));                                 \
	} while (0)

static void
start_server(void)
{
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	server = evhttp_new(base);
	evhttp_set_gencb(server, on_request, NULL);
	bound = evhttp_bind_socket_with_handle(server, "127.0.0.1", 0);
	getsockname(evhttp_bound_socket_get_fd(bound),
	    (struct sockaddr *)&address, &len);
	port = ntohs(address.sin_port);
}

/*
 * The client
 */

static struct api_client *
new_client(const struct api_options *options, const char *token_file)
{
	struct api_config *config = xcalloc(1, sizeof(*config));

	config->server =
	    arena_printf(&config->arena, "http://127.0.0.1:%d", port);
	config->token_file = token_file;
	return api_client_new(base, config, options);
}

static struct {
	size_t n;
	int status;
	bool unsent, silent;
	int64_t retry_after_ms;
	char text[256];
	struct api_call *victim; /* to be cancelled by on_data */
	size_t bytes;
} heard;

static void
on_done(void *arg, const struct api_response *response)
{
	heard.n++;
	heard.status = response->status;
	heard.unsent = response->unsent;
	heard.silent = response->silent;
	heard.retry_after_ms = response->retry_after_ms;
	snprintf(heard.text, sizeof(heard.text), "%s",
	    response->error != NULL ? response->error : response->body);
}

static void
on_data(void *arg, const char *bytes, size_t len)
{
	heard.bytes += len;
	api_cancel(heard.victim);
	heard.victim = NULL;
}

static struct api_call *
ask(struct api_client *client, enum api_lane lane, const char *method,
    int64_t timeout_ms, int64_t retry_ms)
{
	return api_send(client,
	    &(struct api_request){ .lane = lane,
		.method = method,
		.path = "/x",
		.body = strcmp(method, "POST") == 0 ? "{}" : NULL,
		.timeout_ms = timeout_ms,
		.retry_ms = retry_ms,
		.on_done = on_done });
}

static void
nothing(evutil_socket_t fd, short what, void *arg)
{
}

static bool
run_until(const size_t *count, size_t want, int64_t ms)
{
	int64_t end = clock_ms() + ms;
	struct event *tick = event_new(base, -1, EV_PERSIST, nothing, NULL);
	struct timeval often = { .tv_usec = 10000 };

	event_add(tick, &often);
	while (*count != want && clock_ms() < end)
		event_base_loop(base, EVLOOP_ONCE);
	event_free(tick);
	return *count == want;
}

static void
run_for(int64_t ms)
{
	size_t never = 0;

	run_until(&never, 1, ms);
}

static void
answers_are_repeated_when_they_may_be(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ 0 }, NULL);
	int64_t start;

	memset(&heard, 0, sizeof(heard));
	STEPS({ "POST", 429, .retry_after = "1" }, { "POST", 201, "made" });
	start = clock_ms();
	ask(client, API_REST, "POST", 0, 10000);
	run_until(&heard.n, 1, 10000);
	t_str("429", heard.text, "made");
	t_true("after what was asked", clock_ms() - start >= 1000);

	STEPS({ "POST", 429, .retry_after = "9" });
	ask(client, API_REST, "POST", 0, 5000);
	run_until(&heard.n, 2, 10000);
	t_int("not beyond our time", heard.status, 429);

	STEPS({ "POST", 503, "no" }, { "POST", 201, "made" });
	ask(client, API_REST, "POST", 0, 10000);
	run_until(&heard.n, 3, 10000);
	t_int("503 to a POST stays", heard.status, 503);

	STEPS({ "GET", 503, .times = 2 }, { "GET", 200, "half", CUT },
	    { "GET", 200, "all" });
	ask(client, API_REST, "GET", 0, 10000);
	run_until(&heard.n, 4, 10000);
	t_str("503 to a GET, and half an answer", heard.text, "all");
	t_int("tries", requests, 4);

	STEPS({ "GET", 404, "no" });
	ask(client, API_REST, "GET", 0, 10000);
	run_until(&heard.n, 5, 10000);
	t_int("404 is an answer", heard.status, 404);
	t_str("nothing unexpected", unexpected, NULL);
	api_client_free(client);
}

/* A wrong number of a proxy would end a watch for good. */
static void
nobody_waits_longer_than_half_a_minute(void)
{
	static const struct {
		const char *asked;
		int64_t ms;
	} rows[] = { { "7", 7000 }, { "31", 30000 }, { "99999", 30000 },
		{ "99999999999999999999", 30000 }, { "-1", 0 },
		{ "Sun, 29 Nov 2026 03:00:00 GMT", 0 } };
	static const enum api_lane lanes[] = { API_WATCHES, API_BINDS,
		API_REST };
	struct api_client *client =
	    new_client(&(struct api_options){ 0 }, NULL);

	memset(&heard, 0, sizeof(heard));
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t k = 0; k < LENGTH(lanes); k++) {
			STEPS({ "GET", 503 });
			steps[0].retry_after = rows[i].asked;
			ask(client, lanes[k], "GET", 0, 0);
			run_until(&heard.n, heard.n + 1, 5000);
			t_int(rows[i].asked, heard.retry_after_ms, rows[i].ms);
		}
	api_client_free(client);
}

static void
nobody_there(void)
{
	struct api_client *client;
	int real = port;
	int64_t start = clock_ms();

	memset(&heard, 0, sizeof(heard));
	port = 1;
	client = new_client(&(struct api_options){ 0 }, NULL);
	ask(client, API_BINDS, "POST", 0, 1000);
	run_until(&heard.n, 1, 10000);
	t_int("no status", heard.status, 0);
	t_true("certainly not sent", heard.unsent);
	t_has("why", heard.text, "Failed to connect");
	t_true("tried for a while", clock_ms() - start >= 200);
	api_client_free(client);
	port = real;
}

static void
nobody_answers(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ 0 }, NULL);

	memset(&heard, 0, sizeof(heard));
	STEPS({ "POST", 0 }, { "POST", 201, "made" });
	ask(client, API_BINDS, "POST", 200, 5000);
	run_until(&heard.n, 1, 10000);
	t_int("no status", heard.status, 0);
	t_true("perhaps it was seen", !heard.unsent);
	t_has("why", heard.text, "timed out");
	t_int("so it is not repeated", requests, 1);
	ask(client, API_BINDS, "POST", 200, 5000);
	run_until(&heard.n, 2, 10000);
	t_int("the next one", heard.status, 201);
	api_client_free(client);
}

static void
binds_do_not_wait_for_others(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ .http1 = true }, NULL);
	struct api_call *calls[150];

	memset(&heard, 0, sizeof(heard));
	STEPS({ "GET", 0, .times = -1 }, { "POST", 201 });
	for (size_t i = 0; i < LENGTH(calls); i++)
		calls[i] = ask(client, API_REST, "GET", 0, 0);
	run_until(&requests, 99, 5000);
	t_int("under way", api_running(client, API_REST), 99);
	t_int("waiting", api_queued(client, API_REST), 51);
	ask(client, API_BINDS, "POST", 0, 0);
	run_until(&heard.n, 1, 5000);
	t_int("bound", heard.status, 201);
	for (size_t i = 0; i < LENGTH(calls); i++)
		api_cancel(calls[i]);
	t_int("nothing left",
	    api_running(client, API_REST) + api_queued(client, API_REST), 0);
	run_for(50);
	t_int("no other caller was called", heard.n, 1);
	api_client_free(client);
}

static void
patient_calls_let_others_go_first(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ .http1 = true }, NULL);
	const struct api_request low_priority = {
		.lane = API_REST,
		.path = "/x",
		.low_priority = true,
		.on_done = on_done,
	};
	struct api_call *calls[30];

	memset(&heard, 0, sizeof(heard));
	STEPS({ "GET", 0, .times = -1 });
	for (size_t i = 0; i < LENGTH(calls); i++)
		calls[i] = api_send(client, &low_priority);
	run_for(50);
	t_int("a few are under way", api_running(client, API_REST), 16);
	t_int("the others wait", api_queued(client, API_REST), 14);
	ask(client, API_REST, "GET", 0, 0);
	run_for(50);
	t_int("another goes first", api_running(client, API_REST), 17);
	t_int("they still wait", api_queued(client, API_REST), 14);
	for (size_t i = 0; i < 10; i++)
		api_cancel(calls[i]);
	run_for(50);
	t_int("more are sent", api_running(client, API_REST), 16);
	t_int("and fewer wait", api_queued(client, API_REST), 5);
	api_client_free(client);
}

static bool
ask_flag(void *arg)
{
	return *(const bool *)arg;
}

/* Nor one that was refused for the moment. */
static void
nothing_of_a_leader_is_sent_without_the_lock(void)
{
	bool leads = true;
	struct api_client *client =
	    new_client(&(struct api_options){ .may_write = ask_flag,
			   .arg = &leads },
		NULL);
	const struct api_request request = { .lane = API_BINDS,
		.method = "POST",
		.path = "/x",
		.retry_ms = 3000,
		.of_leader = true,
		.on_done = on_done };

	memset(&heard, 0, sizeof(heard));
	STEPS({ "POST", 429 }, { "GET", 200 });
	api_send(client, &request);
	run_until(&requests, 1, 5000);
	run_for(20);
	leads = false;
	ask(client, API_BINDS, "GET", 0, 0);
	run_until(&heard.n, 2, 10000);
	t_int("it was not sent again", requests, 2);
	t_true("and says so", heard.unsent);
	t_has("why", heard.text, "the leader lock is lost");
	api_client_free(client);
}

static void
what_is_no_longer_wanted_is_not_sent_again(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ 0 }, NULL);
	bool wanted = true;
	const struct api_request request = { .lane = API_REST,
		.method = "POST",
		.path = "/x",
		.retry_ms = 60000,
		.wanted = ask_flag,
		.on_done = on_done,
		.arg = &wanted };

	memset(&heard, 0, sizeof(heard));
	STEPS({ "POST", 429 }, { "POST", 429 });
	api_send(client, &request);
	run_until(&requests, 1, 5000);
	run_for(20);
	t_int("it waits for its next try", heard.n, 0);
	wanted = false;
	run_until(&heard.n, 1, 10000);
	t_int("which is not made", requests, 1);
	t_true("and that is said", heard.unsent);
	api_client_free(client);
}

static void
cancelled_calls_are_silent(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ 0 }, NULL);
	struct api_call *call;

	memset(&heard, 0, sizeof(heard));
	STEPS({ "GET", 429 }, { "GET", 200, "data", HOLD },
	    { "GET", 200, "more" });
	call = ask(client, API_REST, "GET", 0, 60000);
	run_until(&requests, 1, 5000);
	run_for(20);
	api_cancel(call); /* while it waits a second for its next try */
	heard.victim = api_send(client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = "/x",
		.on_data = on_data,
		.on_done = on_done });
	run_until(&heard.bytes, 4, 5000);
	run_for(50);
	t_int("from within its own callback", heard.bytes, 4);
	t_int("no caller was called", heard.n, 0);
	t_int("nothing under way", api_running(client, API_WATCHES), 0);
	ask(client, API_WATCHES, "GET", 0, 0);
	run_until(&heard.n, 1, 5000);
	t_str("the lane still works", heard.text, "more");
	api_client_free(client);
}

static void
our_own_limit_is_kept(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ .qps = 20, .burst = 3 }, NULL);
	int64_t start = clock_ms();

	memset(&heard, 0, sizeof(heard));
	STEPS({ "GET", 200, .times = -1 });
	for (int i = 0; i < 9; i++)
		ask(client, API_REST, "GET", 0, 0);
	run_until(&heard.n, 9, 10000);
	t_int("all answered", heard.n, 9);
	t_true("three at once, six at 20 a second",
	    clock_ms() - start >= 6 * 50 - 10);
	api_client_free(client);
}

static void
a_rejected_token_is_read_again(void)
{
	char path[] = "/tmp/predicated-token-XXXXXX";
	struct api_client *client;
	int fd = mkstemp(path);

	memset(&heard, 0, sizeof(heard));
	t_int("written", write(fd, "one", 3), 3);
	client = new_client(&(struct api_options){ 0 }, path);
	STEPS({ "GET", 200 }, { "GET", 401, .times = 2 }, { "GET", 200 });
	ask(client, API_REST, "GET", 0, 0);
	run_until(&heard.n, 1, 5000);
	t_str("token", authorization, "Bearer one");
	t_true("the server need not compress", !compressed);
	ask(client, API_REST, "GET", 0, 0);
	run_until(&heard.n, 2, 5000);
	t_int("nothing new to show", heard.status, 401);
	t_int("so not repeated", requests, 2);
	t_int("written", pwrite(fd, "two!", 4, 0), 4);
	ask(client, API_REST, "GET", 0, 0);
	run_until(&heard.n, 3, 5000);
	t_int("repeated", heard.status, 200);
	t_str("with the new one", authorization, "Bearer two!");
	close(fd);
	unlink(path);
	api_client_free(client);
}

static void
send_watch(struct api_client *client)
{
	api_send(client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = "/x",
		.timeout_ms = 60000,
		.on_data = on_data,
		.on_done = on_done });
}

static void
one_silent_stream_is_ended(void)
{
	struct api_client *client =
	    new_client(&(struct api_options){ .silence_ms = 100,
			   .stream_silence_ms = 400 },
		NULL);
	int64_t start = clock_ms();

	memset(&heard, 0, sizeof(heard));
	STEPS({ "/x", 200, "data", HOLD });
	send_watch(client);
	run_until(&heard.n, 1, 10000);
	t_str("though the server answers others", heard.text,
	    "the watch stream timed out: no data received");
	t_true("nothing else is known to be wrong", heard.silent);
	t_true("not before", clock_ms() - start >= 400);
	t_str("nothing unexpected", unexpected, NULL);
	api_client_free(client);
}

/*
 * The reflector
 */

static struct {
	struct text log;
	size_t synced, removed, problems;
	char *why; /* the last one was left out */
} seen;

/* Each object takes a millisecond, and so often the loop had its turn between
 * the first and the last that was put. */
static bool slow;
static size_t nput, nturns, nturns_by_last;
static struct event *turn;

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	int64_t until_us = clock_us() + 1000;

	if (slow && nput++ == 0)
		event_active(turn, EV_TIMEOUT, 0);
	while (slow && clock_us() < until_us)
		continue;
	nturns_by_last = nturns;
	text_put(&seen.log, " +");
	text_put(&seen.log, object->name);
	text_put(&seen.log, object->resource_version);
}

static void
on_removed(void *arg, struct object *object)
{
	text_put(&seen.log, " -");
	text_put(&seen.log, object->name);
	text_put(&seen.log, object->resource_version);
	seen.removed++;
}

static void
on_synced(void *arg)
{
	text_put(&seen.log, " synced");
	seen.synced++;
}

static void
on_problem(void *arg, const char *text)
{
	seen.problems++;
}

static bool
on_left_out(void *arg, struct object *object, struct object *before,
    const char *why)
{
	text_put(&seen.log, " !");
	text_put(&seen.log, object->name);
	text_put(&seen.log, object->resource_version);
	if (object->kind == OBJECT_POD &&
	    ((struct pod *)object)->node != SYM_EMPTY) {
		text_put(&seen.log, "@");
		text_put(&seen.log, sym_text(((struct pod *)object)->node));
	}
	free(seen.why);
	seen.why = xstrdup(why);
	return before == NULL || before->partial != PARTIAL_NONE;
}

static void
on_readmit(void *arg, const struct object *object)
{
	text_put(&seen.log, " ok:");
	text_put(&seen.log, object->name);
}

static const struct reflector_ops ops = { .put = on_put,
	.removed = on_removed,
	.synced = on_synced,
	.left_out = on_left_out,
	.readmit = on_readmit,
	.problem = on_problem };

/* A pod: name, uid, resourceVersion. */
#define POD(name, uid, version)                                                \
	"{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"      \
	"\"" name "\",\"namespace\":\"d\",\"uid\":\"" uid                      \
	"\",\"resourceVersion\":\"" version "\"},\"spec\":{}}"
#define EVENT(type, object) "{\"type\":\"" type "\",\"object\":" object "}\n"
#define LIST(version, next, items)                                             \
	"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{"           \
	"\"resourceVersion\":\"" version "\",\"continue\":\"" next             \
	"\"},\"items\":[" items "]}"
#define EXPIRED(next)                                                          \
	"{\"kind\":\"Status\",\"metadata\":{\"continue\":\"" next              \
	"\"},\"message\":\"too old\"}"
#define FIRST_PAGE "GET /api/v1/pods?limit=500"

static void
watch_pods_until(const size_t *count, size_t want,
    const struct api_options *options, const char *log)
{
	static const char *const v1[] = { "v1", NULL };
	struct api_client *client = new_client(options, NULL);
	struct reflector *reflector;

	memset(&seen, 0, sizeof(seen));
	reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods", .versions = v1 },
	    &ops, NULL);
	t_true("all steps", run_until(count, want, 20000));
	run_for(50);
	t_str("what was reported", seen.log.bytes, log);
	t_str("nothing unexpected", unexpected, NULL);
	text_fini(&seen.log);
	reflector_free(reflector);
	api_client_free(client);
}

static void
watch_pods(size_t requests_expected, const char *log)
{
	watch_pods_until(&requests, requests_expected,
	    &(struct api_options){ 0 }, log);
}

/* clang-format off */
static void
broken_streams_lose_and_repeat_nothing(void)
{
	STEPS({ FIRST_PAGE, 200,
		LIST("10", "", POD("a", "1", "5") "," POD("b", "2", "6")) },
	    /* Cut within an event. */
	    { "resourceVersion=10&", 200,
		EVENT("ADDED", POD("c", "3", "11"))
		"{\"type\":\"MODIFIED\",\"object\":{\"ki", CUT },
	    /* Repeated and late events. */
	    { "resourceVersion=11&", 200,
		EVENT("ADDED", POD("c", "3", "11"))
		EVENT("MODIFIED", POD("a", "1", "12"))
		EVENT("ADDED", POD("c", "3", "11"))
		EVENT("MODIFIED", POD("a", "1", "12"))
		EVENT("DELETED", POD("b", "2", "13"))
		EVENT("ADDED", POD("b", "2", "6"))
		EVENT("DELETED", POD("b", "2", "13"))
		EVENT("DELETED", POD("a", "1", "9"))
		"oops\n", HOLD },
	    { "resourceVersion=13&", 200,
		EVENT("BOOKMARK", "{\"kind\":\"Pod\",\"metadata\":"
		    "{\"resourceVersion\":\"30\"}}") },
	    { "resourceVersion=30&", 200, "", HOLD });
	watch_pods(5, " +a5 +b6 synced +c11 +a12 -b6");
}
/* clang-format on */

static void
relists_report_the_differences(void)
{
	STEPS({ FIRST_PAGE, 200,
		  LIST("10", "",
		      POD("a", "1", "5") "," POD("b", "2", "6") "," POD("c",
			  "3", "7") "," POD("e", "5", "8")) },
	    { "watch=true", 200,
		EVENT("ERROR", "{\"kind\":\"Status\",\"code\":410}"), HOLD },
	    { FIRST_PAGE, 200, LIST("20", "more", POD("a", "1", "5")) },
	    /* The next page came too late: all over again. */
	    { "continue=more", 410, "{\"kind\":\"Status\"}" },
	    { FIRST_PAGE, 200, LIST("21", "again", POD("a", "1", "5")) },
	    { "continue=again", 200,
		LIST("21", "", POD("c", "4", "20") "," POD("e", "5", "19")) },
	    { "resourceVersion=21&", 200, "", HOLD });
	watch_pods(7, " +a5 +b6 +c7 +e8 synced -c7 +c20 +e19 -b6 synced");
}

/* A pod with a spec that may be anything. */
#define ODD_POD(name, uid, version, spec)                                      \
	"{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"      \
	"\"" name "\",\"namespace\":\"d\",\"uid\":\"" uid                      \
	"\",\"resourceVersion\":\"" version "\"},\"spec\":" spec "}"

/* clang-format off */
static void
what_cannot_be_decoded_is_left_out_alone(void)
{
	STEPS({ FIRST_PAGE, 200,
		LIST("10", "", POD("a", "1", "5") ","
		    ODD_POD("b", "2", "6", "7") ","
		    ODD_POD("c", "3", "7", "{\"nodeName\":\"n\",\"volumes\":8}")
		    ",{\"spec\":8}," ODD_POD("e", "5", "7", "{\"x\" 1}")
		    "," POD("f", "6", "8")) },
	    /* It stays as it was; it changes; it can be read again. */
	    { "resourceVersion=10&", 200,
		EVENT("MODIFIED", ODD_POD("a", "1", "11", "7"))
		EVENT("MODIFIED", ODD_POD("b", "2", "12", "[]"))
		EVENT("MODIFIED", POD("c", "3", "13"))
		EVENT("ADDED", ODD_POD("g", "7", "14",
		    "{\"nodeName\":\"n\",\"containers\":8,\"x\":[1 2]}"))
		EVENT("DELETED", ODD_POD("e", "5", "15", "7"))
		EVENT("ADDED", POD("h", "8", "16")) },
	    { "resourceVersion=16&", 410, "{\"kind\":\"Status\"}" },
	    { FIRST_PAGE, 200,
		LIST("20", "", ODD_POD("a", "1", "11", "7") ","
		    ODD_POD("b", "2", "12", "[]") "," POD("c", "3", "13") ","
		    POD("f", "6", "8") "," POD("h", "8", "16")) },
	    { "resourceVersion=20&", 200,
		EVENT("DELETED", ODD_POD("a", "1", "21", "{}"))
		EVENT("MODIFIED", POD("b", "2", "22")), HOLD });
	watch_pods(5, " +a5 !b6 !c7@n !e7 +f8 synced"
	    " !a11 !b12 ok:c +c13 !g14@n -e7 ok:e +h16"
	    " -g14 ok:g synced -a5 ok:a ok:b +b22");
	t_int("one has no name", seen.problems, 1);
	t_has("why", seen.why, "spec.containers must be an array");
	free(seen.why);
}

/* An object that is left out counts with the version that was received last. */
static void
what_is_known_is_compared_with_a_list(void)
{
	static const char *const v1[] = { "v1", NULL };
	struct api_client *client = new_client(&(struct api_options){ 0 }, NULL);
	const struct reflector_stats *stats;
	struct reflector *reflector;

	STEPS({ FIRST_PAGE "&resourceVersion=14&resourceVersionMatch=Exact", 200,
		LIST("14", "x", POD("a", "1", "5") ","
		    ODD_POD("b", "2", "12", "[]")) },
	    { "continue=x", 200, LIST("14", "", POD("c", "3", "7") ","
		    ODD_POD("e", "5", "14", "{\"x\" 1}")) },
	    { FIRST_PAGE "&resourceVersion=14", 200, LIST("15", "", "") },
	    { FIRST_PAGE "&resourceVersion=14", 200, LIST("14", "x", "") },
	    { "continue=x", 410, EXPIRED("rest") },
	    { FIRST_PAGE "&resourceVersion=14", 200,
		LIST("14", "", POD("a", "1", "5") ","
		    ODD_POD("b", "2", "12", "[]") "," POD("c", "3", "7") ","
		    ODD_POD("e", "5", "13", "7")) },
	    { FIRST_PAGE, 200, LIST("10", "", POD("a", "1", "5") ","
		    POD("b", "2", "6") "," POD("c", "3", "7") ","
		    POD("d", "4", "8")) },
	    { "resourceVersion=10&", 200,
		EVENT("MODIFIED", ODD_POD("b", "2", "12", "[]"))
		EVENT("DELETED", POD("d", "4", "13"))
		EVENT("ADDED", ODD_POD("e", "5", "14", "7")), HOLD },
	    { FIRST_PAGE, 200, LIST("15", "", POD("a", "1", "5") ","
		    ODD_POD("b", "2", "12", "[]") "," POD("c", "3", "7")) },
	    { "resourceVersion=15&", 200, "", HOLD });
	memset(&seen, 0, sizeof(seen));
	reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods", .versions = v1 },
	    &ops, NULL);
	stats = reflector_stats(reflector);
	reflector_check(reflector); /* nothing is known yet */
	for (size_t want = 2, i = 0; i < 4; i++) {
		t_true("a list and a watch", run_until(&requests, want, 20000));
		run_for(50);
		reflector_check(reflector);
		reflector_check(reflector); /* one at a time */
		want += i % 2 == 0 ? 2 : 1;
	}
	t_true("all steps", run_until(&requests, 10, 20000));
	run_for(50);
	t_int("the same", stats->checks[CONSISTENT], 1);
	t_int("not to be told", stats->checks[CONSISTENCY_UNKNOWN], 2);
	t_int("not the same", stats->checks[NOT_CONSISTENT], 1);
	t_str("which is mended", seen.log.bytes,
	    " +a5 +b6 +c7 +d8 synced !b12 -d8 !e14 -e14 ok:e synced");
	t_str("nothing unexpected", unexpected, NULL);
	text_fini(&seen.log);
	free(seen.why);
	reflector_free(reflector);
	api_client_free(client);
}

static void
what_no_watch_shows_is_behind(void)
{
	static const char *const v1[] = { "v1", NULL };
	struct api_client *client = new_client(&(struct api_options){ 0 }, NULL);
	struct reflector *reflector;

	STEPS({ FIRST_PAGE, 200, LIST("10", "", POD("a", "1", "5")) },
	    { "resourceVersion=10&", 200, "", HOLD },
	    { "resourceVersion=10&", 503, "no" },
	    { "resourceVersion=10&", 0 },
	    { "resourceVersion=10&", 200, "", HOLD });
	memset(&seen, 0, sizeof(seen));
	reflector = reflector_new(client,
	    &(struct reflector_spec){ .resource = "pods", .versions = v1 },
	    &ops, NULL);
	run_until(&requests, 2, 20000);
	run_for(50);
	t_int("a watch is open, of which nothing has come",
	    reflector_behind_ms(reflector), 0);
	reflector_resume(reflector);
	run_until(&requests, 3, 20000);
	run_for(50);
	t_true("it was refused", reflector_behind_ms(reflector) >= 50);
	run_until(&requests, 4, 20000);
	run_for(50);
	t_true("the next one is not answered",
	    reflector_behind_ms(reflector) >= 100);
	reflector_resume(reflector);
	run_until(&requests, 5, 20000);
	run_for(50);
	t_int("one is open again", reflector_behind_ms(reflector), 0);
	text_fini(&seen.log);
	reflector_free(reflector);
	api_client_free(client);
}

/* A document that needs to be whole, but cannot be. */
static bool
always(void *arg)
{
	return true;
}

static void
what_is_not_decoded_may_be_anything(void)
{
	static const char *const v1[] = { "v1", NULL };
	struct reflector_ops whole = ops;
	struct api_client *client;
	struct reflector *reflector;

	whole.whole = always;
	for (int i = 0; i < 2; i++) {
		STEPS({ FIRST_PAGE, 200,
			LIST("10", "", ODD_POD("a", "1", "5", "{\"x\":{1 2}}")) },
		    { "resourceVersion=10&", 200, EVENT("ADDED",
			ODD_POD("b", "2", "11", "{\"volumes\":[{\"csi\":"
			"{\"volumeAttributes\":{\"a\\u0000\":{NaN}}}}]}")),
			HOLD });
		client = new_client(&(struct api_options){ 0 }, NULL);
		memset(&seen, 0, sizeof(seen));
		reflector = reflector_new(client,
		    &(struct reflector_spec){ .resource = "pods",
			.versions = v1 }, i == 0 ? &ops : &whole, NULL);
		t_true("all steps", run_until(&requests, 2, 20000));
		run_for(50);
		t_str("decoded", seen.log.bytes, " +a5 synced +b11");
		t_int("nothing is left out", reflector_left_out(reflector), 0);
		text_fini(&seen.log);
		reflector_free(reflector);
		api_client_free(client);
	}
}
/* clang-format on */

static void
a_page_that_does_not_arrive_is_asked_for_in_smaller_ones(void)
{
	STEPS({ FIRST_PAGE, 200, LIST("10", "", POD("a", "1", "5")), CUT },
	    { "GET /api/v1/pods?limit=250", 200,
		LIST("10", "more", POD("a", "1", "5")) },
	    { "GET /api/v1/pods?limit=500&continue=more", 200,
		LIST("10", "", POD("b", "2", "5")), CUT },
	    { "GET /api/v1/pods?limit=250&continue=more", 200, "{", CUT },
	    { "GET /api/v1/pods?limit=125&continue=more", 200,
		LIST("10", "", POD("b", "2", "5")) },
	    { "watch=true", 410, "{\"kind\":\"Status\"}" },
	    { "pods?limit=250", 200, LIST("20", "", POD("a", "1", "5")) },
	    { "watch=true", 200, "", HOLD });
	watch_pods(8, " +a5 +b5 synced -b5 synced");
}

static void
a_server_that_went_back_in_time_is_listed_again(void)
{
	STEPS({ FIRST_PAGE, 200, LIST("100", "", POD("a", "1", "90")) },
	    { "resourceVersion=100&", 200,
		EVENT("BOOKMARK",
		    "{\"kind\":\"Pod\",\"metadata\":"
		    "{\"resourceVersion\":\"50\"}}"),
		HOLD },
	    { FIRST_PAGE, 200, LIST("50", "", POD("a", "1", "40")) },
	    { "resourceVersion=50&", 200, "", HOLD });
	watch_pods(4, " +a90 synced +a40 synced");
}

static void
a_silent_watch_goes_on_from_where_it_was(void)
{
	STEPS({ FIRST_PAGE, 200, LIST("10", "", POD("a", "1", "5")) },
	    { "resourceVersion=10&", 200, EVENT("ADDED", POD("b", "2", "11")),
		HOLD },
	    { "resourceVersion=11&", 200, "", HOLD },
	    { "resourceVersion=11&", 200, EVENT("DELETED", POD("b", "2", "12")),
		HOLD });
	watch_pods_until(&seen.removed, 1,
	    &(struct api_options){ .silence_ms = 400,
		.stream_silence_ms = 200 },
	    " +a5 synced +b11 -b11");
	t_int("nothing is wrong", seen.problems, 0);
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct timeval soon = { .tv_usec = 1000 };

	nturns++;
	event_add(turn, &soon);
}

#define SLOW_EVENTS 300

/* Events of pods p100, p101, … and the reports of the reflector. */
static char *
many_events(struct text *log)
{
	struct text stream = { 0 };

	for (int i = 100; i < 100 + SLOW_EVENTS; i++) {
		AUTOFREE char *event =
		    xasprintf(EVENT("ADDED", POD("p%d", "%d", "%d")), i, i, i);
		AUTOFREE char *said = xasprintf(" +p%d%d", i, i);

		text_put(&stream, event);
		text_put(log, said);
	}
	return text_take(&stream);
}

/* Events that wait when the stream ends are neither lost nor taken twice. */
static void
many_events_let_the_loop_have_its_turn(void)
{
	struct text log = { 0 };
	AUTOFREE char *events = NULL, *garbage = NULL;

	text_put(&log, " +a5 synced");
	events = many_events(&log);
	garbage = xasprintf("%soops\n", events);
	slow = true;
	turn = event_new(base, -1, 0, on_turn, NULL);
	for (int i = 0; i < 2; i++) {
		nput = nturns = nturns_by_last = 0;
		STEPS({ FIRST_PAGE, 200, LIST("10", "", POD("a", "1", "5")) },
		    { "resourceVersion=10&", 200, "", HOLD },
		    { "resourceVersion=399&", 200, "", HOLD });
		steps[1].body = i == 0 ? events : garbage;
		steps[1].after = i == 0 ? END : HOLD;
		watch_pods(3, log.bytes);
		t_int("problems", seen.problems, i);
		/* the rest of a stream that has ended is read at once */
		if (i == 1)
			t_true("turns", nturns_by_last >= 3);
		event_del(turn);
	}
	event_free(turn);
	text_fini(&log);
	slow = false;
}

static void
lists_that_make_no_sense_are_repeated(void)
{
	STEPS({ FIRST_PAGE, 200, "{\"kind\":\"PodList\",\"items\":[{\"metad" },
	    { FIRST_PAGE, 500, "{}" },
	    { FIRST_PAGE, 200, LIST("1", "", POD("a", "1", "1")), CUT },
	    { "pods?limit=250", 200, LIST("1", "", POD("a", "1", "1")) },
	    { "resourceVersion=1&", 200, "", HOLD });
	watch_pods(5, " +a1 synced");
}

static void
protobuf_is_read_as_json_is(void)
{
	speaks = PROTOBUF;
	broken_streams_lose_and_repeat_nothing();
	relists_report_the_differences();
	a_server_that_went_back_in_time_is_listed_again();
	a_silent_watch_goes_on_from_where_it_was();
	lists_that_make_no_sense_are_repeated();
	speaks = JSON;
}

static void
who_is_refused_protobuf_asks_for_json(void)
{
	speaks = REFUSED;
	refused = 0;
	relists_report_the_differences();
	t_int("each time", refused, 7);
	speaks = JSON;
}

/* ---- lists ---- */

static size_t ended;

static void
on_each(void *arg, const struct arrival *arrival, const char *version)
{
	const char *name = "?";

	doc_get_string(doc_get(arrival->root, "metadata"), "name", "name",
	    &name, NULL);
	text_put(&seen.log, " ");
	text_put(&seen.log, name);
}

static void
on_end(void *arg, const struct listing_end *end)
{
	char AUTOFREE *line = xasprintf(" %s, %d, %s",
	    end->version != NULL ? end->version : "not served", end->status,
	    end->error != NULL ? end->error : "complete");
	char *milliseconds = strstr(line, " after ");

	if (milliseconds != NULL)
		*milliseconds = '\0';
	text_put(&seen.log, line);
	ended++;
}

static void
list(const char *resource, const char *const *versions, int64_t timeout_ms,
    const char *log)
{
	static const struct listing_ops how = { on_each, on_end };
	struct api_client *client =
	    new_client(&(struct api_options){ .max_answer = 400 }, NULL);
	struct listing *listing;

	memset(&seen, 0, sizeof(seen));
	ended = 0;
	listing = listing_new(client,
	    &(struct listing_spec){ .resource = resource,
		.versions = versions,
		.timeout_ms = timeout_ms },
	    &how, NULL);
	t_true("it ends", run_until(&ended, 1, 20000));
	t_str(log, seen.log.bytes, log);
	t_str("nothing unexpected", unexpected, NULL);
	text_fini(&seen.log);
	listing_free(listing);
	api_client_free(client);
}

/* More than the client takes. */
#define SHORT POD("a", "1", "5") ","
#define LONG SHORT SHORT SHORT SHORT SHORT SHORT SHORT POD("b", "2", "5")

static void
lists_have_an_end(void)
{
	static const char *const v1[] = { "v1", NULL };
	static const char *const budgets[] = { "policy/v1", "policy/v1beta1",
		NULL };

	STEPS({ FIRST_PAGE, 200,
		  LIST("1", "x", POD("a", "1", "5") "," POD("b", "2", "5")) },
	    { "GET /api/v1/pods?limit=500&continue=x", 200,
		LIST("1", "", POD("c", "3", "5")) });
	list("pods", v1, 0, " a b c v1, 200, complete");
	speaks = PROTOBUF;
	STEPS({ FIRST_PAGE, 200,
		  LIST("1", "x", POD("a", "1", "5") "," POD("b", "2", "5")) },
	    { "GET /api/v1/pods?limit=500&continue=x", 200,
		LIST("1", "", POD("c", "3", "5")) });
	list("pods", v1, 0, " a b c v1, 200, complete");
	speaks = JSON;
	STEPS({ FIRST_PAGE, 200, LIST("1", "x", POD("a", "1", "5")) },
	    { "continue=x", 410, EXPIRED("rest") },
	    { "continue=rest", 200, LIST("9", "", POD("b", "2", "5")) });
	list("pods", v1, 0, " a b v1, 200, complete");
	STEPS({ FIRST_PAGE, 200, LIST("1", "x", POD("a", "1", "5")) },
	    { "continue=x", 410, EXPIRED("") });
	list("pods", v1, 0, " a not served, 410, HTTP 410: too old");
	STEPS({ FIRST_PAGE, 200, LIST("1", "x", POD("a", "1", "5")) },
	    { "continue=x", 200, LIST("1", "x", POD("b", "2", "5")) });
	list("pods", v1, 0,
	    " a b not served, 0, the server repeats a page of the list");
	STEPS({ FIRST_PAGE, 200, LIST("1", "", LONG) },
	    { "GET /api/v1/pods?limit=62", 200,
		LIST("1", "x", POD("a", "1", "5")) },
	    { "GET /api/v1/pods?limit=62&continue=x", 200,
		LIST("1", "", POD("b", "2", "5")) });
	list("pods", v1, 0, " a b v1, 200, complete");
	STEPS({ FIRST_PAGE, 200, LIST("1", "", LONG) },
	    { "GET /api/v1/pods?limit=62", 200, LIST("1", "", LONG) },
	    { "GET /api/v1/pods?limit=8", 200, LIST("1", "", LONG) });
	list("pods", v1, 0,
	    " not served, 0, the response exceeds the size limit of 400 bytes");
	STEPS({ FIRST_PAGE, 403, "{\"message\":\"no\"}" });
	list("pods", v1, 0, " not served, 403, HTTP 403: no");
	STEPS({ FIRST_PAGE, 404 });
	list("pods", v1, 0, " not served, 404, complete");
	STEPS({ FIRST_PAGE, 500, "{" }, { FIRST_PAGE, 200, LIST("1", "", "") });
	list("pods", v1, 0, " v1, 200, complete");
	STEPS({ FIRST_PAGE, 200, "[]" });
	list("pods", v1, 0, " not served, 0, a list must be a JSON object");
	STEPS({ FIRST_PAGE, 0 });
	list("pods", v1, 200, " not served, 0, Operation timed out");
	STEPS({ "GET /apis/policy/v1beta1/poddisruptionbudgets?limit=500", 200,
		  LIST("1", "", "{}") },
	    { "GET /apis/policy/v1beta1", 200,
		"{\"resources\":[{\"name\":\"poddisruptionbudgets\"}]}" },
	    { "GET /apis/policy/v1", 404 });
	list("poddisruptionbudgets", budgets, 0,
	    " ? policy/v1beta1, 200, complete");
	STEPS({ "GET /apis/policy/v1beta1", 404 },
	    { "GET /apis/policy/v1", 200, "{\"resources\":[]}" });
	list("poddisruptionbudgets", budgets, 0, " not served, 404, complete");
}

static void
stop_server(void)
{
	run_for(50);
	free_held();
	evhttp_free(server);
	free(unexpected);
	free(authorization);
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(answers_are_repeated_when_they_may_be),
		T(nobody_waits_longer_than_half_a_minute), T(nobody_there),
		T(nobody_answers), T(binds_do_not_wait_for_others),
		T(patient_calls_let_others_go_first),
		T(nothing_of_a_leader_is_sent_without_the_lock),
		T(what_is_no_longer_wanted_is_not_sent_again),
		T(cancelled_calls_are_silent), T(our_own_limit_is_kept),
		T(a_rejected_token_is_read_again),
		T(one_silent_stream_is_ended),
		T(broken_streams_lose_and_repeat_nothing),
		T(relists_report_the_differences),
		T(what_cannot_be_decoded_is_left_out_alone),
		T(what_is_known_is_compared_with_a_list),
		T(what_no_watch_shows_is_behind),
		T(what_is_not_decoded_may_be_anything),
		T(a_page_that_does_not_arrive_is_asked_for_in_smaller_ones),
		T(a_server_that_went_back_in_time_is_listed_again),
		T(a_silent_watch_goes_on_from_where_it_was),
		T(many_events_let_the_loop_have_its_turn),
		T(lists_that_make_no_sense_are_repeated),
		T(protobuf_is_read_as_json_is),
		T(who_is_refused_protobuf_asks_for_json), T(lists_have_an_end),
		T(stop_server)
	};
	int failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	base = event_base_new();
	start_server();
	failed = t_run(tests, LENGTH(tests));
	event_base_free(base);
	return failed;
}
