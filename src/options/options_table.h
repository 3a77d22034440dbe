/*
 * Every option.  The fields of struct daemon_options, the command line, the
 * configuration file, --help, etc/predicated.conf and the manual pages are made
 * from this table.  A new option is one row, and the code that uses its field.
 * t/options/options_documents.t reports files that differ from the table;
 * PREDICATED_UPDATE=1 rewrites them.
 *
 *	SECTION(title)
 *	OPTION(field, TYPE, flag, key, default, when, arg, help)
 *		TYPE: see enum option_type in engine.h
 *		flag: on the command line, without "--"
 *		key: in the configuration file; NULL: only on the command line
 *		when: a change takes effect on RELOAD (SIGHUP) or RESTART
 *		arg: the value's name in help; of a CHOICE, all values; a FILE
 *		must be readable; NULL for a BOOL
 *		help: sentences without markup; lines are broken where printed
 *	ALIAS(flag, other_flag, why)
 *		another name; a warning says why, unless it is NULL
 *	LEGACY(flag, TYPE, why)
 *		a flag of kube-scheduler without effect here; a warning says
 *		why, unless it is NULL
 *
 * Flags of kube-scheduler have its names, defaults and meanings (1.15 to 1.20,
 * and those that later releases added).
 */
/* clang-format off */

SECTION("Policy and scheduling")
OPTION(policy_config_file, STRING, "policy-config-file", "policy.file", "",
    RELOAD, "FILE",
    "The scheduler policy, see policy.cfg(5). predicated reads the file "
    "again when it changes. Example: "
    "--policy-config-file=/etc/kubernetes/policy.cfg.")
OPTION(policy_configmap, STRING, "policy-configmap", "policy.configmap", "",
    RELOAD, "NAME",
    "The ConfigMap that holds the policy under the key policy.cfg. "
    "predicated watches it. It takes precedence over the file.")
OPTION(policy_configmap_namespace, STRING, "policy-configmap-namespace",
    "policy.configmap_namespace", "kube-system", RELOAD, "NAMESPACE",
    "The namespace of that ConfigMap.")
OPTION(use_legacy_policy_config, BOOL, "use-legacy-policy-config",
    "policy.prefer_file", "false", RELOAD, NULL,
    "The file takes precedence over the ConfigMap.")
OPTION(policy_openshift, BOOL, "policy-openshift", "policy.openshift", "true",
    RELOAD, NULL,
    "Without a file and a ConfigMap, follow OpenShift's Scheduler object if "
    "the API server has one: its policy, its profile and its default node "
    "selector.")
OPTION(policy_dry_run, STRING, "policy-dry-run", "policy.dry_run", "", RELOAD,
    "FILE",
    "Decide about every pod a second time by the policy or "
    "KubeSchedulerConfiguration in this file, and count and log the "
    "differences. Only the policy in force places pods. predicated reads the "
    "file again when it changes. Example: "
    "--policy-dry-run=/etc/kubernetes/policy-next.cfg.")
OPTION(strict_policy, BOOL, "strict-policy", "policy.strict", "false", RELOAD,
    NULL,
    "Read or reject the policy exactly as Kubernetes 1.15 does.")
OPTION(algorithm_provider, STRING, "algorithm-provider", "policy.provider", "",
    RELOAD, "NAME",
    "The rules to use without a policy: DefaultProvider (also used if you "
    "set nothing) or ClusterAutoscalerProvider.")
OPTION(hard_pod_affinity_symmetric_weight, PERCENT,
    "hard-pod-affinity-symmetric-weight",
    "policy.hard_pod_affinity_symmetric_weight", "1", RELOAD, "0..100",
    "The weight of a node for a pod that pods on the node require by their "
    "pod affinity. A policy that sets this weight takes precedence.")
OPTION(feature_gates, LIST, "feature-gates", "policy.feature_gates", "", RELOAD,
    "GATE=true|false,...",
    "The gates that change rules: those of Kubernetes 1.15, "
    "TaintTolerationComparisonOperators of 1.35, and for profiles of plugins "
    "DefaultPodTopologySpread, MatchLabelKeysInPodTopologySpread, "
    "NodeDeclaredFeatures, StorageCapacityScoring and VolumeLimitScaling; "
    "at the start also PodLevelResources and "
    "InPlacePodLevelResourcesVerticalScaling. "
    "Other gates are "
    "ignored with a warning. Example: --feature-gates=EvenPodsSpread=true.")
