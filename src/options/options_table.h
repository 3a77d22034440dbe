/*
 * Every option there is.  The fields of struct daemon_options, the command
 * line, the configuration file, --help, etc/predicated.conf and the manual are
 * made from this table: a new option is one row, and what uses its field.
 * t/options/options.t says which files no longer agree and can rewrite them.
 *
 *	SECTION(title)
 *	OPTION(field, TYPE, flag, key, default, when, arg, help)
 *		TYPE: see OPTION_TYPES in options_internal.h
 *		flag: on the command line, without "--"
 *		key: in the configuration file; NULL: only on the command line
 *		when: a change takes effect on RELOAD (SIGHUP) or RESTART
 *		arg: what help calls the value; of a CHOICE, all there are; FILE
 *		is one that must be readable; NULL for a BOOL
 *		help: sentences without markup; lines are broken where printed
 *	ALIAS(flag, other_flag, why)
 *		another name; a warning says why, unless it is NULL
 *	LEGACY(flag, TYPE, quiet, why)
 *		kube-scheduler has it; it means nothing here; a warning says
 *		why, unless why is NULL or the value is quiet
 *
 * Flags of kube-scheduler have its names, defaults and meanings (1.15 to 1.20,
 * and those that later releases added).
 */
/* clang-format off */

SECTION("What decides")
OPTION(policy_config_file, STRING, "policy-config-file", "policy.file", "",
    RELOAD, "FILE",
    "The scheduler policy, see policy.cfg(5). It is read again when it "
    "changes.")
OPTION(policy_configmap, STRING, "policy-configmap", "policy.configmap", "",
    RELOAD, "NAME",
    "The ConfigMap that holds the policy under the key policy.cfg. It is "
    "watched, and wins over the file.")
OPTION(policy_configmap_namespace, STRING, "policy-configmap-namespace",
    "policy.configmap_namespace", "kube-system", RELOAD, "NAMESPACE",
    "Where that ConfigMap is.")
OPTION(use_legacy_policy_config, BOOL, "use-legacy-policy-config",
    "policy.prefer_file", "false", RELOAD, NULL,
    "The file wins over the ConfigMap.")
OPTION(policy_openshift, BOOL, "policy-openshift", "policy.openshift", "true",
    RELOAD, NULL,
    "With neither file nor ConfigMap, do what OpenShift's Scheduler object says "
    "where the API server has one: its policy, its profile and its default "
    "node selector.")
OPTION(strict_policy, BOOL, "strict-policy", "policy.strict", "false", RELOAD,
    NULL,
    "Read or refuse the policy exactly as Kubernetes 1.15 does.")
OPTION(algorithm_provider, STRING, "algorithm-provider", "policy.provider", "",
    RELOAD, "NAME",
    "The rules when there is no policy: DefaultProvider, which it is without "
    "this, or ClusterAutoscalerProvider.")
OPTION(hard_pod_affinity_symmetric_weight, PERCENT,
    "hard-pod-affinity-symmetric-weight",
    "policy.hard_pod_affinity_symmetric_weight", "1", RELOAD, "0..100",
    "How much a node is worth to a pod that pods there require to have beside "
    "them, where the policy does not say it.")
OPTION(feature_gates, LIST, "feature-gates", "policy.feature_gates", "", RELOAD,
    "GATE=true|false,...",
    "The gates of Kubernetes 1.15 that change rules. Others are passed over "
    "with a warning.")
OPTION(kosmos, BOOL, "kosmos", "kosmos", "false", RELOAD, NULL,
    "The rules of Kosmos join any policy: LeafNodeDistribution, and, in the "
    "place of PodToleratesNodeTaints and CheckVolumeBinding, "
    "LeafNodeTaintToleration and LeafNodeVolumeBinding.")
OPTION(percentage_of_nodes_to_score, PERCENT, "percentage-of-nodes-to-score",
    "scheduling.percentage_of_nodes_to_score", "0", RELOAD, "0..100",
    "Look at nodes only until so many of all fit, and at least 100; 0 and 100 "
    "look at every node, which is not slower here.")
