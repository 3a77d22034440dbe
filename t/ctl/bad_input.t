#!/bin/sh
# Broken input: a sentence with file and position and exit code 3, or what
# kube-scheduler itself makes of it; never a crash, never silence.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

# broken NAME FILE PART…: explain on FILE ends with 3 and says each PART
broken() {
	name=$1 file=$2
	shift 2
	ctl explain --cluster "$file"
	is "$name: 3" "$code" 3
	is "$name: no answer" "$out" ""
	for part; do
		has "$name: says where and why" "$err" "$part"
	done
}

repeat() {
	awk -v text="$1" -v n="$2" 'BEGIN { while (n-- > 0) printf "%s", text }'
}

printf '{"kind":"Node","metadata":{"name":"n1"' >truncated
broken "a truncated file" truncated "truncated:1:"

printf '\177ELF\002\001\001\000\000\000' >binary
broken "a binary file" binary "binary:1:"

truncate -s 1G sparse
broken "a gigabyte of nothing" sparse "sparse"
ctl check sparse
is "the same as a policy: 3" "$code" 3

repeat '[' 10000 >deep.json
broken "10,000 levels of JSON" deep.json "deep.json:1:101: nested more than"
{ printf 'kind: Pod\nspec: '; repeat '[' 10000; repeat ']' 10000; } >deep.yaml
broken "10,000 levels of YAML" deep.yaml "deep.yaml:2:1" "nested more than"

{
	echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
	before=a
	for next in b c d e f g h i j; do
		echo "$next: &$next [$(repeat "*$before, " 9)*$before]"
		before=$next
	done
} >bomb.yaml
broken "a bomb of aliases" bomb.yaml "bomb.yaml:" "aliases"
for file in truncated binary deep.json deep.yaml bomb.yaml; do
	ctl check "$file"
	is "$file as a policy is refused" "$code" 1
	has "$file as a policy: says where" "$out" "$file:"
	ctl explain --policy "$file" --cluster "$examples/cluster.yaml" -o json
	is "$file as a policy: explain says 1" "$code" 1
	has "$file as a policy: explain -o json" "$out" '{"error":"'
done

broken "a file that is not there" nowhere "nowhere: No such file"
broken "a folder" "$tmp" "$tmp"

echo 'just words' >words
broken "no object" words "words:1:1: an API object must be an object"

printf '%s\n%s\n' "$one_node" "$one_node" >twice
broken "a duplicate node" twice \
    'twice:3:1: node "n1" appears twice; first at twice:1:1'
printf '%s\n' "$one_node" >first
printf '\n%s\n' "$one_node" >second
ctl simulate --cluster first --cluster second
is "in two files: 3" "$code" 3
has "in two files: names both" "$err" \
    'second:2:1: node "n1" appears twice; first at first:1:1'
{ pod_with '{}'; pod_with '{}' | sed 1,2d; } >pods
broken "a duplicate pod" pods 'pod "d/p" appears twice; first at pods:3:1'
{
	echo '{"kind":"Pod","metadata":{"name":"a","uid":"1"}}'
	echo '{"kind":"Pod","metadata":{"name":"b","uid":"1"}}'
} >uids
broken "two pods of one uid" uids 'uids:2:1: pod "default/b" has the uid "1"'

pod_with '{"containers":[{"resources":{"requests":{"cpu":"12potatoes"}}}]}' \
    >absurd
broken "an absurd quantity" absurd \
    "absurd:3:" "spec.containers[0].resources.requests.cpu"
pod_with '{"nodeName":7}' >kind
broken "a number for a name" kind "spec.nodeName must be a string"

# What kube-scheduler makes an answer of is answered.
pod_with '{"containers":[{"resources":{"requests":{"cpu":"-1"}}}]}' >negative
ctl explain --cluster negative -o json
is "a negative request fits" "$code" 0
pod_with '{}' >empty-pod
ctl explain --cluster empty-pod -o json
is "a pod without containers fits" "$code" 0
pod_with '{"containers":[],"affinity":{"nodeAffinity":
{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":
[{"matchExpressions":[{"key":"a","operator":"Near","values":["b"]}]}]}}}}' \
    >operator
ctl explain --cluster operator -o json
is "a bad operator matches no node" "$code" 1
has "a bad operator: the reason" "$out" "node(s) didn't match node selector"

