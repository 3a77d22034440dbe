#include "config.h"

#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/complete.h"
#include "base/duration.h"
#include "base/log.h"
#include "base/text.h"
#include "options/options_internal.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

const char *options_default_file = SYSCONFDIR "/predicated/predicated.conf";

const struct option_row option_rows[] = {
#define SECTION(title) { .section = title },
#define OPTION(field, TYPE, flag_, key_, value_, when_, arg_, help_)           \
	{ .flag = flag_,                                                       \
		.key = key_,                                                   \
		.value = value_,                                               \
		.arg = arg_,                                                   \
		.help = help_,                                                 \
		.type = OPTION_##TYPE,                                         \
		.when = OPTION_##when_,                                        \
		.offset = offsetof(struct daemon_options, field) },
#define ALIAS(flag, other, why)
#define LEGACY(flag, TYPE, quiet, why)
#include "options/options_table.h"
};
const size_t noption_rows = LENGTH(option_rows);

const struct option_alias option_aliases[] = {
#define SECTION(title)
#define OPTION(field, TYPE, flag, key, value, when, arg, help)
#define ALIAS(flag, other, why) { flag, other, why },
#define LEGACY(flag, TYPE, quiet, why)
#include "options/options_table.h"
};
const size_t noption_aliases = LENGTH(option_aliases);

const struct option_legacy option_legacies[] = {
#define SECTION(title)
#define OPTION(field, TYPE, flag, key, value, when, arg, help)
#define ALIAS(flag, other, why)
#define LEGACY(flag, TYPE, quiet, why) { flag, OPTION_##TYPE, quiet, why },
#include "options/options_table.h"
};
const size_t noption_legacies = LENGTH(option_legacies);

const struct option_row *
option_by_flag(const char *flag)
{
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].flag != NULL &&
		    strcmp(option_rows[i].flag, flag) == 0)
			return &option_rows[i];
	return NULL;
}

const struct option_row *
option_by_key(const char *key)
{
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].key != NULL &&
		    strcmp(option_rows[i].key, key) == 0)
			return &option_rows[i];
	return NULL;
}

const struct option_row *
option_by_offset(size_t offset)
{
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].flag != NULL &&
		    option_rows[i].offset == offset)
			return &option_rows[i];
	abort();
}

/* ---- values, read as Go's libraries read them ---- */

static int
parse_bool(const char *text, bool *out, struct err *err)
{
	bool value = text_is_choice("true|1|t|T|TRUE|True", text);

	if (!value && !text_is_choice("false|0|f|F|FALSE|False", text))
		return errf(err, "must be true or false, not '%s'", text);
	*out = value;
	return 0;
}

/* In decimal or as 0x…; pflag takes both. */
static int
parse_number(const char *text, int64_t max, int64_t *out, struct err *err)
{
	const char *digits = text + (*text == '+' || *text == '-');
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (!isdigit((unsigned char)*digits) || *end != '\0')
		return errf(err, "must be a whole number, not '%s'", text);
	if (errno != 0 || value < 0 || value > max)
		return errf(err, "%s is not between 0 and %" PRId64, text, max);
	*out = value;
	return 0;
}

static int
parse_real(const char *text, double *out, struct err *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || isspace((unsigned char)*text) ||
	    !isfinite(value))
		return errf(err, "must be a number, not '%s'", text);
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

void
option_duration_text(int64_t ms, char *buf, size_t size)
{
	int64_t hours = ms / 3600000, minutes = ms / 60000 % 60;
	double seconds = (double)(ms % 60000) / 1000;

	if (ms < 1000 && ms != 0)
		snprintf(buf, size, "%" PRId64 "ms", ms);
	else if (hours > 0)
		snprintf(buf, size, "%" PRId64 "h%" PRId64 "m%.5gs", hours,
		    minutes, seconds);
	else if (minutes > 0)
		snprintf(buf, size, "%" PRId64 "m%.5gs", minutes, seconds);
	else
		snprintf(buf, size, "%.5gs", seconds);
}

int
option_value_parse(enum option_type type, const char *text, void *out,
    struct err *err)
{
	static const int64_t most[] = {
		[OPTION_PORT] = 65535,
		[OPTION_PERCENT] = 100,
		[OPTION_COUNT] = INT32_MAX,
		[OPTION_SEED] = INT64_MAX,
	};
	int64_t ms = 0;

