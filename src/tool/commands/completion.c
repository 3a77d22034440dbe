/*
 * predicatectl completion: scripts for shells, and the candidates that these ask for
 * (base/complete.h), from the tables of commands and options.
 */
#include "config.h"

#include "base/complete.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options_internal.h"

#define HELP "help"

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

void
completion_print(int argc, char **argv, FILE *out)
{
	struct complete c = { .word = argc > 0 ? argv[argc - 1] : "" };
	enum command command = COMMAND_NONE;
	bool help = false;

	for (int i = 0; i + 1 < argc; i++) {
		if (option_awaiting(&ctl_table, argv[i]) != NULL) {
			i++;
			continue;
		}
		if (argv[i][0] == '-' || command != COMMAND_NONE)
			continue;
		help = help || strcmp(argv[i], HELP) == 0;
		options_command_parse(argv[i], &command);
	}
	if (option_complete(&c, &ctl_table,
		command == COMMAND_NONE ? OPTION_ANY : 1u << command, argc,
		argv))
		;
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
	ctl_print(
	    "there is no completion for the shell '%s': bash, zsh or fish",
	    options->words[0]);
	return EXIT_USAGE;
}