{
	echo '{"kind":"List","items":['
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c$i\"}},"
	done
	echo '{"kind":"Secret"},{"kind":"Secret"},'
	pod_with '{}' | sed '2s/$/,/'
	echo ']}'
} >kinds
ctl explain --cluster kinds -o json
is "unknown kinds do no harm" "$code" 0
has "unknown kinds are counted" "$err" "predicatectl: skipped 12 objects of \
kinds that scheduling does not use: 10 ConfigMap, 2 Secret"
{
	echo '{"kind":"List","items":['
	awk 'BEGIN { for (i = 0; i < 100000; i++) print "{\"kind\":\"K" i "\"},"; }'
	pod_with '{}' | sed '2s/$/,/'
	echo ']}'
} >kinds
ctl explain --cluster kinds -o json
is "nor do many" "$code" 0
has "many are counted" "$err" "predicatectl: skipped 100000 objects of kinds \
that scheduling does not use: 1 K0, 1 K1, "
has "few are listed" "$err" ", 1 K10040, and others"

# ---- an object that cannot be decoded is left out, and nothing else ----

cat >one-bad <<'END'
{"kind":"List","items":[
{"kind":"Node","metadata":{"name":"n1"},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}},
{"kind":"Node","metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"x"}}},
{"kind":"Pod","metadata":{"name":"on","namespace":"d"},
 "spec":{"nodeName":"n1","tolerations":7,
 "containers":[{"resources":{"requests":{"cpu":"3"}}}]}},
{"kind":"Pod","metadata":{"name":"big","namespace":"d"},
 "spec":{"containers":[{"resources":{"requests":{"cpu":"2"}}}]}},
{"kind":"Pod","metadata":{"name":"waits","namespace":"d"},"spec":{"x":[1 2]}},
{"kind":"Pod","spec":8},
{"kind":"Service","metadata":{"name":"s"},"spec":8},
{"kind":"Pod","metadata":{"name":"ok","namespace":"d"},"spec":{}}]}
END
ctl simulate --cluster one-bad -o json
is "one bad object: pods are left pending" "$code" 1
is "one bad object: the others are placed" \
    "$(echo "$out" | jq -c '.placed, [.pending[].pod]')" \
    '[{"pod":"d/ok","node":"n1"}]
["d/big"]'
has "a pod on a node counts" "$out" "1 Insufficient cpu"
has "a pod on a node counts: says so" "$err" "warning: one-bad:6:40: \
spec.tolerations must be an array, not a number; Pod d/on is left out: \
its requests, ports and labels count on node n1"
has "a pod that waits, which is no JSON" "$err" "warning: one-bad:10:74: \
array value separator ',' expected; Pod d/waits is left out: \
it is not scheduled"
has "a node" "$err" "Node n2 is left out: it is ignored"
has "a service" "$err" "one-bad:12:50: spec must be an object, not a number; \
Service default/s is left out: it is ignored"
has "one without a name" "$err" "warning: one-bad:11:1: metadata is missing; \
ignoring an object without a name"
ctl explain --cluster one-bad --pod d/ok -o json
is "another pod is explained" "$code" 0
for pod in on waits; do
	ctl explain --cluster one-bad --pod "d/$pod"
	is "pod $pod is not: 3" "$code" 3
	has "pod $pod is not" "$err" "cannot explain a pod that cannot be decoded"
done
pod_with '{"nodeName":"n1",
"containers":[{"resources":{"requests":{"cpu":"many"}}}]}' >unknown
echo '{"kind":"Pod","metadata":{"name":"small"},"spec":{"containers":
[{"resources":{"requests":{"cpu":"1m"}}}]}}' >>unknown
ctl explain --cluster unknown -o json
is "nothing fits where what is taken is not known" "$code" 1
has "nothing fits there: why" "$out" "Insufficient cpu"
has "nothing fits there: says so" "$err" \
    "its resource usage is unknown: node n1 counts as full"
pod_with '{"nodeName":"n1","tolerations":7}' | sed 1,2d >>unknown
ctl explain --cluster unknown
is "what is left out may not be there twice, either" "$code" 3
has "twice: where" "$err" 'pod "d/p" appears twice; first at unknown:3:1'
printf 'kind: Pod\nmetadata: {name: p}\nspec: {nodeName: 7}\n---\n%s\n' \
    "$one_node" >yaml
ctl simulate --cluster yaml
is "the same in YAML" "$code" 1
has "the same in YAML: where" "$err" "yaml:3:18: spec.nodeName must be a string"
has "the same in YAML: who" "$err" "Pod default/p is left out: it is not scheduled"

