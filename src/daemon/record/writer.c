#define _GNU_SOURCE
#include "config.h"

#include "daemon/record/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sorted.h"
#include "base/text.h"
#include "daemon/record/record.h"

#define WAITING_MAX ((size_t)64 << 20) /* bytes */
#define WAKE_BYTES ((size_t)256 << 10)
#define BUFFER_BYTES ((size_t)256 << 10)

struct writer {
	pthread_t thread;
	char *folder;
	uint64_t size;

	pthread_mutex_t lock; /* of all that follows up to the thread's own */
	pthread_cond_t wake;
	pthread_cond_t ended;
	struct line **queue; /* NULL: begin a file */
	size_t n, cap;
	size_t unsaid; /* bytes added since the thread was woken */
	bool flush, stop, over, abandoned;
	struct writer_state state;

	/* The thread's own. */
	int fd;        /* -1: nothing can be written until a file is begun */
	uint64_t next; /* number of a file */
	char *path;
	struct text buffer;
};

/* ---- lines ---- */

struct line *
line_new(const char *bytes, size_t len)
{
	struct line *line = xmalloc(sizeof(*line) + len);

	line->refs = 1;
	line->len = len;
	memcpy(line->bytes, bytes, len);
	return line;
}

struct line *
line_ref(struct line *line)
{
	line->refs++;
	return line;
}

void
line_unref(struct line *line)
{
	if (line != NULL && --line->refs == 0)
		free(line);
}

/* ---- the folder ---- */

