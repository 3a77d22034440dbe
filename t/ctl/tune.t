#!/bin/sh
# predicatectl tune: what it promises is what `diff` and a count find.
. "$SRCDIR/t/ctl/ctl.sh"

spread='{"kind":"Policy","apiVersion":"v1","predicates":[
{"name":"PodFitsResources"}],"hardPodAffinitySymmetricWeight":7,"priorities":[
{"name":"LeastRequestedPriority","weight":2},
{"name":"ssd","weight":1,"argument":{"labelPreference":{"label":"ssd","presence":true}}},
{"name":"NodePreferAvoidPodsPriority","weight":10000}]}'
printf '%s\n' "$spread" >"$tmp/policy"
for i in 1 2 3 4; do
	printf '{"kind":"Node","metadata":{"name":"n%s","labels":{' "$i"
	printf '"topology.kubernetes.io/zone":"z%s"}},' $((i % 2))
	printf '"status":{"allocatable":{"cpu":"4","memory":"4Gi",'
	printf '"pods":"20"}}}\n'
done >"$tmp/nodes"
pods() { # NUMBER
	for i in $(seq "$1"); do
		printf '{"kind":"Pod","metadata":{"name":"p%s"},"spec":{' "$i"
		[ "$i" -gt 2 ] || printf '"nodeName":"n%s",' "$i"
		printf '"containers":[{"name":"c","resources":{"requests":'
		printf '{"cpu":"1","memory":"1Gi"}}}]}}\n'
	done
}
{
	cat "$tmp/nodes"
	pods 4
} >"$tmp/cluster"

ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --write "$tmp/packed"
is "better weights: 0" "$code" 0
has "four nodes in use, or one" "$out" \
    "Cost of packing 0.2500 instead of 1.0000, 4 of 4 pods placed instead of 4"
has "a priority that the policy lacks" "$out" "MostRequestedPriority            -"
has "one with a high weight stays" "$out" \
    "NodePreferAvoidPodsPriority  10000     10000"
ctl check "$tmp/packed"
is "the proposal is a policy" "$code" 0
has "what it has besides stays" "$(cat "$tmp/packed")" \
    '"hardPodAffinitySymmetricWeight": 7'
has "arguments stay" "$(cat "$tmp/packed")" \
    '"argument": {"labelPreference":{"label":"ssd","presence":true}}'
ctl diff "$tmp/policy" "$tmp/packed" --cluster "$tmp/cluster" -o json
has "the effect, as diff finds it" "$out" \
    '"new":{"placed":4,"nodes":4,"emptyNodes":3'

# The measures of both are those of diff, to the last digit.
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    -o json
has "JSON: improved" "$out" '"improved":true'
has "JSON: the cost of each objective" "$out" \
    '"nodesInUse":1,"costs":{"packing":0.250000,"spread":'
has "JSON: a weight" "$out" \
    '{"priority":"ssd","today":1,"proposed":1}'
mine=$(printf '%s\n' "$out" | grep '"resource"')
ctl diff "$tmp/policy" "$tmp/packed" --cluster "$tmp/cluster" -o json
is "JSON: the balance is that of diff" "$mine" \
    "$(printf '%s\n' "$out" | grep '"resource"')"
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    -o yaml
has "YAML" "$out" "objective: \"packing\""

# Twice the same; few combinations are all tried.
ctl tune --objective spread --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --seed 5 --max-weight 2
first=$out
ctl tune --objective spread --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --seed 5 --max-weight 2
is "one seed, one result" "$out" "$first"
has "all were tried" "$out" "all combinations of weights"
is "none is better: 1" "$code" 1
has "none is better" "$out" "No better weights for spread were found"

# Only pending pods: those on nodes stay there.
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --pods pending
has "the two that wait" "$out" \
    "Cost of packing 0.5000 instead of 1.0000, 2 of 2 pods placed"
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --add ""
lacks "nothing is added" "$out" "MostRequestedPriority"
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --add NoSuchPriority
is "a priority that does not exist: 3" "$code" 3
has "a priority that does not exist" "$err" "these priorities are refused"

# Without a policy, from a ConfigMap, of configurations.
ctl tune --objective packing --cluster "$tmp/cluster" --write "$tmp/default"
ctl check "$tmp/default"
is "of the defaults" "$code" 0
ctl tune --objective packing --cluster "$tmp/cluster" --write "$tmp/inner" \
    --policy "$examples/openshift-default-configmap.yaml"
