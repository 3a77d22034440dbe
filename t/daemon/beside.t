#!/bin/sh
# kube-scheduler places 300 generated pods, one at a time, by three profiles of a
# configuration in the version that it reads: each is on one of the nodes that we rank
# best under the same configuration, or is refused where we refuse it, with the same
# message.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/daemon/beside.sh"

pods=300
policy=

start_apiserver
choose_config_version
make_nodes
make_services app 4
config=$tmp/config.yaml
case $config_version in
v1beta1) cp "$SRCDIR/t/data/profiles/beside.yaml" "$config" ;;
*)
	sed "s,config.k8s.io/v1$,config.k8s.io/$config_version," \
	    "$SRCDIR/t/data/profiles/beside-v1.yaml" >"$config"
	;;
esac
start_peer "$config"
peers_know
make_pods "$pods" "default-scheduler packer shaper" app 8 >"$tmp/pods"

placed=0
refused=0
: >"$tmp/odd"
while read -r pod; do
	create_pod "$pod"
	explain --config "$config.peer" >"$tmp/ours.json"
	disagreement "$tmp/ours.json" >>"$tmp/odd"
	if [ -n "$node" ]; then
		placed=$((placed + 1))
	else
		refused=$((refused + 1))
	fi
done <"$tmp/pods"
echo "# $placed placed, $refused refused"
is "kube-scheduler's choice is always among our best" "$(cat "$tmp/odd")" ""
is "most pods are placed" "$([ "$placed" -gt $((pods / 2)) ] && echo yes)" yes
is "some are refused" "$([ "$refused" -gt 5 ] && echo yes)" yes
finish
