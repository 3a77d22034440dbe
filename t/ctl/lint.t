#!/bin/sh
# predicatectl check --cluster: what a good policy means on a cluster.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$data" || exit 99
gates=--feature-gates=EvenPodsSpread=true,ResourceLimitsPriorityFunction=true

# Everything there is to say, to the letter.
for name in lint lint-bare; do
	ctl check --cluster $name-cluster.yaml $name-policy.yaml $gates
	is "$name: warnings do not fail" "$code" 0
	is "$name: every warning" "$out" "$(cat $name.problems)"
done
ctl check --cluster lint-good-cluster.yaml lint-good-policy.yaml $gates
is "nothing to say" "$code:$out" "0:lint-good-policy.yaml: ok"
ctl check lint-policy.yaml $gates
has "without a cluster as ever" "$code:$out" "lint-policy.yaml: ok, 1 warning"

# The example: a Service without pods, and two priorities that the default set
# has for clusters with more to them.
ctl check --cluster "$examples/cluster.yaml" "$examples/policy.cfg"
is "the example: three warnings" "$(echo "$out" | sed 's/.*: //;$!d')" \
    "ok, 3 warnings"
has "the example: the service" "$out" "service monitoring/prometheus selects"
has "the example: no annotation" "$out" '"NodePreferAvoidPodsPriority" changes'
has "the example: no preference" "$out" '"NodeAffinityPriority" changes'

# lacks or has a warning about the good pair after one thing is changed
changed() { # SED-SCRIPT: of the policy
	sed "$1" lint-good-policy.yaml >"$tmp/policy"
	ctl check --cluster lint-good-cluster.yaml "$tmp/policy" $gates
}
changed 's/weight: 120/weight: 121/'
has "weight: one more than all others together times ten" "$out" \
    ' scores equally; lower its weight'
has "weight: the entry's place" "$out" "$tmp/policy:19:10: warning: "
changed 's/weight: 120/weight: 10000/;
    s/LeastRequestedPriority, weight: 1}/LeastRequestedPriority, weight: 9999}/'
lacks "weight: two that rival decide together" "$out" "scores equally"
changed 's/weight: 120/weight: 125/; s/filterVerb: filter/&\
  prioritizeVerb: score\
  weight: 1/'
lacks "weight: an extender's scores count" "$out" "scores equally"
changed 's/GeneralPredicates\|MatchNodeSelector/HostName/'
has "one of the kubelet's rules is missing" "$out" \
    "no predicate looks at node selectors and node affinity, but the kubelet"
changed '/CheckVolumeBinding/d'
has "no CheckVolumeBinding" "$out" "1 StorageClass (local) binds"

# From 1.17 on the newer zone labels count as the older do, but not strictly.
release() { # ARGUMENT...
	ctl check --cluster lint-bare-cluster.yaml lint-bare-policy.yaml \
	    $gates "$@"
}
release
has "zones: the older label" "$out" "give nodes the older label, too"
release --kubernetes-version 1.36
lacks "zones: either label" "$out" "zone label"
lacks "zones: no node is without" "$out" "spreads pods over zones"
release --kubernetes-version 1.36 --strict-policy
has "zones: the older label, strictly" "$out" "give nodes the older label, too"
ctl check --cluster lint-cluster.yaml lint-policy.yaml $gates \
    --kubernetes-version 1.36
lacks "zones: the newer label will do" "$out" "spreads pods over zones"
has "spread: a label that no node has" "$out" \
    '"kubernetes.io/host", which no node has: they fit on no node'
has "affinity: the first of a group needs the label, too" "$out" \
    '2 pods (shop/web-1, ...): the required pod affinity uses the label "zone", which no node has: they fit on no node'

# Default sets are made for every cluster.
printf 'kind: Policy\napiVersion: v1\n' >"$tmp/defaults"
ctl check --cluster lint-good-cluster.yaml "$tmp/defaults"
is "defaults: nothing to say" "$out" "$tmp/defaults: ok"
ctl check --cluster lint-cluster.yaml "$tmp/defaults"
lacks "defaults: priorities that change nothing are all right" "$out" \
    "changes nothing"

# What is not there cannot be judged.
pods='{"kind":"Pod","metadata":{"name":"p"},"spec":{}}'
echo "$pods" >"$tmp/pods"
ctl check --cluster "$tmp/pods" lint-policy.yaml $gates
is "no nodes: kubectl failed" "$code:$out" 3:
has "no nodes: says so" "$err" "no Node in the input"
node() { # NAME LABELS
	printf '{"kind":"Node","metadata":{"name":"%s","labels":{%s}}}\n' \
	    "$1" "$2"
}
{ node a ''; node b ''; } >"$tmp/nodes"
printf '%s\n' 'kind: Policy' 'apiVersion: v1' 'priorities:' \
    '- {name: SelectorSpreadPriority, weight: 1}' \
    '- {name: InterPodAffinityPriority, weight: 1}' \
    '- {name: NodeAffinityPriority, weight: 1}' >"$tmp/policy"
