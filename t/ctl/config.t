#!/bin/sh
# --config: profiles of a KubeSchedulerConfiguration.
. "$SRCDIR/t/ctl/ctl.sh"

cat >"$tmp/v1.yaml" <<EOF
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
EOF
sed s/v1/v1beta1/ "$tmp/v1.yaml" >"$tmp/beta.yaml"
pod_with '{}' >"$tmp/one"

ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/one" -o json
is "a pod that fits: 0" "$code" 0
has "by the profile that it names" "$out" '"profile":"default-scheduler"'
has "scores by plugin, up to 100" "$out" '"NodeResourcesFit":'
has "the rules are at least the configuration's" "$err" \
    "rules of Kubernetes 1.36: the configuration is read as that release"
ctl explain --config "$tmp/beta.yaml" --cluster "$tmp/one" -o json
has "v1beta1 has the plugins of 1.20" "$out" '"NodeResourcesLeastAllocated":'
has "and its rules" "$err" "rules of Kubernetes 1.20: the configuration"
ctl explain --config "$tmp/beta.yaml" --cluster "$tmp/one" \
    --kubernetes-version 1.36
lacks "a later cluster keeps its rules" "$err" "rules of Kubernetes 1.20"
has "people see the profile" "$out" \
    "Profile:  default-scheduler of $tmp/beta.yaml"

pod_with '{"affinity":{"nodeAffinity":{
"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{
"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]},
{"key":"metadata.name","operator":"In","values":["n2"]}]}]}}}}' >"$tmp/none"
ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/none"
is "a pod that is rejected: 1" "$code" 1
has "the reason, once" "$out" \
    "0/1 nodes are available: pod affinity terms conflict."
lacks "and no misses, as no node was looked at" "$out" "Nearest misses"

pod_with '{"schedulerName":"other"}' >"$tmp/other"
ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/other" --pod d/p -o json
is "a pod that no profile serves: 1" "$code" 1
is "it has no nodes" "$(printf '%s' "$out" | tr -d '\n')" '{"pod":"d/p", '\
'"profile":null, "nodes":[], "best":[], "message":"", "preemption":null}'
has "and that is said" "$err" "serves schedulerName \"other\""
ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/other" -o json
is "it is not pending for us" "$code" 2
ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/other" -o json \
    --scheduler-name default-scheduler
has "unless --scheduler-name says who serves it" "$out" \
    '"profile":"default-scheduler"'
ctl explain --config "$tmp/v1.yaml" --cluster "$tmp/one" -o json \
    --scheduler-name nobody
has "a pod that names a profile keeps it" "$out" \
    '"profile":"default-scheduler"'

ctl simulate --config "$tmp/v1.yaml" --cluster "$tmp/one" -o json
has "simulate: a pod of a profile" "$out" '{"pod":"d/p","node":"n1"}'
ctl simulate --config "$tmp/v1.yaml" --cluster "$tmp/other" -o json
has "simulate: others are left alone" "$out" '"placed":[]'
has "simulate: and do not wait" "$out" '"pending":[]'
ctl simulate --config "$tmp/v1.yaml" --cluster "$tmp/other" -o json \
    --scheduler-name default-scheduler
has "simulate: --scheduler-name" "$out" '{"pod":"d/p","node":"n1"}'

ctl convert --policy "$examples/policy.cfg" --scheduler-name mine
has "convert: --scheduler-name" "$out" '- schedulerName: "mine"'
printf '{"kind": "Policy", "apiVersion": "v1", "extenders": [
  {"urlPrefix": "http://127.0.0.1:1/", "filterVerb": "filter"}]}' >"$tmp/extended"
ctl convert --policy "$tmp/extended"
has "convert: extenders come along" "$out" 'urlPrefix: "http://127.0.0.1:1"'
lacks "so no warning that they are not called" "$err" "not called"

ctl check --config "$tmp/v1.yaml"
is "check: valid" "$code:$out" "0:$tmp/v1.yaml: ok"
ctl check --config "$tmp/v1.yaml" "$examples/policy.cfg"
is "check: both kinds" "$code:$(printf '%s' "$out" | grep -c ': ok')" 0:2

printf '{' >"$tmp/broken"
ctl check --config "$tmp/broken"
is "check: refused" "$code" 1
has "check: refused, says so" "$out" "$tmp/broken: refused"
for command in explain simulate; do
	ctl $command --config "$tmp/broken" --cluster "$tmp/one" -o json
	is "$command: refused" "$code" 1
	has "$command: refused, the reason" "$out" '{"error":"'
	has "$command: refused, says so" "$err" "the configuration is refused"
	ctl $command --config "$tmp/absent" --cluster "$tmp/one"
	is "$command: not there" "$code" 3
done

cat >"$tmp/elsewhere.yaml" <<EOF
apiVersion: kubescheduler.config.k8s.io/v1alpha1
kind: KubeSchedulerConfiguration
algorithmSource: {policy: {configMap: {name: a, namespace: b}}}
EOF
ctl check --config "$tmp/elsewhere.yaml" --upgrade-to 1.30
is "a policy in a ConfigMap: the file is good" "$code" 0
has "with a warning" "$out" "elsewhere.yaml:3:39: warning: the policy is in a ConfigMap"
lacks "and nothing about an upgrade" "$out" "from 1."
ctl explain --config "$tmp/elsewhere.yaml" --cluster "$tmp/one"
is "but nothing can be explained with it" "$code" 1
finish
