#!/bin/sh
# predicatectl and OpenShift's Scheduler object: in a cluster dump, and in place
# of a policy.
. "$SRCDIR/t/ctl/ctl.sh"

node() {
	printf -- '---\n{kind: Node, metadata: {name: %s, labels: {%s}}, ' "$1" \
	    "$2"
	echo 'status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}}'
}

# scheduler SPEC [ANNOTATIONS]
scheduler() {
	printf -- '---\n{apiVersion: config.openshift.io/v1, kind: Scheduler, '
	echo "metadata: {name: cluster, annotations: {${2-}}}, spec: {$1}}"
}

# config_map NAME POLICY [NAMESPACE]
config_map() {
	printf -- '---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, ' \
	    "$1"
	echo "namespace: ${3-openshift-config}}, data: {policy.cfg: '$2'}}"
}

only() {
	echo '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"Only",
"argument":{"labelsPresence":{"labels":["'"$1"'"],"presence":true}}}]}'
}

{
	node east 'type: user, east: here'
	node west 'type: user'
	node infra 'type: infra'
	echo '---'
	echo '{kind: Namespace, metadata: {name: infra, annotations:'
	echo '{openshift.io/node-selector: type=infra}}}'
	for namespace in default infra; do
		echo '---'
		echo "{kind: Pod, metadata: {namespace: $namespace, name: p}}"
	done
} >"$tmp/cluster"

# fits NAME WANTED [ARG…]: where pod default/p does.
fits() {
	name=$1
	want=$2
	shift 2
	ctl explain --cluster "$tmp/cluster" -o json "$@"
	is "$name" "$(printf '%s\n' "$out" | tr '{' '\n' |
	    sed -n 's/^"name":"\([a-z]*\)","fits":true.*/\1/p' |
	    paste -sd' ' -)" "$want"
}
default="--cluster $tmp/s --pod default/p"

# ---- in a dump ----

fits "without a Scheduler object all nodes are fit" "east infra west" \
    --pod infra/p
scheduler 'defaultNodeSelector: type=user' >"$tmp/s"
fits "a default node selector" "east west" $default
lacks "the Scheduler object is not skipped" "$err" skipped
fits "but for a namespace with its own" infra --cluster "$tmp/s" --pod infra/p
scheduler 'defaultNodeSelector: type=none' >"$tmp/none"
ctl explain --cluster "$tmp/cluster" --cluster "$tmp/none" --pod default/p
has "the table says what confines it" "$out" \
    "Confined: by its project to nodes with type=none"
has "the table says what is missed" "$out" \
    "label type is user, its namespace requires none"
echo '{"kind":"Policy","apiVersion":"v1","predicates":[]}' >"$tmp/policy"
fits "whatever the policy" "east west" $default --policy "$tmp/policy"

scheduler 'policy: {name: p}' >"$tmp/s"
config_map p "$(only east)" >>"$tmp/s"
config_map p "$(only west)" other >>"$tmp/s"
fits "the policy of the ConfigMap that it names" east $default
fits "--policy wins" "east infra west" $default --policy "$tmp/policy"
ctl explain --cluster "$tmp/cluster" --cluster "$tmp/s" --pod default/p
has "which the table tells" "$out" "Policy:   openshift-config/p[policy.cfg]"
scheduler 'policy: {name: p}' 'predicated.io/policy: q' >"$tmp/s"
config_map p "$(only east)" >>"$tmp/s"
config_map q "$(only type)" >>"$tmp/s"
fits "the annotation wins" "east infra west" $default
ctl simulate --cluster "$tmp/cluster" --cluster "$tmp/s" -o json
is "simulate, too" "$code" 0
scheduler 'policy: {name: p}' >"$tmp/s"
config_map p '{"kind":"Policy","apiVersion":"v1","priorities":[
    {"name":"LeastRequestedPriority","weight":2}]}' >>"$tmp/s"