ctl check --cluster "$tmp/nodes" "$tmp/policy"
is "no pods: nothing about what they ask for" "$out" "$tmp/policy: ok"
node a '' >"$tmp/nodes"
echo "$pods" >>"$tmp/nodes"
ctl check --cluster "$tmp/nodes" "$tmp/policy"
is "one node: priorities have nothing to choose" "$out" "$tmp/policy: ok"

# The label that was meant.
meant() { # NAME LABELS-OF-A LABELS-OF-B ASKED WANT
	{ node a "$2"; node b "$3"; } >"$tmp/nodes"
	printf '{"kind":"Policy","apiVersion":"v1","predicates":[%s,
	    {"name":"Mine","argument":{"labelsPresence":
	    {"labels":["%s"],"presence":true}}}],"priorities":[]}' \
	    '{"name":"GeneralPredicates"}' "$4" >"$tmp/policy"
	ctl check --cluster "$tmp/nodes" "$tmp/policy"
	has "did you mean: $1" "$out" "no pod fits anywhere; $5"
}
zone='"topology.kubernetes.io/zone":"x"'
old='"failure-domain.beta.kubernetes.io/zone":"x"'
meant "a prefix was left out" "$zone" "$zone" zone \
    'did you mean "topology.kubernetes.io/zone"?'
meant "another prefix" "$zone" "$zone" failure-domain.beta.kubernetes.io/zone \
    'did you mean "topology.kubernetes.io/zone"?'
meant "what most nodes have" "$zone,$old" "$old" zone \
    'did you mean "failure-domain.beta.kubernetes.io/zone"?'
meant "the newer one of equals" "$zone,$old" "$zone,$old" zone \
    'did you mean "topology.kubernetes.io/zone"?'
meant "a slip" '"rack":"1"' '"rack":"2"' racks 'did you mean "rack"?'
meant "no idea" '"rack":"1"' '"rack":"2"' building \
    'correct it or label the nodes'

# Services: ten by name, then a count.
{
	node a ''
	echo "$pods"
	for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
		printf '{"kind":"Service","metadata":{"name":"s%s"},
		    "spec":{"selector":{"app":"none"}}}\n' $i
	done
} >"$tmp/many"
ctl check --cluster "$tmp/many" "$tmp/defaults"
has "the tenth service" "$out" "service default/s10 selects none of the 1 pod "
lacks "not the eleventh" "$out" "default/s11"
has "how many more" "$out" ": warning: 2 more services select no pod"
printf 'kind: Policy\napiVersion: v1\npriorities: []\n' >"$tmp/none"
ctl check --cluster "$tmp/many" "$tmp/none"
is "no rule goes by services" "$out" "$tmp/none: ok"

# Positions are those of the file, also in a ConfigMap.
sed 's/^/    /' lint-policy.yaml >"$tmp/inner"
{
	printf 'kind: ConfigMap\napiVersion: v1\ndata:\n  policy.cfg: |\n'
	cat "$tmp/inner"
} >"$tmp/configmap"
ctl check --cluster lint-cluster.yaml "$tmp/configmap" $gates
has "ConfigMap: predicates" "$out" "configmap:10:13: warning: predicate \"InZ"
has "ConfigMap: priorities" "$out" "configmap:23:14: warning: priority \"Equ"
has "ConfigMap: extenders" "$out" "configmap:52:7: warning: extender "

# ---- profiles ----

# configuration VERSION: a configuration with these profiles, in $tmp/config
configuration() {
	{
		printf 'apiVersion: kubescheduler.config.k8s.io/%s\n' "$1"
		printf 'kind: KubeSchedulerConfiguration\nprofiles:\n'
		cat
	} >"$tmp/config"
}

check_config() {
	ctl check --cluster "$examples/cluster.yaml" --config "$tmp/config" "$@"
}


configuration v1 <<'END'
- schedulerName: default-scheduler
  plugins:
    filter:
      disabled:
      - name: NodePorts
    preFilter:
      disabled:
      - name: InterPodAffinity
    preScore:
      disabled:
      - name: TaintToleration
