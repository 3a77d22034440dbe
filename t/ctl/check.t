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
has "strict: with its place" "$out" "openshift-sample-4.cfg:7:21: error: \
predicate \"RequireRegion\" must have exactly one argument"
lacks "and no words of kube-scheduler" "$out" "ends with"

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
has "strictly: the sentence" "$out" 'unknown predicate "PodFitsHost"'

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
# ---- what has one remedy ----

# means FILE: where it puts the pods of the example
means() {
	"$BUILDDIR/predicatectl" simulate --cluster "$examples/cluster.yaml" \
	    --policy "$1" -o json 2>/dev/null | jq -cS 'del(.seconds,
	    .decisions_per_second)'
}
cat >mend.cfg <<'END'
{
  "kind": "Policy",
  "predicates": [
    {"name": "PodFitsHost"},
    {"name": "GeneralPredicates"}, {"name": "MaxCSIVolumeCount"},
    {"name": "Region", "argument": {"serviceAffinity": {"labels": ["region, zone"]}}},
    {"name": "Rack", "argument": {"labelPreference": {"label": "rack", "presence": true}}}
  ],
  "priorities": [
    {"name": "LeastRequestedPriority", "weight": 1},
    {"name": "Spread", "weight": 1, "argument": {"serviceAntiAffinity": {"labels": ["zone"]}}},
    {"name": "LeastRequestedPriority", "weight": 3}
  ]
}
END
cp mend.cfg before
ctl check --fix mend.cfg
printf '%s\n' "$out" >mended.cfg
is "--fix prints the file with what has one remedy" "$code:$out" '0:{ "apiVersion": "v1",
  "kind": "Policy",
  "predicates": [
    {"name": "GeneralPredicates"}, {"name": "MaxCSIVolumeCountPred"},
    {"name": "Region", "argument": {"serviceAffinity": {"labels": ["region", "zone"]}}},
    {"name": "Rack", "argument": {"labelsPresence": {"labels": ["rack"], "presence": true}}}
  ],
  "priorities": [
    {"name": "Spread", "weight": 1, "argument": {"serviceAntiAffinity": {"label": "zone"}}},
    {"name": "LeastRequestedPriority", "weight": 3}
  ]
}'
has "and says what was mended" "$err" \
    'mend.cfg:6:68: mended: "region, zone" is not a label; read as "region", "zone"'
has "and that the rest is good" "$err" "mend.cfg: ok"
has "at its place in the file as it was" "$err" \
    'mend.cfg:11:84: mended: "labels" is unknown here'
is "the file stays as it was" "$(cat mend.cfg)" "$(cat before)"
is "and means the same" "$(means mend.cfg)" "$(means mended.cfg)"
ctl check mended.cfg
is "of what was mended nothing is left" "$out" "mended.cfg: ok"
ctl check --fix mended.cfg
is "a good file stays as it is" "$out" "$(cat mended.cfg)"

cat >mend.yaml <<'END'
kind: ConfigMap
apiVersion: v1
data:
  policy.cfg: |
    # ours
    kind: Policy
    apiVersion: v1
    predicates:
    - name: VolumeZonePredicate   # keep
    - name: HostName
      # goes with it
    - name: 'GeneralPredicates'
    - argument: {labelPreference: {label: rack}}
      name: Rack
    - name: CheckNodeCondition
    wrong: 1
