#!/bin/sh
# 3,000 pods come to 1,000 nodes: all are bound, each exactly once, where the
# policy allows it, and no node is given more than it has.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=1000
pods=3000

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_scheduler
observe "$pods" --events "$pods" --timeout 600
make_cluster --pods "$pods" --affinity
if observed_all; then
	pass "all are bound, with an event for each"
else
	fail "all are bound, with an event for each" \
	    "$(tail -n 20 "$tmp/scheduler.log")"
fi
is "each exactly once" "$(accepted_bindings)" "$pods of $pods"
is "where they may be, and no node is over-committed" "$(check_placements)" \
    "$pods bound, 0 pending, 0 misplaced, 0 nodes over-committed"
is "the bound ones of an app are in the zone it wants" \
    "$(jq -r '.items[] | select(.metadata.labels.app == "app-3") |
	.spec.nodeName | ltrimstr("node-") | tonumber % 3' \
	"$tmp/final/pods.json" | sort -u | wc -l)" 1
if [ "$SCHEDULER" = predicated ]; then
	is "no pod was ever found in no queue" \
	    "$(metric predicated_queue_sweep_repairs_total)" 0
fi
is "the scheduler knows all pods" \
    "$(metric 'scheduler_scheduler_cache_size{type="pods"}')" "$pods"
echo "# scheduler: $(cpu_seconds "$scheduler_pid") CPU seconds," \
    "$(rss_peak "$scheduler_pid") MiB at most"
finish
