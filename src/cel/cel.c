#include "config.h"

#include "cel/cel.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cel/cel_internal.h"

/* Later ones only count. */
#define MAX_PROBLEMS 100

static void
add_problem(struct cel_program *program, uint32_t at, bool nowhere,
    const char *text)
{
	struct problem *p, **place = &program->problems;

	if (program->nproblems++ >= MAX_PROBLEMS)
		return;
	p = arena_zalloc(&program->arena, sizeof(*p));
	p->at = at;
	p->nowhere = nowhere;
	p->text = text;
	while (*place != NULL &&
	    ((*place)->nowhere || (!nowhere && (*place)->at <= at)))
		place = &(*place)->next;
	p->next = *place;
	*place = p;
}

void
problem(struct cel_program *program, uint32_t at, const char *fmt, ...)
{
	struct err err;
	va_list ap;

	va_start(ap, fmt);
	verrf(&err, fmt, ap);
	va_end(ap);
	add_problem(program, at, false,
	    arena_strdup(&program->arena, err.text));
}

void
problem_nowhere(struct cel_program *program, const char *text)
{
	add_problem(program, 0, true, text);
}

/* One problem with its line, and a mark below its column. */
static void
put_problem(struct text *text, const struct cel_program *program,
    const struct problem *p)
{
	const char *line = program->text, *end = line + program->len;
	const char *at = line + p->at, *newline;
	size_t number = 1, column = 0;
	char head[64];

	if (p->nowhere) {
		text_put(text, "ERROR: <input>:-1:0: ");
		text_put(text, p->text);
		return;
	}
	while ((newline = memchr(line, '\n', (size_t)(at - line))) != NULL) {
		line = newline + 1;
		number++;
	}
	newline = memchr(line, '\n', (size_t)(end - line));
	end = newline == NULL ? end : newline;
	column = rune_count(line, (size_t)(at - line));
	snprintf(head, sizeof(head), "ERROR: <input>:%zu:%zu: ", number,
	    column + 1);
	text_put(text, head);
	text_put(text, p->text);
	text_put(text, "\n | ");
	for (const char *s = line; s < end; s++)
		text_append(text, *s == '\t' ? " " : s, 1);
	text_put(text, "\n | ");
	for (const char *s = line; s < at;) {
		const char *start = s;

		utf8_next(&s, end);
		text_put(text, s > start + 1 ? "\uff0e" : ".");
	}
	text_put(text,
	    at < end && (*at & 0x80) != 0 &&
		    utf8_len((const unsigned char *)at,
			(const unsigned char *)end) > 1 ?
		"\uff3e" :
		"^");
}

void
cel_program_free(struct cel_program *program)
{
	if (program == NULL)
		return;
	arena_fini(&program->arena);
	free(program);
}

size_t
cel_program_size(const struct cel_program *program)
{
	return program != NULL ? arena_used(&program->arena) : 0;
}

static int
compile(struct cel_program *program, struct err *err)
{
	const struct type *type;

	program->root = cel_parse(program);
	if (program->nproblems == 0)
		cel_check(program);
	if (program->nproblems > 0) {
		struct text text = { 0 };

		for (const struct problem *p = program->problems; p != NULL;
		     p = p->next) {
			if (p != program->problems)
				text_put(&text, "\n");
			put_problem(&text, program, p);
		}
		errf(err, "compilation failed: %s", text.bytes);
		text_fini(&text);
		return -1;
	}
	type = program->root->type;
	if (type->kind != CEL_BOOL && type->kind != CEL_ANY)
		return errf(err,
		    "must evaluate to bool or the unknown type, not %s",
		    type_text(&program->arena, type, program->variable, true));
	return cel_fold_constants(program, err);
}

struct cel_program *
cel_compile(const char *text, size_t len, const struct cel_variable *variable,
    struct err *err)
{
	struct cel_program *program;

	if (len > CEL_MAX_LENGTH || memchr(text, '\0', len) != NULL) {
		errf(err,
		    len > CEL_MAX_LENGTH ? "expression is too long" :
					   "expression has a NUL");
		return NULL;
	}
	functions_init();
	program = xcalloc(1, sizeof(*program));
	program->text = arena_strndup(&program->arena, text, len);
	program->len = len;
	program->variable = variable;
	if (compile(program, err) == 0)
		return program;
	cel_program_free(program);
	return NULL;
}
