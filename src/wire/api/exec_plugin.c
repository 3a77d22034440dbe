#include "config.h"

#include "wire/api/exec_plugin.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/kubeconfig.h"
#include "base/doc.h"
#include "objects/decode.h"

#define OUTPUT_MAX ((size_t)1 << 20)
#define REAP_MS 5

struct stream {
	struct exec_run *run;
	int fd; /* -1: at its end */
	struct event *event;
	struct text text;
};

struct exec_run {
	const struct api_config *config;
	void (*done)(void *arg, struct exec_credential *credential,
	    const char *error);
	void *arg;
	pid_t pid; /* 0: never started, or collected */
	int status;
	struct stream out, errors;
	struct event *timeout;
	struct event *reap; /* looks whether the program has ended */
	struct err problem; /* text "" if there is none */
};

void
exec_credential_fini(struct exec_credential *credential)
{
	free(credential->token);
	free(credential->certificate);
	free(credential->key);
	*credential = (struct exec_credential){ 0 };
}

/* ---- the answer ---- */

static int
parse_status(const struct doc_node *root, const char *version,
    struct exec_credential *out, struct err *err)
{
	const char *kind = "", *is = "", *token = NULL, *certificate = NULL,
		   *key = NULL, *expires = NULL;
	const struct doc_node *status = NULL;

	if (doc_get_members(root, "", err, "kind:s apiVersion:s", &kind, &is) !=
		0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0)
		return -1;
	if (strcmp(kind, "ExecCredential") != 0 || strcmp(is, version) != 0)
		return doc_errf(err, root,
		    "must be an ExecCredential of %s, "
		    "not \"%s\" of \"%s\"",
		    version, kind, is);
	if (doc_get_members(status, "status.", err,
		"token:s clientCertificateData:s clientKeyData:s "
		"expirationTimestamp:s",
		&token, &certificate, &key, &expires) != 0)
		return -1;
	if ((certificate == NULL) != (key == NULL))
		return doc_errf(err, status,
		    "clientCertificateData and "
		    "clientKeyData must be given together");
	if (token == NULL && certificate == NULL)
		return doc_errf(err, root,
		    "status holds neither a token nor a "
		    "certificate");
	if (expires != NULL && !time_parse(expires, &out->expires, NULL))
		return doc_errf(err, doc_get(status, "expirationTimestamp"),
		    "status.expirationTimestamp must be an RFC 3339 time");
	if (token != NULL)
		out->token = xstrdup(token);
	if (certificate != NULL) {
		out->certificate = xstrdup(certificate);
		out->key = xstrdup(key);
	}
	return 0;
}

int
exec_credential_parse(const char *text, const char *version,
    struct exec_credential *out, struct err *err)
{
	struct exec_credential credential = { 0 };
	struct doc *doc = doc_parse("ExecCredential", text, strlen(text),
	    &doc_limits_people, err);
	int result;

	if (doc == NULL)
		return -1;
	result = parse_status(doc_root(doc), version, &credential, err);
	doc_free(doc);
	if (result != 0)
		return -1;
	*out = credential;
	return 0;
}

/* ---- the program ---- */

static void
put_cluster(struct text *text, const struct api_config *config)
{
	char AUTOFREE *ca = NULL;

	json_put(text, ",'cluster':{'server':%s", config->server);
	if (config->tls_server_name != NULL)
		json_put(text, ",'tls-server-name':%s",
		    config->tls_server_name);
	if (config->insecure)
		text_put(text, ",\"insecure-skip-tls-verify\":true");
	if (config->proxy_url != NULL)
		json_put(text, ",'proxy-url':%s", config->proxy_url);
	if (config->ca.data != NULL) {
		ca = base64_encode(config->ca.data, strlen(config->ca.data));
		json_put(text, ",'certificate-authority-data':%s", ca);
	}
	text_put(text, ",\"config\":");
	text_put(text,
	    config->exec->cluster_config != NULL ?
		config->exec->cluster_config :
		"null");
	text_put(text, "}");
}

