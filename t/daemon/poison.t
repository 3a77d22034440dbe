#!/bin/sh
# Objects that once stopped everything, and objects that cannot be decoded: all
# others are scheduled on, and what is left out is said, counted, and taken in
# again when it can be read.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# pod NAME CPU [FIELDS]: FIELDS of its spec.
pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1}
	spec:
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: $2}}
	  ${3-}
	END
}

# node NAME CPU
node() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Node
	metadata: {name: $1, labels: {only: $1}}
	status:
	  allocatable: {cpu: "$2", memory: 1Gi, pods: "10"}
	  capacity: {cpu: "$2", memory: 1Gi, pods: "10"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

on_a_node() {
	[ -n "$(node_of "$1")" ]
}

# Seconds from when the pod was made until it was bound.
latency() {
	k get pod "$1" -o json | jq '(.status.conditions[] |
	    select(.type == "PodScheduled").lastTransitionTime |
	    fromdate) - (.metadata.creationTimestamp | fromdate)'
}

# condition POD FIELD: of its condition PodScheduled.
condition() {
	k get pod "$1" -o json | jq -r '.status.conditions[]? |
	    select(.type == "PodScheduled") | '"$2"
}

condition_has() {
	condition "$1" .message | grep -qF "$2"
}

# event OF REASON
event() {
	k get events -A -o json | jq -r --arg of "$1" --arg reason "$2" '.items[] |
	    select(.involvedObject.name == $of and .reason == $reason) |
	    .type + " " + .message'
}

has_event() {
	[ -n "$(event "$1" "$2")" ]
}

left_out_is() {
	metric_is "predicated_objects_left_out{resource=\"$1\"}" "$2"
}

# plain NAME…: makes pods, which are bound within a second.
plain() {
	for name; do
		pod "$name" 10m
	done
	for name; do
		wait_until 10 on_a_node "$name"
		case $(latency "$name") in
		[01]) pass "pod $name is bound within a second" ;;
		*) fail "pod $name is bound within a second" \
			"on node \"$(node_of "$name")\" after $(latency "$name") s
$(tail "$tmp/log")" ;;
		esac
	done
}

# ---- what the server accepts is accepted ----

start_apiserver
make_cluster --nodes 5 --pods 0
start_scheduler predicated "$tmp/log"
wait_scheduler
for file in nul_key year_zero; do
	k create -f "$SRCDIR/t/data/hostile/$file.yaml" >/dev/null ||
	    bail_out "$file.yaml is refused by the server"
done
plain after-1 after-2
if wait_until 10 on_a_node nul-key; then
	pass "the pod with NULs is bound, too"
else
	fail "the pod with NULs is bound, too" "$(tail "$tmp/log")"
fi
stop_process "$scheduler_pid"
start_scheduler predicated "$tmp/log"
wait_scheduler
plain restarted-1 restarted-2
for resource in pods replicasets; do
	wait_until 10 metric_is \
	    "predicated_objects_left_out_total{resource=\"$resource\"}" 0
	is "no $resource are left out" \
	    "$(metric "predicated_objects_left_out_total{resource=\"$resource\"}")" 0
done
stop_process "$scheduler_pid"

# ---- what cannot be decoded is left out ----

node small 1
node full 200
start_tls_proxy "$(scheduler_user predicated)"
spoil() {
	if [ -n "$content_type" ]; then
		proxy swap '"poison-taint"' 11111111111111
	else
		proxy swap %0a%0cpoison-taint %0b%0cpoison-taint
	fi
	proxy swap 123457m 12345xm
}
spoil >/dev/null
taint="tolerations: [{key: poison-taint, operator: Exists}]"
pod counted 600m "nodeName: small
  $taint"
pod greedy 123457m "nodeName: full"
pod waiting 10m "$taint"
start_scheduler predicated "$tmp/log"
wait_scheduler
plain beside-1 beside-2
wait_until 10 left_out_is pods 3
is "three pods are left out" \
    "$(metric 'predicated_objects_left_out{resource="pods"}')" 3
has "the log says which, where and why" "$(cat "$tmp/log")" \
    "Pod default/waiting cannot be decoded and is left out: /api/v1/pods"
wait_until 10 condition_has waiting "left out"
is "a pod that waits is told" "$(condition waiting '.status + " " + .reason')" \
    "False SchedulerError"
has "with the reason" "$(condition waiting .message)" \
    "cannot be decoded and is left out: "
has "and what follows" "$(condition waiting .message)" "it is not scheduled"
wait_until 10 has_event waiting FailedDecode
has "by an event, too" "$(event waiting FailedDecode)" \
    "Warning cannot be decoded and is left out: "
wait_until 10 has_event counted FailedDecode
has "one on a node counts" "$(event counted FailedDecode)" \
    "its requests, ports and labels count on node small"
wait_until 10 has_event greedy FailedDecode
has "or takes all of it" "$(event greedy FailedDecode)" \
    "its resource usage is unknown: node full counts as full"

pod too-much 500m "nodeSelector: {only: small}"
pod enough 300m "nodeSelector: {only: small}"
pod nothing-left 1m "nodeSelector: {only: full}"
wait_until 10 on_a_node enough
is "what fits beside it is bound" "$(node_of enough)" small
wait_until 10 condition_has too-much "1 Insufficient cpu"
is "what does not is not" "$(node_of too-much)" ""
wait_until 10 condition_has nothing-left "1 Insufficient cpu"
is "nothing fits where what is free is not known" "$(node_of nothing-left)" ""
is "what is left out is not bound" "$(node_of waiting)" ""

# ---- one that was decoded, and can be no more ----

pod turning 400m "nodeName: small
  tolerations: [{key: other-taint0, operator: Exists}]"
wait_until 10 left_out_is pods 3
k patch pod turning --type=json -p '[{"op": "add", "path": "/spec/tolerations/-",
    "value": {"key": "poison-taint", "operator": "Exists"}}]' >/dev/null
wait_until 10 left_out_is pods 4
wait_until 10 has_event turning FailedDecode
has "it counts as it was" "$(event turning FailedDecode)" \
    "its previous version still counts on node small"

# ---- they can be decoded again, or are gone ----

proxy clear >/dev/null
k delete pod turning --grace-period=0 --force >/dev/null 2>&1
wait_until 10 left_out_is pods 3
k label pod waiting greedy counted read=again >/dev/null
wait_until 10 left_out_is pods 0
is "none is left out any more" \
    "$(metric 'predicated_objects_left_out{resource="pods"}')" 0
wait_until 20 on_a_node waiting
has "the pod that waited is bound" "$(node_of waiting)" "node-"
k delete pod greedy --grace-period=0 --force >/dev/null 2>&1
wait_until 30 on_a_node nothing-left
is "what was on the full node is known" "$(node_of nothing-left)" full
is "each version that was left out is counted" \
    "$([ "$(metric 'predicated_objects_left_out_total{resource="pods"}')" -ge 4 ] &&
	echo yes)" yes

finish
