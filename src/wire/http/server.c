#include "config.h"

#include "wire/http/server.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/version.h"
#include "wire/http/auth.h"
#include "wire/http/server_child.h"
#include "wire/http/server_internal.h"
#include "wire/metrics/metrics.h"

#define MAX_CONNECTIONS 200
#define HANDSHAKE_MS 10000
#define REQUEST_MS 10000
#define IDLE_MS 90000
/* Requests of one address that wait for the API server; it has other clients. */
#define PENDING_PER_ADDRESS 16
#define MAX_HEADER_BYTES (64 * 1024)
#define MAX_UNSENT ((size_t)64 << 20)
#define MAX_BODY_BYTES (16 * 1024) /* no path needs one */
/* Certificates are looked at, and a listener that had to pause is woken. */
#define TICK_SECONDS 5
#define COMPLAIN_MS 60000 /* at most once in this time */
/* The rest after a page that is paced: so many times what it took, at most this. */
#define PACED_REST 9
#define PACED_REST_MS 2000
#define APART_REST_MS 100 /* at least: a copied process costs us later, too */
#define PACED_MAX 64      /* requests that wait for their turn */

struct handler {
	char *path;
	void (
	    *handle)(void *arg, const struct query *query, struct reply *reply);
	void *arg;
	enum server_pace pace;
};

/* A request that waits for auth.c, then perhaps for its turn; or for its taker. */
struct pending {
	struct server_request asked; /* the first, of server_answer() */
	struct server *server;
	struct evhttp_request *request;
	struct auth_call *call;
	char *path;
	const struct handler *handler; /* NULL: of health, or of the taker */
	struct query query;
	bool allowed; /* it waits for its turn alone */
	TAILQ_ENTRY(pending) link;
};

struct server {
	struct event_base *base;
	struct server_options options;
	struct tls *tls;
	struct evhttp *http;
	struct evconnlistener *listener;
	struct event *tick;
	struct event *turn;  /* of the next request that is paced */
	double rests_until;  /* of clock_seconds(): none is answered before */
	struct child *child; /* of the page that is answered apart; or NULL */
	struct pending *of_child;
	struct auth *auth;
	struct metrics *metrics;
	struct handler *handlers;
	size_t nhandlers, handlers_cap;
	/* Of all requests, in place of handlers; or NULL. */
	void (*take)(void *arg, struct server_request *request);
	void *take_arg;
	TAILQ_HEAD(, pending) pending;
	struct connections *connections;
	int64_t complained; /* clock_ms(); 0: never */
};

/* ---- replies ---- */

void
reply_error(struct reply *reply, int status, const char *fmt, ...)
{
	AUTOFREE char *sentence = NULL;

	XFORMAT(sentence, fmt);
	reply->status = status;
	reply->content_type = "text/plain; charset=utf-8";
	text_fini(&reply->body);
	text_put(&reply->body, sentence);
	text_put(&reply->body, "\n");
}

/* A Kubernetes Status, as kubectl understands it. */
static void
reply_status(struct reply *reply, int status, const char *reason,
    const char *message)
{
	reply->status = status;
	reply->content_type = SERVER_JSON;
	json_put(&reply->body,
	    "{'kind':'Status','apiVersion':'v1',"
	    "'metadata':{},'status':'Failure','message':%s,'reason':%s,"
	    "'details':{},'code':%d}",
	    message, reason, (int64_t)status);
	text_put(&reply->body, "\n");
}

static void
free_bytes(const void *bytes, size_t len, void *arg)
{
	free(arg);
}

/* Takes the reply's body; the request no longer belongs to us. */
static void
finish(struct server *server, struct evhttp_request *request,
    struct reply *reply)
{
	struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
	struct evbuffer *body = evbuffer_new();
	size_t len = reply->body.len;
	char *bytes = text_take(&reply->body);
	const char *const *more = reply->headers;
	bool is_last = connection_answered(server->connections, request);
	char length[24];
	char code[16];