OPTION(kosmos, BOOL, "kosmos", "kosmos", "false", RELOAD, NULL,
    "Add the rules of Kosmos to every policy and profile: "
    "LeafNodeDistribution is added, LeafNodeTaintToleration replaces "
    "PodToleratesNodeTaints (at filter the plugin TaintToleration), and "
    "LeafNodeVolumeBinding replaces CheckVolumeBinding (the plugin "
    "VolumeBinding, whose scores are omitted).")
OPTION(percentage_of_nodes_to_score, PERCENT, "percentage-of-nodes-to-score",
    "scheduling.percentage_of_nodes_to_score", "0", RELOAD, "0..100",
    "Stop looking for nodes when this percentage of all nodes, and at least "
    "100, fit the pod. 0 and 100 examine every node, which is not slower.")
OPTION(scheduler_name, STRING, "scheduler-name", "scheduling.scheduler_name",
    "default-scheduler", RESTART, "NAME",
    "Schedule the pods whose spec.schedulerName is NAME.")
OPTION(decide_beside, STRING, "decide-beside", "scheduling.decide_beside", "",
    RELOAD, "NAME",
    "Decide about the pods of the scheduler NAME, too, whenever it has put one "
    "on a node, and count and log what would be different. Nothing is written "
    "about these pods. For a canary beside kube-scheduler: "
    "--decide-beside=default-scheduler.")
OPTION(pod_limits, STRING, "max-per-pod", "scheduling.max_per_pod", "", RESTART,
    "NAME=N,...",
    "The most that one pod may request. A pod that exceeds a limit is not "
    "scheduled, and an event gives the reason. Example: "
    "--max-per-pod=volumes=100,hostPorts=50. The defaults are far above "
    "real use: containers=1000, resources=200, hostPorts=200, volumes=500, "
    "resourceClaims=100, tolerations=1000, nodeRequirements=1000, "
    "nodeValues=10000, podTerms=50, podRequirements=100, podValues=5000, "
    "spreadConstraints=8.")
OPTION(namespace_memory, COUNT, "max-memory-per-namespace",
    "scheduling.max_memory_per_namespace", "512", RESTART, "MIB",
    "The most memory that the objects of one namespace may take. Objects that "
    "come when it is used up are set aside, and an event on each says so: a "
    "pod is kept pending, a Service, claim or other object counts as absent. "
    "They are read again within five minutes when a quarter of it is free. 0 "
    "sets no limit.")
OPTION(namespaces_memory, COUNT, "max-memory-of-namespaces",
    "scheduling.max_memory_of_namespaces", "1024", RESTART, "MIB",
    "The most memory that the objects of all namespaces may take together. "
    "When it is used up, objects of a namespace that takes more than 1/64 of "
    "it are set aside. 0 sets no limit.")
OPTION(ignore_unsupported, STRING, "ignore-unsupported",
    "scheduling.ignore_unsupported", "", RELOAD, "NAME,...",
    "Schedule pods as if they did not have these fields. Without this option "
    "a pod that has one of them is kept pending, and an event gives the "
    "reason. The names are schedulingGroup, workloadRef, "
    "deviceClassResources and nodeAllocatableClaims.")
OPTION(disable_preemption, BOOL, "disable-preemption",
    "scheduling.disable_preemption", "false", RELOAD, NULL,
    "Never evict pods to make room for a pod of higher priority.")
OPTION(max_binds_in_flight, COUNT, "max-binds-in-flight",
    "scheduling.max_binds_in_flight", "64", RELOAD, "N",
    "The maximum number of bindings that wait for a response of the API "
    "server. At the limit no more pods are scheduled until a response "
    "arrives.")
OPTION(volume_bind_timeout_ms, DURATION, "volume-bind-timeout",
    "scheduling.volume_bind_timeout", "10m0s", RELOAD, "DURATION",
    "How long a pod waits for its claims to be bound to volumes before it "
    "is scheduled again.")
OPTION(pod_initial_backoff_ms, DURATION, "pod-initial-backoff",
    "scheduling.pod_initial_backoff", "1s", RESTART, "DURATION",
    "How long a pod that no node fits waits at least before it is tried again. "
    "Each attempt doubles the time.")
OPTION(pod_max_backoff_ms, DURATION, "pod-max-backoff",
    "scheduling.pod_max_backoff", "10s", RESTART, "DURATION",
    "The most that such a pod waits before it is tried again.")
