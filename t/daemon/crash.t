#!/bin/sh
# Killed in the middle of a burst, again and again: nothing is lost and nothing
# is bound twice.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=300
pods=2000

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
make_cluster --pods "$pods" --affinity
observe "$pods" --timeout 600
kills=0
for part in 1 2 3 4; do
	start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
	if wait_until 30 observed_so_far $((pods * part / 5)); then
		stop_process "$scheduler_pid" KILL
		kills=$((kills + 1))
	fi
done
seen=$(wc -l <"$tmp/observed")
is "killed four times in the middle" \
    "$kills $([ "$seen" -lt "$pods" ] && echo unfinished)" "4 unfinished"
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_scheduler
if observed_all; then
	pass "all are bound in the end"
else
	fail "all are bound in the end" "$(tail -n 20 "$tmp/scheduler.log")"
fi
is "none twice" "$(bound_twice)" ""
is "where they may be" "$(check_placements)" \
    "$pods bound, 0 pending, 0 misplaced, 0 nodes over-committed"

stop_process "$scheduler_pid" TERM &
ending=$!
if wait_until 10 eval "! running $scheduler_pid"; then
	pass "SIGTERM ends it within seconds"
else
	fail "SIGTERM ends it within seconds" "$(tail -n 5 "$tmp/scheduler.log")"
fi
kill "$ending" 2>/dev/null
finish
