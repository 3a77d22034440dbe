/*
 * The command line.  One table holds every option with its help text; getopt's
 * tables and --help are made from it.
 */
#include "config.h"

#include "ctl/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/complete.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/options_internal.h"
#include "model/limits.h"
#include "model/pod_requests.h"
#include "model/release.h"
#include "model/steering.h"
#include "whatif/defrag.h"

#define TIMEOUT_MAX_MS INT32_MAX /* 24 days */

#define ROUNDS_MOST 1000000
#define SECONDS_MOST 1e6 /* --time-limit */
#define ON(command) (1u << COMMAND_##command)
#define SEARCHES (ON(DEFRAG) | ON(TUNE))
#define WHAT_IF                                                                \
	(ON(CAPACITY) | ON(DRAIN) | ON(DIFF) | ON(AUDIT) | ON(WHY_NOT) |       \
	    SEARCHES)
#define TABLES (ON(EXPLAIN) | ON(SIMULATE) | WHAT_IF)
#define PLACING (TABLES | ON(WEB) | ON(BUNDLE))
#define LIVE (EVERYWHERE | ON(VERSION))
#define EVERYWHERE (ON(CHECK) | PLACING)
#define SHOWING (ON(CHECK) | TABLES | ON(REPLAY))
#define RULES (EVERYWHERE | ON(CONVERT) | ON(REPLAY))
#define DAEMON (ON(BUNDLE) | ON(VERSION) | ON(WEB))
#define ANY (~0u)

