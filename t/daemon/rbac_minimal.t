#!/bin/sh
# What the overlay second-scheduler of etc/kubernetes allows, and the components
# openshift and kosmos where those are used, is what predicated needs, to the last
# verb.
#
# Taking every verb of every resource away, one after the other, and looking what
# breaks would take an hour.  The API server's audit log says the same at once: it
# has every request of ours, and which binding allowed it.  In a life in which
# everything happens that can happen to a scheduler,
#
#	nothing was forbidden: no permission is missing, and
#	every verb of every resource (and name) in our roles was used: none is
#	too many; without it a request of this test would have been forbidden,
#	and this test would have failed.
#
# That a request that is forbidden is seen as such, by the audit log and in what
# the daemon does, is tried at the end, by taking some away.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

account=system:serviceaccount:kube-system:predicated

audit_everything() {
	cat >"$tmp/audit.yaml" <<-END_OF_POLICY
	apiVersion: audit.k8s.io/v1
	kind: Policy
	omitStages: [RequestReceived]
	rules:
	- level: Metadata
	  users: ["$account"]
	- level: None
	END_OF_POLICY
	start_apiserver --audit-policy-file="$tmp/audit.yaml" \
	    --audit-log-path="$audit_log" --audit-log-mode=blocking-strict
}

# ---- the scenario ----

one='containers: [{name: a, image: i}]'

# pod NAME [SPEC]
pod() {
	spec=${2:-$one}
	k create -f - <<-END_OF_POD >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, namespace: default}
	spec: {schedulerName: predicated, $spec}
	END_OF_POD
}

on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

# await NAME SECONDS COMMAND…
await() {
	name=$1
	shift
	if wait_until "$@"; then
		pass "$name"
	else
		fail "$name" "$(tail -n 5 "$tmp/log")"
	fi
}

# The third attempt says nothing new: the event is counted up.
was_told_again() {
	k get events -o json | jq -e '.items[] |
	    select(.involvedObject.name == "nowhere" and .series.count > 1)'
}

# A Service may help any pod.
fail_again() {
	k create service clusterip "turn$1" --tcp=80 >/dev/null
}

volumes_are_under_way() {
	k get pvc made -o yaml | grep -q selected-node &&
	    k get pv disk -o yaml | grep -q claimRef
}

# The server does not know whether it has bound the pod: it has to be looked at.
doubt_a_binding() {
	proxy answer count=1 500 POST /binding >/dev/null
	pod doubtful
}

bring_everything_about() {
	pod plain
	await "a pod is bound" 20 on_a_node plain
	doubt_a_binding
	await "and one whose binding was in doubt" 20 on_a_node doubtful
	pod nowhere "nodeSelector: {no: where}, $one"
	for turn in 1 2 3 4 5 6 7 8 9; do
		sleep 1
		fail_again "$turn"
		was_told_again >/dev/null 2>&1 && break
	done
	await "one that fits nowhere is told again" 20 was_told_again
	k create priorityclass high --value=1000 >/dev/null
	most='nodeSelector: {kubernetes.io/hostname: node-00002},
	    containers: [{name: a, image: i, resources: {requests: {cpu: "5"}}}]'
	pod victim "terminationGracePeriodSeconds: 0, $most"
	wait_until 20 on_a_node victim
	pod important "priorityClassName: high, $most"
	await "one takes another's place" 30 on_a_node important
	make_storage node-00001
	pod stored "volumes: [{name: a, persistentVolumeClaim: {claimName: found}},
	    {name: b, persistentVolumeClaim: {claimName: made}}], $one"
	await "volumes are chosen" 20 volumes_are_under_way
	is "an authorised user may see the metrics" "$(curl -sk --noproxy '*' \
	    -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer monitor-token' \
	    "https://127.0.0.1:$scheduler_port/metrics")" 200
}

# ---- the other two worlds ----

