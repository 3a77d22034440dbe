/*
 * predicatectl: the engine as a command, which only reads the cluster.
 *
 * Results go to standard output, messages to standard error.
 */
#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <stdio.h>

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
int audit_run(const struct options *options);
int bundle_run(const struct options *options);
int capacity_run(const struct options *options);
int check_run(const struct options *options);
int completion_run(const struct options *options);
int convert_run(const struct options *options);
int defrag_run(const struct options *options);
int diff_run(const struct options *options);
int drain_run(const struct options *options);
int explain_run(const struct options *options);
int replay_run(const struct options *options);
int simulate_run(const struct options *options);
int tune_run(const struct options *options);
int version_run(const struct options *options);
int web_run(const struct options *options);
int why_not_run(const struct options *options);

/* PROGRAM __complete WORD...: argv has only the words. */
void completion_print(int argc, char **argv, FILE *out);

/* A line on standard error, "predicatectl: …"; control characters in it come
 * out as '?'. */
void ctl_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
