#!/bin/sh
# The metrics that kube-scheduler of this release calls stable or beta, after the same
# pods: every series has the same name, type, labels and value, times aside.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/daemon/beside.sh"

policy=

# What is about Go's own registry, queues, routines and compilers.
about_go='registered_metrics_total|hidden_metrics_total|disabled_metrics_total|workqueue_.*|apiserver_.*|kubernetes_build_info|scheduler_goroutines'
# What counts the rules that preemption tries on a node that others have left, which we
# try less often: compared before there is any.
before=scheduler_plugin_evaluation_total

# node NAME [TAINTS]
node() {
	k create -f - <<-END >/dev/null || bail_out "node $1 is refused"
	apiVersion: v1
	kind: Node
	metadata:
	  name: $1
	  labels: {kubernetes.io/hostname: $1, for: $1, zone: ${1%-*}}
	spec: {taints: [${2-}]}
	status:
	  allocatable: {cpu: "8", memory: 16Gi, pods: "110"}
	  capacity: {cpu: "8", memory: 16Gi, pods: "110"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

# pod NAME [SPEC [CPU]]
pod() {
	k create -f - <<-END >/dev/null || bail_out "pod $1 is refused"
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, labels: {app: $1}}
	spec: {${2:+$2, }containers: [
	  {name: main, image: main, resources: {requests: {cpu: ${3-100m}}}}]}
	END
}

has_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

is_refused() {
	[ -n "$(k get pod "$1" -o jsonpath='{.status.conditions[?(@.reason=="Unschedulable")].message}
	    {.status.conditions[?(@.reason=="SchedulerError")].message}' | tr -d ' \n')" ]
}

is_leaving() {
	[ -n "$(k get pod "$1" -o jsonpath='{.metadata.deletionTimestamp}')" ]
}

# fits NAME…, waits NAME…: as pod has it
fits() {
	pod "$@"
	wait_until 30 has_node "$1" || bail_out "$1 has no node: $(tail -n 5 "$log")"
}

waits() {
	pod "$@"
	wait_until 30 is_refused "$1" || bail_out "$1 is not refused"
	wait_out
}

# The backoff after the first attempt: kube-scheduler 1.36 ends it with a whole second,
# and has a pod wait for the rest of it that we try at once when it is changed.
wait_out() {
	sleep 2.1
}

gone() {
	k delete pod "$1" --grace-period=0 --force >/dev/null 2>&1
}

run_pods() {
	fits fits 'nodeSelector: {zone: a}'
	waits too-big '' 100
	show '/debug/queue?q=too-big' >"$tmp/waiting.json" 2>/dev/null
	waits no-node 'nodeSelector: {no: "node"}'
	waits no-claim 'volumes: [{name: v, persistentVolumeClaim: {claimName: none}}]'
	[ "$kubernetes_minor" -lt 27 ] || pod gated 'schedulingGates: [{name: gate}]'
	pod of-another 'schedulerName: another'
	fits near 'affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
	    {topologyKey: zone, labelSelector: {matchLabels: {app: fits}}}]}}'
	fits spread 'topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone,
	    whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: spread}}}]'
	waits deleted '' 100
	gone deleted
	waits updated 'nodeSelector: {for: c-1}'
	k patch pod updated --type=json -p '[{"op":"add","path":"/spec/tolerations/-",
	    "value":{"key":"own","operator":"Exists"}}]' >/dev/null ||
	    bail_out "the patch is refused"
	wait_until 30 has_node updated || bail_out "updated has no node"
	fits of-second 'schedulerName: second'
	sleep 2.5
	metrics >"$tmp/before.metrics"
	pod victim 'nodeName: d-1, tolerations: [{key: full, operator: Exists}]' 7
	pod preemptor 'priorityClassName: high, nodeSelector: {for: d-1},
	    tolerations: [{key: full, operator: Exists}]' 7
	wait_until 30 is_leaving victim || bail_out "the victim stays"
	wait_out
	gone victim
	wait_until 30 has_node preemptor || bail_out "the preemptor has no node"
	sleep 2.5 # kube-scheduler counts some of it later
}

