#include "config.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/text.h"

#define TROUBLE_MS 60000

static struct {
	enum log_format format;
	int verbosity;
	void (*heard)(enum log_level level, const char *text);
} self;

void
log_init(enum log_format format, int verbosity)
{
	self.format = format;
	self.verbosity = verbosity;
}

int
log_verbosity(void)
{
	return self.verbosity;
}

void
log_listen(void (*heard)(enum log_level level, const char *text))
{
	self.heard = heard;
}

/* systemd identifies the stream as "device:inode": a child process may inherit
 * the variable without the stream (systemd.exec(5)). */
bool
log_to_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;
	char end;

	return stream != NULL &&
	    sscanf(stream, "%llu:%llu%c", &device, &inode, &end) == 2 &&
	    fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device &&
	    st.st_ino == inode;
}

static const char *
priority_of(enum log_level level)
{
	static const char *const priorities[] = {
		[LOG_LEVEL_INFO] = "<6>",
		[LOG_LEVEL_WARNING] = "<4>",
		[LOG_LEVEL_ERROR] = "<3>",
	};

	return priorities[level];
}

const char *
log_priority(enum log_level level)
{
	return log_to_journal() ? priority_of(level) : "";
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void
put_json(FILE *out, enum log_level level, const char *file, int line,
    const struct timespec *now, const char *text)
{
	static const char *const names[] = { "info", "warning", "error" };
	struct text quoted = { 0 };

	fprintf(out,
	    "{\"ts\":%lld.%06ld,\"level\":\"%s\",\"caller\":\"%s:%d\","
	    "\"msg\":",
	    (long long)now->tv_sec, now->tv_nsec / 1000, names[level],
	    base_name(file), line);
	json_put_string(&quoted, text);
	text_put(&quoted, "}\n");
	text_write(&quoted, out);
}

static void
put_text(FILE *out, enum log_level level, const char *file, int line,
    const struct timespec *now, const char *text)
{
	struct tm tm;

	localtime_r(&now->tv_sec, &tm);
	fprintf(out, "%c%02d%02d %02d:%02d:%02d.%06ld %7d %s:%d] ",
	    "IWE"[level], tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
	    tm.tm_sec, now->tv_nsec / 1000, (int)getpid(), base_name(file),
	    line);
	text_print_line(out, text);
}

void
log_at(enum log_level level, const char *file, int line, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	struct timespec now;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	clock_gettime(CLOCK_REALTIME, &now);
	switch (self.format) {
	case LOG_FORMAT_TEXT:
		put_text(stderr, level, file, line, &now, text);
		break;
	case LOG_FORMAT_JSON:
		put_json(stderr, level, file, line, &now, text);
		break;
	case LOG_FORMAT_JOURNAL:
		fprintf(stderr, "%s%s:%d] ", priority_of(level),
		    base_name(file), line);
		text_print_line(stderr, text);
		break;
	}
	if (self.heard != NULL)
		self.heard(level, text);
}

void
log_trouble_at(struct trouble *trouble, const char *file, int line,
    const char *fmt, ...)
{
	int64_t now = clock_ms();
	AUTOFREE char *text = NULL;
	char more[32] = "";
	va_list ap;

	if (trouble->began_ms == 0)
		trouble->began_ms = now;
	if (trouble->logged_ms != 0 && now - trouble->logged_ms < TROUBLE_MS) {
		trouble->times++;
		return;
	}
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (trouble->times > 0)
		snprintf(more, sizeof(more), " (%u times more)",
		    trouble->times);
	log_at(LOG_LEVEL_WARNING, file, line, "%s%s", text, more);
	trouble->logged_ms = now;
	trouble->reported = true;
	trouble->times = 0;
}

void
log_over_at(struct trouble *trouble, const char *file, int line,
    const char *what)
{
	if (trouble->reported)
		log_at(LOG_LEVEL_INFO, file, line, "%s, after %.0f s", what,
		    (double)(clock_ms() - trouble->began_ms) / 1000);
	trouble->began_ms = 0;
	trouble->reported = false;
}
