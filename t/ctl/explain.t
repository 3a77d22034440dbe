#!/bin/sh
# predicatectl explain: the example files, and what people read.
#
# What is expected of the examples is in t/data/ctl/explain-POLICY-POD.json;
# REGENERATE=1 t/ctl/explain.t writes it again, to be looked at before it is
# committed.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$examples" || exit 99

pods="shop/web-5f6c8-4 shop/forecast"
for policy in openshift-default.cfg openshift-default-configmap.yaml \
    openshift-sample-1.cfg openshift-sample-2.cfg openshift-sample-3.cfg \
    openshift-sample-4.cfg openshift-sample-5.cfg policy.cfg; do
	for pod in $pods; do
		want=$data/explain-${policy%.*}-${pod#*/}.json
		ctl explain --policy "$policy" --cluster cluster.yaml \
		    --pod "$pod" -o json
		[ -z "${REGENERATE-}" ] || printf '%s\n' "$out" >"$want"
		is "$policy: $pod" "$out" "$(cat "$want")"
		case $out in
		*'"best":[]'*) is "$policy: $pod: 1" "$code" 1 ;;
		*) is "$policy: $pod: 0" "$code" 0 ;;
		esac
	done
done

ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/web-5f6c8-4
is "a pod that fits: 0" "$code" 0
has "who" "$out" "Pod:      shop/web-5f6c8-4"
has "by what" "$out" "Policy:   policy.cfg"
has "where" "$out" "Cluster:  12 nodes, 26 pods on them"
has "the result" "$out" "Result:   fits on 6 nodes, best on east-a-2"
has "the reasons of the others" "$out" \
    "  west-c-1  node(s) didn't match service affinity"
is "numbers are aligned on the right" "$(printf '%s\n' "$out" |
    awk '/TOTAL$/ { at = length } /^  [a-z-]+[0-9] .* [0-9]+/ {
	sub(/ +best$/, ""); if (length != at) print }')" ""
is "no blanks at ends of lines" "$(printf '%s\n' "$out" | grep ' $')" ""
lacks "no colours in a pipe" "$out" "$(printf '\033')"
table=$out
out=$(COLUMNS=60 "$BUILDDIR/predicatectl" explain --policy policy.cfg \
    --cluster cluster.yaml --pod shop/web-5f6c8-4)
is "a narrow table" "$(printf '%s\n' "$out" | awk 'length > 70')" ""
has "a narrow table has a legend" "$out" "H = RackSpread"
ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/web-5f6c8-4 \
    --color always
has "colours when asked for" "$out" "$(printf '\033[32m')"
is "that is all they change" "$(printf '%s\n' "$out" |
    sed "s/$(printf '\033')\[[0-9]*m//g")" "$table"

ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/forecast
is "a pod that fits nowhere: 1" "$code" 1
has "its priority comes from its class" "$out" "shop/forecast, priority 1000"
has "the scheduler's sentence" "$out" "0/12 nodes are available: 1 node(s) had \
taints that the pod didn't tolerate, 1 node(s) were unschedulable, 10 \
Insufficient cpu, "
has "nearest misses: the missing amount" "$out" "  2600m cpu short: west-c-1"
has "nearest misses: taints" "$out" \
    "would fit if taint dedicated=gpu:NoSchedule were tolerated: west-c-4"
has "preemption" "$out" "Preemption: evicting 1 pod from west-c-1 would make \
room: batch/report-9c4d2-"

# what else -o may be
ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/forecast \
    -o yaml
has "YAML" "$out" 'pod: "shop/forecast"
nodes:
- name: "east-a-1"
  fits: false
  reasons:
  - "Insufficient cpu"'
ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/web-5f6c8-4 \
    -o name
is "the names of nodes that fit, best first" "$(printf '%s\n' "$out" |
    head -1)" node/east-a-2
is "and nothing else" "$(printf '%s\n' "$out" | wc -l)" 6
ctl explain --policy policy.cfg --cluster cluster.yaml --pod shop/forecast \
    -o name
is "none: 1" "$code:$out" 1:

