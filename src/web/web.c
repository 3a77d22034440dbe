#include "config.h"

#include "web/web.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "web/answer.h"
#include "web/assets.h"
#include "web/guard.h"
#include "web/view.h"

#define MAX_HEADER_BYTES (16 * 1024)
#define MAX_BODY_BYTES (4 * 1024 * 1024) /* a policy in JSON */
#define CONNECTION_SECONDS 30            /* idle, or sending a request */
/* Questions that are answered at once, that wait, and how long one may take. */
#define MAX_RUNNING 4
#define MAX_WAITING 64
#define ANSWER_SECONDS 120
#define MAX_ANSWER_BYTES ((size_t)512 << 20)
#define ACCEPT_AGAIN_MS 1000

/* A question that waits for a process (pid 0), or is being answered. */
struct job {
	struct web *web;
	struct evhttp_request *request;
	struct evkeyvalq query;
	char *path, *slot; /* slot: "" for none */
	pid_t pid;
	int fd; /* the process writes the status, then the body */
	struct event *readable, *deadline;
	struct text answer;
	TAILQ_ENTRY(job) link;
};

struct web {
	struct event_base *base;
	struct evhttp *http;
	struct evconnlistener *listener;
	struct event *accept_again;
	struct guard guard;
	char url[128];
	const struct web_view *view;
	char *trouble;
	TAILQ_HEAD(, job) jobs; /* in the order of their requests */
	unsigned nrunning, nwaiting;
};

/* ---- replies ---- */

static void
free_bytes(const void *bytes, size_t len, void *arg)
{
	free(arg);
}

static void
add_headers(struct evhttp_request *request, const char *type)
{
	struct evkeyvalq *out = evhttp_request_get_output_headers(request);

	evhttp_add_header(out, "Content-Type", type);
	for (size_t i = 0; page_headers[i] != NULL; i += 2)
		evhttp_add_header(out, page_headers[i], page_headers[i + 1]);
}

/* Takes the bytes. */
static void
reply_bytes(struct evhttp_request *request, int status, const char *type,
    char *bytes, size_t skip, size_t len)
{
	struct evbuffer *body = evbuffer_new();
	char length[24];

	add_headers(request, type);
	snprintf(length, sizeof(length), "%zu", len - skip);
	evhttp_add_header(evhttp_request_get_output_headers(request),
	    "Content-Length", length);
	if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD)
		free(bytes);
	else
		evbuffer_add_reference(body, bytes + skip, len - skip,
		    free_bytes, bytes);
	evhttp_send_reply(request, status, NULL, body);
	evbuffer_free(body);
}

static void
reply_text(struct evhttp_request *request, int status, struct text *text)
{
	size_t len = text->len;

	reply_bytes(request, status, "application/json", text_take(text), 0,
	    len);
}

static void
reply_error(struct evhttp_request *request, int status, const char *sentence)
{
	struct text text = { 0 };

	json_put(&text, "{'error':%s}\n", sentence);
	if (status == 405)
		evhttp_add_header(evhttp_request_get_output_headers(request),
		    "Allow", "GET, HEAD, POST");
	reply_text(request, status, &text);
}

/* ---- processes that answer ---- */

static void
write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

/* In the new process; does not return.  Only the pipe stays open: connections end
 * when the server ends them. */
static void __attribute__((noreturn))
run_child(const struct job *job, int fd, pid_t parent)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(job->request);
	size_t len = evbuffer_get_length(in);
	struct web_reply reply = { 0 };
	char *body = xcalloc(1, len + 1);

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	fd = dup2(fd, STDERR_FILENO + 1);
	closefrom(STDERR_FILENO + 2);
	evbuffer_copyout(in, body, len);
	web_answer(job->web->view,
	    &(struct web_request){ .path = job->path,
		.post =
		    evhttp_request_get_command(job->request) == EVHTTP_REQ_POST,
		.query = &job->query,
		.body = body,
		.len = len },
	    &reply);
	write_all(fd, (const char *)&reply.status, sizeof(reply.status));
	write_all(fd, reply.body.bytes, reply.body.len);
	_exit(0);
}

static void
stop_child(struct job *job)
{
	if (job->pid == 0) {
		job->web->nwaiting--;
		return;
	}
	kill(job->pid, SIGKILL);
	waitpid(job->pid, NULL, 0);
	event_free(job->readable);
	event_free(job->deadline);
	close(job->fd);
	job->web->nrunning--;
}

static void start_waiting(struct web *web);

/* The process is gone afterwards; the request has been answered, or is the
 * caller's to answer. */
