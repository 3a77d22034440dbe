#!/bin/sh
# API server and etcd are stopped in the middle of a burst, for OUTAGE seconds
# (10), and etcd forgets what was before: the scheduler waits, recovers and finishes.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=300
pods=2000
outage=${OUTAGE:-10}

# etcd_says CALL JSON
etcd_says() {
	curl -fsS --noproxy '*' --max-time 5 -d "$2" \
	    "http://127.0.0.1:$etcd_port/v3/kv/$1" 2>"$tmp/etcd.err"
}

# Every resourceVersion that a watch could go on from is gone.
compacted() {
	revision=$(etcd_says range '{"key": "AA=="}' | jq -er .header.revision) &&
	    etcd_says compaction "{\"revision\": \"$revision\"}" >/dev/null
}

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
make_cluster --pods "$pods" --affinity
observe "$pods" --timeout $((outage + 120))
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_until 30 observed_so_far $((pods / 4)) || bail_out "nothing is bound"
logged=$(wc -l <"$tmp/scheduler.log")
stop_kube_apiserver KILL
stop_etcd KILL
sleep 2
seen=$(wc -l <"$tmp/observed")
echo "# $seen were bound when the server went away for $outage s"
went=$(date +%s)
before=$(cpu_seconds "$scheduler_pid")
sleep "$outage"
after=$(cpu_seconds "$scheduler_pid")
if running "$scheduler_pid"; then
	pass "it waits"
else
	fail "it waits" "$(tail -n 20 "$tmp/scheduler.log")"
fi
is "and does not spin" \
    "$(echo "$before $after $outage" | awk '{ print ($2 - $1 < $3 / 10) }')" 1
start_etcd
wait_until 30 compacted || bail_out "etcd does not compact"
start_kube_apiserver $audit_flags
wait_apiserver || bail_out "the API server does not come back"
back=$(date +%s)
if wait_until 90 observed_so_far "$pods"; then
	pass "it finishes"
else
	fail "it finishes" "$(tail -n 1 "$tmp/observed")
$(tail -n 20 "$tmp/scheduler.log")"
fi
echo "# all were bound $(($(date +%s) - back)) s after the server came back"
# Pods are bound before the last watch has waited out its pause.
says_it_is_over() {
	grep -q 'all watches work again' "$tmp/scheduler.log"
}
wait_until 60 says_it_is_over
# One line for each kind of trouble a minute, and one when it is over.
tail -n "+$((logged + 1))" "$tmp/scheduler.log" >"$tmp/outage.log"
minutes=$((1 + ($(date +%s) - went) / 60))
echo "# $(grep -c . "$tmp/outage.log") lines in $minutes min, of them warnings and errors:"
sed -n 's/^[WE][^]]*\] //p' "$tmp/outage.log" | sed 's/[0-9][0-9]*/N/g' | cut -c 1-60 |
    sort | uniq -c | sed 's/^/#/'
for kind in 'watch ended\|cannot list\|cannot determine the API' 'leader lock' \
    'writing the status' 'config.openshift.io'; do
	is "$kind: at most one line a minute" \
	    "$(($(grep -c "^[WE].*\($kind\)" "$tmp/outage.log") <= minutes))" 1
done
has "and one when it is over" "$(cat "$tmp/outage.log")" "all watches work again"
is "where they may be" "$(check_placements)" \
    "$pods bound, 0 pending, 0 misplaced, 0 nodes over-committed"
is "none twice" "$(bound_twice)" ""
is "the scheduler knows all pods" \
    "$(metric 'scheduler_scheduler_cache_size{type="pods"}')" "$pods"
finish
