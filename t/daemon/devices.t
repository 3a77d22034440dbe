#!/bin/sh
# Devices for pods with claims: given once each through shared claims, failures,
# restarts and changes of leader, and recorded as kube-scheduler records them.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=4
devices=4

# slice NODE N DEVICES: N devices of the node, each with these fields, too.
slice() {
	jq -nc --arg node "$1" --argjson n "$2" "{apiVersion: \"resource.k8s.io/v1\",
	    kind: \"ResourceSlice\", metadata: {name: \$node}, spec: {
	    driver: \"gpu.example.com\", nodeName: \$node,
	    pool: {name: \$node, generation: 1, resourceSliceCount: 1},
	    devices: [range(\$n) | {name: \"gpu-\(.)\", ${3-}}]}}"
}

# claim NAME [FIELDS]: for one device.
claim() {
	jq -nc --arg name "$1" "{apiVersion: \"resource.k8s.io/v1\",
	    kind: \"ResourceClaim\", metadata: {name: \$name}, spec: {devices: {
	    requests: [{name: \"gpu\", exactly: {deviceClassName: \"gpu\",
	    ${2-}}}]}}}"
}

# pod NAME CLAIM: with this claim.
pod() {
	jq -nc --arg name "$1" --arg claim "$2" '{apiVersion: "v1", kind: "Pod",
	    metadata: {name: $name}, spec: {terminationGracePeriodSeconds: 0,
	    containers: [{name: "c", image: "example.org/c:1"}],
	    resourceClaims: [{name: "gpu", resourceClaimName: $claim}]}}'
}

create() {
	k create -f - >/dev/null
}

placed() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

# of_claim NAME FILTER: jq on the claim.
of_claim() {
	k get resourceclaim "$1" -o json | jq -c "$2"
}

# awaits NAME SECONDS COMMAND…
awaits() {
	name=$1
	shift
	if wait_until "$@"; then
		pass "$name"
	else
		fail "$name" "$(tail -n 20 "$log")
$(k get events -o custom-columns=O:.involvedObject.name,M:.message | tail -n 5)"
	fi
}

has_event() {
	k get events -o jsonpath='{range .items[?(@.involvedObject.name=="'"$1"'")]}{.reason}: {.message}{"\n"}{end}' |
	    grep "$2"
}

# Every device, as often as claims that are allocated have it for themselves.
given() {
	k get resourceclaims -A -o json --chunk-size=0 | jq -r '.items[] |
	    .status.allocation.devices.results[]? |
	    .driver + "/" + .pool + "/" + .device'
}

# Pods that are on nodes and their claims do not say so, or that are elsewhere.
unreserved() {
	k get pods -o json --chunk-size=0 >"$tmp/pods.json"
	k get resourceclaims -o json --chunk-size=0 >"$tmp/claims.json"
	jq -rn --slurpfile pods "$tmp/pods.json" --slurpfile claims "$tmp/claims.json" '
	    ($claims[0].items | map({key: .metadata.name, value: .}) | from_entries) as $c |
	    $pods[0].items[] | select(.spec.nodeName) | . as $p |
	    .spec.resourceClaims[]? | $c[.resourceClaimName] | select(
	    ([.status.reservedFor[]?.uid] | index($p.metadata.uid) | not) or
	    .status.allocation.devices.results[0].pool != $p.spec.nodeName) |
	    $p.metadata.name'
}

# All claims go, as the controllers of Kubernetes do it when their pods are gone.
free_claims() {
	k get resourceclaims -o json | jq -r '.items[].metadata.name' |
	    while read -r name; do
		merge_patch "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/$name" \
		    '{"metadata":{"finalizers":null}}'
	done
	k delete resourceclaims --all >/dev/null
}

# start_devices_scheduler [FLAG…]
start_devices_scheduler() {
	start_scheduler predicated "$log" "$@"
	wait_scheduler 60
}

