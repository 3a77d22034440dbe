#include "config.h"

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static FILE *file; /* is standard error between these two */
static int real_stderr;

static void
catch_stderr(void)
{
	fflush(stderr);
	real_stderr = dup(STDERR_FILENO);
	file = tmpfile();
	if (file == NULL || real_stderr < 0 ||
	    dup2(fileno(file), STDERR_FILENO) < 0)
		abort();
}

static const char *
caught(void)
{
	static char text[1024];
	size_t len;

	fflush(stderr);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	fclose(file);
	return text;
}

static void
set_stream(long long device_off_by)
{
	AUTOFREE char *stream = NULL;
	struct stat st;

	fstat(STDERR_FILENO, &st);
	stream = xasprintf("%lld:%lld", (long long)st.st_dev + device_off_by,
	    (long long)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
}

static void
the_journal_is_known_by_its_stream(void)
{
	static const char *const nonsense[] = { "", "8", "8:", "x:y", "8:9z" };
	bool ours, anothers;
	const char *priority;

	catch_stderr();
	set_stream(0);
	ours = log_to_journal();
	priority = log_priority(LOG_LEVEL_ERROR);
	set_stream(1);
	anothers = log_to_journal();
	caught();
	t_true("this is it", ours);
	t_str("a line's priority", priority, "<3>");
	t_true("another's", !anothers);
	for (size_t i = 0; i < LENGTH(nonsense); i++) {
		setenv("JOURNAL_STREAM", nonsense[i], 1);
		t_true(nonsense[i], !log_to_journal());
	}
	unsetenv("JOURNAL_STREAM");
	t_true("no systemd", !log_to_journal());
	t_str("no priority", log_priority(LOG_LEVEL_ERROR), "");
}

static void
a_text_is_one_line(void)
{
	static const struct {
		enum log_level level;
		const char *text, *want;
	} rows[] = {
		{ LOG_LEVEL_INFO, "all is well", "<6>a.c:7] all is well\n" },
		{ LOG_LEVEL_WARNING, "one\n<6>two",
		    "<4>a.c:7] one\\n<6>two\n" },
		{ LOG_LEVEL_ERROR, "end\n", "<3>a.c:7] end\\n\n" },
		{ LOG_LEVEL_ERROR, "a\tb\rc\033[1m\177",
		    "<3>a.c:7] a\\tb\\rc\\x1b[1m\\x7f\n" },
		{ LOG_LEVEL_INFO, "gr\u00fcn", "<6>a.c:7] gr\u00fcn\n" },
		{ LOG_LEVEL_INFO, "\xc2\x9b[1m \u202e \x9b",
		    "<6>a.c:7] \\u009b[1m \\u202e \\x9b\n" },
	};
	const char *text;

	log_init(LOG_FORMAT_JOURNAL, 0);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		catch_stderr();
		log_at(rows[i].level, "src/a.c", 7, "%s", rows[i].text);
		t_str(rows[i].text, caught(), rows[i].want);
	}
	log_init(LOG_FORMAT_TEXT, 0);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		catch_stderr();
		log_at(rows[i].level, "src/a.c", 7, "%s", rows[i].text);
		text = strstr(caught(), "a.c:7] ");
		t_str(rows[i].text, text, rows[i].want + 3);
	}
}

static char heard[3][200];
static size_t nheard;

static void
on_line(enum log_level level, const char *text)
{
	snprintf(heard[nheard % LENGTH(heard)], sizeof(heard[0]), "%s", text);
	nheard++;
}

/* A minute passes. */
static void
age(struct trouble *trouble)
{
	trouble->began_ms -= 60000;
	trouble->logged_ms -= 60000;
}

static void
trouble_is_told_once_a_minute_and_when_it_is_over(void)
{
	struct trouble trouble = { 0 };

	catch_stderr();
	log_listen(on_line);
	log_over(&trouble, "nothing was wrong");
	for (int i = 0; i < 300; i++)
		log_trouble(&trouble, "watch %d ended", i);
	age(&trouble);
	log_trouble(&trouble, "watch ended");
	log_over(&trouble, "watches work");
	log_over(&trouble, "watches work");
	t_int("lines", nheard, 3);
	/* It comes and goes. */
	for (int i = 0; i < 300; i++) {
		log_trouble(&trouble, "watch ended");
		log_over(&trouble, "watches work");
	}
	t_int("lines, when it comes and goes", nheard, 3);
	log_listen(NULL);
	caught();
	t_str("at first", heard[0], "watch 0 ended");
	t_str("after a minute", heard[1], "watch ended (299 times more)");
	t_str("at the end", heard[2], "watches work, after 60 s");
}

T_MAIN(T(the_journal_is_known_by_its_stream), T(a_text_is_one_line),
    T(trouble_is_told_once_a_minute_and_when_it_is_over))
