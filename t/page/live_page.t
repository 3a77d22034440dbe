#!/bin/sh
# The daemon's page in a real Chromium, through predicatectl web --daemon: axe-core in
# each view, light and dark, wide and narrow; keyboard; the queue as it changes; and who
# may ask the server between.  Needs what browser.t needs.
#
# PREDICATED_PICTURES=FOLDER live_page.t also takes the pictures of doc/, and
# PREDICATED_CASES=live runs this case alone, as in browser.t.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/page/web.sh"
. "$SRCDIR/t/page/browser.sh"

election= # as usual

# pod NAME CPU [FIELDS]
pod() {
	pod_yaml "$@" | k create -f - >/dev/null
}
pod_yaml() {
	cat <<-END
	apiVersion: v1
	kind: Pod
	metadata: {name: $1, namespace: default}
	spec:
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: "$2"}}
	  ${3-}
	END
}

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes 120 --services 2 \
    --pods 900 --onto 90 --prefix old
pod_yaml big 1000 | create_aged 7200
pod big-too 1000
for i in 1 2 3 4 5 6; do
	pod "fits-$i" "$i"
	pod "large-$i" 9$i
done
for i in 1 2 3 4; do
	pod "picky-$i" 1 'nodeSelector: {disk: ssd}'
done
owner='{apiVersion: batch/v1, kind: Job, name: owned, uid: o, controller: true}'
for i in 1 2; do
	pod_yaml "owned-$i" 200 | sed "s|namespace: default|&, ownerReferences: [$owner]|" |
	    k create -f - >/dev/null
done
pod unclaimed 1 'volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]'
k create -f - >/dev/null <<END
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: look}
rules:
- nonResourceURLs: ["/debug/*"]
  verbs: [get]
END
k create clusterrolebinding look --clusterrole=look --user=looker >/dev/null
looker=$(kubeconfig_for looker)
other=$(kubeconfig_for other)
echo '{"kind": "Policy", "apiVersion": "v1"}' >"$tmp/policy.cfg"
k -n kube-system create configmap scheduler-policy \
    --from-file="$tmp/policy.cfg" >/dev/null
mkdir "$tmp/records"
log=$tmp/log
start_scheduler predicated "$log" --policy-configmap=scheduler-policy \
    --strict-policy --record="$tmp/records" \
    --tls-cert-file="$apiserver_dir/server.crt" \
    --tls-private-key-file="$apiserver_dir/server.key"
wait_scheduler
daemon=https://127.0.0.1:$scheduler_port
web_daemon() {
	timeout 30 "$BUILDDIR/predicatectl" web --daemon "$@" 2>&1
}

# ---- who may ask ----

lets_in() {
	curl -fsk --noproxy '*' -o /dev/null --cert "${looker%.kubeconfig}.crt" \
	    --key "${looker%.kubeconfig}.key" "$daemon/debug/status"
}
wait_until 20 lets_in
out=$(web_daemon "$daemon" --kubeconfig "$other")
is "a user who may not see it: 3" $? 3
has "and the reason" "$out" 'User "other" cannot get path "/debug/status"'
out=$(web_daemon "https://127.0.0.1:$(free_port)" --kubeconfig "$looker")
is "no daemon there: 3" $? 3
has "and the reason" "$out" "Failed to connect"
stray=$(free_port)
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stray \
    -addext "subjectAltName=IP:127.0.0.1" -keyout "$tmp/stray.key" \
    -out "$tmp/stray.crt" 2>/dev/null
(with_us openssl s_server -accept "127.0.0.1:$stray" -cert "$tmp/stray.crt" \
    -key "$tmp/stray.key" -www) >"$tmp/stray.log" 2>&1 &
stray_pid=$!
is_there() {
	curl -sk --noproxy '*' -o /dev/null "https://127.0.0.1:$stray/"
}
wait_until 10 is_there
out=$(web_daemon "https://127.0.0.1:$stray" --kubeconfig "$looker" \
    --daemon-ca "$apiserver_ca")
is "another server's certificate: 3" $? 3
has "is not accepted" "$out" "certificate"
stop_process "$stray_pid"
out=$(web_daemon "http://127.0.0.1:$scheduler_port" --kubeconfig "$looker")
is "without TLS credentials go nowhere: 2" $? 2

by_token=$apiserver_dir/by_token.kubeconfig
sed '/client-certificate/d; s,client-key:.*,token: '"$(service_account_token)," \
    "$looker" >"$by_token"
k create clusterrolebinding look-too --clusterrole=look \
    --serviceaccount=kube-system:predicated >/dev/null
out=$(web_daemon "$daemon" --kubeconfig "$by_token")
is "a token goes to no server that is not proved: 3" $? 3
has "and that is said" "$out" 'User "system:anonymous" cannot get path'
serve_web --daemon "$daemon" --kubeconfig "$by_token" \
    --daemon-ca "$apiserver_ca"
is "with --daemon-ca it goes there" "$(api_status /debug/status)" 200
stop_web
serve_web --daemon "$daemon" --kubeconfig "$looker"
has "the URL is that of the daemon's page" "$(cat "$tmp/web.out")" \
    "http://127.0.0.1:$port/debug/ui/#token="
