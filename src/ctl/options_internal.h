/* The tables of the command line, for the files about it alone: options.c has them,
 * completion.c shows them. */
#ifndef CTL_OPTIONS_INTERNAL_H
#define CTL_OPTIONS_INTERNAL_H

#include "ctl/options.h"

enum option_id {
	OPTION_POLICY = 256, /* beyond getopt's short letters */
	OPTION_CONFIG,
	OPTION_POLICY_CONFIGMAP,
	OPTION_POLICY_CONFIGMAP_NAMESPACE,
	OPTION_TO,
	OPTION_CLUSTER,
	OPTION_KUBECONFIG,
	OPTION_CONTEXT,
	OPTION_REQUEST_TIMEOUT,
	OPTION_POD,
	OPTION_POD_FILE,
	OPTION_NAMESPACE,
	OPTION_ALL_NAMESPACES,
	OPTION_LIKE,
	OPTION_MIX,
	OPTION_SELECTOR,
	OPTION_ZONE,
	OPTION_LOST,
	OPTION_FOR,
	OPTION_FORCE,
	OPTION_MAX_MOVES,
	OPTION_TIME_LIMIT,
	OPTION_OBJECTIVE,
	OPTION_PODS,
	OPTION_MAX_WEIGHT,
	OPTION_ROUNDS,
	OPTION_ADD,
	OPTION_WRITE,
	OPTION_DAEMON,
	OPTION_DAEMON_CA,
	OPTION_LOG,
	OPTION_CLIENT,
	OPTION_PORT,
	OPTION_SEED,
	OPTION_PREEMPT,
	OPTION_OUTPUT,
	OPTION_FAIL_ON_WARNING,
	OPTION_ALL,
	OPTION_SCHEDULER_NAME,
	OPTION_STRICT_POLICY,
	OPTION_KOSMOS,
	OPTION_FEATURE_GATES,
	OPTION_POD_LIMITS,
	OPTION_IGNORE_UNSUPPORTED,
	OPTION_KUBERNETES_VERSION,
	OPTION_COLOR,
	OPTION_HELP,
	OPTION_VERSION,
};

struct option_row {
	enum option_id id;
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* NULL: takes none */
	unsigned commands;
	const char *help; /* lines after the first are indented by us */
};

struct command_row {
	const char *name, *synopsis, *summary, *text;
};

/* In the order of enum command and of --help; NULL: there are no more. */
const struct command_row *options_command(size_t i);
const struct option_row *options_row(size_t i);

/* The i-th value of --output for the command, NULL: there are no more. */
const char *options_output(enum command command, size_t i);

bool options_command_parse(const char *name, enum command *out);

/* The option if this argument is one whose value is the next argument. */
const struct option_row *options_awaiting(const char *argument);

#endif
