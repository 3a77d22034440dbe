#!/bin/sh
# predicatectl and fields that are not supported.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$data" || exit 99
reason="spec.schedulingGroup is not supported: its pods would be placed one by \
one, not as a group"

pod() { # NAME SPEC [STATUS]
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"%s"},' "$1"
	status=${3:-}
	printf '"spec":%s,"status":%s}\n' "$2" "${status:-{\}}"
}

# In a group, not in a group.
{
	echo "$one_node"
	pod grouped '{"schedulingGroup":{"podGroupName":"g"}}'
	pod single '{}'
} >"$tmp/group"
ctl explain --cluster "$tmp/group" --pod d/grouped --kubernetes-version 1.36
is "held" "$code" 1
has "with the reason" "$out" "0/1 nodes are available: 1 $reason."
ctl explain --cluster "$tmp/group" --pod d/single --kubernetes-version 1.36
is "other pods are not held" "$code" 0
ctl explain --cluster "$tmp/group" --pod d/grouped --kubernetes-version 1.36 \
    --ignore-unsupported=schedulingGroup
is "unless the field is ignored" "$code" 0
ctl explain --cluster "$tmp/group" --pod d/grouped --kubernetes-version 1.35
is "in a release without the field" "$code" 0
ctl explain --cluster "$tmp/group" --pod d/grouped --kubernetes-version 1.36 \
    --strict-policy
is "with --strict-policy" "$code" 0
ctl simulate --cluster "$tmp/group" --kubernetes-version 1.36
is "simulate holds it, too" "$code" 1
has "simulate: one is placed" "$out" "Placed 1 of 2 pending pods"
has "simulate: the reason" "$out" "$reason"
ctl simulate --cluster "$tmp/group" --ignore-unsupported=nonsense
is "a name that does not exist" "$code:$(echo "$err" | head -n 1)" \
    "2:predicatectl: --ignore-unsupported: there is no unsupported field \
\"nonsense\"; there are schedulingGroup, workloadRef, deviceClassResources, \
nodeAllocatableClaims"

# check: every unsupported field in use, with counts.
{
	cat "$tmp/group"
	pod placed '{"nodeName":"n1","schedulingGroup":{"podGroupName":"g"}}'
	pod ended '{"workloadRef":{"name":"w"}}' '{"phase":"Succeeded"}'
	cat <<-'END'
	{"kind":"PodGroup","apiVersion":"scheduling.k8s.io/v1alpha2",
	"metadata":{"namespace":"d","name":"g"}}
	{"kind":"PodGroup","apiVersion":"scheduling.volcano.sh/v1beta1",
	"metadata":{"namespace":"d","name":"g"}}
	{"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1",
	"metadata":{"name":"a"},"spec":{"extendedResourceName":"x.com/a"}}
	{"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1",
	"metadata":{"name":"b"}}
	{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1",
	"metadata":{"name":"s"}}
	{"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1",
	"metadata":{"name":"d"},"spec":{"preventPodSchedulingIfMissing":true}}
	{"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1",
	"metadata":{"name":"e"},"spec":{"preventPodSchedulingIfMissing":false}}
	END
} >"$tmp/all"
printf 'kind: Policy\napiVersion: v1\n' >"$tmp/policy"
ctl check --cluster "$tmp/all" "$tmp/policy"
is "check: all in use" "$out" "$tmp/policy: warning: 2 pods (d/grouped, d/placed) \
use spec.schedulingGroup, which is not supported: its pods would be placed one by \
one, not as a group; pending pods with it are not scheduled unless \
--ignore-unsupported=schedulingGroup is set
$tmp/policy: warning: 1 object of kind DeviceClass with spec.extendedResourceName is \
not supported: the resource counts only where a node's status.allocatable has it
$tmp/policy: warning: 1 object of kind CSIDriver with \
spec.preventPodSchedulingIfMissing is not supported: nodes without the driver are \
not refused
$tmp/policy: warning: 1 object of kind PodGroup is not supported: pods that name one \
are held
$tmp/policy: ok, 4 warnings"
ctl check --cluster "$tmp/all" "$tmp/policy" \
    --ignore-unsupported=schedulingGroup
has "check: ignored ones" "$out" "warning: 2 pods (d/grouped, d/placed) use \
spec.schedulingGroup, which is ignored"
ctl check --cluster "$tmp/all" "$tmp/policy" --strict-policy
is "check: not with --strict-policy" "$out" "$tmp/policy: ok"

# All that is honoured, in one dump: none is called ignored or unsupported.
ctl check --cluster fields.yaml "$tmp/policy" --kubernetes-version 1.36
is "check: a dump with every honoured field is read" "$code" 0
lacks "check: it names none of them" "$out" "not supported"
lacks "check: nor as ignored" "$out" "ignored"
lacks "no kind of object is unused" "$err" "does not use"
lacks "nor unsupported" "$err" "not supported"
lacks "nor left out" "$err" "left out"
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: %s\n' \
    KubeSchedulerConfiguration >"$tmp/config"
ctl check --cluster fields.yaml --config "$tmp/config"
is "check: of the release that the dump says" "$code" 0
lacks "check: nor with profiles" "$out" "not supported"
ctl check --cluster "$tmp/all" "$tmp/policy"

# Only kinds that do not matter are called so.
unused=$(echo "$err" | sed -n 's/.*does not use: //p')
has "another group's kind is unused" "$unused" "1 PodGroup"
lacks "kinds about devices are not" "$unused" Device
has "unsupported kinds" "$err" "of kinds that steer scheduling and are not \
supported: "
finish
