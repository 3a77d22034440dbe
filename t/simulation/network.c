#include "config.h"

#include "t/simulation/network.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/client_internal.h"
#include "base/clock.h"
#include "base/xmalloc.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/extender.h"

#define PEERS 8
#define LOOKED_UP SECOND /* when a binding in doubt is looked up */

/* A request under way; the call goes when the daemon no longer waits, the rest when
 * nothing more can come. */
struct flight {
	LIST_ENTRY(flight) link;
	unsigned
	    refs; /* the call's, the request's, the answer's, each piece's */
	struct api_call *call;
	char *who, *method, *path, *body;
	struct watcher *watcher;
	struct event *timeout; /* on the daemon's loop */
	int64_t sent, ended;
	int64_t last; /* when the last piece arrives: they keep their order */
	LIST_HEAD(, arrival) arrivals;
};

/* Something that reaches the daemon. */
struct arrival {
	LIST_ENTRY(arrival) link;
	struct flight *flight;
	struct event *event;
	char *line;         /* of a watch */
	int status, result; /* CURLcode */
	bool unsent;
	char *body;
	int retry_after;
};

struct faults network;

static LIST_HEAD(, flight) flights = LIST_HEAD_INITIALIZER(flights);
static struct {
	struct event_base *base;
	const char *name;
} peers[PEERS];

void
network_name(struct event_base *base, const char *name)
{
	for (size_t i = 0; i < PEERS; i++)
		if (peers[i].base == NULL || peers[i].base == base) {
			peers[i].base = base;
			peers[i].name = name;
			return;
		}
}

const char *
network_name_of(const struct event_base *base)
{
	for (size_t i = 0; i < PEERS; i++)
		if (peers[i].base == base)
			return peers[i].name;
	return "";
}

static bool
is_binding(const struct flight *f)
{
	return strstr(f->path, "/bind") != NULL;
}

static int64_t
latency(void)
{
	return loop_one_in(network.slow) ? loop_between(100000, 3 * SECOND) :
					   loop_between(200, 5000);
}

static bool
is_write(const struct flight *f)
{
	return strcmp(f->method, "GET") != 0;
}

static bool
aside_one_in(uint32_t n)
{
	bool hit;

	loop_aside();
	hit = loop_one_in(n);
	loop_aside();
	return hit;
}

/* Watches go on meanwhile, and show what is later than the list. */
static int64_t
list_latency(const struct flight *f)
{
	int64_t late = 0;

	if (is_write(f) || strstr(f->path, "limit=") == NULL ||
	    !aside_one_in(network.late_lists))
		return 0;
	loop_aside();
	late = loop_between(SECOND / 2, 15 * SECOND);
	loop_aside();
	return late;
}

static void
on_touch(void *arg)
{
	if (network.touch != NULL)
		network.touch(arg);
}

static void
on_cross(void *arg)
{
	if (network.cross != NULL) /* nothing fails while the world rests */
		network.cross(arg);
}

/* How late it is. */
static int64_t
cross(const struct flight *f)
{
	int64_t late = latency();

	if ((is_binding(f) || strcmp(f->method, "DELETE") == 0) &&
	    loop_one_in(network.crossed)) {
		late = loop_between(SECOND / 10, 2 * SECOND);
		loop_after_text(late / 2, on_cross, f->path);
	}
	if (strcmp(f->method, "PATCH") == 0 &&
	    strstr(f->path, "/pods/") != NULL &&
	    aside_one_in(network.touched)) {
		loop_aside();
		late = loop_between(SECOND / 10, SECOND);
		loop_aside();
		loop_after_text(late / 4, on_touch, f->path);
	}
	return late;
}

static void
unref(struct flight *f)
{
	if (--f->refs > 0)
		return;
	LIST_REMOVE(f, link);
	if (f->watcher != NULL)
		watcher_close(f->watcher);
	free(f->who);
	free(f->method);
	free(f->path);
	free(f->body);
	free(f);
}

static void
arrival_free(struct arrival *a)
{
	unref(a->flight);
	free(a->line);
	free(a->body);
	free(a);
}

/* ---- to the daemon ---- */

static void
give_up(struct api_call *call)
{
	pipe_stop(call);
	client_finished(call, CURLE_WRITE_ERROR, 0, false);
}

