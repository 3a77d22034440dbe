#!/bin/sh
# What /debug/status says of pods that wait and of what is wrong, which the page shows
# first: an API server that is stopped, a lease that another took, a policy that is
# refused.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes 3
put_policy() {
	printf '%s' "$1" >"$tmp/policy.cfg"
	k -n kube-system create configmap scheduler-policy \
	    --from-file="$tmp/policy.cfg" --dry-run=client -o json |
	    k apply -f - >/dev/null
}
put_policy '{"kind": "Policy", "apiVersion": "v1"}'
log=$tmp/log
start_scheduler predicated "$log" --policy-configmap=scheduler-policy \
    --leader-elect=true --leader-elect-resource-lock=leases
wait_scheduler

status() {
	show /debug/status | jq -r "${1:-[.problems[].text] | join(\" \")}"
}
# says PATTERN: of the first problem; "": none.
says() {
	case $(status '.problems[0].text // ""') in
	'') [ -z "$1" ] ;;
	*) [ -n "$1" ] && status '.problems[0].text' | grep -q "$1" ;;
	esac
}
# problem NAME PATTERN
problem() {
	began=$(date +%s%N)
	wait_until 30 says "$2"
	echo "# after $((($(date +%s%N) - began) / 1000000)) ms: $(status)"
	says "$2"
	is "$1" $? 0
}

problem "nothing is wrong" ""
is "who leads" "$(status .leader)" \
    "$(k -n kube-system get lease kube-scheduler -o jsonpath='{.spec.holderIdentity}')"

# ---- pods that wait ----

# pod NAME REQUESTS [METADATA [SPEC]]
pod() {
	cat <<-END
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, namespace: default, ${3-}}
	spec:
	  nodeSelector: {kubernetes.io/hostname: node-00001}
	  ${4-}
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {$2}}
	END
}
on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}
waits() {
	[ "$(status "$1")" = "$2" ]
}

is "requests to the API server are counted, and what failed" \
    "$(status '.totals | [.requests > 10, .requestSeconds > 0, .evictions,
	.failedAttempts] | tojson')" '[true,true,0,0]'
is "no pod waits" "$(status '[.oldest, .waitingLong, .waitingComplete] |
    tojson')" '[null,0,true]'
pod old "cpu: 1000" | create_aged 3600
pod young "cpu: 1000" | k create -f - >/dev/null
wait_until 20 waits '.reasons[0].pods' 2
is "the oldest pod, and how many wait long" \
    "$(status '[.oldest.pod, .waitingLong, .waitingComplete] | tojson')" \
    '["default/old",1,true]'
is "since its creation" "$(status '.oldest.since | .[0:19]')Z" \
    "$(k get pod old -o jsonpath='{.metadata.creationTimestamp}')"
# ---- what is wrong ----

is "the policy in force: its rules, and since when" "$(status '.policy |
    [.rules > 9, (.since | .[0:19] + "Z" | now - fromdate | . >= 0 and . < 600),
	.problem] | tojson')" '[true,true,null]'
put_policy '{"kind": "Policy", "predicates": [{"name": "NoSuchRule"}]}'
problem "a policy that is refused" "^The policy is refused, .*NoSuchRule"
has "its problem, with the line" "$(status .policy.problem)" ":1:"
has "what to do about it" "$(status '.problems[0].cure')" "predicatectl check"
has "since when" "$(status '.problems[0].since')" "$(date -u +%Y-%m)"
put_policy '{"kind": "Policy", "apiVersion": "v1"}'
problem "one that is mended" ""
is "has none" "$(status '.policy | [.refused, .problem] | tojson')" '[false,null]'

kill -STOP "$kube_apiserver_pid"
problem "an API server that is stopped" "^The API server does not answer"
kill -CONT "$kube_apiserver_pid"
problem "one that goes on" ""

k -n kube-system patch lease kube-scheduler --type merge -p "{\"spec\":
    {\"holderIdentity\": \"another\", \"renewTime\": \"$(
	date -u +%Y-%m-%dT%H:%M:%S.%6NZ)\"}}" >/dev/null
problem "a lease that another took" \
    "lost the lease kube-system/kube-scheduler (.*another leads now"
is "who leads then" "$(status .leader)" another
problem "and that it does not renew" ""
finish
