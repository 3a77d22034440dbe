#include "config.h"

#include "options/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/doc.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "options/options_internal.h"
#include "t/lib/t.h"

#define MAX_WORDS 64

static struct daemon_options o;
static struct problems problems;
static char *said;    /* the problems, each with a line break */
static char *printed; /* to out */
static char words[8192];
static char *argv[MAX_WORDS];

static char *
all_problems(void)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	daemon_options_print_problems(&problems, out);
	fclose(out);
	return text;
}

static void
forget(void)
{
	daemon_options_fini(&o);
	problems_fini(&problems);
	free(said);
	free(printed);
	said = printed = NULL;
}

/* Parses the words of a line; forget() must follow. */
static enum daemon_options_outcome
parse(const char *line)
{
	enum daemon_options_outcome outcome;
	int argc = 0;
	size_t len;
	FILE *out = open_memstream(&printed, &len);

	snprintf(words, sizeof(words), "%s", line);
	argv[argc++] = "predicated";
	for (char *word = strtok(words, " "); word != NULL;
	     word = strtok(NULL, " "))
		argv[argc++] = word;
	outcome = daemon_options_parse(&o, argc, argv, &problems, out);
	fclose(out);
	said = all_problems();
	return outcome;
}

static void
accepted(const char *line)
{
	t_int(line, parse(line), DAEMON_OPTIONS_RUN);
	t_str(line, said, "");
}

static char dir[256], file[300], included[300];

/* The file of this content; there is one at a time. */
static const char *
write_file(const char *text)
{
	FILE *out;

	if (*dir == '\0') {
		const char *tmp = getenv("TMPDIR");

		snprintf(dir, sizeof(dir), "%s/predicated-options-XXXXXX",
		    tmp != NULL ? tmp : P_tmpdir);
		if (mkdtemp(dir) == NULL)
			abort();
		snprintf(file, sizeof(file), "%s/a.conf", dir);
	}
	out = fopen(file, "w");
	if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0)
		abort();
	return file;
}

static void
remove_files(void)
{
	unlink(file);
	unlink(included);
	rmdir(dir);
}

static enum daemon_options_outcome
parse_file(const char *text, const char *flags)
{
	AUTOFREE char *line =
	    xasprintf("--config-file %s %s", write_file(text), flags);

	return parse(line);
}

static void
defaults_are_kube_schedulers(void)
{
	accepted("");
	t_str("scheduler name", o.scheduler_name, "default-scheduler");
	t_true("it takes part in elections", o.leader_elect);
	t_int("lease", o.lease_duration_ms, 15000);
	t_int("deadline", o.renew_deadline_ms, 10000);
	t_int("retry", o.retry_period_ms, 2000);
	t_str("lock", o.lock, "leases");
	t_str("lock namespace", o.lock_namespace, "kube-system");
	t_str("lock name", o.lock_name, "kube-scheduler");
	t_str("address", o.bind_address, "0.0.0.0");
	t_int("port", o.secure_port, 10259);
	t_int("weight", o.policy_options.hard_pod_affinity_symmetric_weight, 1);
	t_true("no limit on requests", o.kube_api_qps == 0);
	t_str("any client may ask", o.authorization_always_allow_paths[0],
	    "/healthz");
	t_str("any client may ask, too", o.authorization_always_allow_paths[2],
	    "/readyz");
	t_true("a list that ends",
	    o.authorization_always_allow_paths[3] == NULL);
	t_true("an empty list is NULL", o.tls_cipher_suites == NULL);
	t_int("the default provider", o.policy_from, DAEMON_POLICY_PROVIDER);
	t_int("Kubernetes' version is asked for", o.kubernetes_minor, 0);
	t_int("text", o.log_as, LOG_FORMAT_TEXT);
	forget();
}

static void
flags_are_written_as_with_pflag(void)
{
	static const struct {
		const char *line;
		int64_t verbosity;
		bool leader_elect;
	} rows[] = {
		{ "-v=4", 4, true },
		{ "-v4", 4, true },
		{ "-v 4", 4, true },
		{ "--v=4", 4, true },
		{ "--v 4", 4, true },
		{ "-v=2 -v=5", 5, true },
		{ "-v=0x10", 16, true },
		{ "--leader-elect=false", 0, false },
		{ "--leader-elect=F", 0, false },
		{ "--leader-elect=0", 0, false },
		{ "--leader_elect=false", 0, false },
		{ "--leader-elect=false --leader-elect", 0, true },
		{ "--leader-elect --v 1", 1, true },
		{ "--v 1 --", 1, true },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		accepted(rows[i].line);
		t_int(rows[i].line, o.verbosity, rows[i].verbosity);
		t_int(rows[i].line, o.leader_elect, rows[i].leader_elect);
		forget();
	}
}