/* clang-format off */
static const struct option_row rows[] = {
	{ OPTION_POLICY, 0, "policy", "FILE",
	  (PLACING | ON(CONVERT) | ON(REPLAY)) & ~ON(DIFF),
	  "policy.cfg, or a ConfigMap manifest that holds one\n"
	  "(default: the default provider's rules)" },
	{ OPTION_CONFIG, 0, "config", "FILE", RULES & ~ON(DIFF),
	  "a KubeSchedulerConfiguration instead of a policy: each pod\n"
	  "is placed by the profile that its schedulerName names" },
	{ OPTION_POLICY_CONFIGMAP, 0, "policy-configmap", "NAME",
	  PLACING & ~ON(DIFF),
	  "the ConfigMap of the live cluster that holds the policy" },
	{ OPTION_POLICY_CONFIGMAP_NAMESPACE, 0, "policy-configmap-namespace",
	  "NS", PLACING & ~ON(DIFF),
	  "the namespace of that ConfigMap (default: kube-system)" },
	{ OPTION_TO, 0, "to", "v1beta1|v1beta2|v1beta3|v1", ON(CONVERT),
	  "the version of the KubeSchedulerConfiguration to write\n"
	  "(default: the newest of --kubernetes-version, or v1)" },
	{ OPTION_CLUSTER, 0, "cluster", "FILE", EVERYWHERE,
	  "output of 'kubectl get nodes,pods,... -A -o json' (or\n"
	  "yaml); '-' is standard input; may be repeated\n"
	  "(default: read the live cluster; check: none)" },
	{ OPTION_KUBECONFIG, 0, "kubeconfig", "FILE", LIVE,
	  "read the live cluster of this kubeconfig (default: as\n"
	  "kubectl: $KUBECONFIG, ~/.kube/config, in-cluster)" },
	{ OPTION_CONTEXT, 0, "context", "NAME", LIVE,
	  "the kubeconfig's context (default: the current one)" },
	{ OPTION_REQUEST_TIMEOUT, 0, "request-timeout", "DURATION", LIVE,
	  "how long to wait for one response of the API server, such\n"
	  "as 30s; 0: without limit (default: 1m)" },
	{ OPTION_POD, 0, "pod", "NS/NAME", ON(EXPLAIN) | ON(WHY_NOT),
	  "the pod of the cluster to explain, as without --pod\n"
	  "(default: the pending pod, if there is only one)" },
	{ OPTION_POD_FILE, 0, "pod-file", "FILE",
	  ON(EXPLAIN) | ON(CAPACITY) | ON(DEFRAG),
	  "the Pod in FILE, which is not in the cluster, or a\n"
	  "pod of the Deployment, StatefulSet, Job, ... in it" },
	{ OPTION_NAMESPACE, 'n', "namespace", "NS",
	  ON(EXPLAIN) | ON(SIMULATE) | ON(CAPACITY) | ON(WHY_NOT) |
	      ON(DEFRAG) | ON(BUNDLE),
	  "only the pending pods of this namespace; and the namespace of\n"
	  "a pod that is named without one (default: the context's, in\n"
	  "a dump default)" },
	{ OPTION_ALL_NAMESPACES, 'A', "all-namespaces", NULL,
	  ON(EXPLAIN) | ON(SIMULATE),
	  "the pods of all namespaces (the default of simulate); a pod\n"
	  "that is named without a namespace may be in any" },
	{ OPTION_LIKE, 0, "like", "NS/NAME", ON(CAPACITY),
	  "pods like this one of the cluster" },
	{ OPTION_MIX, 0, "mix", "FILE", ON(CAPACITY),
	  "a mix of pods of the cluster: lines 'NUMBER NS/NAME', in\n"
	  "proportion to the numbers" },
	{ OPTION_SELECTOR, 'l', "selector", "LABELS", ON(DRAIN),
	  "all nodes with these labels, 'key=value,...'" },
	{ OPTION_ZONE, 0, "zone", "ZONE", ON(DRAIN),
	  "all nodes of this zone" },
	{ OPTION_LOST, 0, "lost", NULL, ON(DRAIN),
	  "the nodes are gone at once: no budget is asked" },
	{ OPTION_FOR, 0, "for", "NS/NAME", ON(DEFRAG),
	  "the pending pod of the cluster to let in" },
	{ OPTION_FORCE, 0, "force", NULL, ON(DEFRAG),
	  "move pods without a controller, too" },
	{ OPTION_MAX_MOVES, 0, "max-moves", "N", ON(DEFRAG),
	  "the most moves of a plan, 1 to 100 (default: 10)" },
	{ OPTION_OBJECTIVE, 0, "objective", "NAME", ON(TUNE),
	  "packing, spread, zones or balance, see predicatectl(1)" },
	{ OPTION_PODS, 0, "pods", "all|pending", ON(TUNE),
	  "the pods to place in each simulation (default: all, those on\n"
	  "nodes from scratch)" },
	{ OPTION_MAX_WEIGHT, 0, "max-weight", "N", ON(TUNE),
	  "the highest weight to try, 1 to 100 (default: 10)" },
	{ OPTION_ROUNDS, 0, "rounds", "N", ON(TUNE),
	  "how often to search, from other weights (default: 3)" },
	{ OPTION_ADD, 0, "add", "NAME,...", ON(TUNE),
	  "priorities that may get a weight, too (default: those that\n"
	  "serve the objective)" },
	{ OPTION_WRITE, 0, "write", "FILE", ON(TUNE) | ON(BUNDLE),
	  "write the proposed policy or configuration there; bundle: the\n"
	  "archive (default: predicatectl-bundle-TIME.tar.gz)" },
	{ OPTION_DAEMON, 0, "daemon", "URL", DAEMON,
	  "ask predicated there, too: https://127.0.0.1:10259, or\n"
	  "http://127.0.0.1:10251 for its port without TLS;\n"
	  "web: its page" },
	{ OPTION_DAEMON_CA, 0, "daemon-ca", "FILE", DAEMON,
	  "authorities that must have signed the daemon's certificate;\n"
	  "without them it gets the kubeconfig's client certificate,\n"
	  "but never a token" },
	{ OPTION_LOG, 0, "log", "FILE", ON(BUNDLE),
	  "a log of predicated; its last 4 MiB; '-' is standard input" },
	{ OPTION_CLIENT, 0, "client", NULL, ON(VERSION),
	  "only the version of predicatectl" },
	{ OPTION_TIME_LIMIT, 0, "time-limit", "SECONDS", SEARCHES,
	  "print the best result so far after this time (default: 60)" },
	{ OPTION_PORT, 0, "port", "N", ON(WEB),
	  "the port on 127.0.0.1 (default: any that is free)" },
	{ OPTION_SEED, 0, "seed", "N", PLACING,
	  "selects among equally good nodes (default: 1)" },
	{ OPTION_PREEMPT, 0, "preempt", NULL, ON(SIMULATE),
	  "evict pods of lower priority if that helps" },
	{ OPTION_OUTPUT, 'o', "output", "FORMAT",
	  SHOWING | ON(VERSION),
	  "table (the default), wide (a table as wide as it is) or json;\n"
	  "yaml, but not of check and simulate; explain also name (the\n"
	  "nodes that fit, best first); version only json or yaml" },
	{ OPTION_FAIL_ON_WARNING, 0, "fail-on-warning", NULL, ON(CHECK),
	  "exit code 1 for warnings, too" },
	{ OPTION_ALL, 0, "all", NULL, SHOWING,
	  "show every row of long tables; check: say for every rule\n"
	  "whether it can matter on the cluster" },
	{ OPTION_SCHEDULER_NAME, 0, "scheduler-name", "NAME",
	  PLACING | ON(CONVERT) | ON(REPLAY),
	  "place the pending pods of this scheduler (default:\n"
	  "default-scheduler); with --config, use this profile for\n"
	  "pods whose schedulerName is that of no profile; convert\n"
	  "reads this profile or writes it" },
	{ OPTION_STRICT_POLICY, 0, "strict-policy", NULL, RULES,
	  "read or reject the policy exactly as Kubernetes 1.15 does" },
	{ OPTION_KOSMOS, 0, "kosmos", NULL, RULES,
	  "add the rules of Kosmos to the policy: LeafNodeDistribution,\n"
	  "LeafNodeTaintToleration, LeafNodeVolumeBinding" },
	{ OPTION_FEATURE_GATES, 0, "feature-gates", "A=true,B=false",
	  RULES, "the gates that change rules, see predicatectl(1)" },
	{ OPTION_POD_LIMITS, 0, "max-per-pod", "NAME=N,...", EVERYWHERE,
	  "the most that one pod may request, see predicated(8)" },
	{ OPTION_IGNORE_UNSUPPORTED, 0, "ignore-unsupported", "NAME,...",
	  EVERYWHERE, "place pods as if they did not have these fields, see\n"
	  "predicated(8)" },
	{ OPTION_KUBERNETES_VERSION, 0, "kubernetes-version", "1.N",
	  EVERYWHERE | ON(CONVERT),
	  "the API server's version, which decides the fields that count\n"
	  "(default: that of the oldest kubelet; without any: 1.15);\n"
	  "convert: the release of kube-scheduler to write for" },
	{ OPTION_COLOR, 0, "color", "auto|always|never", SHOWING,
	  "use colours in tables (default: on a terminal)" },
	{ OPTION_HELP, 'h', "help", NULL, ANY, "print this text" },
	{ OPTION_VERSION, 'V', "version", NULL, ANY,
	  "print the version" },
};

