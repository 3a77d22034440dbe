#include "config.h"

#include "daemon/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

/* systemd's end: a socket with this name ("@…" is abstract). */
static int
listen_at(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t len =
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	memcpy(address.sun_path, name, strlen(name));
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, len) != 0)
		abort();
	return fd;
}

/* The next message; "" when there is none. */
static const char *
heard(int fd)
{
	static char text[1024];
	ssize_t len = recv(fd, text, sizeof(text) - 1, 0);

	text[len < 0 ? 0 : len] = '\0';
	return text;
}

static const char *
some_name(char kind)
{
	static char name[100];
	const char *tmp = getenv("TMPDIR");

	if (kind == '@')
		snprintf(name, sizeof(name), "@predicated/notify/%d", getpid());
	else
		snprintf(name, sizeof(name), "%s/predicated-notify-%d",
		    tmp != NULL ? tmp : P_tmpdir, getpid());
	return name;
}

static void
environment(const char *name, const char *watchdog_usec, const char *pid)
{
	setenv("NOTIFY_SOCKET", name, 1);
	setenv("WATCHDOG_USEC", watchdog_usec, 1);
	setenv("WATCHDOG_PID", pid, 1);
}

static void
every_message(char kind)
{
	char pid[32];
	const char *name = some_name(kind);
	int fd = listen_at(name);
	struct notify *notify;
	int64_t usec;

	snprintf(pid, sizeof(pid), "%d", getpid());
	environment(name, "30000000", pid);
	notify = notify_new();
	notify_ready(notify);
	t_str("ready", heard(fd), "READY=1");
	notify_status(notify, "%d of %d caches", 3, 9);
	t_str("status", heard(fd), "STATUS=3 of 9 caches");
	notify_status(notify, "3 of 9 caches");
	t_str("the same status", heard(fd), "");
	notify_status(notify, "a\nSTOPPING=1");
	t_str("one line", heard(fd), "STATUS=a STOPPING=1");
	notify_reloading(notify);
	t_int("reloading",
	    sscanf(heard(fd), "RELOADING=1\nMONOTONIC_USEC=%" SCNd64, &usec),
	    1);
	t_true("since the machine started", usec > 0);
	t_int("half of 30 s", notify_watchdog_ms(notify), 15000);
	notify_watchdog(notify);
	t_str("watchdog", heard(fd), "WATCHDOG=1");
	notify_stopping(notify);
	t_str("stopping", heard(fd), "STOPPING=1");
	notify_free(notify);
	close(fd);
	if (kind != '@')
		unlink(name);
}

static void
systemd_hears_all(void)
{
	every_message('/');
}

static void
also_through_an_abstract_socket(void)
{
	every_message('@');
}

static void
children_do_not_inherit_it(void)
{
	environment("@predicated/nobody", "1000", "1");
	notify_free(notify_new());
	t_str("socket", getenv("NOTIFY_SOCKET"), NULL);
	t_str("time", getenv("WATCHDOG_USEC"), NULL);
	t_str("pid", getenv("WATCHDOG_PID"), NULL);
}

static void
the_watchdog_is_for_us_or_off(void)
{
	char us[32];

	snprintf(us, sizeof(us), "%d", getpid());
	const struct {
		const char *name, *socket, *usec, *pid;
		int64_t want_ms;
	} rows[] = {
		{ "ours", "@predicated/x", "20000000", us, 10000 },
		{ "no pid: ours", "@predicated/x", "20000000", "", 10000 },
		{ "another's", "@predicated/x", "20000000", "1", 0 },
		{ "none", "@predicated/x", "", us, 0 },
		{ "zero", "@predicated/x", "0", us, 0 },
		{ "very short", "@predicated/x", "1000", us, 1 },
		{ "no number", "@predicated/x", "20s", us, 0 },
		{ "negative", "@predicated/x", "-5", us, 0 },
		{ "too big", "@predicated/x", "99999999999999999999", us, 0 },
		{ "no socket", "", "20000000", us, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct notify *notify;

		environment(rows[i].socket, rows[i].usec, rows[i].pid);
		notify = notify_new();
		t_int(rows[i].name, notify_watchdog_ms(notify),
		    rows[i].want_ms);
		notify_free(notify);
	}
}

static char log_text[4096];

static void
log_heard(enum log_level level, const char *text)
{
	snprintf(log_text, sizeof(log_text), "%s", text);
}

static void
nobody_listens(void)
{
	char longest[200];
	const char *const names[] = { "", "relative", "@", "/", "vsock:2:1234",
		longest };

	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = '/';
	longest[sizeof(longest) - 1] = '\0';
	log_listen(log_heard);
	for (size_t i = 0; i < LENGTH(names); i++) {
		struct notify *notify;

		environment(names[i], "", "");
		log_text[0] = '\0';
		notify = notify_new();
		if (i == 0)
			t_str("not under systemd", log_text, "");
		else
			t_has(names[i], log_text, "cannot use the socket");
		notify_ready(notify);
		notify_status(notify, "x");
		notify_stopping(notify);
		notify_free(notify);
	}
	environment("@predicated/nobody", "", "");
	struct notify *notify = notify_new();
	notify_ready(notify);
	t_has("a warning", log_text, "cannot send READY=1 to systemd: ");
	notify_free(notify);
	notify_free(NULL);
	log_listen(NULL);
}

T_MAIN(T(systemd_hears_all), T(also_through_an_abstract_socket),
    T(children_do_not_inherit_it), T(the_watchdog_is_for_us_or_off),
    T(nobody_listens))
