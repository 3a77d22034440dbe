#!/bin/sh
# predicatectl in a Kosmos cluster: its distribution policies stand in the
# cluster's files.
. "$SRCDIR/t/ctl/ctl.sh"
. "$SRCDIR/t/lib/kosmos.sh"

nodes=$SRCDIR/t/data/kosmos/nodes.yaml
kosmos_rules

# kosmos COMMAND ARG…
kosmos() {
	command=$1
	shift
	ctl "$command" --kosmos --scheduler-name kosmos-scheduler \
	    --cluster "$nodes" "$@"
}

# ---- every rule ----

kosmos simulate --cluster "$tmp/rules.yaml" -o json
is "all are placed" "$code" 0
printf '%s\n' "$out" | sed -n 's/.*"pod":"\([^"]*\)","node":"\([^"]*\)".*/\1 \2/p' \
    >"$tmp/placed"
kosmos_check "$tmp/placed"

# ---- beside a configuration ----

# The same rules with each vocabulary of plugins, which name none of Kosmos'.
for version in v1beta1 v1; do
	cat >"$tmp/$version.yaml" <<-END
	apiVersion: kubescheduler.config.k8s.io/$version
	kind: KubeSchedulerConfiguration
	profiles: [{schedulerName: kosmos-scheduler}]
	END
	ctl simulate --kosmos --config "$tmp/$version.yaml" --cluster "$nodes" \
	    --cluster "$tmp/rules.yaml" -o json
	is "$version: all are placed" "$code" 0
	printf '%s\n' "$out" |
	    sed -n 's/.*"pod":"\([^"]*\)","node":"\([^"]*\)".*/\1 \2/p' \
		>"$tmp/placed"
	kosmos_check "$tmp/placed"
	ctl check --cluster "$nodes" --cluster "$tmp/policies.yaml" \
	    --cluster "$tmp/pods.yaml" --config "$tmp/$version.yaml"
	has "$version: check advises it" "$out$err" "or --kosmos"
	ctl check --kosmos --cluster "$nodes" --cluster "$tmp/policies.yaml" \
	    --cluster "$tmp/pods.yaml" --config "$tmp/$version.yaml"
	lacks "$version: and then no more" "$out$err" "or --kosmos"
done

# ---- the sample of the documents ----

# sample NAME [LABEL]
sample() {
	cat <<-END
	---
	apiVersion: v1
	kind: Pod
	metadata:
	  name: $1
	  namespace: test-name-scope
	  labels: {app: busybox, ${2-}}
	spec:
	  schedulerName: kosmos-scheduler
	  affinity:
	    podAntiAffinity:
	      requiredDuringSchedulingIgnoredDuringExecution:
	      - labelSelector: {matchLabels: {app: busybox}}
	        topologyKey: kubernetes.io/hostname
	  tolerations:
	  - {key: node.kubernetes.io/unreachable, operator: Exists}
	  containers: [{name: busybox, image: "busybox:latest"}]
	END
}

for i in 2pl7f 54cm9 9gjs9 x7x7x y8y8y; do
	sample "busybox-69855845c9-$i" 'example-distribution-policy: busybox'
