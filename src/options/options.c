#include "config.h"

#include "options/options.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/complete.h"
#include "base/duration.h"
#include "base/log.h"
#include "base/text.h"
#include "objects/limits.h"
#include "objects/steering.h"
#include "options/options_internal.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

const char *options_default_file = SYSCONFDIR "/predicated/predicated.conf";

#define AT(field) offsetof(struct daemon_options, field)
const struct option_row option_rows[] = {
#define SECTION(title) { .section = title },
#define OPTION(field, TYPE, flag_, key_, value_, when_, arg_, help_)           \
	{ .flag = flag_,                                                       \
		.letter = AT(field) == AT(verbosity) ? 'v' :                   \
		    AT(field) == AT(help)            ? 'h' :                   \
						       0,                                 \
		.commands = OPTION_ANY,                                        \
		.key = key_,                                                   \
		.value = value_,                                               \
		.arg = arg_,                                                   \
		.help = help_,                                                 \
		.type = OPTION_##TYPE,                                         \
		.when = OPTION_##when_,                                        \
		.offset = AT(field) },
#define ALIAS(flag_, other_, why_)                                             \
	{ .flag = flag_,                                                       \
		.commands = OPTION_ANY,                                        \
		.is_old = true,                                                \
		.other = other_,                                               \
		.why = why_ },
#define LEGACY(flag_, TYPE, why_)                                              \
	{ .flag = flag_,                                                       \
		.commands = OPTION_ANY,                                        \
		.arg = OPTION_##TYPE == OPTION_BOOL ? NULL : "",               \
		.type = OPTION_##TYPE,                                         \
		.is_old = true,                                                \
		.why = why_ },
#include "options/options_table.h"
};
const size_t noption_rows = LENGTH(option_rows);

static const struct option_names listed[] = {
	{ "feature-gates", gates_name, "true|false" },
	{ "max-per-pod", pod_limits_name, "" },
	{ "ignore-unsupported", unsupported_name, NULL },
	{ "algorithm-provider", NULL, POLICY_PROVIDERS },
	{ "kubernetes-version", NULL, "auto" },
	{ "completion", NULL, COMPLETE_SHELLS },
	{ NULL, NULL, NULL },
};

const struct option_table daemon_table = {
	.rows = option_rows,
	.n = LENGTH(option_rows),
	.names = listed,
};

const struct option_row *
option_by_key(const char *key)
{
	EACH_OPTION (row)
		if (row->key != NULL && strcmp(row->key, key) == 0)
			return row;
	return NULL;
}

const struct option_row *
option_by_offset(size_t offset)
{
	EACH_OPTION (row)
		if (row->offset == offset)
			return row;
	abort();
}

/* ---- settings ---- */

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
	const char *const **field =
	    (void *)((char *)reading->options + row->offset);
	const char **list;
	size_t old = 0;

	if (reading->layer[row - option_rows] == layer)
		option_list(reading->options, row, &old);
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

void
options_set(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where, const char *text)
{
	struct arena *arena = &reading->options->arena;
	const char **elements = NULL;
	size_t n = 0, cap = 0, len;
	struct err err;

	if (row->type == OPTION_LIST) {
		for (; *text != '\0'; text += len + (text[len] == ',')) {
			len = strcspn(text, ",");
			arena_room(arena, elements, n, &cap);
			elements[n++] = arena_strndup(arena, text, len);
		}
		options_set_list(reading, row, layer, where, elements, n);
		return;
	}
	if (option_set(&daemon_table, row, reading->options, arena, text,
		&err) == 0)
		was_set(reading, row, layer, where);
	else
		options_refuse(reading, where, "%s", err.text);
}

const char *const *
option_list(const struct daemon_options *options, const struct option_row *row,
    size_t *n)
{
	const void *field = (const char *)options + row->offset;
	const char *const *list = *(const char *const *const *)field;

	for (*n = 0; list != NULL && list[*n] != NULL;)
		++*n;
	return list;
}

