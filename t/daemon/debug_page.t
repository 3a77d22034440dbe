#!/bin/sh
# The daemon's page and its JSON, /debug: who may see them, what they say, and that
# clients that ask too much hold up no pod.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

# ask PATH [CURL'S ARGUMENTS…]: as $user, a kubeconfig.
ask() {
	path=$1
	shift
	curl -sk --noproxy '*' --max-time 30 --cert "${user%.kubeconfig}.crt" \
	    --key "${user%.kubeconfig}.key" \
	    "https://127.0.0.1:$scheduler_port$path" "$@"
}
status() {
	ask "$@" -o "$tmp/body" -w '%{http_code}'
}
anonymous() {
	curl -sk --noproxy '*' --max-time 30 -o "$tmp/body" \
	    -w '%{http_code}' "https://127.0.0.1:$scheduler_port$1"
}
shows() {
	ask "$1" | jq -e "$2" >/dev/null
}

start_apiserver
make_cluster --nodes 20 --pods 40 --services 2
for pod in big big-too; do
	k create -f - <<-END >/dev/null
	apiVersion: v1
	kind: Pod
	metadata: {name: $pod}
	spec:
	  containers:
	  - name: main
	    image: example.org/main:1
	    resources: {requests: {cpu: "1000"}}
	END
done
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
user=$looker
log=$tmp/log
start_scheduler predicated "$log"
wait_scheduler
is_let_in() {
	[ "$(status /debug/status)" = 200 ]
}
wait_until 20 is_let_in
wait_until 20 shows '/debug/queue?q=big' '[.pods[] | select(.message)] | length == 2'

# ---- who may see it ----

for path in /debug/status "/debug/queue?place=active" /debug/decisions \
    /debug/nodes /debug/explain?pod=default/big /debug/ui /debug/ui/ \
    /debug/ui/app.js /debug/ui/app.css; do
	is "$path is not for everyone" "$(anonymous "$path")" 403
	user=$other
	is "nor for every user" "$(status "$path")" 403
	user=$looker
done
is "a user who may see /debug sees the page" "$(status /debug/ui/)" 200
is "all its files" "$(for file in $(ask /debug/ui/ |
    grep -o '\(src\|href\)="[a-z][^"]*"' | cut -d'"' -f2 | sort -u) \
    $(ask /debug/ui/app.js | sed -n 's,.*from "\./\(.*\)";,\1,p'); do
	status "/debug/ui/$file"
	echo
done | sort | uniq -c | sed 's/^ *[0-9]* //')" 200
is "without the slash it leads there" "$(status /debug/ui) $(ask /debug/ui \
    -o "$tmp/body" -w '%{redirect_url}' | sed 's,.*/debug,/debug,')" \
    "302 /debug/ui/"
is "other files are not there" "$(status /debug/ui/../../etc/passwd \
    --path-as-is) $(status /debug/ui/workbench.js)" "404 404"
is "the page is in no list of files of predicatectl" \
    "$(strings "$BUILDDIR/predicated" | grep -c 'api/v1/workbench')" 0

# ---- what a browser may do with it ----

for path in /debug/ui/ /debug/ui/app.js /debug/status \
    "/debug/queue?place=active" /debug/nodes /debug/decisions; do
	head=$(ask "$path" -i | tr -d '\r' | sed '/^$/q')
	has "$path: only our own files" "$head" "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
	lacks "$path: no inline code" "$head" unsafe
	has "$path: in no frame" "$head" "X-Frame-Options: DENY"
	has "$path: types are not guessed" "$head" \
	    "X-Content-Type-Options: nosniff"
	has "$path: links tell nothing" "$head" "Referrer-Policy: no-referrer"
	is "$path: nothing is stored" \
	    "$(echo "$head" | grep -i '^cache-control')" "Cache-Control: no-store"
	has "$path: no other site embeds it" "$head" \
	    "Cross-Origin-Resource-Policy: same-origin"
done
is "the page has no inline code or style" \
    "$(ask /debug/ui/ | grep -ciE '<style|style=|<script>| on[a-z]+=')" 0
for method in POST PUT PATCH DELETE; do
	is "$method changes nothing: 405" "$(for path in /debug/ui/ \
	    /debug/queue /debug/decisions /debug/nodes /debug/status; do
		status "$path" -X "$method"
		echo
	done | sort -u)" 405
done

# ---- what it says ----

is "the state" "$(ask /debug/status |
    jq -c '[.leads, .leaderElection, .problems, .nodes, .kubernetes]')" \
    '[true,false,[],20,"1.'"$kubernetes_minor"'"]'
is "the queue: two pods wait somewhere" "$(ask /debug/status |
    jq '[.queue[]] | add')" 2
