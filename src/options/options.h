/*
 * The daemon's options: from /etc/predicated/predicated.conf, from a
 * KubeSchedulerConfiguration (--config) and from the command line; of two the
 * later one counts.  options_table.h lists all of them, with defaults and help.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdio.h>

#include "base/arena.h"
#include "base/log.h"
#include "policy/policy.h"

/* Where the policy comes from (daemon/policy_source/policy_source.h). */
enum daemon_policy_from {
	DAEMON_POLICY_FILE,       /* policy_config_file */
	DAEMON_POLICY_CONFIG_MAP, /* policy_configmap[_namespace] */
	DAEMON_POLICY_CONFIG,     /* config; no algorithm_provider is given */
	DAEMON_POLICY_PROVIDER,   /* algorithm_provider; "": DefaultProvider */
};

/* A port without TLS. */
struct daemon_plain {
	const char *address;
	int port;
	bool health, metrics; /* the pages that it shows */
	bool implied; /* by default: another process may have the port */
};

/*
 * Texts are never NULL ("" is: not given) and live as long as the whole, also
 * over daemon_options_reload().
 */
struct daemon_options {
/* As the table has them.  LIST ends with NULL; one that is empty by default and
 * not given is NULL itself.  CHOICE is one of those that the table has.
 * DURATION counts milliseconds. */
#define SECTION(title)
#define OPTION(field, TYPE, flag, key, value, when, arg, help)                 \
	OPTION_C_##TYPE field;
#define ALIAS(flag, other, why)
#define LEGACY(flag, TYPE, why)
#define OPTION_C_BOOL bool
#define OPTION_C_STRING const char *
#define OPTION_C_LIST const char *const *
#define OPTION_C_REAL double
#define OPTION_C_SEED uint64_t
#define OPTION_C_CHOICE const char *
#define OPTION_C_DURATION int64_t
#define OPTION_C_PORT int64_t
#define OPTION_C_PERCENT int64_t
#define OPTION_C_COUNT int64_t
#include "options/options_table.h"

	/* Derived from them. */
	enum daemon_policy_from policy_from;
	/* strict, kosmos, gates and hard_pod_affinity_symmetric_weight */
	struct policy_options policy_options;
	enum log_format log_as;         /* log_format */
	bool json_answers, json_bodies; /* of the API server, to it */
	struct daemon_plain plain[2];
	size_t nplain;
	int kubernetes_minor; /* as cluster->kubernetes_minor: 15 stands for
	                       * all before it; 0: ask the API server */

	/* The rest is options.c's. */
	/* Of --config: "IP:PORT"; "": none; NULL: it does not say. */
	const char *healthz_bind_address, *metrics_bind_address;
	bool config_is_old; /* has them when it does not say */
	/* Its profiles differ from the default one, or it has extenders: no
	 * policy may be given then. */
	bool config_has_rules;
	int argc;
	char **argv;
	struct arena arena;
};

enum daemon_options_outcome {
	DAEMON_OPTIONS_RUN,
	DAEMON_OPTIONS_DONE,  /* exit with 0: --help, --version, … */
	DAEMON_OPTIONS_WRONG, /* exit with 1; the errors are in problems */
};

/*
 * Fills *options, which daemon_options_fini() ends whatever the outcome.  argv
 * must outlive it.  --help and --version print to out.
 *
 * All problems go to *problems, whose "file" is the flag
 * ("--secure-port") or "file:line".  With DAEMON_OPTIONS_RUN there may still be
 * warnings, for the log.  --check is for the caller, which alone can read the
 * policy.
 */
enum daemon_options_outcome daemon_options_parse(struct daemon_options *options,
    int argc, char **argv, struct problems *problems, FILE *out);
void daemon_options_fini(struct daemon_options *options);

/*
 * Reads files and command line again, as after SIGHUP.  0: the new values of
 * those options that can change at run time are in *options, and *changed
 * (unless NULL) names all flags that have changed ("-v --kubeconfig"; you own
 * it; "" when none has).  An option that needs a restart keeps its value; a
 * warning says so.  -1: nothing is changed, there are errors in *problems.
 */
int daemon_options_reload(struct daemon_options *options,
    struct problems *problems, char **changed);

/* predicated __complete WORD...: prints the candidates for the last word
 * (base/complete.h); argv has only the words. */
void daemon_options_complete(int argc, char **argv, FILE *out);

/* One line for each problem. */
void daemon_options_print_problems(const struct problems *problems, FILE *out);

/* For --write-config-to: writes all options as a predicated.conf; those that
 * have their default value are commented out. */
void daemon_options_write(const struct daemon_options *options, FILE *out);
/* For /configz: {"policy":{"file":"",…},…}, with the keys
 * of predicated.conf. */
struct text;
void daemon_options_write_json(const struct daemon_options *options,
    struct text *out);

#endif
