/*
 * The command line: the tables of commands and options, which options/engine.h reads,
 * and what is wrong with options that are given together.
 */
#include "config.h"

#include "tool/commands/options.h"

#include <sys/stat.h>

#include "base/complete.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options_internal.h"
#include "objects/limits.h"
#include "objects/release.h"
#include "objects/steering.h"
#include "explain/whatif/defrag.h"
#include "priorities/registry.h"

#define TIMEOUT_MAX_MS INT32_MAX /* 24 days */

#define ON(command) (1u << COMMAND_##command)
#define SEARCHES (ON(DEFRAG) | ON(TUNE))
#define WHAT_IF                                                                \
	(ON(CAPACITY) | ON(DRAIN) | ON(DIFF) | ON(AUDIT) | ON(WHY_NOT) |       \
	    SEARCHES)
#define TABLES (ON(EXPLAIN) | ON(SIMULATE) | WHAT_IF)
#define PLACING (TABLES | ON(WEB))
#define LIVE (EVERYWHERE | ON(VERSION) | ON(DUMP) | ON(CANARY))
#define EVERYWHERE (ON(CHECK) | PLACING)
#define SHOWING (ON(CHECK) | TABLES | ON(REPLAY) | ON(CANARY))
#define LISTING (TABLES & ~(ON(TUNE) | ON(WHY_NOT)))
#define RULES (EVERYWHERE | ON(CONVERT) | ON(REPLAY) | ON(DUMP))
#define DAEMON (ON(DUMP) | ON(CANARY) | ON(VERSION) | ON(WEB))

#define AT(member) offsetof(struct options, member)
#define UNEXPECTED                                                             \
	"unexpected argument '%s'; give files with --policy and --cluster"
#define ANY_WORDS INT32_MAX

/* ---- the tables ---- */

