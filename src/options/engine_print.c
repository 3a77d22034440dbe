/* What a table of options is printed as: help, and candidates for a shell. */
#include "config.h"

#include "base/text.h"
#include "options/engine.h"

#define WIDTH 80
#define BESIDE 30

void
option_wrap(const char *text, const char *prefix, int indent, FILE *out)
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

void
option_help(const struct option_row *row, const char *text, bool beside,
    FILE *out)
{
	struct text head = { 0 };
	const char *arg = row->arg != NULL ? row->arg : "";
	const char *space = row->arg != NULL ? " " : "";

	if (row->letter == 0)
		text_put(&head, beside ? "      " : "  ");
	else if (row->flag[1] == '\0')
		text_printf(&head, "  -%c%s%s, ", row->letter, space, arg);
	else
		text_printf(&head, "  -%c, ", row->letter);
	text_printf(&head, "--%s%s%s", row->flag, space, arg);
	if (row->arg == NULL && text_same(row->value, "true"))
		text_put(&head, "[=false]");
	if (!beside || head.len > BESIDE - 2)
		text_put(&head, "\n");
	fputs(head.bytes, out);
	if (!beside) {
		option_wrap(text, "        ", 8, out);
	} else {
		fprintf(out, "%*s",
		    head.len > BESIDE - 2 ? BESIDE : BESIDE - (int)head.len,
		    "");
		for (; *text != '\0'; text++) {
			fputc(*text, out);
			if (*text == '\n')
				fprintf(out, "%*s", BESIDE, "");
		}
		fputc('\n', out);
	}
	text_fini(&head);
}

/* The value begins after skip bytes of the word. */
static void
complete_value(struct complete *c, const struct option_table *table,
    const struct option_row *row, size_t skip)
{
	AUTOFREE char *prefix = xasprintf("%.*s", (int)skip, c->word);
	const char *choices =
	    row->type == OPTION_BOOL ? "true|false" : option_choices(row);
	const struct option_names *names = table->names;

	while (names->flag != NULL && strcmp(names->flag, row->flag) != 0)
		names++;
	if (names->flag != NULL && names->name == NULL)
		choices = names->values;
	else if (names->flag != NULL)
		complete_list(c, skip, names->name, names->values);
	if (choices != NULL)
		complete_choices(c, prefix, choices);
	if (row->arg == NULL || !text_is_choice("FILE|DIR", row->arg))
		c->directive |= COMPLETE_NO_FILES;
}

void
option_complete_flags(struct complete *c, const struct option_table *table,
    unsigned commands)
{
	for (size_t i = 0; i < table->n; i++)
		if (table->rows[i].flag != NULL && !table->rows[i].is_old &&
		    (table->rows[i].commands & commands))
			complete_put(c, "--", table->rows[i].flag, "",
			    table->rows[i].help);
	c->directive |= COMPLETE_NO_FILES;
}

bool
option_complete(struct complete *c, const struct option_table *table,
    unsigned commands, int argc, char **argv)
{
	const struct option_row *row = NULL;
	size_t skip = 0;

	for (int i = 0; i + 1 < argc; i++)
		row = row == NULL ? option_awaiting(table, argv[i]) : NULL;
	/* Another command may have another option of this name. */
	if (row != NULL && option_find(table, commands, row->flag) != NULL)
		row = option_find(table, commands, row->flag);
	if (row == NULL && strncmp(c->word, "--", 2) == 0 &&
	    strchr(c->word, '=') != NULL) {
		AUTOFREE char *flag = xasprintf("%.*s",
		    (int)strcspn(c->word + 2, "="), c->word + 2);

		row = option_find(table, commands, flag);
		skip = strlen(flag) + 3; /* "--" and "=" */
	}
	if (row != NULL)
		complete_value(c, table, row, skip);
	else if (c->word[0] == '-')
		option_complete_flags(c, table, commands);
	else
		return false;
	return true;
}
