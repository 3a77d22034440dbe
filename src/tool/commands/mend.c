#include "config.h"

#include "tool/commands/mend.h"

#include <ctype.h>

#include "base/excerpt.h"
#include "base/sorted.h"
#include "base/text.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"

#define BLANKS " \t\r\n"
/* Remedies: the text is read again after each. */
#define TRIED_MOST 1000

/* You own it. */
static char *
spliced(const char *text, const char *from, const char *to, const char *now)
{
	return xasprintf("%.*s%s%s", (int)(from - text), text, now, to);
}

static const char *
back_over_blanks(const char *text, const char *p)
{
	while (p > text && isspace((unsigned char)p[-1]))
		p--;
	return p;
}

/* Behind a value: what quotes or brackets hold, or words. */
static const char *
value_end(const char *p)
{
	const char *start = p;
	int depth = 0;

	do {
		char quote = *p;

		if (quote == '"' || quote == '\'')
			for (p++; *p != '\0' && *p != quote; p++)
				p += *p == '\\' && quote == '"' && p[1] != '\0';
		else if (depth == 0 && quote != '[' && quote != '{')
			return back_over_blanks(start,
			    p + strcspn(p, ",:]}#\n"));
		depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
		p += *p != '\0';
	} while (depth > 0 && *p != '\0');
	return p;
}

/* The value at this place as m has it, and its key. */
static char *
with_value(const char *text, const char *at, const struct mend *m)
{
	const char *key_end = back_over_blanks(text, at), *end = value_end(at);
	AUTOFREE char *now = m->value == NULL ?
	    xasprintf("%.*s", (int)(end - at), at) :
	    *m->value == '"' && *at != '"' && *at != '[' ?
	    xasprintf("%.*s", (int)strlen(m->value) - 2, m->value + 1) :
	    xstrdup(m->value);
	AUTOFREE char *whole = NULL;
	size_t len;

	if (m->key == NULL)
		return spliced(text, at, end, now);
	len = strlen(m->key);
	key_end -= key_end > text && key_end[-1] == ':';
	key_end = back_over_blanks(text, key_end);
	key_end -= key_end > text && strchr("\"'", key_end[-1]) != NULL;
	if ((size_t)(key_end - text) < len ||
	    memcmp(key_end - len, m->key, len) != 0)
		return NULL;
	whole = xasprintf("%s%.*s%s", m->other_key, (int)(at - key_end),
	    key_end, now);
	return spliced(text, key_end - len, end, whole);
}

/* Without the entry of a list that begins there, and without its comma or its lines. */
static char *
without_entry(const char *text, const char *at)
{
	const char *line = at, *to = value_end(at);
	size_t indent;

	while (line > text && line[-1] != '\n')
		line--;
	indent = strspn(line, " ");
	if (line[indent] == '-') {
		to = line;
		do {
			to += strcspn(to, "\n");
			to += *to == '\n';
		} while (*to != '\0' && strspn(to, " ") > indent);
		return spliced(text, line, to, "");
	}
	if (to[strspn(to, BLANKS)] == ',') {
		to += strspn(to, BLANKS) + 1;
		return spliced(text, at, to + strspn(to, BLANKS), "");
	}
	at = back_over_blanks(text, at);
	return spliced(text, at - (at > text && at[-1] == ','), to, "");
}

/* NULL: the text is not as the remedy needs it. */
static char *
changed(const char *text, size_t len, const struct mend *m)
{
	const char *at = excerpt_place(text, len, m->line, m->column);
	AUTOFREE char *member = NULL;

	if (at == NULL || m->kind == MEND_NOTHING)
		return NULL;
	if (m->kind == MEND_VALUE || m->kind == MEND_FIELD)
		return with_value(text, at, m);
	if (m->kind == MEND_ENTRY)
		return without_entry(text, at);
	if (m->kind == MEND_COMMA) {
		at = back_over_blanks(text, at);
		return spliced(text, at - 1, at, "");
	}
	member = *at == '{' ?
	    xasprintf(" %s,", m->value) :
	    xasprintf("%s\n%*s", m->value, (int)m->column - 1, "");
	at += *at == '{';
	return spliced(text, at, at, member);
}

/* Whether problem p is solved.  Behind an error that is solved, others may be found. */
static bool
is_mended(const struct problem *p, const struct problems *before,
    const struct problems *after)
{
	return p->severity == SEVERITY_ERROR ?
	    !problems_have(after, p->line, p->column, p->text) :
	    after->n < before->n && after->nerrors <= before->nerrors;
}

static int
compare_places(const void *a, const void *b)
{
	const struct mend *x = &((const struct problem *)a)->mend;
	const struct mend *y = &((const struct problem *)b)->mend;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* The problems of the text, in the order of their remedies' places. */
static void
read_problems(const struct options *options, bool is_configuration,
    const char *name, const char *text, size_t len, struct problems *problems)
{
	struct err err;

	memset(problems, 0, sizeof(*problems));
	profiles_free(load_parse(is_configuration, name, text, len,
	    &options->policy_options, problems, &err));
	SORT(problems->at, problems->n, compare_places);
}

char *
mend(const struct options *options, bool is_configuration, const char *name,
    char *text, size_t *len, struct problems *mended)
{
	struct problems before, after;
	size_t ntried = 0;
	bool refused;

	read_problems(options, is_configuration, name, text, *len, &before);
	refused = before.nerrors > 0;
	/* From the end: what comes before keeps its place. */
	for (size_t i = before.n; i-- > 0 && ntried < TRIED_MOST;) {
		const struct problem *p = &before.at[i];
		char *now = p->mend.kind != MEND_FIELD || refused ?
		    changed(text, *len, &p->mend) :
		    NULL;
		bool done;

		if (now == NULL)
			continue;
		ntried++;
		read_problems(options, is_configuration, name, now, strlen(now),
		    &after);
		done = is_mended(p, &before, &after);
		if (done)
			problem_add(mended, p->severity, name, p->line,
			    p->column, "%s", p->text);
		free(done ? text : now);
		problems_fini(done ? &before : &after);
		if (!done)
			continue;
		text = now;
		*len = strlen(now);
		before = after;
		i = before.n;
	}
	problems_fini(&before);
	return text;
}
