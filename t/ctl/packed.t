#!/bin/sh
# Dumps that are compressed, and folders.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

built_with() {
	grep -q "^#define HAVE_$1 1" "$BUILDDIR/config.h"
}
pod_with '{}' >plain
ctl explain --cluster plain -o json
want=$out

# broken NAME FILE PART: explain on FILE ends with 3 and says PART
broken() {
	ctl explain --cluster "$2"
	is "$1: 3" "$code:$out" 3:
	has "$1: says why" "$err" "$3"
}

gzip -c plain >plain.gz
if built_with ZLIB; then
	ctl explain --cluster plain.gz -o json
	is "gzip" "$out" "$want"
	out=$("$BUILDDIR/predicatectl" explain --cluster - -o json <plain.gz)
	is "gzip from standard input" "$out" "$want"
	{ head -n 2 plain | gzip -c; tail -n +3 plain | gzip -c; } >members
	ctl explain --cluster members -o json
	is "several members of gzip" "$out" "$want"
	cp plain.gz other-name
	ctl explain --cluster other-name -o json
	is "whatever the name" "$out" "$want"
	head -c 60 plain.gz >short
	broken "cut off" short "short: the compressed text is truncated"
	{ head -c 20 plain.gz; head -c 99 /dev/zero; } >flawed
	broken "flawed" flawed "flawed: not gzip: "
	printf '{ "kind":' | gzip -c >part.gz
	broken "positions are those of the text" part.gz "part.gz:1:10: "
	head -c 70000000 /dev/zero | gzip -1 -c >bomb.gz
	ctl explain --cluster plain --pod-file bomb.gz
	is "a bomb: 3" "$code" 3
	has "a bomb" "$err" "bomb.gz: larger than the limit of 67108864 bytes \
when unpacked"
else
	broken "no zlib" plain.gz "built without zlib; unpack it with gzip -d"
fi

# One block as it is: magic, a size of one byte, the block's head, the text.
printf '%s' "$one_node" >node
size=$(wc -c <node)
head=$((size * 8 + 1))
{
	printf '\050\265\057\375\040'
	# shellcheck disable=SC2059 # the format is the bytes
	printf "$(printf '\\%03o\\%03o\\%03o\\000' "$size" $((head % 256)) \
	    $((head / 256)))"
	cat node
} >node.zst
echo '{"kind":"Pod","metadata":{"namespace":"d","name":"p"},"spec":{}}' >pod
if built_with ZSTD; then
	ctl explain --cluster node.zst --pod-file pod -o json
	is "zstd" "$out" "$want"
	head -c 60 node.zst >cut.zst
	broken "zstd, cut off" cut.zst "cut.zst: the compressed text is truncated"
	{ head -c 6 node.zst; printf '\377\377\377\377'; } >flawed.zst
	broken "zstd, flawed" flawed.zst "flawed.zst: not zstd: "
else
	broken "no libzstd" node.zst "built without libzstd; unpack it with zstd"
fi

# A folder as `oc adm inspect` and must-gather write it: cluster-scoped objects one by
# one, pods in lists and alone; and other files.
inside=gather/quay-io-1
mkdir -p $inside/cluster-scoped-resources/core/nodes \
    $inside/namespaces/d/core $inside/namespaces/d/pods/p
cp node $inside/cluster-scoped-resources/core/nodes/n1.yaml
echo "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[$(cat pod)]}" \
    >$inside/namespaces/d/core/pods.yaml
cp pod $inside/namespaces/d/pods/p/p.yaml
echo '[1, 2]' >$inside/etcd.json
echo 'no: {json' >$inside/namespaces/d/pods/p/current.log
ctl explain --cluster gather -o json
is "a folder" "$out" "$want"
has "what is no object is said" "$err" "etcd.json"
lacks "logs are not read" "$err" current.log
ctl explain d/p ./gather -o json
is "a folder as a word" "$out" "$want"
# kubectl cluster-info dump --output-directory: items have no kind.
mkdir -p info/d/p
echo "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[$(sed \
    's/"kind":"Node",//' node)]}" >info/nodes.json
echo "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[$(sed \
    's/"kind":"Pod",//' pod)]}" >info/d/pods.json
echo log >info/d/p/logs.txt
ctl explain --cluster info -o json
is "the folder of kubectl cluster-info dump" "$out" "$want"
# As it prints it: logs between the lists, which may hold anything and end without a
# line break.
{
	cat info/nodes.json
	echo '{"kind":"EventList","apiVersion":"v1","items":[]}'
	cat info/d/pods.json
	echo '==== START logs for container a of pod d/p ===='
	echo '{"kind":"Node","metadata":{"name":"log"}} "[{'
	echo '==== END logs for container b of pod d/p ===='
	printf 'last==== END logs for container a of pod d/p ====\n'
	echo '==== START logs for container b of pod d/p ===='
	echo '==== END logs for container b of pod d/p ===='
	echo '{"kind":"ServiceList","apiVersion":"v1","items":null}'
} >info.txt
ctl explain --cluster info.txt -o json
is "what kubectl cluster-info dump prints" "$out" "$want"
{ cat info.txt; echo '{"kind":"PodList","items":[}'; } >broken
ctl explain --cluster broken
is "a list that is broken: 3" "$code" 3
has "its place is counted over the logs" "$err" \
    "broken:$(wc -l <broken):28: "
sed 's/==== END/==== end/' info.txt >endless
ctl explain --cluster endless
is "logs without an end: 3" "$code" 3
has "say where they begin" "$err" \
    "endless:$(grep -n START endless | sed 's/:.*//;q'):1: the logs that begin here do not end"
mkdir none
ctl explain --cluster none
is "an empty folder: 3" "$code" 3
finish
