/* The tables of the command line (options/engine.h), for the files about it alone:
 * options.c has them, completion.c shows them. */
#ifndef CTL_OPTIONS_INTERNAL_H
#define CTL_OPTIONS_INTERNAL_H

#include "options/engine.h"
#include "tool/commands/options.h"

/* Types of options that stand for more than one member, or their texts for something
 * else; the engine has the others. */
enum {
	CTL_NAMESPACE = OPTION_OTHER,
	CTL_TIMEOUT,
	CTL_CLUSTER,
	CTL_SCHEDULER,
	CTL_OBJECTIVE,
	CTL_COLOR,
	CTL_PODS,
	CTL_OUTPUT,
	CTL_DAEMON,
	CTL_RELEASE,
	CTL_UPGRADE,
	CTL_TARGET,
	CTL_GATES,
	CTL_POD_LIMITS,
	CTL_IGNORED,
};

struct command_row {
	const char *name, *synopsis, *summary, *text;
	/* How many words, and what is said of another number; NULL: of more than
	 * most that they are unexpected. */
	size_t least, most;
	const char *missing;
};

extern const struct option_table ctl_table;
extern const struct command_row ctl_commands[]; /* by enum command */

/* What canary does. */
#define CANARY_WORDS "status|rollback"

#endif
