#!/bin/sh
# A pod that holds up the scheduler is put in quarantine, where its owner and
# the administrator see it, and is tried again.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# The first decision tries fifty terms on all nodes, which takes many times as long
# as the limit of a millisecond.  Later ones take less, because its results are kept.
nodes=20000
abandoned="scheduling the pod took longer than 0.001 s and was abandoned; the next attempt follows in"

slow_pod() {
	term='{"weight":1,"preference":{"matchExpressions":[{"key":
	    "kubernetes.io/hostname","operator":"NotIn","values":["none"]}]}}'
	echo "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"$1\"},
	    \"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}],
	    \"affinity\":{\"nodeAffinity\":{
	    \"preferredDuringSchedulingIgnoredDuringExecution\":[$term$(
		printf ",$term%.0s" $(seq 49))]}}}}"
}

condition() {
	k get pod "$1" -o jsonpath='{.status.conditions[?(@.type=="PodScheduled")]'"$2}"
}

event() {
	k get events --field-selector \
	    "involvedObject.name=$1,reason=FailedScheduling" \
	    -o jsonpath='{range .items[*]}{.type} {.message}{"\n"}{end}'
}

event_says() {
	event "$1" | grep -qF "$2"
}

is_bound() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes"
cat >"$tmp/predicated.conf" <<END
scheduling: { decision_timeout = "1ms"; };
END
start_scheduler predicated "$tmp/scheduler.log" \
    --config-file "$tmp/predicated.conf"
wait_scheduler
slow_pod slow | k create -f - >/dev/null
# Its first attempts may end earlier: decoding it has the same limit.
if wait_until 60 event_says slow "Warning $abandoned"; then
	pass "its owner is told by an event"
else
	fail "its owner is told by an event" "$(event slow)
$(tail -n 5 "$tmp/scheduler.log")"
fi
wait_until 10 metric_is predicated_quarantined_pods 1
is "a metric counts it" "$(metric predicated_quarantined_pods)" 1
is "it is pending" "$(metric 'scheduler_pending_pods{queue="backoff"}')" 1
wait_until 10 eval '[ "$(condition slow .reason)" = SchedulerError ]'
is "and by its condition" "$(condition slow .status) $(condition slow .reason)" \
    "False SchedulerError"
slow_pod twin | k create -f - >/dev/null
if wait_until 20 event_says twin \
    "scheduling a pod with the same specification took too long"; then
	pass "one of the same specification is not even tried"
else
	fail "one of the same specification is not even tried" "$(event twin)"
fi
k delete pod twin --grace-period=0 --force >/dev/null 2>&1

has "the log names the pod" "$(cat "$tmp/scheduler.log")" \
    "pod default/slow: scheduling the pod took longer than 0.001 s"

# With all the time it needs it is a pod like any other.
cat >"$tmp/predicated.conf" <<END
scheduling: { decision_timeout = "0s"; };
END
kill -HUP "$scheduler_pid"
if wait_until 40 is_bound slow; then
	pass "with time it is bound"
else
	fail "with time it is bound" "$(tail -n 5 "$tmp/scheduler.log")"
fi
wait_until 10 metric_is predicated_quarantined_pods 0
is "nothing is in quarantine, not even a deleted pod" \
    "$(metric predicated_quarantined_pods)" 0
finish
