/*
 * fault_proxy: stands between a scheduler and the API server and makes faults
 * that a healthy server never makes.
 *
 *	fault_proxy --listen PORT --to PORT --control SOCKET
 *	    [--cert F --key F --ca F --client-cert F --client-key F]
 *	    [--log FILE] [--seed N]
 *	fault_proxy --control SOCKET --say COMMAND [WORD…]
 *
 * Both ports are on 127.0.0.1.  With --cert it ends TLS, speaks HTTP/1.1 on
 * both sides and reaches the server as the client certificate it is given,
 * whichever its own client is.  Without, it passes bytes on (TLS and HTTP/2 stay
 * between the two) and can only disturb connections.
 *
 * To connections, now:
 *
 *	cut [PATH]       closes those whose request has PATH in it (all)
 *	reset [PATH]     the same with a TCP reset
 *	mute [PATH]      half-open: they stay, but are never read or written
 *	                 any more; new connections work
 *	stall / go       nothing moves anywhere / goes on
 *	refuse / accept  no new connections / again
 *
 * Rules for requests: METHOD may be "*", PATH is a part of path and query:
 *
 *	answer STATUS METHOD PATH   instead of the server
 *	delay MS METHOD PATH        before the request is passed on
 *	lose METHOD PATH            the server acts, its answer does not arrive
 *	hang METHOD PATH            the same, but the connection stays
 *	truncate PATH               half a watch event, then the end
 *	duplicate PATH              a watch event comes twice
 *	end PATH                    the connection is cut after a watch event
 *	gone PATH                   the watch ends with a 410 after an event
 *
 * Options between the command and its words: skip=N lets the first N go,
 * count=N ends after N hits (1; 0: never), one-in=N leaves it to chance,
 * retry-after=SECONDS is for answer.
 *
 *	swap FROM TO     from the server, these bytes become those, which are as
 *	                 many; %XX is one of them
 *
 *	clear            forgets all these
 *	stats            prints "connections N requests N events N hits N"
 *
 * Each command is answered by one line: "ok", or the error.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <getopt.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/json_out.h"
#include "wire/api/protobuf.h"
#include "wire/api/wire.h"
#include "base/hash.h"
#include "base/xmalloc.h"

#define HEAD_MAX 65536

enum fault {
	FAULT_ANSWER,
	FAULT_DELAY,
	FAULT_LOSE,
	FAULT_HANG,
	FAULT_TRUNCATE,
	FAULT_DUPLICATE,
	FAULT_END,
	FAULT_GONE,
};

/* Which words follow the command. */
static const struct {
	const char *name;
	bool value, method;
} faults[] = {
	[FAULT_ANSWER] = { "answer", true, true },
	[FAULT_DELAY] = { "delay", true, true },
	[FAULT_LOSE] = { "lose", false, true },
	[FAULT_HANG] = { "hang", false, true },
	[FAULT_TRUNCATE] = { "truncate", false, false },
	[FAULT_DUPLICATE] = { "duplicate", false, false },
	[FAULT_END] = { "end", false, false },
	[FAULT_GONE] = { "gone", false, false },
};

struct rule {
	enum fault fault;
	char *method, *path;
	unsigned long value; /* status or milliseconds */
	unsigned long skip, count, one_in, retry_after;
	bool forever;
	struct rule *next;
};

/* How the body of a message ends. */
struct body {
	enum { BODY_NONE, BODY_LENGTH, BODY_CHUNKED, BODY_UNTIL_CLOSE } kind;
	int64_t left;  /* of the body or of this chunk */
	bool in_chunk; /* its bytes and a CR LF are to come */
	bool last;     /* only trailers are to come */
};

/*
 * A client's connection and ours to the server for it.  One request at a time:
 * our clients do not pipeline.
 */
struct link {
	struct bufferevent *client, *server;
	struct link *next, **at;
	struct event *delay;

	bool in_request_body; /* client to server */
	struct body request;
	unsigned long status, retry_after;
	bool answering;

	char *method, *path; /* of the request last read, NULL before */
	bool in_response_body;
	struct body response;
	bool watching; /* the body goes event by event: a line of JSON, */
	bool frames;   /* or protobuf after its length */
	struct evbuffer *lines;
	bool lose, hang;
	bool muted;
	bool closing; /* when all is written */
};