const char *
option_text(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena)
{
	const void *field = (const char *)options + row->offset;
	char duration[DURATION_TEXT];
	const char *const *list;
	size_t n;

	switch ((enum option_type)row->type) {
	case OPTION_BOOL:
		return *(const bool *)field ? "true" : "false";
	case OPTION_STRING:
	case OPTION_CHOICE:
		return *(const char *const *)field;
	case OPTION_LIST:
		list = option_list(options, row, &n);
		return arena_join(arena, n, list, ",");
	case OPTION_DURATION:
		return arena_printf(arena, "%s",
		    duration_text(*(const int64_t *)field * 1000000, duration));
	case OPTION_REAL:
		return arena_printf(arena, "%.15g", *(const double *)field);
	case OPTION_PORT:
	case OPTION_PERCENT:
	case OPTION_COUNT:
	case OPTION_SEED:
	case OPTION_OTHER:
		break;
	}
	return arena_printf(arena, "%" PRId64, *(const int64_t *)field);
}

static void
refuse_word(struct options_reading *reading, const struct option_scan *scan)
{
	bool is_value =
	    scan->before != NULL && text_is_choice("true|false", scan->word);

	options_refuse(reading, "command line",
	    "\"predicated\" does not take any arguments, got "
	    "[\"%s\"]%s%s%s%s",
	    scan->word, is_value ? "; write " : "",
	    is_value ? scan->before : "", is_value ? "=" : "",
	    is_value ? scan->word : "");
}

/* Reads everything into reading->options, and errors into reading->problems.
 * False: --help, --version or --completion was given. */
static bool
read_all(struct options_reading *reading, int argc, char **argv)
{
	struct daemon_options *options = reading->options;
	struct option_scan scan = { .table = &daemon_table,
		.commands = OPTION_ANY,
		.arena = &options->arena,
		.argc = argc,
		.argv = argv };
	struct option_scan flags = scan; /* they override the files */
	const char *file = NULL, *config = "";

	EACH_OPTION (row)
		options_set(reading, row, LAYER_DEFAULT, NULL, row->value);
	while (option_next(&scan)) {
		if (scan.problem != NULL)
			options_complain(reading, scan.severity, scan.where,
			    "%s", scan.problem);
		if (scan.word != NULL)
			refuse_word(reading, &scan);
		if (scan.row == option_of(config_file))
			file = scan.value;
		else if (scan.row == option_of(config))
			config = scan.value;
		else if (scan.row == option_of(help) ||
		    scan.row == option_of(version) ||
		    scan.row == option_of(completion))
			options_set(reading, scan.row, LAYER_FLAGS, scan.where,
			    scan.value);
	}
	if (options->help || options->version || *options->completion != '\0')
		return false;
	if (file == NULL && access(options_default_file, F_OK) == 0)
		file = options_default_file;
	if (file != NULL && *file != '\0')
		options_file(reading, file);
	if (*config != '\0')
		options_kube_config(reading, config);
	while (option_next(&flags))
		if (flags.row != NULL)
			options_set(reading, flags.row, LAYER_FLAGS,
			    flags.where, flags.value);
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

enum daemon_options_outcome
daemon_options_parse(struct daemon_options *options, int argc, char **argv,
    struct problems *problems, FILE *out)
{
	struct options_reading reading;

	reading_init(&reading, options, problems, argc, argv);
	if (read_all(&reading, argc, argv)) {
		if (problems->nerrors > 0)
			return DAEMON_OPTIONS_WRONG;
		if (*options->write_config_to == '\0')
			return DAEMON_OPTIONS_RUN;
		if (write_to(options, problems, out) != 0)
			return DAEMON_OPTIONS_WRONG;
	} else if (options->help) {
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
	size_t n;

	if (row->type != OPTION_LIST) {
		options_set(to, row, LAYER_FLAGS, NULL,
		    option_text(from, row, &to->options->arena));
		return;
	}
	list = option_list(from, row, &n);
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

	EACH_OPTION (row) {
		struct arena *scratch = &next->options->arena;
		const char *text = option_text(next->options, row, scratch);
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