static const struct command_row commands[] = {
	[COMMAND_CHECK] = { "check", "[--cluster FILE | --context NAME] [--config FILE | POLICY...]",
	  "find every problem in policy files",
	  "Prints the problems of each policy on standard output, as\n"
	  "FILE:LINE:COLUMN: error|warning: sentence. A policy with errors is\n"
	  "refused: exit code 1. '-' is standard input. With a cluster, check\n"
	  "also warns of rules of a policy without effect on that cluster: labels\n"
	  "that no node has, priorities that change nothing, rules that are\n"
	  "missing." },
	[COMMAND_CONVERT] = { "convert",
	  "[FILE | --policy FILE | --config FILE] [--to VERSION]\n"
	  "           [--kubernetes-version 1.N] [--scheduler-name NAME]",
	  "a policy as KubeSchedulerConfiguration, and back",
	  "Prints the KubeSchedulerConfiguration that a policy amounts to, or the\n"
	  "policy that a profile amounts to. Comments say where each line comes\n"
	  "from. A rule that the other vocabulary does not have is in a comment\n"
	  "and on standard error, with the reason: exit code 1." },
	[COMMAND_EXPLAIN] = { "explain",
	  "[--cluster FILE] [--policy FILE | --config FILE]\n"
	  "           [NS/NAME | NAME -n NS | --pod-file FILE]",
	  "show which nodes a pod fits on, and why",
	  "Prints for every node whether the pod fits and its score, or why it\n"
	  "does not fit. For a pod that fits on no node (exit code 1) it prints\n"
	  "the nearest misses and the result of preemption. A pod that is already\n"
	  "on a node is removed from that node first." },
	[COMMAND_SIMULATE] = { "simulate",
	  "[--cluster FILE] [--policy FILE | --config FILE] [--seed N] [--preempt]",
	  "place every pending pod",
	  "Places the pending pods one after the other, in the order of the\n"
	  "scheduler's queue: priority, creation time, order of input. Exit\n"
	  "code 1 if pods are left pending." },
	[COMMAND_CAPACITY] = { "capacity",
	  "[--cluster FILE] [--policy FILE | --config FILE]\n"
	  "           --pod-file FILE | --like NS/NAME | --mix FILE",
	  "how many more pods fit, and which resource runs out",
	  "Places copies of the pod one after the other until none fits, and\n"
	  "prints how many each node takes and why it takes no more. Exit code 1\n"
	  "if none fits." },
	[COMMAND_DRAIN] = { "drain",
	  "[--cluster FILE] [--policy FILE | --config FILE]\n"
	  "           NODE... | -l LABELS | --zone ZONE",
	  "where the pods of nodes would go",
	  "Prints where each pod of the nodes would go if they were drained,\n"
	  "which fit nowhere and why, and which PodDisruptionBudgets block the\n"
	  "drain (they allow no eviction now) or slow it (they allow fewer than\n"
	  "there are pods). Pods of DaemonSets and mirror pods stay. Exit code 1\n"
	  "if a pod fits nowhere or cannot be evicted now." },
	[COMMAND_AUDIT] = { "audit",
	  "[--cluster FILE] [--policy FILE | --config FILE]",
	  "pods, nodes, budgets and rules that are wrong",
	  "Prints the pods that would not fit on their own node now, the nodes\n"
	  "whose pods request more than they have, the PodDisruptionBudgets that\n"
	  "block every drain, and the rules that make no difference on this\n"
	  "cluster. Exit code 1 if there is anything but such rules." },
	[COMMAND_WHY_NOT] = { "why-not",
	  "NODE --pod NS/NAME [--cluster FILE]\n"
	  "           [--policy FILE | --config FILE]",
	  "the changes that bring a pod to a node",
	  "Prints why the pod does not go to the node, the changes that it needs\n"
	  "to fit there, and the weights of priorities with which the node would\n"
	  "be preferred, each decided again. Exit code 1 unless it goes there\n"
	  "now." },
	[COMMAND_DEFRAG] = { "defrag",
	  "--for NS/NAME | --pod-file FILE\n"
	  "           [--cluster FILE] [--policy FILE | --config FILE]",
	  "the fewest moves that let a pod in",
	  "Prints the fewest moves of running pods to other nodes after which the\n"
	  "pod fits, in an order in which each is possible, and whether there may\n"
	  "be fewer. PodDisruptionBudgets are kept. Ctrl-C stops the search with\n"
	  "the best plan so far. Exit code 1 if none was found." },
	[COMMAND_TUNE] = { "tune",
	  "--objective NAME [--cluster FILE]\n"
	  "           [--policy FILE | --config FILE]",
	  "weights that place the pods better",
	  "Places all pods again and again with other weights of the priorities\n"
	  "and prints the best weights that it finds, with their effect beside\n"
	  "today's. Ctrl-C stops the search with the best so far. Exit code 1\n"
	  "if none are better than today's." },
	[COMMAND_WEB] = { "web",
	  "[DUMP... [--policy FILE | --config FILE] | --daemon URL]\n"
	  "           [--port N]",
	  "a page about the cluster, where policies can be tried",
	  "Prints the URL of a page on 127.0.0.1, and serves it until it is\n"
	  "interrupted. The page shows the nodes, the pending pods and why they\n"
	  "wait, the decision about any pod, and what another policy would change\n"
	  "on the whole cluster. Files that change are read again. With --daemon\n"
	  "it shows the queue and the decisions of a running predicated. Nothing\n"
	  "is written to the cluster." },
	[COMMAND_BUNDLE] = { "bundle",
	  "[--cluster FILE] [--policy FILE | --config FILE]\n"
	  "           [--daemon URL] [--log FILE] [--write FILE]",
	  "a bug report in one file, without secrets",
	  "Writes a bug report, and lists its contents and the data left out:\n"
	  "  CONTENTS.txt    the same list\n"
	  "  versions.json   of this program, its libraries and the servers\n"
	  "  policy.json     or configuration.json; check.txt: its problems\n"
	  "  cluster.json    of nodes, pods and other objects the fields that\n"
	  "                  decisions read, for --cluster\n"
	  "  explain/        why pods are pending, of at most 50\n"
	  "  events.json     the scheduler's about pods, of a live cluster\n"
	  "  daemon/         with --daemon: its health, metrics, configuration,\n"
	  "                  flags, status and last decisions\n"
	  "  log.txt         with --log: its last 4 MiB\n"
	  "Left out are credentials; tokens, passwords and private keys in\n"
	  "texts; Secrets and ConfigMaps, but for the policy; and the fields\n"
	  "of objects that decisions do not read, such as environment\n"
	  "variables, commands and most annotations. Names, labels and images\n"
	  "are inside. Exit code 1 if something that was asked for is missing." },
	[COMMAND_VERSION] = { "version",
	  "[--client] [--context NAME] [--daemon URL] [-o json|yaml]",
	  "the versions of this program and of the servers",
	  "Prints the version of predicatectl, of the API server if there is a\n"
	  "kubeconfig, and of the predicated of --daemon." },
	[COMMAND_COMPLETION] = { "completion", COMPLETE_SHELLS,
	  "the script with which a shell completes commands",
	  "Prints a script that completes the commands, options and values of\n"
	  "predicatectl in that shell. For bash: source <(predicatectl completion\n"
	  "bash); for fish: predicatectl completion fish | source." },
	[COMMAND_DIFF] = { "diff", "OLD NEW [--cluster FILE]",
	  "two policies or configurations on one cluster",
	  "Prints which running or pending pods another policy or configuration\n"
	  "would place elsewhere, and the rule that tips it, and how evenly the\n"
	  "nodes are used with either. Exit code 1 if a pod becomes\n"
	  "unschedulable." },
	[COMMAND_REPLAY] = { "replay",
	  "FILE|DIR... [--policy FILE | --config FILE]",
	  "decide again what the daemon recorded",
	  "Decides the decisions that predicated --record has written again, and\n"
	  "prints each that has another result than it was recorded with (exit\n"
	  "code 1). With --policy or --config it prints instead which pods these\n"
	  "would have placed elsewhere, and the rule that tips it; exit code 1 if\n"
	  "a pod becomes unschedulable." },
};
/* clang-format on */

