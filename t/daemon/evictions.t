#!/bin/sh
# Evictions that take longer than the backoff of the pods that preempt: as many pods
# are evicted as have to be, and each is told once.  SEEDS=N
# tries more orders, SEEDS='FIRST LAST' those.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=8
preemptors=4

# nodes with two pods each
fill() {
	for i in $(seq "$nodes"); do
		for j in 1 2; do
			cat <<-END
			---
			apiVersion: v1
			kind: Pod
			metadata: {name: victim-$i-$j, labels: {app: victim}}
			spec:
			  nodeName: node-$i
			  terminationGracePeriodSeconds: 0
			  containers:
			  - name: main
			    image: example.org/main:1
			    resources: {requests: {cpu: "1"}}
			END
		done
	done | k create -f - >/dev/null
}

# urgent N: pods that take a whole node.
urgent() {
	for i in $(seq "$1"); do
		cat <<-END
		---
		apiVersion: v1
		kind: Pod
		metadata: {name: urgent-$i, labels: {app: urgent}}
		spec:
		  priorityClassName: urgent
		  terminationGracePeriodSeconds: 0
		  containers:
		  - name: main
		    image: example.org/main:1
		    resources: {requests: {cpu: "2"}}
		END
	done | k create -f - >/dev/null
}

count() {
	k get pods -l app="$1" --field-selector="spec.nodeName!=" -o name |
	    wc -l
}

all_are_placed() {
	[ "$(count urgent)" = "$1" ]
}

told() {
	k get events -o json | jq '[.items[] | select(.reason == "Preempted") |
	    .involvedObject.uid, (range(1; .series.count // 1) | "again")] |
	    "\(length) \(unique | length)"' -r
}

told_are() {
	[ "$(told)" = "$1 $1" ]
}

# try NAME NPREEMPTORS NVICTIMS
try() {
	k delete events --all >/dev/null
	fill
	urgent "$2"
	# 1.26: a victim takes two requests.
	start_scheduler predicated "$log" --kubernetes-version=1.26 \
	    --seed="${seed:-1}"
	wait_scheduler 60
	wait_until 120 all_are_placed "$2"
	is "$1: all are placed" "$(count urgent)" "$2"
	is "$1: no more pods than have to be are evicted" "$(count victim)" \
	    $((2 * nodes - $3))
	wait_until 20 told_are "$3"
	is "$1: each is told, once" "$(told)" "$3 $3"
	stop_process "$scheduler_pid" TERM
	k delete pods --all --force >/dev/null 2>&1
	proxy clear >/dev/null
}

start_apiserver
log=$tmp/scheduler.log
for i in $(seq "$nodes"); do
	cat <<-END
	---
	apiVersion: v1
	kind: Node
	metadata: {name: node-$i}
	status:
	  allocatable: {cpu: "2", memory: 1Gi, pods: "10"}
	  capacity: {cpu: "2", memory: 1Gi, pods: "10"}
	  conditions: [{type: Ready, status: "True"}]
	END
done | k create -f - >/dev/null
k create priorityclass urgent --value=1000 >/dev/null

start_tls_proxy "$(scheduler_user predicated)"
# shellcheck disable=SC2086
for seed in $(seq ${SEEDS:-3}); do
	proxy delay count=0 1500 DELETE /pods/ >/dev/null
	proxy delay count=0 one-in=2 1500 PATCH /status >/dev/null
	try "seed $seed" "$preemptors" $((2 * preemptors))
done

proxy answer 500 DELETE /pods/ >/dev/null
try "a deletion that fails" 1 2
has "it is told" "$(cat "$log")" "Error preempting pod default/victim-"
finish
