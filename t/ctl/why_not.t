#!/bin/sh
# predicatectl why-not: each proposal is carried out and checked with explain.
. "$SRCDIR/t/ctl/ctl.sh"

node() { # NAME CPU SPEC
	printf '{"kind":"Node","metadata":{"name":"%s"},"spec":{%s},' "$1" "$3"
	printf '"status":{"allocatable":{"cpu":"%s","memory":"8Gi",' "$2"
	printf '"pods":"10"}}}\n'
}
pod() { # NAME SPEC CPU
	printf '{"kind":"Pod","metadata":{"name":"%s"},"spec":{%s' "$1" "$2"
	printf '"containers":[{"name":"c","resources":{"requests":'
	printf '{"cpu":"%s","memory":"1Gi"}}}]}}\n' "$3"
}
policy() { # WEIGHT-OF-LEAST WEIGHT-OF-MOST
	printf '{"kind":"Policy","apiVersion":"v1","priorities":['
	printf '{"name":"LeastRequestedPriority","weight":%s},' "$1"
	printf '{"name":"MostRequestedPriority","weight":%s}]}\n' "$2"
}
best() { # the nodes with the highest total, of explain's JSON in $out
	printf '%s\n' "$out" | sed -n 's/.*"best":\["\([^"]*\)"\].*/\1/p'
}
taint='"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]'
nodes() {
	node big 8 ''
	node small 4 ''
	node tainted 16 "$taint"
}
{ nodes; pod p '' 2; } >"$tmp/cluster"

ctl why-not big --pod p --cluster "$tmp/cluster"
is "it goes there: 0" "$code" 0
is "it goes there" "$out" "default/p goes to big: nothing has to change"

# A toleration.
ctl why-not tainted --pod p --cluster "$tmp/cluster"
is "it does not: 1" "$code" 1
has "a taint" "$out" "tolerate k=v:NoSchedule
Then it goes there."
{ nodes; pod p '"tolerations":[{"operator":"Exists"}],' 2; } >"$tmp/changed"
ctl explain --pod p --cluster "$tmp/changed" -o json
has "carried out, it goes there" "$out" '"best":["tainted"]'

# Less cpu, exactly, besides a rule.
{ nodes; pod p '"nodeSelector":{"a":"b"},' 5; } >"$tmp/cluster"
ctl why-not small --pod p --cluster "$tmp/cluster" -o json
has "cpu and a rule, all that is needed" "$out" \
    '"changes":["label node small a=b","request at most 4 cpu (free on small)"],"fitsThen":true'
for cpu in 4:true 4001m:false; do
	{ nodes; pod p '' "${cpu%:*}"; } >"$tmp/changed"
	ctl explain --pod p --cluster "$tmp/changed" -o json
	has "${cpu%:*} cpu: fits is ${cpu#*:}" "$out" \
	    "\"name\":\"small\",\"fits\":${cpu#*:}"
done

# No obstacle hides another, and each has its name and unit.
{
	nodes
	printf '{"kind":"Pod","metadata":{"name":"q"},"spec":{"nodeName":"tainted"}}\n'
	pod p '' 17 | sed 's/1Gi/9Gi/'
} >"$tmp/cluster"
ctl why-not tainted --pod p --cluster "$tmp/cluster"
is "a taint behind a shortage, and bytes" "$out" "default/p goes to no node, and \
does not fit on tainted
  Insufficient cpu
  Insufficient memory

To fit there it needs:
  tolerate k=v:NoSchedule
  request at most 16 cpu and 8Gi memory (free on tainted)
Then it goes there."
{
	nodes
	pod p '"tolerations":[{"operator":"Exists"}],' 16 | sed 's/1Gi/8Gi/'
} >"$tmp/changed"
ctl explain --pod p --cluster "$tmp/changed" -o json
has "carried out, it goes there" "$out" '"best":["tainted"]'

# A pod that is in the way leaves; the node that has the pod.
{
	node small 4 ''
	printf '{"kind":"Pod","metadata":{"name":"q"},"spec":{"nodeName":"small",'
	printf '"containers":[{"name":"c","resources":{"requests":{"cpu":"3"}}}]}}\n'
	pod p '' 4
} >"$tmp/cluster"
ctl why-not small --pod p --cluster "$tmp/cluster"
has "a pod leaves" "$out" "To fit there it needs:
  delete default/q (it fits on no other node; this stops running work)
Then it goes there."
ctl why-not small --pod q --cluster "$tmp/cluster"
is "the node that it is on" "$out" "default/q is on, and would go again to, \
small: nothing has to change"

# A node that refuses any pod, and has more obstacles behind that.
{
	printf '{"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,'
	printf '%s},"status":{"allocatable":{"cpu":"16","memory":"8Gi",' "$taint"
	printf '"pods":"1"}}}\n{"kind":"Pod","metadata":{"name":"q"},'
	printf '"spec":{"nodeName":"n"}}\n'
	pod p '' 17
} >"$tmp/cluster"
ctl why-not n --pod p --cluster "$tmp/cluster" -o json
has "all of them" "$out" '"changes":["uncordon n","delete default/q (it fits on '\
'no other node; this stops running work)","tolerate k=v:NoSchedule","request at most 16 cpu (free on n)"],'\
'"fitsThen":true,"chosenThen":"n"'

# A rule that no such change satisfies.
{
	nodes
	pod p '' 2
} >"$tmp/cluster"
printf '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"Labels",' >"$tmp/policy"
printf '"argument":{"labelsPresence":{"labels":["a"],"presence":true}}}]}' \
    >>"$tmp/policy"
ctl why-not tainted --pod p --cluster "$tmp/cluster" --policy "$tmp/policy"
has "a rule of the policy" "$out" "To fit there it needs:
  tolerate k=v:NoSchedule
  satisfy Labels (node(s) didn't have the requested labels)
Then it goes there."

# Before taints stood for them, rules read the conditions of nodes.
printf '%s' '{"kind":"Policy","apiVersion":"v1","predicates":[' \
    '{"name":"CheckNodeCondition"}]}' >"$tmp/policy"
{
	node n1 4 '' | sed 's/"allocatable"/"conditions":[{"type":"Ready",\
"status":"False"}],&/'
	pod p '' 2
} >"$tmp/cluster"
ctl why-not n1 --pod p --cluster "$tmp/cluster" --policy "$tmp/policy"
has "a node that is not ready" "$out" "To fit there it needs:
  it fits once n1 is ready: see what its kubelet says
Then it goes there."
ctl explain --pod p --cluster "$tmp/cluster" --policy "$tmp/policy"
has "likewise, explained" "$out" "Node n1 is not ready for pods: Ready is False"

# Weights: with the proposed one it goes there, two lower it does not.
{ nodes; pod p '' 2; } >"$tmp/cluster"
policy 4 1 >"$tmp/policy"
ctl why-not small --pod p --cluster "$tmp/cluster" --policy "$tmp/policy" -o json
weight=$(printf '%s\n' "$out" | sed -n \
    's/.*"MostRequestedPriority","weight":\([0-9]*\),.*/\1/p')
for w in "$weight" $((${weight:-0} - 2)); do
	policy 4 "$w" >"$tmp/other"
	ctl explain --pod p --cluster "$tmp/cluster" --policy "$tmp/other" \
	    -o json
	chosen=$(best)
	[ "$w" = "$weight" ] && want=small || want=big
	is "weight $w: $want" "$chosen" "$want"
done

ctl why-not none --pod p --cluster "$tmp/cluster"
is "no such node: 3" "$code" 3
ctl why-not big --cluster "$tmp/cluster"
is "no pod: 2" "$code" 2
finish
