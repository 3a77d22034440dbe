#!/bin/sh
# Small dumps as the tools write them (t/data/dumps, names are replaced): a folder of `oc
# adm must-gather`, of `oc adm inspect ns/shop`, of `kubectl cluster-info dump
# --output-directory`, and what that prints.  All are of the same cluster; what a tool
# does not write comes from another.
. "$SRCDIR/t/ctl/ctl.sh"

dumps=$SRCDIR/t/data/dumps
pod=shop/cart-5d9c7b-ccccc

# reads NAME FLAG…: explains the pending pod, whose reasons per node are in $reasons
reads() {
	what=$1
	shift
	ctl explain --verbose "$@" -o json
	is "$what: nothing is left out" "$code:$(echo "$err" | grep warning)" 1:
	has "$what: the release is the kubelets'" "$err" \
	    "rules of Kubernetes 1.27"
	has "$what: the pending pod" "$out" "\"pod\":\"$pod\""
	reasons=$(printf '%s\n' "$out" | tr '{' '\n' |
	    sed -n 's/^"name":"\(.*\)","fits":.*"reasons":\["\(.*\)"\],"scores".*/\1: \2/p')
}

reads "must-gather" --cluster "$dumps/must-gather"
is "must-gather: its verdicts" "$reasons" \
    "master-1: node(s) had untolerated taint(s)
worker-2: node(s) didn't match pod anti-affinity rules
worker-3: node(s) didn't match pod anti-affinity rules"
has "must-gather: by the profile of its Scheduler object" "$out" \
    '"plugin":"InterPodAffinity"'

# That has neither nodes nor volumes.
ctl explain --cluster "$dumps/inspect"
is "oc adm inspect: 3" "$code" 3
has "oc adm inspect: says what is missing" "$err" "no Node in the input"
cluster=$(echo "$dumps"/must-gather/quay*/cluster-scoped-resources)
reads "oc adm inspect, with nodes" --cluster "$dumps/inspect" \
    --cluster "$cluster/core"
has "oc adm inspect, with nodes: its verdicts" "$reasons" \
    "worker-2: node(s) didn't match pod affinity/anti-affinity"

# That has no claims.
cat "$dumps/cluster-info/nodes.json" "$dumps"/cluster-info/shop/*.json \
    "$dumps"/cluster-info/shop/*/logs.txt >"$tmp/printed"
for from in "$dumps/cluster-info" "$tmp/printed"; do
	reads "cluster-info dump (${from##*/})" --cluster "$from"
	has "cluster-info dump (${from##*/}): says what is missing" "$err" \
	    "the dump holds no PersistentVolumeClaims, which pending pods use"
	reads "cluster-info dump (${from##*/}), with claims" --cluster "$from" \
	    --cluster "$cluster/core/persistentvolumes" --cluster \
	    "$dumps/inspect/namespaces/shop/core/persistentvolumeclaims.yaml"
	has "cluster-info dump (${from##*/}), with claims: its verdicts" \
	    "$reasons" "worker-2: node(s) didn't match pod affinity/anti-affinity"
done
finish