OPTION(scheduler_name, STRING, "scheduler-name", "scheduling.scheduler_name",
    "default-scheduler", RESTART, "NAME",
    "The pods whose spec.schedulerName is this are ours.")
OPTION(pod_limits, STRING, "max-per-pod", "scheduling.max_per_pod", "", RESTART,
    "NAME=N,...",
    "How much one pod may ask for; what asks for more is not scheduled, and an "
    "event says why. The limits are far above real use: containers=1000, "
    "resources=200, hostPorts=200, volumes=500, tolerations=1000, "
    "nodeRequirements=1000, nodeValues=10000, podTerms=200, "
    "podRequirements=1000, podValues=5000, spreadConstraints=50.")
OPTION(disable_preemption, BOOL, "disable-preemption",
    "scheduling.disable_preemption", "false", RELOAD, NULL,
    "Never evict pods to make room for one of higher priority.")
OPTION(max_binds_in_flight, COUNT, "max-binds-in-flight",
    "scheduling.max_binds_in_flight", "256", RELOAD, "N",
    "How many bindings may wait for the API server's answer before no more pods "
    "are taken up.")
OPTION(volume_bind_timeout_ms, DURATION, "volume-bind-timeout",
    "scheduling.volume_bind_timeout", "10m0s", RELOAD, "DURATION",
    "How long a pod waits for the volumes that its claims are to get before it "
    "is decided about anew.")
OPTION(decision_timeout_ms, DURATION, "decision-timeout",
    "scheduling.decision_timeout", "1s", RELOAD, "DURATION",
    "How long one pod may hold up all others. An attempt to schedule it that "
    "takes longer is abandoned, and the pod is tried again after 10 s, then "
    "20 s, and so on up to 10 min, as its events say; the log has a warning "
    "whenever the event loop is held up for longer, by whatever. 0 sets no "
    "limit.")
OPTION(seed, SEED, "seed", "scheduling.seed", "0", RESTART, "N",
    "Decides between equally good nodes; 0 takes a random seed.")
OPTION(kubernetes_version, STRING, "kubernetes-version",
    "scheduling.kubernetes_version", "auto", RESTART, "auto|1.N",
    "Count what pods use as the kubelets of this release do; auto asks the API "
    "server.")

SECTION("The API server")
OPTION(kubeconfig, STRING, "kubeconfig", "api.kubeconfig", "", RESTART, "FILE",
    "How to reach the API server; /etc/kubernetes/scheduler.conf is what kubeadm "
    "makes for it. Without it: the files of $KUBECONFIG, the service account of "
    "our pod, or ~/.kube/config.")
OPTION(master, STRING, "master", "api.master", "", RESTART, "URL",
    "The API server's address, in place of the one in the kubeconfig.")
OPTION(kube_api_qps, REAL, "kube-api-qps", "api.qps", "0", RESTART, "N",
    "Requests in a second on average; 0 sets no limit.")
OPTION(kube_api_burst, COUNT, "kube-api-burst", "api.burst", "0", RESTART, "N",
    "Requests at once under that limit; 0 is twice as many as in a second.")
OPTION(kube_api_content_type, CHOICE, "kube-api-content-type",
    "api.content_type", "application/vnd.kubernetes.protobuf", RESTART,
    "application/vnd.kubernetes.protobuf|application/json",
    "How to write to the API server, and to be answered; protobuf costs it "
    "less. What it has only as JSON, such as custom resources, stays JSON.")
OPTION(kube_api_accept_content_types, LIST, "kube-api-accept-content-types",
    "api.accept_content_types", "", RESTART, "TYPE,...",
    "How to be answered where that is to be something else: the first of these "
    "types.")

SECTION("Leader election")
OPTION(leader_elect, BOOL, "leader-elect", "leader_election.enable", "true",
    RESTART, NULL,
    "Schedule only while we hold the lock; several instances then stand by for "
    "each other, and for kube-scheduler.")
OPTION(lease_duration_ms, DURATION, "leader-elect-lease-duration",
    "leader_election.lease_duration", "15s", RESTART, "DURATION",
    "How long after its last sign of life a leader is left alone.")
