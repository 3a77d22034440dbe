#include "config.h"

#include "t/lib/cases.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"

void
case_differs(struct case_result *r, const char *fmt, ...)
{
	va_list ap;

	if (r->failed)
		return;
	r->failed = true;
	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
}

static void
write_string(FILE *out, const char *text, size_t len)
{
	putc('"', out);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

void
case_write(FILE *out, const struct doc_node *node)
{
	if (node == NULL) {
		fputs("null", out);
		return;
	}
	switch (node->kind) {
	case DOC_NULL:
		fputs("null", out);
		break;
	case DOC_BOOL:
		fputs(node->boolean ? "true" : "false", out);
		break;
	case DOC_NUMBER:
		fputs(node->text, out);
		break;
	case DOC_STRING:
		write_string(out, node->text, node->len);
		break;
	case DOC_ARRAY:
	case DOC_OBJECT:
		putc(node->kind == DOC_ARRAY ? '[' : '{', out);
		for (const struct doc_node *c = node->first; c != NULL;
		     c = c->next) {
			if (c != node->first)
				putc(',', out);
			if (c->key != NULL) {
				write_string(out, c->key, strlen(c->key));
				putc(':', out);
			}
			case_write(out, c);
		}
		putc(node->kind == DOC_ARRAY ? ']' : '}', out);
		break;
	}
}

char *
case_json(const struct doc_node *value)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	case_write(out, value);
	fclose(out);
	return text;
}

const char *
case_text(const struct doc_node *object, const char *key)
{
	const struct doc_node *node = doc_get(object, key);

	return node != NULL && node->kind == DOC_STRING ? node->text : "";
}

bool
case_true(const struct doc_node *object, const char *key)
{
	const struct doc_node *node = doc_get(object, key);

	return node != NULL && node->kind == DOC_BOOL && node->boolean;
}

/* A stream of the file's text, unzipped; *pid is to be waited for. */
static FILE *
open_unzipped(const char *path, pid_t *pid)
{
	size_t len = strlen(path);
	int fds[2];

	*pid = -1;
	if (len < 3 || strcmp(path + len - 3, ".gz") != 0)
		return fopen(path, "r");
	if (pipe(fds) < 0 || (*pid = fork()) < 0)
		return NULL;
	if (*pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		execlp("gzip", "gzip", "-dc", "--", path, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	return fdopen(fds[0], "r");
}

static const char *
category_of(const char *path, char *buf, size_t size)
{
	const char *base = strrchr(path, '/');

	snprintf(buf, size, "%s", base != NULL ? base + 1 : path);
	buf[strcspn(buf, ".")] = '\0';
	return buf;
}

static int
run_line(const struct cases *cases, bool shown, const char *path,
    unsigned long line, const char *text, size_t len, struct case_result *r)
{
	static const struct doc_limits limits = {
		.bytes = (size_t)64 << 20,
		.depth = 200,
		.values = 16 << 20,
	};
	struct err err;
	struct doc *doc = doc_parse(path, text, len, &limits, &err);
	const char *id;

	r->failed = r->skipped = false;
	if (doc == NULL) {
		fprintf(stderr, "%s:%lu: %s\n", path, line, err.text);
		return -1;
	}
	id = case_text(doc_get(doc_root(doc), "case"), "id");
	if (cases->id == NULL || strcmp(cases->id, id) == 0)
		cases->run(doc_root(doc), r);
	else
		r->skipped = true;
	if (r->failed && shown)
		printf("  %s: %s\n", id, r->text);
	doc_free(doc);
	return 0;
}

/* -1: the file cannot be read. */
static int
run_file(struct cases *cases, const char *path, const char *category)
{
	unsigned long line = 0, ok = 0, bad = 0;
	AUTOFREE char *text = NULL;
	size_t cap = 0;
	ssize_t len;
	pid_t pid;
	int status = 0;
	FILE *in = open_unzipped(path, &pid);

	if (in == NULL) {
		perror(path);
		return -1;
	}
	while ((len = getline(&text, &cap, in)) > 0) {
		static struct case_result r;

		if (run_line(cases, bad < cases->show, path, ++line, text,
			(size_t)len, &r) < 0)
			r.failed = true;
		ok += !r.failed && !r.skipped;
		bad += r.failed;
	}
	fclose(in);
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (status != 0 || line == 0) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return -1;
	}
	printf("%s: %lu passed, %lu failed\n", category, ok, bad);
	cases->passed += ok;
	cases->failed += bad;
	return 0;
}

int
cases_run(struct cases *cases, int n, char **paths)
{
	char category[256];
	int ret = 0;

	for (int i = 0; i < n; i++) {
		category_of(paths[i], category, sizeof(category));
		if (cases->only != NULL && strcmp(cases->only, category) != 0)
			continue;
		if (run_file(cases, paths[i], category) < 0)
			ret = 3;
		fflush(stdout);
	}
	printf("%lu passed, %lu failed\n", cases->passed, cases->failed);
	return ret != 0 ? ret : cases->failed > 0;
}