	if (server->metrics != NULL) {
		snprintf(code, sizeof(code), "%d", reply->status);
		metrics_inc(server->metrics, METRIC_HTTP_REQUESTS, code);
	}
	evhttp_add_header(headers, "Content-Type", reply->content_type);
	evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
	evhttp_add_header(headers, "Cache-Control", "no-cache, private");
	for (size_t i = 0; more != NULL && more[i] != NULL; i += 2) {
		evhttp_remove_header(headers, more[i]);
		evhttp_add_header(headers, more[i], more[i + 1]);
	}
	if (reply->status == 429)
		evhttp_add_header(headers, "Retry-After", "1");
	if (reply->status == 405)
		evhttp_add_header(headers, "Allow",
		    server->take != NULL ? "GET, HEAD, POST" : "GET, HEAD");
	if (is_last || reply->status == 400)
		evhttp_add_header(headers, "Connection", "close");
	snprintf(length, sizeof(length), "%zu", len);
	evhttp_add_header(headers, "Content-Length", length);
	if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD)
		free(bytes);
	else
		evbuffer_add_reference(body, bytes, len, free_bytes, bytes);
	evhttp_send_reply(request, reply->status, NULL, body);
	evbuffer_free(body);
}

static struct reply
new_reply(void)
{
	return (struct reply){ .status = 200,
		.content_type = "text/plain; charset=utf-8" };
}

/* ---- requests ---- */

/* The user may see it. */
static void
answer(const struct pending *pending, struct reply *reply)
{
	const struct server *server = pending->server;
	const struct handler *handler = pending->handler;

	if (handler == NULL)
		health_answer(server->options.health, pending->path,
		    &pending->query, reply);
	else if (connections_unsent(server->connections) >
	    server->options.max_unsent)
		reply_error(reply, 429, "429 Too Many Requests");
	else
		handler->handle(handler->arg, &pending->query, reply);
}

static bool
is_read(enum evhttp_cmd_type method)
{
	return method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD;
}

static const char *
method_of(struct evhttp_request *request)
{
	return evhttp_request_get_command(request) == EVHTTP_REQ_HEAD ? "HEAD" :
									"GET";
}

static void
pending_free(struct pending *pending)
{
	TAILQ_REMOVE(&pending->server->pending, pending, link);
	free(pending->path);
	query_fini(&pending->query);
	free(pending);
}

/* Takes the reply's body; the request is over. */
static void
end_pending(struct pending *pending, struct reply *reply)
{
	finish(pending->server, pending->request, reply);
	pending_free(pending);
}

/* The first one whose turn it is to come; NULL: none waits for that. */
static struct pending *
find_allowed(const struct server *server)
{
	struct pending *pending;

	TAILQ_FOREACH (pending, &server->pending, link)
		if (pending->allowed &&
		    (server->child == NULL ||
			pending->handler->pace != SERVER_APART))
			return pending;
	return NULL;
}

/* Those whose clients have gone do not wait any longer. */
static void
drop_gone(struct server *server)
{
	struct pending *pending, *next;

	for (pending = TAILQ_FIRST(&server->pending); pending != NULL;
	     pending = next) {
		struct reply reply = new_reply();

		next = TAILQ_NEXT(pending, link);
		if (pending->allowed &&
		    evhttp_request_get_connection(pending->request) == NULL)
			end_pending(pending, &reply);
	}
}

/* Whether this many requests wait for their turn (allowed), or for the API server; or
 * too many of this one's address. */
static bool
is_full(const struct server *server, struct evhttp_request *request,
    bool allowed, unsigned many)
{
	const struct peer *peer = connection_peer(server->connections, request);
	const struct pending *pending;
	unsigned all = 0, its = 0;

	TAILQ_FOREACH (pending, &server->pending, link) {
		const struct peer *other =
		    connection_peer(server->connections, pending->request);

		if (pending->allowed != allowed)
			continue;
		all++;
		its += peer != NULL && other != NULL && peer_equal(peer, other);
	}
	return all >= many || its >= PENDING_PER_ADDRESS;
}

static void
plan_turn(struct server *server)
{
	double rest = server->rests_until - clock_seconds();

	if (find_allowed(server) != NULL)
		timer_start(server->turn, rest > 0 ? rest * 1000 + 1 : 0);
}

/* What comes before the body of a reply that is made apart. */
struct apart_head {
	int status;
	const char *content_type; /* constants */
	const char *const *headers;
};

