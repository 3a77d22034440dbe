/*
 * Curl's multi interface on libevent, and the start of a request in curl.
 */
#include "config.h"

#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>

#include "wire/api/client_internal.h"
#include "base/clock.h"
#include "wire/api/credentials.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/protobuf.h"

/* The maximum time without acknowledgement; the peer is then unreachable. */
#define UNACKNOWLEDGED_MS 30000
/* Of curl's for each answer in the lane of lists and watches. */
#define BUFFER_BYTES (256L << 10)
/* See on_quiet(). */
static const int64_t probe_after_ms[] = { 50, 250, 1250 };
/* See on_readable(). */
#define PAUSE_US 5000
#define PAUSE_FROM 8

struct socket {
	LIST_ENTRY(socket) link;
	struct pipe *pipe;
	curl_socket_t fd;
	struct event *readable, *writable;
	bool reads, writes;           /* curl's events, */
	bool added_read, added_write; /* and we, on its behalf */
};

/* ---- events ---- */

static bool
is_sent(const struct api_call *call)
{
	curl_off_t began = 0;

	curl_easy_getinfo(call->easy, CURLINFO_PRETRANSFER_TIME_T, &began);
	return began > 0;
}

static void
collect(struct pipe *pipe)
{
	struct api_call *call;
	CURLMsg *message;
	long status, os_error;
	int left;
	CURLcode result;
	bool unsent;

	while ((message = curl_multi_info_read(pipe->multi, &left)) != NULL) {
		if (message->msg != CURLMSG_DONE)
			continue;
		result = message->data.result;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
		    (char **)&call);
		status = 0;
		curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
		unsent = result != CURLE_OK && !is_sent(call);
		os_error = 0;
		curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &os_error);
		call->os_error = (int)os_error;
		pipe_stop(call);
		client_finished(call, (int)result,
		    result == CURLE_OK ? (int)status : 0, unsent);
	}
}

static void
set_waiting(struct event *event, bool wanted, bool *added)
{
	if (wanted == *added)
		return;
	*added = wanted;
	if (wanted)
		event_add(event, NULL);
	else
		event_del(event);
}

/* Makes the event loop wait for curl's events. */
static void
wait_for_sockets(struct pipe *pipe)
{
	struct socket *socket;

	LIST_FOREACH (socket, &pipe->sockets, link) {
		set_waiting(socket->readable, socket->reads && !pipe->paused,
		    &socket->added_read);
		set_waiting(socket->writable, socket->writes,
		    &socket->added_write);
	}
}

/* Requests sent meanwhile share a packet. */
static void
cork(struct pipe *pipe, int on)
{
	struct socket *socket;

	LIST_FOREACH (socket, &pipe->sockets, link)
		setsockopt(socket->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof(on));
}

/* Multiplexed requests share one connection; each of HTTP/1.1 needs its own.  Watches
 * last: those beyond the limit of the server get connections at once.
 * Not from within a curl callback. */
static void
limit_connections(struct pipe *pipe)
{
	curl_multi_setopt(pipe->multi, CURLMOPT_MAX_HOST_CONNECTIONS,
	    pipe->single ? 1L : 0L);
}

/*
 * Runs curl once.  It sends a request's headers when the request begins, and
 * its body when the socket is writable: usually immediately, so this is tried
 * here instead of in the next turn of the event loop.
 */
static void
act(struct pipe *pipe, curl_socket_t fd, int what)
{
	struct socket *socket;
	int running;

	pipe->client->in_curl++;
	cork(pipe, 1);
	curl_multi_socket_action(pipe->multi, fd, what, &running);
	socket = LIST_FIRST(&pipe->sockets);
	if (pipe->multiplexed && socket != NULL && socket->writes &&
	    !(what & CURL_CSELECT_OUT))
		curl_multi_socket_action(pipe->multi, socket->fd,
		    CURL_CSELECT_OUT, &running);
	cork(pipe, 0);
	pipe->client->in_curl--;
	limit_connections(pipe);
	wait_for_sockets(pipe);
	collect(pipe);
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct socket *socket = arg;
	struct pipe *pipe = socket->pipe;
	int64_t now = clock_us();
	struct timeval pause = { 0 };

	pipe->heard = clock_ms();
	/* Curl scans all pending requests each time data arrives.  So while there
	 * are many, several responses are read at a time. */
	if (pipe->nrunning >= PAUSE_FROM && now < pipe->read_us + PAUSE_US) {
		pause.tv_usec = (suseconds_t)(pipe->read_us + PAUSE_US - now);
		pipe->paused = true;
		event_add(pipe->pause, &pause);
		wait_for_sockets(pipe);
		return;
	}
	pipe->read_us = now;
	act(pipe, fd, CURL_CSELECT_IN);
}

