/*
 * The server's connections: how many there may be, how long they may take, and
 * how they end.
 *
 *	         accepted
 *	            │
 *	            ▼
 *	(TLS) HANDSHAKE ──▶ READING ◀── IDLE          each with a deadline
 *	                         │          ▲
 *	                         ▼          │
 *	                      ANSWERING ────┘         without one
 *
 *	any ──▶ lingering ──▶ gone
 *	any but ANSWERING ──▶ CLOSING ──▶ gone        its place is needed
 *
 * It lives as long as evhttp's connection, whose end evhttp reports.  Of libevent's
 * functions only those of requests lead to that connection, and there may never be
 * one; but it is the argument of the callbacks that evhttp gives to the stream.
 *
 * Lingering: further bytes of the client are read and dropped.  A socket that
 * is closed with bytes unread resets the connection, and a client that is
 * refused in the middle of a request that is too big would fail to send before
 * it reads why.  For this the socket is kept open by a descriptor of ours.
 *
 * When there are too many, in all or from one address, one that is not being
 * answered makes room: the oldest of those from the address that has most.  Those on
 * which a user was authenticated go last while they leave a quarter of the places to
 * others.  By age, not by activity: a health check then loses its place only to as
 * many newcomers as there are places, whatever the clients do that are there already,
 * and not at all to those of another address that has more.
 *
 * A line of a request's head that RFC 9112 does not allow is replaced, before libevent
 * sees it, by one that it answers 400.  With that, or behind a request with a body, the
 * connection ends: its bytes can be taken for no other request.
 *
 * Only so many are accepted per second: they cost time that decisions need.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "wire/http/server_internal.h"

#define LINGER_MS 5000
#define LINGER_BYTES ((size_t)1 << 20)
/* Their sockets are still to be closed; with more no connection is accepted. */
#define CLOSING_MAX 64
/* So many are accepted at once, then none for a pause: 2,000 a second. */
#define BATCH 20
#define PAUSE_MS 10

enum state { HANDSHAKE, READING, ANSWERING, IDLE, CLOSING };

/* A client's address, while it has connections. */
struct client {
	struct peer peer;
	unsigned n; /* connections, those CLOSING left out */
	unsigned nall;
	LIST_ENTRY(client) link;
};

/* It may outlive the server until it is closed (owner is NULL then). */
struct connection {
	struct connections *owner;
	enum state state;
	bool known_user;
	struct client *client;      /* NULL: not known yet */
	struct bufferevent *stream; /* NULL: lingering */
	struct event *deadline;
	int socket;       /* -1: it cannot linger */
	struct head head; /* of the request that is arriving */
	size_t nline;     /* bytes of the line without an end */
	bool last;        /* nothing behind this request is looked at */
	struct event *leftovers;
	size_t forgotten;
	TAILQ_ENTRY(connection) link;
};

struct connections {
	struct event_base *base;
	struct evconnlistener *listener;
	const struct tls *tls;
	const struct server_options *options;
	struct event *admission; /* of those that have no client yet */
	struct event *pause;
	TAILQ_HEAD(all, connection) all; /* the oldest first */
	LIST_HEAD(, client) clients;
	unsigned n, nclosing; /* together all of them */
	unsigned naccepted;   /* of this batch */
	unsigned nevicted;
};

/* ---- addresses ---- */

/* Of IPv6 the network: a client has as many addresses in it as it likes. */
static void
peer_of(const struct sockaddr *address, struct peer *peer)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

	*peer = (struct peer){ .family = AF_INET };
	if (address->sa_family == AF_INET) {
		memcpy(peer->bytes,
		    &((const struct sockaddr_in *)address)->sin_addr, 4);
	} else if (address->sa_family == AF_INET6 &&
	    IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
		memcpy(peer->bytes, &six->sin6_addr.s6_addr[12], 4);
	} else if (address->sa_family == AF_INET6) {
		peer->family = AF_INET6;
		memcpy(peer->bytes, &six->sin6_addr, sizeof(peer->bytes));
	}
}

