#!/bin/sh
# audit_history: logs with one broken promise each, and clean ones.
. "$SRCDIR/t/ctl/ctl.sh"

log=$tmp/audit.log

# event SECOND SOURCE VERB RESOURCE NAME SUBRESOURCE RESPONSE [REQUEST [CODE]]: a
# minute and a second after ten; SOURCE is USER@ADDRESS, NAME is in namespace d.
event() {
	stamp=$(printf '2026-01-01T%02d:%02d:%02d' $((10 + $1 / 3600)) \
	    $(($1 / 60 % 60)) $(($1 % 60)))
	printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1",'
	printf '"stage":"ResponseComplete","level":"RequestResponse",'
	printf '"requestURI":"/api/v1/%s","verb":"%s",' "$4" "$3"
	printf '"user":{"username":"%s"},"sourceIPs":["%s"],' "${2%@*}" "${2#*@}"
	printf '"userAgent":"test","objectRef":{"resource":"%s",' "$4"
	printf '"subresource":"%s",' "$6"
	[ "$4" = nodes ] || [ -z "$5" ] || printf '"namespace":"d",'
	printf '"name":"%s"},"responseStatus":{"code":%s},' "$5" "${9:-200}"
	printf '"requestObject":%s,"responseObject":%s,' "${8:-{\}}" "$7"
	printf '"requestReceivedTimestamp":"%s.000000Z",' "$stamp"
	printf '"stageTimestamp":"%s.001000Z"}\n' "$stamp"
}
node_object() { # NAME CPU [SPEC]
	printf '{"kind":"Node","metadata":{"name":"%s","uid":"u-%s"},' "$1" "$1"
	printf '"spec":{%s},"status":{"allocatable":{"cpu":"%s",' "${3:-}" "$2"
	printf '"memory":"8Gi","pods":"10"}}}'
}
node() { # SECOND NAME CPU [SPEC]
	event "$1" kubelet@10.0.0.9 patch nodes "$2" status \
	    "$(node_object "$2" "$3" "${4:-}")"
}
pod_object() { # NAME CPU [SPEC [STATUS [METADATA]]]
	printf '{"kind":"Pod","metadata":{"name":"%s","namespace":"d",' "$1"
	printf '"uid":"u-%s"%s},"spec":{%s"containers":[{"name":"c",' "$1" \
	    "${5:-}" "${3:-}"
	printf '"resources":{"requests":{"cpu":"%s"}}}]},' "$2"
	printf '"status":{%s}}' "${4:-}"
}
pod() { # SECOND NAME CPU [SPEC]
	event "$1" alice@10.0.0.8 create pods "$2" "" \
	    "$(pod_object "$2" "$3" "${4:-}")" '{}' 201
}
told='"conditions":[{"type":"PodScheduled","status":"False"}]'
tell() { # SECOND NAME CPU [STATUS]
	event "$1" sched@10.0.0.1 patch pods "$2" status \
	    "$(pod_object "$2" "$3" '' "$told${4:-}")"
}
lease() { # SECOND SOURCE HOLDER
	event "$1" "$2" update leases predicated "" \
	    "{\"spec\":{\"holderIdentity\":\"$3\",\"leaseDurationSeconds\":15}}"
}
bind() { # SECOND SOURCE POD NODE
	event "$1" "$2" create pods "$3" binding '{}' \
	    "{\"metadata\":{\"uid\":\"u-$3\"},\"target\":{\"name\":\"$4\"}}" 201
}
delete() { # SECOND SOURCE POD NODE [METADATA]
	event "$1" "$2" delete pods "$3" "" \
	    "$(pod_object "$3" 1 "\"nodeName\":\"$4\"," '' "${5:-}")"
}
said() { # SECOND POD REASON
	event "$1" sched@10.0.0.1 create events "$2.1" "" '{}' \
	    "{\"reason\":\"$3\",\"regarding\":{\"uid\":\"u-$2\"}}" 201
}
a=sched@10.0.0.1
b=sched@10.0.0.2
grace=',"deletionTimestamp":"2026-01-01T10:01:00Z","deletionGracePeriodSeconds":30'

# judge [OPTION…]: $out, $err and $code are what came of it.
judge() {
	out=$("$BUILDDIR/t/daemon/audit_history" "$log" "$@" 2>"$tmp/err")
	code=$?
	err=$(cat "$tmp/err")
}
# is_broken WHAT LINE POD PROMISE: that, and nothing else.
is_broken() {
	is "$1" "$code" 1
	is "$1: one line" "$(printf '%s\n' "$out" | grep -c '^  2026\|^  - ')" 1
	has "$1: which" "$(printf '%s\n' "$out" | tail -n 1 | tr -s ' ')" \
	    "$2 d/$3 $4 "
}

start() { # a node, two pods, and a leader
	node 0 n1 2
	pod 1 p1 1500m
	pod 1 p2 1
	lease 2 $a one
}

{
	start
	bind 3 $a p1 n1
	said 3 p1 Scheduled
	tell 4 p2 1
	lease 10 $a one
	delete 20 alice@10.0.0.8 p1 n1
	bind 21 $a p2 n1
	lease 22 $a ''
	lease 23 $b two
	node 400 n1 2
} >"$log"
judge
is "all promises held: 0" "$code" 0
has "it says so" "$out" "0 broken promises in 13 lines"
has "what was checked" "$(printf '%s\n' "$out" | tr -s ' ')" \
    "bound with the lease 2 0 0 0"
is "nothing to complain of" "$err" ""
judge -o json
has "as JSON" "$out" '{"promise":"bound once","checked":2,"broken":0,'
"$BUILDDIR/t/daemon/audit_history" - <"$log" >/dev/null
is "from standard input" $? 0

