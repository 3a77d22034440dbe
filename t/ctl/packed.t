#!/bin/sh
# Dumps that are compressed are refused; folders.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

pod_with '{}' >plain
ctl explain --cluster plain -o json
want=$out

# broken NAME FILE PART: explain on FILE ends with 3 and says PART
broken() {
	ctl explain --cluster "$2"
	is "$1: 3" "$code:$out" 3:
	has "$1: says why" "$err" "$3"
}

# Compressed files are not read; the error has the command that does.
gzip -c plain >plain.gz
broken "gzip" plain.gz "plain.gz: compressed with gzip: use zcat FILE | \
predicatectl ... --cluster -"
out=$(zcat plain.gz | "$BUILDDIR/predicatectl" explain --cluster - -o json)
is "and that works" "$out" "$want"
cp plain.gz other-name
broken "whatever the name" other-name "other-name: compressed with gzip"
printf '\050\265\057\375\040' >node.zst
broken "zstd" node.zst "compressed with zstd: use zstdcat FILE |"
printf '\3757zXZ\000' >node.xz
broken "xz" node.xz "compressed with xz: use xzcat FILE |"
printf '%s' "$one_node" >node
echo '{"kind":"Pod","metadata":{"namespace":"d","name":"p"},"spec":{}}' >pod

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
