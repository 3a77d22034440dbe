#!/bin/sh
# A server that does not say which version of Kubernetes it is, is asked again.  After
# ten seconds it is taken for the newest one known, until it says so.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

make_pod() {
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $1}
	spec: {containers: [{name: c, image: i}]}
	END
}

on_a_node() {
	[ -n "$(k get pod "$1" -o jsonpath='{.spec.nodeName}')" ]
}

# knows NAME SENTENCE: that scheduler's log has the line within half a minute.
knows() {
	wait_until 30 grep -q "$2" "$tmp/$1.log"
	has "$1: the log" "$(cat "$tmp/$1.log")" "$2"
}

# starts_with_newest NAME: one that hears this of its server binds pods.
starts_with_newest() {
	start_scheduler predicated "$tmp/$1.log"
	wait_scheduler
	make_pod "$1"
	wait_until 30 on_a_node "$1"
	is "$1: a pod is bound" "$?" 0
	knows "$1" "the API server does not say which version of Kubernetes \
it is: assuming 1.36 (--kubernetes-version overrides that)"
	stop_process "$scheduler_pid"
}

start_apiserver
make_cluster --nodes 2
start_tls_proxy "$(scheduler_user predicated)"

# Its JSON may or may not be indented.
minor=$kubernetes_minor
proxy swap "\"minor\":\"$minor\"" '"minor":""%20%20' >/dev/null
proxy swap "\"minor\":%20\"$minor\"" '"minor":%20""%20%20' >/dev/null
proxy swap '"gitVersion":' '"notVersion":' >/dev/null
starts_with_newest empty
proxy clear >/dev/null

# Of a version without a minor, gitVersion has it.
proxy swap "\"minor\":\"$minor\"" '"minor":"x+"' >/dev/null
proxy swap "\"minor\":%20\"$minor\"" '"minor":%20"x+"' >/dev/null
start_scheduler predicated "$tmp/git.log"
knows git "the API server runs Kubernetes 1.$minor"
stop_process "$scheduler_pid"
proxy clear >/dev/null

# ... which is not for good.
proxy answer count=0 404 GET /version >/dev/null
start_scheduler predicated "$tmp/missing.log"
wait_scheduler
knows missing "assuming 1.36"
make_pod missing
wait_until 30 on_a_node missing
is "missing: a pod is bound" "$?" 0
proxy clear >/dev/null
if [ "$minor" -lt 36 ]; then
	knows missing "the API server runs Kubernetes 1.$minor, not 1.36: \
building everything again by its rules"
fi
wait_until 30 grep -q "the API server runs Kubernetes 1.$minor\$" \
    "$tmp/missing.log"
is "missing: it is told at last" "$?" 0
is "missing: whose rules count" "$(wait_until 30 show /readyz >/dev/null
    show /debug/status | jq -r .kubernetes)" "1.$minor"
make_pod later
wait_until 30 on_a_node later
is "missing: the next pod is bound" "$?" 0
is "missing: it is the same process" \
    "$(running "$scheduler_pid" && echo yes)" yes
stop_process "$scheduler_pid" TERM
lacks "missing: it ends without another start" \
    "$(tail -n 1 "$tmp/missing.log")" "API server"

# One that starts does not know our rights yet: no guess.
for status in 403 404; do
	proxy answer count=6 "$status" GET /version >/dev/null
	start_scheduler predicated "$tmp/starting.log"
	wait_scheduler
	knows starting "the API server runs Kubernetes 1.$minor"
	lacks "$status at first: no guess" "$(cat "$tmp/starting.log")" "assuming"
	is "$status at first: one line" "$(grep -c \
	    'cannot determine the Kubernetes version' "$tmp/starting.log")" 1
	stop_process "$scheduler_pid"
	rm "$tmp/starting.log"
done

# One that cannot answer now is asked again.
proxy answer count=2 503 GET /version >/dev/null
start_scheduler predicated "$tmp/busy.log"
knows busy "the API server runs Kubernetes 1.$minor"

finish