static void
manifests_are_understood(void)
{
	AUTOFREE char *line = NULL;
	const char *path = write_file("");

	line =
	    xasprintf("--authentication-kubeconfig=%s "
		      "--authorization-kubeconfig=%s --bind-address=127.0.0.1 "
		      "--kubeconfig=%s --leader-elect=true --port=0",
		path, path, path);
	accepted(line); /* kubeadm 1.20 */
	t_str("address", o.bind_address, "127.0.0.1");
	t_str("kubeconfig", o.kubeconfig, file);
	t_str("authentication", o.authentication_kubeconfig, file);
	forget();

	free(line);
	line = xasprintf(
	    "--kubeconfig=%s --cert-dir=/var/run/kube-scheduler "
	    "--port=0 --authentication-kubeconfig=%s "
	    "--authorization-kubeconfig=%s "
	    "--feature-gates=APIPriorityAndFairness=true,"
	    "LegacyNodeRoleBehavior=false,EvenPodsSpread=true -v=2 "
	    "--tls-cert-file=%s --tls-private-key-file=%s "
	    "--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,"
	    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 "
	    "--tls-min-version=VersionTLS12 --policy-configmap=policy "
	    "--policy-configmap-namespace=openshift-kube-scheduler "
	    "--logtostderr --vmodule=a=1",
	    path, path, path, path, path);
	t_int("OpenShift 4", parse(line), DAEMON_OPTIONS_RUN);
	t_str("gates that are not ours", said,
	    "--feature-gates: warning: APIPriorityAndFairness has no "
	    "effect\n--feature-gates: warning: LegacyNodeRoleBehavior has no "
	    "effect\n");
	t_true("one that is", o.policy_options.gates.even_pods_spread);
	t_str("suites", o.tls_cipher_suites[1],
	    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
	t_true("the list ends", o.tls_cipher_suites[2] == NULL);
	t_int("ConfigMap", o.policy_from, DAEMON_POLICY_CONFIG_MAP);
	t_int("-v", o.verbosity, 2);
	forget();
}

/* The flags of kube-scheduler 1.15 to 1.20, as its --help lists them. */
static void
every_flag_of_kube_scheduler_is_known(void)
{
	static const char *const flags[] = { "add-dir-header", "address",
		"algorithm-provider", "alsologtostderr",
		"authentication-kubeconfig", "authentication-skip-lookup",
		"authentication-token-webhook-cache-ttl",
		"authentication-tolerate-lookup-failure",
		"authorization-always-allow-paths", "authorization-kubeconfig",
		"authorization-webhook-cache-authorized-ttl",
		"authorization-webhook-cache-unauthorized-ttl", "bind-address",
		"cert-dir", "client-ca-file", "config", "contention-profiling",
		"experimental-logging-sanitization", "feature-gates",
		"hard-pod-affinity-symmetric-weight", "help",
		"http2-max-streams-per-connection", "kube-api-burst",
		"kube-api-content-type", "kube-api-qps", "kubeconfig",
		"leader-elect", "leader-elect-lease-duration",
		"leader-elect-renew-deadline", "leader-elect-resource-lock",
		"leader-elect-resource-name", "leader-elect-resource-namespace",
		"leader-elect-retry-period", "lock-object-name",
		"lock-object-namespace", "log-backtrace-at", "log-dir",
		"log-file", "log-file-max-size", "log-flush-frequency",
		"logging-format", "logtostderr", "master", "one-output",
		"permit-port-sharing", "policy-config-file", "policy-configmap",
		"policy-configmap-namespace", "port", "profiling",
		"requestheader-allowed-names", "requestheader-client-ca-file",
		"requestheader-extra-headers-prefix",
		"requestheader-group-headers", "requestheader-username-headers",
		"scheduler-name", "secure-port",
		"show-hidden-metrics-for-version", "skip-headers",
		"skip-log-headers", "stderrthreshold", "tls-cert-file",
		"tls-cipher-suites", "tls-min-version", "tls-private-key-file",
		"tls-sni-cert-key", "use-legacy-policy-config", "v", "version",
		"vmodule", "write-config-to" };

	for (size_t i = 0; i < LENGTH(flags); i++) {
		AUTOFREE char *line = xasprintf("--%s=", flags[i]);

		parse(line);
		t_true(flags[i], strstr(said, "no such flag") == NULL);
		forget();
	}
}

static void
wrong_command_lines(void)
{
	/* clang-format off */
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "--polcy-config-file x",
		    "--polcy-config-file: error: unknown flag; did you mean "
		    "--policy-config-file?\n" },
		{ "--nonsense=x",
		    "--nonsense: error: unknown flag\n" },
		{ "-x", "-x: error: unknown flag; all flags except -v and -h begin "
			"with two dashes\n" },
		{ "-version",
		    "-version: error: unknown flag; all flags except -v and -h begin "
		    "with two dashes\n" },
		{ "policy.cfg",
		    "command line: error: \"predicated\" does not take any "
		    "arguments, got [\"policy.cfg\"]\n" },
		{ "-- -v=2", "command line: error: \"predicated\" does not "
			     "take any arguments, got [\"-v=2\"]\n" },
		{ "-", "command line: error: \"predicated\" does not take any "
		       "arguments, got [\"-\"]\n" },
		{ "--leader-elect false",
		    "command line: error: \"predicated\" does not take any "
		    "arguments, got [\"false\"]; write --leader-elect=false\n" },
		{ "--master", "--master: error: flag needs an argument\n" },
		{ "--leader-elect=maybe",
		    "--leader-elect: error: must be true or false, not "
		    "'maybe'\n" },
		{ "--secure-port=70000",
		    "--secure-port: error: 70000 is not between 0 and 65535\n" },
		{ "--max-connections=0", "--max-connections: error: must be 1 "
					 "or more\n" },
		{ "--tls-handshake-timeout=0s --request-header-timeout=0s",
		    "--tls-handshake-timeout: error: must be greater than "
		    "zero\n--request-header-timeout: error: must be greater "
		    "than zero\n" },
		{ "--secure-port=-1",
		    "--secure-port: error: -1 is not between 0 and 65535\n" },
		{ "--secure-port=https", "--secure-port: error: must be a "
					 "whole number, not 'https'\n" },
		{ "--secure-port=", "--secure-port: error: must be a whole "
				    "number, not ''\n" },
		{ "-v=-1",
		    "-v: error: -1 is not between 0 and 2147483647\n" },
		{ "-v=2147483648",
		    "-v: error: 2147483648 is not between 0 and 2147483647\n" },
		{ "-v= ", "-v: error: must be a whole number, not ''\n" },
		{ "--hard-pod-affinity-symmetric-weight=101",
		    "--hard-pod-affinity-symmetric-weight: error: 101 is not "
		    "between 0 and 100\n" },
		{ "--kube-api-qps=1e999", "--kube-api-qps: error: must be a "
					  "number, not '1e999'\n" },
		{ "--kube-api-qps=nan", "--kube-api-qps: error: must be a "
					"number, not 'nan'\n" },
		{ "--leader-elect-resource-lock=lease",
		    "--leader-elect-resource-lock: error: must be leases, "
		    "endpoints, configmaps, endpointsleases or "
		    "configmapsleases, not 'lease'\n" },
		{ "--leader-elect-lease-duration=15",
		    "--leader-elect-lease-duration: error: must be a duration "
		    "such as 15s or 1m30s, not '15'\n" },
		{ "--feature-gates=EvenPodsSpread",
		    "--feature-gates: error: missing bool value for "
		    "EvenPodsSpread\n" },
		{ "--feature-gates=Other",
		    "--feature-gates: error: missing bool value for Other\n" },
		{ "--feature-gates=Other=2",
		    "--feature-gates: error: invalid value of Other=2: must "
		    "be true or false\n" },
		{ "--feature-gates=EvenPodsSpread=2",
		    "--feature-gates: error: invalid value of "
		    "EvenPodsSpread=2: must be true or false\n" },
		{ "--bind-address=localhost", "--bind-address: error: must be "
					      "an IP address, not "
					      "'localhost'\n" },
		{ "--tls-cipher-suites=FOO",
		    "--tls-cipher-suites: error: there is no cipher suite "
		    "FOO\n" },
		{ "--algorithm-provider=x",
		    "--algorithm-provider: error: there is no algorithm "
		    "provider \"x\"\n" },
		{ "--use-legacy-policy-config",
		    "--use-legacy-policy-config: error: needs "
		    "--policy-config-file\n" },
		{ "--kubernetes-version=2.1",
		    "--kubernetes-version: error: must be auto or such as 1.21 "
		    "or v1.21.3, not '2.1'\n" },
		{ "--scheduler-name=",
		    "--scheduler-name: error: must not be empty\n" },
		{ "--kubeconfig=/nonexistent/a",
		    "--kubeconfig: error: /nonexistent/a cannot be read: No "
		    "such file or directory\n" },
		{ "--policy-config-file=/",
		    "--policy-config-file: error: / is a directory\n" },
		{ "--log-file-max-size=big",
		    "--log-file-max-size: error: must be a whole number, not "
		    "'big'\n" },
		{ "--config-file=/nonexistent/a",
		    "/nonexistent/a: error: cannot be read: No such file or "
		    "directory\n" },
		{ "--config-file=/dev/zero",
		    "/dev/zero: error: cannot be read: is not a regular file\n" },
		{ "--write-config-to=/nonexistent/a",
		    "--write-config-to: error: /nonexistent/a cannot be "
		    "written: No such file or directory\n" },
		/* every problem at once */
		{ "--nonsense=x -v=x --seed=-1",
		    "--nonsense: error: unknown flag\n-v: error: must be a "
		    "whole number, not 'x'\n--seed: error: -1 is not between "
		    "0 and 9223372036854775807\n" },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_int(rows[i].line, parse(rows[i].line), DAEMON_OPTIONS_WRONG);
		t_str(rows[i].line, said, rows[i].want);
		forget();
	}
}

