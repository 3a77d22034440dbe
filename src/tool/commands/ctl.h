/*
 * predicatectl: the engine as a command, which only reads the cluster, but for
 * `canary rollback`.
 *
 * Results go to standard output, messages to standard error.
 */
#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <stdio.h>

struct asked;
struct options;

enum exit_code {
	EXIT_DONE = 0,
	EXIT_NEGATIVE = 1, /* bad policy, pod fits nowhere, pods left pending */
	EXIT_USAGE = 2,
	EXIT_INPUT = 3, /* input that cannot be read, output not written */
};

/* The whole program; returns its exit code. */
int ctl_main(int argc, char **argv);

/* The commands, each in a file of its own; they return the exit code. */
int canary_run(const struct options *options);
int check_run(const struct options *options);
int completion_run(const struct options *options);
int convert_run(const struct options *options);
int diff_run(const struct options *options);
int dump_run(const struct options *options);
int replay_run(const struct options *options);
int version_run(const struct options *options);
int web_run(const struct options *options);
int web_daemon_run(const struct options *options); /* web --daemon */
/* Prints the URL and serves until a signal ends it. */
struct event_base;
struct web;
int web_serve(struct event_base *base, const struct web *web);

/*
 * Those about a cluster and its profiles (tool/commands/whatif.h).  asked_run() reads the policy or
 * configuration and the cluster and runs one on them.  Problems go to standard error.
 */
int asked_run(const struct options *options, int (*command)(struct asked *a));
/* Runs the one of the options, which are those of a. */
int ctl_ask(const struct options *options, struct asked *a);
int audit_ask(struct asked *a);
int capacity_ask(struct asked *a);
int defrag_ask(struct asked *a);
int drain_ask(struct asked *a);
int explain_ask(struct asked *a);
int simulate_ask(struct asked *a);
int tune_ask(struct asked *a);
int why_not_ask(struct asked *a);

/* PROGRAM __complete WORD...: argv has only the words. */
void completion_print(int argc, char **argv, FILE *out);

/* Where messages go, standard error; or what a page's question has to say goes to it. */
FILE *ctl_messages(void);
void ctl_messages_to(FILE *out);

#define CTL_PREFIX "predicatectl: "
/* A line of messages, CTL_PREFIX and more; control characters in it come out as '?'. */
void ctl_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Says why the input cannot be read; returns EXIT_INPUT. */
int ctl_fail(const struct err *err);

#endif
