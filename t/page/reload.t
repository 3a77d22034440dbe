#!/bin/sh
# The page on a live cluster that answers slowly or not at all: the last state is
# shown meanwhile, and questions about it are answered.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"
. "$SRCDIR/t/page/web.sh"

start_apiserver
k create -f - >/dev/null <<END
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "100"}}
END
start_tls_proxy "$admin"
serve_web --kubeconfig "$through"

# field NAME: of the server's status
field() {
	api /api/v1/status | jq -r ".$1"
}
nodes() {
	api /api/v1/cluster | jq .nodes
}
field_is() {
	[ "$(field "$1")" = "$2" ]
}
# answers: within a second, the status and a question; prints the nodes
answers() {
	api /api/v1/status --max-time 1 >/dev/null &&
	    api /api/v1/cluster --max-time 3 | jq .nodes
}
processes() {
	ps -o pid= --ppid "$web" | wc -l
}

is "the cluster" "$(nodes) $(field generation)" "1 1"
k create -f - >/dev/null <<END
apiVersion: v1
kind: Node
metadata: {name: n2}
END

# ---- slow ----

proxy delay count=0 6000 GET /api/v1/nodes >/dev/null
began=$(date +%s)
kill -HUP "$web"
is_loading() {
	[ "$(processes)" = 2 ]
}
wait_until 5 is_loading
for second in 1 2 3; do
	is "while it is read slowly the last state is there ($second)" \
	    "$(answers) $(field generation)" "1 1"
	sleep 1
done
kill -HUP "$web"
is "it is read once at a time" "$(processes)" 2
is "a question that takes long is answered, too" \
    "$(api_status /api/v1/workbench -d '{}')" 200
wait_until 30 field_is generation 2
is "then the new state is there as a whole" "$(nodes) $(field generation)" "2 2"
is "which took as long as the server" "$(($(date +%s) - began >= 6))" 1
last_has_ended() {
	[ "$(processes)" = 1 ]
}
wait_until 5 last_has_ended
is "the last one's process is gone" "$(processes)" 1
proxy clear >/dev/null

# ---- nothing new ----

kill -HUP "$web"
wait_until 5 is_loading
wait_until 20 last_has_ended
is "a cluster that is as it was is no new one" \
    "$(nodes) $(field generation) $(field trouble)" "2 2 "

# ---- failures ----

proxy answer count=0 403 GET /api/v1/nodes >/dev/null
kill -HUP "$web"
has_trouble() {
	[ -n "$(field trouble)" ]
}
wait_until 30 has_trouble
has "a failure is said" "$(field trouble)" "cannot be read any more"
has "with its reason on standard error" "$(cat "$tmp/web.err")" "403"
is "the last state stays" "$(answers) $(field generation)" "2 2"
proxy clear >/dev/null
kill -HUP "$web"
wait_until 20 field_is trouble ""
is "and the note goes when it can be read again" \
    "$(field trouble) $(field generation)" " 2"

# ---- the end, while it is read ----

proxy delay count=0 30000 GET /api/v1/nodes >/dev/null
kill -HUP "$web"
wait_until 5 is_loading
keepers=$(ps -o pid= --ppid "$web")
began=$(date +%s)
stop_web
is "at once, even while it is read" "$(($(date +%s) - began < 5))" 1
is "with all its processes" \
    "$(for pid in $keepers; do ps -o pid= -p "$pid"; done | wc -l)" 0
finish
