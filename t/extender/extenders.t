#!/bin/sh
# A policy with HTTP extenders against a real API server and an extender of ours:
# each verb, and what users see when an extender does not do its part.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

asked=$tmp/asked
extender_pids=

# start_extender [ARGUMENT…]: sets $port.
start_extender() {
	port=$(free_port)
	(KUBECONFIG=$admin with_us "$BUILDDIR/t/extender/extender" \
	    --port "$port" --log "$asked" "$@") 2>>"$tmp/extender.log" &
	extender_pids="$extender_pids $!"
	wait_until 10 curl -sk --noproxy '*' -X POST -d '{}' \
	    "${scheme:-http}://127.0.0.1:$port/up"
}

trap 'for pid in $extender_pids; do stop_process "$pid"; done
    stop_everything; rm -rf "$tmp"' EXIT

# apply [EXTENDER…]: a policy with these, in force when it returns.
apply() {
	generation=$(metric predicated_policy_generation)
	printf '%s' '{"kind":"Policy","apiVersion":"v1","predicates":[
	    {"name":"PodFitsResources"},{"name":"MatchNodeSelector"}],
	    "priorities":[{"name":"LeastRequestedPriority","weight":1}],
	    "extenders":[' >"$policy.new"
	comma=
	for extender; do
		printf '%s' "$comma$extender" >>"$policy.new"
		comma=,
	done
	echo ']}' >>"$policy.new"
	: >"$asked"
	! cmp -s "$policy.new" "$policy" || return 0
	mv "$policy.new" "$policy"
	wait_until 20 metric_is predicated_policy_generation \
	    $((generation + 1)) || bail_out "the policy is not read"
}

# extender FIELDS…: one at $url, by default with node names.
extender() {
	echo "{\"urlPrefix\":\"$url\",\"nodeCacheCapable\":true,$*}"
}

# pod NAME [FIELDS]
pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, ${3-}}
	spec:
	  terminationGracePeriodSeconds: 0
	  ${4-}
	  containers:
	  - name: main
	    image: example.org/main:1
	    ${2-}
	END
}

node_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}

on_a_node() {
	[ -n "$(node_of "$1")" ]
}

# goes NAME POD NODE
goes() {
	wait_until 15 on_a_node "$2"
	is "$1" "$(node_of "$2")" "$3"
	k delete pod "$2" >/dev/null
}

messages() {
	k get events -o jsonpath='{range .items[?(@.involvedObject.name=="'"$1"'")]}{.reason}: {.message}{"\n"}{end}'
}

has_message() {
	messages "$1" | grep "$2"
}

condition() {
	k get pod "$1" -o json | jq -r '.status.conditions[]? |
	    select(.type == "PodScheduled") | .reason + ": " + .message'
}

# says NAME POD TEXT: that is why the pod gets no node, in event and condition.
says() {
	wait_until 15 has_message "$2" FailedScheduling
	is "$1" "$(messages "$2" | head -n 1)" "FailedScheduling: $3"
	wait_until 5 condition_is "$2" "Unschedulable: $3"
	is "$1: the condition" "$(condition "$2")" "Unschedulable: $3"
	k delete pod "$2" >/dev/null
}

condition_is() {
	[ "$(condition "$1")" = "$2" ]
}

# args VERB FILTER: of the first request with this verb.
args() {
	jq -c "select(.verb == \"/$1\") | .args | $2" "$asked" | head -n 1
}

was_asked() {
	grep -q "\"verb\":\"/$1\"" "$asked"
}

times_asked() {
	grep -c "\"verb\":\"/$1\"" "$asked"
}

start_apiserver
start_extender
url=http://127.0.0.1:$port
make_cluster --nodes 5
policy=$tmp/policy.cfg
echo '{"kind":"Policy","apiVersion":"v1","predicates":[]}' >"$policy"
log=$tmp/log
start_scheduler predicated "$log"
wait_scheduler

# ---- filter ----

# a policy that comes when nodes are known: their objects are fetched
apply '{"urlPrefix":"'"$url"'/","filterVerb":"filter?keep=node-00002"}'
pod objects
goes "a filter that gets objects leaves one node" objects node-00002
is "it gets the pod" "$(args filter '.Pod.metadata.name, .Pod.kind')" '"objects"'
is "and nodes as they are" "$(args filter \
    '[(.Nodes.items | length), .NodeNames,
	(.Nodes.items[0] | .kind, (.status.allocatable | length > 2))]')" \
    '[5,null,null,true]'
is "without fields that no extender reads" "$(args filter '[.Nodes.items[].metadata,
    .Pod.metadata | has("managedFields")] | any')" false

apply "$(extender '"filterVerb":"filter?keep=node-00001,node-00004"')" \
    "$(extender '"filterVerb":"filter?keep=node-00004,node-00000"')"