static bool
is_of(const char *assignment, const char *name)
{
	size_t len = strlen(name);

	return strncmp(assignment, name, len) == 0 && assignment[len] == '=';
}

/* Our environment without the variables that the program's own replace;
 * NULL-terminated, you own it and its elements. */
static char **
environment(const struct api_config *config)
{
	const struct exec_config *exec = config->exec;
	size_t n = 0, ours = 0;
	char **env;
	bool replaced;
	struct text text;

	while (environ[ours] != NULL)
		ours++;
	env = xcalloc(ours + exec->nenv + 2, sizeof(*env));
	for (size_t i = 0; i < ours; i++) {
		replaced = is_of(environ[i], "KUBERNETES_EXEC_INFO");
		for (size_t k = 0; k < exec->nenv; k++)
			replaced |= is_of(environ[i], exec->env[k].name);
		if (!replaced)
			env[n++] = xstrdup(environ[i]);
	}
	for (size_t k = 0; k < exec->nenv; k++)
		env[n++] =
		    xasprintf("%s=%s", exec->env[k].name, exec->env[k].value);
	text = (struct text){ 0 };
	text_put(&text, "KUBERNETES_EXEC_INFO=");
	json_put(&text,
	    "{'kind':'ExecCredential','apiVersion':%s,"
	    "'spec':{'interactive':false",
	    config->exec->api_version);
	if (config->exec->provide_cluster_info)
		put_cluster(&text, config);
	text_put(&text, "}}");
	env[n] = text_take(&text);
	return env;
}

/* 0 or an errno.  A process group of its own, so that its children can be
 * killed with it; ignored signals must not be inherited. */
static int
spawn(struct exec_run *run, int out, int errors)
{
	const struct exec_config *exec = run->config->exec;
	char **argv = xcalloc(exec->nargs + 2, sizeof(*argv));
	char **env = environment(run->config);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t all, none;
	int error;

	/* It changes neither. */
	argv[0] = (char *)(uintptr_t)exec->command;
	for (size_t i = 0; i < exec->nargs; i++)
		argv[i + 1] = (char *)(uintptr_t)exec->args[i];
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, errors, 2);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
		POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setsigmask(&attributes, &none);
	error = posix_spawnp(&run->pid, exec->command, &actions, &attributes,
	    argv, env);
	if (error != 0)
		run->pid = 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	for (size_t i = 0; env[i] != NULL; i++)
		free(env[i]);
	free(env);
	free(argv);
	return error;
}

static void
close_stream(struct stream *stream)
{
	if (stream->event != NULL)
		event_free(stream->event);
	stream->event = NULL;
	if (stream->fd >= 0)
		close(stream->fd);
	stream->fd = -1;
}

static void
kill_program(struct exec_run *run)
{
	if (run->pid != 0)
		kill(-run->pid, SIGKILL);
}

static void
free_run(struct exec_run *run)
{
	if (run->timeout != NULL)
		event_free(run->timeout);
	if (run->reap != NULL)
		event_free(run->reap);
	close_stream(&run->out);
	close_stream(&run->errors);
	text_fini(&run->out.text);
	text_fini(&run->errors.text);
	free(run);
}

void
exec_cancel(struct exec_run *run)
{
	if (run == NULL)
		return;
	kill_program(run);
	if (run->pid != 0)
		waitpid(run->pid, NULL, 0);
	free_run(run);
}

/* The last line of the program's standard error, without its end of line; "": none. */
static const char *
last_words(struct text *text)
{
	char *line;

	while (text->len > 0 &&
	    (text->bytes[text->len - 1] == '\n' ||
		text->bytes[text->len - 1] == '\r'))
		text->bytes[--text->len] = '\0';
	if (text->len == 0)
		return "";
	line = strrchr(text->bytes, '\n');
	return line != NULL ? line + 1 : text->bytes;
}

static int
outcome(struct exec_run *run, struct exec_credential *credential,
    struct err *err)
{
	const char *words = last_words(&run->errors.text);
	const char *separator = words[0] != '\0' ? ": " : "";