- schedulerName: other
  plugins:
    filter:
      disabled: [{name: VolumeBinding}]
    score:
      enabled:
      - name: NodeResourcesFit
        weight: 99999
      - name: ImageLocality
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: MostAllocated
        resources:
        - {name: cpu, weight: 1}
        - {name: example.com/none, weight: 1}
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions: [{key: gone, operator: Exists}]
END
check_config
is "profiles: warnings do not fail" "$code" 0
has "profiles: the kubelet's rules, by plugin" "$out" \
    'profile "default-scheduler": no plugin looks at host ports, but the kubelet does'
has "profiles: what to enable" "$out" "enable NodePorts at filter"
has "profiles: a filter without its preFilter" "$out" \
    'profile "default-scheduler": plugin "InterPodAffinity" filters without its preFilter, and fails for every node'
has "profiles: a score without its preScore" "$out" \
    'profile "default-scheduler": plugin "TaintToleration" scores without its preScore or preFilter'
has "profiles: affinity that no node has" "$out" \
    'profile "other": no node matches what addedAffinity of plugin "NodeAffinity" requires'
has "profiles: a resource that no node offers, with its place" "$out" \
    'config:21:9: warning: plugin "NodeResourcesFit" scores by the resource "example.com/none", which no node offers'
lacks "profiles: but not one that all offer" "$out" 'the resource "cpu"'
has "profiles: no pod" "$out" 'no pod of the cluster given has schedulerName "other"'
lacks "profiles: another has some" "$out" 'schedulerName "default-scheduler"'
has "profiles: a weight that dominates" "$out" \
    'that "NodeResourcesFit" (weight 99999) scores equally'
is "profiles: a warning about all profiles stands once" \
    "$(printf '%s\n' "$out" | grep -c 'monitoring/prometheus')" 0
check_config --fail-on-warning
is "profiles: unless that is asked for" "$code" 1
check_config --all
has "profiles: a plugin that can matter" "$out" \
    'profile "default-scheduler": plugin "NodeAffinity" can matter here'
has "profiles: one that cannot, by all its rules" "$out" \
    'plugin "VolumeRestrictions" cannot matter here: no pod names a disk of these kinds; no pod has a claim'
has "profiles: one that is half disabled" "$out" \
    'plugin "NodePorts" cannot matter here: it is enabled neither at filter nor at score'
has "profiles: by the place that enables it" "$out" \
    'config:23:9: note: plugin "ImageLocality" can matter here'
has "profiles: gates" "$out" 'plugin "SchedulingGates" can matter here'
has "profiles: preemption" "$out" 'plugin "DefaultPreemption" can matter here'
has "profiles: devices" "$out" \
    'plugin "DynamicResources" cannot matter here: no pod has a device claim'
is "profiles: each once" "$(printf '%s\n' "$out" |
    grep -c 'profile "other": plugin "VolumeZone"')" 1
check_config -o json
has "profiles: for programs, too" "$out" \
    '"message":"profile \"other\": plugin \"NodeName\" can matter here"'

# What arguments add matters to pods that ask for nothing.
configuration v1 <<'END'
- schedulerName: default-scheduler
  pluginConfig:
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
END
printf 'kind: Pod\napiVersion: v1\nmetadata: {name: p, namespace: d}\n' \
    >"$tmp/pod"
few() {
	ctl check --cluster lint-bare-cluster.yaml --cluster "$tmp/pod" \
	    --config "$tmp/config" --all
}
few
has "default constraints" "$out" 'plugin "PodTopologySpread" can matter'
lacks "one profile needs no name" "$out" 'profile "'
configuration v1beta1 <<'END'
- schedulerName: default-scheduler
  plugins:
    filter: {enabled: [{name: NodeLabel}, {name: ServiceAffinity}]}
    preFilter: {enabled: [{name: ServiceAffinity}]}
END
few
has "1.20: labels without any" "$out" \
    'plugin "NodeLabel" cannot matter here: its arguments name no labels'
has "1.20: services, too" "$out" \
    'plugin "ServiceAffinity" cannot matter here: its arguments name no labels'
configuration v1 </dev/null
echo '- schedulerName: [' >>"$tmp/config"
check_config
is "what is refused is not compared" "$code" 1
lacks "nothing is said about it" "$out" "warning: "

# Exit codes.
ctl check --cluster "$tmp/nowhere" lint-policy.yaml
is "a cluster that cannot be read: 3" "$code" 3
has "says why" "$err" "nowhere: No such file or directory"
printf '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"X"}]}' \
    >"$tmp/bad"
ctl check --cluster lint-cluster.yaml "$tmp/bad" lint-good-policy.yaml $gates
is "a refused policy among good ones: 1" "$code" 1
lacks "nothing is said about what is refused" "$out" "bad: warning"
ctl check --cluster - - </dev/null
is "standard input twice: 2" "$code" 2
finish
