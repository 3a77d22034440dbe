#!/bin/sh
# What a pod shows that waits for a device, and what else our server shows since recent
# releases.  (The API server may be older.  Of the fields that are not supported none
# passes through servers that do not know it: t/predicates/unsupported_fields.c.)
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# pod NAME RESOURCE
pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1}
	spec:
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: 100m, $2: 1}, limits: {$2: 1}}
	END
}

# condition POD FIELD: of its condition PodScheduled.
condition() {
	k get pod "$1" -o json | jq -r '.status.conditions[]? |
	    select(.type == "PodScheduled") | '"$2"
}

condition_is() {
	[ "$(condition "$1" .reason)" = "$2" ]
}

# message POD REASON
message() {
	k get events -o json | jq -r --arg pod "$1" --arg reason "$2" '.items[] |
	    select(.involvedObject.name == $pod and .reason == $reason) |
	    .message'
}

has_message() {
	[ -n "$(message "$1" "$2")" ]
}

on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

resource=deviceclass.resource.kubernetes.io/gpu
why="0/2 nodes are available: 2 Insufficient $resource."

start_apiserver
make_cluster --nodes 2 --pods 0
start_scheduler predicated "$tmp/log" --kubernetes-version=1.36
wait_scheduler

pod device $resource
wait_until 20 condition_is device Unschedulable
is "a pod whose DeviceClass does not exist is pending" \
    "$(condition device '.status + " " + .reason')" "False Unschedulable"
is "its condition says why" "$(condition device .message | cut -c 1-${#why})" "$why"
wait_until 20 has_message device FailedScheduling
has "so does its event" "$(message device FailedScheduling)" "$why"
has "and /debug/explain" "$(show '/debug/explain?pod=default/device')" \
    "Insufficient $resource"
is "no pod has unsupported fields" "$(metrics | grep ^predicated_unsupported_pods)" ""
is "it counts for kube-scheduler's metric" "$(metric \
    'scheduler_unschedulable_pods{plugin="NodeResourcesFit",profile="default-scheduler"}')" 1
k delete pod device --wait=false --grace-period=0 --force >/dev/null 2>&1

# ---- what our server shows ----

pod plain ephemeral-storage
wait_until 20 on_a_node plain
node=$(k get pod plain -o jsonpath='{.spec.nodeName}')
has "/metrics/resources has a pod" "$(show /metrics/resources)" \
    "kube_pod_resource_request{namespace=\"default\",node=\"$node\",pod=\"plain\",\
priority=\"0\",resource=\"cpu\",scheduler=\"default-scheduler\",unit=\"cores\"} 0.1"
is "/metrics/resources is Prometheus' format" "$(show /metrics/resources |
    promtool check metrics 2>&1 | grep -i error)" ""
is "the SLI has one pod" \
    "$(metric 'scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"}')" 1
has "events are timed" "$(metrics)" \
    'scheduler_event_handling_duration_seconds_count{event="AssignedPodAdd"}'
has "evaluations are counted" "$(metrics)" \
    'scheduler_plugin_evaluation_total{plugin="NodeResourcesFit",extension_point="Filter"'

# ---- the time with scheduling gates is no part of the SLI ----

# seconds METRIC: its sum over all pods.
seconds() {
	metrics | awk -v name="scheduler_pod_scheduling_$1_sum" \
	    'index($0, name "{") == 1 { sum += $NF } END { print sum + 0 }'
}

# Earlier servers drop the field.
if [ "$kubernetes_minor" -ge 27 ]; then
	k create -f - <<-'END' >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: gated}
	spec:
	  schedulingGates: [{name: example.org/later}]
	  containers: [{name: main, image: example.org/main:1}]
	END
	wait_until 20 metric_is 'scheduler_pending_pods{queue="gated"}' 1
	before="$(seconds duration_seconds) $(seconds sli_duration_seconds)"
	sleep 1
	k patch pod gated --type=json \
	    -p '[{"op": "remove", "path": "/spec/schedulingGates"}]' >/dev/null
	wait_until 20 metric_is \
	    'scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"}' 2
	is "the SLI begins when the last gate goes" "$(echo "$before" \
	    "$(seconds duration_seconds) $(seconds sli_duration_seconds)" |
	    awk '{ print ($3 - $1 >= $4 - $2 + 1 ? "yes" : $0) }')" yes
fi

finish
