/*
 * Every metric: METRIC(id, type, name, labels, buckets, help).
 *
 * Names, labels and buckets are those of kube-scheduler 1.20 where it has the
 * metric, else of 1.15 or 1.36, so that dashboards and alerts keep working; all that
 * 1.36 calls stable or beta are here.  Those that begin with "predicated_" are our own.
 * Labels are separated by a space.
 */
/* clang-format off */

/* Attempts */
METRIC(SCHEDULE_ATTEMPTS, COUNTER, "scheduler_schedule_attempts_total",
    "result profile", NO_BUCKETS,
    "Attempts to schedule a pod, by result: scheduled, unschedulable (it fits nowhere) or error (the attempt itself failed).")
METRIC(E2E_SECONDS, HISTOGRAM, "scheduler_e2e_scheduling_duration_seconds",
    "result profile", BUCKETS_EXP(0.001, 2, 15),
    "Time of one attempt, from taking the pod from the queue to its binding.")
METRIC(ATTEMPT_SECONDS, HISTOGRAM, "scheduler_scheduling_attempt_duration_seconds",
    "result profile", BUCKETS_EXP(0.001, 2, 15),
    "The same as scheduler_e2e_scheduling_duration_seconds, under its name since Kubernetes 1.23.")
METRIC(ALGORITHM_SECONDS, HISTOGRAM, "scheduler_scheduling_algorithm_duration_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "Time to find a node for a pod, of attempts that found one.")
METRIC(PREDICATES_SECONDS, HISTOGRAM, "scheduler_scheduling_algorithm_predicate_evaluation_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "Time of the predicates of one attempt that found a node.")
METRIC(PRIORITIES_SECONDS, HISTOGRAM, "scheduler_scheduling_algorithm_priority_evaluation_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "Time of the priorities of one attempt that found a node.")
METRIC(PREEMPTION_SECONDS, HISTOGRAM, "scheduler_scheduling_algorithm_preemption_evaluation_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "Time to find a node and the victims on it.")
METRIC(BINDING_SECONDS, HISTOGRAM, "scheduler_binding_duration_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "Time of one binding.")
METRIC(POD_SECONDS, HISTOGRAM, "scheduler_pod_scheduling_duration_seconds",
    "attempts", BUCKETS_EXP(0.01, 2, 20),
    "Time from adding a pod to the queue until it was bound, with all its attempts.")
METRIC(POD_SLI_SECONDS, HISTOGRAM, "scheduler_pod_scheduling_sli_duration_seconds",
    "attempts", BUCKETS_EXP(0.01, 2, 20),
    "The same without the time during which the pod had scheduling gates, under its name since Kubernetes 1.28.")
METRIC(POD_ATTEMPTS, HISTOGRAM, "scheduler_pod_scheduling_attempts",
    "", BUCKETS_EXP(1, 2, 5),
    "Number of attempts that it took to bind a pod.")
METRIC(AFTER_FLUSH, COUNTER, "scheduler_pod_scheduled_after_flush_total",
    "", NO_BUCKETS,
    "Pods bound in the first attempt after they left the unschedulable pods for their age: no event said that they fit by now.")
METRIC(PERMIT_WAIT_SECONDS, HISTOGRAM, "scheduler_permit_wait_duration_seconds",
    "result", BUCKETS_EXP(0.001, 2, 15),
    "Time for which pods wait at Permit; none ever does, as no rule of predicated is asked there.")
METRIC(GOROUTINES, GAUGE, "scheduler_goroutines",
    "operation", NO_BUCKETS,
    "Work under way beside the decisions, of one thread: binding (pods with a node that are not bound yet, with their volumes and devices) or DefaultPreemption (requests that evict victims).")
METRIC(EXTENSION_POINT_SECONDS, HISTOGRAM, "scheduler_framework_extension_point_duration_seconds",
    "extension_point status profile", BUCKETS_EXP(0.0001, 2, 12),
    "Time of PreEnqueue, of profiles that have it, whenever a pod is about to enter a queue, or of one step of an attempt: PreFilter, Filter, PostFilter (preemption), PreScore, Score, Reserve, Permit, PreBind (volumes), Bind or PostBind; Sign and PreBindPreFlight are counted for clusters of 1.35 and later, where kube-scheduler has them, and take no time. PreFilter and PreScore are parts of Filter and Score and sampled in one attempt of ten: the times of others are those of the last sample.")
METRIC(PLUGIN_SECONDS, HISTOGRAM, "scheduler_plugin_execution_duration_seconds",
    "plugin extension_point status", BUCKETS_EXP(0.00001, 1.5, 20),
    "Time of a plugin at PreEnqueue, PreFilter, Filter, PreScore or Score, for all nodes together, measured once in ten times; cached answers take none.")
METRIC(PLUGIN_EVALUATIONS, COUNTER, "scheduler_plugin_evaluation_total",
    "plugin extension_point profile", NO_BUCKETS,
    "Nodes that a plugin's rule was asked about (Filter, Score), and attempts (PreFilter); cached answers count.")
METRIC(CLAIM_CREATES, COUNTER, "scheduler_resourceclaim_creates_total",
    "status", NO_BUCKETS,
    "Requests to create a ResourceClaim for a pod's extended resources, by status: success or failure.")
METRIC(CONDITIONS_ALLOCATIONS, COUNTER, "scheduler_dra_bindingconditions_allocations_total",
    "profile driver status", NO_BUCKETS,
    "Devices with BindingConditions in attempts that waited for these, by the end of the wait: success, failure, timeout or error.")
METRIC(CONDITIONS_SECONDS, HISTOGRAM, "scheduler_dra_bindingconditions_wait_duration_seconds",
    "profile driver status", BUCKETS_EXP(0.1, 2, 14),
    "Time of such a wait, once for each device of the pod.")
METRIC(UNSCHEDULABLE_PODS, GAUGE, "scheduler_unschedulable_pods",
    "plugin profile", NO_BUCKETS,
    "Pending pods that fitted nowhere or were kept out of the queue, for each plugin that refused them.")
METRIC(PREEMPTION_VICTIMS, HISTOGRAM, "scheduler_preemption_victims",
    "", BUCKETS_EXP(1, 2, 7),
    "Number of pods evicted by one preemption.")
METRIC(PREEMPTION_ATTEMPTS, COUNTER, "scheduler_preemption_attempts_total",
    "", NO_BUCKETS,
    "Attempts to make room for a pod by preemption.")

/* Queue and cluster */
METRIC(PENDING_PODS, GAUGE, "scheduler_pending_pods",
    "queue", NO_BUCKETS,
    "Pending pods, by queue: active, backoff, unschedulable or gated.")
METRIC(OLDEST_UNSCHEDULABLE, GAUGE, "predicated_oldest_unschedulable_pod_seconds",
    "", NO_BUCKETS,
    "Age of the oldest pod in the queues unschedulable and backoff, quarantine excluded, since its creation; 0 without such pods.")
METRIC(QUEUE_INCOMING, COUNTER, "scheduler_queue_incoming_pods_total",
    "queue event", NO_BUCKETS,
    "Pods added to a queue, by the event that added them.")
METRIC(EVENT_SECONDS, HISTOGRAM, "scheduler_event_handling_duration_seconds",
    "event", BUCKETS_EXP(0.0001, 2, 12),
    "Time to take in one change of an object.")
METRIC(CACHE_SIZE, GAUGE, "scheduler_cache_size",
    "type", NO_BUCKETS,
    "Number of objects in the scheduler cache: nodes, pods, and pods assumed to be bound (assumed_pods).")
METRIC(CACHE_SIZE_BEFORE, GAUGE, "scheduler_scheduler_cache_size",
    "type", NO_BUCKETS,
    "The same as scheduler_cache_size, under its name before Kubernetes 1.33.")

/* The API server */
METRIC(REST_REQUESTS, COUNTER, "rest_client_requests_total",
    "code host method", NO_BUCKETS,
    "Requests to the API server, by HTTP status; code is <error> without a response.")
METRIC(REST_SECONDS, HISTOGRAM, "rest_client_request_duration_seconds",
    "verb url", BUCKETS_EXP(0.001, 2, 10),
    "Time of one request to the API server.")
METRIC(LEADER, GAUGE, "leader_election_master_status",
    "name", NO_BUCKETS,
    "1 while this instance is the leader, 0 while it is standing by.")
METRIC(FEATURE, GAUGE, "kubernetes_feature_enabled",
    "name stage", NO_BUCKETS,
    "1 for a feature gate of kube-scheduler 1.36 that is on, for clusters of this release; those that are not of predicated are as by default.")
METRIC(BUILD_INFO, GAUGE, "kubernetes_build_info",
    "build_date compiler git_commit git_tree_state git_version go_version major minor platform", NO_BUCKETS,
    "Always 1; the labels give the version of predicated.")

/* The process */
METRIC(PROCESS_CPU, COUNTER, "process_cpu_seconds_total",
    "", NO_BUCKETS, "CPU time spent, user and system.")
METRIC(PROCESS_MAX_FDS, GAUGE, "process_max_fds",
    "", NO_BUCKETS, "Maximum number of open file descriptors.")
METRIC(PROCESS_OPEN_FDS, GAUGE, "process_open_fds",
    "", NO_BUCKETS, "Number of open file descriptors.")
METRIC(PROCESS_RSS, GAUGE, "process_resident_memory_bytes",
    "", NO_BUCKETS, "Resident memory.")
METRIC(PROCESS_START, GAUGE, "process_start_time_seconds",
    "", NO_BUCKETS, "Start time of the process, since 1970.")
METRIC(PROCESS_VIRTUAL, GAUGE, "process_virtual_memory_bytes",
    "", NO_BUCKETS, "Virtual memory.")
METRIC(PROCESS_VIRTUAL_MAX, GAUGE, "process_virtual_memory_max_bytes",
    "", NO_BUCKETS, "Maximum amount of virtual memory; -1: no limit.")

/* Our own */
METRIC(POLICY_RELOADS, COUNTER, "predicated_policy_reloads_total",
    "result", NO_BUCKETS,
    "Policies read again after the start, by result: ok, or refused (the last valid policy is kept).")
METRIC(POLICY_GENERATION, GAUGE, "predicated_policy_generation",
    "", NO_BUCKETS,
    "Number of policies that have been in force since the start.")
METRIC(POLICY_SOURCE, GAUGE, "predicated_policy_source",
    "source", NO_BUCKETS,
    "1 for the source of the policy in force: file, configmap, openshift-policy, openshift-profile, config or provider.")
METRIC(POLICY_LOADED, GAUGE, "predicated_policy_last_load_timestamp_seconds",
    "", NO_BUCKETS,
    "Time when the policy in force was loaded, since 1970.")
METRIC(POLICY_STALE, GAUGE, "predicated_policy_refused",
    "", NO_BUCKETS,
    "1 while the current policy is invalid and an older one is in force.")
METRIC(DRY_RUN_DECISIONS, COUNTER, "predicated_dry_run_decisions_total",
    "result", NO_BUCKETS,
    "Decisions about which the policy of --policy-dry-run was asked, too, by result: same, other_node, unschedulable (only the policy in force finds a node), schedulable (only that of the dry run does), unserved (it has no profile for the pod) or error.")
METRIC(DRY_RUN_SECONDS, COUNTER, "predicated_dry_run_seconds_total",
    "", NO_BUCKETS,
    "Time spent for the decisions of --policy-dry-run.")
METRIC(DRY_RUN_REFUSED, GAUGE, "predicated_dry_run_policy_refused",
    "", NO_BUCKETS,
    "1 while the policy of --policy-dry-run is invalid and an older one, if any, is used.")
METRIC(BESIDE_DECISIONS, COUNTER, "predicated_beside_decisions_total",
    "result rule", NO_BUCKETS,
    "Decisions of the scheduler of --decide-beside about which we were asked, too, by result: same, tie (its node has our best score), other_node (we prefer another, by this priority), refused (its node does not fit, by this predicate) or error.")
METRIC(RECORDED, COUNTER, "predicated_recorded_decisions_total",
    "result", NO_BUCKETS,
    "Decisions since --record was given, by result: written, or lost (the disk was full, failing or too slow).")
METRIC(RECORD_BYTES, COUNTER, "predicated_record_bytes_total",
    "", NO_BUCKETS,
    "Bytes written by --record.")
METRIC(RECORD_ERRORS, COUNTER, "predicated_record_errors_total",
    "", NO_BUCKETS,
    "Errors in files of --record.")
METRIC(DECISIONS, COUNTER, "predicated_decisions_total",
    "result", NO_BUCKETS,
    "Decisions: node (one was found), nowhere (the pod fits on none), or error.")
METRIC(DECISIONS_ABANDONED, COUNTER, "predicated_decisions_abandoned_total",
    "", NO_BUCKETS,
    "Attempts that took longer than --decision-timeout.")
METRIC(UNSUPPORTED_PODS, GAUGE, "predicated_unsupported_pods",
    "field", NO_BUCKETS,
    "Pending pods that are not scheduled because they have this field, by its name for --ignore-unsupported.")
METRIC(QUARANTINED_PODS, GAUGE, "predicated_quarantined_pods",
    "", NO_BUCKETS,
    "Pending pods that blocked the scheduler and are waiting for another attempt; they are among the pending pods in backoff.")
METRIC(COSTLY_NAMESPACES, GAUGE, "predicated_costly_namespaces",
    "", NO_BUCKETS,
    "Namespaces whose pods wait now while pods of others do, because scheduling them took too much processor time.")
METRIC(COSTLY, COUNTER, "predicated_costly_namespaces_total",
    "", NO_BUCKETS,
    "How often a namespace became one of predicated_costly_namespaces.")
METRIC(STALLS, COUNTER, "predicated_event_loop_stalls_total",
    "", NO_BUCKETS,
    "Number of times that the event loop was blocked for longer than --decision-timeout.")
METRIC(LAG, HISTOGRAM, "predicated_event_loop_lag_seconds",
    "", BUCKETS_EXP(0.001, 2, 15),
    "How late a timer of the event loop was that is due once a second.")
METRIC(MEMO_BYTES, GAUGE, "predicated_memo_bytes",
    "", NO_BUCKETS,
    "Memory used by cached results of rules.")
METRIC(QUEUE_REPAIRS, COUNTER, "predicated_queue_sweep_repairs_total",
    "", NO_BUCKETS,
    "Pending pods that the sweep found in no queue and put back; a value other than 0 indicates a bug.")
METRIC(BINDS_IN_FLIGHT, GAUGE, "predicated_binds_in_flight",
    "", NO_BUCKETS,
    "Bindings that are waiting for a response of the API server.")
METRIC(ASSUMED_EXPIRED, COUNTER, "predicated_assumed_pods_expired_total",
    "", NO_BUCKETS,
    "Assumed pods whose binding was never seen in a watch.")
METRIC(EXTENDER_SECONDS, HISTOGRAM, "predicated_extender_duration_seconds",
    "extender code", BUCKETS_EXP(0.001, 2, 15),
    "Time of one request to an extender, by its URL and the HTTP status; code is <error> without a response.")
METRIC(WATCH_LISTS, COUNTER, "predicated_watch_lists_total",
    "resource", NO_BUCKETS,
    "Complete lists read.")
METRIC(WATCH_STARTS, COUNTER, "predicated_watch_starts_total",
    "resource", NO_BUCKETS,
    "Watches begun.")
METRIC(WATCH_EVENTS, COUNTER, "predicated_watch_events_total",
    "resource", NO_BUCKETS,
    "Events received from watches, bookmarks included.")
METRIC(WATCH_IGNORED, COUNTER, "predicated_watch_events_ignored_total",
    "resource", NO_BUCKETS,
    "Events that were repeated or late.")
METRIC(WATCH_PROBLEMS, COUNTER, "predicated_watch_problems_total",
    "resource", NO_BUCKETS,
    "Lists and watches that failed.")
METRIC(WATCH_BEHIND, GAUGE, "predicated_watch_behind_seconds",
    "resource", NO_BUCKETS,
    "For how long the objects have not been known to be the API server's; from 15 s on no pods are scheduled.")
METRIC(CACHE_CHECKS, COUNTER, "predicated_cache_consistency_checks_total",
    "resource status", NO_BUCKETS,
    "Comparisons of the cache with a list of the API server; status is success, failure (they differed) or error (the list failed).")
METRIC(LEFT_OUT, GAUGE, "predicated_objects_left_out",
    "resource", NO_BUCKETS,
    "Objects that are currently left out because they cannot be decoded.")
METRIC(LEFT_OUT_TOTAL, COUNTER, "predicated_objects_left_out_total",
    "resource", NO_BUCKETS,
    "Versions of objects that were left out because they could not be decoded.")
METRIC(OBJECT_BYTES, GAUGE, "predicated_namespace_objects_bytes",
    "", NO_BUCKETS,
    "Memory of the objects of all namespaces, as --max-memory-of-namespaces counts it.")
METRIC(EVENTS_WRITTEN, COUNTER, "predicated_events_written_total",
    "", NO_BUCKETS,
    "Kubernetes Events created or updated.")
METRIC(EVENTS_DROPPED, COUNTER, "predicated_events_dropped_total",
    "reason", NO_BUCKETS,
    "Kubernetes Events that were not written, by reason: rate limit or failure.")
METRIC(LOG_LINES, COUNTER, "predicated_log_messages_total",
    "level", NO_BUCKETS,
    "Lines logged, by level: info, warning or error.")
METRIC(HTTP_REQUESTS, COUNTER, "predicated_http_requests_total",
    "code", NO_BUCKETS,
    "Requests to this server, by HTTP status.")
/* clang-format on */