pod names
goes "one filter after the other" names node-00004
is "the first gets the names of all nodes" \
    "$(args filter '[.Nodes, (.NodeNames | sort | join(" "))]')" \
    '[null,"node-00000 node-00001 node-00002 node-00003 node-00004"]'
is "the second what the first has left" \
    "$(jq -c 'select(.verb == "/filter") | .args.NodeNames | sort' "$asked" |
	tail -n 1)" '["node-00001","node-00004"]'

apply "$(extender '"filterVerb":"filter?keep=node-00001&why=no+licence"')" \
    "$(extender '"filterVerb":"filter?keep=&why=out+of+luck"')"
pod nowhere
says "what filters say is in the event" nowhere \
    "0/5 nodes are available: 1 out of luck, 4 no licence."

apply "$(extender '"filterVerb":"filter?keep=",
    "managedResources":[{"name":"example.org/gpu"}]')"
pod plain
wait_until 15 on_a_node plain
is "who manages resources is not asked about other pods" \
    "$(times_asked filter)" 0
k delete pod plain >/dev/null
apply "$(extender '"filterVerb":"filter?keep=node-00003",
    "managedResources":[{"name":"example.org/gpu","ignoredByScheduler":true}]')"
pod gpu 'resources: {limits: {example.org/gpu: "1"}}'
goes "but about those that ask for one" gpu node-00003

# ---- prioritize ----

apply "$(extender '"prioritizeVerb":"prioritize?best=node-00003&score=10",
    "weight":2')" "$(extender '"prioritizeVerb":
	"prioritize?best=node-00001&score=9","weight":1')"
for i in 1 2 3; do
	pod "best$i"
	goes "the best node is the one with the best score" "best$i" node-00003
done
apply "$(extender '"prioritizeVerb":"prioritize?code=503","weight":1')" \
    "$(extender '"prioritizeVerb":"prioritize?body=[1]","weight":1')" \
    "$(extender '"prioritizeVerb":"prioritize?best=node-00001&score=9",
	"weight":1')"
pod others
goes "who cannot prioritize does no harm" others node-00001
apply "$(extender '"filterVerb":"filter?keep=node-00004",
    "prioritizeVerb":"prioritize?best=node-00001&score=9","weight":1')"
pod alone
goes "a node that is left alone" alone node-00004
is "is not scored" "$(times_asked prioritize)" 0

# ---- an extender that does not do its part ----

down=http://127.0.0.1:$(free_port)
apply "{\"urlPrefix\":\"$down\",\"filterVerb\":\"filter\"}"
pod down
says "one that is down" down "Post $down/filter: dial tcp ${down#http://}: connect: connection refused"
apply "{\"urlPrefix\":\"$down\",\"filterVerb\":\"filter\",\"ignorable\":true}" \
    "$(extender '"filterVerb":"filter?keep=node-00001"')"
pod ignored
goes "one that is down and can be ignored" ignored node-00001
has "is said in the log" "$(cat "$log")" \
    "Skipping extender $down as it returned error Post $down/filter: dial tcp"

apply "$(extender '"filterVerb":"filter?after=3000","httpTimeout":300000000')"
pod slow
wait_until 10 was_asked filter
is "health is shown while an extender is waited for" \
    "$(scheduler_up)" ok
says "one that takes too long" slow "Post $url/filter?after=3000: net/http: request canceled (Client.Timeout exceeded while awaiting headers)"
apply "$(extender '"filterVerb":"filter?body=garbage"')"
pod garbage
says "one that talks rubbish" garbage \
    "invalid character 'g' looking for beginning of value"
apply "$(extender '"filterVerb":"filter?body="')"
pod empty
says "one that says nothing" empty "EOF"
apply "$(extender '"filterVerb":"filter?body=[1,2]"')"
pod list
says "one that answers another question" list \
    "json: cannot unmarshal an array into Go value of type api.ExtenderFilterResult"
apply "$(extender '"filterVerb":"filter?code=500"')"
pod failing
says "one that fails" failing \
    "Failed filter?code=500 with extender at URL $url/filter?code=500, code 500"
