/*
 * predicatectl completion: scripts for shells, and the candidates that these ask for
 * (base/complete.h), from the tables of commands and options.
 */
#include "config.h"

#include "base/complete.h"
#include "ctl/ctl.h"
#include "ctl/options_internal.h"
#include "framework/gates.h"
#include "model/limits.h"
#include "model/steering.h"
#include "priorities/registry.h"

#define HELP "help"

/* ---- values ---- */

static const char *
priority_name(size_t i)
{
	return i < npriorities ? priorities[i]->name : NULL;
}

/* The value begins after skip bytes of the word. */
static void
put_values(struct complete *c, const struct option_row *row,
    enum command command, size_t skip)
{
	AUTOFREE char *prefix = xasprintf("%.*s", (int)skip, c->word);

	switch (row->type) {
	case OPTION_OUTPUT:
		complete_choices(c, prefix, options_formats(command));
		break;
	case OPTION_OBJECTIVE:
		complete_choices(c, prefix, row->must);
		break;
	case OPTION_GATES:
		complete_assignments(c, skip, gates_name, "true|false");
		break;
	case OPTION_POD_LIMITS:
		complete_assignments(c, skip, pod_limits_name, "");
		break;
	case OPTION_IGNORED:
		complete_names(c, skip, unsupported_name);
		break;
	default:
		if (strcmp(row->name, "add") == 0)
			complete_names(c, skip, priority_name);
		else if (strchr(row->arg, '|') != NULL)
			complete_choices(c, prefix, row->arg);
	}
	if (strcmp(row->arg, "FILE") != 0)
		c->directive |= COMPLETE_NO_FILES;
}

/* ---- words ---- */

/* The options of the command; without one, of any. */
static void
put_options(struct complete *c, enum command command)
{
	for (size_t i = 0; i < nctl_rows; i++)
		if (command == COMMAND_NONE ||
		    (ctl_rows[i].commands & (1u << command)))
			complete_put(c, "--", ctl_rows[i].name, "",
			    ctl_rows[i].help);
	c->directive |= COMPLETE_NO_FILES;
}

static void
put_commands(struct complete *c, bool with_help)
{
	for (enum command i = 0; i < COMMAND_NONE; i++)
		complete_put(c, "", ctl_commands[i].name, "",
		    ctl_commands[i].summary);
	if (with_help)
		complete_put(c, "", HELP, "", "print a command's options");
	c->directive |= COMPLETE_NO_FILES;
}

/* A word that is neither an option nor its value. */
static void
put_word(struct complete *c, enum command command)
{
	switch (command) {
	case COMMAND_NONE:
		put_commands(c, true);
		break;
	case COMMAND_CHECK:
	case COMMAND_CONVERT:
	case COMMAND_DIFF:
	case COMMAND_REPLAY:
	case COMMAND_WEB:
		break; /* files */
	case COMMAND_CANARY:
		complete_choices(c, "", CANARY_WORDS);
		c->directive |= COMPLETE_NO_FILES;
		break;
	case COMMAND_COMPLETION:
		complete_choices(c, "", COMPLETE_SHELLS);
		__attribute__((fallthrough));
	default:
		c->directive |= COMPLETE_NO_FILES;
	}
}

/* --name=VALUE: its option; *skip is the value's place. */
static const struct option_row *
row_with_value(const char *word, size_t *skip)
{
	const struct option_row *row =
	    strncmp(word, "--", 2) == 0 ? options_find(word, skip) : NULL;

	*skip += 3; /* "--" and "=" */
	return row != NULL && row->arg != NULL && word[*skip - 1] == '=' ? row :
									   NULL;
}

void
completion_print(int argc, char **argv, FILE *out)
{
	struct complete c = { .word = argc > 0 ? argv[argc - 1] : "" };
	const struct option_row *awaiting = NULL, *row;
	enum command command = COMMAND_NONE;
	bool help = false;
	size_t skip = 0;

	for (int i = 0; i + 1 < argc; i++) {
		if (awaiting != NULL) {
			awaiting = NULL;
			continue;
		}
		awaiting = options_awaiting(argv[i]);
		if (argv[i][0] == '-' || command != COMMAND_NONE)
			continue;
		help = help || strcmp(argv[i], HELP) == 0;
		options_command_parse(argv[i], &command);
	}
	row = row_with_value(c.word, &skip);
	if (awaiting != NULL)
		put_values(&c, awaiting, command, 0);
	else if (row != NULL)
		put_values(&c, row, command, skip);
	else if (c.word[0] == '-')
		put_options(&c, command);
	else if (help && command == COMMAND_NONE)
		put_commands(&c, false);
	else if (help)
		c.directive |= COMPLETE_NO_FILES;
	else
		put_word(&c, command);
	complete_end(&c, out);
}

int
completion_run(const struct options *options)
{
	if (complete_script(options->words[0], "predicatectl",
		"kubectl-predicate", stdout) == 0)
		return EXIT_DONE;
	ctl_say("there is no completion for the shell '%s': bash, zsh or fish",
	    options->words[0]);
	return EXIT_USAGE;
}