{ start; bind 3 $a p1 n1; bind 4 $a p1 n1; } >"$log"
judge
is_broken "bound twice" 6 p1 "bound once"
{ start; bind 3 $a p2 n1; bind 4 $a p1 n1; } >"$log"
judge
is_broken "without room" 6 p1 "bound where it fits"
has "and why" "$out" "n1 does not take it: Insufficient cpu"
{
	start
	node 1 n2 4 '"unschedulable":true,"taints":[{"key":"k","effect":"NoSchedule"}]'
	bind 3 $a p1 n2
} >"$log"
judge
is_broken "a node that takes nothing" 6 p1 "bound where it fits"
{ start; node 2 n1 1; bind 3 $a p1 n1; } >"$log"
judge
is "a node that has just changed: a race" "$code" 0
has "which is counted" "$(printf '%s\n' "$out" | tr -s ' ')" \
    "bound where it fits 1 0 1 0"
{ start; node 2 n1 1; lease 190 $a one; bind 200 $a p1 n1; } >"$log"
judge
is_broken "a node that changed long before" 7 p1 "bound where it fits"
{
	start
	event 2 alice@10.0.0.8 delete nodes n1 "" '{"kind":"Status"}'
	bind 3 $a p1 n1
} >"$log"
judge
has "a node that is gone is not checkable" "$(printf '%s\n' "$out" | tr -s ' ')" \
    "bound where it fits 0 0 0 1"
is "and nothing to complain of" "$err" ""
# In the log, the deletion's answer stands after the binding that it makes room for.
{
	start
	bind 3 $a p1 n1
	bind 11 $a p2 n1
	delete 10 alice@10.0.0.8 p1 n1
} >"$log"
judge
is "what the server did first counts first" "$code" 0
{ start; bind 3 $a p1 n1; delete 4 alice@10.0.0.8 p1 n1 "$grace"
	bind 5 $a p2 n1; } >"$log"
judge
is_broken "a pod that is leaving has its room" 7 p2 "bound where it fits"

{ start; bind 30 $a p1 n1; } >"$log"
judge
is_broken "a lease that has run out" 5 p1 "bound with the lease"
{ start; lease 3 $b two; bind 8 $a p1 n1; } >"$log"
judge
is_broken "another has the lease" 6 p1 "bound with the lease"
{ start; lease 3 $a ''; bind 8 $a p1 n1; } >"$log"
judge
is_broken "it was given up" 6 p1 "bound with the lease"
{ start; bind 3 $b p1 n1; } >"$log"
judge
is_broken "never had it" 5 p1 "bound with the lease"
{ start; lease 3 $b two; bind 4 $a p1 n1; } >"$log"
judge
is "one that was on its way: a race" "$code" 0
{ start; bind 3 other@10.0.0.3 p1 n1; } >"$log"
judge
is "one who has no lease at all" "$code" 0
has "is not checkable" "$(printf '%s\n' "$out" | tr -s ' ')" \
    "bound with the lease 0 0 0 1"

evict() {
	start
	bind 3 $a p1 n1
	lease 99 $a one
	delete 100 $a p1 n1 "$grace"
}
{ evict; tell 101 p2 1 ',"nominatedNodeName":"n1"'; node 900 n1 2; } >"$log"
judge
is "evicted for a pod that waits for the room" "$code" 0
{ evict; tell 101 p2 1; node 900 n1 2; } >"$log"
judge
is_broken "evicted for nobody" - p1 "evicted for a pod"
{
	evict
	tell 101 p2 1 ',"nominatedNodeName":"n1"'
	delete 200 $a p1 n1 "$grace"
} >"$log"
judge
is_broken "evicted twice" 9 p1 "evicted once"
{
	evict
	tell 101 p2 1 ',"nominatedNodeName":"n1"'
	delete 120 $a p1 n1 "$grace"
} >"$log"
judge
is "sent again" "$code" 0

{ start; bind 3 $a p1 n1; node 400 n1 2; } >"$log"
judge
is_broken "nobody says why it waits" - p2 "told why"
{ start; bind 3 $a p1 n1; said 3 p1 Scheduled; said 4 p1 Scheduled; } >"$log"
judge
is_broken "a second event" 7 p1 "one event each"
{
	evict
	tell 101 p2 1 ',"nominatedNodeName":"n1"'
	said 101 p1 Preempted
	delete 102 kubelet@10.0.0.9 p1 n1
	said 103 p1 Preempted
} >"$log"
judge
is_broken "a second event about a pod that is gone" 11 p1 "one event each"

# The log was cut while the server was down; the list says who is gone.
{
	start
	bind 3 $a p1 n1
	event 10 alice@10.0.0.8 list pods "" "" \
	    "{\"kind\":\"PodList\",\"items\":[$(pod_object p2 1 '' "$told")]}"
	bind 11 $a p2 n1
} >"$log"
judge
is "a list of all pods counts" "$code" 0

{
	start
	echo 'no json'
	echo '{"kind":"Pod"}'
	event 2 $a list pods "" "" 5 5 | sed 's/"responseObject":5,//'
	bind 3 $a p2 n1
	bind 4 $a p1 n1
	printf '{"kind":"Ev'
} >"$log"
judge
is_broken "the rest is read" 9 p1 "bound where it fits"
has "not JSON" "$err" "$log:5:"
has "no event" "$err" "$log:6: not an event of an audit log"
has "without the response" "$err" "$log:7: without its response"
has "the last line" "$err" "$log:10: the last line is not complete"
{ start; echo '{}'; bind 3 $a p2 n1; } >"$log"
judge
is "nothing broken, but not all was read: 3" "$code" 3

log=$tmp/none
judge
is "no such file: 3" "$code" 3
has "which" "$err" "$tmp/none: No such file"
finish
