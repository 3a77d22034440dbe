#!/bin/sh
# The fault proxy does what it says, before a real API server.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

start_apiserver
start_tls_proxy "$admin"

# get PATH [OPTION…]: what comes through the proxy, with the status at the end.
get() {
	path=$1
	shift
	# For a curl the server indents its JSON, and built with a recent Go it
	# panics when it does.
	curl -sS --noproxy '*' --max-time 10 --cacert "$apiserver_ca" \
	    -A test -w '\n%{http_code}' "$@" "https://127.0.0.1:$proxy_port$path" 2>&1
}

watch='/api/v1/namespaces/default/configmaps?watch=1'
version_now() {
	k get --raw /api/v1/namespaces/default/configmaps |
	    jq -r .metadata.resourceVersion
}
make_map() {
	k create configmap "$1" >/dev/null
}

has "requests pass" "$(get /readyz)" "200"
has "as the proxy's user" "$(get /api/v1/nodes)" '"kind":"NodeList"'

is "a rule" "$(proxy answer 'skip=1' 429 GET /api/v1/nodes)" ok
has "the first goes" "$(get /api/v1/nodes)" "NodeList"
has "the second is answered" "$(get /api/v1/nodes)" "TooManyRequests"
has "the third goes" "$(get /api/v1/nodes)" "NodeList"
proxy answer count=2 retry-after=7 500 '*' /api/v1/pods >/dev/null
has "with Retry-After" "$(get /api/v1/pods -D -)" "Retry-After: 7"
has "also a body" "$(get /api/v1/pods -d '{}' -X POST)" "InternalError"
has "stats" "$(proxy stats)" "hits 3"
is "nonsense" "$(proxy nonsense)" "no such command"
is "words" "$(proxy answer 5)" "wrong number of words"

proxy delay 700 GET /api/v1/nodes >/dev/null
slow=$(get /api/v1/nodes -w '%{time_total}' -o "$tmp/body")
has "delayed, and whole" "$(cat "$tmp/body")" NodeList
is "by that much" "$(echo "$slow" | awk '{ print ($1 >= 0.7) }')" 1

proxy lose POST /configmaps >/dev/null
has "an answer is lost" \
    "$(get /api/v1/namespaces/default/configmaps -X POST \
	-H 'Content-Type: application/json' \
	-d '{"metadata":{"name":"lost"}}')" "000"
is "but the server acted" "$(k get configmap lost -o name)" configmap/lost

proxy hang GET /api/v1/pods >/dev/null
has "a request hangs" "$(get /api/v1/pods --max-time 1)" "timed out"
proxy stall >/dev/null
has "nothing passes" "$(get /readyz --max-time 1)" "timed out"
proxy go >/dev/null
has "and again" "$(get /readyz)" 200
proxy refuse >/dev/null
has "refused" "$(get /readyz)" "000"
proxy accept >/dev/null
has "accepted" "$(get /readyz)" 200

# watch_with NAME COMMAND…: what a watch brings of a map that was made, in the
# type $accept.
accept=application/json
watch_with() {
	name=$1
	shift
	proxy "$@" >/dev/null
	version=$(version_now)
	make_map "$name"
	get "$watch&resourceVersion=$version&timeoutSeconds=2" \
	    -H "Accept: $accept"
}

is "a watch passes" "$(watch_with whole stats | grep -c '^{.*}$')" 1
is "an event twice" \
    "$(watch_with twice duplicate configmaps | grep -c '^{.*}$')" 2
half=$(watch_with half truncate configmaps)
is "half an event" "$(echo "$half" | grep -c '^{.*}$')" 0
has "its beginning" "$half" '{"type":"ADDED"'
gone=$(watch_with gone gone configmaps)
has "410 after it" "$gone" '"code":410'
has "the end after it" "$(watch_with end end configmaps)" "transfer closed"

accept=application/vnd.kubernetes.protobuf
is "in protobuf an event twice" \
    "$(watch_with twice-pb duplicate configmaps | tr -d '\000' |
	grep -ao ADDED | wc -l)" 2
half=$(watch_with half-pb truncate configmaps | tr -d '\000')
has "half an event" "$half" ADDED
gone=$(watch_with gone-pb gone configmaps | tr -d '\000')
has "410 after it" "$gone" Expired
proxy clear >/dev/null

version=$(version_now)
get "$watch&resourceVersion=$version" --max-time 10 >"$tmp/cut" &
watching=$!
wait_until 10 grep -q "resourceVersion=$version " "$tmp/proxy.log"
proxy cut watch= >/dev/null
wait "$watching"
lacks "a connection is cut" "$(cat "$tmp/cut")" "timed out"
has "others are not" "$(get /readyz)" 200

stop_process "$proxy_pid" TERM
proxy_pid=
start_proxy "$admin"
has "bytes pass on: TLS and HTTP/2 between the two" \
    "$(get /api/v1/nodes --cert "$apiserver_dir/admin.crt" \
	--key "$apiserver_dir/admin.key" -w '%{http_version}' )" "2"
finish