static void
make_apart(void *arg, struct text *out)
{
	struct server *server = arg;
	struct reply reply = new_reply();
	struct apart_head head;

	answer(server->of_child, &reply);
	head = (struct apart_head){ reply.status, reply.content_type,
		reply.headers };
	text_append(out, (const char *)&head, sizeof(head));
	text_append(out, reply.body.bytes, reply.body.len);
}

static void
on_made_apart(void *arg, const struct text *answer, bool in_time)
{
	struct server *server = arg;
	struct reply reply = new_reply();
	struct apart_head head;

	if (answer != NULL) {
		memcpy(&head, answer->bytes, sizeof(head));
		reply.status = head.status;
		reply.content_type = head.content_type;
		reply.headers = head.headers;
		text_append(&reply.body, answer->bytes + sizeof(head),
		    answer->len - sizeof(head));
	} else if (in_time) {
		reply_error(&reply, 500,
		    "the process that answers has ended; is there too little "
		    "memory?");
	} else {
		reply_error(&reply, 504, "no answer within %d s",
		    CHILD_SECONDS);
	}
	server->child = NULL;
	end_pending(server->of_child, &reply);
	plan_turn(server);
}

static void
answer_paced(struct pending *pending)
{
	struct server *server = pending->server;
	double begun = clock_seconds(), ended, rest;
	bool apart = pending->handler->pace == SERVER_APART;
	struct reply reply = new_reply();

	if (apart) {
		pending->allowed = false;
		pending->call = NULL;
		server->of_child = pending;
		server->child = child_start(server->base,
		    &(struct child_work){ make_apart, on_made_apart, server });
		if (server->child == NULL) {
			reply_error(&reply, 503, "cannot start a process: %s",
			    strerror(errno));
			end_pending(pending, &reply);
		}
	} else {
		answer(pending, &reply);
		end_pending(pending, &reply);
	}
	ended = clock_seconds();
	rest = (ended - begun) * PACED_REST;
	if (apart && rest < APART_REST_MS / 1e3)
		rest = APART_REST_MS / 1e3;
	server->rests_until =
	    ended + (rest < PACED_REST_MS / 1e3 ? rest : PACED_REST_MS / 1e3);
	plan_turn(server);
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct pending *pending;

	drop_gone(arg);
	pending = find_allowed(arg);
	if (pending != NULL)
		answer_paced(pending);
}

/* The user may see it: now, or when it is its turn. */
static void
answer_allowed(struct pending *pending)
{
	struct server *server = pending->server;
	const struct handler *handler = pending->handler;
	struct reply reply = new_reply();

	if (handler == NULL || handler->pace == SERVER_AT_ONCE) {
		answer(pending, &reply);
		end_pending(pending, &reply);
		return;
	}
	if (find_allowed(server) == NULL &&
	    clock_seconds() >= server->rests_until &&
	    (server->child == NULL || handler->pace != SERVER_APART)) {
		answer_paced(pending);
		return;
	}
	drop_gone(server);
	if (is_full(server, pending->request, true, PACED_MAX)) {
		reply_error(&reply, 429, "429 Too Many Requests");
		end_pending(pending, &reply);
		return;
	}
	pending->call = NULL;
	pending->allowed = true;
	plan_turn(server);
}

static void
refuse(struct pending *pending, const struct auth_answer *said)
{
	struct reply reply = new_reply();
	AUTOFREE char *message = NULL;

	switch (said->outcome) {
	case AUTH_ALLOWED:
		break;
	case AUTH_UNAUTHENTICATED:
		log_v(4, "server: %s: unauthenticated: %s", pending->path,
		    said->reason);
		message = xasprintf("Unauthorized%s", said->missing);
		reply_status(&reply, 401, "Unauthorized", message);
		break;
	case AUTH_FORBIDDEN:
		/* In kube-scheduler's words, but for the flags that are
		 * missing. */
		message = xasprintf(
		    "forbidden: User \"%s\" cannot %s path \"%s\"%s%s%s",
		    said->user,
		    strcmp(method_of(pending->request), "HEAD") == 0 ? "head" :
								       "get",
		    pending->path, said->reason[0] != '\0' ? ": " : "",
		    said->reason, said->missing);
		reply_status(&reply, 403, "Forbidden", message);
		break;
	case AUTH_UNKNOWN:
		log_v(2, "server: %s: %s", pending->path, said->reason);
		reply_error(&reply, 500, "Internal Server Error: \"%s\": %s",
		    pending->path, said->reason);
		break;
	}
	end_pending(pending, &reply);
}