bool
peer_equal(const struct peer *a, const struct peer *b)
{
	return a->family == b->family &&
	    memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

/* ---- the end ---- */

static void
leave(struct connection *connection)
{
	struct client *client = connection->client;

	if (client != NULL) {
		client->n -= connection->state != CLOSING;
		if (--client->nall == 0) {
			LIST_REMOVE(client, link);
			free(client);
		}
	}
	connection->client = NULL;
	TAILQ_REMOVE(&connection->owner->all, connection, link);
	event_free(connection->deadline);
}

static void
gone(struct connection *connection)
{
	struct connections *owner = connection->owner;

	if (owner != NULL) {
		leave(connection);
		if (connection->state == CLOSING)
			owner->nclosing--;
		else
			owner->n--;
		connections_resume(owner);
	}
	if (connection->leftovers != NULL)
		event_free(connection->leftovers);
	if (connection->socket >= 0)
		close(connection->socket);
	free(connection);
}

/* From below: evhttp, which owns the connection, then sees its end. */
static void
cut(struct connection *connection)
{
	evutil_socket_t socket;

	if (connection->stream == NULL) {
		gone(connection);
		return;
	}
	socket = bufferevent_getfd(connection->stream);
	if (socket >= 0)
		shutdown(socket, SHUT_RDWR);
}

/* Whether users' connections are few enough to be kept before others. */
static bool
prefers_users(const struct connections *connections,
    const struct client *client)
{
	const struct server_options *options = connections->options;
	unsigned max = client != NULL ? options->max_per_address :
					options->max_connections,
		 n = 0;
	const struct connection *connection;

	TAILQ_FOREACH (connection, &connections->all, link)
		n += connection->known_user && connection->state != CLOSING &&
		    (client == NULL || connection->client == client);
	return n <= max - max / 4;
}

/* Whether a goes before b, which is older. */
static bool
is_evicted_before(const struct connection *a, const struct connection *b,
    bool users_last)
{
	if (users_last && a->known_user != b->known_user)
		return b->known_user;
	return a->client->n > b->client->n;
}

/* The one to go; NULL: none can.  client: of this one; NULL: of any. */
static struct connection *
find_victim(const struct connections *connections, const struct client *client)
{
	bool users_last = prefers_users(connections, client);
	struct connection *connection, *victim = NULL;

	TAILQ_FOREACH (connection, &connections->all, link) {
		if (connection->client == NULL ||
		    connection->state == CLOSING ||
		    (connection->state == ANSWERING &&
			connection->stream != NULL))
			continue;
		if (client != NULL && connection->client != client)
			continue;
		if (victim == NULL ||
		    is_evicted_before(connection, victim, users_last))
			victim = connection;
	}
	return victim;
}

/* False: the client has closed, too, or there is too much. */
static bool
drop_input(struct connection *connection)
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
on_input_to_drop(evutil_socket_t fd, short what, void *arg)
{
	if (!drop_input(arg))
		gone(arg);
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	cut(arg);
}

/* ---- the beginning ---- */

/* The first request may begin.  Before a handshake is over there is no reply to
 * send. */
static void
begin(struct connection *connection, int fd)
{
	connection->socket = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (connection->owner == NULL || connection->state != HANDSHAKE)
		return;
	connection->state = READING;
	timer_start(connection->deadline,
	    connection->owner->options->request_ms);
}

static void
on_progress(const SSL *ssl, int where, int result)
{
	struct connection *connection = SSL_get_app_data(ssl);

	if ((where & SSL_CB_HANDSHAKE_DONE) && connection->socket < 0)
		begin(connection, SSL_get_fd(ssl));
}

/* The lines that have arrived; n bytes are new. */
static void
check_lines(struct connection *connection, struct evbuffer *in, size_t n)
{
	size_t at = evbuffer_get_length(in) - n, len;
	struct evbuffer_ptr from, end;

	connection->last = connection->nline > at; /* cannot be */
	while (!connection->last &&
	    evbuffer_ptr_set(in, &from, at, EVBUFFER_PTR_SET) == 0 &&
	    (end = evbuffer_search(in, "\n", 1, &from)).pos >= 0) {
		AUTOFREE char *line = NULL;
		enum head_line is;

		len = connection->nline + (size_t)end.pos - at;
		at = (size_t)end.pos - len;
		line = xcalloc(len + 1, 1);
		evbuffer_ptr_set(in, &from, at, EVBUFFER_PTR_SET);
		evbuffer_copyout_from(in, &from, line, len);
		is = head_take(&connection->head, line, len);
		connection->nline = 0;
		connection->last = is == HEAD_BROKEN ||
		    (is == HEAD_ENDS && connection->head.has_body);
		if (is == HEAD_ENDS)
			connection->head = (struct head){ 0 };
		if (is == HEAD_BROKEN) {
			struct evbuffer *sound = evbuffer_new();

			evbuffer_remove_buffer(in, sound, at);
			evbuffer_drain(in, SIZE_MAX);
			evbuffer_add_buffer(in, sound);
			evbuffer_add(in, "\1\r\n", 3);
			evbuffer_free(sound);
		}
		at += len + 1;
	}
	if (!connection->last)
		connection->nline += evbuffer_get_length(in) - at;
}

/* The next request begins; the answer to the last one has left. */
static void
on_input(struct evbuffer *in, const struct evbuffer_cb_info *info, void *arg)
{
	struct connection *connection = arg;

	if (info->n_added > 0 && !connection->last)
		check_lines(connection, in, info->n_added);
	if (info->n_added == 0 || connection->state != IDLE ||
	    connection->owner == NULL ||
	    evbuffer_get_length(bufferevent_get_output(connection->stream)) > 0)
		return;
	connection->state = READING;
	timer_start(connection->deadline,
	    connection->owner->options->request_ms);
}

/* From evhttp, which then closes the socket but for our descriptor. */
static void
on_end(struct evhttp_connection *http, void *arg)
{
	struct connection *connection = arg;
	SSL *ssl = bufferevent_openssl_get_ssl(connection->stream);

	evbuffer_remove_cb(bufferevent_get_input(connection->stream), on_input,
	    connection);
	if (ssl != NULL)
		SSL_set_info_callback(ssl, NULL);
	connection->stream = NULL;
	if (connection->owner == NULL || connection->socket < 0 ||
	    shutdown(connection->socket, SHUT_WR) != 0 ||
	    !drop_input(connection)) {
		gone(connection);
		return;
	}
	connection->leftovers =
	    event_new(connection->owner->base, connection->socket,
		EV_READ | EV_PERSIST, on_input_to_drop, connection);
	event_add(connection->leftovers, NULL);
	timer_start(connection->deadline, LINGER_MS);
}

static void
find_client(struct connection *connection)
{
	struct connections *owner = connection->owner;
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	struct client *client;
	struct peer peer;

	getpeername(bufferevent_getfd(connection->stream),
	    (struct sockaddr *)&address, &len);
	peer_of((struct sockaddr *)&address, &peer);
	LIST_FOREACH (client, &owner->clients, link)
		if (peer_equal(&client->peer, &peer))
			break;
	if (client == NULL) {
		client = xcalloc(1, sizeof(*client));
		client->peer = peer;
		LIST_INSERT_HEAD(&owner->clients, client, link);
	}
	client->n++;
	client->nall++;
	connection->client = client;
}

/* False: none of this client (NULL: of any) can make room. */
static bool
make_room(struct connections *connections, const struct client *client)
{
	struct connection *victim = find_victim(connections, client);

	if (victim == NULL)
		return false;
	connections->n--;
	connections->nclosing++;
	connections->nevicted++;
	victim->client->n--;
	victim->state = CLOSING;
	cut(victim);
	return true;
}

/* evhttp has it now, with its socket; or could not keep it. */
static void
adopt(struct connection *connection)
{
	struct bufferevent *stream = connection->stream;
	void *http;

	bufferevent_getcb(stream, NULL, NULL, NULL, &http);
	if (http == NULL) {
		gone(connection);
	} else {
		evhttp_connection_set_closecb(http, on_end, connection);
		find_client(connection);
		if (connection->owner->tls == NULL)
			begin(connection, bufferevent_getfd(stream));
	}
	bufferevent_decref(stream);
}

static void
adopt_newcomers(struct connections *connections)
{
	struct connection *connection, *previous;

	for (connection = TAILQ_LAST(&connections->all, all);
	     connection != NULL && connection->client == NULL;
	     connection = previous) {
		previous = TAILQ_PREV(connection, all, link);
		adopt(connection);
	}
}

/* All of them, before any has to make room. */
static void
on_admission(evutil_socket_t fd, short what, void *arg)
{
	struct connections *connections = arg;
	unsigned max = connections->options->max_connections;
	unsigned each = connections->options->max_per_address;
	struct client *client;

	adopt_newcomers(connections);
	LIST_FOREACH (client, &connections->clients, link)
		while (each != 0 && client->n > each &&
		    make_room(connections, client))
			continue;
	while (connections->n > max && make_room(connections, NULL))
		continue;
	connections_resume(connections);
}

static void
on_pause_over(evutil_socket_t fd, short what, void *arg)
{
	struct connections *connections = arg;

	connections->naccepted = 0;
	connections_resume(connections);
}

/* For a connection that was just accepted. */
static struct bufferevent *
new_stream(struct event_base *base, void *arg)
{
	static const struct timeval pause = { .tv_usec = PAUSE_MS * 1000 };
	struct connections *owner = arg;
	struct connection *connection = xcalloc(1, sizeof(*connection));
	SSL *ssl = owner->tls != NULL ? tls_session(owner->tls) : NULL;
	struct bufferevent *stream = ssl != NULL ?
	    bufferevent_openssl_socket_new(base, -1, ssl,
		BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE) :
	    bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);

	/* evhttp would take NULL for a wish to speak plain HTTP. */
	if (stream == NULL)
		abort();
	if (ssl != NULL) {
		bufferevent_openssl_set_allow_dirty_shutdown(stream, 1);
		SSL_set_app_data(ssl, connection);
		SSL_set_info_callback(ssl, on_progress);
	}
	connection->owner = owner;
	connection->stream = stream;
	connection->socket = -1;
	connection->deadline = evtimer_new(base, on_deadline, connection);
	bufferevent_incref(stream); /* until we adopt it */
	evbuffer_add_cb(bufferevent_get_input(stream), on_input, connection);
	TAILQ_INSERT_TAIL(&owner->all, connection, link);
	owner->n++;
	timer_start(connection->deadline, owner->options->handshake_ms);
	if (owner->naccepted++ == 0)
		evtimer_add(owner->pause, &pause);
	connections_resume(owner);
	event_active(owner->admission, EV_TIMEOUT, 0);
	return stream;
}