OPTION(pod_max_unschedulable_ms, DURATION,
    "pod-max-in-unschedulable-pods-duration",
    "scheduling.pod_max_in_unschedulable_pods_duration", "0", RELOAD,
    "DURATION",
    "How long a pod that fits nowhere waits at most for a change of the cluster "
    "before it is tried again. 0 is what kube-scheduler of the cluster's "
    "release has: 5m0s from 1.24 on, 1m0s before.")
OPTION(namespace_weights, STRING, "namespace-weights",
    "scheduling.namespace_weights", "", RESTART, "NAMESPACE=N,...",
    "Namespaces share the scheduler's processor time among pods of one "
    "priority: of two that wait, one with a weight of 3 gets three times as "
    "much as one with a weight of 1, and may cost as much before it waits for "
    "others. * stands for the namespaces that are not named; without it their "
    "weight is 1. Weights are from 1 to 1000. Without this option pods of one "
    "priority are tried in the order in which they came, as kube-scheduler "
    "does. Example: --namespace-weights=*=1,production=4.")
OPTION(decision_timeout_ms, DURATION, "decision-timeout",
    "scheduling.decision_timeout", "1s", RELOAD, "DURATION",
    "The maximum time of one attempt to schedule a pod. A slower attempt is "
    "abandoned, and the pod is tried again after 10 s, then 20 s, and so on "
    "up to 10 min; its events say so. If anything blocks the event loop for "
    "longer, a warning is logged. 0 sets no limit.")
OPTION(seed, SEED, "seed", "scheduling.seed", "0", RESTART, "N",
    "Selects among equally good nodes. The same seed gives the same "
    "decisions; 0 uses a random seed.")
OPTION(kubernetes_version, STRING, "kubernetes-version",
    "scheduling.kubernetes_version", "auto", RESTART, "auto|1.N",
    "The release of the cluster, which decides the fields that count, and the "
    "rules of a configuration whose version it reads; auto asks the API "
    "server, and takes one that does not say for 1.36. "
    "Example: --kubernetes-version=1.21.")

SECTION("The API server")
OPTION(kubeconfig, STRING, "kubeconfig", "api.kubeconfig", "", RESTART, "FILE",
    "How to connect to the API server. kubeadm writes "
    "/etc/kubernetes/scheduler.conf for this purpose. Without it predicated "
    "uses the files in $KUBECONFIG, then the service account of its pod, "
    "then ~/.kube/config.")
OPTION(master, STRING, "master", "api.master", "", RESTART, "URL",
    "The API server's address. It overrides the address in the kubeconfig. "
    "Example: --master=https://10.0.0.1:6443.")
OPTION(kube_api_qps, REAL, "kube-api-qps", "api.qps", "0", RESTART, "N",
    "The average number of requests per second. 0 sets no limit.")
OPTION(kube_api_burst, COUNT, "kube-api-burst", "api.burst", "0", RESTART, "N",
    "The number of requests that may be sent at once under that limit; 0 is "
    "twice the number per second.")
OPTION(kube_api_content_type, CHOICE, "kube-api-content-type",
    "api.content_type", "application/vnd.kubernetes.protobuf", RESTART,
    "application/vnd.kubernetes.protobuf|application/json",
    "The format of requests to the API server and of its responses. "
    "Protobuf costs the API server less. Resources without protobuf, such "
    "as custom resources, use JSON.")
OPTION(kube_api_accept_content_types, LIST, "kube-api-accept-content-types",
    "api.accept_content_types", "", RESTART, "TYPE,...",
    "The format of responses if it differs from the format of requests. The "
    "first type in the list is used.")
OPTION(cache_check_interval_ms, DURATION, "cache-check-interval",
    "api.cache_check_interval", "1h0m0s", RELOAD, "DURATION",
    "How often the cached objects of each resource are compared with a list "
    "from the API server. If they differ, a warning is logged and the cache "
    "is replaced by a new list. The metric "
    "predicated_cache_consistency_checks_total counts the results. 0 turns "
    "this off.")

SECTION("Leader election")
OPTION(leader_elect, BOOL, "leader-elect", "leader_election.enable", "true",
    RESTART, NULL,
    "Schedule only while holding the leader lock. Several instances, also "
    "of kube-scheduler, can then stand by for each other.")
OPTION(lease_duration_ms, DURATION, "leader-elect-lease-duration",
    "leader_election.lease_duration", "15s", RESTART, "DURATION",
    "How long other instances wait after the last renewal of the lock "
    "before they take it over.")