static void
on_authorized(void *arg, const struct auth_answer *said)
{
	struct pending *pending = arg;

	if (said->user != NULL && strcmp(said->user, AUTH_ANONYMOUS) != 0)
		connection_known(pending->server->connections,
		    pending->request);
	if (said->outcome == AUTH_ALLOWED)
		answer_allowed(pending);
	else
		refuse(pending, said);
}

static void
ask_auth(struct pending *pending)
{
	SSL *ssl = connection_ssl(pending->request);
	X509 *certificate = SSL_get1_peer_certificate(ssl);
	struct auth_call *call = auth_ask(pending->server->auth,
	    &(struct auth_request){ .method = method_of(pending->request),
		.path = pending->path,
		.headers = pending->asked.headers,
		.certificate = certificate,
		.chain = SSL_get_peer_cert_chain(ssl) },
	    on_authorized, pending);

	if (call != NULL) /* otherwise pending is gone */
		pending->call = call;
	X509_free(certificate);
}

static struct pending *
pending_new(struct server *server, struct evhttp_request *request,
    const char *path, const struct handler *handler)
{
	struct pending *pending = xcalloc(1, sizeof(*pending));
	enum evhttp_cmd_type method = evhttp_request_get_command(request);
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *query = evhttp_uri_get_query(uri);
	struct evkeyvalq *headers = evhttp_request_get_input_headers(request);
	struct evbuffer *body = evhttp_request_get_input_buffer(request);

	pending->server = server;
	pending->request = request;
	pending->path = xstrdup(path);
	pending->handler = handler;
	query_init(&pending->query, query);
	pending->query.path = pending->path;
	pending->query.accept = evhttp_find_header(headers, "Accept");
	pending->asked = (struct server_request){ .get = is_read(method),
		.post = method == EVHTTP_REQ_POST,
		.host = evhttp_uri_get_host(uri),
		.path = pending->path,
		.encoded_query = query != NULL ? query : "",
		.query = &pending->query,
		.headers = headers,
		.len = evbuffer_get_length(body),
		.body = "" };
	if (pending->asked.len > 0)
		pending->asked.body = (const char *)evbuffer_pullup(body, -1);
	TAILQ_INSERT_TAIL(&server->pending, pending, link);
	return pending;
}

void
server_answer(struct server_request *request, struct reply *reply)
{
	end_pending((struct pending *)request, reply);
}

/* Unescaped, you own it; NULL: it holds a NUL or is none. */
static char *
path_of(struct evhttp_request *request)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *encoded = uri != NULL ? evhttp_uri_get_path(uri) : NULL;
	size_t len = 0;
	char *path;

	if (encoded == NULL || encoded[0] != '/')
		return NULL;
	path = evhttp_uridecode(encoded, 0, &len);
	if (path != NULL && strlen(path) == len)
		return path;
	free(path);
	return NULL;
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct server *server = arg;
	AUTOFREE char *path = path_of(request);
	const struct handler *handler = path == NULL ?
	    NULL :
	    FIND_ROW(server->handlers, server->nhandlers, path, path);
	struct reply reply = new_reply();

	connection_busy(server->connections, request);
	if (path == NULL) {
		reply_error(&reply, 400, "400 Bad Request");
	} else if (server->take != NULL) {
		server->take(server->take_arg,
		    &pending_new(server, request, path, NULL)->asked);
		return;
	} else if (!is_read(evhttp_request_get_command(request))) {
		reply_error(&reply, 405, "405 method not allowed");
	} else if (handler == NULL &&
	    !health_answer(server->options.health, path, NULL, NULL)) {
		/* The list of paths is no secret, and requests for other paths
		 * must not cost a request to the API server. */
		reply_error(&reply, 404, "404 page not found");
	} else if (is_full(server, request, false,
		       (server->options.max_connections + 1) / 2)) {
		/* Half of the places are for newcomers, and no address takes
		 * those of others. */
		reply_error(&reply, 429, "429 Too Many Requests");
	} else {
		struct pending *pending =
		    pending_new(server, request, path, handler);

		if (server->options.insecure)
			answer_allowed(pending);
		else if (server->auth == NULL) {
			/* Without an auth no user can be authenticated, and
			 * health is open. */
			bool open = health_answer(server->options.health, path,
					NULL, NULL) &&
			    strchr(path + 1, '/') == NULL;

			on_authorized(pending,
			    &(struct auth_answer){
				.outcome = open ? AUTH_ALLOWED : AUTH_FORBIDDEN,
				.user = AUTH_ANONYMOUS,
				.reason = "",
				.missing = "" });
		} else
			ask_auth(pending);
		return;
	}
	finish(server, request, &reply);
}