apply "$(extender '"filterVerb":"filter?error=no+idea"')"
pod error
says "one that says why" error "no idea"
apply "$(extender '"filterVerb":"filter?body={\"nodeNames\":[\"mars\"]}"')"
pod mars
says "one that knows other nodes" mars \
    "extender \"$url\" claims a filtered node \"mars\" which is not found in the input node list"
apply "$(extender '"filterVerb":"filter?body={}"')"
pod none
says "one that leaves nothing" none "0/5 nodes are available: ."

# ---- while it is waited for ----

apply "$(extender '"filterVerb":"filter?after=60000&keep=node-00001",
    "httpTimeout":60000000000')"
pod gone
wait_until 10 was_asked filter
k delete pod gone >/dev/null
: >"$asked"
pod next
wait_until 10 was_asked filter
is "a pod that is deleted is not waited for" "$(args filter \
    .Pod.metadata.name)" '"next"'
apply "$(extender '"filterVerb":"filter?keep=node-00002"')"
goes "another policy counts at once" next node-00002

requests() {
	metric "predicated_extender_duration_seconds_count{extender=\"$1\",code=\"$2\"}"
}

are_measured() {
	is "$1" "$([ "$(requests "$2" "$3")" -gt 0 ] && echo yes)" yes
}
are_measured "requests are measured" "$url" 200
are_measured "those that fail, too" "$url" 500
are_measured "and those without an answer" "$down" '<error>'

# ---- bind ----

apply "$(extender '"filterVerb":"filter?keep=node-00004","bindVerb":"bind"')"
pod bound
wait_until 15 has_message bound Scheduled
is "an extender binds" "$(args bind '[.PodName, .PodNamespace, .Node]')" \
    '["bound","default","node-00004"]'
is "with the pod's uid" "$(args bind .PodUID)" \
    "\"$(k get pod bound -o jsonpath='{.metadata.uid}')\""
has "which is an event as always" "$(messages bound)" \
    "Scheduled: Successfully assigned default/bound to node-00004"
goes "and the pod is there" bound node-00004
apply "$(extender '"bindVerb":"bind?error=not+today"')"
pod unbound
wait_until 15 has_message unbound FailedScheduling
is "one that does not says so" "$(messages unbound | head -n 1)" \
    "FailedScheduling: Binding rejected: not today"
apply
goes "the pod is tried again" unbound "$(wait_until 15 on_a_node unbound
    node_of unbound)"

# ---- preempt ----

k create -f - <<'END' >/dev/null
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
END
is_gone() {
	! k get pod "$1"
}
# try_preemption NAME FIELDS: all nodes but two are too small for it.
try_preemption() {
	apply
	for node in node-00001 node-00003; do
		pod "small-$node" 'resources: {requests: {memory: 20Gi}}' '' \
		    "nodeSelector: {kubernetes.io/hostname: $node}"
	done
	wait_until 15 on_a_node small-node-00001
	wait_until 15 on_a_node small-node-00003
	apply "$2"
	pod urgent 'resources: {requests: {memory: 20Gi}}' '' \
	    "priorityClassName: urgent
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname,
    operator: In, values: [node-00001, node-00003]}]}]}}}"
	wait_until 15 is_gone small-node-00003
	is "$1: the others stay" "$(node_of small-node-00001)" node-00001
	goes "$1: its victims go" urgent node-00003
	k delete pod small-node-00001 >/dev/null
}
capacity=$(k get node node-00001 -o jsonpath='{.status.allocatable.memory}')
echo "# memory of a node: $capacity"
try_preemption "with uids" "$(extender \
    '"preemptVerb":"preempt?only=node-00003"')"
is "with uids: it gets them" "$(args preempt '[.NodeNameToVictims,
    (.NodeNameToMetaVictims | keys)]')" '[null,["node-00001","node-00003"]]'
try_preemption "with pods" '{"urlPrefix":"'"$url"'",
    "preemptVerb":"preempt?only=node-00003"}'
is "with pods: it gets them" "$(args preempt '[.NodeNameToMetaVictims,
    .NodeNameToVictims["node-00001"].Pods[0].metadata.name]')" \
    '[null,"small-node-00001"]'

# ---- TLS ----

certificate "$tmp/extender" /CN=extender "$apiserver_dir/ca" \
    "subjectAltName=DNS:extender.example.org"
scheme=https start_extender --cert "$tmp/extender.crt" \
    --key "$tmp/extender.key"
url=https://127.0.0.1:$port
apply "$(extender '"filterVerb":"filter?keep=node-00002","enableHttps":true')"
pod unverified
goes "TLS without a CA is not verified" unverified node-00002
apply "$(extender '"filterVerb":"filter?keep=node-00003","enableHttps":true,
    "tlsConfig":{"caFile":"'"$apiserver_ca"'",
    "serverName":"extender.example.org"}')"
pod verified
goes "with one it is" verified node-00003
apply "$(extender '"filterVerb":"filter?keep=node-00003","enableHttps":true,
    "tlsConfig":{"caFile":"'"$apiserver_ca"'","serverName":"other.example.org"}')"
pod impostor
wait_until 15 has_message impostor FailedScheduling
has "and another's certificate is refused" "$(messages impostor)" \
    "FailedScheduling: Post $url/filter?keep=node-00003: "
k delete pod impostor >/dev/null

# ---- the end ----

apply "$(extender '"filterVerb":"filter?after=60000","enableHttps":true,
    "httpTimeout":60000000000')"
pod last
wait_until 10 was_asked filter
kill -TERM "$scheduler_pid"
wait "$scheduler_pid"
is "SIGTERM ends it while it waits" $? 0
lacks "nothing was forbidden" "$(cat "$log")" "orbidden"
lacks "no pod was lost" "$(cat "$log")" "were in no queue"
finish
