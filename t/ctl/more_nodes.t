#!/bin/sh
# How many more nodes let the pods in that get none: with the pods that DaemonSets put
# on each, one fewer does not do, and the changes are what was tried.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

# node NAME CPU [LABELS], daemon NODE, pod NAME CPU [SPEC]
node() {
	printf '{"kind":"Node","metadata":{"name":"%s","labels":{%s}},' "$1" \
	    "${3-}"
	printf '"status":{"allocatable":{"cpu":"%s","memory":"8Gi","pods":"20"}}}\n' \
	    "$2"
}
daemon() {
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"agent-%s",' "$1"
	printf '"uid":"agent-%s","ownerReferences":[{"kind":"DaemonSet",' "$1"
	printf '"name":"agent","uid":"1","controller":true}]},"spec":{"nodeName":'
	printf '"%s","containers":[{"name":"c","resources":{"requests":' "$1"
	printf '{"cpu":"1"}}}]},"status":{"phase":"Running"}}\n'
}
pod() {
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"%s"},"spec":{' \
	    "$1"
	printf '%s"containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}' \
	    "${3-}" "$2"
	printf ']},"status":{"phase":"Pending"}}\n'
}

# One node of 4 cpu, of which the agent has 1: three of seven pods fit, four are left,
# and a new node takes three.
{
	node n1 4
	daemon n1
	for i in 1 2 3 4 5 6 7; do
		pod "p$i" 1
	done
} >cluster
ctl explain --all-pending --cluster cluster
has "as many as are needed" "$out" "More nodes: add 2 nodes like n1: all 4 pods \
that get no node fit then (with 1 node 3)"
ctl explain --all-pending --cluster cluster -o json
is "as data" "$(printf '%s\n' "$out" | jq -c .moreNodes)" \
    '{"like":"n1","nodes":2,"pods":4,"of":4,"fewer":3}'
is "of each pod that is behind" "$(printf '%s\n' "$out" | jq -r \
    '[.pods[] | select(.cause == "queue") | .remedy] | unique[]')" \
    "add 2 nodes like n1: all 4 pods that get no node fit then (with 1 node 3)"
ctl explain d/p7 --cluster cluster
is "behind the others: 1" "$code" 1
is "and its own first line" "$(printf '%s\n' "$out" | head -n 1)" \
    "It fits alone; the 3 before it in the queue take the room; add 2 nodes like \
n1: all 4 pods that get no node fit then (with 1 node 3)"
ctl explain d/p7 --cluster cluster -o json
is "two nodes with an agent each" "$(printf '%s\n' "$out" | jq -c \
    '[.diagnosis.remedies[0].changes[] | .op + " " + .object.kind]')" \
    '["add Node","add Pod","add Node","add Pod"]'
is "under names of their own" "$(printf '%s\n' "$out" | jq -c '
    [.diagnosis.remedies[0].changes[].object.metadata.name] | unique | length')" 4
printf '%s\n' "$out" |
    jq -c '.diagnosis.remedies[0].changes[].object' >added
cat cluster added >larger
ctl explain --all-pending --cluster larger
is "with them all fit" "$code" 0
ctl explain d/p3 --cluster cluster
is "before the others: 0" "$code" 0

# A larger template; one that takes nothing; what is no node.
node big 8 >big
node other 8 '"a":"b"' >other
ctl explain --all-pending --cluster cluster --template big
has "like a template" "$out" "More nodes: add 1 node like big: all 4 pods that get \
no node fit then"
ctl explain d/p7 --cluster cluster --template big
has "of one pod" "$out" "take the room; add 1 node like big"
node small 500m >small
ctl explain --all-pending --cluster cluster --template small -o json
is "one that takes none" "$(printf '%s\n' "$out" | jq -c .moreNodes)" null
pod x 1 >bad
ctl explain --all-pending --cluster cluster --template bad
is "what is no node: 3" "$code" 3
has "says so" "$err" "bad:1:1: this must be a Node, not a Pod"
cat big other >several
ctl explain --all-pending --cluster cluster --template several
has "only one" "$err" "the file must contain one Node, not several objects"

# Pods that no node helps are not counted among those that fit, and the kind of node
# that lets in the most is taken.
{
	node n1 1
	node n2 1
	node n3 2 '"disk":"ssd"'
	pod a1 1
	pod a2 1
	for i in 1 2 3 4 5; do
		pod "s$i" 1 '"nodeSelector":{"disk":"ssd"},'
	done
	pod z 100
} >cluster
ctl explain --all-pending --cluster cluster
has "the kind that lets in the most" "$out" "add 2 nodes like n3: 4 of the 5 pods \
that get no node fit then (with 1 node 2)"
# Of what these leave the next kind takes some.
{
	grep -v '"a[12]"' cluster
	node n4 1 '"disk":"hdd"'
	pod h1 1 '"nodeSelector":{"disk":"hdd"},'
	pod h2 1 '"nodeSelector":{"disk":"hdd"},'
} >two-kinds
ctl explain --all-pending --cluster two-kinds
has "and another kind for others" "$out" "add 2 nodes like n3 for 3 pods (with 1 2) \
and 1 node like n4 for 1 pod: 4 of the 5 pods that get no node fit then"
ctl explain --all-pending --cluster two-kinds -o json
is "both as data" "$(printf '%s\n' "$out" | jq -c .moreNodes)" '{"like":"n3",'\
'"nodes":2,"pods":3,"of":5,"fewer":2,"and":[{"like":"n4","nodes":1,"pods":1,"fewer":0}]}'
ctl explain d/h2 --cluster two-kinds -o json
printf '%s\n' "$out" |
    jq -c '.diagnosis.remedies[0].changes[].object' >added
cat two-kinds added >larger
ctl explain --all-pending --cluster larger
has "with them only one is left" "$out" "8 pods wait: 7 fit now, 1 fits nowhere"
ctl explain d/z --cluster cluster -o json
is "who fits nowhere has its own cause" "$(printf '%s\n' "$out" |
    jq -r .diagnosis.cause)" requests

# Volumes that were bound while it was tried are free again.
cat >claims <<'EOF'
{"kind":"StorageClass","apiVersion":"storage.k8s.io/v1","metadata":{"name":"s"},"provisioner":"kubernetes.io/no-provisioner","volumeBindingMode":"WaitForFirstConsumer"}
{"kind":"PersistentVolume","metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"s"},"status":{"phase":"Available"}}
{"kind":"PersistentVolumeClaim","metadata":{"namespace":"d","name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"s","resources":{"requests":{"storage":"1Gi"}}}}
EOF
{
	node n1 2
	cat claims
	pod a 2 '"priority":1,'
	pod b 2 '"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}],'
} >cluster
ctl explain --all-pending --cluster cluster
has "a pod with a volume" "$out" "add 1 node like n1: the 1 pod that gets no node \
fits then"
ctl explain d/b --cluster cluster -o json
is "its volume is free afterwards" "$(printf '%s\n' "$out" |
    jq -c '[.best, .queue.status]')" '[["n1"],"behind"]'
# A nomination is still there after the question.
{
	node n1 1
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"nom"},"spec":{'
	printf '"priority":1,"containers":[{"name":"c","resources":{"requests":'
	printf '{"cpu":"2"}}}]},"status":{"phase":"Pending","nominatedNodeName":"n1"'
	printf '}}\n'
	pod p 1
} >cluster
ctl explain --all-pending --cluster cluster --template big
has "more nodes for one that is nominated" "$out" "add 1 node like big: all 2 pods"
has "its nomination counts" "$out" "kept for d/nom"
finish
