#!/bin/sh
# predicatectl --pod-file: a pod as the API server keeps it, with its defaults.
# pod_file_live.t asks an API server about the same pods.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 1

cluster=$data/pod-file/cluster.yaml
ctl dump --cluster "$cluster"
printf '%s\n' "$out" >dumped

# The messages of these pods, and whom they preempt.
wants() {
	taint="1 node(s) had untolerated taint(s)"
	case $1 in
	CPU | NEVER) echo "1 Insufficient cpu, $taint" ;;
	HUGE) echo "1 Insufficient hugepages-2Mi, $taint" ;;
	SELECT) echo "1 node(s) didn't match Pod's node affinity/selector, $taint" ;;
	PORTS) echo "1 node(s) didn't have free ports for the requested pod ports,\
 $taint" ;;
	EVICT) echo "evicts default/low" ;;
	*) echo "$1" ;;
	esac
}
cat >v1.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
END
while IFS='|' read -r name namespace spec want; do
	printf '{"kind":"Pod","metadata":{"name":"p","namespace":"%s"},
	    "spec":{%s}}\n' "$namespace" "$spec" >pod
	for file in "$cluster" dumped; do
		ctl explain --cluster "$file" --pod-file pod -o json \
		    --config v1.yaml
		is "$name: ${file##*/}" "$(printf '%s\n' "$out" | jq -r '
		    if .preemption then "evicts \(.preemption.victims[0])"
		    elif .message != "" then .message | sub("^0/2 nodes [a-z ]*: ";
			"") | sub("[.]( .*)?$"; "")
		    else [.nodes[] | select(.fits).name] | join(" ") end')" \
		    "$(wants "$want")"
	done
done <"$data/pod-file/pods"

# A pod of a dump has the class' values, too, where it has none yet.
one='"containers":[{"name":"c"}]'
big='"containers":[{"name":"c","resources":{"requests":{"cpu":2}}}]'
printf '%s\n' '---' 'kind: PriorityClass' 'metadata: {name: g}' 'value: 7' \
    'globalDefault: true' 'preemptionPolicy: Never' '---' >global
for class in "" '"priorityClassName":"never",'; do
	printf '{"kind":"Pod","metadata":{"name":"p"},"spec":{%s%s}}\n' \
	    "$class" "$big" >pod
	cat "$cluster" global pod >all
	for how in "--pod-file pod" "p"; do
		# shellcheck disable=SC2086 # split on purpose
		ctl explain --cluster all $how --config v1.yaml
		has "never: ${class:-the global default}: $how" "$out" \
		    "Preemption: not eligible due to preemptionPolicy=Never."
	done
done

# Pods stay for five minutes on nodes that are not ready or cannot be reached.
for taint in unreachable not-ready; do
	printf '{"kind":"Node","metadata":{"name":"n1"},"spec":{"taints":[{"key":
	    "node.kubernetes.io/%s","effect":"NoExecute"}]},"status":
	    {"allocatable":{"cpu":"2","pods":"9"}}}\n' $taint >taint
	printf '{"kind":"Pod","metadata":{"name":"p"},"spec":{%s}}\n' "$one" >pod
	ctl explain --cluster taint --pod-file pod
	has "$taint" "$out" "fits on 1 node"
done

# What the API server refuses is said; what is not there, too.
printf '{"kind":"Pod","metadata":{"name":"p"},"spec":{%s,%s}}\n' \
    '"runtimeClassName":"far","nodeSelector":{"pool":"a"}' "$one" >pod
ctl explain --cluster "$cluster" --pod-file pod
has "selectors that differ" "$err" "warning: the API server would refuse the \
pod: its nodeSelector pool is \"a\", and that of its RuntimeClass \"b\""
sed 's/far/none/' pod >none
ctl explain --cluster "$cluster" --pod-file none
has "no such RuntimeClass" "$err" 'RuntimeClass "none" is not in the input'

# capacity and defrag read pods alike; a pod of a DaemonSet has its tolerations.
limited() {
	printf '{"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{
	    "name":"c","resources":{"limits":{"cpu":"%s"}}}]}}\n' "$1" >pod
}
limited 500m
ctl capacity --cluster "$cluster" --pod-file pod
has "capacity" "$out" "2 more copies fit"
limited 3
ctl defrag --cluster "$cluster" --pod-file pod
has "defrag" "$out" "Insufficient cpu"
cat >network <<'END'
{"kind":"Node","metadata":{"name":"n1"},"spec":{"taints":[{"key":
 "node.kubernetes.io/network-unavailable","effect":"NoSchedule"}]},"status":
 {"allocatable":{"cpu":"2","pods":"9"}}}
END
for host in "true|on 1 node" "false|nowhere"; do
	printf '{"kind":"DaemonSet","metadata":{"name":"d"},"spec":{"template":
	    {"spec":{"hostNetwork":%s,%s}}}}\n' "${host%|*}" "$one" >pod
	ctl explain --cluster network --pod-file pod
	has "hostNetwork of a DaemonSet's pod: ${host%|*}" "$out" \
	    "fits ${host#*|}"
done
finish
