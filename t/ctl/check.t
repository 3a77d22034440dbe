#!/bin/sh
# predicatectl check: every problem with its place, and the exit code.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$examples" || exit 99

for good in policy.cfg openshift-default.cfg openshift-default-configmap.yaml
do
	ctl check "$good"
	is "$good" "$code:$out" "0:$good: ok"
done
ctl check --strict-policy openshift-default.cfg
is "the manual's default is good for 1.15, too" "$code" 0

# The manual's samples are read as meant, with a warning where each is odd.
while IFS='|' read -r n position sentence; do
	file=openshift-sample-$n.cfg
	ctl check "$file"
	is "$file is accepted" "$code" 0
	has "$file: warns" "$out" "$file:$position: warning: "
	has "$file: says what it is read as" "$out" "$sentence"
	has "$file: counts" "$out" "$file: ok, 1 warning"
done <<EOF
1|9:26|"region", "zone"
2|9:26|"region", "zone"
3|9:24|"labels": ["city"]
4|8:32|"labelsPresence"
5|26:26|"labels": ["building"]
EOF
ctl check --strict-policy openshift-sample-4.cfg
is "strict: what 1.15 dies of is refused" "$code" 1
has "strict: with its sentence" "$out" \
    "1.15 ends with: Exactly 1 predicate argument is required, numArgs: 0"

cat >"$tmp/bad.cfg" <<EOF
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResource"}],
 "priorities": [{"name": "LeastRequestedPriority", "weight": 0}]}
EOF
ctl check "$tmp/bad.cfg"
is "a bad policy: 1" "$code" 1
has "the misspelled name has a place" "$out" "bad.cfg:2:"
has "did you mean" "$out" "PodFitsResources"
has "the weight has a place" "$out" "bad.cfg:3:"
has "both are counted" "$out" "refused: 2 errors"
ctl check policy.cfg "$tmp/bad.cfg"
is "one bad among good ones: 1" "$code" 1
has "the good one is named, too" "$out" "policy.cfg: ok"
ctl check policy.cfg "$tmp/bad.cfg" "$tmp/none.cfg"
is "one that cannot be read: 3" "$code" 3
has "says why" "$err" "none.cfg: No such file or directory"
ctl check "$tmp"
is "a folder cannot be read" "$code" 3

printf 'kind: Policy\napiVersion: v1\npredicates:\n- name: HostName\n' \
    >"$tmp/yaml"
ctl check "$tmp/yaml"
is "YAML will do" "$code:$out" "0:$tmp/yaml: ok"

# ---- for programs ----

cat >"$tmp/odd" <<'END'
kind: Policy
apiVersion: v1
predicates: [{name: PodFitsHostPort}]
priorities: [{name: EqualPriority, weight: 1, wieght: 2}]
END
cp "$examples/policy.cfg" "$tmp/good"
printf '%s\n' 'kind: Policy' 'apiVersion: v1' 'wrong: 1' >"$tmp/warned"
cd "$tmp" || exit 99
ctl check -o json good odd warned nowhere
is "-o json: the worst of all: 3" "$code" 3
is "-o json: the files" \
    "$(echo "$out" | jq -c '.files[]|[.file,.valid,.errors,.warnings]')" \
    '["good",true,0,0]
["odd",false,1,1]
["warned",true,0,1]
["nowhere",false,0,0]'
is "-o json: a place" \
    "$(echo "$out" | jq -c '.files[1].problems[0]|[.severity,.file,.line]')" \
    '["error","odd",3]'
has "-o json: a sentence" "$(echo "$out" | jq -r '.files[1].problems[1].message')" \
    "did you mean"
has "-o json: why it is refused" "$(echo "$out" | jq -r '.files[1].error')" \
    "PodFitsHostPort"
has "-o json: what cannot be read" "$(echo "$out" | jq -r '.files[3].error')" \
    "nowhere: No such file"

ctl check warned
is "warnings are no failure" "$code" 0
ctl check --fail-on-warning warned
is "--fail-on-warning: 1" "$code" 1
ctl check --fail-on-warning good
is "--fail-on-warning: nothing to warn of" "$code" 0

# ---- the line of an error ----

cat >pasted <<'END'
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [
  {"name": "HostName"}, 1
  {"name": "MatchNodeSelector"}
 ]}
