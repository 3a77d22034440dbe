#!/bin/sh
# predicatectl defrag: plans that are carried out with awk.
. "$SRCDIR/t/ctl/ctl.sh"

node() { # NAME CPU
	printf '{"kind":"Node","metadata":{"name":"%s"},"status":{' "$1"
	printf '"allocatable":{"cpu":"%s","memory":"8Gi","pods":"20"}}}\n' "$2"
}
pod() { # NAME NODE CPU OWNER-KIND [SPEC]
	printf '{"kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"},' \
	    "$1" "${1%-*}"
	[ -z "$4" ] || printf '"ownerReferences":[{"kind":"%s","name":"%s",
	    "apiVersion":"v1","uid":"%s","controller":true}],' \
	    "$4" "${1%-*}" "${1%-*}"
	printf '"uid":"%s"},"spec":{"nodeName":"%s",%s"containers":' \
	    "$1" "$2" "${5-}"
	printf '[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]}}\n' "$3"
}
budget() { # NAME APP ALLOWED
	printf '{"kind":"PodDisruptionBudget","metadata":{"name":"%s",' "$1"
	printf '"namespace":"default"},"spec":{"selector":{"matchLabels":'
	printf '{"app":"%s"}}},"status":{"disruptionsAllowed":%s}}\n' "$2" "$3"
}
# defrag FILE ARG…: of the pod "big"
defrag() {
	cluster=$1
	shift
	ctl defrag --for big --cluster "$cluster" "$@"
}

# big needs 4 of 5 cpu; mid-1 has to leave n1 and fits on n2 alone, after little-1
# has gone to n3.
{
	node n1 5
	node n2 4
	node n3 2
	pod mid-1 n1 2 ReplicaSet
	pod agent-1 n1 1 DaemonSet
	pod little-1 n2 1 ReplicaSet
	pod fixed-1 n2 2 Node
	pod other-1 n3 1 Node
} >"$tmp/without"
{
	cat "$tmp/without"
	pod big "" 4 ReplicaSet
} >"$tmp/chain"
defrag "$tmp/chain"
is "a plan: 0" "$code" 0
has "a chain of two moves" "$out" \
    "default/big fits on n1 after 2 moves, and not after fewer"
has "only what may be moved" "$out" "2 pods may be moved"
defrag "$tmp/chain" -o json
steps=$(printf '%s\n' "$out" | tr -d '"{}' | tr : , |
    awk -F, '/from/ { print $2, $4, $6 }')
is "JSON: the steps in their order" "$steps" "default/little-1 n2 n3
default/mid-1 n1 n2"
has "JSON: proven" "$out" '"minimal":true'
defrag "$tmp/chain" -o yaml
has "YAML" "$out" 'minimal: true'
defrag "$tmp/chain" --max-moves 1
is "no plan: 1" "$code" 1
has "proven that there is none" "$out" \
    "default/big cannot be let in with up to 1 move"
has "no plan: why it is pending" "$out" "0/3 nodes are available: 3 Insufficient"

# Budgets: the pod of one that allows none does not move, nor one of several.
{
	cat "$tmp/chain"
	budget b little 0
} >"$tmp/budget"
defrag "$tmp/budget"
is "a budget stands in the way: 1" "$code" 1
{
	cat "$tmp/chain"
	budget b little 1
} >"$tmp/budget"
defrag "$tmp/budget" -o json
has "one that allows it" "$out" '"budget":"default/b"'
budget c little 1 >>"$tmp/budget"
defrag "$tmp/budget"
is "in several budgets: 1" "$code" 1
# One that allows none, but lets pods go that are not ready.
{
	sed '/"little-1"/s/}$/,"status":{"phase":"Running"}}/' "$tmp/chain"
	budget b little 0 |
	    sed 's/"spec":{/&"unhealthyPodEvictionPolicy":"AlwaysAllow",/'
} >"$tmp/budget"
defrag "$tmp/budget"
is "a pod that is not ready: 0" "$code" 0
# Two of one budget, which allows one.
{
	node n1 4
	node n2 4
	pod web-1 n1 1 ReplicaSet
	pod web-2 n1 1 ReplicaSet
	pod big "" 4 ReplicaSet
	pod wall-1 n2 2 Node
} >"$tmp/two"
defrag "$tmp/two"
has "without budget" "$out" "after 2 moves"
budget b web 1 >>"$tmp/two"
defrag "$tmp/two"
is "both at once are too many: 1" "$code" 1

# Pods without a controller.
{
	node n1 4
	node n2 4
	pod solo-1 n1 1 ""
	pod wall-1 n2 2 Node
	pod big "" 4 ReplicaSet
} >"$tmp/bare"
defrag "$tmp/bare"
is "without controller: not moved" "$code" 1
has "without controller: said" "$out" "with --force also those without"
defrag "$tmp/bare" --force
is "--force: 0" "$code" 0
has "--force" "$out" "default/solo-1 (no controller creates it again)"
has "the scheduler's own choice" "$out" "n1    n2  the same"

# --force moves what no remedy does, too.
{
	grep -v little-1 "$tmp/chain"
	pod little-1 n2 1 ReplicaSet '"priority":10,'
} >"$tmp/higher"
defrag "$tmp/higher"
is "no pod of higher priority moves" "$code" 1
defrag "$tmp/higher" --force
has "with --force it does" "$out" "default/big fits on n1 after 2 moves"
sed 's/"ReplicaSet","name":"little"/"StatefulSet","name":"little"/' \
    "$tmp/chain" >"$tmp/quorum"