void
options_init(struct options *options, const char *program)
{
	memset(options, 0, sizeof(*options));
	options->program = program;
	options->command = COMMAND_NONE;
	options->seed = 1;
	options->max_moves = DEFRAG_MOVES;
	options->time_limit = 60;
	options->max_weight = TUNE_WEIGHT;
	options->rounds = TUNE_ROUNDS;
	options->namespace = SYM_NONE;
	options->policy_namespace = "kube-system";
	options->scheduler_name = sym_intern("default-scheduler");
	options->policy_options.gates = gates_default;
	screen_init(&options->screen, stdout, SCREEN_COLOR_AUTO);
}

void
options_fini(struct options *options)
{
	free(options->clusters);
}

/* Complains, points to --help. */
static enum options_outcome __attribute__((format(printf, 2, 3)))
wrong(const struct options *options, const char *fmt, ...)
{
	bool named = options->command != COMMAND_NONE;
	va_list ap;

	if (fmt != NULL) {
		AUTOFREE char *text = NULL;

		va_start(ap, fmt);
		text = xvasprintf(fmt, ap);
		va_end(ap);
		ctl_say("%s", text);
	}
	fprintf(stderr, "Try '%s%s%s --help'.\n", options->program,
	    named ? " " : "", named ? commands[options->command].name : "");
	return OPTIONS_WRONG;
}

static bool
parse_seed(const char *text, uint64_t *seed)
{
	char *end;

	errno = 0;
	*seed = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && *end == '\0' && errno == 0;
}

/* A whole number of this range. */
static bool
parse_count(const char *text, uint64_t from, uint64_t to, uint32_t *count)
{
	uint64_t n;

	if (!parse_seed(text, &n) || n < from || n > to)
		return false;
	*count = (uint32_t)n;
	return true;
}

static bool
parse_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	return isdigit((unsigned char)*text) && *end == '\0' &&
	    *seconds <= SECONDS_MOST;
}

static bool
parse_objective(const char *text, struct options *o)
{
	int objective = objective_parse(text);

	if (objective < 0)
		return false;
	o->objective = (enum objective)objective;
	o->objective_is_given = true;
	return true;
}

static bool
parse_port(const char *text, int *port)
{
	char *end;
	long n = strtol(text, &end, 10);

	*port = (int)n;
	return isdigit((unsigned char)*text) && *end == '\0' && n <= 65535;
}

static bool
parse_color(const char *text, struct screen *screen)
{
	static const char *const names[] = {
		[SCREEN_COLOR_AUTO] = "auto",
		[SCREEN_COLOR_ALWAYS] = "always",
		[SCREEN_COLOR_NEVER] = "never",
	};

	for (size_t i = 0; i < LENGTH(names); i++) {
		if (strcmp(text, names[i]) == 0) {
			screen_init(screen, stdout, (enum screen_color)i);
			return true;
		}
	}
	return false;
}

const char *
options_output(enum command command, size_t i)
{
	static const struct {
		const char *name;
		unsigned commands;
	} formats[] = {
		{ "table", SHOWING },
		{ "wide", SHOWING },
		{ "yaml",
		    (SHOWING | ON(VERSION)) & ~(ON(CHECK) | ON(SIMULATE)) },
		{ "name", ON(EXPLAIN) },
		{ "json", SHOWING | ON(VERSION) },
	};

	for (size_t j = 0; j < LENGTH(formats); j++)
		if ((formats[j].commands & (1u << command)) && i-- == 0)
			return formats[j].name;
	return NULL;
}

static bool
parse_output(const char *text, struct options *o)
{
	const char *format;
	size_t i = 0;

	while ((format = options_output(o->command, i)) != NULL &&
	    strcmp(format, text) != 0)
		i++;
	o->yaml = strcmp(text, "yaml") == 0;
	o->json = o->yaml || strcmp(text, "json") == 0;
	o->wide = strcmp(text, "wide") == 0;
	o->name = strcmp(text, "name") == 0;
	return format != NULL;
}

/* "a, b and c" with last " and "; you own it. */
static char *
list_of(const char *const *names, size_t n, const char *last)
{
	struct text list = { 0 };

	for (size_t i = 0; i < n; i++) {
		text_put(&list, i == 0 ? "" : i + 1 < n ? ", " : last);
		text_put(&list, names[i]);
	}
	return text_take(&list);
}

/* "--output must be table, wide or json, not 'xml'". */
static enum options_outcome
wrong_output(const struct options *o, const char *text)
{
	const char *formats[8]; /* more than there are */
	AUTOFREE char *list = NULL;
	size_t n = 0;

	while ((formats[n] = options_output(o->command, n)) != NULL)
		n++;
	list = list_of(formats, n, " or ");
	return wrong(o, "--output must be %s, not '%s'", list, text);
}

