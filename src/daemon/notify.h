/*
 * Telling systemd how we are (sd_notify(3), Type=notify-reload), without
 * libsystemd: datagrams to the socket that $NOTIFY_SOCKET names.  When that is
 * not set all of this does nothing.
 */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

struct notify;

/* Never NULL.  Takes $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID out of
 * the environment, so that exec plugins do not speak in our name. */
struct notify *notify_new(void);
/* Accepts NULL. */
void notify_free(struct notify *notify);

/* READY=1: all caches are filled for the first time, or a reload has ended. */
void notify_ready(struct notify *notify);
/* RELOADING=1: SIGHUP came; notify_ready() must follow. */
void notify_reloading(struct notify *notify);
/* STOPPING=1: SIGTERM came. */
void notify_stopping(struct notify *notify);
/* STATUS=…: one line for `systemctl status`; sent only when it is another than
 * before. */
void notify_status(struct notify *notify, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* How often notify_watchdog() must be called, in milliseconds: half of systemd's
 * time limit; 0: never. */
int64_t notify_watchdog_ms(const struct notify *notify);
/* WATCHDOG=1: the event loop turns. */
void notify_watchdog(struct notify *notify);

#endif
