#!/bin/sh
# 5,000 nodes and 50,000 bound pods: memory, and the time from start to the
# first bound pod.  NODES and PODS make it smaller.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-5000}
bound=${PODS:-50000}
limit_mib=250

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes" \
    --services 20 --pods "$bound" --onto "$nodes" --prefix old
make_cluster --pods 100
observe 100 --timeout 600
begin=$(date +%s.%N)
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_until 60 observed_so_far 1
first=$(echo "$(date +%s.%N) $begin" | awk '{ print $1 - $2 }')
if observed_all; then
	pass "100 more are bound"
else
	fail "100 more are bound" "$(tail -n 20 "$tmp/scheduler.log")"
fi
wait_until 20 metric_is 'scheduler_scheduler_cache_size{type="pods"}' \
    $((bound + 100))
is "it knows them all" \
    "$(metric 'scheduler_scheduler_cache_size{type="pods"}')" $((bound + 100))
peak=$(rss_peak "$scheduler_pid")
now=$(awk '/^VmRSS/ { printf "%.1f", $2 / 1024 }' "/proc/$scheduler_pid/status")
echo "# $nodes nodes, $bound bound pods: $now MiB, at most $peak MiB;" \
    "first bound pod after $first s;" \
    "$(cpu_seconds "$scheduler_pid") CPU seconds"
if [ "$SCHEDULER" = predicated ] && ! sanitized; then
	is "at most $limit_mib MiB were ever resident" \
	    "$(echo "$peak" | awk -v l="$limit_mib" '{ print ($1 < l) }')" 1
fi
finish