static void
on_pause_over(evutil_socket_t fd, short what, void *arg)
{
	struct pipe *pipe = arg;

	pipe->paused = false;
	wait_for_sockets(pipe);
}

static void
on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct socket *socket = arg;

	act(socket->pipe, fd, CURL_CSELECT_OUT);
}

static void
on_timer_event(evutil_socket_t fd, short what, void *arg)
{
	act(arg, CURL_SOCKET_TIMEOUT, 0);
}

/*
 * Curl holds requests back if the server allows no more streams on the only
 * connection, or no new ones (GOAWAY).  Watches last, so the requests need
 * another connection; short ones have two at most.
 */
static void
relieve(struct pipe *pipe)
{
	const struct pipes *all = &pipe->client->lanes[pipe->lane].pipes;
	struct api_call *call, *next;
	bool connected = false;

	/* The loop may not have run curl since the last request. */
	act(pipe, CURL_SOCKET_TIMEOUT, 0);
	TAILQ_FOREACH (call, &pipe->running, link)
		connected = connected || is_sent(call);
	if (!connected)
		return;
	/* A response may take long; the server's limit has arrived. */
	pipe->known = true;
	client_wake(pipe->client);
	if (!pipe->single || TAILQ_FIRST(all) != TAILQ_LAST(all, pipes))
		return;
	for (call = TAILQ_FIRST(&pipe->running); call != NULL; call = next) {
		next = TAILQ_NEXT(call, link);
		if (!call->probe && !call->cancelled && !is_sent(call))
			client_move(call);
	}
}

static bool
is_answered_in_part(const struct pipe *pipe)
{
	const struct api_call *call;

	TAILQ_FOREACH (call, &pipe->running, link)
		if (call->on_data == NULL && call->answer.len > 0)
			return true;
	return false;
}

/*
 * Curl 7.88 (Debian 12) can miss the end of an HTTP/2 stream: nghttp2 paused
 * because curl's buffer was full, everything has been read from the socket, and
 * nghttp2 continues only when more data arrives, which may be never.  So if the rest
 * of an answer does not arrive, we make the server send data by a small request,
 * three times at growing intervals.  (No PING: before 8.10 curl_easy_upkeep() has no
 * effect on a handle of a multi.)
 */
static void
on_quiet(evutil_socket_t fd, short what, void *arg)
{
	struct pipe *pipe = arg;
	int64_t quiet, due;

	relieve(pipe);
	if (pipe->nrunning == 0)
		return;
	quiet = clock_ms() - pipe->active;
	due = probe_after_ms[pipe->nprobes];
	if (quiet >= due) {
		if (pipe->multiplexed && is_answered_in_part(pipe))
			client_probe(pipe);
		if (++pipe->nprobes == LENGTH(probe_after_ms))
			return;
		due = probe_after_ms[pipe->nprobes];
	}
	timer_start(pipe->quiet, due - quiet);
}

/* Records a write or an arrival, except those of probes. */
static void
stir(const struct api_call *call)
{
	struct pipe *pipe = call->pipe;

	if (call->probe)
		return;
	pipe->active = clock_ms();
	pipe->nprobes = 0;
	if (!event_pending(pipe->quiet, EV_TIMEOUT, NULL))
		timer_start(pipe->quiet, probe_after_ms[0]);
}

static int
on_timer(CURLM *multi, long ms, void *arg)
{
	struct pipe *pipe = arg;

	if (ms < 0)
		event_del(pipe->timer);
	else
		timer_start(pipe->timer, ms);
	return 0;
}

