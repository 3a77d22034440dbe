#!/bin/sh
# The daemon against a real API server, allowed what etc/kubernetes/base/rbac.yaml
# allows and nothing more: what it does with pods that fit, with those that do
# not, and with those for which room must be made.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

bound() {
	k get pods --field-selector 'spec.nodeName!=' -o name | wc -l
}

bound_is() {
	[ "$(bound)" -eq "$1" ]
}

# pod NAME [FIELDS]: makes a pod of the template below.
pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, ${3-}}
	spec:
	  containers:
	  - name: main
	    image: example.org/main:1
	    ${2-}
	END
}

# condition POD FIELD: of its condition PodScheduled.
condition() {
	k get pod "$1" -o json | jq -r '.status.conditions[]? |
	    select(.type == "PodScheduled") | '"$2"
}

condition_is() {
	[ "$(condition "$1" .reason)" = "$2" ]
}

# messages OF REASON
messages() {
	k get events -o jsonpath='{range .items[?(@.involvedObject.name=="'"$1"'")]}{.type} {.reason} {.reportingComponent}: {.message}{"\n"}{end}' |
	    grep " $2 "
}

has_message() {
	messages "$1" "$2"
}

on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

is_gone() {
	! k get pod "$1"
}

generation_is() {
	metric_is predicated_policy_generation "$1"
}

holder() {
	k -n kube-system get lease kube-scheduler \
	    -o jsonpath='{.spec.holderIdentity}'
}

start_apiserver
make_cluster --nodes 20 --pods 100 --services 2
cp "$policy" "$tmp/policy.cfg"
policy=$tmp/policy.cfg
start_scheduler predicated "$tmp/log" --leader-elect=true
wait_scheduler

if wait_until 30 bound_is 100; then
	pass "100 pods on 20 nodes are bound"
else
	fail "100 pods on 20 nodes are bound" "$(bound) are; $(tail "$tmp/log")"
fi
has "the log has the line that the manual greps for" "$(cat "$tmp/log")" \
    "Creating scheduler with fit predicates 'map["
node=$(k get pod pod-00007 -o jsonpath='{.spec.nodeName}')
has "the log tells of each pod" "$(cat "$tmp/log")" \
    "pod default/pod-00007 is bound successfully on node $node, 20 nodes evaluated"
wait_until 10 has_message pod-00007 Scheduled
is "event Scheduled" "$(messages pod-00007 Scheduled)" \
    "Normal Scheduled default-scheduler: Successfully assigned default/pod-00007 to $node"

# ---- a pod that fits nowhere ----

oldest=predicated_oldest_unschedulable_pod_seconds
is "no pod fits nowhere" "$(metric $oldest)" 0
pod big 'resources: {requests: {cpu: "1000"}}'
wait_until 10 condition_is big Unschedulable
is "its condition says so" "$(condition big '.status + " " + .reason')" \
    "False Unschedulable"
why="0/20 nodes are available: 20 Insufficient cpu."
is "and why" "$(condition big .message)" "$why"
wait_until 10 has_message big FailedScheduling
is "event FailedScheduling" "$(messages big FailedScheduling)" \
    "Warning FailedScheduling default-scheduler: $why"
annotation=$(k get events --field-selector \
    involvedObject.name=big,reason=FailedScheduling -o json |
    jq -r '.items[0].metadata.annotations["predicated.io/nearest-misses"]')
has "its annotation has the nearest misses" "$annotation" " cpu short: node-0"
is "of all nodes" "$(echo "$annotation" | grep -o node-0 | wc -l)" 20
# Time passes, and it is not forgotten while it waits for its backoff.
oldest_is_old() {
	[ "$(metric $oldest)" -ge 2 ]
}
wait_until 10 oldest_is_old
is "its age is a metric" "$(oldest_is_old && echo yes)" yes
is "/debug/explain has them, too" \
    "$(show '/debug/explain?pod=default/big' |
	jq '[.nodes[].miss | select(endswith(" cpu short"))] | length')" 20
has "/debug/explain says the same" "$(show '/debug/explain?pod=default/big')" \
    "\"message\":\"$why\""
has "and the cause with a remedy" "$(show '/debug/explain?pod=default/big')" \
    '"diagnosis":{"cause":"requests","text":"Larger than any node: asks 1000 cpu'
diagnosis='.diagnosis | .text, (.remedies[] | [.kind, .proven, .text, .changes])'
show '/debug/explain?pod=default/big' | jq -cS "$diagnosis" >"$tmp/daemon"
"$BUILDDIR/predicatectl" explain default/big --kubeconfig "$credentials" -o json |
    jq -cS "$diagnosis" >"$tmp/command"
