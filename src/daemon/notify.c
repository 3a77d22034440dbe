#include "config.h"

#include "daemon/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

struct notify {
	int fd; /* -1: no socket */
	struct sockaddr_un address;
	socklen_t address_len;
	int64_t watchdog_usec; /* 0: no watchdog */
	char *status;          /* sent last */
};

/* "/path" or "@abstract"; false: neither. */
static bool
set_address(struct notify *notify, const char *name)
{
	size_t len = strlen(name);

	if ((name[0] != '/' && name[0] != '@') || len < 2 ||
	    len >= sizeof(notify->address.sun_path))
		return false;
	notify->address.sun_family = AF_UNIX;
	memcpy(notify->address.sun_path, name, len);
	notify->address_len =
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	if (name[0] == '@')
		notify->address.sun_path[0] = '\0';
	else
		notify->address_len++; /* with the final NUL */
	return true;
}

/* A whole number above 0 from the environment, else 0. */
static int64_t
number_from_environment(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long long value;

	if (text == NULL || *text < '0' || *text > '9')
		return 0;
	errno = 0;
	value = strtoll(text, &end, 10);
	return *end == '\0' && errno == 0 ? value : 0;
}

struct notify *
notify_new(void)
{
	/* A systemd that hears nothing must not hold us up for long. */
	const struct timeval patience = { .tv_sec = 1 };
	struct notify *notify = xcalloc(1, sizeof(*notify));
	const char *name = getenv("NOTIFY_SOCKET");
	int64_t pid = number_from_environment("WATCHDOG_PID");

	notify->fd = -1;
	if (name != NULL && *name != '\0') {
		if (!set_address(notify, name))
			log_warning("cannot use the socket in $NOTIFY_SOCKET: "
				    "%s",
			    name);
		else
			notify->fd =
			    socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	}
	if (notify->fd >= 0)
		setsockopt(notify->fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
		    sizeof(patience));
	/* Variables that systemd set for our parent process do not count. */
	if (notify->fd >= 0 && (pid == 0 || pid == getpid()))
		notify->watchdog_usec =
		    number_from_environment("WATCHDOG_USEC");
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	return notify;
}

void
notify_free(struct notify *notify)
{
	if (notify == NULL)
		return;
	if (notify->fd >= 0)
		close(notify->fd);
	free(notify->status);
	free(notify);
}

static void
send_state(struct notify *notify, const char *text)
{
	ssize_t sent;

	if (notify->fd < 0)
		return;
	do
		sent = sendto(notify->fd, text, strlen(text), MSG_NOSIGNAL,
		    (const struct sockaddr *)&notify->address,
		    notify->address_len);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		log_warning("cannot send %s to systemd: %s", text,
		    strerror(errno));
}

void
notify_ready(struct notify *notify)
{
	send_state(notify, "READY=1");
}

/* With the time, by which systemd distinguishes this reload from earlier ones. */
void
notify_reloading(struct notify *notify)
{
	char text[64];

	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
	    clock_us());
	send_state(notify, text);
}

void
notify_stopping(struct notify *notify)
{
	send_state(notify, "STOPPING=1");
}

void
notify_status(struct notify *notify, const char *fmt, ...)
{
	char *text;

	if (notify->fd < 0)
		return;
	XFORMAT(text, fmt);
	/* Another line would be another assignment. */
	for (char *p = text; *p != '\0'; p++)
		if (*p == '\n')
			*p = ' ';
	if (notify->status == NULL || strcmp(notify->status, text) != 0) {
		AUTOFREE char *line = xasprintf("STATUS=%s", text);

		send_state(notify, line);
		free(notify->status);
		notify->status = text;
	} else {
		free(text);
	}
}

int64_t
notify_watchdog_ms(const struct notify *notify)
{
	int64_t ms = notify->watchdog_usec / 2 / 1000;

	return notify->watchdog_usec > 0 && ms == 0 ? 1 : ms;
}

void
notify_watchdog(struct notify *notify)
{
	if (notify->watchdog_usec > 0)
		send_state(notify, "WATCHDOG=1");
}