why="0/20 nodes are available: 20 Insufficient cpu."
is "the reasons of all, counted" "$(ask /debug/status |
    jq -c '[(.reasons[] | [.message, .pods]), .reasonsComplete]')" \
    "[[\"$why\",2],true]"
is "a pod: why it waits" "$(ask '/debug/queue?q=default/big' |
    jq -r '[.pods[].message] | unique[]')" "$why"
is "its nearest misses" "$(ask '/debug/queue?q=big' |
    jq '[.pods[] | select(.misses)] | map(.misses | test("cpu short: node-0")) | any')" true
is "since when, and when it is tried next" "$(ask '/debug/queue?q=big' | jq '
    def seconds: .[0:19] + "Z" | fromdate;
    [.time as $now | .pods[] | .added <= $now and .attempts > 0 and
	(.next | seconds) < ($now | seconds) + 340] | all')" true
parked() {
	shows '/debug/queue?place=unschedulable' '.total == 2'
}
wait_until 20 parked
is "a place has its pods in pages" \
    "$(ask '/debug/queue?place=unschedulable&limit=1&offset=1' |
	jq -c '[.place, .total, .listed, .offset, (.pods | length)]')" \
    '["unschedulable",2,2,1,1]'
is "a place that is none: 400" "$(status '/debug/queue?place=x')" 400
is "no place: 400" "$(status /debug/queue)" 400
is "numbers that are none count as absent" \
    "$(ask '/debug/queue?place=unschedulable&limit=-1&offset=1e9' |
	jq '.pods | length')" 2
is "the last decisions, by number" "$(ask '/debug/decisions?limit=2' |
    jq '.decisions | .[0].number - .[1].number')" 1
last=$(ask '/debug/decisions?limit=1' | jq '.decisions[0].number')
is "those after a number" "$(ask "/debug/decisions?since=$((last - 1))" |
    jq ".decisions | map(.number) | index($last) >= 0")" true
is "a decision that placed a pod" "$(ask /debug/decisions | jq '
    [.decisions[] | select(.node)] | (length == 40) and
	(map(.feasible > 0 and .nodes == 20) | all)')" true
is "nodes in columns" "$(ask /debug/nodes |
    jq -c '[.count, (.name | length), (.state | add)]')" '[20,20,0]'
is "with the pods on them" "$(ask /debug/nodes | jq '.requested.pods | add')" 40
is "all pods once, with those that wait" "$(ask /debug/pods?limit=100 |
    jq -c '[(.pods | map(.state) | group_by(.)[] | length),
	(.pods | map(.name) | unique | length)]')" '[2,40,42]'
is "why they wait, and what helps" "$(ask '/debug/reasons?remedies=true' |
    jq -c '[.total, (.problems | map(.pods) | add), .problems[0].cause]')" \
    '[2,2,"requests"]'
is "the rules in force" "$(ask /debug/policy |
    jq '.profiles[0].scores | map(select(.on)) | length > 3')" true
k cordon "$(k get nodes -o name | head -n 1)" >/dev/null
is_cordoned() {
	shows /debug/nodes '.state | add == 1'
}
wait_until 10 is_cordoned
is "and the state of nodes: 1 is cordoned" "$(ask /debug/nodes |
    jq '.state | max')" 1

# ---- greedy and slow clients ----

# latency NAME: of 30 pods, ten a second.
latency() {
	KUBECONFIG=$admin "$tools/latency" --pods 30 --rate 10 \
	    --prefix "$1" --timeout 60 2>"$tmp/latency.err"
	sed 's/^/# /' "$tmp/latency.err" >&2
}
value() {
	echo "$2" | sed "s/.* $1 \([0-9]*\).*/\1/"
}
stalls() {
	metrics | awk '/^predicated_event_loop_stalls_total/ { n += $NF }
	    END { print n + 0 }'
}
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes 2000 --prefix many
wait_until 60 shows /debug/status '.nodes >= 2000'
latency warm >/dev/null
before=$(latency before)
echo "# before: $before"
stalled=$(stalls)
greedy=
for i in 1 2 3 4 5 6; do
	(while :; do
		ask /debug/nodes
		ask "/debug/explain?pod=default/big"
		ask /debug/decisions
		ask "/debug/queue?q=x"
	done >"$tmp/greedy.$i" 2>&1) &
	greedy="$greedy $!"
done
for i in 1 2 3 4; do
	(ask '/debug/explain?pod=default/big' --limit-rate 100 \
	    --max-time 60 >"$tmp/slow.$i" 2>&1) &
	greedy="$greedy $!"
done
during=$(latency during)
echo "# during: $during"
is "with greedy and slow clients pods are bound" "$(value bound "$during")" 30
if sanitized; then
	skip "as soon as without" "sanitizers make everything slower"
else
	is "as soon as without" "$(($(value median "$during") <
	    $(value median "$before") + 200))" 1
fi
is "the event loop did not stall" "$(stalls)" "$stalled"
is "health answers" "$(scheduler_up)" ok
for pid in $greedy; do
	kill "$pid" 2>/dev/null
done
wait_until 60 is_let_in
is "afterwards it answers at once" "$(status /debug/status)" 200
finish