static void
warnings(void)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "--port=0", "" },
		{ "--address=127.0.0.1", "" },
		{ "--logtostderr=true --profiling=false", "" },
		{ "--port=10251", "" },
		{ "--log-dir=/var/log",
		    "--log-dir: warning: has no effect: "
		    "the log goes to standard error\n" },
		{ "--lock-object-name=x",
		    "--lock-object-name: warning: is deprecated, use "
		    "--leader-elect-resource-name\n" },
		{ "--percentage-of-nodes-to-score=100", "" },
		{ "--percentage-of-nodes-to-score=50", "" },
		{ "--feature-gates=", "" },
		{ "--feature-gates=EvenPodSpread=true",
		    "--feature-gates: warning: EvenPodSpread has no effect; "
		    "did you mean EvenPodsSpread?\n" },
		/* kube-scheduler knows it: nothing else was meant. */
		{ "--feature-gates=kube:EvenPodsSpread=true,"
		  "kube:PodLevelResourceManagers=true",
		    "--feature-gates: warning: PodLevelResourceManagers has "
		    "no effect\n" },
		{ "--hard-pod-affinity-symmetric-weight=0",
		    "--hard-pod-affinity-symmetric-weight: warning: 0 is "
		    "treated as 1\n" },
		{ "--tls-min-version=VersionTLS12", "" },
		{ "--tls-min-version=VersionTLS11",
		    "--tls-min-version: warning: VersionTLS11 is treated as "
		    "VersionTLS12\n" },
		{ "--max-connections-per-address=0", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_int(rows[i].line, parse(rows[i].line), DAEMON_OPTIONS_RUN);
		t_str(rows[i].line, said, rows[i].want);
		forget();
	}
}

static void
times_of_the_election(void)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "--leader-elect-lease-duration=10001ms", "" },
		{ "--leader-elect-lease-duration=10s",
		    "--leader-elect-lease-duration: error: leaseDuration must "
		    "be greater than renewDeadline\n" },
		{ "--leader-elect-retry-period=8333ms", "" },
		{ "--leader-elect-retry-period=8334ms",
		    "--leader-elect-renew-deadline: error: renewDeadline must "
		    "be greater than retryPeriod*JitterFactor (1.2)\n" },
		{ "--leader-elect-renew-deadline=2400ms",
		    "--leader-elect-renew-deadline: error: renewDeadline must "
		    "be greater than retryPeriod*JitterFactor (1.2)\n" },
		{ "--leader-elect-retry-period=0",
		    "--leader-elect-retry-period: error: retryPeriod must be "
		    "greater than zero\n" },
		{ "--leader-elect-lease-duration=0s",
		    "--leader-elect-lease-duration: error: leaseDuration must "
		    "be greater than zero\n" },
		{ "--leader-elect-lease-duration=-15s",
		    "--leader-elect-lease-duration: error: must not be "
		    "negative, not '-15s'\n" },
		{ "--leader-elect-resource-name= "
		  "--leader-elect-resource-namespace=",
		    "--leader-elect-resource-namespace: error: "
		    "resourceNamespace is required\n"
		    "--leader-elect-resource-name: error: resourceName is "
		    "required\n" },
		/* which do not matter then */
		{ "--leader-elect=false --leader-elect-lease-duration=1s "
		  "--leader-elect-resource-name=",
		    "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_int(rows[i].line, parse(rows[i].line),
		    *rows[i].want == '\0' ? DAEMON_OPTIONS_RUN :
					    DAEMON_OPTIONS_WRONG);
		t_str(rows[i].line, said, rows[i].want);
		forget();
	}
}

