#include "config.h"

#include "tool/page/web.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/queue.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "wire/http/server.h"
#include "tool/page/answer.h"
#include "wire/pages/files.h"
#include "tool/page/guard.h"
#include "tool/page/keeper.h"

#define MAX_BODY_BYTES (4 * 1024 * 1024) /* a policy in JSON */
#define REQUEST_MS 120000
#define IDLE_MS 600000 /* also for an answer, through a tunnel */
/* Questions that are answered at once, that wait, and how long one may take. */
#define MAX_RUNNING 4
#define MAX_WAITING 64
#define ANSWER_MS 120000
#define MAX_ANSWER_BYTES ((size_t)512 << 20)

/* A question that waits for its turn, or is being answered. */
struct job {
	struct web *web;
	struct server_request *request;
	bool runs;
	/* Of one that runs: its keeper and the pipe with the answer, the status first;
	 * or its call of the proxy. */
	struct keeper *keeper;
	uint64_t id;
	int fd;
	struct event *readable;
	void *call;
	struct event *deadline;
	int status; /* of the answer; 0: not known yet */
	struct text answer;
	TAILQ_ENTRY(job) link;
};

struct web {
	struct event_base *base;
	const struct web_proxy *proxy; /* or NULL: keepers answer */
	struct keeper_ops ops;
	struct server *server;
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

/* Takes the body. */
static void
reply(struct server_request *request, int status, const char *type,
    struct text body)
{
	server_answer(request,
	    &(struct reply){ .status = status,
		.content_type = type,
		.body = body,
		.headers = page_headers });
}

static struct text
error_body(const char *sentence)
{
	struct text text = { 0 };

	json_put(&text, "{'error':%s}\n", sentence);
	return text;
}

static void
deny(struct server_request *request, int status, const char *sentence)
{
	reply(request, status, SERVER_JSON, error_body(sentence));
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
on_loaded(evutil_socket_t fd, short what, void *arg)
{
	struct web *web = arg;
	struct keeper_loaded loaded;

	if (keeper_wait(web->loading, &loaded) != 0 || loaded.code != 0) {
		xreplace(&web->trouble,
		    "The cluster or the policy cannot be read any more; "
		    "predicatectl says why. This is the last state.");
	} else {
		xreplace(&web->trouble, "");
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
		xreplace(&web->trouble,
		    "The cluster cannot be read again: there are "
		    "no resources for one more process.");
		return;
	}
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
	free(job);
}

/* Takes the body. */
static void
end_with(struct job *job, int status, struct text body)
{
	struct server_request *request = job->request;
	struct web *web = job->web;

	job_free(job);
	reply(request, status, SERVER_JSON, body);
	start_waiting(web);
}

static void
end_with_error(struct job *job, int status, const char *sentence)
{
	end_with(job, status, error_body(sentence));
}

/* The status comes first. */
static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct job *job = arg;
	struct text answer;
	char bytes[65536];
	ssize_t n;

	if (job->status == 0 &&
	    read(fd, &job->status, sizeof(job->status)) !=
		(ssize_t)sizeof(job->status)) {
		end_with_error(job, 500, "the question could not be answered");
		return;
	}
	while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
		text_append(&job->answer, bytes, (size_t)n);
		if (job->answer.len > MAX_ANSWER_BYTES) {
			end_with_error(job, 500, "the answer is too long");
			return;
		}
	}
	if (n == 0) {
		answer = job->answer;
		job->answer = (struct text){ 0 };
		end_with(job, job->status, answer);
	} else if (errno != EAGAIN && errno != EINTR) {
		end_with_error(job, 500, strerror(errno));
	}
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
	struct text text = { 0 };

	job->call = NULL;
	text_append(&text, body, len);
	end_with(job, status, text);
}

