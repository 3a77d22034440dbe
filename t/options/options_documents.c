/*
 * Documents about options agree with their table: etc/predicated.conf,
 * and the parts of predicated(8) and predicated.conf(5) between the marks.
 * With PREDICATED_UPDATE set in the environment it is rewritten.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "options/options_internal.h"
#include "t/lib/t.h"

#define BEGIN ".\\\" What follows is made from options_table.h by t/options.\n"
#define END ".\\\" End of the generated part.\n"

/* NULL: there is none. */
static char *
slurp(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t cap = 0;

	if (in != NULL) {
		if (getdelim(&text, &cap, '\0', in) < 0 && text != NULL)
			text[0] = '\0';
		fclose(in);
	}
	return text;
}

static void
spill(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0)
		abort();
}

/* The file is this text; or becomes it. */
static void
is_file(const char *relative, const char *want)
{
	AUTOFREE char *got = slurp(t_path(relative));

	if (getenv("PREDICATED_UPDATE") != NULL) {
		if (got == NULL || strcmp(got, want) != 0)
			spill(t_path(relative), want);
		return;
	}
	if (got == NULL || strcmp(got, want) != 0)
		t_true("this file differs from the table; run "
		       "PREDICATED_UPDATE=1 t/options/options_documents.t",
		    false);
}

/* As is_file(), for the part between the marks in the file. */
static void
is_part(const char *relative, const char *want)
{
	AUTOFREE char *got = slurp(t_path(relative)), *whole = NULL;
	const char *begin = got != NULL ? strstr(got, BEGIN) : NULL;
	const char *end = begin != NULL ? strstr(begin, END) : NULL;

	if (!t_true(relative, end != NULL))
		return;
	whole =
	    xasprintf("%.*s%s%s%s", (int)(begin - got), got, BEGIN, want, end);
	is_file(relative, whole);
}

/* Text as mdoc has it: each sentence begins a line, nothing is a request. */
static void
mdoc_text(const char *text, FILE *out)
{
	while (*text != '\0') {
		const char *end = strstr(text, ". ");
		size_t len =
		    end != NULL ? (size_t)(end + 1 - text) : strlen(text);
		AUTOFREE char *sentence = xstrndup(text, len), *lines = NULL;
		size_t size;
		FILE *wrapped = open_memstream(&lines, &size);

		option_wrap(sentence, "", 0, wrapped);
		fclose(wrapped);
		for (const char *p = lines; *p != '\0'; p++) {
			if ((*p == '.' || *p == '\'') &&
			    (p == lines || p[-1] == '\n'))
				fputs("\\&", out);
			if (*p == '~')
				fputs("\\(ti", out);
			else if (*p == '\\')
				fputs("\\e", out);
			else
				fputc(*p, out);
		}
		text += len;
		text += strspn(text, " ");
	}
}

static void
mdoc_default(const struct option_row *row, FILE *out)
{
	if (*row->value != '\0' && strcmp(row->value, "false") != 0)
		fprintf(out, "Default:\n.Li %s .\n", row->value);
}

static void
mdoc_flag(const struct option_row *row, FILE *out)
{
	if (strcmp(row->flag, "v") == 0)
		fputs(".It Fl v Ar N , Fl Fl v Ar N\n", out);
	else if (strcmp(row->flag, "help") == 0)
		fputs(".It Fl h , Fl Fl help\n", out);
	else if (row->arg != NULL)
		fprintf(out, ".It Fl Fl %s Ar %s\n", row->flag, row->arg);
	else
		fprintf(out, ".It Fl Fl %s%s\n", row->flag,
		    strcmp(row->value, "true") == 0 ? " Ns Op Li =false" : "");
	mdoc_text(row->help, out);
	mdoc_default(row, out);
}

static void
mdoc_key(const struct option_row *row, FILE *out)
{
	static const char *const types[] = {
		[OPTION_BOOL] = "true or false",
		[OPTION_STRING] = "string",
		[OPTION_CHOICE] = "string",
		[OPTION_LIST] = "array of strings",
		[OPTION_DURATION] = "duration",
		[OPTION_PORT] = "0 to 65535",
		[OPTION_PERCENT] = "0 to 100",
		[OPTION_COUNT] = "whole number",
		[OPTION_SEED] = "whole number",
		[OPTION_REAL] = "number",
	};

	fprintf(out, ".It Li %s Pq %s\n", row->key, types[row->type]);
	mdoc_text(row->help, out);
	if (row->type == OPTION_CHOICE)
		fprintf(out, "One of\n.Li %s .\n", row->arg);
	mdoc_default(row, out);
	fprintf(out, "Flag:\n.Fl %s%s .\n", strlen(row->flag) == 1 ? "" : "Fl ",
	    row->flag);
	if (row->when == OPTION_RELOAD)
		fputs("Takes effect on reload.\n", out);
}

