#!/bin/sh
# The JSON of predicatectl web, on the example cluster: each path of doc/web.md.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/page/web.sh"

example=$SRCDIR/etc/examples
cp "$example/cluster.yaml" "$tmp/cluster.yaml"
cp "$example/openshift-default.cfg" "$tmp/policy.cfg"
serve_web "$tmp/cluster.yaml" --policy "$tmp/policy.cfg"

# trial QUERY BODY: of the workbench
trial() {
	api "/api/v1/workbench?$1" -d "$2"
}

# count TEXT PATTERN
count() {
	printf '%s' "$1" | grep -oE "$2" | wc -l
}

# The cluster

nodes=$(grep -c '^kind: Node$' "$tmp/cluster.yaml")
[ "$nodes" -gt 0 ] || nodes=$("$BUILDDIR/predicatectl" diff \
    "$tmp/policy.cfg" "$tmp/policy.cfg" --cluster "$tmp/cluster.yaml" \
    -o json 2>/dev/null | sed -n 's/.*"nodes":\([0-9]*\).*/\1/p' | head -n 1)
got=$(api /api/v1/cluster)
has "the cluster: its nodes" "$got" "\"nodes\":$nodes,\"pods\":{\"placed\":"
has "and its balance" "$got" '{"resource":"cpu","mean":0.'
has "and its policy" "$got" '"policy":"'"$tmp"'/policy.cfg"'
got=$(api /api/v1/nodes)
has "nodes in columns" "$got" "\"count\":$nodes,"
is "as many names" "$(count "$(printf '%s' "$got" |
    sed 's/.*"name":\[\([^]]*\)\].*/\1/')" '"[^"]*"')" "$nodes"
is "labels and taints of each" "$(api /api/v1/labels |
    jq -c '[(.labels | length), (.taints | length)]')" "[$nodes,$nodes]"
has "cpu of each" "$got" '"allocatable":{"cpu":['
got=$(api "/api/v1/node?name=east-a-2")
has "a node: its resources" "$got" '{"resource":"cpu","requested":'
has "its labels" "$got" '"labels":{'
has "a node that is not there" "$(api "/api/v1/node?name=x")" \
    '{"error":"node \"x\" is not in the cluster"}'
is "is 404" "$(api_status "/api/v1/node?name=x")" 404
is "without a name: 400" "$(api_status /api/v1/node)" 400

# Pods

got=$(api "/api/v1/pods?limit=1")
is "pods by the page" "$(count "$got" '"name":')" 1
all=$(printf '%s' "$got" | sed 's/.*"total":\([0-9]*\).*/\1/')
is "the rest on the next" "$(count "$(api "/api/v1/pods?offset=1")" \
    '"name":')" $((all - 1))
has "pods by name" "$(api "/api/v1/pods?q=FORECAST")" \
    '"pods":[{"name":"shop/forecast"'
got=$(api "/api/v1/pending?q=forecast")
has "a pending pod's message is kube-scheduler's" "$got" \
    '"message":"0/12 nodes are available: 1 '
is "those that stay pending are those without a node" \
    "$(api "/api/v1/pending?outcome=stays&limit=1000" |
	jq -c '[.total, .pods[].name]')" \
    "$(api "/api/v1/pending?limit=1000" |
	jq -c '[.pods[] | select(.node == null).name] | [length, .[]]')"
has "where the policy comes from" "$(api /api/v1/cluster)" \
    '"policyFrom":"the policy file '
has "reasons of pending pods" "$(api /api/v1/reasons)" \
    '{"reason":"no node fits: '

got=$(api "/api/v1/reasons?remedies=true")
is "each pod that stays has its problem" \
    "$(printf '%s' "$got" | jq '[.problems[].pods] | add')" \
    "$(api "/api/v1/pending?outcome=stays" | jq .total)"
is "and its owner and requests" "$(printf '%s' "$got" |
    jq -c '.stays[] | select(.name == "shop/forecast") | [.owner, .cpu]')" \
    "$(api /api/v1/pending?q=shop/forecast | jq -c '.pods[0] | [.owner, .cpu]')"
has "with a remedy that was tried" "$got" \
    '"proven":1,"cause":"requests","text":"Short of 8 cpu'

# A decision