END
ctl check pasted
has "the line and a caret" "$out" "
      {\"name\": \"MatchNodeSelector\"}
      ^
"
has "a callout of a manual" "$out" "the number at the end of line 3"
sed '3s/, 1/,/; 4s/$/ 12/' pasted >pasted-within
ctl check pasted-within
has "a callout in the line itself" "$out" "the number at the end of line 4"
sed '3s/, 1//' pasted >comma
ctl check comma
is "no callout" "$(echo "$out" | grep -c "end of line")" 0
printf 'kind: Policy\npredicates:\n\t- name: HostName\n' >tabbed
ctl check tabbed
has "a tab: in words" "$out" "tabbed:3:1: error: a tab cannot indent YAML; use blanks
     - name: HostName
    ^"
printf 'kind: Policy\nx: a: b\n' >two-colons
ctl check two-colons
has "a colon: what may be meant" "$out" "not in quotes?
    x: a: b
        ^"
printf '{"kind": "Policy", %0200d x' 0 >long
ctl check long
is "a long line is cut" "$(echo "$out" | awk 'NR == 2 && length > 74')" ""
ctl explain --cluster tabbed
has "in a cluster's file, too" "$err" "     - name: HostName
    ^
predicatectl: tabbed:3:1: a tab cannot indent YAML; use blanks"
ctl explain --cluster "$examples/cluster.yaml" --policy odd
has "in the policy to explain with" "$err" "
    predicates: [{name: PodFitsHostPort}]
                        ^"

# ---- names that descriptions use, and weights ----

cat >described <<'END'
kind: Policy
apiVersion: v1
predicates:
- name: PodFitsHost
- name: PodMatchNodeSelector
- name: VolumeZonePredicate
- name: VolumeBindingPredicate
- name: PodAffinityPredicate
priorities:
- {name: BalancedResourceAllocationMap, weight: 1}
- {name: aa, weight: 1, argument: {labelPreference: {label: u, presence: true}}}
- {name: bb, weight: 1, argument: {labelPreference: {label: v, presence: true}}}
- {name: cc, weight: 2, argument: {labelPreference: {label: w, presence: true}}}
END
ctl check described
is "names of descriptions: read" "$code" 0
has "a name: the rule" "$out" "described:4:9: warning: \"PodFitsHost\" is read \
as \"HostName\"; kube-scheduler refuses it"
for name in MatchNodeSelector NoVolumeZoneConflict CheckVolumeBinding \
    MatchInterPodAffinity BalancedResourceAllocation; do
	has "a name: $name" "$out" "is read as \"$name\""
done
has "labelPreferences: different weights" "$out" "described:13:22: warning: \
\"aa\" and \"cc\" are labelPreferences with different weights"
lacks "labelPreferences: equal weights" "$out" '"aa" and "bb"'
ctl check --strict-policy described
is "strictly: refused" "$code" 1
has "strictly: the sentence" "$out" "Predicate type not found for PodFitsHost"

# ---- whether rules can matter ----

cat >rules <<'END'
kind: Policy
apiVersion: v1
predicates:
- name: PodToleratesNodeTaints
- name: PodFitsHostPorts
- name: PodFitsResources
- name: MatchNodeSelector
priorities:
- {name: EqualPriority, weight: 1}
- {name: LeastRequestedPriority, weight: 1}
END
{
	pod_with '{"nodeSelector":{"a":"b"}}'
	echo "$one_node" | sed 's/n1/n2/'
} >plain
ctl check --all --cluster plain rules
is "notes are no failure" "$code" 0
has "no taints" "$out" "rules:4:9: note: predicate \"PodToleratesNodeTaints\" \
cannot matter here: no node has a taint that keeps pods away"
has "no ports" "$out" '"PodFitsHostPorts" cannot matter here: no pod has'
has "resources" "$out" 'predicate "PodFitsResources" can matter here'
has "a node selector" "$out" 'predicate "MatchNodeSelector" can matter here'
has "a constant" "$out" 'priority "EqualPriority" cannot matter here'
has "no constant" "$out" 'priority "LeastRequestedPriority" can matter here'
ctl check --cluster plain rules
lacks "only with --all" "$out" " note: "
ctl check -o json --cluster plain rules
has "in JSON" "$(echo "$out" | jq -c '.files[0].rules[0]')" '"severity":"note"'
echo '{"kind":"Node","metadata":{"name":"n3"},"spec":{"taints":[{"key":"a",
"effect":"NoSchedule"}]}}' >>plain
ctl check --all --cluster plain rules
has "taints" "$out" '"PodToleratesNodeTaints" can matter here'
finish
