#!/bin/sh
# The policy changes while 1,000 pods are pending: it counts from the next
# decision on.  A broken one is refused, the old one stays, and log, Event and
# metric say so.  From a file and from a ConfigMap.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

pods=1000

# With strict, pods fit nowhere: no node has the label.
strict='{"kind":"Policy","apiVersion":"v1","predicates":[
    {"name":"PodFitsResources"},
    {"name":"OnlyThere","argument":{"labelsPresence":
	{"labels":["there"],"presence":true}}}],
    "priorities":[{"name":"LeastRequestedPriority","weight":1}]}'
lenient='{"kind":"Policy","apiVersion":"v1","predicates":[
    {"name":"PodFitsResources"}],
    "priorities":[{"name":"LeastRequestedPriority","weight":1}]}'
broken() {
	echo '{"kind":"Policy","apiVersion":"v1","predicates":[
	    {"name":"NoSuchRuleIn'"$1"'"}],"priorities":[]}'
}

metric_above() {
	value=$(metric "$1")
	[ "${value:-0}" -gt "$2" ]
}

pending_is() {
	metric_is 'scheduler_pending_pods{queue="unschedulable"}' "$1"
}

# has_event PART: there is a warning with this in its message.
has_event() {
	k get events -A --field-selector reason!=FailedScheduling -o json |
	    jq -r --arg part "$1" '.items[] | select(.type == "Warning" and
		(.message | contains($part))) | .reason' >"$tmp/reason"
	[ -s "$tmp/reason" ]
}

# try SOURCE: put_policy changes it there.
try() {
	make_cluster --pods "$pods"
	if wait_until 30 pending_is "$pods"; then
		pass "$1: $pods pods are pending"
	else
		fail "$1: $pods pods are pending" "$(tail -n 20 "$log")"
	fi
	generation=$(metric predicated_policy_generation)
	put_policy "$(broken "$1")"
	if wait_until 90 metric_is 'predicated_policy_refused' 1; then
		pass "$1: a broken one is refused, says the metric"
	else
		fail "$1: a broken one is refused, says the metric" \
		    "$(metrics | grep predicated_policy)"
	fi
	is "$1: it does not come into force" \
	    "$(metric predicated_policy_generation)" "$generation"
	has "$1: the log says why" "$(cat "$log")" "NoSuchRuleIn$1"
	wait_until 10 has_event "NoSuchRuleIn$1"
	is "$1: an Event, too" "$(cat "$tmp/reason")" PolicyRefused
	is "$1: all are still pending" "$(k get pods \
	    --field-selector spec.nodeName!= -o name | wc -l)" 0
	observe "$pods" --timeout 600
	put_policy "$lenient"
	if observed_all; then
		pass "$1: a better one counts from then on"
	else
		fail "$1: a better one counts from then on" \
		    "$(tail -n 20 "$log")"
	fi
	is "$1: nothing is refused any more" \
	    "$(metric predicated_policy_refused)" 0
	put_policy "$strict"
	wait_until 90 metric_above predicated_policy_generation \
	    $((generation + 1))
	make_cluster --pods 3 --prefix late
	if wait_until 20 pending_is 3; then
		pass "$1: and back"
	else
		fail "$1: and back" "$(tail -n 5 "$log")"
	fi
	stop_process "$scheduler_pid" TERM
}

start_apiserver
make_cluster --nodes 50

policy=$tmp/policy.cfg
put_policy() {
	echo "$1" >"$policy.new"
	mv "$policy.new" "$policy"
}
# shellcheck disable=SC2218 # sourced, not the one below
put_policy "$strict"
start_scheduler predicated "$tmp/file.log"
wait_scheduler
# shellcheck disable=SC2218
put_policy "$lenient"
wait_until 30 metric_is predicated_policy_refused 0
rm "$policy"
mkfifo "$policy"
if wait_until 30 metric_is predicated_policy_refused 1; then
	pass "a FIFO in its place is refused"
else
	fail "a FIFO in its place is refused" "$(tail -n 5 "$log")"
fi
has "the log says why" "$(cat "$log")" "$policy: not a regular file"
rm "$policy"
# shellcheck disable=SC2218
put_policy "$strict"
wait_until 30 metric_is predicated_policy_refused 0
try file

make_cluster --empty
policy=
put_policy() {
	echo "$1" >"$tmp/policy.cfg"
	k -n kube-system create configmap scheduler-policy \
	    --from-file="$tmp/policy.cfg" --dry-run=client -o yaml |
	    k apply -f - >/dev/null 2>&1
}
put_policy "$strict"
start_scheduler predicated "$tmp/configmap.log" \
    --policy-configmap=scheduler-policy
wait_scheduler
try ConfigMap
finish
