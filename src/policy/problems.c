#include "config.h"

#include <stdio.h>

#include "base/text.h"
#include "policy/policy_internal.h"

void
problems_fini(struct problems *problems)
{
	free(problems->at);
	arena_fini(&problems->arena);
	*problems = (struct problems){ 0 };
}

static bool
comes_after(const struct problem *problem, unsigned line, unsigned column)
{
	if (problem->line != line)
		return problem->line > line;
	return problem->column > column;
}

static void
add(struct problems *problems, enum severity severity, const char *file,
    unsigned line, unsigned column, const char *said)
{
	AUTOFREE char *text = text_visible(said);
	size_t i = problems->n;

	vec_room(problems->at, problems->n, &problems->cap);
	for (; i > 0 && comes_after(&problems->at[i - 1], line, column); i--)
		problems->at[i] = problems->at[i - 1];
	problems->at[i] = (struct problem){
		.severity = severity,
		.file = arena_strdup(&problems->arena, file),
		.line = line,
		.column = column,
		.text = arena_strdup(&problems->arena, text),
	};
	problems->n++;
	problems->nerrors += severity == SEVERITY_ERROR;
	problems->last = i;
}

void
problem_add(struct problems *problems, enum severity severity, const char *file,
    unsigned line, unsigned column, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	add(problems, severity, file, line, column, text);
}

bool
problems_have(const struct problems *problems, unsigned line, unsigned column,
    const char *text)
{
	return ANY(i, problems->n,
	    problems->at[i].line == line && problems->at[i].column == column &&
		strcmp(problems->at[i].text, text) == 0);
}

const char *
problem_text(const struct problem *problem, char *buf, size_t size)
{
	const char *kind =
	    problem->severity == SEVERITY_ERROR ? "error" : "warning";

	if (problem->line == 0)
		snprintf(buf, size, "%s: %s: %s", problem->file, kind,
		    problem->text);
	else
		snprintf(buf, size, "%s:%u:%u: %s: %s", problem->file,
		    problem->line, problem->column, kind, problem->text);
	return buf;
}

void
reading_position(const struct reading *reading, const struct doc_node *at,
    unsigned *line, unsigned *column)
{
	*line = at != NULL ? at->line + reading->more_lines : 0;
	*column = at != NULL ? at->column + reading->more_columns : 0;
}

void
reading_report(struct reading *reading, enum severity severity,
    const struct doc_node *at, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	unsigned line, column;

	XFORMAT(text, fmt);
	reading_position(reading, at, &line, &column);
	add(reading->problems, severity, reading->file, line, column, text);
}

void
reading_mend(struct reading *reading, enum mend_kind kind,
    const struct doc_node *at, const char *value, const char *other_key)
{
	struct problems *problems = reading->problems;
	struct mend *mend = &problems->at[problems->last].mend;
	struct arena *arena = &problems->arena;

	mend->kind = kind;
	reading_position(reading, at, &mend->line, &mend->column);
	if (value != NULL)
		mend->value = arena_strdup(arena, value);
	if (other_key == NULL)
		return;
	mend->key = arena_strdup(arena, at->key);
	mend->other_key = arena_strdup(arena, other_key);
}

const struct doc_node *
item_member(const struct item *item, const char *key)
{
	const struct doc_node *member = doc_member(item->at, key);

	return member != NULL ? member : item->at;
}
