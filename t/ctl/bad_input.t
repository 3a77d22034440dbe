#!/bin/sh
# Broken input: a sentence with file and position and exit code 3, or what
# kube-scheduler itself makes of it; never a crash, never silence.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

# broken NAME FILE PART…: explain on FILE ends with 3 and says each PART
broken() {
	name=$1 file=$2
	shift 2
	ctl explain --cluster "$file"
	is "$name: 3" "$code" 3
	is "$name: no answer" "$out" ""
	for part; do
		has "$name: says where and why" "$err" "$part"
	done
}

repeat() {
	awk -v text="$1" -v n="$2" 'BEGIN { while (n-- > 0) printf "%s", text }'
}

printf '{"kind":"Node","metadata":{"name":"n1"' >truncated
broken "a truncated file" truncated "truncated:1:"

printf '\177ELF\002\001\001\000\000\000' >binary
broken "a binary file" binary "binary:1:"

truncate -s 1G sparse
broken "a gigabyte of nothing" sparse "sparse"
ctl check sparse
is "the same as a policy: 3" "$code" 3

repeat '[' 10000 >deep.json
broken "10,000 levels of JSON" deep.json "deep.json:1:101: nested more than"
{ printf 'kind: Pod\nspec: '; repeat '[' 10000; repeat ']' 10000; } >deep.yaml
broken "10,000 levels of YAML" deep.yaml "deep.yaml:2:1" "nested more than"

{
	echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
	before=a
	for next in b c d e f g h i j; do
		echo "$next: &$next [$(repeat "*$before, " 9)*$before]"
		before=$next
	done
} >bomb.yaml
broken "a bomb of aliases" bomb.yaml "bomb.yaml:" "aliases"
for file in truncated binary deep.json deep.yaml bomb.yaml; do
	ctl check "$file"
	is "$file as a policy is refused" "$code" 1
	has "$file as a policy: says where" "$out" "$file:"
	ctl explain --policy "$file" --cluster "$examples/cluster.yaml" -o json
	is "$file as a policy: explain says 1" "$code" 1
	has "$file as a policy: explain -o json" "$out" '{"error":"'
done

broken "a file that is not there" nowhere "nowhere: No such file"
broken "a folder" "$tmp" "$tmp"

echo 'just words' >words
broken "no object" words "words:1:1: an API object must be an object"

printf '%s\n%s\n' "$one_node" "$one_node" >twice
broken "a duplicate node" twice \
    'twice:3:1: node "n1" appears twice; first at twice:1:1'
printf '%s\n' "$one_node" >first
printf '\n%s\n' "$one_node" >second
ctl simulate --cluster first --cluster second
is "in two files: 3" "$code" 3
has "in two files: names both" "$err" \
    'second:2:1: node "n1" appears twice; first at first:1:1'
{ pod_with '{}'; pod_with '{}' | sed 1,2d; } >pods
broken "a duplicate pod" pods 'pod "d/p" appears twice; first at pods:3:1'
{
	echo '{"kind":"Pod","metadata":{"name":"a","uid":"1"}}'
	echo '{"kind":"Pod","metadata":{"name":"b","uid":"1"}}'
} >uids
broken "two pods of one uid" uids 'uids:2:1: pod "default/b" has the uid "1"'

pod_with '{"containers":[{"resources":{"requests":{"cpu":"12potatoes"}}}]}' \
    >absurd
broken "an absurd quantity" absurd \
    "absurd:3:" "spec.containers[0].resources.requests.cpu"
pod_with '{"nodeName":7}' >type
broken "a number for a name" type "spec.nodeName must be a string"

# What kube-scheduler makes an answer of is answered.
pod_with '{"containers":[{"resources":{"requests":{"cpu":"-1"}}}]}' >negative
ctl explain --cluster negative -o json
is "a negative request fits" "$code" 0
pod_with '{}' >empty-pod
ctl explain --cluster empty-pod -o json
is "a pod without containers fits" "$code" 0
pod_with '{"containers":[],"affinity":{"nodeAffinity":
{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":
[{"matchExpressions":[{"key":"a","operator":"Near","values":["b"]}]}]}}}}' \
    >operator
ctl explain --cluster operator -o json
is "a bad operator matches no node" "$code" 1
has "a bad operator: the reason" "$out" "node(s) didn't match node selector"

{
	echo '{"kind":"List","items":['
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c$i\"}},"
	done
	echo '{"kind":"Secret"},{"kind":"Secret"},'
	pod_with '{}' | sed '2s/$/,/'
	echo ']}'
} >kinds
ctl explain --cluster kinds -o json
is "unknown kinds do no harm" "$code" 0
is "unknown kinds are counted" "$err" "predicatectl: skipped 12 objects of \
kinds that do not matter for scheduling: 10 ConfigMap, 2 Secret"

# --pod-file
echo '{"kind":"Service","metadata":{"name":"s"}}' >service
ctl explain --cluster first --pod-file service
is "a pod file without a pod: 3" "$code" 3
has "a pod file without a pod" "$err" "service:1:1: this must be a Pod"
echo '{"metadata":{"name":"p"}} {"metadata":{"name":"q"}}' >two
ctl explain --cluster first --pod-file two
is "a pod file with two: 3" "$code" 3
: >nothing
ctl explain --cluster first --pod-file nothing
is "an empty pod file: 3" "$code" 3
has "an empty pod file" "$err" "nothing: there is no pod in it"
echo '{"metadata":{"name":"p"}}' >pod
ctl explain --cluster nothing --pod-file pod -o json
is "a cluster without nodes: 1" "$code" 1
has "a cluster without nodes" "$out" "no nodes available to schedule pods"
ctl explain --cluster first --pod-file pod -o json
is "a pod without a kind is a Pod" "$code" 0
printf '{"metadata":{"name":"a\\u001b[31m\\"b"}}\n' >escape
ctl explain --cluster first --pod-file escape -o json
has "odd names are escaped in JSON" "$out" '"default/a\u001b[31m\"b"'
ctl explain --cluster first --pod-file escape
has "odd names do not reach the terminal" "$out" 'default/a?[31m"b'
finish