OPTION(renew_deadline_ms, DURATION, "leader-elect-renew-deadline",
    "leader_election.renew_deadline", "10s", RESTART, "DURATION",
    "How long the leader tries to renew the lock before it stops leading. "
    "It must be less than the lease duration.")
OPTION(retry_period_ms, DURATION, "leader-elect-retry-period",
    "leader_election.retry_period", "2s", RESTART, "DURATION",
    "How long to wait between attempts to get or renew the lock. 1.2 times "
    "this must be less than the renew deadline.")
OPTION(lock, CHOICE, "leader-elect-resource-lock",
    "leader_election.resource_lock", "leases", RESTART,
    "leases|endpoints|configmaps|endpointsleases|configmapsleases",
    "The kind of the lock object; endpointsleases and configmapsleases hold "
    "both of their objects. All instances must use the same kind. "
    "kube-scheduler uses endpoints before 1.17, endpointsleases up to 1.19, "
    "then leases.")
OPTION(lock_namespace, STRING, "leader-elect-resource-namespace",
    "leader_election.resource_namespace", "kube-system", RESTART, "NAMESPACE",
    "The namespace of the lock object.")
OPTION(lock_name, STRING, "leader-elect-resource-name",
    "leader_election.resource_name", "kube-scheduler", RESTART, "NAME",
    "The name of the lock object.")

SECTION("Health, metrics and explanations over HTTPS")
OPTION(bind_address, STRING, "bind-address", "server.address", "0.0.0.0",
    RESTART, "IP",
    "The address to listen on; 0.0.0.0 and :: mean all addresses.")
OPTION(secure_port, PORT, "secure-port", "server.port", "10259", RESTART,
    "PORT",
    "The port to listen on; 0 disables the HTTPS server.")
OPTION(max_connections, COUNT, "max-connections", "server.max_connections",
    "200", RESTART, "N",
    "The maximum number of connections; where ulimit -n is low, a quarter of "
    "the files it allows beyond 32. A connection above the limit closes "
    "the oldest one that is waiting for its client, of the address with the "
    "most connections. Connections of authenticated users are closed last "
    "while they are at most three quarters of all.")
OPTION(max_connections_per_address, COUNT, "max-connections-per-address",
    "server.max_connections_per_address", "50", RESTART, "N",
    "The maximum number of connections of one client address (for IPv6 of "
    "one /64 network). A connection above the limit closes the oldest one "
    "of that address. 0 sets no limit.")
OPTION(request_header_timeout_ms, DURATION, "request-header-timeout",
    "server.request_header_timeout", "10s", RESTART, "DURATION",
    "The maximum time that a client may take to send a request.")
OPTION(tls_cert_file, STRING, "tls-cert-file", "server.tls.cert_file", "",
    RESTART, "FILE",
    "The server's certificate, followed by the certificates of its issuers. "
    "predicated reads the file again when it changes. Without it predicated "
    "creates a self-signed certificate for localhost.")
OPTION(tls_private_key_file, STRING, "tls-private-key-file",
    "server.tls.private_key_file", "", RESTART, "FILE",
    "The private key of that certificate.")
OPTION(cert_dir, STRING, "cert-dir", "server.tls.cert_dir", "", RESTART, "DIR",
    "Keep the self-signed certificate in this directory, as "
    "kube-scheduler.crt and kube-scheduler.key, and use it again after a "
    "restart. Without it the certificate is not kept.")
OPTION(tls_cipher_suites, LIST, "tls-cipher-suites", "server.tls.cipher_suites",
    "", RESTART, "SUITE,...",
    "The cipher suites for TLS 1.2, by their Go names. The default is the "
    "suites with forward secrecy and authenticated encryption. Example: "
    "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.")
OPTION(tls_min_version, CHOICE, "tls-min-version", "server.tls.min_version",
    "VersionTLS12", RESTART,
    "VersionTLS10|VersionTLS11|VersionTLS12|VersionTLS13",
    "The oldest TLS version that is accepted; versions before 1.2 are "
    "treated as 1.2.")
OPTION(tls_handshake_timeout_ms, DURATION, "tls-handshake-timeout",
    "server.tls.handshake_timeout", "10s", RESTART, "DURATION",
    "The maximum time that a client may take for the TLS handshake.")

SECTION("Health without TLS")
OPTION(plain_port, PORT, "port", "server.plain.port", "10251", RESTART, "PORT",
    "The port to listen on without TLS, for the probes in manifests for "
    "Kubernetes up to 1.22; 0 disables it. Any client can read the health "
    "paths there and, if you set this option, /metrics. As with "
    "kube-scheduler, --config disables this option: use its "
    "healthzBindAddress and metricsBindAddress.")
