#include "config.h"

#include "http/plain.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/server_internal.h"
#include "metrics/metrics.h"

#define MAX_CONNECTIONS 64
#define SECONDS 10
#define MAX_REQUEST_BYTES ((size_t)8 * 1024)
/* So many are accepted at once, then none for PAUSE_MS. */
#define BATCH 20
#define PAUSE_MS 10

struct plain_connection {
	struct plain *owner;
	struct peer peer;
	struct bufferevent *stream;
	struct event *deadline;
	struct head head;
	char *line; /* its first */
	size_t nbytes;
	TAILQ_ENTRY(plain_connection) link;
};

struct plain {
	struct event_base *base;
	struct plain_options options;
	struct evconnlistener *listener;
	struct event *resume; /* of a listener that had to pause */
	TAILQ_HEAD(, plain_connection) connections; /* the oldest first */
	unsigned nconnections;
	unsigned naccepted; /* of this batch */
};

static void
end(struct plain_connection *connection)
{
	TAILQ_REMOVE(&connection->owner->connections, connection, link);
	connection->owner->nconnections--;
	event_free(connection->deadline);
	bufferevent_free(connection->stream);
	free(connection->line);
	free(connection);
}

/* ---- answers ---- */

static const char *
phrase_of(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 400:
		return "Bad Request";
	case 404:
		return "Not Found";
	case 405:
		return "Method Not Allowed";
	}
	return "Internal Server Error";
}

static void
answer_path(struct plain *plain, const char *path, const char *encoded_query,
    struct reply *reply)
{
	struct query query;

	query_init(&query, encoded_query);
	if (plain->options.metrics != NULL && strcmp(path, "/metrics") == 0) {
		reply->content_type = METRICS_CONTENT_TYPE;
		metrics_write(plain->options.metrics, &reply->body);
	} else if (!health_answer(plain->options.health, path, &query, reply)) {
		reply_error(reply, 404, "404 page not found");
	}
	query_fini(&query);
}

/* "GET /healthz?verbose HTTP/1.1", which is cut up. */
static void
answer_line(struct plain *plain, char *line, struct reply *reply, bool *head)
{
	char *rest = line, *method = strsep(&rest, " ");
	char *target = strsep(&rest, " "), *path = strsep(&target, "?");

	*head = strcmp(method, "HEAD") == 0;
	if (path == NULL || path[0] != '/' || rest == NULL ||
	    strncmp(rest, "HTTP/1.", 7) != 0)
		reply_error(reply, 400, "400 Bad Request");
	else if (!*head && strcmp(method, "GET") != 0)
		reply_error(reply, 405, "405 method not allowed");
	else
		answer_path(plain, path, target, reply);
}

static void
on_written(struct bufferevent *stream, void *arg)
{
	end(arg);
}

static void
on_end(struct bufferevent *stream, short what, void *arg)
{
	end(arg);
}

static void
answer(struct plain_connection *connection, char *line)
{
	struct evbuffer *out = bufferevent_get_output(connection->stream);
	struct reply reply = { .status = 200,
		.content_type = "text/plain; charset=utf-8" };
	bool head;

	answer_line(connection->owner, line, &reply, &head);
	evbuffer_add_printf(out,
	    "HTTP/1.1 %d %s\r\n"
	    "Content-Type: %s\r\nContent-Length: %zu\r\n"
	    "X-Content-Type-Options: nosniff\r\n"
	    "Cache-Control: no-cache, private\r\nConnection: close\r\n\r\n",
	    reply.status, phrase_of(reply.status), reply.content_type,
	    reply.body.len);
	if (!head)
		evbuffer_add(out, reply.body.bytes, reply.body.len);
	text_fini(&reply.body);
	bufferevent_disable(connection->stream, EV_READ);
	bufferevent_setcb(connection->stream, NULL, on_written, on_end,
	    connection);
}

/* ---- requests ---- */

