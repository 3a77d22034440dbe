#!/bin/sh
# A canary beside kube-scheduler: two namespaces and a label are ours, the rest is
# decided by us, too, and written nowhere; rollback, with predicated killed in the middle,
# leaves no pod without a node; how long it takes is printed.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# Half of the nodes are not for us, and we pack where kube-scheduler spreads.
policy=$tmp/policy.cfg
cat >"$policy" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "GeneralPredicates"}, {"name": "NoHdd",
    "argument": {"labelsPresence": {"labels": ["hdd"], "presence": false}}}],
 "priorities": [{"name": "MostRequestedPriority", "weight": 1}]}
END
start_apiserver
[ "$kubernetes_minor" -ge 36 ] ||
    skip_all "Kubernetes 1.$kubernetes_minor has no MutatingAdmissionPolicy"
[ -x "$kube_controller_manager" ] ||
    bail_out "there is no program $kube_controller_manager, which makes the pods"
pods=${PREDICATED_CANARY_PODS:-1000}
each=$((pods / 4))

jq -n '[range(20) | {apiVersion: "v1", kind: "Node", metadata: {name: "node-\(.)",
    labels: ({"kubernetes.io/hostname": "node-\(.)"} +
	if . % 2 == 1 then {hdd: "yes"} else {} end)},
    status: ({cpu: "20", memory: "20Gi", pods: "500"} as $has |
	{allocatable: $has, capacity: $has,
	conditions: [{type: "Ready", status: "True"}]})}] |
    {kind: "List", apiVersion: "v1", items: .}' | k create -f - >/dev/null ||
    bail_out "no nodes"
for name in ours-a ours-b theirs-a theirs-b; do
	k create namespace "$name" >/dev/null
done
k label namespace ours-a ours-b predicated-canary= >/dev/null
k apply -k "$SRCDIR/etc/kubernetes/components/canary" >/dev/null 2>"$tmp/apply" ||
    bail_out "$(cat "$tmp/apply")"

"$kube_controller_manager" --kubeconfig "$admin" --leader-elect=false \
    --controllers=replicaset-controller --secure-port=0 \
    >"$tmp/controllers.log" 2>&1 &
scheduler_pids="$scheduler_pids $!"
election=--leader-elect=true
start_scheduler kube-scheduler "$tmp/kube-scheduler.log"
baseline_port=$scheduler_port
start_scheduler predicated "$tmp/log" --scheduler-name=predicated \
    --leader-elect-resource-name=predicated \
    --decide-beside=default-scheduler -v=2
ours=$scheduler_pid
port=$scheduler_port

# is_applied: a pod of a chosen namespace is ours.
is_applied() {
	[ "$(k -n ours-a run try --image=x --dry-run=server \
	    -o jsonpath='{.spec.schedulerName}')" = predicated ]
}
wait_until 30 is_applied
is "a pod of a chosen namespace is ours" $? 0
scheduler_of() {
	k run try --image=x --dry-run=server -o jsonpath='{.spec.schedulerName}' "$@"
}
is "one of another is not" "$(scheduler_of -n theirs-a)" default-scheduler
is "one with the label is" "$(scheduler_of -n theirs-a -l predicated-canary=x)" predicated
is "one of kube-system is not" \
    "$(scheduler_of -n kube-system -l predicated-canary=x)" default-scheduler
is "one that names a scheduler is not" "$(scheduler_of -n ours-a \
    --overrides='{"spec":{"schedulerName":"other"}}')" other

# replicas NAMESPACE NAME N
replicas() {
	k -n "$1" create -f - >/dev/null <<-END
	apiVersion: apps/v1
	kind: ReplicaSet
	metadata: {name: $2}
	spec:
	  replicas: $3
	  selector: {matchLabels: {app: $2}}
	  template:
	    metadata: {labels: {app: $2}}
	    spec:
	      containers:
	      - {name: c, image: x, resources: {requests: {cpu: 100m, memory: 100Mi}}}
	END
}
bound() {
	k get pods -A -o json | jq -r --arg name "$1" '[.items[] | select(
	    .spec.schedulerName == $name and .spec.nodeName != null)] | length'
}
are_bound() {
	[ "$(bound "$1")" -eq "$2" ]
}
for name in ours-a ours-b theirs-a theirs-b; do
	replicas "$name" first $((each / 2))
done
wait_until 120 are_bound predicated $((each / 2 * 2))
is "half of the pods of two namespaces are ours, and have nodes" "$(bound predicated)" \
    $((each / 2 * 2))
