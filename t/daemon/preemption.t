#!/bin/sh
# Preemption as releases after 1.15 do it: what victims are told, and in what
# words.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# pod NAME [METADATA [SPEC]]: takes all of a node.
pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, ${2-}}
	spec:
	  terminationGracePeriodSeconds: 0
	  ${3-}
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: "1"}}
	END
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

on_a_node() {
	[ -n "$(node_of "$1")" ]
}

is_leaving() {
	[ -n "$(k get pod "$1" -o jsonpath='{.metadata.deletionTimestamp}')" ]
}

preempted() {
	k get events -o jsonpath='{range .items[?(@.reason=="Preempted")]}{.message}{"\n"}{end}' |
	    grep "$1"
}

# try RELEASE PATTERN
try() {
	start_scheduler predicated "$tmp/log" --kubernetes-version="$1"
	wait_scheduler
	pod victim 'finalizers: [example.org/stay]'
	wait_until 15 on_a_node victim
	pod urgent '' 'priorityClassName: urgent'
	wait_until 15 is_leaving victim
	uid=$(k get pod urgent -o jsonpath='{.metadata.uid}')
	condition=$(k get pod victim -o json | jq -c '.status.conditions[] |
	    select(.type == "DisruptionTarget") |
	    [.status, .reason, .message, (.lastTransitionTime | length)]')
	wait_until 10 preempted "$(echo "$2" | sed "s/UID/$uid/")"
	is "$1: the event" "$(preempted . | tail -n 1)" \
	    "$(echo "$2" | sed "s/UID/$uid/")"
	k patch pod victim --type=merge \
	    -p '{"metadata":{"finalizers":null}}' >/dev/null
	wait_until 20 on_a_node urgent
	is "$1: room is made" "$(node_of urgent)" only
	stop_process "$scheduler_pid" TERM
	k delete pod urgent >/dev/null
	k delete events --all >/dev/null
}

start_apiserver
k create -f - <<'END' >/dev/null
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
---
apiVersion: v1
kind: Node
metadata: {name: only}
status:
  allocatable: {cpu: "1", memory: 1Gi, pods: "10"}
  capacity: {cpu: "1", memory: 1Gi, pods: "10"}
  conditions: [{type: Ready, status: "True"}]
END
try 1.15 "by default/urgent on node only"
is "1.15: no condition" "$condition" ""
try 1.25 "Preempted by default/urgent on node only"
is "1.25: no condition" "$condition" ""
told='["True","PreemptionByScheduler","default-scheduler: preempting to accommodate a higher priority pod",20]'
try 1.26 "Preempted by a pod on node only"
is "1.26: the victim is told why" "$condition" "$told"
try 1.30 "Preempted by pod UID on node only"
is "1.30: the victim is told why" "$condition" "$told"

# Two pods nominated to a node that then has room for one of them.
k patch node only --subresource=status --type=merge -p \
    '{"status":{"allocatable":{"cpu":"2"},"capacity":{"cpu":"2"}}}' \
    >/dev/null 2>&1 || k get --raw /api/v1/nodes/only | jq -c \
    '.status.allocatable.cpu = "2" | .status.capacity.cpu = "2"' |
    k replace --raw /api/v1/nodes/only/status -f - >/dev/null
nominated() {
	[ "$(k get pods -o json | jq '[.items[] |
	    select(.status.nominatedNodeName == "only")] | length')" = "$1" ]
}
one_is_placed() {
	on_a_node urgent-1 || on_a_node urgent-2
}
start_scheduler predicated "$tmp/log"
wait_scheduler
for i in 1 2; do
	pod "victim-$i" 'finalizers: [example.org/stay]'
	wait_until 15 on_a_node "victim-$i"
done
pod urgent-1 '' 'priorityClassName: urgent'
pod urgent-2 '' 'priorityClassName: urgent'
wait_until 30 nominated 2
pod placed '' 'priorityClassName: urgent
  nodeName: only'
for i in 1 2; do
	k patch pod "victim-$i" --type=merge \
	    -p '{"metadata":{"finalizers":null}}' >/dev/null
done
if wait_until 30 one_is_placed; then
	pass "nominated pods do not block each other"
else
	fail "nominated pods do not block each other" "$(k get pods -o wide)"
fi
lacks "nothing was forbidden" "$(cat "$tmp/log")" "orbidden"
finish
