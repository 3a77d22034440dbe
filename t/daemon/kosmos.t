#!/bin/sh
# predicated in the place of Kosmos' scheduler: distribution policies of a real
# API server, whose CRDs come late and go again; every rule about them; the
# sample of Kosmos' documents; pods that wait follow a policy that changes.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/lib/kosmos.sh"

data=$SRCDIR/t/data/kosmos

# pod NAMESPACE NAME LABELS SPEC [METADATA]: the inside of flow mappings.
pod() {
	k apply -f - <<-END >/dev/null || bail_out "pod $2 is refused"
	apiVersion: v1
	kind: Pod
	metadata: {namespace: $1, name: $2, labels: {$3}, ${5-}}
	spec:
	  schedulerName: kosmos-scheduler
	  $4
	  containers: [{name: main, image: "busybox:latest"}]
	END
}

on() {
	echo "nodeSelector: {kubernetes.io/hostname: $1}"
}

# policy NAMESPACE NAME SELECTOR: for the cluster where NAMESPACE is -.
policy() {
	kind=DistributionPolicy
	namespace="namespace: $1,"
	if [ "$1" = - ]; then
		kind=ClusterDistributionPolicy
		namespace=
	fi
	k apply -f - <<-END >/dev/null || bail_out "policy $2 is refused"
	apiVersion: kosmos.io/v1alpha1
	kind: $kind
	metadata: {$namespace name: $2}
	spec:
	  resourceSelectors: [{$3}]
	  policyTerms: [{name: host, nodeType: host},
	    {name: leaf, nodeType: leaf}, {name: mix}]
	END
}

node_of() {
	k get pod -n "$1" "$2" -o jsonpath='{.spec.nodeName}'
}

is_on() {
	[ "$(node_of "$1" "$2")" = "$3" ]
}

# lands NAME NAMESPACE POD NODE [SECONDS]
lands() {
	if wait_until "${5:-10}" is_on "$2" "$3" "$4"; then
		pass "$1"
	else
		fail "$1" "it is on '$(node_of "$2" "$3")'
$(k get pod -n "$2" "$3" -o jsonpath='{.status.conditions}')
$(tail -n 5 "$log")"
	fi
}

message_of() {
	k get pod -n "$1" "$2" -o jsonpath='{.status.conditions[0].message}'
}

# waits NAME NAMESPACE POD PART: its condition says so.
waits() {
	says() {
		case $(message_of "$1" "$2") in *"$3"*) ;; *) return 1 ;; esac
	}
	wait_until 10 says "$2" "$3" "$4"
	has "$1" "$(message_of "$2" "$3")" "$4"
}

logged() {
	grep -qF "$1" "$log"
}

crds() {
	k apply -f "$SRCDIR/etc/kubernetes/components/kosmos-crds/crds.yaml" >/dev/null || bail_out "no CRDs"
	k wait --for=condition=established --timeout=60s \
	    crd/distributionpolicies.kosmos.io \
	    crd/clusterdistributionpolicies.kosmos.io >/dev/null
	sleep 1 # until they are in kubectl's discovery
}

# A policy that cannot be meant so is told of in the log: then all before it
# are known, too.
known() {
	policy test-name-scope "marker-$1" "policyName: gone, name: nobody"
	policy - "marker-$1" "policyName: gone, name: nobody"
	# shellcheck disable=SC2015 # either of them is enough to fail
	wait_until 20 logged "DistributionPolicy test-name-scope/marker-$1" &&
	    wait_until 20 logged "ClusterDistributionPolicy marker-$1" ||
	    bail_out "the policies are not seen: $(tail "$log")"
}

