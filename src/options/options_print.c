/* What the table is printed as: --help, completion in a shell, a predicated.conf with
 * the values, JSON. */
#include "config.h"

#include "base/json_out.h"
#include "base/text.h"
#include "options/options_internal.h"

/* ---- help ---- */

void
options_print_help(FILE *out)
{
	struct arena arena = ARENA_INIT;
	const char *names = "", *legacies = "";

	fprintf(out,
	    "Usage: predicated [--flag=value...]\n\n"
	    "Schedules the pods of a Kubernetes or OpenShift cluster by a "
	    "scheduler policy\n(policy.cfg). Takes the flags of "
	    "kube-scheduler.\n");
	for (const struct option_row *row = option_rows;
	     row < option_rows + noption_rows; row++) {
		if (row->section != NULL)
			fprintf(out, "\n%s:\n", row->section);
		else if (!row->is_old)
			option_help(row,
			    *row->value == '\0' ||
				    strcmp(row->value, "false") == 0 ?
				row->help :
				arena_printf(&arena, "%s (default: %s)",
				    row->help, row->value),
			    false, out);
		else if (row->other != NULL)
			names = arena_printf(&arena, "%s--%s is --%s; ", names,
			    row->flag, row->other);
		else
			legacies = arena_printf(&arena, "%s%s--%s", legacies,
			    *legacies != '\0' ? " " : "", row->flag);
	}
	fprintf(out, "\nAlso accepted:\n");
	option_wrap(arena_printf(&arena, "%sand, without effect:", names), "  ",
	    2, out);
	option_wrap(legacies, "  ", 2, out);
	arena_fini(&arena);
}

/* ---- completion ---- */

void
daemon_options_complete(int argc, char **argv, FILE *out)
{
	struct complete c = { .word = argc > 0 ? argv[argc - 1] : "" };

	if (!option_complete(&c, &daemon_table, OPTION_ANY, argc, argv))
		option_complete_flags(&c, &daemon_table, OPTION_ANY);
	complete_end(&c, out);
}

/* ---- predicated.conf ---- */

#define TAB 8

static void
write_string(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static bool
is_text(unsigned type)
{
	return type == OPTION_STRING || type == OPTION_CHOICE ||
	    type == OPTION_DURATION;
}

/* text: as a flag has the value. */
static void
write_value(const struct daemon_options *options, const struct option_row *row,
    const char *text, FILE *out)
{
	const char *const *list;
	size_t n;

	if (row->type == OPTION_LIST) {
		list = option_list(options, row, &n);
		fputs("[", out);
		for (size_t i = 0; i < n; i++) {
			fputs(i > 0 ? ", " : " ", out);
			write_string(list[i], out);
		}
		fputs(n > 0 ? " ]" : "]", out);
	} else if (is_text(row->type)) {
		write_string(text, out);
	} else {
		fprintf(out, "%s%s", text,
		    row->type == OPTION_SEED && strlen(text) > 9 ? "L" : "");
	}
}

static void
tabs(int n, FILE *out)
{
	while (n-- > 0)
		fputc('\t', out);
}

/* How many groups a key stands in, and how many of them two keys share. */
static int
depth_of(const char *key)
{
	int depth = 0;

	for (; *key != '\0'; key++)
		depth += *key == '.';
	return depth;
}

static int
shared_depth(const char *a, const char *b)
{
	int depth = 0;

	for (; *a != '\0' && *a == *b; a++, b++)
		depth += *a == '.';
	return depth;
}

/* Closes the groups that key is not in and opens those that it is in. */
static void
write_groups(const char *before, const char *key, FILE *out)
{
	int shared = shared_depth(before, key);
	int depth = 0;

	for (int open = depth_of(before); open > shared; open--) {
		tabs(open - 1, out);
		fputs("};\n", out);
	}
	for (const char *dot; (dot = strchr(key, '.')) != NULL;
	     key = dot + 1, depth++) {
		if (depth < shared)
			continue;
		fputc('\n', out);
		tabs(depth, out);
		fprintf(out, "%.*s:\n", (int)(dot - key), key);
		tabs(depth, out);
		fputs("{\n", out);
	}
}

static void
write_option(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena, FILE *out)
{
	static const char *const prefixes[] = { "# ", "\t# ", "\t\t# " };
	int depth = depth_of(row->key);
	const char *dot = strrchr(row->key, '.');
	const char *value = option_text(options, row, arena);
	const char *choices = row->type == OPTION_CHOICE ?
	    arena_printf(arena, " One of %s.", row->arg) :
	    "";

	option_wrap(arena_printf(arena, "%s%s [%s; %s]", row->help, choices,
			option_flag_text(row, arena),
			row->when == OPTION_RELOAD ? "reload" : "restart"),
	    prefixes[depth], depth * TAB + 2, out);
	tabs(depth, out);
	if (strcmp(value, row->value) == 0)
		fputs("#", out);
	fprintf(out, "%s = ", dot != NULL ? dot + 1 : row->key);
	write_value(options, row, value, out);
	fputs(";\n", out);
}

void
daemon_options_write(const struct daemon_options *options, FILE *out)
{
	struct arena arena = ARENA_INIT;
	const char *before = "";

	fputs("# The configuration of predicated, see predicated.conf(5).\n"
	      "#\n"
	      "# Commented-out lines show the defaults. Flags on the command "
	      "line override this\n"
	      "# file. Each option names its flag, and whether a change takes "
	      "effect on reload\n"
	      "# (SIGHUP) or after a restart.\n",
	    out);
	EACH_OPTION (row) {
		if (row->key == NULL)
			continue;
		write_groups(before, row->key, out);
		write_option(options, row, &arena, out);
		before = row->key;
	}
	write_groups(before, "", out);
	arena_fini(&arena);
}

/* ---- JSON ---- */

/* As write_groups(); the value of key can follow. */
static void
json_groups(struct json_out *json, const char *before, const char *key,
    struct arena *arena)
{
	int shared = shared_depth(before, key), depth = 0;

	for (int open = depth_of(before); open > shared; open--)
		json_close(json, '}');
	for (const char *dot; (dot = strchr(key, '.')) != NULL;
	     key = dot + 1, depth++) {
		if (depth < shared)
			continue;
		json_open_member(json,
		    arena_strndup(arena, key, (size_t)(dot - key)), '{');
	}
	if (*key != '\0')
		json_key(json, key);
}

static void
json_value(struct json_out *json, const struct daemon_options *options,
    const struct option_row *row, struct arena *arena)
{
	const char *text = option_text(options, row, arena);
	const char *const *list;
	size_t n;

	if (is_text(row->type)) {
		json_string(json, text);
	} else if (row->type != OPTION_LIST) {
		json_raw(json, text);
	} else {
		json_open(json, '[');
		list = option_list(options, row, &n);
		for (size_t i = 0; i < n; i++)
			json_string(json, list[i]);
		json_close(json, ']');
	}
}

void
daemon_options_write_json(const struct daemon_options *options,
    struct text *out)
{
	struct json_out json = JSON_OUT_INIT(out);
	struct arena arena = ARENA_INIT;
	const char *before = "";

	json_open(&json, '{');
	EACH_OPTION (row) {
		if (row->key == NULL)
			continue;
		json_groups(&json, before, row->key, &arena);
		json_value(&json, options, row, &arena);
		before = row->key;
	}
	json_groups(&json, before, "", &arena);
	json_close(&json, '}');
	arena_fini(&arena);
}
