#!/bin/sh
# Pods come and go all the time on a cluster with many others, nodes say that they are
# alive, fall ill and change their labels, and every turn the policy changes and the
# leader is stopped until the other replica leads.  All pods are bound, memory is
# bounded, the replicas compare their caches with the server meanwhile, and in the end
# the leader knows exactly the pods that the server has.
#
#	make bench-churn
#
# is an hour of it at full size; NODES, PODS (there before), RATE (pods a second),
# TURN (seconds) and TURNS make it larger or smaller.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"
. "$SRCDIR/t/daemon/e2e.sh"

nodes=${NODES:-100}
pods=${PODS:-1000}
rate=${RATE:-20}
turn=${TURN:-10}
turns=${TURNS:-2}
seconds=$((turn * turns))
limit_mib=150
policy=
election="--leader-elect=true"
lock="--leader-elect-lease-duration=4s --leader-elect-renew-deadline=3s
    --leader-elect-retry-period=500ms --leader-elect-resource-lock=leases"
busy=

trap 'for pid in $busy; do stop_process "$pid"; done
    stop_everything; rm -rf "$tmp"' EXIT

# policy_with WEIGHT
policy_with() {
	echo "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", \"priorities\": [
	    {\"name\": \"LeastRequestedPriority\", \"weight\": $1},
	    {\"name\": \"SelectorSpreadPriority\", \"weight\": 1}]}"
}

put_policy() {
	policy_with "$1" >"$tmp/policy.cfg"
	k -n kube-system create configmap scheduler-policy \
	    --from-file="$tmp/policy.cfg" --dry-run=client -o json |
	    k replace --force -f - >/dev/null
}

# Each node says every five minutes that it is alive; once a second one of them says
# that it is not, and another gets a label.
nodes_live() {
	n=0
	while :; do
		awk -v n="$n" -v some=$((nodes / 300 + 1)) -v nodes="$nodes" \
		    -v url="$apiserver_url" -v now="$(date -u +%FT%TZ)" \
		    -v ca="$apiserver_ca" -v admin="$apiserver_dir/admin" '
		function patch(path, body) {
			if (asked++)
				print "next"
			printf "url = \"%s/api/v1/nodes/node-%05d%s\"\n", url,
			    i % nodes, path
			printf "cacert = \"%s\"\ncert = \"%s.crt\"\n" \
			    "key = \"%s.key\"\n", ca, admin, admin
			print "request = PATCH\nfail\nmax-time = 10"
			print "header = \"Content-Type: application/merge-patch+json\""
			gsub(/"/, "\\\"", body)
			printf "data = \"%s\"\noutput = /dev/null\n", body
		}
		BEGIN {
			for (i = n * some; i < (n + 1) * some; i++)
				patch("/status", "{\"status\":{\"conditions\":[" \
				    "{\"type\":\"Ready\",\"status\":\"" \
				    (i % some == 0 ? "False" : "True") \
				    "\",\"lastHeartbeatTime\":\"" now "\"}]}}")
			patch("", "{\"metadata\":{\"labels\":{\"turn\":\"" n "\"}}}")
		}' >"$tmp/curl.cfg"
		NO_PROXY='*' curl -sS -K "$tmp/curl.cfg" || return
		n=$((n + 1))
		sleep 1
	done
}

# leads first|second
leads() {
	eval "scheduler_port=\$${1}_port"
	metric_is 'leader_election_master_status{name="kube-scheduler"}' 1
}

# sample: a line of $tmp/samples, "SECONDS RSS RSS CPU CPU SERVER-CPU".
sample() {
	for pid in "$first_pid" "$second_pid"; do
		awk '/^VmRSS/ { printf "%.1f ", $2 / 1024 }' "/proc/$pid/status"
	done >"$tmp/rss"
	echo "$(date +%s) $(cat "$tmp/rss") $(cpu_seconds "$first_pid")" \
	    "$(cpu_seconds "$second_pid") $(cpu_seconds "$kube_apiserver_pid")" \
	    >>"$tmp/samples"
}

# "NAMESPACE NAME NODE" of pods on nodes, as the server has them; and as the leader.
pods_of_server() {
	k get pods -A -o wide --no-headers | awk '$8 != "<none>" { print $1, $2, $8 }' |
	    sort
}

pods_of_leader() {
	show /metrics/resources --max-time 60 |
	    awk -F '"' '/^kube_pod_resource_request{/ && $10 == "cpu" && $4 != "" {
		print $2, $6, $4 }' | sort
}

start_apiserver
make_cluster --etcd "http://127.0.0.1:$etcd_port" --nodes "$nodes" --services 20 \
    --apps 300 --pods "$pods" --onto "$nodes" --prefix old
k create namespace churn >/dev/null
policy_with 1 >"$tmp/policy.cfg"
k -n kube-system create configmap scheduler-policy --from-file="$tmp/policy.cfg" \
    >/dev/null
for one in first second; do
	# shellcheck disable=SC2086 # to be split
	start_scheduler predicated "$tmp/$one.log" --v=0 $lock \
	    --policy-configmap=scheduler-policy \
	    --cache-check-interval=$((seconds / 6))s
	eval "${one}_pid=\$scheduler_pid ${one}_port=\$scheduler_port"
	wait_scheduler 60
	wait_until 60 leads first || bail_out "the first does not lead"
done

(KUBECONFIG=$admin with_us "$tools/latency" --namespace churn --rate "$rate" \
    --pods $((rate * seconds)) --keep $((rate * 20)) --prefix churn \
    --timeout $((seconds * 2 + 300))) >"$tmp/latency" 2>"$tmp/latency.err" &
creating=$!
nodes_live >"$tmp/nodes.log" 2>&1 &
busy="$creating $!"
sample
begun=$(date +%s)
changes=0
leader=first
standby=second
for i in $(seq "$turns"); do
	put_policy $((i % 2 + 1))
	eval "kill -STOP \$${leader}_pid"
	! wait_until 30 leads "$standby" || changes=$((changes + 1))
	eval "kill -CONT \$${leader}_pid"
	leads "$leader" || { other=$leader leader=$standby standby=$other; }
	while [ $(($(date +%s) - begun)) -lt $((i * turn)) ]; do
		sleep 5
		sample
	done
done
is "the leader changed each turn" "$changes" "$turns"
if wait "$creating"; then
	pass "all pods are bound"
else
	fail "all pods are bound" "$(cat "$tmp/latency" "$tmp/latency.err")"
fi
sample
for pid in $busy; do
	stop_process "$pid"
done
is "all writes of nodes were accepted" "$(cat "$tmp/nodes.log")" ""

# ---- what it cost ----

sed 's/^/# /' "$tmp/latency"
awk -v rate="$rate" 'NR == 1 { first = $4; second = $5; server = $6; began = $1 }
    { rss = $2 > $3 ? $2 : $3; at[NR] = rss; if (rss > most) most = rss }
    END {
	for (i = int(NR / 2) + 1; i <= NR; i++)
		if (i <= NR * 3 / 4) { if (at[i] > third) third = at[i] }
		else if (at[i] > last) last = at[i]
	printf "# %d s: CPU of both replicas %.1f %% of a core, of the server " \
	    "%.0f %%; at most %.1f MiB, in the third quarter %.1f, " \
	    "in the last %.1f\n", $1 - began,
	    100 * ($4 + $5 - first - second) / ($1 - began),
	    100 * ($6 - server) / ($1 - began), most, third, last
	print most > "/dev/stderr" }' "$tmp/samples" 2>"$tmp/most"
sanitized || is "never more than $limit_mib MiB" \
    "$(awk -v limit="$limit_mib" '{ print ($1 < limit) }' "$tmp/most")" 1

# ---- what it knows ----

# checks STATUS: comparisons of the caches with the server that both have made.
checks() {
	for scheduler_port in "$first_port" "$second_port"; do
		metrics
	done | awk -v status="status=\"$1\"" '
		/^predicated_cache_consistency_checks_total/ && index($0, status) {
			n += $2
		}
		END { print n + 0 }'
}
echo "# $(checks success) comparisons of caches with the server," \
    "$(checks error) that could not be made"
is "some were made" "$([ "$(checks success)" -gt 0 ] && echo yes)" yes
is "all found the same" "$(checks failure)" 0
eval "scheduler_port=\$${leader}_port"
same() {
	pods_of_server >"$tmp/server"
	pods_of_leader >"$tmp/known"
	cmp -s "$tmp/server" "$tmp/known"
}
if wait_until 60 same; then
	pass "the leader's $(wc -l <"$tmp/known") pods are the server's"
else
	fail "the leader's pods are the server's" \
	    "$(diff "$tmp/server" "$tmp/known" | head -n 20)"
fi
is "the leader knows all nodes" "$(
	metric 'scheduler_scheduler_cache_size{type="nodes"}')" "$nodes"
is "no replica has ended" \
    "$(running "$first_pid" && running "$second_pid" && echo yes)" yes
finish