has "a new node was tried, too" "$(cat "$tmp/daemon")" '"other-node",true,"add'
is "as predicatectl finds" "$(cat "$tmp/daemon")" "$(cat "$tmp/command")"
has "/debug/decisions has it" "$(show /debug/decisions)" \
    "\"pod\":\"default/big\",\"node\":null"
is "only authorised users may see that" \
    "$(curl -sk --noproxy '*' -o "$tmp/body" -w '%{http_code}' \
	"https://127.0.0.1:$scheduler_port/debug/decisions")" 403

# ---- what lets it be tried again, and how long all this takes ----

moved_by() {
	metrics | grep "^scheduler_queue_incoming_pods_total{queue=\"[a-z]*\",event=\"$1\"}"
}

# Only pods that are not waiting to be tried again are moved.
parked() {
	metrics | grep '^scheduler_pending_pods{queue="unschedulable"} [1-9]'
}
wait_until 20 parked
k label service app-0 changed=yes >/dev/null
wait_until 10 moved_by ServiceUpdate
has "a Service that changed counts as that" "$(moved_by ServiceUpdate)" \
    'event="ServiceUpdate"'
wait_until 20 parked
k delete service app-1 >/dev/null
wait_until 10 moved_by ServiceDelete
has "one that was deleted, too" "$(moved_by ServiceDelete)" \
    'event="ServiceDelete"'
lacks "none was added" "$(moved_by ServiceAdd)" Service

# observed NAME: how often, of a histogram.
observed() {
	metric "scheduler_$1_count" || echo none
}
steps=framework_extension_point_duration_seconds
point() {
	metric "scheduler_${steps}_count{extension_point=\"$1\",status=\"$2\",profile=\"default-scheduler\"}"
}
is "predicates were timed for each pod that found a node" \
    "$(observed scheduling_algorithm_predicate_evaluation_seconds)" 100
is "and priorities" \
    "$(observed scheduling_algorithm_priority_evaluation_seconds)" 100
is "the step Bind" "$(point Bind Success)" 100
is "the step Score" "$(point Score Success)" 100
is "the step Reserve" "$(point Reserve Success)" 100
is "the step Permit" "$(point Permit Success)" 100
is "the step PostBind" "$(point PostBind Success)" 100
has "the times of plugins are sampled" "$(metrics)" \
    'scheduler_plugin_execution_duration_seconds_count{plugin="GeneralPredicates"'
# From one answer, as the pod that fits nowhere may be tried between two.
is "the step PostFilter as often as there was preemption" "$(metrics | awk '
	/_point_duration_seconds_count.*="PostFilter",.*="Uns/ { n = $NF }
	/^scheduler_preemption_attempts_total/ { attempts = $NF }
	END { print (n && n == attempts ? "yes" : n " of " attempts) }')" yes
is "lines of the log are counted" \
    "$([ "$(metric 'predicated_log_messages_total{level="info"}')" -ge 100 ] &&
	echo yes)" yes

# ---- a pod that is being deleted ----

pod leaving 'resources: {}
  nodeSelector: {only: late}' 'finalizers: [example.org/stay]'
wait_until 10 condition_is leaving Unschedulable
k delete pod leaving --wait=false >/dev/null
# Its deletion is no reason to try it again, a node that it may fit is.
k create -f - <<'END' >/dev/null
apiVersion: v1
kind: Node
metadata: {name: late, labels: {only: late}}
status:
  allocatable: {cpu: "1", memory: 1Gi, pods: "10"}
  capacity: {cpu: "1", memory: 1Gi, pods: "10"}
  conditions: [{type: Ready, status: "True"}]
END
wait_until 10 has_message leaving 'FailedScheduling .* skip'
has "is skipped" "$(messages leaving FailedScheduling)" \
    "Warning FailedScheduling default-scheduler: skip schedule deleting pod: default/leaving"
k delete node late >/dev/null
k patch pod leaving --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null

# ---- a pod for which room must be made ----

k create -f - <<'END' >/dev/null
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
---
apiVersion: v1
kind: Node
metadata: {name: small, labels: {only: urgent}}
status:
  allocatable: {cpu: "1", memory: 1Gi, pods: "10"}
  capacity: {cpu: "1", memory: 1Gi, pods: "10"}
  conditions: [{type: Ready, status: "True"}]
---
apiVersion: v1
kind: Pod
metadata: {name: victim}
spec:
  nodeSelector: {only: urgent}
  terminationGracePeriodSeconds: 0
  containers:
  - name: main
    image: example.org/main:1
    resources: {requests: {cpu: "1"}}
