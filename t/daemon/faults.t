#!/bin/sh
# What a healthy API server never does: it refuses, fails, forgets to answer,
# and connections break, stall and go silent in the middle of a burst.  All pods
# are bound nevertheless, none twice, none where it must not be.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=200
pods=1000
extra=0

# verdict NAME N: N pods were to be bound by now.
verdict() {
	if observed_all; then
		pass "$1: all are bound"
	else
		fail "$1: all are bound" "$(tail -n 20 "$tmp/scheduler.log")"
	fi
	is "$1: none twice" "$(bound_twice)" ""
	is "$1: where they may be" "$(check_placements)" \
	    "$2 bound, 0 pending, 0 misplaced, 0 nodes over-committed"
	wait_until 60 metric_is \
	    'scheduler_scheduler_cache_size{type="assumed_pods"}' 0
	is "$1: none is left assumed" "$(metric \
	    'scheduler_scheduler_cache_size{type="assumed_pods"}')" 0
	is "$1: the scheduler knows them all" "$(metric \
	    'scheduler_scheduler_cache_size{type="pods"}')" "$2"
}

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
config=$(scheduler_user "$SCHEDULER")

start_tls_proxy "$config"
for list in nodes pods services; do
	proxy answer 500 GET "/api/v1/$list?" >/dev/null
	proxy answer retry-after=1 429 GET "/api/v1/$list?" >/dev/null
	proxy answer 410 GET "/api/v1/$list?" >/dev/null
done
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_scheduler
for status in 409 429 500 503; do
	proxy answer skip=20 count=15 one-in=5 "$status" POST /binding \
	    >/dev/null
done
proxy answer skip=100 count=5 retry-after=1 429 POST /binding >/dev/null
proxy lose skip=50 count=10 one-in=10 POST /binding >/dev/null
proxy hang skip=50 count=2 one-in=20 POST /binding >/dev/null
proxy delay count=20 one-in=10 300 POST /binding >/dev/null
proxy answer count=50 500 POST /events >/dev/null
proxy lose count=10 POST /events >/dev/null
observe "$pods" --timeout 600
make_cluster --pods "$pods" --affinity
verdict "wrong answers" "$pods"
echo "# $(proxy stats)"

observe "$pods" --timeout 600
make_cluster --pods "$pods" --affinity --rate 200 --first "$pods" &
making=$!
# Over HTTP/1.1 a watch that went silent looks like one that has nothing to say,
# until it has said nothing for longer than bookmarks are apart: 90 s.
for fault in cut reset stall go cut 'cut watch=' refuse accept 'mute binding' \
    'mute events' 'reset binding' 'reset watch=' 'mute watch=' mute; do
	sleep 0.4
	# shellcheck disable=SC2086 # to be split
	proxy $fault >/dev/null
done
wait "$making"
verdict "broken connections" $((2 * pods))

# What only an old cache would decide is not decided.
not_ready() {
	! show /readyz >/dev/null 2>&1
}
if [ "$SCHEDULER" = predicated ]; then
	proxy answer count=0 503 GET "/api/v1/nodes?watch" >/dev/null
	proxy cut watch= >/dev/null
	wait_until 60 not_ready
	wait_until 30 grep -q "the caches are behind the API server, no pods \
are scheduled: nodes" "$tmp/scheduler.log"
	is "a broken watch: the log names it" "$?" 0
	is "a broken watch: since when" "$(metrics | awk '
	    /^predicated_watch_behind_seconds/ { if ($2 >= 15) n++ }
	    END { print n }')" 1
	extra=10
	observe $extra --timeout 600
	make_cluster --pods $extra --first $((2 * pods))
	wait_until 30 metric_is 'scheduler_pending_pods{queue="active"}' $extra
	is "a broken watch: nothing is decided" "$(k get pods -A -o name \
	    --field-selector spec.nodeName= | wc -l)" $extra
	proxy clear >/dev/null
	wait_until 60 show /readyz >/dev/null
	wait_until 30 grep -q "the caches are current again" "$tmp/scheduler.log"
	is "a broken watch: until it works" "$?" 0
	verdict "a broken watch" $((2 * pods + extra))
fi
stop_process "$scheduler_pid" TERM
stop_process "$proxy_pid" TERM

# The same with what is usual: TLS and HTTP/2 up to the server.
start_proxy "$config"
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_scheduler
observe "$pods" --timeout 600
make_cluster --pods "$pods" --affinity --rate 200 --first $((2 * pods + extra)) &
making=$!
for fault in cut reset cut stall go refuse cut accept mute reset; do
	sleep 0.5
	proxy "$fault" >/dev/null
done
wait "$making"
verdict "broken HTTP/2 connections" $((3 * pods + extra))
finish
