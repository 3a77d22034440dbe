#include "config.h"

#include "wire/http/server_child.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

#define NICENESS 10 /* what it answers is no hurry beside what we do */
#define CHILD_FD (STDERR_FILENO + 1)

struct child {
	struct child_work work;
	pid_t pid;
	int fd;
	struct event *event;
	struct text received;
};

/* Of several processes that need memory this one ends first. */
static void
be_first_to_go(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	file_write_all(fd, "1000", 4);
	close(fd);
}

static void __attribute__((noreturn))
run(const struct child_work *work, int fd, pid_t parent)
{
	struct text answer = { 0 };

	signal(SIGINT, SIG_IGN); /* of a terminal: the parent ends us */
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* Connections end when the parent closes them. */
	if (fd != CHILD_FD)
		dup2(fd, CHILD_FD);
	closefrom(CHILD_FD + 1);
	be_first_to_go();
	setpriority(PRIO_PROCESS, 0, NICENESS);
	work->make(work->arg, &answer);
	/* its length first: whoever ends before has none */
	if (file_write_all(CHILD_FD, &answer.len, sizeof(answer.len)))
		file_write_all(CHILD_FD, answer.bytes, answer.len);
	_exit(0);
}

static void
end(struct child *child, bool in_time)
{
	const struct child_work work = child->work;
	const struct text *got = &child->received;
	struct text answer = { 0 };
	size_t len = SIZE_MAX;
	bool complete;

	if (got->len >= sizeof(len))
		memcpy(&len, got->bytes, sizeof(len));
	complete = len < SIZE_MAX && got->len - sizeof(len) == len;
	if (complete)
		text_append(&answer, got->bytes + sizeof(len), len);
	child_free(child);
	work.done(work.arg, complete ? &answer : NULL, in_time);
	text_fini(&answer);
}

static void
on_bytes(evutil_socket_t fd, short what, void *arg)
{
	struct child *child = arg;
	char bytes[64 * 1024];
	ssize_t n;

	if (what & EV_TIMEOUT) {
		end(child, false);
		return;
	}
	n = read(fd, bytes, sizeof(bytes));
	if (n > 0)
		text_append(&child->received, bytes, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		end(child, true);
}

struct child *
child_start(struct event_base *base, const struct child_work *work)
{
	static const struct timeval limit = { .tv_sec = CHILD_SECONDS };
	pid_t parent = getpid(), pid;
	struct child *child;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return NULL;
	pid = fork();
	if (pid == 0)
		run(work, fds[1], parent);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return NULL;
	}
	evutil_make_socket_nonblocking(fds[0]);
	child = xcalloc(1, sizeof(*child));
	*child = (struct child){ .work = *work, .pid = pid, .fd = fds[0] };
	child->event =
	    event_new(base, fds[0], EV_READ | EV_PERSIST, on_bytes, child);
	event_add(child->event, &limit);
	return child;
}

void
child_free(struct child *child)
{
	if (child == NULL)
		return;
	event_free(child->event);
	close(child->fd);
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	text_fini(&child->received);
	free(child);
}
