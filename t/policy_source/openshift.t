#!/bin/sh
# The OpenShift manual's procedure on a real API server: a policy in a ConfigMap
# that the Scheduler object names; edited, deleted, re-created, broken.  Each
# step is seen in where pods land.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/policy_source/openshift.sh"

scheduler='schedulers.config.openshift.io/cluster'

start_openshift
node east 'east: ""'
node west 'west: ""'
# No pod goes there but by a policy that says so.
node reserved 'reserved: ""' 1
start_scheduler predicated "$log"
wait_scheduler

applies "without the API a policy applies at once" 1 5
source_is "which is the provider's" provider
lands "and pods land" 'east\|west\|reserved'

# ---- it appears ----

install_crd
wait_until 15 grep -qF "$scheduler names no policy" "$log"
has "the API is found when it appears" "$(cat "$log")" \
    "$scheduler names no policy, using DefaultProvider"
is "which changes nothing" "$(generation)" 1

# ---- the manual's procedure ----

cp "$(only east)" "$tmp/policy.cfg"
cd "$tmp" || exit 99
is "oc create configmap" "$(oc create configmap -n openshift-config \
    --from-file=policy.cfg scheduler-policy)" \
    "configmap/scheduler-policy created"
is "oc patch Scheduler cluster" "$(oc patch Scheduler cluster --type='merge' \
    -p '{"spec":{"policy":{"name":"scheduler-policy"}}}' --type=merge)" \
    "scheduler.config.openshift.io/cluster patched"
applies "takes effect within a second" 2
source_is "says the metric" openshift-policy
lands "and is seen in where a pod lands" east
is "oc logs | grep predicates" \
    "$(grep predicates "$log" | tail -n 1 | sed 's/.*\] //')" \
    "Creating scheduler with fit predicates 'map[GeneralPredicates:{} Only:{}]' and priority functions 'map[BalancedResourceAllocation:{} ImageLocalityPriority:{} InterPodAffinityPriority:{} LeastRequestedPriority:{} NodeAffinityPriority:{} NodePreferAvoidPodsPriority:{} SelectorSpreadPriority:{} TaintTolerationPriority:{}]'"
said "the log tells where it is from" \
    "policy openshift-config/scheduler-policy[policy.cfg] applies, source=openshift-policy"

is "and /configz" "$(in_force)" \
    '"openshift-policy","openshift-config/scheduler-policy[policy.cfg]",2,false'

put_policy scheduler-policy "$(only west)"
applies "edited, it takes effect within a second" 3
lands "which is seen, too" west
has_event "an Event says so on the ConfigMap" ConfigMap scheduler-policy \
    PolicyApplied "Normal the changed policy is in use"
has_event "and one on the Scheduler object" Scheduler cluster PolicyApplied \
    "Normal the changed policy is in use"

oc delete configmap -n openshift-config scheduler-policy >/dev/null
refused "deleted, it is missed, says the metric"
is "and /configz" "$(in_force)" \
    '"openshift-policy","openshift-config/scheduler-policy[policy.cfg]",3,true'
gone="couldn't get policy config map openshift-config/scheduler-policy: configmaps \"scheduler-policy\" not found"
said "the log" \
    "the policy of openshift-config/scheduler-policy[policy.cfg] is invalid, keeping the last valid one: $gone"
has_event "an Event on the Scheduler object" Scheduler cluster PolicyRefused \
    "Warning $gone"
has_event "and one on the ConfigMap" ConfigMap scheduler-policy PolicyRefused \
    "Warning $gone"
lands "the last good one stays" west
is "with its generation" "$(generation)" 3

oc create configmap -n openshift-config \
    --from-file=policy.cfg="$(only reserved)" scheduler-policy >/dev/null
applies "re-created, it applies within a second" 4
lands "which is seen" reserved
is "nothing is refused any more" "$(metric predicated_policy_refused)" 0

# ---- what is no good ----

echo '{"kind":"Policy","apiVersion":"v1",
"predicates":[{"name":"NoSuchRule"}]}' >"$tmp/bad"
bad='invalid policy: openshift-config/scheduler-policy[policy.cfg]:2:23: error: unknown predicate "NoSuchRule"'
put_policy scheduler-policy "$tmp/bad"
refused "a bad policy is refused, says the metric"
said "the log, with its place" \
    'openshift-config/scheduler-policy[policy.cfg]:2:23: error: unknown predicate "NoSuchRule"'
has_event "an Event on the Scheduler object" Scheduler cluster PolicyRefused \
    "Warning $bad"
has_event "and one on the ConfigMap" ConfigMap scheduler-policy PolicyRefused \
    "Warning $bad"
lands "the last good one stays" reserved
put_policy scheduler-policy "$(only east)"
applies "until there is a better one" 5

