#include "config.h"

#include "options/engine.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/duration.h"
#include "base/text.h"

/* ---- the table ---- */

const struct option_row *
option_find(const struct option_table *table, unsigned commands,
    const char *flag)
{
	return FIND(i, table->rows, table->n,
	    table->rows[i].flag != NULL &&
		(table->rows[i].commands & commands) &&
		strcmp(table->rows[i].flag, flag) == 0);
}

static const struct option_row *
by_letter(const struct option_table *table, unsigned commands, char letter)
{
	return FIND(i, table->rows, table->n,
	    table->rows[i].letter == letter &&
		(table->rows[i].commands & commands));
}

const struct option_row *
option_awaiting(const struct option_table *table, const char *word)
{
	const struct option_row *row = NULL;

	if (strncmp(word, "--", 2) == 0)
		row = option_find(table, OPTION_ANY, word + 2);
	else if (word[0] == '-' && word[1] != '\0' && word[2] == '\0')
		row = by_letter(table, OPTION_ANY, word[1]);
	return row != NULL && row->arg != NULL ? row : NULL;
}

/* "a, b and c" with last " and "; you own it. */
static char *
list_of(const char *const *names, size_t n, const char *last)
{
	struct text list = { 0 };

	for (size_t i = 0; i < n; i++) {
		text_put(&list, i == 0 ? "" : i + 1 < n ? ", " : last);
		text_put(&list, names[i]);
	}
	return text_take(&list);
}

char *
option_commands(const struct option_table *table, unsigned set,
    const char *last)
{
	const char *names[8 * sizeof(set)], *name;
	size_t n = 0;

	for (size_t i = 0; (name = table->command(i)) != NULL; i++)
		if (set & (1u << i))
			names[n++] = name;
	return list_of(names, n, last);
}

const char *
option_choices(const struct option_row *row)
{
	if (row->choices != NULL || row->arg == NULL)
		return row->choices;
	return row->type == OPTION_CHOICE ||
		(row->type >= OPTION_OTHER && strchr(row->arg, '=') == NULL &&
		    strchr(row->arg, '|') != NULL) ?
	    row->arg :
	    NULL;
}

/* ---- values, read as Go's libraries read them ---- */

/* Refuses a value; kind: what it must be where the row does not say it. */
static int
refuse_value(const struct option_row *row, const char *kind, const char *text,
    struct err *err)
{
	if (row->must == NULL && row->most != 0)
		return errf(err,
		    "must be a number from %" PRIu64 " to %" PRIu64
		    ", not '%s'",
		    row->least, row->most, text);
	return errf(err, "must be %s, not '%s'",
	    row->must != NULL ? row->must : kind, text);
}

static int
refuse_choice(const char *choices, const char *text, struct err *err)
{
	AUTOFREE char *copy = xstrdup(choices), *list = NULL;
	const char *names[16]; /* more than there are */
	char *rest = copy;
	size_t n = 0;

	while (rest != NULL && n < LENGTH(names))
		names[n++] = strsep(&rest, "|");
	list = list_of(names, n, " or ");
	return errf(err, "must be %s, not '%s'", list, text);
}

static int
parse_bool(const struct option_row *row, const char *text, bool *out,
    struct err *err)
{
	bool value = text_is_choice("true|1|t|T|TRUE|True", text);

	if (!value && !text_is_choice("false|0|f|F|FALSE|False", text))
		return refuse_value(row, "true or false", text, err);
	*out = value;
	return 0;
}

/* In decimal or as 0x…; pflag takes both. */
static int
parse_number(const struct option_row *row, const char *text, uint64_t *out,
    struct err *err)
{
	static const uint64_t mosts[] = {
		[OPTION_PORT] = 65535,
		[OPTION_PERCENT] = 100,
		[OPTION_COUNT] = INT32_MAX,
		[OPTION_SEED] = INT64_MAX,
	};
	const uint64_t most = row->most != 0 ? row->most : mosts[row->type];
	const char *digits = text + (*text == '+' || *text == '-');
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(digits, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (!isdigit((unsigned char)*digits) || *end != '\0')
		return refuse_value(row, "a whole number", text, err);
	if (errno == 0 && value >= row->least && value <= most &&
	    (value == 0 || *text != '-')) {
		*out = value;
		return 0;
	}
	if (row->must != NULL || row->most != 0)
		return refuse_value(row, NULL, text, err);
	return errf(err, "%s is not between 0 and %" PRIu64, text, most);
}

static int
parse_real(const struct option_row *row, const char *text, double *out,
    struct err *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || isspace((unsigned char)*text) ||
	    !isfinite(value) ||
	    (row->most != 0 &&
		(value < (double)row->least || value > (double)row->most)))
		return refuse_value(row, "a number", text, err);
	*out = value;
	return 0;
}

