#!/bin/sh
# What else OpenShift's Scheduler object says, on a real API server: profiles,
# the annotation, the default node selector; what applies at start when the
# policy is no good; and what becomes of it when the object or its API goes.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/policy_source/openshift.sh"

scheduler='schedulers.config.openshift.io/cluster'

# waits TEXT POD [NAMESPACE]: the pod fits nowhere, for want of a label.
waits_for_label() {
	oc get pod -n "${2:-default}" "$1" -o json |
	    jq -r '.status.conditions[]?.message' |
	    grep -q "node(s) didn't match node selector"
}

waits() {
	wait_until 10 waits_for_label "$2" "${3:-default}"
	is "$1" "$(oc get pod -n "${3:-default}" "$2" -o json |
	    jq -r '.status.conditions[0].reason')$(node_of "$2" \
	    "${3:-default}")" Unschedulable
}

# comes TEXT POD NODE [NAMESPACE]: a pod that waited is placed within a second.
comes() {
	wait_until 2 has_node "$2" "${4:-default}"
	is "$1" "$(node_of "$2" "${4:-default}")" "$3"
}

annotate() {
	oc annotate --overwrite "$@" >/dev/null
}

start_openshift
install_crd
node east 'type: user-node, region: east'
node west 'type: user-node, region: west'
node infra 'type: infra'

# ---- at start there is nothing good ----

echo '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"No"}]}' \
    >"$tmp/bad"
name_policy scheduler-policy
start_scheduler predicated "$log"
wait_scheduler
applies "without its ConfigMap the provider applies at start" 1 5
source_is "says the metric" provider
refused "and that something is refused"
said "and the log" "configmaps \"scheduler-policy\" not found"
said "which tells what applies" \
    "no valid policy yet, using DefaultProvider"
has_event "an Event on the Scheduler object" Scheduler cluster PolicyRefused \
    'Warning couldn'"'"'t get policy config map openshift-config/scheduler-policy'
lands "pods land" 'east\|west\|infra'
put_policy scheduler-policy "$tmp/bad"
has_event "a bad one is refused, too" ConfigMap scheduler-policy \
    PolicyRefused 'unknown predicate "No'
is "the provider's rules stay" "$(generation)" 1
put_policy scheduler-policy "$(only region)"
applies "until there is a good one" 2
is "nothing is refused any more" "$(metric predicated_policy_refused)" 0
lands "which is seen" 'east\|west'

# ---- the annotation ----

put_policy annotated "$(only infra)"
sed -i 's/infra/type/' "$tmp/only-infra"
put_policy annotated "$tmp/only-infra"
annotate scheduler cluster predicated.io/policy=annotated
applies "the annotation wins over spec.policy.name" 3
said "which the log tells" \
    "spec.policy.name \"scheduler-policy\" is ignored: the annotation predicated.io/policy names another ConfigMap"
name_policy annotated
sleep 1
is "when both are the same nothing changes" "$(generation)" 3
clear_spec policy
sleep 1
is "nor when the annotation alone is left" "$(generation)" 3
source_is "says the metric" openshift-policy

# ---- profiles ----

patch_spec '{"profile":"HighNodeUtilization"}'
said "a profile does not count beside a policy" \
    'profile "HighNodeUtilization" is ignored because a policy is set'
oc annotate scheduler cluster predicated.io/policy- >/dev/null
applies "but without one" 4
source_is "says the metric" openshift-profile
rules=1.$kubernetes_minor
said "as the operator of the cluster's release renders it" \
    "profile \"HighNodeUtilization\" decides as Kubernetes $rules"
big='resources: {requests: {cpu: "4", memory: 8Gi}}'
oc create -f - <<END >/dev/null
apiVersion: v1
kind: Pod
metadata: {name: big}
spec:
  nodeName: infra
  containers: [{name: main, image: example.org/main:1, $big}]
