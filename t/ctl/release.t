#!/bin/sh
# predicatectl: which release's rules apply, and what it says of that.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 1

# node NAME VERSION
node() {
	printf '{"kind":"Node","metadata":{"name":"%s"},"status":{' "$1"
	printf '"nodeInfo":{"kubeletVersion":"%s"},' "$2"
	printf '"allocatable":{"cpu":"2","memory":"8Gi","pods":"10"}}}\n'
}

# A pod that does not fit any of these nodes if requests at pod level count.
big='{"kind":"Pod","metadata":{"namespace":"d","name":"p"},"spec":{
"resources":{"requests":{"cpu":"3"}},"containers":[{"name":"c"}]}}'

{
	node n1 v1.34.1
	node n2 v1.32.9-gke.1
	node n3 v1.35.0
	node n4 v1.13.1-vk-v0.10.0
	node n5 v1.20.9
	node n6 v1.20.9 | sed 's/"n6"/&,"labels":{"type":"virtual-kubelet"}/'
	echo "$big"
} >mixed
ctl explain --cluster mixed -o json
is "pod-level requests count from 1.32 on" "$code" 1
is "the oldest kubelet decides that the newest one allows" "$err" "predicatectl: \
rules of Kubernetes 1.32: the oldest kubelet that the newest one allows, on node \
n2, is 1.32; --kubernetes-version overrides that"

ctl explain --cluster mixed --kubernetes-version 1.31 -v -o json
is "not before" "$code" 0
is "the option decides" "$err" \
    "predicatectl: rules of Kubernetes 1.31 (--kubernetes-version)"

ctl explain --cluster mixed --kubernetes-version 1.31 -o json
is "and that is no guess" "$err" ""

ctl explain --cluster mixed --strict-policy -o json
has "a strict policy" "$err" "fields later than 1.15 do not count \
(--strict-policy)"

{
	node n1 ""
	node n2 unknown
	echo "$big"
} >silent
ctl simulate --cluster silent
is "without any: 1.15" "$code" 0
has "and why" "$err" "predicatectl: rules of Kubernetes 1.15: no node has a \
kubelet's version; see --kubernetes-version"

{
	node n1 v1.14.0
	node n2 v1.16.0
	echo "$big"
} >old
ctl check --cluster old "$examples/policy.cfg"
has "before 1.15 all are 1.15" "$err" "rules of Kubernetes 1.15: the oldest \
kubelet, on node n1, is 1.14"

# Up to 1.27 a kubelet may be two releases behind, then three.  Those of virtual nodes
# and older ones do not count, and what is no guess is said with -v alone.
while IFS='|' read -r versions release says; do
	{
		i=0
		for version in $versions; do
			i=$((i + 1))
			node "n$i" "$version"
		done
		echo "$big"
	} >kubelets
	ctl simulate --cluster kubelets
	is "$versions" "$(printf '%s\n' "$err" |
	    sed -n 's/.*of Kubernetes \(1.[0-9]*\).*/\1/p')" "$says"
	ctl simulate --cluster kubelets -v
	is "$versions: -v" "$(printf '%s\n' "$err" |
	    sed -n 's/.*of Kubernetes \(1.[0-9]*\).*/\1/p')" "$release"
done <<'END'
v1.27.1 v1.27.4|1.27|
v1.27.1 v1.13.1-vk-v0.10.0 v1.27.4 kwok-v0.4.0 fake|1.27|
v1.27.1 v1.25.4|1.25|1.25
v1.27.1 v1.24.4|1.27|1.27
v1.28.1 v1.25.4|1.25|1.25
v1.28.1 v1.24.4 v1.26.0|1.26|1.26
END

# The node stands behind the pods that its version decides about.
{
	echo "$big"
	node n1 v1.33.0
} >behind
ctl explain --cluster behind -o json
is "wherever the node stands" "$code" 1

finish
