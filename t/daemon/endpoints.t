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

# ---- predicatectl asks it, too ----

daemon=https://127.0.0.1:$scheduler_port
version=$("$BUILDDIR/predicatectl" version --kubeconfig "$admin" \
    --daemon "$daemon" -o json)
is "version has the API server's and the daemon's" \
    "$(echo "$version" | jq -c '[.serverVersion.minor, .daemonVersion.gitVersion]')" \
    "[\"$kubernetes_minor\",$(echo "$version" | jq .clientVersion.gitVersion)]"
k create -f - >/dev/null <<'END'
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: small}, status: {allocatable: {cpu: 1, memory: 1Gi, pods: 9}}}
- apiVersion: v1
  kind: Pod
  metadata: {name: big, namespace: default}
  spec:
    containers: [{name: c, image: i, resources: {requests: {cpu: 9}}, env: [{name: X, value: hunter2}]}]
END
has_event() {
	k get events --field-selector reason=FailedScheduling -o name | grep -q .
}
wait_until 20 has_event
report=$tmp/report.json
"$BUILDDIR/predicatectl" dump --kubeconfig "$admin" --daemon "$daemon" \
    --log "$log" --write "$report" 2>"$tmp/dump.err"
is "a dump has every page" "$?:$(cat "$tmp/dump.err")" 0:
by_token=$apiserver_dir/by_token.kubeconfig
sed '/client-certificate/d; s,client-key:.*,token: admin-token,' "$admin" \
    >"$by_token"
has "a token that is not sent is named" "$("$BUILDDIR/predicatectl" dump \
    --kubeconfig "$by_token" --daemon "$daemon" --write "$tmp/anonymous" 2>&1)" \
    "by_token.kubeconfig (its token is sent with --daemon-ca only) are missing"
is "a dump has the daemon's options" "$(jq -r \
    '.report.daemon["/configz"].componentconfig | type' "$report")" object
has "a dump has the log" "$(jq -r .report.log "$report")" "Serving securely"
"$BUILDDIR/predicatectl" explain default/big --cluster "$report" >"$tmp/big"
has "a dump says why" "$(cat "$tmp/big")" "Insufficient cpu"
is "a dump has no secret" "$(grep -c -e hunter2 -e 'PRIVATE KEY' \
    -e "$(sed -n 2p "$apiserver_dir/admin.key")" "$report")" 0
k delete pod big --wait=false >/dev/null
k delete node small >/dev/null

# ---- clients that only take up room ----

healthz() {
	curl -sk --noproxy '*' --max-time 10 \
	    "https://127.0.0.1:$scheduler_port/healthz"
}
# crowd N MODE [ARGUMENT…]: waits until they are all there.
crowd() {
	: >"$tmp/crowd"
	(with_us "$BUILDDIR/t/http/crowd" "$scheduler_port" "$@") \
	    >"$tmp/crowd" &
	crowd=$!
	wait_until 60 test -s "$tmp/crowd"
}
for mode in tcp half; do
	crowd 250 $mode
	is "with 250 connections of $mode health answers" "$(healthz)" ok
	is "and so do metrics to who may see them" "$(by_certificate)" 200
	stop_process "$crowd"
	crowd 250 $mode from=127.0.0.2
	is "from another address, too" "$(healthz) $(by_certificate)" "ok 200"
	stop_process "$crowd"
done
crowd 250 tcp again from=127.0.0.2
is "while they come again and again" "$(healthz) $(by_certificate)" "ok 200"
stop_process "$crowd"
stop_process "$scheduler_pid" TERM

# ---- no permission to look up the client CA ----

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
plain=$(free_port)
start_scheduler predicated "$tmp/none.log" --authentication-kubeconfig= \
    --authorization-kubeconfig= --address=127.0.0.1 --port="$plain"
wait_scheduler
is "without a kubeconfig tokens are not accepted" "$(by_token)" 401
# insecure PATH: its status on the port without TLS
insecure() {
	curl -s --noproxy '*' --max-time 5 -o /dev/null -w '%{http_code} ' \
	    "http://127.0.0.1:$plain$1"
}
is "without TLS there are health and metrics" \
    "$(insecure /healthz)$(insecure /livez/ping)$(insecure /metrics)" \
    "200 200 200 "
is "and nothing else" \
    "$(insecure /configz)$(insecure /version)$(insecure /debug/queue)" \
    "404 404 404 "
has "as the log says" "$(cat "$tmp/none.log")" \
    "Serving health and metrics insecurely on [127.0.0.1]:$plain"
stop_process "$scheduler_pid" TERM

account=$tmp/pod/secrets/kubernetes.io/serviceaccount
mkdir -p "$account"
cp "$apiserver_ca" "$account/ca.crt"
echo our-token >"$account/token"
if can_mount --map-root-user; then
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
	is "but not of every user" "$(code)" 403
	has "all as the service account" "$(cat "$tmp/pod.log")" "in-cluster"
else
	for name in "in a pod certificates are accepted" "and tokens" \
	    "but not everybody's" "all as the service account"; do
		skip "$name" "$no_mounts"
	done
fi
finish