END
wait_until 10 on_a_node victim
k create -f - <<'END' >/dev/null
apiVersion: v1
kind: Pod
metadata: {name: urgent}
spec:
  priorityClassName: urgent
  nodeSelector: {only: urgent}
  containers:
  - name: main
    image: example.org/main:1
    resources: {requests: {cpu: "1"}}
END
wait_until 10 is_gone victim
if wait_until 20 on_a_node urgent; then
	pass "a pod of higher priority takes another's place"
else
	fail "a pod of higher priority takes another's place" \
	    "$(k get pods urgent victim -o yaml; tail "$tmp/log")"
fi
# From 1.35 on the API server takes the nomination back with the binding.
nominated=small
[ "$kubernetes_minor" -lt 35 ] || nominated=
is "it was nominated before" \
    "$(k get pod urgent -o jsonpath='{.status.nominatedNodeName}')" "$nominated"
by=default/urgent
[ "$kubernetes_minor" -lt 26 ] || by="a pod"
[ "$kubernetes_minor" -lt 29 ] ||
    by="pod $(k get pod urgent -o jsonpath='{.metadata.uid}')"
is "event Preempted" "$(messages victim Preempted)" \
    "Normal Preempted default-scheduler: Preempted by $by on node small"

# ---- volumes for claims that wait for their first consumer ----

make_storage node-00003
pod stored 'volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /b}]
  volumes:
  - {name: a, persistentVolumeClaim: {claimName: found}}
  - {name: b, persistentVolumeClaim: {claimName: made}}'

is_selected() {
	k get pvc made -o yaml | grep -q 'selected-node: node-00003'
}

wait_until 15 is_selected
is "a volume is given to the claim that it is for" \
    "$(k get pv disk -o jsonpath='{.spec.claimRef.name} {.metadata.annotations}')" \
    'found {"pv.kubernetes.io/bound-by-controller":"yes"}'
has "one is asked for on the node of the other" "$(k get pvc made -o yaml)" \
    "volume.kubernetes.io/selected-node: node-00003"
is "the pod waits for them" \
    "$(k get pod stored -o jsonpath='{.spec.nodeName}')" ""
k create -f - <<'END' >/dev/null
apiVersion: v1
kind: PersistentVolume
metadata: {name: fresh}
spec:
  storageClassName: made
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /fresh}
END
for pair in found:disk made:fresh; do
	merge_patch "/api/v1/namespaces/default/persistentvolumeclaims/${pair%:*}" \
	    '{"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},
	      "spec":{"volumeName":"'"${pair#*:}"'"}}'
done
wait_until 15 on_a_node stored
is "and is bound when they are there" \
    "$(k get pod stored -o jsonpath='{.spec.nodeName}')" node-00003

# ---- the policy changes ----

wait_until 10 generation_is 1
is "one policy so far" "$(metric predicated_policy_generation)" 1
cat >"$policy" <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResources"}, {"name": "HostName"},
   {"name": "MatchNodeSelector"}],
 "priorities": [{"name": "MostRequestedPriority", "weight": 3}]}
END
wait_until 20 generation_is 2
is "a new policy applies" "$(metric predicated_policy_generation)" 2
has "and the log says which" "$(cat "$tmp/log")" \
    "and priority functions 'map[MostRequestedPriority:{}]'"
echo '{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "No"}]}' \
    >"$policy"
wait_until 20 metric_is predicated_policy_refused 1
is "a broken one is refused" "$(metric predicated_policy_refused)" 1
pod after 'resources: {requests: {cpu: 10m}}'
if wait_until 10 on_a_node after; then
	pass "and the last good one stays"
else
	fail "and the last good one stays" "$(tail "$tmp/log")"
fi

# ---- what it holds ----

dumped() {
	grep -q "Dump of cached NodeInfo: Node name: .* name: after, namespace: default, " \
	    "$tmp/log"
}
kill -USR2 "$scheduler_pid"
if wait_until 10 dumped; then
	pass "SIGUSR2 writes nodes and their pods to the log"
else
	fail "SIGUSR2 writes nodes and their pods to the log" "$(grep Dump "$tmp/log")"
fi
wait_until 10 grep -q "Dump of scheduling queue: " "$tmp/log"
has "and those that wait" "$(cat "$tmp/log")" "Dump of scheduling queue: "

# ---- the end ----

has "it holds the lock" "$(holder)" "_"
kill -TERM "$scheduler_pid"
wait "$scheduler_pid"
is "SIGTERM ends it well" $? 0
is "and it has let go of the lock" "$(holder)" ""
lacks "nothing was forbidden" "$(cat "$tmp/log")" "orbidden"

finish
