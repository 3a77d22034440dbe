/* --help, made from the table. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "options/options_internal.h"

#define WIDTH 80

void
options_wrap(const char *text, const char *prefix, int indent, FILE *out)
{
	int column = 0;

	while (*text != '\0') {
		int len = (int)strcspn(text, " ");

		if (column > 0 && column + 1 + len > WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		if (column == 0) {
			fputs(prefix, out);
			column = indent;
		} else {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", len, text);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* " (default 15s)", or "". */
static const char *
default_note(const struct option_row *row, struct arena *arena)
{
	if (*row->value == '\0' || strcmp(row->value, "false") == 0)
		return "";
	return arena_printf(arena, " (default: %s)", row->value);
}

static void
help_option(const struct option_row *row, struct arena *arena, FILE *out)
{
	const char *flag = row->flag;

	if (strcmp(flag, "v") == 0)
		fprintf(out, "  -v N, --v N\n");
	else if (strcmp(flag, "help") == 0)
		fprintf(out, "  -h, --help\n");
	else if (row->arg == NULL)
		fprintf(out, "  --%s%s\n", flag,
		    strcmp(row->value, "true") == 0 ? "[=false]" : "");
	else
		fprintf(out, "  --%s %s\n", flag, row->arg);
	options_wrap(arena_printf(arena, "%s%s", row->help,
			 default_note(row, arena)),
	    "        ", 8, out);
}

void
options_print_help(FILE *out)
{
	struct arena arena = ARENA_INIT;
	const char *names = "";

	fprintf(out,
	    "Usage: predicated [--flag=value...]\n\n"
	    "Schedules the pods of a Kubernetes or OpenShift cluster by a "
	    "scheduler policy\n(policy.cfg). Takes the flags of "
	    "kube-scheduler.\n");
	for (size_t i = 0; i < noption_rows; i++) {
		if (option_rows[i].section != NULL)
			fprintf(out, "\n%s:\n", option_rows[i].section);
		else
			help_option(&option_rows[i], &arena, out);
	}
	for (size_t i = 0; i < noption_aliases; i++)
		names = arena_printf(&arena, "%s--%s is --%s; ", names,
		    option_aliases[i].flag, option_aliases[i].other);
	fprintf(out, "\nAlso accepted:\n");
	options_wrap(arena_printf(&arena, "%sand, without effect:", names),
	    "  ", 2, out);
	names = "";
	for (size_t i = 0; i < noption_legacies; i++)
		names = arena_printf(&arena, "%s%s--%s", names,
		    *names != '\0' ? " " : "", option_legacies[i].flag);
	options_wrap(names, "  ", 2, out);
	arena_fini(&arena);
}
