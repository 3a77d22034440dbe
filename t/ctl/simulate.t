#!/bin/sh
# predicatectl simulate: order, assumed pods, preemption, seeds.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$examples" || exit 99

# The answer without the time it took.
answer() {
	printf '%s\n' "$out" | grep -v '"seconds"'
}

ctl simulate --policy policy.cfg --cluster cluster.yaml
is "pods are left pending: 1" "$code" 1
has "the sum" "$out" "Placed 12 of 15 pending pods on 12 nodes in "
has "the seed" "$out" "seed 1)"
has "where to" "$out" "  ml/train-58d7f-2              west-c-4"
has "who is left, and why" "$out" "shop/forecast     0/12 nodes are available"
has "and who fits alone" "$out" "ml/train-58d7f-3  It fits alone; those before \
it in the queue take the room: 0/12 nodes are available"
has "gates" "$out" "shop/migration    waiting for scheduling gates: [shop.example/backup-done]"

ctl simulate --policy policy.cfg --cluster cluster.yaml -o json --preempt
has "preemption: who goes for whom" "$out" \
    '"node":"west-c-1","by":"shop/forecast"}'
has "preemption: the pod is placed then" "$out" \
    '{"pod":"shop/forecast","node":"west-c-1"}'

ctl simulate --cluster cluster.yaml -o json --seed 5
first=$(answer)
ctl simulate --cluster cluster.yaml -o json --seed 5
is "the same seed, the same answer" "$(answer)" "$first"
lacks "no evictions unless asked for" "$out" '"evicted"'
has "the time it took" "$out" '"decisions_per_second":'

# One place for five pods: only the first in the queue gets it.
pod() { # NAME CREATED SPEC
	printf '{"kind":"Pod","metadata":{"name":"%s","creationTimestamp":%s},' \
	    "$1" "$2"
	printf '"spec":{%s}}\n' "$3"
}
old='"2020-01-01T00:00:00Z"' new='"2020-01-02T00:00:00Z"'
node='{"kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":
{"cpu":"1","memory":"1Gi","pods":"1"}}}'
first_of() { # NAME WANT: the first of $tmp/pods is placed
	{ echo "$node"; cat "$tmp/pods"; } >"$tmp/cluster"
	ctl simulate --cluster "$tmp/cluster" -o json
	has "$1" "$out" "\"placed\":[
  {\"pod\":\"default/$2\",\"node\":\"n1\"}],"
}
{ pod a "$old" '"priority":1'; pod b "$new" '"priority":2'; } >"$tmp/pods"
first_of "the queue: higher priority first" b
{ pod a "$new" ''; pod b "$old" ''; } >"$tmp/pods"
first_of "the queue: then the older" b
{ pod b "$old" ''; pod a "$old" ''; } >"$tmp/pods"
first_of "the queue: then by name" a
class='"kind":"PriorityClass","value":5'
{
	pod a "$old" '"priority":4'
	pod b "$old" '"priorityClassName":"high"'
	echo "{$class,\"metadata\":{\"name\":\"high\"}}"
} >"$tmp/pods"
first_of "the queue: priority by class" b
{
	pod a "$old" '"priority":4'
	pod b "$old" ''
	echo "{$class,\"globalDefault\":true,\"metadata\":{\"name\":\"d\"}}"
} >"$tmp/pods"
first_of "the queue: priority by default" b
{
	pod a "$old" '"priority":2000000000'
	pod b "$old" '"priorityClassName":"system-node-critical"'
} >"$tmp/pods"
first_of "the queue: Kubernetes' own classes" b
has "the other one is told" "$out" \
    '{"pod":"default/a","status":"behind","message":"0/1 nodes are available: 1 Insufficient pods."}'

{
	pod a "$old" '"schedulerName":"other"'
	pod b "$old" ''
} >"$tmp/pods"
first_of "pods of other schedulers are not ours" b
is "and not counted" "$code" 0
ctl simulate --cluster "$tmp/cluster" --scheduler-name other -o json
has "unless we are that one" "$out" '"pod":"default/a"'
echo "$node" >"$tmp/cluster"
ctl simulate --cluster "$tmp/cluster"
is "nothing to place: 0" "$code" 0
has "nothing to place" "$out" "Placed 0 of 0 pending pods on 1 node"

# Many pods: nodes and groups instead of a list.
sh "$SRCDIR/t/ctl/make_trace.sh" >"$tmp/trace.json"
ctl simulate --policy openshift-default.cfg --cluster "$tmp/trace.json"
has "many pods: the fullest nodes" "$out" "NODE             PLACED  PODS"
has "many pods: pending ones by reason" "$out" "no node fits: "
lines=$(printf '%s\n' "$out" | wc -l)
is "many pods: a short table" "$((lines < 80))" 1
ctl simulate --policy openshift-default.cfg --cluster "$tmp/trace.json" \
    --all
lines=$(printf '%s\n' "$out" | wc -l)
is "--all: all of them" "$((lines > 400))" 1

# Pods that tolerate no taint see more nodes filled by those that do from one to
# the next: for the last of them taints no longer matter.
tainted=',"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}'
for i in 1 2 3; do
	echo "$node" | sed "s/\"n1\"}/\"n$i\"}$tainted/"
done >"$tmp/cluster"
for i in 1 2 3 4; do
	pod "b$i" "$old" "\"priority\":$((10 - 2 * i))"
	pod "a$i" "$old" "\"priority\":$((9 - 2 * i)),
	    \"tolerations\":[{\"operator\":\"Exists\"}]"
done >>"$tmp/cluster"
ctl simulate --cluster "$tmp/cluster"
has "only reasons that nodes give now" "$out" \
    "default/b4      0/3 nodes are available: 3 Insufficient pods."
# a narrow screen
sed 's/"name":"n1"/"name":"ip-10-0-0-1.a-region-with-a-long-name.compute.internal"/' \
    >"$tmp/cloud" <<EOT
$(pod_with '{}')
EOT
out=$(COLUMNS=60 "$BUILDDIR/predicatectl" simulate --cluster "$tmp/cloud" \
    2>/dev/null)
is "names of clouds fit 60 columns" "$(printf '%s\n' "$out" |
    sed 1d | awk 'length > 60')" ""
