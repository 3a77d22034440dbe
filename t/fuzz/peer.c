#include "config.h"

#include "t/fuzz/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "t/fuzz/fuzz.h"

/* Turns of the loop after which nothing new is expected. */
#define TURNS 6
#define HANDSHAKE_TURNS 1000

struct peer {
	struct event_base *base;
	int fd;
	SSL *ssl; /* NULL: without TLS */
	bool ended;
};

static SSL_CTX *context;
/* A session is resumed: a handshake is most of the cost of an input. */
static SSL_SESSION *session;

struct timers {
	struct event *at[8];
	size_t n;
	struct timeval until;
};

static int
collect_due(const struct event_base *base, const struct event *event, void *arg)
{
	struct timers *timers = arg;
	struct timeval when;

	if (event_pending(event, EV_TIMEOUT, &when) &&
	    evutil_timercmp(&when, &timers->until, <) &&
	    timers->n < LENGTH(timers->at))
		timers->at[timers->n++] = (struct event *)event;
	return 0;
}

/* A turn of the loop.  A short pause, in which the server accepts nothing, is
 * over at once. */
static void
turn(struct peer *peer)
{
	static const struct timeval pause = { .tv_usec = 500000 };
	struct timers timers = { .n = 0 };
	struct timeval now;

	evutil_gettimeofday(&now, NULL);
	evutil_timeradd(&now, &pause, &timers.until);
	event_base_foreach_event(peer->base, collect_due, &timers);
	for (size_t i = 0; i < timers.n; i++)
		event_active(timers.at[i], EV_TIMEOUT, 0);
	event_base_loop(peer->base, EVLOOP_NONBLOCK);
}

static int
on_session(SSL *ssl, SSL_SESSION *fresh)
{
	SSL_SESSION_free(session);
	session = fresh;
	return 1;
}

static void
shake_hands(struct peer *peer)
{
	if (context == NULL) {
		context = SSL_CTX_new(TLS_client_method());
		SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT);
		SSL_CTX_sess_set_new_cb(context, on_session);
	}
	peer->ssl = SSL_new(context);
	SSL_set_fd(peer->ssl, peer->fd);
	if (session != NULL)
		SSL_set_session(peer->ssl, session);
	for (unsigned i = 0; i < HANDSHAKE_TURNS; i++) {
		if (SSL_connect(peer->ssl) == 1)
			return;
		turn(peer);
	}
	fuzz_fail("no handshake");
}

struct peer *
peer_new(struct event_base *base, int port, bool tls)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	/* Without it, ports run out: each would wait for a minute. */
	struct linger now = { .l_onoff = 1 };
	struct peer *peer = xcalloc(1, sizeof(*peer));

	peer->base = base;
	peer->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FUZZ_CHECK(peer->fd >= 0);
	/* The kernel takes the connection; the server accepts it later. */
	FUZZ_CHECK(connect(peer->fd, (struct sockaddr *)&address,
		       sizeof(address)) == 0);
	setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	fcntl(peer->fd, F_SETFL, O_NONBLOCK);
	if (tls)
		shake_hands(peer);
	return peer;
}

void
peer_free(struct peer *peer)
{
	SSL_free(peer->ssl);
	close(peer->fd);
	for (unsigned i = 0; i < TURNS; i++)
		turn(peer);
	free(peer);
}

/* As read() and write(), but 0 for nothing yet and -1 for the end. */
static int
receive(struct peer *peer, void *bytes, size_t len)
{
	ssize_t n;

	if (peer->ssl != NULL) {
		n = SSL_read(peer->ssl, bytes, (int)len);
		if (n <= 0)
			return SSL_get_error(peer->ssl, (int)n) ==
				SSL_ERROR_WANT_READ ?
			    0 :
			    -1;
		return (int)n;
	}
	n = read(peer->fd, bytes, len);
	if (n < 0 && errno == EAGAIN)
		return 0;
	return n > 0 ? (int)n : -1;
}

static int
transmit(struct peer *peer, const void *bytes, size_t len)
{
	ssize_t n;

	if (len == 0)
		return 0;
	if (peer->ssl != NULL) {
		n = SSL_write(peer->ssl, bytes, (int)len);
		if (n <= 0)
			return SSL_get_error(peer->ssl, (int)n) ==
				SSL_ERROR_WANT_WRITE ?
			    0 :
			    -1;
		return (int)n;
	}
	n = send(peer->fd, bytes, len, MSG_NOSIGNAL);
	if (n < 0 && errno == EAGAIN)
		return 0;
	return (int)n;
}

bool
peer_send(struct peer *peer, const void *bytes, size_t len, struct text *answer)
{
	const char *at = bytes;
	char buf[4096];
	unsigned idle = 0;

	while (!peer->ended && idle < TURNS) {
		int sent = transmit(peer, at, len), got;

		if (sent > 0) {
			at += sent;
			len -= (size_t)sent;
		}
		turn(peer);
		got = receive(peer, buf, sizeof(buf));
		if (got > 0)
			text_append(answer, buf, (size_t)got);
		peer->ended = got < 0;
		idle = got > 0 || sent > 0 ? 0 : idle + 1;
	}
	return !peer->ended;
}

static void
check_answer(const struct text *answer)
{
	const char *code;

	if (answer->len == 0)
		return;
	FUZZ_CHECK(answer->len > strlen("HTTP/1.1 200"));
	/* libevent answers in the version of the request, even if it is "-1.1" */
	FUZZ_CHECK(strncmp(answer->bytes, "HTTP/", 5) == 0);
	code = memchr(answer->bytes, ' ', answer->len - 1);
	FUZZ_CHECK(code != NULL && code[1] >= '1' && code[1] <= '5');
}

void
peer_input(struct event_base *base, int port, bool tls, const void *bytes,
    size_t len)
{
	struct fuzz_input input = { bytes, len };
	size_t n, first = fuzz_byte(&input);
	char *request = fuzz_rest(&input, &n);
	struct peer *peer = peer_new(base, port, tls);
	struct text answer = { 0 };

	first = first < n ? first : n;
	if (peer_send(peer, request, first, &answer))
		peer_send(peer, request + first, n - first, &answer);
	check_answer(&answer);
	peer_free(peer);
	text_fini(&answer);
	free(request);
}