static void
job_free(struct job *job)
{
	TAILQ_REMOVE(&job->web->jobs, job, link);
	stop_child(job);
	evhttp_clear_headers(&job->query);
	text_fini(&job->answer);
	free(job->path);
	free(job->slot);
	free(job);
}

static void
end_with_error(struct job *job, int status, const char *sentence)
{
	struct evhttp_request *request = job->request;
	struct web *web = job->web;

	job_free(job);
	reply_error(request, status, sentence);
	start_waiting(web);
}

/* The process has written all that it will. */
static void
end_with_answer(struct job *job)
{
	struct evhttp_request *request = job->request;
	struct web *web = job->web;
	size_t len = job->answer.len;
	int status;
	char *bytes;

	if (len < sizeof(status)) {
		end_with_error(job, 500, "the question could not be answered");
		return;
	}
	bytes = text_take(&job->answer);
	memcpy(&status, bytes, sizeof(status));
	job_free(job);
	reply_bytes(request, status, "application/json", bytes, sizeof(status),
	    len);
	start_waiting(web);
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct job *job = arg;
	char bytes[65536];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
		text_append(&job->answer, bytes, (size_t)n);
		if (job->answer.len > MAX_ANSWER_BYTES) {
			end_with_error(job, 500, "the answer is too long");
			return;
		}
	}
	if (n == 0)
		end_with_answer(job);
	else if (errno != EAGAIN && errno != EINTR)
		end_with_error(job, 500, strerror(errno));
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	end_with_error(arg, 504, "the answer took too long");
}

/* -1: there are no resources for one more process now. */
static int
start_child(struct job *job)
{
	struct web *web = job->web;
	struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	pid_t parent = getpid(), pid;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0)
		run_child(job, fds[1], parent);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return -1;
	}
	job->pid = pid;
	job->fd = fds[0];
	evutil_make_socket_nonblocking(job->fd);
	job->readable = event_new(web->base, job->fd, EV_READ | EV_PERSIST,
	    on_readable, job);
	event_add(job->readable, NULL);
	job->deadline = evtimer_new(web->base, on_deadline, job);
	evtimer_add(job->deadline, &limit);
	web->nwaiting--;
	web->nrunning++;
	return 0;
}

static void
start_waiting(struct web *web)
{
	struct job *job, *next;

	for (job = TAILQ_FIRST(&web->jobs); job != NULL; job = next) {
		next = TAILQ_NEXT(job, link);
		if (web->nrunning >= MAX_RUNNING)
			return;
		if (job->pid != 0)
			continue;
		if (start_child(job) == 0)
			continue;
		end_with_error(job, 503, strerror(errno));
		return;
	}
}

/* A newer question of the same slot takes the older one's place. */
static void
supersede(struct web *web, const char *slot)
{
	struct job *job;

	TAILQ_FOREACH (job, &web->jobs, link) {
		if (*slot == '\0' || strcmp(job->slot, slot) != 0)
			continue;
		end_with_error(job, 409, "superseded by a newer request");
		return;
	}
}

static void
ask(struct web *web, struct evhttp_request *request, const char *path)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *query = evhttp_uri_get_query(uri), *slot;
	struct job *job;

	if (web->view == NULL) {
		reply_error(request, 503, "the cluster is not loaded yet");
		return;
	}
	if (web->nwaiting >= MAX_WAITING) {
		reply_error(request, 503, "too many questions at once");
		return;
	}
	job = xcalloc(1, sizeof(*job));
	job->web = web;
	job->request = request;
	job->path = xstrdup(path);
	TAILQ_INIT(&job->query);
	if (query != NULL && evhttp_parse_query_str(query, &job->query) != 0)
		evhttp_clear_headers(&job->query);
	slot = evhttp_find_header(&job->query, "slot");
	job->slot = xstrdup(slot != NULL ? slot : "");
	supersede(web, job->slot);
	TAILQ_INSERT_TAIL(&web->jobs, job, link);
	web->nwaiting++;
	start_waiting(web);
}

/* ---- requests ---- */

/* The question that pages ask every few seconds. */
static void
reply_status(const struct web *web, struct evhttp_request *request)
{
	struct text text = { 0 };

	json_put(&text, "{'generation':%d,'source':%s,'trouble':%s}\n",
	    web->view != NULL ? (int64_t)web->view->generation : (int64_t)0,
	    web->view != NULL ? web->view->source : "", web->trouble);
	reply_text(request, 200, &text);
}

static void
reply_asset(struct evhttp_request *request, const struct page_file *asset)
{
	char *bytes = xmalloc(asset->len + 1);

	memcpy(bytes, asset->bytes, asset->len);
	reply_bytes(request, 200, asset->type, bytes, 0, asset->len);
}

