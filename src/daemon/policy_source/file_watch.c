#include "config.h"

#include "daemon/policy_source/file_watch.h"

#include <errno.h>
#include <event2/event.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"

#define SETTLE_MS 40 /* after the first sign of a change */
#define POLL_MS 10000
#define WRITER_MS 60000 /* a writer that pauses longer counts as done */

#define SIGNS                                                                  \
	(IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | \
	    IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF |           \
	    IN_ONLYDIR)

/* Of the file: a write is complete, or the name leads to another file. */
#define COMPLETE                                                               \
	(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

/* A folder under watch, and the name in it that leads to the file. */
struct folder {
	int id; /* of inotify; -1: none */
	char name[NAME_MAX + 1];
};

struct file_watch {
	char *path;
	int inotify;              /* -1: no inotify; the file is polled */
	struct folder folders[2]; /* of the name, of its target */
	bool being_written;
	struct stat seen; /* all zero: absent */
	struct event *signs, *settle, *poll;
	void (*changed)(void *arg);
	void *arg;
};

static struct stat
read_state(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		memset(&st, 0, sizeof(st));
	return st;
}

/* ---- folders ---- */

static void
unwatch(struct file_watch *watch, struct folder *folder)
{
	struct folder *other =
	    &watch->folders[folder == &watch->folders[0] ? 1 : 0];

	/* One folder has one id, however often it is watched. */
	if (folder->id >= 0 && other->id != folder->id)
		inotify_rm_watch(watch->inotify, folder->id);
	folder->id = -1;
}

/* path is that of the file; it may be gone, or another folder by now. */
static void
watch_folder_of(struct file_watch *watch, struct folder *folder,
    const char *path)
{
	char copy[PATH_MAX];
	int id;

	snprintf(copy, sizeof(copy), "%s", path);
	snprintf(folder->name, sizeof(folder->name), "%s", basename(copy));
	snprintf(copy, sizeof(copy), "%s", path);
	id = inotify_add_watch(watch->inotify, dirname(copy), SIGNS);
	if (id != folder->id)
		unwatch(watch, folder);
	folder->id = id;
}

static void
watch_folders(struct file_watch *watch)
{
	char target[PATH_MAX];

	if (watch->inotify < 0)
		return;
	watch_folder_of(watch, &watch->folders[0], watch->path);
	if (realpath(watch->path, target) != NULL)
		watch_folder_of(watch, &watch->folders[1], target);
	else
		unwatch(watch, &watch->folders[1]);
}

/* ---- changes ---- */

static void
check(struct file_watch *watch)
{
	struct stat now;

	watch_folders(watch);
	now = read_state(watch->path);
	if (file_same(&now, &watch->seen) &&
	    now.st_ctim.tv_sec == watch->seen.st_ctim.tv_sec &&
	    now.st_ctim.tv_nsec == watch->seen.st_ctim.tv_nsec)
		return;
	watch->seen = now;
	watch->changed(watch->arg);
}

/* How long it has not been written to; < 0 when clocks do not agree. */
static int64_t
age_ms(const struct file_watch *watch)
{
	struct stat st = read_state(watch->path);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec - st.st_mtim.tv_sec) * INT64_C(1000) +
	    (now.tv_nsec - st.st_mtim.tv_nsec) / 1000000;
}

static void
start_settling(struct file_watch *watch)
{
	if (!event_pending(watch->settle, EV_TIMEOUT, NULL))
		timer_start(watch->settle, SETTLE_MS);
}

static void
on_settled(evutil_socket_t fd, short what, void *arg)
{
	struct file_watch *watch = arg;
	int64_t age = age_ms(watch);

	if (watch->being_written)
		return;
	/* There may be more to come. */
	if (age >= 0 && age < SETTLE_MS / 2)
		start_settling(watch);
	else
		check(watch);
}

static void
on_poll(evutil_socket_t fd, short what, void *arg)
{
	struct file_watch *watch = arg;

	if (watch->being_written && age_ms(watch) > WRITER_MS)
		watch->being_written = false;
	if (!watch->being_written)
		check(watch);
}

static bool
is_the_file(const struct file_watch *watch, const struct inotify_event *sign)
{
	for (size_t i = 0; i < LENGTH(watch->folders); i++)
		if (sign->wd == watch->folders[i].id && sign->len > 0 &&
		    strcmp(sign->name, watch->folders[i].name) == 0)
			return true;
	return false;
}

static void
note_event(struct file_watch *watch, const struct inotify_event *sign)
{
	if (sign->mask & IN_IGNORED) {
		for (size_t i = 0; i < LENGTH(watch->folders); i++)
			if (watch->folders[i].id == sign->wd)
				watch->folders[i].id = -1;
	}
	if (sign->mask & IN_Q_OVERFLOW)
		watch->being_written = false;
	else if (is_the_file(watch, sign) && (sign->mask & IN_MODIFY))
		watch->being_written = true;
	else if (is_the_file(watch, sign) && (sign->mask & COMPLETE))
		watch->being_written = false;
	start_settling(watch);
}

static void
on_inotify(evutil_socket_t fd, short what, void *arg)
{
	_Alignas(struct inotify_event) char buf[16384];
	struct file_watch *watch = arg;
	ssize_t len;

	while ((len = read(fd, buf, sizeof(buf))) > 0) {
		const struct inotify_event *sign;

		for (char *p = buf; p < buf + len;
		     p += sizeof(*sign) + sign->len) {
			sign = (const struct inotify_event *)p;
			note_event(watch, sign);
		}
	}
}

struct file_watch *
file_watch_new(struct event_base *base, const char *path,
    void (*changed)(void *arg), void *arg)
{
	struct file_watch *watch = xcalloc(1, sizeof(*watch));

	watch->path = xstrdup(path);
	watch->changed = changed;
	watch->arg = arg;
	watch->folders[0].id = watch->folders[1].id = -1;
	watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch->inotify < 0) {
		log_warning("cannot watch %s, changes are detected late: "
			    "inotify: %s",
		    path, strerror(errno));
	} else {
		watch->signs = event_new(base, watch->inotify,
		    EV_READ | EV_PERSIST, on_inotify, watch);
		event_add(watch->signs, NULL);
	}
	watch->settle = event_new(base, -1, 0, on_settled, watch);
	watch->poll = event_new(base, -1, EV_PERSIST, on_poll, watch);
	timer_start(watch->poll, POLL_MS);
	watch_folders(watch);
	watch->seen = read_state(path);
	return watch;
}

void
file_watch_free(struct file_watch *watch)
{
	if (watch == NULL)
		return;
	event_free(watch->settle);
	event_free(watch->poll);
	if (watch->signs != NULL)
		event_free(watch->signs);
	if (watch->inotify >= 0)
		close(watch->inotify);
	free(watch->path);
	free(watch);
}