static void
durations_are_gos(void)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: refused */
		const char *again;
	} rows[] = {
		{ "15s", 15000, "15s" },
		{ "1m30s", 90000, "1m30s" },
		{ "90s", 90000, "1m30s" },
		{ "1.5h", 5400000, "1h30m0s" },
		{ "2h45m.5s", 9900500, "2h45m0.5s" },
		{ "100ms", 100, "100ms" },
		{ "1.1s", 1100, "1.1s" },
		{ "+5s", 5000, "5s" },
		{ "0", 0, "0s" },
		{ "0s", 0, "0s" },
		{ "1us", 1, "1ms" }, /* not nothing */
		{ "1µs", 1, "1ms" },
		{ "1μs", 1, "1ms" },
		{ "1ns", 1, "1ms" },
		{ "2000000ns", 2, "2ms" },
		{ "59.999s", 59999, "59.999s" },
		{ "", -1, NULL },
		{ "-", -1, NULL },
		{ "15", -1, NULL },
		{ "s", -1, NULL },
		{ ".s", -1, NULL },
		{ "1.2.3s", -1, NULL },
		{ "1e3s", -1, NULL },
		{ "0x1s", -1, NULL },
		{ "infs", -1, NULL },
		{ "5d", -1, NULL },
		{ "5 s", -1, NULL },
		{ "5s ", -1, NULL },
		{ "5S", -1, NULL },
		{ "1h30", -1, NULL },
		{ "10000000h", -1, NULL },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		int64_t ms = -1;
		char again[DURATION_TEXT];
		struct err err;
		int result = option_duration_parse(rows[i].text, &ms, &err);

		t_int(rows[i].text, result, rows[i].ms < 0 ? -1 : 0);
		t_int(rows[i].text, ms, rows[i].ms);
		if (rows[i].again != NULL) {
			duration_text(ms * 1000000, again);
			t_str(rows[i].text, again, rows[i].again);
		}
	}
}

static void
lists_add_up_within_one_place(void)
{
	static const char conf[] =
	    "authorization: { always_allow_paths = [ \"/a\", \"/b,c\" ]; };";

	accepted("--authorization-always-allow-paths=/x,/y "
		 "--authorization-always-allow-paths /z");
	t_str("replaces the default", o.authorization_always_allow_paths[0],
	    "/x");
	t_str("the second flag adds", o.authorization_always_allow_paths[2],
	    "/z");
	t_true("ends", o.authorization_always_allow_paths[3] == NULL);
	forget();

	accepted("--authorization-always-allow-paths=");
	t_true("none at all is not NULL",
	    o.authorization_always_allow_paths != NULL &&
		o.authorization_always_allow_paths[0] == NULL);
	forget();

	t_int("file", parse_file(conf, ""), DAEMON_OPTIONS_RUN);
	t_str("file", said, "");
	t_str("a comma is nothing special in a file",
	    o.authorization_always_allow_paths[1], "/b,c");
	t_true("file", o.authorization_always_allow_paths[2] == NULL);
	forget();

	t_int("both", parse_file(conf, "--authorization-always-allow-paths=/x"),
	    DAEMON_OPTIONS_RUN);
	t_str("a flag replaces the file's",
	    o.authorization_always_allow_paths[0], "/x");
	t_true("both", o.authorization_always_allow_paths[1] == NULL);
	forget();
}

static void
which_policy(void)
{
	const char *path = write_file("");
	const struct {
		const char *name, *flags;
		enum daemon_policy_from from;
	} rows[] = {
		{ "none", "%s", DAEMON_POLICY_PROVIDER },
		{ "a file", "--policy-config-file %s", DAEMON_POLICY_FILE },
		{ "a ConfigMap", "%s --policy-configmap m",
		    DAEMON_POLICY_CONFIG_MAP },
		{ "both: the ConfigMap",
		    "--policy-config-file %s --policy-configmap m",
		    DAEMON_POLICY_CONFIG_MAP },
		{ "both, legacy: the file",
		    "--policy-config-file %s --policy-configmap m "
		    "--use-legacy-policy-config",
		    DAEMON_POLICY_FILE },
		{ "a provider does not matter then",
		    "--policy-config-file %s "
		    "--algorithm-provider=DefaultProvider",
		    DAEMON_POLICY_FILE },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *line = NULL;
		const char *hole = strstr(rows[i].flags, "%s");

		line = xasprintf("%.*s%s%s", (int)(hole - rows[i].flags),
		    rows[i].flags,
		    strstr(rows[i].flags, "file %s") != NULL ? path : "",
		    hole + 2);
		t_int(rows[i].name, parse(line), DAEMON_OPTIONS_RUN);
		t_int(rows[i].name, o.policy_from, rows[i].from);
		forget();
	}
	accepted("--policy-configmap m --policy-configmap-namespace=");
	t_str("no namespace is kube-system", o.policy_configmap_namespace,
	    "kube-system");
	forget();
}