/* clang-format off */
static const struct option_row ctl_rows[] = {
	{ "policy", 0, "FILE", RULES & ~(ON(CHECK) | ON(DIFF)),
	  OPTION_STRING, AT(policy), .once = true,
	  .help = "policy.cfg, or a ConfigMap manifest that holds one\n"
	  "(default: the default provider's rules)" },
	{ "config", 0, "FILE", RULES & ~ON(DIFF), OPTION_STRING, AT(config), .once = true,
	  .help = "a KubeSchedulerConfiguration instead of a policy: each pod\n"
	  "is placed by the profile that its schedulerName names" },
	{ "policy-configmap", 0, "NAME", (PLACING | ON(DUMP)) & ~ON(DIFF),
	  OPTION_STRING, AT(policy_configmap),
	  .help = "the ConfigMap of the live cluster that holds the policy" },
	{ "policy-configmap-namespace", 0, "NS",
	  (PLACING | ON(DUMP)) & ~ON(DIFF),
	  OPTION_STRING, AT(policy_namespace),
	  .help = "the namespace of that ConfigMap (default: kube-system)" },
	{ "to", 0, "v1beta1|v1beta2|v1beta3|v1", ON(CONVERT), CTL_TARGET, 0,
	  .help = "the version of the KubeSchedulerConfiguration to write\n"
	  "(default: the newest of --kubernetes-version, or v1)" },
	{ "cluster", 0, "FILE", EVERYWHERE | ON(DUMP), CTL_CLUSTER, 0,
	  .help = "output of 'kubectl get nodes,pods,... -A -o json' (or\n"
	  "yaml) or of 'kubectl cluster-info dump'; '-' is standard\n"
	  "input; or a folder of that, of must-gather or of 'oc adm\n"
	  "inspect'; may be repeated\n"
	  "(default: read the live cluster; check: none)" },
	{ "kubeconfig", 0, "FILE", LIVE, OPTION_STRING, AT(kubeconfig),
	  .help = "read the live cluster of this kubeconfig (default: as\n"
	  "kubectl: $KUBECONFIG, ~/.kube/config, in-cluster)" },
	{ "context", 0, "NAME", LIVE, OPTION_STRING, AT(context),
	  .help = "the kubeconfig's context (default: the current one)" },
	{ "request-timeout", 0, "DURATION", LIVE,
	  CTL_TIMEOUT, AT(request_timeout_ms),
	  .help = "how long to wait for one response of the API server, such\n"
	  "as 30s; 0: without limit (default: 1m)",
	  .must = "a duration such as 30s or 2m" },
	{ "pod", 0, "NS/NAME", ON(EXPLAIN) | ON(WHY_NOT), OPTION_STRING, AT(pod),
	  .help = "the pod of the cluster to explain, as without --pod\n"
	  "(default: the pending pod, if there is only one)" },
	{ "pod-file", 0, "FILE", ON(EXPLAIN) | ON(CAPACITY) | ON(DEFRAG),
	  OPTION_STRING, AT(pod_file),
	  .help = "the Pod in FILE, which is not in the cluster, or a\n"
	  "pod of the Deployment, StatefulSet, Job, ... in it" },
	{ "template", 0, "FILE", ON(EXPLAIN), OPTION_STRING, AT(template),
	  .help = "the Node in FILE, like which more are proposed (default: nodes\n"
	  "that are there)" },
	{ "namespace", 'n', "NS",
	  ON(EXPLAIN) | ON(SIMULATE) | ON(CAPACITY) | ON(WHY_NOT) |
	      ON(DEFRAG), CTL_NAMESPACE, AT(namespace),
	  .help = "only the pending pods of this namespace; and the namespace of\n"
	  "a pod that is named without one (default: the context's, in\n"
	  "a dump default)" },
	{ "all-namespaces", 'A', NULL, ON(EXPLAIN) | ON(SIMULATE),
	  OPTION_BOOL, AT(all_namespaces),
	  .help = "the pods of all namespaces (the default of simulate); a pod\n"
	  "that is named without a namespace may be in any" },
	{ "like", 0, "NS/NAME", ON(CAPACITY), OPTION_STRING, AT(like),
	  .help = "pods like this one of the cluster" },
	{ "mix", 0, "FILE", ON(CAPACITY), OPTION_STRING, AT(mix),
	  .help = "a mix of pods of the cluster: lines 'NUMBER NS/NAME', in\n"
	  "proportion to the numbers" },
	{ "selector", 'l', "SELECTOR", ON(DRAIN) | ON(EXPLAIN), OPTION_STRING,
	  AT(selector),
	  .help = "drain: all nodes with these labels; explain: all pending pods\n"
	  "with them, a line each; 'a=b,c!=d,e in (f,g),h,!i'" },
	{ "all-pending", 0, NULL, ON(EXPLAIN), OPTION_BOOL, AT(all_pending),
	  .help = "all pending pods, a line each: cause and remedy" },
	{ "at", 0, "TIME", ON(REPLAY), OPTION_STRING, AT(at),
	  .help = "only the decisions of this time, or of the second, minute or\n"
	  "day that it begins: 2026-11-22T18:00" },
	{ "zone", 0, "ZONE", ON(DRAIN), OPTION_STRING, AT(zone),
	  .help = "all nodes of this zone" },
	{ "lost", 0, NULL, ON(DRAIN), OPTION_BOOL, AT(lost),
	  .help = "the nodes are gone at once: no budget is asked" },
	{ "for", 0, "NS/NAME", ON(DEFRAG), OPTION_STRING, AT(pod),
	  .help = "the pending pod of the cluster to let in" },
	{ "force", 0, NULL, ON(DEFRAG), OPTION_BOOL, AT(force),
	  .help = "move pods without a controller, too" },
	{ "max-moves", 0, "N", ON(DEFRAG), OPTION_COUNT, AT(max_moves),
	  .help = "the most moves of a plan, 1 to 100 (default: 10)",
	  .least = 1, .most = DEFRAG_MOVES_MOST },
	{ "objective", 0, "NAME", ON(TUNE), CTL_OBJECTIVE, 0,
	  .help = "packing, spread, zones or balance, see predicatectl(1)",
	  .choices = "packing|spread|zones|balance" },
	{ "pods", 0, "all|pending", ON(TUNE), CTL_PODS, 0,
	  .help = "the pods to place in each simulation (default: all, those on\n"
	  "nodes from scratch)" },
	{ "max-weight", 0, "N", ON(TUNE), OPTION_COUNT, AT(max_weight),
	  .help = "the highest weight to try, 1 to 100 (default: 10)",
	  .least = 1, .most = TUNE_WEIGHT_MOST },
	{ "rounds", 0, "N", ON(TUNE), OPTION_COUNT, AT(rounds),
	  .help = "how often to search, from other weights (default: 3)",
	  .least = 1, .most = 1000000 },
	{ "add", 0, "NAME,...", ON(TUNE), OPTION_STRING, AT(add),
	  .help = "priorities that may get a weight, too (default: those that\n"
	  "serve the objective)" },
	{ "write", 0, "FILE", ON(CHECK) | ON(TUNE) | ON(DUMP),
	  OPTION_STRING, AT(write),
	  .help = "write the proposed policy or configuration there; check: the\n"
	  "mended one, into a new file or the one that is checked\n"
	  "(default: standard output); dump: the objects (likewise)" },
	{ "daemon", 0, "URL", DAEMON, CTL_DAEMON, 0,
	  .help = "ask predicated there, too: https://127.0.0.1:10259, or\n"
	  "http://127.0.0.1:10251 for its port without TLS;\n"
	  "web: its page",
	  .must = "a URL such as https://127.0.0.1:10259" },
	{ "daemon-ca", 0, "FILE", DAEMON, OPTION_STRING, AT(daemon_ca),
	  .help = "authorities that must have signed the daemon's certificate;\n"
	  "without them it gets the kubeconfig's client certificate,\n"
	  "but never a token" },
	{ "baseline", 0, "URL", ON(CANARY), OPTION_STRING, AT(baseline),
	  .help = "the other scheduler's metrics, such as\n"
	  "https://127.0.0.1:10259; asked as the daemon is" },
	{ "recreate", 0, NULL, ON(CANARY), OPTION_BOOL, AT(recreate),
	  .help = "rollback: delete the pods of ours that wait and have a\n"
	  "controller, which makes others" },
	{ "log", 0, "FILE", ON(DUMP), OPTION_STRING, AT(log),
	  .help = "a log of predicated; its last 4 MiB; '-' is standard input" },
	{ "client", 0, NULL, ON(VERSION), OPTION_BOOL, AT(client),
	  .help = "only the version of predicatectl" },
	{ "time-limit", 0, "SECONDS", SEARCHES, OPTION_REAL, AT(time_limit),
	  .help = "print the best result so far after this time (default: 60)",
	  .must = "a number of seconds", .most = 1000000 },
	{ "port", 0, "N", ON(WEB), OPTION_PORT, AT(port),
	  .help = "the port on 127.0.0.1 (default: any that is free)",
	  .must = "a whole number up to 65535" },
	{ "seed", 0, "N", PLACING, OPTION_SEED, AT(seed),
	  .help = "selects among equally good nodes (default: 1)",
	  .must = "a whole number", .most = UINT64_MAX },
	{ "from", 0, "FILE@1.N", ON(DIFF), OPTION_STRING, AT(from),
	  .help = "OLD: a file as that release reads it; 1.N alone: the defaults\n"
	  "of that release; FILE alone: as the cluster's" },
	{ "to", 0, "FILE@1.N", ON(DIFF), OPTION_STRING, AT(until),
	  .help = "NEW, likewise" },
	{ "seeds", 0, "N", ON(DIFF), OPTION_COUNT, AT(seeds),
	  .help = "with how many seeds to count what moves by chance, 1 to 100\n"
	  "(default: 3; of large clusters 1)",
	  .least = 1, .most = 100 },
	{ "preempt", 0, NULL, ON(SIMULATE), OPTION_BOOL, AT(preempt),
	  .help = "evict pods of lower priority if that helps" },
#define OUTPUT(commands, formats)                                              \
	{ "output", 'o', "FORMAT", commands, CTL_OUTPUT, 0,                    \
	  .help = "table (the default), wide (a table as wide as it is), json,\n" \
	  "yaml or name (of pods or nodes, as pod/NS/NAME, a line each;\n"     \
	  "explain: the nodes that fit, best first)",                          \
	  .choices = formats }
	OUTPUT(LISTING, "table|wide|yaml|name|json"),
	OUTPUT(SHOWING & ~LISTING, "table|wide|yaml|json"),
	OUTPUT(ON(VERSION), "yaml|json"),
	{ "fix", 0, NULL, ON(CHECK), OPTION_BOOL, AT(fix),
	  .help = "print the file with all problems solved that have only one\n"
	  "solution, and list these problems on standard error" },
	{ "fail-on-warning", 0, NULL, ON(CHECK),
	  OPTION_BOOL, AT(fail_on_warning),
	  .help = "exit code 1 for warnings, too" },
	{ "all", 0, NULL, SHOWING, OPTION_BOOL, AT(all),
	  .help = "show every row of long tables; check: say for every rule\n"
	  "whether it can matter on the cluster" },
	{ "scheduler-name", 0, "NAME", PLACING | ON(CONVERT) | ON(REPLAY) |
	      ON(CANARY), CTL_SCHEDULER, 0,
	  .help = "place the pending pods of this scheduler (default:\n"
	  "default-scheduler); with --config, use this profile for\n"
	  "pods whose schedulerName is that of no profile; convert\n"
	  "reads this profile or writes it; canary: the pods of ours\n"
	  "(default: predicated)" },
	{ "strict-policy", 0, NULL, RULES,
	  OPTION_BOOL, AT(policy_options.strict),
	  .help = "read or reject the policy exactly as Kubernetes 1.15 does" },
	{ "kosmos", 0, NULL, RULES, OPTION_BOOL, AT(policy_options.kosmos),
	  .help = "add the rules of Kosmos to the policy: LeafNodeDistribution,\n"
	  "LeafNodeTaintToleration, LeafNodeVolumeBinding" },
	{ "feature-gates", 0, "A=true,B=false", RULES, CTL_GATES, 0,
	  .help = "the gates that change rules, see predicatectl(1)" },
	{ "max-per-pod", 0, "NAME=N,...", EVERYWHERE, CTL_POD_LIMITS, 0,
	  .help = "the most that one pod may request, see predicated(8)" },
	{ "ignore-unsupported", 0, "NAME,...", EVERYWHERE, CTL_IGNORED, 0,
	  .help = "place pods as if they did not have these fields, see\n"
	  "predicated(8)" },
	{ "kubernetes-version", 0, "1.N", EVERYWHERE | ON(CONVERT),
	  CTL_RELEASE, 0,
	  .help = "the API server's version, which decides the fields that count\n"
	  "(default: that of the oldest kubelet; without any: 1.15);\n"
	  "convert: the release of kube-scheduler to write for",
	  .must = "such as 1.21 or v1.21.3" },
	{ "upgrade-to", 0, "1.N", ON(CHECK), CTL_UPGRADE, 0,
	  .help = "say what changes for the file if Kubernetes is upgraded to this\n"
	  "release, from --kubernetes-version or the cluster's (default:\n"
	  "the first release that reads the file)",
	  .must = "a release from 1.16 to 1.36" },
	{ "verbose", 'v', NULL, EVERYWHERE, OPTION_BOOL, AT(verbose),
	  .help = "say whose rules count also where that is no guess" },
	{ "color", 0, "auto|always|never", SHOWING, CTL_COLOR, 0,
	  .help = "use colours in tables (default: on a terminal)" },
	{ "help", 'h', NULL, OPTION_ANY, OPTION_BOOL, AT(help),
	  .help = "print this text" },
	{ "version", 'V', NULL, OPTION_ANY, OPTION_BOOL, AT(version),
	  .help = "print the version" },
};