static void
hear_line(struct flight *f, const char *line)
{
	struct api_call *call = f->call;

	call->pipe->heard = call->heard = clock_ms();
	call->stream_began = true;
	call->client->in_curl++;
	call->on_data(call->arg, line, strlen(line));
	call->client->in_curl--;
	if (call->cancelled)
		give_up(call);
}

static void
hear_end(struct flight *f, const struct arrival *a)
{
	struct api_call *call = f->call;

	if (a->result == CURLE_OK)
		call->pipe->heard = call->heard = clock_ms();
	if (a->body != NULL)
		text_append(&call->answer, a->body, strlen(a->body));
	call->retry_after_ms = a->retry_after * INT64_C(1000);
	pipe_stop(call);
	client_finished(call, a->result, a->status, a->unsent);
}

static void
on_arrival(evutil_socket_t fd, short what, void *arg)
{
	struct arrival *a = arg;
	struct flight *f = a->flight;

	event_free(a->event);
	LIST_REMOVE(a, link);
	if (a->line != NULL)
		hear_line(f, a->line);
	else
		hear_end(f, a);
	arrival_free(a);
}

static struct arrival *
arrival_new(struct flight *f)
{
	struct arrival *a = xcalloc(1, sizeof(*a));

	a->flight = f;
	f->refs++;
	return a;
}

/* It reaches the daemon so much later, and after all that came before. */
static void
deliver(struct arrival *a, int64_t after)
{
	struct flight *f = a->flight;
	int64_t due = loop_now() + after;
	struct timeval tv;

	if (f->call == NULL) {
		arrival_free(a);
		return;
	}
	if (due <= f->last)
		due = f->last + 1;
	f->last = due;
	tv = (struct timeval){ .tv_sec = (due - loop_now()) / SECOND,
		.tv_usec = (due - loop_now()) % SECOND };
	a->event = event_new(f->call->client->base, -1, 0, on_arrival, a);
	event_add(a->event, &tv);
	LIST_INSERT_HEAD(&f->arrivals, a, link);
}

static void
fail(struct flight *f, int result, bool unsent, int64_t after)
{
	struct arrival *a = arrival_new(f);

	a->result = result;
	a->unsent = unsent;
	deliver(a, after);
}

static void
on_timeout(evutil_socket_t fd, short what, void *arg)
{
	struct flight *f = arg;
	struct api_call *call = f->call;

	pipe_stop(call);
	client_finished(call, CURLE_OPERATION_TIMEDOUT, 0, false);
}

/* ---- to the server ---- */

static void
on_change(void *arg, const char *line)
{
	struct flight *f = arg;
	struct arrival *a;
	int64_t late, stalled;

	if (f->call == NULL)
		return;
	a = arrival_new(f);
	if (line != NULL)
		a->line = xstrdup(line);
	else
		a->status = 200;
	late = latency();
	stalled = network.stalled_until;
	if (strstr(f->path, "/pods?") != NULL &&
	    stalled < network.pods_stalled_until)
		stalled = network.pods_stalled_until;
	if (loop_now() + late < stalled)
		late = stalled - loop_now();
	deliver(a, late);
}

static void
answer(struct flight *f, const struct reply *reply)
{
	struct arrival *a;

	if (reply->watcher != NULL) {
		f->call->answered = true;
		f->watcher = reply->watcher;
		watcher_start(reply->watcher, on_change, f);
		return;
	}
	/* the dearest are lost most often */
	if (loop_one_in(is_binding(f) ? network.lost / 4 : network.lost)) {
		/* what is lost with it comes later */
		if (is_binding(f))
			network.stalled_until =
			    loop_now() + loop_between(SECOND, 10 * SECOND);
		free(reply->body);
		fail(f, CURLE_RECV_ERROR, false, latency());
		return;
	}
	a = arrival_new(f);
	a->status = reply->status;
	a->body = reply->body;
	a->retry_after = reply->retry_after;
	deliver(a, latency() + list_latency(f));
}

static struct reply
refusal(int status, const char *text)
{
	return (struct reply){ .status = status,
		.body = xasprintf("{\"kind\":\"Status\",\"message\":\"%s\","
				  "\"code\":%d}",
		    text, status),
		.retry_after = status == 429 };
}

/* The API server, which may say another thing about a write than it has done; false: it
 * says nothing. */
static bool
handle(const struct flight *f, const struct request *request,
    struct reply *reply)
{
	bool hears = network.handles != NULL;