clean() {
	k delete pods,nodes --all --grace-period=0 --force >/dev/null 2>&1
	wait_until 60 no_pods || bail_out "pods stay"
}

no_pods() {
	[ -z "$(k get pods,nodes -o name)" ]
}

make_all_nodes() {
	node a-1
	node a-2
	node b-1
	node c-1 '{key: own, effect: NoSchedule}'
	node d-1 '{key: full, effect: NoSchedule}'
}

# shown PROGRAM: its metrics after these pods, into PROGRAM.metrics
shown() {
	make_all_nodes
	"start_$1"
	wait_scheduler
	run_pods
	metrics >"$tmp/$1.metrics"
	mv "$tmp/before.metrics" "$tmp/$1_before.metrics"
	stop_process "$scheduler_pid" TERM
	clean
}

start_kube_scheduler() {
	start_peer "$tmp/config.yaml"
}

start_predicated() {
	start_scheduler predicated "$tmp/log" --config="$tmp/config.yaml"
}

# series PROGRAM FAMILIES: the types, and NAME LABELS VALUE with the labels in order; of
# times the number alone.
series() {
	awk -v families="$2" '
	    BEGIN { n = split(families, f, " "); for (; n > 0; n--) wanted[f[n]] = 1 }
	    $1 == "#" && $2 == "TYPE" {
		on = $3 in wanted
		times = $4 == "histogram" && $3 ~ /_seconds$/
		if (on) print $0
	    }
	    !on || $1 == "#" || (times && $1 ~ /_sum([{]|$)/) { next }
	    {
		value = times && $1 ~ /_bucket[{]/ ? "any" : $NF
		name = $1
		sub(/[{].*/, "", name)
		sub(/ [^ ]*$/, "")
		n = 0
		if (sub(/^[^{]*[{]/, "") && sub(/,?[}]$/, ""))
			n = split($0, label, ",")
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && label[j - 1] > label[j]; j--) {
				held = label[j]
				label[j] = label[j - 1]
				label[j - 1] = held
			}
		for (i = 1; i <= n; i++)
			name = name " " label[i]
		print name " " value
	    }' "$tmp/$1.metrics" | sort
}

start_apiserver
choose_config_version
cat >"$tmp/config.yaml" <<END
apiVersion: kubescheduler.config.k8s.io/$config_version
kind: KubeSchedulerConfiguration
profiles:
- {schedulerName: default-scheduler}
- {schedulerName: second}
END
k create -f - <<END >/dev/null
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
END

shown kube_scheduler
shown predicated
families=$(awk -v skipped="^($about_go)\$" '$2 == "HELP" &&
    ($4 == "[STABLE]" || $4 == "[BETA]") && $3 !~ skipped { print $3 }' \
    "$tmp/kube_scheduler.metrics" | tr '\n' ' ')
[ -z "${KEEP-}" ] || cp "$tmp"/*.metrics "$KEEP"
# Earlier releases call none so, and try more pods again than an event may help.
values='s/^//'
if [ "$kubernetes_minor" -lt 27 ]; then
	families=scheduler_framework_extension_point_duration_seconds
	values='s/ [^ ]*$//'
fi
[ -n "$families" ] || bail_out "no metrics are stable or beta"
for family in $families; do
	when=
	[ "$family" != $before ] || when=_before
	is "$family" "$(series predicated$when "$family" | sed "$values")" \
	    "$(series kube_scheduler$when "$family" | sed "$values")"
done

minutes=5
[ "$kubernetes_minor" -ge 24 ] || minutes=1
is "a pod that fits nowhere is tried again after so many minutes" \
    "$(jq 'def seconds: .[0:19] + "Z" | fromdate; .pods[0] | ((.next | seconds) - (.queued | seconds) - 1) / 60 |
	floor' "$tmp/waiting.json")" "$minutes"
finish
