#!/bin/sh
# --policy-dry-run: a second policy is asked about every pod, and only counted.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# node NAME CPU
node() {
	k create -f - <<-END >/dev/null || bail_out "node $1 is refused"
	apiVersion: v1
	kind: Node
	metadata: {name: $1}
	status:
	  allocatable: {cpu: "$2", memory: 64Gi, pods: "110"}
	  capacity: {cpu: "$2", memory: 64Gi, pods: "110"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

# pods FIRST LAST CPU
pods() {
	for i in $(seq "$1" "$2"); do
		cat <<-END
		apiVersion: v1
		kind: Pod
		metadata: {name: pod-$i}
		spec:
		  containers:
		  - name: main
		    image: example.org/main:1
		    resources: {requests: {cpu: "$3", memory: 64Mi}}
		---
		END
	done | k create -f - >/dev/null
}

bound_is() {
	[ "$(k get pods -o json |
	    jq '[.items[] | select(.spec.nodeName)] | length')" = "$1" ]
}

counted() {
	metric "predicated_dry_run_decisions_total{result=\"$1\"}"
}

counts_are() {
	[ "$(counted "$1")" = "$2" ]
}

logged() {
	grep -qF "$1" "$tmp/log"
}

start_apiserver
node small 4
node large 32
policy=$tmp/active.cfg
cat >"$policy" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResources"}],
 "priorities": [{"name": "LeastRequestedPriority", "weight": 1}]}
END
next=$tmp/next.cfg
sed s/LeastRequested/MostRequested/ "$policy" >"$next"

echo '{"kind": "Policy", "predicates": [{"name": "NoSuchRule"}]}' \
    >"$tmp/bad.cfg"
start_scheduler predicated "$tmp/bad.log" --policy-dry-run="$tmp/bad.cfg"
wait "$scheduler_pid"
is "a broken policy is refused at the start" $? 1
has "with its position" "$(cat "$tmp/bad.log")" "bad.cfg:1:"
has "and a sentence" "$(cat "$tmp/bad.log")" "dry run: "

start_scheduler predicated "$tmp/log" --policy-dry-run="$next"
wait_scheduler
# Least requested: the large node; most requested: the small one, until it is full.
pods 1 3 1
wait_until 20 bound_is 3
wait_until 10 counts_are other_node 3
is "pods that would go elsewhere are counted" "$(counted other_node)" 3
is "they went where the policy in force wants them" \
    "$(k get pods -o jsonpath='{.items[*].spec.nodeName}')" "large large large"
has "each is logged with the rule" "$(cat "$tmp/log")" \
    "dry run: pod=default/pod-1 result=other_node node=large dry_run_node=small rule="
has "the rule is one of theirs" "$(grep 'dry run: pod=' "$tmp/log")" \
    "rule=MostRequestedPriority: MostRequestedPriority for small over large"

# ---- another file, and one that is broken ----

cat "$tmp/bad.cfg" >"$next"
wait_until 10 logged "is invalid, keeping the last valid one"
wait_until 10 metric_is predicated_dry_run_policy_refused 1
is "a broken one is refused" "$(metric predicated_dry_run_policy_refused)" 1
is "the policy in force is not" "$(metric predicated_policy_refused)" 0
pods 4 4 2
wait_until 20 bound_is 4
wait_until 10 counts_are other_node 4
is "the last valid one is still asked" "$(counted other_node)" 4
cat >"$next" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
END
wait_until 10 metric_is predicated_dry_run_policy_refused 0
pods 5 6 5
wait_until 20 bound_is 6
wait_until 10 counts_are same 2
is "a configuration may take its place" "$(counted same)" 2

# ---- pods that only one of them schedules ----

echo '{"kind": "Policy", "apiVersion": "v1", "predicates": []}' >"$next"
wait_until 10 logged "generation=3"
pods 7 7 100
wait_until 10 counts_are schedulable 1
has "one that only the dry run schedules" "$(cat "$tmp/log")" \
    "pod=default/pod-7 result=schedulable node= dry_run_node="
has "says the rule, too" "$(grep 'result=schedulable' "$tmp/log")" \
    "rule=PodFitsResources: the old PodFitsResources refuses"

# ---- SIGHUP takes it away ----

stop_process "$scheduler_pid" TERM
printf 'policy: { dry_run = "%s"; };\n' "$next" >"$tmp/predicated.conf"
start_scheduler predicated "$tmp/log2" --config-file="$tmp/predicated.conf"
wait_scheduler
: >"$tmp/predicated.conf"
kill -HUP "$scheduler_pid"
changed() {
	grep -qF "changed: --policy-dry-run" "$tmp/log2"
}
wait_until 10 changed
before=$(metrics | grep '^predicated_dry_run_decisions_total')
pods 8 8 1
wait_until 10 bound_is 7
is "without the option none is asked" \
    "$(metrics | grep '^predicated_dry_run_decisions_total')" "$before"
lacks "nothing was forbidden" "$(cat "$tmp/log" "$tmp/log2")" "orbidden"
finish