/* As kubectl: a number alone is in seconds, 0 is without limit. */
static bool
parse_timeout(const char *text, int64_t *ms)
{
	AUTOFREE char *seconds = xasprintf("%ss", text);
	int64_t ns;

	if (duration_parse(text, &ns) != 0 && duration_parse(seconds, &ns) != 0)
		return false;
	*ms = ns > 0 ? (ns + 999999) / 1000000 : TIMEOUT_MAX_MS;
	if (*ms > TIMEOUT_MAX_MS)
		*ms = TIMEOUT_MAX_MS;
	return ns >= 0;
}

/* A gate of kube-scheduler that changes no rule is accepted, as by the daemon. */
static bool
warn_of_gate(void *arg, const char *name, bool known)
{
	if (known)
		ctl_say("--feature-gates: %s has no effect", name);
	return known;
}

/* OPTIONS_RUN: accepted, continue with the next one. */
static enum options_outcome
take(struct options *o, enum option_id id, const char *arg)
{
	struct pod_limits limits;
	struct err err;

	switch (id) {
	/* clang-format off */
	case OPTION_POLICY_CONFIGMAP: o->policy_configmap = arg; break;
	case OPTION_POLICY_CONFIGMAP_NAMESPACE: o->policy_namespace = arg; break;
	case OPTION_POD: o->pod = arg; break;
	case OPTION_POD_FILE: o->pod_file = arg; break;
	case OPTION_ALL_NAMESPACES: o->all_namespaces = true; break;
	case OPTION_LIKE: o->like = arg; break;
	case OPTION_MIX: o->mix = arg; break;
	case OPTION_SELECTOR: o->selector = arg; break;
	case OPTION_ZONE: o->zone = arg; break;
	case OPTION_LOST: o->lost = true; break;
	case OPTION_FOR: o->pod = arg; break;
	case OPTION_FORCE: o->force = true; break;
	case OPTION_ADD: o->add = arg; break;
	case OPTION_WRITE: o->write = arg; break;
	case OPTION_DAEMON_CA: o->daemon_ca = arg; break;
	case OPTION_LOG: o->log = arg; break;
	case OPTION_CLIENT: o->client = true; break;
	case OPTION_PREEMPT: o->preempt = true; break;
	case OPTION_FAIL_ON_WARNING: o->fail_on_warning = true; break;
	case OPTION_ALL: o->all = true; break;
	case OPTION_STRICT_POLICY: o->policy_options.strict = true; break;
	case OPTION_KOSMOS: o->policy_options.kosmos = true; break;
	/* clang-format on */
	case OPTION_POLICY:
		if (o->policy != NULL)
			return wrong(o, "--policy can be given only once");
		o->policy = arg;
		break;
	case OPTION_CONFIG:
		if (o->config != NULL)
			return wrong(o, "--config can be given only once");
		o->config = arg;
		break;
	case OPTION_TO:
		if (convert_target(arg, 0, &o->convert_to, &err) != 0)
			return wrong(o, "--to %s, not '%s'", err.text, arg);
		break;
	case OPTION_CLUSTER:
		vec_room(o->clusters, o->nclusters, &o->clusters_cap);
		o->clusters[o->nclusters++] = arg;
		break;
	case OPTION_KUBECONFIG:
		o->kubeconfig = arg;
		o->live = true;
		break;
	case OPTION_CONTEXT:
		o->context = arg;
		o->live = true;
		break;
	case OPTION_REQUEST_TIMEOUT:
		if (!parse_timeout(arg, &o->request_timeout_ms))
			return wrong(o,
			    "--request-timeout must be a duration such as 30s "
			    "or 2m, not '%s'",
			    arg);
		break;
	case OPTION_NAMESPACE:
		o->namespace = sym_intern(arg);
		break;
	case OPTION_MAX_MOVES:
		if (!parse_count(arg, 1, DEFRAG_MOVES_MOST, &o->max_moves))
			return wrong(o,
			    "--max-moves must be a number from 1 to %d, not "
			    "'%s'",
			    DEFRAG_MOVES_MOST, arg);
		break;
	case OPTION_OBJECTIVE:
		if (!parse_objective(arg, o))
			return wrong(o,
			    "--objective must be packing, spread, zones or "
			    "balance, not '%s'",
			    arg);
		break;
	case OPTION_PODS:
		o->pending_only = strcmp(arg, "pending") == 0;
		if (!o->pending_only && strcmp(arg, "all") != 0)
			return wrong(o,
			    "--pods must be all or pending, not "
			    "'%s'",
			    arg);
		break;
	case OPTION_MAX_WEIGHT:
		if (!parse_count(arg, 1, TUNE_WEIGHT_MOST, &o->max_weight))
			return wrong(o,
			    "--max-weight must be a number from 1 to %d, not "
			    "'%s'",
			    TUNE_WEIGHT_MOST, arg);
		break;
	case OPTION_ROUNDS:
		if (!parse_count(arg, 1, ROUNDS_MOST, &o->rounds))
			return wrong(o,
			    "--rounds must be a number from 1 to %d, not '%s'",
			    ROUNDS_MOST, arg);
		break;
	case OPTION_DAEMON:
		if (strncmp(arg, "https://", 8) != 0 &&
		    strncmp(arg, "http://", 7) != 0)
			return wrong(o,
			    "--daemon must be a URL such as "
			    "https://127.0.0.1:10259, not '%s'",
			    arg);
		o->daemon = arg;
		break;
	case OPTION_TIME_LIMIT:
		if (!parse_seconds(arg, &o->time_limit))
			return wrong(o,
			    "--time-limit must be a number of seconds, not "
			    "'%s'",
			    arg);
		break;
	case OPTION_PORT:
		if (!parse_port(arg, &o->port))
			return wrong(o,
			    "--port must be a whole number up to 65535, not "
			    "'%s'",
			    arg);
		break;
	case OPTION_SEED:
		if (!parse_seed(arg, &o->seed))
			return wrong(o,
			    "--seed must be a whole number, not "
			    "'%s'",
			    arg);
		break;
	case OPTION_OUTPUT:
		if (!parse_output(arg, o))
			return wrong_output(o, arg);
		break;
	case OPTION_SCHEDULER_NAME:
		o->scheduler_name = sym_intern(arg);
		o->scheduler_is_given = true;
		break;
	case OPTION_FEATURE_GATES:
		if (gates_parse(arg, &o->policy_options.gates, warn_of_gate,
			NULL, &err) != 0)
			return wrong(o, "--feature-gates: %s", err.text);
		pod_level_requests_set(o->policy_options.gates
					   .pod_level_resources,
		    o->policy_options.gates.pod_level_resources_in_place);
		break;
	case OPTION_POD_LIMITS:
		if (pod_limits_parse(arg, &limits, &err) != 0)
			return wrong(o, "--max-per-pod: %s", err.text);
		pod_limits_set(&limits);
		break;
	case OPTION_IGNORE_UNSUPPORTED:
		if (unsupported_parse(arg, &o->policy_options.ignored_fields,
			&err) != 0)
			return wrong(o, "--ignore-unsupported: %s", err.text);
		break;
	case OPTION_KUBERNETES_VERSION:
		o->kubernetes_minor = release_parse(arg);
		if (o->kubernetes_minor < 0)
			return wrong(o,
			    "--kubernetes-version must be such as "
			    "1.21 or v1.21.3, not '%s'",
			    arg);
		o->kubernetes_minor = release_of_rules(o->kubernetes_minor);
		break;
	case OPTION_COLOR:
		if (!parse_color(arg, &o->screen))
			return wrong(o,
			    "--color must be auto, always or never,"
			    " not '%s'",
			    arg);
		break;
	case OPTION_HELP:
		return OPTIONS_HELP;
	case OPTION_VERSION:
		return OPTIONS_VERSION;
	}
	return OPTIONS_RUN;
}

