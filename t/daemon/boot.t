#!/bin/sh
# API server and scheduler start at the same time, as static pods do: it refuses
# connections, then requests of everybody, and does not serve CRDs yet.  In the best of
# ROUNDS (3) starts predicated binds the pod that waits about when kube-scheduler does.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

rounds=${ROUNDS:-3}
policy=

seconds() {
	date +%s.%N
}

bound() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}' 2>/dev/null)" ]
}

# boot PROGRAM: once, with a pod that waits; adds a line to $tmp/PROGRAM: seconds from
# the start to the binding, and to the readiness of the server.
boot() {
	pod=$1-$(wc -l <"$tmp/$1")
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $pod}
	spec: {containers: [{name: c, image: i}]}
	END
	through=$(scheduler_user "$1")
	stop_kube_apiserver KILL
	sleep 1
	begun=$(seconds)
	start_scheduler "$1" "$tmp/$pod.log"
	start_kube_apiserver
	wait_apiserver || bail_out "the API server does not come back"
	ready=$(seconds)
	wait_until 60 bound "$pod" || bail_out "$1 does not bind: $(cat "$tmp/$pod.log")"
	echo "$begun $ready $(seconds)" |
	    awk '{ print $3 - $1, $2 - $1 }' | tee -a "$tmp/$1" |
	    sed "s/^/# $1: bound, server ready after s: /"
	stop_process "$scheduler_pid" TERM
}

start_apiserver
make_cluster --nodes 3 --pods 0
: >"$tmp/predicated"
: >"$tmp/kube-scheduler"
for round in $(seq "$rounds"); do
	boot predicated
	boot kube-scheduler
done
best() {
	sort -n "$tmp/$1" | awk 'NR == 1 { print $1 }'
}
# Without what it waited for in vain, 10 or 15 s, it is not five times a second late.
is "at most a second behind kube-scheduler, give or take a busy machine" \
    "$(echo "$(best predicated) $(best kube-scheduler)" |
	awk '{ print ($1 - $2 < 5) ? "yes" : $1 " and " $2 }')" yes
for log in "$tmp"/predicated-*.log; do
	lacks "no guess" "$(cat "$log")" "assuming"
	has "the release" "$(cat "$log")" \
	    "the API server runs Kubernetes 1.$kubernetes_minor"
done
finish