got=$(api "/api/v1/pod?name=shop/forecast")
has "a pod: the diagnosis" "$got" '"text":"Short of 8 cpu'
has "and its change as data" "$got" '"change":{"action":"evict"'
has "the nearest misses" "$got" '{"text":"2100m cpu short","nodes":1,"node":"east-a-2"}'
has "preemption" "$got" '"preemption":{"node":"west-c-1"'
has "which rule refuses how many nodes" "$got" \
    '"name":"GeneralPredicates","asked":true,"refuses":'
has "node × rule" "$got" '"verdicts":"'
rules=$(count "$(printf '%s' "$got" |
    sed 's/.*"filters":\[\(.*\)\],"scores":\[{"name".*/\1/')" '"name"')
verdicts=$(printf '%s' "$got" | sed 's/.*"verdicts":"\([^"]*\)".*/\1/')
is "of a node that is not there: 404" \
    "$(api_status "/api/v1/why-not?name=shop/forecast&node=x")" 404
is "a letter for each rule" "${#verdicts}" "$rules"
placed=$(api "/api/v1/pods?state=placed&limit=1" |
    sed 's/.*"name":"\([^"]*\)".*/\1/')
has "a pod on a node is decided as if it were pending" \
    "$(api "/api/v1/pod?name=$placed&fits=true")" '"scores":['
is "a pod that is not there: 404" "$(api_status "/api/v1/pod?name=a/b")" 404
has "a decision by another policy" "$(api "/api/v1/pod?name=shop/forecast" \
    -d '{"text":"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[],\"priorities\":[]}"}')" \
    '"message":"",'
is "by one that is refused: 422" "$(api_status \
    "/api/v1/pod?name=shop/forecast" -d '{"text":"x"}')" 422

# An estimate

stop_web
sh "$SRCDIR/t/page/make_cluster.sh" 2100 21000 20 >"$tmp/large.json"
serve_web "$tmp/large.json" --policy "$tmp/policy.cfg"
changed='{"changes": [{"rule": "BalancedResourceAllocation", "weight": 0}]}'
got=$(trial stage=estimate "$changed")
is "it is about all pods, and asks about half of them" "$(printf '%s' "$got" |
    jq -c '.estimate | [.pods, .asked > 9000, .asked < 12000, .error > 0]')" \
    '[21020,true,true,true]'
all=$(trial stage=full "$changed" |
    jq '.moves | .elsewhere + .unschedulable + .schedulable')
is "and as near to what is counted as it says" "$(printf '%s' "$got" |
    jq --argjson all "$all" '.estimate | (.moves - $all | fabs) <= .error')" true
stop_web
serve_web "$tmp/cluster.yaml" --policy "$tmp/policy.cfg"
is "of few nodes there is none" "$(trial stage=estimate "$changed" |
    jq .estimate)" null

# Commands

# same QUERY COMMAND [ARGUMENT…]: the path of the command has what it prints as JSON
same() {
	query=$1
	shift
	want=$("$BUILDDIR/predicatectl" "$@" --cluster "$tmp/cluster.yaml" \
	    --policy "$tmp/policy.cfg" -o json 2>"$tmp/err")
	is "$1?$query: what $1 -o json prints" \
	    "$(api "/api/v1/$1?$query")" "$want"
	case $want in
	"{"*) ;;
	*) fail "$* prints something" "$want $(cat "$tmp/err")" ;;
	esac
}
same "" audit
same "node=east-a-2&node=west-c-1" drain east-a-2 west-c-1
same "zone=east-a&lost=" drain --zone east-a --lost
same "name=shop/forecast" defrag shop/forecast
same "name=shop/forecast&force=&max-moves=1" defrag shop/forecast --force \
    --max-moves 1
same "name=shop/forecast" capacity shop/forecast
for pod in shop/forecast "$placed"; do
	same "name=$pod&node=east-a-2" why-not east-a-2 "$pod"
done
same "objective=balance&rounds=1&max-weight=3&write=$tmp/written" \
    tune --objective balance --rounds 1 --max-weight 3
is "no file is written" "$([ -e "$tmp/written" ]; echo $?)" 1
is "weights for nothing" "$(api /api/v1/tune)" \
    '{"error":"--objective is missing"}'
is "a node that is not there" "$(api "/api/v1/drain?node=x")" \
    '{"error":"node \"x\" is not in the cluster"}'
is "is 404" "$(api_status "/api/v1/drain?node=x")" 404
is "a command without its words" "$(api /api/v1/drain)" \
    '{"error":"name nodes, or give --selector, or --zone"}'