OPTION(renew_deadline_ms, DURATION, "leader-elect-renew-deadline",
    "leader_election.renew_deadline", "10s", RESTART, "DURATION",
    "How long the leader tries to renew the lock before it stops leading; less "
    "than the lease duration.")
OPTION(retry_period_ms, DURATION, "leader-elect-retry-period",
    "leader_election.retry_period", "2s", RESTART, "DURATION",
    "How long to wait between tries; 1.2 times it must be less than the renew "
    "deadline.")
OPTION(lock, CHOICE, "leader-elect-resource-lock",
    "leader_election.resource_lock", "leases", RESTART,
    "leases|endpoints|configmaps|endpointsleases|configmapsleases",
    "The kind of the lock object; all candidates must have the same. "
    "kube-scheduler has endpoints before 1.17, endpointsleases to 1.19, then "
    "leases.")
OPTION(lock_namespace, STRING, "leader-elect-resource-namespace",
    "leader_election.resource_namespace", "kube-system", RESTART, "NAMESPACE",
    "Where the lock object is.")
OPTION(lock_name, STRING, "leader-elect-resource-name",
    "leader_election.resource_name", "kube-scheduler", RESTART, "NAME",
    "The lock object's name.")

SECTION("Health, metrics and explanations over HTTPS")
OPTION(bind_address, STRING, "bind-address", "server.address", "0.0.0.0",
    RESTART, "IP",
    "The address to listen on; 0.0.0.0 and :: are all there are.")
OPTION(secure_port, PORT, "secure-port", "server.port", "10259", RESTART,
    "PORT",
    "The port to listen on; 0 does not listen at all.")
OPTION(max_connections, COUNT, "max-connections", "server.max_connections",
    "200", RESTART, "N",
    "How many connections there may be. One more closes the oldest that waits "
    "for its client, of the address that has most; those of authenticated users "
    "go last while they are no more than three quarters.")
OPTION(max_connections_per_address, COUNT, "max-connections-per-address",
    "server.max_connections_per_address", "50", RESTART, "N",
    "How many connections one client address may have, of IPv6 one /64 network; "
    "one more closes its oldest. 0 sets no limit.")
OPTION(request_header_timeout_ms, DURATION, "request-header-timeout",
    "server.request_header_timeout", "10s", RESTART, "DURATION",
    "How long a client may take to send a request.")
OPTION(tls_cert_file, STRING, "tls-cert-file", "server.tls.cert_file", "",
    RESTART, "FILE",
    "The server's certificate, followed by those of its issuers. It is read "
    "again when it changes. Without it one for localhost is made, signed by "
    "itself.")
OPTION(tls_private_key_file, STRING, "tls-private-key-file",
    "server.tls.private_key_file", "", RESTART, "FILE",
    "The key of that certificate.")
OPTION(cert_dir, STRING, "cert-dir", "server.tls.cert_dir", "", RESTART, "DIR",
    "Keep the certificate that we make here, as kube-scheduler.crt and "
    "kube-scheduler.key, and use it again; without it, it is not kept.")
OPTION(tls_cipher_suites, LIST, "tls-cipher-suites", "server.tls.cipher_suites",
    "", RESTART, "SUITE,...",
    "The cipher suites up to TLS 1.2, as Go calls them; without it, those with "
    "forward secrecy and authenticated encryption.")
OPTION(tls_min_version, CHOICE, "tls-min-version", "server.tls.min_version",
    "VersionTLS12", RESTART,
    "VersionTLS10|VersionTLS11|VersionTLS12|VersionTLS13",
    "The oldest TLS version that is accepted; those before 1.2 count as 1.2.")
OPTION(tls_handshake_timeout_ms, DURATION, "tls-handshake-timeout",
    "server.tls.handshake_timeout", "10s", RESTART, "DURATION",
    "How long a client may take for the TLS handshake.")

SECTION("Health without TLS")
OPTION(plain_port, PORT, "port", "server.plain.port", "10251", RESTART, "PORT",
    "The port to listen on without TLS, for probes as manifests for Kubernetes "
    "up to 1.22 have them; 0 does not listen at all. It shows the health paths "
    "and, when this is given, /metrics, to everybody. As with kube-scheduler, it "
    "has no effect beside --config, whose healthzBindAddress and "
    "metricsBindAddress count.")