static void
what_follows(void)
{
	accepted("--strict-policy --hard-pod-affinity-symmetric-weight=7 "
		 "--feature-gates=TaintNodesByCondition=false "
		 "--kubernetes-version=v1.21.3 --log-format=journal "
		 "--kube-api-qps=2.25");
	t_true("strict", o.policy_options.strict);
	t_int("weight", o.policy_options.hard_pod_affinity_symmetric_weight, 7);
	t_true("gate", !o.policy_options.gates.taint_nodes_by_condition);
	t_true("another", o.policy_options.gates.attach_volume_limit);
	t_int("version", o.kubernetes_minor, 21);
	t_int("format", o.log_as, LOG_FORMAT_JOURNAL);
	t_int("burst", o.kube_api_burst, 5);
	forget();
	accepted("--kubernetes-version=1.14 --logging-format=json "
		 "--kube-api-qps=-1");
	t_int("before 1.15", o.kubernetes_minor, 15);
	t_int("format", o.log_as, LOG_FORMAT_JSON);
	t_true("no limit", o.kube_api_qps == 0);
	forget();
}

static void
the_command_line_wins_over_the_file(void)
{
	static const char conf[] =
	    "policy: { strict = true; feature_gates = [\"EvenPodsSpread=true\"];"
	    "};\n"
	    "scheduling: { seed = 12345678901L; };\n"
	    "api: { qps = 5; burst = 7; };\n"
	    "leader_election: { lease_duration = \"1m\"; enable = false; };\n"
	    "server: { port = 1234; tls: { min_version = \"VersionTLS13\"; };"
	    "};\n"
	    "log: { verbosity = 3; format = \"json\"; };\n";

	t_int("file", parse_file(conf, "--secure-port=4321 -v=1"),
	    DAEMON_OPTIONS_RUN);
	t_str("file", said, "");
	t_int("flag", o.secure_port, 4321);
	t_int("flag", o.verbosity, 1);
	t_true("strict", o.policy_options.strict);
	t_true("gate", o.policy_options.gates.even_pods_spread);
	t_int("seed", o.seed, 12345678901);
	t_true("qps", o.kube_api_qps == 5);
	t_int("burst", o.kube_api_burst, 7);
	t_int("lease", o.lease_duration_ms, 60000);
	t_true("election", !o.leader_elect);
	t_str("TLS", o.tls_min_version, "VersionTLS13");
	t_int("log", o.log_as, LOG_FORMAT_JSON);
	t_int("the rest is as ever", o.retry_period_ms, 2000);
	forget();

	options_default_file = file;
	accepted("");
	t_int("the default file is read when it is there", o.verbosity, 3);
	forget();
	options_default_file = "/nonexistent/predicated.conf";
}