is "is 400" "$(api_status /api/v1/capacity)" 400
is "a pod that is on a node needs no room" \
    "$(api "/api/v1/defrag?name=$placed" | sed 's/ on node .*/ on node/')" \
    '{"error":"'"$placed"' is on node'
echo "1 shop/forecast" >"$tmp/mix"
is "options that read files are none" \
    "$(api_status "/api/v1/capacity?mix=$tmp/mix")" 400
is "nor are those as words" \
    "$(api "/api/v1/drain?node=--help")" \
    '{"error":"node \"--help\" is not in the cluster"}'
is "nor are files" "$(api "/api/v1/drain?node=$tmp/cluster.yaml")" \
    '{"error":"node \"'"$tmp"'/cluster.yaml\" is not in the cluster"}'

# The policy and the workbench

got=$(api /api/v1/policy)
has "a rule that is required" "$got" \
    '{"name":"CheckNodeUnschedulable","on":true,"required":true'
has "a weight" "$got" '{"name":"LeastRequestedPriority","on":true,"weight":1'
has "a rule that is off" "$got" '{"name":"HostName","on":false'
has "all placed again" "$(api /api/v1/baseline)" '"replay":{"pods":'
got=$(trial stage=full '{}')
has "the same policy moves no pod" "$got" \
    '"moves":{"elsewhere":0,"unschedulable":0,"schedulable":0'
got=$(trial stage=full '{"changes":[
    {"rule":"LeastRequestedPriority","weight":0},
    {"rule":"MostRequestedPriority","weight":7}]}')
has "a rule that is switched on is in the text" "$got" \
    '{\"name\": \"MostRequestedPriority\", \"weight\": 7}'
lacks "one that is switched off is not" "$got" \
    '{\"name\": \"LeastRequestedPriority\"'
has "pods that move, and why" "$got" '"rule":"MostRequestedPriority","why":"'
has "what it breaks" "$got" '"safety":{"checked":'
got=$(trial stage=full \
    '{"text":"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[],\"priorities\":[]}"}')
has "a policy without rules breaks those of Kubernetes" "$got" \
    '"overcommitted":[{"node":'
has "each with its pods" "$got" '"rules":[{"rule":"'
lacks "stage=quick has no moves" "$(trial stage=quick '{}')" '"moves"'
lacks "stage=check places nothing" "$(trial stage=check '{}')" '"replay"'
has "a rule that cannot be switched off" \
    "$(trial stage=check '{"changes":[{"rule":"CheckNodeUnschedulable",
    "kind":"filters","weight":0}]}')" 'cannot be switched off'
got=$(trial stage=full '{"text":"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\n\"priorities\":[{\"name\":\"Foo\",\"weight\":1}]}"}')
has "a mistake has its position" "$got" '"severity":"error","line":2,"column":'
has "the policy is not valid" "$got" '"valid":false'
lacks "and places nothing" "$got" '"replay"'
# What the page shows is what diff prints.
sed 's/"LeastRequestedPriority", "weight" : 1/"LeastRequestedPriority", "weight" : 9/' \
    "$tmp/policy.cfg" >"$tmp/new.cfg"
want=$("$BUILDDIR/predicatectl" diff "$tmp/policy.cfg" "$tmp/new.cfg" \
    --cluster "$tmp/cluster.yaml" -o json 2>/dev/null |
    sed -n 's/.*"elsewhere":\([0-9]*\).*/\1/p')
is "as many as predicatectl diff counts" "$(trial stage=full '{"changes":[
    {"rule":"LeastRequestedPriority","weight":9}]}' |
    sed -n 's/.*"elsewhere":\([0-9]*\).*/\1/p')" "$want"

# Its forms

has "as a ConfigMap" "$(api "/api/v1/export?to=configmap" -d '{}')" \
    'kind: ConfigMap'
has "as a KubeSchedulerConfiguration" "$(api "/api/v1/export?to=v1" -d '{}')" \
    'kind: KubeSchedulerConfiguration'
api "/api/v1/export?to=policy" -d '{"changes":[
    {"rule":"LeastRequestedPriority","weight":9}]}' |
    sed 's/.*"text":"\(.*\)","notes".*/\1/; s/\\n/\n/g; s/\\"/"/g' \
	>"$tmp/exported.cfg"
is "what is saved is a policy" "$("$BUILDDIR/predicatectl" check \
    "$tmp/exported.cfg" 2>&1 | tail -n 1 | sed 's/, [0-9]* warning.*//')" \
    "$tmp/exported.cfg: ok"