OPTION(plain_address, STRING, "address", "server.plain.address", "0.0.0.0",
    RESTART, "IP",
    "The address of that port; 0.0.0.0 and :: are all there are. With neither "
    "this nor --port it is 127.0.0.1.")

SECTION("Who may ask")
OPTION(authentication_kubeconfig, STRING, "authentication-kubeconfig",
    "authentication.kubeconfig", "", RESTART, "FILE",
    "How to reach the API server for TokenReviews and for the cluster's client "
    "CA, such as /etc/kubernetes/scheduler.conf; without it, as the service "
    "account of our pod. Where there is none, tokens are not accepted and the CA "
    "is not looked up.")
OPTION(authentication_skip_lookup, BOOL, "authentication-skip-lookup",
    "authentication.skip_lookup", "false", RESTART, NULL,
    "Do not look up the client CA in the cluster.")
OPTION(authentication_tolerate_lookup_failure, BOOL,
    "authentication-tolerate-lookup-failure",
    "authentication.tolerate_lookup_failure", "true", RESTART, NULL,
    "Start also when the client CA cannot be looked up; client certificates "
    "are then not accepted.")
OPTION(authentication_cache_ttl_ms, DURATION,
    "authentication-token-webhook-cache-ttl", "authentication.cache_ttl", "10s",
    RESTART, "DURATION",
    "How long the answer about a token is remembered.")
OPTION(client_ca_file, STRING, "client-ca-file",
    "authentication.client_ca_file", "", RESTART, "FILE",
    "Client certificates signed by these authorities are accepted.")
OPTION(requestheader_client_ca_file, STRING, "requestheader-client-ca-file",
    "authentication.requestheader.client_ca_file", "", RESTART, "FILE",
    "Proxies with client certificates signed by these authorities may say in "
    "headers whose request it is.")
OPTION(requestheader_allowed_names, LIST, "requestheader-allowed-names",
    "authentication.requestheader.allowed_names", "", RESTART, "NAME,...",
    "The common names of such proxies; none: any.")
OPTION(requestheader_username_headers, LIST, "requestheader-username-headers",
    "authentication.requestheader.username_headers", "x-remote-user", RESTART,
    "HEADER,...", "The headers that name the user.")
OPTION(requestheader_group_headers, LIST, "requestheader-group-headers",
    "authentication.requestheader.group_headers", "x-remote-group", RESTART,
    "HEADER,...", "The headers that name groups.")
OPTION(requestheader_extra_headers_prefix, LIST,
    "requestheader-extra-headers-prefix",
    "authentication.requestheader.extra_headers_prefix", "x-remote-extra-",
    RESTART, "PREFIX,...", "How headers with more about the user begin.")
OPTION(authorization_kubeconfig, STRING, "authorization-kubeconfig",
    "authorization.kubeconfig", "", RESTART, "FILE",
    "How to reach the API server for SubjectAccessReviews, such as "
    "/etc/kubernetes/scheduler.conf; without it, as the service account of our "
    "pod. Where there is none, all is forbidden but the paths that are always "
    "allowed.")
OPTION(authorization_always_allow_paths, LIST,
    "authorization-always-allow-paths", "authorization.always_allow_paths",
    "/healthz,/livez,/readyz", RESTART, "PATH,...",
    "What everybody may ask for; a final * stands for anything.")
OPTION(authorization_authorized_ttl_ms, DURATION,
    "authorization-webhook-cache-authorized-ttl",
    "authorization.authorized_ttl", "10s", RESTART, "DURATION",
    "How long a permission is remembered.")
OPTION(authorization_unauthorized_ttl_ms, DURATION,
    "authorization-webhook-cache-unauthorized-ttl",
    "authorization.unauthorized_ttl", "10s", RESTART, "DURATION",
    "How long a refusal is remembered.")

SECTION("The log")
OPTION(verbosity, COUNT, "v", "log.verbosity", "0", RELOAD, "N",
    "How much is logged: 2 tells of every change of state, 4 and more are for "
    "developers.")