const struct command_row ctl_commands[] = {
	[COMMAND_CHECK] = { "check", "[--cluster FILE | --context NAME] [--config FILE | POLICY...]\n"
	  "           [--upgrade-to 1.N] [--fix [--write FILE]]",
	  "find every problem in policy files",
	  .text = "Prints the problems of each policy on standard output, as\n"
	  "FILE:LINE:COLUMN: error|warning: sentence. A policy with errors is\n"
	  "refused: exit code 1. '-' is standard input. With a cluster, check\n"
	  "also warns of rules of a policy without effect on that cluster: labels\n"
	  "that no node has, priorities that change nothing, rules that are\n"
	  "missing.",
	  .least = 1, .most = ANY_WORDS,
	  .missing = "missing policy file" },
	[COMMAND_CONVERT] = { "convert",
	  "[FILE | --policy FILE | --config FILE] [--to VERSION]\n"
	  "           [--kubernetes-version 1.N] [--scheduler-name NAME]",
	  "a policy as KubeSchedulerConfiguration, and back",
	  .text = "Prints the KubeSchedulerConfiguration that a policy amounts to, or the\n"
	  "policy that a profile amounts to. Comments say where each line comes\n"
	  "from. A rule that the other vocabulary does not have is in a comment\n"
	  "and on standard error, with the reason: exit code 1.",
	  .least = 0, .most = 1 },
	[COMMAND_EXPLAIN] = { "explain",
	  "[NS/NAME | NAME -n NS | --pod-file FILE | -l SELECTOR |\n"
	  "           --all-pending] [--cluster FILE | FILE...]\n"
	  "           [--policy FILE | --config FILE]",
	  "show which nodes a pod fits on, and why",
	  .text = "Prints for every node whether the pod fits and its score, or why it\n"
	  "does not fit. For a pod that fits on no node (exit code 1) it prints\n"
	  "the nearest misses and the result of preemption. A pod that is already\n"
	  "on a node is removed from that node first. Of several pods (-l,\n"
	  "--all-pending) it prints a line each: cause and remedy.",
	  .least = 0, .most = 1 },
	[COMMAND_SIMULATE] = { "simulate",
	  "[--cluster FILE] [--policy FILE | --config FILE] [--seed N] [--preempt]",
	  "place every pending pod",
	  .text = "Places the pending pods one after the other, in the order of the\n"
	  "scheduler's queue: priority, creation time, name. Exit\n"
	  "code 1 if pods are left pending." },
	[COMMAND_CAPACITY] = { "capacity",
	  "NS/NAME | --pod-file FILE | --mix FILE\n"
	  "           [--cluster FILE | FILE...] [--policy FILE | --config FILE]",
	  "how many more pods fit, and which resource runs out",
	  .text = "Places copies of the pod one after the other until none fits, and\n"
	  "prints how many each node takes and why it takes no more. Exit code 1\n"
	  "if none fits.",
	  .most = 1 },
	[COMMAND_DRAIN] = { "drain",
	  "[--cluster FILE] [--policy FILE | --config FILE]\n"
	  "           NODE... | -l LABELS | --zone ZONE",
	  "where the pods of nodes would go",
	  .text = "Prints where each pod of the nodes would go if they were drained,\n"
	  "which fit nowhere and why, and which PodDisruptionBudgets block the\n"
	  "drain (they allow no eviction now) or slow it (they allow fewer than\n"
	  "there are pods). Pods of DaemonSets and mirror pods stay. Exit code 1\n"
	  "if a pod fits nowhere or cannot be evicted now.",
	  .least = 0, .most = ANY_WORDS },
	[COMMAND_AUDIT] = { "audit",
	  "[--cluster FILE] [--policy FILE | --config FILE]",
	  "pods, nodes, budgets and rules that are wrong",
	  .text = "Prints the pods that would not fit on their own node now, the nodes\n"
	  "whose pods request more than they have, the PodDisruptionBudgets that\n"
	  "block every drain, and the rules that make no difference on this\n"
	  "cluster. Exit code 1 if there is anything but such rules." },
	[COMMAND_WHY_NOT] = { "why-not",
	  "NODE NS/NAME [--cluster FILE | FILE...]\n"
	  "           [--policy FILE | --config FILE]",
	  "the changes that bring a pod to a node",
	  .text = "Prints why the pod does not go to the node, the changes that it needs\n"
	  "to fit there, and the weights of priorities with which the node would\n"
	  "be preferred, each decided again. Exit code 1 unless it goes there\n"
	  "now.",
	  .least = 1, .most = 2,
	  .missing = "name one node and a pod" },
	[COMMAND_DEFRAG] = { "defrag",
	  "NS/NAME | --pod-file FILE\n"
	  "           [--cluster FILE | FILE...] [--policy FILE | --config FILE]",
	  "the fewest moves that let a pod in",
	  .text = "Prints the fewest moves of running pods to other nodes after which the\n"
	  "pod fits, in an order in which each is possible, and whether there may\n"
	  "be fewer. PodDisruptionBudgets are kept. Ctrl-C stops the search with\n"
	  "the best plan so far. Exit code 1 if none was found.",
	  .most = 1 },
	[COMMAND_TUNE] = { "tune",
	  "--objective NAME [--cluster FILE]\n"
	  "           [--policy FILE | --config FILE]",
	  "weights that place the pods better",
	  .text = "Places all pods again and again with other weights of the priorities\n"
	  "and prints the best weights that it finds, with their effect beside\n"
	  "today's. Ctrl-C stops the search with the best so far. Exit code 1\n"
	  "if none are better than today's." },
	[COMMAND_WEB] = { "web",
	  "[DUMP... [--policy FILE | --config FILE] | --daemon URL]\n"
	  "           [--port N]",
	  "a page about the cluster, where policies can be tried",
	  .text = "Prints the URL of a page on 127.0.0.1, and serves it until it is\n"
	  "interrupted. The page shows the nodes, the pending pods and why they\n"
	  "wait, the decision about any pod, and what another policy would change\n"
	  "on the whole cluster. Files that change are read again. With --daemon\n"
	  "it shows the queue and the decisions of a running predicated. Nothing\n"
	  "is written to the cluster.",
	  .least = 0, .most = ANY_WORDS },
	[COMMAND_DUMP] = { "dump",
	  "[--context NAME | --cluster FILE | FILE...] [--write FILE]\n"
	  "           [--policy FILE | --config FILE] [--daemon URL] [--log FILE]",
	  "a cluster as a file for --cluster, or for a bug report",
	  .text = "Writes the nodes, pods and other objects of a live cluster, or of\n"
	  "dumps, as one List in JSON that --cluster reads. Of each it has only\n"
	  "the fields that decisions read: no environment variables, commands,\n"
	  "Secrets or ConfigMaps.\n"
	  "\n"
	  "With --policy, --config, --daemon or --log it is a bug report: the\n"
	  "List's member 'report' has the versions of the programs, the policy\n"
	  "without certificates and passwords of extenders, the status, options,\n"
	  "metrics and last decisions of the daemon, and the log as it is. Read\n"
	  "the log before you pass it on. Exit code 1 if something that was asked\n"
	  "for is missing." },
	[COMMAND_VERSION] = { "version",
	  "[--client] [--context NAME] [--daemon URL] [-o json|yaml]",
	  "the versions of this program and of the servers",
	  .text = "Prints the version of predicatectl, of the API server if there is a\n"
	  "kubeconfig, and of the predicated of --daemon." },
	[COMMAND_CANARY] = { "canary",
	  "status [--daemon URL] [--baseline URL] | rollback [--recreate]",
	  "a part of the pods for predicated, and back",
	  .text = "status prints the pods of predicated and of the default scheduler, how\n"
	  "long they waited, and with --daemon the decisions of the latter that\n"
	  "predicated would have made differently, by cause. rollback deletes the\n"
	  "admission policy that gives pods to predicated, which need not run, and\n"
	  "names the pods that wait for it (exit code 1). It is the only command\n"
	  "that writes to the cluster.",
	  .least = 1, .most = 1,
	  .missing = "say status or rollback" },
	[COMMAND_COMPLETION] = { "completion", COMPLETE_SHELLS,
	  "the script with which a shell completes commands",
	  .text = "Prints a script that completes the commands, options and values of\n"
	  "predicatectl in that shell. For bash: source <(predicatectl completion\n"
	  "bash); for fish: predicatectl completion fish | source.",
	  .least = 1, .most = 1,
	  .missing = "name one shell: bash, zsh or fish" },
	[COMMAND_DIFF] = { "diff",
	  "OLD NEW | --from OLD --to NEW [--cluster FILE]",
	  "two policies, configurations or releases on one cluster",
	  .text = "Prints which running or pending pods another policy or configuration\n"
	  "would place elsewhere, the rule that tips each, which ones only follow\n"
	  "others, and how evenly the nodes are used with either. OLD and NEW are\n"
	  "files, FILE@1.N as release 1.N of Kubernetes reads it, or 1.N for its\n"
	  "defaults; between two releases the changes of rules are listed, too.\n"
	  "Exit code 1 if a pod becomes unschedulable.",
	  .least = 2, .most = 2,
	  .missing = "name two files, OLD and NEW" },
	[COMMAND_REPLAY] = { "replay",
	  "FILE|DIR... [--policy FILE | --config FILE]",
	  "decide again what the daemon recorded",
	  .text = "Decides the decisions that predicated --record has written again, and\n"
	  "prints each that has another result than it was recorded with (exit\n"
	  "code 1). With --policy or --config it prints instead which pods these\n"
	  "would have placed elsewhere, and the rule that tips it; exit code 1 if\n"
	  "a pod becomes unschedulable.",
	  .least = 1, .most = ANY_WORDS,
	  .missing = "name files or directories of records" },
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
	options->policy_options.without_extenders = true;
	options->settings = decode_defaults;
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
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	ctl_print("%s", text);
	fprintf(ctl_messages(), "Try '%s%s%s --help'.\n", options->program,
	    named ? " " : "", named ? ctl_commands[options->command].name : "");
	return OPTIONS_WRONG;
}