/* getopt's tables for the options of one command; letters needs two bytes for
 * each row and one more. */
static void
getopt_tables(unsigned command, struct option *longs, char *letters)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		if (!(rows[i].commands & command))
			continue;
		longs->name = rows[i].name;
		longs->has_arg =
		    rows[i].arg != NULL ? required_argument : no_argument;
		longs->flag = NULL;
		longs->val = (int)rows[i].id;
		longs++;
		if (rows[i].letter != 0) {
			*letters++ = rows[i].letter;
			if (rows[i].arg != NULL)
				*letters++ = ':';
		}
	}
	memset(longs, 0, sizeof(*longs));
	*letters = '\0';
}

static int
id_of(int got)
{
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (got == rows[i].letter)
			return (int)rows[i].id;
	return got;
}

/* The option in an argument such as --name=value, in *len bytes from the name. */
static const struct option_row *
row_of(const char *argument, size_t *len)
{
	const char *name = argument + strspn(argument, "-");

	*len = strcspn(name, "=");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		if (argument[1] != '-' && rows[i].letter != 0 &&
		    rows[i].letter == argument[1])
			return &rows[i];
		if (argument[1] == '-' && strlen(rows[i].name) == *len &&
		    strncmp(rows[i].name, name, *len) == 0)
			return &rows[i];
	}
	return NULL;
}

/* The commands of this set: "check, explain and simulate"; you own it. */
static char *
commands_of(unsigned set, const char *last)
{
	const char *names[LENGTH(commands)];
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(commands); i++)
		if (set & (1u << i))
			names[n++] = commands[i].name;
	return list_of(names, n, last);
}

/* After getopt's complaint about an argument: the option that was meant. */
static void
suggest_option(const struct options *options, const char *argument)
{
	const char *names[LENGTH(rows)], *best;
	const struct option_row *row;
	AUTOFREE char *list = NULL, *name = NULL;
	size_t len, n = 0;

	if (strncmp(argument, "--", 2) != 0)
		return;
	row = row_of(argument, &len);
	if (row != NULL && !(row->commands & (1u << options->command))) {
		list = commands_of(row->commands, " and ");
		ctl_say("--%s is an option of %s", row->name, list);
		return;
	}
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].commands & (1u << options->command))
			names[n++] = rows[i].name;
	name = xasprintf("%.*s", (int)len, argument + 2);
	best = row == NULL ? closest_name(name, names, n) : NULL;
	if (best != NULL)
		ctl_say("did you mean --%s?", best);
}

static enum options_outcome
wrong_option(const struct options *options, const char *argument)
{
	suggest_option(options, argument);
	return wrong(options, NULL);
}

/* argv[0] is the command; getopt puts it before its own complaints. */
static enum options_outcome
parse_options(struct options *options, int argc, char **argv)
{
	AUTOFREE char *title = xasprintf("predicatectl %s", argv[0]);
	struct option longs[LENGTH(rows) + 1];
	char letters[2 * LENGTH(rows) + 1];
	char *command_name = argv[0];
	enum options_outcome outcome = OPTIONS_RUN;
	int got;

	getopt_tables(1u << options->command, longs, letters);
	argv[0] = title;
	optind = 0; /* getopt starts from scratch */
	while (outcome == OPTIONS_RUN &&
	    (got = getopt_long(argc, argv, letters, longs, NULL)) != -1)
		outcome = got == '?' ?
		    wrong_option(options, argv[optind - 1]) :
		    take(options, (enum option_id)id_of(got), optarg);
	argv[0] = command_name;
	return outcome;
}

