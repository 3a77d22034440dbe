#!/bin/sh
# predicatectl drain: every pod of the nodes has an answer.
. "$SRCDIR/t/ctl/ctl.sh"

node() { # NAME CPU ZONE
	printf '{"kind":"Node","metadata":{"name":"%s","labels":' "$1"
	printf '{"pool":"p%s","topology.kubernetes.io/zone":"%s"}},' "$3" "$3"
	printf '"status":{"allocatable":{"cpu":"%s","memory":"8Gi",' "$2"
	printf '"pods":"20"}}}\n'
}
pod() { # NAME NODE CPU OWNER-KIND
	printf '{"kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"},' \
	    "$1" "${1%-*}"
	[ -z "$4" ] || printf '"ownerReferences":[{"kind":"%s","name":"o",
	    "apiVersion":"v1","uid":"o","controller":true}],' "$4"
	printf '"uid":"%s"},"spec":{"nodeName":"%s","containers":' "$1" "$2"
	printf '[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]}}\n' "$3"
}
budget() { # NAME APP ALLOWED
	printf '{"kind":"PodDisruptionBudget","metadata":{"name":"%s",' "$1"
	printf '"namespace":"default"},"spec":{"selector":{"matchLabels":'
	printf '{"app":"%s"}}},"status":{"disruptionsAllowed":%s}}\n' "$2" "$3"
}
# n1 has three pods of 1 cpu: two fit elsewhere.  db may not be disturbed.
{
	node n1 5 a
	node n2 2 b
	node n3 1 b
	pod web-1 n1 1 ReplicaSet
	pod web-2 n1 1 ReplicaSet
	pod db-1 n1 1 ReplicaSet
	pod agent-1 n1 100m DaemonSet
	pod static-1 n1 100m Node
	pod other-1 n2 1 ""
	budget db db 0
	budget web web 2
} >"$tmp/cluster"

ctl drain --cluster "$tmp/cluster" n1
is "one fits nowhere: 1" "$code" 1
has "the sum" "$out" \
    "1 node drained: 2 pods would move, 1 fit nowhere, 2 stay"
has "the budget in the way" "$out" \
    "blocked  evict the pods of budget default/db  "
has "and that no step can be taken for it" "$out" "no eviction is allowed now"
lacks "not the one that allows it" "$out" "budget default/web"
is "first what blocks, then the steps" "$(printf '%s\n' "$out" |
    sed -n 's/^  \(blocked\|[0-9]\)  *\([a-z]*\) .*/\1 \2/p')" \
    "blocked evict
blocked place
1 cordon
2 evict
3 leave"
has "who fits nowhere, and why" "$out" "0/3 nodes are available: "
has "it is cordoned" "$out" "1 node(s) were unschedulable"
has "DaemonSets stay" "$out" "default/agent-1   n1    of a DaemonSet"
has "mirror pods stay" "$out" "default/static-1  n1    mirror pod"

# Each pod once, and no node takes more than it has.
ctl drain --cluster "$tmp/cluster" node/n1 -o json
pods=$(printf '%s\n' "$out" | grep -c '"from":"n1"')
is "JSON: all pods of the node" "$pods" 5
for n in n2 n3; do
	moved=$(printf '%s\n' "$out" | grep -c "\"to\":\"$n\"")
	is "JSON: $n takes one" "$moved" 1
done
has "JSON: the budget" "$out" \
    '"disruptionsAllowed":0,"pods":1,"blocks":true,"slows":false}'
has "JSON: of the pod" "$out" '"budget":"default/db","severalBudgets":false'

ctl drain --cluster "$tmp/cluster" n1 --lost
lacks "lost nodes ask no budget" "$out" "budget"
has "lost nodes are gone" "$out" "0/2 nodes are available: 2 Insufficient cpu."

ctl drain --cluster "$tmp/cluster" --zone b
has "a zone" "$out" "2 nodes drained: 1 pod would move, 0 fit nowhere, 0 stay"
has "a pod without controller" "$out" "n1 (no controller creates it again)"
is "all fit: 0" "$code" 0
ctl drain --cluster "$tmp/cluster" -l pool=pb
has "by labels" "$out" "2 nodes drained: 1 pod would move"
ctl drain --cluster "$tmp/cluster" -l 'pool in (pb, pc),!gone'
has "by sets of labels" "$out" "2 nodes drained: 1 pod would move"
ctl drain --cluster "$tmp/cluster" -l 'pool in pb'
is "a selector that is none: 2" "$code" 2
has "and where" "$err" "--selector: expected '(' at \"pb\""
ctl drain --cluster "$tmp/cluster" n1 -o name
has "names" "$out" "pod/default/db-1"
ctl drain n1 "$tmp/cluster"
has "the dump as a word" "$out" "1 node drained"
ctl drain --cluster "$tmp/cluster" -l pool=none
is "no such nodes: 3" "$code" 3
ctl drain --cluster "$tmp/cluster" n9
is "no such node: 3" "$code" 3
has "no such node" "$err" 'node "n9" is not in the cluster'
ctl drain --cluster "$SRCDIR/etc/examples/cluster.yaml" west-c
has "nodes with such names" "$err" 'node "west-c" is not in the cluster; did you mean west-c-1, west-c-2, west-c-3, west-c-4?'
ctl drain --cluster "$tmp/cluster"
is "no nodes: 2" "$code" 2