END
ctl check --fix mend.yaml
is "YAML in a ConfigMap, with its comments" "$out" "kind: ConfigMap
apiVersion: v1
data:
  policy.cfg: |
    # ours
    kind: Policy
    apiVersion: v1
    predicates:
    - name: NoVolumeZoneConflict   # keep
    - name: 'GeneralPredicates'
    - argument: {labelsPresence: {labels: [\"rack\"]}}
      name: Rack
    - name: CheckNodeCondition
    wrong: 1"
has "what may be meant otherwise is left alone" "$err" "mend.yaml: ok, 2 warnings"

# Texts that are not as they look: nothing is mended, or rightly.
printf '%s' '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"PodFits\u0048ost"}]}' >escaped
ctl check --fix escaped
is "an escaped name" "$out" '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"HostName"}]}'
printf '%s\n' 'kind: Policy' 'apiVersion: v1' 'predicates:' '- name: Region' \
    '  argument:' '    serviceAffinity:' '      labels:' '      - region, zone' >block
ctl check --fix block
is "a list that is not in brackets stays" "$out" "$(cat block)"
has "with its warning" "$err" "block: ok, 1 warning"
printf '%s\n' 'Predicates: [{Name: PodFitsHost}]' >go
ctl check --fix go
is "Go's names are none with an apiVersion" "$(printf '%s' "$out" |
    grep -c apiVersion)" 0

cat >typo.yaml <<'END'
kind: Policy
apiVersion: v1
predicates: [{name: PodFitsResource}, {name: PodFitsWhatever}]
priorities: [{name: EqualPriority, weight: 1, wieght: 2}]
END
ctl check --fix typo.yaml
has "a misspelt name in a refused file" "$out" "{name: PodFitsResources}, {name: PodFitsWhatever}"
has "but no field that was ignored" "$out" "wieght: 2"
is "what is left refused: 1" "$code" 1
printf '%s\n' 'apiVersion: kubescheduler.config.k8s.io/v1' \
    'kind: KubeSchedulerConfiguration' 'profiles:' '- schedulerNam: mine' >config.yaml
ctl check --fix --config config.yaml
is "a configuration's field" "$out" "$(sed 's/schedulerNam:/schedulerName:/' config.yaml)"

ctl check --fix mend.cfg --write new.cfg
is "--write: a new file" "$code:$(cat new.cfg)" "0:$(cat mended.cfg)"
has "and what was mended on standard output" "$out" "mend.cfg:4:14: mended:"
ctl check --fix mend.cfg --write block
is "an existing one is not overwritten" "$code:$(tail -n 1 block)" \
    "3:      - region, zone"
ctl check --fix mend.cfg --write mend.cfg -o json
is "but the same, if it is named" "$code:$(cat mend.cfg)" "0:$(cat mended.cfg)"
is "as JSON" "$(printf '%s' "$out" | jq -c '.files[0] | [.warnings,
    (.mended | length), .mended[0].line]')" '[0,9,1]'
printf 'kind: Policy\000' >nul
ctl check --fix nul --write nul
is "what cannot be read stays whole" "$(wc -c <nul | tr -d ' ')" 13
ctl check --fix mend.cfg block
is "--fix of two files: 2" "$code" 2
ctl check --fix mend.cfg -o json
is "JSON and the file at once: 2" "$code" 2
ctl check mend.cfg --write x
is "--write without --fix: 2" "$code" 2

# ---- what a refused file has, too ----

cat >refused.cfg <<'END'
{
  "kind": "Policy", "apiVersion": "v1",
  "predicates": [{"name": "PodFitsResources"}, {"name": "PodFitsPort"},],
  "priorities": [
    {"name": "LeastRequestedPriority", "weight": "1" , },
    {"name": "BalancedResourceAllocation", "wieght": 2},
    {"name": "NodeAffinity", "weight": 1},
    {"name": "tainttolerationpriority", "weight": -1}
  ],
  "alwaysCheckAllPredicates": "true",
}
END
ctl check refused.cfg
is "commas before brackets, and what is behind them" "$(printf '%s\n' "$out" |
    sed -n 's/^refused.cfg:\([0-9]*\):.* error: .*/\1/p' | xargs)" \
    "3 3 5 5 6 7 8 8 10 11"
ctl check --strict-policy refused.cfg
lacks "strict: what is not 1.15's sentence is not said to be" "$out" "ends with"
ctl check --fix refused.cfg
is "--fix: commas, quotes and names" "$out" '{
  "kind": "Policy", "apiVersion": "v1",
  "predicates": [{"name": "PodFitsResources"}, {"name": "PodFitsPorts"}],
  "priorities": [
    {"name": "LeastRequestedPriority", "weight": 1  },
    {"name": "BalancedResourceAllocation", "weight": 2},
    {"name": "NodeAffinityPriority", "weight": 1},
    {"name": "TaintTolerationPriority", "weight": -1}
  ],
  "alwaysCheckAllPredicates": true
}'
has "what is left" "$err" "refused: 1 error, 0 warnings"
printf '%s\n' '{"kind":"Policy","apiVersion":"v1",' \
    '"predicate":[{"name":"HostName"}]}' >field.cfg