/* Their headers say nothing that we would want to know. */
static void
on_read(struct bufferevent *stream, void *arg)
{
	struct plain_connection *connection = arg;
	struct evbuffer *in = bufferevent_get_input(stream);
	enum head_line is = HEAD_GOES_ON;
	char *line;
	size_t len;

	connection->nbytes += evbuffer_get_length(in);
	while (is == HEAD_GOES_ON &&
	    (line = evbuffer_readln(in, &len, EVBUFFER_EOL_LF)) != NULL) {
		is = head_take(&connection->head, line, len);
		if (connection->line == NULL)
			connection->line = line;
		else
			free(line);
	}
	connection->nbytes -= evbuffer_get_length(in);
	if (is == HEAD_GOES_ON) {
		if (connection->nbytes + evbuffer_get_length(in) >=
		    MAX_REQUEST_BYTES)
			end(connection);
		return;
	}
	evbuffer_drain(in, evbuffer_get_length(in));
	if (is == HEAD_BROKEN)
		*connection->line = '\0';
	answer(connection, connection->line);
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	end(arg);
}

static unsigned
count_peer(const struct plain *plain, const struct peer *peer)
{
	const struct plain_connection *connection;
	unsigned n = 0;

	TAILQ_FOREACH (connection, &plain->connections, link)
		n += peer_equal(peer, &connection->peer);
	return n;
}

/* The oldest of the address that has most; see server_connections.c. */
static void
make_room(struct plain *plain)
{
	struct plain_connection *connection, *victim = NULL;
	unsigned n, most = 0;

	TAILQ_FOREACH (connection, &plain->connections, link) {
		n = count_peer(plain, &connection->peer);
		if (n <= most)
			continue;
		most = n;
		victim = connection;
	}
	end(victim);
}

static void
pause_accepting(const struct plain *plain, int64_t ms)
{
	evconnlistener_disable(plain->listener);
	timer_start(plain->resume, ms);
}

static void
on_accepted(struct evconnlistener *listener, evutil_socket_t fd,
    struct sockaddr *address, int len, void *arg)
{
	struct plain *plain = arg;
	struct plain_connection *connection;

	if (plain->nconnections >= plain->options.max_connections)
		make_room(plain);
	if (++plain->naccepted == BATCH)
		pause_accepting(plain, PAUSE_MS);
	connection = xcalloc(1, sizeof(*connection));
	connection->owner = plain;
	peer_of(address, &connection->peer);
	connection->stream =
	    bufferevent_socket_new(plain->base, fd, BEV_OPT_CLOSE_ON_FREE);
	connection->deadline =
	    evtimer_new(plain->base, on_deadline, connection);
	evtimer_add(connection->deadline,
	    &(struct timeval){ .tv_sec = plain->options.seconds });
	TAILQ_INSERT_TAIL(&plain->connections, connection, link);
	plain->nconnections++;
	bufferevent_setcb(connection->stream, on_read, NULL, on_end,
	    connection);
	bufferevent_enable(connection->stream, EV_READ);
}

/* ---- the port ---- */

/* Such as when all file descriptors are in use. */
static void
on_accept_failed(struct evconnlistener *listener, void *arg)
{
	pause_accepting(arg, 1000);
}

static void
on_resume(evutil_socket_t fd, short what, void *arg)
{
	struct plain *plain = arg;

	plain->naccepted = 0;
	evconnlistener_enable(plain->listener);
}

struct plain *
plain_new(struct event_base *base, const struct plain_options *options,
    struct err *err)
{
	int fd =
	    server_listen("--address", options->address, options->port, err);
	struct plain *plain;

	if (fd < 0)
		return NULL;
	plain = xcalloc(1, sizeof(*plain));
	plain->base = base;
	plain->options = *options;
	plain->options.max_connections = server_connections(
	    options->max_connections == 0 ? MAX_CONNECTIONS :
					    options->max_connections);
	if (options->seconds == 0)
		plain->options.seconds = SECONDS;
	TAILQ_INIT(&plain->connections);
	plain->listener = evconnlistener_new(base, on_accepted, plain,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	evconnlistener_set_error_cb(plain->listener, on_accept_failed);
	plain->resume = evtimer_new(base, on_resume, plain);
	return plain;
}

void
plain_free(struct plain *plain)
{
	if (plain == NULL)
		return;
	while (!TAILQ_EMPTY(&plain->connections))
		end(TAILQ_FIRST(&plain->connections));
	event_free(plain->resume);
	evconnlistener_free(plain->listener);
	free(plain);
}

int
plain_port(const struct plain *plain)
{
	return server_bound_port(evconnlistener_get_fd(plain->listener));
}
