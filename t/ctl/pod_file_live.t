#!/bin/sh
# predicatectl explain --pod-file: says of each pod what it says of the same pod once
# an API server has taken it.
home=$HOME
. "$SRCDIR/t/ctl/ctl.sh"
. "$SRCDIR/t/lib/apiserver.sh"
HOME=$home # its programs are kept there
start_apiserver \
    --enable-admission-plugins=PodNodeSelector,PodTolerationRestriction
HOME=$tmp

k create -f "$data/pod-file/cluster.yaml" >"$tmp/log" 2>&1 ||
    bail_out "$(cat "$tmp/log")"

# The nodes and the message; a pod of a file waits behind no others.
explain() {
	ctl explain "$@" --kubeconfig "$admin" -o json
	printf '%s\n' "$out" | jq -c 'del(.pod, .queue, .diagnosis.remedies) |
	    if .diagnosis.cause == "queue" then del(.diagnosis) else . end'
}
n=0
while IFS='|' read -r name namespace spec _; do
	n=$((n + 1))
	case $name in
	offline:*) continue ;;
	1.34:*) [ "$kubernetes_minor" -ge 34 ] || continue ;;
	esac
	printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%s",
	    "namespace":"%s"},"spec":{%s}}\n' $n "$namespace" "$spec" \
	    >"$tmp/pod.json"
	file=$(explain --pod-file "$tmp/pod.json")
	lacks "$name: all kinds may be listed" "$err" "not allowed"
	k create --validate=false -f "$tmp/pod.json" >"$tmp/log" 2>&1 ||
	    bail_out "$name: $(cat "$tmp/log")"
	is "$name" "$file" "$(explain "$namespace/p$n")"
done <"$data/pod-file/pods"
k get pods -A -o json >"$tmp/pods.json"
is "and the pods waited" "$(jq '[.items[] | select(.spec.nodeName |
    not)] | length > 20' "$tmp/pods.json")" true
finish
