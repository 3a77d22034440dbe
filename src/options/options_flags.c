/*
 * The command line, taken apart as Go's pflag does it:
 *
 *	--flag=value   --flag value   --bool   --bool=false   -v=2 -v2 -v 2   -h
 *
 * "_" in a flag's name is "-"; "--" ends the flags; there are no other words.
 */
#include "config.h"

#include "options/options_internal.h"

#define COMMAND_LINE "command line"

struct scan {
	struct options_reading *reading;
	int argc, at;
	char **argv;
	struct option_flag *flags;
	size_t n, cap;
	const char *bare_bool; /* the word before was this flag, without '=' */
};

static void
unknown(struct scan *scan, const char *where, const char *flag)
{
	const char **names = arena_array(&scan->reading->options->arena,
	    const char *, noption_rows + noption_legacies);
	size_t n = 0;

	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].flag != NULL)
			names[n++] = option_rows[i].flag;
	for (size_t i = 0; i < noption_legacies; i++)
		names[n++] = option_legacies[i].flag;
	options_refuse(scan->reading, where, "unknown flag%s",
	    options_hint(scan->reading, "--", closest_name(flag, names, n)));
	/* The next word may be its value: no error about it. */
	if (scan->at + 1 < scan->argc && scan->argv[scan->at + 1][0] != '-')
		scan->at++;
}

/* A flag's value: behind '=', the next word, or "true".  NULL: refused. */
static const char *
value_of(struct scan *scan, enum option_type type, const char *where,
    const char *value)
{
	if (value != NULL)
		return value;
	if (type == OPTION_BOOL) {
		scan->bare_bool = where;
		return "true";
	}
	if (scan->at + 1 < scan->argc)
		return scan->argv[++scan->at];
	options_refuse(scan->reading, where, "flag needs an argument");
	return NULL;
}

static void
legacy(struct scan *scan, const struct option_legacy *flag, const char *where,
    const char *value)
{
	int64_t unused;
	struct err err;

	value = value_of(scan, flag->type, where, value);
	if (value == NULL)
		return;
	if (flag->type != OPTION_STRING && flag->type != OPTION_LIST &&
	    option_value_parse(flag->type, value, &unused, &err) != 0) {
		options_refuse(scan->reading, where, "%s", err.text);
		return;
	}
	if (flag->why != NULL &&
	    (flag->quiet == NULL || strcmp(flag->quiet, value) != 0))
		options_warn(scan->reading, where, "has no effect: %s",
		    flag->why);
}

/* where: as the user wrote it, without the value. */
static void
take(struct scan *scan, const char *flag, const char *where, const char *value)
{
	const struct option_alias *alias =
	    FIND_ROW(option_aliases, noption_aliases, flag, flag);
	const struct option_legacy *old =
	    FIND_ROW(option_legacies, noption_legacies, flag, flag);
	const struct option_row *row =
	    option_by_flag(alias != NULL ? alias->other : flag);

	if (old != NULL) {
		legacy(scan, old, where, value);
		return;
	}
	if (row == NULL) {
		unknown(scan, where, flag);
		return;
	}
	if (alias != NULL && alias->why != NULL)
		options_warn(scan->reading, where, "is deprecated, %s",
		    alias->why);
	value = value_of(scan, row->type, where, value);
	if (value == NULL)
		return;
	arena_room(&scan->reading->options->arena, scan->flags, scan->n,
	    &scan->cap);
	scan->flags[scan->n++] = (struct option_flag){ row, where, value };
}

static void
take_long(struct scan *scan, const char *word)
{
	struct arena *arena = &scan->reading->options->arena;
	const char *equals = strchr(word, '=');
	size_t len = strcspn(word, "=");
	char *name = arena_strndup(arena, word, len);

	for (char *p = name; *p != '\0'; p++)
		if (*p == '_')
			*p = '-';
	take(scan, name, arena_printf(arena, "--%s", name),
	    equals != NULL ? equals + 1 : NULL);
}

/* -h, -v2; a whole word behind one '-' was probably meant with two. */
static void
take_short(struct scan *scan, const char *word)
{
	const char *rest = word + 1;

	if (*word == 'h' && *rest == '\0') {
		take(scan, "help", "-h", NULL);
		return;
	}
	if (*word == 'v' &&
	    (*rest == '\0' || *rest == '=' ||
		strspn(rest, "0123456789") == strlen(rest))) {
		if (*rest == '=')
			rest++;
		take(scan, "v", "-v", word[1] == '\0' ? NULL : rest);
		return;
	}
	options_refuse(scan->reading,
	    arena_printf(&scan->reading->options->arena, "-%s", word),
	    "unknown flag; all flags except -v and -h begin with two dashes");
}

static void
take_word(struct scan *scan, const char *word, const char *before)
{
	if (before != NULL &&
	    (strcmp(word, "true") == 0 || strcmp(word, "false") == 0))
		options_refuse(scan->reading, COMMAND_LINE,
		    "\"predicated\" does not take any arguments, got [\"%s\"]; "
		    "write %s=%s",
		    word, before, word);
	else
		options_refuse(scan->reading, COMMAND_LINE,
		    "\"predicated\" does not take any arguments, got [\"%s\"]",
		    word);
}

struct option_flag *
options_flags(struct options_reading *reading, int argc, char **argv, size_t *n)
{
	struct scan scan = { .reading = reading, .argc = argc, .argv = argv };
	bool flags_ended = false;

	for (scan.at = 1; scan.at < argc; scan.at++) {
		const char *word = argv[scan.at];
		const char *before = scan.bare_bool;

		scan.bare_bool = NULL;
		if (flags_ended || word[0] != '-' || word[1] == '\0')
			take_word(&scan, word, before);
		else if (strcmp(word, "--") == 0)
			flags_ended = true;
		else if (word[1] == '-')
			take_long(&scan, word + 2);
		else
			take_short(&scan, word + 1);
	}
	*n = scan.n;
	return scan.flags;
}
