#!/bin/sh
# What the daemon shows and trusts is replaced while it runs, as it is in
# clusters that live long: authority, client certificate, token, the certificate
# of its own server.  It goes on and is never restarted.  And SIGHUP.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

us=system:serviceaccount:kube-system:predicated
mine=$tmp/mine
next=$apiserver_dir/next

on_a_node() {
	[ -n "$(k get pod "$1" -o 'jsonpath={.spec.nodeName}')" ]
}

# binds NAME POD: makes a pod, which gets a node.
binds() {
	k create -f - >/dev/null <<-END
	apiVersion: v1
	kind: Pod
	metadata: {name: $2}
	spec: {containers: [{name: main, image: i}]}
	END
	bound "$@"
}

bound() {
	if wait_until 60 on_a_node "$2"; then
		pass "$1"
	else
		fail "$1" "$(tail -n 20 "$log")"
	fi
}

# put FILE… FOLDER: each takes the place of another at once.
put() {
	for folder; do :; done
	while [ $# -gt 1 ]; do
		cp "$1" "$folder/.new"
		mv "$folder/.new" "$folder/${1##*/}"
		shift
	done
}

restart_apiserver() {
	stop_kube_apiserver
	start_kube_apiserver
	wait_apiserver || bail_out "kube-apiserver does not come back"
}

renewal() {
	k -n kube-system get lease kube-scheduler -o 'jsonpath={.spec.renewTime}'
}
is_later() {
	[ "$(renewal)" != "$before" ]
}
# Waits for it to renew its lease.
renews() {
	before=$(renewal)
	wait_until 20 is_later
}

is_let_in() {
	show /version
}

start_apiserver
make_cluster --nodes 5
config=$(scheduler_user predicated)
mkdir "$mine" "$mine/from"
cp "$apiserver_ca" "$mine/ca.crt"
cp "${config%.kubeconfig}.crt" "$mine/client.crt"
cp "${config%.kubeconfig}.key" "$mine/client.key"
sed 's/client-certificate: .*/client-certificate: client.crt/
    s/client-key: .*/client-key: client.key/' "$config" >"$mine/kubeconfig"
certificate "$mine/server" /CN=first ""
through=$mine/kubeconfig
log=$tmp/certificates.log
cat >"$tmp/predicated.conf" <<'END'
scheduling: { percentage_of_nodes_to_score = 40; };
END
start_scheduler predicated "$log" --leader-elect=true \
    --config-file "$tmp/predicated.conf" \
    --tls-cert-file "$mine/server.crt" --tls-private-key-file "$mine/server.key"
wait_scheduler
binds "at first" one

# ---- authority and client certificate ----

certificate "$next" /CN=next-ca ""
cat "$apiserver_ca" "$next.crt" >"$tmp/both.crt"
cp "$tmp/both.crt" "$mine/from/ca.crt"
put "$mine/from/ca.crt" "$mine"
put "$mine/from/ca.crt" "$apiserver_dir"
restart_apiserver
binds "with a second authority" two

certificate "$mine/from/client" "/O=system:serviceaccounts/CN=$us" "$next"
put "$mine/from/client.crt" "$mine"
binds "while the new certificate is there and its key is not" three
put "$mine/from/client.key" "$mine"
# It looks at files when it has something to ask, and not twice in a second.
renews
renews

certificate "$apiserver_dir/admin" /O=system:masters/CN=admin "$next"
certificate "$apiserver_dir/server" /CN=kube-apiserver "$next" \
    "subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes"
cp "$next.crt" "$mine/from/ca.crt"
put "$mine/from/ca.crt" "$apiserver_dir"
restart_apiserver
binds "when nothing of the first authority counts any more" four
put "$mine/from/ca.crt" "$mine"
restart_apiserver
binds "nor is trusted" five
kill -HUP "$scheduler_pid"
wait_until 20 is_let_in
is "the new authority counts for its own server, too" $? 0
is "it was at all times known to the API server" \
    "$(metrics | grep -c 'rest_client_requests_total{code="401"')" 0

# ---- the certificate of its own server ----

shown() {
	openssl s_client -connect "127.0.0.1:$scheduler_port" </dev/null \
	    2>/dev/null | openssl x509 -noout -subject
}
shows() {
	[ "$(shown)" = "subject=CN = $1" ]
}
is "its server has the certificate of --tls-cert-file" "$(shown)" \
    "subject=CN = first"
certificate "$mine/from/server" /CN=second ""
put "$mine/from/server.crt" "$mine/from/server.key" "$mine"
wait_until 30 shows second
is "one that takes its place is found" "$(shown)" "subject=CN = second"

# ---- SIGHUP ----

score() {
	show /configz |
	    jq .componentconfig.scheduling.percentage_of_nodes_to_score
}
score_is() {
	[ "$(score)" = "$1" ]
}
said() {
	grep -q "$1" "$log"
}
is "the configuration" "$(score)" 40
cat >"$tmp/predicated.conf" <<'END'
scheduling: { percentage_of_nodes_to_score = 70; };
server: { address = "127.0.0.2"; };
END
kill -HUP "$scheduler_pid"
wait_until 20 score_is 70
is "SIGHUP reads it again" "$(score)" 70
has "and says what changed" "$(cat "$log")" \
    "changed: --percentage-of-nodes-to-score"
echo 'scheduling: { percentage_of_nodes_to_score = 101; };' \
    >"$tmp/predicated.conf"
kill -HUP "$scheduler_pid"
wait_until 20 said 'predicated.conf:1: error: '
has "what is wrong there is said" "$(cat "$log")" 'predicated.conf:1: error: '
is "and changes nothing" "$(score)" 70
binds "it goes on" six
is "it is still the same process" "$(running "$scheduler_pid" && echo yes)" yes
stop_process "$scheduler_pid" TERM

# ---- a token ----

# new_token FOLDER: a token of the service account, in a folder of its own that
# takes the place of the one before, as kubelet does it.
new_token() {
	mkdir -p "$mine/$1"
	service_account_token >"$mine/$1/token"
	ln -s "$1" "$mine/..new"
	mv -T "$mine/..new" "$mine/..data"
}
token_is() {
	[ "$(curl -s --noproxy '*' --cacert "$apiserver_ca" -o /dev/null \
	    -w '%{http_code}' -A test \
	    -H "Authorization: Bearer $(cat "$mine/..data/token")" \
	    "$apiserver_url/api/v1/nodes?limit=1")" = "$1" ]
}
new_token first
wait_until 20 token_is 200 || bail_out "the API server takes no token"
ln -s ..data/token "$mine/token"
sed '/client-certificate: /d
    s/client-key: .*/tokenFile: token/' "$mine/kubeconfig" >"$mine/by-token"
through=$mine/by-token
log=$tmp/token.log
start_scheduler predicated "$log" --leader-elect=true
wait_scheduler
binds "with a token" seven
k -n kube-system delete serviceaccount predicated >/dev/null
k -n kube-system create serviceaccount predicated >/dev/null
wait_until 60 token_is 401
k create -f - >/dev/null <<'END'
apiVersion: v1
kind: Pod
metadata: {name: eight}
spec: {containers: [{name: main, image: i}]}
END
unknown() {
	metrics | grep -q 'rest_client_requests_total{code="401"'
}
wait_until 30 unknown
is "one that is revoked is refused" $? 0
is "which it survives" "$(running "$scheduler_pid" && echo yes)" yes
new_token second
bound "and goes on with the next one" eight
finish