OPTION(log_format, CHOICE, "log-format", "log.format", "auto", RELOAD,
    "auto|text|json|journal",
    "Lines as kube-scheduler writes them, JSON objects, or lines with the "
    "priorities that journald reads; auto is journal where standard error is "
    "systemd's journal, else text.")

SECTION("What to do")
OPTION(config_file, STRING, "config-file", NULL, "", RESTART, "FILE",
    "Our configuration, see predicated.conf(5). Without it "
    "/etc/predicated/predicated.conf is read if it is there. The command line "
    "wins over it.")
OPTION(config, STRING, "config", NULL, "", RESTART, "FILE",
    "A KubeSchedulerConfiguration. It wins over our configuration, flags win "
    "over both. Profiles, plugins and extenders in it are not supported yet: "
    "such a file is refused.")
OPTION(check, BOOL, "check", NULL, "false", RESTART, NULL,
    "Check options, configuration and policy, say what is wrong, and exit.")
OPTION(write_config_to, STRING, "write-config-to", NULL, "", RESTART, "FILE",
    "Write all options with their values to FILE, in the form of "
    "predicated.conf(5), and exit; - is standard output.")
OPTION(help, BOOL, "help", NULL, "false", RESTART, NULL, "This text.")
OPTION(version, BOOL, "version", NULL, "false", RESTART, NULL,
    "The program's version.")

ALIAS("logging-format", "log-format", NULL)
ALIAS("lock-object-namespace", "leader-elect-resource-namespace",
    "use --leader-elect-resource-namespace")
ALIAS("lock-object-name", "leader-elect-resource-name",
    "use --leader-elect-resource-name")

LEGACY("add-dir-header", BOOL, NULL, NULL)
LEGACY("allow-metric-labels", STRING, NULL,
    "metrics have all their labels")
LEGACY("allow-metric-labels-manifest", STRING, NULL,
    "metrics have all their labels")
LEGACY("alsologtostderr", BOOL, NULL, NULL)
LEGACY("contention-profiling", BOOL, NULL, NULL)
LEGACY("disable-http2-serving", BOOL, NULL, NULL)
LEGACY("disabled-metrics", STRING, NULL, "all metrics are shown")
LEGACY("emulated-version", STRING, NULL, "see --kubernetes-version")
LEGACY("emulation-forward-compatible", BOOL, NULL, NULL)
LEGACY("experimental-logging-sanitization", BOOL, NULL, NULL)
LEGACY("http2-max-streams-per-connection", COUNT, NULL, NULL)
LEGACY("log-backtrace-at", STRING, NULL, NULL)
LEGACY("log-dir", STRING, NULL, "the log goes to standard error")
LEGACY("log-file", STRING, NULL, "the log goes to standard error")
LEGACY("log-file-max-size", COUNT, NULL, NULL)
LEGACY("log-flush-frequency", DURATION, NULL, NULL)
LEGACY("log-json-info-buffer-size", STRING, NULL, NULL)
LEGACY("log-json-split-stream", BOOL, NULL, NULL)
LEGACY("log-text-info-buffer-size", STRING, NULL, NULL)
LEGACY("log-text-split-stream", BOOL, NULL, NULL)
LEGACY("logtostderr", BOOL, NULL, NULL)
LEGACY("one-output", BOOL, NULL, NULL)
LEGACY("permit-address-sharing", BOOL, NULL, NULL)
LEGACY("permit-port-sharing", BOOL, NULL, NULL)
LEGACY("pod-max-in-unschedulable-pods-duration", DURATION, NULL, NULL)
LEGACY("profiling", BOOL, NULL, NULL)
LEGACY("requestheader-uid-headers", LIST, NULL, NULL)
LEGACY("show-hidden-metrics-for-version", STRING, NULL, NULL)
LEGACY("skip-headers", BOOL, NULL, NULL)
LEGACY("skip-log-headers", BOOL, NULL, NULL)
LEGACY("stderrthreshold", STRING, NULL, NULL)
LEGACY("tls-sni-cert-key", STRING, NULL,
    "the certificate of --tls-cert-file is shown to everybody")
LEGACY("vmodule", STRING, NULL, NULL)
/* clang-format on */
#undef SECTION
#undef OPTION
#undef ALIAS
#undef LEGACY
