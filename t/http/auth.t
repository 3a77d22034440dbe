#!/bin/sh
# Who may see what of our server, as a real kube-apiserver decides it.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/lib/serve.sh"

cd "$tmp" || exit 99
mkdir -p "$apiserver_dir"
certificate proxy-ca /CN=proxy-ca ""
certificate front-proxy /CN=front-proxy proxy-ca
certificate no-proxy /CN=no-proxy proxy-ca
certificate self /O=system:masters/CN=eve ""
cat >"$apiserver_dir/tokens.csv" <<END
admin-token,admin,0,system:masters
monitor-token,monitor,1,system:monitoring
later-token,later,2,system:monitoring
jane-token,jane,3,people
END
start_apiserver \
    --requestheader-client-ca-file "$tmp/proxy-ca.crt" \
    --requestheader-allowed-names front-proxy,other-proxy \
    --requestheader-username-headers X-Remote-User \
    --requestheader-group-headers X-Remote-Group \
    --requestheader-extra-headers-prefix X-Remote-Extra-
ca=$apiserver_dir/ca
certificate monitor /O=system:monitoring/CN=monitor "$ca"
certificate jane /O=people/CN=jane "$ca"
certificate joe /O=people/CN=joe "$ca"
certificate admin /O=system:masters/CN=admin "$ca"
wait_until 30 k -n kube-system get configmap \
    extension-apiserver-authentication ||
    bail_out "kube-apiserver writes no extension-apiserver-authentication"

# code PATH TOKEN [CURL'S ARGUMENTS…]
code() {
	path=$1
	token=$2
	shift 2
	get "$path" -o /dev/null -w '%{http_code}' \
	    -H "Authorization: Bearer $token" "$@"
}

code_as() {
	as "$@" -o /dev/null -w '%{http_code}'
}

# The user whose rights our server has, as kube-scheduler's are out of the box.
ours=$(kubeconfig_for system:kube-scheduler)
serve "kubeconfig=$ours"
trusts() {
	[ "$(code_as admin /version)" = 200 ]
}
wait_until 10 trusts
is "the cluster's authority is looked up" $? 0

is "a certificate with permission" "$(code_as monitor /metrics)" 200
is "a certificate without permission" "$(as jane /metrics)" \
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: User \"jane\" cannot get path \"/metrics\"","reason":"Forbidden","details":{},"code":403}'
is "one who may see /metrics may not see everything" \
    "$(code_as monitor /configz)" 403
is "a certificate of another authority" "$(code_as self /metrics)" 401
is "a token with permission" "$(code /metrics monitor-token)" 200
is "a token without permission" "$(code /metrics jane-token)" 403
is "an unknown token" "$(code /metrics some-token)" 401
is "a token of system:masters" "$(code /configz admin-token)" 200
is "a bad certificate with a good token" \
    "$(code /metrics monitor-token --cert self.crt --key self.key)" 200
is "a good certificate with a bad token" \
    "$(code /metrics some-token --cert monitor.crt --key monitor.key)" 200
is "an anonymous client" "$(get /metrics -o /dev/null -w '%{http_code}')" 403
is "a page for every client" "$(get /version -o /dev/null -w '%{http_code}')" 200

is "a front proxy speaks for who may" \
    "$(code_as front-proxy /metrics -H 'X-Remote-User: ann' \
	-H 'X-Remote-Group: system:monitoring' \
	-H 'X-Remote-Extra-Scopes: a' -H 'X-Remote-Extra-Scopes: b' \
	-H 'X-Remote-Extra-Example.com%2Fkey: c')" 200
has "and for who may not" "$(as front-proxy /metrics \
    -H 'X-Remote-User: ann' -H 'X-Remote-Group: people')" 'User \"ann\"'
is "another name may not vouch for users" \
    "$(code_as no-proxy /metrics -H 'X-Remote-User: admin' \
	-H 'X-Remote-Group: system:masters')" 401
is "nor may a client" "$(code_as jane /metrics -H 'X-Remote-User: admin' \
    -H 'X-Remote-Group: system:masters')" 403

k create clusterrole explainer --verb get \
    --non-resource-url '/debug/*' >/dev/null
k create clusterrolebinding explainer --clusterrole explainer \
    --group people >/dev/null
explains() {
	[ "$(code_as jane "/debug/explain?pod=a/b")" = 200 ]
}
wait_until 30 explains
is "rights that are given count" $? 0
k delete clusterrolebinding explainer >/dev/null
forbidden() {
	[ "$(code_as jane "/debug/explain?pod=a/b")" = 403 ]
}
wait_until 30 forbidden
is "and rights that are taken away, a little later" $? 0

# Without an API server
is "a token is known" "$(code /metrics monitor-token)" 200
stop_kube_apiserver
is "answers are good for ten seconds" "$(code /metrics monitor-token)" 200
is "what was not asked before is not allowed" "$(code_as joe /metrics)" 500
is "nor who was not known before" "$(code /metrics later-token)" 401
is "health does not need it" "$(get /livez)" ok
is "nor does system:masters" "$(code_as admin /metrics)" 200
fails_closed() {
	[ "$(code /metrics monitor-token)" = 401 ]
}
wait_until 30 fails_closed
is "then no user is allowed any more" $? 0
kill -HUP "$serving"
said "cannot read the ConfigMap"
is "who was trusted still is" "$(code_as admin /metrics)" 200
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
comes_back() {
	[ "$(code /metrics later-token)" = 200 ]
}
wait_until 30 comes_back
is "when it is back all is as before" $? 0

# Many at once, and an end in the middle of them
ask_many() {
	for i in 1 2 3 4 5 6 7 8; do
		code /metrics "token-$i" &
	done
	wait
}
is "many at once" "$(ask_many)" 401401401401401401401401
kill -STOP "$kube_apiserver_pid"
is "who does not wait for the answer" \
    "$(code /metrics token-0 --max-time 1)" 000
kill -CONT "$kube_apiserver_pid"
is "does no harm" "$(code /metrics later-token)" 200
kill -STOP "$kube_apiserver_pid"
code /metrics token-9 >last.txt &
last=$!
sleep 0.5
stop_serving
kill -CONT "$kube_apiserver_pid"
wait "$last"

# Rights that our server itself lacks
weak=$(kubeconfig_for weak)
serve "kubeconfig=$weak"
said "cannot read the ConfigMap"
is "without rights of our own certificates are not known" \
    "$(code_as monitor /metrics)" 401
is "nor are tokens" "$(code /metrics monitor-token)" 401
has "nor can access be reviewed" "$(get /metrics)" \
    'Internal Server Error: "/metrics": '
stop_serving
has "which ends the server that shall not tolerate it" \
    "$("$BUILDDIR/t/http/server" "kubeconfig=$weak" strict 2>/dev/null)" \
    "extension-apiserver-authentication-reader allows it"
serve "kubeconfig=$weak" "client-ca=$ca.crt" skip-lookup
is "a file and no lookup" "$(code_as admin /metrics)" 200
lacks "it is not tried" "$(cat serve.log)" "cannot read the ConfigMap"
stop_serving

finish