start_apiserver
k create namespace test-name-scope >/dev/null
k create namespace kosmos-system >/dev/null
k create -f "$data/nodes.yaml" >/dev/null || bail_out "no nodes"
# With the flags of the manifest that doc/kosmos.md makes.
recipe=$(awk '/^    kubectl kustomize / { on = 1 }
    on { last = sub(/ \| *kubectl apply -f -$/, ""); print }
    last { exit }' "$SRCDIR/doc/kosmos.md")
(cd "$SRCDIR" && eval "$recipe") >"$tmp/manifests.yaml"
has "the manual's manifests are accepted" \
    "$(k apply --dry-run=server -f "$tmp/manifests.yaml" 2>&1)" \
    "deployment.apps/predicated created (server dry run)"
is "they have the image" "$(grep -c 'image: registry.example/predicated:0.9.0$' \
    "$tmp/manifests.yaml")" 1
policy=
# shellcheck disable=SC2046 # one flag a line
start_scheduler predicated "$tmp/log" $(sed -n 's/^ *- \(--*[a-z].*\)/\1/p' \
    "$tmp/manifests.yaml")
wait_scheduler
# It is healthy before it has asked for OpenShift's Scheduler object.
wait_until 20 logged "Creating scheduler"
has "it has the rules" "$(cat "$tmp/log")" \
    "LeafNodeDistribution:{} LeafNodeTaintToleration:{} LeafNodeVolumeBinding:{}"

# ---- the CRDs come late ----

pod default early '' "$(on kosmos-member2-cluster-1)"
lands "without CRDs there are no policies, and leaf nodes are tolerated" \
    default early kosmos-member2-cluster-1
crds
policy default first "policyName: host, name: first"
known first
pod default first '' "$(on kosmos-member2-cluster-1)"
waits "when they appear, policies count" default first \
    "1 This is a leaf node (kosmos-member2-cluster-1) that does not match the distribution policy (host) (host node)"
has "the other leaf node, likewise" "$(message_of default first)" \
    "1 This is a leaf node (kosmos-member2-cluster-2) that does not match"
has "what explains it" "$(curl -fsS -k --noproxy '*' --max-time 5 \
    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
    "https://127.0.0.1:$scheduler_port/debug/explain?pod=default/first")" \
    '"reasons":["This is a leaf node (kosmos-member2-cluster-1) that does not match the distribution policy (host) (host node)"]'

# ---- every rule ----

kosmos_rules
k apply -f "$tmp/namespaces.yaml" -f "$tmp/older.yaml" >/dev/null
sleep 1.1 # creation times are in seconds
k apply -f "$tmp/policies.yaml" >/dev/null || bail_out "the rules are refused"
# The first by name wins only among policies that were created in the same second.
born_together() {
	[ "$(k get -f "$tmp/twins.yaml" -o json |
	    jq -r '.items[].metadata.creationTimestamp' | sort -u | wc -l)" -eq 1 ] ||
	    { k replace --force -f "$tmp/twins.yaml" >/dev/null; false; }
}
for twins in 26 35; do
	only "twins: \"$twins\"" >"$tmp/twins.yaml"
	wait_until 60 born_together || bail_out "no policies of one second"
done
known rules
k apply -f "$tmp/pods.yaml" >/dev/null || bail_out "the pods are refused"
placed() {
	k get pods -A -o jsonpath='{range .items[*]}{.metadata.namespace}/{.metadata.name} {.spec.nodeName}{"\n"}{end}' \
	    >"$tmp/placed"
	[ "$(grep -c '^rule-.* ' "$tmp/placed")" -eq \
	    "$(grep -c '^rule-.* .' "$tmp/placed")" ]
}
wait_until 20 placed
kosmos_check "$tmp/placed"

# ---- the sample of the documents ----

k apply -f "$data/policies.yaml" >/dev/null || bail_out "the sample is refused"
known sample
apart="affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
    {labelSelector: {matchLabels: {app: busybox}},
    topologyKey: kubernetes.io/hostname}]}}"
owner="ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, controller: true,
    name: busybox-69855845c9, uid: 11111111-2222-3333-4444-555555555555}]"
for i in 2pl7f 54cm9 9gjs9; do
	pod test-name-scope "busybox-69855845c9-$i" \
	    'app: busybox, example-distribution-policy: busybox' "$apart" \
	    "$owner"
done
busy() {
	k get pods -n test-name-scope -l app=busybox \
	    -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' |
	    grep . | sort -u >"$tmp/busy"
	[ "$(wc -l <"$tmp/busy")" -eq "${1:-3}" ]
}
wait_until 10 busy
is "three pods are on three nodes" "$(wc -l <"$tmp/busy")" 3
if grep -q '^kosmos-member2-cluster-[12]$' "$tmp/busy" &&
    grep -q '^kosmoscluster1-[12]$' "$tmp/busy"; then
	pass "host and leaf nodes alike"
else
	fail "host and leaf nodes alike" "$(cat "$tmp/busy")"
fi
pod test-name-scope busybox-69855845c9-x7x7x \
    'app: busybox, example-distribution-policy: busybox' "$apart" "$owner"
wait_until 10 busy 4
is "the fourth is on the fourth" "$(cat "$tmp/busy")" \
    "kosmos-member2-cluster-1
