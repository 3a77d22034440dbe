#!/bin/sh
# predicatectl diff: differences, their rules, and balance counted with awk.
. "$SRCDIR/t/ctl/ctl.sh"

policy() { # PREDICATES PRIORITIES
	printf '{"kind":"Policy","apiVersion":"v1","predicates":[%s],' "$1"
	printf '"priorities":[%s]}\n' "$2"
}
fits='{"name":"PodFitsResources"}'
policy "$fits" '{"name":"LeastRequestedPriority","weight":1}' >"$tmp/spread"
policy "$fits" '{"name":"MostRequestedPriority","weight":1}' >"$tmp/pack"
policy "$fits,{\"name\":\"ssd\",\"argument\":{\"labelsPresence\":{\"labels\":
    [\"ssd\"],\"presence\":true}}}" \
    '{"name":"LeastRequestedPriority","weight":1}' >"$tmp/ssd"
policy "$fits,{\"name\":\"no\",\"argument\":{\"labelsPresence\":{\"labels\":
    [\"none\"],\"presence\":true}}}" \
    '{"name":"LeastRequestedPriority","weight":1}' >"$tmp/none"

for i in 1 2 3 4; do
	labels="\"topology.kubernetes.io/zone\":\"z$((i % 2))\""
	[ "$i" -ne 4 ] || labels="$labels,\"ssd\":\"\""
	printf '{"kind":"Node","metadata":{"name":"n%s","labels":{%s}},' \
	    "$i" "$labels"
	printf '"status":{"allocatable":{"cpu":"4","memory":"4Gi",'
	printf '"pods":"20"}}}\n'
done >"$tmp/cluster"
for i in 1 2 3 4; do
	printf '{"kind":"Pod","metadata":{"name":"p%s"},"spec":{' "$i"
	[ "$i" -gt 2 ] || printf '"nodeName":"n%s",' "$i"
	printf '"containers":[{"name":"c","resources":{"requests":'
	printf '{"cpu":"1","memory":"1Gi"}}}]}}\n'
done >>"$tmp/cluster"

ctl diff "$tmp/spread" "$tmp/spread" --cluster "$tmp/cluster"
is "a policy and itself: 0" "$code" 0
has "no difference" "$out" \
    "Of 4 pods 0 would go elsewhere, 0 become unschedulable, 0 schedulable"

ctl diff "$tmp/spread" "$tmp/pack" --cluster "$tmp/cluster" -o json
has "JSON: the rule that tips" "$out" '{"rule":"MostRequestedPriority","pods":3}'
has "JSON: where a pod is now" "$out" '"pod":"default/p2","now":"n2"'
n=$(printf '%s\n' "$out" | grep -c '"old":"n')
is "JSON: as many as it says" "$n" \
    "$(printf '%s\n' "$out" | sed -n 's/.*"elsewhere":\([0-9]*\).*/\1/p')"
# Four nodes with one pod each, or one with all four: mean 1/4, deviation
# sqrt(3)/4.
cv=$(awk 'BEGIN { printf "%.4f", sqrt((1 - 1/4) ^ 2 + 3 * (1/4) ^ 2) / 2 * 4 }')
balances=$(printf '%s\n' "$out" | grep '"resource":"cpu"')
has "spread evenly" "$balances" '"mean":0.2500,"max":0.2500,"cv":0.0000'
has "packed on one" "$balances" "\"mean\":0.2500,\"max\":1.0000,\"cv\":$cv"
has "empty nodes" "$out" '"new":{"placed":4,"nodes":4,"emptyNodes":3'
{
	cat "$tmp/cluster"
	for n in 1 2 3 4; do
		printf '{"kind":"Pod","metadata":{"name":"agent-%s","uid":"a%s",' $n $n
		printf '"ownerReferences":[{"kind":"DaemonSet","name":"agent",'
		printf '"uid":"d","controller":true}]},"spec":{"nodeName":"n%s",' $n
		printf '"containers":[{"name":"c"}]},"status":{"phase":"Running"}}\n'
	done
} >"$tmp/agents"
ctl diff "$tmp/spread" "$tmp/pack" --cluster "$tmp/agents" -o json
has "a node with no pods but a DaemonSet's is empty" "$out" \
    '"new":{"placed":4,"nodes":4,"emptyNodes":2'
ctl diff "$tmp/spread" "$tmp/pack" --cluster "$tmp/cluster" -o json
has "stranded: the other places for pods" "$out" \
    '"resource":"pods","mean":0.0500,"max":0.2000,"cv":1.7321,"allocatable":80,"requested":4,"stranded":16'

ctl diff "$tmp/spread" "$tmp/ssd" --cluster "$tmp/cluster"
has "a predicate that is new" "$out" "the new ssd refuses n"
ctl diff "$tmp/ssd" "$tmp/spread" --cluster "$tmp/cluster"
has "a predicate that was there" "$out" "the old ssd refuses n"
ctl diff "$tmp/spread" "$tmp/none" --cluster "$tmp/cluster"
is "unschedulable: 1" "$code" 1
has "unschedulable" "$out" "0 would go elsewhere, 4 become unschedulable"
ctl diff "$tmp/none" "$tmp/spread" --cluster "$tmp/cluster"
has "schedulable" "$out" "0 become unschedulable, 4 schedulable"

# A claim that waits for its pod: the old policy selects a node for its volume, the
# new one finds it without a node again.
requires() { # LABEL
	policy "$fits,{\"name\":\"CheckVolumeBinding\"},{\"name\":\"$1\",
	    \"argument\":{\"labelsPresence\":{\"labels\":[\"$1\"],\"presence\":true}}}" \
	    '{"name":"LeastRequestedPriority","weight":1}'
}
requires left >"$tmp/left"
requires right >"$tmp/right"
{
	for side in left right; do
		cat <<END
---
{kind: Node, metadata: {name: n-$side, labels: {$side: ""}},
 status: {allocatable: {cpu: "4", memory: 4Gi, pods: "20"}}}
END
	done
	cat <<'END'
---
{kind: StorageClass, metadata: {name: local}, provisioner: example.com/disk,
 volumeBindingMode: WaitForFirstConsumer}
---
{kind: PersistentVolumeClaim, metadata: {name: c, namespace: default, uid: c},
 spec: {storageClassName: local, accessModes: [ReadWriteOnce],
  resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
---
{kind: Pod, metadata: {name: p, namespace: default, uid: p},
 spec: {containers: [{name: c}], volumes: [{name: v, persistentVolumeClaim:
  {claimName: c}}]}, status: {phase: Pending}}
END
} >"$tmp/claim"
ctl diff "$tmp/left" "$tmp/right" --cluster "$tmp/claim" -o json
has "the claim has no node again" "$out" \
    '"new":{"placed":1'

ctl diff "$tmp/spread" "$examples/kubescheduler-v1.yaml" \
    --cluster "$tmp/cluster"
is "a policy and a configuration: 0" "$code" 0
cat >"$tmp/mentions" <<'END'
# made from a KubeSchedulerConfiguration
kind: Policy
apiVersion: v1
END
ctl diff "$tmp/spread" "$tmp/mentions" --cluster "$tmp/cluster"
lacks "a policy that mentions a configuration is a policy" "$code:$err" "kind must"
# Without priorities all nodes are equal, so no pod leaves its node.
policy "$fits" '' >"$tmp/any"
ctl diff "$tmp/spread" "$tmp/any" --cluster "$tmp/cluster"
has "among equals a pod stays" "$out" "Of 4 pods 0 would go elsewhere"
# The numbers agree, whatever moves.
ctl diff "$tmp/spread" "$tmp/pack" --cluster "$tmp/cluster" --seeds 5 -o json
is "moves have one cause each, and rules add up" \
    "$(printf '%s\n' "$out" | jq -c '[.causes.seeds,
	.causes.moved.pods == .elsewhere + .unschedulable + .schedulable,
	.causes.moved.pods == .causes.rule.pods + .causes.knockOn.pods +
	    .causes.chance.pods,
	.causes.rule.pods == ([.rules[].pods] | add),
	.causes.moved.pods == (.differences | length),
	.balance.new.placed - .balance.old.placed == .schedulable - .unschedulable]')" \
    '[5,true,true,true,true,true]'

# a goes to the small node now, the only one that b may have.
{
	for row in small:2 large:4; do
		printf '{"kind":"Node","metadata":{"name":"%s","labels":{"size":"%s"}},
		    "status":{"allocatable":{"cpu":"%s","memory":"%sGi","pods":"9"}}}\n' \
		    "${row%:*}" "${row%:*}" "${row#*:}" "${row#*:}"
	done
	for row in a:1: b:2:'"nodeSelector":{"size":"small"},'; do
		size=${row#*:}
		printf '{"kind":"Pod","metadata":{"name":"%s"},"spec":{%s"containers":
		    [{"name":"c","resources":{"requests":{"cpu":"%s","memory":"%sGi"}}}]}}\n' \
		    "${row%%:*}" "${size#*:}" "${size%%:*}" "${size%%:*}"
	done
} >"$tmp/two"
match="$fits,{\"name\":\"MatchNodeSelector\"}"
policy "$match" '{"name":"LeastRequestedPriority","weight":1}' >"$tmp/spread2"
policy "$match" '{"name":"MostRequestedPriority","weight":1}' >"$tmp/pack2"
ctl diff "$tmp/spread2" "$tmp/pack2" --cluster "$tmp/two" -o json
is "a rule moves one pod, which moves another" \
    "$(printf '%s\n' "$out" | jq -c '[.elsewhere, .unschedulable,
	.causes.rule.pods, .causes.knockOn.pods, .causes.chance.pods]')" \
    '[1,1,1,1,0]'