SSL *
connection_ssl(struct evhttp_request *request)
{
	struct evhttp_connection *http = evhttp_request_get_connection(request);

	return http == NULL ? NULL :
			      bufferevent_openssl_get_ssl(
				  evhttp_connection_get_bufferevent(http));
}

/* NULL: it has ended. */
static struct connection *
connection_of(const struct connections *connections,
    struct evhttp_request *request)
{
	struct evhttp_connection *http = evhttp_request_get_connection(request);
	struct connection *connection;

	if (http == NULL)
		return NULL;
	TAILQ_FOREACH (connection, &connections->all, link)
		if (connection->stream ==
		    evhttp_connection_get_bufferevent(http))
			break;
	return connection;
}

void
connection_busy(struct connections *connections, struct evhttp_request *request)
{
	struct connection *connection = connection_of(connections, request);

	assert(connection != NULL);
	event_del(connection->deadline);
	if (connection->state != CLOSING)
		connection->state = ANSWERING;
}

bool
connection_answered(struct connections *connections,
    struct evhttp_request *request)
{
	struct connection *connection = connection_of(connections, request);

	if (connection == NULL)
		return true;
	if (connection->state != CLOSING)
		connection->state = IDLE;
	timer_start(connection->deadline,
	    evbuffer_get_length(bufferevent_get_input(connection->stream)) > 0 ?
		connections->options->request_ms :
		connections->options->idle_ms);
	return connection->last;
}

