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
has "it goes there" "$out" "default/p goes to big, and fits on big"

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
    '"changes":["1000m less cpu","satisfy GeneralPredicates (node(s) didn'"'"'t match node selector)"],"fitsThen":true'
for cpu in 4:true 4001m:false; do
	{ nodes; pod p '' "${cpu%:*}"; } >"$tmp/changed"
	ctl explain --pod p --cluster "$tmp/changed" -o json
	has "${cpu%:*} cpu: fits is ${cpu#*:}" "$out" \
	    "\"name\":\"small\",\"fits\":${cpu#*:}"
done

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