is "and why" "$(printf '%s\n' "$out" |
    jq -r '.differences[] | .cause + ": " + .why')" \
    "rule: MostRequestedPriority for small over large: +0.30, was +0.00
knock-on: default/a comes to small"
ctl diff "$tmp/spread2" "$tmp/pack2" --cluster "$tmp/two"
has "for people" "$out" "1 (±0) caused by a rule, 1 follow from them"
has "with the pod that is in the way" "$out" "knock-on: default/a comes to small"

# Releases: requests of a pod as a whole count from 1.32 on.
{
	printf '{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":
	    {"cpu":"2","memory":"8Gi","pods":"10"}}}\n'
	printf '{"kind":"Pod","metadata":{"name":"p"},"spec":{"resources":
	    {"requests":{"cpu":"3"}},"containers":[{"name":"c"}]}}\n'
} >"$tmp/whole"
ctl diff --from 1.29 --to 1.36 --cluster "$tmp/whole"
is "an upgrade makes a pod unschedulable: 1" "$code" 1
has "an upgrade" "$out" "0 would go elsewhere, 1 become unschedulable"
has "the rule" "$out" "1  NodeResourcesFit"
has "its changes, and since when" "$out" "NodeResourcesFit     1  1.34   no eviction"
has "and how many others" "$out" "more changes of rules from 1.29 to 1.36"
lacks "no release is a guess" "$err" "rules of Kubernetes"
ctl diff 1.29 1.36 "$tmp/whole" -o json
is "as words, too, with the dump" \
    "$(printf '%s\n' "$out" | jq -r '.unschedulable,
	(.changes[] | select(.pods > 0 and .since == "1.34") | .rule)')" \
    "1