OPTION(plain_address, STRING, "address", "server.plain.address", "0.0.0.0",
    RESTART, "IP",
    "The address of that port; 0.0.0.0 and :: mean all addresses. With "
    "neither this nor --port the address is 127.0.0.1.")

SECTION("Authentication and authorization")
OPTION(authentication_kubeconfig, STRING, "authentication-kubeconfig",
    "authentication.kubeconfig", "", RESTART, "FILE",
    "How to connect to the API server for TokenReviews and for the "
    "cluster's client CA, such as /etc/kubernetes/scheduler.conf. Without "
    "it predicated uses the service account of its pod. Without both, "
    "tokens are rejected and the client CA is not looked up.")
OPTION(authentication_skip_lookup, BOOL, "authentication-skip-lookup",
    "authentication.skip_lookup", "false", RESTART, NULL,
    "Do not look up the client CA in the cluster.")
OPTION(authentication_tolerate_lookup_failure, BOOL,
    "authentication-tolerate-lookup-failure",
    "authentication.tolerate_lookup_failure", "true", RESTART, NULL,
    "Start even if the client CA cannot be looked up. Client certificates "
    "are then rejected.")
OPTION(authentication_cache_ttl_ms, DURATION,
    "authentication-token-webhook-cache-ttl", "authentication.cache_ttl", "10s",
    RESTART, "DURATION",
    "How long to cache the result of a TokenReview.")
OPTION(client_ca_file, STRING, "client-ca-file",
    "authentication.client_ca_file", "", RESTART, "FILE",
    "Accept client certificates signed by the authorities in this file.")
OPTION(requestheader_client_ca_file, STRING, "requestheader-client-ca-file",
    "authentication.requestheader.client_ca_file", "", RESTART, "FILE",
    "Accept proxies whose client certificates are signed by the authorities "
    "in this file. Such a proxy names the user in request headers.")
OPTION(requestheader_allowed_names, LIST, "requestheader-allowed-names",
    "authentication.requestheader.allowed_names", "", RESTART, "NAME,...",
    "The common names of such proxies. An empty list allows every name.")
OPTION(requestheader_username_headers, LIST, "requestheader-username-headers",
    "authentication.requestheader.username_headers", "x-remote-user", RESTART,
    "HEADER,...",
    "The headers that name the user.")
OPTION(requestheader_group_headers, LIST, "requestheader-group-headers",
    "authentication.requestheader.group_headers", "x-remote-group", RESTART,
    "HEADER,...",
    "The headers that name the user's groups.")
OPTION(requestheader_extra_headers_prefix, LIST,
    "requestheader-extra-headers-prefix",
    "authentication.requestheader.extra_headers_prefix", "x-remote-extra-",
    RESTART, "PREFIX,...",
    "The prefix of headers with more information about the user.")
OPTION(authorization_kubeconfig, STRING, "authorization-kubeconfig",
    "authorization.kubeconfig", "", RESTART, "FILE",
    "How to connect to the API server for SubjectAccessReviews, such as "
    "/etc/kubernetes/scheduler.conf. Without it predicated uses the service "
    "account of its pod. Without both, only the paths that are always "
    "allowed can be read.")
OPTION(authorization_always_allow_paths, LIST,
    "authorization-always-allow-paths", "authorization.always_allow_paths",
    "/healthz,/livez,/readyz", RESTART, "PATH,...",
    "The paths that any client may read; a final * matches any suffix.")
OPTION(authorization_authorized_ttl_ms, DURATION,
    "authorization-webhook-cache-authorized-ttl",
    "authorization.authorized_ttl", "10s", RESTART, "DURATION",
    "How long to cache a permission.")
OPTION(authorization_unauthorized_ttl_ms, DURATION,
    "authorization-webhook-cache-unauthorized-ttl",
    "authorization.unauthorized_ttl", "10s", RESTART, "DURATION",
    "How long to cache a denial.")

SECTION("The record of decisions")
OPTION(record, STRING, "record", "record.folder", "", RESTART, "DIR",
    "Record every decision and the objects that it depends on in files in "
    "this directory, for predicatectl replay. It must belong to the user of "
    "predicated, and no other user may write there. Example: "
    "--record=/var/lib/predicated.")