	if (type == OPTION_BOOL)
		return parse_bool(text, out, err);
	if (type == OPTION_REAL)
		return parse_real(text, out, err);
	if (type != OPTION_DURATION)
		return parse_number(text, most[type], out, err);
	if (option_duration_parse(text, &ms, err) != 0)
		return -1;
	if (ms < 0)
		return errf(err, "must not be negative, not '%s'", text);
	*(int64_t *)out = ms;
	return 0;
}

/* ---- settings ---- */

static void *
field_of(struct daemon_options *options, const struct option_row *row)
{
	return (char *)options + row->offset;
}

void
options_complain(struct options_reading *reading, enum severity severity,
    const char *where, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	problem_add(reading->problems,
	    reading->is_lenient ? SEVERITY_WARNING : severity, where, 0, 0,
	    "%s%s", text, reading->is_lenient ? "; it is ignored" : "");
}

const char *
options_hint(struct options_reading *reading, const char *mark,
    const char *meant)
{
	return meant == NULL ?
	    "" :
	    arena_printf(&reading->options->arena, "; did you mean %s%s%s?",
		mark, meant, *mark == '"' ? mark : "");
}

const char *
option_flag_text(const struct option_row *row, struct arena *arena)
{
	return arena_printf(arena, "%s%s", strlen(row->flag) == 1 ? "-" : "--",
	    row->flag);
}

const char *
options_where(const struct options_reading *reading,
    const struct option_row *row)
{
	const char *where = reading->where[row - option_rows];

	if (where != NULL)
		return where;
	return arena_printf(&reading->options->arena, "--%s", row->flag);
}

static void
was_set(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where)
{
	reading->layer[row - option_rows] = layer;
	reading->where[row - option_rows] = where;
}

void
options_set_list(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where, const char *const *elements,
    size_t n)
{
	struct arena *arena = &reading->options->arena;
	const char *const **field = field_of(reading->options, row);
	const char **list;
	size_t old = 0;

	if (reading->layer[row - option_rows] == layer && *field != NULL)
		while ((*field)[old] != NULL)
			old++;
	was_set(reading, row, layer, where);
	if (old + n == 0 && *row->value == '\0') {
		*field = NULL;
		return;
	}
	list = arena_array(arena, const char *, old + n + 1);
	if (old > 0)
		memcpy(list, *field, old * sizeof(*list));
	for (size_t i = 0; i < n; i++)
		list[old + i] =
		    arena_strndup(arena, elements[i], strlen(elements[i]));
	*field = list;
}

static void
set_list_text(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where, const char *text)
{
	struct arena *arena = &reading->options->arena;
	const char **elements = NULL;
	size_t n = 0, cap = 0, len;

	for (; *text != '\0'; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		arena_room(arena, elements, n, &cap);
		elements[n++] = arena_strndup(arena, text, len);
	}
	options_set_list(reading, row, layer, where, elements, n);
}

/* Refuses a value, a port in kube-scheduler's words. */
static void
refuse_value(struct options_reading *reading, const struct option_row *row,
    const char *where, const char *text, const struct err *err)
{
	if (row->type != OPTION_PORT || *text == '\0' ||
	    strspn(text, "-0123456789") != strlen(text))
		options_refuse(reading, where, "%s", err->text);
	else
		options_refuse(reading, where,
		    "%s must be between 0 and 65535, inclusive. 0 for turning "
		    "off %s port",
		    text,
		    row == option_of(plain_port) ? "insecure (HTTP)" :
						   "secure");
}

void
options_set(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where, const char *text)
{
	void *field = field_of(reading->options, row);
	struct err err;

	if (row->type == OPTION_LIST) {
		set_list_text(reading, row, layer, where, text);
		return;
	}
	if (row->type == OPTION_CHOICE && !text_is_choice(row->arg, text)) {
		options_refuse(reading, where, "must be one of %s, not '%s'",
		    row->arg, text);
		return;
	}
	if (row->type == OPTION_CHOICE || row->type == OPTION_STRING) {
		*(const char **)field =
		    arena_strndup(&reading->options->arena, text, strlen(text));
	} else if (option_value_parse(row->type, text, field, &err) != 0) {
		refuse_value(reading, row, where, text, &err);
		return;
	}
	was_set(reading, row, layer, where);
}

