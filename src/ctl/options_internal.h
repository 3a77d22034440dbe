/* The tables of the command line, for the files about it alone: options.c has them,
 * completion.c shows them. */
#ifndef CTL_OPTIONS_INTERNAL_H
#define CTL_OPTIONS_INTERNAL_H

#include "ctl/options.h"

enum option_type {
	/* The member at row->offset is: */
	OPTION_FLAG,    /* a bool */
	OPTION_TEXT,    /* a const char * */
	OPTION_ONCE,    /* a text that can be given only once */
	OPTION_NAME,    /* a sym */
	OPTION_SEED,    /* a uint64_t */
	OPTION_COUNT,   /* a uint32_t, from 1 to row->most */
	OPTION_PORT,    /* an int */
	OPTION_SECONDS, /* a double */
	OPTION_TIMEOUT, /* an int64_t, milliseconds */
	/* The others stand for more than one, or their texts for something else. */
	OPTION_CLUSTER,
	OPTION_SCHEDULER,
	OPTION_OBJECTIVE,
	OPTION_COLOR,
	OPTION_PODS,
	OPTION_OUTPUT,
	OPTION_DAEMON,
	OPTION_RELEASE,
	OPTION_UPGRADE,
	OPTION_TARGET,
	OPTION_GATES,
	OPTION_POD_LIMITS,
	OPTION_IGNORED,
	OPTION_HELP,
	OPTION_VERSION,
};

struct option_row {
	const char *name;
	char letter;     /* 0: none */
	const char *arg; /* NULL: takes none */
	unsigned commands;
	enum option_type type;
	size_t offset;    /* in struct options */
	const char *help; /* lines after the first are indented by us */
	/* "a number": what a value that is refused is not; of OPTION_OBJECTIVE the
	 * choices */
	const char *must;
	uint32_t most;
};

struct command_row {
	const char *name, *synopsis, *summary, *text;
	/* How many words, and what is said of another number; NULL: of more than
	 * most that they are unexpected. */
	size_t least, most;
	const char *missing;
};

extern const struct option_row ctl_rows[];
extern const size_t nctl_rows;
extern const struct command_row ctl_commands[]; /* by enum command */

/* The values of --output for the command, "table|json". */
const char *options_formats(enum command command);

bool options_command_parse(const char *name, enum command *out);

/* The option in an argument such as --name=value, in *len bytes from the name; NULL:
 * there is none. */
const struct option_row *options_find(const char *argument, size_t *len);
/* The option if this argument is one whose value is the next argument. */
const struct option_row *options_awaiting(const char *argument);

/* What canary does. */
#define CANARY_WORDS "status|rollback"

#endif