# A budget that allows one: the second pod waits.  In two budgets: never.
{
	grep -v '"name":"web","namespace"' "$tmp/cluster"
	budget web web 1
	budget db2 db 5
} >"$tmp/tight"
ctl drain --cluster "$tmp/tight" n1
has "fewer than there are" "$out" \
    "2        evict the pods of budget default/web     2  slow: 1 at a time"
has "in several budgets" "$out" "default/db-1 is in several budgets"

# A budget that allows some slows the drain: this is no obstacle.
{
	node n1 5 a
	node n2 5 b
	pod web-1 n1 1 ReplicaSet
	pod web-2 n1 1 ReplicaSet
	budget web web 1
} >"$tmp/slow"
ctl drain --cluster "$tmp/slow" n1
is "a budget slows it: 0" "$code" 0
has "a budget slows it" "$out" "2     evict the pods of budget default/web     2  slow: 1 at"
ctl drain --cluster "$tmp/slow" n1 -o json
has "JSON: it slows" "$out" '"pods":2,"blocks":false,"slows":true}'

# A pod that tolerates the cordon does not leave the node: it fits nowhere else.
{
	cat "$tmp/slow"
	pod tied-1 n1 3 ReplicaSet |
	    sed 's/"spec":{/&"tolerations":[{"operator":"Exists"}],\
"nodeSelector":{"pool":"pa"},/'
} >"$tmp/tied"
ctl drain --cluster "$tmp/tied" n1
has "it tolerates the cordon" "$out" "default/tied-1  n1    it tolerates the cordon"
has "it tolerates the cordon: the sum" "$out" \
    "2 pods would move, 0 fit nowhere, 1 stay"
ctl drain --cluster "$tmp/tied" n1 -o json
has "JSON: it does not move" "$out" \
    '"pod":"default/tied-1","from":"n1","to":null,"result":"stays"'
# The API server asks no budget about some pods (eviction.go of Kubernetes 1.36).
# guarded STATUS-OF-POD SPEC STATUS: a pod on n1 and its budget, which allows none.
guarded() {
	node n1 5 a
	node n2 5 b
	pod web-1 n1 1 ReplicaSet | sed "s/}$/,\"status\":{$1}}/"
	budget web web 0 |
	    sed "s/\"spec\":{/&$2/; s/\"disruptionsAllowed\":0/&$3/"
}
running='"phase":"Running","conditions":[{"type":"Ready","status":"True"}]'
unready='"phase":"Running","conditions":[{"type":"Ready","status":"False"}]'
always='"unhealthyPodEvictionPolicy":"AlwaysAllow",'
if_healthy='"unhealthyPodEvictionPolicy":"IfHealthyBudget",'
healthy=',"currentHealthy":2,"desiredHealthy":2'
unhealthy=',"currentHealthy":1,"desiredHealthy":2'
none=',"currentHealthy":0,"desiredHealthy":0'
while IFS='|' read -r name pod spec status blocked; do
	eval "guarded \"$pod\" \"$spec\" \"$status\"" >"$tmp/guarded"
	ctl dump --cluster "$tmp/guarded"
	printf '%s\n' "$out" >"$tmp/dumped"
	for file in guarded dumped; do
		ctl drain --cluster "$tmp/$file" n1
		is "$file: $name" "$code" "$blocked"
		ctl audit --cluster "$tmp/$file"
		is "$file: audit: $name" "$(printf '%s\n' "$out" |
		    grep -c 'default/web blocks every drain')" "$blocked"
	done
done <<'END'
ready|$running|||1
ready, always|$running|$always||1
ready, healthy|$running||$healthy|1
not ready|$unready|||1
no condition|\"phase\":\"Running\"|||1
not ready, always|$unready|$always||0
not ready, always, unhealthy|$unready|$always|$unhealthy|0
not ready, healthy|$unready||$healthy|0
not ready, healthy by name|$unready|$if_healthy|$healthy|0
not ready, unhealthy|$unready|$if_healthy|$unhealthy|1
not ready, nothing desired|$unready||$none|1
no phase, nor ready, always||$always||0
pending|\"phase\":\"Pending\"|||0
finished|\"phase\":\"Failed\"|||0
END
guarded "$unready" "$always" "" >"$tmp/guarded"
budget other web 1 >>"$tmp/guarded"
ctl drain --cluster "$tmp/guarded" n1
is "not ready, in two budgets: 1" "$code" 1
for spec in '"maxUnavailable":0' '"maxUnavailable":"0%"' \
    '"minAvailable":"100%"'; do
	guarded "$running" "$spec," "" >"$tmp/guarded"
	ctl drain --cluster "$tmp/guarded" n1
	has "$spec" "$out" "no number of ready pods helps"
	ctl audit --cluster "$tmp/guarded"
	has "audit: $spec" "$out" "no number of ready pods helps"
done
for spec in '"maxUnavailable":1' '"minAvailable":1'; do
	guarded "$running" "$spec," "" >"$tmp/guarded"
	ctl drain --cluster "$tmp/guarded" n1
	has "$spec" "$out" "it needs more ready pods"
done

ctl drain --policy "$examples/policy.cfg" --cluster "$examples/cluster.yaml" \
    east-a-2
has "README's example" "$out" "2 pods would move, 0 fit nowhere, 1 stay"
finish
