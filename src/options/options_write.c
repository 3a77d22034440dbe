/* The options with their values: as a predicated.conf, and as JSON. */
#include "config.h"

#include <string.h>

#include "base/json_out.h"
#include "base/xmalloc.h"
#include "options/options_internal.h"

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

static void
write_list(const char *const *list, FILE *out)
{
	fputs("[", out);
	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		fputs(i > 0 ? ", " : " ", out);
		write_string(list[i], out);
	}
	fputs(list != NULL && list[0] != NULL ? " ]" : "]", out);
}

static const char *const *
list_of(const struct daemon_options *options, const struct option_row *row)
{
	return *(
	    const char *const *const *)((const char *)options + row->offset);
}

static void
write_value(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena, FILE *out)
{
	const char *text = option_text(options, row, arena);

	switch (row->type) {
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_DURATION:
		write_string(text, out);
		break;
	case OPTION_LIST:
		write_list(list_of(options, row), out);
		break;
	case OPTION_SEED:
		fprintf(out, "%s%s", text, strlen(text) > 9 ? "L" : "");
		break;
	case OPTION_BOOL:
	case OPTION_PORT:
	case OPTION_PERCENT:
	case OPTION_COUNT:
	case OPTION_REAL:
		fputs(text, out);
		break;
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

/* "strict" of "policy.strict" */
static const char *
last_part(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot != NULL ? dot + 1 : key;
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

static const char *
flag_text(const struct option_row *row, struct arena *arena)
{
	return arena_printf(arena, "%s%s", strlen(row->flag) == 1 ? "-" : "--",
	    row->flag);
}

static void
write_option(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena, FILE *out)
{
	static const char *const prefixes[] = { "# ", "\t# ", "\t\t# " };
	int depth = depth_of(row->key);
	const char *value = option_text(options, row, arena);
	const char *choices = row->type == OPTION_CHOICE ?
	    arena_printf(arena, " One of %s.", row->arg) :
	    "";

	options_wrap(arena_printf(arena, "%s%s [%s; %s]", row->help, choices,
			 flag_text(row, arena),
			 row->when == OPTION_RELOAD ? "reload" : "restart"),
	    prefixes[depth], depth * TAB + 2, out);
	tabs(depth, out);
	if (strcmp(value, row->value) == 0)
		fputs("#", out);
	fprintf(out, "%s = ", last_part(row->key));
	write_value(options, row, arena, out);
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
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

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

static void
json_list(const char *const *list, struct text *out)
{
	text_put(out, "[");
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		json_put(out, i > 0 ? ",%s" : "%s", list[i]);
	text_put(out, "]");
}

static void
json_value(const struct daemon_options *options, const struct option_row *row,
    struct arena *arena, struct text *out)
{
	const char *text = option_text(options, row, arena);

	switch (row->type) {
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_DURATION:
		json_put_string(out, text);
		break;
	case OPTION_LIST:
		json_list(list_of(options, row), out);
		break;
	case OPTION_BOOL:
	case OPTION_PORT:
	case OPTION_PERCENT:
	case OPTION_COUNT:
	case OPTION_SEED:
	case OPTION_REAL:
		text_put(out, text);
		break;
	}
}

/* As write_groups(); the value of key can follow. */
static void
json_groups(const char *before, const char *key, struct text *out)
{
	int shared = shared_depth(before, key);
	const char *comma = *before != '\0' ? "," : "";
	int depth = 0;

	for (int open = depth_of(before); open > shared; open--)
		text_put(out, "}");
	if (*key == '\0')
		return;
	text_put(out, comma);
	for (const char *dot; (dot = strchr(key, '.')) != NULL;
	     key = dot + 1, depth++) {
		if (depth < shared)
			continue;
		text_put(out, "\"");
		text_append(out, key, (size_t)(dot - key));
		text_put(out, "\":{");
	}
	json_put(out, "%s:", key);
}

void
daemon_options_write_json(const struct daemon_options *options,
    struct text *out)
{
	struct arena arena = ARENA_INIT;
	const char *before = "";

	text_put(out, "{");
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->key == NULL)
			continue;
		json_groups(before, row->key, out);
		json_value(options, row, &arena, out);
		before = row->key;
	}
	json_groups(before, "", out);
	text_put(out, "}");
	arena_fini(&arena);
}

void
daemon_options_each_flag(const struct daemon_options *options,
    void (*each)(void *arg, const char *flag, const char *value), void *arg)
{
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->flag != NULL)
			each(arg, row->flag, option_text(options, row, &arena));
	}
	arena_fini(&arena);
}