	if (run->problem.text[0] != '\0')
		return errf(err, "%.400s%s%.400s", run->problem.text, separator,
		    words);
	if (WIFSIGNALED(run->status))
		return errf(err, "killed by signal %d%s%.400s",
		    WTERMSIG(run->status), separator, words);
	if (WEXITSTATUS(run->status) != 0)
		return errf(err, "exit status %d%s%.400s",
		    WEXITSTATUS(run->status), separator, words);
	if (run->out.text.len == 0)
		return errf(err, "the command printed no output%s%.400s",
		    separator, words);
	return exec_credential_parse(run->out.text.bytes,
	    run->config->exec->api_version, credential, err);
}

static void
on_reap(evutil_socket_t fd, short what, void *arg)
{
	struct exec_run *run = arg;
	const struct exec_config *exec = run->config->exec;
	struct exec_credential credential = { 0 };
	struct err err, full;
	bool ok;

	if (run->pid != 0 && waitpid(run->pid, &run->status, WNOHANG) == 0) {
		timer_start(run->reap, REAP_MS);
		return;
	}
	run->pid = 0;
	ok = outcome(run, &credential, &err) == 0;
	if (!ok)
		errf(&full, "exec %.200s: %.600s%s%.200s", exec->command,
		    err.text, exec->install_hint != NULL ? "; " : "",
		    exec->install_hint != NULL ? exec->install_hint : "");
	/* done may start another run, but not touch this one. */
	run->done(run->arg, ok ? &credential : NULL, ok ? NULL : full.text);
	free_run(run);
}

static void
on_timeout(evutil_socket_t fd, short what, void *arg)
{
	struct exec_run *run = arg;

	errf(&run->problem, "the command timed out and was killed");
	kill_program(run);
	close_stream(&run->out);
	close_stream(&run->errors);
	event_active(run->reap, EV_TIMEOUT, 0);
}

static void
on_output(evutil_socket_t fd, short what, void *arg)
{
	struct stream *stream = arg;
	struct exec_run *run = stream->run;
	char bytes[4096];
	ssize_t n = read(stream->fd, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0 && stream->text.len + (size_t)n <= OUTPUT_MAX) {
		text_append(&stream->text, bytes, (size_t)n);
		return;
	}
	if (n > 0) {
		errf(&run->problem,
		    "the command printed too much output and "
		    "was killed");
		kill_program(run);
	}
	close_stream(stream);
	if (run->out.fd < 0 && run->errors.fd < 0)
		event_active(run->reap, EV_TIMEOUT, 0);
}

static void
open_stream(struct exec_run *run, struct stream *stream, int fd,
    struct event_base *base)
{
	stream->run = run;
	stream->fd = fd;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	stream->event =
	    event_new(base, fd, EV_READ | EV_PERSIST, on_output, stream);
	event_add(stream->event, NULL);
}

struct exec_run *
exec_start(struct event_base *base, const struct api_config *config,
    int64_t timeout_ms,
    void (*done)(void *arg, struct exec_credential *credential,
	const char *error),
    void *arg)
{
	struct exec_run *run = xcalloc(1, sizeof(*run));
	int out[2] = { -1, -1 }, errors[2] = { -1, -1 }, error;

	run->config = config;
	run->done = done;
	run->arg = arg;
	run->out.fd = run->errors.fd = -1;
	run->reap = evtimer_new(base, on_reap, run);
	run->timeout = evtimer_new(base, on_timeout, run);
	if (pipe2(out, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
		error = errno;
	else
		error = spawn(run, out[1], errors[1]);
	if (out[1] >= 0)
		close(out[1]);
	if (errors[1] >= 0)
		close(errors[1]);
	if (error != 0) {
		if (out[0] >= 0)
			close(out[0]);
		if (errors[0] >= 0)
			close(errors[0]);
		errf(&run->problem, "%s", strerror(error));
		event_active(run->reap, EV_TIMEOUT, 0);
		return run;
	}
	open_stream(run, &run->out, out[0], base);
	open_stream(run, &run->errors, errors[0], base);
	timer_start(run->timeout, timeout_ms);
	return run;
}
