#include "config.h"

#include "tool/page/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "wire/http/server.h"

/* The descriptors of a keeper, behind the standard ones. */
#define KEEPER_FD (STDERR_FILENO + 1)

enum message_kind { MESSAGE_ASK, MESSAGE_STOP };

/* To a keeper.  With MESSAGE_ASK come two descriptors: the question in memory, and
 * the pipe for the answer. */
struct message {
	enum message_kind kind;
	uint64_t id;
};

/* The descriptors of a message. */
union rights {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(2 * sizeof(int))];
};

/* A process that answers. */
struct answerer {
	uint64_t id;
	pid_t pid;
};

struct answerers {
	size_t n, cap;
	struct answerer *at;
};

/* ---- a process that answers ---- */

/* The question in memory is "P" or "G", the path, the query and the body, each with a
 * NUL behind it. */
static void __attribute__((noreturn))
run_answerer(const struct keeper_ops *ops, int in, int out)
{
	struct reply reply = { 0 };
	struct query query;
	const char *question, *path, *encoded, *body;
	struct stat st;

	if (fstat(in, &st) != 0)
		_exit(1);
	question =
	    mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, in, 0);
	if (question == MAP_FAILED)
		_exit(1);
	path = question + 1;
	encoded = path + strlen(path) + 1;
	body = encoded + strlen(encoded) + 1;
	query_init(&query, encoded);
	ops->answer(ops->arg,
	    &(struct server_request){ .path = path,
		.post = question[0] == 'P',
		.query = &query,
		.body = body,
		.len = (size_t)(question + st.st_size - body) - 1 },
	    &reply);
	if (file_write_all(out, &reply.status, sizeof(reply.status)))
		file_write_all(out, reply.body.bytes, reply.body.len);
	_exit(0);
}

/* The process ends with the one that started it. */
static void
end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

/* ---- a keeper ---- */

static void
start_answerer(struct answerers *all, const struct keeper_ops *ops, uint64_t id,
    const int *fds)
{
	pid_t keeper = getpid(), pid = fork();

	if (pid == 0) {
		end_with(keeper);
		close(KEEPER_FD);
		run_answerer(ops, fds[0], fds[1]);
	}
	close(fds[0]);
	close(fds[1]); /* if there is no process, that is its answer */
	if (pid < 0)
		return;
	vec_room(all->at, all->n, &all->cap);
	all->at[all->n++] = (struct answerer){ id, pid };
}

static void
stop_answerer(struct answerers *all, uint64_t id)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->at[i].id != id)
			continue;
		kill(all->at[i].pid, SIGKILL);
		waitpid(all->at[i].pid, NULL, 0);
		all->at[i] = all->at[--all->n];
		return;
	}
}

/* False: the server has ended the keeper. */
static bool
receive(int fd, struct message *message, int *fds)
{
	union rights control;
	struct iovec data = { message, sizeof(*message) };
	struct msghdr header = { .msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	const struct cmsghdr *rights;
	ssize_t n;

	do
		n = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(*message))
		return false;
	rights = CMSG_FIRSTHDR(&header);
	if (message->kind != MESSAGE_ASK)
		return true;
	if (rights == NULL || rights->cmsg_type != SCM_RIGHTS ||
	    rights->cmsg_len != CMSG_LEN(2 * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(rights), 2 * sizeof(int));
	return true;
}

static void __attribute__((noreturn)) run_keeper(const struct keeper_ops *ops,
    uint64_t generation, int fd, pid_t parent)
{
	struct keeper_loaded loaded = { 0 };
	struct answerers all = { 0 };
	struct message message;
	int fds[2];

	signal(SIGINT, SIG_IGN); /* of the terminal: the server ends us */
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	end_with(parent);
	if (fd != KEEPER_FD)
		dup3(fd, KEEPER_FD, O_CLOEXEC);
	closefrom(KEEPER_FD + 1);
	ops->load(ops->arg, generation, &loaded);
	if (send(KEEPER_FD, &loaded, sizeof(loaded), MSG_NOSIGNAL) < 0 ||
	    loaded.code != 0)
		_exit(loaded.code);
	while (receive(KEEPER_FD, &message, fds))
		switch (message.kind) {
		case MESSAGE_ASK:
			start_answerer(&all, ops, message.id, fds);
			break;
		case MESSAGE_STOP:
			stop_answerer(&all, message.id);
			break;
		}
	while (all.n > 0)
		stop_answerer(&all, all.at[0].id);
	_exit(0);
}

struct keeper *
keeper_new(const struct keeper_ops *ops, uint64_t generation)
{
	pid_t parent = getpid(), pid;
	struct keeper *keeper;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		return NULL;
	pid = fork();
	if (pid == 0)
		run_keeper(ops, generation, fds[1], parent);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return NULL;
	}
	keeper = xcalloc(1, sizeof(*keeper));
	keeper->pid = pid;
	keeper->fd = fds[0];
	keeper->refs = 1;
	return keeper;
}

int
keeper_wait(struct keeper *keeper, struct keeper_loaded *loaded)
{
	ssize_t n;

	do
		n = recv(keeper->fd, loaded, sizeof(*loaded), 0);
	while (n < 0 && errno == EINTR);
	loaded->source[sizeof(loaded->source) - 1] = '\0';
	return n == (ssize_t)sizeof(*loaded) ? 0 : -1;
}

pid_t
keeper_free(struct keeper *keeper)
{
	pid_t pid = keeper->pid;

	close(keeper->fd);
	kill(pid, SIGKILL); /* and so those that answer */
	free(keeper);
	return pid;
}

/* ---- questions ---- */

/* A file in memory; -1: errno. */
static int
write_question(bool post, const char *path, const char *query, const char *body,
    size_t len)
{
	int fd = memfd_create("question", MFD_CLOEXEC);
	struct text text = { 0 };
	bool written;

	if (fd < 0)
		return -1;
	text_append(&text, post ? "P" : "G", 1);
	text_append(&text, path, strlen(path) + 1);
	text_append(&text, query, strlen(query) + 1);
	text_append(&text, body, len);
	text_append(&text, "", 1);
	written = file_write_all(fd, text.bytes, text.len);
	text_fini(&text);
	if (written)
		return fd;
	close(fd);
	return -1;
}

static int
send_message(const struct keeper *keeper, struct message message,
    const int *fds)
{
	union rights control = { 0 };
	struct iovec data = { &message, sizeof(message) };
	struct msghdr header = { .msg_iov = &data, .msg_iovlen = 1 };
	struct cmsghdr *rights;

	if (fds != NULL) {
		header.msg_control = control.bytes;
		header.msg_controllen = sizeof(control.bytes);
		rights = CMSG_FIRSTHDR(&header);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, 2 * sizeof(int));
	}
	return sendmsg(keeper->fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT) > 0 ?
	    0 :
	    -1;
}

int
keeper_ask(struct keeper *keeper, bool post, const char *path,
    const char *query, const char *body, size_t len, uint64_t *id)
{
	int question = write_question(post, path, query, body, len);
	int answer[2], result = -1;

	if (question < 0)
		return -1;
	if (pipe2(answer, O_CLOEXEC) == 0) {
		*id = ++keeper->nasked;
		result =
		    send_message(keeper, (struct message){ MESSAGE_ASK, *id },
			(const int[]){ question, answer[1] });
		close(answer[1]);
		if (result != 0)
			close(answer[0]);
	}
	close(question);
	return result == 0 ? answer[0] : -1;
}

void
keeper_stop(struct keeper *keeper, uint64_t id)
{
	send_message(keeper, (struct message){ MESSAGE_STOP, id }, NULL);
}