/* ---- values ---- */

/* As kubectl: a number alone is in seconds, 0 is without limit. */
static int
parse_timeout(const char *text, int64_t *ms)
{
	AUTOFREE char *seconds = xasprintf("%ss", text);

	if ((option_duration_parse(text, ms, NULL) != 0 &&
		option_duration_parse(seconds, ms, NULL) != 0) ||
	    *ms < 0)
		return -1;
	if (*ms == 0 || *ms > TIMEOUT_MAX_MS)
		*ms = TIMEOUT_MAX_MS;
	return 0;
}

/* A gate of kube-scheduler that changes no rule is accepted, as by the daemon. */
static bool
warn_of_gate(void *arg, const char *name, bool known)
{
	if (known)
		ctl_print("--feature-gates: %s has no effect", name);
	return known;
}

static void
add_cluster(struct options *o, const char *dump)
{
	vec_room(o->clusters, o->nclusters, &o->clusters_cap);
	o->clusters[o->nclusters++] = dump;
}

/* A value of the tool's own types: table->set(). */
static int
set_other(void *target, const struct option_row *row, const char *arg,
    struct err *err)
{
	struct options *o = target;
	struct gates *gates = &o->policy_options.gates;
	int minor;

	switch (row->type) {
	case CTL_NAMESPACE:
		o->namespace = sym_intern(arg);
		return 0;
	case CTL_TIMEOUT:
		return parse_timeout(arg, &o->request_timeout_ms);
	case CTL_CLUSTER:
		add_cluster(o, arg);
		return 0;
	case CTL_SCHEDULER:
		o->scheduler_name = sym_intern(arg);
		o->scheduler_is_given = true;
		return 0;
	case CTL_OBJECTIVE:
		o->objective = (enum objective)objective_parse(arg);
		o->objective_is_given = true;
		return 0;
	case CTL_COLOR:
		screen_init(&o->screen, stdout,
		    arg[1] == 'u'     ? SCREEN_COLOR_AUTO :
			arg[1] == 'l' ? SCREEN_COLOR_ALWAYS :
					SCREEN_COLOR_NEVER);
		return 0;
	case CTL_PODS:
		o->pending_only = strcmp(arg, "pending") == 0;
		return 0;
	case CTL_OUTPUT:
		o->yaml = strcmp(arg, "yaml") == 0;
		o->json = o->yaml || strcmp(arg, "json") == 0;
		o->wide = strcmp(arg, "wide") == 0;
		o->name = strcmp(arg, "name") == 0;
		return 0;
	case CTL_DAEMON:
		o->daemon = arg;
		return strncmp(arg, "https://", 8) == 0 ||
			strncmp(arg, "http://", 7) == 0 ?
		    0 :
		    -1;
	case CTL_RELEASE:
		minor = release_parse(arg);
		if (minor >= 0)
			o->kubernetes_minor = release_of_rules(minor);
		o->policy_options.kubernetes_minor = o->kubernetes_minor;
		return minor >= 0 ? 0 : -1;
	case CTL_UPGRADE:
		o->upgrade_to = release_parse(arg);
		return o->upgrade_to > RELEASE_OLDEST &&
			o->upgrade_to <= RELEASE_NEWEST ?
		    0 :
		    -1;
	case CTL_TARGET:
		return convert_target(arg, 0, &o->convert_to, err);
	case CTL_GATES:
		if (gates_parse(arg, gates, warn_of_gate, NULL, err) != 0)
			return -1;
		o->settings.pod_level = gates->pod_level_resources;
		o->settings.pod_level_in_status =
		    gates->pod_level_resources_in_place;
		return 0;
	case CTL_POD_LIMITS:
		return pod_limits_parse(arg, &o->settings.pod_limits, err);
	default: /* CTL_IGNORED */
		return unsupported_parse(arg, &o->policy_options.ignored_fields,
		    err);
	}
}