has "and are cut in the middle" "$out" "ip-10-0-0-1.a-region"

# Four devices for five pods, the last of which asks for one as an extended resource.
for i in 1 2; do
	cat <<-EOT
	{"kind":"Node","metadata":{"name":"n$i"},"status":{"allocatable":
	{"cpu":"9","memory":"9Gi","pods":"9"}}}
	{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1",
	"metadata":{"name":"n$i"},"spec":{"driver":"d.x","nodeName":"n$i","pool":
	{"name":"n$i","generation":1,"resourceSliceCount":1},
	"devices":[{"name":"a"},{"name":"b"}]}}
	EOT
done >"$tmp/devices"
{
	cat <<'EOT'
{"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1",
"metadata":{"name":"k"},"spec":{"extendedResourceName":"x.com/k","selectors":
[{"cel":{"expression":"device.driver == 'd.x'"}}]}}
EOT
	for i in 1 2 3 4; do
		cat <<-EOT
	{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1",
	"metadata":{"name":"c$i","namespace":"default"},"spec":{"devices":
	{"requests":[{"name":"q","exactly":{"deviceClassName":"k",
	"allocationMode":"ExactCount","count":1}}]}}}
	EOT
		pod "p$i" "$old" "\"resourceClaims\":[{\"name\":\"r\",
		    \"resourceClaimName\":\"c$i\"}]"
	done
	pod last "$new" '"containers":[{"name":"c","resources":{"requests":
	    {"x.com/k":"1"}}}]'
} >>"$tmp/devices"
ctl simulate --cluster "$tmp/devices" --kubernetes-version 1.36 -o json
is "no device is given twice" "$(printf '%s\n' "$out" | grep -o '"node":"n.' |
    sort | uniq -c | tr -s ' \n' ' ')" ' 2 "node":"n1 2 "node":"n2 '
has "there is none for the last" "$out" \
    '{"pod":"default/last","status":"behind","message":"0/2 nodes are available: 2 cannot allocate all claims.'
ctl explain p1 --cluster "$tmp/devices" --kubernetes-version 1.36 -o json
has "explain says which it would get" "$out" '"devices":["q=d.x/n1/a"]'
cat >"$tmp/none.yaml" <<'EOT'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {disabled: [{name: DynamicResources}]}}
EOT
ctl explain p1 --cluster "$tmp/devices" --config "$tmp/none.yaml" -o json
is "by a profile without DynamicResources it fits" "$code" 0
lacks "and would get none" "$out" '"devices"'
finish