END
sleep 0.5
lands "HighNodeUtilization: on the fullest node" infra
lands "HighNodeUtilization: again" infra
patch_spec '{"profile":"LowNodeUtilization"}'
applies "LowNodeUtilization applies" 5
lands "LowNodeUtilization: on the emptiest" 'east\|west'
patch_spec '{"profile":"NoScoring"}'
applies "NoScoring applies" 6
lands "NoScoring: anywhere" 'east\|west\|infra'
patch_spec '{"profile":"Turbo"}'
refused "an unknown one is refused"
has_event "an Event says so" Scheduler cluster PolicyRefused \
    'Warning profile "Turbo" not recognized'
is "the last good one stays" "$(generation)" 6
clear_spec profile
applies "none is the provider's" 7

# ---- the default node selector ----

oc create namespace free >/dev/null
oc create namespace infra >/dev/null
oc create namespace kube >/dev/null
annotate namespace free openshift.io/node-selector=
annotate namespace infra openshift.io/node-selector=type=infra
annotate namespace kube openshift.io/node-selector=type=none \
    scheduler.alpha.kubernetes.io/node-selector=region=west
patch_spec '{"defaultNodeSelector":"type=user-node,region=east"}'
wait_until 5 grep -q 'default node selector "type=user-node' "$log"
is "a default node selector is no other policy" "$(generation)" 7
lands "pods without more go there" east
lands "and once more" east
lands "not those of a namespace with a selector of its own" infra infra
lands "nor of one with Kubernetes' annotation, which wins" west kube
pod anywhere free '' 'nodeSelector: {type: infra}'
wait_until 10 has_node anywhere free
is "an empty selector asks for nothing" "$(node_of anywhere free)" infra
lands "what the pod asks for counts, too" infra infra '' \
    'nodeSelector: {type: infra}'
put_policy sample "$SRCDIR/etc/examples/openshift-sample-4.cfg"
name_policy sample
applies "whatever the policy" 8
lands "it counts" east
clear_spec policy
applies "and without one" 9
pod torn default '' 'nodeSelector: {region: west}'
waits "a pod that asks for another node fits nowhere" torn
curl -fsS -k --noproxy '*' --cert "$apiserver_dir/admin.crt" \
    --key "$apiserver_dir/admin.key" \
    "https://127.0.0.1:$scheduler_port/debug/explain?pod=default/torn" \
    >"$tmp/explained"
is "/debug/explain says why" "$(jq -r .message "$tmp/explained")" \
    "0/3 nodes are available: 3 node(s) didn't match node selector."
patch_spec '{"defaultNodeSelector":"type=user-node,region=west"}'
comes "pods that wait come when it changes" torn west

pod later infra '' 'nodeSelector: {region: east}'
waits "a pod waits for its namespace's selector" later infra
annotate namespace infra openshift.io/node-selector=type=user-node
comes "and comes when that changes" later east infra
pod last infra '' 'nodeSelector: {type: infra}'
waits "another" last infra
annotate namespace infra 'openshift.io/node-selector=no selector'
sleep 0.5
waits "nonsense fits nowhere" last infra
oc annotate namespace infra openshift.io/node-selector- >/dev/null
sleep 0.5
waits "without the annotation the default counts" last infra
patch_spec '{"defaultNodeSelector":"type in (infra)"}'
has_event "a bad default is refused" Scheduler cluster NodeSelectorRefused \
    'Warning spec.defaultNodeSelector is invalid, keeping the last valid one: "type in (infra)" is not of the form key=value'
waits "the last good one stays" last infra
clear_spec defaultNodeSelector
comes "without a default it comes" last infra infra

# ---- the object goes, and its API ----

patch_spec '{"profile":"NoScoring","defaultNodeSelector":"no=where"}'
applies "a profile" 10
pod homeless
waits "and a pod that fits nowhere" homeless
oc delete scheduler cluster >/dev/null
applies "without the object the provider's is back" 11
wait_until 5 has_node homeless
is "and there is no default node selector" \
    "$(has_node homeless && echo placed)" placed
oc delete crd schedulers.config.openshift.io >/dev/null
sleep 1
install_crd
patch_spec '{"profile":"NoScoring"}'
applies "the API comes back, and with it the profile" 12 20