static int
on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
	struct pipe *pipe = arg;
	struct event_base *base = pipe->client->base;
	struct socket *socket = known;

	if (what == CURL_POLL_REMOVE) {
		if (socket != NULL) {
			LIST_REMOVE(socket, link);
			event_free(socket->readable);
			event_free(socket->writable);
			free(socket);
		}
		return 0;
	}
	if (socket == NULL) {
		socket = xcalloc(1, sizeof(*socket));
		socket->pipe = pipe;
		socket->fd = fd;
		socket->readable = event_new(base, fd, EV_READ | EV_PERSIST,
		    on_readable, socket);
		socket->writable = event_new(base, fd, EV_WRITE | EV_PERSIST,
		    on_writable, socket);
		LIST_INSERT_HEAD(&pipe->sockets, socket, link);
		curl_multi_assign(pipe->multi, fd, socket);
	}
	socket->reads = (what & CURL_POLL_IN) != 0;
	socket->writes = (what & CURL_POLL_OUT) != 0;
	if (pipe->client->in_curl == 0)
		wait_for_sockets(pipe);
	return 0;
}

/* ---- pipes ---- */

struct pipe *
pipe_new(struct api_client *client, enum api_lane lane)
{
	struct pipe *pipe = xcalloc(1, sizeof(*pipe));
	struct credentials_tls tls = credentials_tls(client->credentials);

	pipe->client = client;
	pipe->lane = lane;
	pipe->generation = credentials_generation(client->credentials);
	pipe->heard = clock_ms();
	TAILQ_INIT(&pipe->running);
	xreplace(&pipe->ca, tls.ca);
	xreplace(&pipe->certificate, tls.certificate);
	xreplace(&pipe->key, tls.key);
	pipe->timer = evtimer_new(client->base, on_timer_event, pipe);
	pipe->quiet = evtimer_new(client->base, on_quiet, pipe);
	pipe->pause = evtimer_new(client->base, on_pause_over, pipe);
	LIST_INIT(&pipe->sockets);
	pipe->multi = curl_multi_init();
	curl_multi_setopt(pipe->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	curl_multi_setopt(pipe->multi, CURLMOPT_SOCKETDATA, pipe);
	curl_multi_setopt(pipe->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	curl_multi_setopt(pipe->multi, CURLMOPT_TIMERDATA, pipe);
	curl_multi_setopt(pipe->multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
	curl_multi_setopt(pipe->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000L);
	pipe->single = !client->http1 && lane != API_WATCHES;
	limit_connections(pipe);
	return pipe;
}

void
pipe_free(struct pipe *pipe)
{
	/* Closing connections still calls on_socket and on_timer. */
	curl_multi_cleanup(pipe->multi);
	event_free(pipe->timer);
	event_free(pipe->quiet);
	event_free(pipe->pause);
	free(pipe->ca);
	free(pipe->certificate);
	free(pipe->key);
	free(pipe);
}

/* ---- answers ---- */

static void
hear(struct api_call *call)
{
	call->pipe->heard = call->heard = clock_ms();
	call->client->asked_ms = 0;
	stir(call);
}

static size_t
on_bytes(char *bytes, size_t size, size_t n, void *arg)
{
	struct api_call *call = arg;
	size_t len = size * n;
	long status = 0;

	hear(call);
	if (call->cancelled)
		return CURL_WRITEFUNC_ERROR;
	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	if (call->on_data != NULL && status >= 200 && status < 300) {
		call->stream_began = true;
		call->on_data(call->arg, bytes, len);
		return call->cancelled ? CURL_WRITEFUNC_ERROR : len;
	}
	if (len > call->max_answer - call->answer.len) {
		call->too_long = true;
		return CURL_WRITEFUNC_ERROR;
	}
	text_append(&call->answer, bytes, len);
	return len;
}

/* Where the value begins when the line is the header called name, "retry-after:"
 * say; NULL: it is not. */
static const char *
value_of(const char *line, const char *end, const char *name)
{
	size_t len = strlen(name);

	if ((size_t)(end - line) <= len || strncasecmp(line, name, len) != 0)
		return NULL;
	for (line += len; line < end && *line == ' ';)
		line++;
	return line;
}

/* Whether that is the type, with or without parameters. */
static bool
is_type(const char *p, const char *end, const char *type)
{
	size_t len = strlen(type);

	return (size_t)(end - p) > len && strncasecmp(p, type, len) == 0 &&
	    strchr("; \r\n", p[len]) != NULL;
}

static size_t
on_header(char *line, size_t size, size_t n, void *arg)
{
	struct api_call *call = arg;
	size_t len = size * n;
	const char *value, *end = line + len;

	hear(call);
	if (len >= 7 && memcmp(line, "HTTP/", 5) == 0) {
		struct pipe *pipe = call->pipe;
		bool multiplexed = line[5] == '2';

		/* The status line tells the protocol of the connection. */
		if (!pipe->known || pipe->multiplexed != multiplexed) {
			pipe->known = true;
			pipe->multiplexed = multiplexed;
			pipe->client->http1 = !multiplexed;
			pipe->single = pipe->single && multiplexed;
			client_wake(pipe->client);
		}
		value = memchr(line, ' ', len - 1);
		call->answered = value != NULL && value[1] == '2';
	}
	if ((value = value_of(line, end, "retry-after:")) != NULL) {
		/* The API server writes seconds; a date is not understood. */
		const char *p = value;
		int64_t seconds = 0;

		for (; p < end && *p >= '0' && *p <= '9' && seconds < 100000;
		     p++)
			seconds = seconds * 10 + (*p - '0');
		call->retry_after_ms = seconds * 1000;
	} else if ((value = value_of(line, end, "content-type:")) != NULL)
		call->is_protobuf = is_type(value, end, PROTOBUF_TYPE);
	return len;
}

/* ---- requests ---- */

static int
on_connection(void *arg, curl_socket_t fd, curlsocktype purpose)
{
	unsigned int ms = UNACKNOWLEDGED_MS;
	struct pipe *pipe = arg;

	/* The server may have changed its limits. */
	if (pipe->multiplexed)
		pipe->known = false;

	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
	return CURL_SOCKOPT_OK;
}

static void
add_header(struct api_call *call, const char *name, const char *value)
{
	char AUTOFREE *line = xasprintf("%s: %s", name, value);

	call->headers = curl_slist_append(call->headers, line);
}

static void
set_headers(struct api_call *call)
{
	const struct api_client *client = call->client;
	const struct api_config *config = client->config;
	const char *authorization =
	    credentials_authorization(client->credentials);

	if (call->any_type)
		add_header(call, "Accept", "*/*");
	else
		add_header(call, "Accept",
		    call->protobuf ? PROTOBUF_TYPE "," JSON_TYPE : JSON_TYPE);
	if (call->body != NULL) {
		add_header(call, "Content-Type", call->content_type);
		call->headers = curl_slist_append(call->headers, "Expect:");
	}
	if (authorization != NULL)
		add_header(call, "Authorization", authorization);
	if (config->as != NULL)
		add_header(call, "Impersonate-User", config->as);
	for (size_t i = 0; i < config->nas_groups; i++)
		add_header(call, "Impersonate-Group", config->as_groups[i]);
	if (client->host != NULL)
		add_header(call, "Host", client->host);
	curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->headers);
}

static void
set_blob(CURL *easy, CURLoption option, char *pem)
{
	struct curl_blob blob = { 0 };

	if (pem == NULL)
		return;
	blob.data = pem;
	blob.len = strlen(pem);
	blob.flags = CURL_BLOB_NOCOPY;
	curl_easy_setopt(easy, option, &blob);
}

static void
set_tls(CURL *easy, const struct pipe *pipe)
{
	const struct api_config *config = pipe->client->config;
	char *ca = pipe->ca;

	/* At least; OpenSSL's own configuration may allow less. */
	curl_easy_setopt(easy, CURLOPT_SSLVERSION,
	    (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSLVERSION,
	    (long)CURL_SSLVERSION_TLSv1_2);
	/* An authority of our own is the only one: libcurl would add the file
	 * and the folder that it was built with, and on some systems the native
	 * store. Like client-go, a proxy over TLS is held to the same
	 * authority. */
	if (ca != NULL) {
		curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
		curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, 0L);
		set_blob(easy, CURLOPT_CAINFO_BLOB, ca);
		curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, NULL);
		curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, NULL);
		curl_easy_setopt(easy, CURLOPT_PROXY_SSL_OPTIONS, 0L);
		set_blob(easy, CURLOPT_PROXY_CAINFO_BLOB, ca);
	}
	set_blob(easy, CURLOPT_SSLCERT_BLOB, pipe->certificate);
	set_blob(easy, CURLOPT_SSLKEY_BLOB, pipe->key);
	if (config->insecure) {
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (pipe->client->connect_list != NULL)
		curl_easy_setopt(easy, CURLOPT_CONNECT_TO,
		    pipe->client->connect_list);
}

static void
set_connection(CURL *easy, struct pipe *pipe)
{
	const struct api_client *client = pipe->client;
	const struct api_config *config = client->config;

	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
	    client->options.http1 ? (long)CURL_HTTP_VERSION_1_1 :
				    (long)CURL_HTTP_VERSION_2TLS);
	/* Rather wait for the lane's connection than open another. */
	curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	/* The bigger, the less often on_quiet() is needed. */
	if (pipe->lane == API_WATCHES)
		curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, BUFFER_BYTES);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
	    (long)client->options.connect_ms);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 30L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 10L);
	curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_connection);
	curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, pipe);
	/* "" keeps curl from looking at the environment. */
	curl_easy_setopt(easy, CURLOPT_PROXY,
	    config->proxy_url != NULL ? config->proxy_url : "");
	curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
	/* Their status line is the proxy's. */
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

