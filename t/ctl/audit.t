#!/bin/sh
# predicatectl audit: pods are checked once more with explain.
. "$SRCDIR/t/ctl/ctl.sh"

node() { # NAME CPU SPEC
	printf '{"kind":"Node","metadata":{"name":"%s"},"spec":{%s},' "$1" "$3"
	printf '"status":{"allocatable":{"cpu":"%s","memory":"8Gi",' "$2"
	printf '"pods":"10"}}}\n'
}
pod() { # NAME NODE CPU APP SPEC
	printf '{"kind":"Pod","metadata":{"name":"%s","labels":' "$1"
	printf '{"app":"%s"}},"spec":{"nodeName":"%s",%s' "$4" "$2" "$5"
	printf '"containers":[{"name":"c","resources":{"requests":'
	printf '{"cpu":"%s"}}}]}}\n' "$3"
}
budget() { # NAME APP ALLOWED
	printf '{"kind":"PodDisruptionBudget","metadata":{"name":"%s",' "$1"
	printf '"namespace":"default"},"spec":{"selector":{"matchLabels":'
	printf '{"app":"%s"}}},"status":{"disruptionsAllowed":%s}}\n' "$2" "$3"
}
{
	node ok 4 ''
	node tainted 4 '"taints":[{"key":"k","effect":"NoSchedule"}]'
	node small 1 ''
	pod fine ok 1 a ''
	pod stranger tainted 1 a ''
	pod friend tainted 1 b '"tolerations":[{"operator":"Exists"}],'
	pod big1 small 800m b ''
	pod big2 small 800m c ''
	budget closed a 0
	budget open b 1
	budget empty none 0
} >"$tmp/cluster"

ctl audit --cluster "$tmp/cluster"
is "something is wrong: 1" "$code" 1
has "the sum" "$out" "3 of 5 pods break a rule on their node"
has "a taint that came later" "$out" "1  default/stranger    tainted  "
has "pods that are alike share a line" "$out" "2  default/big1, big2  small  "
lacks "and are not named each" "$out" default/big2
has "the node's resources" "$out" "small                cpu            1600         1000"
has "a budget that blocks" "$out" \
    "PodDisruptionBudget default/closed blocks every drain: 2 pods"
lacks "not one that allows something" "$out" "default/open"
lacks "nor one without pods" "$out" "default/empty"
has "a rule that makes no difference" "$out" "predicate NoDiskConflict"
lacks "not one that does" "$out" "predicate GeneralPredicates"
has "a priority that makes none" "$out" "priority ImageLocalityPriority"
lacks "not one that does, either" "$out" "priority LeastRequestedPriority"

ctl audit --cluster "$tmp/cluster" -o json
has "JSON: the node" "$out" \
    '{"node":"small","resource":"cpu","requested":1600,"allocatable":1000}'
audit=$out
for row in fine:ok stranger:tainted friend:tainted big1:small big2:small; do
	pod=${row%:*}
	ctl explain --cluster "$tmp/cluster" --pod "$pod" -o json
	fits=$(printf '%s\n' "$out" |
	    grep -c "\"name\":\"${row#*:}\",\"fits\":true")
	broken=$(printf '%s\n' "$audit" | grep -c "\"pod\":\"default/$pod\"")
	is "$pod: explain says the same" "$((fits + broken))" 1
done

{
	node ok 4 ''
	node shut 4 '"unschedulable":true,"taints":[{"effect":"NoSchedule",
	    "key":"node.kubernetes.io/unschedulable"}]'
	pod stays shut 1 a ''
	pod lost shut 1 a '"nodeSelector":{"disk":"ssd"},'
} >"$tmp/cordoned"
ctl audit --cluster "$tmp/cordoned"
has "pods on a cordoned node break no rule" "$out" "1 of 2 pods break a rule"
has "and are counted" "$out" "2 pods on 1 cordoned node stay: that breaks no rule"
has "what breaks one stays so, with its own reasons" "$out" \
    "  1  default/lost  shut     GeneralPredicates  node(s) didn't match node selector"
lacks "not with the cordon" "$out" "were unschedulable"
ctl audit --cluster "$tmp/cordoned" -o json
is "in JSON" "$(printf '%s\n' "$out" | jq -c '[.cordoned, .staying]')" "[1,2]"
sed '/lost/d' "$tmp/cordoned" >"$tmp/drained"
ctl audit --cluster "$tmp/drained"
is "nothing is wrong with a cordoned node: 0" "$code" 0

{ cat "$tmp/cluster"; budget twice b 3; } >"$tmp/two"
ctl audit --cluster "$tmp/two"
has "in several budgets" "$out" "default/friend is in several budgets"

{ node ok 4 ''; pod fine ok 1 a ''; } >"$tmp/cluster"
ctl audit --cluster "$tmp/cluster"
is "nothing is wrong: 0" "$code" 0
has "nothing is wrong" "$out" "0 of 1 pods break a rule on their node"
finish