static int
ask_keeper(struct job *job)
{
	const struct server_request *request = job->request;

	if (job->web->keeper == NULL) {
		errno = EAGAIN;
		return -1;
	}
	job->fd = keeper_ask(job->web->keeper, request->post, request->path,
	    request->encoded_query, request->body, request->len, &job->id);
	if (job->fd < 0) {
		/* It does not take a question. If it has ended, such as for
		 * lack of memory, it is replaced. */
		int reason = errno;

		if (reason == EPIPE || reason == ECONNRESET) {
			keeper_drop(job->web, job->web->keeper);
			job->web->keeper = NULL;
			web_reload(job->web);
		}
		errno = reason;
		return -1;
	}
	job->keeper = job->web->keeper;
	job->keeper->refs++;
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

	if (web->proxy != NULL)
		job->call = web->proxy->ask(web->proxy->arg, job->request->path,
		    job->request->encoded_query, job);
	else if (ask_keeper(job) != 0)
		return -1;
	job->deadline = evtimer_new(web->base, on_deadline, job);
	timer_start(job->deadline, ANSWER_MS);
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
supersede(struct web *web, const struct server_request *request)
{
	const char *slot = query_get(request->query, "slot");
	struct job *job;

	TAILQ_FOREACH (job, &web->jobs, link) {
		const char *other = query_get(job->request->query, "slot");

		if (slot == NULL || *slot == '\0' || other == NULL ||
		    strcmp(other, slot) != 0)
			continue;
		end_with_error(job, 409, "superseded by a newer request");
		return;
	}
}

static void
ask(struct web *web, struct server_request *request)
{
	struct job *job;

	if (web->proxy == NULL && web->keeper == NULL) {
		deny(request, 503, "the cluster is not loaded yet");
		return;
	}
	if (web->nwaiting >= MAX_WAITING) {
		deny(request, 503, "too many questions at once");
		return;
	}
	job = xcalloc(1, sizeof(*job));
	job->web = web;
	job->request = request;
	supersede(web, request);
	TAILQ_INSERT_TAIL(&web->jobs, job, link);
	web->nwaiting++;
	start_waiting(web);
}

/* ---- requests ---- */

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
answer_path(struct web *web, struct server_request *request,
    const struct page_file *asset)
{
	const char *path = request->path;
	bool get = true, post = false;
	bool status = web->proxy == NULL && strcmp(path, "/api/v1/status") == 0;
	bool found = asset != NULL || status ||
	    (web->proxy != NULL ? web->proxy->has_path(path) :
				  web_has_path(path, &get, &post));

	if (!found)
		deny(request, 404, "there is no such page");
	else if (!(get && request->get) && !(post && request->post))
		deny(request, 405, "the path has no such method");
	else if (asset != NULL) {
		struct text text = { 0 };

		text_append(&text, (const char *)asset->bytes, asset->len);
		reply(request, 200, asset->type, text);
	} else if (status) {
		/* The question that pages ask every few seconds. */
		struct text text = { 0 };

		json_put(&text, "{'generation':%d,'source':%s,'trouble':%s}\n",
		    (int64_t)web->generation, web->loaded.source, web->trouble);
		reply(request, 200, SERVER_JSON, text);
	} else
		ask(web, request);
}

static void
on_request(void *arg, struct server_request *request)
{
	struct web *web = arg;
	const struct page_file *asset = asset_of(web, request->path);
	const char *why = "the request names another server";
	int status = request->host != NULL ?
	    400 :
	    guard_check(&web->guard, request->headers, asset == NULL, &why);

	if (status != 0)
		deny(request, status, why);
	else
		answer_path(web, request, asset);
}

/* ---- the server ---- */

static int
start(struct web *web, int port, struct err *err)
{
	if (guard_init(&web->guard, err) != 0)
		return -1;
	web->server = server_new(web->base,
	    &(struct server_options){ .insecure = true,
		.bind_address = "127.0.0.1",
		.port = port,
		.request_ms = REQUEST_MS,
		.idle_ms = IDLE_MS,
		.max_body = MAX_BODY_BYTES },
	    err);
	if (web->server == NULL)
		return -1;
	server_take_all(web->server, on_request, web);
	web->guard.port = server_port(web->server);
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
	web->ended = evsignal_new(base, SIGCHLD, on_ended, web);
	event_add(web->ended, NULL);
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
		struct server_request *request = job->request;

		job_free(job);
		deny(request, 503, "the server ends");
	}
	end_loading(web);
	keeper_drop(web, web->keeper);
	server_free(web->server);
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