kosmos-member2-cluster-2
kosmoscluster1-1
kosmoscluster1-2"
for name in busybox busybox-prefix-1; do
	pod test-name-scope "$name" '' ''
done
for name in cluster-busybox cluster-busybox-prefix-1; do
	pod default "$name" '' ''
done
wait_until 10 eval '[ "$(node_of default cluster-busybox-prefix-1)" ] &&
    [ "$(node_of test-name-scope busybox-prefix-1)" ]'
for where in test-name-scope/busybox default/cluster-busybox; do
	has "$where is on a leaf node" \
	    "$(node_of "${where%/*}" "${where#*/}")" kosmos-member2-cluster-
	has "$where-prefix-1 on a host node" \
	    "$(node_of "${where%/*}" "${where#*/}-prefix-1")" kosmoscluster1-
done

# ---- pods that wait follow their policy ----

# They would be tried again by themselves after a minute.
host=kosmoscluster1-1
k create namespace follow >/dev/null
policy follow p "policyName: leaf, namePrefix: web"
known follow
pod follow web-1 '' "$(on $host)"
waits "a pod waits" follow web-1 "(kosmoscluster1-1) that does not match the distribution policy (leaf) (leaf node)"
policy follow p "policyName: host, namePrefix: web"
lands "until the policy changes" follow web-1 "$host" 4

pod follow db-1 'app: db' "$(on $host)"
lands "one that no policy selects does not" follow db-1 "$host"
policy - db "policyName: leaf, labelSelector: {matchLabels: {app: db2}}"
known db
pod follow db-2 'app: db2' "$(on $host)"
waits "one that the cluster's selects" follow db-2 "(leaf) (leaf node)"
policy follow db "policyName: mix, labelSelector: {matchExpressions: [
    {key: app, operator: In, values: [db2]}]}"
lands "until the namespace has one for it" follow db-2 "$host" 4
k create namespace other >/dev/null
pod other db-3 'app: db2' "$(on $host)"
waits "in another namespace" other db-3 "(leaf) (leaf node)"
k delete cdp db >/dev/null
lands "until the cluster's is deleted" other db-3 "$host" 4

policy follow late "policyName: leaf, name: late"
known late
pod follow late '' "$(on $host)"
waits "its labels change" follow late "(leaf) (leaf node)"
k label pod -n follow late app=late >/dev/null
k delete dp -n follow late >/dev/null
lands "and its policy goes" follow late "$host" 4

# ---- volumes on leaf nodes are their member cluster's affair ----

k annotate node kosmos-member2-cluster-1 leafNodeMode=one2cluster \
    kosmos-io/owned-by-cluster=member2 >/dev/null
k apply -f - >/dev/null <<-'END' || bail_out "no claims"
	apiVersion: storage.k8s.io/v1
	kind: StorageClass
	metadata: {name: later}
	provisioner: example.org/maker
	volumeBindingMode: WaitForFirstConsumer
	---
	apiVersion: v1
	kind: PersistentVolumeClaim
	metadata: {name: theirs, namespace: follow,
	  annotations: {kosmos-io/cluster-owners: member2}}
	spec:
	  storageClassName: later
	  accessModes: [ReadWriteOnce]
	  resources: {requests: {storage: 1Gi}}
	---
	apiVersion: v1
	kind: PersistentVolumeClaim
	metadata: {name: fresh, namespace: follow}
	spec:
	  storageClassName: later
	  accessModes: [ReadWriteOnce]
	  resources: {requests: {storage: 1Gi}}
	END
# uses CLAIM NODE
uses() {
	on "$2"
	echo "  volumes: [{name: v, persistentVolumeClaim: {claimName: $1}}]"
}
pod follow mysql '' "$(uses theirs $host)"
conflict="node(s) had volume node affinity conflict"
[ "$kubernetes_minor" -lt 33 ] ||
    conflict="node(s) didn't match PersistentVolume's node affinity"
waits "a claim of a member cluster keeps its pod there" follow mysql \
    "$conflict"
pod follow mysql-0 '' "$(uses theirs kosmos-member2-cluster-1)"
lands "on its leaf node" follow mysql-0 kosmos-member2-cluster-1
pod follow mysql-1 '' "$(uses fresh kosmos-member2-cluster-2)"
lands "a fresh claim goes to a leaf node, too" follow mysql-1 \
    kosmos-member2-cluster-2