is "without the token: 401" "$(plain_status /debug/status)" 401
is "with it: 200" "$(api_status /debug/status)" 200
is "the page itself needs none" "$(plain_status /debug/ui/)" 200
is "another Host: 403" "$(api_status /debug/status -H 'Host: evil.example')" 403
is "another Origin: 403" "$(api_status /debug/status \
    -H 'Origin: http://evil.example')" 403
is "a request that another site causes: 403" \
    "$(api_status /debug/status -H 'Sec-Fetch-Site: cross-site')" 403
is "it listens on the loopback address alone" "$(awk -v port="$port" '
    $4 == "0A" && $2 ~ sprintf(":%04X$", port) { print $2 }' \
    /proc/net/tcp /proc/net/tcp6)" "$(printf '0100007F:%04X' "$port")"
for path in /metrics /configz /healthz /debug/x /api/v1/cluster /; do
	is "it asks the daemon for nothing but its page: $path" \
	    "$(api_status "$path")" 404
done
for method in POST PUT DELETE PATCH; do
	is "$method: 405" "$(api_status /debug/queue -X "$method" -d '')" 405
done
head=$(plain /debug/ui/ -i | tr -d '\r' | sed '/^$/q')
has "only our own files" "$head" "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
is "what the daemon says comes as it is" \
    "$(api '/debug/queue?place=active' | jq -r .place)" active
is "and what it refuses" "$(api_status '/debug/queue?place=x')" 400
has "with its sentence" "$(api '/debug/queue?place=x')" \
    '{"error":"missing query parameter: place='
is "/debug/status names the policy in force" "$(api /debug/status |
    jq -r '.policy.source, .policy.origin')" "configmap
kube-system/scheduler-policy[policy.cfg]"
is "a pod has the time of its creation" \
    "$(api '/debug/queue?q=big-too' | jq -r '.pods[0].created')" \
    "$(k get pod big-too -o jsonpath='{.metadata.creationTimestamp}' |
	sed 's/Z/.000000Z/')"
is "a query that is none is not passed on" \
    "$(api_status "/debug/queue?place=active%0d%0aX:%20y")" 400
lacks "the kubeconfig's credentials are in no reply" \
    "$(api /debug/status -i; plain /debug/ui/app.js)" "PRIVATE KEY"

# ---- the page ----

cat >"$tmp/make" <<END
#!/bin/sh
kubectl --kubeconfig "$admin" create -f - >/dev/null <<POD
apiVersion: v1
kind: Pod
metadata: {name: \$1}
spec: {containers: [{name: main, image: example.org/main:1}]}
POD
END
chmod +x "$tmp/make"
parked() {
	[ "$(api /debug/status | jq .queue.unschedulable)" -ge 12 ]
}
wait_until 30 parked
[ -z "${PREDICATED_PICTURES-}" ] || browse livePictures "$PREDICATED_PICTURES"
! wanted live || browse live "$tmp/make"

# ---- one answer everywhere ----

# answers FILE: what is said of the pods that wait, of /reasons?remedies=true.
answers() {
	jq -S '{total, groups, moreNodes, problems: [.problems[] | {cause, text, remedy,
	    pods, proven}]}' "$1"
}
api "/debug/reasons?remedies=true" >"$tmp/daemon.json"
api /debug/cluster | jq -S '{kubernetes, nodes, pods: (.pods | del(.ended)),
    balance}' >"$tmp/daemon.cluster"
stop_web
set -- --policy-configmap=scheduler-policy --strict-policy
KUBECONFIG=$admin serve_web "$@"
api "/api/v1/reasons?remedies=true" >"$tmp/page.json"
api /api/v1/cluster | jq -S '{kubernetes, nodes, pods: (.pods | del(.ended)),
    balance}' >"$tmp/page.cluster"
stop_web
is "the daemon's page says of pods that wait what that of the cluster says" \
    "$(answers "$tmp/daemon.json")" "$(answers "$tmp/page.json")"
is "and counts the same nodes and pods" "$(cat "$tmp/daemon.cluster")" \
    "$(cat "$tmp/page.cluster")"
KUBECONFIG=$admin "$BUILDDIR/predicatectl" explain --all-pending -o json "$@" \
    >"$tmp/explain.json" 2>"$tmp/errors"
is "causes are those of explain --all-pending, of as many pods" "$(jq -c '
    .problems | group_by(.cause) | map([.[0].cause, (map(.pods) | add)])' \
    "$tmp/daemon.json")" "$(jq -c '[.pods[] | select(.node == null)] |
    group_by(.cause) | map([.[0].cause, length])' "$tmp/explain.json")"
is "so are remedies" "$(jq -c --slurpfile explain "$tmp/explain.json" '
    [.problems[].remedy] - [$explain[].pods[].remedy]' "$tmp/daemon.json")" "[]"

# ---- many pods, and the end of the daemon ----

serve_web --daemon "$daemon" --kubeconfig "$looker"
if wanted liveBig && ! sanitized; then
	make_cluster --etcd "http://127.0.0.1:$etcd_port" --pods 8000 \
	    --prefix many
	many_wait() {
		[ "$(api /debug/status | jq .queue.unschedulable)" -ge 1000 ]
	}
	wait_until 180 many_wait
	browse liveBig
fi
! wanted liveEnd || browse liveEnd "$scheduler_pid"
stop_web
finish
