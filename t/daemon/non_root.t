#!/bin/sh
# As a user who is not root, with the RBAC that we ship and nothing more:
# nothing it asks for is forbidden, and promtool accepts its metrics.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

start_apiserver
make_cluster --nodes 20 --services 20
through=$tmp/someone/kubeconfig
config=$(scheduler_user predicated)
mkdir "$tmp/someone"
cp "$apiserver_ca" "${config%.kubeconfig}.crt" "${config%.kubeconfig}.key" \
    "$tmp/someone/"
cp "$config" "$through"
cp "$policy" "$tmp/someone/policy.cfg"
policy=$tmp/someone/policy.cfg
if [ "$(id -u)" -eq 0 ]; then
	# Another user runs it; the folders above must let nobody pass
	chmod 755 "$tmp"
	chown -R nobody: "$tmp/someone"
	mkdir "$tmp/bin"
	cp "$BUILDDIR/predicated" "$tmp/bin/" || bail_out "no predicated"
	chmod 755 "$tmp/bin" "$tmp/bin/predicated"
	run_scheduler() {
		program=$1
		shift
		exec setpriv --reuid nobody --regid nogroup --clear-groups \
		    --inh-caps -all --bounding-set -all --no-new-privs \
		    --pdeathsig KILL "$tmp/bin/${program##*/}" "$@"
	}
fi
start_scheduler predicated "$tmp/scheduler.log" --leader-elect=true --v=4
wait_scheduler
observe 200 --events 200 --timeout 600
make_cluster --pods 200 --affinity
if observed_all; then
	pass "all are bound, with events"
else
	fail "all are bound, with events" "$(tail -n 20 "$tmp/scheduler.log")"
fi
is "not as root" "$(awk '/^Uid/ { print ($2 > 0 && $3 > 0) }' \
    "/proc/$scheduler_pid/status")" 1
# A pod that fits nowhere gets a condition and an event; one that is more
# important than others has them evicted.
k apply -f - >/dev/null <<'END'
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere, namespace: default}
spec:
  nodeSelector: {no: where}
  containers: [{name: main, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: important, namespace: default}
spec:
  priorityClassName: high
  containers: [{name: main, image: i, resources: {requests: {cpu: "7900m"}}}]
END
condition() {
	k get pod "$1" -o json | jq -r '.status.conditions[]? |
	    select(.type == "PodScheduled") | .message'
}
wait_until 20 eval '[ -n "$(condition nowhere)" ]'
has "a pod that fits nowhere is told why" "$(condition nowhere)" \
    "0/20 nodes are available: 20 node(s) didn't match node selector."
has "by an event, too" "$(k get events -o json | jq -r '.items[] |
    select(.reason == "FailedScheduling") | .message')" "0/20 nodes"
wait_until 30 eval '[ -n "$(k get pod important \
    -o jsonpath="{.spec.nodeName}")" ]'
is "room is made for one that is important" \
    "$([ -n "$(k get pod important -o jsonpath='{.spec.nodeName}')" ] &&
	echo yes)" yes
is "nothing was forbidden" \
    "$(grep -ciE 'forbidden|HTTP 403|cannot (list|get|watch|create)' \
	"$tmp/scheduler.log")" 0
is "and nothing was asked for that is" \
    "$(metrics | grep -c 'rest_client_requests_total{code="403"')" 0
metrics >"$tmp/metrics"
has "requests are counted by the server's address" "$(cat "$tmp/metrics")" \
    'rest_client_requests_total{code="200",host="127.0.0.1:'
if command -v promtool >/dev/null; then
	is "promtool accepts the metrics" \
	    "$(promtool check metrics <"$tmp/metrics" 2>&1)" ""
else
	fail "promtool accepts the metrics" \
	    "there is no promtool (Debian package prometheus)"
fi
finish