/* ---- built-in paths ---- */

static void
serve_version(void *arg, const struct query *query, struct reply *reply)
{
	struct json_out json = JSON_OUT_INIT(&reply->body);

	reply->content_type = SERVER_JSON;
	version_json(&json);
	text_put(&reply->body, "\n");
}

static void
serve_metrics(void *arg, const struct query *query, struct reply *reply)
{
	bool open = query->accept != NULL &&
	    strcasestr(query->accept, OPENMETRICS) != NULL;

	reply->content_type =
	    open ? OPENMETRICS_CONTENT_TYPE : METRICS_CONTENT_TYPE;
	metrics_write(arg, open, &reply->body);
}

/* ---- listening ---- */

/* wanted, at most a quarter of the files that `ulimit -n` allows beyond 32: as
 * many may be about to close, as many about to be admitted.  At least 1. */
static unsigned
max_connections(unsigned wanted)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return wanted;
	most = limit.rlim_cur > 36 ? (limit.rlim_cur - 32) / 4 : 1;
	return wanted < most ? wanted : (unsigned)most;
}

static int
listen_on(const struct addrinfo *address, bool both_families)
{
	int fd = socket(address->ai_family,
	    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1, only_six = !both_families;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_six,
		    sizeof(only_six));
	if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 &&
	    listen(fd, 128) == 0)
		return fd;
	evutil_closesocket(fd);
	return -1;
}

/* A socket; -1: it cannot.  0.0.0.0 and "::" both mean every address, IPv4 and IPv6,
 * as in Go; IPv4 alone on a host without IPv6.  NULL and "" mean the same. */
static int
open_socket(const struct server_options *options, struct err *err)
{
	const char *address = options->bind_address;
	const char *host =
	    address != NULL && address[0] != '\0' ? address : "0.0.0.0";
	bool any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
	const char *const hosts[] = { any ? "::" : host,
		any ? "0.0.0.0" : NULL };
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_PASSIVE };
	struct addrinfo *found;
	char service[16];
	int fd = -1;

	snprintf(service, sizeof(service), "%d", options->port);
	for (size_t i = 0; i < LENGTH(hosts) && fd < 0; i++) {
		if (hosts[i] == NULL)
			break;
		if (getaddrinfo(hosts[i], service, &hints, &found) != 0)
			return errf(err, "%s %s is not an IP address",
			    options->insecure ? "--address" : "--bind-address",
			    host);
		fd = listen_on(found, any);
		freeaddrinfo(found);
	}
	if (fd < 0)
		return errf(err, "cannot listen on %s port %d: %s", host,
		    options->port, strerror(errno));
	return fd;
}

/* Such as when all file descriptors are in use.  on_tick() wakes it. */
static void
on_accept_failed(struct evconnlistener *listener, void *arg)
{
	log_warning("server: cannot accept a connection: %s", strerror(errno));
	evconnlistener_disable(listener);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	unsigned n;

	tls_refresh(server->tls);
	connections_resume(server->connections);
	if (server->complained != 0 &&
	    clock_ms() - server->complained < COMPLAIN_MS)
		return;
	n = connections_evicted(server->connections);
	if (n == 0)
		return;
	server->complained = clock_ms();
	log_warning("server: too many connections: closed %u that were "
		    "waiting for their clients",
	    n);
}

