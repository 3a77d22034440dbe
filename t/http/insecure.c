/* Our server without TLS. */
#include "config.h"

#include "wire/http/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "wire/metrics/metrics.h"
#include "t/lib/t.h"

static struct event_base *base;
static struct server *server;
static struct health *checks;
static bool healthy;

static int
check(void *arg, struct err *err)
{
	return healthy ? 0 : errf(err, "the lease is lost");
}

static struct health *
new_checks(void)
{
	checks = health_new();
	health_add(checks, "leaderElection", SERVER_EVERYWHERE, check, NULL);
	return checks;
}

static void
begin(const struct server_options *options)
{
	struct err err;

	base = event_base_new();
	server = server_new(base, options, &err);
	if (server == NULL) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	healthy = true;
}

static void
finish(void)
{
	server_free(server);
	health_free(checks);
	checks = NULL;
	event_base_free(base);
}

static int
dial_from(in_addr_t from)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(from) };
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)server_port(server)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&here, sizeof(here)) != 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) !=
		0)
		abort();
	return fd;
}

static int
dial(void)
{
	return dial_from(INADDR_LOOPBACK);
}

/* The bytes until the other side closes, within 5 s; "" for none. */
static const char *
hear(int fd)
{
	static char text[16 * 1024];
	time_t patience = time(NULL) + 5;
	size_t len = 0;
	ssize_t n;

	do {
		event_base_loop(base, EVLOOP_NONBLOCK);
		n = recv(fd, text + len, sizeof(text) - 1 - len, MSG_DONTWAIT);
		len += n > 0 ? (size_t)n : 0;
	} while (
	    (n > 0 || (n < 0 && errno == EAGAIN)) && time(NULL) < patience);
	t_true("it closes", n == 0 || errno == ECONNRESET);
	text[len] = '\0';
	close(fd);
	return text;
}

static const char *
ask(const char *request)
{
	int fd = dial();

	if (send(fd, request, strlen(request), MSG_NOSIGNAL) < 0)
		abort();
	return hear(fd);
}

#define GET(path)                                                              \
	"GET " path " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

static void
it_shows_health_and_nothing_else(void)
{
	static const struct {
		const char *request, *status, *body;
	} rows[] = {
		{ GET("/healthz"), "HTTP/1.1 200 OK\r\n", "\r\n\r\nok" },
		{ GET("/livez"), "HTTP/1.1 200 OK\r\n", "\r\n\r\nok" },
		{ GET("/readyz/ping"), "HTTP/1.1 200 OK\r\n", "\r\n\r\nok" },
		{ GET("/healthz?verbose"), "HTTP/1.1 200 OK\r\n",
		    "[+]leaderElection ok\n" },
		{ "HEAD /healthz HTTP/1.0\r\n\r\n", "HTTP/1.0 200 OK\r\n",
		    "Content-Length: 2\r\n" },
		{ GET("/metrics"), "HTTP/1.1 404 ", "not found" },
		{ GET("/configz"), "HTTP/1.1 404 ", "not found" },
		{ GET("/debug/decisions"), "HTTP/1.1 404 ", "not found" },
		{ GET("/version"), "HTTP/1.1 404 ", "not found" },
		{ GET("/healthz/../metrics"), "HTTP/1.1 404 ", "not found" },
		{ "POST /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
		    "HTTP/1.1 405 ", "" },
		{ "GET healthz HTTP/1.1\r\n\r\n", "HTTP/1.1 400 ", "" },
		{ "GET /healthz\r\n\r\n", "HTTP/1.1 400 ", "" },
		{ "GET\r\n\r\n", "HTTP/1.1 400 ", "" },
		{ "GET /healthz SPDY/9\r\n\r\n", "HTTP/1.1 400 ", "" },
		{ "\r\n\r\n", "HTTP/1.1 400 ", "" },
		/* what is no line of a head, before its end */
		{ "GET /healthz HTTP/1.1\n", "HTTP/1.1 400 ", "" },
		{ "GET /healthz HTTP/1.1\r\nContent-Length : 5\r\n",
		    "HTTP/1.1 400 ", "" },
		{ "GET /healthz HTTP/1.1\r\nX: a\r\n b\r\n", "HTTP/1.1 400 ",
		    "" },
		{ "GET /healthz HTTP/1.1\r\nContent-Length: 0\r\n"
		  "Content-Length: 35\r\n",
		    "HTTP/1.1 400 ", "" },
		{ "GET /healthz HTTP/1.1\r\nContent-Length: 4\r\n"
		  "Transfer-Encoding: chunked\r\n",
		    "HTTP/1.1 400 ", "" },
		{ "GET /healthz HTTP/1.1\r\nContent-Length: 2\r\n\r\nab",
		    "HTTP/1.1 200 OK\r\n", "\r\n\r\nok" },
	};

	begin(&(struct server_options){ .insecure = true,
	    .bind_address = "127.0.0.1",
	    .health = new_checks() });
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *heard = ask(rows[i].request);

		t_true(rows[i].request,
		    strncmp(heard, rows[i].status, strlen(rows[i].status)) ==
			0);
		t_has(rows[i].request, heard, rows[i].body);
	}
	t_true("a HEAD has no body",
	    strstr(ask("HEAD /healthz HTTP/1.0\r\n\r\n"), "\r\n\r\nok") ==
		NULL);
	healthy = false;
	t_has("a check that fails", ask(GET("/healthz")), "HTTP/1.1 500 ");
	finish();
}