/* ---- the command line ---- */

static const char *
command_name(size_t i)
{
	return i < LENGTH(ctl_commands) ? ctl_commands[i].name : NULL;
}

static const char *
priority_name(size_t i)
{
	return i < npriorities ? priorities[i]->name : NULL;
}

static const struct option_names listed[] = {
	{ "feature-gates", gates_name, "true|false" },
	{ "max-per-pod", pod_limits_name, "" },
	{ "ignore-unsupported", unsupported_name, NULL },
	{ "add", priority_name, NULL },
	{ NULL, NULL, NULL },
};

const struct option_table ctl_table = {
	.rows = ctl_rows,
	.n = LENGTH(ctl_rows),
	.command = command_name,
	.abbreviates = true,
	.set = set_other,
	.names = listed,
};

/* "--flag must be …", "--flag: unknown flag" */
static enum options_outcome
refuse_flag(const struct options *o, const char *where, const char *why)
{
	AUTOFREE char *verb = xasprintf("%.*s", (int)strcspn(why, " "), why);

	return wrong(o, "%s%s %s", where,
	    text_is_choice("must|can|is", verb) ? "" : ":", why);
}

enum options_outcome
options_set(struct options *options, const char *flag, const char *value)
{
	const struct option_row *row =
	    option_find(&ctl_table, 1u << options->command, flag);
	AUTOFREE char *where = xasprintf("--%s", flag);
	struct err err;

	if (row == NULL)
		return refuse_flag(options, where, "unknown flag");
	if (option_set(&ctl_table, row, options, NULL, value, &err) != 0)
		return refuse_flag(options, where, err.text);
	return OPTIONS_RUN;
}