static bool
is_stdin(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

static unsigned
stdin_times(const struct options *o)
{
	unsigned times = 0;

	times += is_stdin(o->policy) + is_stdin(o->config) +
	    is_stdin(o->pod_file) + is_stdin(o->mix) + is_stdin(o->log);
	for (size_t i = 0; i < o->nclusters; i++)
		times += is_stdin(o->clusters[i]);
	for (size_t i = 0; i < o->npolicies; i++)
		times += is_stdin(o->policies[i]);
	return times;
}

static enum options_outcome
check_stdin(const struct options *o)
{
	if (stdin_times(o) > 1)
		return wrong(o, "standard input ('-') can be read only once");
	return OPTIONS_RUN;
}

/* web: the dumps, which need no --cluster. */
static void
take_clusters(struct options *o, int nwords, char **words)
{
	for (int i = 0; i < nwords; i++) {
		vec_room(o->clusters, o->nclusters, &o->clusters_cap);
		o->clusters[o->nclusters++] = words[i];
	}
}

/* The cluster: files or a live one. */
static enum options_outcome
check_cluster(const struct options *o)
{
	const struct api_source source = options_api_source(o);

	if (o->nclusters > 0 && o->live)
		return wrong(o,
		    "--cluster reads a dump, --kubeconfig and --context read a "
		    "live cluster: they are mutually exclusive");
	if (o->nclusters == 0 && o->command != COMMAND_CONVERT &&
	    o->command != COMMAND_CHECK && o->command != COMMAND_REPLAY &&
	    o->command != COMMAND_VERSION && !api_config_exists(&source))
		return wrong(o,
		    "--cluster is missing, and there is no kubeconfig for a "
		    "live cluster");
	return OPTIONS_RUN;
}

static enum options_outcome
check_policy(const struct options *o)
{
	if (o->policy_configmap != NULL && o->nclusters > 0)
		return wrong(o,
		    "--policy-configmap is an object of a live cluster, but "
		    "--cluster reads a dump");
	if (o->policy_configmap != NULL &&
	    (o->policy != NULL || o->config != NULL))
		return wrong(o,
		    "--policy-configmap, --policy and --config are mutually "
		    "exclusive");
	if (o->policy != NULL && o->config != NULL)
		return wrong(o, "--policy and --config are mutually exclusive");
	return OPTIONS_RUN;
}

struct api_source
options_api_source(const struct options *options)
{
	return (struct api_source){ .kubeconfig = options->kubeconfig,
		.context = options->context,
		.as_kubectl = true };
}

bool
options_follow_cluster(const struct options *options)
{
	return options->policy == NULL && options->config == NULL &&
	    options->policy_configmap == NULL;
}

/* web: credentials go to the daemon, so over TLS. */
static enum options_outcome
check_web_daemon(const struct options *o)
{
	if (o->daemon == NULL)
		return OPTIONS_RUN;
	if (strncmp(o->daemon, "https://", 8) != 0)
		return wrong(o,
		    "web --daemon must be https://HOST:PORT, not '%s'",
		    o->daemon);
	if (o->nclusters > 0 || o->policy != NULL || o->config != NULL ||
	    o->policy_configmap != NULL)
		return wrong(o,
		    "web --daemon is about a running predicated: it takes no "
		    "dump and no policy");
	return OPTIONS_RUN;
}

/* Rejects conflicting and missing options. */
static enum options_outcome
check_whole(struct options *o, int nwords, char **words)
{
	enum options_outcome outcome;
	struct err err;

	if (o->command == COMMAND_COMPLETION) {
		if (nwords != 1)
			return wrong(o, "name one shell: bash, zsh or fish");
		o->words = words;
		o->nwords = 1;
		return OPTIONS_RUN;
	}
	if (o->command == COMMAND_CHECK) {
		if (nwords == 0 && o->config == NULL)
			return wrong(o, "missing policy file");
		o->policies = words;
		o->npolicies = (size_t)nwords;
		outcome = check_cluster(o);
		return outcome != OPTIONS_RUN ? outcome : check_stdin(o);
	}
	if (o->command == COMMAND_EXPLAIN && nwords > 0) {
		if (o->pod != NULL || nwords > 1)
			return wrong(o,
			    "unexpected argument '%s'; explain takes one pod",
			    words[o->pod == NULL]);
		o->pod = words[0];
		nwords = 0;
	}
	if (o->command == COMMAND_CONVERT &&
	    convert_target(o->convert_to.version, o->kubernetes_minor,
		&o->convert_to, &err) != 0)
		return wrong(o, "%s", err.text);
	if (o->command == COMMAND_CONVERT && nwords == 1 && o->policy == NULL &&
	    o->config == NULL) {
		o->words = words;
		o->nwords = 1;
		nwords = 0;
	}
	if (o->command == COMMAND_DRAIN) {
		if ((nwords > 0) + (o->selector != NULL) + (o->zone != NULL) !=
		    1)
			return wrong(o,
			    "name nodes, or give --selector, or --zone");
		o->words = words;
		o->nwords = (size_t)nwords;
		nwords = 0;
	}
	if (o->command == COMMAND_WHY_NOT) {
		if (nwords != 1 || o->pod == NULL)
			return wrong(o, "name one node, and a pod with --pod");
		o->words = words;
		o->nwords = 1;
		nwords = 0;
	}
	if (o->command == COMMAND_WEB) {
		take_clusters(o, nwords, words);
		nwords = 0;
		if (stdin_times(o) > 0)
			return wrong(o,
			    "web reads its files again: none can be standard "
			    "input");
		outcome = check_web_daemon(o);
		if (outcome != OPTIONS_RUN)
			return outcome;
	}
	if (o->command == COMMAND_DIFF) {
		if (nwords != 2)
			return wrong(o, "name two files, OLD and NEW");
		o->words = words;
		o->nwords = 2;
		nwords = 0;
	}
	if (o->command == COMMAND_REPLAY) {
		if (nwords == 0)
			return wrong(o, "name files or directories of records");
		o->words = words;
		o->nwords = (size_t)nwords;
		nwords = 0;
	}
	if (o->command == COMMAND_CAPACITY &&
	    (o->pod_file != NULL) + (o->like != NULL) + (o->mix != NULL) != 1)
		return wrong(o, "give one of --pod-file, --like and --mix");
	if (o->command == COMMAND_TUNE) {
		if (!o->objective_is_given)
			return wrong(o, "--objective is missing");
	}
	if ((o->command == COMMAND_TUNE || o->command == COMMAND_BUNDLE) &&
	    (is_stdin(o->policy) || is_stdin(o->config)))
		return wrong(o,
		    "%s reads the policy twice: it cannot be standard input",
		    commands[o->command].name);
	if (o->command == COMMAND_DEFRAG &&
	    (o->pod_file != NULL) + (o->pod != NULL) != 1)
		return wrong(o, "give one of --for and --pod-file");
	if (nwords > 0)
		return wrong(o,
		    "unexpected argument '%s'; give files with "
		    "--policy and --cluster",
		    words[0]);
	if (o->wide)
		o->screen.width = 0;
	outcome = check_policy(o);
	if (outcome != OPTIONS_RUN)
		return outcome;
	outcome = check_cluster(o);
	if (outcome != OPTIONS_RUN)
		return outcome;
	if (o->pod != NULL && o->pod_file != NULL)
		return wrong(o, "--pod and --pod-file are mutually exclusive");
	if (o->namespace != SYM_NONE && o->all_namespaces)
		return wrong(o, "-n and -A are mutually exclusive");
	if (o->namespace != SYM_NONE && o->pod != NULL &&
	    strchr(o->pod, '/') != NULL)
		return wrong(o, "'%s' has a namespace; leave -n out", o->pod);
	return check_stdin(o);
}

bool
options_command_parse(const char *name, enum command *out)
{
	for (size_t i = 0; i < LENGTH(commands); i++) {
		if (strcmp(commands[i].name, name) == 0) {
			*out = (enum command)i;
			return true;
		}
	}
	return false;
}

static enum options_outcome
unknown_command(const struct options *options, const char *word)
{
	const char *names[LENGTH(commands)], *best;

	for (size_t i = 0; i < LENGTH(commands); i++)
		names[i] = commands[i].name;
	best = closest_name(word, names, LENGTH(names));
	return wrong(options, "unknown command '%s'%s%s%s", word,
	    best != NULL ? "; did you mean '" : "", best != NULL ? best : "",
	    best != NULL ? "'?" : "");
}

static enum options_outcome
missing_command(const struct options *options)
{
	AUTOFREE char *list = commands_of(ANY, " or ");

	return wrong(options, "missing command: %s", list);
}

/* "help" alone or with a command's name after it. */
static enum options_outcome
help_wanted(struct options *options, const char *name)
{
	if (name != NULL && !options_command_parse(name, &options->command))
		return unknown_command(options, name);
	return OPTIONS_HELP;
}

const struct option_row *
options_awaiting(const char *argument)
{
	const struct option_row *row;
	size_t len;

	if (argument[0] != '-' || argument[1] == '\0')
		return NULL;
	row = row_of(argument, &len);
	/* --name VALUE or -nVALUE */
	if (row == NULL || row->arg == NULL ||
	    (argument[1] == '-' ? strchr(argument, '=') != NULL :
				  argument[2] != '\0'))
		return NULL;
	return row;
}

const struct option_row *
options_row(size_t i)
{
	return i < LENGTH(rows) ? &rows[i] : NULL;
}

const struct command_row *
options_command(size_t i)
{
	return i < LENGTH(commands) ? &commands[i] : NULL;
}

/* Moves the command to argv[1], before the options that were given before it;
 * returns it, or NULL: there are only options. */
static const char *
command_first(int argc, char **argv)
{
	char *word;
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++)
		if (options_awaiting(argv[i]) != NULL)
			i++;
	if (i >= argc)
		return argc > 1 ? argv[1] : NULL;
	word = argv[i];
	memmove(argv + 2, argv + 1, (size_t)(i - 1) * sizeof(*argv));
	argv[1] = word;
	return word;
}