ctl check --fix field.cfg
has "an accepted file means the same: its fields stay" "$out" '"predicate":['
cat >quoted.yaml <<'END'
apiVersion: v1
kind: Policy
priorities:
- {name: EqualPriority, weight: "3"}
- name: LeastRequestedPriority
  weight: '1' # ours
END
ctl check --fix quoted.yaml
is "quotes in YAML" "$code:$out" "0:$(tr -d "\"'" <quoted.yaml)"
printf '%s\n' '{"apiVersion":"kubescheduler.config.k8s.io/v1",' \
    '"kind":"KubeSchedulerConfiguration","parallelism":"8",' \
    '"profiles":[{"schedulerNam":"mine"},],}' >comma.json
ctl check --fix --config comma.json
is "a configuration" "$code:$out" "0:$(sed 's/"8"/8/; s/Nam"/Name"/
    s/,\([]}]\)/\1/g' comma.json)"
cat >comma.map <<'END'
apiVersion: v1
kind: ConfigMap
data:
  policy.cfg: |
    {"kind": "Policy", "apiVersion": "v1",
     "predicates": [{"name": "HostName"},
     ]}
END
ctl check --fix comma.map
is "a ConfigMap" "$code:$out" "0:$(sed 's/"},$/"}/' comma.map)"
has "at its place there" "$err" "comma.map:7:6: mended: a ','"

# ---- the other group of Policy, from 1.18 to 1.22 ----

printf '%s\n' 'apiVersion: kubescheduler.config.k8s.io/v1' 'kind: Policy' \
    'predicates: [{name: HostName}]' >group.cfg
ctl check group.cfg
is "it is read" "$code" 0
has "with a warning" "$out" 'group.cfg:1:13: warning: apiVersion "kubescheduler.'
has "that says how" "$out" 'config.k8s.io/v1": read as "v1"'
ctl check --fix group.cfg
is "--fix: the one that all releases read" "$(printf '%s\n' "$out" | head -n 1)" \
    "apiVersion: v1"
ctl check --strict-policy group.cfg
is "strict: it is refused" "$code" 1
has "strict: why" "$out" 'apiVersion must be "v1"'
lacks "strict: 1.15 has another sentence" "$out" "ends with"
ctl simulate --cluster "$examples/cluster.yaml" --policy group.cfg
lacks "and decides" "$err" refused

# ---- files of the scheduler's machine ----

tls='{certFile: /nonexistent/client.crt, keyFile: /nonexistent/client.key}'
printf '%s\n' 'apiVersion: v1' 'kind: Policy' 'extenders:' \
    '- {urlPrefix: "https://x", filterVerb: f, enableHttps: true,' \
    "   tlsConfig: $tls}" >tls.cfg
printf '%s\n' 'apiVersion: kubescheduler.config.k8s.io/v1' \
    'kind: KubeSchedulerConfiguration' 'extenders:' \
    '- {urlPrefix: "https://x", filterVerb: f, enableHTTPS: true,' \
    "   tlsConfig: $tls}" >tls.yaml
none='extender "https://x": open /nonexistent/client.crt: no such file or directory'
for strict in "" --strict-policy; do
	ctl check tls.cfg $strict
	is "key files are elsewhere: check $strict" "$code" 0
	has "a warning: check $strict" "$out" "tls.cfg:5:15: warning: $none"
done
ctl check --config tls.yaml
is "key files are elsewhere: check --config" "$code" 0
for rules in "--policy tls.cfg" "--config tls.yaml"; do
	for command in "simulate" "audit" "drain east-a-2" \
	    "capacity --like shop/web-5f6c8-1"; do
		ctl $command --cluster "$examples/cluster.yaml" $rules
		lacks "$command $rules" "$err" "refused"
		has "$command $rules: a warning" "$err" "warning: $none"
	done
done
ctl convert tls.cfg --kubernetes-version 1.22
has "convert" "$out" "/nonexistent/client.crt"
sed 's/certFile.*key}/insecure: true, caFile: x}/' tls.cfg >wrong.cfg
ctl check wrong.cfg
is "what is wrong wherever the files are" "$code" 1
finish