done >"$tmp/busybox.yaml"
kosmos simulate --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/busybox.yaml" -o json
is "hybrid scheduling: four pods on two host and two leaf nodes" \
    "$(printf '%s\n' "$out" | sed -n 's/.*"node":"\([^"]*\)".*/\1/p' | sort)" \
    "kosmos-member2-cluster-1
kosmos-member2-cluster-2
kosmoscluster1-1
kosmoscluster1-2"

# ---- without the rules ----

ctl simulate --scheduler-name kosmos-scheduler --cluster "$nodes" \
    --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/busybox.yaml" -o json
is "without --kosmos leaf nodes are tainted" \
    "$(printf '%s\n' "$out" | sed -n 's/.*"node":"\([^"]*\)".*/\1/p' | sort)" \
    "kosmoscluster1-1
kosmoscluster1-2"

# ---- explanations ----

{
	sample busybox
	sample busybox-prefix-1
} >"$tmp/busybox.yaml"
kosmos explain --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/busybox.yaml" --pod test-name-scope/busybox
is "it fits on leaf nodes" "$code" 0
has "the policy and its term are named" "$out" \
    "Confined: DistributionPolicy test-name-scope/kosmos-node-distribution-policy, term leaf: only leaf nodes"
has "a host node's reason" "$out" \
    "This is a host node (kosmoscluster1-1) that does not match the distribution policy (leaf) (leaf node)"
ctl explain --scheduler-name kosmos-scheduler --cluster "$nodes" \
    --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/busybox.yaml" --pod test-name-scope/busybox
has "unless no rule reads it" "$out" \
    "term leaf: only leaf nodes (not checked: see --kosmos)"
kosmos explain --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/busybox.yaml" --pod test-name-scope/busybox-prefix-1 \
    -o json
has "for programs, too" "$out" \
    '"reasons":["This is a leaf node (kosmos-member2-cluster-1) that does not match the distribution policy (host) (host node)"]'
has "a taint of another kind" "$out" \
    '"reasons":["node(s) had taint {apart: true}, that the pod didn'"'"'t tolerate"]'

# ---- node affinity of an advanced term ----

# explain_term TERM: a pod with that term.
explain_term() {
	{
		echo "---"
		echo "{apiVersion: kosmos.io/v1alpha1, kind: DistributionPolicy,"
		echo " metadata: {namespace: test-name-scope, name: t}, spec:"
		echo " {resourceSelectors: [{policyName: $1, name: busybox}],"
		echo " policyTerms: $(tr -d '\n' <"$SRCDIR/t/data/kosmos/terms.yaml")}}"
	} >"$tmp/term.yaml"
	kosmos explain --cluster "$tmp/term.yaml" --cluster "$tmp/busybox.yaml" \
	    --pod test-name-scope/busybox -o "$2"
}

explain_term affinity json
has "a required term" "$out" '"best":["kosmoscluster1-2"]'
has "and its reason" "$out" \
    '"This is node (kosmoscluster1-1) that does not match the distribution policy (affinity)  AdvancedTerm "'
explain_term prefer json
has "a preferred term counts as a score" "$out" '"NodeAffinityPriority":10'
has "and wins" "$out" '"best":["kosmoscluster1-2"]'
explain_term prefer table
has "the explanation says so" "$out" \
    "term prefer: only nodes of its advancedTerm, some of them preferred"

# A pod from a file, and one that has a node, go by the policies, too.
sample busybox >"$tmp/file.yaml"
kosmos explain --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --pod-file "$tmp/file.yaml" -o json
has "a pod from a file" "$out" "(leaf) (leaf node)"
sed 's/^spec:/&\n  nodeName: kosmoscluster1-1/' "$tmp/file.yaml" \
    >"$tmp/placed.yaml"
kosmos explain --cluster "$SRCDIR/t/data/kosmos/policies.yaml" \
    --cluster "$tmp/placed.yaml" --pod test-name-scope/busybox -o json
has "a pod that has a node" "$out" "(leaf) (leaf node)"

# ---- what is wrong ----

cat >"$tmp/bad.yaml" <<'END'
apiVersion: kosmos.io/v1alpha1
kind: DistributionPolicy
metadata: {name: bad, namespace: d}
spec:
  resourceSelectors:
  - {policyName: leaf, labelSelector: {matchLabels: [app]}}
END
kosmos explain --cluster "$tmp/bad.yaml" --pod a/b
has "a policy with a wrong type is left out" "$err" \
    "; DistributionPolicy d/bad is left out: it is ignored"
has "with its position" "$err" "bad.yaml:6:53: spec.resourceSelectors[0].labelSelector.matchLabels must be an object, not an array"

echo '{"kind":"Policy","apiVersion":"v1"}' >"$tmp/policy.cfg"
cat >"$tmp/odd.yaml" <<'END'
apiVersion: kosmos.io/v1alpha1
kind: DistributionPolicy
metadata: {name: odd, namespace: test-name-scope}
spec:
  resourceSelectors:
  - {policyName: leave, name: busybox}
  - {policyName: nowhere, labelSelector: {matchLabels: {app: Busybox}}}
  policyTerms:
  - {name: nowhere, nodeType: adv, advancedTerm: {nodeName: kosmos-gone}}
  - name: impossible
    nodeType: adv
    advancedTerm: {affinity: {nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
      {matchExpressions: [{key: disk, operator: In, values: [gone]}]}]}}}}
END
ctl check --kosmos --cluster "$nodes" --cluster "$tmp/odd.yaml" \
    --cluster "$tmp/busybox.yaml" "$tmp/policy.cfg"
has "check: a policyName without a term" "$out" \
    "DistributionPolicy test-name-scope/odd: spec.resourceSelectors[0].policyName: unknown policy term \"leave\""
has "check: a selector that selects no pod" "$out" \
    "DistributionPolicy test-name-scope/odd: spec.resourceSelectors[1] selects none of the pods given"
lacks "check: but not one that does" "$out" "spec.resourceSelectors[0] selects"
has "check: a term that suits no node" "$out" \
    "DistributionPolicy test-name-scope/odd: spec.policyTerms[0], \"nowhere\", matches none of the nodes"
has "check: nor does one by its node affinity" "$out" \
    "DistributionPolicy test-name-scope/odd: spec.policyTerms[1], \"impossible\", matches none of the nodes"
ctl check --cluster "$nodes" --cluster "$tmp/odd.yaml" "$tmp/policy.cfg"
has "check: policies that no rule reads" "$out" \
    "1 distribution policy of Kosmos has no effect; add \"LeafNodeDistribution\""
ctl check --kosmos --cluster "$nodes" \
    --cluster "$SRCDIR/t/data/kosmos/policies.yaml" "$tmp/policy.cfg"
lacks "check: good ones are good" "$out" "DistributionPolicy"

# ---- beside Kosmos' own scheduler ----

verdicts=$SRCDIR/t/data/kosmos/verdicts.yaml
grep '^# [0-9][0-9] .* | ' "$verdicts" >"$tmp/situations"
is "there are situations" "$(wc -l <"$tmp/situations")" 39
is "some differ" "$(grep -c ' | .* | .* | ' "$tmp/situations")" 12
while read -r _ number rest; do
	title="$number ${rest%% | *}"
	fit=${rest#* | }
	awk -v number="$number" '/^# [0-9][0-9] / {
		on = $2 == "00" || $2 == number } on' "$verdicts" >"$tmp/situation.yaml"
	case $fit in
	*" | "*)
		row=${fit##* | }
		fit=${fit#* | }
		fit=${fit% | *}
		has "$title: doc/kosmos.md says that it differs" \
		    "$(cat "$SRCDIR/doc/kosmos.md")" "| $row |"
		;;
	esac
	ctl explain --kosmos --cluster "$tmp/situation.yaml" -o json
	is "$title" "$(printf '%s\n' "$out" | tr '{' '\n' |
	    sed -n 's/^"name":"\([^"]*\)","fits":true.*/\1/p' | tr '\n' ' ')" \
	    "$(echo "$fit " | sed s/none.//)"
done <"$tmp/situations"

finish