# An API server that merely does not serve it for a while changes nothing.
stop_kube_apiserver
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
sleep 3
is "an API server that starts again changes nothing" "$(generation)" 12
clear_spec profile
applies "and is listened to again" 13 10

# ---- OpenShift 4.10 ----

stop_process "$scheduler_pid" TERM
name_policy scheduler-policy
: >"$log"
start_scheduler predicated "$log" --kubernetes-version=1.23
wait_scheduler
said "from 4.10 on spec.policy.name is warned of" \
    "$scheduler: the operator of OpenShift 4.10 and later does not work while spec.policy.name is set"
has_event "an Event, too" Scheduler cluster PolicyNameObsolete \
    "name the ConfigMap in the annotation predicated.io/policy"
source_is "it counts all the same" openshift-policy
stop_process "$scheduler_pid" TERM

# ---- beside --config ----

cat >"$tmp/config.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {resourceName: ""}
END
: >"$log"
start_scheduler predicated "$log" --config "$tmp/config.yaml"
wait_scheduler
source_is "the policy of the Scheduler object goes before it" openshift-policy
wait_until 10 grep -q 'acquired lease' "$log"
put_policy scheduler-policy "$tmp/bad"
refused "one that is bad is refused"
has_event "an Event on the Scheduler object" Scheduler cluster PolicyRefused \
    'unknown predicate "No'
has_event "and one on the ConfigMap" ConfigMap scheduler-policy \
    PolicyRefused 'unknown predicate "No'
lands "pods land meanwhile, and their Events come later" 'east\|west\|infra'
is "and none on the lock, about the configuration" "$(events Lease \
    kube-scheduler PolicyRefused)" ""
put_policy scheduler-policy "$(only region)"
stop_process "$scheduler_pid" TERM

# ---- switched off, or not allowed ----

: >"$log"
start_scheduler predicated "$log" --policy-openshift=false
wait_scheduler
applies "switched off" 1 5
source_is "the provider applies" provider
stop_process "$scheduler_pid" TERM

oc delete role -n openshift-config predicated:policy >/dev/null
: >"$log"
start_scheduler predicated "$log"
wait_scheduler
refused "without the right to read the ConfigMap it is refused"
said "which the log tells" 'configmaps "scheduler-policy" is forbidden'
stop_process "$scheduler_pid" TERM

oc delete clusterrole predicated:openshift >/dev/null
: >"$log"
start_scheduler predicated "$log"
wait_scheduler
applies "without the right to read the object the provider applies" 1 15
has "after a while, and loudly" "$(cat "$log")" \
    "$scheduler is treated as missing: schedulers: cannot list: HTTP 403"
oc apply -f "$SRCDIR/etc/kubernetes/components/openshift/rbac.yaml" >/dev/null
applies "until the right is there" 2 10
stop_process "$scheduler_pid" TERM

# ---- a server that says late which version it is ----

not_later() {
	if [ "$rules" = 1.36 ]; then
		skip "$1" "there is no release later than 1.36 to mistake it for"
	else
		lacks "$1" "$(cat "$log")" 'decides as Kubernetes 1.36'
	fi
}
clear_spec policy
patch_spec '{"profile":"HighNodeUtilization"}'
start_tls_proxy "$(scheduler_user predicated)"
proxy answer count=3 503 GET /version >/dev/null
: >"$log"
start_scheduler predicated "$log"
wait_scheduler
said "the profile waits for it" \
    "profile \"HighNodeUtilization\" decides as Kubernetes $rules"
applies "and is taken once" 1
not_later "and not as a later release renders it"
stop_process "$scheduler_pid" TERM

# ... also where it stands in for a policy that is no good
name_policy gone
proxy answer count=3 503 GET /version >/dev/null
: >"$log"
start_scheduler predicated "$log"
wait_scheduler
said "so does one that a bad policy falls back to" \
    "no valid policy yet, using HighNodeUtilization"
not_later "in the same way"
stop_process "$scheduler_pid" TERM
finish