# a narrow screen and a cloud's names
{
	for i in $(seq 60); do
		zone=$(printf %s abc | cut -c$((i % 3 + 1)))
		printf '{"kind":"Node","metadata":{"name":"ip-10-0-0-%s.eu-west'\
'-1.compute.internal","labels":{"topology.kubernetes.io/zone":"eu-%s",'\
'"pool":"%s"}},"status":{"allocatable":{"cpu":"%s","memory":"8Gi",'\
'"pods":"10"}}}\n' "$i" $zone "$([ "$i" -gt 20 ] && echo old || echo new)" \
		    "$([ "$i" -gt 20 ] && echo 2 || echo 4)"
	done
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"p"},"spec":'
	printf '{"containers":[{"name":"c","resources":{"requests":{"cpu":"%s"' 6
	printf '}}}]}}\n'
} >"$tmp/cloud"
narrow() {
	out=$(COLUMNS=60 "$BUILDDIR/predicatectl" explain \
	    --cluster "$tmp/cloud" "$@" 2>/dev/null)
}
narrow
is "60 columns are kept" "$(printf '%s\n' "$out" | awk 'length > 60')" ""
has "names without their domain" "$out" "names of nodes without \
.eu-west-1.compute.internal"
has "equal misses are one line, by zone and label" "$(printf '%s\n' "$out" |
    tr -s '\n ' '  ')" "4 cpu short: 40 nodes (zone eu-a 14, zone eu-b 13, \
zone eu-c 13; pool=old; such as ip-10-0-0-21, ip-10-0-0-22)"
narrow --all
is "with every row, too" "$(printf '%s\n' "$out" | awk 'length > 60')" ""
narrow -o wide
has "-o wide has names in full" "$out" \
    "ip-10-0-0-21.eu-west-1.compute.internal"
sed 's/"6"/"1"/' "$tmp/cloud" >"$tmp/fits"
out=$(COLUMNS=60 "$BUILDDIR/predicatectl" explain --cluster "$tmp/fits" \
    2>/dev/null)
is "nodes that fit, too" "$(printf '%s\n' "$out" | awk 'length > 60')" ""

# which pod
ctl explain --cluster cluster.yaml
is "several pending pods: which one?" "$code" 2
has "several pending pods: lists them" "$err" "--pod shop/web-5f6c8-4"
ctl explain --cluster cluster.yaml --pod shop/nobody
is "no such pod" "$code" 3
has "no such pod: says so" "$err" 'pod "shop/nobody" is not in the cluster'
has "and which are pending" "$err" "--pod shop/web-5f6c8-4"
# like NAME PODS: what the command says of it.
like() {
	ctl explain --cluster cluster.yaml --pod "$1"
	is "$1: a name like it" "$(echo "$err" | grep 'not in the cluster')" \
	    "predicatectl: pod \"$1\" is not in the cluster; did you mean $2?"
}
like shop/web-5f6c9-4 shop/web-5f6c8-4
like web-5f6c8-4 shop/web-5f6c8-4
like default/web-5f6c8-4 shop/web-5f6c8-4
like shop/cart "shop/cart-7d9b4-1, shop/cart-7d9b4-2, shop/cart-7d9b4-3, shop/cart-7d9b4-4, shop/cart-7d9b4-5"
like shop/cart-6c8f5 "shop/cart-7d9b4-1, shop/cart-7d9b4-2, shop/cart-7d9b4-3, shop/cart-7d9b4-4, shop/cart-7d9b4-5"
ctl explain --cluster cluster.yaml --pod shop/web-5f6c8-1 -o json
is "a pod on a node is taken from it" "$code" 0
has "and that is said" "$err" "shop/web-5f6c8-1 is on node east-a-2"
ctl explain --cluster cluster.yaml --scheduler-name other
is "no pod pends for another scheduler" "$code" 2
pod_with '{}' >"$tmp/one"
ctl explain --cluster "$tmp/one" -o json
has "the only pending pod" "$out" '"pod":"d/p"'
out=$("$BUILDDIR/predicatectl" explain --cluster - -o json <"$tmp/one")
has "a cluster from standard input" "$out" '"best":["n1"]'
pod_with '{"schedulerName":"other"}' >"$tmp/other"
ctl explain --cluster "$tmp/other" --pod d/p -o json
is "a pod that is named need not be ours" "$code" 0

# --pod-file counts as it stands
echo '{"metadata":{"name":"p"},"spec":{"nodeName":"n2"}}' >"$tmp/pod"
ctl explain --cluster "$tmp/one" --pod-file "$tmp/pod" -o json
has "spec.nodeName of a pod file" "$out" \
    "node(s) didn't match the requested hostname"

# a pod of many reasons on many nodes: one line, and no more memory than others
{
	seq 2000 | sed 's/.*/{"kind":"Node","metadata":{"name":"n&"},'\
'"status":{"allocatable":{"pods":"10"}}}/'
	printf '{"kind":"Pod","metadata":{"namespace":"d","name":"p"},"spec":'
	printf '{"containers":[{"name":"c","resources":{"requests":{'
	seq -f '"x.com\/%.0f":"1",' 5000
	printf '"cpu":"1"}}}]}}\n'
} >"$tmp/greedy"
limit=1000000
! sanitized || limit=unlimited # they reserve addresses without end
out=$(ulimit -v $limit
    "$BUILDDIR/predicatectl" explain --max-per-pod resources=5000 \
    --cluster "$tmp/greedy" 2>&1)