int
option_duration_parse(const char *text, int64_t *ms, struct err *err)
{
	int64_t ns;

	if (duration_parse(text, &ns) != 0)
		return errf(err,
		    "must be a duration such as 15s or 1m30s, not '%s'", text);
	*ms = ns < 0 ? -((-ns + 999999) / 1000000) : (ns + 999999) / 1000000;
	return 0;
}

/* Any type but STRING, CHOICE, LIST and OTHER; *out is as the member is. */
static int
value_parse(const struct option_row *row, const char *text, void *out,
    struct err *err)
{
	int64_t ms = 0;

	if (row->type == OPTION_BOOL)
		return parse_bool(row, text, out, err);
	if (row->type == OPTION_REAL)
		return parse_real(row, text, out, err);
	if (row->type != OPTION_DURATION)
		return parse_number(row, text, out, err);
	if (option_duration_parse(text, &ms, err) != 0)
		return -1;
	if (ms < 0)
		return errf(err, "must not be negative, not '%s'", text);
	*(int64_t *)out = ms;
	return 0;
}

int
option_set(const struct option_table *table, const struct option_row *row,
    void *target, struct arena *arena, const char *text, struct err *err)
{
	void *member = (char *)target + row->offset;
	const char *choices = option_choices(row);
	struct err why = { "" };

	if (choices != NULL && !text_is_choice(choices, text))
		return refuse_choice(choices, text, err);
	if (row->type >= OPTION_OTHER) {
		if (table->set(target, row, text, &why) == 0)
			return 0;
		return why.text[0] != '\0' ? errf(err, "%s", why.text) :
					     refuse_value(row, NULL, text, err);
	}
	if (row->type != OPTION_STRING && row->type != OPTION_CHOICE)
		return value_parse(row, text, member, err);
	if (row->once && *(const char **)member != NULL)
		return errf(err, "can be given only once");
	*(const char **)member =
	    arena != NULL ? arena_strndup(arena, text, strlen(text)) : text;
	return 0;
}

/* ---- the command line ---- */

const char *
option_hint(struct arena *arena, const char *dashes, const char *meant)
{
	return meant == NULL ?
	    "" :
	    arena_printf(arena, "; did you mean %s%s?", dashes, meant);
}

static void __attribute__((format(printf, 3, 4)))
complain(struct option_scan *scan, const char *where, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	scan->where = where;
	scan->problem = arena_strndup(scan->arena, text, strlen(text));
	scan->severity = SEVERITY_ERROR;
}

static void
unknown(struct option_scan *scan, const char *where, const char *flag)
{
	const struct option_table *t = scan->table;
	const char **names = arena_array(scan->arena, const char *, t->n);
	const struct option_row *other = option_find(t, OPTION_ANY, flag);
	AUTOFREE char *list = NULL;
	size_t n = 0;

	if (other != NULL) {
		list = option_commands(t, other->commands, " and ");
		complain(scan, where, "is an option of %s", list);
		return;
	}
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].flag != NULL && t->rows[i].other == NULL &&
		    (t->rows[i].commands & scan->commands))
			names[n++] = t->rows[i].flag;
	complain(scan, where, "unknown flag%s",
	    option_hint(scan->arena, "--", closest_name(flag, names, n)));
	/* The next word may be its value: no error about it. */
	if (scan->at + 1 < scan->argc && scan->argv[scan->at + 1][0] != '-')
		scan->at++;
}

/* value: what is behind '='; NULL: the next word, or "true". */
static void
take(struct option_scan *scan, const struct option_row *row, const char *where,
    const char *value)
{
	uint64_t unused;
	struct err err;

	scan->where = where;
	if (value == NULL && row->arg == NULL) {
		scan->bare = where;
		value = "true";
	} else if (value == NULL && scan->at + 1 < scan->argc) {
		value = scan->argv[++scan->at];
	}
	if (value == NULL) {
		complain(scan, where, "flag needs an argument");
	} else if (row->is_old) {
		/* A flag of kube-scheduler without effect here. */
		if (row->type != OPTION_STRING && row->type != OPTION_LIST &&
		    value_parse(row, value, &unused, &err) != 0) {
			complain(scan, where, "%s", err.text);
		} else if (row->why != NULL) {
			complain(scan, where, "has no effect: %s", row->why);
			scan->severity = SEVERITY_WARNING;
		}
	} else {
		scan->row = row;
		scan->value = value;
	}
}