defrag "$tmp/quorum"
has "nor one of a StatefulSet" "$out" "1 pod may be moved"

# Of two nodes that would do, the scheduler's.
{
	node n1 4
	node n2 2
	node n3 3
	node n4 2
	pod solo-1 n1 1 ReplicaSet
	pod wall-2 n2 200m Node
	pod wall-4 n4 200m Node
	pod big "" 4 ReplicaSet
} >"$tmp/choice"
defrag "$tmp/choice" -o json
has "where the scheduler puts it" "$out" \
    '"from":"n1","to":"n3","preferred":"n3"'
ctl drain n1 --cluster "$tmp/choice" -o json
has "as drain finds" "$out" '"pod":"default/solo-1","from":"n1","to":"n3"'

# A pod that fits, one that runs, one that is not there, one of a file.
{
	cat "$tmp/chain"
	node n4 8
} >"$tmp/room"
defrag "$tmp/room"
has "it fits now" "$out" "default/big fits on n4 now, nothing has to move"
ctl defrag --for mid-1 --cluster "$tmp/chain"
has "it runs" "$err" "default/mid-1 is on node n1 already"
is "it runs: 1" "$code" 1
ctl defrag --for gone --cluster "$tmp/chain"
is "it is not there: 3" "$code" 3
printf '{"kind":"Pod","metadata":{"name":"new"},"spec":{"containers":[{
"name":"c","resources":{"requests":{"cpu":"4"}}}]}}\n' >"$tmp/new"
ctl defrag --pod-file "$tmp/new" --cluster "$tmp/without"
has "of a file" "$out" "default/new fits on n1 after 2 moves"
ctl defrag --for big -n default --cluster "$tmp/chain"
is "-n" "$code" 0
ctl defrag --for big -n other --cluster "$tmp/chain"
is "-n: not in that namespace" "$code" 3
ctl defrag --cluster "$tmp/chain"
has "neither" "$err" "give one of --for and --pod-file"
ctl defrag --for a --cluster x --max-moves 0
has "--max-moves" "$err" "--max-moves must be a number from 1 to 100, not '0'"
ctl defrag --for a --cluster x --time-limit soon
has "--time-limit" "$err" "--time-limit must be a number of seconds, not 'soon'"

# Anti-affinity: a pod elsewhere may be in the way, so nothing is proven.
anti='"affinity":{"podAntiAffinity":{
"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":
"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"mid"}}}]}},'
{
	node n1 5 | sed 's/"name":"n1"/&,"labels":{"kubernetes.io\/hostname":"n1"}/'
	node n2 4 | sed 's/"name":"n2"/&,"labels":{"kubernetes.io\/hostname":"n2"}/'
	pod mid-1 n1 1 ReplicaSet
	pod wall-1 n2 2 Node
	pod big "" 4 ReplicaSet "$anti"
} >"$tmp/anti"
defrag "$tmp/anti"
has "out of its way" "$out" "default/big fits on n1 after 1 move, and not after"
lacks "without doubt about what is proven" "$out" "not ruled out"
sed 's/"cpu":"4","memory"/"cpu":"2","memory"/' "$tmp/anti" >"$tmp/full"
defrag "$tmp/full"
is "no way: 1" "$code" 1
has "not proven" "$out" "MatchInterPodAffinity depends on pods elsewhere"

# A search that does not end: 40 full nodes with pods of 400 sizes.
awk 'BEGIN {
	for (n = 0; n < 40; n++) {
		printf "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n%d\"}," \
		    "\"status\":{\"allocatable\":{\"cpu\":\"%dm\"," \
		    "\"memory\":\"64Gi\",\"pods\":\"99\"}}}\n", n, 10350
		for (p = 0; p < 10; p++)
			printf "{\"kind\":\"Pod\",\"metadata\":{\"name\":" \
			    "\"p-%d-%d\",\"uid\":\"%d-%d\"}," \
			    "\"spec\":{\"nodeName\":\"n%d\",\"containers\":[{" \
			    "\"name\":\"c\",\"resources\":{\"requests\":{" \
			    "\"cpu\":\"%dm\"}}}]}}\n", n, p, n, p, n, \
			    1000 + (n * 37 + p * 11) % 59
	}
}' >"$tmp/long"
pod big "" 5 "" >>"$tmp/long"
defrag "$tmp/long" --force --time-limit 0.3
is "stopped by the time limit: 1" "$code" 1
has "stopped by the time limit" "$out" "the time limit was reached; all plans"
"$BUILDDIR/predicatectl" defrag --for big --force --cluster "$tmp/long" \
    --time-limit 600 -o json >"$tmp/out" 2>"$tmp/err" &
search=$!
wait_until 20 catches_interrupts "$search" ||
	fail "it never waits for Ctrl-C"
kill -INT "$search"
wait "$search"
is "Ctrl-C: 1, as no plan was found" "$?" 1
has "Ctrl-C" "$(cat "$tmp/out")" '"stopped":"it was interrupted"'
lacks "no progress without a terminal" "$(cat "$tmp/err")" "best plan"
if command -v script >/dev/null; then
	script -qec "'$BUILDDIR/predicatectl' defrag --for big --force \
--cluster '$tmp/long' --time-limit 1" /dev/null </dev/null >"$tmp/out"
	has "progress on a terminal" "$(cat "$tmp/out")" "best plan: none yet"
fi
finish
