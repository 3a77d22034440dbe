#!/bin/sh
# Leadership passes from kube-scheduler to predicated and back on one lease
# while pods arrive: all are bound, each once, and none by a scheduler that did not
# hold the lease at that moment.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=200
pods=1600
lock="--leader-elect=true --leader-elect-lease-duration=4s
    --leader-elect-renew-deadline=3s --leader-elect-retry-period=500ms
    --leader-elect-resource-lock=leases"

holder() {
	k -n kube-system get lease kube-scheduler \
	    -o jsonpath='{.spec.holderIdentity}'
}

# The user who wrote the lease last.
leader() {
	jq -r 'select(.objectRef.resource == "leases" and
	    .responseStatus.code < 300 and
	    .requestObject.spec.holderIdentity != "") | .user.username' \
	    "$audit_log" | tail -n 1
}

leads() {
	case $(leader) in
	*"$1") return 0 ;;
	esac
	return 1
}

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
observe "$pods" --timeout 600
# shellcheck disable=SC2086 # to be split
start_scheduler kube-scheduler "$tmp/first.log" $lock
first=$scheduler_pid
wait_until 20 leads :kube-scheduler || bail_out "kube-scheduler does not lead"
# shellcheck disable=SC2086
start_scheduler "$SCHEDULER" "$tmp/second.log" $lock
second=$scheduler_pid
second_port=$scheduler_port
second_name=:$SCHEDULER
wait_scheduler
make_cluster --pods "$pods" --rate 60 &
making=$!
wait_until 30 observed_so_far $((pods / 5)) || bail_out "nothing is bound"
was=$(holder)
stop_process "$first" KILL
if wait_until 20 eval 'leads "$second_name" && [ "$(holder)" != "$was" ]'; then
	pass "$SCHEDULER takes over from kube-scheduler"
else
	fail "$SCHEDULER takes over from kube-scheduler" \
	    "$(tail -n 20 "$tmp/second.log")"
fi
so_far=$(wc -l <"$tmp/observed")
# shellcheck disable=SC2086
start_scheduler kube-scheduler "$tmp/third.log" $lock
third=$scheduler_pid
wait_until 30 observed_so_far $((so_far + pods / 5)) ||
    fail "$SCHEDULER goes on binding" "$(tail -n 20 "$tmp/second.log")"
was=$(holder)
# Not killed but cut off: it still believes that it leads when it wakes up.
kill -STOP "$second"
if wait_until 20 eval 'leads :kube-scheduler && [ "$(holder)" != "$was" ]'; then
	pass "kube-scheduler takes over from $SCHEDULER"
else
	fail "kube-scheduler takes over from $SCHEDULER" \
	    "$(tail -n 20 "$tmp/third.log")"
fi
kill -CONT "$second"
wait "$making"
if observed_all; then
	pass "all are bound"
else
	fail "all are bound" "$(tail -n 5 "$tmp"/*.log)"
fi
is "each exactly once" "$(bound_twice)" ""
if [ "$SCHEDULER" = predicated ]; then
	if running "$second"; then
		pass "the one that lost the lease stands by"
	else
		fail "the one that lost the lease stands by" \
		    "$(tail -n 5 "$tmp/second.log")"
	fi
fi

judge_bindings
is "none by a non-leader" "$(grep -v '^#' "$tmp/judged" | tail -n 3)" 0
is "both have bound pods" "$(grep -c '^# ' "$tmp/judged")" \
    "$([ "$SCHEDULER" = kube-scheduler ] && echo 1 || echo 2)"
is "where they may be" "$(check_placements)" \
    "$pods bound, 0 pending, 0 misplaced, 0 nodes over-committed"
finish