OPTION(record_size, COUNT, "record-size", "record.size", "256", RESTART, "MIB",
    "The size of all these files in MiB; the oldest are deleted. It must be "
    "four times that of the cluster's objects, which take about a "
    "kilobyte each.")

SECTION("The log")
OPTION(verbosity, COUNT, "v", "log.verbosity", "0", RELOAD, "N",
    "The verbosity of the log: 2 logs every change of state, 4 and more are "
    "for developers.")
OPTION(log_format, CHOICE, "log-format", "log.format", "auto", RELOAD,
    "auto|text|json|journal",
    "text has the lines of kube-scheduler, json one object per line, "
    "journal lines with the priorities of systemd's journal. auto is "
    "journal if standard error is the journal, otherwise text.")

SECTION("Configuration and help")
OPTION(config_file, STRING, "config-file", NULL, "", RESTART, "FILE",
    "The configuration of predicated, see predicated.conf(5). Without it "
    "predicated reads /etc/predicated/predicated.conf if that file exists. "
    "Flags override the file.")
OPTION(config, STRING, "config", NULL, "", RESTART, "FILE",
    "A KubeSchedulerConfiguration. It overrides predicated.conf(5); flags "
    "override both. Its profiles and extenders decide unless a policy or a "
    "provider is given.")
OPTION(check, BOOL, "check", NULL, "false", RESTART, NULL,
    "Check options, configuration and policy, report all problems, and "
    "exit.")
OPTION(write_config_to, STRING, "write-config-to", NULL, "", RESTART, "FILE",
    "Write all options with their values to FILE, in the format of "
    "predicated.conf(5), and exit; - is standard output.")
OPTION(completion, STRING, "completion", NULL, "", RESTART, "bash|zsh|fish",
    "Print a script that completes the options and their values in this "
    "shell, and exit.")
OPTION(help, BOOL, "help", NULL, "false", RESTART, NULL,
    "Print this text.")
OPTION(version, BOOL, "version", NULL, "false", RESTART, NULL,
    "Print the version.")

ALIAS("logging-format", "log-format", NULL)
ALIAS("lock-object-namespace", "leader-elect-resource-namespace",
    "use --leader-elect-resource-namespace")
ALIAS("lock-object-name", "leader-elect-resource-name",
    "use --leader-elect-resource-name")

LEGACY("add-dir-header", BOOL, NULL)
LEGACY("allow-metric-labels", STRING, "metrics have all their labels")
LEGACY("allow-metric-labels-manifest", STRING, "metrics have all their labels")
LEGACY("alsologtostderr", BOOL, NULL)
LEGACY("contention-profiling", BOOL, NULL)
LEGACY("disable-http2-serving", BOOL, NULL)
LEGACY("disabled-metrics", STRING, "all metrics are shown")
LEGACY("emulated-version", STRING, "see --kubernetes-version")
LEGACY("emulation-forward-compatible", BOOL, NULL)
LEGACY("experimental-logging-sanitization", BOOL, NULL)
LEGACY("http2-max-streams-per-connection", COUNT, NULL)
LEGACY("log-backtrace-at", STRING, NULL)
LEGACY("log-dir", STRING, "the log goes to standard error")
LEGACY("log-file", STRING, "the log goes to standard error")
LEGACY("log-file-max-size", COUNT, NULL)
LEGACY("log-flush-frequency", DURATION, NULL)
LEGACY("log-json-info-buffer-size", STRING, NULL)
LEGACY("log-json-split-stream", BOOL, NULL)
LEGACY("log-text-info-buffer-size", STRING, NULL)
LEGACY("log-text-split-stream", BOOL, NULL)
LEGACY("logtostderr", BOOL, NULL)
LEGACY("one-output", BOOL, NULL)
LEGACY("permit-address-sharing", BOOL, NULL)
LEGACY("permit-port-sharing", BOOL, NULL)
LEGACY("profiling", BOOL, NULL)
LEGACY("requestheader-uid-headers", LIST, NULL)
LEGACY("show-hidden-metrics-for-version", STRING, NULL)
LEGACY("skip-headers", BOOL, NULL)
LEGACY("skip-log-headers", BOOL, NULL)
LEGACY("stderrthreshold", STRING, NULL)
LEGACY("tls-sni-cert-key", STRING,
    "all clients get the certificate of --tls-cert-file")
LEGACY("vmodule", STRING, NULL)
/* clang-format on */
#undef SECTION
#undef OPTION
#undef ALIAS
#undef LEGACY