static bool
is_wanted(const struct option_row *row, bool keys)
{
	return row->flag != NULL && !row->is_old && (!keys || row->key != NULL);
}

/* All sections, without those that have nothing. */
static void
mdoc_sections(bool keys, void (*print)(const struct option_row *, FILE *),
    FILE *out)
{
	const char *section = NULL;
	bool open = false;

	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->section != NULL)
			section = row->section;
		if (!is_wanted(row, keys))
			continue;
		if (section != NULL) {
			fprintf(out, "%s.Ss %s\n.Bl -tag -width Ds\n",
			    open ? ".El\n" : "", section);
			section = NULL;
			open = true;
		}
		print(row, out);
	}
	fputs(".El\n", out);
}

static void
mdoc_legacies(FILE *out)
{
	fputs(".Ss Other names, and flags without effect\n", out);
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].other != NULL)
			fprintf(out, ".Fl Fl %s\nis\n.Fl Fl %s .\n",
			    option_rows[i].flag, option_rows[i].other);
	fputs("These flags of kube-scheduler are accepted and mean nothing "
	      "here:\n",
	    out);
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].is_old && option_rows[i].other == NULL)
			fprintf(out, ".Fl Fl %s%s\n", option_rows[i].flag,
			    i + 1 < noption_rows ? " ," : " .");
	fputs("A warning names those whose effect you may miss.\n", out);
}

static void
the_manual_of_the_daemon(void)
{
	AUTOFREE char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	mdoc_sections(false, mdoc_flag, out);
	mdoc_legacies(out);
	fclose(out);
	is_part("doc/predicated.8", text);
}

static void
the_manual_of_the_configuration(void)
{
	AUTOFREE char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	mdoc_sections(true, mdoc_key, out);
	fclose(out);
	is_part("doc/predicated.conf.5", text);
}

/* The sample is the output of --write-config-to when nothing is set. */
static void
the_sample_configuration(void)
{
	char *argv[] = { "predicated", "--write-config-to=-", NULL };
	struct problems problems = { 0 };
	struct daemon_options options;
	AUTOFREE char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	t_int("written",
	    daemon_options_parse(&options, 2, argv, &problems, out),
	    DAEMON_OPTIONS_DONE);
	fclose(out);
	is_file("etc/predicated.conf", text);
	daemon_options_fini(&options);
	problems_fini(&problems);
}

/* Whether a line of the sample is an option that is commented out. */
static bool
is_commented_out(const char *line)
{
	size_t tabs = strspn(line, "\t");

	return tabs > 0 && line[tabs] == '#' && line[tabs + 1] != ' ';
}

/* ... and taking the comment signs away changes nothing. */
static void
the_sample_has_the_defaults(void)
{
	AUTOFREE char *text = slurp(t_path("etc/predicated.conf"));
	AUTOFREE char *flag = NULL, *again = NULL;
	char path[] = P_tmpdir "/predicated-sample-XXXXXX";
	char *argv[] = { "predicated", NULL, "--write-config-to=-", NULL };
	struct problems problems = { 0 };
	struct daemon_options options;
	size_t len;
	FILE *out;
	int fd = mkstemp(path);

	if (fd < 0 || !t_true("sample", text != NULL))
		return;
	close(fd);
	for (char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
		if (is_commented_out(line))
			line[strspn(line, "\t")] = ' ';
	spill(path, text);
	argv[1] = flag = xasprintf("--config-file=%s", path);
	out = open_memstream(&again, &len);
	t_int("read", daemon_options_parse(&options, 3, argv, &problems, out),
	    DAEMON_OPTIONS_DONE);
	fclose(out);
	unlink(path);
	t_int("no problem", problems.n, 0);
	is_file("etc/predicated.conf", again);
	daemon_options_fini(&options);
	problems_fini(&problems);
}

/* Each has a help that ends as a sentence, and a default that is valid. */
static void
every_row_is_whole(void)
{
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->flag == NULL)
			continue;
		t_true(row->flag,
		    option_find(&daemon_table, OPTION_ANY, row->flag) == row);
		if (row->other != NULL)
			t_true(row->flag,
			    option_find(&daemon_table, OPTION_ANY,
				row->other) != NULL);
		if (row->is_old)
			continue;
		t_true(row->flag, row->help[strlen(row->help) - 1] == '.');
		t_true(row->flag,
		    (row->type == OPTION_BOOL) == (row->arg == NULL));
		if (row->key != NULL)
			t_true(row->key, option_by_key(row->key) == row);
	}
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(every_row_is_whole),
		T(the_sample_configuration),
		T(the_sample_has_the_defaults),
		T(the_manual_of_the_daemon),
		T(the_manual_of_the_configuration),
	};

	options_default_file = "/nonexistent/predicated.conf";
	return t_run(tests, LENGTH(tests));
}