name_policy nowhere
refused "one that does not exist is refused"
has_event "as Events say" Scheduler cluster PolicyRefused \
    'configmaps "nowhere" not found'
lands "the last good one stays" east
put_policy nowhere "$(only west)"
applies "until it exists" 6
lands "then it applies" west

name_policy '../../secrets'
refused "what can be no name is refused"
has_event "as an Event says" Scheduler cluster PolicyRefused \
    'spec.policy.name: "../../secrets" is not a valid ConfigMap name'
name_policy nowhere
applies "until it can" 7

clear_spec policy
applies "the name cleared, the default provider is back" 8
source_is "says the metric" provider
is "oc logs | grep predicates" \
    "$(grep predicates "$log" | tail -n 1 | grep -c CheckNodeUnschedulable)" 1

# ---- the samples of the manual, each once ----

oc delete node east west reserved >/dev/null
node p1 'region: r1, zone: z1, rack: k1, city: c1, building: b1, room: m1'
node p2 'region: r1, zone: z1, rack: k2, city: c1, building: b2, room: m2'
node p3 'region: r1, zone: z2, rack: k3, city: c2'
node p4 'region: r2, zone: z3, rack: k4, city: c2'
node p5 'region: r2, rack: k5'
node p6 'rack: k6'
generation=8
for sample in default sample-1 sample-2 sample-3 sample-4 sample-5; do
	put_policy "$sample" "$SRCDIR/etc/examples/openshift-$sample.cfg"
	name_policy "$sample"
	generation=$((generation + 1))
	applies "$sample applies" "$generation"
	oc create service clusterip "$sample" --tcp=80 >/dev/null
	oc get service "$sample" -o name >/dev/null
	case $sample in
	default)
		# All rules of the provider: a label is asked for, and had.
		lands "default: nodes are selected" p4 default '' \
		    'nodeSelector: {zone: z3}'
		;;
	sample-[12])
		lands "$sample: the first pod says where" 'p[12]' default \
		    "app: $sample" 'nodeSelector: {region: r1, zone: z1}'
		lands "$sample: region and zone are kept, racks are not" \
		    'p[12]' default "app: $sample"
		lands "$sample: and so on" 'p[12]' default "app: $sample"
		;;
	sample-3)
		lands "$sample: the first pod says where" 'p[12]' default \
		    "app: $sample" 'nodeSelector: {city: c1}'
		first=$node
		lands "$sample: the city is kept" 'p[12]' default \
		    "app: $sample"
		is "$sample: not the building" "$([ "$node" != "$first" ] &&
		    echo another)" another
		;;
	sample-4)
		lands "$sample: a region, and rather a zone" 'p[1-4]'
		lands "$sample: again" 'p[1-4]'
		;;
	sample-5)
		lands "$sample: the first pod says where" 'p3' default \
		    "app: $sample" 'nodeSelector: {region: r1}'
		lands "$sample: the region, no building" 'p3' default \
		    "app: $sample"
		lands "$sample: a region, rather a zone, no building" \
		    'p[34]'
		;;
	esac
done

# The manual shows an edited policy.cfg that is half a ConfigMap.
{
	printf 'apiVersion: v1\ndata:\n  policy.cfg: |\n'
	sed 's/^/    /' "$(only building)"
} >"$tmp/half"
put_policy half "$tmp/half"
name_policy half
applies "a ConfigMap in policy.cfg is read as meant" $((generation + 1))
lands "as is seen" 'p[12]'

# ---- what doc/openshift.md says ----

oc get -o yaml schedulers.config.openshift.io/cluster configmap/half \
    -n openshift-config >"$tmp/dump"
"$BUILDDIR/predicatectl" check "$tmp/dump" >"$tmp/checked" 2>&1
is "predicatectl reads what oc prints" \
    "$? $(tail -n 1 "$tmp/checked" | sed 's/.*: \(ok\).*/\1/')" "0 ok"
recipe=$(awk '/^    oc kustomize / { on = 1 }
    on { last = sub(/ \| *oc apply -f -$/, ""); print }
    last { exit }' "$SRCDIR/doc/openshift.md")
(cd "$SRCDIR" && eval "$recipe") >"$tmp/manifests"
oc apply -f "$tmp/manifests" --dry-run=server -o json >"$tmp/deployment"
is "the second scheduler's Deployment is made as it says" \
    "$(jq -r '.items[] | select(.kind == "Deployment") |
	.spec.template.spec.containers[0] | .image + " " +
	([.args[] | select(startswith("--policy"))] | length | tostring)' \
	"$tmp/deployment")" "registry.example/predicated:0.9.0 0"

stop_process "$scheduler_pid" TERM
finish