log=$tmp/scheduler.log
start_apiserver
if [ "$kubernetes_minor" -lt 34 ]; then
	for name in "claims get devices" "a shared claim" "extended resources" \
	    "devices that are not ready" "crashes"; do
		skip "$name" "1.$kubernetes_minor has no resource.k8s.io/v1; 1.34 has"
	done
	finish
fi

make_cluster --nodes "$nodes"
create <<'END'
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]
  extendedResourceName: example.com/gpu
  config: [{opaque: {driver: gpu.example.com, parameters: {mode: fast}}}]
END
i=0
while [ "$i" -lt "$nodes" ]; do
	slice "node-0000$i" "$devices" | create
	i=$((i + 1))
done
mkdir "$tmp/record"
start_devices_scheduler --record="$tmp/record"

# ---- claims get devices ----

n=$((nodes * devices))
i=0
while [ "$i" -lt "$n" ]; do
	claim "c$i" && pod "p$i" "c$i"
	i=$((i + 1))
done | create
all_placed() {
	[ "$(k get pods -o json --chunk-size=0 |
	    jq '[.items[] | select(.spec.nodeName)] | length')" -eq "$1" ]
}
awaits "all pods are placed" 30 all_placed "$n"
is "each device is given once" "$(given | sort -u | wc -l) of $(given | wc -l)" "$n of $n"
is "to the pods that are on its node" "$(unreserved)" ""
is "the claim is protected" "$(of_claim c0 .metadata.finalizers)" \
    '["resource.kubernetes.io/delete-protection"]'
is "the driver gets the parameters of the class" \
    "$(of_claim c0 .status.allocation.devices.config)" \
    '[{"opaque":{"driver":"gpu.example.com","parameters":{"mode":"fast"}},"requests":["gpu"],"source":"FromClass"}]'
is "the claim is for the node" \
    "$(of_claim c0 '.status.allocation.nodeSelector.nodeSelectorTerms[0].matchFields[0].values[0]')" \
    "\"$(node_of p0)\""
is "the time is there" \
    "$(of_claim c0 '.status.allocation.allocationTimestamp | length > 0')" true

has "replayed decisions are the same" \
    "$("$BUILDDIR/predicatectl" replay "$tmp/record" | tail -n 1)" ", 0 another"

claim extra | create
pod extra extra | create
awaits "one more pod waits" 20 has_event extra "cannot allocate all claims"
k delete pod p3 >/dev/null
# As the controller of Kubernetes does it.
merge_patch /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c3/status \
    '{"status":{"reservedFor":null,"allocation":null}}'
awaits "it gets the device that is returned" 30 placed extra
k delete pods --all >/dev/null
free_claims

# ---- a shared claim ----

claim shared | create
for i in 1 2 3 4 5 6; do
	pod "s$i" shared
done | create
awaits "pods that share a claim are placed" 30 all_placed 6
is "all where the device is" "$(unreserved)" ""
is "all in reservedFor" "$(of_claim shared '.status.reservedFor | length')" 6
k delete pods --all >/dev/null
free_claims

# ---- extended resources ----

jq -nc '{apiVersion: "v1", kind: "Pod", metadata: {name: "ext"}, spec: {
    terminationGracePeriodSeconds: 0, containers: [{name: "c",
    image: "example.org/c:1", resources: {requests: {"example.com/gpu": "2"},
    limits: {"example.com/gpu": "2"}}}]}}' >"$tmp/ext.json"
k create -f "$tmp/ext.json" >/dev/null
awaits "a pod with an extended resource of devices is placed" 30 placed ext
made=$(k get pod ext -o jsonpath='{.status.extendedResourceClaimStatus.resourceClaimName}')
has "its claim is made" "$made" ext-extended-resources-
is "its status says which request is which" \
    "$(k get pod ext -o json | jq -c .status.extendedResourceClaimStatus.requestMappings)" \
    '[{"containerName":"c","requestName":"container-0-request-0","resourceName":"example.com/gpu"}]'
is "the claim is the pod's" \
    "$(of_claim "$made" '[.metadata.ownerReferences[0].name, .metadata.annotations["resource.kubernetes.io/extended-resource-claim"], .status.reservedFor[0].name, (.status.allocation.devices.results | length)]')" \
    '["ext","true","ext",2]'
