/*
 * The log: lines on standard error, as klog writes them
 *
 *	I1121 10:18:33.123456    4711 scheduler.c:88] pod shop/web-7 is bound …
 *
 * or as JSON objects, or with the priorities that journald reads ("<6>…").  A
 * text is one line: see text_visible().
 *
 * log_v(n, …) is klog's V(n): shown when the verbosity is at least n.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

enum log_format {
	LOG_FORMAT_TEXT,
	LOG_FORMAT_JSON,
	LOG_FORMAT_JOURNAL, /* text without time, with a priority in front */
};

void log_init(enum log_format format, int verbosity);

/* Whether standard error is a stream to systemd's journal ($JOURNAL_STREAM). */
bool log_to_journal(void);
/* The prefix of a line on standard error for journald: "<3>" and so on; "" if
 * the reader is not journald. */
const char *log_priority(enum log_level level);

int log_verbosity(void);

#define log_info(...) log_at(LOG_LEVEL_INFO, __FILE__, __LINE__, __VA_ARGS__)
#define log_warning(...)                                                       \
	log_at(LOG_LEVEL_WARNING, __FILE__, __LINE__, __VA_ARGS__)
#define log_error(...) log_at(LOG_LEVEL_ERROR, __FILE__, __LINE__, __VA_ARGS__)
#define log_v(verbosity, ...)                                                  \
	do {                                                                   \
		if ((verbosity) <= log_verbosity())                            \
			log_at(LOG_LEVEL_INFO, __FILE__, __LINE__,             \
			    __VA_ARGS__);                                      \
	} while (0)

void log_at(enum log_level level, const char *file, int line, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));

/*
 * Trouble of one kind, which may come back often; a zeroed struct.  log_trouble() logs a
 * warning at first, then once a minute with the number of times in between; log_over()
 * logs that it is over, if a warning was logged since it began.
 */
struct trouble {
	int64_t began_ms, logged_ms; /* clock_ms(); 0: it is over, never */
	bool reported;               /* since it began */
	unsigned times;              /* not logged */
};
#define log_trouble(trouble, ...)                                              \
	log_trouble_at((trouble), __FILE__, __LINE__, __VA_ARGS__)
#define log_over(trouble, what)                                                \
	log_over_at((trouble), __FILE__, __LINE__, (what))

void log_trouble_at(struct trouble *trouble, const char *file, int line,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void log_over_at(struct trouble *trouble, const char *file, int line,
    const char *what);

/* Calls heard for every line (without the head), for tests and metrics; NULL:
 * no listener. */
void log_listen(void (*heard)(enum log_level level, const char *text));

#endif
