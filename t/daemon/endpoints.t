#!/bin/sh
# What our server asks the API server about those who ask it, and as whom; and
# that /configz shows the options.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

unset KUBECONFIG
mkdir -p "$apiserver_dir"
cat >"$apiserver_dir/tokens.csv" <<END
admin-token,admin,0,system:masters
our-token,system:serviceaccount:kube-system:predicated,1,"system:serviceaccounts"
END
start_apiserver

# code [CURL'S ARGUMENTS…]: of /metrics.
code() {
	curl -sk --noproxy '*' --max-time 5 -o /dev/null -w '%{http_code}' \
	    "$@" "https://127.0.0.1:$scheduler_port/metrics"
}
by_certificate() {
	code --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key"
}
by_token() {
	code -H 'Authorization: Bearer admin-token'
}
is_let_in() {
	[ "$(by_certificate)" = 200 ]
}

# ---- /configz ----

log=$tmp/configz.log
start_scheduler predicated "$log" --seed=42
wait_scheduler
wait_until 20 is_let_in
is "who has a certificate of the cluster is let in" "$(by_certificate)" 200
is "/configz has the options, as JSON" "$(curl -sk --noproxy '*' \
    --cert "$apiserver_dir/admin.crt" --key "$apiserver_dir/admin.key" \
    "https://127.0.0.1:$scheduler_port/configz" |
    jq -c '.componentconfig | [.scheduling.seed, .policy.file]')" \
    "[42,\"$policy\"]"
stop_process "$scheduler_pid" TERM

# ---- nobody may look up the client CA ----

through=$(kubeconfig_for nobody-special)
start_scheduler predicated "$tmp/strict.log" \
    --authentication-tolerate-lookup-failure=false
wait "$scheduler_pid"
is "a failure that is not tolerated ends it" $? 1
has "and is said" "$(cat "$tmp/strict.log")" "cannot read the ConfigMap"
start_scheduler predicated "$tmp/tolerant.log"
wait_scheduler
is "one that is tolerated does not" "$(by_certificate)" 401
stop_process "$scheduler_pid" TERM

# ---- without kubeconfigs: none in no pod, the service account's in a pod ----

through=$(scheduler_user predicated)
start_scheduler predicated "$tmp/none.log" --authentication-kubeconfig= \
    --authorization-kubeconfig=
wait_scheduler
is "without a kubeconfig tokens are not accepted" "$(by_token)" 401
stop_process "$scheduler_pid" TERM

account=$tmp/pod/secrets/kubernetes.io/serviceaccount
mkdir -p "$account"
cp "$apiserver_ca" "$account/ca.crt"
echo our-token >"$account/token"
if unshare -rm true 2>/dev/null; then
	run_scheduler() {
		KUBERNETES_SERVICE_HOST=127.0.0.1 \
		    KUBERNETES_SERVICE_PORT=$apiserver_port \
		    exec setpriv --pdeathsig KILL unshare -rm sh -c '
			mount --bind "$0" /var/run && exec "$@"' "$tmp/pod" "$@"
	}
	start_scheduler predicated "$tmp/pod.log" --kubeconfig= \
	    --authentication-kubeconfig= --authorization-kubeconfig=
	wait_scheduler
	wait_until 20 is_let_in
	is "in a pod certificates are accepted" "$(by_certificate)" 200
	is "and tokens" "$(by_token)" 200
	is "but not everybody's" "$(code)" 403
	has "all as the service account" "$(cat "$tmp/pod.log")" "in-cluster"
else
	pass "in a pod # SKIP there are no mount namespaces here"
fi
finish