lacks "no provisioner is asked for a volume" \
    "$(k get pvc -n follow -o yaml)" selected-node
k delete pod -n follow mysql --wait=false >/dev/null

# ---- what is wrong with a policy is said ----

events() {
	k get events -n "$1" -o json | jq -r --arg name "$2" '.items[] |
	    select(.involvedObject.name == $name) |
	    .type + " " + .reason + " " + .involvedObject.kind + " " +
	    .involvedObject.apiVersion + ": " + .message'
}
has_event() {
	[ -n "$(events "$1" "$2")" ]
}
policy follow odd "policyName: leave, name: nobody"
wait_until 10 has_event follow odd
is "an Event on the policy: there is no such term" "$(events follow odd)" \
    "Warning DistributionPolicyProblem DistributionPolicy kosmos.io/v1alpha1: spec.resourceSelectors[0].policyName: unknown policy term \"leave\"; the pods may go to any node"
policy - odd "policyName: leaf, labelSelector: {matchExpressions: [
    {key: app, operator: Like}]}"
wait_until 10 has_event default odd
is "of the cluster: no such operator" "$(events default odd)" \
    "Warning DistributionPolicyProblem ClusterDistributionPolicy kosmos.io/v1alpha1: spec.resourceSelectors[0].labelSelector selects nothing: \"Like\" is not a valid pod selector operator"

# ---- the CRDs go, and come again ----

policy follow p "policyName: leaf, namePrefix: stay"
known stay
pod follow stay-1 '' "$(on $host)"
waits "one more waits" follow stay-1 "(leaf) (leaf node)"
k delete crd distributionpolicies.kosmos.io \
    clusterdistributionpolicies.kosmos.io >/dev/null
lands "when the CRDs go, so do the policies" follow stay-1 "$host" 15
crds
policy follow p "policyName: leaf, namePrefix: again"
known again
pod follow again-1 '' "$(on $host)"
waits "when they are back, so are the policies" follow again-1 \
    "(leaf) (leaf node)"

# ---- rules by name, and at run time ----

stop_process "$scheduler_pid" TERM
plain='{"kind":"Policy","apiVersion":"v1","predicates":[
    {"name":"GeneralPredicates"}]}'
named='{"kind":"Policy","apiVersion":"v1","predicates":[
    {"name":"GeneralPredicates"},{"name":"LeafNodeDistribution"},
    {"name":"LeafNodeTaintToleration"}]}'
echo "$plain" >"$tmp/policy.cfg"
policy=$tmp/policy.cfg start_scheduler predicated "$tmp/log2" \
    --scheduler-name=kosmos-scheduler
wait_scheduler
lands "without its rules Kosmos' policies do not count" follow again-1 "$host"
lacks "nor are they watched" "$(metrics)" 'resource="distributionpolicies"'
pod follow tainted '' "$(on kosmos-member2-cluster-1)"
waits "and leaf nodes are tainted" follow tainted \
    "node(s) had taints that the pod didn't tolerate"
echo "$named" >"$tmp/policy.new"
mv "$tmp/policy.new" "$tmp/policy.cfg"
lands "a policy that names the rules brings both" follow tainted \
    kosmos-member2-cluster-1
pod follow again-2 '' "$(on $host)"
waits "also at run time" follow again-2 "(leaf) (leaf node)"

# ---- Kosmos' own configuration file, which names a lock and not the policies' rule ----

stop_process "$scheduler_pid" TERM
policy=
election=
start_scheduler predicated "$tmp/log3" --policy-openshift=false --kosmos \
    --config="$data/scheduler-config.yaml"
wait_scheduler
wait_until 20 logged "cannot read or write the leader lock"
has "a lock that it may not write is logged with the remedy" "$(cat "$log")" \
    "allowed: kubectl -n kosmos-system create role"
k apply -f "$SRCDIR/etc/kubernetes/components/kosmos/lock.yaml" >/dev/null
wait_until 30 logged "successfully acquired lease kosmos-system/kosmos-scheduler"
has "the component grants it" "$(cat "$log")" \
    "successfully acquired lease kosmos-system/kosmos-scheduler"
policy - own "policyName: leaf, namePrefix: own"
known own
pod follow own-1 '' "$(on $host)"
waits "--kosmos adds the rule of the policies" follow own-1 "(leaf) (leaf node)"
pod follow own-2 '' "$(on kosmos-member2-cluster-2)"
lands "and leaf nodes are tolerated" follow own-2 kosmos-member2-cluster-2

finish