static void
wrong_files(void)
{
	static const struct {
		const char *conf, *want; /* after "FILE:" */
	} rows[] = {
		{ "polcy: { };", "1: error: unknown option 'polcy'" },
		{ "\n\npolicy: { fiel = \"x\"; };",
		    "3: error: unknown option 'policy.fiel'; did you mean "
		    "policy.file?" },
		{ "verbosity = 1;",
		    "1: error: unknown option 'verbosity'; did "
		    "you mean log.verbosity?" },
		{ "log = 1;",
		    "1: error: log must be a group, such as log: { … "
		    "}, not a whole number" },
		{ "log: { verbosity = \"1\"; };",
		    "1: error: log.verbosity must be a whole number, without "
		    "quotes, not a string" },
		{ "log: { format = json; };", "1: error: syntax error" },
		{ "log: { format = 1; };",
		    "1: error: log.format must be a string in quotes, not a "
		    "whole number" },
		{ "log: { format = \"xml\"; };",
		    "1: error: must be auto, text, json or journal, not "
		    "'xml'" },
		{ "log: {\n\tverbosity = 1;\n\tverbosity = 2;\n};",
		    "3: error: duplicate setting name" },
		{ "policy: { strict = \"true\"; };",
		    "1: error: policy.strict must be true or false, without "
		    "quotes, not a string" },
		{ "policy: { feature_gates = \"A=true\"; };",
		    "1: error: policy.feature_gates must be an array of "
		    "strings, such as [ \"a\", \"b\" ], not a string" },
		{ "policy: { feature_gates = [ 1 ]; };",
		    "1: error: policy.feature_gates must be an array of "
		    "strings, such as [ \"a\", \"b\" ]" },
		{ "leader_election: { retry_period = 2; };",
		    "1: error: leader_election.retry_period must be a duration "
		    "in quotes, such as \"15s\", not a whole number" },
		/* with a flag, but the problem is here */
		{ "leader_election:\n{\n lease_duration = \"9s\";\n};",
		    "3: error: leaseDuration must be greater than "
		    "renewDeadline" },
		{ "help = true;", "1: error: unknown option 'help'" },
		{ "config_file = \"x\";",
		    "1: error: unknown option 'config_file'" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *want = NULL;

		t_int(rows[i].conf, parse_file(rows[i].conf, ""),
		    DAEMON_OPTIONS_WRONG);
		want = xasprintf("%s:%s\n", file, rows[i].want);
		t_str(rows[i].conf, said, want);
		forget();
	}
}

static void
files_include_others_beside_them(void)
{
	AUTOFREE char *want = NULL;
	FILE *out;

	write_file("log: {\n@include \"log.conf\"\n};\nseed = 1;\n");
	snprintf(included, sizeof(included), "%s/log.conf", dir);
	out = fopen(included, "w");
	if (out == NULL ||
	    fputs("verbosity = 3;\nformat = \"xml\";", out) < 0 ||
	    fclose(out) != 0)
		abort();
	want = xasprintf("--config-file %s", file);
	t_int("wrong", parse(want), DAEMON_OPTIONS_WRONG);
	t_int("taken", o.verbosity, 3);
	free(want);
	want = xasprintf(
	    "%s:2: error: must be auto, text, json or journal, "
	    "not 'xml'\n%s:4: error: unknown option 'seed'; did you mean "
	    "scheduling.seed?\n",
	    included, file);
	t_str("each is named", said, want);
	forget();
}

#define KIND                                                                   \
	"apiVersion: kubescheduler.config.k8s.io/v1beta1\n"                    \
	"kind: KubeSchedulerConfiguration\n"

static enum daemon_options_outcome
parse_config(const char *text, const char *flags)
{
	AUTOFREE char *line =
	    xasprintf("--config %s %s", write_file(text), flags);

	return parse(line);
}

static void
a_kube_scheduler_configuration(void)
{
	t_int("OpenShift's",
	    parse_config(KIND
		"clientConnection:\n  qps: 12.5\n  burst: 40\n"
		"leaderElection:\n  leaderElect: true\n  leaseDuration: 137s\n"
		"  renewDeadline: 107s\n  resourceLock: configmaps\n"
		"  resourceNamespace: openshift-kube-scheduler\n"
		"enableProfiling: true\n"
		"profiles:\n- schedulerName: second\n",
		"--leader-elect-lease-duration=2m"),
	    DAEMON_OPTIONS_RUN);
	t_str("OpenShift's", said, "");
	t_true("qps", o.kube_api_qps == 12.5);
	t_int("burst", o.kube_api_burst, 40);
	t_int("flags win", o.lease_duration_ms, 120000);
	t_int("deadline", o.renew_deadline_ms, 107000);
	t_str("lock", o.lock, "configmaps");
	t_str("namespace", o.lock_namespace, "openshift-kube-scheduler");
	t_str("name", o.scheduler_name, "second");
	t_true("it has no rules", !o.config_has_rules);
	forget();

	t_int("with rules",
	    parse_config(KIND "podInitialBackoffSeconds: 3\n"
			      "podMaxBackoffSeconds: 60\nprofiles:\n"
			      "- schedulerName: a\n  plugins:\n    score:\n"
			      "      disabled: [{name: \"*\"}]\n"
			      "- schedulerName: b\n",
		""),
	    DAEMON_OPTIONS_RUN);
	t_str("with rules", said, "");
	t_true("with rules", o.config_has_rules);
	t_str("two names", o.scheduler_name, "default-scheduler");
	t_int("backoff", o.pod_initial_backoff_ms, 3000);
	t_int("backoff", o.pod_max_backoff_ms, 60000);
	forget();

	t_int("an extender and a policy",
	    parse_config(KIND "extenders: [{urlPrefix: \"http://a\"}]\n",
		"--policy-config-file=/p"),
	    DAEMON_OPTIONS_WRONG);
	t_has("an extender and a policy", said,
	    "its profiles and a policy cannot both be given");
	forget();
	t_int("plugins and a provider",
	    parse_config(KIND "profiles: [{plugins: {}}]\n",
		"--algorithm-provider=DefaultProvider"),
	    DAEMON_OPTIONS_WRONG);
	t_has("plugins and a provider", said,
	    "--algorithm-provider: error: the profiles of --config say");
	forget();

	t_int("v1alpha1",
	    parse_config(
		"apiVersion: kubescheduler.config.k8s.io/v1alpha1\n"
		"kind: KubeSchedulerConfiguration\nschedulerName: mine\n"
		"algorithmSource:\n  policy:\n    configMap:\n"
		"      name: policy\n      namespace: ns\n"
		"disablePreemption: true\nbindTimeoutSeconds: 90\n",
		""),
	    DAEMON_OPTIONS_RUN);
	t_str("name", o.scheduler_name, "mine");
	t_int("ConfigMap", o.policy_from, DAEMON_POLICY_CONFIG_MAP);
	t_str("ConfigMap", o.policy_configmap_namespace, "ns");
	t_true("preemption", o.disable_preemption);
	t_int("seconds", o.volume_bind_timeout_ms, 90000);
	forget();
}

static void
what_the_api_server_is_spoken_to_in(void)
{
	static const struct {
		const char *config, *flags;
		bool json_bodies, json_answers;
		const char *wrong;
	} rows[] = {
		/* clang-format off */
		{ "{}", "", false, false, NULL },
		{ "{}", "--kube-api-content-type=application/json", true, true,
		    NULL },
		{ "{}", "--kube-api-content-type=application/yaml", false, false,
		    "--kube-api-content-type: error: must be application/vnd.kubernetes.protobuf or" },
		{ "{contentType: application/json}", "", true, true, NULL },
		{ "{contentType: application/json}", "--kube-api-content-type="
		    "application/vnd.kubernetes.protobuf", false, false, NULL },
		{ "{contentType: '', acceptContentTypes: ''}", "", false, false,
		    NULL },
		{ "{acceptContentTypes: 'application/json, */*'}", "", false, true,
		    NULL },
		{ "{contentType: application/json, acceptContentTypes: "
		    "'application/vnd.kubernetes.protobuf,application/json'}",
		    "", true, false, NULL },
		{ "{acceptContentTypes: '*/*'}", "", false, true, NULL },
		{ "{contentType: 7}", "", false, false,
		    "clientConnection.contentType must be a string" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf(KIND "clientConnection: %s\n", rows[i].config);

		t_int(text, parse_config(text, rows[i].flags),
		    rows[i].wrong != NULL ? DAEMON_OPTIONS_WRONG :
					    DAEMON_OPTIONS_RUN);
		if (rows[i].wrong != NULL) {
			t_has(text, said, rows[i].wrong);
		} else {
			t_str(text, said, "");
			t_int(text, o.json_bodies, rows[i].json_bodies);
			t_int(text, o.json_answers, rows[i].json_answers);
		}
		forget();
	}
}

/* "ADDRESS PORT WHAT", a port each; you own it. */
static char *
plain_ports(void)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < o.nplain; i++) {
		const struct daemon_plain *plain = &o.plain[i];
		AUTOFREE char *before = all;

		all = xasprintf("%s%s%s %d%s%s%s", before, i > 0 ? ", " : "",
		    plain->address, plain->port, plain->health ? " health" : "",
		    plain->metrics ? " metrics" : "",
		    plain->implied ? " implied" : "");
	}
	return all;
}

/* As kube-scheduler has them, but that a port by default shows no
 * metrics, and is on the loopback address. */