is "a pod of many reasons: 1" "$?" 1
has "some are shown" "$out" "; and 92 more"
has "of what is missing, too" "$out" "4990 other resources short"
out=$(ulimit -v $limit
    "$BUILDDIR/predicatectl" explain --max-per-pod resources=5000 \
    --cluster "$tmp/greedy" -o json 2>&1 |
    wc -c)
is "its JSON is no longer than others" "$([ "$out" -lt 20000000 ] &&
    echo short)" short

# a refused policy
ctl explain --policy openshift-sample-4.cfg --strict-policy \
    --cluster cluster.yaml --pod shop/forecast -o json
is "a refused policy: 1" "$code" 1
is "a refused policy: its sentence" "$out" '{"error":"openshift-sample-4.cfg:7:21: '\
'error: predicate \"RequireRegion\" must have exactly one argument of '\
'serviceAffinity and labelsPresence; it has 0"}'

# extenders
cat >"$tmp/extender.cfg" <<EOF
{"kind": "Policy", "apiVersion": "v1",
 "extenders": [{"urlPrefix": "http://127.0.0.1:1/", "filterVerb": "f"}]}
EOF
ctl explain --policy "$tmp/extender.cfg" --cluster "$tmp/one"
is "extenders are not called" "$code" 0
has "and that is said" "$err" "extenders (1) are not called"

# an attempt that fails as a whole
pod_with '{"volumes":[{"persistentVolumeClaim":{"claimName":"c"}}]}' \
    >"$tmp/claim"
ctl explain --cluster "$tmp/claim" -o json
is "a missing claim: 1" "$code" 1
is "a missing claim: no nodes" "$(printf '%s' "$out" | tr -d '\n')" \
    '{"pod":"d/p", "nodes":[], "best":[], "message":"persistentvolumeclaim '\
'\"c\" not found", "preemption":null, "diagnosis":{"cause":"volume","text":'\
'"Claim d/c does not exist","remedy":"create it","change":{"action":'\
'"provide","subject":"claim d/c","value":""},"proven":false,"nodes":1,"remedies":[{'\
'"text":"create it","kind":"provide","harm":"cost","who":"administrator","proven":'\
'false,"changes":[]}]}, "queue":{"status":"stays","node":null,"before":0}}'

# A line for each cause, and for each pod that waits.
ctl explain --all-pending --policy policy.cfg --cluster cluster.yaml
is "each cause once" "$(printf '%s\n' "$out" | sed '1,/PODS  SUCH AS/d' |
    awk '{ print $1 }' | paste -sd ' ' -)" "12 1 1 1"
has "those that fit are one" "$out" "  12  shop/web-5f6c8-4, web-5f6c8-5, web-5f6c8-6, ...  they fit now"
jq -n '{items: ([{kind: "Node", metadata: {name: "n1"}, status: {allocatable:
    {cpu: "4", memory: "8Gi", pods: "10"}}}] + [range(5) | {kind: "Pod",
    metadata: {name: "p\(.)", namespace: "d"}, spec: {containers: [{name: "c",
    resources: {requests: {cpu: "\(. + 5)"}}}]}}])}' >"$tmp/several"
out=$(COLUMNS=80 "$BUILDDIR/predicatectl" explain --all-pending \
    --cluster "$tmp/several" 2>/dev/null)
is "causes that differ in numbers are one" "$(printf '%s\n' "$out" |
    sed '1,/PODS  SUCH AS/d' | awk '$1 ~ /^[0-9]+$/ { print $1 }')" 5
is "80 columns" "$(printf '%s\n' "$out" | awk 'length > 80')" ""
lacks "and nothing cut out of a sentence" "$out" "..ake"
ctl explain --all-pending --all --policy policy.cfg --cluster cluster.yaml
is "one fits nowhere: 1" "$code" 1
has "how many" "$out" " wait: "
has "cause and remedy" "$out" "shop/forecast  "
all=$out
ctl explain --all-pending --policy policy.cfg --cluster cluster.yaml -o json
for pod in $(printf '%s\n' "$out" | jq -r '.pods[].pod'); do
	has "$pod is in the table" "$all" "$pod"
	one=$("$BUILDDIR/predicatectl" explain "$pod" -o json --policy policy.cfg \
	    --cluster cluster.yaml 2>/dev/null)
	is "$pod: as explain says it" "$(printf '%s\n' "$one" |
	    jq -c '.diagnosis.text // ("it fits on " + .queue.node)')" \
	    "$(printf '%s\n' "$out" | jq -c --arg pod "$pod" \
		'.pods[] | select(.pod == $pod) | .text')"
done
ctl explain -l 'app in (none)' --policy policy.cfg --cluster cluster.yaml
is "no pod: 0" "$code" 0
has "no pod" "$out" "0 pods wait"
ctl explain pod/shop/forecast --policy policy.cfg cluster.yaml -o json
is "pod/NS/NAME, and the dump as a word" "$out" \
    "$(cat "$data/explain-policy-forecast.json")"
finish
