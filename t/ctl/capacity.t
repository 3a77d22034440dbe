#!/bin/sh
# predicatectl capacity: counts checked with arithmetic and with simulate.
. "$SRCDIR/t/ctl/ctl.sh"

# Nodes n1 to n7 with i cpus, a third of one taken on each; i + 1 pods at most.
pod() { # NAME MORE-SPEC
	printf '{"kind":"Pod","metadata":{"name":"%s"},"spec":{%s"containers":' \
	    "$1" "$2"
	printf '[{"name":"c","resources":{"requests":{"cpu":"300m"}}}]}}\n'
}
want=0
for i in 1 2 3 4 5 6 7; do
	printf '{"kind":"Node","metadata":{"name":"n%s"},"status":' "$i"
	printf '{"allocatable":{"cpu":"%s","memory":"8Gi","pods":"%s"}}}\n' \
	    "$i" "$((3 * i - 3))"
	if [ "$i" -gt 1 ]; then
		pod "old$i" "\"nodeName\":\"n$i\","
		fits=$(((1000 * i - 300) / 300))
		room=$((3 * i - 4))
		want=$((want + (fits < room ? fits : room)))
	fi
done >"$tmp/cluster"
pod probe "" >"$tmp/probe"

ctl capacity --cluster "$tmp/cluster" --pod-file "$tmp/probe"
is "copies fit: 0" "$code" 0
has "the sum of all nodes" "$out" "$want more copies fit"
has "what runs out" "$out" "Insufficient pods"
has "the message" "$out" "Then default/probe: 0/7 nodes are available: "
ctl capacity --cluster "$tmp/cluster" --pod-file "$tmp/probe" -o json
has "JSON: the sum" "$out" "{\"copies\":$want,\"rounds\":$want,\"limited\":false"
sum=$(printf '%s\n' "$out" |
    awk -F'"copies":' '/"node":/ { split($2, a, ","); n += a[1] }
        END { print n }')
is "JSON: the nodes add up" "$sum" "$want"
has "JSON: a node" "$out" \
    '{"node":"n1","copies":0,"reasons":["Insufficient pods"]}'

# A pod that is nominated to a node has its room, also when the last copy is refused.
{
	cat "$tmp/cluster"
	pod nominee '"priority":9,' |
	    sed 's/}}$/},"status":{"nominatedNodeName":"n3"}}/'
} >"$tmp/nominated"
ctl capacity --cluster "$tmp/nominated" --pod-file "$tmp/probe"
has "beside a nominated pod" "$out" "$((want - 1)) more copies fit"
has "what runs out beside it" "$out" "Insufficient pods"

# The same by placing more pods than fit.
{
	cat "$tmp/cluster"
	i=0
	while [ "$i" -lt $((want + 5)) ]; do
		pod "more$i" ""
		i=$((i + 1))
	done
} >"$tmp/many"
ctl simulate --cluster "$tmp/many" --seed 9
has "simulate places as many" "$out" "Placed $want of $((want + 5)) pending"

ctl capacity --cluster "$tmp/cluster" --like old3
has "copies of a pod of the cluster" "$out" "$want more copies fit"

# A mix: per round two small ones and a big one, of 1.5 cpus.
{
	echo '{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":
	{"cpu":"10","memory":"8Gi","pods":"100"}}}'
	pod small ""
	pod big "" | sed 's/300m/1500m/'
} >"$tmp/cluster"
printf '# a round\n2 small\n\n1  default/big # big\n' >"$tmp/mix"
ctl capacity --cluster "$tmp/cluster" --mix "$tmp/mix"
is "a mix: whole rounds" "$(printf '%s\n' "$out" | head -n 1)" \
    "12 more copies fit, 4 rounds of the mix"
has "a mix: which one stops it" "$out" "Then default/big: "
printf 'two small\n' >"$tmp/mix"
ctl capacity --cluster "$tmp/cluster" --mix "$tmp/mix"
is "a mix that cannot be read: 3" "$code" 3
has "a mix that cannot be read" "$err" "mix:1: this must be a number from 1"

ctl capacity --cluster "$tmp/cluster" --like nobody
is "no such pod: 3" "$code" 3
has "no such pod" "$err" 'pod "nobody" is not in the cluster'
ctl capacity --cluster "$tmp/cluster"
is "no pod: 2" "$code" 2
pod huge "" | sed 's/300m/11/' >"$tmp/probe"
ctl capacity --cluster "$tmp/cluster" --pod-file "$tmp/probe"
is "nothing fits: 1" "$code" 1
has "nothing fits" "$out" "0 more copies fit"

finish