const char *const *
option_list(const struct daemon_options *options, const struct option_row *row)
{
	const void *field = (const char *)options + row->offset;

	return *(const char *const *const *)field;
}

static const char *
list_text(struct arena *arena, const char *const *list)
{
	size_t n = 0;

	while (list != NULL && list[n] != NULL)
		n++;
	return arena_join(arena, n, list, ",");
}

const char *
option_text(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena)
{
	const void *field = (const char *)options + row->offset;
	char duration[64];

	switch (row->type) {
	case OPTION_BOOL:
		return *(const bool *)field ? "true" : "false";
	case OPTION_STRING:
	case OPTION_CHOICE:
		return *(const char *const *)field;
	case OPTION_LIST:
		return list_text(arena, option_list(options, row));
	case OPTION_DURATION:
		option_duration_text(*(const int64_t *)field, duration,
		    sizeof(duration));
		return arena_printf(arena, "%s", duration);
	case OPTION_REAL:
		return arena_printf(arena, "%.15g", *(const double *)field);
	case OPTION_PORT:
	case OPTION_PERCENT:
	case OPTION_COUNT:
	case OPTION_SEED:
		break;
	}
	return arena_printf(arena, "%" PRId64, *(const int64_t *)field);
}

static const char *
last_value(const struct option_flag *flags, size_t n,
    const struct option_row *row)
{
	while (n-- > 0)
		if (flags[n].row == row)
			return flags[n].value;
	return NULL;
}

static void
read_files(struct options_reading *reading, const struct option_flag *flags,
    size_t nflags)
{
	const char *file = last_value(flags, nflags, option_of(config_file));
	const char *config = last_value(flags, nflags, option_of(config));

	if (file == NULL && access(options_default_file, F_OK) == 0)
		file = options_default_file;
	if (file != NULL && *file != '\0')
		options_file(reading, file);
	if (config != NULL && *config != '\0')
		options_kube_config(reading, config);
}

/* Reads everything into reading->options, and errors into reading->problems.
 * False: --help, --version or --completion was given. */
static bool
read_all(struct options_reading *reading, int argc, char **argv)
{
	struct daemon_options *options = reading->options;
	struct option_flag *flags;
	size_t n;

	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].flag != NULL)
			options_set(reading, &option_rows[i], LAYER_DEFAULT,
			    NULL, option_rows[i].value);
	flags = options_flags(reading, argc, argv, &n);
	for (size_t i = 0; i < n; i++)
		if (flags[i].row == option_of(help) ||
		    flags[i].row == option_of(version) ||
		    flags[i].row == option_of(completion))
			options_set(reading, flags[i].row, LAYER_FLAGS,
			    flags[i].where, flags[i].value);
	if (options->help || options->version || *options->completion != '\0')
		return false;
	read_files(reading, flags, n);
	for (size_t i = 0; i < n; i++)
		options_set(reading, flags[i].row, LAYER_FLAGS, flags[i].where,
		    flags[i].value);
	options_plain(reading);
	options_validate(reading);
	return true;
}

static void
reading_init(struct options_reading *reading, struct daemon_options *options,
    struct problems *problems, int argc, char **argv)
{
	*options = (struct daemon_options){ .argc = argc, .argv = argv };
	*reading = (struct options_reading){
		.options = options,
		.problems = problems,
		.layer = arena_array(&options->arena, enum option_layer,
		    noption_rows),
		.where =
		    arena_array(&options->arena, const char *, noption_rows),
	};
}

static int
write_to(struct daemon_options *options, struct problems *problems, FILE *out)
{
	const char *path = options->write_config_to;
	FILE *file;

	if (strcmp(path, "-") == 0) {
		daemon_options_write(options, out);
		return 0;
	}
	file = fopen(path, "we");
	if (file != NULL) {
		bool failed;

		daemon_options_write(options, file);
		failed = ferror(file) != 0;
		if (fclose(file) == 0 && !failed)
			return 0;
	}
	problem_add(problems, SEVERITY_ERROR, "--write-config-to", 0, 0,
	    "%s cannot be written: %s", path, strerror(errno));
	return -1;
}

