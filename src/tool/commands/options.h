/* The parsed command line. */
#ifndef CTL_OPTIONS_H
#define CTL_OPTIONS_H

#include <stdio.h>

#include "wire/api/kubeconfig.h"
#include "base/sym.h"
#include "tool/commands/table.h"
#include "policy/convert/convert.h"
#include "objects/limits.h"
#include "policy/policy.h"
#include "explain/whatif/tune.h"

enum command {
	COMMAND_CHECK,
	COMMAND_CONVERT,
	COMMAND_EXPLAIN,
	COMMAND_SIMULATE,
	COMMAND_CAPACITY,
	COMMAND_DRAIN,
	COMMAND_DIFF,
	COMMAND_AUDIT,
	COMMAND_WHY_NOT,
	COMMAND_REPLAY,
	COMMAND_DEFRAG,
	COMMAND_TUNE,
	COMMAND_WEB,
	COMMAND_DUMP,
	COMMAND_COMPLETION,
	COMMAND_VERSION,
	COMMAND_CANARY,
	COMMAND_NONE, /* none was named */
};

struct options {
	const char *program; /* "predicatectl" or "kubectl predicate" */
	enum command command;

	const char *policy; /* NULL: the default provider's */
	const char *config; /* a KubeSchedulerConfiguration, or NULL */
	const char
	    *rules; /* the text of one of both; NULL: it is in the file */
	const char *policy_configmap; /* of the live cluster, or NULL */
	const char *policy_namespace; /* its namespace */
	size_t nclusters, clusters_cap;
	const char **clusters;
	/* Without clusters a live one is read, by check only if live is set. */
	bool live;
	const char *kubeconfig, *context; /* NULL: as kubectl without them */
	int64_t request_timeout_ms;       /* 0: not given */
	const char *pod;                  /* NS/NAME or NAME, or NULL */
	sym namespace;        /* of pods to place, and of NAME; SYM_NONE: all */
	bool all_pending;     /* explain: all pods that wait, a line each */
	bool all_namespaces;  /* -A: NAME may be in any */
	const char *pod_file; /* or NULL */
	const char *template; /* explain: a file with a Node, or NULL */
	const char *like;     /* capacity: NS/NAME or NULL */
	const char *mix;      /* capacity: a file, or NULL */

	/* drain: the nodes' names, and how else they are chosen; check: the
	 * policies; diff: both files; why-not: the node; replay: files and
	 * folders */
	size_t nwords;
	char **words;
	const char *selector; /* of labels, or NULL */
	const char *zone;     /* or NULL */
	bool lost;            /* the nodes are gone */

	bool force;        /* defrag: move pods without a controller, too */
	int64_t max_moves; /* defrag */
	int64_t seeds;     /* diff; 0: not given */
	const char *from;  /* diff: "1.29", "FILE" or "FILE@1.29", or NULL */
	const char *until; /* likewise, --to */
	char *sides[2];    /* both of these as words */
	double time_limit; /* of searches, in seconds */

	/* tune */
	bool objective_is_given;
	enum objective objective;
	int64_t max_weight, rounds;
	bool pending_only; /* the pods without a node */
	const char *add;   /* names of priorities, or NULL */
	const char *write; /* check, tune, dump: a file, or NULL */

	const char *baseline; /* canary: its URL, or NULL */
	bool recreate;        /* canary */

	/* dump, canary, version, web */
	const char *daemon, *daemon_ca; /* its URL; a file; or NULL */
	const char *log;                /* a file, or NULL */
	const char *at;                 /* replay: how times begin, or NULL */
	bool client;                    /* the client's version alone */
	bool help, version;

	bool json;
	bool wide;            /* names in full, lines of any length */
	bool yaml;            /* as json, which is set, too */
	bool name;            /* names of pods or nodes, and nothing else */
	bool fix;             /* check: solve problems that have one solution */
	bool fail_on_warning; /* check: warnings are a negative result */
	bool verbose;         /* say what the answer rests on */
	bool all;             /* leave nothing out of tables */
	bool preempt;         /* simulate: evict */
	struct convert_target convert_to;
	int64_t port;   /* web: 0 is any that is free */
	int upgrade_to; /* check: a minor release, or 0 */
	uint64_t seed;
	sym scheduler_name;
	bool scheduler_is_given; /* --scheduler-name is */
	int kubernetes_minor; /* of --kubernetes-version, as cluster's; 0: none */
	struct policy_options policy_options;
	struct decode_settings settings; /* of objects that are decoded */
	struct screen screen;            /* where results go: standard output */
};

enum options_outcome {
	OPTIONS_RUN,
	OPTIONS_HELP,
	OPTIONS_VERSION,
	OPTIONS_WRONG, /* standard error has the reason */
};

void options_init(struct options *options, const char *program);
void options_fini(struct options *options);

/* Permutes argv, whose strings *options then points into. */
enum options_outcome options_parse(struct options *options, int argc,
    char **argv);

/* The same for a question of a page: options->command and the words are there; each
 * option is set, value a text that outlives *options, and then the whole is checked. */
enum options_outcome options_set(struct options *options, const char *flag,
    const char *value);
enum options_outcome options_check(struct options *options);
bool options_command_parse(const char *name, enum command *out);

/* The live cluster's server and credentials are there, as kubectl looks. */
struct api_source options_api_source(const struct options *options);
/* Whether no policy or configuration is given: that of OpenShift's Scheduler object
 * in the cluster counts. */
bool options_follow_cluster(const struct options *options);

/* "-"; NULL is no path. */
bool options_is_stdin(const char *path);

/* Help about options->command, or about the program. */
void options_help(const struct options *options, FILE *out);

#endif