wait_until 120 are_bound default-scheduler $((each / 2 * 2))
is "the others have theirs of kube-scheduler" "$(bound default-scheduler)" \
    $((each / 2 * 2))

canary() {
	out=$("$BUILDDIR/predicatectl" canary --kubeconfig "$admin" "$@" 2>"$tmp/err")
	code=$?
}
all_are_compared() {
	canary status --daemon "https://127.0.0.1:$port" -o json
	[ "$(printf '%s' "$out" | jq .decisions)" = $((each / 2 * 2)) ]
}
wait_until 30 all_are_compared
is "status: 0" "$code:$(cat "$tmp/err")" "0:"
is "all decisions of kube-scheduler are compared" \
    "$(printf '%s' "$out" | jq .decisions)" $((each / 2 * 2))
printf '%s\n' "$out" | jq -c '.causes[]' | sed 's/^/# /'
is "every one has a cause that is known" "$(printf '%s' "$out" | jq -r '[.causes[] |
    select(.result | IN("same", "tie", "other_node", "refused") | not)] | length')" 0
# causes RESULT RULE: whether some differ so
causes() {
	printf '%s' "$out" | jq --arg result "$1" --arg rule "$2" '[.causes[] |
	    select(.result == $result and .rule == $rule) | .pods] | add // 0 | . > 0'
}
is "some nodes are not ours, by a predicate" "$(causes refused NoHdd)" true
is "others we like less, by a priority" "$(causes other_node MostRequestedPriority)" true
is "the causes are all decisions" "$(printf '%s' "$out" |
    jq '([.causes[].pods] | add) == .decisions and .agreed < .decisions')" true
is "both schedulers' pods are counted" "$(printf '%s' "$out" |
    jq -r '.schedulers[] | "\(.name) \(.bound) \(.waiting)"')" \
    "predicated $((each / 2 * 2)) 0
default-scheduler $((each / 2 * 2)) 0"
is "with times" "$(printf '%s' "$out" | jq -r '.schedulers[0] | [.pendingP50, .pendingP99,
    .attemptP50, .attemptP99 | test("^[0-9.]+ (s|ms)$")] + [.attemptP99 != "0 ms"] |
    unique[]')" true
canary status --daemon "https://127.0.0.1:$port" --baseline "https://127.0.0.1:$baseline_port"
is "kube-scheduler's times, too" "$code:$(cat "$tmp/err")" "0:"
printf '%s\n' "$out" | sed 's/^/# /'
is "nothing was written about their pods" "$(k get events -A -o json | jq -r '[.items[] |
    select((.involvedObject.namespace // "" | startswith("theirs-")) and
    .reportingComponent == "predicated")] | length')" 0

# ---- rollback, with predicated killed in the middle ----

for name in ours-a ours-b theirs-a theirs-b; do
	replicas "$name" second $((each - each / 2))
done
sleep 0.5
stop_process "$ours"
start_proxy "$admin" # it counts
begun=$(date +%s%N)
canary rollback --recreate --kubeconfig "$through"
millis=$((($(date +%s%N) - begun) / 1000000))
echo "# rollback took $millis ms"
connections=$(proxy stats | sed 's/connections \([0-9]*\) .*/\1/')
is "over few connections, $connections of them" yes \
    "$([ "$connections" -gt 8 ] || echo yes)"
has "it deletes the policy" "$out" "predicated-canary is deleted"
is "all that waited had a controller: 0" "$code:$(cat "$tmp/err")" "0:"
is "the policy is gone" "$(k get mutatingadmissionpolicies,mutatingadmissionpolicybindings \
    -o name 2>&1)" ""
is "a pod of a chosen namespace is kube-scheduler's" "$(scheduler_of -n ours-a)" \
    default-scheduler
all_have_nodes() {
	[ "$(k get pods -A -o json | jq '[.items[] | select(.spec.nodeName != null and
	    .metadata.deletionTimestamp == null)] | length')" -eq $((each * 4)) ]
}
wait_until 120 all_have_nodes
is "no pod is left behind" "$(k get pods -A -o json | jq '[.items[] |
    select(.spec.nodeName == null)] | length')" 0
is "and none is missing" "$(k get pods -A -o json | jq '.items | length')" $((each * 4))

canary rollback
is "again: nothing is left" "$code" 0
has "again: says so" "$out" "There is no admission policy"
k -n ours-a run alone --image=x --overrides='{"spec":{"schedulerName":"predicated"}}' \
    >/dev/null
canary rollback --recreate
is "a pod without a controller is named: 1" "$code" 1
has "with its name" "$out" "ours-a/alone"
is "and stays" "$(k -n ours-a get pod alone -o name)" pod/alone
finish
