#!/bin/sh
# predicatectl check --upgrade-to: what a newer Kubernetes makes of a file.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

# changed TEXT: the line of $out that ends in TEXT
changed() {
	echo "$out" | grep -F -- "$1" || echo "nothing about '$1'"
}

# ---- configurations ----

cat >v1beta2.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1beta2
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: packer
  plugins:
    filter:
      enabled:
      - name: EBSLimits
    score:
      enabled:
      - name: NodeResourcesBalancedAllocation
        weight: 3
END
ctl check --config v1beta2.yaml --kubernetes-version 1.25 --upgrade-to 1.27
is "a version that both read is no error" "$code" 0
has "the file itself is good" "$out" "v1beta2.yaml: ok"
is "a plugin that the file names has its line" \
    "$(changed "a resource named twice counts twice")" \
    "v1beta2.yaml: note: from 1.27 on NodeResourcesFit: a resource named twice \
counts twice"
is "a default that changes has none" "$(changed SchedulingGates | head -1)" \
    "v1beta2.yaml: note: SchedulingGates is enabled by default"
has "and the count" "$out" "v1beta2.yaml: from 1.25 to 1.27: 0 errors, "
lacks "nothing later" "$out" "from 1.28 on"

ctl check --config v1beta2.yaml --kubernetes-version 1.25 --upgrade-to 1.36
is "a version that the release does not read: 1" "$code" 1
is "it has its place" "$(changed "does not read")" "v1beta2.yaml:1:13: error: \
kube-scheduler 1.36 does not read v1beta2; what follows is about v1"
is "so has a plugin that is gone" "$(echo "$out" | grep -c "^v1beta2.yaml:8:")" 1
has "both are counted" "$out" "from 1.25 to 1.36: 2 errors, "

sed -i /EBSLimits/d v1beta2.yaml
sed -i '/filter:/,/enabled:/d' v1beta2.yaml
ctl check --config v1beta2.yaml --upgrade-to 1.36
has "without --kubernetes-version: the first release that reads it" "$out" \
    "from 1.22 to 1.36: 1 error, "
is "a changed formula has the line of its plugin" \
    "$(changed "without it")" "v1beta2.yaml:8:9: note: from 1.36 on \
NodeResourcesBalancedAllocation: compares the node with the pod and without it"
has "default weights" "$out" "TaintToleration: the default weight is 3, not 1"
has "default plugins" "$out" "DynamicResources is enabled by default"
has "and those that are gone" "$out" "EBSLimits is no default plugin any more"
has "gates" "$out" "the gate DRAExtendedResource is on by default"

cat >v1.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
END
ctl check --config v1.yaml --kubernetes-version 1.36 --upgrade-to 1.36
is "no upgrade changes nothing" "$code:$out" "0:v1.yaml: ok
v1.yaml: from 1.36 to 1.36: 0 errors, 0 changes"
ctl check --config v1.yaml --kubernetes-version 1.34 --upgrade-to 1.36
has "default arguments" "$out" \
    "from 1.36 on DynamicResources: bindingTimeout is 10m by default"
ctl check --config v1.yaml --kubernetes-version 1.29 --upgrade-to 1.30 \
    --fail-on-warning
is "--fail-on-warning: changes are a negative result" "$code" 1
ctl check --config v1.yaml --kubernetes-version 1.25 --upgrade-to 1.36 \
    --feature-gates NonPreemptingPriority=true
is "a gate that is gone: 1" "$code" 1
has "it is named" "$out" "v1.yaml: error: --feature-gates: kube-scheduler 1.36 \
has no gate NonPreemptingPriority"

ctl check --config v1.yaml --kubernetes-version 1.32 --upgrade-to 1.33 -o json
is "-o json" "$(echo "$out" | jq -c '.files[0]|[.from,.to,.upgrade[0].severity]')" \
    '["1.32","1.33","note"]'

# ---- policies ----

cat >policy.cfg <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [
   {"name": "PodFitsResources"},
   {"name": "MatchInterPodAffinity"}],
 "priorities": [
   {"name": "zones", "weight": 1,
    "argument": {"serviceAntiAffinity": {"label": "zone"}}}]}
END
ctl check policy.cfg --upgrade-to 1.22
is "a policy" "$code" 0
has "from 1.15 on" "$out" "policy.cfg: from 1.15 to 1.22: 0 errors, "
is "a field that counts later has the line of its rule" \
    "$(changed "namespaceSelector counts")" "policy.cfg:4:13: note: from 1.21 \
on InterPodAffinity: namespaceSelector counts"
lacks "formulas of a policy stay" "$out" "standard deviation"
ctl check policy.cfg --upgrade-to 1.36
has "kube-scheduler reads none" "$out" \
    "kube-scheduler reads no policy from 1.23 on"
has "and has no plugin for a rule" "$out" \
    "policy.cfg:6:13: note: for kube-scheduler 1.36: "
ctl check --strict-policy policy.cfg --upgrade-to 1.22
has "under --strict-policy no field of later releases counts" "$out" \
    "from 1.15 to 1.22: 0 errors, 0 changes"

ctl check policy.cfg --upgrade-to 1.12
is "a release that is none: 2" "$code" 2
has "says which" "$err" "a release from 1.16 to 1.36"

finish
