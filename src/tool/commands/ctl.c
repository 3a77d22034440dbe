#include "config.h"

#include "tool/commands/ctl.h"

#include <errno.h>
#include <stdio.h>

#include "base/complete.h"
#include "tool/commands/options.h"
#include "tool/commands/table.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* A command reads its input itself, or is about a cluster. */
static const struct {
	int (*run)(const struct options *options);
	int (*ask)(struct asked *a);
} runs[] = {
	[COMMAND_AUDIT] = { .ask = audit_ask },
	[COMMAND_CANARY] = { .run = canary_run },
	[COMMAND_CAPACITY] = { .ask = capacity_ask },
	[COMMAND_CHECK] = { .run = check_run },
	[COMMAND_COMPLETION] = { .run = completion_run },
	[COMMAND_CONVERT] = { .run = convert_run },
	[COMMAND_DEFRAG] = { .ask = defrag_ask },
	[COMMAND_DIFF] = { .run = diff_run },
	[COMMAND_DRAIN] = { .ask = drain_ask },
	[COMMAND_DUMP] = { .run = dump_run },
	[COMMAND_EXPLAIN] = { .ask = explain_ask },
	[COMMAND_REPLAY] = { .run = replay_run },
	[COMMAND_SIMULATE] = { .ask = simulate_ask },
	[COMMAND_TUNE] = { .ask = tune_ask },
	[COMMAND_VERSION] = { .run = version_run },
	[COMMAND_WEB] = { .run = web_run },
	[COMMAND_WHY_NOT] = { .ask = why_not_ask },
};

int
ctl_ask(const struct options *options, struct asked *a)
{
	return runs[options->command].ask(a);
}

static FILE *messages; /* NULL: standard error */

FILE *
ctl_messages(void)
{
	return messages != NULL ? messages : stderr;
}

void
ctl_messages_to(FILE *out)
{
	messages = out;
}

void
ctl_print(const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	fputs(CTL_PREFIX, ctl_messages());
	text_print_line(ctl_messages(), text);
}

int
ctl_fail(const struct err *err)
{
	ctl_print("%s", err->text);
	return EXIT_INPUT;
}

/* A full disk must not look like an answer. */
static int
flushed(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	ctl_print("cannot write the result: %s", strerror(errno));
	return EXIT_INPUT;
}

static bool
is_called(const char *argv0, const char *name)
{
	const char *slash = argv0 != NULL ? strrchr(argv0, '/') : NULL;
	const char *base = slash != NULL ? slash + 1 : argv0;

	return base != NULL && strcmp(base, name) == 0;
}

int
ctl_main(int argc, char **argv)
{
	const bool asked = argc > 1 && strcmp(argv[1], COMPLETE_COMMAND) == 0;
	const int skip = asked ? 2 : 1;
	struct options options;
	int code = EXIT_DONE;

	/* A shell asks, or kubectl for one. */
	if (asked || is_called(argv[0], "kubectl_complete-predicate")) {
		completion_print(argc - skip, argv + skip, stdout);
		return flushed(EXIT_DONE);
	}
	/* kubectl runs its plugins as kubectl-NAME. */
	options_init(&options,
	    is_called(argv[0], "kubectl-predicate") ? "kubectl predicate" :
						      "predicatectl");
	switch (options_parse(&options, argc, argv)) {
	case OPTIONS_RUN:
		code = runs[options.command].ask != NULL ?
		    asked_run(&options, runs[options.command].ask) :
		    runs[options.command].run(&options);
		break;
	case OPTIONS_HELP:
		options_help(&options, stdout);
		break;
	case OPTIONS_VERSION:
		printf("predicatectl %s\n", PACKAGE_VERSION);
		break;
	case OPTIONS_WRONG:
		code = EXIT_USAGE;
		break;
	}
	options_fini(&options);
	return flushed(code);
}
