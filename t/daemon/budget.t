#!/bin/sh
# A namespace that has used up its memory: what its users create beyond it is set
# aside and said so, the pods of others are scheduled, and what was set aside comes
# back when there is room again.  At the start of the daemon, too.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# object KIND API NAME SPEC
object() {
	k create -f - >/dev/null <<-END
	{"kind": "$1", "apiVersion": "$2", "spec": $4,
	 "metadata": {"name": "$3", "namespace": "${namespace-default}"}}
	END
}

pod() { # NAME [FIELDS]
	object Pod v1 "$1" "{\"containers\": [{\"name\": \"main\", \"image\": \"i\",
	    \"resources\": {\"requests\": {\"cpu\": \"600m\"}}}]${2-}}"
}

# pairs N WORD: "WORD0": "v", …
pairs() {
	awk -v n="$1" -v w="$2" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%s\"%s%d\": \"%s-%d\"", i ? ", " : "", w, i, w, i
	}'
}

service() { # NAME N: with so many pairs in its selector
	object Service v1 "$1" "{\"clusterIP\": \"None\",
	    \"selector\": {$(pairs "$2" "$1-")}}"
}

at() { # NAMESPACE POD PATH
	k -n "$1" get pod "$2" -o jsonpath="$3"
}

is_bound() {
	[ -n "$(at "$1" "$2" '{.spec.nodeName}')" ]
}

message() {
	at team "$1" '{.status.conditions[?(@.type=="PodScheduled")].message}'
}

is_set_aside() {
	message "$1" | grep -q "is set aside"
}

has_event() { # OF
	k -n team get events -o json |
	    jq -e --arg of "$1" '.items[] | select(.involvedObject.name == $of and
	        .reason == "FailedDecode")' >/dev/null
}

counts() { # RESOURCE N
	metric_is "predicated_objects_left_out{resource=\"$1\"}" "$2"
}

has_left_out() { # RESOURCE
	[ "$(metric "predicated_objects_left_out{resource=\"$1\"}")" -gt 0 ]
}

bytes() {
	metric predicated_namespace_objects_bytes
}

start_apiserver
make_cluster --nodes 3 --pods 0
k create namespace team >/dev/null
k create -f - >/dev/null <<-'END'
	apiVersion: v1
	kind: Node
	metadata: {name: small, labels: {only: small}}
	status:
	  allocatable: {cpu: 1, memory: 1Gi, pods: "10"}
	  capacity: {cpu: 1, memory: 1Gi, pods: "10"}
	  conditions: [{type: Ready, status: "True"}]
END

# ---- long selectors take no memory ----

start_scheduler predicated "$tmp/log" --max-memory-per-namespace=1
wait_scheduler
namespace=team
for i in 1 2 3 4; do
	service "long-$i" 10000
done
pod first
wait_until 10 is_bound team first
has "selectors that are too long do not use up the memory" \
    "$(at team first '{.spec.nodeName}')" "n"
is "and are not set aside" \
    "$(metric 'predicated_objects_left_out{resource="services"}')" 0

# ---- many together do ----

for i in 1 2 3 4 5 6 7 8 9 10; do
	service "some-$i" 900
done
wait_until 10 has_event some-10
has "a Service is set aside" "$(k -n team get events -o json |
    jq -r '.items[] | select(.involvedObject.name == "some-10").message')" \
    "is set aside: the objects of namespace team have used up the memory of \
one namespace, 1 MiB (--max-memory-per-namespace); it is ignored"
pod beyond
wait_until 10 is_set_aside beyond
has "a pod is kept pending" "$(message beyond)" "it is not scheduled"
pod placed ', "nodeName": "small"'
wait_until 10 has_event placed
namespace=default
pod tight ', "nodeSelector": {"only": "small"}'
pod other
wait_until 10 is_bound default other
has "others are scheduled" "$(at default other '{.spec.nodeName}')" "n"
is "the resources of a pod on a node count" \
    "$(at default tight '{.spec.nodeName}')" ""
wait_until 10 counts pods 2
is "two pods are counted" \
    "$(metric 'predicated_objects_left_out{resource="pods"}')" 2
if [ "$(bytes)" -gt 1000000 ] && [ "$(bytes)" -lt 2000000 ]; then
	pass "the memory is shown"
else
	fail "the memory is shown" "$(bytes)"
fi

# ---- at the start ----

stop_process "$scheduler_pid"
start_scheduler predicated "$tmp/log" --max-memory-per-namespace=1
wait_scheduler
pod after
wait_until 10 is_bound default after
has "a daemon that starts knows it, too" \
    "$(at default after '{.spec.nodeName}')" "n"
if wait_until 10 has_left_out services; then
	pass "Services are set aside again"
else
	fail "Services are set aside again" "$(tail "$tmp/log")"
fi

# ---- there is room again ----

k -n team delete services --all >/dev/null
wait_until 20 is_bound team beyond
has "what was set aside comes back" "$(at team beyond '{.spec.nodeName}')" "n"
wait_until 10 counts pods 0
is "nothing is set aside any more" \
    "$(metric 'predicated_objects_left_out{resource="pods"}')" 0

finish