static struct event_base *base;
static struct evconnlistener *listener;
static struct link *links;
static struct rule *rules;
static SSL_CTX *to_client, *to_server;
static uint16_t server_port;
static FILE *log_file;
static bool stalled, refusing;
static uint64_t chance;
static struct {
	unsigned long connections, requests, events, hits;
} stats;

static void
die(const char *what)
{
	fprintf(stderr, "fault_proxy: %s: %s\n", what,
	    errno != 0 ? strerror(errno) : "failed");
	exit(1);
}

/* ---- connections ---- */

static void
link_free(struct link *link)
{
	*link->at = link->next;
	if (link->next != NULL)
		link->next->at = link->at;
	bufferevent_free(link->client);
	if (link->server != NULL)
		bufferevent_free(link->server);
	if (link->delay != NULL)
		event_free(link->delay);
	if (link->lines != NULL)
		evbuffer_free(link->lines);
	free(link->method);
	free(link->path);
	free(link);
}

static void
link_reset(struct link *link)
{
	struct linger linger = { .l_onoff = 1 };

	setsockopt(bufferevent_getfd(link->client), SOL_SOCKET, SO_LINGER,
	    &linger, sizeof(linger));
	link_free(link);
}

static void
link_mute(struct link *link)
{
	link->muted = true;
	bufferevent_disable(link->client, EV_READ | EV_WRITE);
	if (link->server != NULL)
		bufferevent_free(link->server);
	link->server = NULL;
}

/* Stops reading; closes the link when the output is sent. */
static void
link_close(struct link *link)
{
	link->closing = true;
	bufferevent_disable(link->client, EV_READ);
	if (link->server != NULL)
		bufferevent_disable(link->server, EV_READ);
	if (evbuffer_get_length(bufferevent_get_output(link->client)) == 0)
		link_free(link);
}

static bool
link_has(const struct link *link, const char *path)
{
	return path == NULL ||
	    (link->path != NULL && strstr(link->path, path) != NULL);
}

/* ---- rules ---- */

static void
rule_free(struct rule *rule)
{
	free(rule->method);
	free(rule->path);
	free(rule);
}

static bool
by_chance(unsigned long one_in)
{
	chance = hash_mix(chance + 1);
	return one_in <= 1 || chance % one_in == 0;
}

/* The rule that hits here; it is used up when its count is. */
static bool
rule_hits(enum fault fault, const struct link *link, struct rule *hit)
{
	for (struct rule **at = &rules; *at != NULL; at = &(*at)->next) {
		struct rule *rule = *at;

		if (rule->fault != fault || !link_has(link, rule->path) ||
		    (strcmp(rule->method, "*") != 0 &&
			strcmp(rule->method, link->method) != 0))
			continue;
		if (rule->skip > 0) {
			rule->skip--;
			continue;
		}
		if (!by_chance(rule->one_in))
			continue;
		stats.hits++;
		*hit = *rule;
		if (log_file != NULL)
			fprintf(log_file, "%s %s %s\n", faults[fault].name,
			    link->method, link->path);
		if (!rule->forever && --rule->count == 0) {
			*at = rule->next;
			rule_free(rule);
		}
		return true;
	}
	return false;
}

/* ---- bytes for bytes ---- */

static struct {
	char *from, *to;
	size_t len;
} swaps[8];
static size_t nswaps;