void
connection_known(struct connections *connections,
    struct evhttp_request *request)
{
	struct connection *connection = connection_of(connections, request);

	if (connection != NULL)
		connection->known_user = true;
}

const struct peer *
connection_peer(const struct connections *connections,
    struct evhttp_request *request)
{
	const struct connection *connection =
	    connection_of(connections, request);

	return connection != NULL && connection->client != NULL ?
	    &connection->client->peer :
	    NULL;
}

/* ---- all of them ---- */

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
	connections->admission = evtimer_new(base, on_admission, connections);
	connections->pause = evtimer_new(base, on_pause_over, connections);
	TAILQ_INIT(&connections->all);
	LIST_INIT(&connections->clients);
	evhttp_set_bevcb(http, new_stream, connections);
	return connections;
}

void
connections_free(struct connections *connections)
{
	struct connection *connection;

	if (connections == NULL)
		return;
	adopt_newcomers(connections);
	while ((connection = TAILQ_FIRST(&connections->all)) != NULL) {
		leave(connection);
		connection->owner = NULL;
		if (connection->stream == NULL)
			gone(connection);
	}
	event_free(connections->admission);
	event_free(connections->pause);
	free(connections);
}

/* The batch is admitted before it is known which of them make room. */
void
connections_resume(struct connections *connections)
{
	unsigned max = connections->options->max_connections;
	unsigned batch = max < BATCH ? max : BATCH;

	if (connections->n < max + batch &&
	    connections->nclosing < (max < CLOSING_MAX ? max : CLOSING_MAX) &&
	    connections->naccepted < batch)
		evconnlistener_enable(connections->listener);
	else
		evconnlistener_disable(connections->listener);
}

unsigned
connections_evicted(struct connections *connections)
{
	unsigned n = connections->nevicted;

	connections->nevicted = 0;
	return n;
}

size_t
connections_unsent(const struct connections *connections)
{
	const struct connection *connection;
	size_t n = 0;

	TAILQ_FOREACH (connection, &connections->all, link)
		if (connection->stream != NULL)
			n += evbuffer_get_length(
			    bufferevent_get_output(connection->stream));
	return n;
}