ctl tune --cluster "$tmp/cluster" --cluster "$tmp/s" --objective packing -o json
has "tune writes its policy again" "$out" '"policy":{
  "kind": "Policy",
  "apiVersion": "v1",
  "priorities": ['
has "with its weights" "$out" '{"priority":"LeastRequestedPriority","today":2,'
scheduler 'profile: NoScoring' >"$tmp/s"
ctl explain --cluster "$tmp/cluster" --cluster "$tmp/s" --pod default/p
has "a profile" "$out" "Policy:   NoScoring"
ctl tune --cluster "$tmp/cluster" --cluster "$tmp/s" --objective packing
is "which has no weights for tune: 3" "$code" 3
has "and says what to give" "$err" "the cluster's Scheduler object names no \
policy; give one with --policy"
ctl simulate --cluster "$tmp/cluster" --cluster "$tmp/s" -o json
is "simulate, too" "$code" 0

scheduler 'policy: {name: q}' >"$tmp/s"
for command in "explain --pod default/p" simulate; do
	# shellcheck disable=SC2086 # to be split
	ctl $command --cluster "$tmp/cluster" --cluster "$tmp/s"
	is "$command: a ConfigMap that is missing: 1" "$code" 1
	has "is named" "$err" "$tmp/s:2:1: the ConfigMap openshift-config/q is \
not in the input; give the policy with --policy"
done
config_map q '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"No"}]}' \
    >>"$tmp/s"
ctl explain --cluster "$tmp/cluster" $default -o json
is "a bad policy: 1" "$code" 1
has "with its place" "$err" \
    'openshift-config/q[policy.cfg]:1:58: error: unknown predicate "No"'
has "and in JSON" "$out" '{"error":"'
scheduler 'profile: Turbo' >"$tmp/s"
ctl explain --cluster "$tmp/cluster" $default
is "an unknown profile: 1" "$code" 1
has "in the operator's words" "$err" 'profile "Turbo" not recognized'
scheduler 'defaultNodeSelector: type' >"$tmp/s"
ctl explain --cluster "$tmp/cluster" $default
is "a bad selector: 3" "$code" 3
has "with its place" "$err" \
    'spec.defaultNodeSelector: "type" is not of the form key=value'
scheduler '' >"$tmp/s"
scheduler '' >>"$tmp/s"
ctl explain --cluster "$tmp/cluster" $default
has "two objects" "$err" "duplicate Scheduler object; the first is at"

# ---- in place of a policy ----

{
	config_map other '{'
	scheduler 'policy: {name: p}'
	config_map p "$(only east)"
} >"$tmp/s"
ctl check "$tmp/s"
is "check: the ConfigMap that is named counts" "$code $out" "0 $tmp/s: ok"
fits "--policy, too" east --policy "$tmp/s" --pod default/p
ctl check --strict-policy "$tmp/s"
is "but not to kube-scheduler" "$code" 1
echo '{"kind":"List","apiVersion":"v1","items":[
{"kind":"ConfigMap","metadata":{"name":"o","namespace":"openshift-config"},
"data":{"policy.cfg":"{"}},
{"apiVersion":"config.openshift.io/v1","kind":"Scheduler",
"metadata":{"name":"cluster"},"spec":{"policy":{"name":"p"}}},
{"kind":"ConfigMap","metadata":{"name":"p","namespace":"openshift-config"},
"data":{"policy.cfg":"# none"}}]}' >"$tmp/s"
ctl check "$tmp/s"
is "in a list" "$code" 0
has "there, too" "$out" \
    "data[policy.cfg]: warning: it is empty: the defaults apply"
scheduler 'policy: {name: p}' >"$tmp/s"
ctl check "$tmp/s"
is "check: without the ConfigMap: 1" "$code" 1
has "is said" "$out" \
    "$tmp/s:2:1: error: the ConfigMap openshift-config/p is not in this file"
scheduler 'profile: HighNodeUtilization' >"$tmp/s"
ctl check "$tmp/s"
is "check: a profile" "$code $out" "0 $tmp/s: ok"
scheduler 'profile: Turbo' >"$tmp/s"
ctl check "$tmp/s"
is "check: an unknown one: 1" "$code" 1
has "is said" "$out" \
    "$tmp/s:2:115: error: profile \"Turbo\" not recognized"
scheduler 'profile: [Turbo]' >"$tmp/s"
ctl check "$tmp/s"
has "check: a broken one" "$out" "error: spec.profile must be a string"
finish