# --pod-file
echo '{"kind":"Service","metadata":{"name":"s"}}' >service
ctl explain --cluster first --pod-file service
is "a pod file without a pod: 3" "$code" 3
has "a pod file without a pod" "$err" "service:1:1: this must be a Pod"
echo '{"metadata":{"name":"p"}} {"metadata":{"name":"q"}}' >two
ctl explain --cluster first --pod-file two
is "a pod file with two: 3" "$code" 3
: >nothing
ctl explain --cluster first --pod-file nothing
is "an empty pod file: 3" "$code" 3
has "an empty pod file" "$err" "nothing: contains no pod"
echo '{"metadata":{"name":"p"}}' >pod

# Objects that make pods.
template='"template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[
{"resources":{"requests":{"cpu":"9"}}}]}}'
meta='"metadata":{"name":"w","namespace":"shop","uid":"u"}'
for kind in Deployment ReplicaSet ReplicationController StatefulSet DaemonSet \
    Job DeploymentConfig CronJob; do
	spec=$template
	[ $kind != CronJob ] || spec='"jobTemplate":{"spec":{'$template'}}'
	echo "{\"kind\":\"$kind\",$meta,\"spec\":{$spec}}" >maker
	ctl explain --cluster first --pod-file maker -o json
	is "a $kind: its pod does not fit" "$code" 1
	has "a $kind: its name" "$out" '"pod":"shop/w-template"'
	has "a $kind: its requests" "$out" "Insufficient cpu"
	has "a $kind: says so" "$err" \
	    "shop/w-template is a pod of the template of $kind w"
done
cat >daemon <<'END'
kind: DaemonSet
metadata: {name: w}
spec:
  template:
    spec:
      nodSelector: {a: b}
      containers:
      - name: c
        resources: {request: {cpu: 1}}
        livenessProbe: {httpGet: {path: /, port: 80}, frobnicate: 1}
END
echo '{"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,
"taints":[{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}]},
"status":{"allocatable":{"pods":"9"}}}' >cordoned
ctl explain --cluster cordoned --pod-file daemon -o json
is "a DaemonSet tolerates what its controller says" "$code" 0
has "unknown fields: of the spec" "$err" "warning: daemon:6:20: \
spec.nodSelector: unknown field, ignored; did you mean \"nodeSelector\"?"
has "unknown fields: in containers" "$err" \
    "spec.containers[0].resources.request: unknown field, ignored; did you \
mean \"requests\"?"
has "unknown fields: no suggestion" "$err" \
    "spec.containers[0].livenessProbe.frobnicate: unknown field, ignored"
is "unknown fields: no other" "$(echo "$err" | grep -c "unknown field")" 3
# matchLabelKeys are merged as the API server does it, when the pod is made.
cat >pair <<'END'
--- {kind: Node, metadata: {name: n1, labels: {zone: z}}, status: {allocatable: {pods: 9}}}
--- {kind: Pod, metadata: {name: web, labels: {app: web, rev: "1"}}, spec: {nodeName: n1}}
END
# keyed LABELS KIND KEYS: whether a pod whose terms have the keys fits beside web.
keyed() {
	term="{labelSelector: {matchLabels: {app: web}}, topologyKey: zone, $3}"
	printf -- '--- %s\n' "{metadata: {name: p, labels: {$1}}, spec: {affinity: {$2:
	    {requiredDuringSchedulingIgnoredDuringExecution: [$term]}}}}" >keyed
	ctl explain --cluster pair --pod-file keyed --kubernetes-version 1.36 -o json
	echo "$code"
}
is "keys: the same value" "$(keyed 'rev: "1"' podAffinity 'matchLabelKeys: [rev]')" 0
is "keys: another value" "$(keyed 'rev: "2"' podAffinity 'matchLabelKeys: [rev]')" 1
is "keys: none in the pod" "$(keyed 'a: b' podAffinity 'matchLabelKeys: [rev]')" 0
is "keys: a mismatch" \
    "$(keyed 'rev: "1"' podAntiAffinity 'mismatchLabelKeys: [rev]')" 0
is "keys: no mismatch" \
    "$(keyed 'rev: "2"' podAntiAffinity 'mismatchLabelKeys: [rev]')" 1

