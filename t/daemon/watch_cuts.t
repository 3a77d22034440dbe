#!/bin/sh
# Watches are cut, torn and repeated at 200 random points (CUTS), and ended with
# 410: no event is lost, the scheduler's picture is that of a fresh list.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=200
pods=1500
cuts=${CUTS:-200}

hits() {
	proxy stats | awk '{ print $8 }'
}

known() {
	metric "scheduler_scheduler_cache_size{type=\"$1\"}"
}

start_audited_apiserver
make_cluster --nodes "$nodes" --services 20
start_tls_proxy "$(scheduler_user "$SCHEDULER")"
start_scheduler "$SCHEDULER" "$tmp/scheduler.log"
wait_scheduler
proxy end count=$((cuts / 4)) one-in=16 watch= >/dev/null
proxy truncate count=$((cuts / 8)) one-in=24 watch= >/dev/null
proxy duplicate count=0 one-in=10 watch= >/dev/null
proxy gone count=$((cuts / 8)) one-in=24 watch= >/dev/null
observe "$pods" --timeout 600
make_cluster --pods "$pods" --affinity --rate 150
# Nodes come, change and go meanwhile, and pods vanish.
k delete node node-00000 node-00001 --wait=false >/dev/null
k label nodes -l zone=zone-2 turn=one >/dev/null
k cordon node-00007 >/dev/null
if observed_all; then
	pass "all are bound"
else
	fail "all are bound" "$(tail -n 20 "$tmp/scheduler.log")"
fi
# The others at moments that have nothing to do with events.
cut() {
	grep -cE '^(end|truncate|gone|broken) .*watch=' "$tmp/proxy.log"
}
turn=0
while [ "$turn" -lt 100 ] && [ "$(cut)" -lt "$cuts" ]; do
	turn=$((turn + 1))
	k label nodes -l rack=rack-$((turn % 10)) --overwrite turn="$turn" \
	    >/dev/null &
	sleep "0.$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')"
	proxy "$([ $((turn % 2)) -eq 0 ] && echo cut || echo reset)" watch= \
	    >/dev/null
	wait $!
done
echo "# $(cut) watches cut, $(hits) faults in all"
is "as often as wanted" "$([ "$(cut)" -ge "$cuts" ] && echo yes)" yes
proxy clear >/dev/null
is "each exactly once" "$(accepted_bindings)" "$pods of $pods"
wait_until 20 eval '[ "$(known pods)" = "$pods" ] &&
    [ "$(known nodes)" = $((nodes - 2)) ]'
is "it knows as many pods as a fresh list has" "$(known pods)" \
    "$(k get pods -o name | wc -l)"
is "and as many nodes" "$(known nodes)" "$(k get nodes -o name | wc -l)"

# That it knows them as they are shows in what it does: only one node is left
# that fits, and it was changed while watches were cut.
k label node node-00007 only=here >/dev/null
k uncordon node-00007 >/dev/null
k apply -f - >/dev/null <<'END'
apiVersion: v1
kind: Pod
metadata: {name: last, namespace: default}
spec:
  nodeSelector: {only: here}
  containers: [{name: main, image: i}]
END
place_of() {
	k get pod "$1" -o jsonpath='{.spec.nodeName}'
}
wait_until 30 eval '[ -n "$(place_of last)" ]'
is "the last change counts" "$(place_of last)" node-00007
finish