static int
start_http(struct server *server, struct err *err)
{
	int fd = open_socket(&server->options, err);

	if (fd < 0)
		return -1;
	server->http = evhttp_new(server->base);
	server->listener = evconnlistener_new(server->base, NULL, NULL,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	evhttp_bind_listener(server->http, server->listener);
	evconnlistener_set_error_cb(server->listener, on_accept_failed);
	server->connections = connections_new(server->base, server->http,
	    server->listener, server->tls, &server->options);
	evhttp_set_gencb(server->http, on_request, server);
	evhttp_set_timeout(server->http,
	    (int)(server->options.idle_ms / 1000 + 1));
	evhttp_set_max_headers_size(server->http, MAX_HEADER_BYTES);
	evhttp_set_max_body_size(server->http,
	    (ev_ssize_t)server->options.max_body);
	/* All that it can read, so that ours is the answer. */
	evhttp_set_allowed_methods(server->http,
	    EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST |
		EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
		EVHTTP_REQ_TRACE | EVHTTP_REQ_PATCH);
	return 0;
}

static unsigned
or_default(unsigned value, unsigned otherwise)
{
	return value != 0 ? value : otherwise;
}

struct server *
server_new(struct event_base *base, const struct server_options *options,
    struct err *err)
{
	struct server *server = xcalloc(1, sizeof(*server));

	server->base = base;
	server->options = *options;
	server->options.max_connections = max_connections(
	    or_default(options->max_connections, MAX_CONNECTIONS));
	server->options.handshake_ms =
	    or_default(options->handshake_ms, HANDSHAKE_MS);
	server->options.request_ms =
	    or_default(options->request_ms, REQUEST_MS);
	server->options.idle_ms = or_default(options->idle_ms, IDLE_MS);
	if (options->max_unsent == 0)
		server->options.max_unsent = MAX_UNSENT;
	if (options->max_body == 0)
		server->options.max_body = MAX_BODY_BYTES;
	TAILQ_INIT(&server->pending);
	if (!options->insecure) {
		server_handle(server, "/version", SERVER_AT_ONCE, serve_version,
		    NULL);
		server->tls = tls_new(&server->options, true, err);
	}
	if ((server->tls == NULL && !options->insecure) ||
	    start_http(server, err) != 0) {
		server_free(server);
		return NULL;
	}
	server->turn = evtimer_new(base, on_turn, server);
	server->tick = event_new(base, -1, EV_PERSIST, on_tick, server);
	event_add(server->tick, &(struct timeval){ .tv_sec = TICK_SECONDS });
	return server;
}

void
server_free(struct server *server)
{
	struct pending *pending;

	if (server == NULL)
		return;
	child_free(server->child);
	while ((pending = TAILQ_FIRST(&server->pending)) != NULL) {
		auth_cancel(pending->call);
		/* Frees it, if its connection has ended. */
		evhttp_send_error(pending->request, 503, NULL);
		pending_free(pending);
	}
	connections_free(server->connections);
	if (server->http != NULL)
		evhttp_free(server->http); /* and the listener */
	if (server->tick != NULL)
		event_free(server->tick);
	if (server->turn != NULL)
		event_free(server->turn);
	tls_free(server->tls);
	for (size_t i = 0; i < server->nhandlers; i++)
		free(server->handlers[i].path);
	free(server->handlers);
	free(server);
}

void
server_set_auth(struct server *server, struct auth *auth)
{
	server->auth = auth;
}

void
server_set_metrics(struct server *server, struct metrics *metrics)
{
	server->metrics = metrics;
	server_handle(server, "/metrics", SERVER_AT_ONCE, serve_metrics,
	    metrics);
}

int
server_port(const struct server *server)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);

	if (getsockname(evconnlistener_get_fd(server->listener),
		(struct sockaddr *)&address, &len) != 0)
		return -1;
	return address.ss_family == AF_INET6 ?
	    ntohs(((struct sockaddr_in6 *)&address)->sin6_port) :
	    ntohs(((struct sockaddr_in *)&address)->sin_port);
}

void
server_reload(struct server *server)
{
	tls_refresh(server->tls);
}

void
server_handle(struct server *server, const char *path, enum server_pace pace,
    void (*handle)(void *arg, const struct query *query, struct reply *reply),
    void *arg)
{
	vec_room(server->handlers, server->nhandlers, &server->handlers_cap);
	server->handlers[server->nhandlers++] =
	    (struct handler){ xstrdup(path), handle, arg, pace };
}

void
server_take_all(struct server *server,
    void (*take)(void *arg, struct server_request *request), void *arg)
{
	server->take = take;
	server->take_arg = arg;
}