echo '{"kind":"Job","metadata":{"name":"w"},"spec":{}}' >maker
ctl explain --cluster first --pod-file maker
is "no template: 3" "$code" 3
has "no template" "$err" "maker:1:1: the Job has no pod template"
echo '{"kind":"StatefulSet","metadata":{"name":"w"},"spec":{
"volumeClaimTemplates":[{}],"template":{"spec":{}}}}' >maker
ctl explain --cluster first --pod-file maker
has "claims that a controller would make" "$err" "volumeClaimTemplates are not"
{ cat maker; echo '{"kind":"Pod","metadata":{"name":"p"}}'; } >two-of-them
ctl explain --cluster first --pod-file two-of-them
is "a template and a pod: 3" "$code" 3

# A policy of no bytes
ctl check nothing
is "an empty policy: refused" "$code" 1
has "an empty policy: says so" "$out" "nothing: error: it is empty"
ctl explain --cluster first --policy nothing -o json
is "explain refuses it, too" "$code:$out" '1:{"error":"nothing: it is empty"}'
ctl check --strict-policy nothing
is "an empty policy: as 1.15 reads it" "$code" 0

# Likely mistakes are named: FILE's text | part of the sentence
while IFS='|' read -r text sentence; do
	printf '%b' "$text" >mistake
	ctl check mistake
	has "a mistake: $sentence" "$code $out" "mistake:$sentence"
done <<'END'
{"kind":"Policy",\n}|2:1: error: a ',' before a closing bracket is not JSON
{"priorities":[{"weight":<1>}]}|1:26: error: a placeholder in '<>' is not JSON
kind: Policy\npriorities: [{name: LeastRequestedPriority, weight: <1>}]|2:53: error: priorities[0].weight must be a whole number, not a placeholder
kind: Policy\npriorities:\n- name: LeastRequestedPriority\n  weight: 1,|4:11: error: priorities[0].weight must be a whole number, not a string with ',' at its end
kind: Policy\npriorities: [{},,]|2:17: error: did not find expected node content while parsing a flow node; is a ',' too many
END
ctl replay "$examples/policy.cfg"
is "a policy is no record: 3" "$code" 3
has "a policy is no record" "$err" "policy.cfg:1:1: not a record of decisions"

# A command that failed leaves an empty file or a list of nothing.
printf '{"apiVersion":"v1","kind":"List","items":[]}\n' >no-items
echo '{"kind":"Pod","metadata":{"name":"p"}}' >only-pods
for file in nothing no-items only-pods; do
	for command in explain simulate "check $examples/policy.cfg"; do
		# shellcheck disable=SC2086 # split on purpose
		ctl $command --cluster "$file"
		is "$file: $command: 3" "$code:$out" 3:
		has "$file: $command: says why" "$err" \
		    "$file: no Node in the input; did kubectl fail?"
	done
done

# ---- a dump without a kind that its pods use ----

pod_with '{"priorityClassName":"high","volumes":[
{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}' >no-claims
ctl explain --cluster no-claims
has "no claims at all" "$err" "the dump holds no PersistentVolumeClaims, \
which pending pods use; add pvc to kubectl get"
has "no priority classes at all" "$err" "the dump holds no PriorityClasses"
lacks "volumes are not needed yet" "$err" "PersistentVolumes,"
claim='{"kind":"PersistentVolumeClaim","metadata":{"namespace":"d","name":'
{
	cat no-claims
	echo "$claim"'"c"},"spec":{"volumeName":"v"}}'
	echo "$claim"'"d"},"spec":{"storageClassName":"fast"}}'
} >claims
ctl explain --cluster claims
has "a bound claim needs volumes" "$err" "the dump holds no PersistentVolumes,"
lacks "claims are there" "$err" "no PersistentVolumeClaims"
lacks "the class of a claim that is not used" "$err" "no StorageClasses"
pod_with '{"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"d"}}]}' \
    >unbound
sed -n '$p' claims >>unbound
ctl explain --cluster unbound
has "an unbound claim needs classes" "$err" "the dump holds no StorageClasses,"
ctl explain --cluster first --pod-file no-claims
is "a file of two objects is no pod file" "$code" 3
sed 1,2d no-claims >claiming-pod
ctl explain --cluster first --pod-file claiming-pod
has "the same for --pod-file" "$err" "the dump holds no PersistentVolumeClaims"