static void
metrics_where_somebody_wants_them(void)
{
	struct metrics *metrics = metrics_new();

	begin(&(struct server_options){ .insecure = true,
	    .bind_address = "127.0.0.1" });
	server_set_metrics(server, metrics);
	t_has("metrics", ask(GET("/metrics")), "# TYPE scheduler_");
	t_has("without health", ask(GET("/healthz")), "HTTP/1.1 404 ");
	finish();
	metrics_free(metrics);
}

static void
nobody_keeps_it_busy(void)
{
	static char much[100000];
	int idle, first;

	begin(&(struct server_options){ .insecure = true,
	    .bind_address = "127.0.0.1",
	    .health = new_checks(),
	    .request_ms = 1000 });
	memset(much, 'x', sizeof(much) - 1);
	t_has("a request without end", ask(much), "HTTP/1.1 400 ");
	first = dial();
	send(first, "GET /hea", 8, MSG_NOSIGNAL);
	idle = dial();
	t_str("half a request", hear(first), "");
	t_str("none", hear(idle), "");
	finish();
}

/* Until the server has taken up to so many connections. */
static void
settle(void)
{
	for (int i = 0; i < 20; i++) {
		event_base_loop(base, EVLOOP_NONBLOCK);
		usleep(5000);
	}
}

static void
a_newcomer_always_gets_a_place(void)
{
	int other, many[100];

	begin(&(struct server_options){ .insecure = true,
	    .bind_address = "127.0.0.1",
	    .health = new_checks(),
	    .max_connections = 4,
	    .request_ms = 600000 });
	other = dial_from(INADDR_LOOPBACK + 1);
	for (size_t i = 0; i < LENGTH(many); i++) {
		many[i] = dial();
		send(many[i], "GET /hea", 8, MSG_NOSIGNAL);
	}
	t_has("a full house", ask(GET("/healthz")), "200 OK");
	settle();
	t_str("the oldest made room", hear(many[0]), "");
	t_int("the last did not",
	    recv(many[99], (char[1]){ 0 }, 1, MSG_DONTWAIT), -1);
	send(other, GET("/healthz"), strlen(GET("/healthz")), MSG_NOSIGNAL);
	t_has("nor another address", hear(other), "200 OK");
	for (size_t i = 1; i < LENGTH(many); i++)
		close(many[i]);
	finish();
}

/* The requests that are not answered yet. */
struct taken {
	size_t n;
	struct server_request *at[4];
};

static void
take(void *arg, struct server_request *request)
{
	struct taken *taken = arg;

	taken->at[taken->n++] = request;
}

static void
give(struct server_request *request, const char *text)
{
	struct reply reply = { .status = 200, .content_type = SERVER_JSON };

	text_put(&reply.body, text);
	server_answer(request, &reply);
}

static int
send_later(const char *request)
{
	int fd = dial();

	if (send(fd, request, strlen(request), MSG_NOSIGNAL) < 0)
		abort();
	settle();
	return fd;
}

static void
a_taker_answers_when_it_likes(void)
{
	struct taken taken = { 0 };
	int first, gone, second, never;

	begin(&(struct server_options){ .insecure = true,
	    .bind_address = "127.0.0.1",
	    .max_body = 8 });
	server_take_all(server, take, &taken);
	first = send_later("POST /a%20b?x=1&y HTTP/1.1\r\nHost: h\r\n"
			   "Content-Length: 4\r\n\r\nbody");
	gone = send_later(GET("/gone"));
	second = send_later("DELETE http://x/second HTTP/1.0\r\n\r\n");
	t_int("they wait", taken.n, 3);
	t_true("POST", taken.at[0]->post && !taken.at[0]->get);
	t_str("the path", taken.at[0]->path, "/a b");
	t_str("the query", taken.at[0]->encoded_query, "x=1&y");
	t_str("its values", query_get(taken.at[0]->query, "x"), "1");
	t_true("the body",
	    taken.at[0]->len == 4 && memcmp(taken.at[0]->body, "body", 4) == 0);
	t_true("GET", taken.at[1]->get && taken.at[1]->host == NULL);
	t_true("neither", !taken.at[2]->post && !taken.at[2]->get);
	t_str("a host in the first line", taken.at[2]->host, "x");
	close(gone);
	settle();
	give(taken.at[2], "two");
	t_has("the second", hear(second), "\r\n\r\ntwo");
	give(taken.at[1], "nobody");
	give(taken.at[0], "one");
	t_has("the first", hear(first), "\r\n\r\none");
	t_has("a body that is too big",
	    ask("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n123456789"),
	    "HTTP/1.1 413 ");
	never = send_later(GET("/never"));
	t_int("another one", taken.n, 4);
	finish();
	close(never);
}

static void
where_it_cannot_listen(void)
{
	struct server_options options = { .insecure = true,
		.bind_address = "127.0.0.1" };
	struct err err;

	begin(&options);
	options.port = server_port(server);
	t_true("taken", server_new(base, &options, &err) == NULL);
	t_has("it says so", err.text, "cannot listen on 127.0.0.1 port ");
	options.bind_address = "localhost";
	t_true("a name", server_new(base, &options, &err) == NULL);
	t_str("is none", err.text, "--address localhost is not an IP address");
	finish();
	server_free(NULL);
}

T_MAIN(T(it_shows_health_and_nothing_else),
    T(metrics_where_somebody_wants_them), T(nobody_keeps_it_busy),
    T(a_newcomer_always_gets_a_place), T(a_taker_answers_when_it_likes),
    T(where_it_cannot_listen))