NodeResourcesFit"
ctl diff --from 1.32 --to 1.36 --cluster "$tmp/whole"
is "not from 1.32 on: 0" "$code" 0
ctl diff --from "$tmp/spread@1.20" --to "$examples/kubescheduler-v1.yaml@1.36" \
    --cluster "$examples/cluster.yaml" -o json
is "files as releases read them" \
    "$(printf '%s\n' "$out" | jq 'has("changes") and .pods > 0')" true
ctl diff 1.16 1.22 --cluster "$examples/cluster.yaml"
has "defaults before there were configurations" "$out" "Of "
# What an upgrade moves, and where: as kube-scheduler 1.29.1 and 1.36.2 placed the same
# three pods, one after the other.
real=$SRCDIR/t/data/releases/upgrade.json
jq .cluster "$real" >"$tmp/upgrade"
ctl diff --from 1.29 --to 1.36 --cluster "$tmp/upgrade" -o json
is "each pod goes where the two real schedulers put it" \
    "$(printf '%s\n' "$out" | jq -cS '[.differences[] |
	{key: (.pod | ltrimstr("default/")), value: {"1.29": .old, "1.36": .new}}] |
	from_entries')" "$(jq -cS .placed "$real")"
is "because of three rules" \
    "$(printf '%s\n' "$out" | jq -r '.differences[] | .cause + ": " + .why')" \
    "rule: ImageLocality for a1 over c1: +0.12, was +0.00
rule: the new NodePorts refuses c1
rule: the new PodTopologySpread refuses b1"

ctl diff --from 1.29 --cluster "$tmp/whole"
has "one side alone" "$err" "name two files"
ctl diff --from 1.29 --to 1.99 --cluster "$tmp/whole"
is "a release that is not known: 2" "$code" 2

examples=$SRCDIR/etc/examples
ctl diff "$examples/policy.cfg" "$examples/openshift-default.cfg" \
    --cluster "$examples/cluster.yaml"
has "many differences: a line for an owner's that move for one reason" "$out" \
    "4  shop/web-5f6c8-2, web-5f6c8-3, web-5f6c8-5, ...            elsewhere  the old"
has "those that lose their place come first" "$out" \
    "BECAUSE
     1  monitoring/exporter-west-c-4                               nowhere"
ctl diff "$examples/policy.cfg" "$examples/openshift-default.cfg" --all \
    --cluster "$examples/cluster.yaml"
is "with --all: each" "$(printf '%s\n' "$out" | grep -c 'RegionAffinity refuses')" 8

ctl diff "$tmp/spread" --cluster "$tmp/cluster"
is "one file: 2" "$code" 2
ctl diff "$tmp/spread" "$tmp/absent" --cluster "$tmp/cluster"
is "a file that is not there: 3" "$code" 3
ctl diff "$tmp/spread" "$tmp/pack" -o json --cluster "$tmp/cluster"
from_file=$out
out=$("$BUILDDIR/predicatectl" diff "$tmp/spread" "$tmp/pack" -o json \
    --cluster - <"$tmp/cluster" 2>/dev/null)
is "from standard input" "$out" "$from_file"
finish