# exported TEXT: of a policy in the workbench, as policy.cfg
exported() {
	jq -n --arg text "$1" '{$text}' >"$tmp/question"
	api "/api/v1/export?to=policy" -d @"$tmp/question" | jq -r .text
}
is "a policy that mentions a ConfigMap stays as it is" \
    "$(exported "kind: Policy
apiVersion: v1 # of a ConfigMap
predicates: [{name: PodFitsResources}]")" \
    "kind: Policy
apiVersion: v1 # of a ConfigMap
predicates: [{name: PodFitsResources}]"
bare='{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"PodFitsPorts"}]}'
is "a policy is taken out of a ConfigMap" "$(exported "kind: ConfigMap
data: {policy.cfg: '$bare'}")" "$bare"
is "of one that names no kind, too" \
    "$(exported "data: {policy.cfg: '$bare'}")" "$bare"
is "in another form: 400" "$(api_status "/api/v1/export?to=x" -d '{}')" 400

# A cluster that changes

generation() {
	api /api/v1/status | sed 's/.*"generation":\([0-9]*\).*/\1/'
}
is "the first generation" "$(generation)" 1
sed 's/east-a-2/east-a-9/g' "$example/cluster.yaml" >"$tmp/cluster.yaml"
wait_until 20 eval '[ "$(generation)" = 2 ]'
is "a file that changes is read again" "$(generation)" 2
has "and shown" "$(api /api/v1/nodes)" east-a-9
echo '{' >"$tmp/cluster.yaml"
wait_until 20 eval 'api /api/v1/status | grep -q "cannot be read"'
has "one that cannot be read is trouble" "$(api /api/v1/status)" \
    'cannot be read any more'
has "and the last state stays" "$(api /api/v1/nodes)" east-a-9
stop_web

# Without a policy, with a configuration, without pods

serve_web "$example/cluster.yaml"
has "the default policy is written out" "$(api /api/v1/policy)" \
    '{\"name\": \"NodePreferAvoidPodsPriority\", \"weight\": 10000}'
has "and can be changed" "$(trial stage=quick \
    '{"changes":[{"rule":"ImageLocalityPriority","weight":0}]}')" '"replay":{'
stop_web
serve_web "$example/cluster.yaml" --config "$example/kubescheduler-v1.yaml"
got=$(api /api/v1/policy)
has "a configuration: plugins" "$got" '{"name":"NodeResourcesFit","on":true'
profile=$(printf '%s' "$got" | sed 's/.*"profiles":\[{"schedulerName":"\([^"]*\)".*/\1/')
got=$(trial stage=full '{"changes":[{"profile":"'"$profile"'",
    "rule":"NodeResourcesFit","weight":50},{"profile":"'"$profile"'",
    "rule":"TaintToleration","kind":"filters","weight":0}]}')
has "a plugin's weight" "$got" '{\"name\": \"NodeResourcesFit\", \"weight\": 50}'
has "is valid" "$got" '"valid":true'
has "and in force" "$got" '{"name":"NodeResourcesFit","on":true,"weight":50'
has "a plugin that filters no more" "$got" '{"name":"TaintToleration","on":false'
has "as policy.cfg" "$(api "/api/v1/export?to=policy" -d '{}')" 'kind: Policy'
stop_web
printf '{"kind":"Node","metadata":{"name":"n"}}\n' >"$tmp/bare"
serve_web "$tmp/bare"
has "an empty cluster" "$(api /api/v1/cluster)" \
    '"nodes":1,"pods":{"placed":0,"pending":0'
has "has nothing to place" "$(trial stage=full '{}')" '"replay":{"pods":0'
stop_web

# The command

"$BUILDDIR/predicatectl" web "$tmp/absent" >"$tmp/out" 2>&1
is "a dump that is not there: 3" $? 3
"$BUILDDIR/predicatectl" web "$tmp/bare" --policy "$tmp/absent" >"$tmp/out" 2>&1
is "a policy that is not there: 3" $? 3
HOME=$tmp KUBECONFIG='' "$BUILDDIR/predicatectl" web >"$tmp/out" 2>&1
is "no dump and no kubeconfig: 2" $? 2
"$BUILDDIR/predicatectl" web - </dev/null >"$tmp/out" 2>&1
is "a dump on standard input: 2" $? 2
"$BUILDDIR/predicatectl" web "$tmp/bare" --port 70000 >"$tmp/out" 2>&1
is "a port that is none: 2" $? 2
finish
