#include "config.h"

#include "page/web.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdio.h>
#include <sys/queue.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "page/answer.h"
#include "page/files.h"
#include "page/guard.h"
#include "page/keeper.h"

#define MAX_HEADER_BYTES (16 * 1024)
#define MAX_BODY_BYTES (4 * 1024 * 1024) /* a policy in JSON */
#define CONNECTION_SECONDS 30            /* idle, or sending a request */
/* Questions that are answered at once, that wait, and how long one may take. */
#define MAX_RUNNING 4
#define MAX_WAITING 64
#define ANSWER_SECONDS 120
#define MAX_ANSWER_BYTES ((size_t)512 << 20)
#define ACCEPT_AGAIN_MS 1000

/* A question that waits for its turn, or is being answered. */
struct job {
	struct web *web;
	struct evhttp_request *request;
	char *path, *query, *slot; /* query: encoded; slot: "" for none */
	bool runs;
	/* Of one that runs: its keeper and the pipe with the answer, the status first;
	 * or its call of the proxy. */
	struct keeper *keeper;
	uint64_t id;
	int fd;
	struct event *readable;
	void *call;
	struct event *deadline;
	struct text answer;
	TAILQ_ENTRY(job) link;
};

struct web {
	struct event_base *base;
	const struct web_proxy *proxy; /* or NULL: keepers answer */
	struct keeper_ops ops;
	struct evhttp *http;
	struct evconnlistener *listener;
	struct event *accept_again;
	struct guard guard;
	char url[128];
	/* The one that answers, and the one that loads; each NULL for none. */
	struct keeper *keeper, *loading;
	struct event *has_loaded;
	uint64_t generation; /* of the one that answers */
	struct keeper_loaded loaded;
	char *trouble;
	struct event *ended; /* processes of keepers: SIGCHLD */
	size_t nending, ending_cap;
	pid_t *ending;
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

/* A copy. */
static void
reply_copy(struct evhttp_request *request, int status, const char *type,
    const void *bytes, size_t len)
{
	char *copy = xmalloc(len + 1);

	memcpy(copy, bytes, len);
	reply_bytes(request, status, type, copy, 0, len);
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

/* ---- keepers ---- */

static void
reap(struct web *web, int flags)
{
	size_t n = 0;

	for (size_t i = 0; i < web->nending; i++)
		if (waitpid(web->ending[i], NULL, flags) == 0)
			web->ending[n++] = web->ending[i];
	web->nending = n;
}

static void
on_ended(evutil_socket_t fd, short what, void *arg)
{
	reap(arg, WNOHANG);
}

static void
keeper_drop(struct web *web, struct keeper *keeper)
{
	if (keeper == NULL || --keeper->refs > 0)
		return;
	vec_room(web->ending, web->nending, &web->ending_cap);
	web->ending[web->nending++] = keeper_free(keeper);
	reap(web, WNOHANG);
}

static struct keeper *
keeper_hold(struct keeper *keeper)
{
	keeper->refs++;
	return keeper;
}

/* Takes the loading one's place among those that answer: questions that are being
 * answered go on with the keeper that has them. */
static void
show(struct web *web, const struct keeper_loaded *loaded)
{
	keeper_drop(web, web->keeper);
	web->keeper = web->loading;
	web->loading = NULL;
	web->loaded = *loaded;
	web->generation++;
}

static void
end_loading(struct web *web)
{
	if (web->has_loaded != NULL)
		event_free(web->has_loaded);
	web->has_loaded = NULL;
	keeper_drop(web, web->loading);
	web->loading = NULL;
}

static void
set_trouble(struct web *web, const char *sentence)
{
	free(web->trouble);
	web->trouble = xstrdup(sentence);
}

static void
on_loaded(evutil_socket_t fd, short what, void *arg)
{
	struct web *web = arg;
	struct keeper_loaded loaded;

	if (keeper_wait(web->loading, &loaded) != 0 || loaded.code != 0) {
		set_trouble(web,
		    "The cluster or the policy cannot be read any more; "
		    "predicatectl says why. This is the last state.");
	} else {
		set_trouble(web, "");
		if (web->keeper == NULL ||
		    loaded.fingerprint != web->loaded.fingerprint)
			show(web, &loaded);
	}
	end_loading(web);
}

int
web_load(struct web *web)
{
	struct keeper_loaded loaded = { .code = -1 };

	web->loading = keeper_new(&web->ops, web->generation + 1);
	if (web->loading == NULL)
		return -1;
	keeper_hold(web->loading);
	if (keeper_wait(web->loading, &loaded) == 0 && loaded.code == 0)
		show(web, &loaded);
	end_loading(web);
	return loaded.code;
}

void
web_reload(struct web *web)
{
	if (web->loading != NULL)
		return;
	web->loading = keeper_new(&web->ops, web->generation + 1);
	if (web->loading == NULL) {
		set_trouble(web,
		    "The cluster cannot be read again: there are "
		    "no resources for one more process.");
		return;
	}
	keeper_hold(web->loading);
	web->has_loaded =
	    event_new(web->base, web->loading->fd, EV_READ, on_loaded, web);
	event_add(web->has_loaded, NULL);
}

bool
web_is_loading(const struct web *web)
{
	return web->loading != NULL;
}

/* ---- questions ---- */

static void
stop(struct job *job)
{
	struct web *web = job->web;

	if (!job->runs) {
		web->nwaiting--;
		return;
	}
	event_free(job->deadline);
	if (job->call != NULL)
		web->proxy->cancel(web->proxy->arg, job->call);
	if (job->keeper != NULL) {
		event_free(job->readable);
		close(job->fd);
		keeper_stop(job->keeper, job->id);
		keeper_drop(web, job->keeper);
	}
	web->nrunning--;
}

static void start_waiting(struct web *web);

/* Nothing of it runs afterwards; the request has been answered, or is the caller's
 * to answer. */
static void
job_free(struct job *job)
{
	TAILQ_REMOVE(&job->web->jobs, job, link);
	stop(job);
	text_fini(&job->answer);
	free(job->path);
	free(job->query);
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

void
web_answered(void *arg, int status, const char *body, size_t len)
{
	struct job *job = arg;
	struct evhttp_request *request = job->request;
	struct web *web = job->web;

	job->call = NULL;
	job_free(job);
	reply_copy(request, status, "application/json", body, len);
	start_waiting(web);
}

/* It does not take a question.  If it has ended, such as for lack of memory, it is
 * replaced. */
static void
check_keeper(struct web *web)
{
	int reason = errno;

	if (reason == EPIPE || reason == ECONNRESET) {
		keeper_drop(web, web->keeper);
		web->keeper = NULL;
		web_reload(web);
	}
	errno = reason;
}

static int
ask_keeper(struct job *job)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(job->request);
	size_t len = evbuffer_get_length(in);
	const char *body = (const char *)evbuffer_pullup(in, -1);
	bool post = evhttp_request_get_command(job->request) == EVHTTP_REQ_POST;

	if (job->web->keeper == NULL) {
		errno = EAGAIN;
		return -1;
	}
	job->fd = keeper_ask(job->web->keeper, post, job->path, job->query,
	    body != NULL ? body : "", len, &job->id);
	if (job->fd < 0) {
		check_keeper(job->web);
		return -1;
	}
	job->keeper = keeper_hold(job->web->keeper);
	evutil_make_socket_nonblocking(job->fd);
	job->readable = event_new(job->web->base, job->fd, EV_READ | EV_PERSIST,
	    on_readable, job);
	event_add(job->readable, NULL);
	return 0;
}

/* -1: there are no resources for one more now. */
static int
start_job(struct job *job)
{
	struct web *web = job->web;
	struct timeval limit = { .tv_sec = ANSWER_SECONDS };

	if (web->proxy != NULL)
		job->call = web->proxy->ask(web->proxy->arg, job->path,
		    job->query, job);
	else if (ask_keeper(job) != 0)
		return -1;
	job->deadline = evtimer_new(web->base, on_deadline, job);
	evtimer_add(job->deadline, &limit);
	job->runs = true;
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
		if (job->runs || start_job(job) == 0)
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

/* The parameter of an encoded query, "" if it is absent; you own it. */
static char *
slot_of(const char *encoded)
{
	struct evkeyvalq query;
	const char *slot;
	char *copy;

	TAILQ_INIT(&query);
	if (evhttp_parse_query_str(encoded, &query) != 0)
		evhttp_clear_headers(&query);
	slot = evhttp_find_header(&query, "slot");
	copy = xstrdup(slot != NULL ? slot : "");
	evhttp_clear_headers(&query);
	return copy;
}

static void
ask(struct web *web, struct evhttp_request *request, const char *path)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *query = evhttp_uri_get_query(uri);
	struct job *job;

	if (web->proxy == NULL && web->keeper == NULL) {
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
	job->query = xstrdup(query != NULL ? query : "");
	job->slot = slot_of(job->query);
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
	    (int64_t)web->generation, web->loaded.source, web->trouble);
	reply_text(request, 200, &text);
}

/* NULL: the path names no file of the page. */
static const struct page_file *
asset_of(const struct web *web, const char *path)
{
	const char *folder = web->proxy != NULL ? web->proxy->folder : "/";
	size_t len = strlen(folder);

	if (strncmp(path, folder, len) != 0)
		return NULL;
	return page_file(web->proxy != NULL ? web->proxy->files : &page_web,
	    path + len);
}

static void
answer_path(struct web *web, struct evhttp_request *request, const char *path)
{
	const struct page_file *asset = asset_of(web, path);
	bool get = true, post = false;
	enum evhttp_cmd_type method = evhttp_request_get_command(request);
	bool status = web->proxy == NULL && strcmp(path, "/api/v1/status") == 0;
	bool found = asset != NULL || status ||
	    (web->proxy != NULL ? web->proxy->has_path(path) :
				  web_has_path(path, &get, &post));

	if (!found)
		reply_error(request, 404, "there is no such page");
	else if (!(get &&
		     (method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD)) &&
	    !(post && method == EVHTTP_REQ_POST))
		reply_error(request, 405, "the path has no such method");
	else if (asset != NULL)
		reply_copy(request, 200, asset->type, asset->bytes, asset->len);
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
		asset_of(web, path) == NULL, &why);
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
	snprintf(web->url, sizeof(web->url), "http://127.0.0.1:%d%s#token=%s",
	    web->guard.port, web->proxy != NULL ? web->proxy->folder : "/",
	    web->guard.token);
	return 0;
}

struct web *
web_new(struct event_base *base, int port, const struct keeper_ops *ops,
    const struct web_proxy *proxy, struct err *err)
{
	struct web *web = xcalloc(1, sizeof(*web));

	web->base = base;
	web->proxy = proxy;
	if (ops != NULL)
		web->ops = *ops;
	web->trouble = xstrdup("");
	TAILQ_INIT(&web->jobs);
	web->accept_again = evtimer_new(base, on_accept_again, web);
	web->ended = evsignal_new(base, SIGCHLD, on_ended, web);
	event_add(web->ended, NULL);
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
	end_loading(web);
	keeper_drop(web, web->keeper);
	evhttp_free(web->http);
	event_free(web->accept_again);
	event_free(web->ended);
	reap(web, 0);
	free(web->ending);
	free(web->trouble);
	free(web);
}

const char *
web_url(const struct web *web)
{
	return web->url;
}