static bool
is_read(const struct evhttp_request *request)
{
	return evhttp_request_get_command(request) == EVHTTP_REQ_GET ||
	    evhttp_request_get_command(request) == EVHTTP_REQ_HEAD;
}

/* NULL: the path names no file of the page. */
static const struct page_file *
asset_of(const char *path)
{
	return page_file(&web_files, path + 1);
}

static void
answer_path(struct web *web, struct evhttp_request *request, const char *path)
{
	const struct page_file *asset = asset_of(path);
	bool get = true, post = false;
	bool posted = evhttp_request_get_command(request) == EVHTTP_REQ_POST;
	bool status = strcmp(path, "/api/v1/status") == 0;

	if (asset == NULL && !status && !web_has_path(path, &get, &post))
		reply_error(request, 404, "there is no such page");
	else if (!(get && is_read(request)) && !(post && posted))
		reply_error(request, 405, "the path has no such method");
	else if (asset != NULL)
		reply_asset(request, asset);
	else if (status)
		reply_status(web, request);
	else
		ask(web, request, path);
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct web *web = arg;
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *path = uri != NULL ? evhttp_uri_get_path(uri) : NULL;
	const char *why = NULL;
	int status;

	if (path == NULL || path[0] != '/' || evhttp_uri_get_host(uri)) {
		reply_error(request, 400, "the request has no path");
		return;
	}
	status =
	    guard_check(&web->guard, evhttp_request_get_input_headers(request),
		asset_of(path) == NULL, &why);
	if (status != 0)
		reply_error(request, status, why);
	else
		answer_path(web, request, path);
}

/* ---- the server ---- */

/* Such as when all file descriptors are in use. */
static void
on_accept_failed(struct evconnlistener *listener, void *arg)
{
	struct web *web = arg;
	struct timeval after = clock_timeval(ACCEPT_AGAIN_MS);

	evconnlistener_disable(listener);
	evtimer_add(web->accept_again, &after);
}

static void
on_accept_again(evutil_socket_t fd, short what, void *arg)
{
	evconnlistener_enable(((struct web *)arg)->listener);
}

static int
bound_port(struct evhttp_bound_socket *bound)
{
	struct sockaddr_in address = { 0 };
	socklen_t len = sizeof(address);

	if (getsockname(evhttp_bound_socket_get_fd(bound),
		(struct sockaddr *)&address, &len) != 0)
		return 0;
	return ntohs(address.sin_port);
}

static int
start(struct web *web, int port, struct err *err)
{
	struct evhttp_bound_socket *bound;

	if (guard_init(&web->guard, err) != 0)
		return -1;
	bound = evhttp_bind_socket_with_handle(web->http, "127.0.0.1",
	    (ev_uint16_t)port);
	if (bound == NULL)
		return errf(err, "cannot listen on 127.0.0.1 port %d: %s", port,
		    strerror(errno));
	web->guard.port = bound_port(bound);
	web->listener = evhttp_bound_socket_get_listener(bound);
	evconnlistener_set_error_cb(web->listener, on_accept_failed);
	snprintf(web->url, sizeof(web->url), "http://127.0.0.1:%d/#token=%s",
	    web->guard.port, web->guard.token);
	return 0;
}

struct web *
web_new(struct event_base *base, int port, struct err *err)
{
	struct web *web = xcalloc(1, sizeof(*web));

	web->base = base;
	web->trouble = xstrdup("");
	TAILQ_INIT(&web->jobs);
	web->accept_again = evtimer_new(base, on_accept_again, web);
	web->http = evhttp_new(base);
	evhttp_set_gencb(web->http, on_request, web);
	evhttp_set_timeout(web->http, CONNECTION_SECONDS);
	evhttp_set_max_headers_size(web->http, MAX_HEADER_BYTES);
	evhttp_set_max_body_size(web->http, MAX_BODY_BYTES);
	evhttp_set_allowed_methods(web->http,
	    EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST |
		EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
		EVHTTP_REQ_PATCH);
	if (start(web, port, err) == 0)
		return web;
	web_free(web);
	return NULL;
}

void
web_free(struct web *web)
{
	struct job *job;

	if (web == NULL)
		return;
	while ((job = TAILQ_FIRST(&web->jobs)) != NULL) {
		struct evhttp_request *request = job->request;

		job_free(job);
		reply_error(request, 503, "the server ends");
	}
	evhttp_free(web->http);
	event_free(web->accept_again);
	free(web->trouble);
	free(web);
}

const char *
web_url(const struct web *web)
{
	return web->url;
}

void
web_show(struct web *web, const struct web_view *view)
{
	web->view = view;
}

void
web_set_trouble(struct web *web, const char *sentence)
{
	free(web->trouble);
	web->trouble = xstrdup(sentence);
}
