/*
 * The server's connections: how many there may be, how long they may take, and
 * how they end.
 *
 *	accepted ──▶ open ──▶ lingering ──▶ gone
 *
 * open: it lives as long as its SSL, to which it is attached: libevent does not
 * tell of the end of a connection that never made a request, OpenSSL does.
 *
 * lingering: what the client still sends is read and forgotten.  A socket that
 * is closed with bytes unread resets the connection, and a client that is
 * refused in the middle of a request that is too big would fail to send before
 * it reads why.  For this the socket is kept open by a descriptor of ours.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "daemon/server_internal.h"

#define LINGER_SECONDS 5
#define LINGER_BYTES ((size_t)1 << 20)

/* It may live on for a moment after the server (owner is NULL then). */
struct connection {
	struct connections *owner;
	struct bufferevent *stream; /* NULL: lingering */
	struct event *deadline;
	int socket; /* -1: it cannot linger */
	struct event *leftovers;
	size_t forgotten;
	LIST_ENTRY(connection) link;
};

struct connections {
	struct event_base *base;
	struct evconnlistener *listener;
	const struct tls *tls;
	const struct server_options *options;
	LIST_HEAD(, connection) all;
	unsigned n;
};

/*
 * The end
 */

static void
leave(struct connection *connection)
{
	LIST_REMOVE(connection, link);
	event_free(connection->deadline);
}

static void
gone(struct connection *connection)
{
	struct connections *owner = connection->owner;

	if (owner != NULL) {
		leave(connection);
		if (owner->n-- == owner->options->max_connections)
			evconnlistener_enable(owner->listener);
	}
	if (connection->leftovers != NULL)
		event_free(connection->leftovers);
	if (connection->socket >= 0)
		close(connection->socket);
	free(connection);
}

static void
set_deadline(struct connection *connection, unsigned seconds)
{
	evtimer_add(connection->deadline,
	    &(struct timeval){ .tv_sec = seconds });
}

/* False: the client has closed, too, or there is too much. */
static bool
forget_leftovers(struct connection *connection)
{
	char bytes[16 * 1024];
	ssize_t n;

	while ((n = recv(connection->socket, bytes, sizeof(bytes),
		    MSG_DONTWAIT)) > 0) {
		connection->forgotten += (size_t)n;
		if (connection->forgotten > LINGER_BYTES)
			return false;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void
on_leftovers(evutil_socket_t fd, short what, void *arg)
{
	if (!forget_leftovers(arg))
		gone(arg);
}

/* From OpenSSL; the socket is closed but for our descriptor. */
static void
connection_ended(void *parent, void *data, CRYPTO_EX_DATA *ad, int index,
    long argl, void *argp)
{
	struct connection *connection = data;

	if (connection == NULL)
		return;
	connection->stream = NULL;
	if (connection->owner == NULL || connection->socket < 0) {
		gone(connection);
		return;
	}
	shutdown(connection->socket, SHUT_WR);
	if (!forget_leftovers(connection)) {
		gone(connection);
		return;
	}
	connection->leftovers = event_new(connection->owner->base,
	    connection->socket, EV_READ | EV_PERSIST, on_leftovers, connection);
	event_add(connection->leftovers, NULL);
	set_deadline(connection, LINGER_SECONDS);
}

static int
connection_index(void)
{
	static int connection_index = -1;

	if (connection_index < 0)
		connection_index = SSL_get_ex_new_index(0, NULL, NULL, NULL,
		    connection_ended);
	return connection_index;
}

/* Ends the connection from below: evhttp, which owns it, then sees its end. */
static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	struct connection *connection = arg;
	evutil_socket_t socket;

	if (connection->stream == NULL) {
		gone(connection);
		return;
	}
	socket = bufferevent_getfd(connection->stream);
	if (socket >= 0)
		shutdown(socket, SHUT_RDWR);
}

/*
 * The beginning
 */

/* Who has not come so far has nothing to be told. */
static void
on_progress(const SSL *ssl, int where, int result)
{
	struct connection *connection =
	    SSL_get_ex_data(ssl, connection_index());

	if ((where & SSL_CB_HANDSHAKE_DONE) && connection->socket < 0)
		connection->socket =
		    fcntl(SSL_get_fd(ssl), F_DUPFD_CLOEXEC, 0);
}

/* For a connection that was just accepted. */
static struct bufferevent *
new_stream(struct event_base *base, void *arg)
{
	struct connections *owner = arg;
	struct connection *connection = xcalloc(1, sizeof(*connection));
	SSL *ssl = tls_session(owner->tls);
	struct bufferevent *stream = bufferevent_openssl_socket_new(base, -1,
	    ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);

	/* evhttp would take NULL for a wish to speak plain HTTP. */
	if (stream == NULL)
		abort();
	bufferevent_openssl_set_allow_dirty_shutdown(stream, 1);
	connection->owner = owner;
	connection->stream = stream;
	connection->socket = -1;
	connection->deadline = evtimer_new(base, on_deadline, connection);
	SSL_set_ex_data(ssl, connection_index(), connection);
	SSL_set_info_callback(ssl, on_progress);
	LIST_INSERT_HEAD(&owner->all, connection, link);
	set_deadline(connection, owner->options->request_seconds);
	if (++owner->n == owner->options->max_connections)
		evconnlistener_disable(owner->listener);
	return stream;
}

SSL *
connection_ssl(struct evhttp_request *request)
{
	struct evhttp_connection *connection =
	    evhttp_request_get_connection(request);

	return connection == NULL ? NULL : bufferevent_openssl_get_ssl(
	    evhttp_connection_get_bufferevent(connection));
}

/* NULL: it has ended. */
static struct connection *
connection_of(struct evhttp_request *request)
{
	SSL *ssl = connection_ssl(request);

	return ssl != NULL ? SSL_get_ex_data(ssl, connection_index()) : NULL;
}

void
connection_busy(struct evhttp_request *request)
{
	struct connection *connection = connection_of(request);

	assert(connection != NULL); /* all of them speak TLS */
	event_del(connection->deadline);
}

void
connection_expect(struct evhttp_request *request, unsigned seconds)
{
	struct connection *connection = connection_of(request);

	if (connection != NULL)
		set_deadline(connection, seconds);
}

/*
 * All of them
 */

struct connections *
connections_new(struct event_base *base, struct evhttp *http,
    struct evconnlistener *listener, const struct tls *tls,
    const struct server_options *options)
{
	struct connections *connections = xcalloc(1, sizeof(*connections));

	connections->base = base;
	connections->listener = listener;
	connections->tls = tls;
	connections->options = options;
	LIST_INIT(&connections->all);
	evhttp_set_bevcb(http, new_stream, connections);
	return connections;
}

void
connections_free(struct connections *connections)
{
	struct connection *connection;

	if (connections == NULL)
		return;
	while ((connection = LIST_FIRST(&connections->all)) != NULL) {
		leave(connection);
		connection->owner = NULL;
		if (connection->stream == NULL)
			gone(connection);
	}
	free(connections);
}

void
connections_resume(struct connections *connections)
{
	if (connections->n < connections->options->max_connections)
		evconnlistener_enable(connections->listener);
}