/* In place; returns the length. */
static size_t
unescape(char *word)
{
	char *from = word, *to = word, hex[3] = "";

	while (*from != '\0') {
		if (from[0] == '%' && isxdigit((unsigned char)from[1]) &&
		    isxdigit((unsigned char)from[2])) {
			memcpy(hex, from + 1, 2);
			*to++ = (char)strtoul(hex, NULL, 16);
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	return (size_t)(to - word);
}

static const char *
add_swap(char **words, size_t n)
{
	if (n != 2 || nswaps == LENGTH(swaps))
		return "swap: two words";
	swaps[nswaps].from = xstrdup(words[0]);
	swaps[nswaps].to = xstrdup(words[1]);
	swaps[nswaps].len = unescape(swaps[nswaps].from);
	if (unescape(swaps[nswaps].to) != swaps[nswaps].len)
		return "swap: not as many bytes";
	nswaps++;
	return "ok";
}

static void
swap_bytes(struct evbuffer *in)
{
	size_t left;
	char *p;

	for (size_t i = 0; i < nswaps; i++) {
		p = (char *)evbuffer_pullup(in, -1);
		left = evbuffer_get_length(in);
		while (p != NULL && left >= swaps[i].len) {
			if (memcmp(p, swaps[i].from, swaps[i].len) == 0) {
				memcpy(p, swaps[i].to, swaps[i].len);
				stats.hits++;
			}
			p++;
			left--;
		}
	}
}

/* ---- HTTP ---- */

/* The value of a header line in the head, NULL if it has none; head lines end
 * with CR LF, which stay. */
static const char *
header(const char *head, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = strstr(head, "\r\n"); p != NULL;
	     p = strstr(p, "\r\n")) {
		p += 2;
		if (strncasecmp(p, name, len) == 0 && p[len] == ':') {
			p += len + 1;
			return p + strspn(p, " ");
		}
	}
	return NULL;
}

/* Takes a header line out. */
static void
drop_header(char *head, const char *name)
{
	char *value = (char *)header(head, name), *end;

	if (value == NULL)
		return;
	end = strstr(value, "\r\n") + 2;
	while (value[-1] != '\n')
		value--;
	memmove(value, end, strlen(end) + 1);
}

/* The head of the next message, with its empty line; NULL: not all here yet.
 * You own it. */
static char *
take_head(struct evbuffer *in)
{
	struct evbuffer_ptr end = evbuffer_search(in, "\r\n\r\n", 4, NULL);
	char *head;

	if (end.pos < 0)
		return NULL;
	head = xmalloc((size_t)end.pos + 5);
	evbuffer_remove(in, head, (size_t)end.pos + 4);
	head[end.pos + 4] = '\0';
	return head;
}

static struct body
body_of(const char *head, bool response)
{
	const char *value = header(head, "Transfer-Encoding");

	if (value != NULL && strncasecmp(value, "chunked", 7) == 0)
		return (struct body){ .kind = BODY_CHUNKED };
	value = header(head, "Content-Length");
	if (value != NULL)
		return (struct body){ .kind = BODY_LENGTH,
			.left = strtoll(value, NULL, 10) };
	return (struct body){ .kind = response ? BODY_UNTIL_CLOSE : BODY_NONE };
}

static void
move(struct evbuffer *in, struct evbuffer *out, int64_t *left)
{
	size_t n = evbuffer_get_length(in);

	if ((int64_t)n > *left)
		n = (size_t)*left;
	if (out != NULL)
		evbuffer_remove_buffer(in, out, n);
	else
		evbuffer_drain(in, n);
	*left -= (int64_t)n;
}

/*
 * Moves the chunks that have arrived; raw: with their framing, else only their
 * content.  True at the end of the body.
 */
static bool
take_chunks(struct body *body, struct evbuffer *in, struct evbuffer *out,
    bool raw)
{
	char *line;
	size_t len;
	bool done = false;

	while (!done) {
		move(in, out, &body->left);
		if (body->left > 0)
			return false;
		line = evbuffer_readln(in, &len, EVBUFFER_EOL_CRLF_STRICT);
		if (line == NULL)
			return false;
		if (raw && out != NULL)
			evbuffer_add_printf(out, "%s\r\n", line);
		if (body->last) {
			done = len == 0;
		} else if (body->in_chunk) {
			body->in_chunk = false;
		} else {
			body->left = strtoll(line, NULL, 16);
			body->last = body->left == 0;
			body->in_chunk = !body->last;
		}
		free(line);
	}
	return true;
}

/* out NULL: thrown away.  True at the end of the body. */
static bool
take_body(struct body *body, struct evbuffer *in, struct evbuffer *out,
    bool raw)
{
	switch (body->kind) {
	case BODY_NONE:
		return true;
	case BODY_LENGTH:
		move(in, out, &body->left);
		return body->left == 0;
	case BODY_CHUNKED:
		return take_chunks(body, in, out, raw);
	case BODY_UNTIL_CLOSE:
		body->left = INT64_MAX;
		move(in, out, &body->left);
		return false;
	}
	return true;
}

static const char *
reason_of(unsigned long status)
{
	static const struct {
		unsigned long status;
		const char *reason;
	} reasons[] = {
		{ 401, "Unauthorized" },
		{ 403, "Forbidden" },
		{ 404, "NotFound" },
		{ 409, "Conflict" },
		{ 410, "Expired" },
		{ 429, "TooManyRequests" },
		{ 500, "InternalError" },
		{ 503, "ServiceUnavailable" },
		{ 504, "Timeout" },
	};

	for (size_t i = 0; i < LENGTH(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "Unknown";
}

static void
give_answer(struct link *link)
{
	struct evbuffer *out = bufferevent_get_output(link->client);
	char AUTOFREE *body = xasprintf(
	    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
	    "\"status\":\"Failure\",\"message\":\"by the fault proxy\","
	    "\"reason\":\"%s\",\"code\":%lu}\n",
	    reason_of(link->status), link->status);

	evbuffer_add_printf(out,
	    "HTTP/1.1 %lu %s\r\nContent-Type: application/json\r\n"
	    "Content-Length: %zu\r\n",
	    link->status, reason_of(link->status), strlen(body));
	if (link->retry_after > 0)
		evbuffer_add_printf(out, "Retry-After: %lu\r\n",
		    link->retry_after);
	evbuffer_add_printf(out, "\r\n%s", body);
	link->answering = false;
}

/* ---- client to server ---- */

static void
on_delayed(evutil_socket_t fd, short what, void *arg)
{
	struct link *link = arg;

	if (!link->muted && !link->closing && !stalled)
		bufferevent_enable(link->server, EV_WRITE);
}

static void
delay(struct link *link, unsigned long ms)
{
	struct timeval wait = { (time_t)(ms / 1000),
		(suseconds_t)(ms % 1000 * 1000) };

	if (link->delay == NULL)
		link->delay = event_new(base, -1, 0, on_delayed, link);
	bufferevent_disable(link->server, EV_WRITE);
	event_add(link->delay, &wait);
}

/* False: the rest of the input cannot be used. */
static bool
begin_request(struct link *link, char *head)
{
	struct rule hit;
	char *space = strchr(head, ' '), *end;

	end = space == NULL ? NULL : strchr(space + 1, ' ');
	if (end == NULL)
		return false;
	free(link->method);
	free(link->path);
	link->method = xstrndup(head, (size_t)(space - head));
	link->path = xstrndup(space + 1, (size_t)(end - space - 1));
	link->request = body_of(head, false);
	link->in_request_body = true;
	link->lose = link->hang = false;
	stats.requests++;
	if (rule_hits(FAULT_ANSWER, link, &hit)) {
		link->answering = true;
		link->status = hit.value;
		link->retry_after = hit.retry_after;
		return true;
	}
	link->lose = rule_hits(FAULT_LOSE, link, &hit);
	link->hang = rule_hits(FAULT_HANG, link, &hit);
	/* So that events can be distinguished. */
	drop_header(head, "Accept-Encoding");
	evbuffer_add(bufferevent_get_output(link->server), head, strlen(head));
	if (rule_hits(FAULT_DELAY, link, &hit))
		delay(link, hit.value);
	return true;
}

static void
read_requests(struct link *link)
{
	struct evbuffer *in = bufferevent_get_input(link->client);
	char *head;
	bool good;

	while (!link->muted && !link->closing) {
		if (link->in_request_body) {
			if (!take_body(&link->request, in,
				link->answering ?
				    NULL :
				    bufferevent_get_output(link->server),
				true))
				return;
			link->in_request_body = false;
			if (link->answering)
				give_answer(link);
		}
		head = take_head(in);
		if (head == NULL) {
			if (evbuffer_get_length(in) > HEAD_MAX)
				link_free(link);
			return;
		}
		good = begin_request(link, head);
		free(head);
		if (!good) {
			link_free(link);
			return;
		}
	}
}

/* ---- server to client ---- */

static void
put_chunk(struct link *link, const char *bytes, size_t len)
{
	struct evbuffer *out = bufferevent_get_output(link->client);

	evbuffer_add_printf(out, "%zx\r\n", len);
	evbuffer_add(out, bytes, len);
	evbuffer_add(out, "\r\n", 2);
}

#define EXPIRED "too old resource version: 1 (2)"

/* The event that a watch of too old a version ends with. */
static void
put_expired(struct link *link)
{
	struct text status = { 0 }, envelope = { 0 }, raw = { 0 },
		    event = { 0 };
	char length[4] = { 0 };

	if (!link->frames) {
		json_put(&event,
		    "{'type':'ERROR','object':{'kind':'Status',"
		    "'apiVersion':'v1','metadata':{},'status':'Failure',"
		    "'message':%s,'reason':'Expired','code':410}}\n",
		    EXPIRED);
		put_chunk(link, event.bytes, event.len);
		text_fini(&event);
		return;
	}
	wire_put_string(&status, 2, "Failure");
	wire_put_string(&status, 3, EXPIRED);
	wire_put_string(&status, 4, "Expired");
	wire_put_number(&status, 6, 410);
	protobuf_put(&envelope, "v1", "Status", &status);
	wire_put_message(&raw, 1, &envelope);
	wire_put_string(&event, 1, "ERROR");
	wire_put_message(&event, 2, &raw);
	length[3] = (char)event.len;
	put_chunk(link, length, sizeof(length));
	put_chunk(link, event.bytes, event.len);
	text_fini(&event);
}

/* One event with its newline or length.  False: the link is closing or gone. */
static bool
pass_event(struct link *link, const char *line, size_t len)
{
	struct rule hit;

	stats.events++;
	if (rule_hits(FAULT_TRUNCATE, link, &hit)) {
		put_chunk(link, line, len / 2);
		link_close(link);
		return false;
	}
	put_chunk(link, line, len);
	if (rule_hits(FAULT_DUPLICATE, link, &hit))
		put_chunk(link, line, len);
	if (rule_hits(FAULT_GONE, link, &hit)) {
		put_expired(link);
		evbuffer_add(bufferevent_get_output(link->client), "0\r\n\r\n",
		    5);
		link_close(link);
		return false;
	}
	if (rule_hits(FAULT_END, link, &hit)) {
		link_close(link);
		return false;
	}
	return true;
}

/* How long the next event is, with its newline or length; 0: it is not all
 * there. */
static size_t
event_length(const struct link *link)
{
	struct evbuffer_ptr end;
	unsigned char b[4];
	size_t len;

	if (!link->frames) {
		end = evbuffer_search(link->lines, "\n", 1, NULL);
		return end.pos < 0 ? 0 : (size_t)end.pos + 1;
	}
	if (evbuffer_copyout(link->lines, b, 4) < 4)
		return 0;
	len = 4 +
	    ((size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 |
		b[3]);
	return evbuffer_get_length(link->lines) < len ? 0 : len;
}

static bool
pass_events(struct link *link)
{
	char *line;
	size_t len;
	bool on;

	while ((len = event_length(link)) > 0) {
		line = xmalloc(len);
		evbuffer_remove(link->lines, line, len);
		on = pass_event(link, line, len);
		free(line);
		if (!on)
			return false;
	}
	return true;
}

static void
begin_response(struct link *link, const char *head)
{
	unsigned long status = strtoul(head + strcspn(head, " "), NULL, 10);
	const char *type = header(head, "Content-Type");

	if (link->method == NULL)
		return;
	link->frames = type != NULL &&
	    strncmp(type, PROTOBUF_TYPE, strlen(PROTOBUF_TYPE)) == 0;
	link->response = body_of(head, true);
	if (status / 100 == 1 || status == 204 || status == 304 ||
	    strcmp(link->method, "HEAD") == 0)
		link->response = (struct body){ .kind = BODY_NONE };
	link->watching = status == 200 && strstr(link->path, "watch=") &&
	    link->response.kind == BODY_CHUNKED;
	if (link->watching && link->lines == NULL)
		link->lines = evbuffer_new();
	if (log_file != NULL && status / 100 != 1) {
		fprintf(log_file, "%s %s %lu\n", link->method, link->path,
		    status);
		fflush(log_file);
	}
	link->in_response_body = true;
	evbuffer_add(bufferevent_get_output(link->client), head, strlen(head));
}

static bool
pass_body(struct link *link, struct evbuffer *in)
{
	bool done = take_body(&link->response, in,
	    link->watching ? link->lines : bufferevent_get_output(link->client),
	    !link->watching);

	if (link->watching && !pass_events(link))
		return false;
	if (!done)
		return false;
	if (link->watching) {
		evbuffer_drain(link->lines, evbuffer_get_length(link->lines));
		evbuffer_add(bufferevent_get_output(link->client), "0\r\n\r\n",
		    5);
	}
	link->in_response_body = false;
	return true;
}

static void
read_responses(struct link *link)
{
	struct evbuffer *in = bufferevent_get_input(link->server);
	char *head;

	if (link->lose) {
		link_free(link);
		return;
	}
	if (link->hang) {
		link_mute(link);
		return;
	}
	for (;;) {
		if (link->in_response_body && !pass_body(link, in))
			return;
		head = take_head(in);
		if (head == NULL)
			return;
		begin_response(link, head);
		free(head);
	}
}

/* ---- events of connections ---- */

static void
on_client_bytes(struct bufferevent *bev, void *arg)
{
	struct link *link = arg;

	if (to_client != NULL)
		read_requests(link);
	else if (link->server != NULL)
		evbuffer_add_buffer(bufferevent_get_output(link->server),
		    bufferevent_get_input(bev));
}

static void
on_server_bytes(struct bufferevent *bev, void *arg)
{
	struct link *link = arg;

	if (link->closing)
		return;
	if (to_client != NULL) {
		swap_bytes(bufferevent_get_input(bev));
		read_responses(link);
		return;
	}
	evbuffer_add_buffer(bufferevent_get_output(link->client),
	    bufferevent_get_input(bev));
}

static void
on_written(struct bufferevent *bev, void *arg)
{
	struct link *link = arg;

	/* Deferred: it may be about earlier output. */
	if (link->closing &&
	    evbuffer_get_length(bufferevent_get_output(bev)) == 0)
		link_free(link);
}

static void
on_client_end(struct bufferevent *bev, short what, void *arg)
{
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		link_free(arg);
}

static void
on_server_end(struct bufferevent *bev, short what, void *arg)
{
	struct link *link = arg;

	if (!(what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) || link->closing)
		return;
	if (what & BEV_EVENT_EOF)
		link_close(link);
	else
		link_free(link);
}

static struct bufferevent *
new_side(evutil_socket_t fd, SSL_CTX *context, bool accepting)
{
	int options = BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS;
	struct bufferevent *bev;

	if (context == NULL)
		return bufferevent_socket_new(base, fd, options);
	bev = bufferevent_openssl_socket_new(base, fd, SSL_new(context),
	    accepting ? BUFFEREVENT_SSL_ACCEPTING : BUFFEREVENT_SSL_CONNECTING,
	    options);
	if (bev != NULL)
		bufferevent_openssl_set_allow_dirty_shutdown(bev, 1);
	return bev;
}

static void
on_connection(struct evconnlistener *from, evutil_socket_t fd,
    struct sockaddr *address, int len, void *arg)
{
	struct link *link = xcalloc(1, sizeof(*link));
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(server_port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	stats.connections++;
	link->client = new_side(fd, to_client, true);
	link->server = new_side(-1, to_server, false);
	if (link->client == NULL || link->server == NULL)
		die("bufferevent");
	link->next = links;
	link->at = &links;
	if (links != NULL)
		links->at = &link->next;
	links = link;
	bufferevent_setcb(link->client, on_client_bytes, on_written,
	    on_client_end, link);
	bufferevent_setcb(link->server, on_server_bytes, NULL, on_server_end,
	    link);
	bufferevent_enable(link->client, EV_READ | EV_WRITE);
	bufferevent_enable(link->server, EV_READ | EV_WRITE);
	if (bufferevent_socket_connect(link->server, (struct sockaddr *)&to,
		sizeof(to)) != 0)
		link_free(link);
}

/* ---- commands ---- */

static void
each_link(void (*what)(struct link *link), const char *path)
{
	struct link *link, *next;

	for (link = links; link != NULL; link = next) {
		next = link->next;
		if (!link_has(link, path) || link->muted)
			continue;
		if (log_file != NULL && link->path != NULL)
			fprintf(log_file, "broken %s %s\n", link->method,
			    link->path);
		what(link);
	}
}

static void
set_stalled(bool now)
{
	stalled = now;
	for (struct link *link = links; link != NULL; link = link->next) {
		if (link->muted)
			continue;
		if (now) {
			bufferevent_disable(link->client, EV_READ | EV_WRITE);
			bufferevent_disable(link->server, EV_READ | EV_WRITE);
		} else {
			bufferevent_enable(link->client, EV_READ | EV_WRITE);
			bufferevent_enable(link->server, EV_READ | EV_WRITE);
		}
	}
}

static void listen_again(void);

static void
set_accepting(void)
{
	if (refusing && listener != NULL) {
		evconnlistener_free(listener);
		listener = NULL;
	} else if (!refusing && listener == NULL) {
		listen_again();
	}
	if (listener == NULL)
		return;
	if (stalled)
		evconnlistener_disable(listener);
	else
		evconnlistener_enable(listener);
}

/* "name=number" */
static bool
is_option(const char *word, const char *name, unsigned long *out)
{
	size_t len = strlen(name);

	if (strncmp(word, name, len) != 0 || word[len] != '=')
		return false;
	*out = strtoul(word + len + 1, NULL, 10);
	return true;
}

static const char *
add_rule(enum fault fault, char **words, size_t n)
{
	struct rule rule = { .fault = fault, .count = 1, .one_in = 1 }, **at;
	size_t i = 0, need = 1u + faults[fault].value + faults[fault].method;

	while (i < n &&
	    (is_option(words[i], "skip", &rule.skip) ||
		is_option(words[i], "count", &rule.count) ||
		is_option(words[i], "one-in", &rule.one_in) ||
		is_option(words[i], "retry-after", &rule.retry_after)))
		i++;
	if (n - i != need)
		return "wrong number of words";
	if (faults[fault].value)
		rule.value = strtoul(words[i++], NULL, 10);
	rule.method = xstrdup(faults[fault].method ? words[i++] : "*");
	rule.path = xstrdup(words[i]);
	rule.forever = rule.count == 0;
	for (at = &rules; *at != NULL; at = &(*at)->next)
		;
	*at = xmalloc(sizeof(rule));
	**at = rule;
	return "ok";
}

static void
clear_rules(void)
{
	while (rules != NULL) {
		struct rule *next = rules->next;

		rule_free(rules);
		rules = next;
	}
}

static const char *
obey_connections(const char *command, const char *path)
{
	if (strcmp(command, "cut") == 0)
		each_link(link_free, path);
	else if (strcmp(command, "reset") == 0)
		each_link(link_reset, path);
	else if (strcmp(command, "mute") == 0)
		each_link(link_mute, path);
	else if (strcmp(command, "stall") == 0)
		set_stalled(true);
	else if (strcmp(command, "go") == 0)
		set_stalled(false);
	else if (strcmp(command, "refuse") == 0)
		refusing = true;
	else if (strcmp(command, "accept") == 0)
		refusing = false;
	else
		return "no such command";
	set_accepting();
	if (log_file != NULL)
		fflush(log_file);
	return "ok";
}

static const char *
obey(char *line, char *answer, size_t size)
{
	char *words[16], *save = NULL;
	size_t n = 0;

	for (char *word = strtok_r(line, " ", &save);
	     word != NULL && n < LENGTH(words);
	     word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	if (n == 0)
		return "no command";
	for (size_t i = 0; i < LENGTH(faults); i++)
		if (strcmp(words[0], faults[i].name) == 0)
			return add_rule((enum fault)i, words + 1, n - 1);
	if (strcmp(words[0], "swap") == 0)
		return add_swap(words + 1, n - 1);
	if (strcmp(words[0], "clear") == 0) {
		clear_rules();
		nswaps = 0;
		return "ok";
	}
	if (strcmp(words[0], "stats") == 0) {
		snprintf(answer, size,
		    "connections %lu requests %lu events %lu hits %lu",
		    stats.connections, stats.requests, stats.events,
		    stats.hits);
		return answer;
	}
	return obey_connections(words[0], n > 1 ? words[1] : NULL);
}

static void
on_command_end(struct bufferevent *bev, short what, void *arg)
{
	bufferevent_free(bev);
}

static void
on_command(struct bufferevent *bev, void *arg)
{
	char answer[128], *line;

	while ((line = evbuffer_readln(bufferevent_get_input(bev), NULL,
		    EVBUFFER_EOL_LF)) != NULL) {
		evbuffer_add_printf(bufferevent_get_output(bev), "%s\n",
		    obey(line, answer, sizeof(answer)));
		free(line);
	}
}

static void
on_control(struct evconnlistener *from, evutil_socket_t fd,
    struct sockaddr *address, int len, void *arg)
{
	struct bufferevent *bev =
	    bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);

	bufferevent_setcb(bev, on_command, NULL, on_command_end, NULL);
	bufferevent_enable(bev, EV_READ | EV_WRITE);
}

/* ---- the program ---- */

static uint16_t listen_port;

static void
listen_again(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons(listen_port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	listener = evconnlistener_new_bind(base, on_connection, NULL,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, 128,
	    (struct sockaddr *)&at, sizeof(at));
	if (listener == NULL)
		die("listen");
}

static struct sockaddr_un
control_address(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		die(path);
	}
	memcpy(address.sun_path, path, strlen(path));
	return address;
}

static int
say(const char *control, int n, char **words)
{
	struct sockaddr_un address = control_address(control);
	char answer[256];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *stream;

	if (fd < 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		die(control);
	stream = fdopen(fd, "r+");
	for (int i = 0; i < n; i++)
		fprintf(stream, "%s%s", i > 0 ? " " : "", words[i]);
	fputc('\n', stream);
	fflush(stream);
	if (fgets(answer, sizeof(answer), stream) == NULL)
		die("no answer");
	fputs(answer, stdout);
	fclose(stream);
	return strcmp(answer, "ok\n") == 0 ||
		strncmp(answer, "connections ", 12) == 0 ?
	    0 :
	    1;
}

static void
begin_tls(const char *cert, const char *key, const char *ca,
    const char *client_cert, const char *client_key)
{
	to_client = SSL_CTX_new(TLS_server_method());
	to_server = SSL_CTX_new(TLS_client_method());
	if (SSL_CTX_use_certificate_chain_file(to_client, cert) != 1 ||
	    SSL_CTX_use_PrivateKey_file(to_client, key, SSL_FILETYPE_PEM) !=
		1 ||
	    SSL_CTX_load_verify_locations(to_server, ca, NULL) != 1 ||
	    (client_cert != NULL &&
		(SSL_CTX_use_certificate_chain_file(to_server, client_cert) !=
			1 ||
		    SSL_CTX_use_PrivateKey_file(to_server, client_key,
			SSL_FILETYPE_PEM) != 1))) {
		ERR_print_errors_fp(stderr);
		exit(1);
	}
	SSL_CTX_set_verify(to_server, SSL_VERIFY_PEER, NULL);
}

static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	event_base_loopbreak(base);
}

static void
run(const char *control)
{
	struct sockaddr_un address = control_address(control);
	struct evconnlistener *commands;
	struct event *term;

	signal(SIGPIPE, SIG_IGN);
	base = event_base_new();
	listen_again();
	unlink(control);
	commands = evconnlistener_new_bind(base, on_control, NULL,
	    LEV_OPT_CLOSE_ON_FREE, 8, (struct sockaddr *)&address,
	    sizeof(address));
	if (commands == NULL)
		die(control);
	term = evsignal_new(base, SIGTERM, on_signal, NULL);
	event_add(term, NULL);
	event_base_dispatch(base);
	event_free(term);
	evconnlistener_free(commands);
	if (listener != NULL)
		evconnlistener_free(listener);
	while (links != NULL)
		link_free(links);
	clear_rules();
	/* freed bufferevents have their last callbacks waiting */
	event_base_loop(base, EVLOOP_NONBLOCK);
	event_base_free(base);
	SSL_CTX_free(to_client);
	SSL_CTX_free(to_server);
	if (log_file != NULL)
		fclose(log_file);
	unlink(control);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "listen", required_argument, NULL, 'l' },
		{ "to", required_argument, NULL, 't' },
		{ "control", required_argument, NULL, 'c' },
		{ "cert", required_argument, NULL, 'C' },
		{ "key", required_argument, NULL, 'K' },
		{ "ca", required_argument, NULL, 'A' },
		{ "client-cert", required_argument, NULL, 'u' },
		{ "client-key", required_argument, NULL, 'k' },
		{ "log", required_argument, NULL, 'L' },
		{ "seed", required_argument, NULL, 's' },
		{ "say", no_argument, NULL, 'S' },
		{ NULL, 0, NULL, 0 },
	};
	const char *values[128] = { NULL };
	int opt;

	while ((opt = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (opt == '?')
			return 2;
		values[opt] = optarg != NULL ? optarg : "";
		if (opt == 'S')
			break;
	}
	if (values['c'] == NULL ||
	    (values['S'] == NULL &&
		(values['l'] == NULL || values['t'] == NULL))) {
		fputs("usage: fault_proxy --listen PORT --to PORT --control "
		      "SOCKET [--cert F --key F --ca F]\n",
		    stderr);
		return 2;
	}
	if (values['S'] != NULL)
		return say(values['c'], argc - optind, argv + optind);
	listen_port = (uint16_t)strtoul(values['l'], NULL, 10);
	server_port = (uint16_t)strtoul(values['t'], NULL, 10);
	if (values['s'] != NULL)
		chance = strtoull(values['s'], NULL, 10);
	if (values['L'] != NULL && (log_file = fopen(values['L'], "a")) == NULL)
		die(values['L']);
	if (values['C'] != NULL)
		begin_tls(values['C'], values['K'], values['A'], values['u'],
		    values['k']);
	run(values['c']);
	return 0;
}