/* The option that is the only one to begin so; NULL: none or several do, which it
 * complains about. */
static const struct option_row *
abbreviated(struct option_scan *scan, const char *where, const char *flag)
{
	const struct option_table *t = scan->table;
	const char **names = arena_array(scan->arena, const char *, t->n);
	const struct option_row *found = NULL;
	AUTOFREE char *list = NULL;
	size_t n = 0;

	for (size_t i = 0; t->abbreviates && *flag != '\0' && i < t->n; i++) {
		if (!(t->rows[i].commands & scan->commands) ||
		    strncmp(t->rows[i].flag, flag, strlen(flag)) != 0)
			continue;
		found = &t->rows[i];
		names[n++] = arena_printf(scan->arena, "--%s", found->flag);
	}
	if (n == 0)
		unknown(scan, where, flag);
	if (n <= 1)
		return found;
	list = list_of(names, n, " or ");
	complain(scan, where, "is ambiguous: %s", list);
	return NULL;
}

static void
take_long(struct option_scan *scan, const char *word)
{
	const char *equals = strchr(word, '=');
	char *flag = arena_strndup(scan->arena, word, strcspn(word, "="));
	const char *where;
	const struct option_row *row;

	for (char *p = flag; *p != '\0'; p++)
		if (*p == '_')
			*p = '-';
	where = arena_printf(scan->arena, "--%s", flag);
	row = option_find(scan->table, scan->commands, flag);
	if (row == NULL)
		row = abbreviated(scan, where, flag);
	if (row == NULL)
		return;
	if (row->other != NULL && row->why != NULL) {
		complain(scan, where, "is deprecated, %s", row->why);
		scan->severity = SEVERITY_WARNING;
	}
	if (row->other != NULL)
		row = option_find(scan->table, scan->commands, row->other);
	take(scan, row, where, equals != NULL ? equals + 1 : NULL);
}

/* A word behind one '-' that is no letter of an option. */
static void
unknown_letter(struct option_scan *scan, const char *word)
{
	const char *letters[64];
	AUTOFREE char *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < scan->table->n && n < LENGTH(letters); i++) {
		const struct option_row *row = &scan->table->rows[i];

		if (row->letter != 0 && (row->commands & scan->commands))
			letters[n++] =
			    arena_printf(scan->arena, "-%c", row->letter);
	}
	list = list_of(letters, n, " and ");
	complain(scan, word,
	    "unknown flag; all flags except %s begin with two dashes", list);
}

/* One of the letters behind '-', with its value. */
static void
take_letter(struct option_scan *scan)
{
	const char *word = scan->argv[scan->at], *p = scan->letters;
	const struct option_row *row =
	    by_letter(scan->table, scan->commands, *p);
	const char *rest = p[1] != '\0' ? p + 1 : NULL;

	scan->letters = NULL;
	if (row == NULL) {
		unknown_letter(scan, word);
		return;
	}
	if (rest != NULL && *rest == '=')
		rest++;
	else if (rest != NULL && row->arg == NULL)
		scan->letters = rest;
	take(scan, row, arena_printf(scan->arena, "-%c", *p),
	    scan->letters != NULL ? "true" : rest);
}

bool
option_next(struct option_scan *scan)
{
	scan->row = NULL;
	scan->word = NULL;
	scan->problem = NULL;
	while (
	    scan->row == NULL && scan->word == NULL && scan->problem == NULL) {
		char *word;
		size_t len;

		scan->before = scan->bare;
		scan->bare = NULL;
		if (scan->letters != NULL) {
			take_letter(scan);
			continue;
		}
		if (++scan->at >= scan->argc)
			return false;
		word = scan->argv[scan->at];
		len = strcspn(word, "=");
		if (scan->flags_ended || word[0] != '-' || word[1] == '\0') {
			scan->word = word;
		} else if (strcmp(word, "--") == 0) {
			scan->flags_ended = true;
		} else if (word[1] == '-') {
			take_long(scan, word + 2);
		} else if (len > 2 &&
		    option_find(scan->table, scan->commands,
			arena_strndup(scan->arena, word + 1, len - 1)) !=
			NULL) {
			unknown_letter(scan, word); /* "-name" */
		} else {
			scan->letters = word + 1;
		}
	}
	return true;
}