static void
ports_without_tls(void)
{
	static const struct {
		const char *flags, *version, *config, *want;
	} rows[] = {
		{ "", NULL, NULL, "127.0.0.1 10251 health implied" },
		{ "--port=0", NULL, NULL, "" },
		{ "--port=10251", NULL, NULL, "0.0.0.0 10251 health metrics" },
		{ "--address=127.0.0.1", NULL, NULL,
		    "127.0.0.1 10251 health implied" },
		{ "--address=0.0.0.0", NULL, NULL,
		    "0.0.0.0 10251 health implied" },
		{ "--port=9 --address=::1", NULL, NULL,
		    "::1 9 health metrics" },
		/* OpenShift 4.2 and 4.6 */
		{ "--port=0", "v1alpha1", "", "0.0.0.0 10251 health implied" },
		{ "--port=0", "v1beta1", "", "0.0.0.0 10251 health implied" },
		{ "", "v1beta2", "", "" },
		{ "", "v1", "", "" },
		{ "", "v1beta1",
		    "healthzBindAddress: 127.0.0.1:10251\n"
		    "metricsBindAddress: 127.0.0.1:10251\n",
		    "127.0.0.1 10251 health metrics" },
		{ "", "v1beta1",
		    "healthzBindAddress: 127.0.0.1:1\n"
		    "metricsBindAddress: '[::1]:2'\n",
		    "127.0.0.1 1 health, ::1 2 metrics" },
		{ "", "v1beta1",
		    "healthzBindAddress: ''\n"
		    "metricsBindAddress: ''\n",
		    "0.0.0.0 10251 health implied" },
		{ "", "v1beta1", "metricsBindAddress: 0.0.0.0:9\n",
		    "0.0.0.0 10251 health implied, 0.0.0.0 9 metrics" },
		{ "", "v1beta2",
		    "healthzBindAddress: 0.0.0.0:0\n"
		    "metricsBindAddress: 0.0.0.0:0\n",
		    "" },
		{ "", "v1beta1", "healthzBindAddress: 10.0.0.1\n",
		    "10.0.0.1 10251 health" },
		{ "", "v1beta1", "healthzBindAddress: :7\n",
		    "0.0.0.0 7 health" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *line = xstrdup(rows[i].flags), *ports = NULL;

		if (rows[i].version != NULL) {
			AUTOFREE char *text =
			    xasprintf("apiVersion: "
				      "kubescheduler.config.k8s.io/%s\n"
				      "kind: KubeSchedulerConfiguration\n%s",
				rows[i].version, rows[i].config);

			t_int(rows[i].want, parse_config(text, line),
			    DAEMON_OPTIONS_RUN);
		} else {
			accepted(line);
		}
		ports = plain_ports();
		t_str(rows[i].want, ports, rows[i].want);
		forget();
	}
	parse("--port=65536 --address=localhost");
	t_str("wrong ones", said,
	    "--port: error: 65536 is not between 0 and 65535\n"
	    "--address: error: localhost is an invalid IP address\n");
	forget();
	parse_config(
	    "apiVersion: kubescheduler.config.k8s.io/v1beta1\n"
	    "kind: KubeSchedulerConfiguration\nhealthzBindAddress: x:1\n"
	    "metricsBindAddress: 1.2.3.4:99999\n",
	    "");
	t_has("wrong addresses", said, "a.conf:3:21: error: healthz");
	t_has("wrong addresses", said, "a.conf:4:21: error: metrics");
	forget();
}

static void
a_kube_scheduler_configuration_we_cannot_obey(void)
{
	static const struct {
		const char *text, *where, *want;
	} rows[] = {
		{ KIND "leaderElection:\n  leaderElct: true\n", ":4:15",
		    "leaderElection.leaderElct: unknown field; did you mean "
		    "\"leaderElect\"?" },
		{ KIND "leaderElection:\n  leaseDuration: 15\n", ":4:18",
		    "leaderElection.leaseDuration must be a duration such as "
		    "\"15s\", not a number" },
		{ KIND "leaderElection:\n  leaseDuration: 5s\n", ":4:18",
		    "leaseDuration must be greater than renewDeadline" },
		{ KIND "podInitialBackoffSeconds: 11\n"
		       "podMaxBackoffSeconds: 5\n",
		    ":4:23", "must be at least podInitialBackoffSeconds" },
		{ KIND "podInitialBackoffSeconds: 0\n", ":3:27",
		    "podInitialBackoffSeconds must be 1 or more" },
		{ KIND "leaderElection: 1\n", ":3:17",
		    "leaderElection must be an object, not a number" },
		{ KIND "clientConnection: {contentType: 7}\n", ":3:33",
		    "clientConnection.contentType must be a string" },
		{ KIND "leaderElection: {resourceLock: bogus}\n", ":3:32",
		    "must be a lock such as leases" },
		{ "kind: Policy\napiVersion: kubescheduler.config.k8s.io/v1\n",
		    ":1:7",
		    "must be \"KubeSchedulerConfiguration\", not \"Policy\"" },
		{ "[]", "", "this must be an object, not an array" },
		{ "", "", "it is empty" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *where = NULL;

		t_int(rows[i].text, parse_config(rows[i].text, ""),
		    DAEMON_OPTIONS_WRONG);
		where = xasprintf("%s%s", file, rows[i].where);
		t_has(rows[i].text, said, where);
		t_has(rows[i].text, said, rows[i].want);
		t_int(rows[i].text, problems.nerrors, 1);
		forget();
	}
	t_int("no file", parse("--config=/nonexistent/a"),
	    DAEMON_OPTIONS_WRONG);
	t_has("no file", said, "--config: error: ");
	forget();
}

static void
help_and_version_come_first(void)
{
	t_int("--help", parse("--nonsense=1 --help"), DAEMON_OPTIONS_DONE);
	t_has("--help", printed, "  --leader-elect-lease-duration DURATION\n");
	t_has("--help", printed, "  -v N, --v N\n");
	t_has("--help", printed, "  --leader-elect[=false]\n");
	t_has("--help", printed, "(default: kube-scheduler)");
	for (const char *p = printed; *p != '\0'; p += strcspn(p, "\n") + 1)
		t_true("lines fit",
		    strcspn(p, "\n") <= 80 ||
			strstr(p, "--leader-elect-resource-lock") == p + 2);
	forget();
	t_int("-h", parse("-h"), DAEMON_OPTIONS_DONE);
	forget();
	t_int("--version", parse("--version"), DAEMON_OPTIONS_DONE);
	t_true("--version", strncmp(printed, "predicated ", 11) == 0);
	forget();
	t_int("not wanted", parse("--version=false --help=0"),
	    DAEMON_OPTIONS_RUN);
	forget();
}

static void
what_is_written_reads_the_same(void)
{
	static const char line[] =
	    "--leader-elect=false --master=https://a\"b\\c --kube-api-qps=0.5 "
	    "--tls-cipher-suites=TLS_RSA_WITH_AES_128_CBC_SHA,"
	    "TLS_AES_128_GCM_SHA256 --leader-elect-lease-duration=1h0.25s "
	    "--seed=9223372036854775807 --authorization-always-allow-paths= "
	    "--log-format=json -v=9 --write-config-to=-";
	AUTOFREE char *first = NULL;

	t_int("written", parse(line), DAEMON_OPTIONS_DONE);
	first = xstrdup(printed);
	t_has("set", first, "\n\tenable = false;\n");
	t_has("default", first, "\n\t#retry_period = \"2s\";\n");
	t_has("number", first, "\n\tseed = 9223372036854775807L;\n");
	forget();
	t_int("again", parse_file(first, "--write-config-to=-"),
	    DAEMON_OPTIONS_DONE);
	t_str("again", said, "");
	t_str("the same", printed, first);
	forget();
}

static void
as_json_it_has_the_same_keys(void)
{
	struct text text = { 0 };
	struct err err;
	struct doc *doc;
	const struct doc_node *root;

	accepted("--master=https://a\"b --seed=7 --kube-api-qps=0.5 "
		 "--tls-cipher-suites=TLS_AES_128_GCM_SHA256 "
		 "--authorization-always-allow-paths=/a,/b");
	daemon_options_write_json(&o, &text);
	doc = doc_parse("json", text.bytes, text.len, &doc_limits_people, &err);
	if (!t_true("it is JSON", doc != NULL))
		return;
	root = doc_root(doc);
	for (size_t i = 0; i < noption_rows; i++) {
		const struct doc_node *node = root;
		char key[128];

		if (option_rows[i].key == NULL)
			continue;
		snprintf(key, sizeof(key), "%s", option_rows[i].key);
		for (char *name = strtok(key, "."); name != NULL;
		     name = strtok(NULL, "."))
			node = doc_member(node, name);
		t_true(option_rows[i].key, node != NULL);
	}
	t_has("string", text.bytes, "\"master\":\"https://a\\\"b\"");
	t_has("list", text.bytes, "\"always_allow_paths\":[\"/a\",\"/b\"]");
	t_has("nested", text.bytes,
	    "\"cipher_suites\":[\"TLS_AES_128_GCM_SHA256\"]");
	t_has("number", text.bytes, "\"qps\":0.5");
	t_has("duration", text.bytes, "\"lease_duration\":\"15s\"");
	doc_free(doc);
	text_fini(&text);
	forget();
}

static void
reload_takes_what_can_change(void)
{
	char *changed = NULL;
	const char *master;

	t_int("start",
	    parse_file("log: { verbosity = 1; };\n"
		       "api: { master = \"https://a\"; };",
		"--secure-port=1"),
	    DAEMON_OPTIONS_RUN);
	master = o.master;

	t_int("nothing new", daemon_options_reload(&o, &problems, &changed), 0);
	t_str("nothing new", changed, "");
	free(changed);

	write_file("log: { verbosity = 4;\n format = \"json\"; };\n"
		   "api: { master = \"https://b\"; };\n"
		   "server: { port = 2; };");
	t_int("reload", daemon_options_reload(&o, &problems, &changed), 0);
	t_str("what", changed, "--master -v --log-format");
	t_int("taken", o.verbosity, 4);
	t_int("what follows, too", o.log_as, LOG_FORMAT_JSON);
	t_str("left", o.master, "https://a");
	t_true("texts stay where they are", o.master == master);
	t_int("the flag still wins", o.secure_port, 1);
	free(said);
	said = all_problems();
	t_has("a restart is needed", said,
	    ".conf:3: warning: is 'https://b' "
	    "now, which takes effect after a restart\n");
	t_int("one warning", problems.n, 1);
	free(changed);

	write_file("log: { verbosity = 5; format = \"xml\"; };");
	t_int("refused", daemon_options_reload(&o, &problems, NULL), -1);
	t_int("as it was", o.verbosity, 4);
	forget();
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(defaults_are_kube_schedulers),
		T(flags_are_written_as_with_pflag),
		T(manifests_are_understood),
		T(every_flag_of_kube_scheduler_is_known),
		T(wrong_command_lines),
		T(warnings),
		T(times_of_the_election),
		T(durations_are_gos),
		T(lists_add_up_within_one_place),
		T(which_policy),
		T(what_follows),
		T(the_command_line_wins_over_the_file),
		T(wrong_files),
		T(files_include_others_beside_them),
		T(a_kube_scheduler_configuration),
		T(what_the_api_server_is_spoken_to_in),
		T(ports_without_tls),
		T(a_kube_scheduler_configuration_we_cannot_obey),
		T(help_and_version_come_first),
		T(what_is_written_reads_the_same),
		T(as_json_it_has_the_same_keys),
		T(reload_takes_what_can_change),
	};
	int result;

	/* not this machine's */
	options_default_file = "/nonexistent/predicated.conf";
	result = t_run(tests, LENGTH(tests));
	remove_files();
	return result;
}