/* argv[0] is the command; the words move to those behind it. */
static enum options_outcome
parse_options(struct options *o, int argc, char **argv)
{
	enum options_outcome outcome = OPTIONS_RUN;
	struct arena arena = ARENA_INIT;
	struct option_scan scan = { .table = &ctl_table,
		.commands = 1u << o->command,
		.arena = &arena,
		.argc = argc,
		.argv = argv };

	o->words = argv + 1;
	o->nwords = 0;
	while (outcome == OPTIONS_RUN && option_next(&scan)) {
		if (scan.problem != NULL)
			outcome = refuse_flag(o, scan.where, scan.problem);
		else if (scan.word != NULL)
			o->words[o->nwords++] = scan.word;
		else
			outcome = options_set(o, scan.row->flag, scan.value);
		if (outcome == OPTIONS_RUN && (o->help || o->version))
			outcome = o->help ? OPTIONS_HELP : OPTIONS_VERSION;
	}
	arena_fini(&arena);
	return outcome;
}

bool
options_is_stdin(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

static unsigned
stdin_times(const struct options *o)
{
	unsigned times = 0;

	times += options_is_stdin(o->policy) + options_is_stdin(o->config) +
	    options_is_stdin(o->pod_file) + options_is_stdin(o->mix) +
	    options_is_stdin(o->log);
	for (size_t i = 0; i < o->nclusters; i++)
		times += options_is_stdin(o->clusters[i]);
	for (size_t i = 0; o->command == COMMAND_CHECK && i < o->nwords; i++)
		times += options_is_stdin(o->words[i]);
	return times;
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

/* Dumps among the words, from this one on, are those of --cluster: files or folders that
 * are there, with a dot or a slash, which names of nodes and pods may have, too, so these
 * rarely are there. */
static void
take_dumps(struct options *o, size_t from)
{
	size_t n = from < o->nwords ? from : o->nwords;

	for (size_t i = n; i < o->nwords; i++) {
		char *word = o->words[i];
		struct stat st;

		if (options_is_stdin(word) ||
		    (strpbrk(word, "./") != NULL && stat(word, &st) == 0))
			add_cluster(o, word);
		else
			o->words[n++] = word;
	}
	o->nwords = n;
}

/* NS/NAME of pod/NAME, pods/NS/NAME and the like. */
static const char *
pod_word(const char *word)
{
	static const char *const kinds[] = { "pod/", "pods/", "po/" };

	for (size_t i = 0; word != NULL && i < LENGTH(kinds); i++)
		if (strncmp(word, kinds[i], strlen(kinds[i])) == 0)
			return word + strlen(kinds[i]);
	return word;
}

/* The pod may be a word, too: the i-th.  False: there is one already. */
static bool
take_pod_word(struct options *o, size_t i, const char **pod)
{
	if (o->nwords <= i)
		return true;
	if (*pod != NULL)
		return false;
	*pod = o->words[i];
	return true;
}

/* What one command alone demands, of its words and options. */
static enum options_outcome
check_command(struct options *o)
{
	const size_t n = o->nwords;
	struct err err;

	switch (o->command) {
	case COMMAND_CHECK:
		if (o->fix && n + (o->config != NULL) != 1)
			return wrong(o, "--fix mends one file");
		if (o->fix ? o->json && o->write == NULL : o->write != NULL)
			return wrong(o,
			    o->fix ?
				"--fix prints the file: with -o %s give --write "
				"FILE" :
				"--write is the file of --fix",
			    o->yaml ? "yaml" : "json");
		break;
	case COMMAND_EXPLAIN:
		if (n > 1 || !take_pod_word(o, 0, &o->pod))
			return wrong(o,
			    "unexpected argument '%s'; explain takes one pod",
			    o->words[o->pod == NULL]);
		if ((o->all_pending || o->selector != NULL) &&
		    (o->pod != NULL || o->pod_file != NULL))
			return wrong(o,
			    "name a pod, or several with --selector or "
			    "--all-pending");
		break;
	case COMMAND_CONVERT:
		if (convert_target(o->convert_to.version, o->kubernetes_minor,
			&o->convert_to, &err) != 0)
			return wrong(o, "%s", err.text);
		if (n > 0 && (o->policy != NULL || o->config != NULL))
			return wrong(o, UNEXPECTED, o->words[0]);
		break;
	case COMMAND_DRAIN:
		if ((n > 0) + (o->selector != NULL) + (o->zone != NULL) != 1)
			return wrong(o,
			    "name nodes, or give --selector, or --zone");
		break;
	case COMMAND_WHY_NOT:
		if (!take_pod_word(o, 1, &o->pod))
			return wrong(o, UNEXPECTED, o->words[1]);
		if (o->pod == NULL)
			return wrong(o, "%s", ctl_commands[o->command].missing);
		break;
	case COMMAND_WEB:
		for (size_t i = 0; i < n; i++)
			add_cluster(o, o->words[i]);
		if (stdin_times(o) > 0)
			return wrong(o,
			    "web reads its files again: none can be standard "
			    "input");
		/* Credentials go to the daemon, so over TLS. */
		if (o->daemon != NULL && strncmp(o->daemon, "https://", 8) != 0)
			return wrong(o,
			    "web --daemon must be https://HOST:PORT, not '%s'",
			    o->daemon);
		if (o->daemon != NULL &&
		    (o->nclusters > 0 || !options_follow_cluster(o)))
			return wrong(o,
			    "web --daemon is about a running predicated: it "
			    "takes no dump and no policy");
		break;
	case COMMAND_CAPACITY:
		if (!take_pod_word(o, 0, &o->like))
			return wrong(o, UNEXPECTED, o->words[0]);
		if ((o->pod_file != NULL) + (o->like != NULL) +
			(o->mix != NULL) !=
		    1)
			return wrong(o,
			    "give one of --pod-file, --like and --mix");
		break;
	case COMMAND_TUNE:
		if (!o->objective_is_given)
			return wrong(o, "--objective is missing");
		if (options_is_stdin(o->policy) || options_is_stdin(o->config))
			return wrong(o,
			    "%s reads the policy twice: it cannot be standard "
			    "input",
			    ctl_commands[o->command].name);
		break;
	case COMMAND_CANARY:
		if (!text_is_choice(CANARY_WORDS, o->words[0]))
			return wrong(o, "%s", ctl_commands[o->command].missing);
		break;
	case COMMAND_DEFRAG:
		if (!take_pod_word(o, 0, &o->pod))
			return wrong(o, UNEXPECTED, o->words[0]);
		if ((o->pod_file != NULL) + (o->pod != NULL) != 1)
			return wrong(o, "give one of --for and --pod-file");
		break;
	default:
		break;
	}
	return OPTIONS_RUN;
}

/* Rejects options that contradict each other, and a cluster that is missing. */
static enum options_outcome
check_conflicts(const struct options *o)
{
	const struct api_source source = options_api_source(o);
	const bool dump = o->nclusters > 0;
	const bool map = o->policy_configmap != NULL;
	const struct {
		bool is_wrong;
		const char *message;
	} rows[] = {
		{ map && dump,
		    "--policy-configmap is an object of a live cluster, but "
		    "--cluster reads a dump" },
		{ map && (o->policy != NULL || o->config != NULL),
		    "--policy-configmap, --policy and --config are mutually "
		    "exclusive" },
		{ o->policy != NULL && o->config != NULL,
		    "--policy and --config are mutually exclusive" },
		{ dump && o->live,
		    "--cluster reads a dump, --kubeconfig and --context read a "
		    "live cluster: they are mutually exclusive" },
		{ !dump && ((PLACING | ON(DUMP)) & (1u << o->command)) &&
			!api_config_exists(&source),
		    "--cluster is missing, and there is no kubeconfig for a "
		    "live cluster" },
		{ o->pod != NULL && o->pod_file != NULL,
		    "--pod and --pod-file are mutually exclusive" },
		{ o->namespace != SYM_NONE && o->all_namespaces,
		    "-n and -A are mutually exclusive" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].is_wrong)
			return wrong(o, "%s", rows[i].message);
	if (o->namespace != SYM_NONE && o->pod != NULL &&
	    strchr(o->pod, '/') != NULL)
		return wrong(o, "'%s' has a namespace; leave -n out", o->pod);
	if (stdin_times(o) > 1)
		return wrong(o, "standard input ('-') can be read only once");
	return OPTIONS_RUN;
}

enum options_outcome
options_check(struct options *o)
{
	const struct command_row *c = &ctl_commands[o->command];
	const bool sides = o->from != NULL && o->until != NULL;
	enum options_outcome outcome;
	size_t nwords;

	if (sides && o->nwords == 0) {
		o->words = o->sides;
		o->nwords = LENGTH(o->sides);
		o->sides[0] = (char *)o->from;
		o->sides[1] = (char *)o->until;
	}
	nwords = o->nwords;
	if (c->missing != NULL && (nwords < c->least || nwords > c->most) &&
	    (o->command != COMMAND_CHECK || o->config == NULL))
		return wrong(o, "%s", c->missing);
	outcome = check_command(o);
	if (outcome != OPTIONS_RUN)
		return outcome;
	o->pod = pod_word(o->pod);
	o->like = pod_word(o->like);
	if (nwords > c->most)
		return wrong(o, UNEXPECTED, o->words[0]);
	if (o->wide)
		o->screen.width = 0;
	return check_conflicts(o);
}

bool
options_command_parse(const char *name, enum command *out)
{
	const struct command_row *row =
	    FIND_ROW(ctl_commands, LENGTH(ctl_commands), name, name);

	if (row != NULL)
		*out = (enum command)(row - ctl_commands);
	return row != NULL;
}

static enum options_outcome
unknown_command(const struct options *options, const char *word)
{
	const char *commands[LENGTH(ctl_commands)], *best;

	for (size_t i = 0; i < LENGTH(ctl_commands); i++)
		commands[i] = ctl_commands[i].name;
	if (strcmp(word, "bundle") == 0)
		return wrong(options,
		    "bundle is a part of dump: %s dump --policy FILE "
		    "--daemon URL --log FILE",
		    options->program);
	best = closest_name(word, commands, LENGTH(commands));
	return wrong(options, "unknown command '%s'%s%s%s", word,
	    best != NULL ? "; did you mean '" : "", best != NULL ? best : "",
	    best != NULL ? "'?" : "");
}

static enum options_outcome
missing_command(const struct options *options)
{
	AUTOFREE char *list = option_commands(&ctl_table, OPTION_ANY, " or ");

	return wrong(options, "missing command: %s", list);
}

enum options_outcome
options_parse(struct options *options, int argc, char **argv)
{
	enum options_outcome outcome;
	char *word;
	int i = 1;

	if (argc < 2)
		return missing_command(options);
	/* The command goes before the options that were given before it. */
	for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++)
		if (option_awaiting(&ctl_table, argv[i]) != NULL)
			i++;
	word = i < argc ? argv[i] : argv[1];
	if (i < argc)
		memmove(argv + 2, argv + 1, (size_t)(i - 1) * sizeof(*argv));
	argv[1] = word;
	if (strcmp(word, "help") == 0 && argc > 2 &&
	    !options_command_parse(argv[2], &options->command))
		return unknown_command(options, argv[2]);
	if (text_is_choice("help|--help|-h", word))
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
	options->live = options->kubeconfig != NULL || options->context != NULL;
	if ((TABLES | ON(DUMP)) & (1u << options->command))
		take_dumps(options,
		    options->command == COMMAND_DIFF &&
			    (options->from == NULL || options->until == NULL) ?
			2 :
			0);
	return options_check(options);
}

void
options_help(const struct options *options, FILE *out)
{
	const struct command_row *command;

	if (options->command == COMMAND_NONE) {
		fprintf(out,
		    "Usage: %s COMMAND [OPTION...]\n\n"
		    "Tests a scheduler policy (policy.cfg) on the objects of a "
		    "cluster: a live one, or what kubectl has saved."
		    "\n\nCommands:\n",
		    options->program);
		for (size_t i = 0; i < LENGTH(ctl_commands); i++)
			fprintf(out, "  %-12s%s\n", ctl_commands[i].name,
			    ctl_commands[i].summary);
		fprintf(out,
		    "\n'%s COMMAND --help' shows its options; see also the "
		    "manual page predicatectl(1).\n",
		    options->program);
		return;
	}
	command = &ctl_commands[options->command];
	fprintf(out, "Usage: %s %s %s\n\n%s\n\nOptions:\n", options->program,
	    command->name, command->synopsis, command->text);
	for (size_t i = 0; i < LENGTH(ctl_rows); i++)
		if (ctl_rows[i].commands & (1u << options->command))
			option_help(&ctl_rows[i], ctl_rows[i].help, true, out);
	fprintf(out,
	    "\nExit codes: 0 success; 1 a negative result; 2 wrong "
	    "usage; 3 unreadable input.\n");
}