/* For those options that end the program. */
static enum daemon_options_outcome
print_asked(const struct daemon_options *options, struct problems *problems,
    FILE *out)
{
	if (options->help) {
		options_print_help(out);
	} else if (options->version) {
		fprintf(out, "predicated %s\n", PACKAGE_VERSION);
	} else if (complete_script(options->completion, "predicated", NULL,
		       out) != 0) {
		problem_add(problems, SEVERITY_ERROR, "--completion", 0, 0,
		    "must be one of %s, not '%s'", COMPLETE_SHELLS,
		    options->completion);
		return DAEMON_OPTIONS_WRONG;
	}
	return DAEMON_OPTIONS_DONE;
}

enum daemon_options_outcome
daemon_options_parse(struct daemon_options *options, int argc, char **argv,
    struct problems *problems, FILE *out)
{
	struct options_reading reading;

	reading_init(&reading, options, problems, argc, argv);
	if (!read_all(&reading, argc, argv))
		return print_asked(options, problems, out);
	if (problems->nerrors > 0)
		return DAEMON_OPTIONS_WRONG;
	if (*options->write_config_to == '\0')
		return DAEMON_OPTIONS_RUN;
	return write_to(options, problems, out) == 0 ? DAEMON_OPTIONS_DONE :
						       DAEMON_OPTIONS_WRONG;
}

void
daemon_options_fini(struct daemon_options *options)
{
	arena_fini(&options->arena);
	*options = (struct daemon_options){ 0 };
}

/* Takes the value of another reading over. */
static void
copy_value(struct options_reading *to, const struct daemon_options *from,
    const struct option_row *row)
{
	const char *const *list;
	size_t n = 0;

	if (row->type != OPTION_LIST) {
		options_set(to, row, LAYER_FLAGS, NULL,
		    option_text(from, row, &to->options->arena));
		return;
	}
	list = option_list(from, row);
	while (list != NULL && list[n] != NULL)
		n++;
	options_set_list(to, row, LAYER_FLAGS, NULL, list, n);
}

/*
 * Takes over the changed options that can change while the daemon runs; warns of
 * the others.  You own the result, the names of all changed ones.
 */
static char *
take_changes(struct options_reading *now, struct options_reading *next)
{
	struct text names = { 0 };

	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];
		struct arena *scratch = &next->options->arena;
		const char *text;

		if (row->flag == NULL)
			continue;
		text = option_text(next->options, row, scratch);
		if (strcmp(option_text(now->options, row, scratch), text) == 0)
			continue;
		if (row->when == OPTION_RELOAD)
			copy_value(now, next->options, row);
		else
			options_warn(now, options_where(next, row),
			    "is '%s' now, which takes effect after a restart",
			    text);
		text_put(&names, names.len > 0 ? " " : "");
		text_put(&names, option_flag_text(row, scratch));
	}
	return names.len > 0 ? text_take(&names) : xstrdup("");
}

int
daemon_options_reload(struct daemon_options *options, struct problems *problems,
    char **changed)
{
	struct daemon_options unused, fresh;
	struct options_reading now, next;
	struct problems known = { 0 };
	AUTOFREE char *names = NULL;
	size_t nerrors = problems->nerrors;

	reading_init(&next, &fresh, problems, options->argc, options->argv);
	read_all(&next, options->argc, options->argv);
	if (problems->nerrors > nerrors) {
		daemon_options_fini(&fresh);
		return -1;
	}
	reading_init(&now, &unused, problems, 0, NULL);
	now.options = options;
	names = take_changes(&now, &next);
	now.problems = &known; /* read_all() has reported them */
	options_validate(&now);
	problems_fini(&known);
	daemon_options_fini(&unused);
	daemon_options_fini(&fresh);
	if (changed != NULL) {
		*changed = names;
		names = NULL;
	}
	return 0;
}

void
daemon_options_print_problems(const struct problems *problems, FILE *out)
{
	char buf[2048];

	for (size_t i = 0; i < problems->n; i++) {
		const struct problem *problem = &problems->at[i];

		if (out == stderr)
			fputs(log_priority(problem->severity == SEVERITY_ERROR ?
				      LOG_LEVEL_ERROR :
				      LOG_LEVEL_WARNING),
			    out);
		text_print_line(out, problem_text(problem, buf, sizeof(buf)));
	}
}