int
writer_check_folder(const char *folder, struct err *err)
{
	struct stat st;

	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		return errf(err, "%s: %s", folder, strerror(errno));
	if (lstat(folder, &st) != 0)
		return errf(err, "%s: %s", folder, strerror(errno));
	if (S_ISLNK(st.st_mode) && st.st_uid != 0 && st.st_uid != geteuid())
		return errf(err, "%s: it is a symbolic link of user %u", folder,
		    (unsigned)st.st_uid);
	if (stat(folder, &st) != 0)
		return errf(err, "%s: %s", folder, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return errf(err, "%s: %s", folder, strerror(ENOTDIR));
	if (st.st_uid != geteuid())
		return errf(err, "%s: it belongs to user %u, not to user %u",
		    folder, (unsigned)st.st_uid, (unsigned)geteuid());
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return errf(err,
		    "%s: other users may write there (mode %03o); "
		    "use chmod go-w",
		    folder, (unsigned)(st.st_mode & 0777));
	if (access(folder, W_OK | X_OK) != 0)
		return errf(err, "%s: %s", folder, strerror(errno));
	return 0;
}

/* The number in the name of one of our files; false: it is none. */
static bool
number_of(const char *name, uint64_t *number)
{
	size_t len = strlen(RECORD_PREFIX);
	char *end;

	if (strncmp(name, RECORD_PREFIX, len) != 0 || name[len] < '0' ||
	    name[len] > '9')
		return false;
	*number = strtoull(name + len, &end, 10);
	return strcmp(end, RECORD_SUFFIX) == 0;
}

struct old_file {
	uint64_t number, bytes;
	char *name;
};

static int
newest_first(const void *a, const void *b)
{
	const struct old_file *x = a, *y = b;

	return x->number > y->number ? -1 : x->number < y->number;
}

/* You own them. */
static struct old_file *
list_files(int folder, size_t *n)
{
	struct old_file *files = NULL;
	size_t cap = 0;
	DIR *dir = fdopendir(folder);
	struct dirent *entry;
	struct stat st;
	uint64_t number;

	*n = 0;
	if (dir == NULL) {
		close(folder);
		return NULL;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (!number_of(entry->d_name, &number) ||
		    fstatat(dirfd(dir), entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		vec_room(files, *n, &cap);
		files[(*n)++] = (struct old_file){ number, (uint64_t)st.st_size,
			xstrdup(entry->d_name) };
	}
	closedir(dir);
	SORT(files, *n, newest_first);
	return files;
}

/* Deletes the oldest files beyond this size in the folder that is open at `at`; returns
 * the number of the next. */
static uint64_t
tidy(int at, uint64_t max)
{
	uint64_t bytes = 0, next = 1;
	struct old_file *files;
	size_t n;

	files = list_files(dup(at), &n);
	if (n > 0)
		next = files[0].number + 1;
	for (size_t i = 0; i < n; i++) {
		bytes += files[i].bytes;
		if (bytes > max)
			unlinkat(at, files[i].name, 0);
		free(files[i].name);
	}
	free(files);
	return next;
}

/* ---- the thread ---- */

static void
note_error(struct writer *w, const char *path, int number)
{
	pthread_mutex_lock(&w->lock);
	w->state.errors++;
	snprintf(w->state.error, sizeof(w->state.error), "%s: %s",
	    path != NULL ? path : w->folder, strerror(number));
	pthread_mutex_unlock(&w->lock);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	w->buffer.len = 0;
}

static void
write_out(struct writer *w)
{
	size_t done = 0;

	while (w->fd >= 0 && done < w->buffer.len) {
		ssize_t n =
		    write(w->fd, w->buffer.bytes + done, w->buffer.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			note_error(w, w->path, errno);
			return;
		}
		done += (size_t)n;
		pthread_mutex_lock(&w->lock);
		w->state.bytes += (size_t)n;
		pthread_mutex_unlock(&w->lock);
	}
	w->buffer.len = 0;
}

static void
begin_file(struct writer *w)
{
	int at =
	    open(w->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	write_out(w);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	if (at < 0) {
		note_error(w, NULL, errno);
		return;
	}
	w->next = tidy(at, w->size / 2);
	free(w->path);
	w->path = xasprintf("%s/" RECORD_PREFIX "%010" PRIu64 RECORD_SUFFIX,
	    w->folder, w->next);
	w->fd = openat(at, strrchr(w->path, '/') + 1,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	close(at);
	if (w->fd < 0) {
		note_error(w, w->path, errno);
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->state.files++;
	w->state.error[0] = '\0';
	pthread_mutex_unlock(&w->lock);
}

static void
take_line(struct writer *w, struct line *line)
{
	if (line == NULL) {
		begin_file(w);
		return;
	}
	if (w->fd >= 0)
		text_append(&w->buffer, line->bytes, line->len);
	if (w->buffer.len >= BUFFER_BYTES)
		write_out(w);
	line_unref(line);
}

static void
writer_end(struct writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	for (size_t i = 0; i < w->n; i++)
		line_unref(w->queue[i]);
	free(w->queue);
	text_fini(&w->buffer);
	free(w->path);
	free(w->folder);
	pthread_cond_destroy(&w->wake);
	pthread_cond_destroy(&w->ended);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

/* The lines are taken out of the queue all at once. */
static size_t
take_queue(struct writer *w, struct line ***lines)
{
	size_t n = w->n, bytes = 0;

	*lines = w->queue;
	w->queue = NULL;
	w->n = w->cap = 0;
	w->flush = false;
	w->unsaid = 0;
	for (size_t i = 0; i < n; i++)
		bytes += (*lines)[i] != NULL ? (*lines)[i]->len : 0;
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < n; i++)
		take_line(w, (*lines)[i]);
	write_out(w);
	free(*lines);
	pthread_mutex_lock(&w->lock);
	return bytes;
}

static void *
run(void *arg)
{
	struct writer *w = arg;
	struct line **lines;
	bool abandoned;

	pthread_mutex_lock(&w->lock);
	while (!w->stop || w->n > 0) {
		if (w->n == 0 || (!w->flush && !w->stop))
			pthread_cond_wait(&w->wake, &w->lock);
		else
			w->state.waiting -= take_queue(w, &lines);
	}
	w->over = true;
	abandoned = w->abandoned;
	pthread_cond_signal(&w->ended);
	pthread_mutex_unlock(&w->lock);
	if (abandoned)
		writer_end(w);
	return NULL;
}

/* ---- the caller ---- */

struct writer *
writer_new(const char *folder, uint64_t size, struct err *err)
{
	struct writer *w = xcalloc(1, sizeof(*w));
	sigset_t all, before;
	int result;

	w->folder = realpath(folder, NULL);
	if (w->folder == NULL)
		w->folder = xstrdup(folder); /* an error of each file */
	w->size = size;
	w->fd = -1;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	pthread_cond_init(&w->ended, NULL);
	/* Signals are the event loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&w->thread, NULL, run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (result == 0)
		return w;
	errf(err, "cannot start a thread: %s", strerror(result));
	writer_end(w);
	return NULL;
}

void
writer_free(struct writer *w, int64_t wait_ms)
{
	struct timespec until;
	bool over;

	if (w == NULL)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += wait_ms / 1000 + 1;
	pthread_mutex_lock(&w->lock);
	w->stop = w->flush = true;
	pthread_cond_signal(&w->wake);
	while (!w->over &&
	    pthread_cond_timedwait(&w->ended, &w->lock, &until) == 0)
		;
	over = w->over;
	w->abandoned = !over;
	if (!over)
		pthread_detach(w->thread);
	pthread_mutex_unlock(&w->lock);
	if (!over)
		return; /* the disk hangs: the thread frees it, if ever */
	pthread_join(w->thread, NULL);
	writer_end(w);
}

static void
push(struct writer *w, struct line *line)
{
	vec_room(w->queue, w->n, &w->cap);
	w->queue[w->n++] = line;
	if (line == NULL)
		return;
	w->state.waiting += line->len;
	w->unsaid += line->len;
	if (w->unsaid < WAKE_BYTES)
		return;
	w->unsaid = 0;
	w->flush = true;
	pthread_cond_signal(&w->wake);
}

bool
writer_add(struct writer *w, struct line *line, bool must)
{
	bool fits;

	pthread_mutex_lock(&w->lock);
	fits = must || w->state.waiting + line->len <= WAITING_MAX;
	if (fits)
		push(w, line);
	pthread_mutex_unlock(&w->lock);
	if (!fits)
		line_unref(line);
	return fits;
}

void
writer_flush(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	if (w->n > 0) {
		w->flush = true;
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
}

void
writer_look(struct writer *w, struct writer_state *state)
{
	pthread_mutex_lock(&w->lock);
	*state = w->state;
	pthread_mutex_unlock(&w->lock);
}