ctl check "$tmp/inner"
is "of a ConfigMap" "$code" 0
ctl tune --objective balance --cluster "$examples/cluster.yaml" \
    --config "$examples/kubescheduler-v1.yaml" --write "$tmp/config"
is "of a configuration" "$code" 0
ctl check --config "$tmp/config"
is "the proposal is a configuration" "$code" 0
has "with scores of its own" "$(cat "$tmp/config")" \
    '"score": {"disabled": [{"name": "*"}], "enabled": ['
cat >"$tmp/two" <<EOF
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
- schedulerName: other
  plugins: {score: {disabled: [{name: ImageLocality}]}}
EOF
ctl tune --objective packing --cluster "$tmp/cluster" --config "$tmp/two" \
    --write "$tmp/second"
is "of the profile that serves pods" "$code" 0
has "MostAllocated of v1beta1" "$(cat "$tmp/second")" \
    '"NodeResourcesMostAllocated"'
has "the other profile stays" "$(cat "$tmp/second")" \
    '{
    "schedulerName": "other",
    "plugins": {
      "score": {"disabled":[{"name":"ImageLocality"}]}
    }
  }'
ctl tune --objective packing --cluster "$tmp/cluster" --config "$tmp/two" \
    --scheduler-name third
is "no such profile: 3" "$code" 3

ctl tune --cluster "$tmp/cluster"
has "no objective" "$err" "--objective is missing"
ctl tune --objective best --cluster "$tmp/cluster"
has "no such objective" "$err" "packing, spread, zones or balance, not 'best'"
sed 's/"topology[^}]*}/}/' "$tmp/cluster" >"$tmp/flat"
ctl tune --objective zones --cluster "$tmp/flat"
is "no zones: 3" "$code" 3
has "no zones" "$err" "all nodes are in one zone"
ctl tune --objective zones --cluster "$tmp/cluster" --policy - </dev/null
has "not standard input" "$err" "it cannot be standard input"
ctl tune --objective spread --cluster x --max-weight 101
has "--max-weight" "$err" "--max-weight must be a number from 1 to 100"
ctl tune --objective spread --cluster x --rounds 0
has "--rounds" "$err" "--rounds must be a number from 1 to"
ctl tune --objective spread --cluster x --pods some
has "--pods" "$err" "--pods must be all or pending, not 'some'"
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --write "$tmp/no/such/folder"
is "it cannot be written: 3" "$code" 3
cp "$tmp/policy" "$tmp/before"
ctl tune --objective packing --policy "$tmp/policy" --cluster "$tmp/cluster" \
    --write "$tmp/policy"
is "a file that exists: 3" "$code" 3
has "a file that exists" "$err" "$tmp/policy: File exists"
is "it is not overwritten" "$(cmp "$tmp/policy" "$tmp/before" 2>&1)" ""
is "and nothing is searched" "$out" ""

# Ctrl-C; the real cluster has more to do.
large=$tmp/large
if ! zcat "$SRCDIR/../shared/clusters/openb.json.gz" >"$large" 2>/dev/null; then
	{
		cat "$tmp/nodes"
		pods 400
	} >"$large"
fi
ctl tune --objective spread --cluster "$large" --time-limit 0
has "today's are measured in any case" "$out" "1 simulation; the time limit was"
"$BUILDDIR/predicatectl" tune --objective spread --cluster "$large" \
    --time-limit 600 --rounds 1000000 -o json >"$tmp/out" 2>"$tmp/err" &
search=$!
wait_until 20 catches_interrupts "$search" ||
	fail "it never waits for Ctrl-C"
kill -INT "$search"
wait "$search"
has "Ctrl-C" "$(cat "$tmp/out")" '"stopped":"it was interrupted"'
has "Ctrl-C: the best so far" "$(cat "$tmp/out")" '"policy":{'
lacks "no progress without a terminal" "$(cat "$tmp/err")" "simulations"
if command -v script >/dev/null; then
	script -qec "'$BUILDDIR/predicatectl' tune --objective spread --cluster \
'$large' --time-limit 3 --rounds 1000000" /dev/null </dev/null >"$tmp/out"
	has "progress on a terminal" "$(cat "$tmp/out")" "today"
fi
finish