enum options_outcome
options_parse(struct options *options, int argc, char **argv)
{
	const char *word = command_first(argc, argv);
	enum options_outcome outcome;

	if (word == NULL)
		return missing_command(options);
	if (strcmp(word, "help") == 0)
		return help_wanted(options, argc > 2 ? argv[2] : NULL);
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return OPTIONS_HELP;
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
		return OPTIONS_VERSION;
	if (word[0] == '-')
		return missing_command(options);
	if (!options_command_parse(word, &options->command))
		return unknown_command(options, word);
	outcome = parse_options(options, argc - 1, argv + 1);
	if (outcome != OPTIONS_RUN)
		return outcome;
	return check_whole(options, argc - 1 - optind, argv + 1 + optind);
}

static void
help_option(const struct option_row *row, FILE *out)
{
	char head[64];
	int n = 0;

	if (row->letter != 0)
		n = snprintf(head, sizeof(head), "  -%c, ", row->letter);
	else
		n = snprintf(head, sizeof(head), "      ");
	snprintf(head + n, sizeof(head) - (size_t)n, "--%s%s%s", row->name,
	    row->arg != NULL ? " " : "", row->arg != NULL ? row->arg : "");
	if (strlen(head) > 28) {
		fprintf(out, "%s\n", head);
		head[0] = '\0';
	}
	fprintf(out, "%-30s", head);
	for (const char *p = row->help; *p != '\0'; p++) {
		fputc(*p, out);
		if (*p == '\n')
			fprintf(out, "%-30s", "");
	}
	fputc('\n', out);
}

static void
help_program(const struct options *options, FILE *out)
{
	fprintf(out,
	    "Usage: %s COMMAND [OPTION...]\n\n"
	    "Tests a scheduler policy (policy.cfg) on the objects of a "
	    "cluster: a live one, or what kubectl has saved.\n\nCommands:\n",
	    options->program);
	for (size_t i = 0; i < LENGTH(commands); i++)
		fprintf(out, "  %-12s%s\n", commands[i].name,
		    commands[i].summary);
	fprintf(out,
	    "\n'%s COMMAND --help' shows its options; see also the "
	    "manual page predicatectl(1).\n",
	    options->program);
}

void
options_help(const struct options *options, FILE *out)
{
	const struct command_row *command;

	if (options->command == COMMAND_NONE) {
		help_program(options, out);
		return;
	}
	command = &commands[options->command];
	fprintf(out, "Usage: %s %s %s\n\n%s\n\nOptions:\n", options->program,
	    command->name, command->synopsis, command->text);
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].commands & (1u << options->command))
			help_option(&rows[i], out);
	fprintf(out,
	    "\nExit codes: 0 success; 1 a negative result; 2 wrong "
	    "usage; 3 unreadable input.\n");
}