prepare_openshift() {
	k create namespace openshift-config >/dev/null
	k apply -f "$SRCDIR/etc/kubernetes/components/openshift/rbac.yaml" \
	    -f "$SRCDIR/t/data/openshift/scheduler-crd.yaml" >/dev/null ||
	    bail_out "what OpenShift needs is refused"
	wait_until 20 k get schedulers
	k -n openshift-config create configmap some-policy \
	    --from-file="$SRCDIR/etc/kubernetes/components/policy/policy.cfg" >/dev/null
	k create -f - >/dev/null <<-'END_OF_SCHEDULER'
	apiVersion: config.openshift.io/v1
	kind: Scheduler
	metadata: {name: cluster}
	spec: {policy: {name: some-policy}}
	END_OF_SCHEDULER
}

prepare_kosmos() {
	k apply -f "$SRCDIR/etc/kubernetes/components/kosmos/rbac.yaml" \
	    -f "$SRCDIR/etc/kubernetes/components/kosmos-crds/crds.yaml" >/dev/null ||
	    bail_out "what Kosmos needs is refused"
	wait_until 20 k get distributionpolicies,clusterdistributionpolicies
}

# ---- who may what ----

# The verbs that our roles allow: "BINDING VERB GROUP RESOURCE NAMESPACE NAME",
# a line each; * is any namespace or name.
granted() {
	for kind in role clusterrole rolebinding clusterrolebinding; do
		k get "$kind" -A -o json >"$tmp/$kind.json"
	done
	jq -n -r --slurpfile r "$tmp/role.json" \
	    --slurpfile c "$tmp/clusterrole.json" \
	    --slurpfile rb "$tmp/rolebinding.json" \
	    --slurpfile cb "$tmp/clusterrolebinding.json" '
		($rb[0].items + $cb[0].items)[] |
		select(any(.subjects[]?; .kind == "ServiceAccount" and
		    .name == "predicated" and .namespace == "kube-system")) |
		. as $binding | ($r[0].items + $c[0].items)[] |
		select(.kind == $binding.roleRef.kind and
		    .metadata.name == $binding.roleRef.name and
		    (.kind == "ClusterRole" or
			.metadata.namespace == $binding.metadata.namespace)) |
		.rules[] | . as $rule |
		$rule.apiGroups[] as $group | $rule.resources[] as $resource |
		$rule.verbs[] as $verb |
		(($rule.resourceNames // ["*"])[]) as $name |
		[$binding.metadata.name, $verb, "group=" + $group, $resource,
		    ($binding.metadata.namespace // "*"), $name] | join(" ")' |
	    sort -u
}

# What was asked for, and what became of it, in the same form, but with "allow"
# or "forbid" in front.
asked() {
	jq -r 'select(.objectRef.resource != null) |
	    (.annotations["authorization.k8s.io/reason"] // "") as $reason |
	    [.annotations["authorization.k8s.io/decision"],
		(($reason | capture("Binding \"(?<b>[^\"/]*)").b) // "-"), .verb,
		"group=" + (.objectRef.apiGroup // ""), .objectRef.resource +
		    (if .objectRef.subresource then
			"/" + .objectRef.subresource else "" end),
		.objectRef.namespace // "*", .objectRef.name // "*"] |
	    join(" ")' "$audit_log" | sort -u
}

# Those of the first list that no line of the second has used.
unused() {
	awk 'NR == FNR {
		if ($1 == "allow")
			for (n = 0; n < 4; n++)
				used[$2 " " $3 " " $4 " " $5 " " \
				    (n % 2 ? $6 : "*") " " \
				    (n > 1 ? $7 : "*")] = 1
		next
	}
	!($0 in used)' "$tmp/asked" "$tmp/granted"
}

mkdir -p "$apiserver_dir"
echo 'admin-token,admin,0,system:masters
monitor-token,monitor,1,system:monitoring' >"$apiserver_dir/tokens.csv"
audit_everything
overlay=$SRCDIR/etc/kubernetes/overlays/second-scheduler
k apply -k "$overlay" >/dev/null || bail_out "$overlay is refused"
prepare_openshift
prepare_kosmos
wait_until 30 k -n kube-system get configmap \
    extension-apiserver-authentication
make_cluster --nodes 5
granted >"$tmp/granted"
is "no role has a wildcard" "$(awk '$2 == "*" || $3 == "group=*" ||
    $4 ~ /\*/' "$tmp/granted")" ""

config=$(kubeconfig_for "$account" system:serviceaccounts system:authenticated)
start_tls_proxy "$config"
policy=
args=$(k -n kube-system get deployment predicated -o \
    jsonpath='{.spec.template.spec.containers[0].args[*]}')

# live [FLAG…]: with the Deployment's flags and these.
live() {
	# shellcheck disable=SC2086 # to be split
	start_scheduler predicated "$tmp/log" --leader-elect=true $args "$@"
	wait_scheduler
}

# What is watched is in the log when the watch has ended.
die() {
	kill -TERM "$scheduler_pid"
	wait "$scheduler_pid"
	is "it ends well" $? 0
}

renewed() {
	k -n kube-system get lease predicated -o json |
	    jq -e '.spec.renewTime > .spec.acquireTime'
}

live --kosmos
bring_everything_about
await "it renews its lock" 20 renewed
die
live --policy-configmap=
await "OpenShift's object says which policy" 20 \
    grep -q 'policy openshift-config/some-policy' "$tmp/log"
k -n openshift-config create configmap some-policy --dry-run=client -o yaml \
    --from-file=policy.cfg="$SRCDIR/etc/examples/openshift-sample-1.cfg" |
    k apply -f - >/dev/null 2>&1
await "which it watches" 20 metric_is predicated_policy_generation 2
die

asked >"$tmp/asked"
sed 's/^/# /' "$tmp/asked"
is "nothing was forbidden" "$(grep '^forbid' "$tmp/asked")" ""
# That one is Kubernetes' own role, which is as it is.
# On the releases that have it, the other role is looked at.
minor=$(k version -o json | jq -r '.serverVersion.minor' | tr -dc 0-9)
is "every permission is needed" "$(unused |
    grep -v '^predicated:authentication-reader \(list\|watch\) ' |
    if [ "$minor" -ge 34 ]; then
	    grep -v -e '^predicated:later \(create\|delete\|get\|patch\) ' \
		-e ' devicetaintrules'
    else
	    grep -v '^predicated:later '
    fi)" ""
is "and there are some" "$([ "$(wc -l <"$tmp/granted")" -gt 30 ] && echo yes)" \
    yes

# ---- without ----

# without NAME JSON-PATCH: that piece of the ClusterRole is taken away.
without() {
	k patch clusterrole predicated --type=json -p "$1" >/dev/null
}
# The index of the rule with this resource and verb.
rule_of() {
	k get clusterrole predicated -o json | jq --arg resource "$1" \
	    --arg verb "$2" '.rules | map(any(.resources[]; . == $resource) and
		any(.verbs[]; . == $verb)) | index(true)'
}

is_forbidden() {
	asked | grep -q "^forbid - $1 "
}

# missing WHAT VERB RESOURCE COMMAND…: without that verb, the command brings
# about that it is forbidden.
missing() {
	name=$1
	verb=$2
	resource=$3
	shift 3
	without "[{\"op\": \"remove\",
	    \"path\": \"/rules/$(rule_of "$resource" "$verb")\"}]"
	"$@"
	await "without $name: that is seen" 20 is_forbidden \
	    "$verb group= $resource"
	k apply -k "$overlay" >/dev/null
}

live
missing "bindings" create pods/binding pod unbound
missing "conditions" patch pods/status pod nowhere-else \
    "nodeSelector: {no: where}, $one"
finish