ctl explain --cluster first --pod-file pod -o json
is "a pod without a kind is a Pod" "$code" 0
printf '{"metadata":{"name":"a\\u001b[31m\\"b"}}\n' >escape
ctl explain --cluster first --pod-file escape -o json
has "odd names are escaped in JSON" "$out" '"default/a\u001b[31m\"b"'
ctl explain --cluster first --pod-file escape
has "odd names do not reach the terminal" "$out" 'default/a\x1b[31m"b'
# ---- texts that steer a terminal, or turn what is around them ----

# harmless NAME TEXT: no C0 but line feeds, DEL, C1 or control of direction is in it.
harmless() {
	# shellcheck disable=SC2059 # escapes
	raw=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\216\217\250-\256]|\342\201[\246-\251]')
	is "$1: no raw control characters" "$(printf '%s\n' "$2" |
	    LC_ALL=C grep -cE "$raw")" 0
}

policy=$SRCDIR/t/data/hostile/controls.cfg
for command in check convert "explain --cluster one-bad --policy" \
    "explain -o json --cluster one-bad --policy"; do
	# shellcheck disable=SC2086 # to be split
	ctl $command "$policy"
	is "$command of a policy with controls: refused" "$code" 1
	harmless "$command of a policy with controls" "$out$err"
	has "$command: they are shown" "$out$err" '\x1b[31m'
done
err=$("$BUILDDIR/predicated" --check --policy-config-file="$policy" 2>&1)
harmless "the daemon's --check" "$err"
has "the daemon's --check: the place" "$err" "controls.cfg:1:58: error: "
err=$("$BUILDDIR/predicated" --check --config="$policy" 2>&1)
harmless "of a configuration, too" "$err"

# Each has CSI of C0 and of C1, an override and an isolate.
bad='\u001b[31m\u009b31m\u202eevil\u2066'
cat >controls <<END
{"kind":"Node","metadata":{"name":"n1${bad}","labels":{"zone":"a${bad}"}},
 "spec":{"taints":[{"key":"k${bad}","value":"v${bad}","effect":"NoSchedule"}]},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
{"kind":"Node","metadata":{"name":"n2${bad}"},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
{"kind":"Pod","metadata":{"namespace":"d${bad}","name":"p${bad}",
 "labels":{"app":"a${bad}"}},"spec":{"nodeSelector":{"zone":"b${bad}"},
 "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c${bad}"}}]}}
{"kind":"Pod","metadata":{"namespace":"d","name":"q${bad}"},"spec":{}}
{"kind":"Pod","metadata":{"namespace":"d","name":"r${bad}"},
 "spec":{"nodeName":"n2${bad}","containers":[
 {"resources":{"requests":{"cpu":"1"}}}]}}
END
evil=$(printf '\033[31m\302\23331m\342\200\256evil\342\201\246')
# harmless_of COMMAND ARG…
harmless_of() {
	for format in table json yaml; do
		ctl "$@" -o "$format" --cluster controls
		harmless "$1 -o $format" "$out$err"
		has "$1 -o $format: it is shown" "$out$err" evil
	done
}
harmless_of explain --pod "d$evil/p$evil"
harmless_of explain --pod "d/q$evil"
harmless_of simulate
harmless_of drain "n2$evil"
harmless_of capacity --like "d/r$evil"
harmless_of why-not "n1$evil" --pod "d/q$evil"
harmless_of defrag --for "d$evil/p$evil"
ctl explain --cluster controls --pod "d/q$evil" -o name
harmless "names" "$out$err"
ctl explain --cluster controls
harmless "which pod" "$out$err"
has "names are shown" "$out$err" '\x1b[31m\u009b31m\u202eevil\u2066'
ctl explain --cluster controls --pod "d/q$evil" -o json
has "JSON has its own escapes" "$out" '\u001b[31m\u009b31m\u202eevil\u2066'

# ---- a long policy takes memory in proportion ----

{
	printf '{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"Far",'
	printf '"argument":{"labelsPresence":{"labels":["'
	seq -s ', l' -f '%.0f' 100000 | tr -d '\n'
	printf '"],"presence":true}}}]}\n'
} >labels.cfg
limit=1000000
! sanitized || limit=unlimited # they reserve addresses without end
for command in "check" "check --cluster one-bad" "convert"; do
	# shellcheck disable=SC2086 # to be split
	(ulimit -v $limit
	    "$BUILDDIR/predicatectl" $command labels.cfg >out 2>&1)
	code=$?
	is "$command: 100,000 labels: it ends, within the limit" \
	    "$([ "$code" -le 1 ] || head -c 200 out)" ""
done

finish