k delete pod ext >/dev/null
free_claims

# A claim of an attempt that was interrupted.
stop_process "$scheduler_pid" KILL
k create -f "$tmp/ext.json" >/dev/null
jq -nc --arg uid "$(k get pod ext -o jsonpath='{.metadata.uid}')" '{
    apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim", metadata: {
    generateName: "ext-extended-resources-",
    finalizers: ["resource.kubernetes.io/delete-protection"],
    annotations: {"resource.kubernetes.io/extended-resource-claim": "true"},
    ownerReferences: [{apiVersion: "v1", kind: "Pod", name: "ext", uid: $uid,
    controller: true}]}, spec: {devices: {requests: [{
    name: "container-0-request-0", exactly: {deviceClassName: "gpu", count: 2}}]}}}' |
    create
start_devices_scheduler
awaits "a claim that an attempt left behind is replaced" 30 placed ext
is "one is there" "$(k get resourceclaims -o name | wc -l)" 1
k delete pod ext >/dev/null
free_claims

# ---- devices that are not ready ----

k delete resourceslices --all >/dev/null
slice node-00000 1 'bindingConditions: ["ready"], bindingFailureConditions: ["broken"]' | create
slice node-00001 1 'bindingConditions: ["ready"], bindingFailureConditions: ["broken"]' | create
claim slow | create
pod slow slow | create
awaits "a pod waits for its devices" 20 has_event slow BindingConditionsPending
stop_process "$scheduler_pid" KILL
k delete events --all >/dev/null
start_devices_scheduler
awaits "also after a restart" 20 has_event slow BindingConditionsPending
is "it is not on a node" "$(node_of slow)" ""
# state CLAIM TYPE: of its device, as its driver says.
state() {
	of_claim "$1" "{status: {devices: [.status.allocation.devices.results[0] |
	    {driver, pool, device, conditions: [{type: \"$2\", status: \"True\",
	    reason: \"Test\", message: \"m\",
	    lastTransitionTime: \"2026-01-01T00:00:00Z\"}]}]}}" >"$tmp/state"
	merge_patch "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/$1/status" \
	    "$(cat "$tmp/state")"
}
state slow broken
# Given back, and given again: without a status then.
given_again() {
	[ "$(of_claim slow '[.status.devices, (.status.allocation | type)]')" = \
	    '[null,"object"]' ]
}
awaits "devices that fail are given back, and some given again" 40 given_again
has_event slow "device binding failed" >/dev/null
is "and the pod's events say so" "$?" 0
state slow ready
awaits "it is placed when they are ready" 20 placed slow
is "where they are" "\"$(node_of slow)\"" \
    "$(of_claim slow '.status.allocation.devices.results[0].pool')"
k delete pod slow >/dev/null
free_claims

# ---- crashes ----

k delete resourceslices --all >/dev/null
i=0
while [ "$i" -lt "$nodes" ]; do
	slice "node-0000$i" 8 | create
	i=$((i + 1))
done
n=$((nodes * 8))
i=0
while [ "$i" -lt "$n" ]; do
	claim "c$i" && pod "p$i" "c$i"
	i=$((i + 1))
done >"$tmp/many.json"
create <"$tmp/many.json" 2>/dev/null &
creating=$!
for i in 1 2 3; do
	sleep 2
	stop_process "$scheduler_pid" KILL
	start_devices_scheduler
	stop_kube_apiserver
	start_kube_apiserver
	wait_apiserver || bail_out "kube-apiserver does not come back"
	kill -0 "$creating" 2>/dev/null || break
done
wait "$creating"
create <"$tmp/many.json" 2>/dev/null # those that an outage refused
awaits "all pods are placed, through crashes of both sides" 60 all_placed "$n"
is "and no device is given twice" \
    "$(given | sort -u | wc -l) of $(given | wc -l)" "$n of $n"
is "to pods on its node that claims are reserved for" "$(unreserved)" ""

finish