static void
set_request(struct api_call *call)
{
	CURL *easy = call->easy;
	char AUTOFREE *url =
	    xasprintf("%s%s", call->client->url_base, call->path);

	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, call->client->user_agent);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)call->timeout_ms);
	if (call->body != NULL) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
		    (curl_off_t)call->body_len);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, call->body);
	}
	if (strcmp(call->method, "GET") != 0 || call->body != NULL)
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call->method);
	/* Responses must not be compressed: close to the server, compression
	 * costs it more than the network gains (kube-scheduler 1.16 and later,
	 * DisableCompression). */
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->problem);
}

void
pipe_start(struct pipe *pipe, struct api_call *call)
{
	struct api_client *client = pipe->client;

	call->pipe = pipe;
	call->state = CALL_RUNNING;
	call->started = call->heard = clock_ms();
	if (client->asked_ms == 0)
		client->asked_ms = call->started;
	call->retry_after_ms = 0;
	call->is_protobuf = call->answered = false;
	call->problem[0] = '\0';
	call->answer.len = 0;
	call->too_long = false;
	call->easy = client->nspare > 0 ? client->spare[--client->nspare] :
					  curl_easy_init();
	set_connection(call->easy, pipe);
	set_tls(call->easy, pipe);
	set_request(call);
	set_headers(call);
	TAILQ_INSERT_TAIL(&pipe->running, call, link);
	/* Silence counts from the start of the first request. */
	if (pipe->nrunning++ == 0)
		pipe->heard = call->started;
	stir(call);
	client->in_curl++;
	curl_multi_add_handle(pipe->multi, call->easy);
	client->in_curl--;
	if (client->in_curl == 0)
		wait_for_sockets(pipe);
}

void
pipe_stop(struct api_call *call)
{
	struct api_client *client = call->client;

	client->in_curl++;
	curl_multi_remove_handle(call->pipe->multi, call->easy);
	client->in_curl--;
	if (client->in_curl == 0)
		wait_for_sockets(call->pipe);
	TAILQ_REMOVE(&call->pipe->running, call, link);
	call->pipe->nrunning--;
	if (client->nspare < LENGTH(client->spare)) {
		curl_easy_reset(call->easy);
		client->spare[client->nspare++] = call->easy;
	} else {
		curl_easy_cleanup(call->easy);
	}
	call->easy = NULL;
	curl_slist_free_all(call->headers);
	call->headers = NULL;
}