	if (hears && network.handles(f->method, f->path, false)) {
		*reply = refusal(500, "etcdserver: request timed out");
		return true;
	}
	*reply = apiserver_handle(request);
	if (hears)
		network.handles(f->method, f->path, true);
	if (!is_write(f) || reply->status >= 300 ||
	    !aside_one_in(is_binding(f) ? network.hidden / 4 : network.hidden))
		return true;
	free(reply->body);
	*reply = refusal(aside_one_in(2) ? 500 : 504, "request timed out");
	if (!aside_one_in(4))
		return true;
	free(reply->body);
	return false;
}

static void
on_request(void *arg)
{
	struct flight *f = arg;
	struct request request = { f->who, f->method, f->path, f->body, f->sent,
		f->call == NULL && loop_now() - f->ended >= LOOKED_UP };
	struct reply reply;

	if (network.down)
		fail(f, CURLE_RECV_ERROR, false, latency());
	else if (loop_one_in(network.silent))
		; /* and no answer */
	else {
		if (loop_one_in(network.busy))
			reply = refusal(429, "too many requests");
		else if (loop_one_in(network.broken))
			reply = refusal(500, "etcdserver: request timed out");
		else if (extender_is_asked(f->path))
			reply = extender_handle(&request);
		else if (!handle(f, &request, &reply)) {
			unref(f);
			return;
		}
		if (f->call != NULL) {
			answer(f, &reply);
		} else {
			free(reply.body);
			if (reply.watcher != NULL)
				watcher_close(reply.watcher);
		}
	}
	unref(f);
}

void
network_reset(void)
{
	struct flight *f;

	LIST_FOREACH (f, &flights, link)
		if (f->call != NULL)
			fail(f, CURLE_RECV_ERROR, false, latency());
}

void
network_cut(struct event_base *base)
{
	for (size_t i = 0; i < PEERS; i++)
		if (peers[i].base == base)
			peers[i].base = NULL;
}

/* ---- wire/api/pipe.c's ---- */

struct pipe *
pipe_new(struct api_client *client, enum api_lane lane)
{
	struct pipe *pipe = xcalloc(1, sizeof(*pipe));

	pipe->client = client;
	pipe->lane = lane;
	pipe->heard = clock_ms();
	pipe->known = pipe->multiplexed = true;
	TAILQ_INIT(&pipe->running);
	return pipe;
}

void
pipe_free(struct pipe *pipe)
{
	free(pipe);
}

void
pipe_start(struct pipe *pipe, struct api_call *call)
{
	struct flight *f = xcalloc(1, sizeof(*f));
	struct timeval tv = clock_timeval(call->timeout_ms);
	const char *who = network_name_of(call->client->base);

	call->pipe = pipe;
	call->state = CALL_RUNNING;
	call->started = call->heard = clock_ms();
	call->retry_after_ms = 0;
	call->is_protobuf = call->answered = false;
	call->problem[0] = '\0';
	call->answer.len = 0;
	call->too_long = false;
	call->easy = (CURL *)f;
	TAILQ_INSERT_TAIL(&pipe->running, call, link);
	if (pipe->nrunning++ == 0)
		pipe->heard = call->started;

	LIST_INSERT_HEAD(&flights, f, link);
	f->refs = 2;
	f->call = call;
	f->who = xstrdup(who);
	f->method = xstrdup(call->method);
	f->path = xstrdup(call->path);
	f->body = call->body != NULL ? xstrdup(call->body) : NULL;
	f->timeout = event_new(call->client->base, -1, 0, on_timeout, f);
	event_add(f->timeout, &tv);
	if (network.down || loop_one_in(network.refused)) {
		fail(f, CURLE_COULDNT_CONNECT, true, latency());
		unref(f);
		return;
	}
	promise_request(f->who, f->method, f->path);
	f->sent = loop_now();
	loop_after(cross(f), on_request, f);
}

void
pipe_stop(struct api_call *call)
{
	struct flight *f = (struct flight *)call->easy;
	struct arrival *a;

	TAILQ_REMOVE(&call->pipe->running, call, link);
	call->pipe->nrunning--;
	call->easy = NULL;
	event_free(f->timeout);
	f->call = NULL;
	f->ended = loop_now();
	if (f->watcher != NULL) {
		watcher_close(f->watcher);
		f->watcher = NULL;
	}
	while ((a = LIST_FIRST(&f->arrivals)) != NULL) {
		LIST_REMOVE(a, link);
		event_free(a->event);
		arrival_free(a);
	}
	unref(f);
}
