#include "config.h"

#include <signal.h>
#include <stdio.h>

#include "base/complete.h"
#include "base/log.h"
#include "base/text.h"
#include "daemon/daemon.h"
#include "options/options.h"

static int
run(struct daemon_options *options)
{
	/*
	 * Signals that end a process by default and do not ask it to stop, as one
	 * that a logrotate or a limit (ulimit) sends, have no effect: Go ignores the
	 * same ones.  SIGHUP and SIGUSR2 have one when the daemon is there.
	 */
	static const int ignored[] = { SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE,
		SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGXCPU, SIGXFSZ };
	struct err err;
	struct daemon *daemon;
	int status;

	if (options->check)
		return daemon_check(options);
	for (size_t i = 0; i < LENGTH(ignored); i++)
		signal(ignored[i], SIG_IGN);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		signal(number, SIG_IGN);
	daemon = daemon_new(options, &err);
	if (daemon == NULL) {
		fprintf(stderr,
		    "%spredicated: ", log_priority(LOG_LEVEL_ERROR));
		text_print_line(stderr, err.text);
		return EXIT_FAILURE;
	}
	status = daemon_run(daemon);
	daemon_free(daemon);
	return status != DAEMON_AGAIN ? status : run(options);
}

int
main(int argc, char **argv)
{
	struct daemon_options options;
	struct problems problems = { 0 };
	int status = EXIT_SUCCESS;
	enum daemon_options_outcome outcome;

	if (argc > 1 && strcmp(argv[1], COMPLETE_COMMAND) == 0) {
		daemon_options_complete(argc - 2, argv + 2, stdout);
		return status;
	}
	outcome = daemon_options_parse(&options, argc, argv, &problems, stdout);
	daemon_options_print_problems(&problems, stderr);
	problems_fini(&problems);
	switch (outcome) {
	case DAEMON_OPTIONS_RUN:
		status = run(&options);
		break;
	case DAEMON_OPTIONS_DONE:
		break;
	case DAEMON_OPTIONS_WRONG:
		status = EXIT_FAILURE;
		break;
	}
	daemon_options_fini(&options);
	return status;
}
